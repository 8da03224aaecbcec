"""The plugins of agents without shell hooks, as they are put on a machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gbrain.harnesses import plugins
from nodes import NODE, node


def filled(text: str) -> dict[str, Any]:
    found = re.search(r"^const GBRAIN = (\{.*\})", text, re.M)
    assert found is not None
    held: dict[str, Any] = json.loads(found[1])
    return held


@pytest.mark.parametrize(("harness", "code"), [("opencode", "gbrain.js"), ("openclaw", "index.js")])
def test_a_plugin_names_this_machines_hooks(harness: str, code: str) -> None:
    made = plugins.files(harness, "/opt/python", ["--home", "/h/.gbrain", "--source", 'it\'s "x"'], base="/h")
    held = filled(made[code])
    assert held["python"] == "/opt/python"
    assert held["flags"] == ["--home", "/h/.gbrain", "--source", 'it\'s "x"']
    assert Path(held["capture"]).is_file()
    assert held["home"] == "/h"
    assert "const GBRAIN = null" not in made[code]


def test_a_hook_that_is_not_wanted_is_not_named() -> None:
    held = filled(plugins.files("opencode", "/p", capture=False)["gbrain.js"])
    assert held["capture"] is None
    assert filled(plugins.files("openclaw", "/p", recall=False)["index.js"])["recall"] is None


def test_openclaw_is_told_of_every_tool_it_gets() -> None:
    made = plugins.files("openclaw", "/p")
    manifest = json.loads(made["openclaw.plugin.json"])
    assert set(made) == {"index.js", "package.json", "openclaw.plugin.json"}
    assert json.loads(made["package.json"])["openclaw"]["extensions"] == ["./index.js"]
    assert manifest["contracts"]["tools"] == re.findall(r'name: "(memory_\w+)"', made["index.js"])
    assert manifest["kind"] == "memory"


DRIVE = """
import { GbrainPlugin } from "./gbrain.mjs"
const hooks = await GbrainPlugin({ directory: "/" })
const part = { id: "prt_1", type: "text", text: "hello" }
const output = { message: { role: "user" }, parts: [part] }
await hooks["chat.message"]({ sessionID: "s" }, output)
await hooks["chat.message"]({ sessionID: "s" }, { message: {}, parts: null })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
await hooks.event({ event: {} })
await hooks["experimental.session.compacting"]({}, {})
console.log(output.parts.length)
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false", "/bin/cat"])
def test_an_interpreter_that_fails_is_passed_over_in_silence(tmp_path: Path, python: str) -> None:
    (tmp_path / "gbrain.mjs").write_text(plugins.files("opencode", python)["gbrain.js"])
    assert node(DRIVE, tmp_path) == "1\n"

"""The plugins of opencode and OpenClaw in one process that lives on, with the real hooks behind them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gbrain.harnesses import plugins
from nodes import NODE, node
from recalling import PYTHON, Home

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

OFFER, PACK = "named “Dana Oakes”", "## Standing entities"
OPENCLAW = """
import plugin from "./index.mjs"
const on = {}
plugin.register({ on: (name, act) => (on[name] = act), registerTool() {} })
const ctx = { sessionId: "s1", workspaceDir: process.argv[3], trigger: "user" }
const messages = JSON.parse(process.argv[4])
for (const said of JSON.parse(process.argv[2])) {
  if (said === "COMPACT") {
    await on.before_compaction({ messages }, ctx)
    await on.after_compaction({}, ctx)
    continue
  }
  const got = await on.before_prompt_build({ prompt: said, messages }, ctx)
  console.log(JSON.stringify(got?.prependContext ?? ""))
  messages.push({ role: "user", content: said }, { role: "assistant", content: [{ type: "text", text: "Good." }] })
}
"""
OPENCODE = """
import { GbrainPlugin } from "./gbrain.mjs"
const given = JSON.parse(process.argv[4])
const data = given.map(([role, text, synthetic]) => ({ info: { role }, parts: [{ type: "text", text, synthetic }] }))
const answers = { messages: { data }, broken: { error: 1 }, hanging: new Promise(() => {}) }
const client = { session: { messages: async () => answers[process.argv[5]] } }
const hooks = await GbrainPlugin({ client, directory: process.argv[3] })
for (const text of JSON.parse(process.argv[2])) {
  const output = { message: { role: "user" }, parts: [{ id: "prt_1", type: "text", text }] }
  await hooks["chat.message"]({ sessionID: "s1" }, output)
  console.log(JSON.stringify(output.parts.slice(1).map((part) => part.text).join()))
}
process.exit(0)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


def openclaw(home: Home, folder: Path, said: Sequence[str], before: Sequence[dict[str, Any]] = ()) -> list[str]:
    """What comes before each of these turns."""
    folder.mkdir(exist_ok=True)
    made = plugins.files("openclaw", PYTHON, ["--home", str(home.brain)], base=str(home.path))
    (folder / "index.mjs").write_text(made["index.js"])
    out = node(OPENCLAW, folder, json.dumps(said), str(home.path), json.dumps(before))
    return [json.loads(line) for line in out.splitlines()]


def test_openclaw_has_before_each_turn_all_that_it_was_told(home: Home, tmp_path: Path) -> None:
    said = ["What should I bring for Dana Oakes?", "And fix the parser.", "COMPACT", "Go on.", "Ask Dana Oakes again."]
    asked, parser, after, again = openclaw(home, tmp_path / "plugin", said)
    assert (asked.count(PACK), asked.count(OFFER)) == (1, 1)
    assert parser == asked
    assert (after.count(PACK), after.count(OFFER)) == (1, 0)
    assert "[default:people/dana-oakes]" in after
    assert again == after, "she stands in the pack"


def test_a_new_process_of_openclaw_tells_of_whom_the_session_was_about(home: Home, tmp_path: Path) -> None:
    with home.open() as brain:
        brain.put_page(slug="people/ida-holm", content="---\ntitle: Ida Holm\ntype: person\n---\nSells boats.\n")
    said = [{"role": "user", "content": "Write to Ida Holm."}, {"role": "assistant", "content": "Written."}]
    (first,) = openclaw(home, tmp_path / "plugin", ["Write to Ida Holm."])
    assert "named “Ida Holm”" in first
    (later,) = openclaw(home, tmp_path / "plugin", ["Make it shorter."], said)
    assert "- **Ida Holm** [default:people/ida-holm] — Sells boats." in later.splitlines()
    (pointed,) = openclaw(home, tmp_path / "plugin", ["What does she sell?"], said)
    assert "“she” means who was named before" in pointed


def test_what_openclaw_is_told_again_is_bounded(home: Home, tmp_path: Path) -> None:
    names = [f"Person{letter}{other} Longname{letter}{other}" for letter in "abcdefgh" for other in "abcdef"]
    with home.open() as brain:
        for name in names:
            page = f"---\ntitle: {name}\ntype: person\n---\n{'Sells a good many things in many towns. ' * 9}\n"
            brain.put_page(slug=f"people/{name.replace(' ', '-').lower()}", content=page)
    said = [f"Ask {a}, {b} and {c}." for a, b, c in zip(names[::3], names[1::3], names[2::3], strict=True)]
    *_, last = openclaw(home, tmp_path / "plugin", said)
    assert last.startswith("<gbrain-context>")
    assert 4_000 < len(last) < 5_100
    assert PACK in last
    assert f"named “{names[-1]}”" in last


TURNS = [["user", "I met Dana Oakes."], ["assistant", "Good."], ["user", "<gbrain-context>", True]]


@pytest.mark.parametrize(("answer", "known"), [("messages", True), ("broken", False), ("hanging", False)])
def test_opencode_tells_the_hook_what_was_said_before(home: Home, tmp_path: Path, answer: str, known: bool) -> None:
    made = plugins.files("opencode", PYTHON, ["--home", str(home.brain)], base=str(home.path))
    (tmp_path / "gbrain.mjs").write_text(made["gbrain.js"])
    said = ["What does she drink?", "Thanks."]
    out = node(OPENCODE, tmp_path, json.dumps(said), str(home.path), json.dumps(TURNS), answer)
    first, second = (json.loads(line) for line in out.splitlines())
    assert PACK in first
    assert ("“she” means who was named before" in first) is known
    assert second == ""

"""Conversations by way of the plugin of an agent that has no shell hooks: Node runs it as the agent would."""

import json
import os
import re
import selectors
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from gbrain.bench.machine import Failed
from gbrain.bench.push_hooks import PLACE, SECONDS, TRIES, Told, left_late
from gbrain.domain.fences import TAG
from gbrain.domain.offers.reading import Said
from gbrain.harnesses import plugins

_BLOCK = re.compile(rf"<{TAG}>.*?</{TAG}>", re.DOTALL)
_SHARED = """
import { createInterface } from "node:readline"
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line)
  console.log(JSON.stringify((await ask(given)) ?? ""))
}
process.exit(0)
"""
_OPENCLAW = """
import plugin from "./plugin.mjs"
const on = {}
plugin.register({ on: (name, act) => (on[name] = act), registerTool() {} })
async function ask({ session, folder, before, prompt }) {
  const messages = before.map(([role, content]) => ({ role, content }))
  const ctx = { sessionId: session, workspaceDir: folder, trigger: "user" }
  return (await on.before_prompt_build({ prompt, messages }, ctx))?.prependContext
}
"""
_OPENCODE = """
import { GbrainPlugin } from "./plugin.mjs"
let data = []
const client = { session: { messages: async () => ({ data }) } }
let hooks
async function ask({ session, folder, before, prompt }) {
  hooks ??= await GbrainPlugin({ client, directory: folder })
  data = before.map(([role, text]) => ({ info: { role }, parts: [{ type: "text", text }] }))
  const output = { message: { role: "user" }, parts: [{ id: "prt_1", type: "text", text: prompt }] }
  await hooks["chat.message"]({ sessionID: session }, output)
  return output.parts.slice(1).map((part) => part.text).join()
}
"""
_DRIVERS = {"opencode": ("gbrain.js", _OPENCODE), "openclaw": ("index.js", _OPENCLAW)}
HARNESSES = tuple(_DRIVERS)


def node() -> str | None:
    """The program that runs plugins, None where there is none."""
    return shutil.which("node")


class Plugin:
    """The plugin of one agent in a process that lives on, with a brain in the home `base`; `folder` is where a person
    works. `late` counts the runs of its hook that left because their time was over; these are run again."""

    def __init__(self, harness: str, base: str, folder: str, program: str) -> None:
        self._harness, self._base, self._folder = harness, base, folder
        self._known: dict[str, set[str]] = {}
        self.late = 0
        file, driver = _DRIVERS[harness]
        python = os.path.realpath(sys.executable)
        made = plugins.files(harness, python, ["--home", os.path.join(base, ".gbrain")], base=base, capture=False)
        place = os.path.join(base, "plugin")
        os.makedirs(place)
        for name, text in (("plugin.mjs", made[file]), ("drive.mjs", driver + _SHARED)):
            with open(os.path.join(place, name), "w", encoding="utf-8") as out:
                out.write(text)
        env = {"HOME": base, "PATH": os.environ.get("PATH", "")}
        command = [program, os.path.join(place, "drive.mjs")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)

    def ask(self, session: str, turns: Sequence[Said]) -> Told:
        """What it puts before the last of these turns that was not there before, but for the pack of the session.

        Raises Failed when it does not answer.
        """
        *before, newest = turns
        given: dict[str, Any] = {"session": session, "folder": self._folder, "prompt": newest.text}
        given["before"] = [[said.role, said.text] for said in before]
        known = self._known.setdefault(session, set())
        for _ in range(TRIES):
            blocks = [block for block in _BLOCK.findall(self._answer(given)) if block not in known]
            if not left_late(self._base):
                known.update(blocks)
                text = "\n".join(block for block in blocks if "\n## " not in block)
                return Told(frozenset(PLACE.findall(text)), text)
            self.late += 1
        raise Failed(f"the hook of {self._harness} left {TRIES} times because its time was over")

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _answer(self, given: dict[str, Any]) -> str:
        ours, theirs = self._process.stdin, self._process.stdout
        assert ours is not None
        assert theirs is not None
        try:
            ours.write(json.dumps(given).encode() + b"\n")
            ours.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(theirs, selectors.EVENT_READ)
                line = theirs.readline() if waiting.select(SECONDS) else b""
        except OSError:
            line = b""
        if not line:
            self._process.kill()
            raise Failed(f"the plugin of {self._harness} did not answer within {SECONDS} s")
        return str(json.loads(line))

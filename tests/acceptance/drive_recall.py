"""Runs a real client, joined by `gbrain bootstrap harness`, where the brain knows somebody: what is the model told?

    drive_recall.py CLIENT BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. Prints one JSON line: for each turn what the model was sent, and the
turns that were banked.
"""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import drive_wired
from drive_wired import Wired

ASKED = "What should I bring for Dana Oakes on Friday morning?"
AGAIN = "I want to give Dana Oakes a second present, something small."
UNRELATED = "Please rename the variable in parser.py to something clearer."
AFTER = "Let us go on with the plan for the next week."
OPEN = "WHOSE turn is it to water the plants?"
POINTED = "Please write her a short reminder."
COMPACTING = ("claude-code", "codex", "opencode")
PORT = 4776
drive_wired.RULES[:0] = [{"on": "user", "text": "WHOSE", "reply": [{"text": "It is the turn of Dana Oakes."}]}]


class Recalling(Wired):
    """A client whose sessions go on."""

    def say(self, prompt: str, session: str | None, *options: str) -> tuple[dict[str, Any], str | None]:
        """One turn of a session, None for a new one: what the model was sent meanwhile, and the session."""
        more = ["--resume", session] if session else []
        if self.name == "claude-code":
            code, answer, session, _, err = self.client.p(prompt, *more)
        elif self.name == "codex":
            code, answer, found, _, err = self.client.x(prompt, *options, **({"resume": session} if session else {}))
            session = session or found
        elif self.name == "gemini":
            code, answer, session, _, err = self.client.p(prompt, *(["--resume", "latest"] if session else []))
        elif self.name == "opencode":
            code, answer, session, _, err = self.client.r(prompt, *(["--session", session] if session else []))
        else:
            session = session or f"turn{self.seen}"
            code, answer, _, err = self.client.a(prompt, session=session)
        sent = [json.dumps(row["body"], ensure_ascii=False) for row in self.client.model()[self.seen :] if row["body"]]
        self.seen = len(self.client.model())
        return {"code": code, "answer": answer or err, "sent": sent}, session

    def compacted(self, session: str | None) -> tuple[dict[str, Any], str | None]:
        """The first turn after the session was compacted, in the way of the client; none where it has no such way."""
        if self.name == "claude-code":
            _, session = self.say("/compact", session)
        elif self.name == "codex":
            # It compacts by itself before a turn, once the last one was longer than this.
            return self.say(AFTER, session, "-c", "model_auto_compact_token_limit=500")
        elif self.name == "opencode":
            self._summarized(str(session))
        return self.say(AFTER, session)

    def _summarized(self, session: str) -> None:
        """What `/compact` does in opencode: its screen asks its own server."""
        command = [self.client.bin, "serve", "--port", str(PORT), "--hostname", "127.0.0.1"]
        folder = f"{self.client.w}/proj"
        with subprocess.Popen(
            command, env=self.client.env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as server:
            assert server.stdout is not None
            assert any("listening" in line for line in server.stdout)
            body = json.dumps({"providerID": "stub", "modelID": "stub-model"}).encode()
            url = f"http://127.0.0.1:{PORT}/session/{session}/summarize?directory={folder}"
            request = urllib.request.Request(url, body, {"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert answer.read() == b"true"
            server.terminate()


def life(client: Recalling) -> dict[str, Any]:
    """A session about somebody who is known, one about nothing, and what is left of the first."""
    client.gbrain("config", "set", "memory.auto_writeback", "salient")
    client.gbrain("bootstrap", "harness", "--harness", client.name, "--yes")
    told: dict[str, Any] = {}
    told["asked"], session = client.say(ASKED, None)
    told["again"], session = client.say(AGAIN, session)
    if client.name in COMPACTING:
        told["after"], session = client.compacted(session)
    told["unrelated"], session = client.say(UNRELATED, None)
    if client.name != "openclaw":
        # A turn of OpenClaw takes a minute, and tests/integration/test_plugins_recall.py asks its plugin.
        told["open"], session = client.say(OPEN, session)
        told["pointed"], session = client.say(POINTED, session)
    client.wait_for_turn("rename the variable")
    corpus = Path(client.base, ".gbrain", "transcripts", "corpus")
    told["banked"] = sorted(path.read_text().strip() for path in corpus.glob("*.txt"))
    return told


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    print(json.dumps(life(Recalling(*sys.argv[1:]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())

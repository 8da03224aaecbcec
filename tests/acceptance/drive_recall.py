"""Runs a real client, joined by `gbrain bootstrap harness`, where the brain knows somebody: what is the model told?

    drive_recall.py CLIENT BINARY BASE WORK

BASE holds the brain, WORK what the client leaves. Prints one JSON line: for each turn what the model was sent, and the
turns that were banked.
"""

import json
import sys
from pathlib import Path
from typing import Any

from drive_wired import Wired

ASKED = "What should I bring for Dana Oakes on Friday morning?"
AGAIN = "I want to give Dana Oakes a second present, something small."
UNRELATED = "Please rename the variable in parser.py to something clearer."
AFTER = "Let us go on with the plan for the next week."


class Recalling(Wired):
    """A client whose sessions go on."""

    def say(self, prompt: str, session: str | None) -> tuple[dict[str, Any], str | None]:
        """One turn of a session, None for a new one: what the model was sent meanwhile, and the session."""
        more = ["--resume", session] if session else []
        if self.name == "claude-code":
            code, answer, session, _, err = self.client.p(prompt, *more)
        elif self.name == "codex":
            code, answer, found, _, err = self.client.x(prompt, **({"resume": session} if session else {}))
            session = session or found
        elif self.name == "gemini":
            code, answer, session, _, err = self.client.p(prompt, *(["--resume", "latest"] if session else []))
        else:
            code, answer, session, _, err = self.client.r(prompt, *(["--session", session] if session else []))
        sent = [json.dumps(row["body"], ensure_ascii=False) for row in self.client.model()[self.seen :] if row["body"]]
        self.seen = len(self.client.model())
        return {"code": code, "answer": answer or err, "sent": sent}, session


def life(client: Recalling) -> dict[str, Any]:
    """A session about somebody who is known, one about nothing, and what is left of the first."""
    client.gbrain("config", "set", "memory.auto_writeback", "salient")
    client.gbrain("bootstrap", "harness", "--harness", client.name, "--yes")
    told: dict[str, Any] = {}
    told["asked"], session = client.say(ASKED, None)
    told["again"], session = client.say(AGAIN, session)
    if client.name == "claude-code":
        told["compact"], session = client.say("/compact", session)
        told["after"], session = client.say(AFTER, session)
    told["unrelated"], _ = client.say(UNRELATED, None)
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

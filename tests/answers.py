"""The small world that graded questions are about, and a model that can only echo what it was given."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from gbrain import Brain
from gbrain.domain.answers.temporal import stems
from model_server import Told, completion

DATA = Path(__file__).parent / "data"
NOW = datetime.fromisoformat("2031-05-04T22:10:00+00:00")


class Graded(NamedTuple):
    """A question, what a right answer says, and the slugs that it stands on."""

    question: str
    says: list[str]
    stands_on: Any


def graded(name: str) -> list[Graded]:
    """The questions of a file in tests/data."""
    lines = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [Graded(**json.loads(line)) for line in lines]


def plant(brain: Brain, set_clock: Callable[[datetime], None], name: str = "answers_world") -> None:
    """Write the world into a brain, each fact on its day."""
    world = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    set_clock(datetime.fromisoformat("2031-05-01T09:00:00+00:00"))
    for slug, content in world["pages"].items():
        brain.put_page(slug=slug, content=content)
    for fact in world["facts"]:
        set_clock(datetime.fromisoformat(f"{fact.pop('at')}T10:00:00+00:00"))
        brain.remember(provenance="a chat", **fact)
    set_clock(NOW)


def echo(body: dict[str, Any]) -> Told:
    """A model that knows nothing: it says the three pieces of evidence again that share most words with the question,
    in the order of the prompt, each with its id."""
    prompt = body["messages"][1]["content"]
    asked = set(stems(prompt.partition("<question>")[2].partition("</question>")[0]))
    lines = re.findall(r"^\[([^\]]+)\] \([^)]*\) (.+)$", prompt, re.MULTILINE)
    scored = sorted(lines, key=lambda line: -len(asked & set(stems(line[1]))))[:3]
    text = " ".join(f"{said.rstrip('.')} [{id}]." for id, said in scored)
    return completion(json.dumps({"answer": text, "citations": [id for id, _ in scored], "gaps": []}))

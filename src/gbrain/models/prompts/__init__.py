"""What models are told: text files beside this one, each with a version that is stamped on what it made."""

import os
from functools import cache
from typing import NamedTuple


class Prompt(NamedTuple):
    """A prompt's text and version, such as `extract-1`. Whoever changes a text gives it a new version."""

    version: str
    text: str


@cache
def prompt(name: str) -> Prompt:
    """The prompt of a name: `extract`, `again`, `compose`, `expand` or `judge`."""
    with open(os.path.join(os.path.dirname(__file__), name + ".txt"), encoding="utf-8") as file:
        head, _, text = file.read().partition("\n")
    return Prompt(head.removeprefix("version:").strip(), text.strip())

"""Entries of a memory page: one Markdown bullet each, with its origin, its day and how sure it is.

    - **tea**: black, no sugar [Source: chat, 2031-05-04] (confidence 0.7)

A key stands once on a page. Lines that are no entries are a person's own and stay where they are.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from gbrain.domain.text import collapse

LONGEST_KEY, LONGEST_TEXT, LONGEST_SOURCE = 100, 2000, 200

AUTOMATIC = 0.7
"""How sure an entry is that nobody asked for."""

MOST_AUTOMATIC = 0.95
CONTRADICTED, REJECTED = 0.7, 0.5
"""What is left of an entry's confidence when something else is said, and when somebody rejects it."""

_ENTRY = re.compile(
    r"- (?:\*\*(?P<key>[^*\n]+)\*\*: )?(?P<text>.*?\S)"
    r"(?: \[Source: (?P<source>[^\[\]\n]*), (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})\])?"
    r"(?: \(confidence (?P<confidence>[01](?:\.[0-9]+)?)\))?\s*"
)
_END = re.compile(r"<!-- timeline -->|<!--- gbrain:facts:begin -->|## Facts")


class Entry(NamedTuple):
    """What one bullet says. `key` is None where the page only collects; `confidence` is 0 to 1."""

    key: str | None
    text: str
    source: str
    date: str
    confidence: float = 1.0

    @property
    def line(self) -> str:
        """The bullet, without a line feed."""
        key = f"**{self.key}**: " if self.key else ""
        sure = f" (confidence {self.confidence:g})" if self.confidence < 1 else ""
        return f"- {key}{self.text} [Source: {self.source}, {self.date}]{sure}"


def entry(key: str | None, text: str, source: str, date: str, confidence: float) -> Entry:
    """An entry of texts as they were given: each on one line, without what would break the bullet."""
    plain_key = collapse(key.replace("*", " "))[:LONGEST_KEY] if key else None
    plain_source = collapse(re.sub(r"[\[\],]", " ", source))[:LONGEST_SOURCE]
    return Entry(plain_key, collapse(text.replace("<!--", "< !--")), plain_source, date, round(confidence, 2))


def read_entries(body: str) -> list[tuple[int, Entry]]:
    """Every entry of a body, and the line (from 0) it stands on; a bullet a person wrote counts without an origin."""
    found = []
    for at, line in enumerate(body.split("\n")):
        match = _ENTRY.fullmatch(line)
        if match is not None:
            sure = float(match["confidence"] or 1)
            found.append((at, Entry(match["key"], match["text"], match["source"] or "", match["date"] or "", sure)))
    return found


def find_entry(body: str, key: str) -> tuple[int, Entry] | None:
    """The entry with a key, in whatever case."""
    wanted = collapse(key.replace("*", " "))[:LONGEST_KEY].casefold()
    return next(((at, held) for at, held in read_entries(body) if (held.key or "").casefold() == wanted), None)


def with_line(body: str, at: int | None, line: str | None) -> str:
    """The body with the line `at` changed (None takes it out), or with a line added below the last entry."""
    lines = body.split("\n")
    if at is not None:
        return "\n".join([*lines[:at], *([] if line is None else [line]), *lines[at + 1 :]])
    entries = read_entries(body)
    if entries:
        after = entries[-1][0] + 1
        return "\n".join([*lines[:after], line or "", *lines[after:]])
    end = next((number for number, held in enumerate(lines) if _END.match(held)), len(lines))
    above, below = "\n".join(lines[:end]).rstrip("\n"), "\n".join(lines[end:])
    return (f"{above}\n\n" if above else "") + f"{line}\n" + (f"\n{below}" if below.strip() else "")


def least(body: str) -> float:
    """How sure a page is as a whole: as its least sure entry; 1 without any."""
    return min((held.confidence for _, held in read_entries(body)), default=1.0)


def merged_tags(held: Iterable[str], new: Iterable[str]) -> list[str]:
    """Tags with further ones, each once."""
    return list(dict.fromkeys((*held, *(word for tag in new if (word := collapse(tag.lstrip("#")))))))

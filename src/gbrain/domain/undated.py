"""Items of a timeline that are no dated entries, so that nobody takes for kept what is only text."""

import re
from collections.abc import Iterator

from gbrain.domain.markdown import code_lines, parse_timeline, unix_lines
from gbrain.domain.text import clip, collapse

LONGEST = 200

_BEGIN = re.compile(
    r"[ \t]*(?:<!--\s*timeline\s*-->|---\s*timeline\s*---|##[ \t]+Timeline[ \t]*#*)[ \t]*", re.IGNORECASE
)
_HEADING = re.compile(r"##?[ \t]")
_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?P<text>\S.*)")


def undated(content: str, body_start: int) -> Iterator[tuple[int, str]]:
    """(line, text) of every list item of a page's timeline that `parse_timeline` makes no entry of.

    The timeline begins with its marker, or under `## Timeline` and ends with the next heading. What is
    indented below an entry is its detail.
    """
    above = content[:body_start].count("\n")
    lines = unix_lines(content[body_start:]).split("\n")
    code, inside, marked = code_lines(lines), False, False
    for position, line in enumerate(lines):
        if position in code:
            continue
        if _BEGIN.fullmatch(line):
            inside, marked = True, marked or not line.lstrip().startswith("##")
        elif _HEADING.match(line):
            inside = marked
        item = _ITEM.fullmatch(line) if inside else None
        if item is not None and len(line) - len(line.lstrip()) < 2 and not parse_timeline(line):
            yield above + position + 1, clip(collapse(item["text"]), LONGEST)

"""Front matter changed in place: only the lines of the keys that change, whatever else the text holds.

Comments, order, quoting, line ends and a byte order mark stay. Where a key cannot be changed by its lines (a mapping
in braces, a key written twice) the header is written anew in its canonical form.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gbrain.sources import yaml12
from gbrain.sources.frontmatter import Document, dump, parse

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_COMMENT = re.compile(r"[ \t]+#[^\r\n]*(?=\r?\n?\Z)")


def with_header(content: str, changes: Mapping[str, Any]) -> str:
    """A text with some front matter keys set (None takes one out); raises InvalidParams for one that is no page."""
    document = parse(content)
    said = {name: value for name, value in {**document.frontmatter, **changes}.items() if value is not None}
    if said == document.frontmatter:
        return content
    wanted = {name: value for name, value in changes.items() if value != document.frontmatter.get(name)}
    start = 1 if content.startswith("\ufeff") else 0
    if document.header_end == start:
        made = _with_first_header(content, start, said)
    else:
        made = _by_lines(content, document, wanted) or _anew(content, document, start, said)
    return made if parse(made).frontmatter == said else _anew(content, document, start, said)


def _line_end(content: str) -> str:
    found = re.search(r"\r\n|\n|\r", content)
    return found[0] if found is not None else "\n"


def _with_first_header(content: str, start: int, said: Mapping[str, Any]) -> str:
    end, body = _line_end(content), content[start:]
    between = "" if body.startswith(("\n", "\r")) or not body else end
    return content[:start] + _header(said, end) + between + body


def _anew(content: str, document: Document, start: int, said: Mapping[str, Any]) -> str:
    return content[:start] + _header(said, _line_end(content)) + content[document.header_end :]


def _header(said: Mapping[str, Any], end: str) -> str:
    return f"---\n{dump(dict(said))}---\n".replace("\n", end)


def _by_lines(content: str, document: Document, changes: Mapping[str, Any]) -> str | None:
    """The text with the lines of these keys changed; None where lines do not do."""
    lines = _LINE.findall(content[: document.header_end])
    end, last = _line_end(content), len(lines) - 1
    while last > 0 and not re.match(r"(?:---|\.\.\.)[ \t]*$", lines[last].rstrip("\r\n")):
        last -= 1
    spans = _spans(lines, document.lines, last)
    added: list[str] = []
    edits: list[tuple[int, int, list[str]]] = []
    for key, value in changes.items():
        if key not in spans:
            added += [] if value is None else _written(key, value, end)
            continue
        first, stop = spans[key]
        if not re.match(rf"""(?:{re.escape(key)}|"{re.escape(key)}"|'{re.escape(key)}')[ \t]*:""", lines[first]):
            return None
        old = lines[first:stop]
        edits.append((first, stop, [] if value is None else _rewritten(key, value, document, old, end)))
    if added:
        edits.append((last, last, added))
    for first, stop, new in sorted(edits, reverse=True):
        lines[first:stop] = new
    return "".join(lines) + content[document.header_end :]


def _spans(lines: Sequence[str], keys: Mapping[str, int], last: int) -> dict[str, tuple[int, int]]:
    """First line and end of each key, as indexes; comments and blank lines before the next key are that one's."""
    ordered = sorted((line - 1, key) for key, line in keys.items())
    spans = {}
    for position, (first, key) in enumerate(ordered):
        stop = ordered[position + 1][0] if position + 1 < len(ordered) else last
        while stop > first + 1 and (not lines[stop - 1].strip() or lines[stop - 1].startswith("#")):
            stop -= 1
        spans[key] = first, stop
    return spans


def _written(key: str, value: Any, end: str) -> list[str]:
    return [line + end for line in yaml12.mapping_lines({key: value})]


def _rewritten(key: str, value: Any, document: Document, old: Sequence[str], end: str) -> list[str]:
    """The new lines of a key, in the manner of its old ones where that is plain."""
    before = document.frontmatter[key]
    scalars = isinstance(value, list) and bool(value) and not any(isinstance(item, dict | list) for item in value)
    if scalars and isinstance(before, list) and len(old) == 1 and "[" in old[0]:
        items = [line[2:] for line in yaml12.list_lines(value)]
        if not any(re.search(r"[\[\]{},]", item) for item in items if item[:1] not in "'\""):
            return [f"{old[0].partition('[')[0]}[{', '.join(items)}]{_comment(old[0])}{end}"]
    if scalars and isinstance(before, list) and len(old) > 1:
        return [old[0], *_items(value, before, old[1:], end)]
    new = _written(key, value, end)
    if len(new) == len(old) == 1:
        return [new[0].removesuffix(end) + _comment(old[0]) + end]
    return new


def _items(value: Sequence[Any], before: Sequence[Any], old: Sequence[str], end: str) -> list[str]:
    """The lines of a block list: those of items that stay as they are, the others in the same indentation."""
    plain = [line for line in old if line.strip() and not line.lstrip().startswith("#")]
    known = dict(zip(map(str, before), plain, strict=False)) if len(plain) == len(before) else {}
    pad = plain[0][: len(plain[0]) - len(plain[0].lstrip())] if plain else "  "
    return [
        known.get(str(item), pad + line + end) for item, line in zip(value, yaml12.list_lines(list(value)), strict=True)
    ]


def _comment(line: str) -> str:
    """The comment at the end of a line whose value is not in quotes."""
    found = None if re.search(r":[ \t]+['\"|>]", line) else _COMMENT.search(line)
    return found[0] if found is not None else ""

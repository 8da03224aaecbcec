"""The front matter of a page: reading it as people write it, and its one canonical form.

Values are JSON-able, as `yaml12` reads them: dates stay the text that was written.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from gbrain.domain import markdown, slugs, times
from gbrain.domain.text import collapse
from gbrain.errors import InvalidParams
from gbrain.sources import yaml12

MAX_HEADER = 65_536
MAX_RESCUES = 50
_KEYS_HINT = "write `key: value` lines there, or put a blank line above the first `---`"


class Problem(NamedTuple):
    """A doubt about a header: its line in the text (from 1), its key, what is wrong, what to do."""

    line: int
    key: str
    message: str
    hint: str


class Document(NamedTuple):
    """A text taken apart: front matter, body (line feeds only), where the body starts in the text, doubts."""

    frontmatter: dict[str, Any]
    body: str
    header_end: int
    problems: tuple[Problem, ...]
    lines: Mapping[str, int] = {}
    """The line of each top-level key in the text, from 1."""

    @property
    def title(self) -> str | None:
        """The title as one line of text, whatever its YAML type; None when absent or blank."""
        return _line_of(self.frontmatter.get("title"))

    @property
    def type(self) -> str | None:
        """The page type the front matter names."""
        return _line_of(self.frontmatter.get("type"))

    @property
    def summary(self) -> str | None:
        """The summary the front matter gives."""
        return _line_of(self.frontmatter.get("summary"))

    @property
    def tags(self) -> list[str]:
        """The tags, each once: a list, a comma string, or one text (`[a, b]` in quotes is one)."""
        return tags_of(self.frontmatter.get("tags"))

    @property
    def aliases(self) -> list[str]:
        """The aliases, each once: a list or a comma string."""
        return slugs.split_aliases(self.frontmatter.get("aliases"))

    @property
    def private(self) -> bool:
        """Whether the page is private. An unknown visibility counts as private: a slip must not publish."""
        return _visibility(self.frontmatter.get("visibility")) != "world"

    @property
    def confidence(self) -> float | None:
        """The confidence, 0 to 1; None when absent or no such number."""
        return confidence_of(self.frontmatter.get("confidence"))

    @property
    def expiry(self) -> datetime | None:
        """When the page ceases to hold (a date is its midnight in UTC); None when absent or no date."""
        return _instant_of(self.frontmatter.get("expiry"))

    @property
    def date(self) -> str | None:
        """The page's own date at its precision (`2031`, `2031-03`, `2031-03-30`), or an instant."""
        return date_of(self.frontmatter.get("date"))


def parse(content: str) -> Document:
    """Take a page's text apart.

    No header, a header that is never closed, or one that is no mapping: everything is body. A value YAML
    cannot read on its line (`title: A: B`, a leading backtick) is taken as text and reported in `problems`,
    as are duplicate keys and misfitting values. Raises InvalidParams with the line for a header that stays
    unreadable, one over the limits, and for text no store can keep (NUL, lone surrogates).
    """
    _check_storable(content)
    start = 1 if content.startswith("\ufeff") else 0
    header = _header(content, start)
    if header is None:
        return Document({}, markdown.unix_lines(content[start:]), start, ())
    text, first_line, end = header
    if len(text) > MAX_HEADER:
        raise _unreadable(
            first_line, f"the front matter is longer than {MAX_HEADER} characters", "move text into the body"
        )
    problems: list[Problem] = []
    found = _read(text, first_line, problems)
    if found is None:
        doubt = Problem(1, "", "the lines between the first two `---` hold no keys and were read as text", _KEYS_HINT)
        return Document({}, markdown.unix_lines(content[start:]), start, (doubt,))
    frontmatter, lines = found
    return Document(frontmatter, markdown.unix_lines(content[end:]), end, tuple(problems), lines)


def dump(frontmatter: dict[str, Any]) -> str:
    """The canonical header lines without `---`: type, title, the other keys in order, tags as a list last."""
    ordered: dict[str, Any] = {key: frontmatter[key] for key in ("type", "title") if key in frontmatter}
    ordered |= {key: value for key, value in frontmatter.items() if key not in ("type", "title", "tags")}
    tags = tags_of(frontmatter.get("tags"))
    if tags:
        ordered["tags"] = tags
    return "".join(line + "\n" for line in yaml12.mapping_lines(ordered))


def compose(frontmatter: dict[str, Any], compiled_truth: str, timeline: str) -> str:
    """A page's canonical text: header, blank line, compiled truth, and the timeline behind its marker."""
    header, body = dump(frontmatter), markdown.render(compiled_truth, timeline)
    if not header and not re.match(r"---[ \t]*(?:\n|$)", body):
        return body
    return f"---\n{header}---\n\n{body}" if body else f"---\n{header}---\n"


def tags_of(value: object) -> list[str]:
    """The tags of a front matter value, each once, trimmed, without a `#` before them, in order."""
    if isinstance(value, str) and re.fullmatch(r"\s*\[.*\]\s*", value, re.DOTALL):
        return [collapse(value)]
    tags = (tag.removeprefix("#") for tag in slugs.split_aliases(value))
    return list(dict.fromkeys(tag for tag in tags if tag))


def confidence_of(value: object) -> float | None:
    """A number from 0 to 1, also written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not re.fullmatch(r"\s*[01]?\.?[0-9]{0,12}\s*", value):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


def date_of(value: object) -> str | None:
    """A date at its own precision, or an instant as store text; None when it is neither."""
    text = _line_of(value)
    if text is None:
        return None
    try:
        return times.parse_partial_date(text)
    except InvalidParams:
        instant = _instant_of(text)
    return None if instant is None else times.store_time(instant)


def _line_of(value: object) -> str | None:
    if value is None or isinstance(value, dict | list):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return collapse(str(value)) or None


def _instant_of(value: object) -> datetime | None:
    try:
        return times.iso_instant(value) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def _visibility(value: object) -> str:
    if value is None or value == "":
        return "world"
    named = value.strip().casefold() if isinstance(value, str) else ""
    return "world" if named in ("world", "public") else "private" if named == "private" else "unknown"


def _check_storable(content: str) -> None:
    # PostgreSQL refuses the one and UTF-8 the other, so a page with them could live in one engine alone.
    found = re.search("[\0\ud800-\udfff]", content)
    if found is not None:
        what = "a NUL character" if found[0] == "\0" else "half a surrogate pair"
        raise _unreadable(content.count("\n", 0, found.start()) + 1, f"the text holds {what}", "remove that character")


def _header(content: str, start: int) -> tuple[str, int, int] | None:
    """The header's text (line feeds only), the number of its first line, and where the body starts."""
    opening = re.compile(r"---[ \t]*(?:\r\n|\n|\r)").match(content, start)
    if opening is None:
        return None
    closing = re.compile(r"(?:^|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)").search(content, opening.end())
    if closing is None:
        return None
    return markdown.unix_lines(content[opening.end() : closing.start()]), 2, closing.end()


def _read(text: str, first_line: int, problems: list[Problem]) -> tuple[dict[str, Any], dict[str, int]] | None:
    """The header's mapping ({} when it is empty) and the lines of its keys; None when it is something else.

    Doubts go to `problems`.
    """
    lines = text.split("\n")
    # Each go quotes one value that YAML refused, and the whole is read again: quoting one line may mend another.
    for _ in range(MAX_RESCUES):
        reader = yaml12.Reader("\n".join(lines))
        try:
            value = reader.document()
        except yaml12.Broken as broken:
            # Prose between two rules is no broken header.
            if not any(_rescuable().fullmatch(line) or line.rstrip().endswith(":") for line in lines):
                return None
            rescued = next((at for at in broken.suspects if _quote_value(lines, at)), None)
            if rescued is None:
                raise _unreadable(first_line + broken.line, broken.reason, _hint(lines, broken.line)) from None
            doubt = "the value is not valid YAML and was read as text"
            problems.append(Problem(first_line + rescued, _key_at(lines, rescued), doubt, "put it in quotes"))
            continue
        if value is not None and not isinstance(value, dict):
            return None
        mapping = value or {}
        for line, key, replaced in reader.repeated:
            doubt = f"`{key}` is there twice; the last one counts"
            problems.append(Problem(first_line + line, key, doubt, "keep one of the two lines"))
            # The safe reading of two visibilities is the narrower one.
            if key == "visibility" and _visibility(replaced) != "world":
                mapping[key] = replaced
        problems.extend(Problem(first_line + line, *rest) for line, *rest in _misfits(mapping, reader.lines))
        return mapping, {key: first_line + line for key, line in reader.lines.items()}
    raise _unreadable(first_line, "too many lines of the front matter are not valid YAML", "put the values in quotes")


def _hint(lines: list[str], at: int) -> str:
    if at < len(lines) and re.search(r"(?<!\S)[*&]\w", lines[at]):
        return "write the values out; one that begins with & or * stands for another, unless it is in quotes"
    if at < len(lines) and re.match(r" *\t", lines[at]):
        return "indent it with spaces, not tabs"
    return 'put the value in quotes, such as `title: "A: B"`'


def _unreadable(line: int, reason: str, hint: str) -> InvalidParams:
    return InvalidParams(f"line {line} of the text: {reason}", f"correct line {line}: {hint}", detail={"line": line})


def _quote_value(lines: list[str], at: int) -> bool:
    """Put the value of a `key: value` or `- value` line in quotes; False when there is none to quote."""
    found = _rescuable().fullmatch(lines[at])
    if found is None or re.fullmatch(r"""[|>][-+0-9]*|'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""", found[2]):
        return False
    lines[at] = found[1] + "'" + found[2].replace("'", "''") + "'"
    return True


def _key_at(lines: list[str], at: int) -> str:
    """The key of a line, or of the list that the line is an item of."""
    while at > 0 and lines[at].lstrip().startswith("-"):
        at -= 1
    return lines[at].partition(":")[0].strip(" \t\"'-")


@cache
def _rescuable() -> re.Pattern[str]:
    key = r"""(?:[^\s:#'"\[\]{},&*!|>%@`?-][^:#\[\]{}]{0,200}|"[^"\\]{1,200}"|'[^']{1,200}')"""
    return re.compile(rf"((?:[ \t]*-[ \t]+)+|[ \t]*{key}[ \t]*:[ \t]+)(\S(?:.*\S)?)[ \t]*")


def _misfits(frontmatter: dict[str, Any], lines: dict[str, int]) -> Iterator[tuple[int, str, str, str]]:
    """Values that the typed accessors cannot use: line in the header, key, what is wrong, what to write."""
    wrong: dict[str, tuple[Callable[[Any], bool], str, str]] = {
        "visibility": (
            lambda value: _visibility(value) == "unknown",
            "is neither `world` nor `private`; the page is kept private",
            "write `visibility: private`, or leave it out",
        ),
        "confidence": (
            lambda value: confidence_of(value) is None,
            "is no number from 0 to 1",
            "write `confidence: 0.8`",
        ),
        "expiry": (
            lambda value: _instant_of(value) is None,
            "is no date or instant",
            "write `expiry: 2031-12-31`",
        ),
        "date": (lambda value: date_of(value) is None, "is no real date", "write `date: 2031-03-30`"),
        "title": (lambda value: isinstance(value, dict | list), "is not one text", 'write `title: "A: B"`'),
        "type": (lambda value: isinstance(value, dict | list), "is not one text", "write `type: person`"),
        "tags": (lambda value: isinstance(value, dict), "is not a list", "write `tags: [one, two]`"),
        "aliases": (lambda value: isinstance(value, dict), "is not a list", "write `aliases: [One, Two]`"),
    }
    for key, (is_wrong, what, hint) in wrong.items():
        value = frontmatter.get(key)
        if value is not None and value != "" and is_wrong(value):
            yield lines[key], key, f"`{key}` {what}", hint

"""The parts of a page's Markdown: current truth, timeline, first heading, summary, dated entries, plain text.

Line-based and linear in the length of the text. Lines inside closed code fences are code and never structure.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from gbrain.domain.text import clip, collapse, sentences

MARKER = "<!-- timeline -->"
FACTS_BEGIN = "<!--- gbrain:facts:begin -->"
FACTS_END = "<!--- gbrain:facts:end -->"

_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_CHINESE_DATE = r"([0-9]{4})\s*年\s*([0-9]{1,2})\s*月\s*([0-9]{1,2})\s*日"
# A longer text before the dash is a sentence with a dash in it, not the name of a source.
_MAX_SOURCE = 60


class TimelineLine(NamedTuple):
    """One dated entry found in a text: `date` is YYYY-MM-DD and real; `source` and `detail` may be empty."""

    date: str
    source: str
    summary: str
    detail: str


def split_body(body: str) -> tuple[str, str]:
    """A body's compiled truth and its timeline, each without outer blank lines.

    Split once, at the first of: a line `<!-- timeline -->`; `--- timeline ---`; a `---` with text before it
    and `## Timeline` or `## History` as the next line that is not blank. Else a `## Timeline|History`
    section that consists only of dated bullets and has text before it moves; what follows it stays. Source:
    the contract's page model.
    """
    lines = unix_lines(body).split("\n")
    code = code_lines(lines)
    # Without text before it, a rule or a heading opens the page and divides nothing.
    text_from = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    at = next((i for i in range(text_from, len(lines)) if i not in code and is_split(lines, i, text_from)), None)
    if at is not None:
        return _joined(lines[:at]), _joined(lines[at + 1 :])
    section = _dated_section(lines, code, text_from)
    if section is None:
        return _joined(lines), ""
    start, end = section
    before, after = _joined(lines[:start]), _joined(lines[end:])
    return f"{before}\n\n{after}" if after else before, _joined(lines[start:end])


def render(compiled_truth: str, timeline: str) -> str:
    """The canonical body: compiled truth, then marker and timeline if there is one, one newline at the end.

    A code fence left open in the compiled truth is closed, so that it does not swallow the marker.
    """
    above, below = _joined(unix_lines(compiled_truth).split("\n")), _joined(unix_lines(timeline).split("\n"))
    if not below:
        return above + "\n" if above else ""
    fence = _open_fence(above.split("\n"))
    if fence:
        above += "\n" + fence
    return f"{above}\n\n{MARKER}\n\n{below}\n" if above else f"{MARKER}\n\n{below}\n"


def first_heading(body: str) -> str | None:
    """The text of the first level-one heading outside code, without markup; None when there is none."""
    for line, following in _prose(body):
        found = re.match(r" {0,3}#(?:[ \t]+(.*))?$", line)
        if found is not None:
            text = inline_text(re.sub(r"(?:^|[ \t]+)#+[ \t]*$", "", found[1] or ""))
        elif re.fullmatch(r" {0,3}=+[ \t]*", following) and _is_paragraph(line):
            text = inline_text(line)
        else:
            continue
        if text:
            return text
    return None


def summary(body: str, limit: int = 240) -> str:
    """The first sentence of the first line of prose, without markup, within `limit` characters; may be empty.

    Headings, code, the facts fence, tables, images, comments and `[Source: ...]` citations are no prose.
    """
    for line, following in _prose(strip_facts_fence(body)):
        if not _is_paragraph(line) or re.fullmatch(r" {0,3}(=+|-+)[ \t]*", following):
            continue
        content = re.sub(r"^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?", "", line)
        text = inline_text(_pattern("citation").sub("", _pattern("image").sub("", content)))
        if any(character.isalnum() for character in text):
            return clip(next(sentences(text)), limit)
    return ""


def parse_timeline(text: str) -> list[TimelineLine]:
    """The dated entries of a text, in order.

    A bullet `- **2031-03-30** | summary`, `... | Source — summary` or `... - summary` (also – and —), the
    date also as `2031年3月30日`, with indented lines below it as detail; and a sentence with an inline
    `[Source: X, 2031-03-30]`. A citation inside a bullet names that entry's source. Impossible dates are
    not entries. Source: the contract's timeline grammar.
    """
    entries: list[TimelineLine] = []
    open_bullet = False
    for line, _ in _prose(text):
        bullet = _bullet(line)
        if bullet is not None:
            entries.append(bullet)
            open_bullet = True
        elif open_bullet and re.match(r"(?: {2,}|\t)\s*\S", line):
            last = entries[-1]
            added = re.sub(r"^[-*+] ", "", line.strip())
            entries[-1] = last._replace(detail=f"{last.detail}\n{added}" if last.detail else added)
        elif line.strip():
            open_bullet = False
            entries.extend(_cited(line))
    return entries


def strip_facts_fence(body: str) -> str:
    """The body without its facts fences, and without a `## Facts` heading that then stands over nothing."""
    lines = unix_lines(body).split("\n")
    return "\n".join([lines[position] for position in outside_facts(lines)])


def outside_facts(lines: list[str]) -> list[int]:
    """The numbers of the lines that `strip_facts_fence` keeps.

    A fence that is never closed ends at its last table row: private rows must not stay because a marker was
    lost.
    """
    last_end = max((i for i, line in enumerate(lines) if "gbrain:facts:end" in line), default=-1)
    kept: list[int] = []
    inside = False
    for position, line in enumerate(lines):
        marker = _pattern("facts").fullmatch(line.strip())
        if marker is not None:
            if inside and marker[1].lower() == "end":
                _drop_facts_heading(lines, kept, _next_text(lines, position + 1))
            inside = marker[1].lower() == "begin"
            continue
        if inside and position > last_end and line.strip() and not line.lstrip().startswith("|"):
            inside = False
            _drop_facts_heading(lines, kept, line)
        if not inside:
            kept.append(position)
    if inside:
        _drop_facts_heading(lines, kept, "")
    return kept


def plain_text(body: str) -> str:
    """The words of a body for an index and for snippets: markup off, link texts and code kept."""
    lines = unix_lines(_without_comments(body)).split("\n")
    code = code_lines(lines)
    kept = []
    for position, line in enumerate(lines):
        if position in code:
            kept.append("" if _fence(line) else line)
        elif not re.fullmatch(r"[ \t]*(?:[-*_=|:][ \t]*)+", line):
            bare = re.sub(r"^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)", "", line)
            kept.append(inline_text(bare))
        else:
            kept.append("")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def inline_text(text: str) -> str:
    """One line without inline markup: links become their text, emphasis, code and image marks go."""
    if not any(mark in text for mark in "[]*_`~<\\"):
        return collapse(text)
    text = _pattern("image").sub(r"\1", text)
    text = _pattern("wikilink").sub(lambda found: found[2] or found[1], text)
    text = _pattern("link").sub(r"\1", text)
    text = _pattern("emphasis").sub("", text)
    text = _pattern("tag").sub("", text)
    return collapse(_pattern("escape").sub(r"\1", text))


def unix_lines(text: str) -> str:
    """The text with line feeds as its only line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "image": r"!\[([^\[\]\n]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])",
            "wikilink": r"!?\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,500}))?\]\]",
            "link": r"\[([^\[\]\n]{1,1000})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])",
            "emphasis": r"(?<![\\\s*])\*+|(?<!\\)\*+(?=[^\s*])|~~|`+|(?<![\w\\])_+(?=\S)|(?<=[^\s\\])_+(?!\w)",
            "tag": r"</?[A-Za-z][^<>\n]{0,500}>",
            "escape": r"\\([!-/:-@\[-`{-~])",
            "citation": rf"\[Source:\s*([^\[\]\n]{{1,300}}?)(?:,\s*(?:{_DATE}|{_CHINESE_DATE}))?\s*\]",
            "bullet": rf"- \*\*\s*(?:{_DATE}|{_CHINESE_DATE})\s*\*\*\s*(\||-|–|—)\s*(\S.*)",
            "facts": r"<!--+\s*gbrain:facts:(begin|end)\s*--+>",
            "split": r"<!--\s*timeline\s*-->|---\s*timeline\s*---",
            "section": r"##[ \t]+(?:Timeline|History)[ \t]*#*[ \t]*",
        }[name],
        re.IGNORECASE,
    )


def _joined(lines: list[str]) -> str:
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines).strip("\n").rstrip()


def _fence(line: str) -> str:
    """The fence marks a line opens or closes a code block with, or an empty text."""
    if "```" not in line and "~~~" not in line:
        return ""
    found = re.match(r" {0,3}(`{3,}|~{3,})([^\n]*)$", line)
    # With a backtick behind it on the line it is inline code (CommonMark, 4.5).
    return "" if found is None or (found[1][0] == "`" and "`" in found[2]) else found[1]


def code_lines(lines: list[str]) -> set[int]:
    """The numbers of the lines that stand inside closed code fences, the marks included."""
    # A fence that is never closed hides nothing: a marker below it must still be found.
    inside: set[int] = set()
    start, opened = 0, ""
    for position, line in enumerate(lines):
        fence = _fence(line)
        if not opened and fence:
            start, opened = position, fence
        elif opened and _closes(line, fence, opened):
            inside.update(range(start, position + 1))
            opened = ""
    return inside


def is_open(text: str) -> bool:
    """Whether a code fence of the text is never closed."""
    return bool(_open_fence(unix_lines(text).split("\n")))


def _open_fence(lines: list[str]) -> str:
    opened = ""
    for line in lines:
        fence = _fence(line)
        if not opened:
            opened = fence
        elif _closes(line, fence, opened):
            opened = ""
    return opened


def _closes(line: str, fence: str, opened: str) -> bool:
    return bool(fence) and fence[0] == opened[0] and len(fence) >= len(opened) and line.strip() == fence


def is_split(lines: list[str], position: int, text_from: int) -> bool:
    """Whether the timeline begins at this line; `text_from` is the first line with text."""
    stripped = lines[position].strip()
    if _pattern("split").fullmatch(stripped):
        return True
    if stripped != "---" or position == text_from:
        return False
    return _pattern("section").fullmatch(_next_text(lines, position + 1)) is not None


def _next_text(lines: list[str], position: int) -> str:
    while position < len(lines) and not lines[position].strip():
        position += 1
    return lines[position] if position < len(lines) else ""


def _dated_section(lines: list[str], code: set[int], text_from: int) -> tuple[int, int] | None:
    for start in range(text_from + 1, len(lines)):
        if start in code or not _pattern("section").fullmatch(lines[start]):
            continue
        end = start + 1
        while end < len(lines) and (end in code or not re.match(r"##?[ \t]", lines[end])):
            end += 1
        if _only_dated(lines[start + 1 : end]):
            return start, end
    return None


def _only_dated(lines: list[str]) -> bool:
    bullets = 0
    for line in lines:
        if _bullet(line) is not None:
            bullets += 1
        elif line.strip() and not (bullets and re.match(r"(?: {2,}|\t)\s*\S", line)):
            return False
    return bullets > 0


def _prose(body: str) -> Iterator[tuple[str, str]]:
    """The lines outside code and comments, each with the line that follows it."""
    lines = unix_lines(_without_comments(body)).split("\n")
    code = code_lines(lines)
    for position, line in enumerate(lines):
        if position not in code:
            yield line, lines[position + 1] if position + 1 < len(lines) else ""


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    kept, at, seek = [], 0, 0
    while (start := text.find("<!--", seek)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        seek = end + 3
        # Opened right behind a backtick it is inline code about comments, not one.
        if text[start - 1 : start] == "`":
            seek = start + 4
        else:
            kept.append(text[at:start])
            at = seek
    return "".join(kept) + text[at:]


def _is_paragraph(line: str) -> bool:
    stripped = line.strip()
    if not stripped or line.startswith(("    ", "\t")) or stripped[0] == "|":
        return False
    if re.match(r"#{1,6}(?:[ \t]|$)", stripped) or _fence(line):
        return False
    return re.fullmatch(r"(?:[-*_=][ \t]*)+", stripped) is None


def _iso(parts: tuple[str | None, ...]) -> str | None:
    year, month, day = (int(part) for part in parts if part is not None)
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _bullet(line: str) -> TimelineLine | None:
    found = _pattern("bullet").fullmatch(line.rstrip())
    day = _iso(found.groups()[:6]) if found is not None else None
    if found is None or day is None:
        return None
    source, text = "", found[8]
    if found[7] == "|":
        named, dash, rest = text.partition(" — ")
        if dash and rest.strip() and len(named) <= _MAX_SOURCE:
            source, text = named, rest
    cited = _pattern("citation").search(text)
    if cited is not None:
        source = source or cited[1]
        text = _pattern("citation").sub("", text)
    return TimelineLine(day, collapse(source), collapse(text), "") if text.strip() else None


def _cited(line: str) -> list[TimelineLine]:
    entries, at = [], 0
    for found in _pattern("citation").finditer(line):
        day = _iso(found.groups()[1:]) if any(found.groups()[1:]) else None
        before = re.sub(r"^[ \t>]*(?:[-*+][ \t]+)?", "", line[at : found.start()])
        said = list(sentences(inline_text(before)))
        at = found.end()
        if day is not None and said:
            entries.append(TimelineLine(day, collapse(found[1]), said[-1], ""))
    return entries


def _drop_facts_heading(lines: list[str], kept: list[int], following: str) -> None:
    if following and not re.match(r"#{1,2}[ \t]", following):
        return
    end = len(kept)
    while end and not lines[kept[end - 1]].strip():
        end -= 1
    if end and re.fullmatch(r"##[ \t]+Facts[ \t]*", lines[kept[end - 1]], re.IGNORECASE):
        del kept[end - 1 :]

"""The rule that every mention of a person or company is answered on their page, and that facts name their source."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gbrain.domain.markdown import MARKER, code_lines, is_open, parse_timeline
from gbrain.domain.references import Span, blocks
from gbrain.domain.relations.rules import BACKLINK
from gbrain.domain.text import clip, collapse, sentences

CONTEXT = 160
SHORTEST = 3
"""A name of fewer letters is a word like others."""
_SECTION = re.compile(r"(?:##[ \t]+(?:Timeline|History)[ \t]*#*|<!--\s*timeline\s*-->|---\s*timeline\s*---)\s*", re.I)
_HEADING = re.compile(r"##?[ \t]")
_DATED = re.compile(r"\*\*\s*([0-9]{4}(?:-[0-9]{2}){0,2})\s*\*\*")
_PLAIN_DAY = re.compile(r"(?<![\w/.-])((?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))(?![\w/-])")
_CHINESE = re.compile(r"([0-9]{4})\s*年\s*(1[0-2]|0?[1-9])\s*月\s*([12][0-9]|3[01]|0?[1-9])\s*日")
_ANY_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+([^\r\n]*)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?!\[[ xX]\])(?P<text>\S[^\r\n]*)", re.M)
_CITED = re.compile(r"\[Source:\s*[^\[\]\s]", re.I)
_CITED_ON = re.compile(r"\[Source:[^\[\]]*,\s*([0-9]{4}(?:-[0-9]{2}){0,2})\s*\]", re.I)
_WORD = re.compile(r"[^\W_]+")
LEAST_WORDS = 3


class Mention(NamedTuple):
    """Where a page is named: the line, and the date it or the citation behind the name bears, if any."""

    context: str
    date: str | None


def own_blocks(text: str, start: int) -> Iterator[Span]:
    """The blocks of prose that are not backlinks."""
    return (block for block in blocks(text, start) if not is_backlink(text, block))


def is_backlink(text: str, block: Span) -> bool:
    """Whether a block is a backlink, which answers for what stands on another page."""
    return BACKLINK.search(text, block.start, block.end) is not None


class Names:
    """Names of pages, found in prose as they are written: whole words, in their own case."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._pages = {name: page for name, page in names.items() if len(name) >= SHORTEST and not name.islower()}
        self._first: dict[str, list[str]] = {}
        for name in sorted(self._pages, key=len, reverse=True):
            self._first.setdefault(_first_word(name), []).append(name)

    def find(self, text: str, block: Span) -> Iterator[tuple[int, int]]:
        """(page, place) of each name in a block."""
        at = block.start
        for word in _WORD.finditer(text, block.start, block.end):
            names = self._first.get(_key(word[0]))
            if names is None or word.start() < at:
                continue
            for name in names:
                end = word.start() + len(name)
                if text.startswith(name, word.start()) and end <= block.end and _ends(text, name, end):
                    yield self._pages[name], word.start()
                    at = end
                    break


def mention(text: str, block: Span, place: int) -> Mention:
    """What a block says around a place, in one plain line."""
    line = text[block.start : block.end]
    dated = _DATED.search(line)
    chinese = _CHINESE.search(line)
    plain = _plain(line)
    here = collapse(_plain(text[place : place + 40]))[:20]
    said = next((sentence for sentence in sentences(plain) if here and here in sentence), plain)
    dated = dated or _CITED_ON.search(text, place, block.end)
    dated = dated or _PLAIN_DAY.search(line)
    day = dated[1] if dated is not None else _iso(chinese) if chinese is not None else None
    return Mention(clip(collapse(said), CONTEXT), day)


def headed(text: str, found: Iterable[Span]) -> dict[int, str]:
    """The day that the nearest dated heading above gives to blocks, by where they start."""
    days: dict[int, str] = {}
    above: dict[int, str] = {}
    for block in found:
        heading = _ANY_HEADING.match(text, block.start, block.end)
        if heading is not None:
            level = len(heading[1])
            above = {other: day for other, day in above.items() if other < level}
            day, chinese = _PLAIN_DAY.search(heading[2]), _CHINESE.search(heading[2])
            if day is not None or chinese is not None:
                above[level] = day[1] if day is not None else _iso(chinese) if chinese is not None else ""
        if above:
            days[block.start] = above[max(above)]
    return days


def _iso(chinese: re.Match[str]) -> str:
    return f"{chinese[1]}-{int(chinese[2]):02}-{int(chinese[3]):02}"


def bullet(date: str, title: str, path: str, context: str) -> str:
    """A backlink: `- **DATE** | Referenced in [Title](path) -- context`."""
    name = collapse(re.sub(r"[\[\]]", "", title))
    tail = f" -- {context}" if context else ""
    return f"- **{date}** | Referenced in [{name}]({path}){tail}"


def relative(origin: str, target: str) -> str:
    """The path of a page's file as a link from another page's file; where they have none, `SLUG.md` stands for it."""
    here, there = origin.split("/")[:-1], target.split("/")
    while here and len(there) > 1 and here[0] == there[0]:
        here, there = here[1:], there[1:]
    path = "/".join([".."] * len(here) + there)
    # A blank or a bracket would end the link.
    path = re.sub(r"[ ()<>%\[\]]", lambda found: f"%{ord(found[0]):02X}", path)
    return path if here else f"./{path}"


def with_bullets(content: str, body_start: int, bullets: Iterable[str]) -> str:
    """A page's text with bullets at the end of its timeline, which is made where there is none."""
    lines = "\n".join(bullets)
    end = "\r\n" if "\r\n" in content else "\n"
    places = list(_outside_code(content, body_start))
    found = [at for at, line in enumerate(places) if _SECTION.fullmatch(content, *line)]
    if not found:
        gap = "" if not content[body_start:].strip() else end if content.endswith("\n") else end * 2
        # Code that is never closed would take a heading in, but not the marker.
        title = MARKER if is_open(content[body_start:]) else "## Timeline"
        return f"{content}{gap}{title}{end * 2}{lines.replace(chr(10), end)}{end}"
    begin = places[found[-1]][1]
    stop = next((line[0] for line in places[found[-1] + 1 :] if _HEADING.match(content, *line)), len(content))
    section = content[begin:stop]
    kept = len(section.rstrip())
    gap = end if parse_timeline(section) else end * 2
    return f"{content[: begin + kept]}{gap}{lines.replace(chr(10), end)}{section[kept:] or end}{content[stop:]}"


def _outside_code(content: str, start: int) -> Iterator[tuple[int, int]]:
    """Where each line that is no code begins and ends, its line end excluded."""
    lines = content[start:].split("\n")
    code = code_lines(lines)
    for number, line in enumerate(lines):
        if number not in code:
            yield start, start + len(line.rstrip("\r"))
        start += len(line) + 1


def uncited(content: str, body_start: int) -> Iterator[tuple[int, str]]:
    """(line, text) of every bullet that states something and names no source."""
    for block in own_blocks(content, body_start):
        item = _ITEM.match(content, block.start, block.end)
        line = content[block.start : block.end]
        if item is None or _CITED.search(line):
            continue
        entry = parse_timeline(line)
        said = _plain(item["text"])
        if (entry and entry[0].source) or len(re.findall(r"\w+|[\u4e00-\u9fff]", said)) < LEAST_WORDS:
            continue
        if not re.sub(r"\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)|[\W_]", "", item["text"]):
            continue
        yield content.count("\n", 0, block.start) + 1, clip(collapse(said), CONTEXT)


def _first_word(name: str) -> str:
    found = _WORD.match(name)
    return _key(found[0] if found is not None else name)


def _key(word: str) -> str:
    return word if word[0] < "\u2e80" else word[0]


def _ends(text: str, name: str, end: int) -> bool:
    return name[-1] >= "\u2e80" or not re.match(r"[^\W_]", text[end : end + 1]) or text[end : end + 1] >= "\u2e80"


def _plain(line: str) -> str:
    line = re.sub(r"^[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+|#{1,6}[ \t]+)?", "", line)
    line = re.sub(r"^\*\*\s*[0-9-]{4,10}\s*\*\*\s*(?:\||--|-|–|—)\s*", "", line)
    if "[" in line:
        line = re.sub(r"!\[\[[^\[\]]*\]\]", "", line)
        line = re.sub(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]", r"\1", line)
        line = re.sub(
            r"\[\[(?:[^\[\]/]*/)*([^\[\]#/]*)(?:#[^\[\]]*)?\]\]", lambda found: found[1].replace("-", " "), line
        )
        line = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", line)
        line = re.sub(r"\[Source:[^\[\]]*\]", "", line, flags=re.I)
    if "/" in line:
        # A bare path would be a reference of its own in the line this goes into.
        line = re.sub(r"\b(?:[a-z0-9-]+/)+([a-z0-9-]+)", lambda found: found[1].replace("-", " "), line)
    return re.sub(r"[*`|\[\]]+|<!--.*?-->", "", line).strip()

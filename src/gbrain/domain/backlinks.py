"""The rule that every mention of a person or company is answered on their page, and that facts name their source."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gbrain.domain.markdown import parse_timeline
from gbrain.domain.references import Span, blocks
from gbrain.domain.relations.rules import BACKLINK
from gbrain.domain.text import clip, collapse, sentences

CONTEXT = 160
SHORTEST = 3
"""A name of fewer letters is a word like others."""
_SECTION = re.compile(r"^(?:##[ \t]+(?:Timeline|History)[ \t]*#*|<!--\s*timeline\s*-->)[ \t]*\r?$", re.I | re.M)
_DATED = re.compile(r"\*\*\s*([0-9]{4}(?:-[0-9]{2}){0,2})\s*\*\*")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?!\[[ xX]\])(?P<text>\S[^\r\n]*)", re.M)
_CITED = re.compile(r"\[Source:\s*[^\[\]\s]", re.I)
_CITED_ON = re.compile(r"\[Source:[^\[\]]*,\s*([0-9]{4}(?:-[0-9]{2}){0,2})\s*\]", re.I)
LEAST_WORDS = 3


class Mention(NamedTuple):
    """Where a page is named: the line, and the date it or the citation behind the name bears, if any."""

    context: str
    date: str | None


def own_blocks(text: str, start: int) -> Iterator[Span]:
    """The blocks of prose that are not backlinks themselves: those answer for what stands on another page."""
    for block in blocks(text, start):
        if not BACKLINK.search(text, block.start, block.end):
            yield block


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
        for word in re.compile(r"[^\W_]+").finditer(text, block.start, block.end):
            if word.start() < at:
                continue
            for name in self._first.get(_first_word(word[0]), ()):
                end = word.start() + len(name)
                if text.startswith(name, word.start()) and end <= block.end and _ends(text, name, end):
                    yield self._pages[name], word.start()
                    at = end
                    break


def mention(text: str, block: Span, place: int) -> Mention:
    """What a block says around a place, in one plain line."""
    line = text[block.start : block.end]
    dated = _DATED.search(line)
    plain = _plain(line)
    here = collapse(_plain(text[place : place + 40]))[:20]
    said = next((sentence for sentence in sentences(plain) if here and here in sentence), plain)
    dated = dated or _CITED_ON.search(text, place, block.end)
    return Mention(clip(collapse(said), CONTEXT), dated[1] if dated is not None else None)


def bullet(date: str, title: str, path: str, context: str) -> str:
    """A backlink: `- **DATE** | Referenced in [Title](path) -- context`."""
    name = collapse(re.sub(r"[\[\]]", "", title))
    tail = f" -- {context}" if context else ""
    return f"- **{date}** | Referenced in [{name}]({path}){tail}"


def relative(origin: str, target: str) -> str:
    """The path of a page's file as a link from another page's."""
    here, there = origin.split("/")[:-1], target.split("/")
    while here and len(there) > 1 and here[0] == there[0]:
        here, there = here[1:], there[1:]
    path = "/".join([".."] * len(here) + there)
    return f"{path}.md" if here else f"./{path}.md"


def with_bullets(content: str, body_start: int, bullets: Iterable[str]) -> str:
    """A page's text with bullets at the end of its timeline, which is made where there is none."""
    lines = "\n".join(bullets)
    end = "\r\n" if "\r\n" in content else "\n"
    found = list(_SECTION.finditer(content, body_start))
    if not found:
        gap = "" if not content[body_start:].strip() else end if content.endswith("\n") else end * 2
        return f"{content}{gap}## Timeline{end * 2}{lines.replace(chr(10), end)}{end}"
    following = re.compile(r"^##?[ \t]", re.M).search(content, found[-1].end())
    stop = following.start() if following is not None else len(content)
    section = content[found[-1].end() : stop]
    kept = len(section.rstrip())
    before = content[: found[-1].end() + kept]
    gap = end if parse_timeline(section) else end * 2
    return f"{before}{gap}{lines.replace(chr(10), end)}{section[kept:] or end}{content[stop:]}"


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
    found = re.match(r"[^\W_]+", name)
    word = found[0] if found is not None else name
    return word if word[0] < "\u2e80" else word[0]


def _ends(text: str, name: str, end: int) -> bool:
    return name[-1] >= "\u2e80" or not re.match(r"[^\W_]", text[end : end + 1]) or text[end : end + 1] >= "\u2e80"


def _plain(line: str) -> str:
    line = re.sub(r"^[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+|#{1,6}[ \t]+)?", "", line)
    line = re.sub(r"^\*\*\s*[0-9-]{4,10}\s*\*\*\s*(?:\||--|-|–|—)\s*", "", line)
    line = re.sub(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]", r"\1", line)
    line = re.sub(r"\[\[(?:[^\[\]/]*/)*([^\[\]#/]*)(?:#[^\[\]]*)?\]\]", lambda found: found[1].replace("-", " "), line)
    line = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", line)
    line = re.sub(r"\[Source:[^\[\]]*\]", "", line, flags=re.I)
    # A bare path would be a reference of its own in the line this goes into.
    line = re.sub(r"\b(?:[a-z0-9-]+/)+([a-z0-9-]+)", lambda found: found[1].replace("-", " "), line)
    return re.sub(r"[*`|\[\]]+|<!--.*?-->", "", line).strip()

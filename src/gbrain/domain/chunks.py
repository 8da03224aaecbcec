"""A page's body in chunks, the stretches of text that the indexes hold one by one.

A chunk is about 120 to 180 words, which is what the bundled model reads whole. It ends at a heading, or between
paragraphs, table rows, timeline entries or blocks of code, and inside one only when that alone is longer. In a
conversation every turn is a chunk. Offsets are characters of the body, so the text is stored once.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gbrain.domain.markdown import code_lines, inline_text, is_split, outside_facts, plain_text

READING = 1
"""How texts are cut and read for a model: the rules of this module and of the texts that `store` gives a model. It is
raised with every change of what a model reads, since vectors of two readings are not to be compared. It stands in the
name of the space that vectors are in."""
MOST, LEAST = 1_100, 480
"""Characters of a chunk: more than MOST are split, and below LEAST a new heading does not end it."""
MOST_CHUNKS = 4_000
"""Chunks of one page at most; the last one takes in the rest."""
LONGEST_LEAD = 240
"""Characters of the heading path."""
EXCHANGE = 3
"""So many turns in a row, with the one before them, are also read as one: by itself a turn rarely says what is talked
about."""

_TURNS = 3
"""So many turns make a conversation, when at least two thirds of the lines that begin a paragraph are turns."""
_SPEAKERS = 8


class Chunk(NamedTuple):
    """A stretch of the body, `starts` to `ends`. `heading` is the path of headings it stands under, joined by ` > `;
    for a part of a table its columns follow, for a part of a long turn the speaker and date. `turn` holds for a turn
    of a conversation, of a long one for its beginning."""

    starts: int
    ends: int
    heading: str
    turn: bool = False


class _Block(NamedTuple):
    """What is kept together where possible: a paragraph, a list, a table, a block of code, a turn."""

    starts: int
    ends: int
    path: tuple[str, ...]
    opens: bool
    """Whether it begins with a heading, so that a new chunk may begin here."""
    apart: bool
    """Whether something lies before it that no chunk may take in: a facts fence, or the mark of the timeline."""
    alone: bool
    """Whether nothing else shares its chunk."""
    lead: str
    """What every part of it must say again when it is split."""


def chunks(body: str) -> list[Chunk]:
    """The chunks of a body in their order; one that is empty for a body without text.

    Facts fences are left out: their rows are facts.
    """
    found: list[Chunk] = []
    held: list[_Block] = []
    size = 0
    for block in _blocks(body):
        weight = _weight(body, block)
        full = size + weight > MOST or (block.opens and size >= LEAST)
        if held and (full or block.apart or block.alone or held[-1].alone):
            found.append(_joined(held))
            held, size = [], 0
        if weight > MOST:
            found += _split(body, block, weight)
            continue
        held.append(block)
        size += weight
    if held:
        found.append(_joined(held))
    if len(found) > MOST_CHUNKS:
        found[MOST_CHUNKS - 1 :] = [found[MOST_CHUNKS - 1]._replace(ends=found[-1].ends)]
    return found or [Chunk(0, 0, "")]


def indexed(title: str, summary: str, body: str, chunk: Chunk, *, first: bool) -> tuple[str, str]:
    """(what a chunk stands under, its words) as both indexes read them, without markup.

    The first chunk of a page also carries the summary of the front matter where the body does not begin with it.
    """
    text = plain_text(body[chunk.starts : chunk.ends])
    if first and summary and summary not in text:
        text = f"{summary}\n{text}" if text else summary
    path = chunk.heading
    if path.partition(" > ")[0] == title:
        path = path.partition(" > ")[2]
    return (f"{title}\n{path}" if path else title), text


def exchange(ordinal: int) -> range:
    """The places of the turns that the turn at a place is read with."""
    start = ordinal // EXCHANGE * EXCHANGE
    return range(max(0, start - 1), start + EXCHANGE)


def voiced(text: str) -> str:
    """What a model reads of a turn: who speaks and the words. A date in it makes turns of one day alike."""
    found = _pattern("turn").match(text)
    return f"{found['who'].strip('* ')}: {text[found.end() :]}" if found else text


def _joined(held: list[_Block]) -> Chunk:
    """One chunk of blocks that follow each other; its path is what their paths begin with alike."""
    path = held[0].path
    for block in held[1:]:
        same = 0
        while same < min(len(path), len(block.path)) and path[same] == block.path[same]:
            same += 1
        path = path[:same]
    return Chunk(held[0].starts, held[-1].ends, _path(path), turn=held[0].alone)


def _path(path: tuple[str, ...], lead: str = "") -> str:
    kept = [part for part in (*path, lead) if part]
    while len(kept) > 1 and len(" > ".join(kept)) > LONGEST_LEAD:
        del kept[0]
    return " > ".join(kept)[:LONGEST_LEAD]


def _split(body: str, block: _Block, weight: int) -> Iterator[Chunk]:
    """The parts of a block that is too long for one chunk, cut at a line, else a sentence, else a word."""
    step = max(1, (block.ends - block.starts) * MOST // weight)
    at = block.starts
    while block.ends - at > step:
        cut = _cut(body, at, at + step)
        first = at == block.starts
        yield Chunk(at, cut, _path(block.path, "" if first else block.lead), turn=block.alone and first)
        at = cut
        while at < block.ends and body[at].isspace():
            at += 1
    if at < block.ends:
        yield Chunk(at, block.ends, _path(block.path, block.lead if at > block.starts else ""))


def _cut(body: str, start: int, end: int) -> int:
    least = start + (end - start) // 2
    for mark, after in (("\n\n", 0), ("\n", 0), (". ", 1), ("。", 1), ("? ", 1), ("! ", 1), (" ", 0)):
        at = body.rfind(mark, least, end)
        if at > least:
            return at + after
    return end


def _weight(body: str, block: _Block) -> int:
    """Characters, of which one in a script without spaces counts as three."""
    text = body[block.starts : block.ends]
    return len(text) if text.isascii() else len(text) + 2 * len(_pattern("dense").findall(text))


def _blocks(body: str) -> Iterator[_Block]:
    """The blocks of a body, each with the headings it stands under."""
    lines = [line.rstrip("\r") for line in body.split("\n")]
    code, talk = code_lines(lines), _conversation(lines)
    text_from = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    making = _Making(body)
    timeline, before = False, -1
    for at in outside_facts(lines):
        line = lines[at]
        if before >= 0 and at != before + 1:
            yield from making.block(apart=True)
        before = at
        if at not in code and not timeline and is_split(lines, at, text_from):
            yield from making.block(apart=True)
            timeline, making.path = True, [(0, "Timeline")]
            continue
        kind = "code" if at in code else _kind(line, talk)
        if kind == "heading":
            yield from making.block()
            making.head(at, line)
        elif kind != "code" and not line.strip():
            # A turn goes on to the next one, whatever blank lines are in it.
            if making.kind != "turn":
                yield from making.block()
        else:
            if making.kind and (kind == "turn" or (kind != making.kind and {kind, making.kind} & {"code", "table"})):
                yield from making.block()
            making.add(at, line, kind)
    yield from making.block(last=True)


class _Making:
    """The block that is being read, and the headings above it."""

    def __init__(self, body: str) -> None:
        self.path: list[tuple[int, str]] = []
        self.kind = ""
        """What kind of block has begun; empty for none."""
        self._offsets = [0]
        for line in body.split("\n"):
            self._offsets.append(self._offsets[-1] + len(line) + 1)
        self._body = body
        self._first = self._last = self._heading = -1
        self._apart = False
        self._lead = ""

    def head(self, at: int, line: str) -> None:
        """A heading: the path changes, and the block that follows begins here."""
        level = len(line.split(None, 1)[0])
        name = inline_text(re.sub(r"[ \t]+#+[ \t]*$", "", line.strip().lstrip("#").strip()))
        self.path = [*(part for part in self.path if part[0] < level), (level, name)]
        self._heading = at if self._heading < 0 else self._heading
        self._last = at

    def add(self, at: int, line: str, kind: str) -> None:
        """A line of the block, which begins here if none has."""
        if not self.kind:
            self.kind, self._first = kind, at
            self._lead = _lead(line, kind)
        self._last = at

    def block(self, *, apart: bool = False, last: bool = False) -> Iterator[_Block]:
        """The block that ends here, if one has begun; headings with nothing under them only before what is `apart`."""
        opens = self._heading >= 0
        if self.kind or (opens and (apart or last)):
            first = self._heading if opens else self._first
            starts, ends = self._offsets[first], self._offsets[self._last + 1] - 1
            ends -= self._body[starts:ends].endswith("\r")
            names = tuple(name for _, name in self.path)
            yield _Block(starts, ends, names, opens, self._apart, self.kind == "turn", self._lead)
            self._heading, self._apart, self.kind, self._lead = -1, False, "", ""
        self._apart = self._apart or apart


def _kind(line: str, talk: bool) -> str:
    if re.match(r" {0,3}#{1,6}[ \t]+\S", line):
        return "heading"
    if line.lstrip().startswith("|"):
        return "table"
    return "turn" if talk and _pattern("turn").match(line) else "text"


def _lead(line: str, kind: str) -> str:
    """What the later parts of a long block say again: a table's columns, a turn's speaker and date."""
    if kind == "table":
        return " | ".join(cell for part in line.strip().strip("|").split("|") if (cell := inline_text(part)))
    if kind == "turn" and (found := _pattern("turn").match(line)):
        return inline_text(found[0].rstrip().rstrip(":"))
    return ""


def _conversation(lines: list[str]) -> bool:
    """Whether a text is a record of who said what."""
    turns = [found for line in lines if (found := _pattern("turn").match(line))]
    if len(turns) < _TURNS:
        return False
    speakers = Counter(found["who"].strip("* ").casefold() for found in turns)
    begun = sum(
        1
        for at, line in enumerate(lines)
        if line.strip()
        and not line.startswith("#")
        and (at == 0 or not lines[at - 1].strip() or _pattern("turn").match(line))
    )
    often = sum(count for count in speakers.values() if count > 1)
    return len(speakers) <= _SPEAKERS and often * 2 >= len(turns) and len(turns) * 3 >= begun * 2


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "dense": r"[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
            r"\uf900-\ufaff\U00020000-\U000323af]",
            # `[2031-05-04 10:02] **Dana Oakes** (she/her): text`, each part but the name and the colon optional
            "turn": r"(?:[-*>][ \t]+)?(?:[\[(][^\[\]()\n]{3,40}[\])][ \t]*)?"
            r"(?P<who>\*{0,2}[^\W\d_][\w.'’ -]{0,38}\*{0,2})"
            r"[ \t]*(?:[\[(][^\[\]()\n]{3,40}[\])])?[ \t]*\*{0,2}[:：]\*{0,2}(?:[ \t]+|$|(?<=：))(?!//)",
        }[name]
    )

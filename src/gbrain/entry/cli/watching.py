"""`gbrain watch`: a transcript streams in, what it calls to mind streams out."""

import codecs
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from gbrain.ambient.streams import Stream
from gbrain.domain.offers.core import WINDOW
from gbrain.domain.offers.reading import Said
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option
from gbrain.errors import InvalidParams
from gbrain.types import Caller

EVERY_SECONDS = 0.25
"""How often a followed file is looked at."""
SETTLED_SECONDS = 0.5
"""A turn of text that nothing was added to for so long is over."""
MOST_AT_ONCE, LONGEST_LINE = 1 << 18, 4 << 20
WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""What begins a text in UTF-16."""
LONGEST_TURN = 16_000
"""So many characters of a turn are looked at: its beginning and its end."""
CONTEXT_BYTES = 64 * 1024
"""So much of the end of a file is read as what was said before."""


class Part(NamedTuple):
    """A piece of a transcript: its bytes, whether nothing more came for a moment, whether it is news, and whether the
    file began anew."""

    read: bytes
    settled: bool = False
    news: bool = True
    anew: bool = False


def _watch(given: dict[str, Any]) -> int:
    as_json, source = given["as_json"], given.get("brain_source")
    path = given["follow"]
    turns = _turns(_followed(os.path.expanduser(path), whole=given["whole"])) if path else _piped()
    with screen.opened(source, as_json=as_json) as brain:
        window: list[Said] = []
        known: list[str] = []
        try:
            for said, news in turns:
                window = [*window, said][-WINDOW:]
                if not news:
                    continue
                arguments = {"window": _wire(window), "news": 1, "known": known[-500:]}
                reply = brain.ask(Caller.local("watch"), "volunteer_context", arguments).value
                lines = reply["text"].rstrip("\n").split("\n")
                for page, line in zip(reply["pages"], lines, strict=False):
                    known.append(f"{page['source_id']}:{page['slug']}")
                    screen.write(screen.json_line(page) if as_json else screen.harmless(line))
                sys.stdout.flush()
        except KeyboardInterrupt:
            return 0
    return 0


def _wire(window: list[Said]) -> str:
    return json.dumps([{"role": said.role, "text": _ends(said.text)} for said in window], ensure_ascii=False)


def _ends(text: str) -> str:
    return text if len(text) <= LONGEST_TURN else f"{text[: LONGEST_TURN // 2]}\n{text[-LONGEST_TURN // 2 :]}"


def _piped() -> Iterator[tuple[Said, bool]]:
    """The turns on stdin, each as soon as it is complete, or nothing more of it comes for a moment."""
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidParams(
            "there is no transcript to watch", "pipe one in, or run: gbrain watch --follow TRANSCRIPT.jsonl"
        )
    # Only a pipe is waited for so.
    import select

    def parts() -> Iterator[Part]:
        while True:
            if os.name == "posix" and not select.select([0], [], [], SETTLED_SECONDS)[0]:
                yield Part(b"", True)
                select.select([0], [], [])
            read = os.read(0, MOST_AT_ONCE)
            if not read:
                return
            yield Part(read)

    return _turns(parts())


def _followed(path: str, *, whole: bool) -> Iterator[Part]:
    """What is added to a file; what it held before comes first and is no news, unless `whole`.

    A file that was cut or replaced is begun anew. Raises InvalidParams where there is none.
    """
    place, seen, quiet, begun, mark = 0, -1, 0.0, False, b""
    while True:
        anew, read = False, b""
        try:
            with open(path, "rb") as file:
                state = os.fstat(file.fileno())
                anew = begun and (state.st_size < place or state.st_ino != seen)
                if anew or not begun:
                    place = 0 if begun or whole else max(0, state.st_size - CONTEXT_BYTES)
                    seen = state.st_ino
                    head = file.read(2) if place else b""
                    mark = head if head in WIDE else b""
                    place -= place % 2 if mark else 0
                file.seek(place)
                read = file.read(MOST_AT_ONCE)
        except OSError as error:
            if not begun:
                raise InvalidParams(
                    f"{path} cannot be read: {error.strerror}", "name a transcript: gbrain watch --follow FILE"
                ) from None
        place += len(read)
        quiet = 0.0 if read else quiet + EVERY_SECONDS
        yield Part(mark + read, not read and quiet >= SETTLED_SECONDS, begun or whole, anew)
        begun, mark = begun or len(read) < MOST_AT_ONCE, b""
        if not read:
            time.sleep(EVERY_SECONDS)


def _turns(parts: Iterator[Part]) -> Iterator[tuple[Said, bool]]:
    """The turns in what is read, and whether each is news; a line that is too long is no turn."""
    stream, held, news = Stream(), "", True
    decoder: codecs.IncrementalDecoder | None = None
    for part in parts:
        if part.anew:
            stream, held, decoder = Stream(), "", None
        if part.news and not news:
            yield from ((said, False) for said in stream.rest())
        news = part.news
        if decoder is None and part.read:
            decoder = codecs.getincrementaldecoder(WIDE.get(part.read[:2], "utf-8"))("replace")
        lines = (held + (decoder.decode(part.read) if decoder else "")).split("\n")
        held = lines.pop() if len(lines[-1]) < LONGEST_LINE else ""
        for line in lines:
            yield from ((said, news) for said in stream.take(line))
        if part.settled and not held:
            yield from ((said, news) for said in stream.rest())
    if held:
        yield from ((said, news) for said in stream.take(held))
    yield from ((said, news) for said in stream.rest())


watch = Command(
    "watch",
    params=[
        Option(["--follow"], metavar="FILE", help="Follow this transcript instead of reading one from stdin."),
        Option(["--whole"], is_flag=True, help="With --follow: begin with what the file holds already."),
        Option(["--source", "brain_source"], metavar="SOURCE", help="Use this source of the brain."),
        Option(["--json", "as_json"], is_flag=True, help="A line of JSON for each offer."),
    ],
    callback=lambda **given: _watch(given),
    help="Offer what a transcript calls to mind, while it is written.\n\nReads text (`User: ...`, `[user]`, or"
    " paragraphs) or the JSON lines of any agent from stdin, and writes a line for each page that is named, once.",
    examples=("gbrain watch --follow ~/.claude/projects/x/session.jsonl", "printf 'User: ask Dana\\n' | gbrain watch"),
)

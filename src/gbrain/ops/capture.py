"""Capturing a text: keep it now, decide later where it belongs."""

import hashlib
import unicodedata
from typing import Annotated, Any, Literal

from gbrain.domain.markdown import first_heading, summary, unix_lines
from gbrain.domain.text import collapse
from gbrain.domain.times import wire_time
from gbrain.errors import InvalidParams, VersionConflict
from gbrain.ops.pages import ExpectedVersion
from gbrain.ops.secrecy import refuse_new_secret
from gbrain.ops.writing import PutReply, Stored, own_view, put_reply, read_text, stamped, warn_of, write
from gbrain.registry import Context, Param, operation
from gbrain.types import Written

TITLE_LENGTH = 80


class CaptureReply(PutReply):
    """What a capture did; `content_hash` is of the captured text alone, `dedupe` says whether it was known."""

    channel: Literal["capture"]
    dedupe: str
    captured_at: str


@operation(
    scope="write",
    surface="starter",
    title="Capture a text",
    positional=("content",),
    examples=('gbrain capture "Ask Dana about the mooring"', "gbrain capture --file notes.txt --slug inbox/walk"),
    fence=("slug",),
)
def capture(
    ctx: Context,
    content: Annotated[str, Param("The text to keep, as it is. 4 MB at most.")],
    slug: Annotated[str | None, Param("Where to keep it; inbox/<date>-<hash> unless given.", names="page")] = None,
    type: Annotated[str | None, Param("The type of the page.", max_length=100)] = None,
    expected_version: ExpectedVersion = None,
) -> CaptureReply:
    """Keep a text as a page without deciding where it belongs; the same text on one day is kept once."""
    if not content.strip():
        raise InvalidParams("there is no text to capture", 'run: gbrain capture "TEXT"')
    digest = hashlib.sha256(_normalised(content).encode()).hexdigest()
    chosen = slug or f"inbox/{ctx.now_text[:10]}-{digest[:8]}"
    reading = read_text(ctx, chosen, _captured(content, type))
    refuse_new_secret(ctx, reading.draft.slug, content)
    warn_of(ctx, reading)
    try:
        expected = 0 if slug is None else expected_version
        stored = write(ctx, reading.draft, expected, stamped(ctx, "capture"))
        dedupe = "this text is new here" if stored.written.status != "skipped" else "this text was kept here before"
    except VersionConflict:
        held = ctx.store.pages.get(own_view(ctx, ctx.source), reading.draft.slug) if slug is None else None
        if held is None:
            raise
        stored = Stored(reading.draft, Written(held.id, held.version, "skipped"), held)
        dedupe = f"this text was kept here before; the page is at version {held.version} now"
    reply = put_reply(ctx, stored)
    reply["content_hash"] = digest
    return {**reply, "channel": "capture", "dedupe": dedupe, "captured_at": wire_time(ctx.now_text) or ""}


def _captured(content: str, type: str | None) -> str:
    """The text to store: with its type, and the beginning of its first sentence as title when it has none."""
    # yaml takes 20 ms to load, and only page texts need it
    from gbrain.sources.editing import with_header
    from gbrain.sources.frontmatter import parse

    document = parse(content)
    changes: dict[str, Any] = {"type": type} if type else {}
    if not document.title and not first_heading(document.body):
        changes["title"] = summary(document.body, TITLE_LENGTH) or None
    return with_header(content, changes) if changes else content


def _normalised(content: str) -> str:
    """A text by which captures are compared: its Unicode form, line ends and white space count for nothing."""
    return collapse(unicodedata.normalize("NFC", unix_lines(content)))

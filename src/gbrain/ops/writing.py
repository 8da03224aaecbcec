"""Writing a page's text: what a write is based on, who wrote it, and which facts the page now owns.

Every write of a page goes through `write`, in four steps that keep files and subprocesses out of transactions:

1. `_look`: the page as it stands, after the folder of its source was looked at.
2. `_settle`: against which version the draft goes in. A write based on an older one becomes a merge; see `merging`.
3. `_commit`: one transaction, compare-and-set on the version of step 2. What follows from the text inside the store
   (facts adopted, links, timeline) belongs here.
4. `_follow`: after the commit. What the text does outside the store belongs here, and warnings about it.

When somebody else committed between 1 and 3, all is done again, at most `TRIES` times.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.markdown import unix_lines
from gbrain.domain.text import collapse
from gbrain.domain.times import wire_time
from gbrain.errors import InvalidParams, VersionConflict
from gbrain.ops.adopting import adopt
from gbrain.ops.fenced import take_in, take_in_rest
from gbrain.ops.made import AutoLinks, AutoTimeline, Wired
from gbrain.ops.merging import based, joined_text
from gbrain.ops.sourced import refuse_second
from gbrain.registry import Context
from gbrain.store.fact_filter import Filter
from gbrain.types import Draft, Page, View, Written

if TYPE_CHECKING:
    from gbrain.ops.folders.mirror import Mirror
    from gbrain.sources.pages import Reading

MOST_BYTES = 4 * 1024 * 1024
ORIGIN = ("source_kind", "source_uri", "ingested_via", "ingested_at")
"""Front matter keys that say where a text came from."""
TRIES = 100
"""How often a write is settled anew because somebody else was quicker."""
PROBLEMS_SHOWN = 10


class WriteThrough(TypedDict):
    """Whether the page's file was written: not that of a private page which has none."""

    written: bool
    path: NotRequired[str]
    skipped: NotRequired[str]


class PutReply(TypedDict):
    """What a write did. `skipped`: the page says this already. `version` is the one to base the next write on.

    `merged` is there, and true, when the text was joined with a later version than it was based on.
    """

    slug: str
    source_id: str
    status: Literal["created_or_updated", "skipped"]
    title: str
    version: int
    last_modified: str
    modified_by: str
    content_hash: str
    merged: NotRequired[bool]
    auto_links: NotRequired[AutoLinks]
    auto_timeline: NotRequired[AutoTimeline]
    write_through: NotRequired[WriteThrough]


class Stored(NamedTuple):
    """A draft after its write, and the page as it was before (None: there was none)."""

    draft: Draft
    written: Written
    before: Page | None
    joined: int | None = None
    """The later version that the text was merged with."""
    wired: Wired | None = None
    """What the text made of links and timeline."""
    file: str | None = None
    """Where its file is, in a source with a folder."""
    filed: bool = False
    """Whether its source has a folder."""


def read_text(ctx: Context, slug: str, content: str) -> "Reading":
    """The draft of a text, with a warning for every doubt; raises InvalidParams for one that is no page."""
    from gbrain.sources.pages import read  # yaml takes 20 ms to load, and only page texts need it

    size = len(content.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise InvalidParams(
            f"the text is too long for one page: {size:,} bytes, {MOST_BYTES:,} at most",
            "split it into several pages and link them: gbrain link FROM TO",
        )
    return read(slug, content, ctx.now)


def warn_of(ctx: Context, reading: "Reading") -> None:
    """Name every doubt about a text's front matter in the reply."""
    for problem in reading.problems[:PROBLEMS_SHOWN]:
        ctx.warn(
            "front_matter",
            f"line {problem.line}: {problem.message}; {problem.hint}",
            line=problem.line,
            key=problem.key,
            suggestion=problem.hint,
        )


def write(
    ctx: Context,
    draft: Draft,
    expected: int | None,
    stamp: Mapping[str, str],
    *,
    reason: str | None = None,
    allow_empty: bool = False,
    join: bool = True,
    drop_facts: bool = False,
    facts: bool = True,
    links: bool = True,
) -> Stored:
    """Write a draft as the next version of its page, and tie earlier facts about its names to it.

    `expected` is the version the draft is based on, 0 for a page that must not exist. It outranks the version that the
    text names itself, which counts only where a page of that slug was ever seen: a copy for a new page is based on
    nothing. Over a later version the draft is merged, unless `join` is off. A facts fence that the page has and the
    draft has not stays, unless `drop_facts`; rows that the caller may not see stay in any case. Its rows become facts,
    unless `facts` is off. Its links and timeline wait for `wiring.reconcile_all` where `links` is off. Raises
    VersionConflict, and InvalidParams for an empty text that would replace one.
    """
    expected = None if expected is None else int(expected)
    tries = 0
    mirror = mirror_of(ctx, ctx.source, draft.slug)
    while True:
        # Looked at anew each time round: what was overtaken was settled against a page that is no more.
        held = _look(ctx, draft.slug, mirror)
        settled = _settle(ctx, draft, held, expected, reason, allow_empty=allow_empty, join=join, drop=drop_facts)
        if mirror is not None and settled.skipped is None:
            settled = settled._replace(draft=_as_filed(ctx, mirror, settled.draft, held if join else None))
        try:
            written, wired = (
                (settled.skipped, None)
                if settled.skipped
                else _commit(ctx, settled._replace(facts=facts, links=links), stamp, held, mirror)
            )
            break
        except VersionConflict as conflict:
            tries += 1
            live = held is not None and held.deleted_at is None
            # A conflict with the very version that was looked at is the caller's: trying again would change nothing.
            if tries == TRIES or conflict.detail["current_version"] == (held.version if held and live else None):
                raise
            pause(tries)
    # After the commit, which said what the file is about to be: a kill in between is finished by the next look at it.
    file = mirror.land() if mirror is not None and written.status != "skipped" else None
    if facts and written.status != "skipped":
        # What did not fit into the transaction, which holds up every other writer.
        take_in_rest(ctx, ctx.source, settled.draft)
    _follow(ctx, settled, held, written)
    return Stored(settled.draft, written, held, settled.joined, wired, file, mirror is not None)


def rewrite(
    ctx: Context,
    slug: str,
    compose: Callable[[Page | None], str | None],
    stamp: Mapping[str, str] | None = None,
    *,
    reason: str | Callable[[], str],
    facts: bool = True,
    expected: int | None = None,
    touches: Callable[[str], str] = lambda content: "",
) -> Stored | None:
    """Write what `compose` makes of the page as it stands (None: there is none), however many others write it too.

    A `compose` that returns None changes nothing. It is asked again whenever somebody else was quicker. Without a
    `stamp` the page keeps the origin it has. A `reason` that is a function is asked after `compose`.

    `expected` is the version that the change is based on, 0 for a page that must not exist. Over a later version the
    change is made where what it `touches` in a text stands as it stood, and joins what came since; else, and over a
    version that never was, VersionConflict is raised.
    """
    expected = None if expected is None else int(expected)
    for tries in range(1, TRIES + 1):
        held = _look(ctx, slug, mirror_of(ctx, ctx.source, slug))
        live = held if held is not None and held.deleted_at is None else None
        content = compose(live)
        joined = None if live is None or expected is None else based(ctx, live, expected, touches, content)
        if content is None:
            return None
        draft = read_text(ctx, slug, content).draft._replace(based_on=None)
        # Stamps live in the stored front matter alone, not in the text, so a text that is read again has lost them.
        held_stamp = {key: str(live.frontmatter[key]) for key in ORIGIN if key in live.frontmatter} if live else {}
        # 0 refuses to write over a page that somebody made since: `compose` has not seen it.
        base = live.version if live is not None else expected or 0
        try:
            stored = write(
                ctx,
                draft,
                base,
                held_stamp if stamp is None else stamp,
                reason=reason if isinstance(reason, str) else reason(),
                allow_empty=True,
                join=False,
                facts=facts,
            )
            return stored._replace(joined=joined)
        except VersionConflict:
            if tries == TRIES or (live is None and expected):
                raise
            pause(tries)
    raise AssertionError("unreachable")


def pause(tries: int) -> None:
    """Let others go first: the more often this writer was overtaken, the longer, and never quite the same."""
    time.sleep(0.002 * min(tries, 10) * os.urandom(1)[0] / 255)


def mirror_of(ctx: Context, source: str, slug: str) -> "Mirror | None":
    """The file of a page, to write it through; None where its source has no folder."""
    root = ctx.store.sources.folder(source)
    if root is None:
        return None
    from gbrain.ops.folders.mirror import Mirror  # yaml and subprocess take 30 ms, and few sources have a folder

    return Mirror(ctx, source, root, slug)


def _look(ctx: Context, slug: str, mirror: "Mirror | None") -> Page | None:
    if mirror is not None:
        mirror.look()
    return ctx.store.pages.get(own_view(ctx, ctx.source), slug, deleted=True)


class _Settled(NamedTuple):
    """A draft and the version it goes in against (None: a blind write); `joined` is the later version it was merged
    with. What the page holds already is `skipped`; `facts` says whether its rows become facts, `links` whether what it
    refers to is linked at once."""

    draft: Draft
    against: int | None
    reason: str | None
    joined: int | None = None
    blind: bool = False
    skipped: Written | None = None
    facts: bool = True
    links: bool = True


def _settle(
    ctx: Context,
    draft: Draft,
    held: Page | None,
    expected: int | None,
    reason: str | None,
    *,
    allow_empty: bool,
    join: bool,
    drop: bool,
) -> _Settled:
    from gbrain.sources.pages import unchanged  # yaml takes 20 ms to load, and only page texts need it

    if held is None or held.deleted_at is not None:
        refuse_second(ctx, draft.slug)
    if held is None:
        return _Settled(draft, expected, reason)
    expected = draft.based_on if expected is None else expected
    # No date was found in the text; the day of a later version is no better guess than that of the first.
    if draft.effective_date_source == "fallback":
        draft = draft._replace(effective_date=held.created_at[:10])
    if held.deleted_at is not None:
        return _Settled(draft, expected, reason)
    joined = None
    if join and expected is not None and 0 < expected < held.version:
        base = ctx.store.pages.version(own_view(ctx, ctx.source), draft.slug, expected)
        content = joined_text(ctx, held, base, expected, draft.content, drop=drop)
        draft = read_text(ctx, draft.slug, content).draft._replace(based_on=None)
        reason = f"{reason or 'a change'}, based on version {expected}, joined with version {held.version}"
        joined, expected = held.version, held.version
    _refuse_emptying(draft, held, allow_empty)
    draft = _with_facts(ctx, draft, held, drop=drop)
    if expected in (None, held.version) and unchanged(draft, held):
        return _Settled(draft, held.version, reason, skipped=Written(held.id, held.version, "skipped"))
    # A person at this machine may overwrite without naming a version, and is told of it; an agent may not.
    if expected is None and not ctx.caller.remote:
        return _Settled(draft, held.version, reason, blind=True)
    return _Settled(draft, expected, reason, joined)


def _with_facts(ctx: Context, draft: Draft, held: Page, *, drop: bool) -> Draft:
    """The draft with what its text must not lose of the page's facts fence."""
    if "gbrain:facts:" not in held.body:
        return draft
    from gbrain.domain.facts_fence import kept  # few pages have one

    body = unix_lines(draft.content[draft.body_start :])
    whole = kept(held.body, body, seen_private=not ctx.caller.remote, drop=drop)
    if whole == body:
        return draft
    content = draft.content[: draft.body_start] + whole
    return read_text(ctx, draft.slug, content).draft._replace(
        based_on=draft.based_on, effective_date=draft.effective_date
    )


def _as_filed(ctx: Context, mirror: "Mirror", draft: Draft, held: Page | None) -> Draft:
    """The draft with the text that its file is to hold."""
    content = mirror.text(draft, held)
    if content == draft.content:
        return draft
    filed = read_text(ctx, draft.slug, content).draft
    fallback = filed.effective_date_source == "fallback"
    return filed._replace(based_on=None, effective_date=draft.effective_date if fallback else filed.effective_date)


def _commit(
    ctx: Context, settled: _Settled, stamp: Mapping[str, str], held: Page | None, mirror: "Mirror | None"
) -> tuple[Written, Wired | None]:
    draft = settled.draft._replace(frontmatter={**settled.draft.frontmatter, **stamp})
    if mirror is None:
        return _store(ctx, settled, draft, held, None)
    # Durable, under a hidden name, before the store says that it is the page's file.
    mirror.stage(draft.content, private=draft.private)
    noted = False
    try:
        written, wired = _store(ctx, settled, draft, held, mirror)
        noted = written.status != "skipped"
    finally:
        if not noted:
            mirror.drop()
    return written, wired


def _store(
    ctx: Context, settled: _Settled, draft: Draft, held: Page | None, mirror: "Mirror | None"
) -> tuple[Written, Wired | None]:
    from gbrain.ops.wiring import follow  # the rules of links take 15 ms to load, and only page texts need them

    wired = None
    with ctx.store.transaction():
        written = ctx.store.pages.write(
            own_view(ctx, ctx.source),
            ctx.source,
            draft,
            by=author(ctx),
            reason=settled.reason,
            expected=settled.against,
            # Never blind here: a write that names no version was settled against the one that was looked at, so a race
            # is still seen.
            blind=False,
        )
        if written.status != "skipped":
            adopt(ctx, ctx.source, written.page_id, draft)
            if settled.links:
                wired = follow(ctx, ctx.source, written.page_id, draft, held)
            if settled.facts:
                take_in(ctx, ctx.source, draft, held)
            if mirror is not None:
                mirror.note(written)
    return written, wired


def _follow(ctx: Context, settled: _Settled, held: Page | None, written: Written) -> None:
    draft, live = settled.draft, held if held is not None and held.deleted_at is None else None
    _warn_about_state(ctx, draft, live)
    # Facts have a visibility of their own; hiding a page does not hide what others were told before.
    if draft.private and not (live is not None and live.private):
        readable = ctx.store.facts.count(
            ctx.view._replace(sources=(ctx.source,), private=False), Filter((draft.slug,)), 100
        )
        if readable:
            ctx.warn(
                "facts_stay_readable",
                f"the page is private now, but {readable} facts about it stay readable by agents",
                suggestion=f"gbrain recall {draft.slug} shows them; gbrain forget ID ends one",
            )
    if live is not None and settled.blind and written.status == "updated":
        ctx.warn(
            "overwritten",
            f"version {live.version} was replaced, since the write did not say which version it was based on",
            suggestion=f"gbrain revert {draft.slug} {live.version} brings it back",
        )


def put_reply(ctx: Context, stored: Stored) -> PutReply:
    """What a write did, as the caller is told."""
    draft, written, before, joined, wired, file, filed = stored
    same = written.status == "skipped" and before is not None
    reply: PutReply = {
        "slug": draft.slug,
        "source_id": ctx.source,
        "status": "skipped" if written.status == "skipped" else "created_or_updated",
        "title": draft.title,
        "version": written.version,
        "last_modified": wire_time(before.last_modified if same and before else ctx.now_text) or "",
        "modified_by": before.modified_by if same and before else author(ctx),
        "content_hash": before.content_hash if same and before else draft.content_hash,
    }
    if joined is not None and written.status != "skipped":
        reply["merged"] = True
    if wired is not None and wired.links is not None:
        reply["auto_links"] = wired.links
    if wired is not None and wired.timeline is not None:
        reply["auto_timeline"] = wired.timeline
    if filed and written.status != "skipped":
        reply["write_through"] = {"written": True, "path": file} if file else {"written": False, "skipped": "private"}
    return reply


def own_view(ctx: Context, source: str) -> View:
    """What the caller sees of one source."""
    return ctx.view._replace(sources=(source,))


def author(ctx: Context) -> str:
    """Who writes: the client, and the session where it names one. Only the operator is called `local`."""
    session = collapse(ctx.session or "")[:256]
    return f"{ctx.caller.client}/{session}" if session else ctx.caller.client


def stamped(ctx: Context, operation: str) -> dict[str, str]:
    """The origin that the server itself writes on a text."""
    kind = "mcp" if ctx.caller.remote else ctx.caller.transport
    return {"source_kind": kind, "ingested_via": operation, "ingested_at": wire_time(ctx.now_text) or ""}


def _refuse_emptying(draft: Draft, held: Page, allow_empty: bool) -> None:
    if allow_empty or draft.content[draft.body_start :].strip() or not held.body.strip():
        return
    raise InvalidParams(
        f"the text is empty, and {held.slug!r} is not",
        f"pass allow_empty: true to empty the page, or run: gbrain delete {held.slug}",
    )


def _warn_about_state(ctx: Context, draft: Draft, before: Page | None) -> None:
    if draft.expiry is not None and draft.expiry <= ctx.now_text:
        ctx.warn(
            "expired",
            f"{draft.slug!r} is past its expiry and is left out of reads",
            suggestion=f"give it a later expiry; read it with: gbrain get {draft.slug}",
        )
    # Only where the write was based on a version: else nothing says that leaving a tag out was meant.
    kept = sorted(set(before.tags) - set(draft.tags)) if before is not None and draft.based_on is not None else []
    held = [] if not kept or before is None else _by_hand(before, kept)
    if held:
        ctx.warn(
            "tags_kept",
            f"tags put on by hand stay: {', '.join(held)}",
            suggestion=f"take one off with: gbrain untag {draft.slug} TAG",
        )


def _by_hand(before: Page, tags: Iterable[str]) -> list[str]:
    from gbrain.sources.pages import text_tags  # loaded already: the page's text was read

    written = text_tags(before.content)
    return [tag for tag in tags if tag not in written]


__all__ = [
    "PutReply", "Stored", "author", "mirror_of", "own_view", "put_reply", "read_text",
    "rewrite", "stamped", "take_in", "warn_of", "write",
]  # fmt: skip

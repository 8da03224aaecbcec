"""Pages and facts taken away as files anyone can read, and brought back from them, or from other Markdown.

An export is `pages/SLUG.md`, each byte for byte the page's text; `pages.jsonl`, what is on a page and not in its text;
`versions.jsonl`, every version with its time, author and reason, and the texts of the older ones;
`facts.jsonl`, a fact a line with provenance, validity and what came of it; and `gbrain-export.json`, which says so:
it is written first, and again at the end, when the export is `complete`.
"""

import json
import os
import shlex
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from gbrain.domain.similarity import fingerprint
from gbrain.domain.slugs import normalise_slug
from gbrain.domain.times import wire_time
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.ops.fenced import take_in_left
from gbrain.ops.folders import conversations
from gbrain.ops.folders.doubts import doubts
from gbrain.ops.sourced import refuse_second
from gbrain.ops.wiring import appeared, reconcile_all
from gbrain.ops.writing import write
from gbrain.registry import Context
from gbrain.sources import folder
from gbrain.sources.folder import Trouble
from gbrain.sources.pages import other_slugs, read, read_file
from gbrain.store.facts import NewFact
from gbrain.store.portable import IMPORTED
from gbrain.types import Draft, View

MARK, PAGES, HAND, VERSIONS, FACTS = "gbrain-export.json", "pages", "pages.jsonl", "versions.jsonl", "facts.jsonl"
FORMAT = 1
NO_PAGE = "it is no Markdown"
"""Why a file is left that nobody takes for a page: an image, a setting."""
NOT_EXPORTED = "it is no page of this export"
"""Why a file is left beside the pages of an export: the page was deleted since, or somebody put the file there."""
OTHER_TEXT = (
    "keep both in a source of their own: gbrain sources add NAME, then import with --source NAME; or pass --overwrite"
    " to make this its next version"
)
READABLE = (".md", ".mdx", ".json", ".jsonl")
"""How the files end that are read out of a zip."""
NOT_OURS = "take it in by itself, if you want it: gbrain put SLUG < FILE"
BATCH = 50
WHEN = ("created_at", "last_modified", "modified_by")
ALWAYS = "0000-01-01T00:00:00.000000Z"
"""A moment before every expiry: a page past its own is taken along."""


Named = tuple[str, Draft | Trouble]
"""Where something stands, and its page or why it has none."""


class Count(NamedTuple):
    """What went in or came out. `skipped` says of each thing that did not why, `doubts` what is unclear in those that
    were read."""

    pages: int = 0
    unchanged: int = 0
    facts: int = 0
    known_facts: int = 0
    skipped: tuple[Trouble, ...] = ()
    doubts: tuple[Trouble, ...] = ()


def export(ctx: Context, source: str, target: str, *, private: bool) -> Count:
    """Write a source to a folder that is empty or holds an earlier export of it; raises InvalidParams for another, and
    for one that holds private texts which this export leaves out."""
    _claim(target, source, ctx.brain_id, private=private)
    whose = {"format": FORMAT, "brain": ctx.brain_id, "source": source, "private": private}
    # First: an export that breaks off is then known as one, and not brought in as if it were all.
    _write(os.path.join(target, MARK), _line({**whose, "complete": False}))
    # By this view private pages are seen as well; `page_ids` leaves out those that are not to go.
    view, portable = View((source,), True, ALWAYS), ctx.store.portable
    pages = facts = 0
    hand: list[str] = []
    _write(os.path.join(target, VERSIONS), "")
    for ids in portable.page_ids(source, private=private):
        beside = portable.by_hand(ids, private=private)
        for page in ctx.store.pages.by_ids(view, ids):
            _write(os.path.join(target, PAGES, f"{page.slug}.md"), page.content)
            more = {name: value for name, value in beside[page.id].items() if value}
            said = {name: getattr(page, name) for name in ("slug", "version", *WHEN)}
            hand.append(_line({**said, **more}))
        _append(os.path.join(target, VERSIONS), map(_line, portable.versions(ids, private=private)))
        pages += len(ids)
        ctx.progress("pages", pages, pages)
    told: list[str] = []
    for rows in portable.facts(source, private=private):
        told += [_line(row) for row in rows]
        facts += len(rows)
        ctx.progress("facts", facts, facts)
    # Written late, and what names a page as part of the export: files of an earlier one that it does not name are left
    # out again on the way in.
    _write(os.path.join(target, HAND), "".join(hand))
    _write(os.path.join(target, FACTS), "".join(told))
    made = {"complete": True, "pages": pages, "facts": facts, "made_at": wire_time(ctx.now_text)}
    _write(os.path.join(target, MARK), _line({**whose, **made}))
    return Count(pages=pages, facts=facts)


def bring_in(ctx: Context, source: str, place: str, *, overwrite: bool, dry_run: bool) -> Count:
    """Take pages, and facts where there are some, into a source without a folder. Done twice it changes nothing.

    `place` is a folder of Markdown, a file of exported conversations, or a zip of either. Raises InvalidParams for any
    other place, and for a source with a folder, into which files are copied.
    """
    if ctx.store.sources.folder(source) is not None:
        raise InvalidParams(
            f"the pages of {source!r} come from a folder",
            f"copy the files into it and run: gbrain sync --source {source}; or name another source",
        )
    if os.path.isfile(place) and conversations.files(place):
        found = conversations.conversations(place, ctx.now)
        return _pages(ctx, source, found, Count(), overwrite=overwrite, dry_run=dry_run)
    if os.path.isfile(place) and zipfile.is_zipfile(place):
        with tempfile.TemporaryDirectory(prefix="gbrain-import-") as unpacked:
            _unpack(place, unpacked)
            return bring_in(ctx, source, unpacked, overwrite=overwrite, dry_run=dry_run)
    if not os.path.isdir(place):
        raise InvalidParams(
            f"{place} is neither a folder nor exported conversations (.json, .jsonl, .zip)",
            "put it into a folder of Markdown and import that; or keep its text as one page: gbrain put SLUG < FILE",
        )
    # Asked for the refusal alone: a folder that cannot be read should not come in as an empty one.
    folder.open_root(place)
    ours = os.path.isfile(os.path.join(place, MARK))
    if ours:
        _refuse_unfinished(place)
    root = os.path.join(place, PAGES) if ours else place
    listed = folder.listing(root) if not ours or os.path.isdir(root) else folder.Listing({}, [], [], [])
    left = [*listed.left_out, *([] if ours else _others(root, listed))]
    paths = sorted(listed.files)
    if ours:
        named = {f"{row['slug']}.md" for row in _rows(os.path.join(place, HAND))}
        left += [Trouble(path, None, NOT_EXPORTED, NOT_OURS) for path in paths if path not in named]
        paths = [path for path in paths if path in named]
    unclear: list[Trouble] = []
    drafts: Iterator[Named] = ((path, _draft(ctx, root, path, unclear, ours=ours)) for path in paths)
    if not ours:
        drafts = chain(conversations.conversations(place, ctx.now), drafts)
    count = Count(skipped=tuple(left))
    # The facts of an export come with all that is known of them, so its fences are text.
    count = _pages(ctx, source, drafts, count, overwrite=overwrite, dry_run=dry_run, facts=not ours)
    if ours and not dry_run:
        _bring_hand(ctx, source, os.path.join(place, HAND))
        _bring_versions(ctx, source, place)
    if ours:
        return _bring_facts(ctx, source, os.path.join(place, FACTS), count, dry_run=dry_run)
    return count._replace(doubts=tuple(unclear))


def _unpack(archive: str, target: str) -> None:
    """Unpack a zip. What nothing could be read from, such as images, is there by name alone.

    Raises InvalidParams for one that is damaged, needs a password, or holds more than fits.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                if info.filename.lower().endswith(READABLE):
                    packed.extract(info, target)
                elif not info.is_dir():
                    # As `extract` makes it, the path leads nowhere else.
                    place = os.path.join(target, *(part for part in info.filename.split("/") if part.strip(". ")))
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    _write(place, "")
    except (OSError, RuntimeError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise InvalidParams(
            f"{archive} cannot be unpacked ({error})", "unpack it yourself, then run: gbrain import FOLDER"
        ) from None


def _pages(
    ctx: Context,
    source: str,
    drafts: Iterator[Named],
    count: Count,
    *,
    overwrite: bool,
    dry_run: bool,
    facts: bool = True,
) -> Count:
    """Store drafts in short transactions; those the source has in other words are left unless `overwrite`."""
    pages, unchanged, skipped, seen = 0, 0, list(count.skipped), dict[str, str]()
    view = View((source,), True, ALWAYS)
    for batch in _batches(drafts):
        with ctx.store.transaction():
            there = ctx.store.files.taken(source, [draft.slug for _, draft in batch if isinstance(draft, Draft)])
            for path, draft in batch:
                if isinstance(draft, Trouble):
                    skipped.append(draft)
                    continue
                held = ctx.store.pages.get(view, draft.slug, deleted=True) if draft.slug in there else None
                if draft.slug in seen:
                    what = f"its slug, {draft.slug}, is that of {seen[draft.slug]} too"
                    skipped.append(Trouble(path, None, what, "rename one of the two"))
                    continue
                seen[draft.slug] = path
                # A deleted page counts too: its own text brings it back, another one does not take its place unasked.
                if held is not None and not overwrite and held.content != draft.content:
                    what = f"the source has another text for {draft.slug}"
                    skipped.append(Trouble(path, None, what, OTHER_TEXT))
                    continue
                if held is None and (second := _second(ctx, draft.slug)) is not None:
                    skipped.append(Trouble(path, None, second, f"to have both: --source {source}"))
                    continue
                if held is not None and held.deleted_at is None and held.content == draft.content:
                    unchanged += 1
                    continue
                pages += 1
                if not dry_run:
                    expected = None if held is None else held.version
                    stored = write(ctx, draft, expected, {}, reason=IMPORTED, join=False, facts=facts, links=False)
                    others = other_slugs(path, draft) if facts else []
                    ctx.store.former.lead(source, others, stored.written.page_id)
        ctx.progress("pages", pages + unchanged, pages + unchanged + BATCH)
    # Links wait until all pages are there: most point at pages that come later in the list.
    if not dry_run:
        reconcile_all(ctx, source)
        take_in_left(ctx, source)
    return count._replace(pages=pages, unchanged=unchanged, skipped=tuple(skipped))


def _second(ctx: Context, slug: str) -> str | None:
    """Why a page that another source has does not come into this one unasked."""
    try:
        refuse_second(ctx, slug)
    except InvalidParams as refused:
        return refused.message
    return None


def _batches(drafts: Iterator[Named]) -> Iterator[list[Named]]:
    batch: list[Named] = []
    for draft in drafts:
        batch.append(draft)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _draft(ctx: Context, root: str, path: str, unclear: list[Trouble], *, ours: bool) -> Draft | Trouble:
    """The page that a file is, or why it is none. What is unclear in it is added; an export was asked when it came."""
    try:
        content = folder.decoded(path, folder.take(root, path).data)
        if ours:
            return read(path.removesuffix(".md"), content, ctx.now).draft._replace(based_on=None)
        reading = read_file(path, content, ctx.now)
        unclear += doubts(path, reading)
        return reading.draft._replace(based_on=None)
    except folder.Unreadable as unreadable:
        return unreadable.trouble
    except FileNotFoundError:
        # Between the listing and the reading; editors save by renaming.
        return Trouble(path, None, "it has vanished", "run the same command again")
    except BrainError as error:
        line = error.detail.get("line") if isinstance(error.detail, dict) else None
        return Trouble(path, line, error.message.removeprefix(f"line {line} of the text: "), error.suggestion)


def _others(root: str, listed: folder.Listing) -> Iterator[Trouble]:
    """Every file that is not read, so that what came in and what did not can be counted."""
    told = {*listed.files, *(trouble.path for trouble in listed.left_out)}
    # Those are read by another reader and counted there.
    told |= {os.path.relpath(path, root) for path in conversations.files(root)}
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(place, name), root)
            # A name that is no UTF-8 arrives with lone surrogates, which neither JSON nor a store can hold.
            path = path.encode(errors="replace").decode()
            if path not in told and not name.startswith("."):
                yield Trouble(path, None, NO_PAGE, "keep it where it is; pages can link to it")


def _bring_hand(ctx: Context, source: str, path: str) -> None:
    """Tags, dated entries and links that were put on by hand, and the slugs that pages had before."""
    view = View((source,), True, ALWAYS)
    for row in _rows(path):
        with ctx.store.transaction():
            page = ctx.store.pages.get(view, row["slug"])
            # It was skipped, or its text could not be read.
            if page is None:
                continue
            if ctx.store.former.lead(source, map(normalise_slug, row.get("former", ())), page.id):
                appeared(ctx, page.id)
            for tag in row.get("tags", ()):
                ctx.store.tags.add(source, page.id, tag)
            for one in row.get("timeline", ()):
                ctx.store.timeline.add(
                    source, page.id, one["date"], one["summary"], one["source"], one["detail"], ctx.now_text
                )
            for link in row.get("links", ()):
                other = ctx.store.pages.get(view, link["target"])
                if other is not None:
                    ctx.store.links.add(
                        source, page.id, other.id, link["link_type"], link["link_source"], link["context"]
                    )


def _bring_versions(ctx: Context, source: str, place: str) -> None:
    """The number, the times and the older versions of the pages that came in."""
    beside = {row["slug"]: row for row in _rows(os.path.join(place, HAND))}
    pages = groupby(_rows(os.path.join(place, VERSIONS)), key=lambda row: str(row["slug"]))
    while True:
        with ctx.store.transaction():
            some = 0
            # `groupby` gives rows that hold only until the next group is asked for, so they are listed at once.
            for slug, rows in islice(pages, BATCH):
                some += 1
                versions = list(rows)
                # A page that moved on here, or whose export broke off, keeps the history it has.
                if slug in beside and versions[-1]["version"] == beside[slug]["version"]:
                    ctx.store.portable.put_versions(source, slug, beside[slug], versions)
        if not some:
            return


def _bring_facts(ctx: Context, source: str, path: str, count: Count, *, dry_run: bool) -> Count:
    """Facts as they were made and ended; one that is there already is known by its text, subject and moment."""
    ids, facts, known, rows = dict[int, int](), 0, 0, list(_rows(path))
    if dry_run:
        for row in rows:
            there = ctx.store.portable.held_fact(_new_fact(source, row), row["created_at"]) is not None
            facts, known = facts + (not there), known + there
        return count._replace(facts=facts, known_facts=known)
    for start in range(0, len(rows), BATCH):
        with ctx.store.transaction():
            for row in rows[start : start + BATCH]:
                id, new = ctx.store.portable.put_fact(_new_fact(source, row), row)
                ids[row["id"]] = id
                facts, known = facts + new, known + (not new)
        ctx.progress("facts", start, len(rows))
    with ctx.store.transaction():
        for row in rows:
            if row["superseded_by"] in ids:
                ctx.store.portable.set_successor(ids[row["id"]], ids[row["superseded_by"]])
    return count._replace(facts=facts, known_facts=known)


def _new_fact(source: str, row: dict[str, Any]) -> NewFact:
    kept = {name: row[name] for name in NewFact._fields if name in row}
    return NewFact(**{**kept, "source_id": source, "fingerprint": fingerprint(row["fact"])})


def _rows(path: str) -> Iterator[dict[str, Any]]:
    """The lines of a JSONL file; raises InvalidParams with the number of one that is none."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                assert isinstance(row, dict)
            except (ValueError, AssertionError):
                raise InvalidParams(
                    f"line {number} of {path} is no JSON object", "export again: gbrain export --dir FOLDER"
                ) from None
            yield row


def _refuse_unfinished(place: str) -> None:
    """Raise InvalidParams for an export that was broken off: what is missing in it cannot be told from what is not."""
    said = next(_rows(os.path.join(place, MARK)), {})
    if said.get("complete"):
        return
    command = f"gbrain export --dir {shlex.quote(place)} --source {said.get('source', 'SOURCE')}"
    more = " --include-private" if said.get("private") else ""
    raise InvalidParams(
        f"the export in {place} was broken off before it was complete",
        f"finish it where it was made, and import it then: {command}{more}",
    )


def _claim(target: str, source: str, brain: str, *, private: bool) -> None:
    mark = os.path.join(target, MARK)
    if os.path.isfile(mark):
        said = next(_rows(mark), {})
        if (said.get("brain"), said.get("source")) == (brain, source):
            if said.get("private") and not private:
                raise InvalidParams(
                    f"{target} holds private pages and facts of an earlier export",
                    "name a new folder: gbrain export --dir FOLDER; or add --include-private",
                )
            return
    elif not os.path.exists(target) or (os.path.isdir(target) and not os.listdir(target)):
        return
    raise InvalidParams(
        f"{target} is not empty, and no earlier export of this source", "name a new folder: gbrain export --dir FOLDER"
    )


def _write(path: str, text: str) -> None:
    """Replace a file as a whole; raises Unavailable where that cannot be done."""
    partial = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(partial, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(partial, path)
    except OSError as error:
        raise _unwritable(path, error) from None


def _append(path: str, lines: Iterable[str]) -> None:
    """Add lines to a file; raises Unavailable where that cannot be done."""
    try:
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path} cannot be written: {error.strerror}", "choose another folder: gbrain export --dir FOLDER"
    )


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"

"""The facts fence of a page, both ways: its rows become facts when the text is stored, and facts become rows of files.

A fact knows its row by a key that stands, hidden, in the row; so an index made anew from files has the facts it had,
and what was forgotten stays so.
"""

import os
import re
import time
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

from gbrain.domain.facts_fence import Fence, Malformed, Row, is_private, numbered, read_fence, with_fence
from gbrain.domain.fence_changes import Change, Known, changes
from gbrain.domain.markdown import unix_lines
from gbrain.domain.similarity import fingerprint
from gbrain.domain.slugs import page_type, tail, title_from_slug
from gbrain.domain.times import BEGINNING
from gbrain.errors import BrainError
from gbrain.ops.fenced import MARK
from gbrain.ops.memory import FACT_LENGTH, PROVENANCE_LENGTH
from gbrain.ops.saving import save
from gbrain.ops.writing import read_text, rewrite
from gbrain.registry import Context
from gbrain.store.fact_rows import KeptFact
from gbrain.store.facts import NewFact
from gbrain.types import Caller, Draft, Page, View

HINT = "correct the row: | # | claim | fact | 1.0 | world | medium | 2031-05-04 | | chat | |"
REASON = "facts"
ROWS_AT_ONCE = 20
"""So many rows become facts in one transaction; each is compared with what is known already, which takes 6 ms."""
BREATH = 0.008
"""Seconds between two of them: whoever waits for the store looks again within half of it."""
_SUCCESSOR = re.compile(r"superseded by #([0-9]{1,9})")
_FORGOTTEN = re.compile(r"forgotten: ([^|]+)")


class Problem(NamedTuple):
    """A row that is left out: its line in the whole text (from 1) and why."""

    line: int
    message: str
    private: bool


def problems(draft: Draft) -> list[Problem]:
    """The rows of a text's fence that cannot be read."""
    if MARK not in draft.content:
        return []
    fence = read_fence(_body(draft))
    # Lines are told of the whole text, as editors count them.
    above = draft.content[: draft.body_start].count("\n")
    bad = fence.malformed if fence is not None else []
    told = [Problem(above + one.line, f"a row of the facts is left out: {one.reason}", is_private(one)) for one in bad]
    for row in fence.facts if fence is not None else ():
        if len(row.claim) > FACT_LENGTH:
            told.append(Problem(above + 1, "a row of the facts is left out: it is too long", is_private(row)))
    return told


def follow_fence(ctx: Context, source: str, draft: Draft, before: Page | None) -> None:
    """Make facts of what the rows of a text just stored say, inside its transaction. Of many new ones `follow_rest`
    does the others.

    Of private facts a caller who does not see them can change none: those rows come back as they were.
    """
    held = read_fence(unix_lines(before.body)) if before is not None and MARK in before.body else None
    fence = read_fence(_body(draft)) if MARK in draft.content else None
    if fence is None and held is None:
        return
    own = ctx._replace(source=source, view=View((source,), not ctx.caller.remote, ctx.now_text))
    with ctx.store.engine.unveiled():
        left = fence is not None and _Reading(own, draft, fence, held).take_in()
        ctx.store.fact_rows.look_again(source, draft.slug)
        ctx.store.fact_rows.set_unread(source, draft.slug, unread=left)


def follow_rest(ctx: Context, source: str, slug: str, steps: Iterable[object] | None = None) -> None:
    """Make facts of the rows that `follow_fence` has left of a page, where it has, a few in each transaction: of all of
    them, or in as many `steps` as there are.

    It goes on where another process was broken off, and beside one that does the same. Not for use in a transaction.
    """
    own = ctx._replace(source=source, view=View((source,), not ctx.caller.remote, ctx.now_text))
    whole = View((source,), True, BEGINNING)
    rows, reading, at = ctx.store.fact_rows, None, None
    for _ in repeat(None) if steps is None else steps:
        # Other writers queue for the lock; without a pause the next transaction takes it again before them.
        time.sleep(BREATH if reading is not None else 0)
        with ctx.store.transaction(), ctx.store.engine.unveiled():
            waiting = rows.unread([source], slug)
            page = ctx.store.pages.get(whole, slug) if waiting else None
            if page is None:
                return
            if reading is None or at != (page.version, ctx.store.facts.last_id()):
                draft = read_text(ctx, slug, page.content).draft
                fence = read_fence(_body(draft))
                reading = _Reading(own, draft, fence, fence, new=True) if fence is not None else None
            left = reading is not None and reading.take_in()
            rows.set_unread(source, slug, unread=left)
            at = page.version, ctx.store.facts.last_id()


class _Reading:
    """One fence and the facts its rows are; `new` looks only at rows that are no facts."""

    def __init__(self, ctx: Context, draft: Draft, fence: Fence, before: Fence | None, *, new: bool = False) -> None:
        self._ctx = ctx
        self._draft = draft
        self._names = (draft.title, tail(draft.slug), *draft.aliases)
        shown = {row.key for row in before.facts if row.key} if before is not None else set()
        self._kept = [
            fact
            for fact in ctx.store.fact_rows.of(ctx.source, draft.slug)
            if ctx.view.private or fact.visibility == "world" or fact.row_key in shown
        ]
        self._by_id = {fact.id: fact for fact in self._kept}
        self._numbered = [row for row in numbered(fence.rows) if isinstance(row, Row)]
        self._rows = self._with_keys(fence.facts, before)
        self._keys = {row.key for row in self._rows}
        self._made: dict[int, int] = {}
        self._with_row: set[int] = set()
        known = [Known(fact.id, fact.row_key or f"#{fact.id}", row_of(fact), _is_live(fact)) for fact in self._kept]
        self._places = {id(row): at for at, row in enumerate(self._rows)}
        self._steps = [step for step in changes(self._rows, known) if step.what == "add" or not new]

    def take_in(self) -> bool:
        """Forget, replace and add, as many at once as may be; then say which ended fact came before which. Whether
        rows are left to add."""
        new = [step for step in self._steps if step.what == "add"]
        later = new[ROWS_AT_ONCE:]
        put_off = {id(step.row) for step in later}
        made = len(self._made)
        for step in self._steps:
            row = self._numbered[self._places[id(step.row)]]
            if id(step.row) not in put_off and len(row.claim) <= FACT_LENGTH:
                self._do(step, row, keyed=step.row.key is not None)
        self._steps = later
        if len(self._made) > made:
            self._name_successors()
        return bool(later)

    def _name_successors(self) -> None:
        ids = {fact.row_key: fact.id for fact in self._kept if fact.row_key is not None}
        held = {row.number: ids[own.key] for row, own in zip(self._numbered, self._rows, strict=True) if own.key in ids}
        facts = held | self._made
        for row in self._numbered:
            said = _SUCCESSOR.search(row.context) if row.struck else None
            after = int(said[1]) if said is not None else None
            new = row.number in self._made or after in self._made
            if new and row.number in facts and after in facts:
                self._end(facts[row.number], row, facts[after])

    def _with_keys(self, rows: Sequence[Row], before: Fence | None) -> list[Row]:
        """The rows, with the keys that they had while none was written behind them."""
        seen = {fact.row_key: fact.visibility for fact in self._kept if fact.row_key is not None}
        earlier: dict[int | None, str | None] = {}
        if before is not None:
            was = [row for row in numbered(before.rows) if isinstance(row, Row)]
            earlier = {row.number: row.key for row, own in zip(was, before.facts, strict=True) if own.key is None}
        made = []
        for row, full in zip(rows, self._numbered, strict=True):
            key = row.key or next((key for key in (full.key, earlier.get(full.number)) if key in seen), None)
            if self._draft.private:
                # A new world fact about a private page would tell that the page is there.
                row = row._replace(visibility=seen.get(key or "", "private"))  # type: ignore[arg-type]  # one of two
            made.append(row._replace(key=key))
        return made

    def _do(self, step: Change, row: Row, *, keyed: bool) -> None:
        rows, facts, now = self._ctx.store.fact_rows, self._ctx.store.facts, self._ctx.now_text
        assert row.key is not None
        key = step.row.key or row.key
        if step.what == "forget":
            assert step.id is not None
            said = _FORGOTTEN.search(row.context)
            facts.expire(self._ctx.view, step.id, said[1].strip() if said else None)
            return
        new = self._fact(step.row)
        if step.what == "replace":
            saved = save(self._ctx, new, self._names, replaces=step.id)
            assert step.id is not None
            # A key is of one fact: the row is the new one from here on.
            rows.set_key(step.id, None)
            rows.set_key(saved.id, key)
        elif row.struck:
            self._made[row.number or 0] = id = facts.insert(new, now)
            self._with_row.add(id)
            rows.set_key(id, key)
            self._end(id, row, None)
        else:
            self._made[row.number or 0] = id = self._add(new, key, keyed=keyed)
            self._with_row.add(id)

    def _add(self, new: NewFact, key: str, *, keyed: bool) -> int:
        """The fact of a row that has none. A row with a key was a fact before, and comes back just as it was."""
        rows, facts, now = self._ctx.store.fact_rows, self._ctx.store.facts, self._ctx.now_text
        new = new._replace(fingerprint=fingerprint(new.fact))
        # A text that was made from facts comes back, such as after a loss of the store: nothing is compared or replaced
        # anew.
        if keyed:
            same = facts.same(self._ctx.view, new)
            id = same.id if same is not None and not self._has_row(same.id) else facts.insert(new, now)
            rows.set_key(id, key)
            return id
        saved = save(self._ctx, new, self._names)
        if saved.status == "duplicate" and self._has_row(saved.id):
            # Each row is a fact: this one says what another says already.
            id = facts.insert(new, now)
            rows.set_key(id, key)
            rows.end(id, now, "superseded", saved.id)
            return saved.id
        rows.set_key(saved.id, key)
        return saved.id

    def _has_row(self, id: int) -> bool:
        fact = self._by_id.get(id)
        named = fact is not None and fact.row_key is not None and fact.row_key in self._keys
        return named or id in self._with_row

    def _end(self, id: int, row: Row, by: int | None) -> None:
        said = _FORGOTTEN.search(row.context)
        reason = "superseded" if by is not None else said[1].strip() if said else "forgotten"
        self._ctx.store.fact_rows.end(id, self._ctx.now_text, reason, by)

    def _fact(self, row: Row) -> NewFact:
        slug = self._draft.slug
        return NewFact(
            self._ctx.source,
            row.claim,
            row.kind,
            slug,
            None,
            slug,
            row.visibility,
            row.valid_from or self._ctx.now_text,
            row.valid_until,
            (row.source or f"the page {slug}")[:PROVENANCE_LENGTH],
            self._ctx.session,
            row.notability,
            row.confidence,
            row.context or None,
            fingerprint(row.claim),
        )


def row_of(fact: KeptFact) -> Row:
    """A fact as a row of a fence."""
    return Row(
        fact.fact,
        None,
        fact.row_key,
        fact.expired_at is not None,
        fact.kind,  # type: ignore[arg-type]  # the store holds nothing else
        round(fact.confidence, 2),
        fact.visibility,  # type: ignore[arg-type]  # as above
        fact.notability,
        fact.valid_from,
        fact.valid_until,
        fact.provenance,
        fact.context or "",
    )


def mirror_facts(ctx: Context, source: str, slug: str, *, new: bool = False) -> bool:
    """Bring the fence of a page's text in line with the facts about the page; whether the page was written.

    Rows are added where the page is a file that others may read, and never those of private facts; rows of facts that
    have ended are struck everywhere. `new` makes a page that says no more than its name and its facts, where there is
    none. Raises BrainError when the file cannot be written.
    """
    filed = ctx.store.sources.folder(source) is not None
    ctx = ctx._replace(
        source=source,
        caller=Caller.local("sweep")._replace(client="sweep"),
        view=View((source,), True, ctx.now_text),
        session=None,
    )
    seen: list[KeptFact] = []

    def compose(page: Page | None) -> str | None:
        with ctx.store.transaction():
            for fact in ctx.store.fact_rows.of(source, slug):
                if filed and fact.row_key is None and fact.visibility == "world":
                    # Kept before the text bears it: a kill in between leaves a key without a row, never a row without
                    # its fact.
                    ctx.store.fact_rows.set_key(fact.id, os.urandom(5).hex())
            seen[:] = ctx.store.fact_rows.of(source, slug)
        if page is None:
            return _first_text(slug, seen) if new else None
        return _with_facts(page, seen, add=filed and not page.private)

    stored = rewrite(ctx, slug, compose, reason=REASON, facts=False)
    with ctx.store.transaction():
        # Those that were read for the text just written: what changed since is due again.
        ctx.store.fact_rows.mark_mirrored(fact for fact in seen if fact.visibility == "world" or fact.row_key)
    return stored is not None


def strike(ctx: Context, pages: Sequence[tuple[str, str]]) -> None:
    """Strike at once, on these pages (source, slug) and in their files, the rows of facts that have just ended.

    A file that cannot be written is left to the next sweep, and the reply says so. Not for use in a transaction.
    """
    for source, slug in pages:
        # What writing the page has to say tells of its file and of facts that this caller may not see.
        own = ctx._replace(warnings=[])
        try:
            mirror_facts(own, source, slug)
        except (BrainError, OSError):
            ctx.warn(
                "row_not_struck",
                "the row in the page's file is not struck yet; the next sweep does it",
                suggestion="gbrain sweep --once",
            )


def _first_text(slug: str, facts: Sequence[KeptFact]) -> str | None:
    """A page for an entity that only facts told of; None when none of them is left to tell."""
    from gbrain.sources.frontmatter import compose  # yaml takes 20 ms to load, and few sweeps make a page

    rows = [row_of(fact) for fact in facts if fact.visibility == "world" and _is_live(fact)]
    if not rows:
        return None
    title = title_from_slug(slug)
    body = with_fence(f"# {title}\n", numbered(rows))
    return compose({"type": page_type(slug), "title": title, "slug": slug}, body, "")


def _with_facts(page: Page, facts: Sequence[KeptFact], *, add: bool) -> str | None:
    """The page's text with its facts as rows, new ones only to `add`; None when it says them already."""
    body = unix_lines(page.body)
    fence = read_fence(body)
    by_key = {fact.row_key: fact for fact in facts if fact.row_key is not None}
    rows: list[Row | Malformed] = []
    standing: dict[int, Row] = {}
    for row in numbered(fence.rows) if fence is not None else ():
        fact = by_key.get(row.key or "") if isinstance(row, Row) else None
        if fact is not None and isinstance(row, Row):
            row = _as_told(row, fact)
            standing[fact.id] = row
        rows.append(row)
    new = [fact for fact in facts if add and fact.visibility == "world" and fact.id not in standing]
    added = [row_of(fact) for fact in new if _is_live(fact)]
    rows = numbered([*rows, *added])
    numbers = {row.key: row.number for row in rows if isinstance(row, Row)}
    by_id = {fact.id: fact for fact in facts}
    rows = [
        _with_successor(row, by_key.get(row.key or ""), by_id, numbers) if isinstance(row, Row) else row for row in rows
    ]
    if not rows:
        return None
    made = with_fence(body, rows)
    if made == body:
        return None
    # Facts are rendered with plain line feeds; a page that has none of them keeps its own endings.
    if page.body.count("\r\n") == page.body.count("\n") > 0:
        made = made.replace("\n", "\r\n")
    return page.content[: len(page.content) - len(page.body)] + made


def _is_live(fact: KeptFact) -> bool:
    return fact.expired_at is None


def _as_told(row: Row, fact: KeptFact) -> Row:
    """A row as it stands, struck and dated as its fact is."""
    told = row_of(fact)
    row = row._replace(struck=told.struck, valid_until=told.valid_until, valid_from=told.valid_from)
    if told.struck and fact.superseded_by is None and "forgotten" not in row.context:
        said = fact.context if fact.context and "forgotten" in fact.context else "forgotten"
        row = row._replace(context=said)
    return row


def _with_successor(
    row: Row, fact: KeptFact | None, by_id: dict[int, KeptFact], numbers: dict[str | None, int | None]
) -> Row:
    """A struck row with the number of the one that came in its place, where that has a row."""
    after = by_id.get(fact.superseded_by) if fact is not None and fact.superseded_by is not None else None
    number = numbers.get(after.row_key) if after is not None else None
    if not row.struck or number is None or _SUCCESSOR.search(row.context):
        return row
    return row._replace(context=" | ".join(part for part in (row.context, f"superseded by #{number}") if part))


def _body(draft: Draft) -> str:
    return unix_lines(draft.content[draft.body_start :])


__all__ = ["HINT", "Problem", "follow_fence", "follow_rest", "mirror_facts", "problems", "row_of", "strike"]

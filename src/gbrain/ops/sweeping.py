"""The sweep: what follows from pages and facts and nobody waited for. Bounded, resumable, one at a time in a brain."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypedDict

from gbrain.domain.backlinks import uncited
from gbrain.domain.slugs import DIRECTORIES
from gbrain.errors import BrainError, Unavailable
from gbrain.ops.upkeep import CITING, NAMED
from gbrain.registry import Context
from gbrain.store.engine import Row
from gbrain.types import Page, View

LEASE, LEASE_SECONDS = "sweep", 60.0
SHOWN = 50
MOST = 100
CHECKED = "swept"
STOPPED = "stopped"


class Skipped(TypedDict):
    """Why something was left, and how often."""

    reason: str
    count: int


class Checked(TypedDict):
    """A page written since the last sweep that is not as it should be, and how often: lines without a source, people
    and companies it names that do not answer, references to no page."""

    source_id: str
    slug: str
    uncited: int
    unanswered: int
    unresolved: int


class SweepReply(TypedDict):
    """What a sweep did: banked turns it is done with, pages whose files got their facts, links and dated entries made
    and taken away, pages looked through. `left` counts pages and turns that the next sweep goes on with."""

    corpusIngested: int
    factsReconciled: int
    linksExtracted: int
    linksRemoved: int
    timelineExtracted: int
    timelineRemoved: int
    pagesChecked: int
    findings: list[Checked]
    left: int
    status: Literal["done", "partial", "busy", "failed"]
    skipped: list[Skipped]
    durationMs: int


class Stopped(Unavailable):
    """The process that sweeps ends: what is left is no failure, and the next sweep's."""


Pass = tuple[str, Callable[[], int]]
"""A part of a sweep: the reason that is told when it fails, and what it does; that tells how much is left."""


class Sweep:
    """One sweep, and what it has done so far."""

    def __init__(self, ctx: Context, sources: Sequence[str], seconds: float, batch: int) -> None:
        self._ctx = ctx
        self._sources = tuple(sources)
        self._began = time.monotonic()
        self._until = self._began + seconds
        self._batch = batch
        self._holder = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._skipped: dict[str, int] = {}
        self._told: SweepReply = {
            "corpusIngested": 0, "factsReconciled": 0, "linksExtracted": 0, "linksRemoved": 0, "timelineExtracted": 0,
            "timelineRemoved": 0, "pagesChecked": 0, "findings": [], "left": 0, "status": "done", "skipped": [],
            "durationMs": 0,
        }  # fmt: skip

    def run(self, *more: Pass) -> SweepReply:
        """Every pass, each by itself, and after them `more`."""
        # Every server of a brain sweeps; two at once would do the same work twice and write over each other's files.
        if not self._ctx.store.leases.take(LEASE, self._holder, LEASE_SECONDS):
            self.skip("sweep_in_progress")
            return self._reply("busy")
        passes: tuple[Pass, ...] = (
            ("facts_fence_error", self._rows),
            ("facts_fence_error", self._fences),
            ("links_timeline_error", self._links),
            ("validation_error", self._check),
            *more,
        )
        failed = 0
        try:
            for error, one in passes:
                try:
                    self._told["left"] += one()
                except Stopped:
                    self.skip(STOPPED)
                    return self._reply("partial")
                except BrainError as trouble:
                    # One part that fails holds back no other: a folder that is away must not keep turns from being
                    # read.
                    failed += 1
                    self.skip(error)
                    self._ctx.warn(error, trouble.message, suggestion=trouble.suggestion)
        finally:
            self._ctx.store.leases.give_back(LEASE, self._holder)
        if self._told["left"]:
            self.skip("budget_exhausted", self._told["left"])
        return self._reply("failed" if failed == len(passes) else "partial" if failed or self._told["left"] else "done")

    def _rows(self) -> int:
        """Pages of which rows wait to become facts, because whoever stored them was broken off."""
        rows = self._ctx.store.fact_rows
        for _ in self.steps("facts"):
            some = rows.unread(self._sources)
            for row in some:
                from gbrain.ops.fence import follow_rest  # the words that claims are compared by take 25 ms to load

                follow_rest(self._ctx, row["source_id"], row["slug"], self.steps("facts"))
            if not some:
                return 0
        return len(rows.unread(self._sources, limit=MOST))

    def _fences(self) -> int:
        sources = [source.id for source in self._ctx.store.sources.all() if source.local_path]
        sources = [source for source in sources if source in self._sources]
        rows, after = self._ctx.store.fact_rows, 0
        for _ in self.steps("facts"):
            some = rows.due(sources, after, self._batch) if sources else []
            for row in some:
                after = row["id"]
                self._mirror(row)
            if len(some) < self._batch:
                return self._first_pages(sources)
        # Those that failed stay due, and are no work that is left undone.
        return rows.count_due(sources) - self._skipped.get("facts_fence_page", 0)

    def _first_pages(self, sources: list[str]) -> int:
        """A page for every entity in a folder of entities that has facts and no page."""
        rows, after = self._ctx.store.fact_rows, 0
        some: list[Row] = []
        for _ in self.steps("facts"):
            some = rows.without_page(sources, after, self._batch) if sources else []
            for row in some:
                after = row["id"]
                if row["slug"].partition("/")[0] in DIRECTORIES:
                    self._mirror(row, new=True)
            if len(some) < self._batch:
                return 0
        return len(rows.without_page(sources, after, MOST))

    def _mirror(self, row: Row, *, new: bool = False) -> None:
        from gbrain.ops.fence import mirror_facts  # the words that claims are compared by take 25 ms to load

        try:
            self._told["factsReconciled"] += mirror_facts(self._ctx, row["source_id"], row["slug"], new=new)
        except BrainError as trouble:
            self.skip("facts_fence_page")
            self._ctx.warn("facts_fence_page", f"{row['slug']}: {trouble.message}", suggestion=trouble.suggestion)

    def _links(self) -> int:
        from gbrain.ops.wiring import pending, reconcile_pending  # the rules of links take 15 ms to load

        for _ in self.steps("links"):
            done = reconcile_pending(self._ctx, self._sources, self._batch)
            self._told["linksExtracted"] += done["links_created"]
            self._told["linksRemoved"] += done["links_removed"]
            self._told["timelineExtracted"] += done["timeline_created"]
            self._told["timelineRemoved"] += done["timeline_removed"]
            if not done["pages"]:
                break
        return pending(self._ctx, self._sources)

    def _check(self) -> int:
        """What was written since this pass was here last; a sweep of one source keeps its own place."""
        config, view = self._ctx.store.config, View(self._sources, True, self._ctx.now_text)
        whole = set(self._sources) == set(self._ctx.store.sources.ids())
        key = CHECKED if whole else f"{CHECKED} {','.join(self._sources)}"
        at = int(config.mark(key) or config.mark(CHECKED) or 0)
        for _ in self.steps("checks"):
            rows = self._ctx.store.pages.changed_after(view, at, self._batch)
            for row in rows:
                page = self._ctx.store.pages.get(view._replace(sources=(row["source_id"],)), row["slug"])
                if page is not None:
                    self._check_page(view, page)
            if rows:
                at = rows[-1]["changed"]
                # After each batch: a sweep that is broken off goes on here.
                config.set_mark(key, str(at))
            if len(rows) < self._batch:
                return 0
        return len(self._ctx.store.pages.changed_after(view, at, MOST))

    def _check_page(self, view: View, page: Page) -> None:
        self._told["pagesChecked"] += 1
        start = len(page.content) - len(page.body)
        found: Checked = {
            "source_id": page.source_id,
            "slug": page.slug,
            "uncited": sum(1 for _ in uncited(page.content, start)) if page.type in CITING else 0,
            "unanswered": self._ctx.store.upkeep.unanswered(page.id, NAMED),
            "unresolved": len(self._ctx.store.refs.unresolved(view, page.id, MOST, 0)),
        }
        for name in ("uncited", "unanswered", "unresolved"):
            if found[name]:
                self.skip(f"check_{name}", found[name])
        if (found["uncited"] or found["unanswered"] or found["unresolved"]) and len(self._told["findings"]) < SHOWN:
            self._told["findings"].append(found)

    def steps(self, what: str) -> Iterator[None]:
        """One step, and more while there is time; the lease is held on to."""
        # Before the first step too: a process that is ending raises here.
        self._ctx.progress(what, 0, 0)
        yield
        while time.monotonic() < self._until:
            self._ctx.progress(what, 0, 0)
            self._ctx.store.leases.take(LEASE, self._holder, LEASE_SECONDS)
            yield

    def ingested(self) -> None:
        """One banked turn is done with."""
        self._told["corpusIngested"] += 1

    def skip(self, reason: str, count: int = 1) -> None:
        """Something was left, or found, for this reason."""
        self._skipped[reason] = self._skipped.get(reason, 0) + count

    def _reply(self, status: Literal["done", "partial", "busy", "failed"]) -> SweepReply:
        skipped: list[Skipped] = [{"reason": reason, "count": count} for reason, count in self._skipped.items()]
        took = round((time.monotonic() - self._began) * 1000)
        return {**self._told, "status": status, "skipped": skipped, "durationMs": took}

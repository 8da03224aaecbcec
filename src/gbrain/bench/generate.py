"""Write an invented world into a brain, and keep it, so that the next run starts at once."""

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from gbrain.bars import bar
from gbrain.bench.world import Being, Size, World, spread
from gbrain.brain import Brain, open_home
from gbrain.domain.similarity import fingerprint
from gbrain.domain.times import store_time
from gbrain.home import DATABASE
from gbrain.registry import Progress, unseen
from gbrain.sources.pages import read_draft
from gbrain.store import engine
from gbrain.store.facts import NewFact
from gbrain.types import View

NOW = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
"""The moment at which every generated brain stands, so that each run reads the same."""

BY = "bench"
SENTENCES = 12
"""Of a page: some 120 words, which are one chunk."""
BATCH = 2000
"""Rows a transaction: a commit each would measure the disk and nothing else."""

_T = TypeVar("_T")
_LAYOUT = 6
"""Changes with what is generated, so that no run reads an older brain."""
_SOURCE = "default"
_TYPES = ("works_at", "knows", "part_of", "discussed_in", "founded")


def standing_clock() -> datetime:
    """The clock of a generated brain."""
    return NOW


def prepared(work: str, size: Size, seed: int, say: Callable[[str], None]) -> tuple[str, World]:
    """(the home of a generated brain that nobody has changed, its world); written when the folder has none."""
    world = World(size, seed)
    name = f"brain-{size.pages}-{size.links}-{size.aliases}-{size.facts}-seed{seed}-layout{_LAYOUT}-{_schema()}"
    home = os.path.join(work, name, ".gbrain")
    if not os.path.exists(home):
        began = time.perf_counter()
        partial = os.path.join(work, f"{name}.{os.getpid()}")
        os.makedirs(partial, exist_ok=True)
        try:
            made = open_home(os.path.join(partial, ".gbrain"), create=True, clock=standing_clock)
            with made as brain, bar() as progress:
                fill(brain, world, progress)
            if not os.path.exists(home):  # another run may have been quicker
                os.rename(partial, os.path.dirname(home))
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        say(f"  written in {time.perf_counter() - began:.0f} s; kept in {os.path.dirname(home)}")
    return home, world


def _schema() -> str:
    """The beginning of a digest of the schema: a brain of another one cannot be measured."""
    texts = sha256()
    for _, path in engine.steps(os.path.join(os.path.dirname(engine.__file__), "sql", "sqlite")):
        with open(path, "rb") as file:
            texts.update(file.read())
    return texts.hexdigest()[:8]


@contextmanager
def borrowed(home: str, work: str, name: str) -> Iterator[str]:
    """The folder for GBRAIN_HOME with a copy of a generated brain in it, gone afterwards."""
    base = os.path.join(work, f"run-{os.getpid()}-{name}")
    try:
        os.makedirs(os.path.join(base, ".gbrain"), mode=0o700)
        shutil.copyfile(os.path.join(home, DATABASE), os.path.join(base, ".gbrain", DATABASE))
        yield base
    finally:
        shutil.rmtree(base, ignore_errors=True)


def fill(brain: Brain, world: World, progress: Progress = unseen) -> None:
    """Write the pages, links, dated evidence and facts of a world into an empty brain."""
    rng = random.Random(f"{world.seed}:text")
    ids = _pages(brain, world, rng, progress)
    _links(brain, world, rng, ids, progress)
    _evidence(brain, world, rng, ids)
    _facts(brain, world, rng, progress)


def page_text(being: Being, body: str) -> str:
    """The Markdown of a page with this body: front matter with type, title and aliases before it."""
    aliases = "".join(f"  - {_quoted(alias)}\n" for alias in being.aliases)
    head = f"---\ntype: {being.type}\ntitle: {_quoted(being.title)}\n"
    return head + (f"aliases:\n{aliases}" if aliases else "") + f"---\n{body}\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'


def _pages(brain: Brain, world: World, rng: random.Random, progress: Progress) -> list[int]:
    ids: list[int] = []
    for part in _batches(world.beings):
        with brain.store.transaction():
            for being in part:
                at = NOW - timedelta(minutes=rng.randrange(5, 525_600))
                view = View((_SOURCE,), True, store_time(at))
                draft = read_draft(being.slug, page_text(being, world.body(rng, SENTENCES)), at)
                written = brain.store.pages.write(view, _SOURCE, draft, by=BY, reason=None, expected=None, blind=True)
                ids.append(written.page_id)
        progress("writing pages", len(ids), world.size.pages)
    return ids


def _links(brain: Brain, world: World, rng: random.Random, ids: Sequence[int], progress: Progress) -> None:
    done = 0
    for part in _batches(spread(rng, world), BATCH * 10):
        with brain.store.transaction():
            for origin, target in part:
                source = "mentions" if rng.random() < 0.1 else "manual"
                context = " ".join(world.words(rng, 6)) if rng.random() < 0.5 else None
                brain.store.links.add(_SOURCE, ids[origin], ids[target], rng.choice(_TYPES), source, context)
        done += len(part)
        progress("writing links", done, world.size.links)
    brain.store.refs.mark_wired(ids)


def _evidence(brain: Brain, world: World, rng: random.Random, ids: Sequence[int]) -> None:
    """A dated line for every second page."""
    for part in _batches(range(len(ids) // 2)):
        with brain.store.transaction():
            for _ in part:
                day = (NOW - timedelta(days=rng.randrange(365))).date().isoformat()
                line = " ".join(world.words(rng, 7))
                brain.store.timeline.add(_SOURCE, ids[world.known(rng)], day, line, None, None, store_time(NOW))


def _facts(brain: Brain, world: World, rng: random.Random, progress: Progress) -> None:
    """Facts in the order in which they were saved, the last hundredth of them on the last day."""
    count, year = world.size.facts, timedelta(days=364)
    numbers = range(count)
    for part in _batches(numbers):
        with brain.store.transaction():
            for number in part:
                _fact(brain, world, rng, number, NOW - timedelta(hours=25) - year * (1 - number / count))
        progress("writing facts", part[-1] + 1, count)


def _fact(brain: Brain, world: World, rng: random.Random, number: int, at: datetime) -> None:
    if number >= world.size.facts * 0.99:
        at = NOW - timedelta(minutes=1)
    text, kind = world.claim(rng, number)
    slug = world.beings[world.known(rng)].slug
    until = store_time(NOW + timedelta(days=rng.randint(-60, 90))) if rng.random() < 0.08 else None
    visible = "private" if rng.random() < 0.05 else "world"
    moment = store_time(at)
    new = NewFact(_SOURCE, text, kind, slug, None, slug, visible, moment, until, "bench, generated")
    new = new._replace(fingerprint=fingerprint(text))
    id = brain.store.facts.insert(new, moment)
    if rng.random() < 0.04:
        brain.store.facts.expire(View((_SOURCE,), True, moment), id, None)


def _batches(items: Sequence[_T], size: int = BATCH) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]

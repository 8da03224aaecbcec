"""`gbrain bench pages`: pages from a folder and into it, beside the bars they must reach."""

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from gbrain.bench.figures import Bar, Figure, timed, told
from gbrain.bench.generate import page_text
from gbrain.bench.machine import (
    Cost,
    Failed,
    described,
    disk_bytes,
    environment,
    fsync_ms,
    gbrain_command,
    kept,
    middle,
    once,
)
from gbrain.bench.world import Size, World
from gbrain.brain import open_brain
from gbrain.domain.slugs import path_slug
from gbrain.errors import BrainError

IMPORTED = 2000
"""Pages of the import that has a bar: about 1.5 MB of text with 3.2 links a page."""
LINKS = (3, 3, 3, 3, 4)
RUNS = 5
PUT_BYTES = 2048

_MB = 1_000_000


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench pages --help`."""

    pages: int
    calls: int
    seed: int
    work: str | None
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    work = kept(asked.work)
    base = tempfile.mkdtemp(prefix=f"run-{os.getpid()}-", dir=work)
    try:
        figures = [
            *imported(os.path.join(base, "small"), min(IMPORTED, asked.pages), asked.seed),
            *synced(os.path.join(base, "large"), asked.pages, asked.seed),
            *put(os.path.join(base, "put"), asked.calls),
        ]
        head = {**described(), "pages": asked.pages, "seed": asked.seed, "fsync_ms": round(fsync_ms(base), 3)}
    except (Failed, BrainError, OSError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return told(head, figures, asked.json, strict=asked.strict)


def imported(base: str, pages: int, seed: int) -> list[Figure]:
    """A folder taken in whole by one process, and what it leaves on the disk."""
    print(f"  measuring: {pages:,} new files", flush=True)
    _prepared(base, pages, seed)
    cost = _sync(base)
    size = disk_bytes(os.path.join(base, ".gbrain")) / _MB
    return [
        Figure("folder", f"{pages:,} new files", "s", 1, _numbers(cost), (Bar("cpu s", 3.0),)),
        Figure("disk", f"{pages:,} pages", "MB", 1, {"size": size}, (Bar("size", 10.0),)),
    ]


def synced(base: str, pages: int, seed: int) -> list[Figure]:
    """A large folder gone through again by whole processes: nothing changed, one file changed, one file moved."""
    print(f"  measuring: a folder of {pages:,} files", flush=True)
    paths = _prepared(base, pages, seed)
    first = _sync(base)
    rng = random.Random(f"{seed}:changes")

    def change(at: int) -> None:
        with open(os.path.join(base, "notes", rng.choice(paths)), "a", encoding="utf-8") as file:
            file.write(f"\nSeen again, {at}.\n")

    def move(at: int) -> None:
        path = os.path.join(base, "notes", paths.pop(rng.randrange(len(paths))))
        os.rename(path, f"{path.removesuffix('.md')}-moved-{at}.md")

    def nothing(at: int) -> None:
        pass

    figures = [Figure("folder", f"{pages:,} new files", "s", 1, _numbers(first))]
    kinds: dict[str, Callable[[int], None]] = {"nothing changed": nothing, "one changed": change, "one moved": move}
    for name, act in kinds.items():
        costs: list[Cost] = []
        for at in range(RUNS):
            act(at)
            costs.append(_sync(base))
        bars = (Bar("cpu s", 0.4),) if name == "one changed" else ()
        figures.append(Figure("folder", f"{name} of {pages:,}", "s", RUNS, _numbers(middle(costs)), bars))
    return figures


def put(base: str, calls: int) -> list[Figure]:
    """put_page of a page of 2 kB, durable: in the store alone, and through to a file.

    `floor` is the time of as many bare fsyncs as it takes, in the same minute: one for the commit, and two for a file
    and its folder. `times` is how much longer the median write takes.
    """
    print("  measuring: put_page", flush=True)
    world = World(Size.of(50), 1)
    rng = random.Random("put")
    os.makedirs(os.path.join(base, "notes"))
    figures = []
    home = os.path.join(base, ".gbrain")
    with open_brain(home, create=True) as brain:
        brain.sources_add(id="notes", path=os.path.join(base, "notes"))
    for name, source, fsyncs in (("in the store", "default", 1), ("and in its file", "notes", 3)):
        texts = [{"slug": f"notes/n{at}", "content": _long(world, rng)} for at in range(calls)]
        with open_brain(home, source=source) as brain:
            numbers = timed(partial(brain.call, "put_page"), texts)
            floor = fsyncs * fsync_ms(base)
            numbers |= {"floor": floor, "times": numbers["p50"] / floor}
            figures.append(Figure("put_page", f"2 kB, {name}", "ms", calls, numbers, (Bar("p50", 8.0),)))
    return figures


def _long(world: World, rng: random.Random) -> str:
    text = "---\ntitle: " + " ".join(world.words(rng, 3)) + "\ntags: [bench]\n---\n"
    while len(text) < PUT_BYTES:
        text += world.body(rng) + "\n\n"
    return text[:PUT_BYTES]


def _prepared(base: str, pages: int, seed: int) -> list[str]:
    """A folder of files with a brain beside it that has it as a source; the paths of the files."""
    world, rng = World(Size.of(pages), seed), random.Random(f"{seed}:files")
    # As a path has no accents, two names can have one; the number keeps them apart.
    slugs = [path_slug(f"{being.slug}-{at}") for at, being in enumerate(world.beings)]
    paths = [f"{slug}.md" for slug in slugs]
    for being, path in zip(world.beings, paths, strict=True):
        file = os.path.join(base, "notes", path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        links = [rng.choice(slugs) for _ in range(rng.choice(LINKS))]
        body = world.body(rng) + "\n\n" + " ".join(f"Met [[{slug}]]." for slug in links)
        with open(file, "w", encoding="utf-8") as made:
            made.write(page_text(being, body))
    with open_brain(os.path.join(base, ".gbrain"), create=True) as brain:
        brain.sources_add(id="notes", path=os.path.join(base, "notes"))
    return paths


def _sync(base: str) -> Cost:
    return once([*gbrain_command(), "sync", "--source", "notes", "--json"], environment(base))


def _numbers(cost: Cost) -> dict[str, float]:
    return {"cpu s": cost.cpu, "wall s": cost.wall}

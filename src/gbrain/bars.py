"""A bar for long work, shown to a person at a terminal and to nobody else."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 0.5
"""Seconds before a bar appears: what is done sooner needs none."""


@contextmanager
def bar(*, shown: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """What to tell of the progress: of which work, how much is done, of how much (0: nobody knows)."""
    if not (shown and watched()):
        yield lambda what, done, of: None
        return
    started = time.monotonic()
    made: list[Progress] = []

    def tell(what: str, done: int, of: int) -> None:
        if not made and time.monotonic() - started < PATIENCE:
            return
        if not made:
            made.append(_started(what))
        made[0].update(made[0].task_ids[0], description=what, completed=done, total=of or None)

    try:
        yield tell
    finally:
        for progress in made:
            progress.stop()


@contextmanager
def lines(note: Callable[[str], None], *, shown: bool = True) -> Iterator[Callable[[str], None]]:
    """What to tell, a line at a time, of work of which nobody knows how much there is: beside a bar for a person, to
    `note` for everybody else."""
    with bar(shown=shown) as tell:
        yield (lambda line: tell(line, 0, 0)) if shown and watched() else note


def watched() -> bool:
    """Whether a person sees what is written to stderr, on a terminal that can draw over a line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _started(what: str) -> "Progress":
    # 45 ms, and only a person who waits sees a bar.
    from rich.console import Console
    from rich.progress import Progress

    made = Progress(console=Console(stderr=True), transient=True)
    made.start()
    made.add_task(what, total=None)
    return made

"""Three writers on one page: what one was told is written stays, until somebody who has read it takes it out."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, open_brain
from gbrain.domain.places import Selection
from gbrain.errors import VersionConflict

RUNS = 2000
FILED = RUNS if os.environ.get("SLOW_TESTS") == "1" else 60
"""Runs on pages that are files too, with somebody at an editor; all of them take minutes."""
STEPS = 5


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder: Path = tmp_path_factory.mktemp("writers")
    with open_brain(str(folder / "home"), create=True) as made:
        # Thousands of commits, none of which has to outlive the power.
        made.store.engine.rows("pragma synchronous = off")
        (folder / "notes").mkdir()
        made.sources_add(id="filed", path=str(folder / "notes"))
        yield made


def edited(path: Path, number: int, chance: random.Random) -> None:
    """A line more, less or changed in the file, as an editor saves it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = chance.randrange(len(lines) + 1)
    lines[at : at + chance.randint(0, 1)] = [f"saved {number}"] if chance.random() < 0.7 else []
    path.write_text("".join(line + "\n" for line in lines) or "saved all away\n", encoding="utf-8")


class Writer:
    """One who reads the page, changes its lines, and writes it on the version that was read."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.name = name
        self.chance = chance
        self.made = 0

    def read(self, version: int, lines: list[str]) -> None:
        self.version = version
        self.base = lines
        self.lines = list(lines)

    def edit(self) -> None:
        """One to three insertions, changes or deletions; every line that anybody makes is unlike all others."""
        for _ in range(self.chance.randint(1, 3)):
            at = self.chance.randrange(len(self.lines) + 1)
            kind = self.chance.choice(("insert", "change", "delete")) if at < len(self.lines) else "insert"
            new = [] if kind == "delete" else [f"{self.name} wrote {self.made}"]
            self.made += 1
            self.lines[at : at + (kind != "insert")] = new


def lines_of(brain: Brain, slug: str) -> tuple[int, list[str]]:
    page = brain.get_page(slug=slug)
    return page["version"], page["compiled_truth"].split("\n") if page["compiled_truth"] else []


def write(brain: Brain, slug: str, writer: Writer) -> dict[str, Any] | VersionConflict:
    content = "".join(line + "\n" for line in writer.lines)
    try:
        done: dict[str, Any] = brain.put_page(
            slug=slug, content=content, expected_version=writer.version, allow_empty=True
        )
    except VersionConflict as conflict:
        return conflict
    return done


def run(brain: Brain, number: int, folder: Path | None = None) -> tuple[int, int]:
    """One page and its three writers; how many writes were merged and how many refused.

    With a folder, somebody saves the page's file between the writes.
    """
    chance = random.Random(number)
    slug = f"notes/run-{number}"
    start = range(0 if folder is None else 1, chance.randint(1, 12))
    brain.put_page(slug=slug, content="".join(f"start {line}\n" for line in start))
    file = folder and folder / f"{slug}.md"
    version, truth = lines_of(brain, slug)
    writers = [Writer(name, chance) for name in ("ann", "bo", "cy")]
    for writer in writers:
        writer.read(version, truth)
    merged = refused = 0
    for step in range(STEPS):
        writer = chance.choice(writers)
        writer.edit()
        if file is not None and chance.random() < 0.5:
            edited(file, step, chance)
            truth = file.read_text(encoding="utf-8").splitlines()
        outcome = write(brain, slug, writer)
        version, found = lines_of(brain, slug)
        if file is not None:
            assert file.read_text(encoding="utf-8").splitlines() == found
        if isinstance(outcome, VersionConflict):
            refused += 1
            assert found == truth
            said = [line for hunk in outcome.detail["hunks"] for line in (hunk["yours"] + hunk["current"]).split("\n")]
            assert {line for line in said if line} <= {*truth, *writer.lines}
            assert outcome.detail["current_version"] == version
        else:
            merged += outcome.get("merged", False)
            gone, new = set(writer.base) - set(writer.lines), set(writer.lines) - set(writer.base)
            assert set(found) == (set(truth) - gone) | new
            assert len(found) == len(set(found))
            for order in (truth, writer.lines):
                kept = [line for line in order if line in found]
                assert kept == [line for line in found if line in order], "nothing changes its place"
            truth = found
        if chance.random() < 0.6 or isinstance(outcome, VersionConflict):
            writer.read(version, found)
    return merged, refused


@pytest.mark.slow
def test_every_acknowledged_line_is_there(brain: Brain) -> None:
    brain.selection = Selection(flag="default")
    counts = [run(brain, number) for number in range(RUNS)]
    # Runs in which nobody is behind would prove nothing.
    assert sum(merged for merged, _ in counts) > RUNS / 4
    assert sum(refused for _, refused in counts) > RUNS / 4


@pytest.mark.slow
def test_every_line_in_a_file_is_there_too(brain: Brain) -> None:
    brain.selection = Selection(flag="filed")
    folder = Path(next(row["local_path"] for row in brain.sources_list()["sources"] if row["id"] == "filed"))
    counts = [run(brain, number, folder) for number in range(FILED)]
    assert sum(merged for merged, _ in counts) > FILED / 4
    assert sum(refused for _, refused in counts) > FILED / 4

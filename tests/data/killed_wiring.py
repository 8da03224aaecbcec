"""Joins a home to a brain, or takes the brain out of it, and is killed before each STRIDEth step the disk would see.

    killed_wiring.py BASE FOLDER apply|remove STRIDE

BASE has a brain, FOLDER is a home with files of agents. After each kill gbrain is taken out by another process. Prints
a JSON line a kill: the step, what is not as before any of it, and whether a receipt is left.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from killed import killed_at

from gbrain.entry.cli.harness import wanted
from gbrain.harnesses import known, receipt as receipts, wiring

NOW = datetime(2031, 5, 4, tzinfo=UTC)


def apply(home: str) -> None:
    """Join every harness."""
    with receipts.locked(home):
        chosen = [(facts, wanted(home)) for facts in known.EVERY]
        wiring.apply(home, wiring.plan(chosen, receipts.read(home)), chosen, NOW)


def remove(home: str) -> None:
    """Take gbrain out of every harness."""
    with receipts.locked(home):
        receipt = receipts.read(home)
        wiring.remove(home, wiring.plan_removal(wiring.wired(receipt), receipt), NOW)


def in_child(home: str, work: Callable[[str], None]) -> None:
    """Do the work in a process of its own."""
    killed_at(1_000_000, lambda: work(home))


def contents(folder: Path) -> dict[str, str]:
    """Every file and folder below, with what it holds."""
    return {str(path.relative_to(folder)): path.read_text() if path.is_file() else "/" for path in folder.rglob("*")}


def main() -> int:
    """Kill at every step of the scenario of the command line."""
    home, original, scenario = str(Path(sys.argv[1], ".gbrain")), Path(sys.argv[2]), sys.argv[3]
    folder = original.parent / "home"
    os.environ |= {"HOME": str(folder), "GBRAIN_HOME": sys.argv[1]}
    step, ended = 0, False
    while not ended:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(original, folder)
        shutil.rmtree(Path(home, "bootstrap"), ignore_errors=True)
        if scenario == "remove":
            in_child(home, apply)
        ended = killed_at(step, lambda: (apply if scenario == "apply" else remove)(home))
        in_child(home, remove)
        rest = Path(receipts.path(home)).exists()
        wrong = sorted(name for name, _ in contents(folder).items() ^ contents(original).items())
        print(json.dumps({"step": step, "wrong": wrong, "receipt": rest}))
        step += int(sys.argv[4])
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Joins a home to a brain, or takes the brain out of it, and is killed before each STRIDEth step the disk would see.

    killed_wiring.py BASE FOLDER apply|remove STRIDE

BASE has a brain, FOLDER is a home with files of agents. After each kill gbrain is taken out by another process. Prints
a JSON line a kill: the step, what is not as before any of it, and whether a receipt is left.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gbrain.entry.cli.harness import wanted
from gbrain.harnesses import known, receipt as receipts, wiring

STEPS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "subprocess.Popen")
NOW = datetime(2031, 5, 4, tzinfo=UTC)


def is_step(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the disk, or another process, would see what is about to happen."""
    if event == "open":
        return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in STEPS


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


def killed_at(step: int, home: str, work: Callable[[str], None]) -> bool:
    """Do the work in a process that is killed before a step; whether it came to its end."""
    child = os.fork()
    if child == 0:
        left = [step]

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if is_step(event, arguments):
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        work(home)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)


def in_child(home: str, work: Callable[[str], None]) -> None:
    """Do the work in a process of its own."""
    killed_at(1_000_000, home, work)


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
        ended = killed_at(step, home, apply if scenario == "apply" else remove)
        in_child(home, remove)
        rest = Path(receipts.path(home)).exists()
        wrong = sorted(name for name, _ in contents(folder).items() ^ contents(original).items())
        print(json.dumps({"step": step, "wrong": wrong, "receipt": rest}))
        step += int(sys.argv[4])
    return 0


if __name__ == "__main__":
    sys.exit(main())

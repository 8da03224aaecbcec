"""Backs a brain up, or puts a backup back over one, and is killed before each STRIDEth step the disk would see.

    killed_backup.py HOME create|restore STRIDE

HOME has a brain; for `restore` it has a backup of an earlier state of it, too. Prints a JSON line a kill: the step,
what is wrong with the backups that are there afterwards, and what the same command makes of it when it is run again.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from gbrain import backups
from gbrain.backing_up import create, verify
from gbrain.brain import open_home
from gbrain.putting_back import restore

STEPS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir")


def is_step(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the disk would see what is about to happen."""
    if event == "open":
        return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in STEPS


def work(home: str, scenario: str) -> None:
    """The command, once."""
    if scenario == "create":
        with open_home(home) as brain:
            create(brain, None, 2, lambda text: None)
    else:
        restore(backups.find(home, backups.LATEST), home, None, True, lambda text: None)


def killed_at(step: int, home: str, scenario: str) -> bool:
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
        work(home, scenario)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)


def facts(home: str) -> list[str]:
    """What the brain knows, oldest first; empty where there is none."""
    if not os.path.exists(os.path.join(home, "brain.db")):
        return []
    with open_home(home) as brain:
        return sorted(row["fact"] for row in brain.recall()["facts"])


def main() -> int:
    """Kill at every step of the scenario of the command line."""
    original, scenario = Path(sys.argv[1]), sys.argv[2]
    home = original.parent / "killed"
    step, ended = 0, False
    while not ended:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(original, home)
        listed = home / backups.LIST
        if listed.exists():
            listed.write_text(listed.read_text().replace(str(original), str(home)))
        ended = killed_at(step, str(home), scenario)
        there = backups.made(str(home))
        wrong = [line for one in there if one.whole for line in verify(one.path)[1]]
        partial = [str(path) for path in home.glob("backups/.partial-*")]
        known = [one.path for one in there if not one.whole]
        after = facts(str(home))
        assert killed_at(1_000_000, str(home), scenario)
        left = [path.name for path in (*home.glob("backups/.partial-*"), *home.glob(".restoring"))]
        told = {"step": step, "wrong": wrong, "unlisted": sorted(set(partial) - set(known)), "facts": after}
        kept = sorted({fact for path in home.glob("replaced/*/brain.db") for fact in kept_facts(path)})
        print(json.dumps({**told, "left": left, "again": facts(str(home)), "kept": kept}))
        step += int(sys.argv[3])
    return 0


def kept_facts(path: Path) -> list[str]:
    """What a brain that was replaced knows."""
    shutil.rmtree(path.parents[2] / "looked", ignore_errors=True)
    folder = path.parents[2] / "looked"
    folder.mkdir()
    for one in path.parent.glob("brain.db*"):
        shutil.copy(one, folder)
    return facts(str(folder))


if __name__ == "__main__":
    sys.exit(main())

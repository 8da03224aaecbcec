"""Backs a brain up, or puts a backup back over one, and is killed before each STRIDEth step the disk would see.

    killed_backup.py HOME create|restore STRIDE

HOME has a brain; for `restore` it has a backup of an earlier state of it, too. Prints a JSON line a kill: the step,
what is wrong with the backups that are there afterwards, and what the same command makes of it when it is run again.
"""

import json
import os
import shutil
import sys
from pathlib import Path

from killed import killed_at

from gbrain import backups
from gbrain.backing_up import create, verify
from gbrain.brain import open_home
from gbrain.putting_back import restore


def work(home: str, scenario: str) -> None:
    """The command, once."""
    if scenario == "create":
        with open_home(home) as brain:
            create(brain, None, 2, lambda text: None)
    else:
        restore(backups.find(home, backups.LATEST), home, None, True, lambda text: None)


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
        ended = killed_at(step, lambda: work(str(home), scenario))
        there = backups.made(str(home))
        wrong = [line for one in there if one.whole for line in verify(one.path)[1]]
        partial = [str(path) for path in home.glob("backups/.partial-*")]
        known = [one.path for one in there if not one.whole]
        after = facts(str(home))
        assert killed_at(1_000_000, lambda: work(str(home), scenario))
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

"""Kills a writer before each of its steps in turn, and tells what the next sync makes of what it left behind.

Run with a scenario and an empty folder; prints one JSON line for each step, the last one for a writer that lived on. A
step is a call of the system or of the database, as the interpreter's own profiler sees it.
"""

import json
import os
import shutil
import signal
import sys
from typing import Any

from gbrain import Brain, open_brain
from gbrain.sources import merge  # noqa: F401 - loaded once, not in every child

STEPS = {"execute", "open", "write", "fsync", "utime", "fchmod", "replace", "rename", "unlink", "mkdir", "close"}
LAPSED = "---\ntitle: A\nexpiry: 2020-01-01\n---\nOne.\n"
PERSON = "---\ntitle: A\ntype: person\n---\nOne.\n"
OLD, NEW, SAVED = "---\ntitle: A\n---\nOne.\n\nTwo.\n", "---\ntitle: A\n---\nOne, written.\n\nTwo.\n", "Three, saved.\n"


def prepare(base: str, scenario: str) -> None:
    notes = os.path.join(base, "notes")
    os.mkdir(notes)
    with open_brain(os.path.join(base, "home"), create=True) as brain:
        brain.sources_add(id="work", path=notes)
        if scenario != "create":
            save(base, {"purge": LAPSED, "fence": PERSON}.get(scenario, OLD))
            brain.sync_brain()
    if scenario == "restore":
        with opened(base) as brain:
            brain.delete_page(slug="a")
    if scenario == "revert":
        with opened(base) as brain:
            brain.put_page(slug="a", content=NEW, expected_version=1)
    if scenario == "fence":
        with opened(base) as brain:
            brain.remember(fact="likes tea", provenance="a test", entity="a")
            brain.sweep()
    if scenario in ("merge", "sync"):
        save(base, OLD + "\n" + SAVED)


def save(base: str, text: str) -> None:
    with open(os.path.join(base, "notes", "a.md"), "w", encoding="utf-8") as file:
        file.write(text)


def opened(base: str) -> Brain:
    return open_brain(os.path.join(base, "home"), source="work")


def act(brain: Brain, scenario: str) -> None:
    if scenario == "delete":
        brain.delete_page(slug="a")
    elif scenario == "restore":
        brain.restore_page(slug="a")
    elif scenario == "revert":
        brain.revert_version(slug="a", version_id=1)
    elif scenario == "purge":
        brain.purge(expired=True, dry_run=False)
    elif scenario == "sync":
        brain.sync_brain()
    elif scenario == "fence":
        brain.forget(id="1")
        brain.sweep()
    else:
        brain.put_page(slug="a", content=NEW, expected_version=0 if scenario == "create" else 1)


def child(base: str, scenario: str, last: int) -> bool:
    """Whether a writer that may take `last` steps lived to say that it was done."""
    pid = os.fork()
    if pid == 0:
        brain, taken = opened(base), 0

        def count(frame: Any, event: str, arg: Any) -> None:
            nonlocal taken
            if event == "c_call" and arg.__name__ in STEPS:
                taken += 1
                if taken > last:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        act(brain, scenario)
        sys.setprofile(None)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def outcome(base: str) -> dict[str, Any]:
    """What a fresh process finds after one sync: the file, the page, every version, and what a second sync does."""
    with opened(base) as brain:
        first = brain.sync_brain()["sources"][0]
        again = brain.sync_brain()["sources"][0]
        rows = brain.store.engine.rows("select version, content from page_versions order by version")
        pages = brain.store.engine.rows("select version, deleted_at from pages")
        path = os.path.join(base, "notes", "a.md")
        text = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
        live = bool(pages) and pages[0]["deleted_at"] is None
        return {
            "file": text,
            "page": rows[-1]["content"] if live else None,
            "versions": [row["content"] for row in rows],
            "sync": first["status"],
            "again": again["status"],
            "live": live_facts(brain),
            "swept": swept(brain, path) if text and "gbrain:facts" in text else "",
            "hidden": [name for name in os.listdir(os.path.join(base, "notes")) if name.startswith(".gbrain")],
        }


def live_facts(brain: Brain) -> int:
    """How many facts hold."""
    return int(brain.store.engine.rows("select count(*) as n from facts where expired_at is null")[0]["n"])


def swept(brain: Brain, path: str) -> str:
    """The file after one more sweep, once the lease of the one that was killed has run out."""
    brain.store.engine.rows("delete from leases")
    brain.sweep()
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(scenario: str, work: str, stride: str = "1") -> None:
    template = os.path.join(work, "template")
    os.mkdir(template)
    prepare(template, scenario)
    for last in range(0, 2000, int(stride)):
        base = os.path.join(work, "run")
        shutil.copytree(template, base)
        place = {"path": os.path.join(base, "notes")}
        with open_brain(os.path.join(base, "home")) as brain:
            brain.store.engine.rows("update sources set local_path = :path where id = 'work'", place)
        done = child(base, scenario, last)
        print(json.dumps({"last": last, "done": done, **outcome(base)}), flush=True)
        shutil.rmtree(base)
        if done:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Two processes that write memory at once lose nothing and write nothing twice."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import databases
from gbrain import home as homes, open_brain

CALLS = 100
SESSION = """
import json, sys
from gbrain import MemoryWriter, open_brain

home, name, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_brain(home) as brain:
    writer = MemoryWriter(brain, provenance=name)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(calls):
        said = f"{name} says {number}"
        if number % 4 == 0:
            writer.save_user_profile(said, "yes")
        elif number % 4 == 1:
            writer.record_feedback(said, number % 3 == 0, "because")
        elif number % 4 == 2:
            writer.update_project_context({said: number}, project="lantern")
        else:
            writer.add_reference("sailing", f"{said} knots{name}{number}", tags=[name])
            found = [hit["slug"] for hit in brain.search(f"knots{name}{number}")]
            assert found == ["memory/reference/sailing"], found
print("done", flush=True)
"""


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_every_entry_is_there_once(engine: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if engine == "postgres":
        home.mkdir(0o700)
        homes.set_database_url(str(home), databases.emptied())
    open_brain(str(home), create=True).close()
    sessions = [
        subprocess.Popen(
            [sys.executable, "-c", SESSION, str(home), name, str(CALLS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ),
        )
        for name in ("ann", "bo")
    ]
    for session in sessions:
        assert session.stdout is not None
        assert session.stdout.readline() == "ready\n"
    told = [session.communicate("go\n", timeout=120)[0] for session in sessions]
    assert told == ["done\n", "done\n"]
    with open_brain(str(home)) as brain:
        slugs = [row["slug"] for row in brain.list_pages(limit=100)]
        text = "\n".join(json.dumps(brain.get_page(slug)["compiled_truth"], ensure_ascii=False) for slug in slugs)
        versions = {slug: brain.get_page(slug)["version"] for slug in slugs}
    assert Counter(re.findall(r"\b(?:ann|bo) says \d+\b", text)) == {
        f"{name} says {number}": 1 for name in ("ann", "bo") for number in range(CALLS)
    }
    assert sum(versions.values()) == 2 * CALLS

"""Every example is run: those of the commands' help, of the operations, and of all documents but the guides."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from commandline import Gbrain
from gbrain.bench.everything import BEGIN, END
from gbrain.brain import open_brain
from gbrain.entry.cli import reference
from gbrain.entry.cli.command import Command, Group
from gbrain.registry import load_all
from http_server import HttpServer
from stdio_server import local_brain, make_brain

ROOT = Path(__file__).parents[2]
# A line of a guide builds on those before it: test_pages runs the guides as a whole.
GUIDES = [ROOT / "docs" / "quickstart.md", *ROOT.glob("docs/how-to/*.md")]
DOCUMENTS = [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if path not in GUIDES]

DANA = "---\ntype: person\ntitle: Dana Oakes\ntags: [founder]\n---\n\nLeads the river survey, draft {draft}.\n"
DATABASE = "postgresql://gbrain@db.example/gbrain"
SERVER = "https://brain.example.com"
# A measurement of its real size takes minutes; this is the same command on a small brain.
SMALL = {
    "gbrain bench all": "--only retrieval-words --work .",
    "gbrain bench retrieval": "--no-vectors",
    "gbrain bench hook": "--calls 3 --busy 1",
    "gbrain bench vectors": "--rows 300 --calls 3 --work .",
    "gbrain bench latency": "--pages 40 --calls 2 --only operations --work .",
    "gbrain bench pages": "--pages 40 --calls 3 --work .",
    "gbrain bench answers --data": '--model "command:sh $PWD/answer" --judge "command:sh $PWD/answer"',
    "gbrain bench answers --pages": "--pages 40 --calls 3 --work .",
    "gbrain bench push": "--talks 5",
    "gbrain bench viewer": "--pages 40 --calls 2 --work .",
    "gbrain bench load": "--pages 40 --clients 4 --calls 40 --rate 100 --work .",
    # A server runs until it is stopped: once it says that it serves.
    "gbrain serve --http": "> out & until grep -qs 'MCP on' out; do kill -0 $! || exit 1; done;"
    " kill $! && wait $!; [ $? = 143 ]",
    "gbrain ui": "> out & until grep -qs 'viewer is at' out; do kill -0 $! || exit 1; done; kill $! && wait $!",
}
# Without a model `synthesize` says that it cannot answer.
# A model is kept when it answers, which none does here.
# No model answers, no consent was given, no setting was changed and no transcript is written where the examples run.
CODES = {
    "gbrain bootstrap harness --project": 2,
    "gbrain synthesize": 6,
    "gbrain models set": 2,
    "gbrain forget --captured-under": 3,
    "gbrain invalidate 12 --until": 2,
    "gbrain config unset": 3,
    "gbrain turns show": 3,
    "gbrain turns drop": 3,
    "gbrain turns retry": 3,
    "gbrain watch --follow": 2,
}


def in_documents() -> list[str]:
    blocks = [
        block
        for path in DOCUMENTS
        for block in re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
    ]
    lines = [line.removeprefix("$ ").split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("gbrain ")]


def examples() -> list[str]:
    found = [
        line
        for _, command, _ in reference.commands()
        if isinstance(command, Command | Group)
        for line in command.examples
    ]
    found += [line for operation in load_all() for line in operation.examples]
    return list(dict.fromkeys([*found, *in_documents()]))


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain in which everything that the examples name is there."""
    base = tmp_path_factory.mktemp("examples")
    with open_brain(str(base / ".gbrain"), create=True) as brain:
        for draft in range(1, 4):
            brain.put_page(slug="people/dana-oakes", content=DANA.format(draft=draft))
        brain.put_page(
            slug="companies/harbor-capital", content="---\ntitle: Harbor Capital\n---\nA harbour budget: 预算.\n"
        )
        for number in range(1, 16):
            brain.remember(fact=f"keeps boat {number} in the harbour", provenance="test", entity="Dana Oakes")
    return base


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The URL of a server, and a token for it."""
    home = tmp_path_factory.mktemp("served")
    make_brain(home)
    with local_brain(home) as brain:
        token = brain.auth_create(name="visitor")["token"]
    with HttpServer(home) as server:
        yield server.url.removesuffix("/mcp"), token


@pytest.fixture
def gbrain(seeded: Path, tmp_path: Path) -> Gbrain:
    shutil.copytree(seeded, tmp_path / "base")
    return Gbrain(tmp_path / "base")


def with_brains(gbrain: Gbrain, line: str, place: Path, served: tuple[str, str]) -> str:
    """The line for brains that are really there, on the server of this run among others."""
    url, token = served
    (place / "token.txt").write_text(token + "\n")
    if "family" in line:
        Gbrain(place / "family")("init")
    if line.startswith("gbrain mounts remove"):
        gbrain("mounts", "add", line.split()[3], url, "--token-file", str(place / "token.txt"))
    if line.startswith("gbrain init --remote"):
        shutil.rmtree(gbrain.home)
    return line.replace(SERVER, url)


def write_questions(folder: Path, kind: str) -> None:
    """One page and one question that it answers, as `gbrain bench` reads them."""
    folder.mkdir()
    page = {"c": "w", "id": "quay", "s": "notes/quay", "title": "Quay", "text": "Quay\nBoats lie here."}
    for name, row in (
        ("units", page),
        ("queries", {"c": "w", "q": "boats", "cat": "words", "rel": ["quay"], "a": "here"}),
    ):
        with gzip.open(folder / f"{kind}.{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


@pytest.mark.parametrize("line", examples())
def test_example(gbrain: Gbrain, line: str, tmp_path: Path, served: tuple[str, str]) -> None:
    place = tmp_path / "place"
    place.mkdir()
    line = with_brains(gbrain, line, place, served)
    (place / "dana.md").write_text(DANA.format(draft=9))
    (place / "notes.txt").write_text("Along the river.\n")
    if "--write docs/benchmarks.md" in line:
        (place / "docs").mkdir()
        (place / "docs" / "benchmarks.md").write_text(f"{BEGIN}\n{END}\n")
    if "--data questions" in line:
        write_questions(place / "questions", "locomo" if "answers" in line else "notes")
        answer = {"answer": "Boats lie here [w/quay].", "citations": [], "gaps": [], "right": True}
        (place / "answer").write_text(f"echo '{json.dumps(answer)}'\n")
    command = place / "gbrain"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m gbrain "$@"\n')
    command.chmod(0o755)
    if "notes/harbour" in line and not line.startswith("gbrain put"):
        gbrain("put", "notes/harbour", "--content", "Walk.")
    if line.startswith("gbrain serve --http"):
        gbrain("auth", "create", "laptop")
    if line.startswith(("gbrain auth revoke", "gbrain auth rescope")):
        gbrain("auth", "create", line.split()[3])
    if line.startswith("gbrain sync"):
        gbrain("sources", "add", "work", "--path", str(place))
    if line.startswith("gbrain import"):
        gbrain("sources", "add", "work")
        for name in ("backup", "vault"):
            (place / name).mkdir()
            (place / name / "a.md").write_text("A.\n")
    if re.match("gbrain sources (default|rename|remove|federate|unfederate) work", line):
        gbrain("sources", "add", "work")
    if line.startswith(("gbrain backup verify", "gbrain backup restore")):
        gbrain("backup", "create")
    if DATABASE in line:
        # No document names the server of this machine.
        line = line.replace(DATABASE, f"'{databases.shared().url(databases.shared().create())}'")
    if line.startswith("gbrain init --postgres"):
        shutil.rmtree(tmp_path / "base" / ".gbrain")
    more = next((text for start, text in SMALL.items() if line.startswith(start)), "")
    expected = next((code for start, code in CODES.items() if line.startswith(start)), 0)
    env = gbrain.environment({"PATH": f"{place}:{os.environ['PATH']}", "SHELL": "/bin/bash", "HOME": str(place)})
    if line.startswith("gbrain embed"):
        del env["GBRAIN_EMBEDDING_PROVIDER"]
    ran = subprocess.run(
        ["sh", "-c", f"{line} {more}"], cwd=place, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert ran.returncode == expected, (
        f"{line!r} ended with {ran.returncode} and said {ran.stderr.decode()!r}. What examples name is made in `seeded`"
        " and `test_example` of tests/docs/test_examples.py (the page people/dana-oakes, facts 1 to 15); one that"
        " rightly ends otherwise has a row in CODES there, one that runs long or for ever in SMALL"
    )
    assert expected or b"Error [" not in ran.stderr


def test_every_block_of_python_runs(gbrain: Gbrain) -> None:
    blocks = [
        (path.name, block)
        for path in sorted({*DOCUMENTS, *GUIDES})
        for block in re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
    ]
    assert len(blocks) >= 2
    for name, block in blocks:
        command = [sys.executable, "-W", "error", "-c", block]
        ran = subprocess.run(command, env=gbrain.environment(), capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), name


@pytest.mark.guard
def test_every_operation_has_an_example_or_no_command() -> None:
    assert [item.name for item in load_all() if item.cli and not item.examples] == [], "give `examples=` of @operation"

"""Long commands draw a bar for a person at a terminal, and for nobody else."""

import json
import os
import pty
import subprocess
import sys

import pytest

from commandline import Gbrain

# Without the patience that keeps bars away from quick work; one process for all commands.
RUN = """
import sys, json
from gbrain import bars as progress
progress.PATIENCE = 0.0
from gbrain.entry.main import outcome
for words in json.loads(sys.argv[1]):
    sys.stderr.write(f"@{words[0]}\\n"), sys.stderr.flush()
    code = outcome(words)
    sys.stderr.write(f"={code}\\n"), sys.stderr.flush()
"""
# (command line, the first work that its bar names)
COMMANDS: tuple[tuple[list[str], str], ...] = (
    (["sync"], "reading"),
    (["extract", "all"], "reading"),
    (["check-backlinks"], "reading"),
    (["lint"], "reading"),
    (["sweep", "--once"], "facts"),
    (["export", "--dir", "{base}/out"], "pages"),
    (["import", "{base}/notes", "--source", "default"], "pages"),
    (["migrate", "--to", "sqlite:{base}/copy/.gbrain/brain.db"], "sources"),
    (["doctor", "--fast"], "brain"),
    (["forget", "1", "--prove"], "history of facts"),
)


@pytest.fixture(scope="module")
def gbrain(tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    gbrain = Gbrain(tmp_path_factory.mktemp("bars"))
    folder = gbrain.base / "notes"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nSee [[people/dana]].\n")
    gbrain("init")
    gbrain("sources", "add", "notes", "--path", str(folder))
    gbrain("remember", "keeps bees", "--provenance", "chat", "--entity", "people/dana")
    return gbrain


def seen(gbrain: Gbrain, commands: list[list[str]], *, terminal: bool) -> dict[str, str]:
    """What each command wrote to stderr, which is a terminal or a pipe; stdout is a pipe."""
    parent, child = pty.openpty() if terminal else os.pipe()
    command = [sys.executable, "-c", RUN, json.dumps(commands)]
    env = gbrain.environment({"TERM": "xterm"})
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=child, env=env) as process:
        os.close(child)
        data = b""
        while True:
            try:
                some = os.read(parent, 65536)
            except OSError:
                break
            if not some:
                break
            data += some
        process.communicate()
    os.close(parent)
    parts = data.decode().replace("\r\n", "\n").split("@")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def filled(gbrain: Gbrain, words: list[str]) -> list[str]:
    return [word.format(base=gbrain.base) for word in words]


def test_every_long_command_draws_its_bar_on_a_terminal(gbrain: Gbrain) -> None:
    told = seen(gbrain, [filled(gbrain, words) for words, _ in COMMANDS], terminal=True)
    missing = [
        (words[0], told.get(words[0]))
        for words, what in COMMANDS
        if what not in told.get(words[0], "") or "\x1b[" not in told[words[0]]
    ]
    assert missing == []


def test_nobody_else_sees_one(gbrain: Gbrain) -> None:
    some = [["extract", "all"], ["check-backlinks"], ["doctor", "--fast"], ["sweep", "--once"]]
    for told in (
        seen(gbrain, some, terminal=False),
        seen(gbrain, [[*words, "--json"] for words in some], terminal=True),
    ):
        assert {name: "\x1b" in text for name, text in told.items()} == dict.fromkeys((one[0] for one in some), False)

"""What holds for every command: help with an example, `--json`, errors in two lines, nearest names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain import catalogue
from gbrain.entry.cli import reference
from gbrain.entry.cli.command import Command, Group
from gbrain.entry.cli.root import ALIASES, OWN

COMMANDS = {path: command for path, command, _ in reference.commands()}
PROMISED = """
    init serve remember recall entity forget context-pack delta synthesize put get list search capture call
    tag untag tags timeline timeline-add link unlink backlinks graph history revert delete restore config stats
    doctor protocol bench demo completion mounts whoami
"""

WITHOUT_JSON = {"gbrain serve"}
"""It speaks MCP alone. A group only names its commands, so that it needs none either, though some do more."""


@pytest.fixture(scope="module")
def gbrain(tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    made = Gbrain(tmp_path_factory.mktemp("help"))
    made("init")
    return made


def test_every_promised_command_is_there() -> None:
    assert set(PROMISED.split()) <= {path.removeprefix("gbrain ") for path in COMMANDS}


def test_the_help_lists_every_command_without_loading_one(gbrain: Gbrain) -> None:
    text = gbrain("--help").out
    names = [*OWN, *(entry.cli for entry in catalogue.OPERATIONS.values() if entry.cli)]
    assert [name for name in names if f"\n  {name} " not in text] == []
    program = "import sys; from gbrain.entry.main import outcome; outcome(['--help']); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1].split()
    assert [name for name in loaded if name.startswith(("gbrain.ops.", "gbrain.doctor.", "rich"))] == []


@pytest.mark.parametrize("path", COMMANDS)
def test_help_has_an_example_and_documents_every_option(gbrain: Gbrain, path: str) -> None:
    text = gbrain(*path.split()[1:], "--help").out
    assert text.startswith(f"Usage: {path}")
    assert "\nExample" in text
    assert f"\n  {path}" in text.split("\nExample")[1]
    command = COMMANDS[path]
    assert isinstance(command, Command | Group)
    assert command.help
    undocumented = [
        param.name
        for param in command.params
        if not getattr(param, "hidden", False) and not (getattr(param, "help", None) or getattr(param, "doc", None))
    ]
    assert undocumented == []


@pytest.mark.guard
def test_every_command_has_json() -> None:
    """An operation has it by itself."""
    assert [
        path
        for path, command in COMMANDS.items()
        if path not in WITHOUT_JSON
        and not isinstance(command, Group)
        and not any("--json" in param.opts for param in command.params)
    ] == []


def test_help_is_asked_for_in_every_usual_way(gbrain: Gbrain) -> None:
    text = gbrain("--help").out
    assert gbrain("-h").out == gbrain("help").out == text
    text = gbrain("recall", "--help").out
    assert gbrain("recall", "-h").out == gbrain("help", "recall").out == text
    assert gbrain("help", "config", "set").out.startswith("Usage: gbrain config set ")
    assert gbrain.run("help", "recal").code == 2


def test_gbrain_alone_is_one_screen_of_commands_that_are_there(gbrain: Gbrain) -> None:
    shown = gbrain().out
    assert len(shown.splitlines()) <= 24
    assert max(map(len, shown.splitlines())) <= 80
    named = [line[2:].split("  ")[0] for line in shown.splitlines() if line.startswith("  gbrain ")][:-1]
    assert len(named) == 13
    assert set(named) <= set(COMMANDS)
    assert "gbrain --help lists all" in shown


@pytest.mark.parametrize(
    ("name", "meant"),
    [("add", "gbrain remember TEXT --provenance"), ("uninstall", "gbrain bootstrap harness --remove")],
)
def test_a_command_that_people_expect_names_the_one_that_does_it(gbrain: Gbrain, name: str, meant: str) -> None:
    ran = gbrain.run(name, "x")
    assert (ran.code, ran.out) == (2, "")
    assert f"run: {meant}" in ran.err


@pytest.mark.parametrize("name", ALIASES)
def test_older_names_still_work(gbrain: Gbrain, name: str) -> None:
    assert gbrain(name, "--help").out.startswith(f"Usage: gbrain {name} ")


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("remeber", "x"), "gbrain remember"),
        (("config", "lst"), "gbrain config list"),
        (("recall", "--qeury", "x"), "--query"),
        (("list", "--jsno"), "--json"),
    ],
)
def test_a_misspelt_word_gets_the_nearest(gbrain: Gbrain, arguments: tuple[str, ...], near: str) -> None:
    ran = gbrain.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert near in ran.err
    assert len(ran.err.splitlines()) == 2


def test_an_option_that_a_command_does_not_have_is_refused_by_each(gbrain: Gbrain) -> None:
    program = (
        "import contextlib, io, json, sys\n"
        "from gbrain.entry.main import outcome\n"
        "for words in json.load(sys.stdin):\n"
        "    with contextlib.redirect_stderr(io.StringIO()) as told:\n"
        "        code = outcome([*words, '--no-such-thing', 'x'])\n"
        "    print(json.dumps([code, told.getvalue()]))\n"
    )
    asked = [path.split()[1:] for path in COMMANDS]
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(asked),
        env=gbrain.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    for words, line in zip(asked, ran.stdout.splitlines(), strict=True):
        code, told = json.loads(line)
        assert code == 2, (words, told)
        assert "--no-such-thing" in told or "no command" in told, (words, told)


def test_what_is_asked_without_its_words_is_a_usage_error(gbrain: Gbrain) -> None:
    for words in (("think",), ("auth", "nope"), ("sources", "nope"), ("bootstrap", "nope"), ("remember", "x")):
        ran = gbrain.run(*words)
        assert (ran.code, ran.out) == (2, ""), words
        assert len(ran.err.splitlines()) == 2, words


@pytest.mark.parametrize("words", [("init", "--path"), ("remember", "x", "--provenance"), ("config", "get")])
def test_a_forgotten_value_leads_to_the_help_of_its_command(gbrain: Gbrain, words: tuple[str, ...]) -> None:
    command = " ".join(word for word in words if word.isalpha() and word != "x")
    assert f"run: gbrain {command} --help" in gbrain.run(*words).err


def test_usage_errors_are_json_when_json_is_asked(gbrain: Gbrain) -> None:
    ran = gbrain.run("recall", "--qeury", "x", "--json")
    assert ran.code == 2
    assert ran.err == ""
    assert ran.json["error"] == "invalid_params"
    assert gbrain.run("nothing-like-it", "--json").json["error"] == "unknown_tool"


def test_a_reader_that_leaves_early_is_no_error(gbrain: Gbrain) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "gbrain", "--help"]
    with os.fdopen(writer, "wb") as closed:
        ran = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, env=gbrain.environment(), check=False)
    assert ran.returncode == 141
    assert ran.stderr == b""


def test_a_full_disk_is_told(gbrain: Gbrain) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "gbrain", "config", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=gbrain.environment(),
            check=False,
        )
    assert ran.returncode == 6
    assert b"Error [unavailable]: the system refused: No space left on device" in ran.stderr


def test_a_defect_is_one_short_line(gbrain: Gbrain, tmp_path: Path) -> None:
    """A module that breaks on import stands for any defect of ours: no traceback, no text of anybody's."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['gbrain.entry.cli.config'] = object()\n", encoding="utf-8"
    )
    ran = gbrain.run("config", "list", env={"PYTHONPATH": str(tmp_path)})
    assert ran.code == 1
    assert ran.err.startswith("Error [internal]: gbrain met a defect: AttributeError at ")
    assert len(ran.err.splitlines()) == 2
    assert "Traceback" not in ran.err

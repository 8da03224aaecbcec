"""init, config, call, completion, version: the commands that are no operation, and the homes they refuse."""

import json
import shlex
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain import __version__
from gbrain.brain import open_brain
from gbrain.settings import SETTINGS, Setting


@pytest.fixture
def fresh(tmp_path: Path) -> Gbrain:
    return Gbrain(tmp_path)


@pytest.fixture
def gbrain(fresh: Gbrain) -> Gbrain:
    fresh("init")
    return fresh


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


# init


def test_init_makes_a_private_home_and_says_where(fresh: Gbrain) -> None:
    ran = fresh("init")
    assert str(fresh.home / "brain.db") in ran.out
    assert "0 pages" in ran.out
    assert stat.S_IMODE(fresh.home.stat().st_mode) == 0o700
    assert "alwaysLoad" in ran.out
    assert "codex mcp add" in ran.out


def test_init_again_keeps_what_is_there(gbrain: Gbrain) -> None:
    gbrain("remember", "keeps bees", "--provenance", "test")
    first = gbrain("init").out
    answer = gbrain("init", "--json").json
    assert "is here already" in first
    assert answer["created"] is False
    assert "keeps bees" in gbrain("recall").out


def test_init_json_is_one_document(fresh: Gbrain) -> None:
    answer = fresh("init", "--json").json
    assert answer["status"] == "success"
    assert answer["engine"] == "sqlite"
    assert answer["created"] is True
    assert answer["pages"] == 0
    assert answer["path"] == str(fresh.home / "brain.db")


def test_the_registration_lines_start_this_server_on_this_brain(fresh: Gbrain) -> None:
    words = shlex.split(fresh("init", "--json").json["clients"]["Claude Code"])
    server = json.loads(words[-1])
    assert words[:3] == ["claude", "mcp", "add-json"]
    assert server["alwaysLoad"] is True
    assert server["env"] == {"GBRAIN_HOME": str(fresh.base)}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    started = subprocess.run(
        [server["command"], *server["args"]],
        input=request.encode() + b"\n",
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert json.loads(started.stdout)["result"]["serverInfo"]["name"] == "gbrain"


def test_init_elsewhere_says_how_to_get_there(fresh: Gbrain, tmp_path: Path) -> None:
    other = tmp_path / "other place"
    ran = fresh("init", "--path", str(other))
    assert (other / ".gbrain" / "brain.db").exists()
    assert f"export GBRAIN_HOME={shlex.quote(str(other))}" in ran.out
    assert not fresh.home.exists()


# Homes that are refused


def test_a_relative_home_is_refused(fresh: Gbrain, tmp_path: Path) -> None:
    ran = fresh.run("init", env={"GBRAIN_HOME": "here"}, cwd=tmp_path)
    assert ran.code == 2
    assert "absolute" in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("init",), ("recall",), ("put", "notes/a", "--content", "x"), ("config", "list")])
def test_a_foreign_home_is_refused_and_untouched(fresh: Gbrain, command: tuple[str, ...]) -> None:
    (fresh.home / "brain.pglite").mkdir(parents=True)
    (fresh.home / "brain.pglite" / "PG_VERSION").write_text("17\n")
    (fresh.home / "config.json").write_text('{"engine": "pglite", "database_path": "brain.pglite"}')
    before = tree(fresh.base)
    ran = fresh.run(*command)
    assert ran.code == 6
    assert ran.out == ""
    assert "TypeScript" in ran.err
    assert "GBRAIN_HOME=" in ran.err
    assert tree(fresh.base) == before


@pytest.mark.parametrize("command", [("recall",), ("list",), ("config", "list"), ("call", "whoami")])
def test_without_a_brain_the_way_to_one_is_named(fresh: Gbrain, command: tuple[str, ...]) -> None:
    ran = fresh.run(*command)
    assert ran.code == 3
    assert "gbrain init" in ran.err
    assert not fresh.home.exists()


# config


def test_config_list_shows_every_setting(gbrain: Gbrain) -> None:
    text = gbrain("config", "list").out
    rows = {row["key"]: row for row in gbrain("config", "list", "--json").json["settings"]}
    for setting in SETTINGS:
        assert setting.key in text
        assert setting.doc in text
        assert rows[setting.key]["default"] == setting.default
    # `init` has asked.
    assert [key for key, row in rows.items() if row["stored"]] == ["memory.auto_writeback_notice_shown"]


@pytest.mark.parametrize("setting", [one for one in SETTINGS if one.choices], ids=lambda setting: setting.key)
def test_config_set_get_unset(gbrain: Gbrain, setting: Setting) -> None:
    key, default = setting.key, setting.default
    other = next(choice for choice in setting.choices if choice != default)
    assert gbrain("config", "set", key, other.upper()).out.startswith(f"Set {key} = {other}")
    assert gbrain("config", "get", key) == (0, f"{other}\n", "source: db plane\n")
    assert gbrain("config", "get", key, "--json").json["stored"] == other
    assert gbrain("config", "unset", key).out.endswith(f"; it is {default} by default\n")
    assert gbrain("config", "get", key) == (0, f"{default}\n", "source: default\n")
    assert "key not found" in gbrain.run("config", "unset", key).err


def test_an_unknown_setting_names_the_nearest(gbrain: Gbrain) -> None:
    for command in (("get", "search.mod"), ("set", "search.mod", "balanced"), ("unset", "search.mod")):
        ran = gbrain.run("config", *command)
        assert ran.code == 2
        assert "search.mode" in ran.err


def test_a_bad_value_is_refused_and_not_stored(gbrain: Gbrain) -> None:
    ran = gbrain.run("config", "set", "search.mode", "bogus")
    assert ran.code == 2
    assert "conservative, balanced, tokenmax" in ran.err
    assert gbrain("config", "get", "search.mode").out == "conservative\n"


def test_config_needs_its_arguments(gbrain: Gbrain) -> None:
    assert gbrain.run("config", "get").code == 2
    missing = gbrain.run("config", "set", "search.mode")
    assert missing.code == 2
    assert "VALUE" in missing.err
    assert "gbrain config set --help" in missing.err


# call


def test_call_runs_any_operation(gbrain: Gbrain) -> None:
    answer = gbrain("call", "remember", '{"fact": "sails", "provenance": "test"}').json
    assert answer["status"] == "inserted"
    assert gbrain("call", "recall", "-", stdin='{"limit": 1}').json["facts"][0]["fact"] == "sails"


@pytest.mark.parametrize(
    ("arguments", "code", "wire"),
    [
        (("whoami", "{"), 2, "invalid_params"),
        (("whoami", "[]"), 2, "invalid_params"),
        (("whoami", '{"a": NaN}'), 2, "invalid_params"),
        (("whoami", '{"a": 1}'), 2, "invalid_params"),
        (("wohami", "{}"), 2, "unknown_tool"),
        (("remember", "{}"), 2, "invalid_params"),
        (("remember", '{"fact": "x", "provenance": " "}'), 2, "provenance_required"),
        ((), 2, "invalid_params"),
    ],
)
def test_call_refuses(gbrain: Gbrain, arguments: tuple[str, ...], code: int, wire: str) -> None:
    ran = gbrain.run("call", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"Error [{wire}]: ")
    as_json = gbrain.run("call", *arguments, "--json")
    assert as_json.code == code
    assert as_json.json["error"] == wire
    assert as_json.json["suggestion"]
    assert ("protocol_version" in as_json.json) is (arguments[:1] == ("remember",))


# version, completion


@pytest.mark.parametrize("word", ["--version", "version"])
def test_version(fresh: Gbrain, word: str) -> None:
    assert fresh(word).out == f"gbrain {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_load(fresh: Gbrain, shell: str, tmp_path: Path) -> None:
    script = fresh("completion", shell).out
    assert fresh("completion", shell, "--json").json == {"shell": shell, "script": script}
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    subprocess.run([shell, "-n", "/dev/stdin"], input=script.encode(), check=True)


@pytest.mark.parametrize(
    ("words", "candidate"),
    [
        ("gbrain rem", "remember"),
        ("gbrain remember x --vis", "--visibility"),
        ("gbrain config se", "set"),
        ("gbrain config get ", "mcp_surface"),
        ("gbrain config set search", "search.mode"),
        ("gbrain config unset mcp.", "mcp.hot_memory"),
    ],
)
def test_completion_offers_commands_and_options(gbrain: Gbrain, words: str, candidate: str) -> None:
    asked = {"_GBRAIN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = gbrain.run(env=asked)
    assert candidate in [line.split(",")[-1] for line in ran.out.splitlines()]


def test_completion_needs_a_shell_it_knows(fresh: Gbrain) -> None:
    ran = fresh.run("completion", "tcsh")
    assert ran.code == 2
    assert "gbrain completion bash" in ran.err


# The notice of an upgrade


def opened_by(gbrain: Gbrain, version: str) -> None:
    """Make the brain look as if an older gbrain had been the last to open it."""
    with open_brain(str(gbrain.home)) as brain, brain.store.transaction():
        brain.store.engine.rows("update meta set value = :version where key = 'opened_by'", {"version": version})
    with open_brain(str(gbrain.home)) as brain:
        assert brain.store.config.opened_by() == __version__


def test_an_upgrade_is_announced_once_and_to_a_person_only(gbrain: Gbrain) -> None:
    opened_by(gbrain, "0.0.9")
    notice = f"gbrain was upgraded from 0.0.9 to {__version__}; see CHANGELOG"
    assert notice not in gbrain("recall").err
    assert notice not in gbrain.at_terminal("recall", "--json")[1]
    code, seen = gbrain.at_terminal("recall")
    assert code == 0
    assert seen.count(notice) == 1
    assert notice not in gbrain.at_terminal("recall")[1]

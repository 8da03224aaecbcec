"""`gbrain bootstrap harness` on homes as people have them: what it writes, what it leaves alone, how it goes back."""

import json
import os
import re
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

from agent_home import BLOCK, CONFIG, REGISTRY, SETTINGS, Home
from commandline import Gbrain
from gbrain.entry.cli.harness import wanted
from gbrain.harnesses.facts import Online
from gbrain.harnesses.jsontext import value_of
from http_server import HttpServer
from stdio_server import local_brain, make_brain


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.claude()
    return home


def test_it_shows_what_it_would_do_and_does_nothing_unasked(home: Home) -> None:
    before = home.files()
    ran = home.run()
    assert ran.code == 2
    assert "gbrain bootstrap harness --yes" in ran.err
    assert f"edit {home.path}/.claude/settings.json" in ran.out
    assert "mcp__gbrain__remember" in ran.out
    assert home.files() == before
    assert not home.receipt.exists()
    asked = json.loads(home.run("--json").out or home.run("--json").err)
    assert asked["detail"]["plan"][0]["harness"] == "claude-code"


def test_a_file_that_is_all_ours_is_a_line_and_another_is_shown(home: Home) -> None:
    home.on()
    agents = ("--harness", "claude-code", "--harness", "opencode", "--harness", "openclaw", "--harness", "codex")
    shown = home.run(*agents).out
    lines = shown.splitlines()
    (plugin,) = [line for line in lines if "gbrain.js" in line]
    assert re.search(r"^  create /.*/plugins/gbrain\.js: plugin \(\d+ lines, [\d,]+ bytes\)$", plugin)
    assert "spawn" not in shown
    (hooks,) = [line for line in lines if "hooks.json" in line]
    assert ": hooks Stop, PreCompact, SessionStart, UserPromptSubmit (" in hooks
    assert [line for line in lines if line.startswith("      +Ambient memory is on")], "in their own CLAUDE.md"
    assert len(lines) < 120
    whole = home.run(*agents, "--diff").out
    assert "spawn" in whole
    assert len(whole.splitlines()) > 300
    said = set(home.gbrain.run("bootstrap", "harness", "--help").out.split())
    assert {"--diff", "anew"} <= said


def test_it_says_which_piece_stands_how_and_what_differs(home: Home) -> None:
    home.on()
    home.done("--yes", "--harness", "claude-code")
    lines = home.run("--status", "--harness", "claude-code").out.splitlines()
    assert len(lines) == len(set(lines))
    (hooks,) = [line for line in lines if line.split()[1] == "hooks"]
    assert hooks.endswith("settings.json: Stop, PreCompact, SessionEnd, SessionStart, UserPromptSubmit")
    assert "differs" not in "".join(lines)
    home.write(".claude/CLAUDE.md", home.text(".claude/CLAUDE.md").replace("10. Stay in", "10. Leave"))
    lines = home.run("--status", "--harness", "claude-code").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  differs "))
    assert lines[at] == f"  differs    {home.path}/.claude/CLAUDE.md; the next run would edit it:"
    assert [line[:17] for line in lines[at + 1 :]] == ["      -10. Leave ", "      +10. Stay i"]


def test_h1_h5_h7_h8_a_whole_life(home: Home) -> None:
    before = home.files()
    home.done("--yes")
    off = home.files()
    servers = home.registry()["mcpServers"]
    assert servers["other"] == {"type": "stdio", "command": "x", "env": {"KEY": "sk-1"}}
    assert servers["gbrain"]["alwaysLoad"] is True
    assert servers["gbrain"]["env"] == {"GBRAIN_HOME": str(home.path)}
    assert BLOCK not in home.text(".claude/CLAUDE.md")
    assert "ambient/hook.py" not in home.text(".claude/settings.json")
    home.done("--yes")
    assert home.files() == off, "run again, it changes nothing"
    home.on()
    home.done("--yes")
    on = home.files()
    assert home.text(".claude/CLAUDE.md").startswith(f"# Mine\n\nBe brief.\n{BLOCK}\n")
    assert "mode: salient" in home.text(".claude/CLAUDE.md")
    settings = home.text(".claude/settings.json")
    assert settings.count("/gbrain/ambient/hook.py stop claude-code --home") == 1
    assert "// my own" in settings
    home.on("all")
    home.done("--yes")
    assert "mode: all" in home.text(".claude/CLAUDE.md")
    home.on()
    home.done("--yes")
    assert home.files() == on
    home.gbrain("config", "set", "memory.auto_writeback", "off")
    ran = home.done("--yes")
    assert "config set memory.auto_writeback salient" in ran.out
    assert home.files() == off
    home.on()
    home.done("--yes")
    home.done("--remove", "--yes")
    assert home.files() == before
    assert not home.receipt.exists()


def test_g13_g14_a_block_says_who_keeps_it_and_renders_what_is_set(home: Home) -> None:
    for key, value in (("memory.auto_writeback_transient_ttl", "7d"), ("facts.default_visibility", "private")):
        assert home.gbrain("config", "set", key, value).code == 0
    home.on("all")
    home.done("--yes")
    (head,) = [line for line in home.text(".claude/CLAUDE.md").splitlines() if "Kept by" in line]
    assert "`gbrain bootstrap harness`; mode: all; serve: /" in head
    assert head.split("serve: ")[1].split(";")[0].endswith(" serve")
    block = home.text(".claude/CLAUDE.md").partition(head)[2]
    assert "every fact they state" in block
    assert 'ttl: "7d"' in block
    assert 'visibility: "private"' in block
    # A file cannot know what the agent that reads it will have.
    assert "`extract_facts` if you have it" in block


def test_files_that_were_not_there_go_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.on()
    home.done("--harness", "claude-code", "--yes")
    assert sorted(home.files()) == [".claude.json", ".claude/CLAUDE.md", ".claude/settings.json"]
    home.done("--remove", "--yes")
    assert home.files() == {}
    assert not (home.path / ".claude").exists()


def test_what_others_changed_since_stays_when_it_leaves(home: Home) -> None:
    home.on()
    home.done("--yes")
    registry = home.registry()
    home.write(".claude.json", json.dumps({**registry, "numStartups": 4}, indent=2))
    home.write(".claude/CLAUDE.md", home.text(".claude/CLAUDE.md") + "\nAnd kind.\n")
    settings = home.text(".claude/settings.json").replace('"dark"', '"light"')
    home.write(".claude/settings.json", settings)
    home.done("--yes")
    home.done("--remove", "--yes")
    registry["mcpServers"].pop("gbrain")
    assert home.text(".claude.json") == json.dumps({**registry, "numStartups": 4}, indent=2)
    assert home.text(".claude/CLAUDE.md") == "# Mine\n\nBe brief.\n\nAnd kind.\n"
    assert home.text(".claude/settings.json") == SETTINGS.replace('"dark"', '"light"')


def test_a_file_that_an_agent_wrote_in_another_order_is_as_it_should_be(home: Home) -> None:
    home.on()
    home.done("--yes")
    registry = home.registry()
    home.write(".claude.json", json.dumps({**registry, "numStartups": 4, "userID": "7c1e"}, indent=2))
    settings = value_of(home.text(".claude/settings.json"))
    home.write(".claude/settings.json", json.dumps(dict(reversed(settings.items())), indent=4))
    before = home.files()
    assert home.run("--status", "--harness", "claude-code").out.startswith("Claude Code: installed\n")
    home.done("--yes")
    assert home.files() == before
    home.done("--remove", "--yes")
    registry["mcpServers"].pop("gbrain")
    assert home.registry() == {**registry, "numStartups": 4, "userID": "7c1e"}
    assert json.loads(home.text(".claude/settings.json")) == value_of(SETTINGS)


def test_a_block_that_changes_stays_where_it_is(home: Home) -> None:
    home.on()
    home.done("--yes")
    home.write(".claude/CLAUDE.md", home.text(".claude/CLAUDE.md") + "\nAnd kind.\n")
    home.on("all")
    home.done("--yes")
    text = home.text(".claude/CLAUDE.md")
    assert text.startswith(f"# Mine\n\nBe brief.\n{BLOCK}\n")
    assert text.endswith("-->\n\nAnd kind.\n")
    assert text.count(BLOCK) == 1


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (".claude/settings.json", '{"hooks": ', "cannot be understood"),
        (".claude/settings.json", '{"hooks": []}', "is not an object"),
        (".claude/settings.json", '{"permissions": {"allow": "all"}}', "is not a list"),
        (".claude.json", '{"mcpServers": {"gbrain": {"command": "other"}}}', "has `mcpServers.gbrain` already"),
        (".claude/CLAUDE.md", f"{BLOCK}\n{BLOCK}\n", "2 begin and 0 end lines"),
    ],
)
def test_h2_what_it_does_not_understand_is_left_alone(home: Home, name: str, text: str, why: str) -> None:
    home.on()
    home.write(name, text)
    before = home.files()
    ran = home.run("--yes")
    assert ran.code == 1, ran
    assert why in ran.out
    assert home.files() == before
    told = json.loads(home.run("--yes", "--json").out)
    assert told["harnesses"][0]["error"]["suggestion"]
    assert home.run("--status").code in (0, 1)


def test_a_file_that_is_not_utf8_or_no_file_or_read_only_is_left_alone(home: Home) -> None:
    settings = home.path / ".claude" / "settings.json"
    settings.write_bytes(b'{"theme": "\xff"}')
    assert "not UTF-8" in home.run("--yes").out
    settings.unlink()
    os.mkfifo(settings)
    assert "is no file" in home.run("--yes").out
    settings.unlink()
    settings.mkdir()
    assert f"{settings} is no file" in home.run("--yes").out
    settings.rmdir()
    home.claude()
    settings.chmod(0o444)
    ran = home.run("--yes")
    assert (ran.code, "is read-only" in ran.out) == (1, True)
    assert "gbrain" not in home.text(".claude.json")


def test_a_block_that_was_there_before_the_receipt_stays_in_its_place(home: Home) -> None:
    words = home.path / ".claude" / "CLAUDE.md"
    words.write_text(f"# Mine\n{BLOCK}\nold\n{BLOCK.replace(':begin', ':end')}\n\nBe brief.\n")
    home.on()
    home.done("--yes")
    once = home.text(".claude/CLAUDE.md")
    assert once.startswith(f"# Mine\n{BLOCK}\n")
    assert once.endswith("-->\n\nBe brief.\n")
    home.done("--yes")
    assert home.text(".claude/CLAUDE.md") == once
    home.on("all")
    home.done("--yes")
    assert home.text(".claude/CLAUDE.md").endswith("-->\n\nBe brief.\n")


def test_an_entry_that_is_just_so_already_stays_when_it_leaves(home: Home) -> None:
    home.done("--yes")
    registered = home.text(".claude.json")
    home.done("--remove", "--yes")
    home.write(".claude.json", registered)
    home.done("--yes")
    home.done("--remove", "--yes")
    assert home.text(".claude.json") == registered


def test_links_are_followed_and_modes_kept(home: Home) -> None:
    dotfiles = home.write("dotfiles/CLAUDE.md", "linked\n")
    dotfiles.chmod(0o640)
    (home.path / ".claude" / "CLAUDE.md").unlink()
    (home.path / ".claude" / "CLAUDE.md").symlink_to("../dotfiles/CLAUDE.md")
    home.on()
    home.done("--yes")
    assert (home.path / ".claude" / "CLAUDE.md").is_symlink()
    assert BLOCK in dotfiles.read_text()
    assert dotfiles.stat().st_mode & 0o777 == 0o640
    home.done("--remove", "--yes")
    assert (dotfiles.read_text(), (home.path / ".claude" / "CLAUDE.md").is_symlink()) == ("linked\n", True)


def test_h3_a_server_that_does_not_work_is_not_left_registered(home: Home) -> None:
    before = home.files()
    database = home.path / ".gbrain" / "brain.db"
    database.write_bytes(b"no database at all, but long enough to be seen as a file of something else" * 40)
    ran = home.run("--yes")
    assert ran.code == 1, ran
    assert "does not work as a client starts it" in ran.out
    assert home.files() == before
    assert not home.receipt.exists()


def test_without_a_brain_it_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    ran = Gbrain(tmp_path).run("bootstrap", "harness", "--yes", env={"HOME": str(tmp_path)})
    assert ran.code == 6
    assert "gbrain init" in ran.err


def test_capture_banks_also_while_nothing_is_set_but_not_while_it_is_off(home: Home) -> None:
    ran = home.done("--yes", "--capture")
    assert "also while memory.auto_writeback is not set" in ran.out
    assert "--capture" in home.text(".claude/settings.json")
    assert BLOCK not in home.text(".claude/CLAUDE.md")
    home.gbrain("config", "set", "memory.auto_writeback", "off")
    home.done("--yes", "--capture")
    assert "ambient/hook.py" not in home.text(".claude/settings.json")


def test_h9_the_status_tells_what_is_there_and_what_is_not(home: Home) -> None:
    assert json.loads(home.done("--status", "--json").out)["harnesses"][0]["state"] == "missing"
    home.on()
    home.done("--yes")
    assert json.loads(home.done("--status", "--json").out)["harnesses"][0]["state"] == "installed"
    home.write(".claude/CLAUDE.md", "# Mine\n")
    ran = home.run("--status")
    assert ran.code == 1
    assert "missing    instructions" in ran.out
    home.done("--yes")
    home.on("all")
    assert json.loads(home.run("--status", "--json").out)["harnesses"][0]["state"] == "outdated"


def test_codex_has_a_table_hooks_and_a_block(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.codex()
    before = home.files()
    home.on()
    ran = home.done("--yes")
    assert "type /hooks in Codex" in ran.out
    config = tomllib.loads(home.text(".codex/config.toml"))
    assert config["mcp_servers"]["other"] == {"command": "y", "env": {"KEY": "sk-1"}}
    assert config["mcp_servers"]["gbrain"]["env"] == {"GBRAIN_HOME": str(home.path)}
    assert config["notify"][-3:] == ["--", "say", "done"]
    hooks = json.loads(home.text(".codex/hooks.json"))["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"] == "say done", "the places of others decide what is trusted"
    assert "/gbrain/ambient/hook.py stop codex --home" in hooks["Stop"][1]["hooks"][0]["command"]
    assert home.text(".codex/AGENTS.md").count("\r\n") == home.text(".codex/AGENTS.md").count("\n")
    # Codex itself adds tables at the end.
    home.write(".codex/config.toml", home.text(".codex/config.toml") + '[projects."/x"]\ntrust_level = "trusted"\n')
    home.done("--yes")
    home.write(".codex/config.toml", home.text(".codex/config.toml") + '[tui]\ntheme = "x"\n')
    home.done("--remove", "--yes")
    assert (
        home.text(".codex/config.toml") == CONFIG + '\n[projects."/x"]\ntrust_level = "trusted"\n[tui]\ntheme = "x"\n'
    )
    home.write(".codex/config.toml", CONFIG)
    assert home.files() == before


def test_h6_codex_with_an_override_is_refused_and_others_go_on(home: Home) -> None:
    home.write(".codex/AGENTS.override.md", "Only this.\n")
    home.on()
    ran = home.run("--yes")
    assert ran.code == 1
    assert "takes the place of AGENTS.md" in ran.out
    assert sorted(name for name in home.files() if name.startswith(".codex")) == [".codex/AGENTS.override.md"]
    assert BLOCK in home.text(".claude/CLAUDE.md")
    rows = {row["harness"]: row for row in json.loads(home.run("--status", "--json").out)["harnesses"]}
    states = {target["kind"]: target["state"] for target in rows["codex"]["targets"]}
    assert states["instructions"] == "override-blocked"
    (home.path / ".codex" / "AGENTS.override.md").write_text("")
    assert home.run("--yes").code == 0


def test_notify_starts_the_program_of_the_person_and_banks_the_turn(tmp_path: Path) -> None:
    home = Home(tmp_path)
    own = home.write("own.sh", '#!/bin/sh\nprintf %s "$2" > "$1"\n')
    own.chmod(0o755)
    home.write(".codex/config.toml", f'notify = ["{own}", "{home.path}/seen"]\n')
    home.on()
    home.done("--yes")
    command = tomllib.loads(home.text(".codex/config.toml"))["notify"]
    said = "I always take the window seat on the night train."
    notice = {"type": "agent-turn-complete", "thread-id": "t-1", "turn-id": "1", "input-messages": [said]}
    done = subprocess.run([*command, json.dumps(notice)], capture_output=True, env={"PATH": os.environ["PATH"]})
    assert (done.returncode, done.stdout) == (0, b"")
    (banked,) = (home.path / ".gbrain" / "transcripts" / "corpus").glob("t-1.wb-*.txt")
    assert said in banked.read_text()
    seen = home.path / "seen"
    end = time.monotonic() + 20
    while not (seen.exists() and seen.read_text().endswith("}")) and time.monotonic() < end:
        time.sleep(0.02)
    assert json.loads(seen.read_text()) == notice


def test_gemini_opencode_and_openclaw_go_back_to_the_last_byte(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write(".gemini/settings.json", '{\r\n\t"context": {"fileName": ["CONTEXT.md"]},\r\n\t"hooks": {}\r\n}')
    home.write(".gemini/CONTEXT.md", "Be brief.")
    home.write(".config/opencode/opencode.jsonc", '{\n  // mine\n  "mcp": {},\n  "theme": "x", // last\n}\n')
    home.write(".config/opencode/AGENTS.md", "")
    home.write(
        ".openclaw/openclaw.json",
        "{\n  agents: { defaults: { workspace: '~/work' } },\n  plugins: { allow: ['a'] },\n}",
    )
    home.write("work/AGENTS.md", "# Mine\n")
    before = home.files()
    home.done("--yes")
    off = home.files()
    assert "long-term memory" in home.text("work/AGENTS.md"), "it drops what the server says of itself"
    home.on()
    home.done("--yes")
    assert '"trust": true' in home.text(".gemini/settings.json")
    assert BLOCK in home.text(".gemini/CONTEXT.md")
    assert "hook.py stop gemini" in home.text(".gemini/settings.json")
    assert '"type": "local"' in home.text(".config/opencode/opencode.jsonc")
    assert BLOCK in home.text(".config/opencode/AGENTS.md")
    assert "hook.py" in home.text(".config/opencode/plugins/gbrain.js")
    assert BLOCK in home.text("work/AGENTS.md")
    config = home.text(".openclaw/openclaw.json")
    assert str(home.path / ".gbrain" / "harnesses" / "openclaw") in config
    assert "['a', \"gbrain\"]" in config
    assert (home.path / ".gbrain" / "harnesses" / "openclaw" / "index.js").exists()
    assert json.loads(home.done("--status", "--json").out)["memory"] == "on"
    home.gbrain("config", "set", "memory.auto_writeback", "off")
    home.done("--yes")
    assert home.files() == off
    home.done("--remove", "--yes")
    assert home.files() == before
    assert not (home.path / ".gbrain" / "harnesses").exists()


def test_opencode_keeps_reading_the_words_it_reads_now(home: Home) -> None:
    home.write(".config/opencode/opencode.json", "{}")
    home.on()
    ran = home.done("--yes")
    assert "it reads ~/.claude/CLAUDE.md" in ran.out
    assert not (home.path / ".config" / "opencode" / "AGENTS.md").exists()


def test_openclaws_memory_stays_with_whom_its_person_gave_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write(".openclaw/openclaw.json", '{"plugins": {"slots": {"memory": "other"}}}')
    before = home.files()
    home.on()
    assert "plugins.slots.memory is 'other'" in home.done("--yes").out
    assert '"memory": "other"' in home.text(".openclaw/openclaw.json")
    assert home.run("--status").code == 0
    home.done("--remove", "--yes")
    assert home.files() == before


def test_h10_one_agent_can_be_joined_and_left_alone(home: Home) -> None:
    home.codex()
    before = home.files()
    home.done("--harness", "codex", "--yes")
    assert home.text(".claude.json") == REGISTRY
    home.done("--harness", "claude-code", "--yes")
    home.done("--remove", "--harness", "codex", "--yes")
    assert home.text(".codex/config.toml") == CONFIG
    assert "gbrain" in home.registry()["mcpServers"]
    home.done("--remove", "--yes")
    assert home.files() == before
    assert home.run("--harness", "cursor", "--yes").code == 2


def test_agents_call_a_server_that_runs_and_its_token_stays_where_it_is_needed(home: Home) -> None:
    home.codex()
    before = home.files()
    home.on()
    served = home.path / "served"
    served.mkdir()
    make_brain(served)
    with local_brain(served) as brain:
        token = brain.auth_create(name="laptop")["token"]
    with HttpServer(served) as server:
        (home.path / ".gbrain" / "token.txt").write_text("wrong-" + token)
        asked = ("--url", server.url, "--token-file", str(home.path / ".gbrain" / "token.txt"))
        ran = home.run("--yes", *asked)
        assert ran.code == 1, ran
        left = {name: data for name, data in home.files().items() if not name.startswith("served")}
        assert left == before, "a token that does not hold is not left behind"
        (home.path / ".gbrain" / "token.txt").write_text(token + "\n")
        ran = home.done("--yes", *asked)
        (home.path / ".gbrain" / "token.txt").unlink()
        assert token not in ran.out + ran.err
        entry = home.registry()["mcpServers"]["gbrain"]
        assert (entry["type"], entry["url"]) == ("http", server.url)
        assert entry["headers"] == {"Authorization": f"Bearer {token}"}
        assert tomllib.loads(home.text(".codex/config.toml"))["mcp_servers"]["gbrain"]["url"] == server.url
        assert server.url in home.text(".claude/CLAUDE.md")
        holding = {path.name for path in home.path.rglob("*") if path.is_file() and token.encode() in path.read_bytes()}
        assert holding == {".claude.json", "config.toml"}, "no copy lies anywhere else"
        again = {name: data for name, data in home.files().items() if not name.startswith("served")}
        ran = home.done("--yes")
        assert "nothing to change" in ran.out, "it is remembered that they call a server"
        assert {name: data for name, data in home.files().items() if not name.startswith("served")} == again
        assert json.loads(home.done("--status", "--json").out)["harnesses"][0]["state"] == "installed"
    ran = home.done("--remove", "--yes")
    assert token not in ran.out + ran.err
    assert {name: data for name, data in home.files().items() if not name.startswith("served")} == before


def test_h4_the_brain_of_another_machine_decides_for_itself(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.on()
    near, far = (Online(f"https://{host}/mcp", "t") for host in ("127.0.0.1", "brain.example.com"))
    assert wanted(str(home.gbrain.home), online=near).section is not None
    found = wanted(str(home.gbrain.home), capture=True, online=far)
    assert (found.section, found.hook) == (None, ())
    assert home.run("--url", "https://brain.example.com").code == 2
    assert home.run("--token-file", "x").code == 2
    assert home.run("--url", "https://x", "--token", "secret").code == 2

"""Brains that are elsewhere, through the commands: the client of a server, mounts, and which one is used where."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import databases
from commandline import Gbrain, Ran
from gbrain import Unavailable, mounts, open_brain
from gbrain.brain import RemoteBrain
from http_server import HttpServer
from stdio_server import local_brain, make_brain

SECRET = "harbour gate code"
DANA = "---\ntitle: Dana Oakes\naliases: [dana]\n---\nLeads the river survey.\n"
PASSWORD = "pw5ec7e7"


class Team(NamedTuple):
    """A server with a brain, and tokens for it by name."""

    url: str
    home: Path
    tokens: dict[str, str]


def a_team(home: Path) -> dict[str, str]:
    """A brain with a page, a public and a private fact; its tokens."""
    with local_brain(home) as brain:
        brain.put_page(slug="people/dana-oakes", content=DANA)
        brain.put_page(slug="people/sam-lee", content="---\ntitle: Sam Lee\n---\nSails with [[people/dana-oakes]].\n")
        brain.remember(fact="owns a boat", provenance="harbour", entity="Sam Lee")
        brain.remember(fact="prefers green tea", provenance="kitchen", entity="dana")
        brain.remember(fact=f"knows the {SECRET}", provenance="kitchen", entity="dana", visibility="private")
        made = {"writer": {}, "reader": {"scopes": ["read"]}, "ending": {"expires": "2d"}, "gone": {}, "narrow": {}}
        made["narrow"] = {"surface": "verbs"}
        tokens = {name: brain.auth_create(name=name, **given)["token"] for name, given in made.items()}
        brain.auth_revoke(name="gone")
    return tokens


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    home = tmp_path_factory.mktemp("team")
    make_brain(home)
    tokens = a_team(home)
    with HttpServer(home) as server:
        yield Team(server.url, home, tokens)


class Thin(Gbrain):
    """The command on a home that is the client of a server. Every output is kept, so that tokens can be looked for."""

    said: str = ""

    def run(self, *arguments: str, **given: object) -> Ran:
        ran = super().run(*arguments, **given)  # type: ignore[arg-type]
        self.said += ran.out + ran.err
        return ran


@pytest.fixture
def thin(team: Team, tmp_path: Path) -> Iterator[Thin]:
    made = Thin(tmp_path / "thin")
    made("init", "--remote", team.url, "--token", "-", stdin=team.tokens["writer"])
    yield made
    assert [name for name, token in team.tokens.items() if token in made.said] == []
    assert SECRET not in made.said
    for path in tmp_path.rglob("*"):
        if path.is_file() and any(token.encode() in path.read_bytes() for token in team.tokens.values()):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def error(ran: Ran, code: str, exit_code: int) -> str:
    """The words of a refusal, once its code is as expected."""
    assert (ran.code, ran.out) == (exit_code, ""), ran
    assert ran.err.startswith(f"Error [{code}]: ")
    assert "\n  Fix: " in ran.err
    return ran.err


class TestThinClient:
    def test_the_texts_are_those_of_a_brain_of_ones_own(self, thin: Thin, team: Team) -> None:
        own = Gbrain(team.home)
        for command in (
            *(("get", "people/dana-oakes"), ("list",), ("search", "river survey"), ("entity", "Sam Lee")),
            *(("history", "people/dana-oakes"), ("backlinks", "people/sam-lee"), ("recall", "Sam Lee")),
        ):
            assert thin(*command).out == own(*command).out, command
        assert "prefers green tea" in thin("recall", "dana").out

    def test_what_is_written_is_there(self, thin: Thin, team: Team) -> None:
        saved = thin("remember", "plays the cello", "--provenance", "thin", "--entity", "dana", "--json").json
        assert saved["entity_slug"] == "people/dana-oakes"
        with local_brain(team.home) as brain:
            facts = brain.recall(query="cello")["facts"]
        assert [(fact["fact"], fact["provenance"]) for fact in facts] == [("plays the cello", "thin")]
        assert thin("forget", saved["id"], "--json").json["expired"] is True
        dry = thin("put", "notes/x", "--content", "Text.", "--dry-run", "--json").json
        assert dry["dry_run"] is True

    @pytest.mark.parametrize("command", [("sync",), ("export", "--dir", "x"), ("sources", "federate", "x"), ("lint",)])
    def test_what_is_not_done_from_here_names_its_command(self, thin: Thin, command: tuple[str, ...]) -> None:
        name = " ".join(word for word in command if word not in ("--dir", "x"))
        assert f"Fix: run it on the machine of the brain: gbrain {name}\n" in error(
            thin.run(*command), "scope_denied", 4
        )

    def test_refusals_are_the_ones_of_here(self, thin: Thin, team: Team) -> None:
        own = Gbrain(team.home)
        for command in (
            *(("get", "no/such-page"), ("remember", "x", "--provenance", " "), ("recall", "--limit", "many")),
            *(("forget", "999999"), ("call", "recall", '{"limi": 1}'), ("call", "recal", "{}")),
        ):
            there, here = own.run(*command), thin.run(*command)
            assert (here.code, here.err) == (there.code, there.err), command
        assert thin.run("get", "no/such-page", "--json").json["error"] == "not_found"

    @pytest.mark.parametrize("words", ["config list", "auth list", "auth create x", "config set search.mode balanced"])
    def test_what_is_done_beside_a_store_says_so(self, thin: Thin, team: Team, words: str) -> None:
        said = error(thin.run(*words.split()), "scope_denied", 4)
        assert " ".join(words.split()[:2]) in said
        assert team.url in said

    @pytest.mark.parametrize("words", ["migrate --to sqlite:x.db", "protocol stats", "serve --http"])
    def test_commands_that_need_the_store_say_so(self, thin: Thin, team: Team, words: str) -> None:
        assert team.url in error(thin.run(*words.split()), "invalid_params", 2)
        assert not (thin.home / "brain.db").exists()

    def test_every_command_names_a_source_to_the_server(self, thin: Thin) -> None:
        for words in ("whoami", "recall", "get people/dana-oakes"):
            said = error(thin.run(*words.split(), "--source", "nope"), "scope_denied", 4)
            assert said.startswith("Error [scope_denied]: source 'nope' is not one you may use\n")
        error(thin.run("whoami", env={"GBRAIN_SOURCE": "nope"}), "scope_denied", 4)
        assert "prefers green tea" in thin("recall", "dana", "--source", "default").out

    def test_of_several_granted_sources_any_can_be_named(self, team: Team, tmp_path: Path) -> None:
        with local_brain(team.home) as brain:
            brain.sources_add(id="crew")
            token = brain.auth_create(name="both", sources=["default", "crew"])["token"]
        (tmp_path / "token").write_text(token)
        thin = Thin(tmp_path)
        thin("init", "--remote", team.url, "--token-file", str(tmp_path / "token"))
        thin("remember", "sails on Sundays", "--provenance", "thin", "--source", "crew")
        assert "sails on Sundays" in thin("recall", "--source", "crew").out
        assert "sails on Sundays" not in thin("recall", "--source", "default").out

    def test_a_reader_may_not_write(self, thin: Thin, team: Team) -> None:
        thin("init", "--remote", team.url, "--token", "-", stdin=team.tokens["reader"])
        error(thin.run("remember", "x", "--provenance", "y"), "scope_denied", 4)
        assert "green tea" in thin("recall", "dana").out

    def test_whoami_names_the_brain(self, thin: Thin, team: Team) -> None:
        told = thin("whoami", "--json").json
        assert (told["token_name"], told["transport"]) == ("writer", "http")
        assert told["brain"] == {"name": "host", "kind": "remote", "selected_by": "host", "place": team.url}
        text = thin("whoami").out
        assert "host (the brain of this home)" in text
        assert f"remote, {team.url}" in text

    def test_init_again_leaves_it_as_it_is(self, thin: Thin, team: Team) -> None:
        before = (thin.home / "brain.json").read_bytes()
        told = thin("init", "--json").json
        assert (told["engine"], told["created"], told["url"]) == ("remote", False, team.url)
        assert told["whoami"]["token_name"] == "writer"
        assert (thin.home / "brain.json").read_bytes() == before
        assert not (thin.home / "brain.db").exists()

    def test_the_library_reaches_it_too(self, thin: Thin) -> None:
        with open_brain(str(thin.home)) as brain:
            assert isinstance(brain, RemoteBrain)
            assert brain.get_page("people/dana-oakes")["title"] == "Dana Oakes"
            assert "recall" in dir(brain)


class TestJoining:
    @pytest.mark.parametrize("token", ["gone", None])
    def test_a_token_that_does_not_hold_changes_nothing(self, team: Team, tmp_path: Path, token: str | None) -> None:
        made = Gbrain(tmp_path)
        given = [] if token is None else ["--token", "-"]
        ran = made.run("init", "--remote", team.url, *given, stdin=team.tokens[token] if token else "")
        said = error(ran, "invalid_token", 4)
        assert "gbrain auth create" in said
        assert not made.home.exists()

    def test_a_server_that_is_down(self, tmp_path: Path) -> None:
        error(Gbrain(tmp_path).run("init", "--remote", "http://127.0.0.1:9"), "unavailable", 6)
        assert not (tmp_path / ".gbrain").exists()

    def test_a_token_is_no_word_of_a_command_line(self, team: Team, tmp_path: Path) -> None:
        made = Gbrain(tmp_path)
        token = team.tokens["writer"]
        said = error(made.run("init", "--remote", team.url, "--token", token), "invalid_params", 2)
        assert "--token-file" in said
        assert token not in said
        error(made.run("init", "--token", "-"), "invalid_params", 2)
        error(made.run("init", "--remote", team.url, "--token-file", "no-such-file"), "invalid_params", 2)
        error(made.run("init", "--remote", team.url, "--token", "-", stdin="two words"), "invalid_params", 2)
        error(made.run("init", "--remote", team.url, "--postgres", "postgresql://h/d"), "invalid_params", 2)

    def test_a_home_with_a_brain_keeps_it(self, team: Team, tmp_path: Path) -> None:
        made = Gbrain(tmp_path)
        made("init")
        said = error(made.run("init", "--remote", team.url, "--token", "-", stdin=team.tokens["writer"]), *TAKEN)
        assert "gbrain mounts add" in said
        assert made("whoami", "--json").json["brain"]["kind"] == "sqlite"

    def test_a_client_does_not_become_a_database(self, thin: Thin, team: Team) -> None:
        said = error(thin.run("init", "--postgres", f"postgresql://u:{PASSWORD}@127.0.0.1:9/d"), *TAKEN)
        assert team.url in said
        assert PASSWORD not in said

    def test_a_damaged_address_is_said(self, thin: Thin, team: Team) -> None:
        (thin.home / "brain.json").write_text('{"engine": "remote", "url": 5}')
        assert "brain.json" in error(thin.run("recall"), "unavailable", 6)
        assert not (thin.home / "brain.db").exists()
        thin("init", "--remote", team.url, "--token", "-", stdin=team.tokens["writer"])
        assert "green tea" in thin("recall", "dana").out


TAKEN = ("invalid_params", 2)


def rows(ran: Ran) -> dict[str, dict[str, str]]:
    return {row["name"]: row for row in ran.json["checks"]}


class TestDoctor:
    def test_of_a_thin_client(self, thin: Thin, team: Team) -> None:
        ran = thin("doctor", "--json")
        found = rows(ran)
        assert list(found) == [
            "brain",
            "home",
            "remote",
            "remote.token",
            "remote.version",
            "memory_writeback",
            "skill_brain_first",
        ]
        assert {row["status"] for row in found.values()} == {"ok"}
        assert ran.json["complete"] is True
        assert team.url in found["brain"]["message"]
        assert found["remote.token"]["message"].startswith("writer, who may read, write")

    def test_a_token_that_ends_soon_and_one_that_is_gone(self, thin: Thin, team: Team) -> None:
        address = thin.home / "brain.json"
        text = address.read_text()
        address.write_text(text.replace(team.tokens["writer"], team.tokens["ending"]))
        assert rows(thin("doctor", "--json"))["remote.token"]["status"] == "warn"
        address.write_text(text.replace(team.tokens["writer"], team.tokens["gone"]))
        ran = thin.run("doctor", "--json")
        found = rows(ran)
        assert ran.code == 1
        assert [found[name]["status"] for name in ("remote", "remote.token")] == ["ok", "fail"]
        assert found["remote.token"]["fix"].startswith("gbrain init --remote")

    def test_a_server_that_is_down(self, thin: Thin, team: Team) -> None:
        address = thin.home / "brain.json"
        address.write_text(address.read_text().replace(team.url, "http://127.0.0.1:9/mcp"))
        ran = thin.run("doctor", "--json")
        found = rows(ran)
        assert (ran.code, found["remote"]["status"], found["remote.token"]["status"]) == (1, "fail", "skipped")
        assert "cannot be reached" in found["remote"]["message"]
        error(thin.run("recall"), "unavailable", 6)

    def test_a_file_with_a_token_that_others_may_read(self, thin: Thin) -> None:
        address = thin.home / "brain.json"
        address.chmod(0o644)
        row = rows(thin("doctor", "--json"))["brain"]
        assert (row["status"], row["fix"]) == ("warn", f"chmod 600 {address}")
        address.chmod(0o600)

    def test_a_brain_that_was_not_meant_is_said(self, thin: Thin) -> None:
        ran = thin.run("doctor", "--json", "--brain", "nobody")
        row = rows(ran)["brain"]
        assert (ran.code, row["status"], row["fix"]) == (1, "fail", "gbrain mounts list")
        assert "'nobody'" in row["message"]

    def test_mounts_that_lead_nowhere(self, tmp_path: Path) -> None:
        made = Gbrain(tmp_path)
        made("init")
        mounts.add(str(made.home), mounts.Mount("old", str(tmp_path / "gone"), None))
        row = rows(made("doctor", "--json"))["brain"]
        assert (row["status"], row["fix"]) == ("warn", "gbrain mounts remove old")
        made(*row["fix"].split()[1:])
        assert rows(made("doctor", "--json"))["brain"]["status"] == "ok"
        (made.home / "mounts.json").write_text("{")
        row = rows(made.run("doctor", "--json", "--brain", "host"))["brain"]
        assert row["status"] == "warn"
        assert str(made.home / "mounts.json") in row["message"]


class Family(NamedTuple):
    """A host with a brain of its own, and mounts of every kind around it."""

    host: Thin
    work: Path
    other: Path


@pytest.fixture
def family(team: Team, tmp_path: Path) -> Family:
    host, other = Thin(tmp_path / "host"), tmp_path / "family"
    host("init")
    host("remember", "the host knows this", "--provenance", "host")
    second = Gbrain(other)
    second("init")
    second("remember", "the family knows this", "--provenance", "family")
    work = tmp_path / "work"
    (work / "deep").mkdir(parents=True)
    host("mounts", "add", "family", str(other), "--path", str(work))
    host("mounts", "add", "team", team.url, "--token", "-", stdin=team.tokens["reader"])
    return Family(host, work, other)


class TestMounts:
    def test_each_name_leads_to_its_brain(self, family: Family) -> None:
        host = family.host
        assert "host knows" in host("recall").out
        assert "family knows" in host("--brain", "family", "recall").out
        assert "family knows" in host("recall", "--brain=family").out
        assert "green tea" in host("recall", "dana", "--brain", "team").out
        error(host.run("remember", "x", "--provenance", "y", "--brain", "team"), "scope_denied", 4)
        assert "--brain" in host("--help").out

    def test_the_order_between_processes(self, family: Family) -> None:
        def used(*arguments: str, cwd: Path, **env: str) -> tuple[str, str]:
            told = family.host.run("whoami", "--json", *arguments, cwd=cwd, env=env).json["brain"]
            return told["name"], told["selected_by"]

        deep, base = family.work / "deep", family.host.base
        assert used(cwd=base) == ("host", "host")
        assert used(cwd=deep) == ("family", "mounted_path")
        (family.work / ".gbrain-mount").write_text("team\n")
        assert used(cwd=deep) == ("team", "dotfile")
        assert used(cwd=deep, GBRAIN_BRAIN_ID="host") == ("host", "env")
        assert used("--brain", "family", cwd=deep, GBRAIN_BRAIN_ID="host") == ("family", "flag")

    def test_nothing_falls_back(self, family: Family) -> None:
        host = family.host
        for refused in (
            host.run("remember", "x", "--provenance", "y", "--brain", "nobody"),
            host.run("remember", "x", "--provenance", "y", env={"GBRAIN_BRAIN_ID": "nobody"}),
            host.run("serve", "--brain", "nobody"),
            host.run("serve", "--http", "--brain", "nobody"),
            host.run("migrate", "--to", "sqlite:x.db", "--brain", "nobody"),
            host.run("protocol", "stats", "--brain", "nobody"),
            host.run("call", "whoami", "{}", "--brain", "nobody"),
        ):
            said = error(refused, "invalid_params", 2)
            assert "'nobody'" in said
            assert "gbrain mounts list" in said
        error(host.run("recall", "--brain"), "invalid_params", 2)
        error(host.run("init", "--brain", "team"), "invalid_params", 2)
        assert "'x'" not in host("recall").out

    def test_the_list(self, family: Family, team: Team) -> None:
        told = family.host("mounts", "list", "--json").json
        shown = {row["name"]: (row["kind"], row["place"], row["path"]) for row in told["mounts"]}
        assert shown == {
            "host": ("sqlite", str(family.host.home / "brain.db"), None),
            "family": ("sqlite", str(family.other / ".gbrain" / "brain.db"), str(family.work)),
            "team": ("remote", team.url, None),
        }
        assert told["in_use"]["name"] == "host"
        lines = family.host.run("mounts", "list", cwd=family.work).out.splitlines()
        assert [line.split("\t")[0] for line in lines[:-1]] == ["  host", "* family", "  team"]

    def test_the_list_is_shown_whatever_was_named(self, family: Family) -> None:
        ran = family.host("mounts", "list", "--brain", "nobody")
        assert "  family\t" in ran.out
        assert "'nobody'" in ran.err
        assert family.host("mounts", "list", "--json", "--brain", "nobody").json["in_use"] is None

    def test_a_removed_name_takes_its_token_along(self, family: Family) -> None:
        host = family.host
        host("mounts", "remove", "team")
        assert not (host.home / "mounts" / "team").exists()
        error(host.run("recall", "--brain", "team"), "invalid_params", 2)
        host("mounts", "remove", "family")
        assert (family.other / ".gbrain" / "brain.db").exists()

    def test_bad_mounts(self, family: Family, team: Team, tmp_path: Path) -> None:
        host = family.host
        before = (host.home / "mounts.json").read_bytes()
        token = team.tokens["gone"]
        for arguments, code in (
            (("family", str(family.other)), "invalid_params"),
            (("host", str(family.other)), "invalid_params"),
            (("A b", str(family.other)), "invalid_params"),
            (("self", str(host.base)), "invalid_params"),
            (("empty", str(tmp_path)), "not_found"),
            (("folder", str(family.other), "--path", str(tmp_path / "absent")), "invalid_params"),
            (("folder", str(family.other), "--token", "-"), "invalid_params"),
            (("gone", team.url, "--token", "-"), "invalid_token"),
            (("down", "http://127.0.0.1:9"), "unavailable"),
            (("user", f"https://u:{PASSWORD}@brain.example.com"), "invalid_params"),
            (("base", f"postgresql://u:{PASSWORD}@127.0.0.1:9/d"), "unavailable"),
        ):
            ran = host.run("mounts", "add", *arguments, stdin=token)
            assert ran.err.startswith(f"Error [{code}]"), ran
            assert PASSWORD not in ran.err
        assert (host.home / "mounts.json").read_bytes() == before
        assert os.listdir(host.home / "mounts") == ["team"]

    def test_a_damaged_list_stops_all_but_the_host_by_name(self, family: Family) -> None:
        host, path = family.host, family.host.home / "mounts.json"
        path.write_text(path.read_text()[:-20])
        for command in (("recall",), ("mounts", "list"), ("recall", "--brain", "team"), ("serve",)):
            assert str(path) in error(host.run(*command), "unavailable", 6)
        assert "host knows" in host("recall", "--brain", "host").out

    def test_from_the_library(self, family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GBRAIN_HOME", str(family.host.base))
        with open_brain(brain="family") as brain:
            assert [fact["fact"] for fact in brain.recall()["facts"]] == ["the family knows this"]
        with open_brain(brain="team") as brain:
            assert brain.call("whoami")["brain"]["name"] == "team"
        monkeypatch.chdir(family.work)
        with open_brain() as brain:
            assert brain.chosen.by == "mounted_path"
        with open_brain(str(family.host.home)) as brain:
            assert brain.home == str(family.host.home), "a folder that is named is meant"
        (family.host.home / "mounts.json").write_text("{")
        with pytest.raises(Unavailable):
            open_brain()

    def test_the_demo_does_not_mind(self, family: Family) -> None:
        (family.work / ".gbrain-mount").write_text("team")
        ran = family.host.run("demo", "--json", cwd=family.work, env={"GBRAIN_BRAIN_ID": "team"})
        assert ran.json["ok"] is True


def test_a_database_under_a_name(tmp_path: Path) -> None:
    server = databases.shared()
    url = server.url(server.create())
    secret = url.replace("postgres:@", f"postgres:{PASSWORD}@")
    assert secret != url
    host = Gbrain(tmp_path / "host")
    host("init")
    refused = host.run("mounts", "add", "lab", secret)
    assert refused.err.startswith("Error [not_found]: there is no brain at postgresql://postgres:***@")
    Gbrain(tmp_path / "lab")("init", "--postgres", url)
    Gbrain(tmp_path / "lab")("remember", "the lab knows this", "--provenance", "lab")
    added = host("mounts", "add", "lab", secret)
    assert "the lab knows" in host("recall", "--brain", "lab").out
    told = host("whoami", "--json", "--brain", "lab").json["brain"]
    assert (told["name"], told["kind"]) == ("lab", "postgres")
    shown = host("mounts", "list")
    for text in (refused.err, added.out, shown.out, str(told), host("doctor", "--brain", "lab").out):
        assert PASSWORD not in text
    assert stat.S_IMODE((host.home / "mounts" / "lab" / "brain.json").stat().st_mode) == 0o600


def test_a_server_on_postgresql_serves_clients(tmp_path: Path) -> None:
    server = databases.shared()
    home = tmp_path / "served"
    Gbrain(home)("init", "--postgres", server.url(server.create()))
    tokens = a_team(home)
    client = Gbrain(tmp_path / "client")
    with HttpServer(home) as http:
        client("init", "--remote", http.url, "--token", "-", stdin=tokens["writer"])
        client("remember", "rows at dawn", "--provenance", "client", "--entity", "dana")
        facts = client("recall", "dana", "--json").json["facts"]
        assert {fact["fact"] for fact in facts} == {"prefers green tea", "rows at dawn"}
        assert rows(client("doctor", "--json"))["remote"]["status"] == "ok"


def test_what_a_thin_client_loads(thin: Thin) -> None:
    """The store and the libraries of the server stay out of it."""
    ran = thin.run("recall", "dana", env={"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = set(re.findall(r"^import time:.*\|\s*([\w.]+)$", ran.err, re.MULTILINE))
    assert "gbrain.remote" in loaded
    heavy = {"mcp", "anyio", "httpx", "asyncio", "pydantic", "numpy", "uvicorn", "psycopg"}
    assert loaded & heavy == set()


def test_a_token_never_shows_in_a_process_list(team: Team, tmp_path: Path) -> None:
    """Nor in the environment of what is started: it is read from the file of the home alone."""
    made = Gbrain(tmp_path)
    file = tmp_path / "token.txt"
    file.write_text(team.tokens["writer"] + "\n")
    made("init", "--remote", team.url, "--token-file", str(file))
    told = json.loads((made.home / "brain.json").read_text())
    assert told == {"engine": "remote", "url": team.url, "token": team.tokens["writer"]}
    shown = subprocess.run(
        [sys.executable, "-m", "gbrain", "init", "--json"], env=made.environment(), capture_output=True, text=True
    )
    assert team.tokens["writer"] not in shown.stdout + shown.stderr

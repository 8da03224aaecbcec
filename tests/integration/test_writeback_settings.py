"""The settings that two planes keep (table D), through the command."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from commandline import Gbrain

MODE = "memory.auto_writeback"


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


def said(gbrain: Gbrain) -> object:
    return json.loads((gbrain.home / "config.json").read_text())


def stored(gbrain: Gbrain, key: str = MODE) -> object:
    return gbrain("config", "get", key, "--json").json["stored"]


@contextmanager
def no_writes(gbrain: Gbrain, statement: str) -> Iterator[None]:
    """A store whose settings refuse one kind of statement."""
    with closing(sqlite3.connect(gbrain.home / "brain.db")) as db:
        db.execute(f"create trigger no_writes before {statement} on config begin select raise(abort, 'full'); end")
        yield
        db.execute("drop trigger no_writes")


def test_d1_set_reaches_both_planes_and_names_the_next_step(gbrain: Gbrain) -> None:
    told = gbrain("config", "set", MODE, "Salient").out
    assert said(gbrain) == {"memory": {"auto_writeback": "salient", "visibility_posture": "world"}}
    assert stored(gbrain) == "salient"
    assert "Set memory.auto_writeback = salient (file + db planes)" in told
    assert "gbrain bootstrap harness --yes" in told


def test_d2_unset_clears_both_planes_and_once_is_enough(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    assert "(file + db planes)" in gbrain("config", "unset", MODE).out
    assert (said(gbrain), stored(gbrain)) == ({}, None)
    ran = gbrain.run("config", "unset", MODE)
    assert (ran.code, "key not found" in ran.err) == (3, True)


def test_d2_unset_finds_a_value_on_one_plane(gbrain: Gbrain) -> None:
    (gbrain.home / "config.json").write_text('{"memory": {"auto_writeback": "all"}}')
    assert "(file plane)" in gbrain("config", "unset", MODE).out
    gbrain("config", "set", MODE, "all")
    (gbrain.home / "config.json").unlink()
    assert "(db plane)" in gbrain("config", "unset", MODE).out
    assert stored(gbrain) is None


def test_d3_a_span_that_is_none_is_on_no_plane(gbrain: Gbrain) -> None:
    key = f"{MODE}_transient_ttl"
    ran = gbrain.run("config", "set", key, "P3D")
    assert (ran.code, "1s to 365d" in ran.err, stored(gbrain, key)) == (2, True, None)
    assert not (gbrain.home / "config.json").exists()
    gbrain("config", "set", key, "12h")
    assert stored(gbrain, key) == "12h"
    assert said(gbrain) == {"memory": {"auto_writeback_transient_ttl": "12h", "visibility_posture": "world"}}


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        (MODE, "always", "off, salient, all"),
        ("brain.audience", "team-ish", "personal, shared"),
        ("brain.audience", "unset", "personal, shared"),
        ("facts.default_visibility", "unset", "private, world"),
    ],
)
def test_d4_a_value_that_is_refused_names_those_that_are_not(
    gbrain: Gbrain, key: str, value: str, allowed: str
) -> None:
    ran = gbrain.run("config", "set", key, value)
    assert (ran.code, allowed in ran.err, stored(gbrain, key)) == (2, True, None)
    assert not (gbrain.home / "config.json").exists()


def test_d6_a_store_that_takes_nothing_leaves_what_holds_and_the_file_ahead(gbrain: Gbrain) -> None:
    with no_writes(gbrain, "insert"):
        ran = gbrain.run("config", "set", MODE, "salient")
    assert (ran.code, "UNCHANGED" in ran.err, stored(gbrain)) == (6, True, None)
    assert said(gbrain) == {"memory": {"auto_writeback": "salient", "visibility_posture": "world"}}
    assert gbrain("consents", "--json").json["consents"] == []


def test_d7_a_store_that_gives_nothing_up_says_so(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    with no_writes(gbrain, "delete"):
        for words in (("unset", MODE), ("unset", "--pattern", "memory.")):
            ran = gbrain.run("config", *words)
            assert (ran.code == 0, stored(gbrain)) == (False, "salient")
        assert said(gbrain) == {}
    gbrain("config", "set", MODE, "salient")
    with no_writes(gbrain, "delete"):
        ran = gbrain.run("config", "unset", MODE)
        assert (ran.code, "UNCHANGED" in ran.err) == (6, True)


def test_d8_a_prefix_clears_both_planes_and_lists_what_went(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    gbrain("config", "set", "brain.audience", "personal")
    (gbrain.home / "config.json").write_text(
        '{"memory": {"auto_writeback": "all", "auto_writeback_transient_ttl": "1h"}, "brain": {"audience": "personal"}}'
    )
    told = gbrain("config", "unset", "--pattern", "memory.").out
    assert f"db plane: {MODE}, {MODE}_notice_shown" in told
    assert f"file plane: {MODE}_transient_ttl, {MODE}" in told
    assert said(gbrain) == {"brain": {"audience": "personal"}}
    assert (stored(gbrain), stored(gbrain, "brain.audience")) == (None, "personal")
    assert gbrain("consents", "--json").json["consents"][0]["mode"] == "off"
    assert gbrain.run("config", "unset", "--pattern", "memory.").code == 3
    assert gbrain.run("config", "unset", "--pattern", " ").code == 2
    assert gbrain.run("config", "unset", MODE, "--pattern", "memory.").code == 2


def test_d9_a_mounted_brain_leaves_the_file_of_the_machine(gbrain: Gbrain, tmp_path: Path) -> None:
    team = Gbrain(tmp_path / "team")
    team.base.mkdir()
    team("init")
    gbrain("mounts", "add", "someteam", str(team.home))
    ran = gbrain.run("config", "set", MODE, "salient", env={"GBRAIN_BRAIN_ID": "someteam"})
    assert (ran.code, "(db plane only — mounted brain)" in ran.out) == (0, True)
    assert not (gbrain.home / "config.json").exists()
    assert not (team.home / "config.json").exists()
    assert stored(team) == "salient"


def test_d10_off_says_what_stops_and_what_does_not_yet(gbrain: Gbrain) -> None:
    told = gbrain("config", "set", MODE, "off").out
    for part in ("gbrain bootstrap harness --yes (it converges on off)", "restart", "forget --captured-under"):
        assert part in told


def test_d11_the_audience_is_on_both_planes_each_time(gbrain: Gbrain) -> None:
    gbrain("config", "set", "brain.audience", "shared")
    assert said(gbrain) == {"brain": {"audience": "shared"}}
    gbrain("config", "unset", "brain.audience")
    assert said(gbrain) == {}
    assert stored(gbrain, "brain.audience") is None


def test_d12_the_posture_is_stamped_and_follows(gbrain: Gbrain) -> None:
    gbrain("config", "set", "facts.default_visibility", "private")
    assert not (gbrain.home / "config.json").exists()
    gbrain("config", "set", MODE, "all")
    assert said(gbrain) == {"memory": {"auto_writeback": "all", "visibility_posture": "private"}}
    gbrain("config", "unset", "facts.default_visibility")
    assert said(gbrain) == {"memory": {"auto_writeback": "all", "visibility_posture": "world"}}


@pytest.mark.parametrize("text", ["{not json", "[]", '{"memory": 7}'])
def test_a_file_that_is_not_understood_is_kept_and_nothing_is_set(gbrain: Gbrain, text: str) -> None:
    path = gbrain.home / "config.json"
    path.write_text(text)
    ran = gbrain.run("config", "set", MODE, "salient")
    assert ran.code != 0
    assert "config.json" in ran.err
    assert "Traceback" not in ran.err
    assert (path.read_text(), stored(gbrain)) == (text, None)


def test_what_others_wrote_in_the_file_stays_and_a_link_is_followed(gbrain: Gbrain, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text('{"theme": "dark", "memory": {"other": 1}}')
    (gbrain.home / "config.json").symlink_to(kept)
    gbrain("config", "set", MODE, "off")
    assert (gbrain.home / "config.json").is_symlink()
    memory = {"other": 1, "auto_writeback": "off", "visibility_posture": "world"}
    assert json.loads(kept.read_text()) == {"theme": "dark", "memory": memory}


def test_what_one_consent_let_in_is_shown_first_and_then_taken_back(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "salient")
    for fact, origin in (("owns a red boat", "hook:writeback, claude-code"), ("plays the cello", "chat")):
        gbrain("remember", fact, "--provenance", origin)
    id = gbrain("consents", "--json").json["consents"][0]["consent"]
    seen = gbrain("forget", "--captured-under", id).out
    assert "owns a red boat" in seen
    assert "1 other fact saved meanwhile" in seen
    assert f"gbrain forget --captured-under {id} --yes" in seen
    assert "Forgot 1 fact" in gbrain("forget", "--captured-under", id, "--yes").out
    assert gbrain.run("forget", "--captured-under", "nobody").code != 0
    assert gbrain.run("forget", "3", "--yes").code != 0
    assert "Forgot fact id=2" in gbrain("forget", "2").out


def test_get_says_where_the_planes_differ_and_the_command_brings_them_together(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "all")
    assert gbrain("config", "get", MODE).err == "source: db plane\n"
    (gbrain.home / "config.json").unlink()
    ran = gbrain("config", "get", MODE)
    assert ran.out.strip() == "all"
    assert f"gbrain config set {MODE} all" in ran.err
    gbrain("config", "set", MODE, "all")
    assert "config.json" not in gbrain("config", "get", MODE).err


def test_get_falls_back_on_the_file_and_says_that_it_does_not_hold(gbrain: Gbrain) -> None:
    (gbrain.home / "config.json").write_text('{"memory": {"auto_writeback": "all"}}')
    ran = gbrain("config", "get", MODE)
    assert (ran.out, "source: file plane" in ran.err, "the brain decides (off)" in ran.err) == ("all\n", True, True)
    assert f"gbrain config unset {MODE}" in ran.err

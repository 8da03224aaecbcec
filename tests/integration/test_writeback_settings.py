"""The settings that two planes keep (table D), through the command."""

import json
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


def test_d1_d2_d8_set_and_unset_reach_both_planes(gbrain: Gbrain) -> None:
    gbrain("config", "set", MODE, "Salient")
    assert said(gbrain) == {"memory": {"auto_writeback": "salient", "visibility_posture": "world"}}
    assert stored(gbrain) == "salient"
    gbrain("config", "unset", MODE)
    assert (said(gbrain), stored(gbrain)) == ({}, None)


def test_d3_d4_a_value_that_is_refused_is_on_no_plane(gbrain: Gbrain) -> None:
    for key, value in ((MODE, "always"), (f"{MODE}_transient_ttl", "P3D"), ("brain.audience", "team-ish")):
        assert gbrain.run("config", "set", key, value).code != 0
        assert stored(gbrain, key) is None
    assert not (gbrain.home / "config.json").exists()


def test_d9_a_mounted_brain_leaves_the_file_of_the_machine(gbrain: Gbrain, tmp_path: Path) -> None:
    team = Gbrain(tmp_path / "team")
    team.base.mkdir()
    team("init")
    gbrain("mounts", "add", "someteam", str(team.home))
    ran = gbrain.run("config", "set", MODE, "salient", env={"GBRAIN_BRAIN_ID": "someteam"})
    assert ran.code == 0, ran
    assert not (gbrain.home / "config.json").exists()
    assert not (team.home / "config.json").exists()
    assert stored(team) == "salient"


def test_d11_d12_audience_and_posture(gbrain: Gbrain) -> None:
    gbrain("config", "set", "facts.default_visibility", "private")
    gbrain("config", "set", "brain.audience", "shared")
    assert said(gbrain) == {"brain": {"audience": "shared"}}
    gbrain("config", "unset", "brain.audience")
    assert said(gbrain) == {}
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
    assert "config.json" not in gbrain("config", "get", MODE).err
    (gbrain.home / "config.json").unlink()
    ran = gbrain("config", "get", MODE)
    assert ran.out.strip() == "all"
    assert f"gbrain config set {MODE} all" in ran.err
    gbrain("config", "set", MODE, "all")
    assert "config.json" not in gbrain("config", "get", MODE).err

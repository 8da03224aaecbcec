"""The gate: what the planes say together (table C) and what each lane does then (table O)."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gbrain import mirror
from gbrain.ambient import contract
from gbrain.ambient.gate import Bundle, Lane, decide, from_file, resolve
from gbrain.errors import Unavailable
from gbrain.mirror import AUDIENCE, MODE, TTL, Mirror
from gbrain.settings import find

LANES: tuple[Lane, ...] = ("writeback", "compact", "session_end")


class Engine:
    """Stands for an open store: the last good bundle is kept by it."""


def says(**rows: str) -> Callable[[], Mapping[str, str]]:
    return lambda: {key.replace("__", "."): value for key, value in rows.items()}


def fails() -> Mapping[str, str]:
    raise Unavailable("the store is busy", "run: gbrain doctor")


def held(rows: Mapping[str, str], file: Mapping[str, Any], **more: bool) -> Bundle:
    return resolve(Engine(), lambda: rows, Mirror(dict(file)), **more)


def test_c1_no_slot_is_off() -> None:
    assert from_file(Mirror({})) == Bundle()
    assert Bundle().transient_ttl == "3d"


def test_c2_the_file_names_mode_and_span() -> None:
    found = from_file(Mirror({MODE: " Salient ", TTL: "12h"}))
    assert (found.mode, found.enabled, found.transient_ttl) == ("salient", True, "12h")


def test_c3_what_is_no_mode_and_no_span_is_off_and_default() -> None:
    found = from_file(Mirror({MODE: "always", TTL: "P3D"}))
    assert found[:5] == ("off", False, "always", "3d", False)


def test_c4_the_store_decides() -> None:
    found = held({MODE: "all", TTL: "7d"}, {MODE: "off", TTL: "1d"})
    assert (found.mode, found.transient_ttl, found.plane_drift) == ("all", "7d", False)


def test_c5_to_c7_drift_is_a_file_that_is_on_over_a_silent_store() -> None:
    drifted = held({}, {MODE: "salient"})
    assert (drifted.enabled, drifted.plane_drift) == (False, True)
    assert not held({MODE: "off"}, {MODE: "salient"}).plane_drift
    assert held({}, {}) == Bundle()
    assert held({}, {MODE: "off"}).off_unsynced


def test_c8_c12_c13_the_last_good_bundle_holds_for_instructions_alone() -> None:
    engine, on = Engine(), Mirror({MODE: "salient"})
    good = resolve(engine, lambda: {MODE: "salient", TTL: "12h", "facts.default_visibility": "private"}, on)
    assert good.visibility == "private"
    assert resolve(engine, fails, on) == good
    assert resolve(engine, fails, None) == good
    assert resolve(engine, fails, on, gate=True) == Bundle(read_error="unavailable")
    for vetoing in ("off", "always"):
        assert resolve(engine, fails, Mirror({MODE: vetoing})) == Bundle(read_error="unavailable")


def test_c11_a_first_read_that_fails_is_off() -> None:
    assert resolve(Engine(), fails, Mirror({MODE: "salient"})) == Bundle(read_error="unavailable")


@pytest.mark.parametrize(
    ("stored", "seen"),
    [("", "world"), (" ", "world"), ("private", "private"), ("Weird", "private"), ("World", "world")],
)
def test_c9_c10_visibility(stored: str, seen: str) -> None:
    found = held({"facts.default_visibility": stored}, {})
    assert (found.visibility, found.visibility_explicit_private) == (seen, seen == "private")


def test_c14_to_c16_who_is_told() -> None:
    on = Bundle(mode="salient")
    for there in (True, False):
        assert contract.options(on, remember=False, extract_facts=there) is None
        told = contract.options(on, remember=True, extract_facts=there)
        assert told is not None
        assert told.extract_facts is there
    assert contract.options(Bundle(), remember=True, extract_facts=True) is None


def test_c17_the_keys_are_settings_of_both_planes() -> None:
    assert all(find(key).mirrored for key in (MODE, TTL, AUDIENCE))


@pytest.mark.parametrize(
    ("bundle", "acts"),
    [
        (held({}, {}), "retire extract extract"),
        (held({MODE: "off"}, {}), "retire retire retire"),
        (held({MODE: "salient"}, {}), "extract extract extract"),
        (held({MODE: "all"}, {}), "extract extract extract"),
        (held({MODE: "always"}, {}), "hold hold hold"),
        (held({}, {MODE: "all"}), "hold hold hold"),
        (Bundle(read_error="unavailable"), "hold hold hold"),
        (held({}, {MODE: "off"}), "retire hold hold"),
        (held({MODE: "off"}, {MODE: "all"}), "retire retire retire"),
    ],
    ids=[f"O{number}" for number in ("1", "2", "3a", "3b", "4", "5", "6", "7", "8")],
)
def test_each_lane(bundle: Bundle, acts: str) -> None:
    assert [decide(bundle, lane).act for lane in LANES] == acts.split()


def test_each_hold_says_why() -> None:
    bundles = [Bundle(read_error="x"), held({MODE: "always"}, {}), held({}, {MODE: "all"})]
    reasons = [decide(bundle, "writeback").reason for bundle in bundles]
    assert reasons == ["writeback_gate_unreadable", "writeback_mode_invalid", "writeback_plane_drift"]
    assert decide(held({}, {MODE: "off"}), "compact").reason == "writeback_off_unsynced"
    assert mirror.mode_of(7) == ("off", False, "7")


@pytest.mark.parametrize(
    ("text", "trouble"), [("{not", "corrupt"), ("[]", "corrupt"), ("[" * 200_000, "corrupt"), ("", None)]
)
def test_a_file_in_trouble_says_nothing(tmp_path: Path, text: str, trouble: str | None) -> None:
    (tmp_path / "config.json").write_text(text)
    assert mirror.read(str(tmp_path)) == Mirror({}, trouble)


def test_what_is_no_file_says_nothing_and_is_not_waited_for(tmp_path: Path) -> None:
    assert mirror.read(str(tmp_path)) == Mirror({})
    os.mkfifo(tmp_path / "config.json")
    assert mirror.read(str(tmp_path)) == Mirror({}, "corrupt")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").mkdir()
    assert mirror.read(str(tmp_path / "other")).trouble == "unreadable"


def test_the_file_is_read_without_site_packages(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from gbrain import mirror; print(mirror.read(sys.argv[2]).mode)"
    )
    (tmp_path / "config.json").write_text('{"memory": {"auto_writeback": "ALL"}}')
    command = [sys.executable, "-I", "-S", "-c", code, str(Path(mirror.__file__).parents[1]), str(tmp_path)]
    assert "mode='all'" in subprocess.run(command, capture_output=True, text=True, check=True).stdout

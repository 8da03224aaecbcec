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


@pytest.mark.parametrize(
    ("said", "ttl", "valid"),
    [
        pytest.param(" 12h ", "12h", True, id="B9"),
        pytest.param("30 days", "30 days", True, id="B9-verbatim"),
        pytest.param(None, "3d", True, id="B10"),
        *(pytest.param(text, "3d", False, id=f"B11-{text}") for text in ("P3D", "0d", "400d", "2030-01-01", "", 7)),
        pytest.param("365d", "365d", True, id="B12-most"),
        pytest.param(f"{365 * 86_400 + 1}s", "3d", False, id="B12-more"),
    ],
)
def test_the_span_of_what_passes(said: object, ttl: str, valid: bool) -> None:
    held = from_file(Mirror({} if said is None else {TTL: said}))
    assert (held.transient_ttl, held.ttl_valid) == (ttl, valid)


def test_c1_no_slot_is_off() -> None:
    assert from_file(Mirror({})) == Bundle()
    assert (Bundle().mode, Bundle().mode_valid, Bundle().transient_ttl) == ("off", True, "3d")


def test_c2_the_file_names_mode_and_span() -> None:
    found = from_file(Mirror({MODE: " Salient ", TTL: "12h"}))
    assert (found.mode, found.enabled, found.transient_ttl) == ("salient", True, "12h")


def test_c3_what_is_no_mode_and_no_span_is_off_and_default() -> None:
    found = from_file(Mirror({MODE: "always", TTL: "P3D"}))
    assert found[:5] == ("off", False, "always", "3d", False)


def test_c4_the_store_decides() -> None:
    found = held({MODE: "all", TTL: "7d"}, {MODE: "off", TTL: "1d"})
    assert (found.mode, found.transient_ttl, found.plane_drift) == ("all", "7d", False)


def test_c5_a_file_that_is_on_over_a_silent_store_drifts() -> None:
    drifted = held({}, {MODE: "salient"})
    assert (drifted.enabled, drifted.plane_drift) == (False, True)


def test_c6_off_in_the_store_is_meant() -> None:
    found = held({MODE: "off"}, {MODE: "salient"})
    assert (found.enabled, found.plane_drift, found.decided) == (False, False, True)


def test_c7_both_silent_is_off() -> None:
    assert held({}, {}) == Bundle()
    assert held({}, {MODE: "off"}).off_unsynced


class Warm:
    """A store whose settings were read once."""

    def __init__(self) -> None:
        self.engine = Engine()
        rows = {MODE: "salient", TTL: "12h", "facts.default_visibility": "private"}
        self.good = resolve(self.engine, lambda: rows, Mirror({MODE: "salient"}))

    def fails(self, file: Mirror | None, **more: bool) -> Bundle:
        return resolve(self.engine, fails, file, **more)


@pytest.mark.parametrize("vetoing", ["off", "always"])
def test_c8_a_file_that_is_off_takes_back_what_is_remembered(vetoing: str) -> None:
    assert Warm().fails(Mirror({MODE: vetoing})) == Bundle(read_error="unavailable")


@pytest.mark.parametrize(
    ("stored", "seen"),
    [
        pytest.param(None, "world", id="C9"),
        pytest.param("", "world", id="C9-blank"),
        pytest.param("private", "private", id="C10-private"),
        pytest.param("Weird", "private", id="C10-other"),
        pytest.param("World", "world", id="C10-world"),
    ],
)
def test_visibility(stored: str | None, seen: str) -> None:
    found = held({} if stored is None else {"facts.default_visibility": stored}, {})
    assert (found.visibility, found.visibility_explicit_private) == (seen, seen == "private")


def test_c11_a_first_read_that_fails_is_off() -> None:
    assert resolve(Engine(), fails, Mirror({MODE: "salient"})) == Bundle(read_error="unavailable")


def test_c12_the_last_good_bundle_holds_whole() -> None:
    warm = Warm()
    assert (warm.good.mode, warm.good.transient_ttl, warm.good.visibility) == ("salient", "12h", "private")
    assert warm.fails(Mirror({MODE: "salient"})) == warm.fails(None) == warm.good


def test_c13_never_for_a_gate() -> None:
    assert Warm().fails(Mirror({MODE: "salient"}), gate=True) == Bundle(read_error="unavailable")


@pytest.mark.parametrize("there", [True, False])
def test_c14_who_cannot_remember_is_told_nothing(there: bool) -> None:
    assert contract.options(Bundle(mode="salient"), remember=False, extract_facts=there) is None


@pytest.mark.parametrize("there", [True, False, None])
def test_c15_who_can_is_told_what_it_has(there: bool | None) -> None:
    told = contract.options(Bundle(mode="salient"), remember=True, extract_facts=there)
    assert told is not None
    assert told.extract_facts is there


def test_c16_off_is_told_to_nobody() -> None:
    assert contract.options(Bundle(), remember=True, extract_facts=True) is None


def test_c17_the_keys_are_settings() -> None:
    assert all(find(key).mirrored for key in (MODE, TTL, AUDIENCE))
    assert find(f"{MODE}_notice_shown").default == "false"


@pytest.mark.parametrize(
    ("bundle", "acts"),
    [
        (held({}, {}), "retire extract extract"),
        (held({MODE: "off"}, {}), "retire retire retire"),
        (held({MODE: "salient"}, {}), "extract extract extract"),
        (held({MODE: "all"}, {}), "extract extract extract"),
        (held({MODE: "always"}, {}), "hold hold hold"),
        (held({}, {MODE: "all"}), "hold hold hold"),
        (Warm().fails(Mirror({MODE: "salient"}), gate=True), "hold hold hold"),
        (held({}, {MODE: "off"}), "retire hold hold"),
        (held({MODE: "off"}, {MODE: "all"}), "retire retire retire"),
    ],
    ids=[f"O{number}" for number in ("1", "2", "3-salient", "3-all", "4", "5", "6", "7", "8")],
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

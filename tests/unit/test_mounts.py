"""Which brain is chosen, and the list of those that have a name."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gbrain import mounts
from gbrain.errors import InvalidParams, Unavailable
from gbrain.mounts import HOST, Mount

NAMES = ("flag", "env", "dot", "near", "far")


class Place:
    """A host with mounts, and a folder to stand in: two covered ones around it, with a dotfile above it on demand."""

    def __init__(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host = base / "host" / ".gbrain"
        self.host.mkdir(parents=True, mode=0o700)
        self.far = base / "work"
        self.near = self.far / "team"
        self.here = self.near / "project"
        self.here.mkdir(parents=True)
        for name in NAMES:
            path = {"near": str(self.near), "far": str(self.far)}.get(name)
            mounts.add(str(self.host), Mount(name, str(base / name), path))
        self._monkeypatch = monkeypatch
        monkeypatch.delenv("GBRAIN_BRAIN_ID", raising=False)
        monkeypatch.chdir(self.here)

    def choose(self, *tiers: str) -> mounts.Choice:
        """What is chosen while these tiers name a brain."""
        if "env" in tiers:
            self._monkeypatch.setenv("GBRAIN_BRAIN_ID", "env")
        if "dotfile" in tiers:
            (self.near / ".gbrain-mount").write_text("dot\n")
        if "mounted_path" not in tiers:
            self._monkeypatch.chdir(self.host.parent)
            if "dotfile" in tiers:
                (self.host.parent / ".gbrain-mount").write_text("dot\n")
        return mounts.choose("flag" if "flag" in tiers else None, str(self.host))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("tiers", "name", "by"),
    [
        (("flag", "env", "dotfile", "mounted_path"), "flag", "flag"),
        (("env", "dotfile", "mounted_path"), "env", "env"),
        (("dotfile", "mounted_path"), "dot", "dotfile"),
        (("mounted_path",), "near", "mounted_path"),
        ((), HOST, "host"),
        (("flag",), "flag", "flag"),
        (("env",), "env", "env"),
        (("dotfile",), "dot", "dotfile"),
    ],
    ids=str,
)
def test_the_order(place: Place, tiers: tuple[str, ...], name: str, by: str) -> None:
    chosen = place.choose(*tiers)
    assert (chosen.name, chosen.by) == (name, by)
    assert chosen.home == str(place.host if name == HOST else place.host.parents[1] / name)
    assert mounts.reason(chosen.by, chosen.said_in)


@pytest.mark.parametrize("tier", ["flag", "env", "dotfile"])
def test_the_host_has_a_name_too(place: Place, monkeypatch: pytest.MonkeyPatch, tier: str) -> None:
    if tier == "env":
        monkeypatch.setenv("GBRAIN_BRAIN_ID", HOST)
    if tier == "dotfile":
        (place.here / ".gbrain-mount").write_text("host")
    chosen = mounts.choose(HOST if tier == "flag" else None, str(place.host))
    assert (chosen.name, chosen.by, chosen.home) == (HOST, tier, str(place.host))


@pytest.mark.parametrize("tier", ["flag", "env", "dotfile"])
@pytest.mark.parametrize("name", ["nobody", "../flag", "HOST", "*", "é", "a" * 300])
def test_an_unknown_name_is_refused_by_name(
    place: Place, monkeypatch: pytest.MonkeyPatch, tier: str, name: str
) -> None:
    if tier == "env":
        monkeypatch.setenv("GBRAIN_BRAIN_ID", name)
    if tier == "dotfile":
        (place.here / ".gbrain-mount").write_text(name)
    with pytest.raises(InvalidParams) as refused:
        mounts.choose(name if tier == "flag" else None, str(place.host))
    assert name[:64] in refused.value.message
    assert refused.value.suggestion == "run: gbrain mounts list"
    if tier == "dotfile":
        assert str(place.here / ".gbrain-mount") in refused.value.message


def test_an_empty_variable_says_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBRAIN_BRAIN_ID", "")
    assert mounts.choose(None, str(place.host)).name == "near"


def test_a_neighbour_with_a_longer_name_is_not_covered(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Path(f"{place.near}-other")
    other.mkdir()
    monkeypatch.chdir(other)
    assert mounts.choose(None, str(place.host)).name == "far"
    monkeypatch.chdir(place.near)
    assert mounts.choose(None, str(place.host)).name == "near"


def test_the_nearest_dotfile_counts(place: Place) -> None:
    (place.far / ".gbrain-mount").write_text("far")
    (place.here / ".gbrain-mount").write_text("\n  dot  \nsecond line\n")
    chosen = mounts.choose(None, str(place.host))
    assert (chosen.name, chosen.said_in) == ("dot", str(place.here / ".gbrain-mount"))


def blank(path: Path) -> None:
    path.write_text(" \n\n")


def world_writable(path: Path) -> None:
    path.write_text("dot")
    path.chmod(0o666)


def a_link(path: Path) -> None:
    path.with_name("elsewhere").write_text("dot")
    path.symlink_to(path.with_name("elsewhere"))


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [blank, world_writable, a_link, a_folder], ids=lambda make: make.__name__)
def test_a_dotfile_that_may_be_another_persons_stops_everything(place: Place, make: Callable[[Path], None]) -> None:
    path = place.here / ".gbrain-mount"
    make(path)
    with pytest.raises(InvalidParams) as refused:
        mounts.choose(None, str(place.host))
    assert str(path) in refused.value.message
    assert "gbrain --brain NAME" in refused.value.suggestion
    assert mounts.choose("flag", str(place.host)).name == "flag"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_dotfile_of_another_user_stops_everything(place: Place) -> None:
    path = place.here / ".gbrain-mount"
    path.write_text("dot")
    os.chown(path, 65534, 65534)
    with pytest.raises(InvalidParams, match="belongs to another user"):
        mounts.choose(None, str(place.host))


def test_a_folder_that_is_gone_is_covered_by_nothing(place: Place) -> None:
    place.here.rmdir()
    assert mounts.choose(None, str(place.host)).by == "host"


DAMAGED = [
    *("", "{", "[]", "{}", '{"mounts": []}', '{"mounts": {"a": 5}}', '{"mounts": {"a": {"home": "relative"}}}'),
    *('{"mounts": {"../a": {"home": "/x"}}}', '{"mounts": {"host": {"home": "/x"}}}', '{"mounts": {"a": {"home": 1}}}'),
    *('{"mounts": {"a": {"home": "/x", "path": "rel"}}}', b"\xff\xfe", "[" * 100_000),
]


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: str(text)[:30])
def test_a_damaged_list_names_its_file_and_what_to_do(place: Place, text: str | bytes) -> None:
    path = place.host / mounts.FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    attempts: list[Callable[[], object]] = [
        lambda: mounts.choose(None, str(place.host)),
        lambda: mounts.choose("flag", str(place.host)),
        lambda: mounts.add(str(place.host), Mount("new", "/x", None)),
        lambda: mounts.remove(str(place.host), "flag"),
    ]
    for attempt in attempts:
        with pytest.raises(Unavailable) as refused:
            attempt()
        assert str(path) in refused.value.message
        assert f"mv {path}" in refused.value.suggestion
    assert path.read_bytes() == before
    assert mounts.choose(HOST, str(place.host)).home == str(place.host)


def test_the_list_is_its_owners_alone_and_leaves_nothing_beside_it(place: Place) -> None:
    mounts.remove(str(place.host), "env")
    path = place.host / mounts.FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(place.host)) == ["mounts.json", "mounts.json.lock"]
    assert set(json.loads(path.read_text())["mounts"]) == {*NAMES} - {"env"}


@pytest.mark.parametrize("name", ["", "host", "Team", "-team", "team-", "te_am", "../x", "a b", "a" * 33, "é", "*"])
def test_names_that_no_mount_can_have(place: Place, name: str) -> None:
    with pytest.raises(InvalidParams):
        mounts.add(str(place.host), Mount(name, "/x", None))


def test_a_name_and_a_folder_belong_to_one_mount(place: Place) -> None:
    with pytest.raises(InvalidParams, match="already"):
        mounts.add(str(place.host), Mount("flag", "/x", None))
    with pytest.raises(InvalidParams, match="'near'"):
        mounts.add(str(place.host), Mount("new", "/x", str(place.near)))
    with pytest.raises(InvalidParams, match="no mount 'nobody'"):
        mounts.remove(str(place.host), "nobody")


def test_many_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom gbrain import mounts\n"
        "for at in range(20): mounts.add(sys.argv[1], mounts.Mount(f'{sys.argv[2]}-{at}', '/x', None))"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name]) for name in ("a", "b", "c")]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(mounts.mounted(str(tmp_path))) == 60


def test_what_a_choice_says_of_folders_can_be_left_out(place: Place) -> None:
    chosen = mounts.choose(HOST, str(place.host))
    assert mounts.in_use(chosen) == {
        "name": "host",
        "kind": "sqlite",
        "selected_by": "flag",
        "place": str(place.host / "brain.db"),
        "said_in": "--brain",
    }
    assert mounts.in_use(chosen, places=False) == {"name": "host", "kind": "sqlite", "selected_by": "flag"}

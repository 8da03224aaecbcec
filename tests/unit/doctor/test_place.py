"""Where the home lies: what an update, a restart or a new container takes away."""

import os
from pathlib import Path
from typing import Any

import pytest

from gbrain import open_brain
from gbrain.brain import utc_now
from gbrain.doctor.place import filesystem, lost_on_restart, package_around


@pytest.mark.parametrize(
    "folder",
    [
        "/usr/lib/python3/dist-packages/gbrain/.gbrain",
        "/opt/venv/lib/python3.11/site-packages/.gbrain",
        "/home/dana/editor/node_modules/memory/.gbrain",
    ],
)
def test_a_package_is_seen(folder: str) -> None:
    assert package_around(folder)


def test_the_program_itself_is_a_package() -> None:
    import gbrain

    assert package_around(os.path.join(os.path.dirname(os.path.realpath(gbrain.__file__)), ".gbrain"))


@pytest.mark.parametrize("folder", ["/home/dana/.gbrain", "/Users/dana/gbrain-py/.gbrain", "/srv/packages/.gbrain"])
def test_a_persons_folder_is_none(folder: str) -> None:
    assert package_around(folder) is None
    assert lost_on_restart(folder, "ext4") is None


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("/tmp/x/.gbrain", "ext4"), ("/var/tmp/x", "ext4"), ("/home/dana/.gbrain", "tmpfs"), ("/root/.gbrain", "overlay")],
)
def test_what_does_not_last_is_seen(folder: str, kind: str) -> None:
    assert lost_on_restart(folder, kind)


def test_the_mount_nearest_to_the_folder_counts() -> None:
    mounts = "overlay / overlay rw 0 0\n/dev/sda1 /home ext4 rw 0 0\nserver:/x /home/my\\040disk nfs4 rw 0 0\nodd\n"
    assert filesystem("/root/.gbrain", mounts) == "overlay"
    assert filesystem("/home/dana", mounts) == "ext4"
    assert filesystem("/home/my disk/.gbrain", mounts) == "nfs4"
    assert filesystem("/homeless", mounts) == "overlay"
    assert filesystem("/x", "") == ""


def test_a_brain_just_made_may_lie_in_a_temporary_folder(home: Path, examined: Any) -> None:
    found = examined(home)["home.place"]
    assert found["status"] == "ok"
    if lost_on_restart(str(home), ""):
        assert "rehearsal" in found["message"]


def test_an_older_one_is_warned_about(tmp_path: Path, examined: Any) -> None:
    from datetime import timedelta

    if not lost_on_restart(str(tmp_path), ""):
        pytest.skip("the temporary folder of this run lies in none of the usual places")
    home = tmp_path / ".gbrain"
    open_brain(str(home), create=True, clock=lambda: utc_now() - timedelta(days=3)).close()
    found = examined(home)["home.place"]
    assert found["status"] == "warn"
    assert found["details"]

"""A file that is put in place: whole, for its owner alone, and not at all where it cannot be."""

import os
import resource
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from gbrain import plain


@pytest.fixture
def nearly_full() -> Iterator[None]:
    """A disk that takes the first 100 bytes of a file, as one that is full does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("lasting", [True, False])
def test_it_takes_the_place_of_what_was_there(tmp_path: Path, lasting: bool) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    path.chmod(0o644)
    plain.put(str(path), b"after", lasting=lasting)
    assert path.read_bytes() == b"after"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("nearly_full")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    plain.put(str(path), b"before")
    with pytest.raises(OSError, match="large"):
        plain.put(str(path), b"x" * 1000)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]

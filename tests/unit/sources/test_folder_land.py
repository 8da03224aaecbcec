"""A file put in its place: what was saved in that very moment comes back, and is told."""

from pathlib import Path

import pytest

from gbrain.sources import exchange, folder


def staged(tmp_path: Path, text: bytes = b"ours\n") -> folder.Staged:
    taken = folder.take(str(tmp_path), "a.md") if (tmp_path / "a.md").exists() else None
    return folder.stage(str(tmp_path), "a.md", text, taken)


def hidden(tmp_path: Path) -> list[Path]:
    return list(tmp_path.glob(".gbrain-*"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_bytes(b"before\n")
    return path


def test_it_takes_the_place(tmp_path: Path, file: Path) -> None:
    assert folder.land(str(tmp_path), staged(tmp_path))
    assert (file.read_bytes(), hidden(tmp_path)) == (b"ours\n", [])


def test_a_new_one(tmp_path: Path) -> None:
    assert folder.land(str(tmp_path), staged(tmp_path))
    assert ((tmp_path / "a.md").read_bytes(), hidden(tmp_path)) == (b"ours\n", [])


def test_a_save_before_it_is_left_alone(tmp_path: Path, file: Path) -> None:
    made = staged(tmp_path)
    file.write_bytes(b"saved by another\n")
    assert not folder.land(str(tmp_path), made)
    assert (file.read_bytes(), len(hidden(tmp_path))) == (b"saved by another\n", 1)


@pytest.mark.parametrize("there", [True, False])
def test_a_save_in_the_moment_of_the_move_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    file = tmp_path / "a.md"
    if there:
        file.write_bytes(b"before\n")
    made = staged(tmp_path)
    name = "exchanged" if there else "moved_to_nothing"
    move = getattr(exchange, name)

    saved: list[bool] = []

    def saved_first(source: str, target: str) -> bool:
        if not saved:
            saved.append(True)
            file.write_bytes(b"saved by another\n")
        done: bool = move(source, target)
        return done

    monkeypatch.setattr(exchange, name, saved_first)
    assert not folder.land(str(tmp_path), made)
    assert file.read_bytes() == b"saved by another\n"
    assert [path.read_bytes() for path in hidden(tmp_path)] == [b"ours\n"]


def test_a_disk_that_cannot_exchange(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_rename", lambda *given: False)
    assert folder.land(str(tmp_path), staged(tmp_path))
    file.unlink()
    assert folder.land(str(tmp_path), staged(tmp_path, b"again\n"))
    assert (file.read_bytes(), hidden(tmp_path)) == (b"again\n", [])

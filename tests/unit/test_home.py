"""Where a brain lives, and whose home is never touched."""

import os
import stat
from pathlib import Path

import pytest

from gbrain import home
from gbrain.errors import InvalidParams, Unavailable


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestResolve:
    @pytest.mark.parametrize(
        ("base", "folder"),
        [
            ("/srv/brains", "/srv/brains/.gbrain"),
            ("/srv/brains/", "/srv/brains/.gbrain"),
            ("/", "/.gbrain"),
            ("/srv/灯塔 x", "/srv/灯塔 x/.gbrain"),
            ("/srv/a..b", "/srv/a..b/.gbrain"),
        ],
    )
    def test_below_the_folder_of_the_environment(self, monkeypatch: pytest.MonkeyPatch, base: str, folder: str) -> None:
        monkeypatch.setenv("GBRAIN_HOME", base)
        assert home.resolve() == folder

    @pytest.mark.parametrize("base", ["relative", "./x", "~/x", "/srv/../x", "/srv/..", "..", " /srv"])
    def test_a_folder_that_depends_on_where_one_stands_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, base: str
    ) -> None:
        monkeypatch.setenv("GBRAIN_HOME", base)
        with pytest.raises(InvalidParams) as refused:
            home.resolve()
        assert "GBRAIN_HOME=/" in refused.value.suggestion

    @pytest.mark.parametrize("base", [None, ""])
    def test_else_below_the_persons_own(self, monkeypatch: pytest.MonkeyPatch, base: str | None) -> None:
        monkeypatch.setenv("HOME", "/home/dana")
        if base is None:
            monkeypatch.delenv("GBRAIN_HOME")
        else:
            monkeypatch.setenv("GBRAIN_HOME", base)
        assert home.resolve() == "/home/dana/.gbrain"

    def test_a_folder_that_is_given_is_taken_as_it_is(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("GBRAIN_HOME", "relative and ignored")
        monkeypatch.chdir(tmp_path)
        assert home.resolve("/srv/x") == "/srv/x"
        assert home.resolve("x") == str(tmp_path / "x")
        assert home.database_path("/srv/x") == "/srv/x/brain.db"

    @pytest.mark.parametrize("base", ["/srv/" + "d" * 480, "/srv/" + "灯" * 160, "/srv/caf\udce9"])
    def test_one_that_no_database_could_be_opened_in_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, base: str
    ) -> None:
        monkeypatch.setenv("GBRAIN_HOME", base)
        with pytest.raises(InvalidParams) as refused:
            home.resolve()
        assert "export GBRAIN_HOME=/" in refused.value.suggestion
        assert "\udce9" not in refused.value.message

    def test_nothing_is_made(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("GBRAIN_HOME", str(tmp_path / "x"))
        home.resolve()
        assert list(tmp_path.iterdir()) == []


class TestForeign:
    @pytest.mark.parametrize(
        ("files", "marks"),
        [
            ({}, []),
            ({"brain.db": "x", "integrations/memory-verbs/usage.jsonl": "{}"}, []),
            ({"config.json": "{}"}, []),
            ({"config.json": '{"theme": "dark"}'}, []),
            ({"config.json": '{"engine": "pglite"}'}, ["config.json"]),
            ({"config.json": '{"database_path": "/x"}'}, ["config.json"]),
            ({"config.json": '{\n"database_url" : "postgres://db.invalid/x"}'}, ["config.json"]),
            ({"config.json": b"\xff\xfe not text"}, []),
            ({"brain.pglite/PG_VERSION": "17"}, ["brain.pglite"]),
            ({"pglite/PG_VERSION": "17", "config.json": '{"engine": "pglite"}'}, ["pglite", "config.json"]),
            ({"brain.pglite": "a file of that name"}, []),
        ],
        ids=str,
    )
    def test_marks(self, tmp_path: Path, files: dict[str, str | bytes], marks: list[str]) -> None:
        for name, data in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        assert home.foreign_marks(str(tmp_path)) == marks

    def test_what_is_not_there_or_no_folder_has_no_marks(self, tmp_path: Path) -> None:
        assert home.foreign_marks(str(tmp_path / "absent")) == []
        (tmp_path / "file").write_text("x")
        assert home.foreign_marks(str(tmp_path / "file")) == []
        (tmp_path / "config.json").mkdir()
        assert home.foreign_marks(str(tmp_path)) == []

    def test_it_is_refused_untouched(self, tmp_path: Path) -> None:
        os.chmod(tmp_path, 0o755)
        (tmp_path / "config.json").write_text('{"engine": "pglite"}')
        for refuse in (home.refuse_foreign, home.prepare):
            with pytest.raises(Unavailable) as refused:
                refuse(str(tmp_path))
            assert refused.value.detail["reason"] == "foreign_home"
            assert refused.value.detail["marks"] == ["config.json"]
            assert "gbrain init" in refused.value.suggestion
        assert [path.name for path in tmp_path.iterdir()] == ["config.json"]
        assert mode(tmp_path) == 0o755


class TestPrepare:
    def test_a_home_is_for_its_owner_alone(self, tmp_path: Path) -> None:
        before = os.umask(0)
        try:
            home.prepare(str(tmp_path / "a" / "b"))
        finally:
            os.umask(before)
        assert mode(tmp_path / "a" / "b") == 0o700

    @pytest.mark.parametrize(("was", "becomes"), [(0o755, 0o700), (0o777, 0o700), (0o700, 0o700), (0o500, 0o500)])
    def test_an_open_one_is_closed(self, tmp_path: Path, was: int, becomes: int) -> None:
        os.chmod(tmp_path, was)
        home.prepare(str(tmp_path))
        assert mode(tmp_path) == becomes

    def test_again_changes_nothing(self, tmp_path: Path) -> None:
        home.prepare(str(tmp_path / "x"))
        (tmp_path / "x" / "kept").write_text("kept")
        home.prepare(str(tmp_path / "x"))
        assert (tmp_path / "x" / "kept").read_text() == "kept"

    @pytest.mark.parametrize("below", ["file", "file/x"])
    def test_a_file_in_its_way_is_told(self, tmp_path: Path, below: str) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(Unavailable) as refused:
            home.prepare(str(tmp_path / below))
        assert refused.value.detail["reason"] == "home_unwritable"
        assert "gbrain init" in refused.value.suggestion
        assert (tmp_path / "file").read_text() == "x"

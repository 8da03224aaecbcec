"""Damaged, foreign and unreachable stores: refused with a way on, and left byte for byte as they were.

Every case starts from a copy of a sound brain. What `-shm` holds is left out of comparisons: SQLite makes it anew.
"""

import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from commandline import Gbrain
from gbrain import BrainError, open_brain
from gbrain.errors import NotFound, Unavailable
from gbrain.registry import call
from gbrain.types import Caller

PAGE = 4096
NOBODY = 65534
VERBS: list[tuple[str, dict[str, Any]]] = [
    ("recall", {"query": "lantern gardens"}),
    ("recall", {"entity": "person 3", "include_expired": True}),
    ("entity", {"name": "Page 3"}),
    ("entity", {"name": "Paeg"}),
    ("delta", {"since": "2020-01-01"}),
    ("context_pack", {"entities": "person 3, p/3"}),
    ("search", {"query": "lantern"}),
    ("remember", {"fact": "a claim nobody made before", "provenance": "test", "entity": "person 3"}),
    ("put_page", {"slug": "p/3", "content": "# Page 3\n\nrewritten"}),
    ("forget", {"id": "3"}),
]

Damage = Callable[[Path], None]


def snapshot(home: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a home, its bytes and mode. An empty write-ahead log is as good as none."""
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and "integrations" not in path.parts]
    held = {
        str(path.relative_to(home)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in files
        if path.suffix != ".db-shm"
    }
    return {name: what for name, what in held.items() if what[0] or not name.endswith("-wal")}


def fill(home: str) -> None:
    with open_brain(home, create=True) as brain, brain.store.transaction():
        for number in range(40):
            brain.remember(
                fact=f"claim number {number} about gardens and lanterns",
                provenance="test",
                entity=f"person {number % 7}",
            )
        for number in range(25):
            brain.put_page(slug=f"p/{number}", content=f"# Page {number}\n\n" + f"lantern words {number} " * 60)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed brain of some hundred kilobytes."""
    home = tmp_path_factory.mktemp("sound") / "home"
    fill(str(home))
    assert sorted(path.name for path in home.glob("brain.db*")) == ["brain.db"]
    return home


@pytest.fixture(scope="module")
def killed(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same brain after a writer was killed: the last writes are in the write-ahead log alone."""
    home = tmp_path_factory.mktemp("killed") / "home"
    shutil.copytree(sound, home)
    script = (
        "import os, sys\n"
        "from gbrain import open_brain\n"
        "brain = open_brain(sys.argv[1])\n"
        "brain.store.config.set('k', 'x')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(home)], check=False, timeout=60)
    assert (home / "brain.db-wal").stat().st_size > 0
    return home


@pytest.fixture
def home(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / ".gbrain"))


@pytest.fixture
def logged(killed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(killed, tmp_path / ".gbrain"))


def overwrite(at: int, data: bytes) -> Damage:
    def damage(database: Path) -> None:
        with database.open("r+b") as file:
            file.seek(at)
            file.write(data)

    return damage


def cut(size: int) -> Damage:
    return lambda database: os.truncate(database, size)


def all_but_the_first_page(database: Path) -> None:
    overwrite(PAGE, b"\xff" * (database.stat().st_size - PAGE))(database)


def replaced(data: bytes) -> Damage:
    return lambda database: void(database.write_bytes(data))


def void(_: object) -> None:
    return None


BEYOND_OPENING: dict[str, Damage] = {
    "header zeroed": overwrite(0, b"\0" * 100),
    "header scribbled over": overwrite(16, b"\xff" * 84),
    "first page zeroed": overwrite(0, b"\0" * PAGE),
    "first page scribbled over": overwrite(0, random.Random(1).randbytes(PAGE)),
    "schema scribbled over": overwrite(100, random.Random(2).randbytes(PAGE - 100)),
    "all but the first page": all_but_the_first_page,
    "cut within the first page": cut(1_000),
    "cut after the first page": cut(PAGE),
    "cut in the middle of a page": cut(5 * PAGE + 17),
    "text": replaced(b"# A page\n\nThis is no database.\n" * 500),
    "two bytes": replaced(b"SQ"),
    "noise": replaced(random.Random(3).randbytes(200_000)),
}


def refused(home: Path) -> Unavailable:
    """What opening says; the folder must be as it was before."""
    before = snapshot(home)
    with pytest.raises(Unavailable) as found:
        open_brain(str(home))
    assert snapshot(home) == before
    return found.value


def outcome(action: Callable[[], None]) -> str | None:
    """What an action is refused with; None when it went through. Only our own errors may come out."""
    try:
        action()
    except Unavailable as error:
        return f"unavailable: {error.detail['reason']}"
    except BrainError as error:
        return error.code if error.code != "internal" else f"internal: {error.__cause__!r}"
    return None


class TestBeyondOpening:
    @pytest.mark.parametrize("damage", BEYOND_OPENING.values(), ids=BEYOND_OPENING)
    def test_it_is_refused_and_left_alone(self, home: Path, damage: Damage) -> None:
        damage(home / "brain.db")
        error = refused(home)
        assert error.detail["reason"] == "damaged"
        assert "gbrain doctor" in error.suggestion
        assert not re.search(r"\b(rm|delete|init|reinit)", error.suggestion)

    @pytest.mark.parametrize("create", [False, True])
    @pytest.mark.parametrize(
        "damage", [all_but_the_first_page, cut(5 * PAGE + 17), cut(0), overwrite(PAGE, b"\xff" * PAGE)]
    )
    def test_so_is_one_with_a_log_of_unsaved_writes(self, logged: Path, damage: Damage, create: bool) -> None:
        damage(logged / "brain.db")
        before = snapshot(logged)
        with pytest.raises(Unavailable) as found:
            open_brain(str(logged), create=create)
        assert found.value.detail["reason"] == "damaged"
        assert snapshot(logged) == before

    def test_a_log_whose_main_file_is_gone_is_kept(self, logged: Path) -> None:
        (logged / "brain.db").unlink()
        before = snapshot(logged)
        with pytest.raises(BrainError):
            open_brain(str(logged))
        with pytest.raises(Unavailable) as found:
            open_brain(str(logged), create=True)
        assert found.value.detail["reason"] == "damaged"
        assert snapshot(logged) == before

    def test_a_sound_brain_takes_its_log_in(self, logged: Path) -> None:
        with open_brain(str(logged)) as brain:
            assert brain.store.config.get("k") == "x"
            assert brain.store.engine.rows("pragma integrity_check") == [{"integrity_check": "ok"}]

    def test_an_empty_file_is_no_brain(self, home: Path) -> None:
        (home / "brain.db").write_bytes(b"")
        with pytest.raises(NotFound) as found:
            open_brain(str(home))
        assert "gbrain init" in found.value.suggestion
        assert (home / "brain.db").read_bytes() == b""
        open_brain(str(home), create=True).close()

    @pytest.mark.parametrize("damage", ["header zeroed", "cut in the middle of a page", "text"])
    @pytest.mark.parametrize(
        "words",
        [("recall",), ("remember", "x", "--provenance", "y"), ("entity", "Page 3"), ("init",), ("stats",)],
        ids=str,
    )
    def test_each_command_says_so_in_two_lines(
        self, home: Path, tmp_path: Path, damage: str, words: tuple[str, ...]
    ) -> None:
        BEYOND_OPENING[damage](home / "brain.db")
        before = snapshot(home)
        ran = Gbrain(tmp_path).run(*words)
        assert (ran.code, ran.out) == (6, "")
        lines = ran.err.strip().splitlines()
        assert len(lines) == 2, ran.err
        assert lines[0].startswith("Error [unavailable]: ")
        assert lines[1].startswith("  Fix: run: gbrain doctor")
        assert snapshot(home) == before


class TestWithin:
    """Damage that opening does not meet: whatever meets it says so, and nothing else ever comes out."""

    def meet(self, home: Path) -> None:
        told = outcome(lambda: void(open_brain(str(home)).close()))
        if told is not None:
            assert told == "unavailable: damaged"
            return
        with open_brain(str(home)) as brain:
            for name, arguments in VERBS:
                told = outcome(
                    lambda name=name, arguments=arguments: void(call(brain, Caller.local(), name, arguments))
                )
                assert told in (None, "unavailable: damaged", "not_found", "version_conflict", "invalid_params"), name

    @pytest.mark.parametrize("part", range(4))
    @pytest.mark.parametrize("kind", ["zeroed", "ones", "noise", "a few bytes"])
    def test_every_page_in_turn(self, sound: Path, tmp_path: Path, kind: str, part: int) -> None:
        data = (sound / "brain.db").read_bytes()
        chance = random.Random(part)
        for number in range(part, len(data) // PAGE, 4):
            at, length = number * PAGE, PAGE
            if kind == "a few bytes":
                at, length = at + chance.randrange(PAGE - 60), 60
            bad = {"zeroed": b"\0" * length, "ones": b"\xff" * length}.get(kind) or chance.randbytes(length)
            home = tmp_path / str(number)
            home.mkdir()
            (home / "brain.db").write_bytes(data[:at] + bad + data[at + length :])
            self.meet(home)
            shutil.rmtree(home)

    def test_a_text_that_is_no_text_any_more(self, home: Path) -> None:
        database = home / "brain.db"
        data = database.read_bytes()
        assert b"lantern words 3" in data
        database.write_bytes(data.replace(b"lantern words", b"lantern\xff\xfewords"))
        self.meet(home)


class TestForeign:
    def make(self, home: Path, *statements: str) -> None:
        home.mkdir(exist_ok=True)
        (home / "brain.db").unlink(missing_ok=True)
        connection = apsw.Connection(str(home / "brain.db"))
        for statement in statements:
            connection.execute(statement).fetchall()
        connection.close()
        os.chmod(home / "brain.db", 0o644)

    @pytest.mark.parametrize("create", [False, True])
    @pytest.mark.parametrize(
        "statements",
        [
            ("create table places (id integer)",),
            ("create table meta (key text)", "pragma user_version = 1"),
            ("pragma application_id = 252006673", "create table x (y)"),
            ("pragma application_id = 1", "pragma user_version = 7"),
            ("pragma journal_mode = wal", "create table places (id integer)"),
        ],
        ids=str,
    )
    def test_a_file_of_another_program_is_left_alone(
        self, tmp_path: Path, statements: tuple[str, ...], create: bool
    ) -> None:
        home = tmp_path / "home"
        self.make(home, *statements)
        before = snapshot(home)
        with pytest.raises(Unavailable) as found:
            open_brain(str(home), create=create)
        assert found.value.detail["reason"] == "foreign_store"
        assert "gbrain init" in found.value.suggestion
        assert snapshot(home) == before

    @pytest.mark.parametrize("create", [False, True])
    @pytest.mark.parametrize(
        "marks",
        [
            {"brain.pglite/PG_VERSION": "17"},
            {"config.json": '{"engine": "pglite", "database_path": "/x/brain.pglite"}'},
            {"config.json": '{\n  "database_url": "postgres://db.invalid/x"\n}', "brain.db": "whatever"},
        ],
        ids=str,
    )
    def test_a_home_of_the_typescript_gbrain_is_left_alone(
        self, tmp_path: Path, marks: dict[str, str], create: bool
    ) -> None:
        home = tmp_path / ".gbrain"
        for name, text in marks.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        os.chmod(home, 0o755)
        before = snapshot(home)
        with pytest.raises(Unavailable) as found:
            open_brain(str(home), create=create)
        assert found.value.detail["reason"] == "foreign_home"
        assert "GBRAIN_HOME" in found.value.suggestion
        assert "gbrain init" in found.value.suggestion
        ran = Gbrain(tmp_path).run("init")
        assert (ran.code, ran.out) == (6, "")
        assert snapshot(home) == before
        assert stat.S_IMODE(home.stat().st_mode) == 0o755


class TestNotAFile:
    def test_a_folder_in_its_place(self, home: Path) -> None:
        (home / "brain.db").unlink()
        (home / "brain.db").mkdir()
        error = refused(home)
        assert error.detail["reason"] == "io"
        assert "gbrain doctor" in error.suggestion

    def test_a_file_in_place_of_the_home(self, tmp_path: Path) -> None:
        (tmp_path / ".gbrain").write_text("a file")
        with pytest.raises(BrainError):
            open_brain(str(tmp_path / ".gbrain"))
        with pytest.raises(Unavailable) as found:
            open_brain(str(tmp_path / ".gbrain"), create=True)
        assert "gbrain init" in found.value.suggestion
        assert (tmp_path / ".gbrain").read_text() == "a file"


class TestPermissions:
    """Tried as a user who does not own the files, since the owner of a machine may do anything."""

    SCRIPT = f"""
import json, os, sys
import gbrain.brain, gbrain.registry
gbrain.registry.load_all()
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
try:
    brain = gbrain.open_brain(sys.argv[1], create=sys.argv[2] == "create")
    told = [brain.recall()["total"]]
    told.append(brain.remember(fact="one more", provenance="test")["status"])
    brain.close()
except gbrain.BrainError as error:
    told = error.envelope()
print(json.dumps(told))
"""

    @pytest.fixture
    def reachable(self, sound: Path) -> Iterator[Path]:
        """A copy of the brain in a folder that everybody may enter."""
        base = Path(tempfile.mkdtemp(prefix="gbrain-permissions-"))
        os.chmod(base, 0o755)
        yield Path(shutil.copytree(sound, base / ".gbrain"))
        for path in (base, base / ".gbrain"):
            os.chmod(path, 0o700)
        shutil.rmtree(base)

    def told(self, home: Path, how: str = "open") -> Any:
        command = [sys.executable, "-c", self.SCRIPT, str(home), how]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    @pytest.mark.parametrize(
        ("folder", "file"), [(0o777, 0o000), (0o755, 0o444), (0o755, 0o000), (0o777, 0o444), (0o555, 0o644)], ids=oct
    )
    def test_what_may_not_be_read_or_written(self, reachable: Path, folder: int, file: int) -> None:
        os.chmod(reachable / "brain.db", file)
        os.chmod(reachable, folder)
        before = snapshot(reachable) if os.geteuid() == 0 else {}
        told = self.told(reachable)
        assert told["error"] == "unavailable"
        assert told["detail"]["reason"] == "io"
        assert "gbrain doctor" in told["suggestion"]
        if before:
            assert snapshot(reachable) == before

    def test_a_brain_that_is_shared_by_a_group_works(self, reachable: Path) -> None:
        os.chmod(reachable / "brain.db", 0o666)
        os.chmod(reachable, 0o777)
        assert self.told(reachable) == [40, "inserted"]

    def test_a_home_that_may_not_be_entered_is_not_said_to_be_absent(self, reachable: Path) -> None:
        os.chmod(reachable, 0o000)
        assert self.told(reachable)["error"] == "unavailable"

    def test_a_home_that_may_not_be_made(self, reachable: Path) -> None:
        told = self.told(reachable.parent / "new", "create")
        assert told["error"] == "unavailable"
        assert told["detail"]["reason"] == "home_unwritable"
        assert "gbrain init" in told["suggestion"]

"""`gbrain backup`: while others write, killed at every step, on a full disk, changed by somebody, and put back."""

import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import databases
from commandline import Gbrain
from gbrain import backups, home as homes, locks
from gbrain.ambient import bank
from gbrain.backing_up import verify
from gbrain.brain import copy_brain, join_database, open_brain
from gbrain.store.backup import tables
from stdio_server import HANDSHAKE, Server

WRITER = """
import sys
from gbrain import open_brain
with open_brain(sys.argv[1]) as brain:
    number = 0
    while True:
        number += 1
        brain.remember(fact=f"{sys.argv[2]} saw lantern {number}", provenance="a test")
        print(number, flush=True)
"""
ENGINES = ("sqlite", "postgres")


def fill(home: str) -> None:
    """A brain with pages in versions, a deleted one, links, tags, facts that ended, and a turn that waits."""
    with open_brain(home, create=True) as brain:
        for number in range(6):
            brain.put_page(
                slug=f"notes/p{number}", content=f"# Page {number}\n\nünï 🏮 [[notes/p{(number + 1) % 6}]]\n"
            )
            brain.remember(fact=f"fact {number} of 倉庫の鍵", provenance="a test", entity=f"notes/p{number}")
        brain.put_page(slug="notes/p1", content="# Second\n\nversion two\n", expected_version=1)
        brain.delete_page(slug="notes/p2")
        brain.forget(id="3", reason="wrong")
        brain.remember(fact="is on a train", provenance="a test", ttl="2h", visibility="private")
        brain.add_tag(slug="notes/p3", tag="by-hand")
        brain.add_timeline_entry(slug="notes/p3", date="2031-05", summary="walked")
        brain.config_set(key="search.mode", value="balanced")
    bank.bank(home, "s1", "0" * 24, None, "a turn that waits")


def told(home: str) -> dict[str, Any]:
    """What a brain holds, by table, and what it answers."""
    with open_brain(home) as brain:
        answers = {
            "history": brain.get_versions(slug="notes/p1"),
            "page": brain.get_page(slug="notes/p1"),
            "facts": [row["fact"] for row in brain.recall(include_expired=True, limit=100)["facts"]],
            "links": brain.get_links(slug="notes/p0"),
            "found": [row["slug"] for row in brain.search(query="version two")][:1],
            "setting": brain.config_get(key="search.mode"),
        }
        return {**tables(brain.store.engine), **answers, "id": brain.id}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a filled brain on SQLite, which nobody changes."""
    home = tmp_path_factory.mktemp("filled") / ".gbrain"
    fill(str(home))
    return home


@pytest.fixture(params=ENGINES)
def gbrain(request: pytest.FixtureRequest, filled: Path, tmp_path: Path) -> Gbrain:
    """A filled brain on each engine."""
    made = Gbrain(tmp_path / "one")
    shutil.copytree(filled, made.home)
    if request.param == "postgres":
        url = fresh()
        copy_brain(str(filled), url, lambda text: None)
        (made.home / homes.DATABASE).unlink()
        join_database(str(made.home), url).close()
    return made


@pytest.fixture
def small(tmp_path: Path) -> Gbrain:
    """A brain on SQLite with one fact."""
    made = Gbrain(tmp_path / "small")
    made("init")
    made("remember", "prefers green tea", "--provenance", "a test")
    return made


def fresh() -> str:
    """The URL of an empty database."""
    return databases.shared().url(databases.shared().create())


def created(gbrain: Gbrain, *more: str) -> Path:
    return Path(gbrain("backup", "create", "--json", *more).json["path"])


def test_a_backup_is_the_brain_again(gbrain: Gbrain, tmp_path: Path) -> None:
    before = told(str(gbrain.home))
    path = created(gbrain)
    assert gbrain("backup", "verify", "latest").out.startswith(f"{path} is whole: 5 pages (and 1 deleted)")
    assert gbrain("backup", "restore", path.name, "--path", str(tmp_path / "two")).out.startswith("Restored to ")
    two = str(tmp_path / "two" / ".gbrain")
    assert told(two) == before
    assert bank.waiting(two, "default") == 1
    url = fresh()
    three = Gbrain(tmp_path / "three")
    three("backup", "restore", str(path), "--postgres", url)
    assert homes.database_url(str(three.home)) == url
    assert told(str(three.home)) == before
    with open_brain(str(three.home)) as brain:
        brain.remember(fact="a new fact", provenance="a test")


def test_it_counts_as_status_does_and_names_what_has_ended(small: Gbrain) -> None:
    small("remember", "likes rowing", "--provenance", "a test")
    small("forget", "2")
    for number in range(3):
        small("put", f"notes/n{number}", "--content", "Tea.")
    small("delete", "notes/n1")
    assert "holds      2 pages, 1 fact," in small("status").out
    counts = "2 pages (and 1 deleted), 3 versions, 1 fact (and 1 ended), 0 links"
    assert counts in small("backup", "create").out
    assert counts in small("backup", "verify", "latest").out


def test_every_file_is_for_its_owner_alone(gbrain: Gbrain) -> None:
    created(gbrain)
    below = [gbrain.home / backups.FOLDER, *(gbrain.home / backups.FOLDER).rglob("*"), gbrain.home / backups.LIST]
    assert len(below) > 5
    modes = {stat.S_IMODE(path.stat().st_mode) for path in below if path.is_file()}
    assert (modes, {stat.S_IMODE(path.stat().st_mode) for path in below if path.is_dir()}) == ({0o600}, {0o700})


def test_what_belongs_to_the_machine_stays(gbrain: Gbrain) -> None:
    (gbrain.home / "keys").mkdir()
    (gbrain.home / "keys" / "OPENAI_API_KEY").write_text("EXAMPLE-key")
    path = created(gbrain)
    names = {file.relative_to(path).parts[:2] for file in path.rglob("*") if file.is_file()}
    assert names == {("brain.db",), ("manifest.json",), ("home", "integrations"), ("home", "transcripts")}
    assert "password" not in (path / "manifest.json").read_text()


def test_a_brain_that_is_there_is_kept(gbrain: Gbrain) -> None:
    path = created(gbrain)
    before = told(str(gbrain.home))
    gbrain("remember", "a later fact", "--provenance", "a test")
    after = told(str(gbrain.home))
    refused = gbrain.run("backup", "restore", "latest")
    assert (refused.code, "--force" in refused.err, "there is a brain at" in refused.err) == (2, True, True)
    assert told(str(gbrain.home)) == after
    kept = Path(gbrain("backup", "restore", path.name, "--force", "--json").json["kept"])
    assert told(str(gbrain.home)) == before
    if (kept / backups.MANIFEST).exists():
        gbrain("backup", "restore", str(kept), "--force")
        assert told(str(gbrain.home)) == after
    else:
        assert told(str(kept)) == after


def test_others_write_on_and_none_of_theirs_is_torn(gbrain: Gbrain, tmp_path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(gbrain.home), name],
            stdout=subprocess.PIPE,
            env=gbrain.environment(),
            text=True,
        )
        for name in ("Ann", "Bob")
    ]
    try:
        for number in range(2):
            said = {name: int(process.stdout.readline()) for name, process in zip("AB", writers, strict=True)}
            path = created(gbrain)
            again = tmp_path / f"again{number}"
            gbrain("backup", "restore", str(path), "--path", str(again))
            with open_brain(str(again / ".gbrain")) as brain:
                facts = [row["fact"] for row in brain.store.engine.rows("select fact from facts")]
                for name, least in zip(("Ann", "Bob"), said.values(), strict=True):
                    seen = sorted(int(fact.split()[-1]) for fact in facts if fact.startswith(name))
                    assert seen == list(range(1, len(seen) + 1))
                    assert len(seen) >= least
    finally:
        for process in writers:
            process.kill()
        for process in writers:
            process.communicate()


def test_a_server_keeps_its_brain(gbrain: Gbrain) -> None:
    path = created(gbrain)
    with Server(gbrain.base) as server:
        server.result("initialize", HANDSHAKE)
        server.value("recall", {})
        refused = gbrain.run("backup", "restore", str(path), "--force")
        assert (refused.code, "cannot be replaced while" in refused.err) == (6, True)
        server.value("remember", {"fact": "still written", "provenance": "a test"})
        assert not (gbrain.home / "replaced").exists()
    gbrain("backup", "restore", str(path), "--force")


def test_a_process_on_another_machine_keeps_its_brain(small: Gbrain, tmp_path: Path) -> None:
    """A server elsewhere holds no lock here; the database knows of its connection."""
    path = created(small)
    url = fresh()
    join_database(str(tmp_path / "there"), url).close()
    here = Gbrain(tmp_path / "again")
    here("init", "--postgres", url)
    with open_brain(str(tmp_path / "there")) as brain:
        assert brain.recall()["total"] == 0
        refused = here.run("backup", "restore", str(path), "--force")
    assert refused.code == 6
    assert "other processes are connected" in refused.err
    here("backup", "restore", str(path), "--force")


@pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="only there can it be seen who waits for a lock")
def test_two_restores_into_one_home_take_turns(small: Gbrain) -> None:
    path = created(small)
    command = [sys.executable, "-m", "gbrain", "backup", "restore", str(path), "--force"]
    handle = locks.opened(str(small.home / ".restoring.lock"))
    locks.wait(handle)
    waiting = subprocess.Popen(command, env=small.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    mark, until = f"-> FLOCK  ADVISORY  WRITE {waiting.pid} ", time.monotonic() + 60
    while mark not in Path("/proc/locks").read_text():
        assert waiting.poll() is None
        assert time.monotonic() < until
    assert not (small.home / ".restoring").exists()
    with Server(small.base) as server:
        server.result("initialize", HANDSHAKE)
        server.value("recall", {})
        os.close(handle)
        # It looks at what is there once it has its turn, not before.
        said, _ = waiting.communicate(timeout=60)
        assert (waiting.returncode, b"cannot be replaced while" in said) == (6, True)
    assert subprocess.run(command, env=small.environment(), capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("scenario", ["create", "restore"])
def test_killed_at_any_step_nothing_is_lost(small: Gbrain, scenario: str) -> None:
    bank.bank(str(small.home), "s1", "0" * 24, None, "a turn that waits")
    created(small)
    if scenario == "restore":
        small("remember", "a later fact", "--provenance", "a test")
    script = Path(__file__).parents[1] / "data" / "killed_backup.py"
    stride = "1" if os.environ.get("SLOW_TESTS") else "3"
    done = subprocess.run(
        [sys.executable, str(script), str(small.home), scenario, stride],
        capture_output=True,
        text=True,
        env=small.environment(),
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) > 5
    assert [row for row in rows if row["wrong"] or row["unlisted"] or row["left"]] == []
    before, now = ["prefers green tea"], ["a later fact", "prefers green tea"]
    if scenario == "create":
        assert all(row["facts"] == row["again"] == before for row in rows)
    else:
        assert all(row["facts"] in (now, before, []) for row in rows)
        assert all(row["again"] == before for row in rows)
        assert all("a later fact" in row["kept"] for row in rows)


def test_after_a_restore_that_was_broken_off_no_empty_brain_is_made(small: Gbrain) -> None:
    path = created(small)
    (small.home / ".restoring").mkdir()
    (small.home / "replaced" / "x").mkdir(parents=True)
    (small.home / "brain.db").rename(small.home / "replaced" / "x" / "brain.db")
    for command in (("recall",), ("init",)):
        refused = small.run(*command)
        assert (refused.code, "gbrain backup restore" in refused.err, "replaced" in refused.err) == (3, True, True)
    assert small("backup", "restore", str(path)).out.startswith("Restored to ")
    assert "green tea" in small("recall").out


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A disk of 200 kB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)], capture_output=True)
    if made.returncode:
        pytest.skip("this user may not mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_nothing_behind(gbrain: Gbrain, tiny: Path) -> None:
    refused = gbrain.run("backup", "create", "--to", str(tiny / "copies"))
    assert (refused.code, "Traceback" in refused.err) == (6, False), refused.err
    assert [path.name for path in (tiny / "copies").iterdir()] == [".lock"]
    assert gbrain("backup", "list", "--json").json == {"backups": []}
    created(gbrain)


def test_a_limit_on_files_leaves_nothing_behind(small: Gbrain) -> None:
    command = [sys.executable, "-m", "gbrain", "backup", "create"]
    refused = subprocess.run(
        command,
        env=small.environment(),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )
    assert (refused.returncode, "Traceback" in refused.stderr) == (6, False), refused.stderr
    assert [path.name for path in (small.home / "backups").iterdir()] == [".lock"]


def cut(path: Path) -> None:
    os.truncate(path / "brain.db", 8192)


def flipped(path: Path) -> None:
    data = bytearray((path / "brain.db").read_bytes())
    data[-100] ^= 1
    (path / "brain.db").write_bytes(data)


def swapped(path: Path) -> None:
    """Another number in the manifest, and its seal as it was."""
    said = json.loads((path / "manifest.json").read_text())
    said["tables"]["facts"]["rows"] += 1
    (path / "manifest.json").write_text(json.dumps(said))


def forged(path: Path) -> None:
    """Another number in the manifest under a seal that fits: the rows themselves tell."""
    manifest = backups.read(str(path))
    facts = manifest.tables["facts"]
    backups.write(str(path), manifest._replace(tables={**manifest.tables, "facts": facts._replace(rows=7)}))


def outside(path: Path) -> None:
    manifest = backups.read(str(path))
    backups.write(str(path), manifest._replace(files={**manifest.files, "home/../../x": backups.File(0, "")}))


def journalled(path: Path) -> None:
    (path / "brain.db-journal").write_bytes(b"x" * 512)


def lost(path: Path) -> None:
    shutil.rmtree(path / "home")


def torn(path: Path) -> None:
    (path / "manifest.json").write_text('{"format": 1,')


@pytest.mark.parametrize("harm", [cut, flipped, swapped, forged, outside, journalled, lost, torn])
def test_what_was_changed_is_found_and_not_restored(small: Gbrain, tmp_path: Path, harm: Any) -> None:
    path = created(small)
    harm(path)
    found = small.run("backup", "verify", str(path), "--json")
    assert (found.code, found.json["status"], bool(found.json["problems"])) == (1, "damaged", True)
    assert verify(str(path))[1] == found.json["problems"]
    assert small.run("backup", "verify", str(path)).out.startswith(f"{path} is damaged:")
    refused = small.run("backup", "restore", str(path), "--path", str(tmp_path / "two"))
    assert (refused.code, "nothing was restored" in refused.err) == (2, True)
    assert not (tmp_path / "two" / ".gbrain" / "brain.db").exists()


def test_the_newest_are_kept_and_other_brains_left_alone(small: Gbrain, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    other = Gbrain(tmp_path / "other")
    other("init")
    foreign = created(other, "--to", str(folder))
    paths = [created(small, "--to", str(folder)) for _ in range(3)]
    small("config", "set", "backup.keep", "2")
    last = created(small, "--to", str(folder))
    assert {path for path in folder.iterdir() if path.is_dir()} == {foreign, paths[2], last}
    assert [row["path"] for row in small("backup", "list", "--json").json["backups"]] == [str(paths[2]), str(last)]
    assert small("backup", "create", "--to", str(folder), "--keep", "1", "--json").json["dropped"] == [
        str(paths[2]),
        str(last),
    ]
    assert foreign.exists()
    # A clock that was put back makes the newest look the oldest.
    past = small.run("backup", "create", "--to", str(folder), "--keep", "1", "--json", env={"GBRAIN_CLOCK": "-400d"})
    assert Path(past.json["path"]).is_dir()
    assert {path for path in folder.iterdir() if path.is_dir()} == {foreign, Path(past.json["path"])}
    assert small.run("backup", "create", "--keep", "0").code == 2


def test_a_backup_that_was_moved_away_is_still_known(small: Gbrain, tmp_path: Path) -> None:
    path = created(small, "--to", str(tmp_path / "copies"))
    shutil.move(path, tmp_path / "elsewhere")
    assert small("backup", "list", "--json").json["backups"] == [
        {"path": str(path), "created": backups.made(str(small.home))[0].created, "state": "missing"}
    ]
    assert small.run("backup", "verify", "latest").code == 3
    assert small("backup", "verify", str(tmp_path / "elsewhere")).out
    (small.home / backups.LIST).write_text("[")
    damaged = small.run("backup", "list")
    assert (damaged.code, "is damaged" in damaged.err) == (6, True)

"""Made-up bytes in every file that gbrain reads of its own home, and in a backup: used, or refused, never a defect."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain import backing_up, backups, mounts, upward
from gbrain.brain import Brain, open_brain
from gbrain.catalogue import OPERATIONS
from gbrain.errors import BrainError
from gbrain.putting_back import restore
from gbrain.registry import find
from made_up import fuzz, helpful, json_values


def quietly(text: str) -> None:
    """Progress that nobody reads."""


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a brain with a page, a fact and a file beside it."""
    home = tmp_path_factory.mktemp("whole") / ".gbrain"
    with open_brain(str(home), create=True) as brain:
        assert isinstance(brain, Brain)
        brain.put_page(slug="people/dana-oakes", content="# Dana Oakes\n\nRows.\n")
        brain.remember(fact="prefers tea", provenance="chat", entity="Dana Oakes")
        (home / "config.json").write_text("{}")
        return Path(backing_up.create(brain, None, None, quietly).path)


@fuzz
@given(name=st.sampled_from(["brain.db", "manifest.json", "home/config.json"]), data=st.data())
def test_any_byte_of_a_backup_that_changed_is_found(backup: Path, name: str, data: st.DataObject) -> None:
    file = backup / name
    whole = file.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    file.write_bytes(
        whole[:at] if cut else whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    )
    try:
        manifest, wrong = backing_up.verify(str(backup))
        # White space between the words of a manifest says nothing.
        assert wrong or manifest == backing_up.verify(str(backup))[0]
        assert wrong or name == "manifest.json"
    finally:
        file.write_bytes(whole)
    assert backing_up.verify(str(backup))[1] == []


NAMES = st.sampled_from(
    [
        "../out",
        "home/../../out",
        "/etc/gbrain-out",
        "home//x",
        "home/.",
        "home\\..\\out",
        "C:out",
        "home/integrations/x",
    ]
) | st.text(max_size=12)


@fuzz
@given(name=NAMES, size=st.integers(-1, 2**62) | json_values, hash=st.text(max_size=64), more=json_values)
def test_a_forged_manifest_writes_nowhere(
    backup: Path, tmp_path: Path, name: str, size: Any, hash: str, more: Any
) -> None:
    """Whoever forges one can seal it too: the seal is a plain hash."""
    file = backup / "manifest.json"
    whole = file.read_text()
    said = json.loads(whole)
    said["files"][name] = {"size": size, "sha256": hash}
    said["tables"]["facts"] = more if isinstance(more, dict) else said["tables"]["facts"]
    del said["seal"]
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    file.write_text(json.dumps({**said, "seal": sha256(text.encode()).hexdigest()}))
    try:
        restore(str(backup), str(tmp_path / "new" / ".gbrain"), None, False, quietly)
    except BrainError as error:
        helpful(error)
    else:
        pytest.fail("it was restored")
    finally:
        file.write_text(whole)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "out").exists()


FILES = (
    *("config.json", "mounts.json", "backups.json", "brain.json"),
    *("integrations/errors.jsonl", "integrations/exports.jsonl", "integrations/sweep.jsonl"),
    *("integrations/memory-verbs/usage.jsonl", "integrations/memory-verbs/reads.jsonl"),
    *("integrations/hooks/heartbeat.jsonl", "integrations/hooks/sessions/s1", "integrations/offers/offers.jsonl"),
)
WORDS = (
    "ts operation memory auto_writeback version mounts home path backups partial created whole engine url token session"
    " ids reason outcome tool count chars page at"
)
KEYS = st.sampled_from(WORDS.split())
VALUES = st.recursive(
    json_values | st.sampled_from(["2031-05-04T22:10:00Z", "salient", "postgres", "/nowhere", "remember", 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(str(tmp_path_factory.mktemp("files") / ".gbrain"), create=True) as made:
        assert isinstance(made, Brain)
        made.remember(fact="prefers tea", provenance="chat", entity="Dana Oakes")
        yield made


def lines(rows: list[Any]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def asked_for_nothing() -> list[str]:
    """The reads that need no argument."""
    found = [find(name) for name in OPERATIONS]
    return [one.name for one in found if one and not one.mutates and not any(param.required for param in one.params)]


@fuzz
@given(
    name=st.sampled_from(FILES),
    data=st.binary(max_size=80) | st.lists(VALUES, max_size=4).map(lines),
    operations=st.lists(st.sampled_from(asked_for_nothing()), min_size=4, max_size=4),
)
def test_no_file_of_a_home_makes_a_defect(brain: Brain, name: str, data: bytes, operations: list[str]) -> None:
    file = Path(brain.home, name)
    before = file.read_bytes() if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    try:
        for operation in operations:
            try:
                json.dumps(brain.call(operation), allow_nan=False)
            except BrainError as error:
                helpful(error)
        for read in (mounts.mounted, backups.made, lambda home: open_brain(home).close()):
            try:
                read(brain.home)
            except BrainError as error:
                helpful(error)
    finally:
        file.unlink() if before is None else file.write_bytes(before)


@fuzz
@given(name=st.sampled_from([mounts.DOTFILE, upward.SOURCE]), data=st.binary(max_size=60) | st.text().map(str.encode))
def test_a_file_that_chooses_chooses_or_is_refused(
    tmp_path: Path, brain: Brain, name: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    try:
        chosen = mounts.choose(None, brain.home)
    except BrainError as error:
        helpful(error)
    else:
        assert chosen.home == brain.home
    upward.found_upward(upward.SOURCE, str(tmp_path))

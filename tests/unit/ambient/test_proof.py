"""Forgetting with proof: what is said of each place agrees with a search of every byte."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, open_brain
from gbrain.ambient import bank
from gbrain.backing_up import create
from gbrain.errors import BrainError, InvalidParams, NotFound
from gbrain.harnesses import receipt
from gbrain.store.erasing import ERASED
from gbrain.store.raw import PIECE
from unit.ops.conftest import Asker

DANA = "people/dana-oakes"
WORDS = "keeps a “red” bicycle\\cart in the shed"


def say(ask: Any, fact: str = WORDS, **more: Any) -> str:
    id: str = ask("remember", fact=fact, provenance="chat", entity=DANA, **more)["id"]
    return id


def holding(*folders: Path | str) -> set[str]:
    """The files that hold the words, as they are or as JSON writes them."""
    needles = WORDS.encode(), json.dumps(WORDS)[1:-1].encode(), json.dumps(WORDS, ensure_ascii=False)[1:-1].encode()
    found = set()
    for folder in folders:
        for path in Path(folder).rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                data = path.read_bytes()
                found |= {str(path)} if any(needle in data for needle in needles) else set()
    return found


def remaining(told: Any) -> dict[str, list[str]]:
    return {one["place"]: one["where"] for one in told["places"] if one["state"] == "remains"}


def told_files(told: Any) -> set[str]:
    return {
        where for one in told["places"] for where in one["where"] if where.startswith("/") and " commit " not in where
    }


def test_every_file_that_holds_the_words_is_named(brain: Brain, local: Any, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    git = ["git", "-C", str(folder), "-c", "user.name=d", "-c", "user.email=d@example.invalid"]
    subprocess.run([*git, "init", "-q"], check=True)
    (folder / "garden.md").write_text(f"# Garden\n\nDana {WORDS}\n", encoding="utf-8")
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "notes"], check=True)
    local("sources_add", id="notes", path=str(folder), federated=True)
    id = say(local)
    corpus = Path(bank.folder(brain.home))
    corpus.mkdir(parents=True)
    (corpus / bank.name("s1", "0" * 24, None)).write_text(WORDS + "\n", encoding="utf-8")
    log = Path(brain.home, "integrations", "spool.jsonl")
    log.parent.mkdir(exist_ok=True)
    log.write_text('{"text": "keeps a \\u201cred\\u201d bicycle\\\\cart in the shed"}\n', encoding="utf-8")
    local("forget", id=id)
    told = local("prove_forgotten", id=id)
    assert told_files(told) == holding(brain.home, folder)
    places = remaining(told)
    assert places["history of facts"] == [f"fact {id}"]
    assert len(places["git history of the folders"]) == 1
    assert len(places["banked turns"]) == 1
    assert not told["gone"]
    erased = local("prove_forgotten", id=id, erase=True)
    left = {str(folder / "garden.md")}
    assert told_files(erased) - {str(log)} == holding(brain.home, folder) - {str(log)} == left
    assert set(remaining(erased)) == {"files of the folders", "git history of the folders", "usage and journals"}
    assert [row["fact"] for row in local("recall", entity=DANA, include_expired=True)["facts"]] == [ERASED]


def test_copies_that_were_made_and_blocks_of_agents_are_looked_into(brain: Brain, local: Any, tmp_path: Path) -> None:
    id = say(local)
    away, rules = tmp_path / "away", tmp_path / "CLAUDE.md"
    local("export_brain", dir=str(tmp_path / "out"))
    create(brain, str(away), None, lambda line: None)
    rules.write_text(f"Mine.\n<!-- gbrain:base:begin -->\nDana {WORDS}\n<!-- gbrain:base:end -->\n", encoding="utf-8")
    Path(brain.home, "bootstrap").mkdir()
    receipt.write(brain.home, {
        "harness_receipt_version": receipt.VERSION, "harnesses": {"claude-code": {"files": {str(rules): {}}}}
    })  # fmt: skip
    local("forget", id=id)
    places = remaining(local("prove_forgotten", id=id))
    assert places["exports that were made here"] == sorted(holding(tmp_path / "out"))
    assert places["backups"] == sorted(holding(away))
    assert places["blocks in the files of agents"] == [str(rules)]
    again = local("prove_forgotten", id=id, erase=True)
    assert told_files(again) == holding(tmp_path / "out", away, tmp_path / "home") | {str(rules)}
    for folder in (tmp_path / "out", away):
        shutil.rmtree(folder)
    rules.write_text("Mine.\n")
    other = say(local, "sings in the choir")
    local("forget", id=other)
    gone = {one["place"]: one["state"] for one in local("prove_forgotten", id=other)["places"]}
    assert {gone[name] for name in ("exports that were made here", "backups", "blocks in the files of agents")} == {
        "gone"
    }


def test_the_row_of_a_fence_is_told_from_the_text_of_its_page(brain: Brain, local: Any, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    local("sources_add", id="notes", path=str(tmp_path / "notes"), federated=True)
    local("put_page", slug=DANA, content="# Dana\n\nRows.\n", source_id="notes")
    id: str = local("remember", fact=WORDS, provenance="chat", entity=DANA, source_id="notes")["id"]
    local("sweep")
    local("forget", id=id)
    told = remaining(local("prove_forgotten", id=id))
    assert told["facts fences of pages"] == [f"notes:{DANA}"]
    assert "pages" not in told
    local("prove_forgotten", id=id, erase=True)
    again = say(local)
    assert again != id


def test_a_page_and_its_versions_are_named(local: Any) -> None:
    id = say(local)
    local("put_page", slug="notes/shed", content=f"# Shed\n\nDana {WORDS}\n")
    local("forget", id=id)
    assert remaining(local("prove_forgotten", id=id))["pages"] == ["default:notes/shed"]
    local("put_page", slug="notes/shed", content="# Shed\n\nEmpty.\n")
    places = remaining(local("prove_forgotten", id=id))
    assert "pages" not in places
    assert places["earlier versions of pages"] == ["default:notes/shed (1 versions)"]


def test_other_facts_that_say_it_are_named_and_the_living_stay(local: Any) -> None:
    id = say(local)
    other: str = local("remember", fact=WORDS, provenance="mail", entity="people/reed-sample")["id"]
    local("forget", id=id)
    told = local("prove_forgotten", id=id, erase=True)
    assert remaining(told)["live facts that say the same"] == [f"fact {other}"]
    assert [row["fact"] for row in local("recall", entity="people/reed-sample")["facts"]] == [WORDS]


def test_an_ended_fact_that_says_more_loses_these_words_alone(local: Any) -> None:
    id = say(local, "likes tea")
    longer = say(local, "likes tea at four and is allergic to nuts")
    same: str = local("remember", fact="likes tea", provenance="mail", entity="people/reed-sample")["id"]
    for one in (id, longer, same):
        local("forget", id=one, reason="said likes tea twice")
    told = local("prove_forgotten", id=id, erase=True)
    assert "history of facts" not in remaining(told)
    assert "bytes of the database" not in remaining(told)
    rows = {row["fact_id"]: row["fact"] for row in local("recall", include_expired=True)["facts"]}
    assert rows == {id: ERASED, same: ERASED, longer: f"{ERASED} at four and is allergic to nuts"}
    assert local("why", id=longer)["state"] == "forgotten"


def test_words_are_found_broken_over_lines_and_across_the_parts_of_a_large_file(brain: Brain, local: Any) -> None:
    id = say(local, "keeps the red bicycle")
    spool = Path(brain.home, "transcripts", "shadow", "a.json")
    spool.parent.mkdir(parents=True)
    spool.write_text(json.dumps({"text": "Dana keeps the\n  red bicycle."}), encoding="utf-8")
    large = Path(brain.home, "large.log")
    with large.open("wb") as file:
        file.truncate(PIECE - 8)
        file.seek(0, os.SEEK_END)
        file.write(b"\nkeeps the red bicycle\n")
    local("forget", id=id)
    found = remaining(local("prove_forgotten", id=id))
    assert found["other files of the home"] == [str(large)]
    assert found["spools of turns"] == [str(spool)]


def test_a_process_that_looks_keeps_its_hold_on_the_database(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    with open_brain(home, create=True) as brain:
        local = Asker(brain, Caller.local())
        id = say(local)
        local("forget", id=id)
        local("prove_forgotten", id=id)
        ask = "import sys; from gbrain import open_brain\nwith open_brain(sys.argv[1]) as b: print(b.recall()['total'])"
        subprocess.run([sys.executable, "-c", ask, home], check=True, capture_output=True)
        say(local, "sings in the choir")
        seen = subprocess.run([sys.executable, "-c", ask, home], check=True, capture_output=True, text=True)
        assert seen.stdout.strip() == "1"


def test_who_was_sent_it_is_out_of_reach(local: Any, remote: Any) -> None:
    id = say(local)
    remote("recall", entity=DANA)
    local("forget", id=id)
    told = {one["place"]: one for one in local("prove_forgotten", id=id)["places"]}
    sent = told["what clients were sent"]
    assert (sent["state"], sent["where"]) == ("out_of_reach", ["agent-example: recall, 1 times"])


def test_only_a_forgotten_fact_and_only_the_person_here(local: Any, remote: Any) -> None:
    id = say(local)
    with pytest.raises(InvalidParams, match="not forgotten"):
        local("prove_forgotten", id=id, erase=True)
    with pytest.raises(NotFound):
        local("prove_forgotten", id="77")
    local("forget", id=id)
    with pytest.raises(BrainError) as refused:
        remote("prove_forgotten", id=id)
    assert refused.value.code == "unknown_tool"
    local("prove_forgotten", id=id, erase=True)
    with pytest.raises(InvalidParams, match="erased"):
        local("prove_forgotten", id=id)
    with pytest.raises(InvalidParams, match="erased"):
        local("restore_fact", id=id)


def test_a_file_that_cannot_be_read_is_not_called_gone(brain: Brain, local: Any) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    id = say(local)
    local("forget", id=id)
    shut = Path(brain.home, "shut.txt")
    shut.write_text("x")
    shut.chmod(0)
    places = remaining(local("prove_forgotten", id=id))
    assert any("shut.txt (cannot be read" in where for where in places["other files of the home"])

"""The brain at a glance, and what happened lately."""

import os
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain
from gbrain.ambient import bank
from gbrain.entry.cli.screen import Paint
from gbrain.entry.cli.status_texts import sparkline, status
from gbrain.errors import BrainError

DANA = "people/dana-oakes"


def test_an_empty_brain_holds_nothing_and_waits_for_nothing(local: Any) -> None:
    told = local("status")
    assert (told["pages"], told["facts"], told["writeback"], told["last"], told["lapsing"]) == (0, 0, "off", [], [])
    assert told["waiting"]["turns"] == told["waiting"]["files"] == 0
    assert told["days"] == []


def test_what_was_saved_what_lapses_and_what_waits(brain: Brain, local: Any, remote: Any, clock: Any) -> None:
    local("config_set", key="memory.auto_writeback", value="salient")
    first = remote("remember", fact="likes tea", provenance="chat", entity=DANA)["id"]
    clock.move(days=1)
    second = local("remember", fact="is in Lisbon", provenance="chat", ttl="2d", visibility="private")["id"]
    local("remember", fact="is away", provenance="chat", ttl="20d")
    local("forget", id=first)
    folder = Path(bank.folder(brain.home))
    folder.mkdir(parents=True)
    waiting, done = (bank.name(session, "0" * 24, None) for session in ("s1", "s2"))
    for name in (waiting, done, done + bank.INGESTED):
        (folder / name).write_text("x")
    told = local("status", limit=2)
    assert [one["fact"] for one in told["last"]] == ["is away", "is in Lisbon"]
    assert [one["id"] for one in told["lapsing"]] == [second]
    assert (told["writeback"], told["consent"]) == ("salient", local("consents")["consents"][0]["consent"])
    assert told["waiting"]["turns"] == 1
    assert [(one["day"], one["saved"], one["ended"]) for one in told["days"]] == [
        ("2031-05-04", 1, 0), ("2031-05-05", 2, 1)
    ]  # fmt: skip
    assert (told["bytes"] is None) == (brain.store.engine.name != "sqlite")


def test_what_happened_in_order_and_by_whom(local: Any, remote: Any, clock: Any) -> None:
    id = remote("remember", fact="likes tea", provenance="chat", entity=DANA)["id"]
    clock.move(minutes=1)
    local("put_page", slug="notes/shed", content="# Shed\n")
    clock.move(minutes=1)
    local("forget", id=id)
    events = local("activity")["events"]
    assert [(one["what"], one["id"], one["who"]) for one in events] == [
        ("saved", f"#{id}", "agent-example"),
        ("wrote", "notes/shed", "local"),
        ("ended", f"#{id}", "forgotten"),
    ]
    assert [one["what"] for one in local("activity", since="90s ago")["events"]] == ["wrote", "ended"]
    assert [one["what"] for one in local("activity", limit=1)["events"]] == ["ended"]
    clock.move(days=3)
    assert local("activity")["events"] == []


def test_what_a_hook_did_is_told_without_a_word_of_it(brain: Brain, local: Any) -> None:
    folder = Path(brain.home, "integrations", "hooks")
    os.makedirs(folder)
    (folder / "heartbeat.jsonl").write_text(
        '{"ts":"2031-05-04T22:09:00Z","event":"stop","harness":"codex","outcome":"ok","reason":"no_serve"}\n'
        '{"ts":"garbage"}\n[1]\n{"ts":"2031-05-04T22:09:30+00:00","event":"sweep","outcome":"ok","inserted":2}\n'
    )
    told = [(one["id"], one["text"], one["who"]) for one in local("activity")["events"]]
    assert told == [("stop", "ok no_serve", "codex"), ("sweep", "ok 2 inserted", "")]


@pytest.mark.parametrize("name", ["status", "activity"])
def test_no_agent_may_ask(remote: Any, name: str) -> None:
    with pytest.raises(BrainError) as refused:
        remote(name)
    assert refused.value.code == "unknown_tool"


@pytest.mark.parametrize(("numbers", "line"), [([], ""), ([0, 0], ""), ([1], "▅"), ([0, 1, 7], "▁▂█"), ([5, 5], "▇▇")])
def test_a_line_of_bars(numbers: list[int], line: str) -> None:
    assert sparkline(numbers) == line


def test_what_agents_were_offered_and_opened_is_told(local: Any, remote: Any) -> None:
    local("put_page", slug="people/dana-oakes", content="---\ntitle: Dana Oakes\n---\nDana.\n")
    remote("volunteer_context", window="What did Dana Oakes say?")
    remote("get_page", slug="people/dana-oakes")
    events = [one for one in local("activity", since="1d")["events"] if one["what"] in ("offered", "opened")]
    assert [(one["what"], one["id"], one["who"]) for one in events] == [
        ("offered", "default:people/dana-oakes", "operation"), ("opened", "default:people/dana-oakes", "get_page")
    ]  # fmt: skip


def test_the_screen_has_a_bar_for_each_of_the_days_and_says_how_it_does(local: Any, clock: Any) -> None:
    clock.move(days=-2)
    local("remember", fact="likes tea", provenance="t")
    clock.move(days=2)
    value = local("status")
    issue = {"name": "store.space", "message": "the disk is full"}
    for issues, said in (([], "well"), ([issue], "store.space: the disk is full"), ([issue] * 3, "and 2 more")):
        text = status({**value, "health": {"status": "warnings", "issues": issues}}, {}, Paint(False))
        assert said in text
    bars = next(line for line in text.splitlines() if "28 days" in line).split()[2]
    assert bars == "▁" * 25 + "▅▁▁"

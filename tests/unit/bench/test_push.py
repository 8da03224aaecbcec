"""The corpus of conversations, and how offers do on it."""

import os
from pathlib import Path

import pytest

from gbrain.bench import push, push_plugins, talk, talk_held, talk_written
from gbrain.bench.push import Options, Outcome
from gbrain.bench.talk import APART, HOME, Turn
from gbrain.brain import open_brain
from nodes import NODE

GOLD = frozenset({(HOME, "a")})


def test_a_seed_gives_one_corpus_of_which_a_third_are_traps() -> None:
    made = talk.corpus(3, 200)
    assert made == talk.corpus(3, 200)
    assert made != talk.corpus(4, 200)
    turns = [turn for said in made.talks for turn in said]
    assert 0.28 < sum(turn.trap for turn in turns) / len(turns) < 0.4
    assert 0.25 < sum(bool(turn.gold) for turn in turns) / len(turns) < 0.5
    assert not any(turn.gold for turn in turns if turn.trap)
    places = {entry.place for entry in made.entries}
    assert len(places) == len(made.entries)
    assert {place for turn in turns for place in turn.gold} <= places
    hidden = {entry.place for entry in made.entries if entry.private or entry.source == APART}
    assert not any(turn.gold & hidden for turn in turns)


def test_the_bars_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert push.main(Options(60, 7, json=f"{tmp_path}/figures.json", strict=True)) == 0
    assert "traps" in capsys.readouterr().out
    assert "precision" in (tmp_path / "figures.json").read_text(encoding="utf-8")


def test_figures_tell_what_went_wrong() -> None:
    named, idle = Turn("Ask A.", GOLD, "", "full name"), Turn("Hm.", frozenset(), "", "idle")
    leak = frozenset({(APART, "b")})
    outcomes = [
        Outcome(named, GOLD, 20, 1.0),
        Outcome(named, frozenset(), 0, 1.0),
        Outcome(idle, leak, 20, 1.0),
        Outcome(idle, frozenset(), 0, 1.0),
    ]
    found = push.figures(outcomes, {(APART, "b")})
    expected = {
        "know-to-ask failures": 0.5,
        "false offers": 0.25,
        "precision": 0.5,
        "recall": 0.5,
        "leaks": 1,
        "tokens": 10,
    }
    assert {name: found[name] for name in expected} == expected
    assert set(push.missed(found)) == {"know-to-ask failures", "false offers", "precision", "recall", "leaks"}
    assert "MISSED" in push.table(found, outcomes)
    assert len(push.misses(outcomes)) == 2


def test_a_brain_of_the_corpus_keeps_sources_apart(tmp_path: Path) -> None:
    made = talk.corpus(5, 1)
    with open_brain(str(tmp_path), create=True) as brain:
        push.fill(brain, made)
        counts = {row["id"]: row["page_count"] for row in brain.call("sources_list", {})["sources"]}
    assert counts == {
        "default": 0,
        **{source: sum(entry.source == source for entry in made.entries) for source in (talk.HOME, talk.SHARED, APART)},
    }


def test_the_conversations_held_back_are_others_and_the_bars_hold(capsys: pytest.CaptureFixture[str]) -> None:
    held, own = talk_held.corpus(3, 80), talk.corpus(3, 80)
    assert held == talk_held.corpus(3, 80)
    turns = [turn for said in held.talks for turn in said]
    assert 0.28 < sum(turn.trap for turn in turns) / len(turns) < 0.4
    shared = {turn.said for turn in turns} & {turn.said for said in own.talks for turn in said}
    assert not shared
    assert not {entry.title for entry in held.entries} & {entry.title for entry in own.entries}
    assert push.main(Options(60, 7, "held", strict=True)) == 0
    assert "traps" in capsys.readouterr().out


def test_the_written_conversations_are_of_known_pages_and_the_bars_hold() -> None:
    made = talk_written.corpus(0, 1000)
    turns = [turn for said in made.talks for turn in said]
    assert len(turns) > 260
    assert 0.38 < sum(turn.trap for turn in turns) / len(turns) < 0.5
    assert not any(turn.gold for turn in turns if turn.trap)
    hidden = {entry.place for entry in made.entries if entry.private or entry.source == APART}
    assert not any(turn.gold & hidden for turn in turns)
    assert len(talk_written.corpus(0, 3).talks) == 3
    assert push.main(Options(400, 1, "written", strict=True)) == 0


@pytest.mark.parametrize("harness", ["claude-code", "codex", "gemini", "openclaw"])
def test_an_agents_own_hook_offers_the_same(
    harness: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert push.main(Options(2, 7, harness=harness, misses=True, strict=True)) == 0
    said = capsys.readouterr().out
    assert "run again" in said
    assert ("skipped the plugin of openclaw, since there is no node" in said) is (harness == "openclaw")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("harness", push_plugins.HARNESSES)
def test_an_agents_plugin_offers_the_same(
    harness: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert NODE is not None
    monkeypatch.setenv("PATH", os.path.dirname(NODE))
    assert push.main(Options(3, 7, harness=harness, misses=True, strict=True)) == 0
    assert f"through the plugin of {harness}" in capsys.readouterr().out

"""Why a text is worth saving."""

import json
from pathlib import Path

import pytest

from gbrain.domain.signals import SCORES, decide_write, write_signals

DATA = Path(__file__).parents[2] / "data"
LEAST_F1 = 0.9


def names(text: str, context: str = "") -> list[str]:
    return [signal.name for signal in write_signals(text, context)]


@pytest.mark.parametrize("file", ["write_signals.jsonl", "write_signals_judged.jsonl"])
def test_the_labelled_turns_are_told_apart(file: str) -> None:
    if not (DATA / file).exists():
        pytest.skip(f"{file} is not there")
    rows = [json.loads(line) for line in (DATA / file).read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 200
    said = [(row, decide_write(row["text"], row.get("context") or "")[0]) for row in rows]
    right = sum(yes and row["worth"] for row, yes in said)
    wrong = [row["text"] for row, yes in said if yes is not row["worth"]]
    assert 2 * right / (2 * right + len(wrong)) >= LEAST_F1, wrong


@pytest.mark.parametrize(
    ("text", "name", "score"),
    [
        ("Remember that the gate is locked at ten.", "request", 0.95),
        ("请记一下：合同编号是 HX-2031。", "request", 0.95),
        ("We finally shipped version 2.0.", "milestone", 0.85),
        ("数据迁移已经完成了。", "milestone", 0.85),
        ("The root cause was a missing index.", "lesson", 0.8),
        ("教训：上线之前先备份。", "lesson", 0.8),
        ("I prefer dark roast.", "preference", 0.7),
        ("我不吃辣。", "preference", 0.7),
        ("Latency dropped from 800 ms to 95 ms.", "finding", 0.65),
        ("瓶颈在序列化。", "finding", 0.65),
        ("To sum up, we talked about the cache.", "summary", 0.4),
        ("Checkpoint: halfway through.", "checkpoint", 0.3),
    ],
)
def test_each_signal_has_its_score(text: str, name: str, score: float) -> None:
    first = write_signals(text)[0]
    assert (first.name, first.score) == (name, score)
    assert decide_write(text) == (score > 0.6, write_signals(text))


@pytest.mark.parametrize(
    "text",
    [
        "I can't remember the name of that place.",
        "I can’t remember the name of that place.",
        "Do you remember what we said?",
        "do you remember the port",
        "我老是记不住密码。",
        "你还记得那家店吗？",
        'She said "remember that the gate is locked".',
        "He wrote “I prefer tea”.",
        "> Please keep in mind that I hate tea.",
        "```\n# remember to flush\n```",
        "他说“请记住我的名字”。",
        "「别忘了我」是谁唱的",
        "",
        " \n",
        "。。。",
    ],
)
def test_what_says_nothing_scores_nothing(text: str) -> None:
    assert write_signals(text) == []
    assert decide_write(text) == (False, [])


def test_a_preference_that_is_known_is_no_news() -> None:
    assert names("I prefer dark roast over light roast.") == ["preference"]
    assert names("I prefer dark roast over light roast.", "The user prefers dark roast over light roast.") == []
    assert names("I prefer dark roast over light roast.", "The user prefers tea over juice.") == ["preference"]
    assert write_signals("我喜欢乌龙茶。", ["用户住在杭州。", "用户喜欢乌龙茶。"]) == []


def test_signals_come_strongest_first_and_once() -> None:
    text = "To sum up: we shipped 2.0. Remember that the root cause was the cache. We shipped 2.1 too."
    found = write_signals(text)
    assert [signal.name for signal in found] == ["request", "milestone", "lesson", "summary"]
    assert all(signal.score == SCORES[signal.name] for signal in found)
    assert found[0].sentence == "remember that the root cause was the cache"


def test_a_request_may_be_a_question() -> None:
    assert names("Can you remember that I'm away on Friday?") == ["request"]
    assert names("Can you remember what I told you?") == []
    assert names("可以帮我记一下吗？端口是 8443") == ["request"]


@pytest.mark.parametrize("text", ["i " * 40_000, "when it fails " * 5_000, "从1" * 20_000, '"' * 50_000, "'a" * 20_000])
def test_long_texts_end_and_say_nothing(text: str) -> None:
    assert decide_write(text) == (False, [])

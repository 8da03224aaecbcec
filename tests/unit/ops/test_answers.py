"""Graded questions: forty for a model that can only echo, forty about time for none at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from answers import Graded, echo, graded, plant
from clocks import Clock
from gbrain import Brain, Caller, open_brain, registry
from model_server import ModelServer, model_server


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    yield from made(tmp_path_factory.mktemp("answers"), "answers_world")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    yield from made(tmp_path_factory.mktemp("fresh"), "answers_fresh_world")


def made(home: Path, world: str) -> Iterator[Brain]:
    """A brain with the world of a file in tests/data."""
    clock = Clock()

    def stand(now: object) -> None:
        clock.now = now  # type: ignore[assignment]

    with open_brain(str(home / "home"), create=True, clock=clock) as brain:
        assert isinstance(brain, Brain)
        plant(brain, stand, world)
        yield brain


@pytest.fixture(scope="module")
def echoing(planted: Brain) -> Iterator[ModelServer]:
    with model_server() as server:
        server.script = echo
        yield server


def ids(rows: list[Graded]) -> list[str]:
    return [row.question for row in rows]


TEMPORAL, COMPOSED, FRESH = graded("answers_temporal"), graded("answers_graded"), graded("answers_fresh")


def wrong(brain: Brain, row: Graded) -> list[str]:
    """What is wrong with the answer to a question about time; nothing for a right one."""
    reply = brain.think(question=row.question)
    found = [f"{text!r} is not in {reply['answer']!r}" for text in row.says if text not in reply["answer"]]
    if reply["diagnostics"]["answered_by"] not in ("timeline", "trajectory"):
        found.append(f"not answered by dates: {reply['answer']!r}")
    if (reply["synthesis_status"], reply["modelUsed"], reply["rounds"]) != ("ok", None, 0):
        found.append("a model was asked, or it failed")
    cited = {one["page_slug"] for one in reply["citations"]}
    return found if cited == set(row.stands_on) else [*found, f"it cites {cited}"]


@pytest.mark.parametrize("row", TEMPORAL, ids=ids(TEMPORAL))
def test_a_question_about_time_is_answered_by_dates_alone(planted: Brain, row: Graded) -> None:
    assert wrong(planted, row) == []


@pytest.mark.parametrize("row", FRESH, ids=ids(FRESH))
def test_a_question_about_another_world_is_answered_too(fresh: Brain, row: Graded) -> None:
    assert wrong(fresh, row) == []


@pytest.mark.parametrize("row", COMPOSED, ids=ids(COMPOSED))
def test_a_model_that_only_echoes_is_given_what_answers(planted: Brain, echoing: ModelServer, row: Graded) -> None:
    planted.store.config.set("models.default", f"endpoint:echo url={echoing.url}")
    try:
        reply = registry.call(planted, Caller.local(), "synthesize", {"question": row.question}).value
    finally:
        planted.store.config.unset("models.default")
    assert (reply["synthesis_status"], reply["cost"]["model"]) == ("ok", "endpoint:scripted-1")
    for said in row.says:
        assert said in reply["answer"]
    if row.stands_on is not None:
        assert row.stands_on in reply["sources"]


def test_what_no_date_tells_is_not_guessed(planted: Brain) -> None:
    for question in (
        "When did Reed Sample join Pier Works?",
        "When did Zed Example join Harbor Capital?",
        "How long since Dana visited Tokyo?",
        "What was the ARR of Pier Works in March 2031?",
        "When did Harbor Capital acquire Gull Air?",
    ):
        reply = planted.think(question=question)
        assert (reply["diagnostics"]["answered_by"], reply["synthesis_status"]) == ("evidence", "no_llm"), reply[
            "answer"
        ]

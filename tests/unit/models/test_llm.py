"""Models through the extra `llm`: the Anthropic wire over a real connection, well-behaved and not."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gbrain.models.chat import Ask, ChatFailed
from model_server import ModelServer, Told, model_server, status

pytest.importorskip("pydantic_ai", reason="the extra `llm` is not installed")

SECRET = "sk-ant-scripted-key"
ASK = Ask("compose", "You answer.", "the harbour's depth", 50)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.script = lambda body: message("Nine metres.")
        yield running


def message(text: str, stop: str = "end_turn") -> Told:
    said: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-scripted-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
    return Told(200, [json.dumps(said).encode()], {"Content-Type": "application/json"})


def chat(server: ModelServer) -> Any:
    from gbrain.models.llm import LibraryChat

    return LibraryChat("anthropic", "claude-haiku-4-5", server.origin, SECRET)


def failure(server: ModelServer, told: Told, seconds: float = 10.0) -> ChatFailed:
    server.script = lambda body: told
    with pytest.raises(ChatFailed) as failed:
        chat(server).complete(ASK, seconds)
    shown = failed.value.message + failed.value.suggestion
    assert not any(word in shown for word in (SECRET, "harbour", "provider says"))
    return failed.value


def test_a_question_and_its_answer(server: ModelServer) -> None:
    answer = chat(server).complete(ASK, 10)
    assert answer == ("Nine metres.", "anthropic:claude-scripted-1", 100, 20, None, "stop")
    [asked] = server.asked
    assert asked.path == "/v1/messages"
    sent = {name.lower(): value for name, value in asked.headers.items()}
    assert SECRET in (sent.get("x-api-key"), sent.get("authorization", "").removeprefix("Bearer "))
    assert (asked.body["model"], asked.body["max_tokens"]) == ("claude-haiku-4-5", 50)
    assert ASK.text in json.dumps(asked.body["messages"])
    assert ASK.system in json.dumps(asked.body["system"])


@pytest.mark.parametrize(
    ("stop", "finish"), [("max_tokens", "length"), ("refusal", ("refused", "filtered")), ("end_turn", "stop")]
)
def test_an_answer_that_is_less_says_so(server: ModelServer, stop: str, finish: Any) -> None:
    server.script = lambda body: message("I", stop)
    assert chat(server).complete(ASK, 10).finish in finish


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (status(500), "server_error"),
        (status(529, "provider says: overloaded"), "server_error"),
        (status(429), "rate_limited"),
        (status(401), "auth"),
        (status(404), "rejected"),
        (Told(200, [b"<html>provider says"], {"Content-Type": "text/html"}), "malformed"),
        (Told(200, [b'{"type": "mess'], {"Content-Type": "application/json"}), "malformed"),
    ],
)
def test_a_failure_is_of_a_known_kind_and_tried_once(server: ModelServer, told: Told, reason: str) -> None:
    assert failure(server, told).reason == reason
    assert len(server.asked) == 1


def test_how_long_to_wait_is_what_the_provider_says(server: ModelServer) -> None:
    assert failure(server, status(429, Retry_After="7")).retry_after == 7


def test_a_server_that_says_nothing_is_left_at_the_deadline(server: ModelServer) -> None:
    server.go.clear()
    assert failure(server, message("late"), 0.5).reason == "timeout"


def test_a_redirect_takes_no_key_elsewhere(server: ModelServer) -> None:
    with model_server() as elsewhere:
        failure(server, status(307, Location=f"{elsewhere.url}/messages"))
        assert elsewhere.asked == []


def test_nobody_listens(server: ModelServer) -> None:
    server.close()
    with pytest.raises(ChatFailed) as failed:
        chat(server).complete(ASK, 5)
    assert failed.value.reason == "unreachable"


def test_a_key_is_not_sent_in_the_clear_to_another_machine() -> None:
    from gbrain.models.llm import LibraryChat

    with pytest.raises(ChatFailed, match="use https"):
        LibraryChat("anthropic", "m", "http://models.example", SECRET)

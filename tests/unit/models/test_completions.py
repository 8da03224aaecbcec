"""Chat completions over a real connection: what is asked, what is understood, and every way to fail."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from gbrain.models.chat import Ask, ChatFailed
from gbrain.models.completions import MOST_BYTES, Completions
from gbrain.models.wire import retry_after
from model_server import ModelServer, Told, completion, model_server, status

SECRET = "sk-scripted-key"
ASK = Ask("compose", "You answer.", "the harbour's depth", 50)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def chat(server: ModelServer, *, modern: bool = False) -> Completions:
    return Completions("endpoint", "m", server.url, SECRET, modern=modern)


def failure(server: ModelServer, told: Told, seconds: float = 5.0) -> ChatFailed:
    server.script = lambda body: told
    with pytest.raises(ChatFailed) as failed:
        chat(server).complete(ASK, seconds)
    shown = failed.value.message + failed.value.suggestion + json.dumps(failed.value.detail)
    assert not any(word in shown for word in (SECRET, "harbour", "provider says"))
    return failed.value


def test_a_question_and_its_answer(server: ModelServer) -> None:
    server.script = lambda body: completion("Nine metres.")
    assert chat(server).complete(ASK, 5) == ("Nine metres.", "endpoint:scripted-1", 100, 20, None, "stop")
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == f"Bearer {SECRET}"
    assert asked.body == {
        "model": "m",
        "messages": [{"role": "system", "content": ASK.system}, {"role": "user", "content": ASK.text}],
        "max_tokens": 50,
    }


def test_json_is_asked_for_until_the_server_does_not_know_it(server: ModelServer) -> None:
    def script(body: dict[str, Any]) -> Told:
        return status(400, '{"error": "response_format is unknown"}') if "response_format" in body else completion("{}")

    server.script = script
    model = chat(server)
    for _ in range(2):
        assert model.complete(ASK._replace(want_json=True), 5).text == "{}"
    assert ["response_format" in asked.body for asked in server.asked] == [True, False, False]


def test_the_name_of_the_cap_is_the_one_the_server_knows(server: ModelServer) -> None:
    def script(body: dict[str, Any]) -> Told:
        told = '{"error": {"message": "Unsupported parameter: use max_completion_tokens"}}'
        return status(400, told) if "max_tokens" in body else completion("yes")

    server.script = script
    assert chat(server).complete(ASK, 5).text == "yes"
    assert chat(server, modern=True).complete(ASK, 5).text == "yes"
    assert [sorted(asked.body)[0] for asked in server.asked] == ["max_tokens", *["max_completion_tokens"] * 2]


@pytest.mark.parametrize(
    ("told", "finish", "text"),
    [
        (completion("cut of", "length"), "length", "cut of"),
        (completion("", "content_filter"), "filtered", ""),
        (completion(None, "stop", refusal="I will not."), "refused", ""),
        (completion('{"facts": [{"fact": "a', "length"), "length", '{"facts": [{"fact": "a'),
        (completion([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]), "stop", "in parts"),
        (completion(None), "stop", ""),
    ],
    ids=["cut", "filtered", "refused", "cut json", "parts", "empty"],
)
def test_an_answer_that_is_less_says_so(server: ModelServer, told: Told, finish: str, text: str) -> None:
    server.script = lambda body: told
    answer = chat(server).complete(ASK, 5)
    assert (answer.finish, answer.text) == (finish, text)


def test_tokens_that_are_not_counted_are_unknown(server: ModelServer) -> None:
    for tokens in (None, (-1, 2**80), ("7", 1.5)):
        server.script = lambda body, tokens=tokens: completion("yes", tokens=tokens)  # type: ignore[misc]
        answer = chat(server).complete(ASK, 5)
        assert (answer.input_tokens, answer.output_tokens) == (None, None)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (status(500), "server_error"),
        (status(503, "provider says: busy"), "server_error"),
        (status(429), "rate_limited"),
        (status(401), "auth"),
        (status(403), "auth"),
        (status(400), "rejected"),
        (status(404, "no such model"), "rejected"),
        (status(204, ""), "rejected"),
        (Told(200, [b"<html>provider says hello</html>"], {"Content-Type": "text/html"}), "malformed"),
        (Told(200, [b'{"choices": [{"message": {"content": "hal']), "malformed"),
        (Told(200, [b"[]"]), "malformed"),
        (Told(200, [b'{"choices": []}']), "malformed"),
        (Told(200, [b'{"choices": [{"message": "text"}]}']), "malformed"),
        (Told(200, [b"[" * 100_000]), "malformed"),
        (Told(200, [b"\xff\xfe"]), "malformed"),
        (completion(42), "malformed"),
        (Told(200, [b"x" * (2 * MOST_BYTES)]), "malformed"),
        (Told(200, [b"x" * (2 * MOST_BYTES)], whole=False), "malformed"),
    ],
)
def test_what_is_no_answer_is_a_failure_of_a_known_kind(server: ModelServer, told: Told, reason: str) -> None:
    failed = failure(server, told)
    assert failed.reason == failed.detail["reason"] == reason
    assert "gbrain " in failed.suggestion


def test_how_long_to_wait_is_what_the_provider_says(server: ModelServer) -> None:
    assert failure(server, status(429, Retry_After="7")).retry_after == 7
    assert failure(server, status(503, Retry_After="0")).retry_after == 0
    assert failure(server, status(429)).retry_after is None
    for nonsense in ("soon", "-1", "1e9", "", "٣", "99/99/9999"):
        assert retry_after(nonsense) is None
    assert retry_after(format_datetime(datetime.now(UTC) - timedelta(hours=1))) == 0
    assert 3500 < (retry_after(format_datetime(datetime.now(UTC) + timedelta(hours=1))) or 0) <= 3600


def test_a_server_that_says_nothing_is_left_at_the_deadline(server: ModelServer) -> None:
    server.go.clear()
    assert failure(server, completion("late"), 0.2).reason == "timeout"


def test_one_that_says_it_drop_by_drop_too(server: ModelServer) -> None:
    slow = threading.Event()
    server.between = lambda: slow.wait(0.02)
    told = completion("x" * 1000)
    assert failure(server, told._replace(parts=[bytes([byte]) for byte in told.parts[0]]), 0.3).reason == "timeout"


def test_a_redirect_is_followed_nowhere(server: ModelServer) -> None:
    with model_server() as elsewhere:
        for code in (301, 302, 307, 308):
            told = status(code, Location=f"{elsewhere.url}/chat/completions")
            assert failure(server, told).reason == "rejected"
        assert elsewhere.asked == []


def test_nobody_listens(server: ModelServer) -> None:
    server.close()
    with pytest.raises(ChatFailed) as failed:
        chat(server).complete(ASK, 1)
    assert failed.value.reason == "unreachable"


@pytest.mark.parametrize("url", ["", "harbour", "ftp://127.0.0.1/v1", "http://", "http://[::1/v1", "http://h:99999/v1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ChatFailed) as failed:
        Completions("endpoint", "m", url, None)
    assert failed.value.reason == "bad_settings"


def test_a_key_is_not_sent_in_the_clear_to_another_machine() -> None:
    with pytest.raises(ChatFailed, match="use https"):
        Completions("endpoint", "m", "http://models.example/v1", SECRET)
    assert Completions("endpoint", "m", "http://models.example/v1", None).where == "endpoint@models.example"

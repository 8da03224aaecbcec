"""An OpenAI-compatible address, well-behaved and not, over a real connection."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embedding_server import Endpoint, endpoint, plain, reply, vector
from gbrain.models.embedder import EmbedFailed
from gbrain.models.endpoint import BATCH_TEXTS, EndpointEmbedder, Pace

PATIENT, PROMPT = Pace(5.0, 3, 0.01), Pace(0.3, 1, 0.0)


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


def model(server: Endpoint, key: str | None = None, dimension: int = 0) -> EndpointEmbedder:
    return EndpointEmbedder(server.url, "m", key, dimension, PATIENT, PROMPT)


def failure(server: Endpoint, texts: tuple[str, ...] = ("alpha", "beta"), dimension: int = 0) -> EmbedFailed:
    with pytest.raises(EmbedFailed) as failed:
        model(server, "secret-key", dimension).passages(texts)
    assert "secret-key" not in str(failed.value) + failed.value.suggestion
    assert all(text not in failed.value.message.split() for text in texts)
    return failed.value


def test_vectors_are_those_of_the_texts_in_their_order(server: Endpoint) -> None:
    texts = [f"text number {number}" for number in range(BATCH_TEXTS * 2 + 5)]
    found = model(server).passages(texts)
    wanted = np.array([vector(text) for text in texts])
    assert np.allclose(found, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)
    assert [len(asked.body["input"]) for asked in server.asked] == [BATCH_TEXTS, BATCH_TEXTS, 5]
    assert {asked.path for asked in server.asked} == {"/v1/embeddings"}


def test_no_texts_ask_nothing(server: Endpoint) -> None:
    assert model(server).passages([]).shape[0] == 0
    assert server.asked == []


def test_rows_are_put_into_order_by_their_number(server: Endpoint) -> None:
    def backwards(body: dict[str, Any]) -> tuple[int, bytes]:
        data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(body["input"])]
        return 200, json.dumps({"data": data[::-1]}).encode()

    expected = model(server).passages(["one", "two", "three"])
    server.answer = backwards
    assert np.array_equal(model(server).passages(["one", "two", "three"]), expected)


def test_key_and_dimension_are_sent_when_there_are_any(server: Endpoint) -> None:
    model(server).queries(["a"])
    model(server, "secret-key", 8).queries(["a"])
    without, given = server.asked
    assert "Authorization" not in without.headers
    assert "dimensions" not in without.body
    assert given.headers["Authorization"] == "Bearer secret-key"
    assert given.body["dimensions"] == 8


def test_a_key_never_goes_unencrypted_to_another_machine() -> None:
    with pytest.raises(EmbedFailed) as failed:
        EndpointEmbedder("http://example.com/v1", "m", "secret-key")
    assert failed.value.reason == "bad_settings"
    assert EndpointEmbedder("https://example.com/v1", "m", "secret-key").name == "endpoint:m@example.com"


@pytest.mark.parametrize(("url", "name"), [("", "m"), ("http://127.0.0.1:1", ""), ("ftp://127.0.0.1", "m")])
def test_half_of_the_settings_is_not_enough(url: str, name: str) -> None:
    with pytest.raises(EmbedFailed) as failed:
        EndpointEmbedder(url, name)
    assert failed.value.reason == "bad_settings"


@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (500, b"oh", "server_error"),
        (503, b"", "server_error"),
        (429, b"slowly", "server_error"),
        (401, b"", "no_key"),
        (403, b"", "no_key"),
        (404, b"", "rejected"),
        (301, b"", "rejected"),
        (200, b"<html>", "bad_reply"),
        (200, b"\xff\xfe\x00", "bad_reply"),
        (200, b"[" * 100_000, "bad_reply"),
        (200, b"[]", "bad_reply"),
        (200, b"null", "bad_reply"),
        (200, b'{"data": 7}', "bad_reply"),
        (200, b'{"data": [7, 8]}', "bad_reply"),
        (200, b'{"data": [{"index": 0}, {"index": 1}]}', "bad_reply"),
        (200, b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}', "bad_reply"),
        (200, b'{"data": [{"index": {}, "embedding": [1]}, {"index": [], "embedding": [1]}]}', "bad_reply"),
        (200, b'{"data": [{"embedding": [1, 2]}, {"embedding": [1]}]}', "bad_reply"),
        (200, b'{"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]}', "bad_reply"),
        (200, b'{"data": []}', "wrong_count"),
        (200, b'{"data": [{"embedding": [1, 2]}]}', "wrong_count"),
        (200, b'{"data": [{"embedding": [1, NaN]}, {"embedding": [1, 2]}]}', "not_finite"),
        (200, b'{"data": [{"embedding": [0, 0]}, {"embedding": [1, 2]}]}', "not_finite"),
        (200, b'{"data": [{"embedding": [1, null]}, {"embedding": [1, 2]}]}', "not_finite"),
    ],
)
def test_a_bad_answer_is_named(server: Endpoint, status: int, text: bytes, reason: str) -> None:
    server.answer = lambda body: (status, text)
    assert failure(server).reason == reason
    assert len(server.asked) == (PATIENT.tries if reason == "server_error" else 1)


def test_another_dimension_than_asked_for_is_refused_and_not_remembered(server: Endpoint) -> None:
    assert failure(server, dimension=16).reason == "wrong_dimension"
    embedder = model(server)
    server.answer = lambda body: reply([[1.0, 2.0]])
    assert embedder.passages(["a"]).shape == (1, 2)
    server.answer = plain
    assert embedder.passages(["a"]).shape == (1, 8)
    assert embedder.dimension == 0


def test_what_fails_at_first_is_tried_again(server: Endpoint) -> None:
    answers = iter([(503, b""), (429, b"")])
    server.answer = lambda body: next(answers, reply([vector(text) for text in body["input"]]))
    assert model(server).passages(["a"]).shape == (1, 8)
    assert len(server.asked) == 3


def test_a_question_gives_up_soon(server: Endpoint) -> None:
    server.wait.clear()
    begun = time.monotonic()
    with pytest.raises(EmbedFailed) as failed:
        model(server).queries(["a"])
    assert failed.value.reason == "timeout"
    assert time.monotonic() - begun < 5
    assert len(server.asked) == 1


def test_nothing_listens() -> None:
    with endpoint() as gone:
        pass
    assert failure(gone).reason == "unreachable"


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(EmbedFailed) as failed:
        EndpointEmbedder("http://nowhere.invalid/v1", "m", prompt=PROMPT).queries(["a"])
    assert failed.value.reason == "unreachable"


@pytest.mark.parametrize("said", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", None])
def test_a_server_that_breaks_off_or_dribbles(said: bytes | None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        embedder = EndpointEmbedder(f"http://127.0.0.1:{listening.getsockname()[1]}", "m", prompt=PROMPT)

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                if said is not None:
                    connection.sendall(said)
                    return
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
                try:
                    for _ in range(100):
                        connection.sendall(b" ")
                        time.sleep(0.05)
                except OSError:
                    pass

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(EmbedFailed) as failed:
            embedder.queries(["a"])
        thread.join(10)
    assert failed.value.reason == ("timeout" if said is None else "unreachable")

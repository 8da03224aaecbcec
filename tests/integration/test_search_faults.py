"""Questions of any kind and embedders that fail in any way: the words answer, the reason is said, nothing raises."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import databases
from commandline import Gbrain
from embedding_server import Endpoint, endpoint, reply, vector
from gbrain import home as homes
from stdio_server import HANDSHAKE, Server, call, local_brain, request

USE_SETTINGS = {"GBRAIN_EMBEDDING_PROVIDER": ""}
UNSPACED = {
    "ja": "来週の火曜日に倉庫の鍵を交換する予定です",
    "zh": "林小满负责灯塔项目的预算审批",
    "ko": "김예시는 매주 수요일에 수영장에서 운동한다",
    "en": "The lantern budget is due on Wednesday",
}
HARD = "lantern-example ran at 3 GB/s; bob-sample's (draft) plan: budget:2031"
QUERIES = [
    "a" * 10_000,
    "lantern " * 1_250,
    "?!.,;:—…()[]{}",
    "the of and is",
    "\u0001\u0007\u001b[31m\u009f",
    "\u202elantern\u202c\ufeff",
    "lantern 灯塔 маяк منارة दीपक",
    "🏮👩‍👩‍👧🇯🇵",
    'say "hi',
    "plan AND",
    "NEAR(",
    "*",
    " ",
    "",
    "%_\\",
    "'; drop table pages; --",
    "compare " * 500,
    "A and " * 500,
    "i̇ſK",
]
REFUSED = ["a\x00b", "\ud800", "lantern \udfff"]
READS = (("search", "query"), ("query", "query"), ("recall", "query"), ("resolve_slugs", "partial"))
OUT_OF_MIND: dict[str, tuple[Callable[[dict[str, Any]], tuple[int, bytes]], str]] = {
    "error": (lambda body: (500, b"oh"), "server_error"),
    "refused": (lambda body: (403, b"{}"), "no_key"),
    "not JSON": (lambda body: (200, b"\xff\x00nonsense"), "bad_reply"),
    "another JSON": (lambda body: (200, b'{"data": 3}'), "bad_reply"),
    "empty": (lambda body: (200, b""), "bad_reply"),
    "fewer rows": (lambda body: reply([]), "wrong_count"),
    "another dimension": (lambda body: reply([[1.0] * 9 for _ in body["input"]]), "wrong_dimension"),
    "not a number": (lambda body: reply([[float("nan")] * 8 for _ in body["input"]]), "not_finite"),
    "endless": (lambda body: reply([[float("inf")] * 8 for _ in body["input"]]), "not_finite"),
    "nothing": (lambda body: reply([[0.0] * 8 for _ in body["input"]]), "not_finite"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def gbrain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: Endpoint) -> Gbrain:
    """A brain with the pages above and their vectors, of a model behind an address."""
    made = Gbrain(tmp_path_factory.mktemp("faults"))
    if request.param == "postgres":
        made.home.mkdir(0o700)
        homes.set_database_url(str(made.home), databases.emptied())
    made("init")
    with local_brain(made.base) as brain, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GBRAIN_EMBEDDING_PROVIDER", "")
        if request.param == "postgres":
            brain.store.engine.rows("create extension if not exists vector")
        for name, text in (*UNSPACED.items(), ("hard", HARD)):
            brain.put_page(slug=f"notes/{name}", content=f"{text}\n")
        brain.remember(fact="the lantern is lit at dusk", provenance="a test")
        for key, value in (("provider", "endpoint"), ("model", "m"), ("url", server.url)):
            brain.config_set(key=f"embedding.{key}", value=value)
        assert brain.embed()["waiting"] == 0
    return made


@pytest.fixture
def served(gbrain: Gbrain, server: Endpoint) -> Iterator[Server]:
    server.answer = lambda body: reply([vector(text) for text in body["input"]])
    with Server(gbrain.base, env=USE_SETTINGS) as running:
        running.send(request(1, "initialize", HANDSHAKE))
        running.receive()
        yield running


def asked(server: Server, tool: str, **arguments: Any) -> Any:
    server.send(call(9, tool, arguments))
    return server.receive()["result"]


def value(result: Any) -> Any:
    return json.loads(result["content"][0]["text"])


@pytest.mark.parametrize(("tool", "name"), READS)
def test_no_question_raises_over_stdio(served: Server, tool: str, name: str) -> None:
    for text in QUERIES:
        result = asked(served, tool, **{name: text})
        assert not result.get("isError"), (text[:40], result)
    for text in REFUSED:
        result = asked(served, tool, **{name: text})
        assert not result.get("isError") or value(result)["error"] == "invalid_params", (text, result)


@pytest.mark.parametrize("command", [("search",), ("query",), ("recall", "--query")])
def test_no_question_raises_on_the_command_line(gbrain: Gbrain, server: Endpoint, command: tuple[str, ...]) -> None:
    server.answer = lambda body: reply([vector(text) for text in body["input"]])
    for text in (
        "a" * 10_000,
        "?!.,;:",
        "the of and is",
        "\u0001\u001b[31m",
        "lantern 灯塔 маяк منارة",
        "🏮",
        "NEAR(",
        " ",
    ):
        ran = gbrain.run(*command, text, env=USE_SETTINGS)
        assert (ran.code, "Traceback" in ran.err) == (0, False), (text[:40], ran)


class TestWithVectors:
    @pytest.mark.parametrize("tool", ["search", "query"])
    def test_words_inside_unspaced_text(self, served: Server, tool: str) -> None:
        for text, slug in (("倉庫の鍵", "ja"), ("灯塔项目", "zh"), ("预算", "zh"), ("수영장", "ko"), ("鍵", "ja"),
                           ("lantern budget", "en")):  # fmt: skip
            result = asked(served, tool, query=text)
            assert value(result)[0]["slug"] == f"notes/{slug}", text
            assert "vector" in result["_meta"]["retrieval"]["arms"]

    def test_short_words_of_unspaced_text_in_every_read(self, served: Server) -> None:
        for text, slug in (("预算", "zh"), ("鍵", "ja")):
            assert value(asked(served, "recall", query=text))["results"][0]["slug"] == f"notes/{slug}"

    def test_query_text_is_text(self, served: Server) -> None:
        for text in ("lantern-example", "budget:2031", "bob-sample's (draft) plan?", "GB/s"):
            assert value(asked(served, "search", query=text))[0]["slug"] == "notes/hard", text
            assert value(asked(served, "recall", query=text))["results"][0]["slug"] == "notes/hard", text
        for text in ("*", " "):
            assert value(asked(served, "search", query=text)) == []


class TestFailing:
    @pytest.mark.parametrize("fault", OUT_OF_MIND)
    def test_words_answer_and_the_reason_is_said(self, served: Server, server: Endpoint, fault: str) -> None:
        server.answer, reason = OUT_OF_MIND[fault]
        for tool in ("search", "query"):
            result = asked(served, tool, query=f"budget due Wednesday {fault}")
            assert value(result)[0]["slug"] == "notes/en"
            told = result["_meta"]["retrieval"]
            assert told["degraded"] == [{"stage": "embed_unavailable", "reason": reason}]
            assert (told["vector_enabled"], "vector" in told["arms"]) == (False, False)
        recalled = value(asked(served, "recall", query=f"lantern dusk {fault}"))
        assert recalled["search_degraded"] == f"keyword_only_{reason}"
        assert recalled["facts"][0]["fact"] == "the lantern is lit at dusk"
        traced = value(asked(served, "search_diagnose", query="due Wednesday", target="notes/en"))
        assert traced["rank"] == 1

    def test_one_that_says_nothing_is_not_waited_for_long(self, served: Server, server: Endpoint) -> None:
        server.wait.clear()
        try:
            result = asked(served, "search", query="budget due Wednesday in silence")
            assert value(result)[0]["slug"] == "notes/en"
            assert result["_meta"]["retrieval"]["degraded"][0]["reason"] == "timeout"
        finally:
            server.wait.set()


class TestPending:
    def test_another_model_is_words_alone_until_all_is_anew(self, gbrain: Gbrain, server: Endpoint) -> None:
        server.answer = lambda body: reply([vector(text) for text in body["input"]])
        gbrain("config", "set", "embedding.model", "other")
        ran = gbrain.run("recall", "--query", "lantern dusk", "--json", env=USE_SETTINGS)
        assert ran.json["search_degraded"] == "keyword_only_model_changed"
        assert ran.json["facts"]
        assert gbrain.run("embed", "--stale", env=USE_SETTINGS).code == 0
        ran = gbrain.run("recall", "--query", "lantern dusk", "--json", env=USE_SETTINGS)
        assert "search_degraded" not in ran.json

    def test_half_of_the_vectors_missing(self, gbrain: Gbrain, served: Server) -> None:
        with local_brain(gbrain.base) as brain:
            space = brain.store.vectors.space()
            assert space is not None
            with brain.store.transaction():
                brain.put_page(slug="notes/late", content="The late lantern budget waits for its vector.\n")
        result = asked(served, "search", query="late lantern budget waits")
        assert "notes/late" in [row["slug"] for row in value(result)]

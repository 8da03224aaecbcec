"""Rerankers: a provider's wire over a real connection, a folder on this machine, and what a query makes of them."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, open_brain
from gbrain.errors import InvalidParams
from gbrain.models.chat import ChatFailed
from gbrain.models.reranker import BATCH, OnnxReranker
from model_server import ModelServer, Told, model_server, status

FOLDER = Path(__import__("gbrain_minilm").__file__).parent


def told(rows: Any, key: str = "results", **more: Any) -> Told:
    return Told(200, [json.dumps({key: rows, **more}).encode()], {"Content-Type": "application/json"})


def longest(body: dict[str, Any]) -> Told:
    """The longer a text, the better, told in the wrong order."""
    rows = [{"index": at, "relevance_score": len(text)} for at, text in enumerate(body["documents"])]
    return told(rows[::-1], usage={"total_tokens": 40})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.script = longest
        yield running


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(str(tmp_path / "home"), create=True) as made:
        made.put_page(slug="harbour", content="---\ntitle: Harbour\n---\nA place for boats.")
        made.put_page(slug="short", content="---\ntitle: One\n---\nharbour budget")
        made.put_page(slug="long", content="---\ntitle: Two\n---\nThe harbour has a budget, as everybody knows here.")
        yield made


def slugs(brain: Brain, query: str = "harbour budget") -> tuple[list[str], str]:
    reply = brain.ask(Caller.local(), "query", {"query": query})
    return [row["slug"] for row in reply.value], reply.meta["retrieval"]["rerank"]


def test_without_one_nothing_is_put_in_order(brain: Brain, server: ModelServer) -> None:
    assert slugs(brain)[1] == "off"
    with pytest.raises(ChatFailed) as failed:
        brain.models.rerank("harbour", ["a", "b"])
    assert failed.value.reason == "no_model"
    assert server.asked == []


def test_a_query_is_put_in_order(brain: Brain, server: ModelServer) -> None:
    assert slugs(brain)[0][:2] == ["short", "long"]
    [probe] = brain.models_set(model="endpoint:m", url=server.url, for_="rerank")["probes"]
    assert probe["works"]
    before = len(server.asked)
    found, said = slugs(brain)
    assert (found[0], said) == ("long", "ran")
    [asked] = server.asked[before:]
    assert asked.path == "/v1/rerank"
    assert asked.body["query"] == "harbour budget"
    assert [row.purpose for row in brain.store.calls.by_day("2000-01-01")] == ["rerank"]
    assert brain.store.calls.by_day("2000-01-01")[0].input_tokens == 80


def test_a_page_of_that_name_stays_first(brain: Brain, server: ModelServer) -> None:
    brain.models_set(model="endpoint:m", url=server.url, for_="rerank")
    assert slugs(brain, "harbour")[0][0] == "harbour"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (status(500), "server_error"),
        (status(401), "auth"),
        (status(404), "rejected"),
        (Told(200, [b"<html>"]), "malformed"),
        (told([]), "malformed"),
        (told([{"index": 0, "relevance_score": 1}, {"index": 9, "relevance_score": 1}]), "malformed"),
        (told([{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": "high"}]), "malformed"),
        (Told(200, [b'{"results": [{"index": 0, "relevance_score": NaN}]}']), "malformed"),
        (told("no rows"), "malformed"),
        (Told(200, [b"x" * 2_000_000]), "malformed"),
    ],
)
def test_one_that_fails_changes_nothing_and_it_is_said(
    brain: Brain, server: ModelServer, reply: Told, reason: str
) -> None:
    as_it_was = slugs(brain)[0]
    brain.models_set(model="endpoint:m", url=server.url, for_="rerank")
    server.script = lambda body: reply
    assert slugs(brain) == (as_it_was, reason)


def test_over_a_limit_it_is_not_called(brain: Brain, server: ModelServer) -> None:
    brain.models_set(model="endpoint:m", url=server.url, for_="rerank")
    brain.config_set(key="spend.day_tokens", value="0")
    assert slugs(brain)[1] == "cap_day"
    assert len(server.asked) == 1


def test_the_other_wire(brain: Brain, server: ModelServer) -> None:
    server.script = lambda body: told(
        [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}], "data"
    )
    brain.config_set(key="models.rerank", value=f"voyage:rerank-2 url={server.url}")
    assert brain.models.rerank("q", ["a", "b"]) == [0.1, 0.9]


def test_a_chat_model_is_none(brain: Brain) -> None:
    for model in ("openai:gpt-5-mini", "command:cat", "onnx:"):
        with pytest.raises(InvalidParams):
            brain.models_set(model=model, for_="rerank", untested=True)


class TestFolder:
    def test_pairs_are_scored_in_their_order(self, tmp_path: Path) -> None:
        made = OnnxReranker(folder(tmp_path))
        texts = ["harbour " * (1 + number * 7 % 11) for number in range(BATCH * 2 + 3)]
        assert made.scores("how deep", texts) == [len(text.split()) + 1.0 for text in texts]
        assert made.scores("how deep", []) == []

    def test_a_query_is_put_in_order_by_it(self, brain: Brain, tmp_path: Path) -> None:
        [probe] = brain.models_set(model=f"onnx:{folder(tmp_path)}", for_="rerank")["probes"]
        assert probe["works"]
        found, said = slugs(brain)
        assert (found[0], said) == ("long", "ran")
        assert brain.store.calls.by_day("2000-01-01") == []

    def test_a_folder_without_one(self, brain: Brain, tmp_path: Path) -> None:
        brain.config_set(key="models.rerank", value=f"onnx:{tmp_path}")
        assert slugs(brain)[1] == "bad_settings"
        (tmp_path / "tokenizer.json").write_text("{}")
        (tmp_path / "model.onnx").write_text("not one")
        assert slugs(brain)[1] == "malformed"


def folder(place: Path) -> str:
    """A reranker whose score is how many tokens the second text of a pair has, its end among them."""
    shutil.copy(FOLDER / "tokenizer.json", place / "tokenizer.json")
    names = ("input_ids", "attention_mask", "token_type_ids")
    added = node("ReduceSum", "token_type_ids", "sum", attribute("axes", ints=1), attribute("keepdims", i=1))
    graph = added + node("Cast", "sum", "score", attribute("to", i=1)) + field(2, b"counting")
    graph += b"".join(field(11, tensor(name, 7, 2)) for name in names) + field(12, tensor("score", 1, 2))
    model = number(1, 7) + field(8, field(1, b"") + number(2, 11)) + field(7, graph)
    (place / "model.onnx").write_bytes(model)
    return str(place)


def node(kind: str, given: str, made: str, *attributes: bytes) -> bytes:
    """A NodeProto within a GraphProto; the numbers of the fields are those of onnx.proto."""
    body = field(1, given.encode()) + field(2, made.encode()) + field(4, kind.encode())
    return field(1, body + b"".join(field(5, each) for each in attributes))


def attribute(name: str, i: int | None = None, ints: int | None = None) -> bytes:
    """An AttributeProto with one number, or a list of one."""
    value = number(3, i) + number(20, 2) if i is not None else number(8, ints or 0) + number(20, 7)
    return field(1, name.encode()) + value


def tensor(name: str, kind: int, dimensions: int) -> bytes:
    """A ValueInfoProto of a tensor whose sizes are open."""
    shape = b"".join(field(1, field(2, f"{name}{at}".encode())) for at in range(dimensions))
    return field(1, name.encode()) + field(2, field(1, number(1, kind) + field(2, shape)))


def field(tag: int, body: bytes) -> bytes:
    """A length-delimited field of a protocol buffer."""
    return varint(tag << 3 | 2) + varint(len(body)) + body


def number(tag: int, value: int) -> bytes:
    """A number of a protocol buffer."""
    return varint(tag << 3) + varint(value)


def varint(value: int) -> bytes:
    """A number in groups of seven bits."""
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)

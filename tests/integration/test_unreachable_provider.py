"""The given cases G4 and G13 (3): a brain whose embedding provider does not answer, by processes, on both engines."""

import json
import time
from typing import Any

import pytest

import databases
from commandline import Gbrain
from embedding_server import endpoint
from stdio_server import HANDSHAKE, Server, call, leave_with_parent, local_brain, request

FIRST_CONTACT = [
    request(1, "initialize", HANDSHAKE),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request(2, "tools/list"),
]
ON = {"GBRAIN_EMBEDDING_PROVIDER": ""}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def gbrain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    """500 pages with vectors from a provider that has gone since."""
    made = Gbrain(tmp_path_factory.mktemp("unreachable"))
    if request.param == "postgres":
        server = databases.shared()
        made("init", "--postgres", server.url(database := server.create()))
        server.sql("create extension if not exists vector", database=database)
    else:
        made("init")
    with local_brain(made.base) as brain:
        with brain.store.transaction():
            for number in range(500):
                brain.put_page(slug=f"many/{number}", content=f"# Page {number}\n\nThe harbour, page {number}.\n")
        with endpoint() as gone, pytest.MonkeyPatch.context() as patch:
            patch.setenv("GBRAIN_EMBEDDING_PROVIDER", "")
            for key, value in (("provider", "endpoint"), ("model", "m"), ("url", gone.url)):
                brain.config_set(key=f"embedding.{key}", value=value)
            assert brain.embed()["waiting"] == 0
    return made


def told(lines: list[bytes | None]) -> None:
    hello, tools = (json.loads(line) for line in lines if line is not None)
    assert (hello["id"], tools["id"]) == (1, 2)
    for tool in tools["result"]["tools"]:
        assert tool["inputSchema"]["type"] == "object"
        assert "properties" in tool["inputSchema"]
        assert not {"anyOf", "oneOf", "allOf"} & tool["inputSchema"].keys()


def test_g4_first_contact_then_end_of_input(gbrain: Gbrain) -> None:
    begun = time.monotonic()
    with Server(gbrain.base, env=ON) as server:
        server.send(*FIRST_CONTACT)
        told([server.line(5), server.line(5)])
        assert time.monotonic() - begun < 5
        assert server.finish(3) == 0
        assert server.line() is None


def test_g4_first_contact_then_the_parent_is_killed(gbrain: Gbrain) -> None:
    told(leave_with_parent(gbrain.base, FIRST_CONTACT, 2, ON))


def test_g4_words_answer_and_the_reason_is_said(gbrain: Gbrain) -> None:
    with Server(gbrain.base, env=ON) as server:
        server.send(request(1, "initialize", HANDSHAKE), call(2, "search", {"query": "harbour page 77"}))
        server.receive()
        result = server.receive()["result"]
    assert json.loads(result["content"][0]["text"])[0]["slug"] == "many/77"
    retrieval = result["_meta"]["retrieval"]
    assert retrieval["vector_enabled"] is False
    assert retrieval["degraded"] == [{"stage": "embed_unavailable", "reason": "unreachable"}]


def check(gbrain: Gbrain, *more: str) -> tuple[dict[str, Any], dict[str, Any], int]:
    ran = gbrain.run("doctor", "--json", *more, env=ON)
    return ran.json, next(row for row in ran.json["checks"] if row["name"] == "embedding"), ran.code


def test_g13_3_the_doctor_tried_a_query_and_warns(gbrain: Gbrain) -> None:
    _, found, code = check(gbrain)
    assert (found["status"], code) == ("warn", 0)
    assert "does not answer (unreachable)" in found["message"]
    command = found["fix"].removeprefix("run: ").split()
    assert command[0] == "gbrain"
    assert gbrain(*[word for word in command[1:3] if word.isalpha()], "--help").out.startswith("Usage: gbrain")


def test_g13_3_the_fast_form_leaves_it_out_and_is_marked(gbrain: Gbrain) -> None:
    report, found, _ = check(gbrain, "--fast")
    assert found["status"] == "skipped"
    assert report["complete"] is False


def test_with_half_of_the_vectors_missing_both_halves_answer(gbrain: Gbrain) -> None:
    """Over the wire, with a provider that answers again."""
    with endpoint() as server:
        with local_brain(gbrain.base) as brain:
            brain.config_set(key="embedding.url", value=server.url)
            brain.store.engine.rows("update chunk_vectors set model = 0 where id % 2 = 0")
        with Server(gbrain.base, env=ON | {"GBRAIN_SWEEP": "0"}) as running:
            running.send(request(1, "initialize", HANDSHAKE))
            running.receive()
            for number in (76, 77):
                running.send(call(2, "query", {"query": f"harbour page {number}"}))
                result = running.receive()["result"]
                # Found by their words: the vectors of this provider mean nothing.
                rows = json.loads(result["content"][0]["text"])
                assert f"many/{number}" in [row["slug"] for row in rows]
                retrieval = result["_meta"]["retrieval"]
                assert retrieval["vector_enabled"] is True
                # The server makes what is missing meanwhile.
                assert {row["reason"] for row in retrieval["degraded"]} <= {"vectors_pending"}

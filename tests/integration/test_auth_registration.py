"""Programs that register themselves: only when the owner opened that door, and never so many that it matters."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from http_server import HttpServer, Response
from oauth_client import Program, owner
from stdio_server import cases, local_brain, make_brain

BACK = "http://localhost:9999/callback"
WISH: dict[str, Any] = {
    "client_name": "Harbour Editor",
    "redirect_uris": [BACK],
    "token_endpoint_auth_method": "none",
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HttpServer]:
    make_brain(tmp_path)
    owner(tmp_path, "auth_create", name="first")
    owner(tmp_path, "config_set", key="auth.registration", value="on")
    with HttpServer(tmp_path, "--rate", "0") as server:
        yield server


def register(server: HttpServer, wish: object = None, **changed: Any) -> Response:
    body = wish if isinstance(wish, bytes) else json.dumps({**WISH, **changed}).encode()
    return server.send("POST", "/register", body, {"content-type": "application/json"})


def applications(server: HttpServer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = owner(server.home, "auth_list")["applications"]
    return found


def test_it_is_off_unless_the_owner_turns_it_on(server: HttpServer) -> None:
    path = "/.well-known/oauth-authorization-server"
    assert server.send("GET", path).json["registration_endpoint"].endswith("/register")
    owner(server.home, "config_unset", key="auth.registration")
    assert "registration_endpoint" not in server.send("GET", path).json
    answer = register(server)
    assert answer.status == 403
    assert answer.json["error"] == "access_denied"
    assert "gbrain auth register" in answer.json["error_description"]
    assert applications(server) == []


def test_a_program_registers_and_gets_in_by_the_owner_alone(server: HttpServer) -> None:
    answer = register(server)
    assert answer.status == 201
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json["client_name"] == "Harbour Editor"
    assert "client_secret" not in answer.json
    program = Program(server, answer.json["client_id"], BACK)
    page = program.ask()
    assert "nobody has checked it" in page.text
    assert program.tokens()["access_token"]
    (row,) = applications(server)
    assert row["self_registered"]
    assert row["approved_at"]


def test_a_confidential_program_gets_its_secret_once(server: HttpServer) -> None:
    answer = register(
        server, token_endpoint_auth_method="client_secret_post", redirect_uris=["https://app.example/back"]
    )
    made = answer.json
    assert made["client_secret"]
    assert made["client_secret"] not in json.dumps(owner(server.home, "auth_list"))
    program = Program(server, made["client_id"], "https://app.example/back", made["client_secret"])
    assert program.tokens()["access_token"]
    assert Program(server, made["client_id"], program.back).trade(program.code()).status == 401


def test_where_a_code_must_not_go(server: HttpServer) -> None:
    for uri in ("http://elsewhere.example/callback", "javascript:alert(1)", "http://127.0.0.1@elsewhere.example/"):
        answer = register(server, redirect_uris=[BACK, uri])
        assert answer.status == 400
        assert answer.json["error"] == "invalid_redirect_uri"
        assert "elsewhere" not in answer.body.decode()
    assert register(server, redirect_uris=[f"{BACK}/{number}" for number in range(11)]).status == 400
    assert applications(server) == []


@pytest.mark.parametrize(
    "wishes",
    cases(
        [
            ("bodies", [b"", b"{", b"[]", json.dumps({**WISH, "redirect_uris": []}).encode()]),
            (
                "wishes",
                [
                    json.dumps({**WISH, **wish}).encode()
                    for wish in (
                        {"grant_types": ["password"]},
                        {"response_types": ["token"]},
                        {"token_endpoint_auth_method": "private_key_jwt"},
                        {"redirect_uris": ["callback"]},
                    )
                ],
            ),
        ]
    ),
)
def test_what_is_no_registration(server: HttpServer, wishes: list[bytes]) -> None:
    for body in wishes:
        answer = register(server, body)
        assert answer.status == 400
        assert set(answer.json) == {"error", "error_description"}
    assert applications(server) == []


def test_a_body_without_end_is_not_read(server: HttpServer) -> None:
    assert register(server, client_name="x" * 70_000).status == 413
    assert applications(server) == []


def test_a_name_is_one_plain_line(server: HttpServer) -> None:
    register(server, client_name="  Bank\n\tof ‮evil\x07 \u200b" + "x" * 500)
    (row,) = applications(server)
    assert row["name"].startswith("Bank of evil")
    assert row["name"].isprintable()
    assert len(row["name"]) <= 80


def test_ten_thousand_registrations_do_no_harm(server: HttpServer) -> None:
    statuses: dict[int, int] = {}
    before = server.memory_mb()
    for _ in range(10_000):
        answer = register(server)
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
    assert set(statuses) == {201, 429}
    assert statuses[201] <= 10
    assert int(answer.headers["retry-after"]) > 0
    assert len(applications(server)) == statuses[201]
    assert server.memory_mb() - before < 30
    known = Program.registered(server, "by hand")
    assert known.tokens()["access_token"]


def test_those_nobody_lets_in_make_room(server: HttpServer) -> None:
    with local_brain(server.home) as brain:
        now = brain.store.config.now()
        for number in range(100):
            brain.store.oauth.add_app(f"stranger {number}", [BACK], now, dynamic=True)
        kept = brain.store.oauth.add_app("let in", [BACK], now, dynamic=True)
        brain.store.oauth.note_approved(kept.id, now)
    answer = register(server)
    assert answer.status == 503
    assert answer.headers["retry-after"]
    with HttpServer(server.home, "--rate", "0", env={"GBRAIN_CLOCK": "+2h"}) as later:
        assert register(later).status == 201
    assert {row["name"] for row in applications(server)} == {"let in", "Harbour Editor"}

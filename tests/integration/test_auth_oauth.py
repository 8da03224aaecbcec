"""OAuth over a real server: from the first question of a program to the end of its access."""

import base64
import json
import re
import socket
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain.brain import join_database
from http_server import HttpServer, Response
from oauth_client import BACK, CHALLENGE, Page, Program, bearer, owner
from stdio_server import brain_folder, cases, local_brain, make_brain

MARK = "wintergreen"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    home = tmp_path_factory.mktemp("oauth")
    if request.param == "sqlite":
        make_brain(home)
    else:
        server = databases.shared()
        join_database(brain_folder(home), server.url(server.create())).close()
    with local_brain(home) as brain:
        brain.store.sources.ensure(MARK, brain.store.config.now())
    owner(home, "auth_create", name="first")
    with HttpServer(home, "--rate", "0") as server:
        yield server


@pytest.fixture(scope="module")
def program(server: HttpServer) -> Program:
    return Program.registered(server)


def refused(answer: Response, error: str, status: int = 400) -> str:
    assert answer.status == status, answer
    body = answer.json
    assert body["error"] == error, body
    assert answer.headers["cache-control"] == "no-store"
    return str(body["error_description"])


def listed(server: HttpServer, name: str) -> dict[str, Any]:
    clients = owner(server.home, "auth_list")["clients"]
    return next(row for row in reversed(clients) if row["name"].startswith(name))


def later_server(server: HttpServer, name: str, span: str) -> HttpServer:
    """The same brain under the same name, some time from now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return HttpServer(server.home, "--rate", "0", "--public-url", name, port=port, env={"GBRAIN_CLOCK": span})


class TestMetadata:
    def test_a_refused_call_leads_to_the_server_that_gives_tokens(self, server: HttpServer) -> None:
        answer = server.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert answer.status == 401
        assert set(answer.json) == {"error", "error_description"}
        assert answer.json["error"] == "invalid_token"
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith('Bearer error="invalid_token", ')
        where = challenge.split('resource_metadata="')[1].split('"')[0]
        told = server.send("GET", urllib.parse.urlsplit(where).path).json
        assert told["resource"].endswith("/mcp")
        assert told["resource"].removesuffix("/mcp") in told["authorization_servers"]
        assert told["scopes_supported"] == ["read", "write"]

    def test_both_places_of_the_resource_say_the_same(self, server: HttpServer) -> None:
        path = "/.well-known/oauth-protected-resource"
        assert server.send("GET", path).json == server.send("GET", path + "/mcp").json

    def test_the_authorization_server(self, server: HttpServer, program: Program) -> None:
        told = server.send("GET", "/.well-known/oauth-authorization-server", headers=program.host).json
        assert told["issuer"] == program.base
        assert told["code_challenge_methods_supported"] == ["S256"]
        assert "none" in told["token_endpoint_auth_methods_supported"]
        assert "registration_endpoint" not in told
        for name in ("authorization_endpoint", "token_endpoint", "revocation_endpoint"):
            assert told[name].startswith(program.base)


class TestAsking:
    def test_the_first_page_tells_who_asks_and_nothing_of_the_brain(self, program: Program) -> None:
        page = program.ask()
        assert page.status == 200
        assert "inspector" in page.text
        assert "http://127.0.0.1:43210" in page.text
        assert MARK not in page.text
        assert "gbrain auth approve" in page.text

    def test_no_page_loads_or_runs_anything(self, program: Program) -> None:
        first = program.ask()
        for page in (first, program.prove(first)):
            policy = page.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "form-action 'self' http://127.0.0.1:43210;" in policy
            assert "unsafe" not in policy
            assert page.headers["cache-control"] == "no-store"
            assert page.headers["x-frame-options"] == "DENY"
            assert page.headers["referrer-policy"] == "same-origin"
            for active in ("<script", "<img", "<link", "<iframe", "http-equiv", " style=", "src=", "href=", "url("):
                assert active not in page.text
            assert not re.search(r"<[^>]*\son\w+=", page.text)

    @pytest.mark.parametrize(
        ("changed", "error"),
        cases(
            [
                ("no challenge", {"code_challenge": None}, "invalid_request"),
                ("a plain challenge", {"code_challenge_method": "plain"}, "invalid_request"),
                ("a short challenge", {"code_challenge": CHALLENGE[:-1]}, "invalid_request"),
                ("an implicit grant", {"response_type": "token"}, "unsupported_response_type"),
                ("no scope that exists", {"scope": "everything"}, "invalid_scope"),
                ("another resource", {"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
                ("a resource below", {"resource": "http://127.0.0.1/mcp/more"}, "invalid_target"),
                ("an endless state", {"state": "s" * 2001}, "invalid_request"),
            ]
        ),
    )
    def test_what_cannot_be_asked(self, program: Program, changed: dict[str, str | None], error: str) -> None:
        answer = program.authorize(**changed)
        assert answer.status == 302
        told = program.returned(answer)
        assert told["error"] == error
        assert told["iss"] == program.base
        assert "code" not in told

    @pytest.mark.parametrize(
        "changed",
        cases(
            [
                ("an unknown program", {"client_id": "nobody"}),
                ("another place", {"redirect_uri": "https://elsewhere.example/callback"}),
                ("another path", {"redirect_uri": "http://127.0.0.1:43210/callback/more"}),
                ("another query", {"redirect_uri": BACK + "?x=1"}),
                ("another host of this machine", {"redirect_uri": "http://localhost:43210/callback"}),
                ("a user name", {"redirect_uri": "http://127.0.0.1:43210@elsewhere.example/callback"}),
                ("a script", {"redirect_uri": "javascript:alert(1)"}),
                ("no URI at all", {"redirect_uri": "::"}),
            ]
        ),
    )
    def test_a_browser_is_never_sent_where_nobody_registered(self, program: Program, changed: dict[str, str]) -> None:
        answer = program.authorize(**changed)
        assert answer.status == 400
        assert "location" not in answer.headers
        assert answer.headers["content-type"].startswith("text/html")
        assert "elsewhere" not in answer.body.decode()

    def test_on_loopback_any_port_fits(self, server: HttpServer, program: Program) -> None:
        moved = Program(server, program.id, "http://127.0.0.1:50001/callback")
        assert moved.tokens()["access_token"]

    def test_a_question_holds_for_ten_minutes_and_only_as_it_was_put(
        self, server: HttpServer, program: Program
    ) -> None:
        page = program.ask()
        body, _, mark = page.fields["request"][0].partition(".")
        for forged in (f"{body[:-2]}AA.{mark}", f"{body}.", f"{body}.{mark[:-2]}AA", "", ".", "a.b"):
            path = "/consent?" + urllib.parse.urlencode({"request": forged})
            assert Page.of(server.send("GET", path, headers=program.host)).status == 400
            assert program.submit(page, request=forged, code="0").status == 400
        with HttpServer(server.home, env={"GBRAIN_CLOCK": "+11m"}) as later:
            assert later.send("GET", "/consent?" + urllib.parse.urlencode(page.fields)).status == 400


class TestConsent:
    @pytest.mark.parametrize("written", ["as it is", "small", "apart"])
    def test_the_code_may_be_typed_as_people_type(self, program: Program, written: str) -> None:
        code = owner(program.server.home, "auth_approve")["code"]
        typed = {"as it is": code, "small": code.lower(), "apart": " ".join(code.replace("-", ""))}[written]
        assert Page.of(program.submit(program.ask(), code=typed)).fields["step"] == ["grant"]

    def test_a_code_works_once(self, program: Program) -> None:
        code = owner(program.server.home, "auth_approve")["code"]
        page = program.ask()
        assert program.submit(page, code=code).status == 200
        again = Page.of(program.submit(page, code=code))
        assert again.status == 403
        assert again.fields["step"] == ["prove"]
        assert MARK not in again.text

    def test_a_new_code_ends_the_one_before(self, program: Program) -> None:
        before = owner(program.server.home, "auth_approve")["code"]
        owner(program.server.home, "auth_approve")
        assert program.submit(program.ask(), code=before).status == 403

    def test_a_code_ends_after_ten_minutes(self, server: HttpServer, program: Program) -> None:
        code = owner(server.home, "auth_approve")["code"]
        with HttpServer(server.home, "--rate", "0", env={"GBRAIN_CLOCK": "+11m"}) as later:
            late = Program(later, program.id)
            assert late.submit(late.ask(), code=code).status == 403

    def test_codes_cannot_be_tried_out(self, server: HttpServer, program: Program) -> None:
        with HttpServer(server.home, "--rate", "0") as own:
            guesser = Program(own, program.id)
            page = guesser.ask()
            statuses = [guesser.submit(page, code=f"{number:010}").status for number in range(15)]
            assert statuses[:10] == [403] * 10
            assert set(statuses[10:]) == {429}
            code = owner(server.home, "auth_approve")["code"]
            assert guesser.submit(page, code=code).status == 429

    def test_a_proof_holds_for_its_question_alone(self, program: Program) -> None:
        proven, other = program.prove(program.ask()), program.ask()
        assert program.submit(proven, request=other.fields["request"]).status == 400
        assert program.submit(proven, proof="gbrain_ap_" + "0" * 64).status == 400
        assert program.submit(proven).status == 303
        assert program.submit(proven).status == 400

    def test_the_first_page_cannot_be_skipped(self, program: Program) -> None:
        assert program.submit(program.ask(), step="grant", scopes="read", sources="default").status == 400

    def test_a_form_of_another_site_is_refused(self, program: Program) -> None:
        proven = program.prove(program.ask())
        assert program.submit(proven, {"origin": "https://elsewhere.example"}).status == 403
        assert program.submit(proven, {"sec-fetch-site": "cross-site"}).status == 403
        assert program.submit(proven, {"origin": program.base, "sec-fetch-site": "same-origin"}).status == 303

    @pytest.mark.parametrize("step", ["prove", "grant"])
    def test_refusing_tells_the_program_so(self, program: Program, step: str) -> None:
        page = program.ask()
        answer = program.submit(program.prove(page) if step == "grant" else page, decision="refuse")
        told = program.returned(answer)
        assert told == {
            "error": "access_denied",
            "error_description": told["error_description"],
            "state": "of mind & matter",
            "iss": program.base,
        }

    def test_what_stands_chosen_is_little(self, program: Program) -> None:
        chosen = program.prove(program.ask(scope="read write admin")).fields
        assert (chosen["scopes"], chosen["sources"]) == (["read", "write"], ["default"])
        assert "every" not in chosen
        assert chosen["days"] == ["90"]

    def test_the_owner_chooses(self, program: Program) -> None:
        choices = {"scopes": ["read"], "sources": [MARK], "surface": "verbs", "days": "30", "name": "Kitchen  tablet"}
        token = program.tokens(choices)["access_token"]
        row = listed(program.server, "Kitchen tablet")
        assert (row["kind"], row["scopes"], row["sources"], row["surface"]) == ("oauth", ["read"], [MARK], "verbs")
        assert row["expires_at"] is not None
        tools = program.server.result("tools/list", None, **program.host, **bearer(token))["tools"]
        assert {tool["name"] for tool in tools} == {"entity", "synthesize", "recall", "context_pack", "delta"}

    def test_every_source_has_to_be_chosen(self, program: Program) -> None:
        program.tokens({"every": "yes", "days": "", "name": "wide"})
        row = listed(program.server, "wide")
        assert row["sources"] is None
        assert row["expires_at"] is None

    @pytest.mark.parametrize(
        "choices",
        [{"scopes": []}, {"sources": []}, {"scopes": ["admin"]}, {"sources": ["../x"]}, {"sources": ["__all__"]}],
    )
    def test_nothing_is_granted_that_was_not_asked_or_is_not_there(
        self, program: Program, choices: dict[str, list[str]]
    ) -> None:
        proven = program.prove(program.ask())
        again = Page.of(program.submit(proven, None, **choices))
        assert again.status == 400
        assert again.fields["step"] == ["grant"]
        assert program.submit(again, scopes="read", sources="default").status == 303

    def test_a_name_cannot_act_in_the_page(self, server: HttpServer) -> None:
        name = '<b onload="x">&"\'‮evil'
        program = Program.registered(server, name.replace("‮", ""))
        page = program.ask()
        assert "<b onload" not in page.text
        assert "&lt;b onload=&quot;x&quot;&gt;" in page.text
        assert program.prove(page).fields["name"] == [name.replace("‮", "")]

    def test_a_second_grant_gets_a_name_of_its_own(self, program: Program) -> None:
        program.tokens({"name": "twin"})
        program.tokens({"name": "twin"})
        names = [row["name"] for row in owner(program.server.home, "auth_list")["clients"]]
        assert {"twin", "twin 2"} <= set(names)


class TestTokens:
    def test_what_a_token_allows(self, program: Program) -> None:
        tokens = program.tokens()
        assert tokens["token_type"] == "Bearer"
        assert tokens["expires_in"] == 3600
        assert tokens["scope"] == "read write"
        said = {**program.host, **bearer(tokens["access_token"])}
        me = program.server.value("whoami", None, **said)
        assert (me["transport"], me["sources"], me["scopes"]) == ("http", ["default"], ["read", "write"])
        saved = {"fact": "rows at dawn", "provenance": "a test"}
        assert program.server.value("remember", saved, **said)["status"] == "inserted"

    def test_the_state_comes_back_as_it_was(self, program: Program) -> None:
        answer = program.submit(program.prove(program.ask()))
        told = program.returned(answer)
        assert set(told) == {"code", "state", "iss"}
        assert (told["state"], told["iss"]) == ("of mind & matter", program.base)

    @pytest.mark.parametrize(
        ("changed", "error"),
        cases(
            [
                ("a made-up code", {"code": "gbrain_ac_" + "0" * 64}, "invalid_grant"),
                ("another verifier", {"code_verifier": "x" * 43}, "invalid_grant"),
                ("no verifier", {"code_verifier": None}, "invalid_request"),
                ("another place", {"redirect_uri": "http://127.0.0.1:1/callback"}, "invalid_request"),
                ("no place", {"redirect_uri": None}, "invalid_request"),
                ("another resource", {"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
                ("another grant", {"grant_type": "password"}, "invalid_request"),
            ]
        ),
    )
    def test_a_code_is_worth_nothing_without_the_rest(
        self, program: Program, changed: dict[str, str | None], error: str
    ) -> None:
        code = program.code()
        refused(program.trade(code, **changed), error)
        assert program.trade(code).status == 200

    def test_a_code_belongs_to_its_program(self, server: HttpServer, program: Program) -> None:
        other = Program.registered(server, "other")
        refused(other.trade(program.code()), "invalid_grant")

    def test_a_code_ends_after_a_minute(self, server: HttpServer, program: Program) -> None:
        code = program.code()
        with HttpServer(server.home, "--rate", "0", env={"GBRAIN_CLOCK": "+2m"}) as later:
            refused(Program(later, program.id).trade(code, resource=None), "invalid_grant")

    def test_a_code_that_comes_twice_ends_what_it_brought(self, program: Program) -> None:
        code = program.code()
        token = json.loads(program.trade(code).body)["access_token"]
        refused(program.trade(code), "invalid_grant")
        assert program.server.post({}, {**program.host, **bearer(token)}).status == 401

    def test_of_two_exchanges_at_once_one_succeeds(self, program: Program) -> None:
        code = program.code()
        answers: list[int] = []
        threads = [threading.Thread(target=lambda: answers.append(program.trade(code).status)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, *[400] * 5]

    def test_a_field_that_stands_twice_is_refused(self, program: Program) -> None:
        refused(
            program.form("/token", {"grant_type": ["refresh_token"] * 2, "client_id": program.id}), "invalid_request"
        )

    def test_access_ends_after_an_hour(self, server: HttpServer, program: Program) -> None:
        tokens = program.tokens()
        with later_server(server, program.base, "+59m") as later:
            assert later.tool("whoami", None, **bearer(tokens["access_token"]))["isError"] is False
        with later_server(server, program.base, "+61m") as later:
            assert later.post({}, bearer(tokens["access_token"])).status == 401
            again = Program(later, program.id).refresh(tokens["refresh_token"])
            assert again.status == 200
            assert later.tool("whoami", None, **bearer(again.json["access_token"]))["isError"] is False

    def test_a_token_holds_for_the_name_it_was_made_for(self, program: Program) -> None:
        token = program.tokens()["access_token"]
        other = {"host": f"localhost:{program.server.port}"}
        assert program.server.post({}, {**program.host, **bearer(token)}).status == 400
        assert program.server.post({}, {**other, **bearer(token)}).status == 401

    def test_a_refresh_token_is_no_access_token(self, program: Program) -> None:
        tokens = program.tokens()
        assert program.server.post({}, {**program.host, **bearer(tokens["refresh_token"])}).status == 401
        refused(program.refresh(tokens["access_token"]), "invalid_grant")


class TestRefreshing:
    def test_each_refresh_brings_a_new_pair(self, program: Program) -> None:
        first = program.tokens()
        second = program.refresh(first["refresh_token"]).json
        assert second["refresh_token"] != first["refresh_token"]
        assert program.refresh(second["refresh_token"]).status == 200

    def test_a_refresh_token_that_comes_twice_shuts_the_client_out(self, program: Program) -> None:
        first = program.tokens({"name": "stolen"})
        second = program.refresh(first["refresh_token"]).json
        refused(program.refresh(first["refresh_token"]), "invalid_grant")
        refused(program.refresh(second["refresh_token"]), "invalid_grant")
        assert program.server.post({}, {**program.host, **bearer(second["access_token"])}).status == 401
        assert listed(program.server, "stolen")["state"] == "revoked"

    def test_another_program_cannot_use_it_nor_shut_the_client_out(self, server: HttpServer, program: Program) -> None:
        tokens = program.tokens()
        other = Program.registered(server, "thief")
        refused(other.refresh(tokens["refresh_token"]), "invalid_grant")
        assert program.refresh(tokens["refresh_token"]).status == 200

    def test_scopes_only_shrink(self, program: Program) -> None:
        tokens = program.tokens()
        refused(program.refresh(tokens["refresh_token"], scope="read admin"), "invalid_scope")
        narrow = program.refresh(tokens["refresh_token"], scope="read").json
        assert narrow["scope"] == "read"
        said = {**program.host, **bearer(narrow["access_token"])}
        assert program.server.value("whoami", None, **said)["scopes"] == ["read"]

    def test_what_the_owner_takes_back_is_gone_at_once(self, program: Program) -> None:
        tokens = program.tokens({"name": "shrinking"})
        said = {**program.host, **bearer(tokens["access_token"])}
        owner(program.server.home, "auth_rescope", name="shrinking", scopes=["read"])
        assert program.server.value("whoami", None, **said)["scopes"] == ["read"]
        assert program.refresh(tokens["refresh_token"]).json["scope"] == "read"
        owner(program.server.home, "auth_revoke", name="shrinking")
        assert program.server.post({}, said).status == 401

    def test_removing_a_program_ends_everything_it_has(self, server: HttpServer) -> None:
        program = Program.registered(server, "short-lived")
        tokens = program.tokens()
        assert owner(server.home, "auth_revoke", id=program.id)["revoked"]
        assert server.post({}, {**program.host, **bearer(tokens["access_token"])}).status == 401
        refused(program.refresh(tokens["refresh_token"]), "invalid_client", 401)
        assert program.authorize().status == 400


class TestRevoking:
    @pytest.mark.parametrize("which", ["access_token", "refresh_token"])
    def test_a_program_gives_its_access_back(self, program: Program, which: str) -> None:
        tokens = program.tokens({"name": "tidy"})
        answer = program.form("/revoke", {"token": tokens[which], "client_id": program.id})
        assert (answer.status, answer.body) == (200, b"")
        assert program.server.post({}, {**program.host, **bearer(tokens["access_token"])}).status == 401
        refused(program.refresh(tokens["refresh_token"]), "invalid_grant")
        assert listed(program.server, "tidy")["state"] == "revoked"

    def test_what_is_not_there_is_revoked_alike(self, program: Program) -> None:
        answer = program.form("/revoke", {"token": "gbrain_at_" + "0" * 64, "client_id": program.id})
        assert (answer.status, answer.body) == (200, b"")

    def test_nobody_revokes_what_is_not_theirs(self, server: HttpServer, program: Program) -> None:
        tokens = program.tokens()
        other = Program.registered(server, "meddler")
        assert other.form("/revoke", {"token": tokens["access_token"], "client_id": other.id}).status == 200
        assert server.post({}, {**program.host, **bearer(tokens["access_token"])}).status == 400


@pytest.fixture(scope="module")
def confidential(server: HttpServer) -> Program:
    return Program.registered(server, "web app", "https://app.example/callback", confidential=True)


class TestSecrets:
    def test_the_secret_may_stand_in_the_form_or_the_header(self, confidential: Program) -> None:
        assert confidential.tokens()["access_token"]
        pair = urllib.parse.quote(confidential.id) + ":" + urllib.parse.quote(str(confidential.secret))
        basic = {"authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
        fields = {
            "grant_type": "authorization_code",
            "code": confidential.code(),
            "redirect_uri": confidential.back,
            "code_verifier": "the-verifier-of-this-program-is-long-enough-for-it",
        }
        assert confidential.form("/token", fields, basic).status == 200

    def test_without_it_nothing_tells_whether_the_program_exists(self, confidential: Program) -> None:
        code = confidential.code()
        told = {
            refused(confidential.trade(code, client_secret=None), "invalid_client", 401),
            refused(confidential.trade(code, client_secret="gbrain_cs_" + "0" * 64), "invalid_client", 401),
            refused(confidential.trade(code, client_id="nobody"), "invalid_client", 401),
            refused(confidential.form("/revoke", {"token": "x", "client_id": confidential.id}), "invalid_client", 401),
        }
        assert len(told) == 1

    def test_secrets_and_tokens_are_nowhere_to_be_read(self, server: HttpServer, confidential: Program) -> None:
        tokens = confidential.tokens()
        secrets = [tokens["access_token"], tokens["refresh_token"], str(confidential.secret)]
        home = Path(server.home)
        kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
        for secret in secrets:
            assert secret.encode() not in kept
            assert secret.removeprefix("gbrain_").encode() not in kept
        assert str(confidential.secret) not in json.dumps(owner(home, "auth_list"))


def test_nothing_of_this_was_a_defect(server: HttpServer) -> None:
    assert [line for line in server.access() if line["event"] == "error"] == []

"""The viewer at `/` of a server: who is let in by a token, as whom, and for how long; on both databases."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

import databases
from gbrain import home as homes
from gbrain.entry.http.server import GUESSES
from http_server import HttpServer
from stdio_server import brain_folder, local_brain, make_brain
from viewer_browser import PAGES, Browser, Seen, fill

GRANTS = {
    "person": {"scopes": ["admin", "steer"], "all_sources": True},
    "leaver": {"scopes": ["admin", "steer"], "all_sources": True},
    "agent": {"scopes": ["read", "write", "admin"], "all_sources": True},
    "reader": {"scopes": ["read"]},
    "steerer": {"scopes": ["steer"], "all_sources": True},
    "late": {"scopes": ["admin", "steer"], "all_sources": True, "expires": "1s"},
    "gone": {"scopes": ["admin", "steer"], "all_sources": True},
}


class Served(NamedTuple):
    server: HttpServer
    tokens: dict[str, str]
    home: Path

    def browser(self) -> Browser:
        return Browser(self.server.port)

    def enter(self, token: str) -> tuple[Browser, Seen]:
        browser = self.browser()
        seen = browser.ask("POST", "/login", urlencode({"token": token}), **browser.from_here())
        browser.cookie = seen.headers.get("set-cookie", "").split(";")[0]
        return browser, seen


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served")
    if request.param == "postgres":
        (home / ".gbrain").mkdir()
        homes.set_database_url(brain_folder(home), databases.emptied())
    make_brain(home)
    with local_brain(home) as brain:
        fill(brain)
        tokens = {name: brain.auth_create(name=name, **grant)["token"] for name, grant in GRANTS.items()}
        brain.auth_revoke(name="gone")
    with HttpServer(home, "--rate", "0", env={"GBRAIN_CLOCK": "+1h"}) as server:
        yield Served(server, tokens, home)


@pytest.fixture(scope="module")
def person(served: Served) -> Browser:
    browser, seen = served.enter(served.tokens["person"])
    assert (seen.status, seen.headers["location"]) == (303, "/")
    cookie = seen.headers["set-cookie"]
    assert ("HttpOnly" in cookie, "SameSite=strict" in cookie, "Secure" in cookie) == (True, True, False)
    return browser


def test_every_page_is_there_for_a_person(person: Browser) -> None:
    for path in PAGES:
        seen = person.get(path)
        assert (path, seen.status) == (path, 200), seen.text
        assert "script-src 'self'" in seen.headers["content-security-policy"]
        assert seen.headers["cache-control"] == "no-store"


def test_private_text_is_shown_to_a_person_and_to_no_program(served: Served, person: Browser) -> None:
    assert "a secret of hers" in person.get("/facts?visibility=private").text
    bearer = {"authorization": f"Bearer {served.tokens['agent']}"}
    assert "a secret of hers" not in str(served.server.tool("recall", {"entity": "people/dana-oakes"}, **bearer))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reader", "not for every source"), ("agent", "admin, read, write"), ("steerer", "scopes steer"),
        ("gone", "not known here"), ("late", "has ended"), ("made up", "not known here"),
    ],
)  # fmt: skip
def test_other_tokens_are_refused_on_a_clear_page(served: Served, name: str, said: str) -> None:
    browser, seen = served.enter(served.tokens.get(name, "gbrain_" + "0" * 64))
    assert (seen.status, said in seen.text, "set-cookie" in seen.headers) == (403, True, False), seen.text
    assert 'role="alert"' in seen.text
    assert browser.get("/").headers["location"] == "/login"


@pytest.mark.parametrize("token", ["", "ü", "x" * 5000, "gbrain_at_" + "0" * 64])
def test_what_is_no_token_is_refused(served: Served, token: str) -> None:
    assert served.enter(token)[1].status == 403


def test_nobody_comes_in_without_a_session(served: Served) -> None:
    stranger = served.browser()
    for path in PAGES:
        assert (stranger.get(path).status, stranger.get(path).headers["location"]) == (303, "/login")
    assert "Your token" in stranger.get("/login").text
    stranger.cookie = f"gbrain_viewer_{stranger.port}=guess"
    assert stranger.get("/").status == 303
    bearer = f"Bearer {served.tokens['person']}"
    assert stranger.get("/", Authorization=bearer).status == 303
    assert stranger.get("/nothing").status == 404


@pytest.mark.parametrize("origin", ["", "null", "https://evil.example", "http://localhost.evil.example"])
def test_another_site_sends_no_login_and_no_form(served: Served, person: Browser, origin: str) -> None:
    for browser, path, fields in (
        (served.browser(), "/login", {"token": served.tokens["person"]}),
        (person, "/facts/2/forget", {"form_token": person.token()}),
    ):
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        seen = browser.ask("POST", path, urlencode(fields), **kind, Origin=origin)
        assert (seen.status, "set-cookie" in seen.headers) == (403, False)
    assert "Forget" in person.get("/facts/2").text


def test_an_agent_cannot_accept_what_waits_for_a_person(served: Served, person: Browser) -> None:
    """Not by the protocol, whatever its token grants, and not by a form without a session."""
    for name in ("agent", "person"):
        bearer = {"authorization": f"Bearer {served.tokens[name]}"}
        tools = [tool["name"] for tool in served.server.result("tools/list", **bearer)["tools"]]
        assert not {"accept_facts", "correct", "merge_facts", "restore_fact", "invalidate", "move_fact"} & set(tools)
        reply = served.server.ask("tools/call", {"name": "accept_facts", "arguments": {"ids": ["4"]}}, **bearer)
        assert "error" in reply or reply["result"]["isError"]
    assert person.get("/").text.count('action="/facts/4/accept"') == 1
    assert person.post("/facts/4/accept").status == 303
    assert person.get("/").text.count("/accept") == 0


def test_a_session_ends_with_its_token(served: Served) -> None:
    browser, _ = served.enter(served.tokens["leaver"])
    assert browser.get("/facts").status == 200
    with local_brain(served.home) as brain:
        brain.auth_rescope(name="leaver", scopes=["admin"])
        assert browser.get("/facts").headers["location"] == "/login"
        assert brain.auth_rescope(name="leaver", scopes=["admin", "steer"])["scopes"] == ["admin", "steer"]
        assert browser.get("/facts").status == 303
        browser, _ = served.enter(served.tokens["leaver"])
        brain.auth_revoke(name="leaver")
    assert browser.get("/", **{"HX-Request": "true"}).headers["hx-redirect"] == "/login"


def test_the_log_names_places_and_no_tokens(served: Served, person: Browser) -> None:
    person.get("/facts/1?words=secret")
    lines = served.server.log.read_text()
    assert '"path":"/facts"' in lines
    assert "secret" not in lines
    assert not any(token in lines for token in served.tokens.values())


@pytest.mark.parametrize(
    ("public", "told"), [("http://brain.example.com", "open line"), ("https://brain.example.com", "Secure")]
)
def test_a_token_travels_only_where_nobody_reads_it(tmp_path: Path, public: str, told: str) -> None:
    make_brain(tmp_path)
    with local_brain(tmp_path) as brain:
        token = brain.auth_create(name="person", **GRANTS["person"])["token"]
    with HttpServer(tmp_path, "--public-url", public) as server:
        browser = Browser(server.port)
        sent = {**browser.from_here(), "Origin": public, "Host": "brain.example.com"}
        seen = browser.ask("POST", "/login", urlencode({"token": token}), **sent)
        assert told in seen.text + seen.headers.get("set-cookie", "")
        assert seen.status == (303 if public.startswith("https") else 403)
        assert browser.get("/login", Host="evil.example").status == 421
        near = [browser.ask("POST", "/login", urlencode({"token": "x"}), **browser.from_here()) for _ in range(GUESSES)]
        assert {seen.status for seen in near} == {403}
        late = browser.ask("POST", "/login", urlencode({"token": "x"}), **browser.from_here())
        assert (late.status, "retry-after" in late.headers) == (429, True)

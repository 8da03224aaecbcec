"""Made-up requests to a server: its protocol, OAuth and the viewer. None is its fault, and no form acts unasked."""

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given, strategies as st

from http_server import HttpServer, Response
from made_up import fuzz, json_values
from stdio_server import local_brain, make_brain
from viewer_browser import Browser, fill

Served = tuple[HttpServer, Browser, Callable[[], Any]]
PATHS = (
    *("/mcp", "/authorize", "/token", "/revoke", "/register", "/login", "/logout", "/", "/facts", "/facts/1", "/pages"),
    *("/pages/default/people/dana-oakes", "/versions/default/people/dana-oakes?from=1&to=2", "/graph?depth=3"),
    *("/search?q=dana", "/facts/1/proof", "/access", "/access/revoke", "/doctor/fix", "/static/nothing", "/health"),
)
MOVES = ("/facts/1/accept", "/facts/merge", "/facts/1/forget", "/facts/1/invalidate", "/access/revoke", "/doctor/fix")
HEADERS = (
    "accept content-type origin host authorization cookie mcp-protocol-version mcp-session-id mcp-method mcp-name range"
    " if-none-match last-event-id sec-fetch-site transfer-encoding content-encoding x-forwarded-host forwarded"
)
SAID = (
    *("application/json", "text/html", "*/*", "null", "http://evil.invalid", "Bearer x", "Basic Og==", "Basic é"),
    *("multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded", "gzip", "chunked"),
    *("2025-11-25", "localhost", "127.0.0.1:1", "session=x; session=y", "text/plain; charset=nothing", "bytes=0-"),
    *("0", "cross-site"),
)
NAMES = st.sampled_from(HEADERS.split()) | st.from_regex(r"[A-Za-z][A-Za-z-]{0,12}", fullmatch=True)
VALUES = st.sampled_from(SAID) | st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40)
headers = st.dictionaries(NAMES, VALUES, max_size=4)
FIELDS = (
    "grant_type code client_id client_secret redirect_uri code_verifier code_challenge code_challenge_method token"
    " scope state response_type resource form_token id ids reason fact refresh_token next name client_name"
)
FILLED = (
    *("authorization_code", "refresh_token", "client_credentials", "S256", "http://127.0.0.1:9/x", "javascript:x"),
    *("code", "read write", "\x00", "../..", "//evil.invalid", "1", "2"),
)
forms = st.dictionaries(st.sampled_from(FIELDS.split()), st.sampled_from(FILLED) | st.text(max_size=20), max_size=6)
PART = '--x\r\nContent-Disposition: form-data; name="token"; filename="{}"\r\nContent-Type: {}\r\n\r\n{}\r\n--x--\r\n'
parts = st.builds(PART.format, st.text(max_size=8), VALUES, st.text(max_size=20)).map(lambda text: text.encode("utf-8"))
bodies = (
    st.binary(max_size=80)
    | json_values.map(lambda value: json.dumps(value).encode())
    | forms.map(lambda form: urlencode(form).encode())
    | parts
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a filled brain, a person's browser that is let in, and what says what the facts are."""
    home = tmp_path_factory.mktemp("served")
    make_brain(home)
    with local_brain(home) as brain:
        fill(brain)
        token = brain.auth_create(name="person", scopes=["admin", "steer"], all_sources=True)["token"]
        with HttpServer(home, "--rate", "0") as server:
            browser = Browser(server.port)
            seen = browser.ask("POST", "/login", urlencode({"token": token}), **browser.from_here())
            browser.cookie = seen.headers["set-cookie"].split(";")[0]
            yield server, browser, lambda: brain.recall(include_expired=True, limit=100)["facts"]


def answered(server: HttpServer, method: str, path: str, body: bytes | None, given_: dict[str, str]) -> Response | None:
    """What came back; None where the server hung up on what is no HTTP."""
    try:
        return server.send(method, path, body, given_)
    except (http.client.HTTPException, ConnectionError):
        return None


@fuzz
@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT", "BREW"]),
    path=st.sampled_from(PATHS) | st.from_regex(r"/[!-~]{0,30}", fullmatch=True),
    body=st.none() | bodies,
    given_=headers,
    known=st.booleans(),
)
def test_no_request_is_a_defect(
    served: Served,
    method: str,
    path: str,
    body: bytes | None,
    given_: dict[str, str],
    known: bool,
) -> None:
    server, browser, _ = served
    sent = {name: value for name, value in given_.items() if name.lower() != "content-length"}
    if known:
        sent.setdefault("cookie", browser.cookie)
    # Half a body of unknown length is waited for, which is not what is looked at here.
    if "transfer-encoding" in sent and sent["transfer-encoding"] == "chunked":
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    answer = answered(server, method, path, body, sent)
    assert answer is None or answer.status < 500, (answer, server.errors.read_text())
    assert server.process.poll() is None


@fuzz
@given(path=st.sampled_from(MOVES), form=forms, given_=headers)
def test_no_form_from_elsewhere_changes_anything(
    served: Served, path: str, form: dict[str, str], given_: dict[str, str]
) -> None:
    """The cookie alone is not enough: a page elsewhere can make a browser send it."""
    server, browser, facts = served
    before = facts()
    sent = {"content-type": "application/x-www-form-urlencoded", **given_, "cookie": browser.cookie}
    sent.pop("transfer-encoding", None)
    answer = answered(server, "POST", path, urlencode(form).encode(), sent)
    assert answer is None or 400 <= answer.status < 500
    assert facts() == before


def test_the_person_is_still_let_in_and_may_act(served: Served) -> None:
    """Else the two above were refused for another reason than theirs."""
    _, browser, _ = served
    assert browser.post("/facts/1/accept").status == 303

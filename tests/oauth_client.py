"""A program that asks to be let in, and the browser of the brain's owner, over a real server."""

import base64
import hashlib
import html
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gbrain import registry
from gbrain.types import Caller
from http_server import HttpServer, Response
from stdio_server import local_brain

FORM = {"content-type": "application/x-www-form-urlencoded"}
BACK = "http://127.0.0.1:43210/callback"
VERIFIER = "the-verifier-of-this-program-is-long-enough-for-it"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def owner(home: Path, operation: str, /, **arguments: Any) -> Any:
    """The value of an operation, called by the owner on the brain's machine."""
    with local_brain(home) as brain:
        return registry.call(brain, Caller.local(), operation, arguments).value


class Page(NamedTuple):
    """A page as a person sees it: its status, its text, and what its form would send unchanged."""

    status: int
    headers: dict[str, str]
    text: str
    fields: dict[str, list[str]]

    @classmethod
    def of(cls, answer: Response) -> "Page":
        text = answer.body.decode()
        fields: dict[str, list[str]] = {}
        for tag in re.findall(r"<input[^>]*>", text):
            marks = {name: html.unescape(value) for name, value in re.findall(r'(\w+)="([^"]*)"', tag)}
            if marks["type"] != "checkbox" or " checked" in tag:
                fields.setdefault(marks["name"], []).append(marks.get("value", ""))
        for name, options in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', text):
            fields[name] = re.findall(r'<option value="(\w*)" selected', options)
        return cls(answer.status, answer.headers, text, fields)


class Program:
    """An OAuth client in the hands of its user, who owns the brain."""

    def __init__(self, server: HttpServer, id: str, back: str = BACK, secret: str | None = None) -> None:
        self.server = server
        self.id = id
        self.back = back
        self.secret = secret
        self.base = server.url.removesuffix("/mcp")

    @classmethod
    def registered(cls, server: HttpServer, name: str = "inspector", back: str = BACK, **more: Any) -> "Program":
        """A program that the owner registered."""
        made = owner(server.home, "auth_register", name=name, redirect_uris=[back], **more)
        return cls(server, made["client_id"], back, made["client_secret"])

    def question(self, **changed: str | None) -> dict[str, str]:
        """The parameters of the authorization request; None takes one out."""
        usual = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.back,
            "state": "of mind & matter",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "scope": "read write",
            "resource": self.server.url,
        }
        return {name: value for name, value in {**usual, **changed}.items() if value is not None}

    def authorize(self, **changed: str | None) -> Response:
        return self.server.send(
            "GET", "/authorize?" + urllib.parse.urlencode(self.question(**changed)), headers=self.host
        )

    @property
    def host(self) -> dict[str, str]:
        return {"host": self.base.removeprefix("http://")}

    def ask(self, **changed: str | None) -> Page:
        """The first page."""
        answer = self.authorize(**changed)
        assert answer.status == 302, answer
        target = answer.headers["location"]
        assert target.startswith(self.base + "/consent?"), target
        return Page.of(self.server.send("GET", target.removeprefix(self.base), headers=self.host))

    def submit(self, page: Page, headers: Mapping[str, str] | None = None, **changed: str | Sequence[str]) -> Response:
        """Send a page's form, with some fields changed, by its first button."""
        return self.form("/consent", {**page.fields, "decision": "go", **changed}, headers)

    def form(
        self, path: str, fields: Mapping[str, str | Sequence[str]], headers: Mapping[str, str] | None = None
    ) -> Response:
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        return self.server.send("POST", path, body, {**self.host, **FORM, **(headers or {})})

    def prove(self, page: Page) -> Page:
        """The second page, for the owner who types the code."""
        code = owner(self.server.home, "auth_approve")["code"]
        return Page.of(self.submit(page, code=code))

    def code(self, choices: Mapping[str, str | Sequence[str]] | None = None, **changed: str | None) -> str:
        """An authorization code, after both pages."""
        answer = self.submit(self.prove(self.ask(**changed)), None, **(choices or {}))
        assert answer.status == 303, answer
        return self.returned(answer)["code"]

    def returned(self, answer: Response) -> dict[str, str]:
        """What the browser brings back to the program."""
        target = answer.headers["location"]
        assert target.startswith(self.back), target
        found = urllib.parse.parse_qs(urllib.parse.urlsplit(target).query, strict_parsing=True)
        assert all(len(values) == 1 for values in found.values())
        return {name: values[0] for name, values in found.items()}

    def trade(self, given: str, /, **changed: str | None) -> Response:
        """Exchange a code."""
        usual = {
            "grant_type": "authorization_code",
            "code": given,
            "redirect_uri": self.back,
            "client_id": self.id,
            "client_secret": self.secret,
            "code_verifier": VERIFIER,
            "resource": self.server.url,
        }
        return self.form("/token", {name: value for name, value in {**usual, **changed}.items() if value is not None})

    def refresh(self, token: str, **changed: str | None) -> Response:
        usual = {
            "grant_type": "refresh_token",
            "refresh_token": token,
            "client_id": self.id,
            "client_secret": self.secret,
        }
        return self.form("/token", {name: value for name, value in {**usual, **changed}.items() if value is not None})

    def tokens(self, choices: Mapping[str, str | Sequence[str]] | None = None, **changed: str | None) -> dict[str, Any]:
        """Access and refresh token, by the whole way."""
        answer = self.trade(self.code(choices, **changed))
        assert answer.status == 200, answer
        found: dict[str, Any] = json.loads(answer.body)
        return found


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}

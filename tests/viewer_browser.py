"""Asks the viewer as a browser does, over real connections."""

import http.client
import re
from typing import NamedTuple
from urllib.parse import urlencode

from gbrain import Brain

DANA = "people/dana-oakes"
PAGES = (
    "/conflicts",
    "/", "/facts", "/facts?state=all&words=tea&kind=preference", "/facts/1", "/facts/2", "/pages", "/pages?q=dana",
    "/pages/default/people/dana-oakes", "/pages/-/people/dana-oakes", "/pages/default/people/reed-sample",
    "/versions/default/people/dana-oakes", "/versions/default/people/dana-oakes?from=1&to=2", "/graph",
    "/graph?slug=people/dana-oakes&depth=3", "/search", "/search?q=dana", "/search?q=dana&target=people/dana-oakes",
    "/ambient", "/spend", "/doctor", "/access",
)  # fmt: skip
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"


class Seen(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Browser:
    """Asks as a browser does: with its cookie, and with the origin of its pages on forms."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Seen:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Cookie": self.cookie, **headers}
        try:
            connection.request(method, path, body or None, {name: value for name, value in sent.items() if value})
            reply = connection.getresponse()
            told = {name.lower(): value for name, value in reply.getheaders()}
            return Seen(reply.status, told, reply.read().decode())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Seen:
        return self.ask("GET", path, **headers)

    def post(self, path: str, token: str | None = None, **fields: str) -> Seen:
        sent = {"form_token": self.token() if token is None else token, **fields}
        return self.ask("POST", path, urlencode(sent), **self.from_here())

    def from_here(self) -> dict[str, str]:
        origin = f"http://127.0.0.1:{self.port}"
        return {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin}

    def token(self) -> str:
        found = re.search(r'name="form_token" value="([^"]+)"', self.get("/access").text)
        assert found
        return found[1]


def fill(brain: Brain) -> None:
    brain.put_page(slug=DANA, content="---\ntitle: Dana Oakes\n---\nDana works at [[companies/pier-example]].\n")
    brain.put_page(slug="companies/pier-example", content=f"# Pier Example\n\n{MARKUP}\n\n[x](javascript:alert(3))\n")
    brain.put_page(slug=DANA, content="---\ntitle: Dana Oakes\n---\nDana runs [[companies/pier-example]].\n")
    brain.remember(fact="lives in Lisbon", provenance="chat", entity=DANA)
    brain.remember(fact="lives in Porto", provenance=f"{MARKUP}", entity=DANA)
    brain.remember(fact=f"likes {MARKUP} tea", provenance="chat", entity="people/reed-sample", kind="preference")
    brain.remember(fact="keeps a secret of hers", provenance="hook:writeback, s-1", entity=DANA, visibility="private")
    brain.remember(fact="likes rowing", provenance="chat", entity=DANA)
    brain.remember(fact="rows on Sundays", provenance="chat", entity=DANA)

"""Where a browser may be sent back to: what may be registered, and what fits it."""

import pytest

from gbrain.domain.redirects import matches, place, problem

GOOD = [
    "https://app.example/back",
    "https://app.example:8443/back?x=1&y=%20",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:6274/oauth/callback",
    "http://[::1]:6274/callback",
    "http://localhost:9999/callback",
    "com.example.app:/back",
    "cursor://anysphere.cursor/oauth/callback",
]
BAD = [
    "",
    "callback",
    "/callback",
    "//app.example/back",
    "http://app.example/back",
    "http://127.0.0.1.elsewhere.example/",
    "http://127.0.0.1@elsewhere.example/",
    "http://localhost.elsewhere.example/",
    "http://elsewhere.example#@127.0.0.1/",
    "https://user:secret@app.example/",
    "https://app.example/#part",
    "https://app.example/back#",
    "https:///back",
    "https://*.example/",
    "https://app.example/a b",
    "https://app.example/\nback",
    "https://app.example/;script-src",
    "https://app.example/'x'",
    "https://äpp.example/",
    "https://app.example:port/",
    "https://[::1/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "app:/callback",
    "https://app.example/" + "x" * 2000,
]


@pytest.mark.parametrize("uri", GOOD)
def test_may_be_registered(uri: str) -> None:
    assert problem(uri) is None


@pytest.mark.parametrize("uri", BAD)
def test_may_not(uri: str) -> None:
    assert problem(uri)


@pytest.mark.parametrize(
    ("registered", "asked", "fits"),
    [
        ("https://app.example/back", "https://app.example/back", True),
        ("https://app.example/back", "https://app.example/back/", False),
        ("https://app.example/back", "https://app.example/back?x=1", False),
        ("https://app.example/back", "https://app.example:8443/back", False),
        ("https://app.example/back", "http://app.example/back", False),
        ("https://app.example", "https://app.example/", True),
        ("http://127.0.0.1/callback", "http://127.0.0.1:50000/callback", True),
        ("http://127.0.0.1:1/callback", "http://127.0.0.1:50000/callback", True),
        ("http://[::1]/callback", "http://[::1]:50000/callback", True),
        ("http://localhost:1/callback", "http://localhost:50000/callback", True),
        ("http://localhost/callback", "http://127.0.0.1/callback", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:50000/other", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:50000/callback?x=1", False),
        ("http://127.0.0.1/callback", "https://127.0.0.1:50000/callback", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:50000@elsewhere.example/callback", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:x/callback", False),
        ("com.example.app:/back", "com.example.app:/back", True),
        ("com.example.app:/back", "com.example.app:/other", False),
    ],
)
def test_what_fits(registered: str, asked: str, fits: bool) -> None:
    assert matches(registered, asked) is fits


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://app.example:8443/back?x=1", "https://app.example:8443"),
        ("http://[::1]:6274/callback", "http://[::1]:6274"),
        ("cursor://anysphere.cursor/back", "cursor:"),
    ],
)
def test_the_place_a_person_reads(uri: str, shown: str) -> None:
    assert place(uri) == shown

"""Which `Host` and `Origin` a server answers to."""

import pytest

from gbrain.entry.http.names import Names, host_of, is_loopback
from gbrain.errors import InvalidParams

LOOPBACK = ["127.0.0.1", "127.0.0.1:3131", "localhost:3131", "LOCALHOST", "localhost.:80", "[::1]:3131", "[::1]"]
FORGED = [
    "evil.example",
    "evil.example:3131",
    "localhost.evil.example",
    "127.0.0.1.evil.example:3131",
    "127.0.0.1:3131@evil.example",
    "evil.example/127.0.0.1",
    "evil.example#127.0.0.1",
    "127.0.0.2",
    "10.0.0.1:3131",
    "0.0.0.0:3131",
    "[::ffff:127.0.0.1]:3131",
    "127.1",
    "2130706433",
    "127.0.0.1:port",
    "127.0.0.1:99999",
    "[::1",
    "",
    ":3131",
    "localhost\x00",
    "ⅼocalhost",
]


@pytest.mark.parametrize("host", LOOPBACK)
def test_this_machine(host: str) -> None:
    assert Names("127.0.0.1").knows(host)
    assert Names("127.0.0.1").trusts(f"http://{host}")


@pytest.mark.parametrize("host", FORGED)
def test_any_other_name(host: str) -> None:
    assert not Names("127.0.0.1").knows(host)
    assert not Names("127.0.0.1").trusts(f"http://{host}")


@pytest.mark.parametrize("origin", ["null", "", "http://", "file://localhost", "localhost", "chrome-extension://abc"])
def test_origins_that_are_no_page_of_ours(origin: str) -> None:
    assert not Names("127.0.0.1").trusts(origin)


def test_the_public_name() -> None:
    names = Names("127.0.0.1", "https://Brain.Example.com/")
    assert names.public == "https://Brain.Example.com"
    assert names.knows("brain.example.com")
    assert names.knows("brain.example.com:443")
    assert names.trusts("https://brain.example.com")
    assert not names.trusts("https://evil.example")


def test_an_address_others_reach() -> None:
    names = Names("192.168.7.5")
    assert names.knows("192.168.7.5:3131")
    assert not names.knows("192.168.7.6:3131")
    assert not names.near


@pytest.mark.parametrize("bound", ["0.0.0.0", "::"])
def test_every_address(bound: str) -> None:
    """An address in `Host` cannot be forged by a name that leads to it."""
    names = Names(bound)
    assert names.knows("192.168.7.5:3131")
    assert names.knows("[2001:db8::1]:3131")
    assert not names.knows("evil.example")


@pytest.mark.parametrize(
    "url", ["brain.example.com", "ftp://x", "https://x/brain", "https://x?y", "https://u@x", "https://", "https://x#y"]
)
def test_what_is_no_public_url(url: str) -> None:
    with pytest.raises(InvalidParams, match="public URL"):
        Names("127.0.0.1", url)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("192.168.0.1", False), ("mybox", False), ("", False)],
)  # fmt: skip
def test_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_the_host_of_a_header() -> None:
    assert host_of("Example.COM.:80") == "example.com"
    assert host_of("[2001:DB8::1]:80") == "2001:db8::1"

"""Where a brain on PostgreSQL is: the address in its home, and how a URL is shown."""

import json
from pathlib import Path

import pytest

from gbrain import home as homes
from gbrain.errors import Unavailable


@pytest.mark.parametrize(
    ("url", "shown", "without"),
    [
        ("postgresql://u:pw@h/d", "postgresql://u:***@h/d", "postgresql://u@h/d"),
        ("postgresql://u@h:5432/d", "postgresql://u@h:5432/d", "postgresql://u@h:5432/d"),
        ("postgres:///d?host=/tmp", "postgres:///d?host=/tmp", "postgres:///d?host=/tmp"),
        ("postgresql://u:p@w:/?#@h/d", "postgresql://u:***@h/d", "postgresql://u@h/d"),
        ("postgresql://u:@/d", "postgresql://u:***@/d", "postgresql://u@/d"),
        ("postgresql://h/d?password=pw&user=u", "postgresql://h/d?password=***&user=u", "postgresql://h/d?user=u"),
        ("postgresql://h/d?sslpassword=pw", "postgresql://h/d?sslpassword=***", "postgresql://h/d"),
        ("host=h password=pw", "***", "***"),
    ],
)
def test_a_password_is_not_shown(url: str, shown: str, without: str) -> None:
    assert homes.redacted(url) == shown
    assert homes.redacted(url, "") == without
    assert "pw" not in homes.redacted(url)


def test_an_address_comes_back_as_it_was_written(tmp_path: Path) -> None:
    url = "postgresql://u:p%40w@h/d?options=-csearch_path%3Dteam"
    assert homes.database_url(str(tmp_path)) is None
    homes.set_database_url(str(tmp_path), url)
    assert homes.database_url(str(tmp_path)) == url
    file = tmp_path / homes.ADDRESS
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_text(encoding="utf-8")) == {"engine": "postgres", "url": url}
    assert [path.name for path in tmp_path.iterdir()] == [homes.ADDRESS]


def test_the_address_of_a_server_comes_back_as_it_was_written(tmp_path: Path) -> None:
    address = homes.Address("remote", "https://brain.example.com/mcp", "gbrain_5ec7e7")
    assert not homes.has_address(str(tmp_path))
    homes.set_address(str(tmp_path), address)
    assert homes.address(str(tmp_path)) == address
    assert (homes.kind(str(tmp_path)), homes.place(str(tmp_path))) == ("remote", address.url)
    assert homes.database_url(str(tmp_path)) is None
    assert homes.has_brain(str(tmp_path))
    assert (tmp_path / homes.ADDRESS).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", '{"engine": "postgres", "url": 5}', '{"url": "postgresql://h/d"}'),
        *('{"engine": "remote", "url": "ftp://h"}', '{"engine": "remote", "url": "http://h", "token": 5}'),
        *('{"engine": "remote", "url": "http://h", "token": "a b"}', '{"engine": "remote", "url": "http://h\\r\\nx"}'),
    ],
)
def test_what_is_no_address_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / homes.ADDRESS).write_text(text, encoding="utf-8")
    with pytest.raises(Unavailable) as raised:
        homes.database_url(str(tmp_path))
    assert "gbrain init --postgres URL" in raised.value.suggestion


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("postgresql://h/d", True),
        ("POSTGRES://h", True),
        ("mysql://h/d", False),
        ("postgresql:h", False),
        ("sqlite:x", False),
        ("", False),
    ],
)
def test_what_a_url_is(text: str, is_one: bool) -> None:
    assert homes.is_url(text) is is_one

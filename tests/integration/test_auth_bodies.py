"""Bodies that are no request: the OAuth endpoints refuse them and go on."""

from collections.abc import Iterator

import pytest

from http_server import HttpServer
from oauth_client import FORM, owner
from stdio_server import cases, make_brain


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    home = tmp_path_factory.mktemp("bodies")
    make_brain(home)
    owner(home, "auth_create", name="first")
    with HttpServer(home, "--rate", "0") as server:
        yield server


@pytest.mark.parametrize(
    ("kind", "body"),
    cases(
        [
            ("nothing", FORM, b""),
            ("no form", {"content-type": "application/json"}, b"{}"),
            ("no type", {}, b"client_id=x"),
            ("half a form of parts", {"content-type": "multipart/form-data; boundary=x"}, b"--x\r\nbroken"),
            ("parts without a boundary", {"content-type": "multipart/form-data"}, b"--x"),
            (
                "a file",
                {"content-type": "multipart/form-data; boundary=x"},
                b'--x\r\nContent-Disposition: form-data; name="client_id"; filename="f"\r\n\r\nx\r\n--x--\r\n',
            ),
            ("bytes of no text", FORM, b"client_id=%ff%fe%00&token=%00"),
            ("NUL", FORM, b"client_id=%00&grant_type=refresh_token&refresh_token=%00"),
            ("two thousand fields", FORM, b"&".join(b"f%d=x" % number for number in range(2000))),
        ]
    ),
)
@pytest.mark.parametrize("path", ["/token", "/revoke", "/consent", "/authorize"])
def test_a_body_that_is_no_request(server: HttpServer, path: str, kind: dict[str, str], body: bytes) -> None:
    answer = server.send("POST", path, body, kind)
    assert answer.status in (400, 401)
    assert b"Traceback" not in answer.body
    assert answer.headers["content-type"].startswith(("application/json", "text/html"))


@pytest.mark.parametrize("path", ["/token", "/revoke", "/consent", "/authorize"])
def test_a_body_without_end_is_not_read(server: HttpServer, path: str) -> None:
    assert server.send("POST", path, b"x=" + b"y" * 70_000, FORM).status == 413


def test_nothing_of_this_was_a_defect(server: HttpServer) -> None:
    assert [line for line in server.access() if line["event"] == "error"] == []

"""The viewer as a browser meets it: who is let in, what each page shows, what a form may do."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from gbrain import open_brain
from gbrain.entry.web.pages import uncommented, untitled
from viewer_browser import PAGES, Browser, fill


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base: Path = tmp_path_factory.mktemp("viewer")
    with open_brain(str(base / ".gbrain"), create=True) as brain:
        fill(brain)
    return base


@pytest.fixture(scope="module")
def viewer(home: Path) -> Iterator[tuple[str, int]]:
    env = {**os.environ, "GBRAIN_HOME": str(home)}
    words = [sys.executable, "-m", "gbrain", "ui", "--no-open"]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)(/login\?code=\S+)", line)
            assert found, line
            yield found[2], int(found[1])
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=60)
            assert (running.returncode, errors) == (0, "")
        finally:
            running.kill()


@pytest.fixture(scope="module")
def browser(viewer: tuple[str, int]) -> Browser:
    link, port = viewer
    made = Browser(port)
    entered = made.get(link)
    assert (entered.status, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    made.cookie = cookie.split(";")[0]
    again = Browser(port).get(link)
    assert again.status == 403
    assert "over" in again.text
    return made


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_whole_and_takes_nothing_from_elsewhere(browser: Browser, path: str) -> None:
    seen = browser.get(path)
    assert seen.status == 200, seen.text
    assert seen.text.rstrip().endswith("</html>")
    assert "script-src 'self'" in seen.headers["content-security-policy"]
    assert "unsafe" not in seen.headers["content-security-policy"]
    assert (seen.headers["x-content-type-options"], seen.headers["cache-control"]) == ("nosniff", "no-store")
    for attribute in re.findall(r'(?:src|href|action)="([^"]*)"', seen.text):
        assert attribute.startswith(("/", "?", "#")), attribute
        assert not attribute.startswith("//")
    assert "<script>alert" not in seen.text
    assert "<img" not in seen.text
    assert not re.search(r"<[^>]*\son\w+=", seen.text)
    assert " style=" not in seen.text


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/facts/merge"])
def test_nobody_comes_in_without_a_link(viewer: tuple[str, int], path: str) -> None:
    stranger = Browser(viewer[1])
    seen = stranger.get(path)
    assert (seen.status, seen.headers["location"]) == (303, "/login")
    assert stranger.get("/login").status == 401
    assert stranger.get("/login?code=guess").status == 403
    stranger.cookie = f"gbrain_viewer_{stranger.port}=guess"
    assert stranger.get(path).status == 303


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}"])
def test_another_host_name_finds_nothing(browser: Browser, host: str) -> None:
    assert browser.get("/", Host=host.format(port=browser.port)).status in (400, 421)


class TestForms:
    def test_a_fact_is_forgotten_restored_corrected(self, browser: Browser, home: Path) -> None:
        assert "Restore" in browser.get("/facts/1").text
        moved = browser.post("/facts/2/correct", fact="lives in Braga", reason="misheard")
        assert moved.status == 303
        assert "lives in Braga" in browser.get(moved.headers["location"]).text
        assert "misheard" in browser.get("/facts/2").text
        back = browser.post("/facts/2/restore")
        assert "lives in Porto" in browser.get(back.headers["location"]).text
        assert browser.post("/facts/2/restore").status == 303

    @pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
    def test_another_site_cannot_send_one(self, browser: Browser, headers: dict[str, str]) -> None:
        body = urlencode({"form_token": browser.token()})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        assert browser.ask("POST", "/facts/3/forget", body, **kind, **headers).status == 403
        assert "Forget" in browser.get("/facts/3").text

    @pytest.mark.parametrize("token", ["", "guess", "ü"])
    def test_nor_one_without_the_token(self, browser: Browser, token: str) -> None:
        assert browser.post("/facts/3/forget", token=token).status == 403
        assert "Forget" in browser.get("/facts/3").text

    def test_two_tabs_undo_the_same_save(self, browser: Browser) -> None:
        assert [browser.post("/facts/3/forget").status for _ in range(2)] == [303, 303]
        assert [browser.post("/facts/3/restore").status for _ in range(2)] == [303, 303]
        live = browser.get("/facts?words=tea").text
        assert live.count('class="fact live"') == 1

    @pytest.mark.parametrize(
        ("path", "status"),
        [("/facts/99", 404), ("/facts/999999999999999999999999", 404), ("/facts/1?x=%00", 200), ("/nothing", 404),
         ("/pages/default/no/such", 404), ("/pages/nowhere/people/dana-oakes", 404), ("/graph?slug=no/such", 404),
         ("/graph?slug=people/dana-oakes&depth=x", 200), ("/facts?kind=x", 400), ("/pages?offset=-1", 200),
         ("/versions/default/people/dana-oakes?from=9&to=10", 404)],
    )  # fmt: skip
    def test_what_is_not_there_says_so(self, browser: Browser, path: str, status: int) -> None:
        seen = browser.get(path)
        assert (seen.status, "Traceback" in seen.text) == (status, False), seen.text

    def test_two_facts_are_joined_and_parted_again(self, browser: Browser) -> None:
        twice = [browser.post("/facts/merge", keep="5", drop="6") for _ in range(2)]
        assert [seen.headers["location"] for seen in twice] == ["/facts/5?instead=6", "/facts/6"]
        assert 'action="/facts/6/restore"' in browser.get("/facts/5?instead=6").text
        back = browser.post("/facts/6/restore").headers["location"]
        seen = browser.get(back).text
        assert ("rows on Sundays" in seen, 'class="mark live"' in seen) == (True, True)
        fields = {"form_token": browser.token(), "keep": "5", "drop": back.removeprefix("/facts/")}
        asked = {**browser.from_here(), "HX-Request": "true"}
        row = browser.ask("POST", "/facts/merge", urlencode(fields), **asked)
        assert f'action="/facts{back[6:]}/restore"' in row.text
        assert browser.post("/facts/merge", keep="5", drop="5").status == 400
        assert browser.post("/facts/merge", keep="5", drop="99").status == 404

    def test_what_is_forgotten_is_looked_for_in_every_place(self, browser: Browser) -> None:
        proved = browser.post("/facts/4/forget", prove="1")
        assert (proved.status, proved.headers["location"]) == (303, "/facts/4/proof")
        seen = browser.get("/facts/4/proof").text
        assert "Forgotten; its words remain" in seen
        assert "--erase --yes" in seen
        assert browser.get("/facts/1/proof").status == 200
        assert browser.post("/facts/4/restore").status == 303

    def test_only_what_is_safe_is_mended_by_a_click(self, browser: Browser) -> None:
        done = browser.post("/doctor/fix", fix="gbrain sweep --once")
        assert (done.status, "gbrain sweep --once:" in done.text) == (200, True)
        for fix in ("", "gbrain config unset memory.auto_writeback", "gbrain sweep --once; rm -rf /"):
            assert browser.post("/doctor/fix", fix=fix).status == 400
        assert browser.post("/doctor/fix", token="guess", fix="gbrain sweep --once").status == 403

    def test_a_version_is_brought_back(self, browser: Browser) -> None:
        assert browser.post("/versions/default/people/dana-oakes", version="1").status == 303
        assert "works at" in browser.get("/pages/default/people/dana-oakes").text


@pytest.mark.parametrize("id", ["zzz", "0", "9" * 5000])
def test_an_address_of_no_fact_is_said_to_be_none(browser: Browser, id: str) -> None:
    seen = browser.get(f"/facts/{id}")
    assert (seen.status, "there is no such fact" in seen.text) == (404, True)


def test_a_form_that_breaks_off_is_no_trouble(browser: Browser) -> None:
    """That nothing is written to the terminal is asked where the viewer ends."""
    connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=60)
    headers = {"Cookie": browser.cookie, "Content-Length": "1000", **browser.from_here()}
    connection.request("POST", "/facts/1/forget", "form_token=", headers)
    connection.close()
    assert browser.get("/facts/1").status == 200


def test_comments_that_do_not_end_take_one_pass() -> None:
    text = "<!-- " * 400_000
    began = time.process_time()
    assert uncommented(text) == text
    assert time.process_time() - began < 5
    assert uncommented("a<!-- b --><!---->c<!-- d") == "ac<!-- d"


def test_a_bare_page_weighs_little(browser: Browser) -> None:
    parts = [browser.get(path) for path in ("/", "/static/viewer.css", "/static/viewer.js", "/static/htmx.min.js")]
    assert all(part.status == 200 for part in parts)
    assert sum(len(part.text.encode()) for part in parts) < 100_000


def test_a_title_stands_once() -> None:
    assert untitled("\n# Dana Oakes\n\nRows.", "Dana Oakes") == "\nRows."
    assert untitled("# Dana\n\nRows.", "Dana Oakes") == "# Dana\n\nRows."
    assert untitled("Rows.", "Rows.") == "Rows."

"""The viewer in a real browser: every page in light, dark and on a phone, and what a person does there.

`SCREENSHOTS=FOLDER` keeps a picture of every page. Skipped where no Chromium is installed.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, open_brain

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
DANA = "people/dana-oakes"
PAGES = {
    "today": "/", "conflicts": "/conflicts", "facts": "/facts?state=all", "fact": "/facts/2", "pages": "/pages",
    "page": "/pages/default/people/dana-oakes", "versions": "/versions/default/people/dana-oakes",
    "graph": "/graph?slug=people/dana-oakes&depth=2", "search": "/search?q=dana+lisbon&target=people/dana-oakes",
    "ambient": "/ambient", "spend": "/spend", "health": "/doctor", "access": "/access", "absent": "/nothing",
}  # fmt: skip
LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1200, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1200, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
}
FRIENDS = 299
GRAPH_SECONDS = 10.0
UNSETTLED = "[hx-trigger=load], .htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"
"""Elements of a page that is still being filled."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    base: Path = tmp_path_factory.mktemp("browser")
    with open_brain(str(base / ".gbrain"), create=True) as brain:
        fill(brain)
    words = [sys.executable, "-m", "gbrain", "ui", "--no-open"]
    env = {**os.environ, "GBRAIN_HOME": str(base)}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            found = re.search(r"(http://127\.0\.0\.1:\d+)(/login\?code=\S+)", running.stdout.readline())
            assert found
            yield found[1], found[2]
            running.send_signal(signal.SIGINT)
            assert running.communicate(timeout=60)[1] == ""
        finally:
            running.kill()


def fill(brain: Brain) -> None:
    """Somebody with 299 friends, some facts, two that disagree, and text that tries to be more than text."""
    names = [f"people/friend-{number:03}" for number in range(FRIENDS)]
    kinds = ("knows", "met", "advises")
    brain.put_page(
        slug=DANA, content="---\ntitle: Dana Oakes\ntags: [rower]\n---\nShe rows.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    for number, name in enumerate(names):
        brain.put_page(slug=name, content=f"# Friend {number}\n\n<script>alert(1)</script>\n")
        brain.add_link(from_=DANA, to=name, link_type=kinds[number % 3])
    brain.put_page(
        slug=DANA, content="---\ntitle: Dana Oakes\ntags: [rower]\n---\nShe rows, and knows [[people/friend-001]].\n"
    )
    brain.remember(fact="lives in Lisbon", provenance="chat, 2031-05-04", entity=DANA)
    brain.remember(fact="lives in Porto", provenance="chat, 2031-06-01", entity=DANA)
    brain.remember(fact="lives in Oslo", provenance="mail", entity=DANA, visibility="private")
    brain.remember(fact="<img src=x onerror=alert(1)> likes ‮tea", provenance="<b>bold</b>", entity=DANA, ttl="2d")
    brain.remember(fact="prefers the aisle seat", provenance="hook:writeback, s-12", kind="preference")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


class Watched:
    """A page of the viewer, with all that went wrong on it and every host that was asked."""

    def __init__(self, page: Any, base: str) -> None:
        self.page = page
        self.base = base
        self.wrong: list[str] = []
        self.hosts: set[str] = set()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda told: self.wrong.append(told.text) if told.type == "error" else None)
        page.on("dialog", lambda dialog: (self.wrong.append("a script ran"), dialog.dismiss()))
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def open(self, path: str) -> int:
        answer = self.page.goto(self.base + path)
        status: int = answer.status
        return status


@pytest.fixture(scope="module")
def cookies(chromium: Any, address: tuple[str, str]) -> Any:
    base, link = address
    context = chromium.new_context()
    page = context.new_page()
    page.goto(base + link)
    assert page.title() == "Today · gbrain"
    kept = context.cookies()
    context.close()
    return kept


@pytest.fixture(params=list(LOOKS))
def look(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def watched(chromium: Any, address: tuple[str, str], cookies: Any, look: str) -> Iterator[Watched]:
    yield from opened(chromium, address[0], cookies, LOOKS[look])


@pytest.fixture
def desk(chromium: Any, address: tuple[str, str], cookies: Any) -> Iterator[Watched]:
    yield from opened(chromium, address[0], cookies, LOOKS["light"])


def opened(chromium: Any, base: str, cookies: Any, look: dict[str, Any]) -> Iterator[Watched]:
    context = chromium.new_context(**look)
    context.add_cookies(cookies)
    made = Watched(context.new_page(), base)
    yield made
    context.close()
    assert made.hosts <= {base.removeprefix("http://")}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_for_everybody(watched: Watched, look: str, name: str) -> None:
    status = watched.open(PAGES[name])
    assert status == (404 if name == "absent" else 200)
    watched.page.wait_for_selector(UNSETTLED, state="detached")
    assert [one for one in watched.wrong if "404" not in one] == []
    width = watched.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, "the page is wider than the screen"
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        watched.page.screenshot(path=os.path.join(folder, f"{name}-{look}.png"), full_page=True)
    assert serious(watched.page) == []


def test_a_page_that_still_waits_for_a_part_is_readable_too(watched: Watched) -> None:
    held: list[Any] = []
    watched.page.route("**/conflicts", lambda route: held.append(route))
    watched.open("/")
    watched.page.wait_for_selector(".htmx-request")
    assert serious(watched.page) == []
    held[0].continue_()
    watched.page.wait_for_selector(UNSETTLED, state="detached")


def serious(page: Any) -> list[str]:
    """What the checker finds that shuts somebody out. It comes through the driver, past the policy of the pages."""
    told = page.evaluate(AXE.read_text(encoding="utf-8") + "; axe.run()")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in told["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def test_a_save_is_undone_and_comes_back(desk: Watched) -> None:
    desk.open("/")
    row = desk.page.locator("[aria-labelledby=saved] .fact", has_text="prefers the aisle seat")
    row.get_by_role("button", name="Forget").click()
    desk.page.wait_for_selector(".fact.done")
    done = desk.page.locator(".fact.done")
    assert "forgotten" in done.inner_text()
    done.get_by_role("button", name="Undo").click()
    desk.page.wait_for_selector(".fact.done >> text=holds again")
    desk.open("/facts?words=aisle")
    assert desk.page.locator(".fact.live").count() == 1
    assert desk.wrong == []


def test_what_was_saved_unasked_is_accepted_by_a_key(desk: Watched) -> None:
    desk.open("/")
    desk.page.keyboard.press("j")
    assert desk.page.evaluate("document.activeElement.textContent").startswith("prefers the aisle")
    desk.page.keyboard.press("a")
    desk.page.wait_for_selector(".fact.done")
    desk.open("/")
    assert desk.page.locator("#review").count() == 0


def test_keys_walk_a_list_and_take_back(desk: Watched) -> None:
    desk.open("/facts?words=aisle")
    desk.page.keyboard.press("j")
    assert desk.page.evaluate("document.activeElement.textContent").startswith("prefers the aisle")
    desk.page.keyboard.press("x")
    desk.page.wait_for_selector(".fact.done")
    desk.open("/facts?words=aisle&state=forgotten")
    desk.page.keyboard.press("j")
    desk.page.keyboard.press("x")
    desk.page.wait_for_selector(".fact.done >> text=holds again")
    desk.page.keyboard.press("/")
    assert desk.page.evaluate("document.activeElement.name") == "words"


def test_a_conflict_is_resolved_in_one_move(desk: Watched) -> None:
    desk.open("/")
    desk.page.wait_for_selector(".conflict")
    side = desk.page.locator(".conflict .sides li", has_text="lives in Oslo")
    side.get_by_role("button", name="Drop this one").click()
    desk.page.wait_for_selector(".fact.done")
    desk.open("/conflicts")
    assert "No facts disagree" in desk.page.inner_text("main")
    desk.open("/facts?words=oslo&state=forgotten")
    desk.page.get_by_role("button", name="Restore").click()
    desk.page.wait_for_selector(".fact.done >> text=holds again")


def test_a_fact_is_corrected_and_its_history_is_drawn(desk: Watched) -> None:
    desk.open("/facts?words=lives+in+Porto")
    desk.page.get_by_role("link", name="lives in Porto").click()
    desk.page.get_by_label("The claim as it should be").fill("lives in Braga")
    desk.page.get_by_role("button", name="Correct").click()
    desk.page.wait_for_selector("h1 >> text=lives in Braga")
    names = desk.page.locator(".plot svg text").all_text_contents()
    assert {"lives in Lisbon", "lives in Porto", "lives in Braga"} <= set(names)
    desk.page.get_by_label("Why").last.fill("it was Porto")
    desk.page.get_by_role("button", name="Forget", exact=True).click()
    desk.page.wait_for_selector("text=forgotten: it was Porto")
    desk.page.get_by_role("link", name="Where its words still are").click()
    desk.page.wait_for_selector("h1 >> text=its words remain in some places")
    assert serious(desk.page) == []


def test_three_hundred_pages_around_one_can_be_walked(desk: Watched) -> None:
    started = time.monotonic()
    desk.open(f"/graph?slug={DANA}")
    desk.page.wait_for_selector(".graph svg a")
    assert time.monotonic() - started < GRAPH_SECONDS
    assert desk.page.locator(".graph circle").count() == FRIENDS + 1
    before = desk.page.locator(".graph svg").get_attribute("viewBox")
    desk.page.locator(".graph svg").hover()
    desk.page.mouse.wheel(0, -300)
    sync_api.expect(desk.page.locator(".graph svg")).not_to_have_attribute("viewBox", before)
    desk.page.locator(".graph a[aria-label='people/friend-007']").focus()
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_selector(".graph a.middle[aria-label='people/friend-007']")
    assert desk.wrong == []


def test_the_session_ends(chromium: Any, address: tuple[str, str], cookies: Any) -> None:
    """Last, as it ends the session of the others."""
    [made] = [next(maker) for maker in [opened(chromium, address[0], cookies, LOOKS["light"])]]
    made.open("/access")
    made.page.get_by_role("button", name="Leave the viewer").click()
    made.page.wait_for_selector("h1 >> text=A link lets you in")
    assert made.open("/facts") == 401

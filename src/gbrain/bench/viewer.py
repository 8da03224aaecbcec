"""`gbrain bench viewer`: what a page of the viewer costs its server and the line, and a graph of 300 pages a browser.

The pages are asked from `gbrain ui` on a generated brain, on a connection that is open: the time until the whole answer
is there, and `cpu`, the processor time of the server for one. With a Chromium and playwright on the machine the graph
is opened in it: from the request to a page that answers a click.
"""

import contextlib
import http.client
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import quote

from gbrain.bench.figures import Bar, Figure, summed, timed, told
from gbrain.bench.generate import NOW, borrowed, prepared, standing_clock
from gbrain.bench.machine import Failed, cpu_seconds, described, environment, gbrain_command, kept
from gbrain.bench.world import Size, World
from gbrain.brain import open_brain
from gbrain.errors import BrainError

FIRST_MS, FIRST_KB, GRAPH_MS = 150.0, 100.0, 1000.0
AROUND = 299
"""Pages around the one in the middle of the graph."""

MIDDLE = "notes/middle"
PARTS = ("/", "/conflicts", "/static/viewer.css", "/static/viewer.js", "/static/htmx.min.js", "/static/icon.svg")
"""What a browser asks for when the first page is opened for the first time."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Options(NamedTuple):
    """What is measured, on what, and where the figures go; see `gbrain bench viewer --help`."""

    pages: int
    calls: int
    seed: int
    work: str | None
    json: str | None = None
    strict: bool = False


def main(asked: Options) -> int:
    """Measure and print the table; returns 0, or 1 when something failed or, if strict, a bar was missed."""
    work = kept(asked.work)
    size = Size.of(asked.pages)
    try:
        home, world = prepared(work, size, asked.seed, lambda line: print(line, flush=True))
        with borrowed(home, work, "viewer") as base:
            around = _link_middle(base, world)
            figures = list(_measured(base, world, asked.calls, around))
    except (Failed, BrainError, OSError) as error:
        print(f"The measurement failed: {error}", file=sys.stderr)
        return 1
    head = {**described(), "pages": size.pages, "facts": size.facts, "seed": asked.seed}
    return told(head, figures, asked.json, strict=asked.strict)


def _link_middle(base: str, world: World) -> int:
    """Write a page that links to so many others that its graph is as large as one gets; how many."""
    around = world.beings[:AROUND]
    with open_brain(os.path.join(base, ".gbrain"), clock=standing_clock) as brain:
        brain.put_page(slug=MIDDLE, content="# The middle\n")
        for number, being in enumerate(around):
            brain.add_link(from_=MIDDLE, to=being.slug, link_type=("knows", "met", "advises")[number % 3])
    return len(around)


def _measured(base: str, world: World, calls: int, around: int) -> Iterator[Figure]:
    rng = random.Random(f"{world.seed}:viewer")
    slugs = [world.beings[world.known(rng)].slug for _ in range(calls)]
    with contextlib.ExitStack() as opened:
        server, port, link = opened.enter_context(_served(base))
        connection = opened.enter_context(
            contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120))
        )
        cookie = str(_asked(connection, link).getheader("set-cookie")).split(";")[0]
        began = time.perf_counter()
        sizes = [_sent(connection, path, cookie) for path in PARTS]
        whole = (time.perf_counter() - began) * 1000
        first = {"kB": sum(sizes) / 1000, "ms": whole}
        yield Figure("first page", "opened for the first time, with all it loads", "", 1, first, (Bar("kB", FIRST_KB),))
        paths = {
            "Today": ["/"] * calls,
            "facts that disagree": ["/conflicts"] * calls,
            "Facts": ["/facts"] * calls,
            "Facts of an entity": [f"/facts?entity={quote(slug)}&state=all" for slug in slugs],
            "Pages": ["/pages"] * calls,
            "a page": [f"/pages/default/{quote(slug)}" for slug in slugs],
            "Graph of 300": [f"/graph?slug={MIDDLE}"] * min(calls, 10),
            "Search": [f"/search?q={quote(slug.rpartition('/')[2])}" for slug in slugs],
            "Ambient": ["/ambient"] * min(calls, 10),
            "Health": ["/doctor"] * min(calls, 10),
        }
        for name, asked in paths.items():
            # What only the first of all is to wait for, such as the reading of templates.
            _sent(connection, asked[0], cookie)
            before = cpu_seconds(server)
            numbers = timed(lambda path: _sent(connection, path, cookie), asked)
            numbers = {key: value for key, value in numbers.items() if not key.startswith("cpu")}
            numbers["cpu"] = (cpu_seconds(server) - before) / len(asked) * 1000
            bars = (Bar("p50", FIRST_MS),) if name == "Today" else ()
            yield Figure("page", name, "ms", len(asked), numbers, bars)
        yield from _drawn(port, cookie, min(calls, 10), around)


@contextlib.contextmanager
def _served(base: str) -> Iterator[tuple[int, int, str]]:
    """The process id of a viewer, its port, and the link that lets one browser in. Raises Failed without one."""
    command = [*gbrain_command(), "ui", "--no-open"]
    process = subprocess.Popen(
        command,
        env=environment(base, GBRAIN_CLOCK=NOW.isoformat()),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)(/login\?code=\S+)", process.stdout.readline())
            if found is None:
                raise Failed("gbrain ui did not print its link")
            yield process.pid, int(found[1]), found[2]
        finally:
            process.send_signal(signal.SIGINT)


def _asked(connection: http.client.HTTPConnection, path: str, cookie: str = "") -> http.client.HTTPResponse:
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    answer.read()
    return answer


def _sent(connection: http.client.HTTPConnection, path: str, cookie: str) -> int:
    """The bytes of the body of one answer. Raises Failed for what is no page."""
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status not in (200, 304):
        raise Failed(f"{path} was answered with {answer.status}")
    return len(body)


def _drawn(port: int, cookie: str, runs: int, around: int) -> Iterator[Figure]:
    """The graph in a real browser, where there is one."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None or find_spec("playwright") is None:
        print("  no Chromium or no playwright here: the graph is not opened in a browser")
        return
    # It stands in no list of what gbrain needs.
    from playwright.sync_api import sync_playwright

    name, _, value = cookie.partition("=")
    base = f"http://127.0.0.1:{port}"
    walls = []
    with sync_playwright() as playwright:
        launched: Any = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        context = launched.new_context()
        context.add_cookies([{"name": name, "value": value, "url": base}])
        page = context.new_page()
        page.goto(f"{base}/spend")
        for _ in range(runs):
            began = time.perf_counter()
            page.goto(f"{base}/graph?slug={MIDDLE}", wait_until="domcontentloaded")
            page.locator(".graph a.middle").focus()
            if page.locator(".graph circle").count() <= around:
                raise Failed("the graph shows fewer pages than it has")
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            walls.append((time.perf_counter() - began) * 1000)
        launched.close()
    yield Figure("in Chromium", "graph of 300, until it answers", "ms", runs, summed(walls), (Bar("p50", GRAPH_MS),))

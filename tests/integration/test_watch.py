"""A server that runs follows the folders: what an editor saves is answered from a moment later."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gbrain import open_brain
from http_server import HttpServer, make_open_brain
from stdio_server import HANDSHAKE, Server, brain_folder, local_brain, make_brain

SECONDS = 20.0
"""The longest that a busy machine may take for what takes two seconds on a quiet one."""


def wait_for(answer: Callable[[], Any], wanted: Any) -> float:
    """Seconds until the answer was as wanted; fails when it never was."""
    began = time.monotonic()
    while (seen := answer()) != wanted:
        assert time.monotonic() - began < SECONDS, seen
        time.sleep(0.05)
    return time.monotonic() - began


def slugs(server: Any) -> list[str]:
    return sorted(page["slug"] for page in server.value("list_pages", {"source_id": "work"}))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "before.md").write_text("Written while nobody watched.\n")
    return folder


def test_over_stdio(tmp_path: Path, notes: Path) -> None:
    make_brain(tmp_path)
    with local_brain(tmp_path) as brain:
        brain.sources_add(id="work", path=str(notes))
    with Server(tmp_path) as server:
        server.value("whoami")
        wait_for(lambda: slugs(server), ["before"])
        (notes / "sub" / "a.md").write_text("# A\n\nOne.\n")
        wait_for(lambda: slugs(server), ["before", "sub/a"])
        (notes / "sub").rename(notes / "moved")
        wait_for(lambda: slugs(server), ["before", "moved/a"])
        (notes / "before.md").unlink()
        wait_for(lambda: slugs(server), ["moved/a"])
        (notes / "moved" / "a.md").write_text("# A\n\nTwo.\n")
        seen = {"slug": "moved/a", "source_id": "work"}
        wait_for(lambda: server.value("get_page", seen)["compiled_truth"], "# A\n\nTwo.")
        assert server.finish() == 0


def test_from_the_handshake_on_within_two_seconds(tmp_path: Path, notes: Path) -> None:
    """Nobody calls a tool: whoever else reads the brain finds what was saved."""
    make_brain(tmp_path)
    with local_brain(tmp_path) as brain:
        brain.sources_add(id="work", path=str(notes))
        brain.call("whoami")

        def titles() -> list[str]:
            found: list[str] = [page["title"] for page in brain.list_pages(source_id="work", sort="slug")]
            return found

        with Server(tmp_path) as server:
            server.result("initialize", HANDSHAKE)
            server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            wait_for(titles, ["Before"])
            taken = []
            for number in range(5):
                (notes / "a.md").write_text(f"# Saved {number}\n")
                taken.append(wait_for(titles, [f"Saved {number}", "Before"]))
            # One of five, so that what else the machine does decides nothing.
            assert min(taken) < 2.0, taken
            assert server.finish() == 0


def test_a_folder_that_is_added_while_the_server_runs(tmp_path: Path, notes: Path) -> None:
    make_brain(tmp_path)
    with Server(tmp_path) as server:
        server.value("whoami")
        with local_brain(tmp_path) as brain:
            brain.sources_add(id="work", path=str(notes))
        wait_for(lambda: slugs(server), ["before"])


def test_over_http(tmp_path: Path, notes: Path) -> None:
    make_open_brain(tmp_path)
    with open_brain(brain_folder(tmp_path)) as brain:
        brain.sources_add(id="work", path=str(notes))
    with HttpServer(tmp_path) as server:
        wait_for(lambda: slugs(server), ["before"])
        (notes / "b.md").write_text("B.\n")
        wait_for(lambda: slugs(server), ["b", "before"])
        assert server.stop() == 143

"""The viewer at its worst: huge pages, a crowd of facts on one name, a store that is locked or damaged."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gbrain import Brain, open_brain
from viewer_browser import DANA, PAGES, Browser, fill

CROWD = 100_000
CROWDED = "people/reed-sample"
# The links of this one are over when they are printed; otherwise it is the same program.
HASTY = "from gbrain.entry.web import doors; doors.LINK_SECONDS = -1; from gbrain.entry.main import main; main()"
LOCKED = ("/", "/facts", "/pages", "/doctor", "/access")


@contextmanager
def viewing(base: Path) -> Iterator[Browser]:
    """A browser that was let in to the viewer of the brain below a folder."""
    words = [sys.executable, "-m", "gbrain", "ui", "--no-open"]
    env = {**os.environ, "GBRAIN_HOME": str(base)}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)(/login\?code=\S+)", running.stdout.readline())
        assert found
        browser = Browser(int(found[1]))
        browser.cookie = browser.get(found[2]).headers["set-cookie"].split(";")[0]
        try:
            yield browser
        finally:
            running.send_signal(signal.SIGINT)
            ended = running.communicate(timeout=60)[1]
        assert (ended, running.returncode) == ("", 0)


def crowd(brain: Brain) -> None:
    """So many facts about one person, made of one that was saved."""
    brain.remember(fact="lives in Lisbon", provenance="chat", entity=CROWDED)
    rows = brain.store.engine.rows("select name from pragma_table_info('facts') where name not in ('id', 'fact')")
    columns = ", ".join(str(row["name"]) for row in rows)
    with brain.store.transaction():
        brain.store.engine.rows(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < :count)"
            f" insert into facts (fact, {columns}) select 'keeps boat ' || n.i || ' in the harbour', {columns}"
            " from facts, n where facts.fact = 'lives in Lisbon' and entity_slug = :slug",
            {"count": CROWD, "slug": CROWDED},
        )
    brain.remember(fact="lives in Porto", provenance="chat", entity=CROWDED, visibility="private")


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    base: Path = tmp_path_factory.mktemp("crowded")
    with open_brain(str(base / ".gbrain"), create=True) as brain:
        fill(brain)
        crowd(brain)
        brain.put_page(
            slug="notes/huge", content="# Huge\n\n" + "A line of [[people/dana-oakes]] and *more*.\n" * 25_000
        )
    with viewing(base) as browser:
        yield browser


@pytest.mark.parametrize(
    "path",
    [
        *PAGES,
        f"/facts?entity={CROWDED}",
        f"/pages/default/{CROWDED}",
        f"/graph?slug={CROWDED}",
        "/search?q=harbour+boat",
    ],
)
def test_a_crowd_of_facts_on_one_name_is_shown_in_parts(crowded: Browser, path: str) -> None:
    seen = crowded.get(path)
    assert seen.status == 200, seen.text
    assert len(seen.text) < 400_000


def test_what_is_not_compared_is_said(crowded: Browser) -> None:
    seen = crowded.get("/conflicts")
    assert f"{CROWDED}</bdi> has more live facts than are compared" in seen.text
    assert "its latest 10,000" in seen.text


def test_a_page_of_a_megabyte_is_cut_and_says_so(crowded: Browser) -> None:
    seen = crowded.get("/pages/default/notes/huge")
    assert (seen.status, "gbrain get notes/huge" in seen.text) == (200, True)
    assert crowded.get("/versions/default/notes/huge").status == 200


@pytest.fixture
def small(tmp_path: Path) -> Path:
    with open_brain(str(tmp_path / ".gbrain"), create=True) as brain:
        fill(brain)
    return tmp_path


def test_a_link_that_is_over_lets_nobody_in(small: Path) -> None:
    words = [sys.executable, "-c", HASTY, "ui", "--no-open"]
    env = {**os.environ, "GBRAIN_HOME": str(small)}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)(/login\?code=\S+)", running.stdout.readline())
        try:
            assert found
            seen = Browser(int(found[1])).get(found[2])
        finally:
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
    assert (seen.status, "This link is over" in seen.text, "set-cookie" in seen.headers) == (403, True, False)


def test_a_locked_store_is_read_and_a_form_says_that_it_waits(small: Path) -> None:
    with viewing(small) as browser:
        token = browser.token()
        holder = sqlite3.connect(small / ".gbrain" / "brain.db", isolation_level=None)
        holder.execute("begin immediate")
        for path in LOCKED:
            assert (path, browser.get(path).status) == (path, 200)
        refused = browser.post("/facts/3/forget", token=token)
        assert (refused.status, "Fix:" in refused.text, "Traceback" in refused.text) == (503, True, False)
        holder.execute("rollback")
        holder.close()
        assert browser.post("/facts/3/forget", token=token).status == 303


def test_a_damaged_store_is_an_error_with_what_helps(small: Path) -> None:
    with viewing(small) as browser:
        assert browser.get("/facts").status == 200
        damage(small / ".gbrain" / "brain.db")
        for path in ("/", "/facts", "/facts/1", "/pages", f"/pages/default/{DANA}", "/search?q=dana"):
            seen = browser.get(path)
            assert (path, seen.status >= 500, "Fix:" in seen.text) == (path, True, True), seen.text
            assert "gbrain doctor" in seen.text
        assert browser.get("/doctor").status == 200
        assert browser.get("/static/viewer.css").status == 200


def damage(path: Path) -> None:
    """Write over all of a database but its header, as a disk does that fails."""
    with path.open("r+b") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(100)
        file.write(b"\xa5" * (size - 100))

"""`sweep` and `purge` as a person runs them, and the sweep of a server on a pipe."""

import time
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain.domain.places import Selection
from stdio_server import Server, local_brain, make_brain

SECONDS = 20.0


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


def test_a_sweep_says_what_it_did(gbrain: Gbrain, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    gbrain("sources", "add", "work", "--path", str(tmp_path / "notes"))
    gbrain("put", "people/dana", "--content", "# Dana\n", "--source", "work")
    gbrain("remember", "rows", "--provenance", "chat", "--entity", "people/dana", "--source", "work")
    refused = gbrain.run("sweep")
    assert (refused.code, "gbrain sweep --once" in refused.err) == (2, True)
    told = gbrain("sweep", "--once", "--source", "work", "--budget-ms", "60000", "--batch-limit", "5", "--json").json
    assert told["factsReconciled"] == 1
    counted = {"corpusIngested", "factsReconciled", "linksExtracted", "linksRemoved", "timelineExtracted"}
    assert {*counted, "skipped", "durationMs"} <= set(told)
    assert "| rows |" in (tmp_path / "notes" / "people" / "dana.md").read_text()
    gbrain("put", "notes/walk", "--content", "With [[people/nobody]].")
    assert "notes/walk: 1 references to no page" in gbrain("sweep", "--once").out
    assert gbrain("sweep", "--once").out == "Nothing to do\n"


def test_what_is_past_its_expiry_is_listed_before_it_goes(gbrain: Gbrain) -> None:
    gbrain("put", "notes/old", "--content", "---\nexpiry: 2020-01-01\n---\n\nOld.\n")
    assert "notes/old" not in gbrain("list").out
    assert "Old." in gbrain("get", "notes/old").out
    assert "Delete 1 page? [y/N]" in gbrain.at_terminal("purge", "--expired", answer="n\n")[1]
    assert "to delete them: gbrain purge --expired --yes" in gbrain("purge", "--expired").out
    assert "1 pages deleted" in gbrain("purge", "--expired", "--yes").out
    gbrain("put", "notes/old", "--content", "---\nexpiry: 2020-01-01\n---\n\nOld.\n")
    assert "1 pages deleted" in gbrain.at_terminal("purge", "--expired", answer="y\n")[1]
    assert gbrain("purge", "--expired").out == "No page is past its expiry\n"
    assert gbrain.run("purge").code == 2


def test_a_server_on_a_pipe_sweeps_soon_after_it_starts(tmp_path: Path) -> None:
    make_brain(tmp_path)
    (tmp_path / "notes").mkdir()
    with local_brain(tmp_path) as brain:
        brain.sources_add(id="work", path=str(tmp_path / "notes"))
        brain.selection = Selection(flag="work")
        brain.put_page(slug="people/dana", content="# Dana\n")
        brain.remember(fact="rows", provenance="chat", entity="people/dana")
    file = tmp_path / "notes" / "people" / "dana.md"
    with Server(tmp_path) as server:
        server.value("whoami")
        began = time.monotonic()
        while "| rows |" not in file.read_text():
            assert time.monotonic() - began < SECONDS
            time.sleep(0.05)
        assert server.finish() == 0
    with local_brain(tmp_path) as brain:
        assert brain.get_page(slug="people/dana", source_id="work")["modified_by"] == "sweep"

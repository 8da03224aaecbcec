"""The sweep: what each of its parts does, where it stops, and that one that fails holds back no other."""

import shutil
from pathlib import Path
from typing import Any

from gbrain import Brain
from gbrain.domain.places import Selection


def skipped(told: Any) -> dict[str, int]:
    return {one["reason"]: one["count"] for one in told["skipped"]}


class TestLinks:
    def test_what_agents_wrote_is_linked_and_dated(self, local: Any, remote: Any) -> None:
        local("put_page", slug="people/dana", content="# Dana\n")
        text = "With [[people/dana]].\n\n<!-- timeline -->\n\n- **2031-05-01** | Chat — Rowed\n"
        remote("put_page", slug="notes/walk", content=text)
        assert local("get_links", slug="notes/walk") == []
        told = local("sweep")
        assert (told["status"], told["linksExtracted"], told["timelineExtracted"]) == ("done", 1, 1)
        assert [row["to_slug"] for row in local("get_links", slug="notes/walk")] == ["people/dana"]
        again = local("sweep")
        assert (again["linksExtracted"], again["linksRemoved"], again["pagesChecked"]) == (0, 0, 0)

    def test_it_stops_and_goes_on(self, local: Any, remote: Any) -> None:
        local("put_page", slug="people/dana", content="# Dana\n")
        for number in range(60):
            remote("put_page", slug=f"notes/{number}", content="With [[people/dana]].\n" * 40)
        told, made = local("sweep", budget_ms=100, batch_limit=1), 0
        assert told["linksExtracted"] >= 1
        assert (told["left"] > 0) == (told["status"] == "partial") == ("budget_exhausted" in skipped(told))
        made = told["linksExtracted"]
        while told["left"]:
            told = local("sweep", budget_ms=100, batch_limit=1)
            made += told["linksExtracted"]
        assert made == 60


class TestChecks:
    def test_pages_written_since_are_looked_through_once(self, local: Any) -> None:
        local("put_page", slug="people/dana", content="---\ntype: person\n---\n\n# Dana\n\n- Likes green tea\n")
        local("put_page", slug="notes/walk", content="With [[people/dana]] and [[people/nobody]].")
        told = local("sweep")
        assert told["pagesChecked"] == 2
        assert told["findings"] == [
            {"source_id": "default", "slug": "people/dana", "uncited": 1, "unanswered": 0, "unresolved": 0},
            {"source_id": "default", "slug": "notes/walk", "uncited": 0, "unanswered": 1, "unresolved": 1},
        ]
        assert skipped(told) == {"check_uncited": 1, "check_unanswered": 1, "check_unresolved": 1}
        assert local("sweep")["findings"] == []
        local("put_page", slug="people/dana", content="---\ntype: person\n---\n\n# Dana\n\nWalked: [[notes/walk]].\n")
        assert local("sweep")["pagesChecked"] == 1

    def test_a_private_mention_is_not_to_be_answered(self, local: Any) -> None:
        local("put_page", slug="people/dana", content="---\ntype: person\n---\n\n# Dana\n")
        local("put_page", slug="notes/diary", content="---\nvisibility: private\n---\n\nWith [[people/dana]].")
        assert local("sweep")["findings"] == []


class TestOneAtATime:
    def test_while_another_sweeps_nothing_happens(self, local: Any, brain: Brain) -> None:
        local("put_page", slug="people/dana", content="# Dana\n")
        assert brain.store.leases.take("sweep", "another", 60)
        told = local("sweep")
        assert (told["status"], told["pagesChecked"], skipped(told)) == ("busy", 0, {"sweep_in_progress": 1})
        brain.store.leases.give_back("sweep", "another")
        assert local("sweep")["pagesChecked"] == 1

    def test_a_folder_that_is_away_holds_nothing_else_back(self, local: Any, brain: Brain, tmp_path: Path) -> None:
        (tmp_path / "notes").mkdir()
        brain.sources_add(id="work", path=str(tmp_path / "notes"))
        brain.selection = Selection(flag="work")
        local("put_page", slug="people/dana", content="# Dana\n")
        local("remember", fact="rows", provenance="chat", entity="people/dana")
        shutil.move(tmp_path / "notes", tmp_path / "away")
        told = local("sweep")
        assert (told["factsReconciled"], told["pagesChecked"]) == (0, 1)
        assert skipped(told)["facts_fence_page"] == 1
        shutil.move(tmp_path / "away", tmp_path / "notes")
        assert local("sweep")["factsReconciled"] == 1
        assert "| rows |" in (tmp_path / "notes" / "people" / "dana.md").read_text()

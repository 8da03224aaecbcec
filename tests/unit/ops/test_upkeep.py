"""Mentions answered on the page of whom they name, facts with their sources, and links read out of all pages again."""

import re
from typing import Any

import pytest

MEETING = "# Sync\n\nDana Oakes told us about the harbour. [[companies/acme|Acme]] pays.\n"


@pytest.fixture
def people(page: Any) -> None:
    page("people/dana", "# Dana Oakes\n\nRows.\n")
    page(
        "companies/acme",
        "# Acme Labs\n\nMakes rope.\n\n## Timeline\n\n- **2031-01-01** | Web — Started\n\n## More\n\nx\n",
    )


def missing(local: Any) -> list[tuple[str, str]]:
    return [(row["slug"], row["target"]) for row in local("check_backlinks")["findings"]]


@pytest.mark.usefixtures("people")
class TestBacklinks:
    def test_links_and_names_are_to_be_answered(self, local: Any, page: Any) -> None:
        page("meetings/2031-05-04-sync", MEETING)
        told = local("check_backlinks")
        assert (told["missing"], told["written"]) == (2, 0)
        assert {row["bullet"] for row in told["findings"]} == {
            "- **2031-05-04** | Referenced in [Sync](../meetings/2031-05-04-sync.md) -- Dana Oakes told us about the"
            " harbour.",
            "- **2031-05-04** | Referenced in [Sync](../meetings/2031-05-04-sync.md) -- Acme pays.",
        }

    def test_the_lines_are_added_once_and_nothing_else_changes(self, local: Any, page: Any) -> None:
        page("meetings/2031-05-04-sync", MEETING)
        before = local("get_page", slug="companies/acme")
        told = local("check_backlinks", fix=True)
        assert told["written"] == 2
        diff = next(change["diff"] for change in told["changes"] if change["slug"] == "companies/acme")
        assert [line for line in diff.splitlines() if re.match(r"[+-](?![+-][+-])", line)] == [
            "+- **2031-05-04** | Referenced in [Sync](../meetings/2031-05-04-sync.md) -- Acme pays."
        ]
        after = local("get_page", slug="companies/acme")
        assert after["compiled_truth"] == before["compiled_truth"]
        assert after["timeline"].startswith(before["timeline"])
        assert missing(local) == []
        assert local("check_backlinks", fix=True)["written"] == 0
        assert local("get_page", slug="companies/acme")["version"] == after["version"]

    def test_the_date_is_of_the_event(self, local: Any, page: Any, clock: Any) -> None:
        page("notes/dated", "Dana Oakes rowed.", "date: 2030-02-03")
        page("notes/line", "- **2029-07-08** | Met Dana Oakes\n")
        page("notes/plain", "Dana Oakes slept.")
        clock.move(days=30)
        assert {row["slug"]: row["date"] for row in local("check_backlinks")["findings"]} == {
            "notes/dated": "2030-02-03",
            "notes/line": "2029-07-08",
            "notes/plain": "2031-05-04",
        }

    def test_a_day_stands_nearby_or_in_the_name(self, local: Any, page: Any) -> None:
        page("daily/2031-03-02", "Dana Oakes rowed.")
        page("notes/said", "On 2031-03-03 Dana Oakes rowed; see logs/2031-01-01.")
        page("notes/chinese", "2031年3月4日: Dana Oakes rowed.")
        page("notes/log", "# Log\n\n## 2031-03-05\n\n### Noon\nDana Oakes rowed.\n\n## Later\n\nx\n")
        page("notes/past", "## 2031-03-05\n\nx\n\n## Later\n\nDana Oakes rowed.\n", "created: 2031-03-06T10:00:00Z")
        assert {row["slug"]: row["date"] for row in local("check_backlinks")["findings"]} == {
            "daily/2031-03-02": "2031-03-02",
            "notes/said": "2031-03-03",
            "notes/chinese": "2031-03-04",
            "notes/log": "2031-03-05",
            "notes/past": "2031-03-06",
        }
        found = local("get_page", slug="daily/2031-03-02")
        assert (found["effective_date"], found["effective_date_source"]) == ("2031-03-02", "slug")

    @pytest.mark.parametrize(
        "text",
        [
            "# Dana Oakes\n\n```\n## Timeline\n```\n",
            "# Dana Oakes\n\n## Timeline\n\n- **2031-01-01** | Began\n\n```\n# no heading\n```\n\n## More\n\nx\n",
            "# Dana Oakes\r\n\r\n## Timeline\r\n",
            "# Dana Oakes\n\nx\n\n--- timeline ---\n\n- **2031-01-01** | Began\n",
            "# Dana Oakes\n\n```\nnever closed\n",
        ],
    )
    def test_the_line_stands_in_the_timeline_and_not_in_code(self, local: Any, page: Any, text: str) -> None:
        page("people/dana", text)
        page("meetings/2031-05-04-sync", "Dana Oakes rowed.")
        assert local("check_backlinks", fix=True)["written"] == 1
        assert missing(local) == []
        assert local("get_timeline", slug="people/dana")[0]["date"] == "2031-05-04"
        held = local("get_page", slug="people/dana")
        whole = held["compiled_truth"] + held["timeline"]
        assert "\r\r" not in whole
        assert whole.index("Referenced in") < (whole + "## More").index("## More")

    def test_a_citation_dates_what_it_stands_behind(self, local: Any, page: Any) -> None:
        page("people/dana", "---\ntitle: Dana Oakes\n---\n\nRows.")
        page("notes/tea", "Tea with [[people/dana]]. [Source: mail, 2030-02-03]\n")
        found = local("check_backlinks")["findings"]
        assert [one["date"] for one in found] == ["2030-02-03"]

    def test_a_page_that_answers_is_fine(self, local: Any, page: Any) -> None:
        page("notes/walk", "With [[people/dana]].")
        page("people/dana", "# Dana Oakes\n\nSee [[notes/walk]].\n")
        assert missing(local) == []

    def test_code_parts_of_words_and_unclear_names_are_no_mentions(self, local: Any, page: Any) -> None:
        page("notes/code", "`Dana Oakes` and Dana Oakesley and dana oakes.\n\n```\nAcme Labs\n```\n")
        page("people/other-dana", "# Dana Oakes\n\nAnother.\n")
        page("notes/unclear", "Dana Oakes came.")
        assert missing(local) == []

    def test_what_a_private_page_says_stays_there(self, local: Any, page: Any) -> None:
        page("notes/secret", "Dana Oakes owes money.", "visibility: private")
        assert missing(local) == []

    def test_the_new_lines_link_and_say_no_more(self, local: Any, page: Any) -> None:
        page("notes/deal", "Dana Oakes invested in [[companies/acme]].")
        local("check_backlinks", fix=True)
        kinds = {row["link_type"] for row in local("get_links", slug="people/dana")}
        assert kinds == {"mentions"}

    def test_the_link_leads_to_the_file_as_it_is_called(self, local: Any, tmp_path: Any) -> None:
        files = {
            "People/Dana Oakes.md": "# Dana Oakes\n\nRows.\n",
            "Notes/The Walk (1).md": "---\ndate: 2031-05-04\n---\nWith [[Dana Oakes]] ![[boat.png]] at sea.\n",
        }
        for path, text in files.items():
            (tmp_path / path).parent.mkdir()
            (tmp_path / path).write_text(text)
        local("sources_add", id="vault", path=str(tmp_path))
        local("sync_brain", source_id="vault", pull=False)
        [found] = local("check_backlinks", source_id="vault", fix=True)["findings"]
        assert "(../Notes/The%20Walk%20%281%29.md) -- With Dana Oakes at sea." in found["bullet"]
        assert found["bullet"] in (tmp_path / "People" / "Dana Oakes.md").read_text()
        assert local("check_backlinks", source_id="vault")["missing"] == 0
        links = local("get_links", slug="people/dana-oakes", source_id="vault")
        assert [row["to_slug"] for row in links] == ["notes/the-walk-1"]


class TestLint:
    def test_facts_without_a_source_are_listed(self, local: Any, page: Any) -> None:
        page(
            "people/dana",
            "# Dana\n\n- Likes green tea\n- Rows daily [Source: chat, 2031-05-01]\n- [ ] Ask about tea leaves\n"
            "- [[people/bob]]\n- Short one\n\n- **2031-03-30** | Mail — Joined the crew\n"
            "- **2031-03-31** | Left the crew again\n\n```\n- code is no fact\n```\n",
        )
        page("notes/free", "- Nobody asks where this is from\n")
        told = local("lint")
        assert [(row["line"], row["text"]) for row in told["findings"]] == [
            (3, "Likes green tea"),
            (10, "Left the crew again"),
        ]
        assert told["uncited"] == 2

    def test_items_of_a_timeline_that_are_no_entries_are_listed(self, local: Any, page: Any) -> None:
        page(
            "meetings/launch",
            "---\ntype: meeting\n---\n# Launch\n\n- not of the timeline\n\n## Timeline\n\n- **2031-03-30** | Met\n"
            "  - more of it\n- 2031-03-31: Met again\n* **2031-04-01** | Paid [Source: chat, 2031-04-01]\n"
            "- **2031-02-30** | Never was\n\n```\n- code\n```\n\n## Notes\n\n- free\n",
        )
        page("notes/marked", "Text.\n\n<!-- timeline -->\n\n## Spring\n\n1. Met at the harbour\n")
        told = local("lint")
        assert [(row["kind"], row["slug"], row["line"], row["text"]) for row in told["findings"]] == [
            ("undated", "meetings/launch", 12, "2031-03-31: Met again"),
            ("undated", "meetings/launch", 14, "**2031-02-30** | Never was"),
            ("undated", "notes/marked", 7, "Met at the harbour"),
        ]
        assert (told["uncited"], told["undated"]) == (0, 3)
        assert [row["date"][:10] for row in local("get_timeline", slug="meetings/launch")] == [
            "2031-04-01",
            "2031-03-30",
        ]

    def test_every_source_that_a_plain_read_takes_in_is_read(self, local: Any, page: Any) -> None:
        page("people/dana", "# Dana\n\n- Likes green tea a lot\n")
        for source, federated in (("team", True), ("apart", None)):
            local("sources_add", id=source, federated=federated)
            local("put_page", slug="people/bob", content="# Bob\n\n- Rows every single day\n", source_id=source)
        told = local("lint")
        assert sorted(told["sources"]) == ["default", "team"]
        assert sorted((row["source_id"], row["slug"]) for row in told["findings"]) == [
            *(("default", "people/dana"), ("team", "people/bob"))
        ]
        assert [row["source_id"] for row in local("lint", source_id="apart")["findings"]] == ["apart"]


class TestExtract:
    def test_what_was_left_alone_is_read(self, local: Any, page: Any) -> None:
        for key in ("auto_link", "auto_timeline"):
            local("config_set", key=key, value="off")
        page("people/bob")
        page("notes/walk", "With [[people/bob]].\n\n- **2031-03-30** | Walked\n")
        assert local("get_links", slug="notes/walk") == []
        assert local("extract", what="links") == {
            "pages_processed": 2,
            "links_created": 1,
            "links_removed": 0,
            "timeline_entries_created": 0,
            "timeline_entries_removed": 0,
        }
        assert local("extract", what="timeline")["timeline_entries_created"] == 1
        again = local("extract", what="all")
        assert not any(count for name, count in again.items() if name != "pages_processed")

    def test_stale_links_go_and_those_by_hand_stay(self, local: Any, page: Any) -> None:
        page("people/bob")
        page("notes/walk", "With [[people/bob]].")
        local.link("notes/walk", "people/bob", "knows")
        local("config_set", key="auto_link", value="off")
        page("notes/walk", "Alone.")
        assert local("extract", what="all")["links_removed"] == 1
        assert [row["link_type"] for row in local("get_links", slug="notes/walk")] == ["knows"]

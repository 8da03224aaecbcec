"""Where a body is cut, and what each piece is told it stands under."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.chunks import LEAST, MOST, Chunk, chunks, indexed, voiced
from gbrain.domain.markdown import plain_text

SENTENCE = "The harbour board met on Tuesday and put the survey of the eastern pier off again. "


def texts(body: str) -> list[str]:
    return [body[chunk.starts : chunk.ends] for chunk in chunks(body)]


def headings(body: str) -> list[str]:
    return [chunk.heading for chunk in chunks(body)]


class TestProse:
    def test_a_short_page_is_one_chunk(self) -> None:
        body = "# Dana Oakes\n\nSurveys rivers.\n\n## Work\n\nAt Northwind Charts.\n\n## Home\n\nIn Bergen.\n"
        assert texts(body) == [body.strip()]
        assert headings(body) == ["Dana Oakes"]

    def test_a_heading_ends_a_chunk_that_is_long_enough(self) -> None:
        body = f"# Pier\n\n## Past\n\n{SENTENCE * 7}\n\n## Plans\n\n{SENTENCE * 2}\n\n### Money\n\nNone.\n"
        assert len(SENTENCE * 7) > LEAST
        assert headings(body) == ["Pier > Past", "Pier > Plans"]
        assert texts(body)[1].startswith("## Plans")

    def test_paragraphs_stay_whole_and_fill_chunks(self) -> None:
        body = "\n\n".join(SENTENCE * 4 for _ in range(9))
        found = texts(body)
        assert all(len(text) <= MOST and text.startswith("The") and text.rstrip().endswith("again.") for text in found)
        assert [text.count("\n\n") for text in found] == [2, 2, 2]

    def test_a_long_paragraph_is_cut_after_a_sentence(self) -> None:
        found = texts(SENTENCE * 40)
        assert len(found) >= 3
        assert all(text.startswith("The") and len(text) <= MOST for text in found)

    def test_text_without_spaces_is_cut_shorter(self) -> None:
        found = texts("林小满负责灯塔项目的预算审批。" * 100)
        assert all(len(text) <= MOST / 2.6 and text.endswith("。") for text in found)

    def test_a_heading_with_nothing_under_it_is_kept(self) -> None:
        assert texts("# Pier\n\n## Nothing yet\n") == ["# Pier\n\n## Nothing yet"]
        assert headings("# Pier\n\n## Nothing yet\n") == ["Pier > Nothing yet"]

    @pytest.mark.parametrize("body", ["", "\n\n", "   "])
    def test_a_body_without_text_is_one_empty_chunk(self, body: str) -> None:
        assert chunks(body) == [Chunk(0, 0, "")]

    def test_a_path_is_never_long(self) -> None:
        body = "\n\n".join(f"{'#' * level} {'name ' * 40}{level}" for level in range(1, 7)) + "\n\ntext\n"
        assert all(len(heading) <= 240 for heading in headings(body))


class TestStructure:
    def test_a_code_block_is_not_read_as_structure_and_stays_whole(self) -> None:
        code = "```sh\n# not a heading\nDana: ls\n\n| a | b |\n```"
        body = f"{SENTENCE * 10}\n\n{code}\n\n{SENTENCE * 10}"
        assert any(code in text for text in texts(body))
        assert headings(body) == [""] * len(texts(body))

    def test_each_part_of_a_long_table_is_told_its_columns(self) -> None:
        rows = "\n".join(f"| pier {number} | {'repaired ' * 8}| 20{number:02} |" for number in range(60))
        body = f"## Piers\n\n| name | state | year |\n|---|---|---|\n{rows}\n"
        first, *rest = chunks(body)
        assert first.heading == "Piers"
        assert rest
        assert {chunk.heading for chunk in rest} == {"Piers > name | state | year"}
        assert all(text.startswith("|") and text.endswith("|") for text in texts(body)[1:])

    def test_the_timeline_is_apart_from_what_stands_above(self) -> None:
        dated = "- **2031-03-30** | Moved to Bergen\n- **2031-04-02** | Took the job"
        body = f"Surveys rivers.\n\n<!-- timeline -->\n\n{dated}\n"
        assert texts(body) == ["Surveys rivers.", dated]
        assert headings(body) == ["", "Timeline"]

    def test_no_chunk_holds_a_row_of_a_facts_fence(self) -> None:
        fence = "## Facts\n\n<!--- gbrain:facts:begin -->\n| secret | row |\n<!--- gbrain:facts:end -->\n"
        body = f"Above.\n\n{fence}\n## More\n\nBelow.\n"
        assert texts(body) == ["Above.", "## More\n\nBelow."]

    def test_windows_line_ends_are_no_text(self) -> None:
        body = "# Pier\r\n\r\nOld.\r\n\r\n```\r\ncode\r\n```\r\n"
        assert texts(body) == ["# Pier\r\n\r\nOld.\r\n\r\n```\r\ncode\r\n```"]
        assert headings(body) == ["Pier"]


class TestConversation:
    @pytest.mark.parametrize(
        "turn",
        [
            "{who}: {text}",
            "**{who}**: {text}",
            "**{who}:** {text}",
            "- **{who}** ({when}): {text}",
            "{who} ({when}): {text}",
            "[{when}] {who}: {text}",
            "[{when}] **{who}** (she/her): {text}",
            "{who}：{text}",
        ],
    )
    @pytest.mark.parametrize("between", ["\n", "\n\n"])
    def test_every_turn_is_a_chunk_with_its_speaker_and_date(self, turn: str, between: str) -> None:
        said = [("Dana Oakes", "Hello: there"), ("José", "Hm."), ("Dana Oakes", "Tea at 5:30?"), ("José", "Yes")]
        lines = [turn.format(who=who, text=text, when="8 May 2031, 10:02") for who, text in said]
        body = "# Session 4, 8 May 2031\n\n" + between.join(lines) + "\n"
        assert texts(body)[0].endswith(lines[0])
        assert texts(body)[1:] == lines[1:]
        assert all(chunk.turn for chunk in chunks(body))
        assert [voiced(plain_text(line)) for line in lines] == [f"{who}: {text}" for who, text in said]
        assert set(headings(body)) == {"Session 4, 8 May 2031"}

    def test_a_turn_goes_on_until_the_next_one(self) -> None:
        body = "Dana: one\n\nstill Dana\n\nJo: two\n\nDana: three\n\nJo: four\n"
        assert texts(body) == ["Dana: one\n\nstill Dana", "Jo: two", "Dana: three", "Jo: four"]

    def test_each_part_of_a_long_turn_is_told_who_spoke_and_when(self) -> None:
        body = f"Dana (2031-05-04): {SENTENCE * 30}\n\nJo (2031-05-04): no\n\nDana (2031-05-04): why\n"
        found = headings(body)
        assert found[0] == ""
        assert found[1] == "Dana (2031-05-04)"
        assert [chunk.turn for chunk in chunks(body)] == [not heading for heading in found]

    @pytest.mark.parametrize(
        "body",
        [
            "Name: Pier\n\nOwner: the city\n\nState: old\n",
            "Note: this is a page.\n\nIt has prose.\n\nAnd more prose.\n\nWarning: and a hint.\n\nNote: two.\n",
            "See http://example.com: yes\n\nhttps://example.com\n\nhttps://example.org\n",
        ],
    )
    def test_lines_with_a_colon_are_no_conversation(self, body: str) -> None:
        assert texts(body) == [body.strip()]


class TestIndexed:
    def test_a_chunk_says_what_it_stands_under_once(self) -> None:
        body = "# Pier\n\n## Plans\n\nA **new** [crane](docs/crane).\n"
        chunk = chunks(body)[0]
        assert indexed("Pier", "", body, chunk, first=True) == ("Pier\nPlans", "Pier\n\nPlans\n\nA new crane.")
        assert indexed("The pier", "", body, chunk, first=True)[0] == "The pier\nPier > Plans"

    def test_the_first_one_carries_the_summary_unless_the_body_has_it(self) -> None:
        assert indexed("Pier", "Old.", "Text.", Chunk(0, 5, ""), first=True) == ("Pier", "Old.\nText.")
        assert indexed("Pier", "Text.", "Text.", Chunk(0, 5, ""), first=True) == ("Pier", "Text.")
        assert indexed("Pier", "Old.", "Text.", Chunk(0, 5, ""), first=False) == ("Pier", "Text.")
        assert indexed("Pier", "Old.", "", Chunk(0, 0, ""), first=True) == ("Pier", "Old.")


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "# A", "## B #", "```", "~~~", "| a | b |", "---", "<!-- timeline -->", "Dana: hi", "Jo (x y z): ok",
             "<!--- gbrain:facts:begin -->", "<!--- gbrain:facts:end -->", "## Facts", "- **2031-01-01** | x",
             SENTENCE * 20, "中" * 900, "\r", "a" * 3_000]
        ),
        st.text(max_size=30),
    ),
    max_size=40,
)  # fmt: skip


@given(LINES)
def test_chunks_are_in_order_apart_and_lose_no_word(lines: list[str]) -> None:
    body = "\n".join(lines)
    found = chunks(body)
    assert all(0 <= chunk.starts <= chunk.ends <= len(body) for chunk in found)
    assert all(one.ends <= two.starts for one, two in pairwise(found))
    assert all(chunk.ends > chunk.starts for chunk in found) or found == [Chunk(0, 0, "")]
    if "gbrain:facts" not in body and "timeline" not in body.lower() and "---" not in body:
        kept = "".join(body[chunk.starts : chunk.ends] for chunk in found)
        assert "".join(kept.split()) == "".join(body.split())


def test_a_very_long_page_is_read_in_a_moment_and_bounded() -> None:
    found = chunks("\n\n".join(f"# {number}\n\n{SENTENCE * 8}" for number in range(6_000)))
    assert len(found) == 4_000

"""The facts fence: what is written reads back, what people type is understood, what cannot be read stays."""

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.facts_fence import Malformed, Row, kept, read_fence, render_fence, with_fence

HEAD = "| # | claim | kind | confidence | visibility | notability | valid_from | valid_until | source | context |"
RULE = "|---|-------|------|------------|------------|------------|------------|-------------|--------|---------|"
UNTIL = "2031-05-05T00:10:00.000000Z"
TRAIN = Row(
    "is on the night train", 1, "ab12", valid_from="2031-05-04T22:10:00.000000Z", valid_until=UNTIL, source="chat"
)
SECRET = Row("hides tea", 2, "cd34", visibility="private")


def fence(*rows: str) -> str:
    lines = [HEAD, RULE, *rows]
    return "## Facts\n\n<!--- gbrain:facts:begin -->\n" + "\n".join(lines) + "\n<!--- gbrain:facts:end -->\n"


def rows_of(body: str) -> list[Row]:
    found = read_fence(body)
    assert found is not None
    return found.facts


def test_the_table_is_that_of_the_contract() -> None:
    struck = Row("Carol plays chess", 1, "ab12", True, source="user, 2026-11-29", context="forgotten: forgotten")
    struck = struck._replace(valid_from="2026-11-29T00:00:00.000000Z", valid_until="2026-11-29T00:00:00.000000Z")
    assert render_fence([struck, Row("Dave is new | piped", 2, "cd34", kind="preference", confidence=0.85)]) == fence(
        "| 1 | ~~Carol plays chess~~ | fact | 1.0 | world | medium | 2026-11-29 | 2026-11-29 | user, 2026-11-29"
        " | forgotten: forgotten <!-- ab12 --> |",
        "| 2 | Dave is new \\| piped | preference | 0.85 | world | medium |  |  |  | <!-- cd34 --> |",
    )


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20).map(lambda text: " ".join(text.split()))


@given(
    claim=TEXTS.filter(lambda text: bool(text) and not text.startswith("~~")),
    source=TEXTS,
    context=TEXTS,
    struck=st.booleans(),
    until=st.sampled_from([None, UNTIL, "2031-05-05T00:00:00.000000Z"]),
    more=st.sampled_from([("", "", "", ""), ("speed", "3", "knots", "")]),
)
def test_what_is_written_reads_back(
    claim: str, source: str, context: str, struck: bool, until: str | None, more: tuple[str, str, str, str]
) -> None:
    row = Row(
        claim, 7, "ab12cd", struck, "belief", 0.25, "private", "high", TRAIN.valid_from, until, source, context, more
    )
    text = render_fence([row, SECRET])
    assert rows_of(text) == [row, SECRET]
    assert render_fence(rows_of(text)) == text


def test_instants_are_exact_until_somebody_changes_the_day() -> None:
    text = render_fence([TRAIN])
    assert "| 2031-05-04 | 2031-05-05 |" in text
    assert rows_of(text)[0].valid_until == UNTIL
    assert rows_of(text.replace("| 2031-05-05 |", "| 2031-05-09 |"))[0].valid_until == "2031-05-09T00:00:00.000000Z"
    assert rows_of(text.replace("| 2031-05-05 |", "| |"))[0].valid_until is None


@pytest.mark.parametrize(
    ("typed", "row"),
    [
        ("| | likes tea |", Row("likes tea")),
        ("|3|likes tea|Preference|.5|", Row("likes tea", 3, kind="preference", confidence=0.5)),
        (
            "| | ~~likes tea~~ | | | Private | | 2031-05 | | chat \\| mail |",
            Row(
                "likes tea",
                None,
                None,
                True,
                visibility="private",
                valid_from="2031-05-01T00:00:00.000000Z",
                source="chat | mail",
            ),
        ),
        (
            "| 4 | a | fact | 1 | world | low | 2031-05-04T10:00:00Z",
            Row("a", 4, notability="low", valid_from="2031-05-04T10:00:00.000000Z"),
        ),
    ],
)
def test_rows_as_people_type_them(typed: str, row: Row) -> None:
    assert rows_of(fence(typed)) == [row]


@pytest.mark.parametrize(
    "typed",
    [
        "| x | likes tea |", "| 0 | likes tea |", "| 1 |  |", "| 1 | ~~ ~~ |", "| 1 | a | idea |",
        "| 1 | a | fact | 2 |",
        "| 1 | a | fact | 1 | secret |", "| 1 | a | fact | 1 | world | huge |",
        "| 1 | a | fact | 1 | world | low | soon |",
        "| 1 | a | b | c | d | e | f | g | h | i | j |", "likes tea", "| 1 | a | fact | 1 | world | low | 2031-02-30 |",
    ],
)  # fmt: skip
def test_a_malformed_row_is_named_and_stays(typed: str) -> None:
    body = "Text.\n\n" + fence("| 1 | first |", typed, "| 2 | last |")
    found = read_fence(body)
    assert found is not None
    assert [row.claim for row in found.facts] == ["first", "last"]
    (wrong,) = found.malformed
    assert (wrong.line, wrong.text) == (9, typed)
    assert wrong.reason
    again = read_fence(with_fence(body, found.rows))
    assert again is not None
    assert [row.text for row in again.rows if isinstance(row, Malformed)] == [typed]


def test_numbers_grow_and_keys_stay() -> None:
    made = rows_of(render_fence([Row("a"), Row("b", 7, "key7"), Row("c")]))
    assert [row.number for row in made] == [8, 7, 9]
    assert made[1].key == "key7"
    assert len({row.key for row in made}) == 3
    assert rows_of(render_fence(made)) == made


def test_the_fence_stands_above_the_timeline() -> None:
    body = "Rows.\n\n<!-- timeline -->\n\n- 2031: x\n"
    made = with_fence(body, [TRAIN])
    assert made == "Rows.\n\n" + render_fence([TRAIN]) + "\n<!-- timeline -->\n\n- 2031: x\n"
    assert with_fence(made, [SECRET]) == made.replace(render_fence([TRAIN]), render_fence([SECRET]))
    assert rows_of(with_fence("", [TRAIN])) == [TRAIN]
    assert read_fence(with_fence(made, [])) is None
    assert with_fence("Rows.\n", []) == "Rows.\n"


def test_an_unclosed_fence_ends_at_its_last_row() -> None:
    body = fence("| 1 | a |").replace("<!--- gbrain:facts:end -->\n", "") + "\nOutro.\n"
    assert with_fence(body, [TRAIN]).endswith("Outro.\n")
    assert [row.claim for row in rows_of(body)] == ["a"]


class TestKept:
    held = "Old.\n\n" + fence(
        "| 1 | likes tea |", "| 2 | MARKER | fact | 1 | private |", "| 3 | rows |", "| x | M | | | private |"
    )
    shown = "\n".join(line for line in held.split("\n") if "private" not in line)

    def test_a_text_without_a_fence_keeps_it(self) -> None:
        assert kept(self.held, "New.\n", seen_private=True) == self.held.replace("Old", "New")
        assert kept(self.held, "New.\n", seen_private=False) == self.held.replace("Old", "New")
        assert kept(self.held, "New.\n", seen_private=True, drop=True) == "New.\n"
        assert kept("Old.\n", "New.\n", seen_private=False) == "New.\n"

    def test_hidden_rows_are_put_back_where_they_were(self) -> None:
        assert kept(self.held, self.shown, seen_private=False) == self.held
        assert kept(self.held, self.held, seen_private=False) == self.held
        assert kept(self.held, self.shown, seen_private=True) == self.shown

    def test_hidden_rows_cannot_be_dropped_or_changed(self) -> None:
        left = kept(self.held, "New.\n", seen_private=False, drop=True)
        assert [line for line in left.split("\n") if "private" in line] == self.held.split("\n")[8:11:2]
        assert "tea" not in left
        struck = self.shown.replace("likes tea", "~~likes tea~~").replace("| 3 | rows |", "| 2 | rows |")
        text = kept(self.held, struck, seen_private=False)
        assert [row.claim for row in rows_of(text)] == ["likes tea", "rows", "MARKER"]
        assert "| x | M | | | private |" in text

    def test_a_page_of_hidden_rows_alone_shows_an_empty_fence(self) -> None:
        held = "Old.\n\n" + fence("| 1 | MARKER | fact | 1 | private |")
        assert kept(held, "New.\n\n" + fence(), seen_private=False) == held.replace("Old", "New")

    def test_hidden_rows_stay_between_the_markers(self) -> None:
        held = fence("", "| 1 | MARKER | fact | 1 | private |", "| 2 | tea |")
        new = "## Facts\n\n\n<!--- gbrain:facts:begin -->\n\n<!--- gbrain:facts:end -->\n"
        lines = kept(held, new, seen_private=False).split("\n")
        assert lines.index("<!--- gbrain:facts:begin -->") < lines.index("| 1 | MARKER | fact | 1 | private |")
        assert lines.index("| 1 | MARKER | fact | 1 | private |") < lines.index("<!--- gbrain:facts:end -->")

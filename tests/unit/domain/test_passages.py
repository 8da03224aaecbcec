"""Passages of a body, and the text an index reads."""

import time

from hypothesis import given, strategies as st

from gbrain.domain.passages import LOOKED_AT, SIZE, best_passage, clip_passage, index_text, split


def counted(*words: str):  # type: ignore[no-untyped-def]
    return lambda text: sum(word in text for word in words)


def test_a_short_body_is_one_passage() -> None:
    assert split("\n\n# Head\n\nText.\n\n") == [(2, "# Head\n\nText.")]
    assert split("") == split(" \n\t\n") == [(0, "")]
    found = best_passage("\n Text about a quay.\n", counted("quay", "pier"), 2)
    assert (found.number, found.start, found.text, found.hits) == (0, 2, "Text about a quay.", 1)


def test_passages_end_between_paragraphs_and_headings_go_with_what_follows() -> None:
    one, two = "word " * 150, "other " * 120
    body = f"{one}\n\n## Head\n\n{two}\n\nLast.\n"
    assert [text.strip() for _, text in split(body)] == [f"{one}\n\n## Head".strip(), f"{two}\n\nLast.".strip()] or [
        text.strip() for _, text in split(body)
    ] == [one.strip(), f"## Head\n\n{two}\n\nLast.".strip()]


def test_a_long_paragraph_is_cut_at_a_line_or_word() -> None:
    pieces = [text for _, text in split("word " * 1000)]
    assert all(len(piece) <= SIZE for piece in pieces)
    assert all(piece.strip().endswith("word") and piece.startswith("word") for piece in pieces)
    assert [len(text) for _, text in split("x" * 2 * SIZE)] == [SIZE, SIZE]


def test_the_passage_with_most_units_wins_and_the_first_of_equals() -> None:
    filler = "\n\n".join("Nothing to see here. " * 30 for _ in range(6))
    body = f"{filler}\n\nA quay.\n\n{filler}\n\nA quay and a pier.\n\n{filler}\n\nA pier and a quay.\n"
    found = best_passage(body, counted("quay", "pier"), 2)
    assert "A quay and a pier." in found.text
    assert body[found.start :].startswith(found.text)
    assert best_passage(body, counted("none"), 1).number == 0
    assert best_passage(body, counted(), 0).number == 0


def test_very_long_bodies_cost_little() -> None:
    started = time.process_time()
    best_passage("\n" * 2_000_000 + " " * 2_000_000, counted("x"), 1)
    best_passage("ab cd\n" * 700_000, counted("x"), 1)
    split(" " * LOOKED_AT)
    assert time.process_time() - started < 2


@given(st.text("ab #\n\r\t。", max_size=3 * SIZE))
def test_passages_are_stretches_of_the_body_in_order(body: str) -> None:
    at = 0
    for start, text in split(body):
        assert body[start : start + len(text)] == text
        assert not body[at:start].strip()
        at = start + len(text)
    assert not body[at:].strip()


def test_a_clipped_passage_says_how_to_read_on() -> None:
    assert clip_passage("short", 10, "notes/a") == "short"
    assert clip_passage("one three four", 11, "notes/a") == "one three… [cut; get_page notes/a]"
    assert clip_passage("x" * 30, 10, "notes/a") == "x" * 10 + "… [cut; get_page notes/a]"


def test_the_index_reads_words_summary_and_no_facts() -> None:
    body = "# Head\n\n**Bold** [link](x)\n\n<!--- gbrain:facts:begin -->\n| 1 | MARKER |\n<!--- gbrain:facts:end -->\n"
    assert index_text(body, "A summary") == "A summary\nHead\n\nBold link"
    assert index_text("A summary here.", "A summary") == "A summary here."

"""Which passages are copies of others."""

from gbrain.domain.ranking.copies import copies

LONG = (
    "The harbour office moved to the north quay after the storm, and since then the pilots meet there every morning to "
    "read the tide tables, drink their tea and share out the boats that are due before the evening bell rings."
)


def test_equal_words_are_copies_whatever_the_marks() -> None:
    assert copies([LONG, "Something else.", LONG.upper(), f"* {LONG}"]) == [0, 1, 0, 0]


def test_nearly_equal_words_are_copies_where_names_and_figures_are_the_same() -> None:
    assert copies([LONG, LONG.replace("drink their", "drink")]) == [0, 0]
    assert copies([LONG, LONG.replace("their tea", "Dana")]) == [0, 1]
    assert copies([f"{LONG} There are 12 of them.", f"{LONG} There are 13 of them."]) == [0, 1]
    assert copies([LONG, LONG[:100]]) == [0, 1]


def test_short_ones_never_are() -> None:
    assert copies(["A pilot."] * 3) == [0, 1, 2]
    assert copies([]) == []
    assert copies(["", ""]) == [0, 1]


def test_unspaced_text_has_words_too() -> None:
    said = "来週の火曜日に倉庫の鍵を交換する予定です"
    assert copies([said, said, said.replace("火", "水")]) == [0, 0, 2]


def test_names_and_figures_tell_texts_apart_in_any_script() -> None:
    for beside in ("", " à côté"):
        said = f"{LONG} The key of room_a is with Kim, and 4th in the row is b2.{beside}"
        assert copies([said, said.replace(" is with", " stays with")]) == [0, 0]
        for held, other in (("room_a", "room_b"), ("4th", "5th"), ("b2", "b3"), ("Kim", "Lee")):
            assert copies([said, said.replace(held, other)]) == [0, 1]

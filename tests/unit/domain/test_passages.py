"""A passage that is shown in part."""

from gbrain.domain.passages import clip_passage


def test_a_clipped_passage_says_how_to_read_on() -> None:
    assert clip_passage("short", 10, "notes/a") == "short"
    assert clip_passage("one three four", 11, "notes/a") == "one three… [cut; get_page notes/a]"
    assert clip_passage("x" * 30, 10, "notes/a") == "x" * 10 + "… [cut; get_page notes/a]"

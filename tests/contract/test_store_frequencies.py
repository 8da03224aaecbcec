"""How common words are: counted exactly in a small index, estimated in a large one, apart for each source and side."""

import pytest

from gbrain.store.engine import Engine, Terms
from gbrain.store.sqlite_terms import varints


def put(engine: Engine, start: int, texts: list[str], source: str = "default") -> None:
    with engine.transaction():
        engine.index_rows("chunk_text", [(start + place, ("x", text), source) for place, text in enumerate(texts)])


def test_a_small_index_is_counted_exactly(engine: Engine):
    put(engine, 1, ["alpha beta", "alpha", "gamma gamma gamma"])
    put(engine, 10, ["alpha beta"], "other")
    found = engine.frequencies("chunk_text", [Terms(("alpha",)), Terms(("alpha", "beta")), Terms(("no",))], ["default"])
    assert found.total == 3
    assert found.held == (2, 1, 0)
    assert found.length == pytest.approx((3 + 2 + 4) / 3)
    both = engine.frequencies("chunk_text", [Terms(("alpha",))], ["default", "other"])
    assert (both.total, both.held) == (4, (3,))
    assert engine.frequencies("chunk_text", [Terms(("alpha",))], ["nowhere"]) == (0, 0.0, (0,))


def test_what_is_taken_out_is_not_counted(engine: Engine):
    put(engine, 1, ["alpha", "alpha"])
    engine.index("chunk_text", 1, None, "default")
    found = engine.frequencies("chunk_text", [Terms(("alpha",))], ["default"])
    assert (found.total, found.held) == (1, (1,))


def test_in_a_large_index_common_words_are_about_right_and_rare_ones_exact(engine: Engine):
    count = 8_000
    put(
        engine,
        1,
        [f"common {'half' if place % 2 else 'other'} {'rare' if place % 1000 == 0 else ''}" for place in range(count)],
    )
    found = engine.frequencies("chunk_text", [Terms((word,)) for word in ("common", "half", "rare")], ["default"])
    common, half, rare = (held / found.total for held in found.held)
    assert common == pytest.approx(1, abs=0.05)
    assert half == pytest.approx(0.5, abs=0.1)
    # The whole is counted up to a bound, so a rare word may seem less rare than it is, but stays rare.
    assert 8 / count <= rare <= 8 / 2_000


def test_merged_texts_are_the_same_texts(engine: Engine):
    for start in range(1, 400, 4):
        put(engine, start, [f"alpha {word}{start}" for word in ("tea", "oak", "tin", "fir")])
        engine.index("chunk_text", start + 1, None, "default")
    asked = [Terms((word,)) for word in ("alpha", "tea5", "oak5", "fir397")]
    before = engine.frequencies("chunk_text", asked, ["default"])
    engine.merge_texts("default")
    engine.merge_texts("nowhere")
    assert engine.frequencies("chunk_text", asked, ["default"]) == before
    assert before.held == (300, 1, 0, 1)
    put(engine, 1_000, ["alpha later"])
    assert engine.frequencies("chunk_text", asked, ["default"]).held == (301, 1, 0, 1)


def test_varints_are_read_as_sqlite_writes_them():
    assert varints(bytes([0x05, 0x81, 0x00, 0xFF, 0x7F])) == [5, 128, 16383]
    assert varints(bytes([0xFF] * 8 + [0xFF])) == [2**64 - 1]

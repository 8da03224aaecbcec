from hypothesis import given, strategies as st

from gbrain.domain.ranking.words import digest, digests_of, packed, unpacked

TERMS = st.lists(st.text(min_size=1, max_size=8), max_size=60)


@given(TERMS, st.booleans(), st.booleans(), st.booleans())
def test_a_block_gives_back_how_often_each_word_stands_in_it(terms, asks, turn, when):
    block = packed(terms, terms[0] if terms else "", asks=asks, turn=turn, when=when)
    words = unpacked(block)
    assert (words.asks, words.turn, words.when, words.length) == (asks, turn, when, len(terms))
    assert digests_of(block) == b"".join(number.to_bytes(4, "little") for number in words.digests)
    assert words.first == (digest(terms[0]) if terms else 0)
    for term in set(terms):
        assert words.count([digest(term)]) >= terms.count(term)
    assert words.count([digest("a word of twelve letters")]) == 0


def test_a_block_is_small_and_a_count_has_an_end():
    assert len(packed(["harbour"] * 1000, "harbour", asks=False)) == 9 + 5
    assert unpacked(packed(["harbour"] * 1000, "", asks=False)).count([digest("harbour")]) == 255


def test_several_spellings_of_a_word_count_together():
    words = unpacked(packed(["go", "gone", "go"], "go", asks=False))
    assert words.count([digest("go"), digest("gone")]) == 3

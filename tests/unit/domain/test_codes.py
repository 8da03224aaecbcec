"""Codes that people read in one place and type in another."""

from hypothesis import given, strategies as st

from gbrain.domain.codes import ALPHABET, BYTES, LENGTH, one_time_code, shown, typed

CODES = st.binary(min_size=BYTES, max_size=BYTES).map(one_time_code)


@given(CODES)
def test_a_code_is_ten_characters_that_look_like_nothing_else(code: str) -> None:
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)


@given(CODES)
def test_however_it_is_typed_it_is_the_same(code: str) -> None:
    for text in (code, shown(code), code.lower(), " ".join(code), shown(code).replace("0", "o").replace("1", "l")):
        assert typed(text) == code


def test_every_bit_counts() -> None:
    made = {one_time_code((1 << bit).to_bytes(BYTES)) for bit in range(50)}
    assert len(made) == 50
    assert one_time_code(bytes(BYTES)) == "0" * LENGTH


def test_what_is_no_code_is_no_code() -> None:
    assert typed("") == ""
    assert len(typed("x" * 10_000)) <= 40

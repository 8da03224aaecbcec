"""Readable JSON: the very text of the standard library."""

import json

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.jsontext import pretty

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_it_is_the_text_of_the_standard_library(value: object) -> None:
    assert pretty(value) == json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": [{"b": float("nan")}]}])
def test_what_json_cannot_say(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        pretty(value)

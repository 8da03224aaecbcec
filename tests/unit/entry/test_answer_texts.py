"""Warnings of an answer as a person reads them."""

import pytest

from gbrain.domain.answers import citing
from gbrain.entry.cli.answer_texts import WARNINGS, plainly


@pytest.mark.parametrize("code", [citing.NOT_JSON, citing.EMPTY, citing.REGEX, citing.DROPPED, citing.UNSUPPORTED])
def test_every_code_has_a_sentence_and_stays_readable(code: str) -> None:
    said = plainly(code)
    assert said == f"{WARNINGS[code]} ({code})"


def test_what_is_said_more_is_kept() -> None:
    assert plainly("LLM_CALL_FAILED: timeout") == "the model could not be asked: timeout (LLM_CALL_FAILED)"
    assert plainly("CONFLICT: Dana: 3 or 4") == "they disagree: Dana: 3 or 4 (CONFLICT)"


def test_what_has_no_sentence_is_shown_as_it_is() -> None:
    assert plainly("something else") == "something else"

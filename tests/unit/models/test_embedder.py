"""What a model gave is checked before anybody relies on it."""

from typing import Any, get_args

import numpy as np
import pytest

from gbrain.models import embedder
from gbrain.models.embedder import EmbedFailed, Reason, unit_rows


def test_rows_come_back_with_length_one() -> None:
    rows = unit_rows([[3.0, 4.0], [0.0, -2.0]], 2, 2)
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[0.6, 0.8], [0.0, -1.0]])


@pytest.mark.parametrize(
    ("rows", "count", "dimension", "reason"),
    [
        ([[1.0, 0.0]], 2, 2, "wrong_count"),
        ([[1.0, 0.0], [1.0, 0.0]], 1, 2, "wrong_count"),
        ([], 1, 2, "wrong_count"),
        (None, 1, 0, "wrong_count"),
        (7.0, 1, 0, "wrong_count"),
        ([[1.0, 0.0, 0.0]], 1, 2, "wrong_dimension"),
        ([[]], 1, 0, "wrong_dimension"),
        ([[float("nan"), 1.0]], 1, 2, "not_finite"),
        ([[float("inf"), 1.0]], 1, 2, "not_finite"),
        ([[None, 1.0]], 1, 2, "not_finite"),
        ([[0.0, 0.0]], 1, 2, "not_finite"),
        ([[1.0], [1.0, 2.0]], 2, 0, "bad_reply"),
        ([["a", "b"]], 1, 2, "bad_reply"),
        ([{"a": 1}], 1, 2, "bad_reply"),
    ],
)
def test_anything_else_is_refused_by_name(rows: Any, count: int, dimension: int, reason: str) -> None:
    with pytest.raises(EmbedFailed) as failed:
        unit_rows(rows, count, dimension)
    assert failed.value.reason == reason
    assert failed.value.detail == {"reason": reason}


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_says_what_to_do(reason: Reason) -> None:
    said = EmbedFailed(reason, "no vectors").suggestion
    assert "gbrain" in said
    assert reason in embedder._FIXES

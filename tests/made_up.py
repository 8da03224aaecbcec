"""What tests with made-up input share: how far they look, values of any shape, and what an error has to say.

Forty examples of each in a run of the tests, always the same; `FUZZ_EXAMPLES=20000` looks further (`make fuzz`).
"""

import os

from hypothesis import HealthCheck, settings, strategies as st

from gbrain.errors import BrainError

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
FAR = EXAMPLES > 100
# A long run draws anew each time; a short one must not fail today on what passed yesterday.
fuzz = settings(
    max_examples=EXAMPLES,
    derandomize=not FAR,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)


def helpful(error: BrainError) -> None:
    """Whether it says what to do instead, and is no defect."""
    assert error.suggestion
    assert error.code != "internal"

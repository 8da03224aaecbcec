"""The tools that an agent may call unasked."""

from gbrain.entry.cli.harness import TOOLS
from gbrain.registry import find, load_all


def test_they_take_nothing_away_and_no_model_is_their_business() -> None:
    load_all()
    for name in TOOLS:
        operation = find(name)
        assert operation is not None, name
        assert (operation.destructive, operation.expensive, operation.local_only) == (False, False, False), name
        assert operation.scope == ("write" if name == "remember" else "read"), name
        assert operation.surface in ("verbs", "starter"), name

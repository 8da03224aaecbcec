"""The options of each command of `gbrain bench` are those its measurement takes."""

from importlib import import_module

import pytest

from gbrain.entry.cli.bench import bench

NOT_OFFERED = {"hook": {"large"}}
"""What only a test makes smaller than it is."""


@pytest.mark.parametrize("name", sorted(bench.commands))
def test_a_command_offers_what_is_taken(name: str) -> None:
    taken = import_module(f"gbrain.bench.{'everything' if name == 'all' else name}").Options._fields
    offered = {param.name for param in bench.commands[name].params} - {"file"} | {"json"}
    assert offered == set(taken) - NOT_OFFERED.get(name, set())

"""The brain, clock and callers that tests of operations have."""

from unit.ops.conftest import brain, clock, local, remote

__all__ = ["brain", "clock", "local", "remote"]

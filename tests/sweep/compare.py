"""Comparing what two brains answer."""

from collections.abc import Iterable
from typing import NamedTuple

from sweep.table import Call
from sweep.ways import Ask, request

SHOWN = 5
AROUND = 90


class Difference(NamedTuple):
    """A call that two brains answer differently."""

    call: Call
    one: str
    other: str


def differences(one: Ask, other: Ask, calls: Iterable[Call], answered: set[str] | None = None) -> list[Difference]:
    """The calls whose answers are not the same; the names of those that were no errors are put into `answered`."""
    found = []
    for call in calls:
        a, b = one(*request(call)), other(*request(call))
        if a != b:
            found.append(Difference(call, a, b))
        if answered is not None and '"isError": true' not in a and '"isError":true' not in a:
            answered.add(call.name)
    return found


def where(found: list[Difference]) -> str:
    """What differs, for the eye: the calls, and where their answers part."""
    lines = [f"{len(found)} answers depend on what is hidden"]
    for call, one, other in found[:SHOWN]:
        shorter = min(len(one), len(other))
        at = next((place for place in range(shorter) if one[place] != other[place]), shorter)
        parts = (text[max(0, at - AROUND) : at + AROUND] for text in (one, other))
        lines += [f"{call.name} {call.arguments} {call.session or ''}", *(f"    {part}" for part in parts)]
    return "\n".join(lines)

"""What a reader says of an agent whose transcripts are not read: its plugin hands on every turn itself."""

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MARKS: tuple[bytes, ...] = ()
ANSWERS: tuple[bytes, ...] = ()


def folders(env: "Mapping[str, str]") -> list[str]:
    """It has no transcript of its own that is read."""
    return []


def foreign(path: str) -> bool:
    """Never: there is no telling."""
    return False


def turn(line: "dict[str, Any]") -> "str | None":
    """There are no lines."""
    return None


def answer(line: "dict[str, Any]") -> "str | None":
    """There are no lines."""
    return None

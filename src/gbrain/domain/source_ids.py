"""Source ids: `[a-z0-9]` with hyphens inside, 1 to 32 characters. They are cited, so they never need quoting."""

import re

from gbrain.domain.text import clip
from gbrain.errors import InvalidParams

MOST = 32
_URL = "gbrain://page/"


def checked_id(text: str) -> str:
    """The id itself; raises InvalidParams with the nearest id that could be one."""
    if is_id(text):
        return text
    near = re.sub(r"[^a-z0-9]+", "-", text.strip().lower()).strip("-")[:MOST].strip("-")
    raise InvalidParams(
        f"{clip(text, 64)!r} cannot be the id of a source: it takes 1 to {MOST} of a-z, 0-9 and hyphens inside",
        f"use for example: {near or 'harbour'}",
    )


def is_id(text: str) -> bool:
    """Whether a source can have this id."""
    # Not a pattern: every hook loads this, and few ask it more than once.
    inside = text.replace("-", "")
    return (
        len(text) <= MOST
        and inside.isascii()
        and inside.isalnum()
        and inside == inside.lower()
        and text[0] != "-"
        and text[-1] != "-"
    )


def cited(text: str) -> tuple[str, str] | None:
    """(source, slug) of a page that is named with its source: `work:people/dana`, `[work:people/dana]`, or
    `gbrain://page/work/people/dana`. None for what is none of them; neither part is looked up."""
    text = text.strip()
    if text.startswith(_URL):
        source, mark, slug = text.removeprefix(_URL).partition("/")
    else:
        inner = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else text
        source, mark, slug = inner.partition(":")
    return (source, slug) if mark and slug and not slug[0].isspace() and is_id(source) else None

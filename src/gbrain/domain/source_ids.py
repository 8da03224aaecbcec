"""Source ids: `[a-z0-9]` with hyphens inside, 1 to 32 characters. They are cited, so they never need quoting."""

import re

from gbrain.domain.text import clip
from gbrain.errors import InvalidParams

MOST = 32
_WORD = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\Z")
_OTHER = re.compile(r"[^a-z0-9]+")


def checked_id(text: str) -> str:
    """The id itself; raises InvalidParams with the nearest id that could be one."""
    if _WORD.match(text):
        return text
    near = _OTHER.sub("-", text.strip().lower()).strip("-")[:MOST].strip("-")
    raise InvalidParams(
        f"{clip(text, 64)!r} cannot be the id of a source: it takes 1 to {MOST} of a-z, 0-9 and hyphens inside",
        f"use for example: {near or 'harbour'}",
    )

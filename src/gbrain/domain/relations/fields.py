"""Front matter keys that link their page to others: on which pages, with which type, in which direction."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gbrain.domain.text import collapse


class Field(NamedTuple):
    """One key. `on` are the page types it counts on (none: every one); `reversed` links lead to the page itself.

    `hints` are the folders in which a name is looked for first.
    """

    on: frozenset[str]
    link_type: str
    reversed: bool
    hints: tuple[str, ...]


_PEOPLE, _COMPANIES = ("people",), ("companies",)
_INVESTORS = ("companies", "people")
_ANY: frozenset[str] = frozenset()
_RELATED = Field(_ANY, "related_to", False, ())

FIELDS: dict[str, Field] = {
    "company": Field(frozenset({"person"}), "works_at", False, _COMPANIES),
    "companies": Field(frozenset({"person"}), "works_at", False, _COMPANIES),
    "founded": Field(frozenset({"person"}), "founded", False, _COMPANIES),
    "key_people": Field(frozenset({"company"}), "works_at", True, _PEOPLE),
    "partner": Field(frozenset({"company"}), "yc_partner", True, _PEOPLE),
    "investors": Field(frozenset({"company", "deal"}), "invested_in", True, _INVESTORS),
    "lead": Field(frozenset({"deal"}), "led_round", True, _INVESTORS),
    "attendees": Field(frozenset({"meeting"}), "attended", True, _PEOPLE),
    "sources": Field(_ANY, "discussed_in", True, ()),
    "source": Field(_ANY, "source", False, ()),
    "related": _RELATED,
    "see_also": _RELATED,
}
"""Source: the contract's table of link fields."""

_NAMED_BY = ("slug", "page", "name", "person", "company", "title")
# A comma before one of these stands inside the name of a company.
_SUFFIX = r"(?:inc|llc|ltd|corp|co|gmbh|plc|lp|llp|s\.?a|a\.?g|k\.?k|jr|sr)\b\.?"


def linked(frontmatter: Mapping[str, Any], page_type: str) -> Iterator[tuple[str, Field, str]]:
    """Key, meaning and each value, as it is written, of the keys that link a page of this type."""
    for key, value in frontmatter.items():
        field = FIELDS.get(key)
        if field is not None and (not field.on or page_type in field.on):
            for name in dict.fromkeys(_names(value)):
                yield key, field, name


def _names(value: Any) -> Iterator[str]:
    """The names in a value: a text, a list, `[[x]]` that YAML took for a list in a list, or rows with a name."""
    if isinstance(value, str):
        for part in (
            re.split(rf"[,;，、](?!\s*{_SUFFIX})", value, flags=re.IGNORECASE) if "://" not in value else [value]
        ):
            if collapse(part):
                yield collapse(part)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from [item] if isinstance(item, str) and collapse(item) else _names(item)
    elif isinstance(value, dict):
        name = next((value[key] for key in _NAMED_BY if isinstance(value.get(key), str)), None)
        if name is not None:
            yield collapse(name)

"""Which sorts of pages a type of link can stand between."""

PEOPLE = frozenset({"person", "people", "founder", "investor", "advisor", "user", "contact"})
COMPANIES = frozenset(
    {"company", "organization", "organisation", "org", "fund", "firm", "startup", "nonprofit", "school"}
)
VENTURES = COMPANIES | {"deal", "project", "product"}
"""What can be founded, financed and advised."""
NEITHER = frozenset(
    {"meeting", "concept", "media", "writing", "source", "book", "article", "video", "podcast", "email", "daily"}
)

MENTIONS, ATTENDED, MEETING = "mentions", "attended", "meeting"
_VENTURING = frozenset({"founded", "invested_in", "advises", "led_round"})
_WORKING = frozenset({"works_at", "worked_at"})


def person(kind: str) -> bool:
    """Whether a page of this type is about a person."""
    return kind in PEOPLE


def venture(kind: str) -> bool:
    """Whether a page of this type is about something that is founded, financed, advised."""
    return kind in VENTURES


def settled(link_type: str, origin: str, target: str) -> str:
    """The type a link from a page of type `origin` keeps when it leads to one of type `target`; empty: not known."""
    if link_type == "attended":
        there = (target in PEOPLE or target == "") if origin == MEETING else origin in PEOPLE and target == MEETING
        return link_type if there else MENTIONS
    if link_type == "discussed_in":
        return link_type if target == MEETING else MENTIONS
    if link_type not in _VENTURING and link_type not in _WORKING:
        return link_type
    if origin in NEITHER or target in NEITHER or (origin in PEOPLE and target in PEOPLE):
        return MENTIONS
    if link_type in _WORKING and not (origin in PEOPLE or target in PEOPLE or "" in (origin, target)):
        return MENTIONS
    if not (venture(origin) or venture(target) or "" in (origin, target)):
        return MENTIONS
    return link_type

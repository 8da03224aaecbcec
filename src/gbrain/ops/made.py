"""What a page's text made when it was written: links and timeline entries, as a reply tells it."""

from typing import NamedTuple, NotRequired, TypedDict


class Unresolved(TypedDict):
    """A reference that leads to no page: the front matter key it stands in (None: the text), and what is written.

    `candidates` are the pages it could mean, when there are several.
    """

    field: str | None
    name: str
    candidates: NotRequired[list[str]]


class AutoLinks(TypedDict):
    """What became of the links a text makes; for a remote caller only that the sweep makes them."""

    created: NotRequired[int]
    removed: NotRequired[int]
    errors: NotRequired[int]
    unresolved: NotRequired[list[Unresolved]]
    skipped: NotRequired[str]
    hint: NotRequired[str]


class AutoTimeline(TypedDict):
    """What became of the dated entries of a text."""

    created: NotRequired[int]
    removed: NotRequired[int]
    skipped: NotRequired[str]


class Wired(NamedTuple):
    """What a page's text made: None for what was not looked at."""

    links: AutoLinks | None
    timeline: AutoTimeline | None

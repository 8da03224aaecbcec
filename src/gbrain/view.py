"""What a reader may see, and the sources there are: the records that a hook needs, which load by themselves."""

from typing import NamedTuple


class View(NamedTuple):
    """What rows a reader may see: the one visibility predicate is built from this record."""

    sources: tuple[str, ...]
    private: bool
    now: str
    as_of: str | None = None
    """When set, what is read is what the brain knew at this moment; who may read it is as of now."""
    slugs: tuple[str, ...] | None = None
    """When set, only these pages and the facts about them."""


class Source(NamedTuple):
    """A named place that pages come from.

    `local_path` is the absolute path of its folder, None for a source without one. `federated` says whether reads that
    name no source widen to it; None: nobody has said, and they do not. At most one source is `is_default`.
    """

    id: str
    name: str
    local_path: str | None
    federated: bool | None
    is_default: bool
    created_at: str

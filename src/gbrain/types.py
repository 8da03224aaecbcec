"""Frozen records that cross rooms.

Times inside records are store text: UTC, ISO 8601, fixed width, microseconds (`2031-05-04T22:10:00.000000Z`).
"""

from typing import Any, Literal, NamedTuple

from gbrain.view import Source as Source, View as View

Kind = Literal["event", "preference", "commitment", "belief", "fact"]
Visibility = Literal["world", "private"]
Surface = Literal["verbs", "starter", "full"]
Scope = Literal["read", "write", "admin", "steer"]

SURFACES: tuple[Surface, ...] = ("verbs", "starter", "full")
PROGRAM_SCOPES = frozenset({"read", "write", "admin"})
"""What a program may be granted. `steer` is for a person: to approve, correct and take back what programs saved."""

ALL_SCOPES = PROGRAM_SCOPES | {"steer"}


class Caller(NamedTuple):
    """Who asks. Made once at the entry and passed down; remote unless proved otherwise."""

    remote: bool = True
    transport: str = "stdio"
    client: str = "remote"
    scopes: frozenset[str] = frozenset()
    sources: tuple[str, ...] | None = ()
    """Granted source ids; None is every source of the brain (a local caller)."""
    surface: Surface = "full"
    slugs: tuple[str, ...] | None = None
    """The only slugs this caller reads and writes; None: it is bound to none."""

    @classmethod
    def local(cls, transport: str = "local") -> "Caller":
        """The operator at this machine: every scope, every source, private text included."""
        return cls(False, transport, "local", ALL_SCOPES, None, "full")

    @classmethod
    def person(cls, client: str) -> "Caller":
        """The person behind a browser elsewhere, by a token that grants it: all that the operator sees and may do."""
        return cls(False, "web", client, ALL_SCOPES, None, "full")

    @classmethod
    def stdio(cls, surface: Surface = "full", client: str = "remote") -> "Caller":
        """An agent over the local pipe: may read and write, sees no private text."""
        return cls(True, "stdio", client, PROGRAM_SCOPES, None, surface)

    @classmethod
    def http(
        cls,
        client: str,
        scopes: frozenset[str],
        sources: tuple[str, ...] | None,
        surface: Surface = "full",
        slugs: tuple[str, ...] | None = None,
    ) -> "Caller":
        """A client over the network, with what its verified token grants; `client` is its id."""
        return cls(True, "http", client, scopes, sources, surface, slugs)


class Entry(NamedTuple):
    """What the catalogue says of an operation, without importing it. `cli` is its command, None when it has none."""

    module: str
    surface: Surface
    scope: Scope
    local_only: bool
    cli: str | None
    positional: tuple[str, ...]
    summary: str
    fenced: bool = False
    """Whether a caller that is bound to slugs may call it."""
    near: bool = False
    """Whether an agent on the pipe of this machine may call it, although it is `local_only`."""

    def reaches(self, caller: Caller) -> bool:
        """Whether it may be called from where a caller is: at this machine, on its pipe, or anywhere."""
        return not (self.local_only and caller.remote) or (self.near and caller.transport == "stdio")


class Fact(NamedTuple):
    """One claim in one line.

    `confidence` is 0-1; `entity_slug` is None when nothing was named or the name was unclear.
    """

    id: int
    source_id: str
    fact: str
    kind: str
    entity_slug: str | None
    visibility: str
    notability: str
    valid_from: str
    valid_until: str | None
    expired_at: str | None
    superseded_by: int | None
    provenance: str
    session: str | None
    context: str | None
    confidence: float
    created_at: str


class Page(NamedTuple):
    """The current version of one page. `body` is the text after the front matter."""

    id: int
    source_id: str
    slug: str
    type: str
    title: str
    frontmatter: dict[str, Any]
    content: str
    body: str
    summary: str
    version: int
    content_hash: str
    private: bool
    confidence: float | None
    expiry: str | None
    effective_date: str | None
    effective_date_source: str
    created_at: str
    last_modified: str
    modified_by: str
    deleted_at: str | None
    tags: tuple[str, ...] = ()


class PageFilter(NamedTuple):
    """Which pages a search is for: of one of the `types`, with all of the `tags`, and from `since` to `until`.

    These two are dates of any precision, both included: a page fits whose own date, or the date of an entry of its
    timeline, may lie between them. `unchanged` is a moment (store text) since which nobody wrote the page. What is
    empty lets everything through.
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    unchanged: str | None = None


ALL_PAGES = PageFilter()
"""The filter that every page passes."""


class PageVersion(NamedTuple):
    """One kept version of a page: its whole text and who wrote it."""

    version: int
    content: str
    content_hash: str
    modified_at: str
    modified_by: str
    reason: str | None


class Link(NamedTuple):
    """A typed edge between two pages of the brain, with where it was seen."""

    from_slug: str
    from_source_id: str
    to_slug: str
    to_source_id: str
    link_type: str
    context: str | None
    link_source: str
    origin_slug: str | None
    origin_field: str | None
    date: str | None = None
    """When what the link says began or ended, where its words say so."""


class TimelineEntry(NamedTuple):
    """Dated evidence on a page. `date` keeps its precision: 2031, 2031-03 or 2031-03-30."""

    id: int
    page_id: int
    date: str
    summary: str
    source: str | None
    detail: str | None
    created_at: str


class Named(NamedTuple):
    """A page as a name leads to it, for the resolution of entities."""

    page_id: int
    source_id: str
    slug: str
    title: str
    type: str
    arm: str
    """How it was found: alias, slug, title, tail or near."""
    touched: str


class Candidate(NamedTuple):
    """A page that a reference may lead to; `alias` is the alias key it was found by, empty for its slug.

    Under a slug that it had before a rename it is found by that alone, and `tail` is empty.
    """

    id: int
    source_id: str
    slug: str
    tail: str
    type: str
    private: int
    alias: str


class Edge(NamedTuple):
    """A link that a page's text asks for, by the reference at a place among the page's."""

    from_id: int
    to_id: int
    link_type: str
    link_source: str
    origin_field: str | None
    place: int
    date: str | None


class Hit(NamedTuple):
    """A row found by a retrieval arm: its id and the arm's score, larger is better."""

    id: int
    score: float


class Draft(NamedTuple):
    """A page as it was read from its text, ready to be stored."""

    slug: str
    type: str
    title: str
    frontmatter: dict[str, Any]
    content: str
    body_start: int
    """Where the body begins in `content`, in characters."""
    summary: str
    private: bool
    confidence: float | None
    expiry: str | None
    effective_date: str | None
    effective_date_source: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    content_hash: str
    based_on: int | None
    """The version the text says it was based on (front matter `version`)."""


class Written(NamedTuple):
    """What a page write did."""

    page_id: int
    version: int
    status: Literal["created", "updated", "skipped"]

"""Links: typed edges between pages.

Each row keeps whether the pages it is from may be seen (`from_state`: 2 by all, 1 by local readers, 0 by nobody) and
until when: the page it leaves and, where that is another one, the page whose text makes it (`origin_id`). How many
edges lead to a page is kept too, changed in the transaction that changes an edge or what may be seen of its origin.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from gbrain.store import visibility
from gbrain.store.engine import Engine, Row
from gbrain.store.lists import slices
from gbrain.types import Edge, Link, View

MENTIONS = "mentions"
"""The link source of edges inferred from a mere mention; they are not counted as backlinks."""
MARKDOWN, RESOLVED, FRONTMATTER = "markdown", "wikilink-resolved", "frontmatter"
"""The link sources of edges that follow from a page's text, by its exact slug or by a name, and from its header."""
FROM_TEXT = (MARKDOWN, RESOLVED, FRONTMATTER)
WORLD, LOCAL, HIDDEN = 2, 1, 0

CONTEXT = "coalesce(l.context, r.context) as context"
REFERENCES = "left join refs r on r.source_id = l.source_id and r.page_id = l.origin_id and r.place = l.place"
"""Where a link that a text makes was seen: its row holds the `place` of its reference, which has the words."""

# A cross join keeps SQLite from starting at all pages of the source, which it takes for few.
_SELECT = (
    f"select l.id, l.link_type, l.link_source, {CONTEXT}, l.origin_field, l.date, l.origin_id, o.slug as origin_slug,"
    " p.slug as from_slug, p.source_id as from_source_id,"
    " q.slug as to_slug, q.source_id as to_source_id, q.title as to_title, p.title as from_title,"
    " l.from_id, l.to_id from links l cross join pages p cross join pages q"
    f" cross join pages o {REFERENCES} where p.id = l.from_id and q.id = l.to_id and o.id = l.origin_id"
)


# Of an earlier moment: what was made by then, between pages that were there.
_THEN = "l.since <= :v_now and p.created_at <= :v_now and q.created_at <= :v_now and o.created_at <= :v_now"
# Words that a page says now are none of then.
_CONTEXT_THEN = "case when o.last_modified <= :v_now then coalesce(l.context, r.context) end as context"
COUNTED = 1_000
"""How many edges of an earlier moment are counted at most: for those no count is kept."""


class Links:
    """The `links` table: typed edges between pages, each with what made it, where it was seen, and since when."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self,
        source: str,
        from_id: int,
        to_id: int,
        link_type: str,
        link_source: str,
        context: str | None,
        since: str = "",
    ) -> bool:
        """Add an edge; False when the same one is there (its context is then brought up to date).

        `since` is the moment it is there from; left out, it was there ever.
        """
        # What the origin is like is kept on the row, so that counting needs no join with it; `set_origin` follows it.
        origin = self._engine.rows("select private, deleted_at, expiry from pages where id = :id", {"id": from_id})[0]
        values = {
            "source": source,
            "from_id": from_id,
            "to_id": to_id,
            "type": link_type,
            "link_source": link_source,
            "context": context,
            "counted": _counted(link_source),
            "state": _state(origin),
            "expiry": origin["expiry"],
            "since": since,
        }
        added = self._engine.rows(
            "insert into links (source_id, from_id, to_id, link_type, link_source, context, counted, from_state,"
            " from_expiry, since, origin_id)"
            " values (:source, :from_id, :to_id, :type, :link_source, :context, :counted, :state, :expiry,"
            " :since, :from_id)"
            " on conflict (source_id, from_id, to_id, link_type, link_source, origin_id) do nothing returning id",
            values,
        )
        if added and values["counted"]:
            self._tally(source, to_id, _state(origin), 1)
        if not added and context is not None:
            self._engine.rows(
                "update links set context = :context where from_id = :from_id and to_id = :to_id and link_type ="
                " :type and link_source = :link_source and origin_id = from_id",
                values,
            )
        return bool(added)

    def follow(self, source: str, wanted: Mapping[int, Sequence[Edge]]) -> dict[int, tuple[int, int]]:
        """Make the edges that the texts and headers of these pages own exactly those: how many were added, and how many
        went, for each page.

        All leave pages of the origins' own source. Edges that were put in by hand are none of them.
        """
        # Only what differs is written: a page of a thousand links is mostly saved with one word changed.
        held = {(row["origin_id"], *(row[name] for name in _KEY)): row for row in self._own(wanted)}
        asked = {
            (origin, edge.from_id, edge.to_id, edge.link_type, edge.link_source): edge
            for origin, edges in wanted.items()
            for edge in edges
        }
        gone = [row for key, row in held.items() if key not in asked]
        new = [(key[0], edge) for key, edge in asked.items() if key not in held]
        for part in slices(row["id"] for row in gone):
            self._engine.rows("delete from links where id in (:ids)", {"ids": part})
        self._engine.many(
            "update links set place = :place, origin_field = :field, date = :date where id = :id",
            [
                {"place": edge.place, "field": edge.origin_field, "date": edge.date, "id": held[key]["id"]}
                for key, edge in asked.items()
                if key in held and _told(edge) != tuple(held[key][name] for name in _TOLD)
            ],
        )
        origins = self._origins({id for origin, edge in new for id in (origin, edge.from_id)})
        added = [self._values(source, origin, edge, origins) for origin, edge in new]
        names = tuple(added[0]) if added else ()
        self._engine.many(
            f"insert into links ({', '.join(names)}) values ({', '.join(':' + name for name in names)})", added
        )
        steps = [(row["to_id"], row["from_state"], -1) for row in gone if row["counted"]]
        self._tallies(source, steps + [(row["to_id"], row["from_state"], 1) for row in added])
        came, went = Counter(origin for origin, _ in new), Counter(row["origin_id"] for row in gone)
        return {origin: (came[origin], went[origin]) for origin in wanted}

    def _own(self, origin_ids: Iterable[int]) -> list[Row]:
        columns = f"id, origin_id, {', '.join(_KEY)}, counted, from_state, {', '.join(_TOLD)}"
        return [
            row
            for part in slices(origin_ids)
            for row in self._engine.rows(
                f"select {columns} from links where from_id in (:pages) and origin_id = from_id"
                f" and link_source in {FROM_TEXT}"
                # Two arms and not one `or`: each has an index, and SQLite would use neither for both.
                f" union all select {columns} from links where origin_id in (:pages) and origin_id <> from_id"
                f" and link_source in {FROM_TEXT}",
                {"pages": part},
            )
        ]

    def _origins(self, ids: Iterable[int]) -> dict[int, Row]:
        found: dict[int, Row] = {}
        for part in slices(ids):
            rows = self._engine.rows(
                "select id, private, deleted_at, expiry, created_at, last_modified from pages where id in (:ids)",
                {"ids": part},
            )
            found.update({row["id"]: row for row in rows})
        return found

    @staticmethod
    def _values(source: str, origin_id: int, edge: Edge, origins: dict[int, Row]) -> Row:
        ends = origins[edge.from_id], origins[origin_id]
        return {
            "source_id": source,
            **edge._asdict(),
            "origin_id": origin_id,
            "counted": 1,
            # Both must be seen: the page that the edge leaves, and the one whose text makes it.
            "from_state": min(_state(page) for page in ends),
            "from_expiry": min((page["expiry"] for page in ends if page["expiry"] is not None), default=None),
            "since": _since(origins[origin_id]),
        }

    def remove(self, from_id: int, to_id: int, link_type: str | None, link_source: str | None) -> int:
        """Remove the edges between two pages, of one type or source when given; how many went."""
        gone = self._engine.rows(
            "delete from links where from_id = :from_id and to_id = :to_id and (cast(:type as text) is null or"
            " link_type = :type) and (cast(:link_source as text) is null or link_source = :link_source)"
            " returning source_id, counted, from_state",
            {"from_id": from_id, "to_id": to_id, "type": link_type, "link_source": link_source},
        )
        for row in gone:
            if row["counted"]:
                self._tally(row["source_id"], to_id, row["from_state"], -1)
        return len(gone)

    def of(
        self,
        view: View,
        page_id: int,
        direction: Literal["out", "in"],
        *,
        counted: bool = False,
        limit: int = 1000,
        offset: int = 0,
    ) -> list[Link]:
        """The visible edges of a page, oldest first; `counted` leaves out mere mentions."""
        column = "l.from_id" if direction == "out" else "l.to_id"
        found = self.edges(
            view, f"{column} = :page" + (" and l.counted = 1" if counted else ""), {"page": page_id}, limit, offset
        )
        return [_link(row) for row in found]

    def edges(
        self, view: View, where: str, params: dict[str, object], limit: int, offset: int = 0, *, several: bool = False
    ) -> list[Row]:
        """Edges both of whose pages the reader may see, oldest first; `where` is a condition on `links l`.

        `several` says that it names more than one page.
        """
        other = visibility.pages().replace("p.", "q.")
        made = visibility.pages().replace("p.", "o.")
        # For several pages SQLite would rather walk all links in the order of their ids than look theirs up.
        order = "l.id + 0" if several else "l.id"
        select = _SELECT
        if view.as_of is not None:
            where, select = f"{where} and {_THEN}", _SELECT.replace(CONTEXT, _CONTEXT_THEN)
        return self._engine.rows(
            f"{select} and {where} and {visibility.pages()} and {other} and {made} order by {order}"
            " limit :limit offset :offset",
            {**visibility.params(view), **params, "limit": limit, "offset": offset},
        )

    def touching(self, view: View, page_id: int, limit: int) -> list[Row]:
        """The visible edges of a page, so many either way."""
        return [
            row
            for column in ("l.from_id", "l.to_id")
            for row in self.edges(view, f"{column} = :page", {"page": page_id}, limit)
        ]

    def around(self, view: View, ids: Sequence[int], direction: str, link_type: str | None, limit: int) -> list[Row]:
        """The visible edges that touch these pages, for a walk."""
        where = {
            "out": "l.from_id in (:ids)",
            "in": "l.to_id in (:ids)",
            "both": "(l.from_id in (:ids) or l.to_id in (:ids))",
        }[direction]
        return self.edges(
            view,
            f"{where} and (cast(:type as text) is null or l.link_type = :type)",
            {"ids": list(ids), "type": link_type},
            limit,
            several=True,
        )

    def backlinks(self, view: View, page_id: int) -> int:
        """How many visible edges lead here, mentions left out. Counts are kept, since a hub has too many to count."""
        params = {**visibility.params(view), "page": page_id}
        if view.as_of is not None:
            return len(self.edges(view, "l.to_id = :page and l.counted = 1", {"page": page_id}, COUNTED))
        if view.slugs is not None:
            # The kept counts know no slugs, and a caller bound to them sees few edges.
            found = self._engine.rows(
                f"select count(*) as n from links l where l.to_id = :page and l.counted = 1"
                f" and {visibility.links_in(view)}",
                params,
            )
            return int(found[0]["n"])
        kept = self._engine.rows(
            "select coalesce(sum(case when :v_private = 1 then c.total else c.world end), 0) as n from"
            " backlink_counts c"
            " where c.page_id = :page and c.source_id in (:v_sources)",
            params,
        )
        # Time passes without a write, so what has expired since is taken off when it is asked for.
        expired = self._engine.rows(
            "select count(*) as n from links l where l.to_id = :page and l.counted = 1 and l.from_expiry is not null"
            " and l.from_expiry <= :v_now and l.from_state > 1 - :v_private and l.source_id in (:v_sources)",
            params,
        )
        return int(kept[0]["n"]) - int(expired[0]["n"])

    def sources(self, view: View) -> list[Row]:
        """How many edges each link source made, most first."""
        return self._engine.rows(
            f"select l.link_source, count(*) as count from {_to_visible()} group by l.link_source"
            " order by count(*) desc, l.link_source",
            visibility.params(view),
        )

    def count(self, view: View) -> int:
        """How many edges the reader may see."""
        return int(self._engine.rows(f"select count(*) as n from {_to_visible()}", visibility.params(view))[0]["n"])

    def set_origin(self, page_id: int) -> None:
        """Bring the rows of a page's outgoing edges in line with whether that page may be seen now."""
        origin = self._origins([page_id])[page_id]
        state = _state(origin)
        changed = self._engine.rows(
            "select to_id, source_id, from_state from links where from_id = :page and origin_id = :page and counted = 1"
            " and from_state <> :state",
            {"page": page_id, "state": state},
        )
        for row in changed:
            self._tally(row["source_id"], row["to_id"], row["from_state"], -1)
            self._tally(row["source_id"], row["to_id"], state, 1)
        self._engine.rows(
            "update links set from_state = :state, from_expiry = :expiry where from_id = :page and origin_id = :page"
            " and (from_state <> :state or from_expiry is distinct from :expiry)",
            {"state": state, "expiry": origin["expiry"], "page": page_id},
        )
        self._set_others(page_id)

    def _set_others(self, page_id: int) -> None:
        """As `set_origin`, for the edges between this page and another one whose text makes them, or the reverse."""
        columns = "id, from_id, to_id, origin_id, source_id, counted, from_state, from_expiry"
        rows = self._engine.rows(
            f"select {columns} from links where origin_id = :page and origin_id <> from_id"
            f" union all select {columns} from links where from_id = :page and origin_id <> from_id",
            {"page": page_id},
        )
        origins = self._origins({id for row in rows for id in (row["from_id"], row["origin_id"])})
        for row in rows:
            ends = origins[row["from_id"]], origins[row["origin_id"]]
            state = min(_state(page) for page in ends)
            expiry = min((page["expiry"] for page in ends if page["expiry"] is not None), default=None)
            if row["counted"] and state != row["from_state"]:
                self._tally(row["source_id"], row["to_id"], row["from_state"], -1)
                self._tally(row["source_id"], row["to_id"], state, 1)
            self._engine.rows(
                "update links set from_state = :state, from_expiry = :expiry where id = :id",
                {"state": state, "expiry": expiry, "id": row["id"]},
            )

    def _tally(self, source: str, to_id: int, state: int, step: int) -> None:
        """Count (`step` 1) or uncount (-1) one edge to a page, by who may see where it comes from."""
        self._tallies(source, [(to_id, state, step)])

    def _tallies(self, source: str, steps: Iterable[tuple[int, int, int]]) -> None:
        """Count edges to pages: (page, state, step) each."""
        counts: dict[int, tuple[int, int]] = {}
        for to_id, state, step in steps:
            if state != HIDDEN:
                world, total = counts.get(to_id, (0, 0))
                counts[to_id] = world + (step if state == WORLD else 0), total + step
        with self._engine.unveiled():
            self._engine.many(
                "insert into backlink_counts (source_id, page_id, world, total) values (:source, :page, :world, :total)"
                " on conflict (page_id, source_id) do update set world = backlink_counts.world + excluded.world,"
                " total = backlink_counts.total + excluded.total",
                [
                    {"source": source, "page": page, "world": world, "total": total}
                    for page, (world, total) in sorted(counts.items())
                    if world or total
                ],
            )


def _to_visible() -> str:
    """Links both of whose pages may be seen. Few are hidden: leaving those out is cheaper than looking up each page."""
    hidden = f"select p.id from pages p where not ({visibility.pages()})"
    return f"links l where {visibility.links_in()} and l.to_id not in ({hidden})"


_KEY = ("from_id", "to_id", "link_type", "link_source")
_TOLD = ("origin_field", "place", "date")


def _told(edge: Edge) -> tuple[str | int | None, ...]:
    return edge.origin_field, edge.place, edge.date


def _counted(link_source: str) -> int:
    return int(link_source != MENTIONS)


def _since(origin: Row) -> str:
    """When the text of a page was written that makes a link, which may be read long after; "" for its first text, since
    `created_at` tells that."""
    written: str = origin["last_modified"]
    return "" if written == origin["created_at"] else written


def _state(page: Row) -> int:
    return HIDDEN if page["deleted_at"] is not None else LOCAL if page["private"] else WORLD


def _link(row: Row) -> Link:
    return Link(
        row["from_slug"],
        row["from_source_id"],
        row["to_slug"],
        row["to_source_id"],
        row["link_type"],
        row["context"],
        row["link_source"],
        row["origin_slug"],
        row["origin_field"],
        row["date"],
    )

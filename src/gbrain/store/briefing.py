"""What a session is told at its start: who and what stands in a project, what is open, and what changed.

Like `store/offering.py` it reads through anything that runs a statement, so that a hook can ask without a server. Each
statement goes by an index, or looks at the newest rows alone.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from gbrain.domain.entities import SELF
from gbrain.store import visibility
from gbrain.store.about import PAGELESS, UNWRITTEN, Rows, called
from gbrain.view import View

NEWEST = 3_000
"""How far back, in facts and in changes of pages, the newest are looked for."""
LIVELY = 200
"""So many of the newest facts tell which entities are on somebody's mind."""
SUREST = 0.6
"""Less sure facts are left out."""


class Standing(NamedTuple):
    """What matters now, mostly a page; `place` is its source and slug. Its type is UNWRITTEN where only facts are about
    it."""

    source_id: str
    slug: str
    title: str
    type: str
    summary: str

    @property
    def place(self) -> str:
        """`SOURCE:SLUG`."""
        return f"{self.source_id}:{self.slug}"


class Claim(NamedTuple):
    """A fact: `date` is when what it says is or was so, as far as that is known, else when it was told."""

    source_id: str
    entity_slug: str | None
    fact: str
    date: str


class Changed(NamedTuple):
    """A page that changed, and when."""

    source_id: str
    slug: str
    title: str
    date: str


class Briefing:
    """What one reader may be told; `view.sources` begins with the source of the project."""

    def __init__(self, engine: Rows, view: View) -> None:
        self._engine = engine
        self._view = view

    def at(self, places: Sequence[str]) -> list[Standing]:
        """What the reader may see at these places, in their order: pages, and entities that only facts are about."""
        slugs = [place.partition(":")[2] for place in places]
        rows = self._rows(
            "select f.source_id, f.entity_key as slug, max(f.entity_name) as title,"
            f" '{UNWRITTEN}' as type, '' as summary from facts f where f.entity_key in (:slugs)"
            f" and {PAGELESS} and {visibility.facts(self._view)} group by f.source_id, f.entity_key",
            slugs=slugs,
        )
        rows += self._rows(
            "select p.source_id, p.slug, p.title, p.type, p.summary from pages p"
            f" where p.slug in (:slugs) and {visibility.pages()}",
            slugs=slugs,
        )
        by_place = {found.place: found for found in map(_standing, rows)}
        return [by_place[place] for place in dict.fromkeys(places) if place in by_place]

    def lively(self, most: int) -> list[Standing]:
        """What most of the newest facts are about, but for the person, that of the project's source first."""
        rows = self._rows(
            "select newest.source_id, newest.entity_slug as slug,"
            " coalesce(p.title, max(newest.entity_name)) as title,"
            f" coalesce(p.type, '{UNWRITTEN}') as type, coalesce(p.summary, '') as summary,"
            " count(*) as n, max(newest.id) as last from"
            " (select f.id, f.source_id, f.entity_slug, f.entity_name,"
            f" case when {PAGELESS} then 1 else 0 end as pageless from facts f"
            " where f.id > (select max(id) from facts) - :back"
            f" and f.entity_slug is not null and {visibility.facts(self._view)} order by f.id desc limit :lively)"
            " as newest left join pages p on p.source_id = newest.source_id and p.slug = newest.entity_slug"
            f" and {visibility.pages()}"
            " where p.id is not null or (newest.pageless = 1 and newest.entity_slug <> :person)"
            " group by newest.source_id, newest.entity_slug, p.title, p.type, p.summary"
            " order by case when newest.source_id = :project then 0 else 1 end, n desc, last desc limit :most",
            back=NEWEST,
            lively=LIVELY,
            most=most,
            person=SELF,
        )
        return [_standing(row) for row in rows]

    def preferences(self, most: int) -> list[Claim]:
        """What the person prefers, the surest first."""
        return self._claims("preference", "f.entity_key in (:person, '')", "f.confidence desc, f.id desc", most)

    def commitments(self, most: int) -> list[Claim]:
        """What is open, the newest first."""
        return self._claims("commitment", "1 = 1", "f.valid_from desc, f.id desc", most)

    def facts_since(self, since: str, session: str, most: int) -> list[Claim]:
        """The newest facts told after a moment, by other sessions than this one."""
        rows = self._rows(
            "select f.source_id, f.entity_slug, f.fact, f.created_at as date from facts f"
            " where f.id > (select max(id) from facts) - :back and f.created_at > :since"
            f" and (f.session is null or f.session <> :session) and f.confidence >= :surest"
            f" and {visibility.facts(self._view)} order by f.id desc limit :most",
            back=NEWEST,
            since=since,
            session=session,
            most=most,
        )
        return [Claim(**row) for row in rows]

    def pages_since(self, since: str, known: Collection[str], most: int) -> list[Changed]:
        """The pages that changed last after a moment, but for those at the places that are `known`."""
        rows = self._rows(
            "select p.source_id, p.slug, p.title, p.last_modified as date from pages p"
            " where p.changed > (select max(changed) from pages) - :back and p.last_modified > :since"
            f" and {visibility.pages()} order by p.changed desc limit :most",
            back=NEWEST,
            since=since,
            most=most + len(known),
        )
        found = [Changed(**row) for row in rows]
        return [page for page in found if f"{page.source_id}:{page.slug}" not in known][:most]

    def _claims(self, kind: str, where: str, order: str, most: int) -> list[Claim]:
        # The condition on both kinds is that of the index, word for word.
        rows = self._rows(
            "select f.source_id, f.entity_slug, f.fact, coalesce(f.dated, f.valid_from) as date from facts f"
            f" where f.kind in ('commitment', 'preference') and f.kind = :kind and {where}"
            f" and f.confidence >= :surest and {visibility.facts(self._view)} order by {order} limit :most",
            kind=kind,
            person=SELF,
            most=most,
        )
        return [Claim(**row) for row in rows]

    def _rows(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        given = {**visibility.params(self._view), "project": self._view.sources[0], "surest": SUREST, **params}
        return self._engine.rows(sql, given)


def _standing(row: dict[str, Any]) -> Standing:
    found = Standing(*(row[field] for field in Standing._fields))
    return found._replace(title=called(found.title, found.slug)) if found.type == UNWRITTEN else found

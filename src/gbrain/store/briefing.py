"""What a session is told at its start: who and what stands in a project, what is open, and what changed.

Like `store/offering.py` it reads through anything that runs a statement, so that a hook can ask without a server. Each
statement goes by an index, or looks at the newest rows alone.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from gbrain.domain.entities import SELF, SELF_NAMES
from gbrain.store import visibility
from gbrain.store.about import PAGELESS, UNWRITTEN, Rows, called
from gbrain.view import View

NEWEST = 3_000
"""How far back, in facts and in changes of pages, the newest are looked for."""
OWN = 1_000
"""So many of the newest facts about the person, and as many about nobody named, are looked at in each source."""
LIVELY = 200
"""So many of the newest facts tell which entities are on somebody's mind."""
SUREST = 0.6
"""Less sure facts are left out."""
_SPOKEN = {"spoken_i": "i %", "spoken_is": "i'%", "spoken_own": "my %", "spoken_user": "the user%"}
"""How a claim begins that speaks of the person, where it was saved without saying whom it is about."""
_OWN = (
    "with own as (select s.id as source_id, k.name, k.far from sources s cross join"
    f" (select '{SELF}' as name, 0 as far union all select '' as name, 1 as far) k where s.id in (:v_sources)"
    " union select p.source_id, p.slug, 0 from aliases a join pages p on p.id = a.page_id"
    f" where a.source_id in (:v_sources) and a.alias_key in (:selves) and {visibility.pages()}),"
    " recent as (select own.source_id, own.name, own.far, coalesce((select k.valid_from from facts k"
    " where k.source_id = own.source_id and k.entity_key = own.name order by k.valid_from desc"
    " limit 1 offset :back), '') as since from own)"
)
"""Under what facts about the person are kept, and those about nobody named, which are `far`; and since when to look."""
_FIRST = (
    f"case when recent.far = 0 then 0 when {' or '.join(f'lower(f.fact) like :{name}' for name in _SPOKEN)} then 1"
    " else 2 end, case when f.kind = 'belief' then 1 else 0 end,"
    " case f.notability when 'high' then 0 when 'low' then 2 else 1 end, f.confidence desc, f.id desc"
)
"""The order in which these are told."""


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

    def person(self, preferences: int, others: int) -> tuple[list[Claim], list[Claim]]:
        """What the person prefers, and what else stands about them: facts, beliefs, and the events of a life.

        What is saved about them, by whichever name, comes before what is about nobody named; then facts come before
        beliefs, then what matters most, then the surest and newest.
        """
        preferred = "case when f.kind = 'preference' then 1 else 0 end"
        rows = self._rows(
            f"{_OWN} select told.source_id, told.entity_slug, told.fact, told.date, told.preferred from"
            " (select f.source_id, f.entity_slug, f.fact, coalesce(f.dated, f.valid_from) as date,"
            f" {preferred} as preferred, row_number() over (partition by {preferred} order by {_FIRST}) as place"
            # A database that is left to choose may begin with all facts.
            " from recent cross join facts f where f.source_id = recent.source_id and f.entity_key = recent.name"
            " and f.valid_from >= recent.since"
            " and f.kind <> 'commitment' and (f.kind <> 'event' or f.notability = 'high')"
            f" and f.confidence >= :surest and {visibility.facts(self._view)}) told"
            " where told.place <= case when told.preferred = 1 then :preferences else :others end"
            " order by told.place",
            **_SPOKEN,
            selves=sorted(SELF_NAMES),
            back=OWN,
            preferences=preferences,
            others=others,
        )
        split: tuple[list[Claim], list[Claim]] = ([], [])
        for row in rows:
            split[1 - row.pop("preferred")].append(Claim(**row))
        return split

    def commitments(self, most: int) -> list[Claim]:
        """What is open, the newest first."""
        # The condition on both kinds is that of the index, word for word.
        rows = self._rows(
            "select f.source_id, f.entity_slug, f.fact, coalesce(f.dated, f.valid_from) as date from facts f"
            " where f.kind in ('commitment', 'preference') and f.kind = 'commitment'"
            f" and f.confidence >= :surest and {visibility.facts(self._view)}"
            " order by f.valid_from desc, f.id desc limit :most",
            most=most,
        )
        return [Claim(**row) for row in rows]

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

    def _rows(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        given = {**visibility.params(self._view), "project": self._view.sources[0], "surest": SUREST, **params}
        return self._engine.rows(sql, given)


def _standing(row: dict[str, Any]) -> Standing:
    found = Standing(*(row[field] for field in Standing._fields))
    return found._replace(title=called(found.title, found.slug)) if found.type == UNWRITTEN else found

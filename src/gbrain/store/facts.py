"""Facts: claims with provenance and validity. A fact is never edited; it is superseded, forgotten, or lapses."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, NamedTuple

from gbrain.domain.slugs import slugify, tail
from gbrain.domain.text import raw_terms
from gbrain.store import visibility
from gbrain.store.about import bare_keys
from gbrain.store.consents import ON
from gbrain.store.engine import Engine, Frequencies, Match, Row, Terms
from gbrain.store.erasing import ERASED
from gbrain.store.fact_filter import Filter, conditions
from gbrain.store.languages import Languages
from gbrain.store.lists import slices
from gbrain.store.terms import any_of, index_terms, query_terms, stems
from gbrain.store.texts import Texts
from gbrain.store.vectors import Vectors
from gbrain.types import Fact, Page, View

INDEX = "fact_text"
ENTITY_WEIGHT, BODY_WEIGHT = 0.0, 1.0
NEAR_LIMIT = 60
"""How many facts of one entity a new claim is compared with."""
BEARERS_LOOKED_AT = 200
"""How many facts that hold the words of a name are looked at for entities of that name."""
MOST_READ = 400
"""How many facts one statement reads by their ids."""
FEW = 2_000
"""An entity (or none) with fewer live facts is searched by single words too."""

# A cross join keeps SQLite from starting at all facts of the source, which it takes for few.
_CHOSEN = "(select c.id from facts c where c.id in (:ids)) as chosen cross join facts f"
# In the order of the fields of Fact.
_COLUMNS = (
    "f.id, f.source_id, f.fact, f.kind, f.entity_slug, f.visibility, f.notability, f.valid_from, f.valid_until,"
    " f.expired_at,"
    " (select s.id from facts s where s.id = f.superseded_by and (:v_private = 1 or s.visibility = 'world')"
    " and (:v_bound = 0 or s.entity_slug in (:v_slugs))) as superseded_by,"
    " f.provenance, f.session, f.context, f.confidence, f.created_at"
)
_INDEXED = "id, source_id, entity_key, entity_name, entity_slug, fact, visibility"


class NewFact(NamedTuple):
    """A claim about to be saved. `entity_key` groups facts about the same thing, also when it has no page; the
    `fingerprint` of its normalised text is made when it is saved."""

    source_id: str
    fact: str
    kind: str
    entity_slug: str | None
    entity_name: str | None
    entity_key: str
    visibility: str
    valid_from: str
    valid_until: str | None
    provenance: str
    session: str | None = None
    notability: str = "medium"
    confidence: float = 1.0
    context: str | None = None
    fingerprint: str = ""
    dated: str | None = None
    """When what it says became so, as precisely as it was told; None where nobody said."""
    metric: str | None = None
    value: float | None = None
    unit: str | None = None
    period: str | None = None
    """The date that the value of the metric counts for."""
    made_by: str | None = None
    """The version of the prompt and the model that made it out of a turn; None for a fact that was told as one."""
    consent: str | None = None
    """The consent in force when it was saved, `MODE:ID`; None while nothing was saved unasked."""
    saved_by: str | None = None
    """Who saved it: the client, and the session where it names one; None where that is not known."""


class Facts:
    """The `facts` table, its text index, and what waits there for a vector."""

    def __init__(self, engine: Engine, vectors: Vectors) -> None:
        self._engine = engine
        self._vectors = vectors
        self._texts = Texts(engine, INDEX, (ENTITY_WEIGHT, BODY_WEIGHT))
        self._languages = Languages(engine)

    def get(self, view: View, id: int, *, live: bool = False) -> Fact | None:
        """One fact this reader may see, forgotten and lapsed ones included unless `live`."""
        found = self._read(view, "f.id = :id", {"id": id}, "f.id", 1, live=live)
        return found[0] if found else None

    def select(self, view: View, wanted: Filter, limit: int, offset: int = 0) -> list[Fact]:
        """Facts by entity, session and time, latest first; supersessions by the moment they were replaced."""
        where, params = conditions(wanted)
        # What was replaced later than that moment still held then.
        if wanted.superseded and view.as_of is not None:
            where += " and f.expired_at <= :v_now"
        order = "f.valid_from desc, f.id desc"
        # A session is read as it went on; whatever else is read by when it became so.
        if wanted.session is not None and wanted.entity_keys is None:
            order = "f.created_at desc, f.id desc"
        if wanted.superseded:
            order = "f.expired_at desc, f.id desc"
        return self._read(view, where, params, order, limit, live=wanted.live and not wanted.superseded, offset=offset)

    def search(self, view: View, match: Match, wanted: Filter, limit: int) -> list[tuple[Fact, float]]:
        """Facts whose text matches, best first, with the keyword score."""
        return list(islice(self.matching(view, match, wanted, limit), limit))

    def matching(self, view: View, match: Match, wanted: Filter, likely: int) -> Iterator[tuple[Fact, float]]:
        """As `search`, without an end, and read as they are asked for: `likely` so many at a time."""
        # The index knows neither views nor filters: hits are filtered afterwards, and more are fetched when few are
        # left.
        fetch, size, seen = max(200, likely * 4), min(likely, MOST_READ), set[int]()
        while True:
            found = self._texts.search(view, match, fetch)
            hits = [hit for hit in found if hit.id not in seen]
            for start in range(0, len(hits), size):
                some = hits[start : start + size]
                kept = {fact.id: fact for fact in self.chosen(view, [hit.id for hit in some], wanted)}
                yield from ((kept[hit.id], hit.score) for hit in some if hit.id in kept)
            if len(found) < fetch:
                return
            seen.update(hit.id for hit in hits)
            # The index gives no second page: it is asked again for more, and what was seen is passed over.
            fetch *= 4

    def chosen(self, view: View, ids: Sequence[int], wanted: Filter) -> list[Fact]:
        """The facts among these ids that pass a filter, by id; at most MOST_READ ids are asked for at a time."""
        where, params = conditions(wanted)
        condition, params = f"f.id = chosen.id and {where}", {**params, "ids": list(ids)}
        return self._read(view, condition, params, "f.id", max(1, len(ids)), live=wanted.live, table=_CHOSEN)

    def frequencies(self, view: View, units: Sequence[Terms]) -> Frequencies:
        """How many facts hold each unit, among those this reader may look into."""
        return self._texts.frequencies(view, units)

    def same(self, view: View, new: NewFact) -> Fact | None:
        """The live fact with the same normalised text about the same thing, as visible as the new one."""
        found = self._read(
            view,
            "f.source_id = :source and f.fingerprint = :print and f.entity_key = :key and f.visibility = :visibility",
            {"source": new.source_id, "print": new.fingerprint, "key": new.entity_key, "visibility": new.visibility},
            "f.id desc",
            1,
            live=True,
        )
        return found[0] if found else None

    def near(self, view: View, new: NewFact) -> list[Fact]:
        """Live facts about the same thing that the new claim could repeat or replace, likeliest first."""
        params = {"source": new.source_id, "key": new.entity_key, "visibility": new.visibility}
        where = "f.source_id = :source and f.entity_key = :key and f.visibility = :visibility"
        counted = self._engine.rows(
            f"select count(*) as n from (select 1 from facts f where {where} and {visibility.facts(view)} limit {FEW})"
            " as counted",
            {**visibility.params(view), **params},
        )[0]["n"]
        if counted <= NEAR_LIMIT:
            return self._read(view, where, params, "f.valid_from desc, f.id desc", NEAR_LIMIT, live=True)
        # Another value of an attribute may share one word only, but in thousands of facts one word is in too many.
        loosely = counted < FEW
        wanted = Filter(entity_keys=(new.entity_key,), visibility=new.visibility)
        match = _overlap(new, self._languages.of(new.source_id).indexed, loosely=loosely)
        found = self.search(view._replace(sources=(new.source_id,)), match, wanted, NEAR_LIMIT)
        return [fact for fact, _ in found]

    def newer(self, view: View, new: NewFact, than: int) -> Sequence[Fact]:
        """Live facts about the same thing written after the fact `than`: what a search before a transaction missed."""
        return self._read(
            view,
            "f.id > :than and f.source_id = :source and f.entity_key = :key and f.visibility = :visibility",
            {"than": than, "source": new.source_id, "key": new.entity_key, "visibility": new.visibility},
            "f.id",
            NEAR_LIMIT,
            live=True,
        )

    def id_before(self, since: str) -> int:
        """The highest id at a moment: every fact above it was saved later."""
        with self._engine.within(None):
            rows = self._engine.rows("select min(id) - 1 as id from facts where created_at > :since", {"since": since})
        return int(rows[0]["id"]) if rows[0]["id"] is not None else self.last_id()

    def last_id(self) -> int:
        """The highest id given out so far."""
        with self._engine.within(None):
            return int(self._engine.rows("select coalesce(max(id), 0) as id from facts")[0]["id"])

    def forgotten(self, new: NewFact) -> bool:
        """Whether a person or agent forgot this very claim and nobody has said it again since."""
        with self._engine.unveiled():
            found = self._engine.rows(
                # Whoever forgot it and whoever may see it: what is forgotten must not come back as somebody else's.
                "select f.expired_at, f.superseded_by from facts f where f.source_id = :source and f.fingerprint ="
                " :print and f.entity_key = :key order by f.id desc limit 1",
                {"source": new.source_id, "print": new.fingerprint, "key": new.entity_key},
            )
        return bool(found) and found[0]["expired_at"] is not None and found[0]["superseded_by"] is None

    def insert(self, new: NewFact, now: str, *, replaces: Sequence[int] = ()) -> int:
        """Add a fact and its index row; the facts it `replaces` end at the same moment. Returns the new id."""
        values = {**new._asdict(), "now": now}
        names = ", ".join(NewFact._fields)
        slots = ", ".join(":" + name for name in NewFact._fields)
        with self._engine.unveiled():
            added = self._engine.rows(
                f"insert into facts ({names}, created_at) values ({slots}, :now) returning id", values
            )
        id = int(added[0]["id"])
        # In the same transaction: a fact is found as soon as it is acknowledged.
        language = self._languages.of(new.source_id).written
        self._texts.put(new.source_id, id, _columns(values, language), private=new.visibility == "private")
        self._vectors.expect_first("fact", new.source_id, id, private=new.visibility == "private")
        if replaces:
            self.supersede(replaces, id, now)
        return id

    def supersede(self, ids: Sequence[int], by: int, now: str) -> None:
        """End live facts: the fact `by` holds in their place."""
        if ids:
            self._engine.rows(
                "update facts set expired_at = :now, expired_reason = 'superseded', superseded_by = :by, mirrored = 0"
                " where id in (:old) and expired_at is null",
                {"now": now, "by": by, "old": list(ids)},
            )

    def extend(self, id: int, valid_until: str | None) -> None:
        """Let a running fact hold longer, or (None) with no end."""
        self._engine.rows(
            "update facts set valid_until = :until, mirrored = 0 where id = :id", {"until": valid_until, "id": id}
        )

    def expire(self, view: View, id: int, reason: str | None) -> bool:
        """Forget a fact the reader may see: False when it had ended already. The row stays, for history, and its
        context says why."""
        told = f"forgotten: {reason}" if reason else "forgotten"
        return bool(
            self._engine.rows(
                "update facts set expired_at = :now, expired_reason = :reason, mirrored = 0, context = case"
                " when context is null then cast(:told as text) else context || ' | ' || cast(:told as text) end"
                " where id = :id and expired_at is null"
                " returning id",
                {"now": view.now, "reason": reason or "forgotten", "told": told, "id": id},
            )
        )

    def named(self, source: str, keys: Sequence[str]) -> bool:
        """Whether any fact of a source, whoever may read it, names something by one of these keys."""
        with self._engine.unveiled():
            return bool(
                self._engine.rows(
                    "select 1 as there from facts where source_id = :source and entity_key in (:keys)"
                    " and entity_slug is not null limit 1",
                    {"source": source, "keys": list(keys)},
                )
            )

    def adopt(self, source: str, slug: str, keys: Sequence[str], visibility: str) -> list[int]:
        """Tie facts of one visibility that named something without a page to the page that now bears exactly that
        name. Returns their ids, in order."""
        with self._engine.unveiled():
            rows = self._engine.rows(
                "update facts set entity_slug = :slug, entity_key = :slug, mirrored = 0 where source_id = :source"
                " and entity_key in (:keys)"
                " and entity_key <> :slug and entity_slug is not null and visibility = :visibility"
                f" returning {_INDEXED}",
                {"source": source, "slug": slug, "keys": list(keys), "visibility": visibility},
            )
        self._put_again(rows, anew=True)
        return sorted(row["id"] for row in rows)

    def index_again(self, ids: Sequence[int]) -> None:
        """Put these facts, as they are stored, into the text index once more."""
        self._put_again(self._engine.rows(f"select {_INDEXED} from facts where id in (:ids)", {"ids": list(ids)}))

    def _put_again(self, rows: Sequence[Row], *, anew: bool = False) -> None:
        written = self._languages.written({row["source_id"] for row in rows})
        self._texts.put_again(
            [
                (row["source_id"], row["id"], _columns(row, written[row["source_id"]]), row["visibility"] == "private")
                for row in rows
            ]
        )
        for row in rows:
            private = row["visibility"] == "private"
            self._vectors.expect("fact", row["source_id"], row["id"], private=private, anew=anew)

    def indexed(self, source: str, id: int, text: str) -> bool:
        """Whether the text index finds a fact by its words, whether it has ended or not."""
        match = any_of(text, "body")
        view = View((source,), True, "")
        return any(hit.id == id for hit in self._texts.search(view, match, 10_000)) if match.should else False

    def remove_words(self, id: int) -> None:
        """Take a fact out of the text index and of the vectors."""
        for row in self._engine.rows("select source_id from facts where id = :id", {"id": id}):
            self._texts.remove(row["source_id"], id)
        self._vectors.drop("fact", [id])

    def texts(self, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """What a model reads of these facts, whoever may see them: whom they are about, then the claim. See
        `Chunks.texts`."""
        found: dict[int, tuple[str, ...]] = {}
        for part in slices(ids):
            for row in self._engine.rows(f"select {_INDEXED} from facts where id in (:ids)", {"ids": part}):
                found[row["id"]] = (said_of(row["entity_name"], row["entity_slug"], row["fact"]),)
        return found

    def by_ids(self, view: View, ids: Sequence[int], *, live: bool = True) -> list[Fact]:
        """The facts among these that this reader may see, in the order of the ids."""
        found: dict[int, Fact] = {}
        for part in slices(ids):
            some = self._read(view, "f.id = chosen.id", {"ids": part}, "f.id", len(part), live=live, table=_CHOSEN)
            found.update({fact.id: fact for fact in some})
        return [found[id] for id in ids if id in found]

    def after_id(self, view: View, id: int, limit: int) -> list[Fact]:
        """Live facts with an id above `id`, in the order of their commits."""
        return self._read(view, "f.id > :after", {"after": id}, "f.id", limit, live=True)

    def after_time(self, view: View, since: str, limit: int) -> list[Fact]:
        """Live facts saved after a moment, oldest first."""
        return self._read(view, "f.created_at > :since", {"since": since}, "f.created_at, f.id", limit, live=True)

    def captured(self, view: View, consent: str, after: int, limit: int) -> list[Fact]:
        """Live facts saved under the consent of this id, with ids above `after`, in their order."""
        return self._read(
            view,
            "f.source_id in (:of) and f.consent in (:stamps) and f.id > :after",
            {"of": list(view.sources), "stamps": [f"{mode}:{consent}" for mode in ON], "after": after},
            "f.id",
            limit,
            live=True,
        )

    def recent(self, view: View, since: str, session: str | None, limit: int) -> list[Fact]:
        """Live facts of a session, or saved at or after a moment, newest first."""
        if session is not None:
            return self._read(
                view,
                "f.session = :session",
                {"session": session},
                "f.created_at desc, f.id desc",
                limit,
                live=True,
            )
        return self._read(
            view, "f.created_at >= :since", {"since": since}, "f.created_at desc, f.id desc", limit, live=True
        )

    def bearers(self, view: View, words: Sequence[str], most: int = 5) -> list[str]:
        """Entities whose name holds all of these words, as live facts name them: also those no page is of."""
        stemmed = stems(words, self._languages.asked(view.sources))
        if not stemmed:
            return []
        match = Match(must=tuple(Terms((stem,), "body") for stem in stemmed))
        found = self.search(view, match, Filter(), BEARERS_LOOKED_AT)
        slugs = dict.fromkeys(fact.entity_slug for fact, _ in found if fact.entity_slug)
        return [slug for slug in slugs if set(words) <= set(raw_terms(slug))][:most]

    def about(self, view: View, page: Page) -> Filter:
        """The live facts about a page that this reader may see, also those that other sources were told of its name.

        A private page takes over no facts that were told of its title, so these count too.
        """
        own = (page.slug, slugify(page.title) or page.slug) if page.private else (page.slug,)
        bare = self.bare_keys(view, page.source_id, page.slug, page.title)
        return Filter(entity_keys=tuple(dict.fromkeys((*own, *bare))), home=page.source_id, bare=bare)

    def bare_keys(self, view: View, source: str, slug: str, title: str) -> tuple[str, ...]:
        """See `about.bare_keys`."""
        return bare_keys(self._engine, view, source, slug, title)

    def count(self, view: View, wanted: Filter, most: int) -> int:
        """How many live facts pass a filter, counted up to `most`."""
        where, params = conditions(wanted)
        rows = self._engine.rows(
            f"select count(*) as n from (select 1 from facts f where {where} and {visibility.facts(view)} limit :most)"
            " as counted",
            {**visibility.params(view), **params, "most": most},
        )
        return int(rows[0]["n"])

    def totals(self, view: View) -> Row:
        """Counts of live, lapsed and ended facts this reader may see."""
        return self._engine.rows(
            "select count(*) as total,"
            f" count(*) filter (where {visibility.facts(view)}) as active,"
            " count(*) filter (where f.superseded_by is not null) as superseded,"
            " count(*) filter (where f.expired_at is null and f.valid_until is not null and f.valid_until <= :v_now)"
            " as lapsed"
            f" from facts f where {visibility.facts(view, live=False)}",
            visibility.params(view),
        )[0]

    def _read(
        self,
        view: View,
        where: str,
        params: Mapping[str, object],
        order: str,
        limit: int,
        *,
        live: bool,
        offset: int = 0,
        table: str = "facts f",
    ) -> list[Fact]:
        rows = self._engine.rows(
            f"select {_COLUMNS} from {table} where {where} and {visibility.facts(view, live=live)} order by {order}"
            " limit :limit offset :offset",
            {**visibility.params(view), **params, "limit": limit, "offset": offset},
        )
        # By position: building by name costs as much as the query, for a thousand facts.
        facts = [Fact._make(row.values()) for row in rows]
        if view.as_of is None:
            return facts
        return [_then(fact, view.as_of) for fact in facts if fact.fact != ERASED]


def _then(fact: Fact, moment: str) -> Fact:
    """A fact as it was known at a moment: nothing of an end that came after it."""
    if fact.expired_at is None or fact.expired_at <= moment:
        return fact
    # The context grows by a note at each end; those written after the moment are not known yet.
    notes = takewhile(lambda note: not note.startswith(_NOTED), (fact.context or "").split(" | "))
    return fact._replace(expired_at=None, superseded_by=None, context=" | ".join(notes) or None)


_NOTED = (
    "forgotten", "corrected", "moved from ", "held until then", "never so", "joined with fact ",
    "brought back as fact ", "taken back: ",
)  # fmt: skip
"""How the notes begin that an end leaves behind a fact's context."""


def said_of(name: str | None, slug: str | None, fact: str) -> str:
    """A claim as a model reads it: whom it is about comes first, unless it says so itself."""
    about = name or tail(slug or "").replace("-", " ")
    return fact if about.casefold() in fact.casefold() else f"{about}: {fact}"


def _columns(row: Mapping[str, Any], language: str) -> tuple[str, str]:
    """What the text index holds of a fact: the term of its entity, and those of its words."""
    text = f"{row['entity_name'] or row['entity_slug'] or ''} {row['fact']}"
    return entity_term(row["entity_key"]), index_terms(text, language)


def entity_term(entity_key: str) -> str:
    """The index term that stands for one entity: letters and digits only, so that no tokeniser splits it."""
    return "e" + entity_key.encode().hex() if entity_key else "e"


def _overlap(new: NewFact, spoken: Sequence[str], *, loosely: bool) -> Match:
    """Facts of the entity that share two of the claim's longest words; `loosely`, one of them is enough."""
    terms = dict.fromkeys(term for unit in query_terms(new.fact, spoken) for term in unit.terms)
    # Long words are rare ones, and six keep the query of pairs at fifteen.
    longest = sorted(terms, key=len, reverse=True)[:6]
    should = [Terms((term,), "body") for term in longest]
    if not loosely and len(longest) > 1:
        should = [Terms((a, b), "body") for at, a in enumerate(longest) for b in longest[at + 1 :]]
    return Match((Terms((entity_term(new.entity_key),), "entity"),), tuple(should))

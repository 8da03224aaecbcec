"""What became of a fact: its whole row, what it replaced, what replaced it, and facts that await comparison."""

from collections.abc import Sequence
from typing import NamedTuple

from gbrain.store import visibility
from gbrain.store.engine import Engine, Row, like
from gbrain.types import View

MOST = 10_000
"""How many facts one read brings at most."""
LONGEST = 200
"""How many facts of one chain are told."""


class Told(NamedTuple):
    """One fact with all that is kept about it."""

    id: int
    source_id: str
    fact: str
    kind: str
    entity_slug: str | None
    entity_name: str | None
    entity_key: str
    visibility: str
    notability: str
    valid_from: str
    valid_until: str | None
    expired_at: str | None
    expired_reason: str | None
    superseded_by: int | None
    provenance: str
    session: str | None
    context: str | None
    confidence: float
    created_at: str
    row_key: str | None
    dated: str | None
    metric: str | None
    value: float | None
    unit: str | None
    period: str | None
    made_by: str | None
    consent: str | None
    saved_by: str | None
    stated_until: str | None
    """The end that was stated before a person said until when it held, "" where none was; None where nobody did."""

    @property
    def promised(self) -> str | None:
        """The end that was stated when the fact was saved; None where none was."""
        return self.valid_until if self.stated_until is None else self.stated_until or None

    def holds(self, now: str) -> bool:
        """Whether the fact is live at a moment."""
        return self.expired_at is None and (self.valid_until is None or self.valid_until > now)


STATES = ("live", "lapsed", "replaced", "forgotten")


class Wanted(NamedTuple):
    """Which facts a list wants; every given condition must hold. `state` is one of STATES, `before` an id."""

    entity: tuple[str, ...] | None = None
    home: tuple[str, ...] | None = None
    """With `bare`: keys count in these sources, and in others only those that are `bare` too."""
    bare: tuple[str, ...] | None = None
    kind: str | None = None
    state: str | None = None
    origin: str | None = None
    saved_by: str | None = None
    consent: str | None = None
    visibility: str | None = None
    words: str | None = None
    before: int | None = None
    unreviewed: bool | None = None
    """Only what was taken out of turns and that nobody has looked at."""


_HOW = {
    "live": "f.expired_at is null and (f.valid_until is null or f.valid_until > :v_now)",
    "lapsed": "f.expired_at is null and f.valid_until <= :v_now",
    "replaced": "f.expired_at is not null and f.superseded_by is not null",
    "forgotten": "f.expired_at is not null and f.superseded_by is null",
}
_CONDITIONS = {
    "entity": "f.entity_key in (:entity)",
    "bare": "(f.source_id in (:home) or f.entity_key in (:bare))",
    "kind": "f.kind = :kind",
    "origin": "lower(f.provenance) like :origin escape '\\'",
    "saved_by": "f.saved_by = :saved_by",
    "consent": "f.consent like :consent escape '\\'",
    "visibility": "f.visibility = :visibility",
    "words": "lower(f.fact) like :words escape '\\'",
    "before": "f.id < :before",
    "unreviewed": "f.reviewed_at is null and f.provenance like :unreviewed",
}
_COLUMNS = ", ".join("f." + name for name in Told._fields)


class Stories:
    """Reads of the `facts` table that follow one claim through time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, view: View, id: int) -> Told | None:
        """A fact this reader may see, ended or not."""
        found = self._read(view, "f.id = :id", {"id": id})
        return found[0] if found else None

    def before(self, view: View, id: int) -> list[Told]:
        """The facts that this one replaced, and those that they replaced, the earliest first."""
        found: dict[int, Told] = {}
        ids = [id]
        while ids and len(found) < LONGEST:
            some = self._read(view, "f.superseded_by in (:by)", {"by": ids})
            ids = [fact.id for fact in some if fact.id not in found]
            found.update((fact.id, fact) for fact in some)
        return sorted(found.values(), key=lambda fact: fact.id)

    def after(self, view: View, first: Told) -> list[Told]:
        """The facts that replaced this one, one after the other; it ends before one that the reader may not see."""
        found: list[Told] = []
        at: Told | None = first
        while at is not None and at.superseded_by is not None and len(found) < LONGEST:
            at = self.get(view, at.superseded_by)
            if at is None or at.id == first.id or at in found:
                break
            found.append(at)
        return found

    def live(self, view: View, after: str, keys: int) -> list[Told]:
        """The live facts of the next so many entities with more than one, whose keys come after `after`: by key, the
        latest first, and at most one more than MOST: so it is seen whether that was all."""
        shown = visibility.facts(view)
        return self._read(
            view,
            f"{shown} and f.entity_key in (select f.entity_key from facts f where {shown} and f.entity_key > :after"
            " group by f.entity_key having count(*) > 1 order by f.entity_key limit :keys)",
            {"after": after, "keys": keys},
            order="f.entity_key, f.id desc",
            limit=MOST + 1,
        )

    def listed(self, view: View, wanted: Wanted, limit: int) -> list[Told]:
        """The facts that a list wants, the newest first."""
        given = {name: value for name, value in wanted._asdict().items() if value is not None and name != "state"}
        where = [_CONDITIONS[name] for name in given if name != "home"]
        given |= {name: list(given[name]) for name in ("entity", "home", "bare") if name in given}
        for name in ("origin", "words", "consent"):
            if name in given:
                given[name] = f"%{like(str(given[name]).lower())}%"
        if "unreviewed" in given:
            given["unreviewed"] = "hook:%"
        if wanted.state is not None:
            where.append(_HOW[wanted.state])
        return self._read(view, " and ".join(where) or "1 = 1", given, order="f.id desc", limit=limit)

    def latest(self, view: View, limit: int) -> list[Told]:
        """The facts saved last, the newest first."""
        return self._read(view, "1 = 1", {}, order="f.id desc", limit=limit)

    def ended(self, view: View, since: str, limit: int) -> list[Told]:
        """The facts that were ended after a moment, the latest first."""
        return self._read(
            view, "f.expired_at > :since", {"since": since}, order="f.expired_at desc, f.id desc", limit=limit
        )

    def lapsing(self, view: View, until: str, limit: int) -> list[Told]:
        """The live facts that run out before a moment, the first to do so first."""
        where = f"{visibility.facts(view)} and f.valid_until is not null and f.valid_until <= :until"
        return self._read(view, where, {"until": until}, order="f.valid_until, f.id", limit=limit)

    def saved(self, view: View, since: str, limit: int) -> list[Told]:
        """The facts saved after a moment, the newest first."""
        order = "f.created_at desc, f.id desc"
        return self._read(view, "f.created_at > :since", {"since": since}, order=order, limit=limit)

    def written(self, view: View, since: str, limit: int) -> list[Row]:
        """The versions of pages written after a moment, the newest first: source_id, slug, title, version,
        modified_at, modified_by, reason."""
        return self._engine.rows(
            "select p.source_id, p.slug, p.title, v.version, v.modified_at, v.modified_by, v.reason"
            " from pages p cross join page_versions v"
            " where v.page_id = p.id and v.modified_at > :since and p.last_modified > :since"
            f" and {visibility.pages()} order by v.modified_at desc, p.id limit :limit",
            {**visibility.params(view), "since": since, "limit": limit},
        )

    def days(self, view: View, since: str) -> list[tuple[str, int, int]]:
        """Day, facts saved and facts ended on it, for each day since a moment on which either was."""
        shown = visibility.facts(view, live=False)
        rows = self._engine.rows(
            "select day, sum(saved) as saved, sum(ended) as ended from ("
            "select substr(f.created_at, 1, 10) as day, 1 as saved, 0 as ended from facts f"
            f" where f.created_at > :since and {shown} union all"
            " select substr(f.expired_at, 1, 10) as day, 0 as saved, 1 as ended from facts f"
            f" where f.expired_at > :since and {shown}) as counted group by day order by day",
            {**visibility.params(view), "since": since},
        )
        return [(row["day"], int(row["saved"]), int(row["ended"])) for row in rows]

    def succeed(self, id: int, by: int, reason: str) -> None:
        """Note that the fact `by` holds in place of one that has ended; how it ended stays as it was."""
        self._engine.rows(
            "update facts set superseded_by = :by, context = case when context is null then cast(:reason as text)"
            " else context || ' | ' || cast(:reason as text) end, mirrored = 0 where id = :id",
            {"id": id, "by": by, "reason": reason},
        )

    def end_as(self, id: int, how: str, reason: str) -> None:
        """Say how a fact ended that has just been replaced, and why."""
        self._engine.rows("update facts set expired_reason = :how where id = :id", {"id": id, "how": how})
        self.note(id, reason)

    def reviewed(self, ids: Sequence[int], now: str) -> int:
        """Note that a person has looked at these facts and lets them stand; how many were not looked at before."""
        rows = self._engine.rows(
            "update facts set reviewed_at = :now where id in (:ids) and reviewed_at is null and expired_at is null"
            " returning id",
            {"ids": list(ids), "now": now},
        )
        return len(rows)

    def note(self, id: int, reason: str) -> None:
        """Add a reason to what is told about a fact."""
        self._engine.rows(
            "update facts set context = case when context is null then cast(:reason as text)"
            " else context || ' | ' || cast(:reason as text) end where id = :id",
            {"id": id, "reason": reason},
        )

    def held_until(self, id: int, until: str) -> None:
        """Say until when a fact held; the end that was stated before stays in `stated_until`."""
        self._engine.rows(
            "update facts set stated_until = coalesce(stated_until, valid_until, ''), valid_until = :until,"
            " mirrored = 0 where id = :id",
            {"id": id, "until": until},
        )

    def _read(
        self, view: View, where: str, params: dict[str, object], order: str = "f.id", limit: int = MOST
    ) -> list[Told]:
        rows: Sequence[dict[str, object]] = self._engine.rows(
            f"select {_COLUMNS} from facts f where {where} and {visibility.facts(view, live=False)} order by {order}"
            " limit :limit",
            {**visibility.params(view), **params, "limit": limit},
        )
        return [Told(**row) for row in rows]  # type: ignore[arg-type]

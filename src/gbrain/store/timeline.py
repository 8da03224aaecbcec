"""The timeline: dated evidence about a page."""

from collections.abc import Iterable, Mapping, Sequence

from gbrain.store import visibility
from gbrain.store.engine import Engine, Row
from gbrain.store.fitting import fitting
from gbrain.store.lists import slices
from gbrain.types import ALL_PAGES, PageFilter, TimelineEntry, View

BY_HAND, TEXT = "hand", "text"
"""What made an entry: somebody who added it, or the text of its page."""

_THEN = f" and t.origin = '{BY_HAND}' and t.created_at <= :v_now"
_COLUMNS = "t.id, t.page_id, t.date, t.summary, t.source, t.detail, t.created_at"


class Timeline:
    """The `timeline` table: dated entries of pages, those of their texts and those that were added beside them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self,
        source_id: str,
        page_id: int,
        date: str,
        summary: str,
        source: str | None,
        detail: str | None,
        now: str,
    ) -> TimelineEntry | None:
        """Add an entry; None when the page has the same one already, which then outlives the text it is from."""
        same = self._engine.rows(
            "update timeline set origin = :origin where page_id = :page and date = :date and summary = :summary"
            " returning id",
            {"page": page_id, "date": date, "summary": summary, "origin": BY_HAND},
        )
        if same:
            return None
        row = self._engine.rows(
            "insert into timeline (source_id, page_id, date, summary, source, detail, origin, created_at)"
            " values (:source_id, :page, :date, :summary, :source, :detail, :origin, :now)"
            " returning id, page_id, date, summary, source, detail, created_at",
            {
                "source_id": source_id,
                "page": page_id,
                "date": date,
                "summary": summary,
                "source": source,
                "detail": detail,
                "origin": BY_HAND,
                "now": now,
            },
        )[0]
        return TimelineEntry(**row)

    def follow(
        self, source_id: str, wanted: Mapping[int, Iterable[tuple[str, str, str, str]]], now: str
    ) -> dict[int, tuple[int, int]]:
        """Make the entries that the texts of these pages own those (date, source, summary, detail): how many came, and
        went, for each page.

        Entries that somebody added stay, and what they say is not said twice.
        """
        held: dict[int, list[Row]] = {page: [] for page in wanted}
        for part in slices(wanted):
            for row in self._engine.rows(
                "select id, page_id, date, summary, source, detail, origin from timeline where page_id in (:pages)",
                {"pages": part},
            ):
                held[row["page_id"]].append(row)
        new: list[Row] = []
        gone: list[int] = []
        told: dict[int, tuple[int, int]] = {}
        for page, entries in wanted.items():
            came, went = _changed(held[page], entries)
            new += [{**row, "source_id": source_id, "page": page, "origin": TEXT, "now": now} for row in came]
            gone += went
            told[page] = len(came), len(went)
        for part in slices(gone):
            self._engine.rows("delete from timeline where id in (:ids)", {"ids": part})
        self._engine.many(
            "insert into timeline (source_id, page_id, date, summary, source, detail, origin, created_at)"
            " values (:source_id, :page, :date, :summary, :source, :detail, :origin, :now)",
            new,
        )
        return told

    def of(
        self,
        view: View,
        page_id: int,
        *,
        since: str | None = None,
        until: str | None = None,
        limit: int = 100,
    ) -> list[TimelineEntry]:
        """The entries of a visible page, newest first.

        `since` and `until` are dates of any precision, both included: a month takes in its days, and an entry known to
        the month counts for every day of it. Of an earlier moment only what had been added by hand is told: the other
        entries are in the text of then.
        """
        found = self._engine.rows(
            f"select {_COLUMNS} from timeline t join pages p on p.id = t.page_id"
            f" where t.page_id = :page and {visibility.pages()}"
            " and (cast(:since as text) is null or t.date >= :since or t.date in (:since_year, :since_month))"
            " and (cast(:until as text) is null or t.date <= :until)"
            f"{_THEN if view.as_of else ''}"
            " order by t.date desc, t.id desc limit :limit",
            {
                **visibility.params(view),
                "page": page_id,
                "since": since,
                "since_year": since[:4] if since else None,
                "since_month": since[:7] if since else None,
                # `~` lies behind every character of a date: `2031-03` takes in all of its days.
                "until": f"{until}~" if until else None,
                "limit": limit,
            },
        )
        return [TimelineEntry(**row) for row in found]

    def pages(
        self, view: View, first: str, last: str, limit: int, only: PageFilter = ALL_PAGES
    ) -> list[tuple[int, str, str]]:
        """(id, date, summary of an entry or empty) of visible pages of a time, the latest first, each once.

        A page is of it by its own date, where it states one, or by an entry. `first` and `last` are dates of any
        precision, both included. At most `limit` pages of each source come by either.
        """
        passes, wanted = fitting(only)
        seen = f"{visibility.pages()}{passes}"
        params = {**visibility.params(view), **wanted, "first": first, "last": f"{last}~", "limit": limit}
        added = f" and (t.origin <> '{BY_HAND}' or t.created_at <= :v_now)" if view.as_of else ""
        found: list[Row] = []
        # A source at a time, since then an index gives the rows in order and the rest is not read.
        for source in view.sources:
            found += self._engine.rows(
                "select p.id, p.effective_date as date, '' as entry from pages p where p.source_id = :source"
                " and p.effective_date_source <> 'fallback' and p.effective_date >= :first"
                f" and p.effective_date <= :last and {seen} order by p.effective_date desc, p.id desc limit :limit",
                {**params, "source": source},
            )
            found += self._engine.rows(
                "select p.id, t.date, t.summary as entry from timeline t cross join pages p"
                " where t.source_id = :source and t.date >= :first and t.date <= :last and p.id = t.page_id"
                f"{added} and {seen} order by t.date desc, t.id desc limit :limit",
                {**params, "source": source},
            )
        # A page's own date goes before an entry of the same day.
        found.sort(key=lambda row: (row["date"], not row["entry"]), reverse=True)
        once: dict[int, tuple[int, str, str]] = {}
        for row in found:
            once.setdefault(row["id"], (row["id"], row["date"], row["entry"]))
        return list(once.values())[:limit]

    def count(self, view: View) -> int:
        """How many entries the reader may see."""
        found = self._engine.rows(
            f"select count(*) as n from timeline t join pages p on p.id = t.page_id where {visibility.pages()}",
            visibility.params(view),
        )
        return int(found[0]["n"])


def _changed(held: Sequence[Row], wanted: Iterable[tuple[str, str, str, str]]) -> tuple[list[Row], list[int]]:
    """The entries that a text asks for and its page has not, and the ids of those the text asks for no more."""
    by_hand = {(row["date"], row["summary"]) for row in held if row["origin"] == BY_HAND}
    asked = {
        (date, summary): (source or None, detail or None)
        for date, source, summary, detail in wanted
        if (date, summary) not in by_hand
    }
    kept = {
        key
        for row in held
        if row["origin"] == TEXT and asked.get(key := (row["date"], row["summary"])) == (row["source"], row["detail"])
    }
    new = [
        {"date": date, "summary": summary, "source": source, "detail": detail}
        for (date, summary), (source, detail) in asked.items()
        if (date, summary) not in kept
    ]
    return new, [row["id"] for row in held if row["origin"] == TEXT and (row["date"], row["summary"]) not in kept]

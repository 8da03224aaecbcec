"""References: what the texts of pages point at, resolved or not, so that a page that appears finds who waits for it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gbrain.store import visibility
from gbrain.store.engine import Engine, Row
from gbrain.store.lists import slices
from gbrain.types import Candidate, View


class Ref(NamedTuple):
    """One reference of a page's text or front matter (`field`), and the page it leads to now, if any.

    `wanted_source`, `slug`, `near` and `name` are the keys of `domain.references.Aim`; `hints` the folders, separated
    by spaces, where a name of this field is looked for first. `link_type` is the type the words give the link,
    `reversed` 1 where the link leads from the other page to this one, `date` when it ended or began, if that is said.
    """

    field: str | None
    written: str
    wanted_source: str
    slug: str
    near: str
    name: str
    hints: str
    listed: int
    link_type: str
    reversed: int
    context: str | None
    date: str | None
    to_id: int | None


READ_AT_ONCE = 5_000
"""So many rows are fetched at once: as rows they take three times the room of references."""

_COLUMNS = ", ".join(Ref._fields)
# Most are written as the slug they lead to, which is not kept twice.
_WRITTEN = "coalesce(r.written, r.slug) as written"
_READ = ", ".join(_WRITTEN if name == "written" else f"r.{name}" for name in Ref._fields)
_OPEN = (
    # What another source has is told to its operator alone, also that there is no such source.
    "r.listed = 1 and (r.wanted_source in (:v_sources) or (:v_private = 1 and r.to_id is null))"
    " and (r.to_id is null or not exists (select 1 from pages q where q.id = r.to_id and {target}))"
)
_ELSEWHERE = "(r.to_id is null or r.to_id <> {id})"


class Refs:
    """The `refs` table: what the texts of pages refer to, whether or not it leads anywhere yet."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, page_ids: Iterable[int]) -> dict[int, list[Ref]]:
        """The references of each of these pages that has any, in the order they were read in."""
        found: dict[int, list[Ref]] = {}
        for part in slices(page_ids):
            page, place = -1, -1
            while True:
                rows = self._engine.rows(
                    f"select r.page_id, r.place, {_READ} from refs r where r.page_id in (:pages)"
                    " and (r.page_id, r.place) > (:page, :place) order by r.page_id, r.place limit :most",
                    {"pages": part, "page": page, "place": place, "most": READ_AT_ONCE},
                )
                for row in rows:
                    page, place = row.pop("page_id"), row.pop("place")
                    found.setdefault(page, []).append(Ref(**row))
                if len(rows) < READ_AT_ONCE:
                    break
        return found

    def origins(self, page_ids: Iterable[int]) -> dict[int, tuple[str, bool]]:
        """The type of each of these pages, and whether it is private."""
        found: dict[int, tuple[str, bool]] = {}
        for part in slices(page_ids):
            rows = self._engine.rows("select id, type, private from pages where id in (:ids)", {"ids": part})
            found.update({row["id"]: (row["type"], bool(row["private"])) for row in rows})
        return found

    def replace(self, source: str, wanted: Mapping[int, Sequence[Ref]]) -> None:
        """Make the references of each of these pages of a source exactly those."""
        # Compared first: most writes of a page change none of its references.
        held = self.of(wanted)
        changed = [page for page, refs in wanted.items() if held.get(page, []) != list(refs)]
        for part in slices(page for page in changed if page in held):
            self._engine.rows("delete from refs where page_id in (:pages)", {"pages": part})
        slots = ", ".join(f":{name}" for name in Ref._fields)
        self._engine.many(
            f"insert into refs (source_id, page_id, place, {_COLUMNS}) values (:source, :page, :place, {slots})",
            (
                {
                    **ref._asdict(),
                    "written": None if ref.written == ref.slug else ref.written,
                    "source": source,
                    "page": page,
                    "place": place,
                }
                for page in changed
                for place, ref in enumerate(wanted[page])
            ),
        )

    def settle(self, page_id: int, targets: Iterable[tuple[int, int | None]]) -> None:
        """Note where references of a page lead to now: (place, page id or None)."""
        self._engine.many(
            "update refs set to_id = :to where page_id = :page and place = :place",
            [{"page": page_id, "place": place, "to": to} for place, to in targets],
        )

    def candidates(self, slugs: Iterable[str], names: Iterable[str]) -> list[Candidate]:
        """Every page of one of these slugs, and every living one whose slug ends so or that bears such an alias.

        A renamed page is there under the slug it had as well. Of all sources, and private ones too: whoever resolves a
        reference has to know them all.
        """
        found: list[Candidate] = []
        columns = "p.id, p.source_id, p.slug, p.tail, p.type, p.private"
        for part in slices(dict.fromkeys(slugs)):
            rows = self._engine.rows(
                f"select {columns}, '' as alias from pages p where p.source_id in (select id from sources)"
                " and p.slug in (:slugs)",
                {"slugs": part},
            )
            rows += self._engine.rows(
                "select p.id, m.source_id, m.slug, '' as tail, p.type, p.private, '' as alias from former_slugs m"
                " join pages p on p.id = m.page_id where m.source_id in (select id from sources)"
                " and m.slug in (:slugs) and p.deleted_at is null",
                {"slugs": part},
            )
            tails = [slug for slug in part if "/" not in slug]
            if tails:
                rows += self._engine.rows(
                    f"select {columns}, '' as alias from pages p where p.source_id in (select id from sources)"
                    " and p.tail in (:tails) and p.deleted_at is null",
                    {"tails": tails},
                )
            found += [Candidate(**row) for row in rows]
        for part in slices(dict.fromkeys(names)):
            rows = self._engine.rows(
                f"select {columns}, a.alias_key as alias from aliases a join pages p on p.id = a.page_id"
                " where a.source_id in (select id from sources) and a.alias_key in (:names) and p.deleted_at is null",
                {"names": part},
            )
            found += [Candidate(**row) for row in rows]
        return list(dict.fromkeys(found))

    def concerned(self, page_ids: Sequence[int], most: int) -> list[Row]:
        """The pages (id, source) with references that names of one of these pages may decide, or decided before."""
        arms = (
            ("pages p", "p.id", "r.slug in (p.slug, p.tail)", _ELSEWHERE),
            ("former_slugs p", "p.page_id", "r.slug = p.slug", _ELSEWHERE),
            ("former_slugs p", "p.page_id", "r.near = p.slug and r.near <> ''", _ELSEWHERE),
            ("pages p", "p.id", "r.near in (p.slug, p.tail) and r.near <> ''", _ELSEWHERE),
            ("aliases p", "p.page_id", "r.name = p.alias_key and r.name <> ''", _ELSEWHERE),
            ("pages p", "p.id", "r.to_id = p.id", "(r.name <> '' or (r.slug <> p.slug and r.near <> p.slug))"),
        )
        # Six look-ups by index; joined into one condition they become a walk through all references.
        found = " union all ".join(
            f"select r.page_id as id, r.source_id from {names} cross join refs r where {id} in (:ids) and {key}"
            f" and r.page_id <> {id} and {more.format(id=id)}"
            for names, id, key, more in arms
        )
        return self._engine.rows(
            f"select distinct id, source_id from ({found}) as decided order by id limit :most",
            {"ids": list(page_ids), "most": most},
        )

    def unresolved(self, view: View, page_id: int | None, limit: int, offset: int) -> list[Row]:
        """References of visible pages that lead to no page this reader sees: origin, field, and what is written."""
        target = visibility.pages().replace("p.", "q.")
        return self._engine.rows(
            f"select p.slug as origin, p.source_id, r.field, {_WRITTEN}, r.wanted_source, r.slug, r.near, r.name,"
            " r.hints, r.context from refs r join pages p on p.id = r.page_id"
            f" where {visibility.pages()} and {_OPEN.format(target=target)}"
            " and (cast(:page as bigint) is null or r.page_id = :page)"
            " order by p.source_id, p.slug, r.place limit :limit offset :offset",
            {**visibility.params(view), "page": page_id, "limit": limit, "offset": offset},
        )

    def visible(self, view: View, candidates: Sequence[Candidate]) -> set[int]:
        """The ids of those candidates whose pages this reader sees."""
        found: set[int] = set()
        for part in slices({candidate.id for candidate in candidates}):
            rows = self._engine.rows(
                f"select p.id from pages p where p.id in (:ids) and {visibility.pages()}",
                {**visibility.params(view), "ids": part},
            )
            found.update(row["id"] for row in rows)
        return found

    def unwired(self, sources: Sequence[str], limit: int) -> list[Row]:
        """Pages (id, source) whose links and timeline wait to be made from the text, oldest first.

        Those with `read` 1 need no more than their references looked at again.
        """
        return self._engine.rows(
            "select id, source_id, case when wired = -version then 1 else 0 end as read from pages"
            " where wired < version and deleted_at is null and source_id in (:sources) order by changed limit :limit",
            {"sources": list(sources), "limit": limit},
        )

    def count_unwired(self, sources: Sequence[str]) -> int:
        """How many such pages there are."""
        rows = self._engine.rows(
            "select count(*) as n from pages where wired < version and deleted_at is null and source_id in (:sources)",
            {"sources": list(sources)},
        )
        return int(rows[0]["n"])

    def mark_wired(self, page_ids: Iterable[int]) -> None:
        """Note that links and timeline follow from the texts of these pages as they are now."""
        for part in slices(page_ids):
            self._engine.rows("update pages set wired = version where id in (:ids)", {"ids": part})

    def mark_unwired(self, page_ids: Iterable[int]) -> None:
        """Note that the references of these pages have to be looked at again, but their texts not read."""
        for part in slices(page_ids):
            self._engine.rows("update pages set wired = -version where id in (:ids) and wired = version", {"ids": part})

    def count_pages(self, sources: Sequence[str]) -> int:
        """How many living pages there are."""
        rows = self._engine.rows(
            "select count(*) as n from pages where deleted_at is null and source_id in (:sources)",
            {"sources": list(sources)},
        )
        return int(rows[0]["n"])

    def after(self, sources: Sequence[str], after: int, limit: int) -> list[Row]:
        """The living pages (id, source) with ids above `after`, in their order."""
        return self._engine.rows(
            "select id, source_id from pages where id > :after and deleted_at is null and source_id in (:sources)"
            " order by id limit :limit",
            {"sources": list(sources), "after": after, "limit": limit},
        )

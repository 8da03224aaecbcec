"""What a brain is taken away as, and brought back from: whole rows, in the order in which they were made."""

from collections.abc import Iterator, Sequence
from typing import Any

from gbrain.store.engine import Engine, Row
from gbrain.store.facts import Facts, NewFact
from gbrain.store.former_slugs import FormerSlugs
from gbrain.store.links import FRONTMATTER, MARKDOWN, RESOLVED
from gbrain.store.lists import slices
from gbrain.store.tags import BY_HAND

BATCH = 200
IMPORTED = "import"
"""The reason that stands on a version an import has made."""
_FACT = (
    "f.id, f.fact, f.kind, f.entity_slug, f.entity_name, f.entity_key, f.visibility, f.notability, f.valid_from,"
    " f.valid_until, f.expired_at, f.expired_reason, f.superseded_by, f.provenance, f.session, f.context, f.confidence,"
    " f.created_at, f.row_key, f.dated, f.metric, f.value, f.unit, f.period, f.made_by, f.consent, f.saved_by,"
    " f.stated_until"
)


class Portable:
    """Rows of one source, for an export and from one."""

    def __init__(self, engine: Engine, facts: Facts) -> None:
        self._engine = engine
        self._facts = facts

    def page_ids(self, source: str, *, private: bool) -> Iterator[list[int]]:
        """The ids of the pages that are not deleted, in batches; world pages alone unless `private`."""
        after = 0
        while True:
            rows = self._engine.rows(
                "select p.id from pages p where p.source_id = :source and p.id > :after and p.deleted_at is null"
                " and (p.private = 0 or :private = 1) order by p.id limit :most",
                {"source": source, "after": after, "private": int(private), "most": BATCH},
            )
            if not rows:
                return
            after = rows[-1]["id"]
            yield [row["id"] for row in rows]

    def by_hand(self, page_ids: Sequence[int], *, private: bool) -> dict[int, dict[str, list[Any]]]:
        """What is on pages and not in their texts: `tags`, `timeline` entries, `links` to pages of the source, and the
        slugs they had (`former`)."""
        former = FormerSlugs(self._engine).of(page_ids)
        found: dict[int, dict[str, list[Any]]] = {
            id: {"tags": [], "timeline": [], "links": [], "former": list(former.get(id, ()))} for id in page_ids
        }
        for ids in slices(page_ids):
            for row in self._engine.rows(
                "select page_id, tag from tags where page_id in (:ids) and origin = :hand order by page_id, tag",
                {"ids": ids, "hand": BY_HAND},
            ):
                found[row["page_id"]]["tags"].append(row["tag"])
            for row in self._engine.rows(
                "select page_id, date, summary, source, detail from timeline where page_id in (:ids) and origin = :hand"
                " order by page_id, date, id",
                {"ids": ids, "hand": BY_HAND},
            ):
                found[row.pop("page_id")]["timeline"].append(row)
            for row in self._engine.rows(
                "select l.from_id, q.slug as target, l.link_type, l.link_source, l.context from links l join pages q on"
                " q.id = l.to_id and q.source_id = l.source_id where l.from_id in (:ids) and l.link_source not in"
                " (:managed) and q.deleted_at is null and (q.private = 0 or :private = 1) order by l.from_id, l.id",
                {"ids": ids, "managed": [MARKDOWN, FRONTMATTER, RESOLVED], "private": int(private)},
            ):
                found[row.pop("from_id")]["links"].append(row)
        return found

    def versions(self, page_ids: Sequence[int], *, private: bool) -> list[Row]:
        """Every version of pages, oldest first, each beside its page's `slug`; world versions alone unless `private`.

        The current one comes without `content`, which is the page's own.
        """
        return [
            row
            for ids in slices(page_ids)
            for row in self._engine.rows(
                "select p.slug, v.version, case when v.version = p.version then null else v.content end as content,"
                " v.body_start, v.private, v.content_hash, v.modified_at, v.modified_by, v.reason"
                " from page_versions v join pages p on p.id = v.page_id and p.source_id = v.source_id"
                " where p.id in (:ids) and (v.private = 0 or :private = 1) order by p.id, v.version",
                {"ids": ids, "private": int(private)},
            )
        ]

    def put_versions(self, source: str, slug: str, beside: Row, versions: Sequence[Row]) -> None:
        """Give a page that an import has just made its number, its times and its older versions back.

        Nothing is done to a page with a history, or another text, of its own. `beside` has `created_at`,
        `last_modified` and `modified_by`.
        """
        last = versions[-1]
        with self._engine.transaction(), self._engine.unveiled():
            held = self._engine.rows(
                "select p.id from pages p join page_versions v on v.page_id = p.id and v.version = p.version"
                " where p.source_id = :source and p.slug = :slug and p.version = 1 and v.reason = :reason"
                " and p.content_hash = :hash and p.deleted_at is null",
                {"source": source, "slug": slug, "reason": IMPORTED, "hash": last["content_hash"]},
            )
            if not held:
                return
            id = held[0]["id"]
            self._engine.rows(
                "update page_versions set version = :version, modified_at = :modified_at, modified_by = :modified_by,"
                " reason = :reason where page_id = :id and version = 1",
                {"id": id, **{name: last[name] for name in ("version", "modified_at", "modified_by", "reason")}},
            )
            self._engine.rows(
                "update pages set wired = case when wired < version then wired else :version end, version = :version,"
                " created_at = :created_at, last_modified = :last_modified, modified_by = :modified_by, effective_date"
                " = case when effective_date_source = 'fallback' then :day else effective_date end where id = :id",
                {
                    "id": id,
                    "version": last["version"],
                    "day": beside["created_at"][:10],
                    **{name: beside[name] for name in ("created_at", "last_modified", "modified_by")},
                },
            )
            for row in versions[:-1]:
                self._engine.rows(
                    "insert into page_versions (source_id, page_id, version, content, body_start, private,"
                    " content_hash, modified_at, modified_by, reason) values (:source, :page, :version, :content,"
                    " :body_start, :private, :content_hash, :modified_at, :modified_by, :reason)",
                    {**row, "source": source, "page": id},
                )

    def facts(self, source: str, *, private: bool) -> Iterator[list[Row]]:
        """Every fact of a source, ended ones included, in batches; world facts alone unless `private`."""
        after = 0
        while True:
            rows = self._engine.rows(
                f"select {_FACT} from facts f where f.source_id = :source and f.id > :after"
                " and (f.visibility = 'world' or :private = 1) order by f.id limit :most",
                {"source": source, "after": after, "private": int(private), "most": BATCH},
            )
            if not rows:
                return
            after = rows[-1]["id"]
            yield rows

    def held_fact(self, new: NewFact, made: str) -> int | None:
        """The id of the fact of this text, subject and moment of making, None when it is not there."""
        held = self._engine.rows(
            "select f.id from facts f where f.source_id = :source and f.fingerprint = :print and f.entity_key = :key"
            " and f.visibility = :visibility and f.created_at = :made limit 1",
            {
                "source": new.source_id,
                "print": new.fingerprint,
                "key": new.entity_key,
                "visibility": new.visibility,
                "made": made,
            },
        )
        return held[0]["id"] if held else None

    def put_fact(self, new: NewFact, row: Row) -> tuple[int, bool]:
        """Bring a fact back as it was made and ended: its id here, and whether it was new. `superseded_by` is left."""
        held = self.held_fact(new, row["created_at"])
        if held is not None:
            return held, False
        id = self._facts.insert(new, row["created_at"])
        if row.get("row_key"):
            self._engine.rows("update facts set row_key = :key where id = :id", {"key": row["row_key"], "id": id})
        if row.get("stated_until") is not None:
            self._engine.rows(
                "update facts set stated_until = :until where id = :id", {"until": row["stated_until"], "id": id}
            )
        if row["expired_at"] is not None:
            self._engine.rows(
                "update facts set expired_at = :ended, expired_reason = :reason where id = :id",
                {"ended": row["expired_at"], "reason": row["expired_reason"], "id": id},
            )
        return id, True

    def set_successor(self, id: int, by: int) -> None:
        """Say which fact came in the place of an ended one."""
        self._engine.rows("update facts set superseded_by = :by where id = :id", {"by": by, "id": id})

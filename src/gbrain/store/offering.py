"""What offers ask the store: who bears a name, and what to know of a page. One statement each, by index.

It reads through anything that runs a statement: an engine, or a bare read-only connection (`store/glance.py`), so it
imports nothing that a hook may not.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from gbrain.domain.offers.callings import FORMS, key_number
from gbrain.domain.offers.choosing import Bearer
from gbrain.domain.offers.core import Detail
from gbrain.store import visibility
from gbrain.store.about import PAGELESS, UNWRITTEN, Rows, bare_keys, called
from gbrain.view import View

AT_ONCE = 400
"""So many names are asked for in one statement."""
MOST_ROWS = 2_000
"""Of names that very many pages bear not all are fetched: such a name means none of them."""
SUREST = 0.6
"""Less sure facts are not offered."""
_NOBODY = ("user", "unknown")
_UNSPACED = "\u2e80"
_FOLDERS = {"people/": "person", "companies/": "company", "projects/": "project", "deals/": "deal"}
"""Where agents put what they name by a slug, and what it is then."""


class Offering:
    """What one reader may be offered; `view.sources` begins with the source of the project."""

    def __init__(self, engine: Rows, view: View) -> None:
        self._engine = engine
        self._view = view
        self._rank = {source: place for place, source in enumerate(view.sources)}

    def named(self, keys: Iterable[str]) -> list[Bearer]:
        """See `domain.offers.choosing.Names.named`: pages, and entities that only facts are about."""
        asked = list(keys)
        found: list[Bearer] = []
        for start in range(0, len(asked), AT_ONCE):
            some = asked[start : start + AT_ONCE]
            found += self._pages([key for key in some if "/" not in key])
            found += self._slugs([key for key in some if "/" in key])
            found += self._unwritten(some)
        return found

    def heard(self, words: Iterable[str]) -> set[str]:
        """See `domain.offers.choosing.Names.heard`."""
        asked = sorted(words)
        found: set[str] = set()
        for start in range(0, len(asked), AT_ONCE):
            rows = self._engine.rows(
                "select word from name_words where source_id in (:sources) and word in (:words)",
                {"sources": list(self._view.sources), "words": asked[start : start + AT_ONCE]},
            )
            found.update(row["word"] for row in rows)
        return found

    def details(self, bearers: Sequence[Bearer], most: int) -> dict[tuple[str, str], list[Detail]]:
        """See `domain.offers.core.Lookup.details`."""
        told: dict[tuple[str, str], list[Detail]] = {}
        for bearer in bearers:
            view = self._view
            bare = () if bearer.form == "facts" else bare_keys(self._engine, view, *bearer.place, bearer.title)
            rows = self._engine.rows(
                "select f.fact, f.kind, f.valid_from, f.valid_until, f.dated from facts f where f.entity_key in (:keys)"
                " and (f.source_id = :home or f.entity_key in (:bare))"
                f" and f.confidence >= :surest and {visibility.facts(view)}"
                " order by case when f.kind = 'commitment' then 0 else 1 end, f.confidence desc, f.valid_from desc,"
                " f.id desc limit :most",
                {
                    **visibility.params(view),
                    "keys": [bearer.slug, *bare],
                    "home": bearer.source_id,
                    "bare": list(bare),
                    "surest": SUREST,
                    "most": most,
                },
            )
            told[bearer.place] = [
                Detail(
                    row["kind"], row["fact"], row["dated"] or (row["valid_from"] if row["kind"] == "commitment" else "")
                )
                for row in rows
            ]
        return told

    def _pages(self, keys: Sequence[str]) -> list[Bearer]:
        numbers = {key_number(key): key for key in keys}
        rows = self._engine.rows(
            "select c.name, c.form, p.source_id, p.slug, p.title, p.type, p.summary from callings c"
            " join pages p on p.id = c.page_id"
            f" where c.source_id in (:v_sources) and c.name in (:names) and {visibility.pages()} limit {MOST_ROWS}",
            {**visibility.params(self._view), "names": list(numbers)},
        )
        return [self._bearer(row, numbers[row["name"]], FORMS[row["form"]]) for row in rows]

    def _slugs(self, slugs: Sequence[str]) -> list[Bearer]:
        rows = (
            self._engine.rows(
                "select p.source_id, p.slug, p.title, p.type, p.summary from pages p"
                f" where p.slug in (:slugs) and {visibility.pages()} limit {MOST_ROWS}",
                {**visibility.params(self._view), "slugs": list(slugs)},
            )
            if slugs
            else []
        )
        return [self._bearer(row, row["slug"], "slug") for row in rows]

    def _unwritten(self, keys: Sequence[str]) -> list[Bearer]:
        """Entities that facts are about and no page is of."""
        slugs: dict[str, list[str]] = {}
        for key in keys:
            tail = key.replace(" ", "-")
            slugs.setdefault(tail, []).append(key)
            # Text in a script without spaces has very many stretches, and slugs in folders are seldom in one.
            if "/" not in tail and tail < _UNSPACED:
                for folder in _FOLDERS:
                    slugs.setdefault(folder + tail, []).append(key)
        asked = [slug for slug in slugs if slug not in _NOBODY]
        # From the index alone: of what has a page there may be thousands of facts, which need not be looked at.
        alone = self._engine.rows(
            "select f.entity_key as slug from (select distinct k.source_id, k.entity_key from facts k"
            f" where k.source_id in (:v_sources) and k.entity_key in (:slugs)) f where {PAGELESS}",
            {**visibility.params(self._view), "slugs": asked},
        )
        if not alone:
            return []
        rows = self._engine.rows(
            "select f.source_id, f.entity_key as slug, max(f.entity_name) as title from facts f"
            f" where f.entity_key in (:slugs) and f.entity_slug is not null and {PAGELESS}"
            f" and {visibility.facts(self._view)}"
            f" group by f.source_id, f.entity_key limit {MOST_ROWS}",
            {**visibility.params(self._view), "slugs": list({row["slug"] for row in alone})},
        )
        return [
            self._bearer(
                {**row, "title": called(row["title"], row["slug"]), "type": _type(row["slug"]), "summary": ""},
                key,
                "slug" if "/" in key else "facts",
            )
            for row in rows
            for key in slugs[row["slug"]]
        ]

    def _bearer(self, row: dict[str, Any], key: str, form: str) -> Bearer:
        return Bearer(
            row["source_id"],
            row["slug"],
            row["title"],
            row["type"],
            row["summary"],
            key,
            form,
            self._rank[row["source_id"]],
        )


def _type(slug: str) -> str:
    return _FOLDERS.get(slug[: slug.find("/") + 1], UNWRITTEN)

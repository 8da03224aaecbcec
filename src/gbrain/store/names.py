"""Names of pages: aliases, titles and slugs, exactly; and near misses for suggestions, never for hits."""

from collections.abc import Iterable, Sequence

from gbrain.domain.entities import ranked
from gbrain.domain.offers.callings import FORMS, callings, key_number
from gbrain.domain.offers.words import name_key
from gbrain.domain.slugs import alias_key, slugify, tail
from gbrain.domain.text import raw_terms
from gbrain.store import visibility
from gbrain.store.engine import Engine, Match, Row, Terms, like
from gbrain.store.languages import Languages
from gbrain.store.lists import slices
from gbrain.store.terms import stems
from gbrain.store.texts import Texts
from gbrain.types import Named, View

ARM_LIMIT = 24
INDEX = "name_text"
COMMON = 200
"""A name word carried by more pages than this is looked up as the beginning of titles, not ranked."""
NEIGHBOURS = 400
SHORT = ("part", "given", "surname")
"""The forms of `domain.offers.callings` that are short for a page's name."""
SHORTENED = 12
"""At most so many stretches of a question are tried as a short name."""

# Taken from their ids first: SQLite would otherwise start at all pages of the source, which it takes for few.
CHOSEN = "(select c.id from pages c where c.id in (:ids)) as chosen cross join pages p"

_NAMED = "p.id as page_id, p.source_id, p.slug, p.title, p.type, {arm} as arm, p.last_modified as touched"


class Names:
    """The `aliases` and `name_words` tables and the names column of the page index."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.texts = Texts(engine, INDEX)
        self._languages = Languages(engine)

    def find(self, view: View, name: str) -> list[Named]:
        """Every visible page that this name leads to exactly: by alias, slug, title or last slug segment.

        A page that was renamed is led to by the slug it had, too.
        """
        made = slugify(name) or ""
        arms = (
            (
                "alias",
                "aliases a join pages p on p.id = a.page_id",
                "a.source_id in (:v_sources) and a.alias_key = :key",
            ),
            ("slug", "pages p", "p.slug in (:raw, :made)"),
            (
                "former",
                "former_slugs m join pages p on p.id = m.page_id",
                "m.source_id in (:v_sources) and m.slug in (:raw, :made)",
            ),
            ("title", "pages p", "p.title_key = :key"),
            ("tail", "pages p", "p.tail = :tail and p.slug like :behind escape '\\'"),
        )
        sql = " union all ".join(
            f"select * from (select {_NAMED.format(arm=repr(arm))} from {table} where {where} and {visibility.pages()}"
            # An expression, or SQLite walks every page by its last change instead of looking the name up.
            f" order by coalesce(p.last_modified, '') desc, p.id limit {ARM_LIMIT}) as {arm}_arm"
            for arm, table, where in arms
        )
        keys = {"key": alias_key(name), "raw": name.strip().casefold(), "made": made, "tail": tail(made)}
        keys["behind"] = "%/" + like(made)
        return [Named(**row) for row in self._engine.rows(sql, {**visibility.params(view), **keys})]

    def ranked(self, view: View, name: str) -> list[Named]:
        """As `find`, best first, each page once."""
        return ranked(self.find(view, name))

    def part(self, view: View, name: str, most: int) -> list[Named]:
        """The visible pages whose titles begin with this name and go on, the shortest first, or else the one page that
        has this word in its names; none where there are more than `most`: then it is what many are, and no name."""
        key = alias_key(name)
        rows = self._engine.rows(
            f"select {_NAMED.format(arm=':arm')} from pages p where p.title_key >= :low and p.title_key < :high and"
            f" substr(p.title_key, :next, 1) in (:ends) and {visibility.pages()}"
            # By length only afterwards: a common beginning would be read to its end for it.
            " order by p.title_key, p.id limit :limit",
            {
                **visibility.params(view),
                "low": key,
                "high": key + "\U0010ffff",
                "next": len(key) + 1,
                "ends": [" ", ",", ":"],
                "arm": "part",
                "limit": most + 1,
            },
        )
        found = sorted((Named(**row) for row in rows), key=lambda named: len(named.title)) if key else []
        words = raw_terms(name)
        if not found and words == [key] and self._frequencies(view, words) == {key: 1}:
            (stem,) = stems(words, self._languages.asked(view.sources))
            found = [named._replace(arm="part") for named in self.bearing(view, Match(must=(Terms((stem,)),)), most)]
        return found if len(found) <= most else []

    def called(self, view: View, names: Sequence[str]) -> list[int]:
        """The visible pages that one of these names means alone, in the order of the names: those with the alias or
        title first, then those that are called so in short: `Beta` for `Beta - a company`, `Dana` for `Dana Oakes`.
        """
        keys = {name: alias_key(name) for name in names}
        bearing = self._borne(view, keys.values())
        borne = [name for name in names if keys[name] in bearing]
        # What stands inside a name that is known is a part of it.
        rest = [name for name in names if not name[0].islower() and not any(name in longer for longer in borne)]
        short = self._in_short(view, [name_key(name) for name in rest[:SHORTENED]])
        found = [*(bearing[keys[name]] for name in borne), *short]
        return list(dict.fromkeys(id for ids in found if len(ids) == 1 for id in ids))

    def also_called(self, view: View, names: Iterable[str]) -> dict[str, list[str]]:
        """Of those names that visible pages bear as title or alias: the titles and aliases of these pages."""
        keys = {name: alias_key(name) for name in names}
        bearing = self._borne(view, keys.values())
        ids = {id for found in bearing.values() for id in found}
        titles = {named.page_id: named.title for part in slices(ids) for named in self.pages(view, part, "title")}
        aliases = self.aliases(titles)
        return {
            name: [said for id in sorted(bearing[key]) if id in titles for said in (titles[id], *aliases.get(id, ()))]
            for name, key in keys.items()
            if key in bearing
        }

    def beginning(self, view: View, letters: str, limit: int) -> list[str]:
        """Titles and aliases of visible pages whose words may begin with these letters, in their order."""
        # The range is for the index, which a pattern alone does not use on both engines.
        low, pattern = letters[0], "% ".join(map(like, letters)) + "%"
        where = f"between :low and :end and {{}} like :pattern escape '\\' and {visibility.pages()}"
        rows = self._engine.rows(
            "select p.title as name, p.title_key as sorted from pages p"
            f" where p.title_key {where.format('p.title_key')}"
            " union select a.alias_key as name, a.alias_key as sorted from aliases a join pages p on p.id = a.page_id"
            f" where a.source_id in (:v_sources) and a.alias_key {where.format('a.alias_key')}"
            " order by 2, 1 limit :limit",
            {
                **visibility.params(view),
                "low": low,
                "end": low + "\U0010ffff",
                "pattern": pattern,
                "limit": limit,
            },
        )
        return [row["name"] for row in rows]

    def _borne(self, view: View, keys: Iterable[str]) -> dict[str, set[int]]:
        """The visible pages that bear each of these keys as title or alias."""
        bearing: dict[str, set[int]] = {}
        for part in slices(dict.fromkeys(keys)):
            for row in self._engine.rows(
                "select a.alias_key as name, p.id from aliases a join pages p on p.id = a.page_id"
                f" where a.source_id in (:v_sources) and a.alias_key in (:keys) and {visibility.pages()}"
                f" union all select p.title_key as name, p.id from pages p where p.title_key in (:keys)"
                f" and {visibility.pages()}",
                {**visibility.params(view), "keys": part},
            ):
                bearing.setdefault(row["name"], set()).add(row["id"])
        return bearing

    def _in_short(self, view: View, keys: Sequence[str]) -> list[set[int]]:
        """The visible pages that each of these keys is a short name of. `Will` and `May` are no one's there."""
        # 150 lines of words that only questions need.
        from gbrain.domain.offers.common import AUXILIARY, CALENDAR

        keys = [key for key in dict.fromkeys(keys) if key not in AUXILIARY and key not in CALENDAR]
        numbers = [key_number(key) for key in keys]
        rows = self._engine.rows(
            "select c.name, p.id from callings c join pages p on p.id = c.page_id where c.source_id in (:v_sources)"
            f" and c.name in (:names) and c.form in (:short) and {visibility.pages()}",
            {**visibility.params(view), "names": numbers, "short": [FORMS.index(form) for form in SHORT]},
        )
        return [{row["id"] for row in rows if row["name"] == number} for number in numbers]

    def hidden(self, view: View, name: str) -> bool:
        """Whether a private page bears this name, also one that is deleted or past its expiry."""
        made = slugify(name) or ""
        with self._engine.unveiled():
            found = self._engine.rows(
                "select 1 as held from pages p where p.source_id in (:sources) and p.private = 1"
                " and (p.slug in (:raw, :made) or p.title_key = :key or p.id in (select a.page_id from aliases a"
                " where a.source_id in (:sources) and a.alias_key = :key)) limit 1",
                {"sources": list(view.sources), "raw": name.strip().casefold(), "made": made, "key": alias_key(name)},
            )
        return bool(found)

    def near(self, view: View, name: str, limit: int = 3, *, cut: bool = False) -> list[Named]:
        """Visible pages whose names share words with this one, allowing a misspelt letter or two; best first.

        `cut` ones may also be the beginnings of words.
        """
        words = list(dict.fromkeys(raw_terms(name)))[:8]
        chosen = {word: count for word, count in self._frequencies(view, words).items() if count}
        for word in words:
            if word not in chosen:
                chosen.update(self._corrections(view, word, cut=cut))
        found = self._bearing(view, chosen, limit)
        if not found and chosen:
            # Only pages past their expiry bear these words: then they say no more than a misspelling.
            for word in words:
                chosen.update(self._corrections(view, word, cut=cut))
            found = self._bearing(view, chosen, limit)
        return found

    def _bearing(self, view: View, chosen: dict[str, int], limit: int) -> list[Named]:
        """Visible pages with these words in their names, best first; the number of pages of each word is given."""
        if not chosen:
            return []
        by_rarity = sorted(chosen, key=lambda word: (chosen[word], word))
        if chosen[by_rarity[0]] > COMMON:
            begun = self._starting(view, by_rarity[0], limit)
            if len(begun) >= limit:
                return begun
            every = Match(
                should=tuple(Terms((stem,)) for stem in stems(by_rarity, self._languages.asked(view.sources)))
            )
            return list({one.page_id: one for one in (*begun, *self.bearing(view, every, limit))}.values())[:limit]
        held = stems(by_rarity, self._languages.asked(view.sources))
        should = [Terms((stem,)) for word, stem in zip(by_rarity, held, strict=True) if chosen[word] <= COMMON]
        # A common word counts only beside the rarest: alone it would bring half the brain.
        should += [Terms((held[0], stem)) for stem in held[1:]]
        return self.bearing(view, Match(should=tuple(should)), limit)

    def bearing(self, view: View, match: Match, limit: int) -> list[Named]:
        """Visible pages whose names match, best first."""
        fetch = max(40, limit * 4)
        while True:
            hits = self.texts.search(view, match, fetch)
            found = [page for ids in slices(hit.id for hit in hits) for page in self.pages(view, ids, "near")]
            if len(found) >= limit or len(hits) < fetch:
                return found[:limit]
            fetch *= 4

    def count(self, view: View) -> int:
        """How many pages bear names that this reader may look into."""
        return self.texts.frequencies(view, ()).total

    def pages(self, view: View, ids: Sequence[int], arm: str) -> list[Named]:
        """The visible pages among these ids, in the order of the ids."""
        found = self._engine.rows(
            f"select {_NAMED.format(arm=':arm')} from {CHOSEN} where p.id = chosen.id and {visibility.pages()}",
            {**visibility.params(view), "ids": list(ids), "arm": arm},
        )
        by_id = {row["page_id"]: Named(**row) for row in found}
        return [by_id[id] for id in ids if id in by_id]

    def aliases(self, page_ids: Iterable[int]) -> dict[int, list[str]]:
        """The normalised aliases of each page, sorted."""
        found: dict[int, list[str]] = {}
        rows = self._engine.rows(
            "select page_id, alias_key from aliases where page_id in (:ids) order by alias_key",
            {"ids": list(page_ids)},
        )
        for row in rows:
            found.setdefault(row["page_id"], []).append(row["alias_key"])
        return found

    def replace_aliases(self, source: str, page_id: int, keys: Iterable[str], *, new: bool) -> None:
        """Make the normalised aliases of a page, which has none if it is `new`, exactly these."""
        if not new:
            self._engine.rows("delete from aliases where page_id = :page", {"page": page_id})
        self._engine.many(
            "insert into aliases (source_id, alias_key, page_id) values (:source, :key, :page)",
            [{"source": source, "key": key, "page": page_id} for key in dict.fromkeys(keys) if key],
        )

    def call(self, page: Row, aliases: Iterable[str]) -> None:
        """Keep what people may call a page, from its row and aliases."""
        self._engine.many(
            "insert into callings (source_id, name, page_id, form) values (:source, :name, :page, :form)"
            " on conflict (source_id, name, page_id) do update set form = excluded.form",
            [
                {"source": page["source_id"], "name": name, "page": page["id"], "form": form}
                for name, form in _callings(page, aliases).items()
            ],
        )

    def uncall(self, page: Row, aliases: Iterable[str]) -> None:
        """Forget what people may call a page, from its row and aliases as they were when that was kept."""
        for part in slices(_callings(page, aliases)):
            self._engine.rows(
                "delete from callings where source_id = :source and name in (:names) and page_id = :page",
                {"source": page["source_id"], "names": part, "page": page["id"]},
            )

    def count_words(self, source: str, words: Iterable[str], *, private: bool, step: int) -> None:
        """Count (`step` 1) or uncount (-1) the words of one page's names, by who may see the page."""
        # Two counts: suggestions to a remote reader must not come from words that stand in private names alone.
        world = 0 if private else step
        self._engine.many(
            "insert into name_words (source_id, word, reversed, world, total) values (:source, :word, :reversed,"
            " :world, :step)"
            " on conflict (source_id, word) do update set world = name_words.world + excluded.world, total ="
            " name_words.total + excluded.total",
            [{"source": source, "word": word, "reversed": word[::-1], "world": world, "step": step} for word in words],
        )
        for some in slices(words) if step < 0 else ():
            self._engine.rows(
                "delete from name_words where source_id = :source and word in (:words) and total <= 0",
                {"source": source, "words": some},
            )

    def _frequencies(self, view: View, words: Sequence[str]) -> dict[str, int]:
        """How many pages carry each word in a name this reader may see."""
        if view.slugs is not None:
            own = self._own_words(view)
            return {word: own[word] for word in words if word in own}
        rows = self._engine.rows(
            f"select word, sum({_count(view)}) as n from name_words where source_id in (:sources) and word in"
            " (:words) group by word",
            {"sources": list(view.sources), "words": list(words)},
        )
        return {row["word"]: int(row["n"]) for row in rows}

    def _corrections(self, view: View, word: str, *, cut: bool) -> dict[str, int]:
        """Up to three known words within one edit (two, from five letters on) of a word nobody is called; of one that
        may be `cut` short, those that begin so come after."""
        if len(word) < 3:
            return {}
        from rapidfuzz.distance import OSA  # 20 ms to load, and only a misspelt name needs it

        most = 1 if len(word) < 5 else 2
        # One of the halves of a word with a single slip is right, and each is a look-up in an index.
        half = max(1, len(word) // 2)
        pool = self._own_words(view) if view.slugs is not None else {}
        for column, key in (("word", word[:half]), ("reversed", word[::-1][:half])) if view.slugs is None else ():
            rows = self._engine.rows(
                f"select word, {_count(view)} as n from name_words where source_id in (:sources) and {column} >= :low"
                f" and {column} < :high"
                f" and {_count(view)} > 0 limit {NEIGHBOURS}",
                {"sources": list(view.sources), "low": key, "high": key + "\U0010ffff"},
            )
            pool.update({row["word"]: row["n"] for row in rows})
        # A beginning may have lost or gained a letter, so it is compared with ends around its own length.
        ends = range(len(word) - 1, len(word) + 2) if cut and len(word) > 3 else ()
        close: list[tuple[bool, int, str]] = []
        for near in pool:
            close.append((False, OSA.distance(word, near, score_cutoff=most), near))
            close += [
                (True, OSA.distance(word, near[:end], score_cutoff=most), near) for end in ends if end < len(near)
            ]
        best = dict.fromkeys(near for _, distance, near in sorted(close) if distance <= most)
        return {near: pool[near] for near in list(best)[:3]}

    def _own_words(self, view: View) -> dict[str, int]:
        """The words in the names of the few pages of a reader bound to slugs; the kept counts know no slugs."""
        rows = self._engine.rows(
            f"select p.id, p.title, p.slug from pages p where {visibility.pages()}", visibility.params(view)
        )
        aliases = self.aliases(row["id"] for row in rows)
        own: dict[str, int] = {}
        for row in rows:
            for word in name_words(row["title"], row["slug"], aliases.get(row["id"], ())):
                own[word] = own.get(word, 0) + 1
        return own

    def _starting(self, view: View, word: str, limit: int) -> list[Named]:
        rows = self._engine.rows(
            f"select {_NAMED.format(arm=':arm')} from pages p where p.title_key >= :low and p.title_key < :high and"
            f" {visibility.pages()}"
            " order by p.title_key, p.id limit :limit",
            {
                **visibility.params(view),
                "low": word,
                "high": word + "\U0010ffff",
                "arm": "near",
                "limit": limit,
            },
        )
        return [Named(**row) for row in rows]


def _callings(page: Row, aliases: Iterable[str]) -> dict[int, int]:
    called = callings(page["title"], page["tail"], page["type"], aliases)
    return {key_number(key): FORMS.index(form) for key, form in called.items()}


def _count(view: View) -> str:
    return "total" if view.private else "world"


def name_words(title: str, slug: str, aliases: Iterable[str]) -> set[str]:
    """The words a page can be found by when its name is misspelt."""
    return {word for text in (title, tail(slug), *aliases) for word in raw_terms(text) if len(word) <= 40}

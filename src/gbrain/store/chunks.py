"""Chunks of pages: where each lies in its page, and the keyword index over them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gbrain.digests import blake2b
from gbrain.domain.chunks import Chunk, chunks, exchange, indexed, voiced
from gbrain.domain.markdown import plain_text
from gbrain.domain.ranking.when import says_when
from gbrain.domain.ranking.words import Words, packed, unpacked
from gbrain.store import visibility
from gbrain.store.engine import Engine, Frequencies, Match, Row, Terms
from gbrain.store.lists import slices
from gbrain.store.terms import index_terms
from gbrain.store.texts import Texts
from gbrain.store.vectors import CHOSEN_CHUNKS, Vectors, chunks_seen
from gbrain.types import ALL_PAGES, Page, PageFilter, View

INDEX = "chunk_text"
NAME_WEIGHT, BODY_WEIGHT = 1.0, 1.0

_TEXT = "substr(v.content, cast(p.body_start + c.starts + 1 as integer), cast(c.ends - c.starts as integer))"
_VERSION = "page_versions v on v.source_id = p.source_id and v.page_id = p.id and v.version = p.version"


class ChunkHit(NamedTuple):
    """A chunk that matches, with the arm's score, larger is better."""

    id: int
    page_id: int
    ordinal: int
    score: float


class ChunkWords(NamedTuple):
    """A chunk as it is ranked: `words` is what `domain.ranking.words` makes of its text."""

    id: int
    page_id: int
    ordinal: int
    words: bytes


class ChunkText(NamedTuple):
    """A chunk as it is read: `text` is its Markdown, `heading` the path of headings it stands under."""

    id: int
    page_id: int
    ordinal: int
    heading: str
    text: str


class Chunks:
    """The `chunks` table, its text index, and what waits there for a vector."""

    def __init__(self, engine: Engine, vectors: Vectors) -> None:
        self._engine = engine
        self._vectors = vectors
        self._texts = Texts(engine, INDEX, (NAME_WEIGHT, BODY_WEIGHT))

    def put(self, page: Row, aliases: Sequence[str], language: str, *, new: bool = False, again: bool = False) -> None:
        """Cut a page anew, from its row with its current content, whose words are of a language. A chunk whose text,
        names and readers are as before keeps its id, and so its vector; its words are indexed `again` if asked. A
        `new` page has none.
        """
        source, private = page["source_id"], bool(page["private"])
        body = page["content"][page["body_start"] :]
        named = " ".join(sorted(set(aliases)))
        others = f"{page['slug']} {named}" if named else page["slug"]
        others_terms, named_terms = index_terms(others, language), index_terms(named, language)
        # Making a vector is what costs, so a chunk that only moved keeps its row; of equal chunks each row is used
        # once.
        held: dict[str, list[Row]] = {}
        for row in () if new else self._of_page(source, page["id"]):
            held.setdefault(row["hash"], []).append(row)
        pieces = chunks(body)
        read = [indexed(page["title"], page["summary"], body, chunk, first=n == 0) for n, chunk in enumerate(pieces)]
        for ordinal, (chunk, (lead, text)) in enumerate(zip(pieces, read, strict=True)):
            near = exchange(ordinal) if chunk.turn else range(0)
            # Readers and names are part of it: a chunk that becomes private, or whose page gets another name, is
            # indexed anew. What a turn is read with is too, since its vector is.
            parts = (str(page["private"]), others, lead, text, *(said for _, said in read[near.start : near.stop]))
            said = "\0".join(parts).encode("utf-8", "surrogatepass")
            digest = blake2b(said, digest_size=12).hexdigest()
            values = {**chunk._asdict(), "source": source, "page": page["id"], "ordinal": ordinal, "hash": digest}
            same = held.get(digest)
            if same and not again:
                self._move(same.pop(), values)
                continue
            lead_terms, text_terms = index_terms(lead, language), index_terms(text, language)
            columns = f"{lead_terms} {others_terms}".strip(), text_terms
            values["words"] = _words(lead_terms, named_terms, text_terms, text, turn=chunk.turn)
            fresh = not same
            id = self._move(same.pop(), values) if same else self._add(values, private=private)
            self._texts.put(source, id, columns, private=private, new=fresh)
        self._drop(source, [row["id"] for rows in held.values() for row in rows])

    def remove(self, source: str, page_id: int) -> None:
        """Take the chunks of a page out, with everything that is kept of them."""
        self._drop(source, [row["id"] for row in self._of_page(source, page_id)])

    def search(
        self, view: View, match: Match, limit: int, only: PageFilter = ALL_PAGES, *, pages: int = 0
    ) -> list[ChunkHit]:
        """Chunks of visible pages that match, best first, of those that the filter lets through: `limit` of them, or
        fewer when these are of `pages` pages or more (0: of however many)."""
        # The index knows no views and no filters, so a few more are fetched than are asked for.
        fetch = max(100, limit + limit // 4)
        while True:
            hits = self._texts.search(view, match, fetch)
            kept: list[ChunkHit] = []
            for part in slices(hits, 100):
                seen = chunks_seen(self._engine, view, [hit.id for hit in part], only)
                kept += [ChunkHit(hit.id, *seen[hit.id], hit.score) for hit in part if hit.id in seen]
                if len(kept) >= limit or (pages and len({hit.page_id for hit in kept}) >= pages):
                    return kept[:limit]
            if len(hits) < fetch:
                return kept
            fetch *= 4

    def frequencies(self, view: View, units: Sequence[Terms]) -> Frequencies:
        """How many chunks hold each unit, among those this reader may look into."""
        return self._texts.frequencies(view, units)

    def words(self, view: View, page_ids: Sequence[int], near: Sequence[int], most: int) -> list[ChunkWords]:
        """The words of chunks of the visible pages among these: the first `most` of each, and of every page those with
        one of the ordinals `near`."""
        found: list[ChunkWords] = []
        for part in slices(page_ids):
            rows = self._engine.rows(
                "select c.id, c.page_id, c.ordinal, c.words from chunks c join pages p on p.id = c.page_id"
                " where c.page_id in (:ids) and (c.ordinal < :most or c.ordinal in (:near))"
                f" and {visibility.pages()} order by c.page_id, c.ordinal",
                {**visibility.params(view), "ids": part, "most": most, "near": list(near)},
            )
            found += [ChunkWords(**row) for row in rows]
        return found

    def ranked_by(self, ids: Sequence[int]) -> list[ChunkWords]:
        """The words of chunks that somebody who may see them has found."""
        rows = (
            self._engine.rows("select id, page_id, ordinal, words from chunks where id in (:ids)", {"ids": part})
            for part in slices(ids)
        )
        return [ChunkWords(**row) for part in rows for row in part]

    def of_pages(self, view: View, page_ids: Sequence[int]) -> list[ChunkText]:
        """Every chunk of the visible pages among these, in order: what stands beside a chunk is one ordinal away."""
        found: list[ChunkText] = []
        for part in slices(page_ids):
            rows = self._engine.rows(
                f"select c.id, c.page_id, c.ordinal, c.heading, {_TEXT} as text from chunks c join pages p on"
                f" p.id = c.page_id join {_VERSION} where c.page_id in (:ids) and {visibility.pages()}"
                " order by c.page_id, c.ordinal",
                {**visibility.params(view), "ids": part},
            )
            found += [ChunkText(**row) for row in rows]
        return found

    def by_ids(self, view: View, ids: Sequence[int]) -> list[ChunkText]:
        """The visible chunks among these ids, in the order of the ids."""
        found: dict[int, ChunkText] = {}
        for part in slices(ids):
            rows = self._engine.rows(
                f"select c.id, c.page_id, c.ordinal, c.heading, {_TEXT} as text from {CHOSEN_CHUNKS}"
                f" join {_VERSION} where p.id = c.page_id and {visibility.pages()}",
                {**visibility.params(view), "ids": part},
            )
            found.update({row["id"]: ChunkText(**row) for row in rows})
        return [found[id] for id in ids if id in found]

    def count(self, view: View) -> int:
        """How many chunks the visible pages have."""
        rows = self._engine.rows(
            f"select count(*) as n from chunks c join pages p on p.id = c.page_id where {visibility.pages()}",
            visibility.params(view),
        )
        return int(rows[0]["n"])

    def texts(self, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """What a model reads of these chunks, whoever may see them, the mean of whose vectors is the chunk's: title
        and headings, then the words; of a turn who says what, and then the turns it stands among."""
        found: dict[int, tuple[str, ...]] = {}
        turns: dict[int, tuple[int, range]] = {}
        for part in slices(ids):
            rows = self._engine.rows(
                f"select c.id, c.page_id, c.ordinal, c.heading, c.words, p.title, p.summary, {_TEXT} as text"
                f" from {CHOSEN_CHUNKS} join {_VERSION} where p.id = c.page_id",
                {"ids": part},
            )
            for row in rows:
                if unpacked(row["words"]).turn:
                    turns[row["id"]] = row["page_id"], exchange(row["ordinal"])
                    found[row["id"]] = (voiced(plain_text(row["text"])),)
                    continue
                chunk = Chunk(0, len(row["text"]), row["heading"])
                said = indexed(row["title"], row["summary"], row["text"], chunk, first=row["ordinal"] == 0)
                found[row["id"]] = ("\n".join(part for part in said if part),)
        exchanges = self._exchanges(turns.values())
        return found | {id: tuple(dict.fromkeys((*found[id], exchanges[place]))) for id, place in turns.items()}

    def _exchanges(self, places: Iterable[tuple[int, range]]) -> dict[tuple[int, range], str]:
        """The turns at each of these places of a page, in one text."""
        said: dict[tuple[int, range], list[str]] = {}
        for page, run in dict.fromkeys(places):
            rows = self._engine.rows(
                f"select c.words, {_TEXT} as text from chunks c join pages p on p.id = c.page_id join {_VERSION}"
                " where c.page_id = :page and c.ordinal >= :first and c.ordinal < :end order by c.ordinal",
                {"page": page, "first": run.start, "end": run.stop},
            )
            said[page, run] = [voiced(plain_text(row["text"])) for row in rows if unpacked(row["words"]).turn]
        return {place: "\n".join(turns) for place, turns in said.items()}

    def cut(self, page: Page, aliases: Sequence[str], language: str) -> list[tuple[ChunkText, Words]]:
        """The chunks of a text that is in no index, with their words, as `put` would make them; without ids."""
        named_terms = index_terms(" ".join(sorted(set(aliases))), language)
        found: list[tuple[ChunkText, Words]] = []
        for ordinal, chunk in enumerate(chunks(page.body)):
            lead, text = indexed(page.title, page.summary, page.body, chunk, first=ordinal == 0)
            words = _words(index_terms(lead, language), named_terms, index_terms(text, language), text, turn=chunk.turn)
            shown = page.body[chunk.starts : chunk.ends]
            found.append((ChunkText(0, page.id, ordinal, chunk.heading, shown), unpacked(words)))
        return found

    def _of_page(self, source: str, page_id: int) -> list[Row]:
        return self._engine.rows(
            "select id, ordinal, starts, ends, heading, hash from chunks where source_id = :source and page_id = :page"
            " order by ordinal",
            {"source": source, "page": page_id},
        )

    def _move(self, row: Row, values: dict[str, object]) -> int:
        """Note where a chunk stands now, and its words where they are given."""
        changed = [name for name in ("ordinal", "starts", "ends", "heading") if row[name] != values[name]]
        changed += ["words"] if "words" in values else []
        if changed:
            self._engine.rows(
                f"update chunks set {', '.join(f'{name} = :{name}' for name in changed)}"
                " where source_id = :source and id = :id",
                {**{name: values[name] for name in changed}, "source": values["source"], "id": row["id"]},
            )
        return int(row["id"])

    def _add(self, values: dict[str, object], *, private: bool) -> int:
        added = self._engine.rows(
            "insert into chunks (source_id, page_id, ordinal, starts, ends, heading, hash, words)"
            " values (:source, :page, :ordinal, :starts, :ends, :heading, :hash, :words) returning id",
            values,
        )
        id = int(added[0]["id"])
        self._vectors.expect_first("page", str(values["source"]), id, private=private)
        return id

    def _drop(self, source: str, ids: Sequence[int]) -> None:
        for part in slices(ids):
            for id in part:
                self._texts.remove(source, id)
            self._vectors.drop("page", part)
            self._engine.rows("delete from chunks where id in (:ids)", {"ids": part})


def _words(lead: str, named: str, said: str, text: str, *, turn: bool) -> bytes:
    """What a chunk is ranked by, from the terms of its headings, of its page's aliases and of its text."""
    # The slug says the title again, which would count twice.
    terms = f"{lead} {named} {said}".split()
    asks, when = text.rstrip().endswith(("?", "？")), turn and says_when(voiced(text))
    return packed(terms, said.partition(" ")[0], asks=asks, turn=turn, when=when)

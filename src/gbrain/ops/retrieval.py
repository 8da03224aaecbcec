"""Finding the pages that answer a question: arms that find candidates, one score that orders them.

Exact names come first by rule, then pages at the other end of an edge the question asks for, then passages by how much
of the question they answer (`domain.ranking`). Every hit says how it was found, and the answer says which arms ran.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from gbrain.domain.ranking.copies import copies
from gbrain.domain.ranking.mixing import Typed, mixed
from gbrain.domain.ranking.question import Question, understood
from gbrain.domain.ranking.scoring import Means, Parts, Passage, Place, Rarity, Text, rarity, score
from gbrain.domain.ranking.weights import CHOSEN, LEXICAL, Weights
from gbrain.domain.ranking.words import Words, unpacked
from gbrain.domain.slugs import MAX_SLUG
from gbrain.models.meaning import Found
from gbrain.ops.dating import NO_TIMES, Times, digests, times_of
from gbrain.ops.related import NONE, related
from gbrain.registry import Context
from gbrain.store.chunks import ChunkText
from gbrain.store.engine import Frequencies, Match, Terms
from gbrain.store.terms import query_terms
from gbrain.types import ALL_PAGES, Page, PageFilter

Source = Literal["exact", "keyword", "vector", "graph", "date"]
"""Where hits come from."""
Arm = Literal["alias", "slug", "title", "tail", "part", "edge", "all_words", "date", "some_words", "meaning"]

CANDIDATES, NEAREST, PAGES = 200, 100, 40
"""Passages that words may bring, and vectors, and pages that are looked into; more of each where more hits are asked
for."""
SPARE = 10
"""Pages that are ranked beyond those asked for, in place of copies."""
PARTS = 5
"""More pages than this whose names begin with the question are of one kind."""
COMMON = 5_000
"""Words that stand in more passages than this together bring no candidates, as long as a rarer one does."""
SHOWN_FROM, ALIKE_FROM = 0.25, 0.25
"""What an answer holds at least: this share of the question's weight in words, or half of them, or this cosine."""
VERY_ALIKE = 0.8
WHOLE = 64
"""Passages of a page that count for the whole of it, from its beginning."""
NEAR = (-2, -1, 0, 1, 2)
CERTAIN = 1.0
TIMELINE = "Timeline"
"""The heading that passages of a page's timeline stand under."""
IDEA_TYPES = frozenset({"concept", "idea"})
OUTSIDE_TYPES = frozenset({"source", "article", "tweet", "media", "email", "slack"})
"""Pages that hold what others said: their text is from outside, not what the person settled on."""

EVIDENCE: dict[Arm, tuple[str, str]] = {
    "alias": ("alias_hit", "exists"),
    "slug": ("exact_title_match", "exists"),
    "title": ("exact_title_match", "exists"),
    "tail": ("exact_title_match", "exists"),
    "part": ("keyword_exact", "probable"),
    "edge": ("typed_edge", "unknown"),
    "all_words": ("keyword_exact", "probable"),
    "date": ("date_match", "unknown"),
    "some_words": ("weak_semantic", "unknown"),
    "meaning": ("weak_semantic", "unknown"),
}
"""What a hit proves and whether a page for the query would be a second one, by how the page was found."""


class Ranks(NamedTuple):
    """Which page of its own each arm brought this one as, from 1; None where it did not bring it."""

    keyword: int | None = None
    vector: int | None = None


class PageMatch(NamedTuple):
    """A page that answers a query, its best passage, and how it was found. `score` is 1 for a name and less for all
    else; `parts` say what it is made of where passages were ranked, `covered` how much of the weight of
    the question's words the page holds."""

    page: Page
    chunk: ChunkText | None
    score: float
    arm: Arm
    parts: Parts | None = None
    cosine: float | None = None
    covered: float = CERTAIN
    ranks: Ranks = Ranks()
    also: tuple[Page, ...] = ()
    """Pages that say the same and so are not shown."""
    entry: str = ""
    """The entry of its timeline, as a line, by which the page is of the time that was asked for."""

    @property
    def text(self) -> str:
        """The passage, or for a page without text what is known of it."""
        return self.entry or (self.chunk.text.strip() if self.chunk else "") or self.page.summary or self.page.title

    @property
    def in_timeline(self) -> bool:
        """Whether that is of the page's timeline."""
        return bool(self.entry) or (self.chunk is not None and self.chunk.heading.startswith(TIMELINE))

    @property
    def exact(self) -> bool:
        """Whether the query is a name of the page."""
        return self.arm in ("alias", "slug", "title", "tail")

    @property
    def evidence(self) -> str:
        """Why the page was found."""
        return "high_vector_match" if self._very_alike else EVIDENCE[self.arm][0]

    @property
    def create_safety(self) -> str:
        """Whether a new page for the query would be a second one: exists, probable or unknown."""
        return "exists" if self._very_alike else EVIDENCE[self.arm][1]

    @property
    def _very_alike(self) -> bool:
        return self.arm in ("some_words", "meaning") and self.cosine is not None and self.cosine >= VERY_ALIKE


NAMED: tuple[Arm, ...] = ("alias", "slug", "title", "tail", "part", "edge")
"""How a page is found that stays in an answer beside one that says the same."""
SEARCHED = (None, "vectors_pending")
"""What is said of a search by meaning that did take place."""
REPLAYED = "replayed"
"""Why meaning was not looked at in an answer of an earlier moment: vectors are of the texts of now."""


class Retrieved(NamedTuple):
    """The pages that answer, best first, which arms ran, and what was wrong with the search by meaning."""

    matches: list[PageMatch]
    arms: list[str]
    reason: str | None


class Asked(NamedTuple):
    """A question taken apart, how common its words are in what this reader may see, and what means the like."""

    text: str
    pieces: list[Terms]
    digests: list[list[int]]
    question: Question
    units: Frequencies
    pages: int
    unit_words: Rarity
    page_words: Rarity
    near: Found
    only: PageFilter
    without: frozenset[Source]
    times: Times = NO_TIMES

    @property
    def by_meaning(self) -> bool:
        """Whether the search by meaning took place."""
        return self.near.reason in SEARCHED

    @property
    def weights(self) -> Weights:
        """The weights of the arms that ran."""
        weights = CHOSEN if self.by_meaning else LEXICAL
        return weights._replace(unit=0.0, window=0.0, page=0.0) if "keyword" in self.without else weights


def find_pages(
    ctx: Context, query: str, limit: int, only: PageFilter = ALL_PAGES, without: frozenset[Source] = frozenset()
) -> Retrieved:
    """The pages that answer a query, best first, those with the same passage as one. One that shares too little with
    it is no answer. What is found `without` some of the arms tells what these are worth."""
    asked = take_apart(ctx, query, limit, only, without)
    named = _named(ctx, query) if "exact" not in without else []
    fitting = ctx.store.pages.fitting(ctx.view, [match.page.id for match in named], only)
    matches = [match for match in named if match.page.id in fitting]
    arms = [arm for arm in ("exact", "keyword") if arm not in without] + ["vector"] * asked.by_meaning
    arms += ["date"] if asked.times.times and "date" not in without else []
    around = NONE
    if asked.question.relation is not None and "graph" not in without:
        arms.append("graph")
        around = related(ctx, query, asked.question.relation)
        known = {match.page.id for match in matches}
        fitting = ctx.store.pages.fitting(ctx.view, [page.id for page in around.answers], only) - known
        joined = [page for page in around.answers if page.id in fitting]
        # Behind a name and before any passage: an edge of the asked kind is an answer, not a likeness.
        first = 1 + sum(match.arm == "part" for match in matches)
        matches += [PageMatch(page, None, _behind(place), "edge") for place, page in enumerate(joined, first)]
    if asked.pieces and len(matches) < limit + SPARE:
        known = {match.page.id for match in matches}
        matches += _ranked(ctx, asked, limit + SPARE - len(matches), known, around.beside)
    shown = _each_once(_with_passages(ctx, asked, matches[: limit + SPARE]))
    return Retrieved(shown[:limit], arms, asked.near.reason)


def _each_once(matches: list[PageMatch]) -> list[PageMatch]:
    """The matches without those whose passage an earlier one has, which names them; names and links stay."""
    first: dict[int, PageMatch] = {}
    for place, of in enumerate(copies([match.text for match in matches])):
        if of == place or of not in first or matches[place].arm in NAMED:
            first[place] = matches[place]
        else:
            first[of] = first[of]._replace(also=(*first[of].also, matches[place].page))
    return list(first.values())


def _named(ctx: Context, query: str) -> list[PageMatch]:
    """The pages that the query is a name of, then those that it is a part of the name of. The end of a slug counts
    only when it is one page's alone."""
    if not query.strip() or len(query) > MAX_SLUG:
        return []
    ranked = ctx.store.names.ranked(ctx.view, query)
    kept = {named.page_id: named.arm for named in ranked if named.arm != "tail" or len(ranked) == 1}
    arms: dict[str, Arm] = {"alias": "alias", "slug": "slug", "title": "title"}
    parts = [named.page_id for named in ctx.store.names.part(ctx.view, query, PARTS) if named.page_id not in kept]
    pages = {page.id: page for page in ctx.store.pages.by_ids(ctx.view, [*kept, *parts])}
    found = [PageMatch(pages[id], None, CERTAIN, arms.get(kept[id], "tail")) for id in kept if id in pages]
    there = enumerate((pages[id] for id in parts if id in pages), 1)
    return [*found, *(PageMatch(page, None, _behind(place), "part") for place, page in there)]


def _behind(place: int) -> float:
    """The score of the page at a place, from 1, behind those that the query is a name of and before all passages."""
    return CERTAIN - 0.001 * place


def take_apart(
    ctx: Context, query: str, limit: int, only: PageFilter, without: frozenset[Source] = frozenset()
) -> Asked:
    """What a question asks for, with what is known of its words and what means the like."""
    spoken = ctx.store.languages.asked(ctx.view.sources)
    pieces = _pieces(query_terms(query, spoken))
    terms = [digests(piece.terms) for piece in pieces]
    times = times_of(ctx, query, spoken, only, look="date" not in without)
    worth = [CHOSEN.date_words if times.digests.issuperset(own) else 1.0 for own in terms]
    chunks = ctx.store.chunks.frequencies(ctx.view, pieces)
    pages = ctx.store.names.count(ctx.view)
    near = Found([], "off" if pieces else None)
    if pieces and "vector" not in without:
        most = max(NEAREST, _looked_at(limit))
        near = ctx.meaning.nearest(ctx.view, query, most, ("page",), only=only)
    return Asked(
        query,
        pieces,
        terms,
        understood(query),
        chunks,
        pages,
        rarity(chunks.held, chunks.total, worth),
        rarity([_in_pages(held, chunks.total, pages) for held in chunks.held], pages, worth),
        near,
        only,
        without,
        times,
    )


def _looked_at(limit: int) -> int:
    """How many pages are looked into to find so many."""
    return max(PAGES, limit + limit // 2)


def _in_pages(held: int, chunks: int, pages: int) -> int:
    """About how many pages hold a word that so many passages hold: as many as if these lay anywhere.

    One minus the chance that none of a page's passages is among them.
    """
    if not held or not pages:
        return 0
    missed: float = (1 - min(held, chunks) / chunks) ** (chunks / pages)
    return max(1, round(pages * (1 - missed)))


def _means(chunks: Frequencies, pages: int, weights: Weights) -> Means:
    """The mean lengths. How many neighbours a passage has follows from how many passages a page has."""
    share = min(1.0, pages / chunks.total) if chunks.total else 1.0
    beside = (weights.before + weights.after) * max(0.0, 1 - share)
    beside += (weights.two_before + weights.two_after) * max(0.0, 1 - 2 * share)
    return Means(chunks.length, chunks.length * (1 + beside), chunks.length / share if share else chunks.length)


class Scored(NamedTuple):
    """A passage that may answer a question. `likeness` and `covered` are of its whole page."""

    place: Place
    id: int
    arm: Arm
    parts: Parts
    likeness: float | None
    covered: float
    ranks: Ranks


def find_passages(
    ctx: Context, query: str, limit: int, only: PageFilter = ALL_PAGES, without: frozenset[Source] = frozenset()
) -> list[tuple[Scored, ChunkText]]:
    """The passages that answer a query, best first, several of a page if they do."""
    asked = take_apart(ctx, query, limit, only, without)
    found = sorted(_scored(ctx, asked, limit, set()), key=lambda one: (-one.parts.score, one.place))[:limit]
    texts = {chunk.id: chunk for chunk in ctx.store.chunks.by_ids(ctx.view, [one.id for one in found])}
    return [(one, texts[one.id]) for one in found if one.id in texts]


def _ranked(ctx: Context, asked: Asked, limit: int, without: set[int], beside: frozenset[int]) -> list[PageMatch]:
    """The pages whose best passages answer most of the question."""
    best: dict[int, Scored] = {}
    for one in _scored(ctx, asked, limit, without):
        held = best.get(one.place[0])
        if held is None or one.parts.score > held.parts.score:
            best[one.place[0]] = one
    ideas = asked.weights.concept if asked.question.intent == "concept" else 0.0
    found = ctx.store.pages.by_ids(ctx.view, list(best))
    for page in found if asked.times.times else ():
        best[page.id] = _timed(best[page.id], asked, page)
    scores = {
        page.id: best[page.id].parts.score
        + ideas * (page.type in IDEA_TYPES)
        + asked.weights.outside * (page.type in OUTSIDE_TYPES)
        + asked.weights.beside * (page.id in beside)
        for page in found
    }
    found.sort(key=lambda page: (-scores[page.id], page.slug))
    order = mixed([Typed(page.id, page.type, scores[page.id]) for page in found[:limit]], asked.weights.same_type)
    scores, pages = {one.id: one.score for one in order}, {page.id: page for page in found}
    found = [pages[one.id] for one in order]
    texts = ctx.store.chunks.by_ids(ctx.view, [best[page.id].id for page in found[:limit]])
    chunk_of = {chunk.page_id: chunk for chunk in texts}
    most = _most(asked.weights)
    return [
        PageMatch(
            page,
            chunk_of.get(page.id),
            max(min(scores[page.id] / most, CERTAIN - 0.01), 0.0),
            (one := best[page.id]).arm,
            one.parts,
            one.likeness,
            one.covered,
            one.ranks,
            entry=asked.times.entry(page.id) if one.arm == "date" else "",
        )
        for page in found[:limit]
    ]


def match_in(
    asked: Asked, page: Page, cut: Sequence[tuple[ChunkText, Words]], begins: Callable[[str], bool]
) -> PageMatch | None:
    """A page that is in no index by the best of its passages, with the score that it would have in one; None where it
    holds too little of the question. `begins` tells whether a single character that is asked for stands in a text."""
    passages = {(page.id, chunk.ordinal): _passage(asked, words, None, begins(chunk.text)) for chunk, words in cut}
    places = [(place, place[1]) for place in passages]
    means = _means(asked.units, asked.pages, asked.weights)
    best = max(_of_page(asked, places, passages, means), key=lambda one: (one.parts.score, -one.id), default=None)
    if best is None:
        return None
    best = _timed(best, asked, page)
    ideas = asked.weights.concept if asked.question.intent == "concept" and page.type in IDEA_TYPES else 0.0
    reached = min((best.parts.score + ideas) / _most(asked.weights), CERTAIN - 0.01)
    chunk = next(chunk for chunk, _ in cut if chunk.ordinal == best.id)
    return PageMatch(page, chunk, reached, best.arm, best.parts, None, best.covered)


def _timed(best: Scored, asked: Asked, page: Page) -> Scored:
    """The passage with what the dates of its page are worth."""
    return best._replace(parts=asked.times.of_page(best.parts, page, asked.weights))


def _scored(ctx: Context, asked: Asked, limit: int, without: set[int]) -> list[Scored]:
    """Every passage that was looked at, of pages that hold enough of the question."""
    words, alike, pages = candidates(ctx, asked, limit)
    ranked = [{page: rank for rank, page in enumerate(_pages_of(places), 1)} for places in (words, alike)]
    pages = [page for page in pages if page not in without]
    chosen = set(pages)
    near = {place[1] + step for place in (*words, *alike) if place[0] in chosen for step in NEAR}
    loaded = ctx.store.chunks.words(ctx.view, pages, sorted(near)[:500], WHOLE)
    cosines = ctx.meaning.alike("page", asked.text, [one.id for one in loaded]) if asked.by_meaning else {}
    words_of = {one.id: unpacked(one.words) for one in loaded}
    # Over longer passages too it was measured to lose an answer: among many words there is one like nearly any.
    turns = [one for one in loaded if words_of[one.id].turn]
    kin: dict[int, float] = {}
    if turns and asked.by_meaning and "keyword" not in asked.without:
        kin = ctx.meaning.kin(turns, asked.digests, asked.unit_words.worth())
    matched = set(words)
    passages: dict[Place, Passage] = {}
    of_page: dict[int, list[tuple[Place, int]]] = {}
    for one in loaded:
        place = (one.page_id, one.ordinal)
        passage = _passage(asked, words_of[one.id], cosines.get(one.id), place in matched)
        passages[place] = passage._replace(kin=kin.get(one.id, 0.0))
        of_page.setdefault(one.page_id, []).append((place, one.id))
    means = _means(asked.units, asked.pages, asked.weights)
    return [
        one._replace(ranks=Ranks(*(ranks.get(page) for ranks in ranked)))
        for page, places in of_page.items()
        for one in _of_page(asked, places, passages, means)
    ]


def candidates(ctx: Context, asked: Asked, limit: int) -> tuple[list[Place], list[Place], list[int]]:
    """Passages by words, passages by meaning, each best first, and the pages that are looked into."""
    most = _looked_at(limit)
    words = _by_words(ctx, asked, max(CANDIDATES, 2 * most), most)
    alike = [(hit.id, hit.ordinal) for hit in asked.near.hits]
    # By turns, so that neither arm crowds the other out before anything is scored.
    dated = [(page, 0) for page in asked.times.pages]
    arms = (words, alike, dated) if asked.times.alone else (words, alike)
    pages = list(dict.fromkeys(place[0] for turn in zip_longest(*arms) for place in turn if place))[:most]
    return words, alike, list(dict.fromkeys((*pages, *asked.times.pages)))


def _pages_of(places: Sequence[Place]) -> list[int]:
    return list(dict.fromkeys(page for page, _ in places))


def _of_page(
    asked: Asked, places: Sequence[tuple[Place, int]], passages: dict[Place, Passage], means: Means
) -> Iterator[Scored]:
    """The scores of a page's passages; none where the page holds too little of the question."""
    held = [passages[place] for place, _ in places]
    columns = zip(*(passage.text.counts for passage in held), strict=True)
    page = Text([sum(column) for column in columns], sum(passage.text.length for passage in held))
    likeness = max((passage.cosine for passage in held if passage.cosine is not None), default=None)
    weight = sum(weight for weight, count in zip(asked.page_words.words, page.counts, strict=True) if count)
    covered = weight / asked.page_words.most if asked.page_words.most else 0.0
    worded = covered >= SHOWN_FROM or sum(1 for count in page.counts if count) * 2 >= len(page.counts)
    dated = asked.times.answered(places[0][0][0], zip(page.counts, asked.digests, strict=True))
    if not worded and not dated and (likeness is None or likeness < ALIKE_FROM):
        return
    arm: Arm = "some_words" if any(page.counts) else "meaning"
    arm = "all_words" if all(page.counts) else "date" if dated and asked.times.alone else arm
    for place, id in places:
        parts = score(place, passages, page, likeness, asked.unit_words, asked.page_words, means, asked.weights)
        yield Scored(place, id, arm, parts, likeness, covered, Ranks())


def _passage(asked: Asked, words: Words, cosine: float | None, matched: bool) -> Passage:
    counts = [
        float(matched) if piece.prefix else words.count(digests)
        for piece, digests in zip(asked.pieces, asked.digests, strict=True)
    ]
    opens = any(words.first in digests for digests in asked.digests)
    tells = words.when and asked.question.intent == "temporal"
    return Passage(Text(counts, words.length), words.asks, opens, cosine, asked.times.of_words(words), when=tells)


def _by_words(ctx: Context, asked: Asked, most: int, pages: int) -> list[Place]:
    """Passages with the rarest words of the question, best first, until so many pages are among them."""
    if "keyword" in asked.without:
        return []
    # The rarest words alone are looked up while they bring enough: common ones make a search of a large brain slow and
    # hardly change who is among the best, which are scored with all words.
    order = sorted(range(len(asked.pieces)), key=lambda place: asked.units.held[place])
    chosen, total = list[Terms](), 0
    for place in order:
        total += asked.units.held[place]
        # Behind a filter the rarer words may all stand elsewhere.
        if chosen and total > max(COMMON, asked.units.total // 10) and asked.only == ALL_PAGES:
            break
        chosen.append(asked.pieces[place])
    hits = ctx.store.chunks.search(ctx.view, Match(should=tuple(chosen)), most, asked.only, pages=pages)
    return [(hit.page_id, hit.ordinal) for hit in hits]


def _with_passages(ctx: Context, asked: Asked, matches: list[PageMatch]) -> list[PageMatch]:
    """Give the pages that were found by a name or an edge the passage that says most of the question."""
    bare = [match.page.id for match in matches if match.chunk is None]
    if not bare:
        return matches
    loaded = ctx.store.chunks.words(ctx.view, bare, (), WHOLE)
    chosen: dict[int, tuple[float, int]] = {}
    for one in loaded:
        passage = _passage(asked, unpacked(one.words), None, matched=False)
        held = sum(weight for weight, n in zip(asked.unit_words.words, passage.text.counts, strict=True) if n)
        if one.page_id not in chosen or held > chosen[one.page_id][0]:
            chosen[one.page_id] = (held, one.id)
    texts = {chunk.page_id: chunk for chunk in ctx.store.chunks.by_ids(ctx.view, [id for _, id in chosen.values()])}
    return [match if match.chunk else match._replace(chunk=texts.get(match.page.id)) for match in matches]


def _pieces(units: Iterable[Terms]) -> list[Terms]:
    """The units with runs of Chinese, Japanese or Korean taken apart, so that half of a sentence can match."""
    pieces: dict[Terms, None] = {}
    for unit in units:
        pieces.update({unit: None} if len(unit.terms) == 1 else {Terms((term,)): None for term in unit.terms})
    return list(pieces)


def _most(weights: Weights) -> float:
    """The most a score can be, so that it stays below that of a name."""
    return (
        weights.unit
        + weights.window
        + weights.page
        + weights.cosine
        + weights.pooled
        + weights.page_cosine
        + weights.opens
        + weights.day
        + weights.concept
    )

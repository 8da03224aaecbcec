"""Finding by meaning: a question's vector from the model in force, beside the vectors that are stored.

Whatever fails gives no hits and a reason from a closed list; nothing here ever keeps the words from answering.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from gbrain import __version__, neighbour
from gbrain.domain.chunks import READING
from gbrain.domain.text import has_cjk
from gbrain.domain.times import store_time
from gbrain.errors import Unavailable
from gbrain.models import choice
from gbrain.models.embedder import Embedder, EmbedFailed, Reason
from gbrain.settings import Settings
from gbrain.store.chunks import ChunkWords
from gbrain.store.engine import Kept, Space
from gbrain.store.vectors import KINDS, Near, What
from gbrain.types import ALL_PAGES, PageFilter, View

if TYPE_CHECKING:
    from gbrain.arrays import Vector
    from gbrain.store.store import Store

Why = Literal[
    "no_vectors", "model_changed", "reading_changed", "no_vector_index", "language_not_covered", "vectors_pending"
]
"""Beside an embedder's reasons: nothing has a vector yet; the vectors are of another model, or of texts as an earlier
version read them; the database cannot compare them; the model does not know the language; some texts that may be seen
have none yet, and the rest was searched."""
REASONS: tuple[str, ...] = (*get_args(Reason), *get_args(Why))

ASK_SECONDS, HASTE_SECONDS = 2.0, 0.25
"""How long a serving process is waited for by a search, and by a write."""
MOST_CHARACTERS = 2_000
BATCH = 48
"""Texts that are embedded before they are stored: a second or two of work."""
_TILTED = 0.5
"""A model whose average is longer than this leans to one side, which what is compared bit by bit must be freed of."""

# Of no one's brain, so that what a reader finds does not depend on what others wrote.
_SAMPLES = (
    "The committee meets on Tuesday.",
    "She works at a bank in London.",
    "Two eggs and a cup of flour.",
    "Install the package and restart the server.",
    "Has the train left?",
    "Sales grew by five percent last year.",
    "My favourite film is about the sea.",
    "Call the doctor tomorrow morning.",
    "The river floods every spring.",
    "def add(a, b): return a + b",
    "They put the launch off.",
    "Thank you for your help!",
    "A new chair was elected.",
    "Rain is expected in the north.",
    "The contract ends in March 2031.",
    "He prefers tea to coffee.",
)


class Found(NamedTuple):
    """What a search by meaning gave, best first. `reason` says why there is nothing, or what is missing: one of
    REASONS, None when all was searched."""

    hits: list[Near]
    reason: str | None = None


class Meaning:
    """The model in force and the stored vectors of one brain, as one process uses them."""

    def __init__(self, home: str, settings: Settings, store: "Store", clock: Callable[[], datetime]) -> None:
        self._home = home
        self._settings = settings
        self._store = store
        self._clock = clock
        self._chosen: tuple[tuple[str, ...], Embedder] | None = None
        self._answers = False
        self._last: tuple[tuple[str, str], Vector] | None = None

    def embedder(self) -> Embedder:
        """The embedder in force; another one as soon as the settings say so. Raises EmbedFailed."""
        said = (choice.provider(self._settings), *(self._settings.get(key) for key in choice.KEYS[1:]))
        if self._chosen is None or self._chosen[0] != said:
            self._chosen = said, choice.embedder(self._settings, self._home)
        return self._chosen[1]

    def answer_here(self) -> None:
        """Let this process load the model itself from now on, rather than ask another: it is the one others ask."""
        self._answers = True

    def nearest(
        self,
        view: View,
        text: str,
        limit: int,
        kinds: Sequence[What] = KINDS,
        *,
        only: PageFilter = ALL_PAGES,
        live: bool = True,
    ) -> Found:
        """What this reader may see and means most nearly what a text says. Never raises for a model that fails."""
        try:
            embedder, space = self._ready(text)
            if not self._answers and (told := self._asked(view, text, limit, kinds, only, live, ASK_SECONDS)):
                return told
            vector = self._vector(embedder, space, text)
            hits = self._store.vectors.nearest(view, space, vector, limit, kinds, only=only, live=live)
        except Unavailable as failed:
            return Found([], _reason(failed))
        self._answers = True
        return Found(hits, "vectors_pending" if self._store.vectors.pending(view, space, kinds) else None)

    def alike(self, kind: What, text: str, ids: Sequence[int]) -> dict[int, float]:
        """The cosines of these chunks or facts, which somebody who may see them has found, with what a text says.

        Those without a vector are left out; all are where a vector of the text cannot be had.
        """
        try:
            embedder, space = self._ready(text)
            if not self._answers and (told := self._told(ASK_SECONDS, text=text, kind=kind, ids=list(ids))):
                return {int(id): float(cosine) for id, cosine in told["alike"]}
            return self._store.vectors.cosines(kind, space, self._vector(embedder, space, text), ids)
        except (Unavailable, KeyError, TypeError, ValueError):
            return {}

    def kin(
        self, read: Sequence[ChunkWords], asked: Sequence[Sequence[int]], worth: Sequence[float]
    ) -> dict[int, float]:
        """How much of a question these chunks, which somebody who may see them has found, meet with their neighbours
        among them by words of like meaning (`models.kindred`). Empty where that cannot be said."""
        if not self._answers:
            said = self._told(ASK_SECONDS, ids=[one.id for one in read], asked=asked, worth=worth)
            try:
                return {int(id): float(share) for id, share in said["kin"]} if said else {}
            except (KeyError, TypeError, ValueError):
                return {}
        # Arrays, which a question of words alone does without.
        from gbrain.models.kindred import shares

        found = shares([(one.page_id, one.ordinal, one.words) for one in read], asked, worth)
        return {one.id: share for one, share in zip(read, found, strict=False)}

    def near_facts(self, view: View, text: str, limit: int, least: float) -> list[int] | None:
        """The ids of live facts with a cosine of `least` or more to a claim, best first.

        None where that cannot be said at once: a write does not wait for a model to be loaded.
        """
        if not self._answers and not neighbour.is_heard(self._home):
            return None
        try:
            embedder, space = self._ready(text)
            if self._answers and embedder.loaded:
                vector = self._vector(embedder, space, text)
                found: Found | None = Found(self._store.vectors.nearest(view, space, vector, limit, ("fact",)))
            else:
                found = self._asked(view, text, limit, ("fact",), ALL_PAGES, True, HASTE_SECONDS)
        except Unavailable:
            return None
        if found is None or found.reason not in (None, "vectors_pending"):
            return None
        return [hit.id for hit in found.hits if hit.cosine >= least]

    def begin(self, *, anew: bool) -> Space:
        """The space that the embedder in force fills, begun where there is none, or `anew` where it is another's.

        Raises EmbedFailed, and Unavailable, reason `model_changed` or `reading_changed`, for vectors of another one
        unless `anew`.
        """
        embedder = self.embedder()
        space = self._store.vectors.space()
        other = changed(embedder, space) if space is not None else None
        if space is not None and other is None:
            return space
        if other is not None and not anew:
            raise other
        # The vectors are arrays here.
        from gbrain.arrays import np

        samples = embedder.passages(_SAMPLES)
        centre = samples.mean(axis=0)
        if float(np.linalg.norm(centre)) < _TILTED:
            # A model that leans nowhere is compared by the plain signs; a centre of noise would only blur them.
            centre = np.zeros_like(centre)
        with self._store.transaction():
            held = self._store.vectors.space()
            # Another process began it while the samples were embedded, which is done outside of transactions.
            if held is not None and changed(embedder, held) is None:
                return held
            return self._store.vectors.begin(
                embedder.name, samples.shape[1], centre.astype(np.float32), store_time(self._clock())
            )

    def embed_some(self, space: Space) -> int:
        """Give the next texts that await one a vector of this space; how many rows were looked at, 0 for none left."""
        embedder, vectors = self.embedder(), self._store.vectors
        for kind in KINDS:
            waiting = vectors.waiting(kind, space, BATCH)
            if not waiting:
                continue
            texts = (self._store.chunks if kind == "page" else self._store.facts).texts([row.id for row in waiting])
            there = [row for row in waiting if row.id in texts]
            if gone := [row.id for row in waiting if row.id not in texts]:
                with self._store.transaction():
                    vectors.drop(kind, gone)
            means = _means(embedder, [texts[row.id] for row in there], space.dimension)
            kept = [Kept(row.id, row.seen, vector) for row, vector in zip(there, means, strict=True)]
            vectors.keep(kind, space, kept)
            return len(waiting)
        return 0

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to what another process asks over the socket. Raises ValueError for what is no question of this
        version's."""
        if request.get("version") != __version__:
            raise ValueError("another version")
        if "worth" in request:
            asked = [[int(number) for number in own] for own in request["asked"]]
            worth = [float(share) for share in request["worth"]]
            read = self._store.chunks.ranked_by([int(id) for id in request["ids"]])
            return {"kin": list(self.kin(read, asked, worth).items())}
        if "ids" in request:
            ids = [int(id) for id in request["ids"]]
            kind = next(known for known in KINDS if known == request["kind"])
            return {"alike": list(self.alike(kind, str(request["text"]), ids).items())}
        types, tags, *dates = request["only"]
        only = PageFilter(tuple(types), tuple(tags), *dates)
        seen = dict(request["view"])
        for name in ("sources", "slugs"):
            seen[name] = None if seen[name] is None else tuple(seen[name])
        text, limit = str(request["text"]), int(request["limit"])
        found = self.nearest(View(**seen), text, limit, tuple(request["kinds"]), only=only, live=bool(request["live"]))
        return {"hits": [list(hit) for hit in found.hits], "reason": found.reason}

    def _ready(self, text: str) -> tuple[Embedder, Space]:
        embedder = self.embedder()
        if embedder.name == choice.BUNDLED and has_cjk(text):
            # It knows English alone: to it, all Chinese is alike.
            raise Unavailable(
                "the bundled model knows English alone",
                "name another one: gbrain config set embedding.model MODEL",
                detail={"reason": "language_not_covered"},
            )
        space = self._store.vectors.space()
        if space is None:
            raise Unavailable("no text has a vector yet", "run: gbrain embed", detail={"reason": "no_vectors"})
        other = changed(embedder, space)
        if other is not None:
            raise other
        return embedder, space

    def _vector(self, embedder: Embedder, space: Space, text: str) -> "Vector":
        key = (embedder.name, text[:MOST_CHARACTERS])
        # One question is compared several times: with what is nearest, with its neighbours, with facts.
        held = self._last
        if held is not None and held[0] == key:
            return held[1]
        vector: Vector = embedder.queries([key[1]])[0]
        if len(vector) != space.dimension:
            raise EmbedFailed("wrong_dimension", f"the model gives {len(vector)} dimensions, not {space.dimension}")
        self._last = key, vector
        return vector

    def _asked(
        self,
        view: View,
        text: str,
        limit: int,
        kinds: Sequence[What],
        only: PageFilter,
        live: bool,
        seconds: float,
    ) -> Found | None:
        said = self._told(
            seconds,
            view=view._asdict(),
            text=text[:MOST_CHARACTERS],
            limit=limit,
            kinds=list(kinds),
            only=list(only),
            live=live,
        )
        try:
            return None if said is None else Found([Near(*hit) for hit in said["hits"]], said["reason"])
        except (KeyError, TypeError):
            return None

    def _told(self, seconds: float, **request: Any) -> Any:
        """What a serving process says to a request; None where there is none."""
        try:
            with neighbour.Line(self._home, time.monotonic() + seconds) as line:
                said = line.ask("meaning", version=__version__, **request)
        except neighbour.Unanswered:
            return None
        return said if said.get("ok") else None


def _means(embedder: Embedder, texts: Sequence[tuple[str, ...]], dimension: int) -> "list[Vector]":
    """For each row of texts the mean of their vectors, of length 1. Raises EmbedFailed."""
    said = {text: place for place, text in enumerate(dict.fromkeys(text for row in texts for text in row))}
    if not said:
        return []
    vectors = embedder.passages(list(said))
    if vectors.shape[1] != dimension:
        raise EmbedFailed("wrong_dimension", f"the model gives {vectors.shape[1]} dimensions now")
    means = []
    for row in texts:
        first = vectors[said[row[0]]]
        whole = vectors[[said[text] for text in row]].sum(axis=0)
        length = float(whole @ whole) ** 0.5
        means.append(whole / length if length else first)
    return means


def changed(embedder: Embedder, space: Space, dimension: int = 0) -> Unavailable | None:
    """Why the vectors of a space cannot be compared with what an embedder makes of texts, which is known to be of a
    `dimension` where that is given; None where they can."""
    reason: Why = "model_changed"
    said = f"the vectors are of {space.model[:80]!r}, the settings name {embedder.name[:80]!r}"
    if embedder.name == space.model and (dimension or embedder.dimension) in (0, space.dimension):
        if space.reading == str(READING):
            return None
        reason, said = "reading_changed", "the vectors are of texts as another version of gbrain read them"
    return Unavailable(said, "run: gbrain embed --stale", detail={"reason": reason})


def _reason(failed: Unavailable) -> str:
    said = failed.detail.get("reason") if isinstance(failed.detail, dict) else None
    if said not in REASONS:
        # The store itself: the arm of words meets it too, and says so.
        raise failed
    return str(said)

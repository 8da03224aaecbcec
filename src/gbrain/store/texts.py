"""Text indexes, apart for what everybody may read and what only the operator may.

BM25 weighs a word by how many texts hold it. In one index the order of a remote reader's hits would tell which words
stand in private text, so private rows have an index of their own, which only local reads look into. Sources are kept
apart by the engine for the same reason.
"""

from collections.abc import Sequence

from gbrain.store.engine import Engine, Frequencies, Match, Terms
from gbrain.types import Hit, View


class Texts:
    """One kind of indexed text: the table `name` and its private twin."""

    def __init__(self, engine: Engine, name: str, weights: Sequence[float] = ()) -> None:
        self._engine = engine
        self._name = name
        self._twin = f"{name}_private"
        self._weights = tuple(weights)

    def put(self, source: str, id: int, columns: Sequence[str], *, private: bool, new: bool = False) -> None:
        """Index a row's columns (terms, as `index_terms` makes them) on the side of its readers. A `new` row was
        never indexed."""
        self._engine.index(self._twin if private else self._name, id, columns, source, new=new)

    def put_again(self, rows: Sequence[tuple[str, int, Sequence[str] | None, bool]]) -> None:
        """Index many rows (source, id, columns, private) anew, whatever stood of them; None takes one out."""
        for side, private in ((self._name, False), (self._twin, True)):
            # A row that changed sides is put into one index and taken out of the other.
            self._engine.index_rows(
                side, [(id, columns if own == private else None, source) for source, id, columns, own in rows]
            )

    def remove(self, source: str, id: int) -> None:
        """Take a row out, on whichever side it is."""
        self._engine.index(self._name, id, None, source)
        self._engine.index(self._twin, id, None, source)

    def search(self, view: View, match: Match, limit: int) -> list[Hit]:
        """The best hits of the sides this reader may look into, best first.

        One bound to slugs is given the newest: how rare a word is would tell of the other texts beside them.
        """
        ranked = view.slugs is None
        hits = self._engine.keyword(self._name, match, limit, self._weights, view.sources, ranked=ranked)
        if view.private:
            hits += self._engine.keyword(self._twin, match, limit, self._weights, view.sources, ranked=ranked)
            hits.sort(key=lambda hit: (-hit.score, 0 if ranked else -hit.id))
        return hits[:limit]

    def frequencies(self, view: View, units: Sequence[Terms]) -> Frequencies:
        """How common these units are in what this reader may look into; for one bound to slugs nothing is counted."""
        if view.slugs is not None:
            return Frequencies(0, 0.0, (0,) * len(units))
        found = self._engine.frequencies(self._name, units, view.sources)
        return found + self._engine.frequencies(self._twin, units, view.sources) if view.private else found

"""In which language the words of each source are stemmed, and how its text indexes follow a change.

While they follow, an index holds words stemmed in the old language and in the new one. `sources.indexed_in` names
every language that may stand in it, and a query asks for all of them, so that nothing is lost meanwhile, nor after
a change that was broken off.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gbrain.store.engine import Engine
from gbrain.store.terms import ENGLISH

BATCH = 200
"""Pages or facts that are indexed anew in one transaction: writers wait for no more than that."""


class Language(NamedTuple):
    """The language in which a source is written to, and those in which words of its indexes may be stemmed."""

    written: str
    indexed: tuple[str, ...]


class Languages:
    """The columns `language` and `indexed_in` of the `sources` table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, source: str) -> Language:
        """The languages of one source; English for one that is not known."""
        found = self._engine.rows("select language, indexed_in from sources where id = :id", {"id": source})
        if not found:
            return Language(ENGLISH, (ENGLISH,))
        return Language(found[0]["language"], tuple(found[0]["indexed_in"].split()))

    def written(self, sources: Iterable[str]) -> dict[str, str]:
        """The language that each of these sources is written in."""
        return {source: self.of(source).written for source in sources}

    def asked(self, sources: Sequence[str]) -> tuple[str, ...]:
        """Every language in which words of these sources may stand in an index, sorted."""
        rows = self._engine.rows(
            "select distinct indexed_in from sources where id in (:ids)", {"ids": list(sources) or [""]}
        )
        return tuple(sorted({name for row in rows for name in row["indexed_in"].split()})) or (ENGLISH,)

    def begin(self, source: str, language: str) -> None:
        """From now on what is written to a source is stemmed in a language."""
        with self._engine.transaction():
            held = self.of(source).indexed
            self._engine.rows(
                "update sources set language = :language, indexed_in = :held where id = :id",
                {"id": source, "language": language, "held": " ".join(dict.fromkeys((*held, language)))},
            )

    def follow(self, source: str, table: str, index_again: Callable[[Sequence[int]], None]) -> int:
        """Index every row of a source in `pages` or `facts` anew, in batches; how many."""
        done = count = 0
        while True:
            with self._engine.transaction():
                ids = [
                    int(row["id"])
                    for row in self._engine.rows(
                        f"select id from {table} where source_id = :id and id > :done order by id limit :most",
                        {"id": source, "done": done, "most": BATCH},
                    )
                ]
                if ids:
                    index_again(ids)
            if not ids:
                return count
            done, count = ids[-1], count + len(ids)

    def end(self, source: str, language: str) -> bool:
        """Note that the indexes of a source hold this language alone; False when another was chosen meanwhile."""
        ended = self._engine.rows(
            "update sources set indexed_in = :language where id = :id and language = :language returning id",
            {"id": source, "language": language},
        )
        return bool(ended)

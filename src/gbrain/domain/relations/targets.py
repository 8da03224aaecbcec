"""Which page a reference leads to: its exact slug, an alias, or the one page whose slug ends so. Never a guess."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gbrain.types import Candidate


class Wanted(NamedTuple):
    """What is looked for: the keys of a reference, its source, and the folders to look in first."""

    source: str
    slug: str
    near: str
    name: str
    hints: tuple[str, ...] = ()


class Target(NamedTuple):
    """The page that was found, whether by its exact slug; and where it is unclear, the pages it could be."""

    page: Candidate | None
    exact: bool
    candidates: tuple[Candidate, ...] = ()


class Known:
    """The pages that some references may lead to, by the keys they are found under."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._slugs: dict[tuple[str, str], Candidate] = {}
        self._names: dict[tuple[str, str], list[Candidate]] = {}
        self._tails: dict[tuple[str, str], list[Candidate]] = {}
        for candidate in candidates:
            if candidate.alias:
                self._names.setdefault((candidate.source_id, candidate.alias), []).append(candidate)
            else:
                self._slugs[candidate.source_id, candidate.slug] = candidate
                if candidate.tail:
                    self._tails.setdefault((candidate.source_id, candidate.tail), []).append(candidate)

    def find(self, wanted: Wanted, *, private: bool) -> Target:
        """The page that a reference means, on a page that is private or not.

        What only the operator sees decides nothing about a text that others read: there a private page counts where
        no other one is meant.
        """
        if private:
            return self._choose(wanted, (0, 1))
        found = self._choose(wanted, (0,))
        return found if found.page is not None or found.candidates else self._choose(wanted, (1,))

    def _choose(self, wanted: Wanted, private: Sequence[int]) -> Target:
        for slug in (wanted.slug, wanted.near):
            page = self._slugs.get((wanted.source, slug)) if slug else None
            if page is not None and page.private in private:
                return Target(page, True)
        if not wanted.name:
            return Target(None, False)
        ends = (self._fitting(self._tails, wanted.source, end, private) for end in (wanted.slug, wanted.near) if end)
        tails = sorted({page.id: page for pages in ends for page in pages}.values(), key=lambda page: page.slug)
        hinted = [page for page in tails if page.slug.rpartition("/")[0] in wanted.hints]
        names = self._fitting(self._names, wanted.source, wanted.name, private)
        for pages in (hinted, names, tails):
            if len(pages) == 1:
                return Target(pages[0], False)
            if pages:
                return Target(None, False, tuple(pages))
        return Target(None, False)

    @staticmethod
    def _fitting(
        held: Mapping[tuple[str, str], list[Candidate]], source: str, key: str, private: Sequence[int]
    ) -> list[Candidate]:
        pages = {page.id: page for page in held.get((source, key), ()) if page.private in private}
        return sorted(pages.values(), key=lambda page: page.slug)

"""Pages held in a list, and asked for by the names that `callings` gives them."""

from collections.abc import Iterable, Sequence

from gbrain.domain.offers.callings import callings
from gbrain.domain.offers.choosing import Bearer
from gbrain.domain.offers.core import Detail


class Listed:
    """A lookup over pages given as (slug, title, type, summary, aliases), all of one source unless slugs say `s:`."""

    def __init__(self, *pages: tuple[str, str, str, str, Sequence[str]]) -> None:
        self._bearers: list[Bearer] = []
        for written, title, type, summary, aliases in pages:
            source, _, slug = written.rpartition(":")
            rank = 0 if not source else 1
            for key, form in callings(title, slug.rpartition("/")[2], type, aliases).items():
                self._bearers.append(Bearer(source or "own", slug, title, type, summary, key, form, rank))
            self._bearers.append(Bearer(source or "own", slug, title, type, summary, slug, "slug", rank))
        self.told: dict[tuple[str, str], list[Detail]] = {}

    def named(self, keys: Iterable[str]) -> list[Bearer]:
        wanted = set(keys)
        return [bearer for bearer in self._bearers if bearer.key in wanted]

    def heard(self, words: Iterable[str]) -> set[str]:
        known = {word for bearer in self._bearers for word in bearer.key.split()}
        return known & set(words)

    def details(self, bearers: Sequence[Bearer], most: int) -> dict[tuple[str, str], list[Detail]]:
        return {place: told[:most] for place, told in self.told.items()}

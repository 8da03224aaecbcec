"""Which page a name means. Reading ranks what was found; writing never guesses."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gbrain.domain.slugs import alias_key, slugify
from gbrain.types import Named

ARMS = ("alias", "slug", "former", "title", "tail")
SELF = "user"
SELF_NAMES = frozenset({"i", "me", "myself", "user", "the user", "the-user", "我", "用户"})
"""Names that agents and people give whoever a brain belongs to; all of them mean one entity."""
ENTITY_FOLDERS = ("people", "companies", "deals", "projects", "concepts", "meetings")


class Resolution(NamedTuple):
    """The page a name means on a write: one page, or none and the pages it could have meant."""

    page: Named | None
    candidates: tuple[Named, ...]


def ranked(found: Iterable[Named]) -> list[Named]:
    """The pages a name leads to, best first, each once.

    Alias before exact slug before exact title before slug suffix; then folders of entities before others;
    then the latest touch.
    """
    best: dict[int, Named] = {}
    for named in found:
        held = best.get(named.page_id)
        if held is None or ARMS.index(named.arm) < ARMS.index(held.arm):
            best[named.page_id] = named
    latest_first = sorted(best.values(), key=lambda named: (named.touched, named.slug), reverse=True)
    return sorted(latest_first, key=lambda named: (ARMS.index(named.arm), _folder_rank(named.slug)))


def decide(found: Sequence[Named]) -> Resolution:
    """The one page a write may be tied to: the exact slug, now or until a rename, else a single page of that alias or
    title, else a single person or company whose slug ends so. Anything else ties to nothing."""
    pages = ranked(found)
    for arms in (("slug",), ("former",), ("alias", "title"), ("tail",)):
        fitting = {named.page_id: named for named in found if named.arm in arms and _may_tie(named)}
        if len(fitting) == 1:
            return Resolution(next(iter(fitting.values())), ())
        if fitting:
            return Resolution(None, tuple(pages))
    return Resolution(None, ())


def bare_slug(name: str) -> str | None:
    """The slug of a name that no page bears; None when nothing of it is left. Every name of the user is one."""
    return SELF if alias_key(name) in SELF_NAMES else slugify(name)


def partial(words: Iterable[str], named_words: Iterable[str]) -> bool:
    """Whether every word of a given name stands in this page's names: a first name, or half a title."""
    return set(words) <= set(named_words)


def _may_tie(named: Named) -> bool:
    """The end of a slug is a name only where slugs are made of names."""
    return named.arm != "tail" or named.slug.split("/", 1)[0] in ("people", "companies")


def _folder_rank(slug: str) -> int:
    folder = slug.split("/", 1)[0]
    return ENTITY_FOLDERS.index(folder) if folder in ENTITY_FOLDERS else len(ENTITY_FOLDERS)

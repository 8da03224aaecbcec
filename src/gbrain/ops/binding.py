"""Tying a name to an entity, for a write: exactly, or not at all."""

from typing import NamedTuple

from gbrain.domain.entities import SELF, SELF_NAMES, bare_slug, decide, partial
from gbrain.domain.slugs import alias_key, tail
from gbrain.domain.text import raw_terms
from gbrain.errors import ScopeDenied
from gbrain.registry import Context
from gbrain.store.fact_filter import Filter
from gbrain.store.store import Store
from gbrain.types import Named, View


class Bound(NamedTuple):
    """What a given name is tied to on a write.

    `slug` is the entity's slug: of a page, or made from a name no page bears; None when the name was unclear.
    `key` groups facts about the same thing; `names` are the words that mean it inside a claim; `private` says that
    its page is for the operator alone.
    """

    slug: str | None
    key: str
    name: str | None
    names: tuple[str, ...]
    private: bool = False


UNBOUND = Bound(None, "", None, ())


def bind(ctx: Context, name: str | None) -> Bound:
    """Tie a name to an entity without guessing; an unclear name ties to nothing and the reply says who it could be.

    Raises ScopeDenied when the caller is bound to slugs and the name leads to none of them.
    """
    bound = _bind(ctx, name)
    if ctx.caller.slugs is not None and bound.slug not in ctx.caller.slugs:
        raise ScopeDenied(
            "this client is bound to slugs, and the entity is not one of them",
            f"pass entity as one of: {', '.join(ctx.caller.slugs[:5])}",
        )
    return bound


def bind_known(ctx: Context, claim: str) -> Bound:
    """Tie a claim to the page or the facts whose name it begins with, the longest that is known; else to nothing.

    One word counts only as an alias or the whole title of a page, and nothing counts that could mean two.
    """
    if ctx.caller.slugs is not None:
        return UNBOUND
    view = ctx.view._replace(sources=(ctx.source,))
    words = claim.split()[:4]
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(",;:.")
        name = name[:-2] if name.endswith(("'s", "’s")) else name
        if alias_key(name) in SELF_NAMES or not name[:1].isupper():
            continue
        found = decide(ctx.store.names.find(view, name))
        slug = bare_slug(name)
        if (found.page is not None and (count > 1 or found.page.arm in ("alias", "title"))) or (
            count > 1 and slug and not found.candidates and ctx.store.facts.count(view, Filter((slug,)), 1)
        ):
            return _bind(ctx, name)
    return UNBOUND


def _bind(ctx: Context, name: str | None) -> Bound:
    if name is None or not name.strip():
        return UNBOUND
    view = ctx.view._replace(sources=(ctx.source,))
    if alias_key(name) in SELF_NAMES:
        return _user(ctx, view, name)
    found = decide(ctx.store.names.find(view, name))
    if found.page is not None:
        shown = ctx.store.names.pages(view._replace(private=False), [found.page.page_id], "slug")
        return Bound(found.page.slug, found.page.slug, None, entity_words(ctx.store, found.page), not shown)
    hidden = view.private and ctx.store.names.hidden(view, name)
    near = list(found.candidates) or ctx.store.names.near(view, name, 5)
    words = raw_terms(name)
    could_be = list(found.candidates) or [page for page in near if partial(words, _words(ctx.store, page))]
    if could_be:
        listed = ", ".join(page.slug for page in could_be[:5])
        ctx.warn(
            "entity_unclear",
            f"{name[:80]!r} could be {listed}; the fact was saved without an entity",
            candidates=[page.slug for page in could_be[:5]],
            suggestion="remember it again with one of these slugs as entity",
        )
        return Bound(None, alias_key(name), name.strip(), (name,))
    slug = bare_slug(name)
    # Facts may know somebody of this name by a longer one; which of the two is meant only the caller can say.
    bearers = [bearer for bearer in ctx.store.facts.bearers(view, words[:8]) if bearer != slug]
    if bearers and not ctx.store.facts.count(view, Filter((slug or "",)), 1):
        ctx.warn(
            "entity_unclear",
            f"{name[:80]!r} could be {', '.join(bearers)}; the fact was saved without an entity",
            candidates=bearers,
            suggestion="remember it again with one of these names as entity",
        )
        return Bound(None, alias_key(name), name.strip(), (name,))
    if not _told_elsewhere(ctx, name) and near:
        ctx.warn(
            "entity_unknown",
            f"no page of the source {ctx.source!r} is called {name[:80]!r}; similar names:"
            f" {', '.join(page.slug for page in near[:3])}",
            candidates=[page.slug for page in near[:3]],
            suggestion="if one of these was meant, remember it again with that slug as entity",
        )
    # Named by its slug, before it has a page: its claims call it by the words of that.
    names = (name, tail(slug).replace("-", " ")) if slug else (name,)
    return Bound(slug, slug or alias_key(name), name.strip(), names, hidden)


def _told_elsewhere(ctx: Context, name: str) -> bool:
    """Say which pages of other sources bear a name, as this caller reads them; whether any does."""
    others = tuple(source for source in ctx.view.sources if source != ctx.source)
    if not others or "read" not in ctx.caller.scopes:
        return False
    found = ctx.store.names.find(ctx.view._replace(sources=others), name)
    bearing = list(dict.fromkeys(f"{page.source_id}:{page.slug}" for page in found if page.arm != "former"))
    if not bearing:
        return False
    joined = "reads of both join the two" if not bearing[1:] else "it is joined to none of them"
    ctx.warn(
        "entity_elsewhere",
        f"{name[:80]!r} is {' and '.join(bearing[:3])}; the fact stays in the source {ctx.source!r}, and {joined}",
        candidates=bearing[:5],
        suggestion="to save it beside the page, pass the page with its source as entity",
    )
    return True


def _user(ctx: Context, view: View, name: str) -> Bound:
    """Whoever the brain belongs to: the page that declares one of their names as an alias, else the bare name."""
    named = {
        page.page_id: page for own in SELF_NAMES for page in ctx.store.names.find(view, own) if page.arm == "alias"
    }
    if len(named) == 1:
        page = next(iter(named.values()))
        shown = ctx.store.names.pages(view._replace(private=False), [page.page_id], "slug")
        return Bound(page.slug, page.slug, None, (*entity_words(ctx.store, page), name), not shown)
    return Bound(SELF, SELF, name.strip(), (name,))


def entity_words(store: Store, page: Named) -> tuple[str, ...]:
    """The names of a page: title, last slug segment and aliases."""
    return (page.title, tail(page.slug), *store.names.aliases([page.page_id]).get(page.page_id, ()))


def _words(store: Store, page: Named) -> list[str]:
    return [word for text in entity_words(store, page) for word in raw_terms(text)]

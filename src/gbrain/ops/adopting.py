"""Facts that were saved under a bare name, tied to the page that bears it now."""

from collections.abc import Iterable

from gbrain.domain.entities import SELF, SELF_NAMES, decide
from gbrain.domain.slugs import alias_key, slugify, tail
from gbrain.registry import Context
from gbrain.types import Draft, Page, View

NAMES_ADOPTED = 50
"""So many names of a page lead facts to it at the most; each one is resolved."""


def adopt(ctx: Context, source: str, page_id: int, draft: "Draft | Page", aliases: Iterable[str] | None = None) -> None:
    """Tie facts that were saved under a bare name to this page, for each name that leads to it alone.

    World facts go by the pages everybody sees, private facts by the operator's, so that nothing hidden decides what
    others read. A private page adopts nothing: its slug would then show on facts that everybody may read. Nor does a
    page written by a caller bound to slugs: it would take what it may not read by naming its page so. What the user is
    called belongs to a page only by its alias.
    """
    if draft.private or ctx.caller.slugs is not None:
        return
    named = tuple(aliases if aliases is not None else draft.aliases if isinstance(draft, Draft) else ())
    # A title of "Me" is common; only a person who writes it as an alias means it.
    own = any(alias_key(alias) in SELF_NAMES for alias in named)
    names = list(dict.fromkeys((draft.title, tail(draft.slug), *named)))[:NAMES_ADOPTED]
    sought = {key for name in names for key in (slugify(name), alias_key(name)) if key}
    # One look-up spares nearly every write the resolving of names below.
    if not ctx.store.facts.named(source, [*sought, *([SELF] if own else [])]):
        return
    from gbrain.ops.saving import settle  # the words that claims are compared by take 25 ms to load

    with ctx.store.engine.unveiled():
        for visibility in ("world", "private"):
            view = View((source,), visibility == "private", ctx.now_text)
            keys: dict[str, None] = {SELF: None} if own else {}
            for name in names:
                page = decide(ctx.store.names.find(view, name)).page
                if page is not None and page.page_id == page_id:
                    keys.update({key: None for key in (slugify(name), alias_key(name)) if key and key != SELF})
            adopted = ctx.store.facts.adopt(source, draft.slug, list(keys), visibility) if keys else []
            if adopted:
                settle(ctx.store, View((source,), True, ctx.now_text), adopted, tuple(names))

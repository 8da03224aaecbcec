"""The operation on the language of a source: how its words are made comparable for keyword search."""

from typing import Annotated, TypedDict

from gbrain.errors import InvalidParams, NotFound
from gbrain.registry import Context, Param, operation
from gbrain.settings import nearest
from gbrain.store.terms import languages


class LanguageReply(TypedDict):
    """The language of a source, and how many pages and facts were indexed anew for it."""

    id: str
    language: str
    before: str
    pages: int
    facts: int


@operation(
    scope="admin",
    surface="full",
    title="Choose the language of a source",
    positional=("id", "language"),
    cli=None,
    idempotent=True,
    local_only=True,
    examples=("gbrain sources language default", "gbrain sources language default german"),
)
def sources_language(
    ctx: Context,
    id: Annotated[str, Param("The id of the source.", max_length=200)],
    language: Annotated[str | None, Param("Whose words it holds; `none` compares words as they are.")] = None,
) -> LanguageReply:
    """Choose the language in which keyword search stems the words of a source, or show which one it is.

    Every page and fact of the source is then indexed anew, in batches between which others can write. Until that is
    done, and after it was broken off, a question finds what stands in either language; the same command goes on.
    """
    if id not in ctx.store.sources.ids():
        raise NotFound(f"there is no source {id[:64]!r}", "run: gbrain sources list")
    held = ctx.store.languages.of(id)
    if language is None:
        return {"id": id, "language": held.written, "before": held.written, "pages": 0, "facts": 0}
    wanted = language.strip().casefold()
    if wanted not in languages():
        near = nearest(wanted[:64], languages())
        hint = f"did you mean {near}? " if near else ""
        known = ", ".join(languages())
        raise InvalidParams(f"the words of {language[:64]!r} cannot be stemmed", f"{hint}pass one of: {known}")
    pages = facts = 0
    if held.indexed != (wanted,):
        ctx.store.languages.begin(id, wanted)
        pages = ctx.store.languages.follow(id, "pages", ctx.store.pages.index_again)
        facts = ctx.store.languages.follow(id, "facts", ctx.store.facts.index_again)
        if not ctx.store.languages.end(id, wanted):
            raise InvalidParams(
                f"another language was chosen for {id!r} meanwhile", f"run: gbrain sources language {id}"
            )
    return {"id": id, "language": wanted, "before": held.written, "pages": pages, "facts": facts}

"""Facts about what no page of their source is of: told of a name, and only sources read together tell whose it is.

A source that knows no page of a name keeps what it is told under the bare name. For a reader of several sources that
name leads to a page of another one, if to one alone; nothing that this reader may not see has a say in it. It reads
through anything that runs a statement, so that a hook can ask without a server.
"""

from typing import Any, Protocol

from gbrain.domain.slugs import alias_key, slugify, tail
from gbrain.store import visibility
from gbrain.view import View

MOST_NAMES = 20
"""So many names of one page are tried."""
UNWRITTEN = "unwritten"
"""The type of what facts are about and no page is of."""
PAGELESS = (
    "not exists (select 1 from pages q where q.source_id = f.source_id and q.slug = f.entity_key"
    f" and {visibility.pages(deleted=True).replace('p.', 'q.')})"
)
"""The condition that a fact `f` is about nothing with a page that the reader may see, deleted or not. Of one that is
hidden it knows nothing: what is not offered on its account would tell of it."""


class Rows(Protocol):
    """Whatever runs one statement with named parameters, lists in `in (...)` included."""

    def rows(self, sql: str, params: Any = ...) -> list[dict[str, Any]]:
        """The rows of one statement; see Engine.rows."""


def bare_keys(engine: Rows, view: View, source: str, slug: str, title: str) -> tuple[str, ...]:
    """The keys under which the other sources of this view hold facts about a page that is given by its source, slug
    and title."""
    others = [other for other in view.sources if other != source]
    if not others or source not in view.sources:
        return ()
    aliases = engine.rows(
        "select a.alias_key as name from pages p join aliases a on a.page_id = p.id where p.source_id = :source"
        " and p.slug = :slug order by a.alias_key limit :most",
        {"source": source, "slug": slug, "most": MOST_NAMES},
    )
    names = dict.fromkeys((title, tail(slug).replace("-", " "), *(row["name"] for row in aliases)))
    keys = {key: alias_key(name) for name in names if (key := slugify(name))} | {slug: alias_key(slug)}
    told = engine.rows(
        "select distinct f.entity_key from facts f where f.source_id in (:others) and f.entity_key in (:keys)"
        " and f.entity_slug is not null",
        {"others": others, "keys": list(keys)},
    )
    held = [row["entity_key"] for row in told]
    if not held:
        return ()
    borne = _borne(engine, view, source, slug, {key: keys[key] for key in held})
    return tuple(key for key in held if key not in borne and keys[key] not in borne)


def _borne(engine: Rows, view: View, source: str, slug: str, keys: dict[str, str]) -> set[str]:
    """The slugs and names that another visible page bears too."""
    other = f"{visibility.pages()} and (p.source_id <> :source or p.slug <> :slug)"
    rows = engine.rows(
        f"select p.slug as name from pages p where p.slug in (:keys) and {other}"
        f" union select p.tail as name from pages p where p.tail in (:keys) and {other}"
        f" union select p.title_key as name from pages p where p.title_key in (:names) and {other}"
        " union select a.alias_key as name from aliases a join pages p on p.id = a.page_id"
        f" where a.source_id in (:v_sources) and a.alias_key in (:names) and {other}",
        {
            **visibility.params(view),
            "source": source,
            "slug": slug,
            "keys": list(keys),
            "names": list(keys.values()),
        },
    )
    return {row["name"] for row in rows}


def called(name: str | None, slug: str) -> str:
    """What facts call an entity; where they name it by its slug, the words of that."""
    return name if name and name != slug else slug.rpartition("/")[2].replace("-", " ").title()

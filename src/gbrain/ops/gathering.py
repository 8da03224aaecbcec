"""What the brain holds on a question: pages, facts, dated entries and links, as this caller may see them."""

import re
from datetime import date
from functools import cache
from typing import NamedTuple

from gbrain.domain.answers.evidence import COMPILED, EXTERNAL, TIMELINE, Evidence, fact_weight
from gbrain.domain.entities import SELF, SELF_NAMES
from gbrain.domain.measures import measure
from gbrain.domain.periods import of_date
from gbrain.domain.ranking.question import spans
from gbrain.domain.slugs import alias_key, title_from_slug
from gbrain.domain.text import has_cjk, raw_terms
from gbrain.domain.times import parse_since, parse_store
from gbrain.ops.pages import readable_text
from gbrain.ops.recall import ranked_facts
from gbrain.ops.retrieval import OUTSIDE_TYPES, find_pages
from gbrain.registry import Context
from gbrain.store.fact_filter import Filter
from gbrain.store.trajectories import Once
from gbrain.types import Fact, Link, Page

PAGES, FACTS, OF_ENTITY, ENTRIES, LINKS, ENTITIES = 12, 20, 30, 30, 12, 4
SYNTHESIZED = "synthesis/"
"""Where answers are kept: they count for less than what they were made of."""


class Within(NamedTuple):
    """The days that evidence may be of, both included; None leaves an end open."""

    since: date | None
    until: date | None

    def holds(self, when: str) -> bool:
        """Whether a date of any precision may lie between; one that is not known does while no end is set."""
        period = of_date(when[:10])
        if period is None:
            return self.since is None and self.until is None
        return (self.since is None or period.last >= self.since) and (self.until is None or period.first <= self.until)


class Entity(NamedTuple):
    """Someone or something that a question names: its page, or None where only facts are about it."""

    slug: str
    keys: tuple[str, ...]
    names: tuple[str, ...]
    page: Page | None


class Gathered(NamedTuple):
    """Evidence, the best first; `links` counts edges that were walked, `unknown` holds names that lead nowhere."""

    within: Within
    evidence: list[Evidence]
    entities: list[Entity]
    pages: int
    links: int
    unknown: list[str]
    degraded: str | None

    @property
    def takes(self) -> int:
        """How many beliefs and commitments were gathered."""
        return sum(1 for one in self.evidence if one.belief)

    def names(self) -> dict[str, tuple[str, ...]]:
        """What each entity is called, by its slug."""
        return {entity.slug: entity.names for entity in self.entities}


def period_of(ctx: Context, since: str | None, until: str | None) -> Within:
    """The days between two moments as a caller gave them. Raises InvalidParams for what is no moment."""
    first = parse_since(since, ctx.now).date() if since else None
    given = of_date(until.strip()) if until else None
    last = given.last if given else parse_since(until, ctx.now).date() if until else None
    return Within(first, last)


def gather(ctx: Context, question: str, within: Within, anchor: str | None = None) -> Gathered:
    """Everything that may bear on a question, each piece once.

    Pages and facts by their words and meaning, then for each entity that the question names, or the `anchor`, its page,
    facts, dated entries and links.
    """
    named = entities(ctx, question, anchor)
    found = find_pages(ctx, question, PAGES)
    pages = {match.page.id: (match.page, match.text) for match in found.matches}
    named = (named + _inside(ctx, question, [page for page, _ in pages.values()], named))[:ENTITIES]
    for entity in named:
        if entity.page is not None and entity.page.id not in pages:
            pages[entity.page.id] = (entity.page, entity.page.summary)
    held = [_page(ctx, page, text, within) for page, text in pages.values()]
    held = [one for one in held if within.holds(one.date)]
    seen = len(held)
    facts = [one.fact for one in ranked_facts(ctx, ctx.view, question, Filter(), FACTS, None)[0]]
    about = [fact for entity in named for fact in ctx.store.facts.select(ctx.view, _of(entity), OF_ENTITY)]
    held += [_fact(fact) for fact in {fact.id: fact for fact in (*about, *facts)}.values()]
    walked = 0
    for entity in named:
        if entity.page is not None:
            held += entries(ctx, entity.page)
            links = _links(ctx, entity.page)
            walked += len(links)
            held += links
    held = [one for one in held if one.kind in ("page", "link") or within.holds(one.date)]
    unknown = [] if named else _unknown(question, held)
    return Gathered(within, held, named, seen, walked, unknown, found.reason)


def entities(ctx: Context, question: str, anchor: str | None = None) -> list[Entity]:
    """Who and what a question names: pages by name, then names that only facts are about, the longest first."""
    ids = [page.page_id for page in ctx.store.names.ranked(ctx.view, anchor)[:1]] if anchor else []
    stretches = spans(question)
    ids += [id for id in ctx.store.names.called(ctx.view, stretches) if id not in ids]
    pages = {page.id: page for page in ctx.store.pages.by_ids(ctx.view, ids[:ENTITIES])}
    aliases = ctx.store.names.aliases(pages)
    found = [
        Entity(page.slug, _keys(ctx, page), (page.title, *aliases.get(page.id, ())), page)
        for id in ids
        if (page := pages.get(id)) is not None
    ]
    found += _unwritten(ctx, stretches, {key for entity in found for key in entity.keys})
    words = set(raw_terms(question))
    if words & {"i", "my", "me", "mine", "we", "our", "我"} and not any(SELF in entity.keys for entity in found):
        found.append(Entity(SELF, (SELF,), tuple(sorted(SELF_NAMES)), None))
    return found[:ENTITIES]


def _inside(ctx: Context, question: str, pages: list[Page], named: list[Entity]) -> list[Entity]:
    """Pages that were found and whose title stands in a question without spaces, where no stretch is a name."""
    known = {entity.slug for entity in named}
    titled = [page for page in pages if len(page.title) > 1 and has_cjk(page.title) and page.title in question]
    aliases = ctx.store.names.aliases([page.id for page in titled]) if titled else {}
    return [
        Entity(page.slug, _keys(ctx, page), (page.title, *aliases.get(page.id, ())), page)
        for page in titled
        if page.slug not in known
    ]


def _unwritten(ctx: Context, stretches: list[str], known: set[str]) -> list[Entity]:
    """Names in a question that no page bears, and facts are about."""
    keys: dict[str, str] = {}
    for stretch in stretches:
        # A name has a capital somewhere, or no letters that could.
        if any(not word[:1].islower() for word in stretch.split()):
            keys.setdefault(alias_key(stretch).replace(" ", "-"), stretch)
    keys = {key: name for key, name in keys.items() if key and key not in known}
    facts = ctx.store.facts.select(ctx.view, Filter(entity_keys=tuple(keys)), OF_ENTITY) if keys else []
    slugs = dict.fromkeys(fact.entity_slug for fact in facts if fact.entity_slug in keys)
    return [Entity(slug, (slug,), (keys[slug], title_from_slug(slug)), None) for slug in slugs if slug]


def _keys(ctx: Context, page: Page) -> tuple[str, ...]:
    return ctx.store.facts.about(ctx.view, page).entity_keys or (page.slug,)


def _of(entity: Entity) -> Filter:
    return Filter(entity_keys=entity.keys)


def _page(ctx: Context, page: Page, text: str, within: Within) -> Evidence:
    shown = text if ctx.view.private else readable_text(ctx, text)
    if within.since is not None or within.until is not None:
        shown = "\n".join(line for line in shown.split("\n") if (day := entry_date(line)) is None or within.holds(day))
    outside = page.type in OUTSIDE_TYPES or page.slug.startswith(SYNTHESIZED)
    weight = EXTERNAL if outside else COMPILED
    dated = (page.effective_date or page.last_modified)[:10]
    return Evidence("page", page.source_id, page.slug, page.title, shown, dated, weight, f"page {page.slug}")


def _fact(fact: Fact) -> Evidence:
    title = title_from_slug(fact.entity_slug) if fact.entity_slug else ""
    weight = fact_weight(fact.provenance)
    when = fact.valid_from[:10]
    given = (fact.source_id, fact.entity_slug, title, fact.fact, when, weight, fact.provenance, fact.id, fact.kind)
    return Evidence("fact", *given)


def entries(ctx: Context, page: Page) -> list[Evidence]:
    """The dated entries of a page, newest first."""
    view = ctx.view._replace(sources=(page.source_id,))
    return [
        Evidence(
            "entry",
            page.source_id,
            page.slug,
            page.title,
            entry.summary + (f" {entry.detail}" if entry.detail else ""),
            entry.date,
            TIMELINE,
            entry.source or f"timeline of {page.slug}",
        )
        for entry in ctx.store.timeline.of(view, page.id, limit=ENTRIES)
    ]


def _links(ctx: Context, page: Page) -> list[Evidence]:
    out = ctx.store.links.of(ctx.view, page.id, "out", counted=True, limit=LINKS)
    back = ctx.store.links.of(ctx.view, page.id, "in", counted=True, limit=LINKS)
    return [_link(page, link) for link in (*out, *back)]


def _link(page: Page, link: Link) -> Evidence:
    text = f"{link.from_slug} {(link.link_type or 'links to').replace('_', ' ')} {link.to_slug}"
    text += f": {link.context}" if link.context else ""
    origin = link.origin_slug or link.from_slug
    return Evidence("link", page.source_id, page.slug, page.title, text, link.date or "", COMPILED, f"page {origin}")


def entry_date(line: str) -> str | None:
    """The day or month, in figures, that a line opens with; None for another line."""
    found = _entry().match(line)
    return found[1] if found else None


def history(ctx: Context, entity: Entity, within: Within) -> list[Once]:
    """What was said of an entity at any time and not taken back, oldest first, as far as it is of these days."""
    held = ctx.store.trajectories.of(ctx.view, entity.keys)
    return [once for once in held if within.holds(once.period or once.dated or once.valid_from[:10])]


@cache
def _entry() -> re.Pattern[str]:
    return re.compile(r"[-*+\s]*([0-9]{4}-[0-9]{2}(?:-[0-9]{2})?)\**(?=[\s|:：–—])")


def of_once(once: Once) -> Evidence:
    """A fact of the history as evidence, with the date that it is of."""
    when = once.period or once.dated or once.valid_from[:10]
    title = title_from_slug(once.entity_slug) if once.entity_slug else ""
    weight = fact_weight(once.provenance)
    given = (once.source_id, once.entity_slug, title, once.fact, when, weight, once.provenance, once.id, once.kind)
    return Evidence("fact", *given)


def figure(once: Once, metric: str) -> tuple[float, str, str] | None:
    """The value, unit and date that a fact gives a metric: as it was told, else as its words say it."""
    if once.metric is not None and once.value is not None:
        if once.metric != metric:
            return None
        return once.value, (once.unit or "").casefold(), once.period or once.dated or once.valid_from[:10]
    read = measure(once.fact, parse_store(once.valid_from).date())
    if read is None or read.metric != metric:
        return None
    return read.value, read.unit, read.when or once.dated or once.valid_from[:10]


def _unknown(question: str, held: list[Evidence]) -> list[str]:
    """Names in a question that no evidence has."""
    said = {term for one in held for term in raw_terms(f"{one.title} {one.text}")}
    names: list[str] = []
    run: list[str] = []
    for word in [*question.split()[1:], ""]:
        bare = word.strip("\"'“”‘’`()[]{},;:!?.").removesuffix("'s").removesuffix("’s")
        if bare[:1].isupper() and not set(raw_terms(bare)) <= said:
            run.append(bare)
        elif run:
            names.append(" ".join(run))
            run = []
    return names[:5]

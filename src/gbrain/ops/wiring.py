"""Links and timeline that follow from a page's text: made when it is written, and when a page it names appears."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

from gbrain.domain.markdown import parse_timeline
from gbrain.domain.references import Aim, Reference, Span, aim, by_block, named
from gbrain.domain.relations.fields import linked
from gbrain.domain.relations.headings import Sections, declared
from gbrain.domain.relations.kinds import ATTENDED, MEETING, MENTIONS, settled
from gbrain.domain.relations.rules import Subject, relations
from gbrain.domain.relations.targets import Known, Target, Wanted
from gbrain.domain.slugs import alias_key, split_aliases
from gbrain.domain.text import clip
from gbrain.domain.times import BEGINNING
from gbrain.ops.made import AutoLinks, AutoTimeline, Unresolved, Wired
from gbrain.registry import Context
from gbrain.store.engine import Row
from gbrain.store.links import FRONTMATTER, MARKDOWN, RESOLVED
from gbrain.store.lists import slices
from gbrain.store.refs import Ref
from gbrain.types import Draft, Edge, Page, View

NAMED_AT_ONCE = 300
"""How many pages that wait for a new page are linked in its own transaction; the sweep sees to the others."""
AT_ONCE = 50
"""Pages whose references are looked up together."""
SHOWN = 50
CANDIDATES = 5
WRITTEN, CONTEXT = 200, 240
PERMALINK = "permalink"
"""The key of the front matter that a page of basic-memory bears."""
HINT = (
    "the links and dates in this text are kept as text for now; the server makes them when it is idle, and the owner at"
    " once with: gbrain extract all. For one link that is needed now, call add_link"
)


class Tally(TypedDict):
    """What a pass over several pages did."""

    pages: int
    links_created: int
    links_removed: int
    timeline_created: int
    timeline_removed: int


def follow(ctx: Context, source: str, page_id: int, said: Draft | Page, before: Page | None) -> Wired:
    """Bring links and timeline in line with a text just written, inside its transaction.

    A remote caller's text waits for the sweep, so that a busy agent pays for nothing it may not need.
    """
    if ctx.caller.remote:
        links, timeline = wanted_parts(ctx)
        skipped: AutoLinks = {"skipped": "remote", "hint": HINT}
        return Wired(skipped if links else None, {"skipped": "remote"} if timeline else None)
    return make(ctx, source, page_id, said, before)


def make(ctx: Context, source: str, page_id: int, said: Draft | Page, before: Page | None) -> Wired:
    """As `follow`, for a text that is the operator's own, whoever had it read."""
    links, timeline = wanted_parts(ctx)
    done = reconcile(ctx, source, {page_id: said}, links=links, timeline=timeline)[page_id]
    # Only a page that is called otherwise now can change where the references of others lead.
    if links and (before is None or _names_of(before) != _names_of(said)):
        _look_again(ctx, [page_id])
    return done


def wanted_parts(ctx: Context) -> tuple[bool, bool]:
    """Whether links, and whether timeline entries, follow from texts by themselves."""
    return ctx.settings.get("auto_link") == "on", ctx.settings.get("auto_timeline") == "on"


def reconcile(
    ctx: Context, source: str, pages: Mapping[int, Draft | Page], *, links: bool = True, timeline: bool = True
) -> dict[int, Wired]:
    """Make the links and dated entries that the texts of pages of a source own those that they ask for now; by hand
    ones stay."""
    made_links: dict[int, AutoLinks] = {}
    made_timeline: dict[int, AutoTimeline] = {}
    with ctx.store.transaction(), ctx.store.engine.within(None):
        if links:
            made_links = _follow_links(ctx, source, pages)
        if timeline:
            entries = {id: parse_timeline(said.content[_body_start(said) :]) for id, said in pages.items()}
            changed = ctx.store.timeline.follow(source, entries, ctx.now_text)
            made_timeline = {id: {"created": came, "removed": went} for id, (came, went) in changed.items()}
        if (links and timeline) or wanted_parts(ctx) in ((links, timeline), (False, False)):
            ctx.store.refs.mark_wired(pages)
    return {id: Wired(made_links.get(id), made_timeline.get(id)) for id in pages}


def appeared(ctx: Context, page_id: int) -> None:
    """Look again at the references that the names of a page may decide: it is new, named anew, deleted or back."""
    if wanted_parts(ctx)[0]:
        _look_again(ctx, [page_id])


def _look_again(ctx: Context, page_ids: Sequence[int]) -> None:
    with ctx.store.transaction(), ctx.store.engine.within(None):
        rows = ctx.store.refs.concerned(page_ids, NAMED_AT_ONCE + 1)
        # As in `follow`, an agent does not wait for what follows from its write: the sweep does that.
        if len(rows) > NAMED_AT_ONCE or (rows and ctx.caller.remote):
            more = ctx.store.refs.concerned(page_ids, 1_000_000)
            ctx.store.refs.mark_unwired(row["id"] for row in more)
            return
        _link_again(ctx, rows)


def pending(ctx: Context, sources: Sequence[str]) -> int:
    """How many pages have a text that is newer than the links and entries made from it."""
    return ctx.store.refs.count_unwired(sources) if any(wanted_parts(ctx)) else 0


def reconcile_pending(ctx: Context, sources: Sequence[str], limit: int) -> Tally:
    """Bring links and timeline of up to `limit` such pages in line with their texts: all of them in the transaction
    that is under way, else a transaction each. With no page done, none waits."""
    done = no_tally()
    links, timeline = wanted_parts(ctx)
    if not (links or timeline):
        return done
    rows = ctx.store.refs.unwired(sources, limit)
    for part in [rows] if ctx.store.engine.in_transaction() else slices(rows, 1):
        read = [row for row in part if row["read"]]
        again(ctx, [row for row in part if not row["read"]], done, links=links, timeline=timeline)
        with ctx.store.transaction(), ctx.store.engine.within(None):
            came, went = _link_again(ctx, read) if links else (0, 0)
            ctx.store.refs.mark_wired(row["id"] for row in read)
        done["pages"] += len(read)
        done["links_created"] += came
        done["links_removed"] += went
    return done


def reconcile_all(ctx: Context, source: str) -> None:
    """Make the links of many new pages once all of them are there, so that each is looked for once."""
    done, all, some = 0, pending(ctx, [source]), True
    while some:
        with ctx.store.transaction():
            some = reconcile_pending(ctx, [source], AT_ONCE)["pages"] > 0
        done += AT_ONCE * some
        ctx.progress("linking", min(done, all), all)


def no_tally() -> Tally:
    """A tally of nothing yet."""
    return {"pages": 0, "links_created": 0, "links_removed": 0, "timeline_created": 0, "timeline_removed": 0}


def again(
    ctx: Context,
    rows: Sequence[Row],
    tally: Tally,
    *,
    links: bool = True,
    timeline: bool = True,
    others: bool = True,
) -> None:
    """Read the texts of pages (id, source_id) again, and add what that did to the tally. A page that is gone meanwhile
    is left out.

    `others` says whether pages that refer to these by their names are looked at too, as where links are wanted.
    """
    for source in dict.fromkeys(row["source_id"] for row in rows):
        ids = [row["id"] for row in rows if row["source_id"] == source]
        with ctx.store.transaction(), ctx.store.engine.within(None):
            pages = {page.id: page for page in ctx.store.pages.by_ids(View((source,), True, BEGINNING), ids)}
            done = reconcile(ctx, source, pages, links=links, timeline=timeline)
            if links and others:
                _look_again(ctx, list(pages))
            ctx.store.refs.mark_wired(id for id in ids if id not in pages)
        tally["pages"] += len(pages)
        for made in done.values():
            if made.links is not None:
                tally["links_created"] += made.links["created"]
                tally["links_removed"] += made.links["removed"]
            if made.timeline is not None:
                tally["timeline_created"] += made.timeline["created"]
                tally["timeline_removed"] += made.timeline["removed"]


class _Read(NamedTuple):
    """What a page refers to, before it is known where that leads: in its front matter, and block by block in its
    text."""

    header: list[Ref]
    blocks: list[tuple[Span, list[tuple[Reference, Aim]]]]

    def wanted(self, source: str) -> Iterator[Wanted]:
        """Everything it looks for."""
        yield from map(_wanted_of, self.header)
        yield from (_wanted(source, aimed) for _, pairs in self.blocks for _, aimed in pairs)


def _follow_links(ctx: Context, source: str, pages: Mapping[int, Draft | Page]) -> dict[int, AutoLinks]:
    # All are read before any is resolved: then one query finds the targets of all.
    read = {id: _read(source, said) for id, said in pages.items()}
    known = _known(ctx, [wanted for one in read.values() for wanted in one.wanted(source)])
    refs: dict[int, list[Ref]] = {}
    edges: dict[int, list[Edge]] = {}
    unresolved: dict[int, list[Unresolved]] = {}
    for id, said in pages.items():
        asked = _refs(source, said, read.pop(id), known)
        targets = [known.find(_wanted_of(ref), private=said.private) for ref in asked]
        refs[id] = [
            ref._replace(to_id=target.page.id if target.page else None)
            for ref, target in zip(asked, targets, strict=True)
        ]
        edges[id] = _edges(source, id, said.type, refs[id], targets)
        unresolved[id] = _unresolved(refs[id], targets)
    ctx.store.refs.replace(source, refs)
    changed = ctx.store.links.follow(source, edges)
    return {
        id: {"created": came, "removed": went, "errors": 0, "unresolved": unresolved[id]}
        for id, (came, went) in changed.items()
    }


def _read(source: str, said: Draft | Page) -> _Read:
    found = [
        (block, [(reference, aimed) for reference in references if (aimed := aim(reference, said.slug)) is not None])
        for block, references in by_block(said.content, _body_start(said))
    ]
    return _Read(_header_refs(source, said), found)


def _refs(source: str, said: Draft | Page, read: _Read, known: Known) -> list[Ref]:
    """The references of a page with the types that its words give them, as far as the pages they lead to are known."""
    subject = Subject(said.type, said.slug, said.title)
    sections = Sections(said.content, _body_start(said))
    body: dict[tuple[object, ...], Ref] = {}
    for block, pairs in read.blocks:
        targets = [known.find(_wanted(source, aimed), private=said.private) for _, aimed in pairs]
        kinds = [_kind(target, aimed) for target, (_, aimed) in zip(targets, pairs, strict=True)]
        told = relations(said.content, block, [reference for reference, _ in pairs], kinds, subject)
        headed = sections.types(block, [reference for reference, _ in pairs])
        for (reference, aimed), relation, above in zip(pairs, told, headed, strict=True):
            above = (declared(said.content, reference) if PERMALINK in said.frontmatter else None) or above
            types = relation.types
            if types == (ATTENDED,) and said.type == MEETING and sections.holds(reference):
                types = (MENTIONS,)  # whoever is named there is not named as having come
            for type in (above,) if above and types == (MENTIONS,) else types:
                ref = _ref(source, aimed, reference.target, type)
                ref = ref._replace(context=clip(relation.sentence, CONTEXT), date=_ended(type, relation.date))
                body.setdefault((ref.wanted_source, ref.slug, ref.near, ref.name, type), ref)
    return [*read.header, *body.values()]


def _ended(type: str, date: str | None) -> str | None:
    return date if type == "worked_at" else None


def _link_again(ctx: Context, rows: Sequence[Row]) -> tuple[int, int]:
    """Resolve the references of pages (id, source_id) anew, without reading their texts: links that came, and went."""
    sources = {row["id"]: row["source_id"] for row in rows}
    came = went = 0
    for ids in slices(sources, AT_ONCE):
        origins, refs = ctx.store.refs.origins(ids), ctx.store.refs.of(ids)
        known = _known(ctx, [_wanted_of(ref) for own in refs.values() for ref in own])
        for id, own in refs.items():
            type, private = origins[id]
            targets = [known.find(_wanted_of(ref), private=private) for ref in own]
            found = [target.page.id if target.page else None for target in targets]
            # Most references lead where they led; only what moved is written.
            changed = [(place, to) for place, (ref, to) in enumerate(zip(own, found, strict=True)) if ref.to_id != to]
            if changed:
                ctx.store.refs.settle(id, changed)
                edges = _edges(sources[id], id, type, own, targets)
                new, gone = ctx.store.links.follow(sources[id], {id: edges})[id]
                came, went = came + new, went + gone
    return came, went


def _header_refs(source: str, said: Draft | Page) -> list[Ref]:
    made = []
    for key, field, value in linked(said.frontmatter, said.type):
        aimed = None if "://" in value else named(value)
        aimed = aimed or Aim(None, "", "", "", True)
        ref = _ref(source, aimed, value, field.link_type)
        made.append(ref._replace(field=key, hints=" ".join(field.hints), reversed=int(field.reversed)))
    return made


def _ref(source: str, aimed: Aim, written: str, link_type: str) -> Ref:
    wanted, listed = aimed.source or source, int(aimed.listed)
    shown = clip(written, WRITTEN)
    return Ref(
        None, shown, wanted, aimed.slug, aimed.near, aimed.name, "", listed, link_type, 0, None, None, None
    )  # fmt: skip


def _wanted(source: str, aimed: Aim) -> Wanted:
    return Wanted(aimed.source or source, aimed.slug, aimed.near, aimed.name)


def _wanted_of(ref: Ref) -> Wanted:
    return Wanted(ref.wanted_source, ref.slug, ref.near, ref.name, tuple(ref.hints.split()))


def _known(ctx: Context, wanted: Sequence[Wanted]) -> Known:
    slugs = (slug for one in wanted for slug in (one.slug, one.near) if slug)
    return Known(ctx.store.refs.candidates(slugs, (one.name for one in wanted if one.name)))


def _kind(target: Target, aimed: Aim) -> str:
    """What sort of page a reference leads to, as far as that is known: its type, else what its folder says."""
    if target.page is not None:
        return target.page.type
    return FOLDER_TYPES.get(aimed.slug.partition("/")[0], "") if "/" in aimed.slug else ""


FOLDER_TYPES = {"people": "person", "companies": "company", "meetings": "meeting", "deals": "deal"}


def _edges(source: str, page_id: int, type: str, refs: Sequence[Ref], targets: Sequence[Target]) -> list[Edge]:
    """The links that references ask for. What is merely mentioned is not, where the text says more of it."""
    made: dict[tuple[object, ...], Edge] = {}
    for place, (ref, target) in enumerate(zip(refs, targets, strict=True)):
        other = target.page
        if other is None or other.id == page_id:
            continue
        if ref.field is not None:
            # A link leaves a page of the source whose text makes it, so that one wall holds for both.
            turned = ref.reversed and other.source_id == source
            ends = (other.id, page_id) if turned else (page_id, other.id)
            edge = Edge(*ends, ref.link_type, FRONTMATTER, ref.field, place, ref.date)
        else:
            made_by = MARKDOWN if target.exact else RESOLVED
            kind = settled(ref.link_type, type, other.type)
            edge = Edge(page_id, other.id, kind, made_by, None, place, ref.date)
        made.setdefault((edge.from_id, edge.to_id, edge.link_type, edge.link_source == FRONTMATTER), edge)
    body = [edge for edge in made.values() if edge.link_source != FRONTMATTER]
    typed = {edge.to_id for edge in body if edge.link_type != MENTIONS}
    past = {edge.to_id for edge in body if edge.link_type == "worked_at"}
    return [
        edge
        for edge in made.values()
        if edge.link_source == FRONTMATTER
        or not (
            (edge.link_type == MENTIONS and edge.to_id in typed)
            or (edge.link_type == "works_at" and edge.to_id in past)
        )
    ]


def _unresolved(refs: Sequence[Ref], targets: Sequence[Target]) -> list[Unresolved]:
    shown: list[Unresolved] = []
    for ref, target in zip(refs, targets, strict=True):
        if target.page is not None or not ref.listed or len(shown) == SHOWN:
            continue
        row: Unresolved = {"field": ref.field, "name": ref.written}
        if target.candidates:
            row["candidates"] = [page.slug for page in target.candidates[:CANDIDATES]]
        if row not in shown:
            shown.append(row)
    return shown


def _names_of(said: Draft | Page) -> tuple[object, ...]:
    """What others may call a page by, and whether it is there and to be seen at all."""
    aliases = {alias_key(alias) for alias in split_aliases(said.frontmatter.get("aliases"))}
    gone = isinstance(said, Page) and said.deleted_at is not None
    # By these, pages of other programs are called too.
    also = said.frontmatter.get(PERMALINK), said.frontmatter.get("name"), said.title
    return said.slug, said.type, said.private, gone, frozenset(aliases), also


def _body_start(said: Draft | Page) -> int:
    return said.body_start if isinstance(said, Draft) else len(said.content) - len(said.body)

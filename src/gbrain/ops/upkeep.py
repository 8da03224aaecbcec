"""Upkeep of pages: mentions that are not answered on the page of whom they name, and facts without a source."""

import difflib
import re
from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, TypedDict

from gbrain.domain.backlinks import Names, bullet, headed, is_backlink, mention, relative, uncited, with_bullets
from gbrain.domain.references import Span, aim, blocks, in_block
from gbrain.domain.relations.targets import Known, Wanted
from gbrain.domain.slugs import split_aliases
from gbrain.domain.times import wire_time
from gbrain.domain.undated import undated
from gbrain.errors import InvalidParams
from gbrain.ops.sourced import within
from gbrain.ops.writing import own_view, rewrite
from gbrain.registry import Context, Param, operation
from gbrain.store.lists import slices
from gbrain.types import Candidate, Page

NAMED = ("person", "company")
"""The types of pages whose mentions are to be answered."""
CITING = ("person", "company", "deal", "project")
"""The types of pages whose facts name their source."""
CREATED = ("created", "created_at", "date created", "creation_date")
"""Keys under which other programs keep the day on which a note was made."""
READ_AT_ONCE = 200
SHOWN = 1000
REASON = "backlinks"


All = Annotated[bool, Param("The pages of every source.")]


class Finding(TypedDict):
    """A page names a person or company whose own page does not answer it with this bullet."""

    source_id: str
    slug: str
    target: str
    date: str
    bullet: str


class Change(TypedDict):
    """What a page becomes, as a unified diff, and how many `lines` it gets; whether it is `written`."""

    source_id: str
    slug: str
    lines: int
    diff: str
    written: bool


class BacklinksReply(TypedDict):
    """How many pages of which sources were read, what is missing (at most 1,000 `findings`), and the changes that mend
    it; `written` of them."""

    sources: list[str]
    pages: int
    missing: int
    findings: list[Finding]
    changes: list[Change]
    written: int


class Doubtful(TypedDict):
    """A line that states something and names no source (`uncited`), or an item of a timeline without a date that can be
    read, which is no entry (`undated`)."""

    kind: Literal["uncited", "undated"]
    slug: str
    source_id: str
    line: int
    text: str


class LintReply(TypedDict):
    """How many pages of which sources were read, how many lines cite nothing or are items of a timeline without a date,
    and these lines (at most 1,000)."""

    sources: list[str]
    pages: int
    uncited: int
    undated: int
    findings: list[Doubtful]


@operation(
    scope="admin",
    surface="full",
    title="Check that mentions are answered",
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain check-backlinks", "gbrain check-backlinks --all", "gbrain check-backlinks --fix"),
)
def check_backlinks(
    ctx: Context,
    fix: Annotated[bool, Param("Write the missing lines; without it they are only told.")] = False,
    all: All = False,
    source_id: Annotated[str | None, Param("The source whose pages are checked.")] = None,
) -> BacklinksReply:
    """Find mentions of people and companies that their own pages do not answer, and add the lines that are missing.

    A line bears the date of what it tells of: of the entry or page that names them, never of the run. What a private
    page says is not written to one that others read.
    """
    sources = _every(ctx, source_id) if all else (ctx.source,)
    pages = 0
    missing: list[Finding] = []
    changes: list[Change] = []
    for source in sources:
        own = within(ctx, source)
        found = _Survey(own)
        some = found.missing()
        pages += found.count
        missing += some
        changes += _changes(own, some, fix=fix)
    return {
        "sources": list(sources),
        "pages": pages,
        "missing": len(missing),
        "findings": missing[:SHOWN],
        "changes": changes,
        "written": sum(change["written"] for change in changes),
    }


def _changes(ctx: Context, missing: list[Finding], *, fix: bool) -> Iterator[Change]:
    """What the pages of one source become that are to answer, and, to `fix` them, each written."""
    by_target: dict[str, list[Finding]] = {}
    for one in missing:
        by_target.setdefault(one["target"], []).append(one)
    for target, some in sorted(by_target.items()):
        page = ctx.store.pages.get(own_view(ctx, ctx.source), target)
        # It was deleted while the rest was read.
        if page is None:
            continue
        lines = [one["bullet"] for one in sorted(some, key=lambda one: (one["date"], one["slug"]))]

        # `lines` as a default binds those of this round; a closure would see the last ones.
        def compose(held: Page | None, lines: list[str] = lines) -> str | None:
            return None if held is None else _with(held, [line for line in lines if line not in held.content])

        written = fix and rewrite(ctx, target, compose, reason=REASON) is not None
        diff = _diff(page, _with(page, lines))
        yield {"source_id": ctx.source, "slug": target, "lines": len(lines), "diff": diff, "written": written}


def _every(ctx: Context, source: str | None) -> tuple[str, ...]:
    """Every source; raises InvalidParams where one was named too."""
    if source:
        raise InvalidParams("all is given, and one source too", "leave out --all, or --source")
    return tuple(ctx.store.sources.ids())


@operation(
    scope="admin",
    surface="full",
    title="List facts without a source and undated items",
    cli=None,
    local_only=True,
    mutates=False,
    examples=("gbrain lint", "gbrain lint --all"),
)
def lint(
    ctx: Context,
    all: All = False,
    source_id: Annotated[str | None, Param("The source whose pages are checked.")] = None,
) -> LintReply:
    """List facts on pages of people, companies, deals and projects without `[Source: ...]`, and undated timeline items.

    An item under `## Timeline` is an entry when it begins as in `- **2031-03-30** | Met at the harbour`.
    Where no source is named, the pages of all sources are checked that a read takes in then.
    """
    rows: list[Doubtful] = []
    count = 0
    sources = _every(ctx, source_id) if all else ctx.view.sources
    for page in (page for source in sources for page in _pages(ctx, source)):
        count += 1
        if page.type in CITING:
            rows += [_doubtful("uncited", page, *found) for found in uncited(page.content, _start(page))]
        rows += [_doubtful("undated", page, *found) for found in undated(page.content, _start(page))]
    bare = sum(1 for row in rows if row["kind"] == "undated")
    return {
        "sources": list(sources),
        "pages": count,
        "uncited": len(rows) - bare,
        "undated": bare,
        "findings": rows[:SHOWN],
    }


def _doubtful(kind: Literal["uncited", "undated"], page: Page, line: int, text: str) -> Doubtful:
    return {"kind": kind, "slug": page.slug, "source_id": page.source_id, "line": line, "text": text}


class _Seen(NamedTuple):
    """A page that names another: its slug, title and date, and what it says there."""

    slug: str
    title: str
    private: bool
    date: str
    context: str


class _Survey:
    """Which pages of a source name which people and companies, and which of those answer."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self.count = 0
        self._targets: dict[int, tuple[str, bool]] = {}
        self._names = self._known_names()

    def _known_names(self) -> Names:
        names: dict[str, set[int]] = {}
        for page in _pages(self._ctx, self._ctx.source):
            if page.type in NAMED:
                self._targets[page.id] = page.slug, page.private
                for name in (page.title, *_aliases(page)):
                    names.setdefault(name, set()).add(page.id)
        # A name that two bear means neither: a guess would write on the wrong page.
        return Names({name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1})

    def missing(self) -> list[Finding]:
        """Every mention that is not answered, once for each page that names each other one."""
        seen: dict[tuple[int, int], _Seen] = {}
        answered: set[tuple[int, int]] = set()
        for part in _parts(self._ctx, self._ctx.source):
            texts = [_read(page) for page in part]
            known = Known(self._candidates(texts))
            for text in texts:
                page = text.page
                self.count += 1
                answered |= {(target, page.id) for target in _referred(text, known)}
                for target, (context, date) in self._named(text, known).items():
                    if target != page.id:
                        seen[page.id, target] = _Seen(page.slug, page.title, page.private, date, context)
        found: list[Finding] = []
        files = self._ctx.store.files.of_pages(self._ctx.source, {id for pair in seen for id in pair})
        for (origin, target), one in sorted(seen.items()):
            slug, private = self._targets[target]
            # Now only, since a page read later may have answered.
            if (origin, target) in answered or (one.private and not private):
                continue
            here, there = (
                files[id].path if id in files else f"{of}.md" for id, of in ((target, slug), (origin, one.slug))
            )
            line = bullet(one.date, one.title, relative(here, there), one.context)
            source = self._ctx.source
            found.append({"source_id": source, "slug": one.slug, "target": slug, "date": one.date, "bullet": line})
        return found

    def _candidates(self, texts: list["_Text"]) -> list[Candidate]:
        wanted = [one.wanted for text in texts for one in text.aims]
        slugs = (slug for one in wanted for slug in (one.slug, one.near) if slug)
        return self._ctx.store.refs.candidates(slugs, (one.name for one in wanted if one.name))

    def _named(self, text: "_Text", known: Known) -> dict[int, tuple[str, str]]:
        """The people and companies this page names of its own accord: context and date of the first mention."""
        page, places = text.page, list[tuple[int, int, Span]]()
        for one in text.aims:
            target = known.find(one.wanted, private=page.private).page if one.own else None
            if target is not None and target.id in self._targets:
                places.append((one.place, target.id, one.block))
        for block in text.own:
            places += [(place, id, block) for id, place in self._names.find(page.content, block)]
        days = headed(page.content, text.own) if places else {}
        told: dict[int, tuple[str, str]] = {}
        for place, id, block in sorted(places):
            if id not in told:
                said = mention(page.content, block, place)
                told[id] = said.context, said.date or days.get(block.start) or _day(page)
        return told


class _Aim(NamedTuple):
    """One reference of a text: where it stands, what it wants, and whether its block is the page's own."""

    place: int
    block: Span
    own: bool
    wanted: Wanted


class _Text(NamedTuple):
    """A page with its own blocks, and all that it refers to, its backlinks included."""

    page: Page
    own: list[Span]
    aims: list[_Aim]


def _read(page: Page) -> _Text:
    text = _Text(page, [], [])
    for block in blocks(page.content, _start(page)):
        own = not is_backlink(page.content, block)
        if own:
            text.own.append(block)
        for reference in in_block(page.content, block):
            if (one := aim(reference, page.slug)) is not None:
                wanted = Wanted(one.source or page.source_id, one.slug, one.near, one.name)
                text.aims.append(_Aim(reference.start, block, own, wanted))
    return text


def _referred(text: _Text, known: Known) -> set[int]:
    """Every page that one refers to."""
    targets = (known.find(one.wanted, private=text.page.private).page for one in text.aims)
    return {target.id for target in targets if target is not None}


def _with(page: Page, lines: list[str]) -> str:
    return with_bullets(page.content, _start(page), lines) if lines else page.content


def _diff(page: Page, after: str) -> str:
    lines = difflib.unified_diff(
        page.content.splitlines(),
        after.splitlines(),
        f"{page.slug} (version {page.version})",
        f"{page.slug}",
        "",
        "",
        1,
        "",
    )
    return "\n".join(lines)


def _pages(ctx: Context, source: str) -> Iterator[Page]:
    for part in _parts(ctx, source):
        yield from part


def _parts(ctx: Context, source: str) -> Iterator[list[Page]]:
    """Every page of a source, some at a time."""
    last, done, all = 0, 0, ctx.store.refs.count_pages((source,))
    # By the last id and not by offset: pages that come or go meanwhile shift no page past the reader.
    while rows := ctx.store.refs.after((source,), last, READ_AT_ONCE):
        for ids in slices(row["id"] for row in rows):
            yield ctx.store.pages.by_ids(own_view(ctx, source), ids)
            done += len(ids)
            ctx.progress("reading", done, all)
        last = rows[-1]["id"]


def _aliases(page: Page) -> list[str]:
    return split_aliases(page.frontmatter.get("aliases"))


def _start(page: Page) -> int:
    return len(page.content) - len(page.body)


def _day(page: Page) -> str:
    """The day of what a page tells: its own date, one in its slug, the day its front matter says it was made, else the
    one it was first written here."""
    if page.effective_date and page.effective_date_source != "fallback":
        return page.effective_date[:10]
    found = re.search(r"(?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?", page.slug)
    if found is not None:
        return found[0]
    from gbrain.sources.frontmatter import date_of  # yaml takes 20 ms to load, and few pages have no day of their own

    made = (date_of(page.frontmatter.get(key)) for key in CREATED)
    return (next((day for day in made if day), None) or wire_time(page.created_at) or "")[:10]

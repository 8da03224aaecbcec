"""A page from its text, and its text from a page: what `get` prints is what `put` takes.

The keys `version`, `last_modified` and `modified_by` are ours: printed with every page, taken out when its text comes
back. `version` then says which version the text was based on.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from gbrain.domain import markdown
from gbrain.domain.hashtags import hashtags
from gbrain.domain.slugs import alias_key, day_of, normalise_slug, page_type, path_slug, title_from_slug
from gbrain.domain.text import clip, collapse
from gbrain.domain.times import store_time, wire_time
from gbrain.errors import InvalidParams
from gbrain.sources.editing import with_header
from gbrain.sources.frontmatter import Document, Problem, compose, parse
from gbrain.types import Draft, Page

RESERVED = ("version", "last_modified", "modified_by")
PROVENANCE = ("source_kind", "source_uri", "ingested_via", "ingested_at")
"""Where a text came from. A write stamps these, so they take no part in telling whether a text changed."""

SUMMARY_LENGTH = 240
TITLE_LENGTH = 255
END_OF_TIME = "9999-12-31T23:59:59.999999Z"


class Reading(NamedTuple):
    """A draft, and what in its front matter was read with a doubt."""

    draft: Draft
    problems: tuple[Problem, ...]


def read_draft(slug: str, content: str, now: datetime) -> Draft:
    """The page that a text is; see `read`."""
    return read(slug, content, now).draft


def read(slug: str, content: str, now: datetime) -> Reading:
    """Take a page's text apart: front matter, names, dates, what is indexed, and the hash that tells a change.

    A date as `expiry` holds to its end: the page is gone from the next day's first moment (UTC) on. Without a
    `date` the effective date is the day its slug begins with, else the day of `now`, marked as a fallback. Raises
    InvalidParams for a bad slug, front matter that names another slug, and YAML that cannot be read (with its line).
    """
    key = normalise_slug(slug)
    document = parse(content)
    _check_slug(document, key)
    based_on, problems = _based_on(document, content)
    kept = {name: value for name, value in document.frontmatter.items() if name not in (*RESERVED, "slug")}
    body = document.body
    title = clip(document.title or markdown.first_heading(body) or title_from_slug(key), TITLE_LENGTH)
    day = day_of(key)
    type, tags = page_type(key, document.type), tuple(sorted(_tags(document)))
    draft = Draft(
        slug=key,
        type=type,
        title=title,
        frontmatter=kept,
        content=content,
        body_start=document.header_end,
        summary=clip(document.summary or markdown.summary(body), SUMMARY_LENGTH),
        private=document.private,
        confidence=document.confidence,
        expiry=_expiry(document),
        effective_date=document.date or day or store_time(now)[:10],
        effective_date_source="date" if document.date else "slug" if day else "fallback",
        tags=tags,
        aliases=tuple(_aliases(document, title)),
        content_hash=content_hash(kept, type, title, tags, body),
        based_on=based_on,
    )
    return Reading(draft, (*document.problems, *problems))


def _aliases(document: Document, title: str) -> list[str]:
    """The aliases of a page, and the name by which pages of some programs link to each other: basic-memory by the title
    beside a `permalink`, Claude Code by the `name` beside a `description`."""
    named, also = document.frontmatter, []
    if isinstance(named.get("permalink"), str):
        also.append(title)
    if isinstance(named.get("name"), str) and isinstance(named.get("description"), str):
        also.append(collapse(named["name"]))
    held = {alias_key(alias) for alias in document.aliases}
    return [*document.aliases, *(name for name in also if alias_key(name) not in {*held, ""})]


def other_slugs(path: str, draft: Draft) -> list[str]:
    """The slugs, besides its own, by which other files name the page that a file is: its path with the accents and
    marks that a slug loses, and its `permalink`."""
    named = [path, draft.frontmatter.get("permalink")]
    found: dict[str, None] = {}
    for name in named:
        try:
            slug = normalise_slug(name) if isinstance(name, str) else draft.slug
        except InvalidParams:
            continue
        if slug != draft.slug:
            found[slug] = None
    return list(found)


def read_file(path: str, content: str, now: datetime) -> Reading:
    """The page that a file is: see `read`. Its front matter may name the slug where that has accents: paths lose them.

    Raises InvalidParams as `read` does, and for a path that makes no slug.
    """
    slug = path_slug(path)
    named = parse(content).frontmatter.get("slug") if re.search(r"^slug[ \t]*:", content, re.MULTILINE) else None
    # Any other slug there is refused by `read`: a file cannot be another page than its path says.
    if isinstance(named, str) and named and path_slug(named) == slug:
        slug = normalise_slug(named)
    return read(slug, content, now)


def content_hash(frontmatter: Mapping[str, Any], type: str, title: str, tags: Iterable[str], body: str) -> str:
    """SHA-256 of what a text says: the same for every spelling of one page, so that rewriting it is no change."""
    said = {name: value for name, value in frontmatter.items() if name not in PROVENANCE}
    said |= {"type": type, "title": title, "tags": sorted(set(tags))}
    text = body
    # Once is not always enough: where a marker goes because nothing stands below it, a section above may now split.
    for _ in range(3):
        before, text = text, markdown.render(*markdown.split_body(text))
        if text == before:
            break
    header = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(f"{header}\n{text}".encode()).hexdigest()


def text_tags(content: str) -> list[str]:
    """The tags of a page's text: of its front matter, then of its body."""
    return _tags(parse(content))


def _tags(document: Document) -> list[str]:
    tags = document.tags
    held = {tag.casefold() for tag in tags}
    return [*tags, *(tag for tag in hashtags(document.body) if tag.casefold() not in held)]


def unchanged(draft: Draft, page: Page) -> bool:
    """Whether a text says just what the page holds, tags that were put on by hand included."""
    if draft.content_hash == page.content_hash:
        return True
    if set(draft.tags) != set(page.tags):
        return False
    # Tags that were put on by hand are no part of the text, and a print of the page shows them.
    body, tags = draft.content[draft.body_start :], text_tags(page.content)
    return content_hash(draft.frontmatter, draft.type, draft.title, tags, body) == page.content_hash


def render(page: Page) -> str:
    """The canonical text of a page, with the keys of its version and, in the front matter, every tag that its body does
    not name, the text's own first."""
    own = [tag for tag in parse(page.content).tags if tag in page.tags]
    body = set(hashtags(page.body))
    return canonical_text(
        page.frontmatter,
        *markdown.split_body(page.body),
        type=page.type,
        title=page.title,
        tags=dict.fromkeys((*own, *(tag for tag in page.tags if tag not in body))),
        version=page.version,
        last_modified=wire_time(page.last_modified) or "",
        modified_by=page.modified_by,
    )


def canonical_text(frontmatter: Mapping[str, Any], compiled_truth: str, timeline: str, **lifted: Any) -> str:
    """The text of a page from its parts. `lifted` are the keys that replies carry beside the front matter:
    type, title, tags and the reserved ones."""
    tags = list(lifted.pop("tags", ()))
    said = {name: value for name, value in frontmatter.items() if name != "tags"}
    if not isinstance(said.get("title"), str | int | float):
        said["title"] = lifted["title"]
    said |= {name: value for name, value in lifted.items() if name != "title"}
    if tags:
        said["tags"] = tags
    return compose(said, compiled_truth, timeline)


def with_entry(page: Page, entry: markdown.TimelineLine) -> str | None:
    """The page's text with one more line of its timeline at the end; None where it would not read as that there."""
    timeline = markdown.split_body(page.body)[1]
    # Something follows the timeline, so a line at the end would not be of it.
    if timeline and not markdown.unix_lines(page.body).rstrip().endswith(timeline):
        return None
    said = f"{entry.source} — {entry.summary}" if entry.source else entry.summary
    lines = [f"- **{entry.date}** | {said}", *(f"  {line}" for line in entry.detail.split("\n") if line.strip())]
    start = [] if timeline else [markdown.MARKER, ""]
    end = "\r\n" if "\r\n" in page.content else "\n"
    between = end if timeline else end * 2
    content = page.content.rstrip("\r\n") + between + end.join([*start, *lines]) + end
    found = markdown.parse_timeline(parse(content).body)
    return content if (entry.date, entry.summary) in {(one.date, one.summary) for one in found} else None


def with_tag(page: Page, tag: str) -> str | None:
    """The page's text with a tag in its front matter; None when the page bears it already."""
    if tag in page.tags:
        return None
    return with_header(page.content, {"tags": [*parse(page.content).tags, tag]})


def without_tag(page: Page, tag: str) -> str | None:
    """The page's text without a tag its front matter names; None when it names no such tag."""
    tags = parse(page.content).tags
    if tag not in tags:
        return None
    return with_header(page.content, {"tags": [other for other in tags if other != tag] or None})


def unmerged_line(content: str) -> int | None:
    """The line (from 1) at which git left a conflict in a text, outside of code; None where there is none."""
    if "<<<<<<< " not in content:
        return None
    lines = markdown.unix_lines(content).split("\n")
    code = markdown.code_lines(lines)
    begun, parted = None, False
    for number, line in enumerate(lines):
        if number in code:
            continue
        if line.startswith("<<<<<<< "):
            begun, parted = number + 1, False
        elif begun is not None and line == "=======":
            parted = True
        elif begun is not None and parted and line.startswith(">>>>>>> "):
            return begun
    return None


def world_body(body: str) -> str:
    """A body without the rows of its facts fences that are private."""
    if "gbrain:facts:" not in body:
        return body
    kept, inside = [], False
    for line in body.split("\n"):
        marker = re.search(r"gbrain:facts:(begin|end)", line)
        inside = marker[1] == "begin" if marker else inside
        cells = re.split(r"(?<!\\)\|", line)
        if not (inside and any(cell.strip().casefold() == "private" for cell in cells)):
            kept.append(line)
    return "\n".join(kept)


def _check_slug(document: Document, slug: str) -> None:
    named = document.frontmatter.get("slug")
    if named is None or named == "":
        return
    try:
        same = normalise_slug(str(named)) == slug
    except InvalidParams:
        same = False
    if not same:
        raise InvalidParams(
            f"the front matter names another slug: {collapse(str(named))[:80]!r}, not {slug!r}",
            f"remove the key `slug` from the front matter, or write it as `slug: {slug}`",
        )


def _based_on(document: Document, content: str) -> tuple[int | None, list[Problem]]:
    """The version that a text says it was based on, and the doubt when it says something else there."""
    value = document.frontmatter.get("version")
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        value = int(value)
    if value is None or value == "":
        return None, []
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63:
        return value, []
    lines = content[: document.header_end].splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.startswith("version")), 1)
    what = "`version` is kept by gbrain and counts the versions of a page; this value was dropped"
    return None, [Problem(line, "version", what, "write it under another key, such as `edition`")]


def _expiry(document: Document) -> str | None:
    instant = document.expiry
    if instant is None:
        return None
    if len(str(document.frontmatter["expiry"]).strip()) == len("2031-12-31"):
        try:
            instant += timedelta(days=1)
        except OverflowError:
            return END_OF_TIME
    return store_time(instant)

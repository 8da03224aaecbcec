"""Writable memory: what agents learn about the user, their work and themselves, on pages with predictable slugs.

Every write reads the page as it stands, changes one entry and writes the next version, as often as others come between.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from gbrain.domain.entries import (
    AUTOMATIC,
    CONTRADICTED,
    LONGEST_KEY,
    LONGEST_SOURCE,
    LONGEST_TEXT,
    MOST_AUTOMATIC,
    REJECTED,
    Entry,
    entry,
    find_entry,
    least,
    merged_tags,
    read_entries,
    with_line,
)
from gbrain.domain.slugs import normalise_slug, slugify
from gbrain.domain.text import clip, collapse
from gbrain.errors import InvalidParams
from gbrain.ops.pages import ExpectedVersion, SourceId
from gbrain.ops.secrecy import refuse_secret
from gbrain.ops.which_page import page_of
from gbrain.ops.writing import author, own_view, rewrite, stamped
from gbrain.registry import Context, Param, operation
from gbrain.types import Page

PROFILE = "memory/user/profile"
TITLE_LENGTH, REASON_LENGTH, NAME_WORDS = 80, 200, 6

Confidence = Annotated[
    float | None, Param("How sure it is, 0 to 1; 1 unless given, and 0.7 for an automatic write.", minimum=0, maximum=1)
]
Automatic = Annotated[bool, Param("Nobody asked for this write: it starts below confidence 1.")]
Provenance = Annotated[
    str | None, Param("Where it comes from; the writing client unless given.", max_length=LONGEST_SOURCE)
]


class MemoryReply(TypedDict):
    """What became of an entry. `kept`: what the page says already is surer, so it stayed and lost confidence.

    `skipped`: the page says this already. `merged`: it was based on an earlier version and joined what came since.
    `confidence` is that of the entry, `version` that of the page.
    """

    slug: str
    source_id: str
    status: Literal["written", "kept", "skipped"]
    version: int
    confidence: float
    merged: NotRequired[bool]


class Change(NamedTuple):
    """The next body of a page, what became of the entry, and how sure that is; a body of None changes nothing."""

    body: str | None
    status: Literal["written", "kept", "skipped"]
    confidence: float
    tags: tuple[str, ...] = ()
    reason: str | None = None


class Kind(NamedTuple):
    """A sort of memory page: its type, and the title of one that is new."""

    type: str
    title: str


@operation(
    scope="write",
    surface="full",
    title="Save something about the user",
    positional=("key", "value"),
    idempotent=True,
    examples=('gbrain save-user-profile tea "black, no sugar"',),
)
def save_user_profile(
    ctx: Context,
    key: Annotated[str, Param("What it is about, such as tea or time zone.", max_length=LONGEST_KEY)],
    value: Annotated[str, Param("What holds.", max_length=LONGEST_TEXT)],
    confidence: Confidence = None,
    automatic: Automatic = False,
    provenance: Provenance = None,
    expected_version: ExpectedVersion = None,
    source_id: SourceId = None,
) -> MemoryReply:
    """Save one thing about the user on the page memory/user/profile; a later value of a key replaces the earlier.

    An automatic write that contradicts what is there lowers its confidence, and replaces it only once it is surer.
    """
    new = _entry(ctx, key, value, _start(confidence, automatic), provenance)
    return _write(
        ctx,
        PROFILE,
        Kind("user", "User profile"),
        lambda body: _keyed(body, new, automatic),
        f"profile: {new.key}",
        "save_user_profile",
        expected_version,
        (new.key or "",),
    )


@operation(
    scope="write",
    surface="full",
    title="Record feedback",
    positional=("action", "approved", "reason"),
    examples=('gbrain record-feedback "mails with emojis" false "too playful for clients"',),
)
def record_feedback(
    ctx: Context,
    action: Annotated[str, Param("What was done or proposed.", max_length=LONGEST_TEXT)],
    approved: Annotated[bool, Param("Whether the user was for it.")],
    reason: Annotated[str, Param("Why, in the user's words.", max_length=LONGEST_TEXT)] = "",
    about: Annotated[
        str | None,
        Param("The memory page that a rejection is about, as SLUG or SLUG#KEY: it loses half its confidence."),
    ] = None,
    provenance: Provenance = None,
    expected_version: ExpectedVersion = None,
    source_id: SourceId = None,
) -> MemoryReply:
    """Record what the user approved or rejected, on the page of the month: memory/feedback/YYYY-MM."""
    verdict = "approved" if approved else "rejected"
    target = None if about is None or approved else _target(ctx, about)
    said = f"{verdict}: {collapse(action)}" + (f"; reason: {collapse(reason)}" if reason.strip() else "")
    _need(action, "action")
    new = _entry(ctx, None, said, 1.0, provenance)
    month = ctx.now_text[:7]
    reply = _write(
        ctx,
        f"memory/feedback/{month}",
        Kind("feedback", f"Feedback {month}"),
        lambda body: _collected(body, new),
        f"feedback: {verdict}",
        "record_feedback",
        expected_version,
    )
    if target is not None and reply["status"] == "written":
        _reject(ctx, *target, clip(collapse(reason or action), 120))
    return reply


@operation(
    scope="write",
    surface="full",
    title="Update what is known about a project",
    positional=("updates",),
    idempotent=True,
    examples=("""gbrain update-project-context '{"stage": "beta", "owner": "Dana"}' --project lantern""",),
)
def update_project_context(
    ctx: Context,
    updates: Annotated[dict[str, Any], Param("Keys and what holds for each; null takes a key out.")],
    project: Annotated[
        str | None, Param("The project's name; that of the source unless given.", max_length=LONGEST_KEY)
    ] = None,
    confidence: Confidence = None,
    automatic: Automatic = False,
    provenance: Provenance = None,
    expected_version: ExpectedVersion = None,
    source_id: SourceId = None,
) -> MemoryReply:
    """Merge keys into what is known about a project, on the page memory/project/NAME; other keys stay."""
    name = collapse(project or ctx.source)
    start = _start(confidence, automatic)
    if not updates:
        raise InvalidParams("there is nothing to update", """pass updates as keys and values: {"stage": "beta"}""")
    news = {
        key: None if value is None else _entry(ctx, key, _text(value), start, provenance)
        for key, value in updates.items()
    }

    def change(body: str) -> Change:
        # May be called again: when another write came first, `rewrite` composes over the page that won.
        changes: list[Change] = []
        for key, new in news.items():
            step = _dropped(body, key) if new is None else _keyed(body, new, automatic)
            body = body if step.body is None else step.body
            changes.append(step)
        moved = any(step.body is not None for step in changes)
        status: Literal["written", "kept", "skipped"] = next(
            (step.status for step in sorted(changes, key=lambda step: step.status != "written")), "skipped"
        )
        why = next((step.reason for step in changes if step.reason and status == "kept"), None)
        return Change(body if moved else None, status, min(step.confidence for step in changes), reason=why)

    slug = f"memory/project/{_part(name, 'project')}"
    reason = "project: " + clip(", ".join(sorted(news)), TITLE_LENGTH)
    return _write(
        ctx, slug, Kind("project", name), change, reason, "update_project_context", expected_version, tuple(updates)
    )


@operation(
    scope="write",
    surface="full",
    title="Add a reference",
    positional=("category", "content", "tags"),
    idempotent=True,
    examples=('gbrain add-reference sailing "Tide tables: https://tides.example" harbour',),
)
def add_reference(
    ctx: Context,
    category: Annotated[str, Param("The collection it belongs to, such as sailing.", max_length=LONGEST_KEY)],
    content: Annotated[str, Param("A link or a short text; a long one belongs on a page of its own.")],
    tags: Annotated[list[str] | None, Param("Tags for the collection's page.", max_length=50)] = None,
    confidence: Confidence = None,
    automatic: Automatic = False,
    provenance: Provenance = None,
    expected_version: ExpectedVersion = None,
    source_id: SourceId = None,
) -> MemoryReply:
    """Add a reference to a collection, on the page memory/reference/CATEGORY; the same one is kept once."""
    new = _entry(ctx, None, content, _start(confidence, automatic), provenance)
    return _write(
        ctx,
        f"memory/reference/{_part(category, 'category')}",
        Kind("reference", collapse(category)),
        lambda body: _collected(body, new)._replace(tags=tuple(tags or ())),
        f"reference: {clip(new.text, TITLE_LENGTH)}",
        "add_reference",
        expected_version,
    )


@operation(
    scope="write",
    surface="full",
    title="Record a lesson",
    positional=("lesson", "confidence"),
    idempotent=True,
    examples=('gbrain record-lesson "Pause the queue before a deploy" 0.9',),
)
def record_lesson(
    ctx: Context,
    lesson: Annotated[str, Param("What was learnt, in a sentence or two.", max_length=LONGEST_TEXT)],
    confidence: Confidence = None,
    automatic: Automatic = False,
    provenance: Provenance = None,
    expected_version: ExpectedVersion = None,
    source_id: SourceId = None,
) -> MemoryReply:
    """Record a lesson on a page of its own below memory/episodic/; the same one again is kept once."""
    new = _entry(ctx, None, lesson, _start(confidence, automatic), provenance)
    name = slugify(" ".join(new.text.split()[:NAME_WORDS])) or "lesson"
    digest = hashlib.sha256(new.text.casefold().encode()).hexdigest()[:8]

    def change(body: str) -> Change:
        held = next(iter(read_entries(body)), None)
        # What a person said on purpose is never made less or more sure by a guess.
        if held is not None and (automatic or held[1].confidence == new.confidence):
            return Change(None, "skipped", held[1].confidence)
        return Change(with_line(body, held[0] if held else None, new.line), "written", new.confidence)

    # Lessons that begin with the same words are told apart by the digest, and the same lesson finds its page again.
    slug = f"memory/episodic/{name.replace('/', '-')[:60].strip('-')}-{digest}"
    title = clip(new.text, TITLE_LENGTH)
    return _write(ctx, slug, Kind("episodic", title), change, "lesson", "record_lesson", expected_version, None)


def _write(
    ctx: Context,
    slug: str,
    kind: Kind,
    change: Callable[[str], Change],
    reason: str,
    operation: str,
    expected: int | None = None,
    keys: tuple[str, ...] | None = (),
) -> MemoryReply:
    """Change a page by one entry. Over a later version than `expected` only where the `keys` stand as they stood: all
    entries where that is None, and none where it is empty, for an entry that is added."""
    # yaml takes 20 ms to load, and only page texts need it
    from gbrain.sources.editing import with_header
    from gbrain.sources.frontmatter import parse

    outcome = Change(None, "skipped", 1.0)
    before: Page | None = None

    def compose(held: Page | None) -> str | None:
        nonlocal outcome, before
        before = held
        content = f"# {kind.title}\n" if held is None else held.content
        document = parse(content)
        outcome = change(document.body)
        tags = merged_tags(document.tags, outcome.tags)
        body = document.body if outcome.body is None else outcome.body
        if body == document.body and tags == document.tags:
            return None
        sure = least(body)
        # A page that is sure throughout carries no such line, unless somebody wrote one.
        header: dict[str, Any] = {"confidence": sure if sure < 1 or "confidence" in document.frontmatter else None}
        if held is None:
            header |= {"type": kind.type, "title": kind.title}
        if tags != document.tags:
            header["tags"] = tags
        return with_header(content[: document.header_end] + body, header)

    stored = rewrite(
        ctx,
        slug,
        compose,
        stamped(ctx, operation),
        reason=lambda: outcome.reason or reason,
        expected=expected,
        touches=lambda content: _lines(parse(content).body, keys),
    )
    version = stored.written.version if stored is not None else before.version if before is not None else 0
    reply: MemoryReply = {
        "slug": slug,
        "source_id": ctx.source,
        "status": outcome.status,
        "version": version,
        "confidence": outcome.confidence,
    }
    if stored is not None and stored.joined is not None:
        reply["merged"] = True
    return reply


def _lines(body: str, keys: tuple[str, ...] | None) -> str:
    """What entries say: those with a key, or all where that is None."""
    found = read_entries(body) if keys is None else [one for key in keys if (one := find_entry(body, key))]
    return "\n".join(held.line for _, held in found)


def _keyed(body: str, new: Entry, automatic: bool) -> Change:
    """A body in which a key says something new, or in which it stays and is less sure."""
    found = find_entry(body, new.key or "")
    if found is None:
        return Change(with_line(body, None, new.line), "written", new.confidence)
    at, held = found
    if held.text.casefold() == new.text.casefold():
        if automatic or held.confidence >= new.confidence:
            return Change(None, "skipped", held.confidence)
    # The old value gives way only once enough contradictions have worn it below the new one.
    elif automatic and (left := round(held.confidence * CONTRADICTED, 2)) >= new.confidence:
        line, why = held._replace(confidence=left).line, f"contradicted: {held.key} is said to be {new.text}"
        return Change(with_line(body, at, line), "kept", left, reason=clip(why, REASON_LENGTH))
    return Change(with_line(body, at, new.line), "written", new.confidence)


def _collected(body: str, new: Entry) -> Change:
    """A body with one more entry; the same text from the same origin and day stands once."""
    # A retry after a lost reply sends the same entry again.
    for _, held in read_entries(body):
        if (held.text, held.source, held.date) == (new.text, new.source, new.date):
            return Change(None, "skipped", held.confidence)
    return Change(with_line(body, None, new.line), "written", new.confidence)


def _dropped(body: str, key: str) -> Change:
    found = find_entry(body, key)
    return Change(None, "skipped", 1.0) if found is None else Change(with_line(body, found[0], None), "written", 1.0)


def _target(ctx: Context, about: str) -> tuple[str, str]:
    """The memory page, and the key on it, that a rejection is about; raises NotFound or InvalidParams."""
    slug, _, key = about.partition("#")
    # A rejection writes, so its target is looked up only among what this caller may change.
    page = page_of(ctx._replace(view=own_view(ctx, ctx.source)), slug)
    if not page.slug.startswith("memory/"):
        raise InvalidParams(
            f"{page.slug!r} is no memory page", "name a page below memory/: gbrain list --type episodic"
        )
    if key and find_entry(page.body, key) is None:
        raise InvalidParams(
            f"{page.slug!r} has no entry {collapse(key)[:LONGEST_KEY]!r}", f"run: gbrain get {page.slug}"
        )
    return page.slug, key


def _reject(ctx: Context, slug: str, key: str, why: str) -> None:
    def change(body: str) -> Change:
        entries = [found] if key and (found := find_entry(body, key)) else [] if key else read_entries(body)
        for at, held in entries:
            left = round(held.confidence * REJECTED, 2)
            body = with_line(body, at, held._replace(confidence=left).line)
        return Change(body, "written", least(body))

    _write(ctx, slug, Kind("", ""), change, f"rejected: {why}", "record_feedback")


def _entry(ctx: Context, key: str | None, text: str, confidence: float, provenance: str | None) -> Entry:
    if key is not None:
        _need(key.replace("*", " "), "key")
    _need(text, "text")
    refuse_secret("entry", f"{key or ''}: {text}")
    if len(text) > LONGEST_TEXT:
        raise InvalidParams(
            f"the text is too long for an entry: {len(text):,} characters, {LONGEST_TEXT:,} at most",
            "write it as a page of its own: gbrain put SLUG",
        )
    return entry(key, text, provenance or author(ctx), ctx.now_text[:10], confidence)


def _need(text: str, what: str) -> None:
    if not text.strip():
        raise InvalidParams(f"the {what} is empty", f"pass some words as {what}")


def _start(confidence: float | None, automatic: bool) -> float:
    if automatic:
        return min(AUTOMATIC if confidence is None else float(confidence), MOST_AUTOMATIC)
    return 1.0 if confidence is None else float(confidence)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _part(name: str, what: str) -> str:
    slug = (slugify(name) or "").replace("/", "-")
    if not slug:
        raise InvalidParams(f"the {what} has no letter or digit", f"pass a name as {what}, such as lantern")
    return normalise_slug(slug)


__all__ = [
    "MemoryReply", "add_reference", "record_feedback", "record_lesson", "save_user_profile", "update_project_context",
]  # fmt: skip

"""A write based on an older version: joined with what came since, or refused with both sides of each clash."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from gbrain.domain.text import clip
from gbrain.domain.times import wire_time
from gbrain.errors import VersionConflict
from gbrain.registry import Context
from gbrain.types import Page, PageVersion

if TYPE_CHECKING:
    from gbrain.sources.merge import Hunk, Merged

HUNKS_SHOWN, HUNK_LENGTH = 20, 4000


class HunkRow(TypedDict):
    """One place both sides changed: a line of the current body, or a front matter key, and what stands there."""

    line: int | None
    key: str | None
    base: str
    current: str
    yours: str


def joined_text(ctx: Context, held: Page, base: PageVersion | None, expected: int, content: str, *, drop: bool) -> str:
    """A text joined with the current version of its page, from the version it was based on.

    Without `drop` a text that has no facts fence is taken to have that of its base.
    Raises VersionConflict where both changed the same thing, where this caller cannot read that version (`base` is
    None then), and where git is missing.
    """
    # yaml and subprocess take 30 ms to load, and few writes are behind
    from gbrain.domain.facts_fence import kept
    from gbrain.sources.frontmatter import parse
    from gbrain.sources.merge import Merged, merge
    from gbrain.sources.pages import world_body

    if base is None:
        raise conflict(held, expected, Merged(None))
    start, current = base.content, held.content
    if ctx.caller.remote:
        # Rows that this caller may not see take no part; what it may not drop is put back by whoever writes.
        start, current = world_body(start), world_body(current)
    if not drop and "gbrain:facts:" in start:
        text = parse(content)
        content = content[: text.header_end] + kept(parse(start).body, text.body, seen_private=True)
    outcome = merge(held.slug, start, current, content)
    if outcome.content is None:
        raise conflict(held, expected, outcome)
    return outcome.content


def based(ctx: Context, held: Page, expected: int, touches: Callable[[str], str], content: str | None) -> int | None:
    """The version that a change of one place joins, where it is based on an earlier one; None where it is not.

    `touches` tells what stands at that place in a text, `content` is the current text with the change, None where the
    change is there already. Raises VersionConflict where somebody else changed the place, where this caller cannot read
    the version, and where there never was one.
    """
    if expected == held.version:
        return None
    if not 0 < expected < held.version:
        check_version(held, expected)
    if content is None:
        return held.version
    from gbrain.sources.merge import Hunk, Merged  # subprocess takes 10 ms to load, and few writes are behind

    base = ctx.store.pages.version(ctx.view._replace(sources=(ctx.source,)), held.slug, expected)
    if base is None:
        raise conflict(held, expected, Merged(None))
    stood, stands = touches(base.content), touches(held.content)
    if stood != stands:
        lines, first = held.body.strip("\n").split("\n"), stands.partition("\n")[0]
        at = lines.index(first) + 1 if first in lines else len(lines)
        raise conflict(held, expected, Merged(None, (Hunk(at, None, stood, stands, touches(content)),)))
    return held.version


def check_version(page: Page, expected: int | None) -> None:
    """Raise VersionConflict when `expected` is given and is not the page's version."""
    if expected is None or int(expected) == page.version:
        return
    raise VersionConflict(
        f"{page.slug!r} is at version {page.version}, not {int(expected)}; nothing was changed",
        f"read it again: gbrain get {page.slug}; then pass expected_version: {page.version}",
        detail={
            "slug": page.slug,
            "current_version": page.version,
            "expected_version": int(expected),
            "last_modified": wire_time(page.last_modified),
            "modified_by": page.modified_by,
        },
    )


def conflict(held: Page, expected: int, outcome: "Merged") -> VersionConflict:
    """The error that tells a caller what stands against its text, and how to go on."""
    shown = [_row(hunk) for hunk in outcome.hunks[:HUNKS_SHOWN]]
    slug, current = held.slug, held.version
    detail = {
        "slug": slug,
        "current_version": current,
        "expected_version": expected,
        "last_modified": wire_time(held.last_modified),
        "modified_by": held.modified_by,
        "hunks": shown,
    }
    if len(outcome.hunks) > len(shown):
        detail["hunks_left_off"] = len(outcome.hunks) - len(shown)
    why = "both changed the same lines" if shown else "the two could not be joined"
    if outcome.failure is not None:
        detail["reason"] = outcome.failure
        why = "git, which joins texts, is missing" if outcome.failure == "git_missing" else "git could not join the two"
    return VersionConflict(
        f"{slug!r} is at version {current}, not {expected}, and {why}; nothing was written",
        f"put both into one text, then pass expected_version: {current}; on the command line: gbrain get {slug}, and"
        f" gbrain diff {slug} {expected} shows what came since",
        detail=detail,
    )


def _row(hunk: "Hunk") -> HunkRow:
    base, current, yours = (clip(text, HUNK_LENGTH) for text in (hunk.base, hunk.current, hunk.yours))
    return {"line": hunk.line, "key": hunk.key, "base": base, "current": current, "yours": yours}

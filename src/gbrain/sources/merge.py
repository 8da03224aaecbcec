"""Three-way merge of page texts: the body line by line with `git merge-file`, the front matter key by key.

The base is the version that both sides started from. What one side changed is taken; where both changed the same lines
or the same key in different ways there is a conflict, and no text comes out. Lines that touch count as the same place.

Bodies are compared in their canonical form, since that is what a reader was shown; the merged text keeps the bytes of
the current one wherever nothing was changed.
"""

import difflib
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gbrain.domain import markdown, slugs
from gbrain.sources import yaml12
from gbrain.sources.editing import with_header
from gbrain.sources.frontmatter import Document, compose, parse, tags_of
from gbrain.sources.pages import PROVENANCE, RESERVED

TIME_LIMIT = 20.0
"""Seconds a merge may take: of texts of the greatest size it takes about one."""

_MISSING: Any = object()
_NAME_LISTS = {"tags": tags_of, "aliases": slugs.split_aliases}
_PLAIN = str | int | float | bool | None


class Hunk(NamedTuple):
    """One place where both sides changed the same thing.

    `line` is the line of the current body (from 1, in its canonical form), `key` the front matter key; one of the two
    is None. The three texts are what stands there.
    """

    line: int | None
    key: str | None
    base: str
    current: str
    yours: str


class Merged(NamedTuple):
    """The outcome: a text, or the hunks that stand against one. `failure` says why there was no attempt."""

    content: str | None
    hunks: tuple[Hunk, ...] = ()
    failure: Literal["git_missing", "git_failed"] | None = None


class _Failed(Exception):
    """git could not be asked: why."""

    def __init__(self, why: Literal["git_missing", "git_failed"]) -> None:
        self.why = why


def merge(slug: str, base: str, current: str, yours: str) -> Merged:
    """Join what `yours` changed since `base` to `current`; all three are whole texts of the page `slug`.

    Lists whose items are texts or numbers merge as sets and cannot conflict; a mapping merges by its own keys. Where a
    text came from (`source_kind` and the like) is taken from `yours`. The keys that gbrain itself prints count for
    nothing. Raises InvalidParams for a text that is no page.
    """
    documents = [parse(text) for text in (base, current, yours)]
    start, held, given = (_said(document) for document in documents)
    header, hunks = merge_mappings(start, held, _without_printed(given, start, slug, documents[0].body))
    try:
        body, clashes = _merge_bodies(*(document.body for document in documents))
    except _Failed as failed:
        return Merged(None, tuple(hunks), failed.why)
    if hunks or clashes:
        return Merged(None, (*hunks, *clashes))
    return Merged(_composed(documents[1], current, header, body))


def merge_lines(base: str, current: str, yours: str) -> tuple[str, list[Hunk]]:
    """Merge texts that end with a line feed, or are empty, by lines: the merged text, or "" and where they clash.

    Raises _Failed when git is not there or does not answer.
    """
    if yours in (base, current):
        return current, []
    if current == base:
        return yours, []
    longest = max(
        (len(found) for text in (base, current, yours) for found in re.findall(r"[<|=>]{7,}", text)), default=0
    )
    # Longer than anything in the texts that looks like a marker: git tells its own from theirs by the length alone.
    size = longest + 7
    with tempfile.TemporaryDirectory(prefix="gbrain-merge-") as folder:
        for name, text in (("current", current), ("base", base), ("yours", yours)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode())
        output, clashes = _git(folder, size)
    return ("", _hunks(output, size, current)) if clashes else (output, [])


def _git(folder: str, size: int) -> tuple[str, bool]:
    command = ["git", "merge-file", "-p", "--diff3", f"--marker-size={size}", "current", "base", "yours"]
    # No setting and no repository of the person has a say in what a merge is.
    outside = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CEILING_DIRECTORIES": folder}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**kept, **outside, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
            check=False,
        )
    except FileNotFoundError:
        raise _Failed("git_missing") from None
    except (OSError, subprocess.TimeoutExpired):
        raise _Failed("git_failed") from None
    # The exit status is the number of conflicts, cut at 127; above is an error.
    if not 0 <= done.returncode <= 127:
        raise _Failed("git_failed")
    return done.stdout.decode(), done.returncode > 0


def _hunks(output: str, size: int, current: str) -> list[Hunk]:
    """The conflicts in the output of `git merge-file --diff3`, whose markers are `size` characters long."""
    markers = {mark * size: mark for mark in "<|=>"}
    found: list[tuple[int, dict[str, list[str]]]] = []
    ours: list[str] = []
    side = ">"
    for text in _lines(output):
        mark = markers.get(text[:size])
        if mark == "<":
            found.append((len(ours), {"<": [], "|": [], "=": []}))
        elif mark is None:
            if side in "<>":
                ours.append(text)
            if side != ">":
                found[-1][1][side].append(text)
        side = mark or side
    starts = _starts(ours, _lines(current), [start for start, _ in found])
    return [
        Hunk(start + 1, None, *("".join(sides[name]) for name in "|<="))
        for start, (_, sides) in zip(starts, found, strict=True)
    ]


def _starts(ours: list[str], current: list[str], starts: list[int]) -> list[int]:
    """Where positions in `ours`, the merge with every conflict left as in `current`, lie in `current`."""
    matched = difflib.SequenceMatcher(None, ours, current).get_matching_blocks()
    return [
        max((there + min(start - here, size) for here, there, size in matched if here <= start), default=0)
        for start in starts
    ]


def _lines(text: str) -> list[str]:
    """Lines with their line feeds, which alone end a line."""
    return [line + "\n" for line in text.split("\n")[:-1]]


def _merge_bodies(base: str, current: str, yours: str) -> tuple[str, list[Hunk]]:
    shown = [canonical(body) for body in (base, current, yours)]
    if shown[2] in shown[:2]:
        return current, []
    if shown[1] == shown[0]:
        return yours, []
    merged, hunks = merge_lines(*shown)
    if hunks or shown[1] == current:
        return merged, hunks
    # What the canonical form changed about the current body is taken back wherever nothing else happened.
    kept, clashes = merge_lines(shown[1], _ended(current), merged)
    return (kept if not clashes and canonical(kept) == merged else merged), []


def canonical(body: str) -> str:
    """A body as readers are shown it."""
    return markdown.render(*markdown.split_body(body))


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"


def merge_mappings(
    base: Mapping[str, Any], current: Mapping[str, Any], yours: Mapping[str, Any], above: str = ""
) -> tuple[dict[str, Any], list[Hunk]]:
    """Merge front matter key by key: the merged mapping in the order of `current`, and the keys both changed."""
    merged: dict[str, Any] = {}
    hunks: list[Hunk] = []
    for key in dict.fromkeys((*current, *yours)):
        three = tuple(_listed(key, side.get(key, _MISSING), above) for side in (base, current, yours))
        value, clashes = _merge_values(f"{above}{key}", *three)
        hunks += clashes
        if value is not _MISSING:
            merged[key] = value
    return merged, hunks


def _merge_values(key: str, base: Any, current: Any, yours: Any) -> tuple[Any, list[Hunk]]:
    if _same(yours, base) or _same(yours, current):
        return current, []
    if _same(current, base) or key in PROVENANCE:
        return yours, []
    if isinstance(current, dict) and isinstance(yours, dict) and (base is _MISSING or isinstance(base, dict)):
        return merge_mappings({} if base is _MISSING else base, current, yours, f"{key}.")
    known = [] if base is _MISSING else base
    if all(
        isinstance(side, list) and all(isinstance(item, _PLAIN) for item in side) for side in (known, current, yours)
    ):
        kept = [item for item in current if item in yours or item not in known]
        return [*kept, *(item for item in yours if item not in known and item not in current)], []
    return current, [Hunk(None, key, *(_yaml(key, side) for side in (base, current, yours)))]


def _same(one: Any, other: Any) -> bool:
    """Equal, and of one type: 1 is not true."""
    return bool(one == other) and type(one) is type(other)


def _listed(key: str, value: Any, above: str) -> Any:
    """Tags and aliases as the list they mean, however they are written."""
    read = None if above else _NAME_LISTS.get(key)
    return value if read is None or value is _MISSING or isinstance(value, dict) else read(value)


def _yaml(key: str, value: Any) -> str:
    if value is _MISSING:
        return ""
    return "".join(line + "\n" for line in yaml12.mapping_lines({key.rpartition(".")[2]: value}))


def _said(document: Document) -> dict[str, Any]:
    return {key: value for key, value in document.frontmatter.items() if key not in (*RESERVED, "slug")}


def _without_printed(yours: dict[str, Any], base: dict[str, Any], slug: str, body: str) -> dict[str, Any]:
    """Front matter without the type and title that a print of the base adds to a text which does not say them."""
    kind = slugs.page_type(slug, None)
    derived = {"type": kind, "title": markdown.first_heading(body) or slugs.title_from_slug(slug)}
    added = [key for key, value in derived.items() if key not in base and yours.get(key) == value]
    return {key: value for key, value in yours.items() if key not in added}


def _composed(document: Document, current: str, header: dict[str, Any], body: str) -> str:
    """The current text with another header and body, its own spelling kept."""
    old_body = current[document.header_end :]
    if body == document.body:
        text = current
    else:
        crlf = "\r\n" in old_body and old_body.count("\n") == old_body.count("\r\n")
        text = current[: document.header_end] + (body.replace("\n", "\r\n") if crlf else body)
    changes = _changes(document.frontmatter, header)
    if changes:
        text = with_header(text, changes)
    again = parse(text)
    if not _changes(again.frontmatter, header) and canonical(again.body) == canonical(body):
        return text
    # A body may begin with what reads as a header.
    return compose(header, *markdown.split_body(body))


def _changes(held: Mapping[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """What makes `header` of the front matter `held`; None takes a key out."""
    return {
        key: header.get(key)
        for key in dict.fromkeys((*held, *header))
        if key != "slug" and not _same(*(_listed(key, side.get(key, _MISSING), "") for side in (held, header)))
    }

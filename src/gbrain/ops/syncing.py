"""Bringing the brain up to the folders of its sources."""

import os
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypedDict

from gbrain.errors import BrainError, InvalidParams
from gbrain.registry import Context, Param, operation
from gbrain.types import Source

if TYPE_CHECKING:
    from gbrain.ops.folders.sync import Report

CHANGES_TOLD, TROUBLES_TOLD = 200, 1000
CONFIRM = "--confirm-removals"


class ChangeRow(TypedDict):
    """A file that is not as it was; `before` is the path a renamed one had, `slug_before` the slug if that changed.

    The page is still found, and links still lead to it, by that slug.
    """

    change: str
    path: str
    slug: str | None
    before: NotRequired[str]
    slug_before: NotRequired[str]


class TroubleRow(TypedDict):
    """A file that is not read, or read with a doubt, and what to do about it."""

    path: str
    line: int | None
    message: str
    hint: str


class SourceSync(TypedDict):
    """What became of one source. `partial`: something of its folder is not in the brain as it should be.

    `held_back` counts pages whose files are gone, which were too many to delete without a word.
    """

    source_id: str
    folder: str
    status: Literal["synced", "up_to_date", "partial", "failed"]
    added: int
    changed: int
    renamed: int
    removed: int
    unchanged: int
    skipped: int
    held_back: int
    pull: str
    changes: list[ChangeRow]
    troubles: list[TroubleRow]


class SyncReply(TypedDict):
    """All that were asked for; `ok` unless one of them is partial or failed."""

    status: Literal["ok", "partial"]
    dry_run: bool
    sources: list[SourceSync]


@operation(
    scope="admin",
    surface="starter",
    title="Bring the brain up to its folders",
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain sync", "gbrain sync --source work --no-pull", "gbrain sync --all --dry-run"),
)
def sync_brain(
    ctx: Context,
    source_id: Annotated[str | None, Param("Only this source.")] = None,
    all: Annotated[bool, Param("Every source that has a folder.")] = False,
    paths: Annotated[list[str] | None, Param("Only these files and folders, relative to the source's own.")] = None,
    pull: Annotated[bool, Param("First take in what others pushed, where the folder is in git.")] = True,
    full: Annotated[bool, Param("Read every file, also those that look unchanged.")] = False,
    confirm_removals: Annotated[bool, Param("Let many pages go at once, where their files are gone.")] = False,
    dry_run: Annotated[bool, Param("Tell what would change; change nothing.")] = False,
) -> SyncReply:
    """Take in what was added, changed, renamed and removed in the folders of Markdown that pages come from.

    Files are never changed by it. A page whose file is gone is deleted so that it can be restored; one that never came
    from a file stays. A file that cannot be read is named with its line, and holds nothing else back.
    """
    told = [
        # A pull changes the folder, so a dry run looks at it as it is.
        _one(ctx, source, paths, pull=pull and not dry_run, full=full, removals=confirm_removals, dry_run=dry_run)
        for source in _chosen(ctx, source_id, everything=all)
    ]
    fine = not any(one["status"] in ("partial", "failed") for one in told)
    return {"status": "ok" if fine else "partial", "dry_run": dry_run, "sources": told}


def _inside(paths: list[str] | None) -> list[str] | None:
    """The paths in their plain form; raises InvalidParams for one that leads out or is hidden."""
    if paths is None:
        return None
    # Before the check: `a/../../b` leads out as well as `../b` does. Windows writes a path with its own sign.
    plain = [os.path.normpath(path).replace(os.sep, "/") for path in paths]
    for path in plain:
        if os.path.isabs(path) or any(part.startswith(".") for part in path.split("/") if path != "."):
            raise InvalidParams(
                f"{path[:200]!r} is no path inside the folder", "pass it relative to the folder, such as notes/a.md"
            )
    return None if "." in plain else plain


def _chosen(ctx: Context, asked: str | None, *, everything: bool) -> list[Source]:
    held = {source.id: source for source in ctx.store.sources.all() if source.local_path}
    if everything and asked:
        raise InvalidParams("all is given, and one source too", "leave out --all, or --source")
    if not everything and (asked or ctx.source) in held:
        return [held[asked or ctx.source]]
    if asked:
        raise InvalidParams(
            f"the source {asked[:64]!r} has no folder",
            "its pages live in the store alone; run: gbrain sources list to see which have one",
        )
    if not held:
        raise InvalidParams("no source has a folder", "run: gbrain sources add ID --path FOLDER")
    return list(held.values())


def _one(
    ctx: Context,
    source: Source,
    paths: list[str] | None,
    *,
    pull: bool,
    full: bool,
    removals: bool,
    dry_run: bool,
) -> SourceSync:
    # yaml and subprocess take 30 ms to load, and only a sync needs them.
    from gbrain.ops.folders.sync import Folder
    from gbrain.sources.git import pull as pulled

    assert source.local_path is not None
    folder = Folder(ctx, source.id, source.local_path, dry_run=dry_run)
    report = folder.report
    try:
        if pull:
            report.pulled = pulled(source.local_path)
        folder.sync(_inside(paths), full=full, removals=removals)
    # One folder that cannot be read keeps no other from being synced.
    except BrainError as error:
        return _told(source, report, error)
    if report.undated:
        ctx.warn(
            "undated_items",
            f"{source.id}: items under ## Timeline that are no entries: {report.undated:,}; an entry begins as in"
            f" `- **2031-03-30** | Met at the harbour`; to see them: gbrain lint --source {source.id}",
        )
    return _told(source, report, None)


def _told(source: Source, report: "Report", failed: BrainError | None) -> SourceSync:
    troubles: list[TroubleRow] = [
        {"path": one.path, "line": one.line, "message": one.message, "hint": one.hint}
        for one in sorted(set(report.troubles), key=lambda one: (one.path, one.line or 0))
    ]
    if report.held_back:
        what = f"the files of {report.held_back} pages are gone, and none of the pages was deleted"
        hint = f"bring the files back, or run: gbrain sync --source {source.id} {CONFIRM}"
        troubles.insert(0, {"path": "", "line": None, "message": what, "hint": hint})
    if report.pulled.status == "failed":
        hint = f"run git pull there yourself, or: gbrain sync --source {source.id} --no-pull"
        troubles.insert(0, {"path": "", "line": None, "message": f"git: {report.pulled.message}", "hint": hint})
    if failed is not None:
        troubles.insert(0, {"path": "", "line": None, "message": failed.message, "hint": failed.suggestion})
    changes: list[ChangeRow] = []
    for change in report.changes[:CHANGES_TOLD]:
        row: ChangeRow = {"change": change.kind, "path": change.path, "slug": change.slug}
        if change.before is not None:
            row["before"] = change.before
        if change.slug_before is not None:
            row["slug_before"] = change.slug_before
        changes.append(row)
    status: Literal["synced", "up_to_date", "partial", "failed"] = "synced" if report.changes else "up_to_date"
    return {
        "source_id": source.id,
        "folder": source.local_path or "",
        "status": "failed" if failed else "partial" if report.partial else status,
        "added": report.count("added"),
        "changed": report.count("changed"),
        "renamed": report.count("renamed"),
        "removed": report.count("removed"),
        "unchanged": report.unchanged,
        "skipped": report.skipped,
        "held_back": report.held_back,
        "pull": report.pulled.status,
        "changes": changes,
        "troubles": troubles[:TROUBLES_TOLD],
    }

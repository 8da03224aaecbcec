"""Taking a source away as files, and bringing pages and facts in from files."""

import os
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from gbrain.errors import InvalidParams
from gbrain.journal import EXPORTS, Journal
from gbrain.registry import Context, Param, operation

if TYPE_CHECKING:
    from gbrain.sources.folder import Trouble

TOLD = 1000


class SkippedRow(TypedDict):
    """What did not come in, or is unclear in a page that did, and why."""

    path: str
    line: int | None
    message: str
    hint: str


class ImportReply(TypedDict):
    """Everything that was there is counted once: new or changed, unchanged, or skipped. `doubts` are lines of pages
    that came in and say less than they seem to. `partial`: there are some, or a page was skipped."""

    status: Literal["ok", "partial"]
    source_id: str
    dry_run: bool
    pages: int
    unchanged: int
    facts: int
    known_facts: int
    skipped: int
    skipped_files: list[SkippedRow]
    doubts: list[SkippedRow]


class ExportReply(TypedDict):
    """Where the export is, and what is in it."""

    source_id: str
    dir: str
    pages: int
    facts: int
    private: bool


@operation(
    scope="admin",
    surface="full",
    title="Import pages and facts",
    positional=("dir",),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain import backup", "gbrain import vault --source work --dry-run"),
)
def import_brain(
    ctx: Context,
    dir: Annotated[str, Param("The folder or file: an export of gbrain, Markdown of any kind, or conversations.")],
    overwrite: Annotated[bool, Param("Make texts the next version of pages that say something else.")] = False,
    dry_run: Annotated[bool, Param("Tell what would come in; change nothing.")] = False,
    source_id: Annotated[str | None, Param("The source they come into.")] = None,
) -> ImportReply:
    """Bring in an export of gbrain, a folder of Markdown (a vault, another memory), or exported conversations.

    The files are only read. Everything that is not taken is listed with the reason; run again, it goes on where it
    stopped.
    """
    # yaml and subprocess take 30 ms to load, and only an import needs them.
    from gbrain.ops.folders.porting import NO_PAGE, NOT_EXPORTED, bring_in

    place = os.path.abspath(os.path.expanduser(dir))
    if not os.path.exists(place):
        raise InvalidParams(f"there is nothing at {dir[:200]!r}", "pass the path of a folder or file that is there")
    # Only a root is its own parent; every file below it would become a page.
    if os.path.dirname(place) == place:
        raise InvalidParams("that is everything on this machine", "name a folder in it: gbrain import ~/notes")
    count = bring_in(ctx, ctx.source, place, overwrite=overwrite, dry_run=dry_run)
    # A folder of notes has pictures and settings beside them; that these do not come in is no failure.
    fine = all(trouble.message in (NO_PAGE, NOT_EXPORTED) for trouble in count.skipped)
    return {
        "status": "ok" if fine and not count.doubts else "partial",
        "source_id": ctx.source,
        "dry_run": dry_run,
        "pages": count.pages,
        "unchanged": count.unchanged,
        "facts": count.facts,
        "known_facts": count.known_facts,
        "skipped": len(count.skipped),
        "skipped_files": [_row(trouble) for trouble in count.skipped[:TOLD]],
        "doubts": [_row(trouble) for trouble in count.doubts[:TOLD]],
    }


@operation(
    scope="admin",
    surface="full",
    title="Export a source",
    positional=(),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain export --dir backup", "gbrain export --dir backup --include-private"),
)
def export_brain(
    ctx: Context,
    dir: Annotated[str, Param("A new folder, or one with an earlier export of this source.")],
    include_private: Annotated[bool, Param("Private pages and facts too. Keep the folder to yourself then.")] = False,
    source_id: Annotated[str | None, Param("The source that is exported.")] = None,
) -> ExportReply:
    """Write the pages of a source as Markdown, byte for byte, and its facts as JSON lines with all that is known.

    Nothing in the brain changes, and nothing in the folder is deleted.
    """
    # As above.
    from gbrain.ops.folders.porting import export

    target = os.path.abspath(os.path.expanduser(dir))
    # Before it begins: one that is broken off holds a person's words too.
    told = {"ts": ctx.now_text, "brain_id": ctx.brain_id, "source": ctx.source, "dir": target}
    Journal(ctx.home).append(EXPORTS, told)
    count = export(ctx, ctx.source, target, private=include_private)
    return {
        "source_id": ctx.source,
        "dir": target,
        "pages": count.pages,
        "facts": count.facts,
        "private": include_private,
    }


def _row(trouble: "Trouble") -> SkippedRow:
    return {"path": trouble.path, "line": trouble.line, "message": trouble.message, "hint": trouble.hint}

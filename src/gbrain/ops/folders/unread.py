"""What the last sync of each folder could not read, kept so that a look at the brain tells of it later."""

from collections.abc import Mapping, Sequence

from gbrain.registry import Context
from gbrain.sources.folder import Trouble
from gbrain.store.unread import UNREAD, Unread, unread_files, written

MOST = 1000
"""Files that are kept of one folder; a sync names all of them again."""


def note(ctx: Context, source: str, found: Mapping[str, Trouble], paths: Sequence[str] | None) -> None:
    """Keep the files that a sync of a source, or of some `paths` of it, could not read, in place of what was kept."""
    config, mark = ctx.store.config, UNREAD + source
    before = unread_files(config.mark(mark))
    now = [Unread(path, one.message, one.hint) for path, one in found.items()]
    if paths is not None:
        now += [one for one in before if one.path not in found and not _within(one.path, paths)]
    now = sorted(now)[:MOST]
    # Most syncs find what the last one found, and a write would wait for its turn.
    if now != before:
        config.set_mark(mark, written(now))


def _within(path: str, paths: Sequence[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in paths)

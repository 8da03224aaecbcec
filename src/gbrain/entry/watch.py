"""The folders of sources watched while a server runs: what is saved there is in the brain a moment later."""

import os
import sys
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gbrain import registry
from gbrain.errors import BrainError, Unavailable
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

SETTLING_MS, QUIET_MS = 1000, 100
"""A save is taken in once nothing has happened for QUIET_MS, and after SETTLING_MS whatever happens."""
LOOK_AGAIN_MS = 5000
"""How often it is looked for sources that were added, given a folder or removed."""
RETRY_SECONDS = 30.0
FIRST_SECONDS = 0.5
"""A server first answers those who wait for it."""
MANY_PATHS = 200
"""From so many changed paths on the whole folder is gone through."""
_LAST_SECONDS = 2.0


class Watch:
    """One thread that follows the folders of a brain's sources; where no source has one it only looks for that."""

    def __init__(self, brain: "Brain") -> None:
        self._brain = brain
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin. What changed while nobody watched is taken in first."""
        self._thread.start()

    def stop(self) -> None:
        """End, before the store is closed; a sync under way stops after its batch."""
        self._stopped.set()
        self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        self._stopped.wait(FIRST_SECONDS)
        while not self._stopped.is_set():
            try:
                folders = self._folders()
                if folders:
                    self._follow(folders)
                else:
                    self._stopped.wait(LOOK_AGAIN_MS / 1000)
            except BrainError:
                # The store or a folder is away for now; whoever asks for something is told why.
                self._stopped.wait(RETRY_SECONDS)
            except OSError as error:
                _say(f"gbrain: folders cannot be watched and are synced every {RETRY_SECONDS:g} s: {error.strerror}")
                self._stopped.wait(RETRY_SECONDS)

    def _folders(self) -> dict[str, str]:
        """The folders that are there, and the source of each."""
        told = registry.call(self._brain, Caller.local("watch"), "sources_list").value["sources"]
        found = {row["local_path"]: row["id"] for row in told if row["local_path"]}
        return {path: source for path, source in found.items() if os.path.isdir(path)}

    def _follow(self, folders: dict[str, str]) -> None:
        """Sync what is saved, until the sources or their folders are others."""
        # asyncio comes with it, 50 ms, and only a source with a folder needs it.
        from watchfiles import watch

        for source in folders.values():
            self._sync(source, None)
        # What was saved after that, and before the system watched, is named by nobody.
        unwatched = set(folders.values())
        for changes in watch(
            *folders,
            # Its own filters leave out names that may well be a person's, such as `build`.
            watch_filter=None,
            debounce=SETTLING_MS,
            step=QUIET_MS,
            rust_timeout=LOOK_AGAIN_MS,
            yield_on_timeout=True,
            stop_event=self._stopped,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            touched = _by_source((path for _, path in changes), folders)
            for source in touched.keys() | unwatched:
                paths = touched.get(source, set())
                self._sync(source, None if source in unwatched or len(paths) > MANY_PATHS else sorted(paths))
            unwatched.clear()
            # Asked when nothing happens: it costs a call, and a new folder can wait for a quiet moment.
            if not changes and self._folders() != folders:
                return

    def _sync(self, source: str, paths: list[str] | None) -> None:
        # No pull: a save is no reason to ask a network, and a pull is a change that would be followed in turn.
        arguments: dict[str, object] = {"source_id": source, "pull": False}
        if paths is not None:
            arguments["paths"] = paths
        registry.call(self._brain, Caller.local("watch"), "sync_brain", arguments, progress=self._go_on)

    def _go_on(self, what: str, done: int, of: int) -> None:
        if self._stopped.is_set():
            raise Unavailable("the server ends", "run: gbrain sync")


def _by_source(paths: Iterable[str], folders: dict[str, str]) -> dict[str, set[str]]:
    """What was touched that may be a page or hold some, by source, relative to its folder."""
    found: dict[str, set[str]] = {}
    for path in paths:
        for folder, source in folders.items():
            inside = os.path.relpath(path, folder)
            if inside.startswith("..") or any(part.startswith(".") for part in inside.split("/")):
                continue
            # A folder that is gone is named alone, without what was in it.
            if inside.lower().endswith((".md", ".mdx")) or not os.path.isfile(path):
                found.setdefault(source, set()).add(inside)
    return found


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        # Nobody listens any more.
        pass

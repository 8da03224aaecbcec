"""A source with a folder, and short ways to change that and to sync."""

from pathlib import Path
from typing import Any

from gbrain import Brain
from gbrain.domain.places import Selection

KINDS = ("added", "changed", "renamed", "removed")


class Notes:
    """A source `work` with a folder, and short ways to change that and to sync."""

    def __init__(self, brain: Brain, folder: Path) -> None:
        self.brain = brain
        self.folder = folder
        folder.mkdir()
        brain.sources_add(id="work", path=str(folder))
        brain.selection = Selection(flag="work")

    def ask(self, name: str, /, **arguments: Any) -> Any:
        return self.brain.call(name, arguments)

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def sync(self, **more: Any) -> Any:
        reply = self.brain.sync_brain(source_id="work", **more)
        return reply["sources"][0]

    def counts(self, **more: Any) -> tuple[int, ...]:
        told = self.sync(**more)
        return tuple(told[kind] for kind in KINDS)

    def get(self, slug: str) -> Any:
        return self.ask("get_page", slug=slug)

    def versions(self, slug: str) -> list[Any]:
        found: list[Any] = self.ask("get_versions", slug=slug, include_content=True)
        return found

    def change_number(self) -> Any:
        return self.brain.store.engine.rows("select coalesce(max(changed), 0) as n from pages")[0]["n"]

"""What the operations on sources answer, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]

_HEAD = ("source", "unnamed reads", "pages", "default", "folder", "name")


def sources_add(value: Any, given: Given, paint: Paint) -> str:
    """What was made, and where its pages come from."""
    folder = f", with the pages of {value['local_path']}" if value["local_path"] else ""
    return f"Added the source {paint.name(value['id'])}{folder}"


def sources_list(value: Any, given: Given, paint: Paint) -> str:
    """A line for each source."""
    return screen.table(_HEAD, [_cells(row) for row in value["sources"]])


def sources_language(value: Any, given: Given, paint: Paint) -> str:
    """The language of a source, and what was indexed anew for it."""
    language = f"The language of {paint.name(value['id'])} is {value['language']}"
    if given.get("language") is None:
        return language
    return f"{language}; indexed anew for it: pages {value['pages']:,}, facts {value['facts']:,}"


def _cells(row: Any) -> tuple[str, ...]:
    default = "default" if row["default"] else "-"
    name = row["name"] if row["name"] != row["id"] else "-"
    return (row["id"], standing(row["federated"]), str(row["page_count"]), default, row["local_path"] or "-", name)


def standing(federated: bool | None) -> str:
    """Whether reads that name no source take this one in."""
    return "unset" if federated is None else "federated" if federated else "isolated"

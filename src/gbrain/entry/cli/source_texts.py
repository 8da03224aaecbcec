"""What the operations on sources answer, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]

_HEAD = ("source", "unnamed reads", "pages", "default", "folder", "name")


def sources_add(value: Any, given: Given, paint: Paint) -> str:
    """What was made, where its pages come from, and where unnamed writes go."""
    folder = f", with the pages of {value['local_path']}" if value["local_path"] else ""
    lines = [f"Added the source {paint.name(value['id'])}{folder}"]
    lines.append(f"  where no source is named, {paint.name(value['unnamed'])} is meant: gbrain sources default ID")
    if value["federated"] is None and value["unnamed"] != value["id"]:
        lines.append(f"  unnamed reads leave it out: gbrain sources federate {value['id']}")
    return "\n".join(lines)


def sources_list(value: Any, given: Given, paint: Paint) -> str:
    """A line for each source."""
    return screen.table(_HEAD, [_cells(row) for row in value["sources"]])


def sources_language(value: Any, given: Given, paint: Paint) -> str:
    """The language of a source, and what was indexed anew for it."""
    language = f"The language of {paint.name(value['id'])} is {value['language']}"
    if given.get("language") is None:
        return language
    return f"{language}; indexed anew for it: pages {value['pages']:,}, facts {value['facts']:,}"


def sources_current(value: Any, given: Given, paint: Paint) -> str:
    """The source, the tier that said so, and what reads take in."""
    why = " ".join(part for part in (value["tier"], value.get("detail", "")) if part)
    return f"{paint.name(value['source_id'] or 'none')}   ({why})\n  reads: {' '.join(value['reads']) or 'nothing'}"


def sources_rename(value: Any, given: Given, paint: Paint) -> str:
    """What it was called, and is called."""
    called = f", called {value['name']}" if value["name"] != value["id"] else ""
    lines = [f"The source {paint.name(value['was'])} is {paint.name(value['id'])} now{called}"]
    if value["was"] != value["id"]:
        lines.append("  texts that cite the old id, .gbrain-source files and running servers still name the old one")
    return "\n".join(lines)


def sources_remove(value: Any, given: Given, paint: Paint) -> str:
    """What went, and what stayed."""
    stays = f"; the files in {value['local_path']} stay" if value["local_path"] else ""
    pages = f"{screen.counted(value['pages_deleted'], 'page')}, deleted ones too"
    facts = screen.counted(value["facts_deleted"], "fact")
    return f"Removed {value['id']}: {pages}, {facts}{stays}"


def sources_federate(value: Any, given: Given, paint: Paint) -> str:
    """How it stands now."""
    return f"{paint.name(value['id'])}: {standing(value['federated'])}"


sources_unfederate = sources_federate


def sources_default(value: Any, given: Given, paint: Paint) -> str:
    """Which one is meant now."""
    return f"{paint.name(value['id'])} is meant where no source is named"


def _cells(row: Any) -> tuple[str, ...]:
    default = "default" if row["default"] else "-"
    name = row["name"] if row["name"] != row["id"] else "-"
    return (row["id"], standing(row["federated"]), str(row["page_count"]), default, row["local_path"] or "-", name)


def standing(federated: bool | None) -> str:
    """Whether reads that name no source take this one in."""
    return "unset" if federated is None else "federated" if federated else "isolated"

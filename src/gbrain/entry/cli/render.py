"""From an operation's answer to text: the text function of the operation's name, or the JSON itself."""

from importlib import import_module
from typing import Any

from gbrain.catalogue import OPERATIONS
from gbrain.entry.cli import screen

JSON_FOR_PROGRAMS = frozenset(
    (
        *("add_link", "add_tag", "add_timeline_entry", "context_pack", "delete_page", "delta", "get_backlinks"),
        *("get_links", "put_page", "remove_link", "remove_tag", "restore_page", "revert_version", "synthesize"),
        "list_link_sources",
    )
)
"""Commands whose output scripts read as JSON: text is only for a terminal."""


def show(name: str, value: Any, given: dict[str, Any]) -> None:
    """Write the answer of operation `name` for people; `given` holds its arguments and what rode beside the answer."""
    entry = OPERATIONS[name]
    for_program = name in JSON_FOR_PROGRAMS and not screen.on_terminal()
    if for_program or (isinstance(value, dict) and value.get("dry_run") is True):
        screen.write_json(value)
        return
    # Texts load by subject: the verbs' are on the fast path, all others are not.
    texts = import_module(f"gbrain.entry.cli.{'verb' if entry.surface == 'verbs' else 'page'}_texts")
    text_of = getattr(texts, name, None)
    if text_of is None:
        screen.write_json(value)
    else:
        shown = screen.harmless(value) if screen.on_terminal() else value
        screen.write(text_of(shown, given, screen.paint()))

"""What a run would make of one file: the text without gbrain's pieces, then with those that are wanted now."""

import difflib
from typing import Any, NamedTuple

from gbrain.errors import InvalidParams
from gbrain.harnesses import files, parts as pieces
from gbrain.harnesses.files import Held
from gbrain.harnesses.parts import Memo, Part
from gbrain.harnesses.splices import Splice, Undo, applied, undo_of, undone

LONGEST = 300
"""Characters of a line that are shown of a difference."""

Record = dict[str, Any]
"""A file in the receipt: `made` and `folders`, whether and below which new folders gbrain made it; `before`, the hash
of the text without our pieces; `writes`, the hash of each text that may stand there and the way back from it;
`parts`, how to find each piece again."""


class Change(NamedTuple):
    """A file as it is and as it shall be; `after` None: not there. `record` is None where nothing of ours will be.

    `folders` were made for a file that goes, from the inside out.
    """

    held: Held
    after: str | None
    record: Record | None
    folders: tuple[str, ...] = ()

    @property
    def is_one(self) -> bool:
        """Whether there is anything to write."""
        return self.after != self.held.text


def planned(path: str, wanted: list[Part], record: Record | None, *, final: bool = False) -> Change:
    """The change that brings a file to the wanted pieces. `final` when gbrain takes its leave of the file.

    Raises InvalidParams for a file that cannot be understood, Unavailable for one that cannot be read or written.
    """
    held = files.read(path)
    try:
        base, places = _without(held.text or "", wanted, record, path, final)
        splices: list[Splice] = []
        memos: list[Memo] = []
        after = base
        for part in wanted:
            placed = part.put(after, places.get(_key(part.memo())))
            after = applied(after, placed.splices)
            splices += placed.splices
            memos.append(placed.memo)
    except ValueError as error:
        raise InvalidParams(
            f"{path} cannot be understood ({error}), so nothing was changed",
            "mend it, then run the command again",
            detail={"reason": "broken_file", "path": path},
        ) from None
    made = held.text is None or bool(record and record["made"])
    if not splices:
        gone = made and not base.strip("\ufeff \t\r\n{}")
        left = tuple(record["folders"]) if gone and record else ()
        change = Change(held, None if gone else base, None, left)
    else:
        folders = record["folders"] if record and record["made"] else files.missing_folders(path)
        write = {"after": files.sha(after), "undo": [list(step) for step in undo_of(splices)]}
        before = None if made and not base else files.sha(base)
        kept = {"made": made, "folders": folders if made else [], "before": before, "writes": [write], "parts": memos}
        change = Change(held, after, kept)
    if change.is_one and record is not None and _stands(held.text or "", wanted, record):
        return Change(held, held.text, record)
    if change.is_one:
        files.refuse_unwritable(path)
    return change


def pending(change: Change, record: Record | None) -> Record | None:
    """What the receipt says of a file while it is being written: either text may stand there."""
    if change.record is None:
        return record
    return {**change.record, "writes": change.record["writes"] + (record["writes"][:1] if record else [])}


def difference(change: Change, hidden: tuple[str, ...] = ()) -> list[str]:
    """The lines that go (`-`) and come (`+`), without those around them; texts that are `hidden` are not shown."""
    old, new = ((text or "").splitlines() for text in (change.held.text, change.after))
    lines = [line for line in list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:] if not line.startswith("@@")]
    for secret in hidden:
        lines = [line.replace(secret, "***") for line in lines]
    return [line if len(line) <= LONGEST else f"{line[:LONGEST]}..." for line in lines]


def _without(
    text: str, wanted: list[Part], record: Record | None, path: str, final: bool
) -> tuple[str, dict[str, int | None]]:
    """The text without pieces of ours, and where those stood.

    To the last character where nobody else has changed the text since; otherwise each piece is looked for.
    """
    if record is not None:
        seen = files.sha(text)
        # A run that was killed before it wrote, or a text that its owner put back.
        if seen == record["before"]:
            return text, {}
        # Of a file that is being written the receipt knows both texts, as a kill may have left either.
        exact = next((write for write in record["writes"] if write["after"] == seen), None)
        if exact is not None:
            base = undone(text, (Undo(*step) for step in exact["undo"]))
            return base, _stood(text, base, record["parts"], path)
    known = {_key(memo): memo for memo in (record["parts"] if record else [])}
    memos = {**{_key(part.memo()): part.memo() for part in wanted}, **known}
    places: dict[str, int | None] = {}
    kept = {_key(part.memo()) for part in wanted}
    # In the reverse of the order they were put in: a later piece may stand inside or behind an earlier one.
    for key, memo in reversed(memos.items()):
        taken = pieces.take(text, memo, path, final=final or key not in kept)
        text = applied(text, taken.splices)
        places[key] = taken.at
    return text, places


def _stands(text: str, wanted: list[Part], record: Record) -> bool:
    """Whether somebody wrote the text anew and left every wanted piece in it, and no other of ours.

    It stays as it is then: an agent that keeps its settings in a file puts the keys in what order it likes.
    """
    known = {_key(memo): memo for memo in record["parts"]}
    if files.sha(text) in (record["before"], *(write["after"] for write in record["writes"])):
        return False
    if not wanted or known.keys() != {_key(part.memo()) for part in wanted}:
        return False
    kept = {word for part in wanted for word in getattr(part, "values", ()) if isinstance(word, str)}
    added = {word for memo in known.values() for word in memo.get("added", ())}
    return added <= kept and all(part.is_in(text) for part in wanted)


def _stood(text: str, base: str, memos: list[Memo], path: str) -> dict[str, int | None]:
    """Where blocks stood in a text that was taken back to `base`; nothing of other pieces, which find their own place.

    A block that was there before the receipt may stand anywhere, and stays there.
    """
    places: dict[str, int | None] = {}
    for memo in reversed(memos):
        if memo["type"] != "block":
            return {}
        taken = pieces.take(text, memo, path, final=False)
        text = applied(text, taken.splices)
        places[_key(memo)] = taken.at
    return places if text == base else {}


def _key(memo: Memo) -> str:
    return f"{memo['type']} {memo.get('name') or '.'.join(memo['keys'])}"

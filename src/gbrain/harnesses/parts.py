"""The pieces that gbrain puts into the files of a harness.

Each puts itself into a text and says, as plain JSON, how it is to be found again: that goes into the receipt, so that
a piece can be taken out by a run that knows nothing else of it.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from gbrain.errors import InvalidParams
from gbrain.harnesses import blocks, jsontext, tomltext
from gbrain.harnesses.splices import Splice, applied

Memo = dict[str, Any]

MARK = "/gbrain/ambient/"
"""Part of every command line that gbrain puts into someone's hooks."""


class Placed(NamedTuple):
    """What to change for a piece to be there, and how to find it again."""

    splices: list[Splice]
    memo: Memo


class Taken(NamedTuple):
    """What to change for a piece to be gone; `at` is where it stood, None where that does not matter."""

    splices: list[Splice]
    at: int | None = None


class Part(Protocol):
    """A piece of one file. `kind` is what it is for, `path` the file."""

    @property
    def kind(self) -> str:
        """`registration`, `permission`, `instructions`, `hooks`, `notify` or `plugin`."""

    @property
    def path(self) -> str:
        """The file, by its absolute path."""

    def memo(self) -> Memo:
        """How to find a piece of this sort that nobody wrote down."""

    def put(self, text: str, at: int | None) -> Placed:
        """Put it into a text that does not have it. Raises InvalidParams or ValueError where that cannot be done."""

    def is_in(self, text: str) -> bool:
        """Whether it stands in a text just so. Raises as `put`."""


class Block(NamedTuple):
    """A managed block of this name; see `blocks`."""

    kind: str
    path: str
    name: str
    body: str

    def memo(self) -> Memo:
        """By its sentinels."""
        return {"type": "block", "kind": self.kind, "name": self.name}

    def put(self, text: str, at: int | None) -> Placed:
        """At its former place, or at the end."""
        blocks.found(text, self.name, self.path)
        # The file may have changed since the place was written down; inside a line a block would be found by nobody.
        place = at if at is not None and text[:at].endswith("\n") else len(text)
        return Placed(blocks.add(text, self.name, self.body, place), self.memo())

    def is_in(self, text: str) -> bool:
        """Whether the block has this body."""
        seen = blocks.scan(text, self.name)
        return seen.state == "present" and applied(text, blocks.put(text, self.name, self.body, self.path)) == text


class Entry(NamedTuple):
    """A value at a path of keys in a JSON document; one that `yields` gives way to what somebody else put there."""

    kind: str
    path: str
    keys: tuple[str, ...]
    value: Any
    yields: bool = False

    def memo(self) -> Memo:
        """Nothing tells it from an entry of somebody else."""
        return {"type": "entry", "kind": self.kind, "keys": list(self.keys), "foreign": True}

    def put(self, text: str, at: int | None) -> Placed:
        """Set the key; what someone else put there stays if it is the same, else InvalidParams is raised."""
        held = _at(text, self.keys)
        if held is not None:
            # The memo keeps `foreign`, so that a removal leaves it to whoever wrote it.
            if held == self.value or self.yields:
                return Placed([], self.memo())
            raise taken(self.path, ".".join(self.keys))
        depth = jsontext.depth(text, self.keys[:-1])
        memo = {**self.memo(), "foreign": False, "depth": depth, "sha": value_sha(self.value)}
        return Placed(jsontext.put(text, self.keys, self.value), memo)

    def is_in(self, text: str) -> bool:
        """Whether the key has this value."""
        held = _at(text, self.keys)
        return bool(held == self.value or (self.yields and held is not None))


class Items(NamedTuple):
    """Values at the end of a JSON array, known as ours by the command line in them."""

    kind: str
    path: str
    keys: tuple[str, ...]
    values: tuple[Any, ...]

    def memo(self) -> Memo:
        """By the mark in their command lines."""
        return {"type": "items", "kind": self.kind, "keys": list(self.keys), "depth": len(self.keys)}

    def put(self, text: str, at: int | None) -> Placed:
        """Add them behind those of others, whose places count for some agents."""
        memo = {**self.memo(), "depth": jsontext.depth(text, self.keys)}
        return Placed(_appended(text, self.keys, self.values), memo)

    def is_in(self, text: str) -> bool:
        """Whether these, and no others of ours, are in the array."""
        held = _at(text, self.keys)
        return isinstance(held, list) and [item for item in held if is_ours(item)] == list(self.values)


class Words(NamedTuple):
    """Texts in a JSON array, such as rules of what is allowed; those that are there already stay others'."""

    kind: str
    path: str
    keys: tuple[str, ...]
    values: tuple[str, ...]

    def memo(self) -> Memo:
        """Nothing tells them from those of somebody else."""
        return {"type": "words", "kind": self.kind, "keys": list(self.keys), "depth": len(self.keys), "added": []}

    def put(self, text: str, at: int | None) -> Placed:
        """Add those that are missing."""
        held = _at(text, self.keys)
        missing = [word for word in self.values if not isinstance(held, list) or word not in held]
        memo = {**self.memo(), "depth": jsontext.depth(text, self.keys), "added": missing}
        return Placed(_appended(text, self.keys, tuple(missing)), memo)

    def is_in(self, text: str) -> bool:
        """Whether all are in the array."""
        held = _at(text, self.keys)
        return isinstance(held, list) and all(word in held for word in self.values)


class Table(NamedTuple):
    """A table of a TOML document."""

    kind: str
    path: str
    keys: tuple[str, ...]
    value: dict[str, Any]

    def memo(self) -> Memo:
        """Nothing tells it from a table of somebody else."""
        return {"type": "table", "kind": self.kind, "keys": list(self.keys), "foreign": True}

    def put(self, text: str, at: int | None) -> Placed:
        """Add the table; what someone else put there stays if it is the same, else InvalidParams is raised."""
        held = tomltext.find(tomltext.parse(text), self.keys)
        if held is not None:
            if held == self.value:
                return Placed([], self.memo())
            raise taken(self.path, ".".join(self.keys))
        memo = {**self.memo(), "foreign": False, "sha": value_sha(self.value)}
        return Placed(tomltext.add_table(text, self.keys, self.value), memo)

    def is_in(self, text: str) -> bool:
        """Whether the table has these values."""
        return bool(tomltext.find(tomltext.parse(text), self.keys) == self.value)


class Notify(NamedTuple):
    """The program that `notify` of a TOML document names, with the person's own behind `--` on its command line."""

    kind: str
    path: str
    command: tuple[str, ...]

    def memo(self) -> Memo:
        """By the mark in the command line."""
        return {"type": "notify", "kind": self.kind, "keys": ["notify"], "own": ""}

    def put(self, text: str, at: int | None) -> Placed:
        """Set the key, and put what stood there into the command line."""
        # Codex knows one program for `notify`: ours runs the person's own as well, or wiring would silence it.
        own = tomltext.parse(text).get("notify", [])
        if not isinstance(own, list):
            raise ValueError("`notify` is not a list")
        splices = tomltext.put_key(text, "notify", [*self.command, "--", *own])
        # As it was written, with its quotes and line breaks: a removal puts back just that.
        return Placed(splices, {**self.memo(), "own": splices[0].gone})

    def is_in(self, text: str) -> bool:
        """Whether our program is named."""
        held = tomltext.parse(text).get("notify", [])
        return held[: len(self.command) + 1] == [*self.command, "--"] if isinstance(held, list) else False


class Whole(NamedTuple):
    """A whole file, known as ours by its text, or by a command line of ours in it."""

    kind: str
    path: str
    text: str

    def memo(self) -> Memo:
        """By what it is to say."""
        return {"type": "whole", "kind": self.kind, "keys": [], "sha": value_sha(self.text), "written": False}

    def put(self, text: str, at: int | None) -> Placed:
        """Write it. Raises InvalidParams for a file of somebody else."""
        if text:
            raise taken(self.path, "a text of its own")
        return Placed([Splice(0, "", self.text)], {**self.memo(), "written": True})

    def is_in(self, text: str) -> bool:
        """Whether the file has this text."""
        return text == self.text


class Refused(NamedTuple):
    """A piece that would be of no use in its file: `error` says why."""

    kind: str
    path: str
    error: InvalidParams

    def memo(self) -> Memo:
        """There is nothing to find."""
        return {"type": "refused", "kind": self.kind, "keys": []}

    def put(self, text: str, at: int | None) -> Placed:
        """Raises the error."""
        raise self.error

    def is_in(self, text: str) -> bool:
        """Raises the error."""
        raise self.error


def take(text: str, memo: Memo, path: str, *, final: bool) -> Taken:
    """How to take out the piece that a memo describes; nothing where it is not there.

    `final` when it shall not come back: then what was changed by hand goes too, and one blank line after a block.
    Raises InvalidParams for a damaged block and for an entry that was changed, ValueError for a text that is no JSON.
    """
    taker = _TAKERS.get(str(memo.get("type")))
    return Taken([]) if taker is None else taker(text, memo, path, final)


def entry(part: Part) -> str:
    """What a piece is called inside its file: an event, keys, the name of a block; "" for a whole file."""
    memo = part.memo()
    keys = [str(key) for key in memo.get("keys", ())]
    return keys[-1] if memo["type"] == "items" else str(memo.get("name") or ".".join(keys))


def taken(path: str, what: str) -> InvalidParams:
    """The error for a place where something of somebody else stands."""
    return InvalidParams(
        f"{path} has `{what}` already, and not from here, so nothing was changed",
        "take it out of that file, then run the command again",
        detail={"reason": "foreign_entry", "path": path, "entry": what},
    )


def is_ours(item: Any) -> bool:
    """Whether all that an item of a list of hooks runs is gbrain's."""
    commands = [hook.get("command") for hook in item.get("hooks", ())] if isinstance(item, dict) else []
    return bool(commands) and all(isinstance(command, str) and MARK in command for command in commands)


def value_sha(value: Any) -> str:
    """What tells one JSON value from another, however it is written."""
    # Editors and agents rewrite their settings with other spaces and orders; only a change of what is said counts as
    # one.
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _at(text: str, keys: tuple[str, ...]) -> Any:
    if not text.strip("\ufeff \t\r\n"):
        return None
    node = jsontext.find(jsontext.parse(text), keys)
    return None if node is None else node.value


def _appended(text: str, keys: tuple[str, ...], values: tuple[Any, ...]) -> list[Splice]:
    splices: list[Splice] = []
    for value in values:
        step = jsontext.append(text, keys, value)
        # Each splice speaks of the text that those before it left, commas included.
        text = applied(text, step)
        splices += step
    return splices


def _pruned(text: str, splices: list[Splice], keys: tuple[str, ...], memo: Memo) -> Taken:
    """The splices, and those that take out what they leave empty and was made for them."""
    return Taken(splices + jsontext.prune(applied(text, splices), keys, int(memo["depth"])) if splices else [])


def _take_block(text: str, memo: Memo, path: str, final: bool) -> Taken:
    name = str(memo["name"])
    splices = blocks.strip(text, name, path) if final else blocks.cut(text, name, path)
    return Taken(splices, splices[0].at if splices else None)


def _take_entry(text: str, memo: Memo, path: str, final: bool) -> Taken:
    keys = tuple(memo["keys"])
    held = _at(text, keys)
    if held is None or memo["foreign"]:
        return Taken([])
    if not final and value_sha(held) != memo["sha"]:
        raise _changed(path, keys)
    return _pruned(text, jsontext.drop(text, keys), keys[:-1], memo)


def _take_items(text: str, memo: Memo, path: str, final: bool) -> Taken:
    keys = tuple(memo["keys"])
    return _pruned(text, jsontext.drop_items(text, keys, is_ours), keys, memo)


def _take_words(text: str, memo: Memo, path: str, final: bool) -> Taken:
    keys, added = tuple(memo["keys"]), memo["added"]
    return _pruned(text, jsontext.drop_items(text, keys, lambda word: word in added), keys, memo)


def _take_table(text: str, memo: Memo, path: str, final: bool) -> Taken:
    keys = tuple(memo["keys"])
    held = tomltext.find(tomltext.parse(text), keys)
    if held is None or memo["foreign"]:
        return Taken([])
    if not final and value_sha(held) != memo["sha"]:
        raise _changed(path, keys)
    return Taken(tomltext.drop_table(text, keys))


def _take_notify(text: str, memo: Memo, path: str, final: bool) -> Taken:
    held = tomltext.parse(text).get("notify")
    if not isinstance(held, list) or "--" not in held or not any(MARK in str(word) for word in held):
        return Taken([])
    # From the file and not from the memo: a person may have changed their program behind the mark since.
    own = held[held.index("--") + 1 :]
    if not own:
        return Taken(tomltext.drop_key(text, "notify"))
    splices = tomltext.put_key(text, "notify", own)
    said = f"notify = {memo['own']}"
    # The former spelling returns only where it still says the same.
    if memo["own"] and tomltext.parse(said)["notify"] == own:
        splices = [splices[0]._replace(put=memo["own"])]
    return Taken(splices)


def _take_whole(text: str, memo: Memo, path: str, final: bool) -> Taken:
    # Another version of gbrain wrote another text, but with the mark.
    known = value_sha(text) == memo["sha"] or MARK in text
    if not text or not (known or memo["written"]):
        return Taken([])
    if not known and not final:
        raise _changed(path, ("its text",))
    return Taken([Splice(0, text, "")])


def _changed(path: str, keys: tuple[str, ...]) -> InvalidParams:
    return InvalidParams(
        f"`{'.'.join(keys)}` in {path} was changed by hand, so nothing was changed",
        "to have it as gbrain writes it, run first: gbrain bootstrap harness --remove --yes",
        detail={"reason": "changed_entry", "path": path, "entry": ".".join(keys)},
    )


_TAKERS: dict[str, Callable[[str, Memo, str, bool], Taken]] = {
    "block": _take_block,
    "entry": _take_entry,
    "items": _take_items,
    "words": _take_words,
    "table": _take_table,
    "notify": _take_notify,
    "whole": _take_whole,
}

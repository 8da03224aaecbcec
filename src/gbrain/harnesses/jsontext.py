"""Changes to JSON as it was written: comments, order, blanks and line ends of what is not changed stay.

Reads what agents read: JSON, JSON with comments and trailing commas, and JSON5 (names without quotes, single quotes).
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from gbrain.harnesses.splices import Splice, applied, line_end

DEEPEST = 200
Path = tuple[str, ...]

_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.S)
_REST_OF_LINE = re.compile(r"(?:[ \t]+|/\*[^\r\n]*?\*/)*(?://[^\r\n]*)?")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_BARE = re.compile(r"[-+.\w]+")
_BARE_VALUES = {"true": True, "false": False, "null": None}
_QUOTED = {quote: re.compile(rf"{quote}(?:[^{quote}\\\r\n]|\\(?:\r\n|[\s\S]))*{quote}") for quote in "\"'"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|[\s\S])")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\r": ""}


class Node(NamedTuple):
    """A value with the offsets where it begins and ends, and what it comes to.

    `members` are those of an object or array in order; `trailing` says that a comma follows the last one.
    """

    start: int
    end: int
    value: Any
    members: tuple["Member", ...] = ()
    trailing: bool = False


class Member(NamedTuple):
    """A value of an object or array; `start` is where its key begins, or itself in an array."""

    key: str | None
    start: int
    node: Node


@lru_cache(maxsize=8)
def parse(text: str) -> Node:
    """The document, which nobody may change: it is kept, since each piece asks for it anew.

    Raises ValueError, with the line, for a text that is none.
    """
    node = _value(text, _skip(text, 0), 0)
    if _skip(text, node.end) != len(text):
        raise _wrong(text, node.end, "more follows the document")
    return node


def value_of(text: str) -> Any:
    """What the document comes to; an empty text is an empty object. Raises ValueError as `parse`."""
    return parse(text).value if not _is_empty(text) else {}


def find(node: Node, path: Path) -> Node | None:
    """The value at a path of keys; of a key that stands twice the last counts, as for every reader."""
    for key in path:
        held = next((member.node for member in reversed(node.members) if member.key == key), None)
        if held is None:
            return None
        node = held
    return node


def put(text: str, path: Path, value: Any) -> list[Splice]:
    """Set a key, and make the objects on the way to it; an empty text becomes a document.

    Raises ValueError where the text is no JSON, or something on the way is no object.
    """
    if _is_empty(text):
        made = json.dumps(_nested(path, value), indent=2, ensure_ascii=False)
        return [Splice(len(text), "", made + "\n")]
    # Only what is missing is made: what others wrote on the way there keeps its comments and order.
    node, depth = parse(text), 0
    while depth < len(path) - 1 and (inner := find(node, path[depth : depth + 1])) is not None:
        node, depth = inner, depth + 1
    if not isinstance(node.value, dict):
        raise ValueError(f"`{'.'.join(path[:depth]) or 'the document'}` is not an object")
    held = find(node, path[depth:])
    if held is not None:
        return [Splice(held.start, text[held.start : held.end], _written(text, value, _indent(text, held.start)))]
    return _insert(text, node, path[depth], _nested(path[depth + 1 :], value))


def append(text: str, path: Path, value: Any) -> list[Splice]:
    """Add a value at the end of the array at a path, which is made where it is missing. Raises ValueError as `put`."""
    held = None if _is_empty(text) else find(parse(text), path)
    if held is None:
        return put(text, path, [value])
    if not isinstance(held.value, list):
        raise ValueError(f"`{'.'.join(path)}` is not a list")
    return _insert(text, held, None, value)


def drop(text: str, path: Path) -> list[Splice]:
    """Take out a key; nothing where it is not there. Raises ValueError for a text that is no JSON."""
    holder = None if _is_empty(text) else find(parse(text), path[:-1])
    at = next((at for at, member in enumerate(holder.members) if member.key == path[-1]), None) if holder else None
    return [] if holder is None or at is None else _take_out(text, holder, at)


def drop_items(text: str, path: Path, ours: Callable[[Any], bool]) -> list[Splice]:
    """Take out the values of an array that are `ours`. Raises ValueError for a text that is no JSON."""
    splices: list[Splice] = []
    while True:
        holder = None if _is_empty(text) else find(parse(text), path)
        if holder is None or not isinstance(holder.value, list):
            return splices
        at = next((at for at, value in enumerate(holder.value) if ours(value)), None)
        if at is None:
            return splices
        step = _take_out(text, holder, at)
        text = applied(text, step)
        splices += step


def prune(text: str, path: Path, keep: int) -> list[Splice]:
    """Take out what is empty on a path, from its end up, but none of its first `keep` steps."""
    splices: list[Splice] = []
    for depth in range(len(path), keep, -1):
        held = None if _is_empty(text) else find(parse(text), path[:depth])
        if held is None:
            continue
        if held.value not in ({}, []) or text[held.start + 1 : held.end - 1].strip():
            break
        step = drop(text, path[:depth])
        text = applied(text, step)
        splices += step
    return splices


def depth(text: str, path: Path) -> int:
    """How many steps of a path are there."""
    node = None if _is_empty(text) else parse(text)
    return next((n for n in range(len(path), 0, -1) if node is not None and find(node, path[:n]) is not None), 0)


def _is_empty(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _nested(path: Path, value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, holder: Node, key: str | None, value: Any) -> list[Splice]:
    """Add a member behind those of an object, or an array where `key` is None."""
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + (": " if _is_spaced(text) else ":")
    inside, end, eol = holder.start + 1, holder.end - 1, line_end(text)
    outer = _indent(text, holder.start)
    if not holder.members:
        inner, indent = text[inside:end], outer + _unit(text)
        if not _is_pretty(text):
            return [Splice(inside, "", name + _written(text, value, ""))]
        made = f"{eol}{indent}{name}{_written(text, value, indent)}"
        if not inner.strip():
            return [Splice(inside, inner, f"{made}{eol}{outer}")]
        return [Splice(inside, "", made)]
    last = holder.members[-1]
    # An object on one line stays on one line.
    if "\n" not in text[holder.start : last.start]:
        comma = ", " if _is_spaced(text) else ","
        return [Splice(last.node.end, "", comma + name + _written(text, value, outer))]
    after = _skip(text, last.node.end) + 1 if holder.trailing else last.node.end
    # A comment behind the last member is about that one, and stays beside it.
    rest = _REST_OF_LINE.match(text, after)
    at, indent = (rest.end() if rest else after), _indent(text, last.start)
    made = f"{eol}{indent}{name}{_written(text, value, indent)}"
    if holder.trailing:
        return [Splice(at, "", made + ",")]
    return [Splice(last.node.end, "", ","), Splice(at + 1, "", made)]


def _take_out(text: str, holder: Node, at: int) -> list[Splice]:
    """Remove a member with one comma and the blanks before it; comments stay."""
    member, inside, close = holder.members[at], holder.start + 1, holder.end - 1
    begin, end = len(text[: member.start].rstrip()), member.node.end
    after = _skip(text, end)
    follows = text[after] == ","
    if len(holder.members) == 1:
        end = after + 1 if follows else end
        if begin == inside and not text[end:close].strip():
            return [Splice(inside, text[inside:close], "")]
        return [Splice(begin, text[begin:end], "")]
    if follows:
        end = after + 1
        if at == 0 and not text[end : holder.members[1].start].strip():
            begin, end = member.start, holder.members[1].start
        return [Splice(begin, text[begin:end], "")]
    # The last member goes with the comma before it: readers of plain JSON take no trailing one.
    comma = _skip(text, holder.members[at - 1].node.end)
    # A comment between the comma and the member stays, and so must what is before it.
    begin = max(begin, comma + 1)
    return [Splice(begin, text[begin:end], ""), Splice(comma, ",", "")]


def _written(text: str, value: Any, indent: str) -> str:
    """A value in the manner of the document, its lines after the first indented."""
    if not _is_pretty(text):
        marks = (", ", ": ") if _is_spaced(text) else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=marks)
    return json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", line_end(text) + indent)


def _is_pretty(text: str) -> bool:
    """Whether the document is written over several lines, or is too small to tell."""
    return "\n" in text.strip() or len(text.strip()) < 8


def _is_spaced(text: str) -> bool:
    return _is_pretty(text) or '": ' in text


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _indent(text: str, at: int) -> str:
    """The blanks that begin the line of an offset."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    """The offset of the next thing that is no blank and no comment."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, level: int) -> Node:
    sign = text[at : at + 1]
    if level > DEEPEST:
        raise _wrong(text, at, f"it is nested deeper than {DEEPEST} levels")
    if sign in ("{", "["):
        return _holder(text, at, level)
    if sign in ('"', "'"):
        end = _string_end(text, at)
        return Node(at, end, _unquoted(text[at:end]))
    found = _BARE.match(text, at)
    if found is None:
        raise _wrong(text, at, "a value is missing")
    return Node(at, found.end(), _bare(text, at, found[0]))


def _holder(text: str, start: int, level: int) -> Node:
    is_object = text[start] == "{"
    close = "}" if is_object else "]"
    members: list[Member] = []
    at, trailing = _skip(text, start + 1), False
    while text[at : at + 1] != close:
        if members and not trailing:
            raise _wrong(text, at, f"`,` or `{close}` is missing")
        begin, key = at, None
        if is_object:
            key, at = _key(text, at)
        node = _value(text, at, level + 1)
        members.append(Member(key, begin, node))
        at = _skip(text, node.end)
        trailing = text[at : at + 1] == ","
        at = _skip(text, at + 1) if trailing else at
    value: Any = {m.key: m.node.value for m in members} if is_object else [m.node.value for m in members]
    return Node(start, at + 1, value, tuple(members), trailing)


def _key(text: str, at: int) -> tuple[str, int]:
    """A key, and the offset of its value."""
    if text[at : at + 1] in ('"', "'"):
        end = _string_end(text, at)
        key = _unquoted(text[at:end])
    elif found := _NAME.match(text, at):
        key, end = found[0], found.end()
    else:
        raise _wrong(text, at, "a key is missing")
    colon = _skip(text, end)
    if text[colon : colon + 1] != ":":
        raise _wrong(text, colon, "`:` is missing")
    return key, _skip(text, colon + 1)


def _string_end(text: str, at: int) -> int:
    found = _QUOTED[text[at]].match(text, at)
    if found is None:
        raise _wrong(text, at, "a text has no end")
    return found.end()


def _unquoted(quoted: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if code[0] in "ux" and len(code) > 1 else _ESCAPED.get(code, code)

    if quoted[0] == '"':
        try:
            # Not strict: JSON5 and the editors of people let tabs stand in a text.
            return str(json.loads(quoted, strict=False))
        except ValueError:
            pass
    return _ESCAPE.sub(one, quoted[1:-1])


def _bare(text: str, at: int, word: str) -> Any:
    if word in _BARE_VALUES:
        return _BARE_VALUES[word]
    try:
        return int(word, 16) if word.lower().lstrip("+-").startswith("0x") else json.loads(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        raise _wrong(text, at, f"{word[:20]!r} is no value") from None


def _wrong(text: str, at: int, why: str) -> ValueError:
    return ValueError(f"line {text.count(chr(10), 0, at) + 1}: {why}")

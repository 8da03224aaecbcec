"""Changes to TOML as it was written: everything but the table or the key in question stays to the last character."""

import json
import tomllib
from typing import Any, NamedTuple

from gbrain.harnesses.splices import Splice, applied, line_end

Keys = tuple[str, ...]


class Statement(NamedTuple):
    """A header, a key with its value, or a line that is neither, with its line ends; `keys` says which.

    A value stands from `value` to `stop`; both are 0 where there is none.
    """

    start: int
    end: int
    is_header: bool = False
    keys: Keys = ()
    value: int = 0
    stop: int = 0


def parse(text: str) -> dict[str, Any]:
    """The document. Raises ValueError, with the line, for a text that is none."""
    return tomllib.loads(text.removeprefix("\ufeff"))


def find(document: dict[str, Any], keys: Keys) -> Any:
    """The value at a path of keys, None where there is none."""
    held: Any = document
    for key in keys:
        held = held.get(key) if isinstance(held, dict) else None
    return held


def add_table(text: str, keys: Keys, value: dict[str, Any]) -> list[Splice]:
    """Add a table at the end. Raises ValueError for a text that is no TOML or leaves no room for the table."""
    end = line_end(text)
    expected = _with(parse(text), keys, value)
    lines = [f"[{'.'.join(map(_key, keys))}]", *(f"{_key(key)} = {_written(item)}" for key, item in value.items())]
    joint = "" if not text.strip("\ufeff") else end if text.endswith("\n") else end * 2
    # At the end, since a table that stands earlier would take in the keys behind it.
    splices = [Splice(len(text), "", joint + "".join(line + end for line in lines))]
    _verify(text, splices, expected, f"there is no room for a table [{'.'.join(keys)}]")
    return splices


def drop_table(text: str, keys: Keys) -> list[Splice]:
    """Take out a table and those below it, and a blank line before it. Raises ValueError for a text that is no TOML."""
    document = parse(text)
    if find(document, keys) is None:
        return []
    found = statements(text)
    splices: list[Splice] = []
    at = len(found)
    # From the end, so that the offsets of what is left hold.
    while at:
        at -= 1
        if not (found[at].is_header and found[at].keys[: len(keys)] == keys):
            continue
        last = next((n for n in range(at + 1, len(found)) if found[n].is_header), len(found)) - 1
        # Comments and blank lines before the next header belong to that one.
        while last > at and not found[last].keys:
            last -= 1
        begin = found[at].start
        if at and not text[found[at - 1].start : found[at - 1].end].strip():
            begin = found[at - 1].start
        splices.append(Splice(begin, text[begin : found[last].end], ""))
    _verify(text, splices, _without(document, keys), f"[{'.'.join(keys)}] is not written as a table of its own")
    return splices


def put_key(text: str, key: str, value: Any) -> list[Splice]:
    """Set a key at the top of the document. Raises ValueError for a text that is no TOML."""
    expected = {**parse(text), key: value}
    found = statements(text)
    top = found[: next((n for n, statement in enumerate(found) if statement.is_header), len(found))]
    held = next((statement for statement in top if statement.keys == (key,)), None)
    if held is not None:
        splices = [Splice(held.value, text[held.value : held.stop], _written(value))]
    else:
        end = line_end(text)
        pairs = [statement for statement in top if statement.keys]
        # Behind the first header it would be a key of that table.
        at = pairs[-1].end if pairs else len(text) - len(text.removeprefix("\ufeff"))
        joint = end if at and at == len(text) and not text.endswith("\n") and text.strip("\ufeff") else ""
        splices = [Splice(at, "", f"{joint}{_key(key)} = {_written(value)}{end}")]
    _verify(text, splices, expected, f"there is no room for `{key}`")
    return splices


def drop_key(text: str, key: str) -> list[Splice]:
    """Take out a key at the top of the document. Raises ValueError for a text that is no TOML."""
    document = parse(text)
    if key not in document:
        return []
    held = next((statement for statement in statements(text) if statement.keys == (key,)), None)
    splices = [] if held is None else [Splice(held.start, text[held.start : held.end], "")]
    _verify(text, splices, {k: v for k, v in document.items() if k != key}, f"`{key}` is not written as a key")
    return splices


def statements(text: str) -> list[Statement]:
    """What a TOML document consists of, in order; the text must be one."""
    found = []
    at = len(text) - len(text.removeprefix("\ufeff"))
    while at < len(text):
        statement = _statement(text, at)
        found.append(statement)
        at = statement.end
    return found


def _statement(text: str, start: int) -> Statement:
    at = start
    while at < len(text) and text[at] in " \t":
        at += 1
    if at == len(text) or text[at] in "#\r\n":
        return Statement(start, _after_line(text, at))
    if text[at] == "[":
        end = _after_line(text, at)
        return Statement(start, end, True, _path(parse(text[at:end])))
    value = _end(text, at, "=") + 1
    while value < len(text) and text[value] in " \t":
        value += 1
    stop = _end(text, value, "\n#")
    end = _after_line(text, stop)
    stop = value + len(text[value:stop].rstrip())
    return Statement(start, end, False, _path(parse(text[at:value] + "{}"))[:1], value, stop)


def _end(text: str, at: int, signs: str) -> int:
    """The offset of the first of some signs outside texts, comments and brackets; the end of the text if none comes."""
    level = 0
    while at < len(text):
        sign = text[at]
        if level == 0 and sign in signs:
            return at
        if sign in "\"'":
            at = _string_end(text, at)
            continue
        if sign == "#":
            at = text.find("\n", at)
            if at < 0:
                return len(text)
            continue
        level += (sign in "[{") - (sign in "]}")
        at += 1
    return at


def _string_end(text: str, at: int) -> int:
    quote = text[at]
    mark = quote * 3 if text.startswith(quote * 3, at) else quote
    at += len(mark)
    while at < len(text) and not text.startswith(mark, at):
        at += 2 if quote == '"' and text[at] == "\\" else 1
    at += len(mark)
    # Up to two quotes more belong to the text itself.
    while len(mark) == 3 and text[at : at + 1] == quote:
        at += 1
    return at


def _after_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _path(document: Any) -> Keys:
    """The only path of keys in a document that one header, or one key with an empty value, makes."""
    keys: list[str] = []
    while document:
        document = document[0] if isinstance(document, list) else document
        if not document:
            break
        key = next(iter(document))
        keys.append(key)
        document = document[key]
    return tuple(keys)


def _key(key: str) -> str:
    bare = key and all(sign.isascii() and (sign.isalnum() or sign in "-_") for sign in key)
    return key if bare else _written(key)


def _written(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_written(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    # JSON leaves this one control character as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _with(document: dict[str, Any], keys: Keys, value: Any) -> dict[str, Any]:
    held = document.get(keys[0], {})
    if len(keys) > 1 and not isinstance(held, dict):
        raise ValueError(f"`{keys[0]}` is no table")
    return {**document, keys[0]: value if len(keys) == 1 else _with(held, keys[1:], value)}


def _without(document: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """The document without what is at a path, and without the tables above that only stood for it."""
    rest = dict(document)
    if len(keys) > 1:
        rest[keys[0]] = _without(document[keys[0]], keys[1:])
    if len(keys) == 1 or not rest[keys[0]]:
        rest.pop(keys[0])
    return rest


def _verify(text: str, splices: list[Splice], expected: dict[str, Any], why: str) -> None:
    """Raise ValueError unless the splices make of the text what they should, and nothing else."""
    try:
        seen = parse(applied(text, splices))
    except ValueError:
        raise ValueError(why) from None
    if _filled(seen) != _filled(expected):
        raise ValueError(why)


def _filled(value: Any) -> Any:
    """A value without its empty tables: one with a header of its own outlives what stood below it."""
    if not isinstance(value, dict):
        return value
    return {key: kept for key, item in value.items() if (kept := _filled(item)) != {}}

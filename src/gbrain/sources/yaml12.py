"""YAML as front matter uses it: a reader and a writer for JSON-able values.

YAML 1.2: `NO`, `on`, `0123`, `12:30` and dates are text; only decimal numbers, true/false and null are not.
The reader works on the C parser's events, so that every limit and line number is ours; anchors work within
the limits, tags mean nothing. What the writer writes reads back equal here, and is text to YAML 1.1 readers
too.
"""

import math
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import yaml

from gbrain.domain import times

MAX_DEPTH = 24
MAX_NODES = 10_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Words that YAML 1.1 readers, which most editors are, take for something else: quoted when written.
_AMBIGUOUS = frozenset(("yes", "no", "on", "off", "true", "false", "null", "~", "<<"))
_TAG = r"!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)"


class Broken(Exception):
    """YAML that cannot be read: the line (from 0) and why.

    `suspects` are lines whose value may be at fault, likeliest first; none for what is against a limit.
    """

    def __init__(self, line: int, reason: str, *suspects: int) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason
        self.suspects = suspects


class Reader:
    """One YAML document, and where things stood in it (lines count from 0).

    `lines` has the line of each top-level key, `repeated` line, key and old value of those that came again.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.repeated: list[tuple[int, str, Any]] = []
        self.lines: dict[str, int] = {}
        self._events: Iterator[Any] = iter(())
        self._anchors: dict[str, tuple[Any, int] | None] = {}
        self._nodes = 0

    def document(self) -> Any:
        """The document's value; None for an empty one. Raises Broken."""
        # The C parser reports these without a line.
        foreign = _foreign_characters().search(self.text)
        if foreign is not None:
            raise Broken(self.text.count("\n", 0, foreign.start()), "it holds a control character")
        try:
            self._events = iter(yaml.parse(self.text, Loader=_LOADER))
            next(self._events)
            if isinstance(next(self._events), yaml.StreamEndEvent):
                return None
            value = self._value(next(self._events), 0)
            next(self._events)
            after = next(self._events)
        except yaml.YAMLError as error:
            raise _located(error, self.text) from None
        if not isinstance(after, yaml.StreamEndEvent):
            raise Broken(after.start_mark.line, "a second document starts here")
        return value

    def _value(self, event: Any, depth: int) -> Any:
        line = event.start_mark.line
        self._count(1, line)
        if depth > MAX_DEPTH:
            raise Broken(line, f"it is nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor, line)
        if event.tag is not None and not re.fullmatch(_TAG, event.tag):
            raise Broken(line, f"tags such as `{event.tag[:40]}` have no meaning here", line)
        before = self._nodes
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style and event.tag is None
            value: Any = resolve(event.value) if plain else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            value = []
            while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
                value.append(self._value(item, depth + 1))
        else:
            value = self._mapping(depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._nodes - before + 1)
        return value

    def _mapping(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            line = event.start_mark.line
            if not isinstance(event, yaml.ScalarEvent):
                raise Broken(line, "a key must be one text", line)
            key = event.value
            value = self._value(next(self._events), depth + 1)
            # YAML forbids it and people do it: the last one counts, as for most readers, and it is told.
            if key in found:
                self.repeated.append((line, key, found[key]))
            found[key] = value
            if depth == 0:
                self.lines[key] = line
        return found

    def _alias(self, anchor: str | None, line: int) -> Any:
        if anchor is None or anchor not in self._anchors:
            raise Broken(line, f"`*{(anchor or '')[:40]}` refers to nothing above it", line)
        target = self._anchors[anchor]
        if target is None:
            raise Broken(line, f"`*{anchor[:40]}` refers to itself")
        # Each use counts in full: that is what a bomb of aliases multiplies.
        self._count(target[1], line)
        return target[0]

    def _count(self, nodes: int, line: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise Broken(line, f"the front matter holds more than {MAX_NODES} values")


def resolve(text: str) -> Any:
    """The value of a plain YAML scalar: null, true or false, a decimal number, else the text.

    Numbers that JSON readers would round (beyond 2**53) and exponents without a point, which are mostly
    codes, stay text.
    """
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if text[0] not in "-0123456789":
        return text
    if re.fullmatch(r"0|-?[1-9][0-9]{0,15}", text):
        number = int(text)
        return number if abs(number) < 2**53 else text
    if re.fullmatch(r"-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,24}(?:[eE][-+]?[0-9]{1,3})?", text):
        decimal = float(text)
        return decimal if math.isfinite(decimal) else text
    return text


def _located(error: yaml.YAMLError, text: str) -> Broken:
    problem, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    reason = str(getattr(error, "problem", None) or "it is not valid YAML")
    lines = text.split("\n")
    found = problem.line if problem else 0
    began = context.line if context else found
    # The parser notices an open quote or bracket only further down, often at the end.
    inside = re.search("flow|quoted|simple key", str(getattr(error, "context", "")))
    suspects = (began, found) if inside else (found,)
    named = began if inside and (found >= len(lines) or not lines[found].strip()) else found
    return Broken(named, reason, *(at for at in suspects if at < len(lines)))


@cache
def _foreign_characters() -> re.Pattern[str]:
    return re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def mapping_lines(mapping: dict[str, Any], indent: int = 0) -> Iterator[str]:
    """A mapping as block YAML, line by line, `indent` spaces in."""
    for key, value in mapping.items():
        head = " " * indent + _quoted(str(key)) + ":"
        if value and isinstance(value, dict):
            yield head
            yield from mapping_lines(value, indent + 2)
        elif value and isinstance(value, list | tuple):
            yield head
            yield from list_lines(value, indent + 2)
        elif value is None:
            yield head
        else:
            first, *rest = _scalar_lines(value, indent + 2)
            yield f"{head} {first}"
            yield from rest


def list_lines(items: list[Any] | tuple[Any, ...], indent: int = 0) -> Iterator[str]:
    """A list as block YAML, line by line, `indent` spaces in."""
    for item in items:
        if item and isinstance(item, dict):
            lines = list(mapping_lines(item, indent + 2))
        elif item and isinstance(item, list | tuple):
            lines = list(list_lines(item, indent + 2))
        else:
            first, *rest = _scalar_lines(item, indent + 2)
            lines = [" " * (indent + 2) + first, *rest]
        yield " " * indent + "- " + lines[0][indent + 2 :]
        yield from lines[1:]


def _scalar_lines(value: Any, indent: int) -> list[str]:
    if value is None or isinstance(value, bool):
        return [{None: "null", True: "true", False: "false"}[value]]
    if isinstance(value, dict):
        return ["{}"]
    if isinstance(value, list | tuple):
        return ["[]"]
    if isinstance(value, float) and math.isfinite(value):
        digits = repr(value)
        return [digits if "." in digits else digits.replace("e", ".0e")]
    if isinstance(value, int):
        return [str(value)]
    text = value.isoformat() if isinstance(value, date) else str(value)
    block = _literal(text)
    if block is None:
        return [_quoted(text)]
    pad = " " * indent
    return [block, *(pad + line if line else "" for line in text.removesuffix("\n").split("\n"))]


def _literal(text: str) -> str | None:
    """The mark of a literal block that can hold the text, or None."""
    inner = text.removesuffix("\n")
    if "\n" not in inner or text[0] in " \t\n" or inner.endswith("\n") or _escaped().search(text.replace("\n", "")):
        return None
    if any(line and not line.strip(" \t") for line in inner.split("\n")):
        return None
    return "|" if text.endswith("\n") else "|-"


def _quoted(text: str) -> str:
    """A text as one YAML scalar on one line: bare where every reader takes it for text."""
    if _escaped().search(text):
        safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return '"' + _escaped().sub(lambda found: f"\\u{ord(found[0]):04x}", safe) + '"'
    if _bare().fullmatch(text) and not _misread(text):
        return text
    return "'" + text.replace("'", "''") + "'"


@cache
def _escaped() -> re.Pattern[str]:
    return re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(r"(?!.*(?:: | #|[: ]$))[A-Za-z0-9_/(.\u00a1-\U0010ffff].*")


@cache
def _number_like() -> re.Pattern[str]:
    return re.compile(r"[.]?[0-9][0-9a-fA-FxXoO_.:+-]*|\.(?:inf|nan|Inf|NaN|INF|NAN)")


def _misread(text: str) -> bool:
    """Whether some YAML reader would not take the bare text for itself. Real dates stay bare, as people write them."""
    if _date_like().fullmatch(text):
        return not _is_instant(text)
    return text.casefold() in _AMBIGUOUS or _number_like().fullmatch(text) is not None


@cache
def _date_like() -> re.Pattern[str]:
    return re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?")


def _is_instant(text: str) -> bool:
    try:
        return times.iso_instant(text) is not None
    except (ValueError, OverflowError):
        return False

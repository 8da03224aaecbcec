"""The `## Facts` fence of an entity page: a table of facts between two comments, which people and agents may edit.

    ## Facts

    <!--- gbrain:facts:begin -->
    | # | claim | kind | confidence | visibility | notability | valid_from | valid_until | source | context |
    |---|-------|------|------------|------------|------------|------------|-------------|--------|---------|
    | 1 | ~~plays chess~~ | fact | 1.0 | world | medium | 2031-05-04 | 2031-06-01 | chat | forgotten: by mistake |
    <!--- gbrain:facts:end -->

A struck claim holds no more. Dates are days; the exact instants and the key that says which fact a row is follow in a
comment at the end of the last cell. A day that somebody changes counts more than the instant behind it. A row that
cannot be read stays where it is, and is named. Source of the format: the contract's page model.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from gbrain.digests import sha256
from gbrain.domain.markdown import FACTS_BEGIN, FACTS_END
from gbrain.domain.text import collapse
from gbrain.domain.times import iso_instant, parse_partial_date, store_time
from gbrain.errors import InvalidParams
from gbrain.types import Kind

COLUMNS = (
    "#", "claim", "kind", "confidence", "visibility", "notability", "valid_from", "valid_until", "source", "context",
)  # fmt: skip
MORE = ("claim_metric", "claim_value", "claim_unit", "claim_period")
"""Columns that stand only where a row has them."""

HEADING = "## Facts"
NOTABILITIES = ("low", "medium", "high")
_MARKER = re.compile(r"<!--+\s*gbrain:facts:(begin|end)\s*--+>", re.IGNORECASE)
_BEHIND = re.compile(
    r"\s*<!-- (?P<key>[0-9a-z]{4,32})(?: from (?P<start>[0-9TZ:.-]+))?(?: until (?P<end>[0-9TZ:.-]+))? -->$"
)


class Row(NamedTuple):
    """One fact as the table tells it.

    `number` and `key` are None for a row that a person added. `valid_from` and `valid_until` are store text, None where
    the cell is empty. `more` holds the four further columns.
    """

    claim: str
    number: int | None = None
    key: str | None = None
    struck: bool = False
    kind: Kind = "fact"
    confidence: float = 1.0
    visibility: Literal["world", "private"] = "world"
    notability: str = "medium"
    valid_from: str | None = None
    valid_until: str | None = None
    source: str = ""
    context: str = ""
    more: tuple[str, str, str, str] = ("", "", "", "")


class Malformed(NamedTuple):
    """A row that cannot be read: its line in the body (from 1), as it stands, and what is wrong with it."""

    line: int
    text: str
    reason: str


class Fence(NamedTuple):
    """Where a fence stands in a body, as lines from 0 (its heading included, the end excluded), and what it holds."""

    start: int
    end: int
    rows: tuple[Row | Malformed, ...]
    texts: tuple[str, ...] = ()
    """The line of each row, as it stands."""

    @property
    def facts(self) -> list[Row]:
        """The rows that could be read."""
        return [row for row in self.rows if isinstance(row, Row)]

    @property
    def malformed(self) -> list[Malformed]:
        """The rows that could not."""
        return [row for row in self.rows if isinstance(row, Malformed)]


def read_fence(body: str) -> Fence | None:
    """The first facts fence of a body; None without one. A fence that is never closed ends at its last table row."""
    # Asked of every page that is written, and hardly any has one.
    if "gbrain:facts:" not in body:
        return None
    lines = body.split("\n")
    marks = [(at, found[1].lower()) for at, line in enumerate(lines) if (found := _MARKER.fullmatch(line.strip()))]
    begin = next((at for at, what in marks if what == "begin"), None)
    if begin is None:
        return None
    closing = next((at for at, what in marks if what == "end" and at > begin), None)
    if closing is None:
        # Its end was deleted by hand: what follows the table is the person's text, and none of the fence.
        end = begin + 1
        while end < len(lines) and (lines[end].lstrip().startswith("|") or not lines[end].strip()):
            end += 1
    else:
        end = closing + 1
    above = next((at for at in range(begin - 1, -1, -1) if lines[at].strip()), None)
    start = above if above is not None and lines[above].strip().lower() == HEADING.lower() else begin
    rows = list(_rows(lines, begin + 1, end))
    return Fence(start, end, tuple(one.row for one in rows), tuple(lines[one.line - 1] for one in rows))


def render_fence(rows: Iterable[Row | Malformed]) -> str:
    """The fence with its heading, ending with a line feed: each row numbered and keyed, the malformed as they were."""
    rows = numbered(rows)
    wide = any(any(row.more) for row in rows if isinstance(row, Row))
    columns = (*COLUMNS, *MORE) if wide else COLUMNS
    lines = [HEADING, "", FACTS_BEGIN, _line(columns), "|" + "|".join("-" * (len(name) + 2) for name in columns) + "|"]
    lines += [row.text if isinstance(row, Malformed) else _line(_cells(row, wide)) for row in rows]
    return "\n".join([*lines, FACTS_END, ""])


def numbered(rows: Iterable[Row | Malformed]) -> list[Row | Malformed]:
    """The rows with a number and a key each; numbers only grow, and what has one keeps it."""
    rows = list(rows)
    last = max((row.number or 0 for row in rows if isinstance(row, Row)), default=0)
    made: list[Row | Malformed] = []
    for row in rows:
        if isinstance(row, Row):
            if row.number is None:
                last += 1
                row = row._replace(number=last)
            row = row if row.key else row._replace(key=row_key(row))
        made.append(row)
    return made


def row_key(row: Row) -> str:
    """A key for a row that has none: of its number and claim, so that reading the same file twice gives the same."""
    return sha256(f"{row.number}\n{row.claim}".encode()).hexdigest()[:10]


def with_fence(body: str, rows: Sequence[Row | Malformed]) -> str:
    """The body with its fence replaced by one of these rows, taken out where there are none, or put in.

    A new fence stands at the end of the current truth, above a timeline.
    """
    return _with_lines(body, render_fence(rows).rstrip("\n").split("\n") if rows else [])


def _with_lines(body: str, made: Sequence[str]) -> str:
    lines, fence = body.split("\n"), read_fence(body)
    if fence is not None:
        return "\n".join([*lines[: fence.start], *made, *lines[fence.end :]])
    if not made:
        return body
    timeline = (at for at, line in enumerate(lines) if re.fullmatch(r"<!--\s*timeline\s*-->", line.strip()))
    at = next(timeline, len(lines))
    above, below = "\n".join(lines[:at]).rstrip("\n"), "\n".join(lines[at:]).strip("\n")
    parts = [*([above] if above.strip() else []), "\n".join(made), *([below] if below else [])]
    return "\n\n".join(parts) + "\n"


def kept(held: str, new: str, *, seen_private: bool, drop: bool = False) -> str:
    """A new body with what it must not lose of the fence of the held one, byte by byte.

    Without a fence in the new body the held one stays, unless `drop`. Whoever has not `seen_private` rows can neither
    drop nor change them: they are put back where they were.
    """
    before, after = read_fence(held), read_fence(new)
    if before is None:
        return new
    lines = held.split("\n")
    hidden = {
        row.line - 1 for row in _rows(lines, before.start, before.end) if not seen_private and is_private(row.row)
    }
    if after is None:
        skipped = {row.line - 1 for row in _rows(lines, before.start, before.end)} - hidden if drop else set()
        stays = hidden or not drop
        return (
            _with_lines(new, [lines[at] for at in range(before.start, before.end) if at not in skipped])
            if stays
            else new
        )
    if not hidden:
        return new
    made = new.split("\n")
    inside = made[after.start : after.end]
    for at in sorted(hidden):
        if lines[at] not in inside:
            inside.insert(_place(inside, lines[before.start : at]), lines[at])
    return "\n".join([*made[: after.start], *inside, *made[after.end :]])


def _place(inside: Sequence[str], above: Sequence[str]) -> int:
    """Where a row belongs in a fence: below the line it stood below, else after the last row.

    Never above the marker: out there it would be shown to everybody.
    """
    first = next(at for at, line in enumerate(inside) if _MARKER.fullmatch(line.strip())) + 1
    if above[-1] in inside[first:]:
        return inside.index(above[-1], first) + 1
    return next((at for at in range(len(inside), first, -1) if inside[at - 1].lstrip().startswith("|")), first)


def is_private(row: Row | Malformed) -> bool:
    """Whether a row is for the operator alone, as far as one that cannot be read can tell."""
    if isinstance(row, Row):
        return row.visibility == "private"
    # In doubt it is private: a broken row must not be how a private one gets out.
    return any(cell.casefold() == "private" for cell in _split(row.text))


class _Found(NamedTuple):
    line: int
    row: Row | Malformed


def _rows(lines: Sequence[str], start: int, end: int) -> Iterable[_Found]:
    columns: tuple[str, ...] = COLUMNS
    for at in range(start, end):
        line = lines[at].strip()
        if not line or _MARKER.fullmatch(line) or line.lower() == HEADING.lower():
            continue
        cells = _split(line) if line.startswith("|") else []
        names = tuple(cell.casefold() for cell in cells)
        if cells and all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            continue
        # A head that was edited: cells go by its names, so that columns may be moved or left out.
        if "claim" in names and set(names) <= {*COLUMNS, *MORE}:
            columns = names
            continue
        try:
            yield _Found(at + 1, _row(cells, columns))
        except InvalidParams as error:
            yield _Found(at + 1, Malformed(at + 1, lines[at], error.message))


def _row(cells: Sequence[str], columns: Sequence[str]) -> Row:
    if not cells:
        raise _wrong("it is no table row")
    if len(cells) > len(columns):
        raise _wrong(f"it has {len(cells)} cells, and the table {len(columns)} columns; write a `|` in a text as `\\|`")
    cell = dict.fromkeys((*COLUMNS, *MORE), "") | dict(zip(columns, cells, strict=False))
    last = columns[len(cells) - 1]
    # In the last cell that there is, since rows may be shorter than the head.
    behind = _BEHIND.search(cell[last])
    if behind is not None:
        cell[last] = cell[last][: behind.start()]
    cell = {name: text.replace("\\|", "|").strip() for name, text in cell.items()}
    struck = re.fullmatch(r"~~(.+)~~", cell["claim"])
    claim = collapse(struck[1] if struck else cell["claim"])
    if not claim:
        raise _wrong("the claim is empty")
    kind, visibility = cell["kind"].casefold() or "fact", cell["visibility"].casefold() or "world"
    notability = cell["notability"].casefold() or "medium"
    for name, value, allowed in (
        ("kind", kind, get_args(Kind)),
        ("visibility", visibility, ("world", "private")),
        ("notability", notability, NOTABILITIES),
    ):
        if value not in allowed:
            raise _wrong(f"{name} is none of {', '.join(allowed)}")
    return Row(
        claim,
        _number(cell["#"]),
        behind["key"] if behind else None,
        struck is not None,
        kind,  # type: ignore[arg-type]  # one of the kinds, as checked
        _confidence(cell["confidence"]),
        visibility,  # type: ignore[arg-type]  # one of the two, as checked
        notability,
        _instant("valid_from", cell["valid_from"], behind["start"] if behind else None),
        _instant("valid_until", cell["valid_until"], behind["end"] if behind else None),
        cell["source"],
        cell["context"],
        (cell[MORE[0]], cell[MORE[1]], cell[MORE[2]], cell[MORE[3]]),
    )


def _split(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    # The bar at the end is optional in Markdown tables.
    inner = re.sub(r"(?<!\\)\|$", "", inner)
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _number(text: str) -> int | None:
    if not text:
        return None
    # isdigit() alone takes other scripts' digits, and superscripts that int() refuses.
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise _wrong("# is no row number")
    return int(text)


def _confidence(text: str) -> float:
    if not text:
        return 1.0
    if not re.fullmatch(r"(?:0?\.[0-9]{1,6}|0|1|1\.0{1,6}|0\.[0-9]{1,6})", text):
        raise _wrong("confidence is no number from 0 to 1")
    return float(text)


def _instant(name: str, text: str, exact: str | None) -> str | None:
    """The instant of a date cell: the exact one behind it while it lies on that day, else the day's first moment."""
    if not text:
        return None
    try:
        known = iso_instant(exact) if exact else None
        if known is not None and store_time(known)[:10] == text:
            return store_time(known)
        given = iso_instant(text)
    except (ValueError, OverflowError):
        given = None
    if given is None:
        try:
            day = parse_partial_date(text)
        except InvalidParams:
            raise _wrong(f"{name} is no date") from None
        given = iso_instant((day + "-01-01")[:10])
    if given is None:
        raise _wrong(f"{name} is no date")
    return store_time(given)


def _wrong(reason: str) -> InvalidParams:
    return InvalidParams(reason, "correct the row: | # | claim | fact | 1.0 | world | medium | 2031-05-04 | | chat | |")


def _cells(row: Row, wide: bool) -> list[str]:
    claim = f"~~{row.claim}~~" if row.struck else row.claim
    sure = f"{row.confidence:.2f}".rstrip("0")
    days = [(value or "")[:10] for value in (row.valid_from, row.valid_until)]
    cells = [
        str(row.number), claim, row.kind, sure + "0" if sure.endswith(".") else sure, row.visibility, row.notability,
        *days, row.source, row.context,
    ]  # fmt: skip
    # A line feed would end the row, and a bar the cell.
    cells = [collapse(cell).replace("|", "\\|") for cell in [*cells, *(row.more if wide else ())]]
    exact = [
        f" {word} {value}"
        for word, value in (("from", row.valid_from), ("until", row.valid_until))
        # Midnight is what the day alone means, so nothing needs to stand behind it.
        if value is not None and value[10:] != "T00:00:00.000000Z"
    ]
    cells[-1] = f"{cells[-1]} <!-- {row.key}{''.join(exact)} -->".strip()
    return cells


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"

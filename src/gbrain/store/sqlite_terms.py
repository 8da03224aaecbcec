"""What SQLite reads in a way of its own: the tables and queries of FTS5
(https://www.sqlite.org/fts5.html#full_text_query_syntax), and long lists of numbers.
"""

from array import array
from typing import Any

import apsw

from gbrain.store.engine import SPELLINGS, Match, Params, Terms

ARRAY_FROM = 16
"""So many numbers in a list are one parameter: bound one by one each has a name to be made and looked up."""

TEXTS = {
    f"{name}{side}": columns
    for name, columns in (
        ("chunk_text", "names, body"),
        ("fact_text", "entity, body"),
        ("name_text", "names"),
    )
    for side in ("", "_private")
}
"""The columns of each text index."""


def text_tables(place: int) -> list[str]:
    """The tables that hold the text indexes of the source with this number."""
    return [f"{name}_{place}" for name in TEXTS]


def with_arrays(sql: str, params: Params) -> tuple[str, dict[str, Any]]:
    """`in (:ids)` with a long list of numbers becomes `in carray(:ids)` (https://sqlite.org/carray.html), which is one
    statement however many there are, so that it is planned once; other values stay as they are."""
    bound: dict[str, Any] = dict(params)
    for name, value in params.items():
        if type(value) in (list, tuple) and len(value) >= ARRAY_FROM and set(map(type, value)) == {int}:
            sql = sql.replace(f"(:{name})", f"carray(:{name})")
            bound[name] = apsw.carray(array("q", value))
    return sql, bound


def varints(block: bytes) -> list[int]:
    """The numbers in a record of SQLite's variable-length integers (https://www.sqlite.org/fileformat2.html)."""
    numbers, value, size = list[int](), 0, 0
    for byte in block:
        size += 1
        # The ninth byte gives all its eight bits; the eight before it seven each.
        value = value << 8 | byte if size == 9 else value << 7 | byte & 0x7F
        if size == 9 or byte < 0x80:
            numbers.append(value)
            value = size = 0
    return numbers


def match_expression(match: Match) -> str:
    """The FTS5 query for a Match. Every term is quoted, so no text can act as syntax."""
    parts = [unit for unit in map(unit_expression, match.must) if unit]
    should = [unit for unit in map(unit_expression, match.should) if unit]
    if should:
        parts.append("(" + " OR ".join(should) + ")")
    # Alternatives were asked for and none has a word: that matches nothing, where no alternatives match all.
    elif match.should:
        return ""
    return " AND ".join(parts)


def unit_expression(unit: Terms) -> str:
    """The FTS5 expression of one unit, "" for one without a term."""
    quoted = [_quoted(term) for term in unit.terms if term]
    if not quoted:
        return ""
    if unit.prefix:
        # The star stands outside the quotes; within them it would be a character of the word.
        quoted[-1] += " *"
    inner = quoted[0] if len(quoted) == 1 else "(" + " AND ".join(quoted) + ")"
    return f"{{{unit.column}}} : {inner}" if unit.column else inner


def _quoted(term: str) -> str:
    spelled = ['"' + one.replace('"', "").replace("\x00", "") + '"' for one in term.split(SPELLINGS)]
    return spelled[0] if len(spelled) == 1 else "(" + " OR ".join(spelled) + ")"

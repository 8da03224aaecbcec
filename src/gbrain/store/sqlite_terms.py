"""SQLite's FTS5: its tables here, and queries as it reads them
(https://www.sqlite.org/fts5.html#full_text_query_syntax).
"""

from gbrain.store.engine import SPELLINGS, Match, Terms

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

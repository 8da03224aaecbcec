"""Text search on PostgreSQL: tsvectors of our own terms, tsqueries, and BM25 over a bounded number of candidates.

A term stands in a tsvector once for each time it occurs, at the positions 1, 2, 3..., labelled by its column. So
`ts_rank_cd` with one term gives the sum of the column's weights over its occurrences: BM25's term frequency.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from gbrain.store.engine import SPELLINGS, Match, Terms

EXACT = 1_000
"""Up to so many hits every one is ranked."""
MOST_CANDIDATES, MOST_READ = 3_000, 10_000
"""Of more hits so many are ranked at most, and so many terms read: reading those of every hit takes far longer."""
MOST_COUNTED = MOST_CANDIDATES
"""Enough that a word of every candidate is worth less than a rarer one; counting more costs more than it tells."""
SAMPLE = 400
SCORED = 16
"""The most terms of a query that count for the score, the longest first: long words are rare."""

LABELS = {
    f"{name}{side}": labels
    for name, labels in (
        ("chunk_text", {"names": "A", "body": "D"}),
        ("fact_text", {"entity": "A", "body": "D"}),
        ("name_text", {"names": "A"}),
    )
    for side in ("", "_private")
}
"""The tsvector label of each column of an index."""
_NAMED = ("chunk_text", "chunk_text_private")
"""The indexes that hold names beside the text they name."""

_K1, _B = 1.2, 0.75
_MOST_POSITIONS = 255
_MOST_BYTES = 900_000
"""Below the megabyte that a tsvector may take; the terms of a longer text are left out from there on."""
_LONGEST = 1_000
_DIGITS = 1_000_000


class Ranking(NamedTuple):
    """A statement that gives (id, score), best first, with its parameters.

    `looking`, it gives one row with `id` null where there are more than EXACT hits: `spread` says for each of `terms`
    how many of SAMPLE hits hold it.
    """

    sql: str
    params: dict[str, Any]
    terms: tuple[str, ...]


def lexeme(term: str) -> str:
    """A term as a tsvector can hold it: lower case, nothing that is syntax, and a digest for one that is too long."""
    kept = term.lower()
    if not kept.isalnum():
        kept = kept.replace("\\", "").replace("'", "").replace("\x00", "")
    # No character takes more than four bytes, so that only long terms are encoded to be measured; PostgreSQL refuses a
    # lexeme of 2 KB.
    if len(kept) * 4 > _LONGEST and len(kept.encode("utf-8", "surrogatepass")) > _LONGEST:
        return "h" + sha256(kept.encode("utf-8", "surrogatepass")).hexdigest()
    return kept


def vector(index: str, columns: Sequence[str]) -> tuple[str, int]:
    """(the tsvector of a row's term columns as text, how many terms they hold)."""
    places: dict[str, list[str]] = {}
    size = weight = 0
    for label, text in zip(LABELS[index].values(), columns, strict=True):
        words = text.split()
        size += len(words)
        for word in words:
            term = lexeme(word)
            held = places.get(term)
            if held is None:
                # What PostgreSQL keeps of a lexeme: an entry of four bytes, its text, the count of its positions and
                # what aligns it; and two bytes for each position.
                weight += len(term.encode()) + 8
                if not term or weight > _MOST_BYTES:
                    continue
                held = places[term] = []
            # PostgreSQL keeps 255 positions of a lexeme and drops the rest, silently.
            if len(held) < _MOST_POSITIONS:
                held.append(f"{len(held) + 1}{label}")
                weight += 2
    return " ".join(f"'{term}':{','.join(held)}" for term, held in places.items()), size


def match_query(index: str, match: Match) -> str:
    """The tsquery for a Match, "" when nothing can match. Every term is quoted, so no text can act as syntax."""
    parts = [text for unit in match.must if (text := _unit(index, unit))]
    should = [text for unit in match.should if (text := _unit(index, unit))]
    if should:
        parts.append("(" + " | ".join(should) + ")")
    elif match.should:
        # Words were asked for that no index can hold; by `must` alone rows would match that have none of them.
        return ""
    return " & ".join(parts)


def ranking(
    index: str,
    match: Match,
    limit: int,
    weights: Sequence[float],
    sources: Sequence[str],
    *,
    behind: str | None = None,
    looking: bool = True,
) -> Ranking | None:
    """The statement that ranks what matches by BM25 (Robertson and Zaragoza, 2009); None when nothing can match.

    `behind` is a table by whose ids the rows are kept, so that its policy counts. The rows of the sources are counted
    to MOST_COUNTED, since an estimate would be one of all sources; the mean length is that of the candidates.
    """
    query = match_query(index, match)
    if not query:
        return None
    by_column = dict(zip(LABELS[index], weights or [1.0] * len(LABELS[index]), strict=True))
    top = max(by_column.values()) or 1.0
    scored = _scored(index, match, by_column)
    params: dict[str, Any] = {
        **{f"t{place}": term for place, term in enumerate(scored)},
        "weights": _label_weights(index, by_column, top),
        "query": query,
        "sources": list(sources),
        "most": EXACT if looking else min(MOST_CANDIDATES, max(EXACT, MOST_READ // (len(scored) or 1))),
        "limit": limit,
    }
    found = _found(index, behind)
    return Ranking(_looked(found, scored) + _ranked(index, found, top, len(scored), looking), params, scored)


def newest(
    index: str, match: Match, limit: int, sources: Sequence[str], *, behind: str | None = None
) -> Ranking | None:
    """The statement that gives the highest ids of what matches, unranked; None when nothing can match."""
    query = match_query(index, match)
    params = {"query": query, "sources": list(sources), "limit": limit}
    sql = f"select id {_found(index, behind)} order by id desc limit :limit"
    return Ranking(sql, params, ()) if query else None


def _found(index: str, behind: str | None) -> str:
    """The part of a statement that finds what matches in the sources, and in `behind` when given."""
    found = f"from {index} where terms @@ cast(:query as tsquery) and source_id in (:sources)"
    return found + _where_behind(index, behind)


def sampling(
    index: str, units: Sequence[Terms], sources: Sequence[str], behind: str | None
) -> tuple[str, dict[str, Any]]:
    """The statement that counts the texts of some sources up to MOST_COUNTED (`total`), and in a sample of them (of
    `seen`, `length` terms on average) those with each unit (`held`)."""
    params = {f"t{place}": _unit(index, unit) for place, unit in enumerate(units)}
    counts = ", ".join(f"count(*) filter (where terms @@ cast(:{name} as tsquery))" for name in params)
    rows = f"from {index} where source_id in (:sources){_where_behind(index, behind)}"
    sql = (
        f"select (select count(*) from (select 1 {rows} limit {MOST_COUNTED}) as few) as total, count(*) as seen,"
        f" cast(coalesce(avg(size), 0) as float8) as length, cast(array[{counts}] as bigint[]) as held"
        f" from (select terms, size {rows} limit {SAMPLE}) as sample"
    )
    return sql, {**params, "sources": list(sources)}


def counting(
    index: str, units: Sequence[Terms], sources: Sequence[str], behind: str | None
) -> tuple[str, dict[str, Any]]:
    """The statement that counts the texts with each unit, up to MOST_COUNTED (`held`)."""
    params = {f"t{place}": _unit(index, unit) for place, unit in enumerate(units)}
    counts = ", ".join(
        f"(select count(*) from (select 1 from {index} where terms @@ cast(:{name} as tsquery)"
        f" and source_id in (:sources){_where_behind(index, behind)} limit {MOST_COUNTED}) as few)"
        for name in params
    )
    return f"select cast(array[{counts}] as bigint[]) as held", {**params, "sources": list(sources)}


def _where_behind(index: str, behind: str | None) -> str:
    """The condition that a row may be seen by the policy of the table behind the index.

    With the offset it is asked of each row; without it the planner would go through all rows of the table.
    """
    if not behind:
        return ""
    same = f"b.source_id = {index}.source_id and b.id = {index}.id"
    return f" and exists (select 1 from {behind} as b where {same} offset 0)"


def _looked(found: str, scored: Sequence[str]) -> str:
    """The part of the statement that sees whether there are few hits, and if not, which terms are common."""
    counts = ", ".join(f"count(*) filter (where terms @@ cast(:t{place} as tsquery))" for place in range(len(scored)))
    spread = f"(select array[{counts}] from (select terms from begun limit {SAMPLE}) as sample)" if scored else "null"
    return (
        f"with begun as materialized (select terms {found} limit {EXACT + 1}),"
        f" looked as materialized (select n, case when n > {EXACT} then {spread} end as spread"
        " from (select count(*) as n from begun) as counted), "
    )


def _ranked(index: str, found: str, top: float, terms: int, looking: bool) -> str:
    """The part of the statement that ranks, unless it is only looking and there are many hits."""
    places = range(terms)
    frequencies = "".join(
        f", {top} * cast(ts_rank_cd(cast(:weights as float4[]), terms, cast(:t{place} as tsquery)) as float8)"
        f" as f{place}"
        for place in places
    )
    most = f"(select case when n > {EXACT} then 0 else :most end from looked)" if looking else ":most"
    held = "".join(f", cast(count(*) filter (where f{place} > 0) as float8) as d{place}" for place in places)
    rarity = "".join(f", ln(1 + (total - d{place} + 0.5) / (d{place} + 0.5)) as i{place}" for place in places)
    length = f"{_K1 * (1 - _B):.4f} + {_K1 * _B:.4f} * cast(size as float8) / mean"
    score = " + ".join(f"i{place} * f{place} * {_K1 + 1} / (f{place} + {length})" for place in places) or "0.0"
    rows = f"(select count(*) from (select 1 from {index} where source_id in (:sources) limit {MOST_COUNTED}) as few)"
    return (
        f"hits as materialized (select id, size{frequencies} {found} limit {most}),"
        f" seen as (select count(*) as n, cast(greatest(avg(size), 1) as float8) as mean{held} from hits),"
        f" rarity as materialized (select *{rarity} from"
        f" (select seen.*, cast(greatest(n, {rows}) as float8) as total from seen) as counted)"
        f" select id, {score} as score, looked.spread from rarity cross join looked left join hits on true"
        " order by score desc nulls last, id limit :limit"
    )


def narrowed(index: str, match: Match, held: Mapping[str, int]) -> Match | None:
    """A Match with fewer hits that keeps the best ones, from how many of a sample hold each term; None: there is none.

    Only the rarest units are asked for. Where even the rarest is common, it must stand beside another; and where there
    is no other, in a name.
    """
    if len(match.should) < 2:
        named = [unit for unit in match.should or match.must if not unit.column] if index in _NAMED else []
        return match._replace(should=tuple(unit._replace(column="names") for unit in named)) if named else None

    def common(unit: Terms) -> int:
        return min((sum(held.get(text, 0) for text in spelled) for spelled in _terms(index, unit)), default=0)

    units = sorted(match.should, key=common)
    kept, total = [units[0]], common(units[0])
    if total > SAMPLE / 4:
        first = units[0]
        beside = [unit for unit in units[1:SCORED] if unit.column == first.column and not first.prefix]
        pairs = tuple(Terms((*first.terms, *unit.terms), unit.column, unit.prefix) for unit in beside)
        return match._replace(should=pairs) if pairs else None
    for unit in units[1:]:
        total += common(unit)
        if total > SAMPLE / 4:
            break
        kept.append(unit)
    return match._replace(should=tuple(kept)) if len(kept) < len(units) else None


def _scored(index: str, match: Match, by_column: Mapping[str, float]) -> tuple[str, ...]:
    """The terms that count, each as a tsquery; one whose only column has no weight would add nothing."""
    units = [unit for unit in (*match.must, *match.should) if not unit.column or by_column[unit.column]]
    terms = dict.fromkeys(text for unit in units for spelled in _terms(index, unit) for text in spelled)
    return tuple(sorted(terms, key=len, reverse=True)[:SCORED]) if len(terms) > SCORED else tuple(terms)


def _unit(index: str, unit: Terms) -> str:
    terms = [spelled[0] if len(spelled) == 1 else f"({' | '.join(spelled)})" for spelled in _terms(index, unit)]
    return terms[0] if len(terms) == 1 else "(" + " & ".join(terms) + ")" if terms else ""


def _terms(index: str, unit: Terms) -> list[list[str]]:
    """Each term of a unit in its spellings, as a tsquery takes them."""
    label = LABELS[index][unit.column] if unit.column else ""
    last = len(unit.terms) - 1
    terms = []
    for place, term in enumerate(unit.terms):
        flags = ("*" if unit.prefix and place == last else "") + label
        kept = [lexeme(one) for one in term.split(SPELLINGS)]
        if spelled := [f"'{one}'" + (f":{flags}" if flags else "") for one in kept if one]:
            terms.append(spelled)
    return terms


def _label_weights(index: str, by_column: Mapping[str, float], top: float) -> str:
    """The weights of the labels D, C, B and A, scaled into 0..1 as ts_rank_cd takes them."""
    by_label = {label: by_column[column] for column, label in LABELS[index].items()}
    return "{" + ",".join(f"{round(by_label.get(label, 0.0) / top * _DIGITS) / _DIGITS}" for label in "DCBA") + "}"

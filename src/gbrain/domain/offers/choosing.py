"""Which pages the names in a conversation mean: the longest name first, and nothing where a name could mean two."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from gbrain.domain.offers.callings import ENTITY_TYPES, FORMS
from gbrain.domain.offers.endings import bent
from gbrain.domain.offers.evidence import Place, weight
from gbrain.domain.offers.reading import Reading
from gbrain.domain.offers.words import Span, Word, is_small, name_key
from gbrain.domain.text import STOP_WORDS

NEWEST = 0.05
"""What a name in the newest turn gains. Source: the contract's scale."""
FROM_COMPANY = 0.15
"""What an unclear name gains when the company of just one bearer is named beside it."""
MANY_WORDS = 120
"""From so many words on it is asked first which of them stand in any name."""
MOST_BEARERS = 60
"""A name of more pages is no name of one."""


class Bearer(NamedTuple):
    """A page, or an entity that only facts are about, as one of its names leads to it.

    `rank` is the place of its source among those of the reader: 0 is that of the project.
    """

    source_id: str
    slug: str
    title: str
    type: str
    summary: str
    key: str
    form: str
    rank: int = 0

    @property
    def place(self) -> tuple[str, str]:
        """Source and slug."""
        return self.source_id, self.slug


class Named(NamedTuple):
    """A page that a turn names: where (`turn` in the window, `at` in its text), by which arm, how surely, and why."""

    bearer: Bearer
    turn: int
    at: int
    end: int
    arm: str
    confidence: float
    why: str


class Names(Protocol):
    """What is asked of an index of names."""

    def named(self, keys: Iterable[str]) -> list[Bearer]:
        """Whatever bears one of these keys (`words.name_key`). A key of very many may be left out."""

    def heard(self, words: Iterable[str]) -> set[str]:
        """Those of these words, of small ASCII letters and digits, that stand in the name of any page."""


def named_in(readings: Sequence[Reading], lookup: Names) -> list[Named]:
    """The pages that these turns name, in their order; the last turn is the newest."""
    heard = None
    if sum(len(reading.words) for reading in readings) > MANY_WORDS:
        heard = lookup.heard({word.key for reading in readings for word in reading.words if is_small(word)})
    spans = [[span for span in reading.spans(heard) if _may_name(span)] for reading in readings]
    keys = dict.fromkeys(span.key for turn in spans for span in turn)
    borne: dict[str, list[Bearer]] = {}
    for bearer in lookup.named(keys):
        borne.setdefault(bearer.key, []).append(bearer)
    _add_bent(readings, spans, borne, lookup)
    found: list[Named] = []
    for turn, (reading, said) in enumerate(zip(readings, spans, strict=True)):
        found += _in_turn(turn, reading, [span for span in said if span.key in borne], borne, len(readings) - 1)
    return found


def _add_bent(
    readings: Sequence[Reading], spans: list[list[Span]], borne: dict[str, list[Bearer]], lookup: Names
) -> None:
    """Add the full names of people that stand in these turns with an ending."""
    made = [list(bent(reading.text, reading.words)) for reading in readings]
    keys = dict.fromkeys(span.key for turn in made for span in turn if span.key not in borne)
    found = [one for one in lookup.named(keys) if one.type == "person" and one.form in _FULL] if keys else []
    for bearer in found:
        borne.setdefault(bearer.key, []).append(bearer)
    known = {bearer.key for bearer in found}
    for turn, more in zip(spans, made, strict=True):
        turn += [span for span in more if span.key in known]


def _may_name(span: Span) -> bool:
    """Whether it is worth asking for: no name is a single letter, number or word that only joins others."""
    key = span.key
    if len(key) < 2 or key in STOP_WORDS:
        return False
    if span.first != span.last:
        return True
    return not key.isdigit()


def _in_turn(turn: int, reading: Reading, said: list[Span], borne: dict[str, list[Bearer]], newest: int) -> list[Named]:
    said.sort(key=lambda span: (span.start - span.end, span.start))
    taken: list[Span] = []
    unclear: list[tuple[Span, list[Bearer]]] = []
    found: list[Named] = []
    for span in said:
        if any(span.start < other.end and other.start < span.end for other in taken):
            continue
        bearers = borne[span.key]
        weighed = [
            (bearer, weight(Place(reading.text, reading.words, span, reading.cased, reading.lower), *_of(bearer)))
            for bearer in bearers
        ]
        fitting = [bearer for bearer, found_weight in weighed if found_weight > 0]
        # A note called `Call with Dana Oakes` leaves the person in its name to be found.
        if any(bearer.type in ENTITY_TYPES or bearer.form == "alias" for bearer in bearers) or fitting:
            taken.append(span)
        one = meant(bearers)
        if one is None:
            unclear.append((span, bearers))
            continue
        sure = next(found_weight for bearer, found_weight in weighed if bearer is one)
        if sure > 0:
            found.append(_named(one, turn, span, sure + (NEWEST if turn == newest else 0.0), reading, ""))
        if one.type == "person" and (one.form in ("given", "tail") or (sure <= 0 and one.form == "surname")):
            unclear.append((span, [one]))
    found += _by_company(turn, reading, unclear, found, newest)
    return sorted(found, key=lambda named: named.at)


def meant(bearers: Sequence[Bearer]) -> Bearer | None:
    """The one page that a name means to this reader, None where it could be two.

    The source of the project goes before others, a page of somebody or something before notes of the same name. An
    alias was given on purpose and outweighs names that only follow from others; a title does not.
    """
    if len(bearers) > MOST_BEARERS:
        return None
    # What sources without a page of this name were told goes with the one page that has it in full.
    full = [bearer for bearer in bearers if bearer.form in ("title", "alias")]
    if len({bearer.place for bearer in full}) == 1:
        bearers = [bearer for bearer in bearers if bearer.form != "facts" or bearer.source_id == full[0].source_id]
    nearest = min(bearer.rank for bearer in bearers)
    pool = [bearer for bearer in bearers if bearer.rank == nearest] if nearest == 0 else list(bearers)
    entities = [bearer for bearer in pool if bearer.type in ENTITY_TYPES]
    pool = entities or pool
    if len({bearer.place for bearer in pool}) == 1:
        return min(pool, key=lambda bearer: FORMS.index(bearer.form))
    given = [bearer for bearer in pool if bearer.form == "alias"]
    others = [bearer for bearer in pool if bearer.form in ("alias", "title")]
    if len({bearer.place for bearer in given}) == 1 and len({bearer.place for bearer in others}) == 1:
        return given[0]
    full = [bearer for bearer in pool if bearer.form in ("title", "alias")]
    if len({bearer.place for bearer in full}) == 1 and " " in full[0].key:
        return full[0]
    return None


def _by_company(
    turn: int, reading: Reading, unclear: list[tuple[Span, list[Bearer]]], found: list[Named], newest: int
) -> list[Named]:
    """Of the people a name could mean the one whose company or project the same turn names."""
    circles = [named.bearer for named in found if named.bearer.type in ENTITY_TYPES and named.bearer.type != "person"]
    made: list[Named] = []
    for span, bearers in unclear:
        one = _near(span, bearers, reading, circles)
        if one is None:
            continue
        place = Place(reading.text, reading.words, span, reading.cased, reading.lower)
        sure = weight(place, one.type, one.form, one.title, company=True)
        if sure > 0:
            sure = min(0.9, sure + FROM_COMPANY + (NEWEST if turn == newest else 0.0))
            made.append(_named(one, turn, span, sure, reading, ", and where they are from"))
    return made


def _near(span: Span, bearers: list[Bearer], reading: Reading, circles: list[Bearer]) -> Bearer | None:
    """The one of these people in whose summary a company stands that is named too, or the word behind `from`."""
    if len(bearers) > MOST_BEARERS:
        return None
    for circle in circles:
        near = {one.place: one for one in bearers if _mentions(one.summary, circle)}
        if near:
            return next(iter(near.values())) if len(near) == 1 else None
    return _from_there(reading, span, bearers)


def _from_there(reading: Reading, span: Span, bearers: list[Bearer]) -> Bearer | None:
    """The one of these people in whose summary the word stands that follows `from` or `at`: `Dana from Harbor`."""
    behind = reading.words[span.last + 1 : span.last + 3]
    if len(behind) < 2 or behind[0].key not in ("from", "at", "of") or not behind[1].raw[0].isupper():
        return None
    near = {one.place: one for one in bearers if f" {behind[1].key} " in f" {name_key(one.summary)} "}
    return next(iter(near.values())) if len(near) == 1 else None


def _mentions(summary: str, circle: Bearer) -> bool:
    told = f" {name_key(summary)} "
    return f" {circle.key} " in told or f" {name_key(circle.title)} " in told


def _named(bearer: Bearer, turn: int, span: Span, sure: float, reading: Reading, beside: str) -> Named:
    written = reading.text[span.start : span.end]
    why = f"{_ARMS[bearer.form]} “{written}”{beside}"
    return Named(bearer, turn, span.start, span.end, bearer.form, sure, why)


def _of(bearer: Bearer) -> tuple[str, str, str]:
    return bearer.type, bearer.form, bearer.title


_FULL = ("title", "alias", "part")
_ARMS = {
    "alias": "alias",
    "title": "named",
    "part": "named in short",
    "surname": "surname",
    "tail": "named as its slug",
    "given": "first name",
    "slug": "slug",
    "facts": "facts about",
}

__all__ = ["Bearer", "Named", "Word", "meant", "named_in"]

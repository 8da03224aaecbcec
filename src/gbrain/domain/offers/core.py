"""Which pages to offer for what was just said: the one core behind every hook, operation and stream."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from gbrain.domain.offers.choosing import Bearer, Named, Names, named_in
from gbrain.domain.offers.pointing import pointed_at
from gbrain.domain.offers.reading import NEWEST_LENGTH, OLDER_LENGTH, Reading, Said, read
from gbrain.domain.offers.words import words
from gbrain.domain.text import STOP_WORDS, clip, collapse, estimate_tokens, fold

WINDOW = 6
"""So many of the last turns are read."""
LOOKED_THROUGH = 24
"""Among so many facts and threads of a page those are looked for that speak of what was said."""
SYNOPSIS, DETAIL = 110, 90
"""Characters of a page's summary, and of a fact or thread, that an offer carries."""


class Limits(NamedTuple):
    """How much may be offered: what a setting each says."""

    gate: float = 0.7
    """Nothing is offered with less confidence, 0 to 1."""
    most: int = 3
    """At most so many pages a turn."""
    tokens: int = 160
    """At most so many tokens a turn."""
    details: int = 2
    """At most so many facts and open threads a page."""


GATE, MOST, TOKENS = "offers.gate", "offers.most", "offers.tokens"
"""The settings that limits come from."""


def limits(values: Mapping[str, str]) -> Limits:
    """The limits that stored settings say; what is missing or no number is as nobody set it."""
    said = Limits()
    for key, name in ((GATE, "gate"), (MOST, "most"), (TOKENS, "tokens")):
        try:
            said = said._replace(**{name: type(getattr(said, name))(values[key])})
        except (KeyError, ValueError):
            continue
    return said


class Detail(NamedTuple):
    """Something to know about a page: an open thread (`kind` commitment or event, with its `date`) or a fact."""

    kind: str
    text: str
    date: str


class Lookup(Names, Protocol):
    """What offers ask the store, which answers with what the reader may see and nothing else."""

    def details(self, bearers: Sequence[Bearer], most: int) -> dict[tuple[str, str], list[Detail]]:
        """By source and slug: open threads, the most urgent first, then facts, the surest first."""


class Offer(NamedTuple):
    """One page that is called to mind.

    `arm`: how it was found; `rationale`: why it is offered, in words; `synopsis`: what the page is about, in a line.
    """

    source_id: str
    slug: str
    display: str
    type: str
    arm: str
    confidence: float
    rationale: str
    synopsis: str
    details: tuple[Detail, ...] = ()

    def line(self) -> str:
        """The offer as one line of text, which names its source."""
        said = [f"**{_line(self.display, 80)}** [{self.source_id}:{self.slug}]"]
        if self.synopsis:
            said.append(_line(self.synopsis, SYNOPSIS))
        for detail in self.details:
            when = f" ({detail.date[:10]})" if detail.date else ""
            said.append(("open: " if detail.kind == "commitment" else "") + _line(detail.text, DETAIL) + when)
        return f"- {' — '.join(said)} · {_line(self.rationale, 80)}"


def offers(
    turns: Sequence[Said],
    lookup: Lookup,
    limited: Limits = Limits(),  # noqa: B008 - never changed
    *,
    offered: Collection[tuple[str, str]] = (),
    fresh: int = 1,
) -> list[Offer]:
    """What to offer after the last of these turns (oldest first), the surest first; nothing where it is unclear.

    `offered` holds source and slug of what this conversation was offered before. `fresh` is how many of the newest
    turns are news; what older ones name is offered only if the newest points back at it. A page whose slug stands in
    the conversation is known there already.
    """
    window = turns[-WINDOW:]
    readings = [
        read(said, NEWEST_LENGTH if place == len(window) - 1 else OLDER_LENGTH) for place, said in enumerate(window)
    ]
    if not readings or not any(reading.words for reading in readings[-max(fresh, 1) :]):
        return []
    found = named_in(readings, lookup)
    news = max(0, len(readings) - max(fresh, 1))
    chosen = [named for named in found if named.turn >= news]
    chosen += pointed_at(readings, found, news)
    known = _slugs_said(window[:-1])
    best: dict[tuple[str, str], Named] = {}
    for named in chosen:
        place = (named.bearer.source_id, named.bearer.slug)
        if named.confidence + 1e-9 < limited.gate or place in offered or named.bearer.slug in known:
            continue
        if place not in best or named.confidence > best[place].confidence:
            best[place] = named
    ranked = sorted(best.values(), key=lambda named: (-named.confidence, -named.turn, named.at))[: limited.most]
    return _fitting(ranked, lookup, limited, _spoken_of(readings[news:]))


def text(offered: Iterable[Offer]) -> str:
    """The offers as they stand in an agent's context: one line each, without a frame; empty for none."""
    return "".join(offer.line() + "\n" for offer in offered)


def _fitting(ranked: Sequence[Named], lookup: Lookup, limited: Limits, spoken: set[str]) -> list[Offer]:
    """The offers with their details, as many as the token budget takes; the first ones keep what they have."""
    told = lookup.details([named.bearer for named in ranked], LOOKED_THROUGH) if ranked and limited.details else {}
    made: list[Offer] = []
    left = limited.tokens
    for named in ranked:
        offer = _offer(named)
        cost = estimate_tokens(offer.line())
        if cost > left:
            offer = offer._replace(synopsis="")
            cost = estimate_tokens(offer.line())
            if cost > left:
                continue
        known = told.get((offer.source_id, offer.slug), [])
        for detail in sorted(known, key=lambda detail: -_shared(detail.text, spoken))[: limited.details]:
            longer = offer._replace(details=(*offer.details, detail))
            if estimate_tokens(longer.line()) <= left:
                offer = longer
        left -= estimate_tokens(offer.line())
        made.append(offer)
    return made


_ASKED_BY = {"where": ("lives", "based", "moved", "located", "stays")}
"""What a question is about whose own word stands in no answer."""


def _spoken_of(readings: Iterable[Reading]) -> set[str]:
    """What the news is about, in words that a fact may share."""
    said = {word.key for reading in readings for word in reading.words}
    meant = {about for asked, every in _ASKED_BY.items() if asked in said for about in every}
    return {key for key in said if key not in STOP_WORDS} | meant


def _shared(fact: str, spoken: set[str]) -> int:
    """How many of these words a fact has, each in whatever form: lives, live."""
    low = fold(fact)
    # Most share none, and to look costs less than to tell their words apart. Other scripts have stems of their own.
    near = {key: _stem(key) for key in spoken if not key.isascii() or _stem(key) in low}
    own = {word.key for word in words(fact)} - STOP_WORDS if near else set()
    return sum(any(key == other or (len(key) > 3 and other.startswith(near[key])) for other in own) for key in near)


def _stem(key: str) -> str:
    return key[: max(4, len(key) - 3)]


def _offer(named: Named) -> Offer:
    bearer = named.bearer
    return Offer(
        bearer.source_id,
        bearer.slug,
        bearer.title,
        bearer.type,
        named.arm,
        round(named.confidence, 2),
        named.why,
        clip(collapse(bearer.summary), SYNOPSIS),
    )


def _slugs_said(turns: Iterable[Said]) -> set[str]:
    """The paths that stand in turns of whoever answers: what it has read it names by its slug."""
    return {
        word.strip("`[](){}.,;:!?\"'*").rpartition(":")[2]
        for said in turns
        if said.role != "user"
        for word in said.text.replace("]", "] ").replace("[", " [").split()
        if "/" in word
    }


def _line(words: str, most: int) -> str:
    """One line that cannot close or forge a frame around it."""
    return clip(collapse(words), most).replace("<", "‹").replace(">", "›")


__all__ = ["Bearer", "Detail", "Limits", "Lookup", "Offer", "Reading", "Said", "limits", "offers", "text"]

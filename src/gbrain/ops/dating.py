"""The time that a question states: what it is worth to be of it, and the pages that are by their dates."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gbrain.domain.periods import Period, of_date
from gbrain.domain.ranking.scoring import Parts
from gbrain.domain.ranking.stated import Stated, stated
from gbrain.domain.ranking.weights import CHOSEN, Weights
from gbrain.domain.ranking.words import Words, digest
from gbrain.registry import Context
from gbrain.store.engine import SPELLINGS
from gbrain.store.terms import query_terms, stems
from gbrain.types import Page, PageFilter

BY_DATE = 40
"""Pages of a time that are looked into where a question asks for nothing else, and a quarter of that where it does."""


class Time(NamedTuple):
    """A time that a question states, the digests of the ways to write each part of it, and what it is worth to be of
    that time."""

    stated: Stated
    parts: list[list[int]]
    worth: float


class Times(NamedTuple):
    """The times of a question, the digests of the words that say them and of those that count less for it, and the
    pages of them: (date, entry) by id, the entry empty where it is the page's own date. `alone` and `types` are those
    of `stated.When`."""

    times: Sequence[Time] = ()
    said: frozenset[int] = frozenset()
    digests: frozenset[int] = frozenset()
    pages: dict[int, tuple[str, str]] = {}  # noqa: RUF012  only read
    alone: bool = False
    types: tuple[str, ...] = ()

    def of_words(self, words: Words) -> float:
        """What it is worth that a passage holds one of the times."""
        held = (time.worth for time in self.times if time.parts and all(map(words.count, time.parts)))
        return max(held, default=0.0)

    def of_page(self, parts: Parts, page: Page, weights: Weights) -> Parts:
        """The parts of a passage's score with what its page's own date or an entry of its timeline is worth.

        Where a question asks for nothing but a time, a page of it answers as if its text held every word.
        """
        own = page.effective_date if page.effective_date_source != "fallback" else None
        worth = [time.worth for time in self.times if own and time.stated.period and time.stated.period.holds(own)]
        if page.id in self.pages:
            worth.append(max((time.worth for time in self.times), default=0.0))
        if not worth:
            return parts
        time = max(parts.time, *worth)
        if self.alone and page.id in self.pages:
            words = parts.unit + parts.window + parts.page
            time += max(0.0, weights.unit + weights.window + weights.page - words)
            time += weights.kind * (page.type in self.types)
        return parts._replace(time=time)

    def answered(self, page_id: int, words: Iterable[tuple[float, Sequence[int]]]) -> bool:
        """Whether a page is of the time and holds half of what else is asked, given how often each word stands in it
        and the word's digests."""
        if page_id not in self.pages:
            return False
        beside = [count > 0 for count, digests in words if not self.said.issuperset(digests)]
        return self.alone or sum(beside) * 2 >= len(beside) > 0

    def entry(self, page_id: int) -> str:
        """The entry that a page is of the time by, as a line; empty where it is by the page's own date."""
        date, entry = self.pages.get(page_id, ("", ""))
        return f"{date}: {entry}" if entry else ""


NO_TIMES = Times()


def times_of(ctx: Context, query: str, spoken: Sequence[str], only: PageFilter, *, look: bool) -> Times:
    """The times that a question states, and the pages of them where these are to be looked up."""
    when = stated(query, ctx.now.date())
    if not when.times:
        return NO_TIMES
    times = [
        Time(one, [digests(stems(part, spoken)) for part in one.parts], CHOSEN.day if one.day else CHOSEN.month)
        for one in when.times
    ]
    said = [term for piece in query_terms(when.words, spoken) for term in piece.terms]
    # "summer" is a word like others; the figures of a date stand everywhere.
    common = {number for time in times for part in time.parts for number in part}
    common.update(digests(term for term in said if term.isdigit()))
    pages: dict[int, tuple[str, str]] = {}
    most = BY_DATE if when.alone else BY_DATE // 4
    for period in when.days if look else ():
        first, last = _bounds(period)
        for id, date, entry in ctx.store.timeline.pages(ctx.view, first, last, most, only):
            pages.setdefault(id, (date, entry))
    return Times(times, frozenset(digests(said)), frozenset(common), pages, when.alone, when.types)


def _bounds(period: Period) -> tuple[str, str]:
    """The ends of a period as texts between which dates of any precision lie that are in it."""
    first, last = period.first.isoformat(), period.last.isoformat()
    for wide in (first[:4], first[:7]):
        whole = of_date(wide)
        if whole is not None and whole.first == period.first and whole.last <= period.last:
            return wide, last
    return first, last


def digests(terms: Iterable[str]) -> list[int]:
    """The digests of terms, of each in all its spellings."""
    return [digest(spelled) for term in terms for spelled in term.split(SPELLINGS)]

"""Questions about time that dates answer by themselves: when, how long since, what it was then, how it went."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from gbrain.domain.answers.evidence import Evidence
from gbrain.domain.measures import asked_metric
from gbrain.domain.periods import Period, of_date, periods
from gbrain.domain.stretches import Stretch, stretches
from gbrain.domain.text import STOP_WORDS, fold, raw_terms

Form = Literal["when", "since", "value", "course", "then", "during"]

ENOUGH = 0.6
"""The share of a question's words that evidence has to hold."""


class Asked(NamedTuple):
    """A question about time. `period` is what it names; `metric` the figure it asks for; `last` and `first` say which
    of several it wants; `words` are the words that tell what it is about, `names` those of them with a capital."""

    form: Form
    period: Period | None
    metric: str | None
    words: frozenset[str]
    names: frozenset[str]
    last: bool
    first: bool
    open_end: bool
    """Whether its period goes on until now: "since March"."""


def asked_of_time(question: str, today: date) -> Asked | None:
    """What a question asks of time; None where it asks something else."""
    text, period = question.casefold().replace("’", "'"), _period(question, today)
    metric = asked_metric(question)
    form = _form(text, period, metric)
    return None if form is None else _asked(question, today, form, metric)


def asked_of_figure(question: str, today: date) -> Asked | None:
    """As `asked_of_time`, of the course or a value of a figure that may be called anything: `words` are its name and
    those of whom it is of."""
    text = question.casefold().replace("’", "'")
    if _pattern("course").search(text):
        form: Form = "course"
    elif _period(question, today) is not None and _pattern("value").search(text):
        form = "value"
    else:
        return None
    asked = _asked(question, today, form, None)
    return asked._replace(words=asked.words - _empty() - _changes())


def _named(question: str, today: date) -> Sequence[Period | Stretch]:
    """The stretches that a question names; of one with an open end only what that is."""
    found = stretches(question, today)
    return periods(question, today) if any(one.open for one in found) else found


def _period(question: str, today: date) -> Period | None:
    named = _named(question, today)
    return Period(named[0].first, named[-1].last) if named else None


def _asked(question: str, today: date, form: Form, metric: str | None) -> Asked:
    text, named = question.casefold().replace("’", "'"), _named(question, today)
    period = _period(question, today)
    last = _pattern("last").search(text) is not None
    first = _pattern("first").search(text) is not None
    plain = "".join(
        " " if any(one.start <= at < one.end for one in named) else char for at, char in enumerate(question)
    )
    # What asks stands between two words of a text without spaces, and makes pairs with both.
    plain = _pattern("asking").sub(" ", plain)
    open_end = len(named) == 1 and text[: named[0].start].rstrip().endswith(("since", "from", "after"))
    capital = [word for word in plain.split()[1:] if word.strip("\"'“‘(")[:1].isupper()]
    return Asked(
        form, period, metric, frozenset(stems(plain)), frozenset(stems(" ".join(capital))), last, first, open_end
    )


def _form(text: str, period: Period | None, metric: str | None) -> Form | None:
    if metric is not None and _pattern("course").search(text):
        return "course"
    if _pattern("since").search(text):
        return "since"
    if _pattern("when").search(text):
        return "when"
    if period is not None and metric is not None and _pattern("value").search(text):
        return "value"
    if period is not None and _pattern("during").search(text):
        return "during"
    if period is not None and _pattern("then").search(text):
        return "then"
    return None


class Subject(NamedTuple):
    """An entity that a question names: its slug, and the words of its names."""

    slug: str
    stems: frozenset[str]


def subject(slug: str, names: Iterable[str]) -> Subject:
    """The entity of a slug as dated evidence is compared with it."""
    return Subject(slug, frozenset(stem for name in (*names, slug) for stem in stems(name)))


def best(asked: Asked, dated: Iterable[Evidence], subjects: Sequence[Subject], today: date) -> Evidence | None:
    """The dated evidence that tells what a question of `when` or `since` is about; None where nothing does.

    It has to be about every entity of the question, hold every name in it, and most of what else it says.
    """
    known = frozenset(stem for one in subjects for stem in one.stems)
    wanted = asked.words - known - _empty()
    names = asked.names - known
    if not wanted:
        return None
    scored = []
    for one in dated:
        period = of_date(one.date)
        if period is None or (asked.form == "since" and period.first > today):
            continue
        if asked.period is not None and not asked.period.holds(one.date):
            continue
        said = frozenset(stems(one.text))
        if not names <= said or not all(it.slug == one.slug or it.stems & said for it in subjects):
            continue
        share = len(wanted & said) / len(wanted)
        if share >= ENOUGH:
            scored.append((share, one))
    if not scored:
        return None
    top = max(share for share, _ in scored)
    fitting = [one for share, one in scored if share == top]
    if asked.first:
        return min(fitting, key=lambda one: (one.date, one.weight))
    if asked.last or asked.form == "since":
        return max(fitting, key=lambda one: (one.date, -one.weight))
    return min(fitting, key=lambda one: (one.weight, _newest_first(one.date)))


def during(asked: Asked, dated: Iterable[Evidence], subjects: Sequence[Subject]) -> list[Evidence]:
    """The dated evidence of the period that a question names, oldest first; by its words where it has any."""
    if asked.period is None:
        return []
    inside = [one for one in dated if one.date and asked.period.holds(one.date)]
    wanted = asked.words - {stem for one in subjects for stem in one.stems} - _empty() - _happened()
    if wanted:
        inside = [one for one in inside if wanted & set(stems(one.text))]
    return sorted(inside, key=lambda one: one.date)


def ago(when: str, today: date) -> str:
    """How long before a day a date was, no finer than the date is: `35 days`, `about 3 months`, `about 2 years`."""
    period = of_date(when[:10])
    if period is None:
        return ""
    if period.first == period.last:
        days = (today - period.first).days
        if abs(days) < 60:
            return "today" if days == 0 else f"{days} day{'s' if days != 1 else ''}"
        return f"{days} days ({_rough(days)})"
    return "about " + _rough((today - period.last).days if period.last < today else (today - period.first).days)


def _rough(days: int) -> str:
    count, unit = (round(days / 365.25), "year") if days >= 700 else (max(1, round(days / 30.44)), "month")
    return f"{count} {unit}{'s' if count != 1 else ''}"


def stems(text: str) -> list[str]:
    """Words as questions and answers are compared by: their beginnings, verbs that mean the same as one."""
    found = []
    for term in raw_terms(fold(text)):
        if term in STOP_WORDS or (len(term) == 1 and term.isascii() and not term.isdigit()):
            continue
        found.append(_groups().get(term) or _stem(term))
    return found


def _newest_first(when: str) -> tuple[int, ...]:
    """Sorts the newest first."""
    return tuple(-ord(char) for char in when)


def _stem(term: str) -> str:
    if not term.isascii() or term.isdigit():
        return term
    for ending in ("ing", "ed", "es", "s", "e"):
        if term.endswith(ending) and len(term) - len(ending) > 2:
            return term[: -len(ending)][:6]
    return term[:6]


_GROUPS = (
    "join joined joins hire hired hires start started starts onboarded",
    "leave left leaves quit resigned departed",
    "found founded founds founding create created incorporated established started",
    "launch launched launches ship shipped release released releases",
    "raise raised raises funding round closed money",
    "meet met meets meeting meetings call called spoke talked",
    "move moved moves relocate relocated",
    "marry married wed wedding",
    "buy bought buys acquire acquired acquisition purchase purchased",
    "sell sold sells",
    "begin began begun begins",
    "end ended ends finish finished finished completed complete",
    "sign signed signs",
    "visit visited visits went go goes",
    "born birthday birth",
    "promote promoted promotion became become",
    "pay paid payment",
    "die died death",
    "break broke broken",
    "write wrote written",
    "send sent",
    "win won",
    "lose lost",
    "announce announced announcement",
    "decide decided decision",
    "due deadline",
)
_EMPTY_WORDS = """
    when long ago since time times last latest first happen happened date day days month months week weeks year years
    many recent recently most ever been passed get 什么 么时 时候 候 多久 久 了 上次 次 何时 时
"""
_HAPPENED_WORDS = "happened happening going event events news learn changed 发生 生了 什么"


@cache
def _empty() -> frozenset[str]:
    return frozenset(_groups().get(word) or _stem(word) for word in _EMPTY_WORDS.split())


@cache
def _happened() -> frozenset[str]:
    return frozenset(_groups().get(word) or _stem(word) for word in _HAPPENED_WORDS.split())


@cache
def _changes() -> frozenset[str]:
    words = "change develop evolve grow grown trend move go gone do done progress fall fallen drop rise risen increase"
    return frozenset(stems(f"{words} decrease trajectory history over time like much high since reach 变化 趋势 走势"))


@cache
def _groups() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in _GROUPS:
        words = group.split()
        for word in words:
            found.setdefault(word, f"={words[0]}")
    return found


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "when": r"\bwhen\b(?!ever)|\b(?:on )?what (?:date|day|month|year)\b|\bwhich (?:date|day|month|year)\b"
            r"|什么时候|何时|哪一?年|哪天|几月|几号",
            "since": r"\bhow (?:long|many (?:days|weeks|months|years))\b.*\b(?:since|ago|passed|been)\b"
            r"|\bsince when\b|\bhow (?:long|recently)\b.*\b(?:did|was|were)\b|多久|多长时间|几天前",
            "value": r"\b(?:what|how (?:many|much|big|high|large|long|heavy|tall))\b|多少|几",
            "course": r"\bhow (?:did|has|have|is|was|does)\b.*\b(?:chang\w*|develop\w*|evolv\w*|grow\w*|grown|trend\w*"
            r"|mov\w*|go|gone|do|done|progress\w*|fall\w*|drop\w*|rise|risen)\b|\btrend\b|\btrajectory\b|\bover time\b"
            r"|\bhistory of\b"
            r"|\b(?:has|have|did)\b.*\b(?:grown?|chang\w*|increas\w*|decreas\w*|fallen|dropp\w*|ris\w*)\b"
            r"|变化|趋势|增长了|走势",
            "during": r"\bwhat (?:happened|went on|was going on|changed|did)\b|\bwho did\b.*\bmeet\b"
            r"|\bany (?:news|events?)|发生了什么|做了什么",
            "then": r"\b(?:where|what|who|which|how)\b.*\b(?:was|were|did|had|lived?|worked?)\b|哪里|是谁|是什么",
            "asking": r"什么时候|何时|哪一?年|哪天|几月|几号|多久以?前?|多长时间|几天前|上次|最近一次|第一次",
            "last": r"\b(?:last|latest|most recent(?:ly)?|lately)\b|上次|最近|最后",
            "first": r"\b(?:first|earliest|originally)\b|第一次|最早|首次",
        }[name]
    )


def newest(evidence: Sequence[Evidence]) -> str:
    """The latest date that any evidence is of; empty where none has one."""
    return max((one.date[:10] for one in evidence if one.date), default="")

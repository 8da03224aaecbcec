"""Answers that dates give by themselves: from timelines, dated facts and the course of a figure, with no model."""

import re
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from gbrain.domain.answers.evidence import Evidence, label, plain
from gbrain.domain.answers.temporal import (
    Asked,
    Subject,
    ago,
    asked_of_figure,
    asked_of_time,
    best,
    during,
    stems,
    subject,
)
from gbrain.domain.entities import SELF
from gbrain.domain.markdown import inline_text
from gbrain.domain.measures import Point, at, change, course, named_figure, shown
from gbrain.domain.periods import of_date, periods
from gbrain.domain.text import clip, collapse, sentences
from gbrain.domain.times import parse_store
from gbrain.ops.gathering import Entity, Gathered, figure, history, of_once
from gbrain.registry import Context
from gbrain.store.trajectories import Once

Ground = Literal["timeline", "trajectory"]
MOST_SHOWN = 12
SENTENCES = 60


class Dated(NamedTuple):
    """An answer that stands on dates alone, and what it stands on."""

    answer: str
    cited: list[Evidence]
    gaps: list[str]
    ground: Ground


def from_dates(ctx: Context, question: str, gathered: Gathered) -> Dated | None:
    """The answer to a question about time, where dates hold it; None where they do not, or it asks something else."""
    today = ctx.now.date()
    asked = asked_of_time(question, today)
    if not gathered.entities:
        return None
    if asked is None or asked.metric is None:
        figures = _named_figures(ctx, question, gathered)
        if figures is not None:
            return figures
    if asked is None:
        return None
    if asked.form in ("course", "value"):
        return _figures(ctx, asked, gathered)
    if asked.form == "during":
        return _events(ctx, asked, gathered)
    if asked.form == "then":
        return _then(ctx, asked, gathered)
    return _moment(ctx, asked, gathered)


def _figures(ctx: Context, asked: Asked, gathered: Gathered) -> Dated | None:
    """The course of a figure, or its value in a period: of the first entity that has one."""
    if asked.metric is None:
        return None
    for entity in gathered.entities:
        told = _course(ctx, entity, asked.metric, gathered)
        if told:
            points, by_fact = told
            if asked.form == "value":
                return _value(asked, entity, points, by_fact)
            return _course_told(asked, entity, points, by_fact)
    return None


def _course(
    ctx: Context, entity: Entity, metric: str, gathered: Gathered
) -> tuple[list[Point], dict[int, Evidence]] | None:
    points, by_fact = [], dict[int, Evidence]()
    for once in history(ctx, entity, gathered.within):
        told = figure(once, metric)
        if told is not None:
            value, unit, when = told
            points.append(Point(when, value, unit, once.id))
            by_fact[once.id] = of_once(once)._replace(date=when)
    return (course(points), by_fact) if points else None


def _named_figures(ctx: Context, question: str, gathered: Gathered) -> Dated | None:
    """As `_figures`, for what is called as in the question, word for word, whatever that is."""
    asked = asked_of_figure(question, ctx.now.date())
    if asked is None:
        return None
    known = frozenset(stem for entity in gathered.entities for stem in subject(entity.slug, entity.names).stems)
    wanted = asked.words - known
    for entity in gathered.entities:
        points, by_fact, name = [], dict[int, Evidence](), ""
        for once in history(ctx, entity, gathered.within):
            read = named_figure(once.fact, parse_store(once.valid_from).date())
            if read is None or not wanted or frozenset(stems(read.name)) - known != wanted:
                continue
            name, when = read.name, read.when or once.dated or once.valid_from[:10]
            points.append(Point(when, read.value, read.unit, once.id))
            by_fact[once.id] = of_once(once)._replace(date=when)
        if points:
            asked, points = asked._replace(metric=name), course(points)
            return (_value(asked, entity, points, by_fact) if asked.form == "value" else
                    _course_told(asked, entity, points, by_fact))  # fmt: skip
    return None


def _value(asked: Asked, entity: Entity, points: list[Point], by_fact: dict[int, Evidence]) -> Dated | None:
    period = asked.period
    if period is None:
        return None
    inside = at(points, period.first, period.last)
    if inside is not None:
        text = f"{_metric(asked)} of {_name(entity)} was {shown(inside.value, inside.unit)} ({inside.when})"
        return _dated(text, [by_fact[inside.fact]], [])
    before = [point for point in points if (p := of_date(point.when[:10])) is not None and p.last < period.first]
    if not before:
        return None
    last = before[-1]
    text = f"{_metric(asked)} of {_name(entity)} was last known as {shown(last.value, last.unit)} ({last.when})"
    return _dated(text, [by_fact[last.fact]], [f"no value is known for {period.date}"])


def _course_told(asked: Asked, entity: Entity, points: list[Point], by_fact: dict[int, Evidence]) -> Dated | None:
    if asked.period is not None:
        first, last = asked.period.first, asked.period.last
        inside = [
            point
            for point in points
            if (p := of_date(point.when[:10])) is not None and p.last >= first and (asked.open_end or p.first <= last)
        ]
        points = inside or points
    if len(points) < 2:
        only = points[0]
        text = (
            f"one value of {_metric(asked)} of {_name(entity)} is known: {shown(only.value, only.unit)} ({only.when})"
        )
        return _dated(text, [by_fact[only.fact]], ["one value is no course"])
    steps = " → ".join(f"{shown(point.value, point.unit)} ({point.when})" for point in points[-MOST_SHOWN:])
    text = f"{_metric(asked)} of {_name(entity)}: {steps}, {change(points[0], points[-1])}"
    return _dated(text, [by_fact[point.fact] for point in points[-MOST_SHOWN:]], [])


def _moment(ctx: Context, asked: Asked, gathered: Gathered) -> Dated | None:
    """When something was, or how long ago: by the entry, dated fact or dated sentence that says so."""
    today = ctx.now.date()
    found = best(asked, _all_dated(ctx, gathered), _subjects(gathered), today)
    if found is None:
        return None
    said = clip(collapse(found.text), 240).rstrip(".")
    period = of_date(found.date[:10])
    past = period is not None and period.first <= today
    if asked.form == "since" and past:
        span = ago(found.date, today)
        told = "today" if span == "today" else f"{span} ago"
        return _timed(f"{told[:1].upper()}{told[1:]}, on {found.date}: {said}", found)
    return _timed(f"{found.date}: {said}", found)


def _events(ctx: Context, asked: Asked, gathered: Gathered) -> Dated | None:
    """What the dates of a period say, oldest first."""
    found = during(asked, _all_dated(ctx, gathered), _subjects(gathered))[:MOST_SHOWN]
    if not found:
        return None
    several = len({one.source_id for one in found}) > 1
    lines = [f"- {one.date}: {clip(collapse(one.text), 240)} [{label(one, several=several)}]" for one in found]
    return Dated("\n".join(lines), found, [], "timeline")


def _then(ctx: Context, asked: Asked, gathered: Gathered) -> Dated | None:
    """What was so in a period: the fact that held then and says most of what is asked."""
    period = asked.period
    if period is None:
        return None
    from_, to = period.first.isoformat(), period.last.isoformat()
    held = [
        of_once(once)
        for entity in gathered.entities
        for once in history(ctx, entity, gathered.within)
        if _began(once) <= to and (_ended(once) or "9999") >= from_
    ]
    moment = asked._replace(form="when", period=None, last=True)
    found = best(moment, held, _subjects(gathered), ctx.now.date())
    if found is None:
        return None
    return _dated(f"in {period.date}: {collapse(found.text).rstrip('.')} (since {found.date})", [found], [])


def _subjects(gathered: Gathered) -> list[Subject]:
    """The entities of a question. The person who asks need not be named by what answers it."""
    return [
        subject(one.slug, one.names) for one in gathered.entities if one.slug != SELF or len(gathered.entities) == 1
    ]


def _began(once: Once) -> str:
    return (once.dated or once.valid_from)[:10]


def _ended(once: Once) -> str | None:
    ends = [end[:10] for end in (once.valid_until, once.expired_at) if end]
    return min(ends) if ends else None


def _all_dated(ctx: Context, gathered: Gathered) -> list[Evidence]:
    """Entries, facts with a date of their own, and sentences of gathered pages that name one date."""
    found = [one for one in gathered.evidence if one.kind == "entry"]
    for entity in gathered.entities:
        for once in history(ctx, entity, gathered.within):
            said_on = parse_store(once.valid_from).date()
            named = {period.date for period in periods(once.fact, said_on)}
            when = named.pop() if len(named) == 1 else once.dated
            if when is None and once.kind == "event":
                when = once.valid_from[:10]
            if when is not None:
                found.append(of_once(once)._replace(date=when))
    for entity in gathered.entities:
        if entity.page is not None:
            found += _dated_sentences(ctx, entity, gathered)
    return [one for one in found if gathered.within.holds(one.date)]


def _dated_sentences(ctx: Context, entity: Entity, gathered: Gathered) -> list[Evidence]:
    page = entity.page
    if page is None:
        return []
    chunks = ctx.store.chunks.of_pages(ctx.view, [page.id])
    whole = next((one for one in gathered.evidence if one.kind == "page" and one.slug == page.slug), None)
    if whole is None:
        return []
    entries = [
        one
        for one in gathered.evidence
        if one.kind == "entry" and (one.source_id, one.slug) == (whole.source_id, page.slug)
    ]
    found = []
    written = parse_store(page.last_modified).date()
    for text in [text for chunk in chunks for text in sentences(chunk.text)][:SENTENCES]:
        named = {period.date for period in periods(text, written)}
        if len(named) != 1:
            continue
        one = whole._replace(text=_without_date(plain(text), written), date=named.pop())
        if not any(_is_entry(one, entry) for entry in entries):
            found.append(one)
    return found


def _is_entry(one: Evidence, entry: Evidence) -> bool:
    """Whether a line of a page is what an entry of its timeline was made of."""
    said, told = one.text.rpartition(" — ")[2], inline_text(entry.text)
    return one.date == entry.date and (said in told or told in said)


def _without_date(text: str, written: date) -> str:
    """A line without the date that it opens with, where a mark, or a space after a date in figures, divides them."""
    opening = next(iter(periods(text, written)), None)
    if opening is None or opening.start:
        return text
    said, rest = text[: opening.end], text[opening.end :]
    mark = _mark().match(rest)
    if mark is None and "-" not in said and "月" not in said:
        return text
    return (rest[mark.end() :] if mark else rest.strip() if rest[:1].isspace() else "") or text


@cache
def _mark() -> re.Pattern[str]:
    """What stands between the date that a line opens with and what was then; a dash before a figure opens a span."""
    return re.compile(r"\s*(?:[|:：–—]|-(?![0-9]))\s*")


def _dated(text: str, cited: list[Evidence], gaps: list[str]) -> Dated:
    several = len({one.source_id for one in cited}) > 1
    marks = "".join(f"[{mark}]" for mark in dict.fromkeys(label(one, several=several) for one in cited))
    return Dated(f"{text[:1].upper()}{text[1:]}. {marks}", cited, gaps, "trajectory")


def _timed(text: str, found: Evidence) -> Dated:
    return Dated(f"{text}. [{label(found)}]", [found], [], "timeline" if found.kind == "entry" else "trajectory")


def _metric(asked: Asked) -> str:
    metric = asked.metric or ""
    return metric.upper() if metric in ("arr", "mrr", "nps") else metric


def _name(entity: Entity) -> str:
    return "the user" if entity.slug == SELF and entity.page is None else entity.names[0]

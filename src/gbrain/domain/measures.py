"""Figures in claims: which metric of something had which value, so that its course over time can be told.

`ARR reached $2.1M in May 2031` is the metric `arr`, 2,100,000, `usd`, of `2031-05`. Read by rules from the wording;
what a model told of a fact goes before them.
"""

import re
from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import NamedTuple

from gbrain.domain.periods import of_date, periods

_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mm": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9,
           "billion": 1e9, "万": 1e4, "亿": 1e8}  # fmt: skip
_CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "usd": "usd", "eur": "eur", "gbp": "gbp", "dollars":
               "usd", "euros": "eur", "pounds": "gbp", "元": "cny", "美元": "usd", "sek": "sek",
               "chf": "chf"}  # fmt: skip
_METRICS = {
    "arr": "arr|annual recurring revenue|年度经常性收入",
    "mrr": "mrr|monthly recurring revenue",
    "revenue": "revenue|revenues|turnover|sales|营收|收入",
    "headcount": "headcount|head count|team size|employees|people on the team|staff|员工|人数",
    "customers": "customers|clients|paying customers|客户",
    "users": "users|active users|monthly active users|mau|dau|用户",
    "subscribers": "subscribers|subscriptions|订阅",
    "members": "members|会员",
    "valuation": "valuation|估值",
    "price": "price|cost|fee|价格",
    "budget": "budget|预算",
    "burn": "burn|burn rate|monthly burn",
    "runway": "runway",
    "churn": "churn|churn rate|流失率",
    "margin": "margin|gross margin|利润率",
    "growth": "growth|growth rate|增长率",
    "weight": "weight|体重",
    "height": "height|身高",
    "salary": "salary|pay|工资|薪水",
    "rent": "rent|房租|租金",
    "nps": "nps|net promoter score",
    "score": "score|rating|分数",
    "uptime": "uptime|availability",
    "latency": "latency|response time|延迟",
    "mileage": "mileage|odometer",
    "balance": "balance|余额",
    "profit": "profit|net income|利润",
    "conversion": "conversion|conversion rate|转化率",
    "temperature": "temperature|温度",
    "stars": "stars|github stars",
    "downloads": "downloads|下载量",
    "followers": "followers|粉丝",
}
"""Metrics by name, and the words that mean one."""


class Measure(NamedTuple):
    """One value of a metric. `when` is the date it is of, as precise as the claim says, None where it says none."""

    metric: str
    value: float
    unit: str
    when: str | None


class Point(NamedTuple):
    """One place of a course: the measure, the date it counts for, and the fact it is from (an id)."""

    when: str
    value: float
    unit: str
    fact: int


def measure(claim: str, said: date) -> Measure | None:
    """The figure that a claim is about; None where there is none, or several.

    `said` is the day of the claim, from which its relative dates are read.
    """
    named = asked_metric(claim)
    if named is None or _open().search(claim.casefold()):
        return None
    text = claim.casefold()
    dates = periods(claim, said)
    plain = "".join(" " if any(one.start <= at < one.end for one in dates) else char for at, char in enumerate(text))
    amounts = [found for found in _amount().finditer(plain) if _fits(found)]
    if "from" in text and len(amounts) == 2:
        amounts = amounts[1:] if re.search(r"\bto\b", plain[amounts[0].end() : amounts[1].start()]) else amounts[:1]
    if len(amounts) != 1:
        return None
    value, unit = _value(amounts[0])
    return Measure(named, value, unit, dates[-1].date if dates else None)


class Figure(NamedTuple):
    """One value of a figure that is called `name`; `unit` as it was written."""

    name: str
    value: float
    unit: str
    when: str | None


def named_figure(claim: str, said: date) -> Figure | None:
    """The figure of a claim that is nothing else: `NAME: 12 kg`, `the NAME of X is 12 kg`; None for any other claim.

    It may be called anything, so nothing but its wording tells that it is one.
    """
    dates = periods(claim, said)
    text = "".join(" " if any(one.start <= at < one.end for one in dates) else char for at, char in enumerate(claim))
    if _open().search(text.casefold()):
        return None
    found = _figure().fullmatch(re.sub(r"(?:\s|\b(?:in|on|at|as of|since|from|by)\b|[,.()])+$", "", text.strip()))
    amount = _amount().match(found["rest"].casefold()) if found else None
    if found is None or amount is None:
        return None
    value, unit = _value(amount)
    own = found["rest"][amount.end() :].strip()
    if own and (unit or not _unit_word().fullmatch(own)):
        return None
    return Figure(found["name"].strip(), value, unit or own, dates[-1].date if dates else None)


def asked_metric(text: str) -> str | None:
    """The metric that a text names first; of two that begin together the longer name counts."""
    found = _metric().search(text.casefold())
    return found.lastgroup if found else None


def course(points: Iterable[Point]) -> list[Point]:
    """The points of one metric in the order of their dates; of several of one date the one said last."""
    by_date = {point.when: point for point in sorted(points, key=lambda point: point.fact)}
    return [by_date[when] for when in sorted(by_date, key=_start)]


def at(points: list[Point], first: date, last: date) -> Point | None:
    """The latest value inside a period."""
    inside = [point for point in points if (p := of_date(point.when[:10])) and p.first <= last and p.last >= first]
    return inside[-1] if inside else None


def shown(value: float, unit: str) -> str:
    """A value as a person writes it: `2.1M USD`, `45`, `35%`."""
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            digits = 1_000 if letter == "k" else size
            return f"{value / digits:.4g}{letter}" + _unit(unit)
    return f"{value:,.10g}" + _unit(unit)


def change(first: Point, last: Point) -> str:
    """How a course went between two points of one unit, in words."""
    if first.unit != last.unit:
        return "changed its unit"
    if first.value == last.value:
        return "did not change"
    way = "up" if last.value > first.value else "down"
    by = f" {abs(last.value / first.value - 1) * 100:.3g}%" if first.value else ""
    return f"{way}{by}"


def _unit(unit: str) -> str:
    return unit if unit == "%" else f" {unit.upper()}" if unit in _CURRENCIES.values() else f" {unit}" if unit else ""


def _start(when: str) -> tuple[str, str]:
    period = of_date(when[:10])
    return (period.last.isoformat(), when) if period else (when, when)


def _fits(found: re.Match[str]) -> bool:
    """Not the number of a version, an ordinal or a part of a word."""
    return found["number"] is not None


def _value(found: re.Match[str]) -> tuple[float, str]:
    value = float(found["number"].replace(",", "")) * _SCALES.get((found["scale"] or "").strip(), 1)
    sign = (found["before"] or found["after"] or "").strip()
    if sign:
        return value, _CURRENCIES.get(sign, sign)
    unit = (found["unit"] or "").strip()
    return value, "%" if unit == "percent" else unit


@cache
def _figure() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:the|my|our|his|her|its|their)\s+)?(?P<name>[^\W\d_][^\W\d_ -]*(?:[ -][^\W\d_]+){0,4}?)"
        r"(?:\s+(?:of|for)\s+(?:\S+\s){0,4}?\S+?)??"
        r"(?:\s*[:=：]\s*|\s+(?:is|was|are|were|reached|hit|stands at|stood at|rose to|fell to|dropped to|grew to"
        r"|went to|went up to|went down to)\s+(?:now\s+|at\s+)?)(?P<rest>[$€£¥]?\s?-?[0-9].*)",
        re.IGNORECASE,
    )


@cache
def _unit_word() -> re.Pattern[str]:
    """A unit that is none of the known ones: one word, or `mm Hg`, `m3`, `per day`."""
    return re.compile(
        r"(?!(?:and|or|to|of|but|on|in|at)\b)[^\W\d_]{1,12}[23]?(?:[ /](?:per )?[^\W\d_]{1,10}){0,2}", re.IGNORECASE
    )


@cache
def _open() -> re.Pattern[str]:
    """Words that make a figure a wish or a guess: what is no measured value is no point of a course."""
    return re.compile(
        r"\b(?:targets?|goals?|plan(?:s|ned)?|forecasts?|projected|expect(?:s|ed)?|estimated?|will|should|could|might|may"
        r" (?:be|reach|hit)|would|hopes?|aims?|if|not|never|n't)\b|目标|预计|计划|预期|如果|没有"
    )


@cache
def _metric() -> re.Pattern[str]:
    names = [(word, metric) for metric, words in _METRICS.items() for word in words.split("|")]
    groups: dict[str, list[str]] = {}
    for word, metric in sorted(names, key=lambda pair: -len(pair[0])):
        edge = r"\b" if word.isascii() else ""
        groups.setdefault(metric, []).append(f"{edge}{re.escape(word)}{edge}")
    ordered = sorted(groups.items(), key=lambda group: -max(map(len, group[1])))
    return re.compile("|".join(f"(?P<{metric}>{'|'.join(words)})" for metric, words in ordered))


@cache
def _amount() -> re.Pattern[str]:
    return re.compile(
        r"(?<![a-z0-9_.,-])(?P<before>[$€£¥]|usd |eur |gbp )?\s?(?P<number>-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
        r"|-?[0-9]+(?:\.[0-9]+)?)"
        r"(?P<scale>\s?(?:thousand|million|billion)\b|[kmb]\b|mn\b|bn\b|mm\b|\s?[万亿])?"
        r"(?P<after>\s?(?:usd|eur|gbp|sek|chf|dollars|euros|pounds|美元|元))?"
        r"(?P<unit>\s?(?:%|percent\b|kg\b|lbs?\b|km\b|miles\b|cm\b|ms\b|s\b|seconds\b|minutes\b|hours\b|days\b|weeks\b"
        r"|months\b|years\b|°c|°f))?"
        r"(?![\w.]*[0-9])(?!st\b|nd\b|rd\b|th\b)"
    )

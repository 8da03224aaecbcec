"""Whether what somebody says in a turn says when: a date, or a time from where it is said."""

import re
from functools import cache

from gbrain.domain.periods import DAYS, MONTHS

# May is a name and a verb as often as a month, so it counts with `in` before it alone.
_WHEN = (
    "yesterday|today|tonight|tomorrow|ago|recently|weekends?|since|in the morning|in may",
    "(?:last|next|this|past|previous|coming) (?:week|month|year|night|summer|winter|spring|fall|autumn|few|two|couple)",
    "|".join(month for month in MONTHS if month != "may"),
    "|".join(DAYS),
    "(?:two|three|four|five|six|seven|few|couple|[0-9]+) (?:of )?(?:day|week|month|year)s?",
    "(?:19|20)[0-9][0-9]",
)
_CHINESE = (
    "[昨今明前后]天|今晚|[上下这]个?(?:周|星期|月)|[去今明前]年|最近|周末"
    "|星期[一二三四五六日天]|[0-9]+[年月日号]|[以之]前"
)


def says_when(text: str) -> bool:
    """Whether a text says when something was, is or will be."""
    return _pattern().search(text.casefold()) is not None


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_WHEN)})\b|{_CHINESE}")

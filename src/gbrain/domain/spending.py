"""Limits of what models may take: spans, amounts, and what a price makes of tokens. Money is in millionths of a dollar.

A limit holds for a span: one turn, one session, one day or one month (UTC). None is no limit, 0 allows nothing.
"""

import math
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from gbrain.domain.text import has_cjk

Span = Literal["turn", "session", "day", "month"]
SPANS: tuple[Span, ...] = ("turn", "session", "day", "month")
Unit = Literal["tokens", "usd"]
MICRO = 1_000_000
NO_LIMIT = "none"
NEAR = 0.8
"""The part of a limit from which on somebody is told."""

_TOKENS = r"0|[1-9][0-9]{0,11}"
_USD = r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,6})?"
_DATE = r"[-@](?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})$"


class Amount(NamedTuple):
    """Tokens, in and out together, and millionths of a dollar."""

    tokens: int
    micro_usd: int

    def __add__(self, other: "Amount") -> "Amount":  # type: ignore[override]
        """Both together."""
        return Amount(self.tokens + other.tokens, self.micro_usd + other.micro_usd)


class Limit(NamedTuple):
    """The limits of one span."""

    span: Span
    tokens: int | None
    micro_usd: int | None

    def passed(self, held: Amount, wanted: Amount) -> Unit | None:
        """What would be passed if `wanted` came on top of `held`; a limit of 0 is passed by anything."""
        if self.tokens is not None and (self.tokens == 0 or held.tokens + wanted.tokens > self.tokens):
            return "tokens"
        if self.micro_usd is not None and (self.micro_usd == 0 or held.micro_usd + wanted.micro_usd > self.micro_usd):
            return "usd"
        return None


class Price(NamedTuple):
    """Millionths of a dollar for a million tokens of what a model reads and of what it writes."""

    input: int
    output: int

    def of(self, input_tokens: int, output_tokens: int) -> int:
        """What so many tokens cost, in millionths of a dollar, rounded up."""
        return -(-(self.input * input_tokens + self.output * output_tokens) // MICRO)


def is_tokens(text: str) -> bool:
    """Whether a text is a limit in tokens."""
    return text == NO_LIMIT or re.fullmatch(_TOKENS, text) is not None


def is_usd(text: str) -> bool:
    """Whether a text is a limit in dollars."""
    return text == NO_LIMIT or re.fullmatch(_USD, text) is not None


def micro(usd: str) -> int:
    """An amount in dollars, as `is_usd` allows it, in millionths."""
    whole, _, part = usd.partition(".")
    return int(whole) * MICRO + int(part.ljust(6, "0") or 0)


def dollars(micro_usd: int) -> str:
    """Millionths of a dollar, written in dollars without idle zeros."""
    whole, part = divmod(micro_usd, MICRO)
    return f"{whole}.{part:06}".rstrip("0").rstrip(".")


def limit(span: Span, tokens: str, usd: str) -> Limit:
    """The limits of a span as settings write them."""
    return Limit(
        span,
        None if tokens == NO_LIMIT else int(tokens),
        None if usd == NO_LIMIT else micro(usd),
    )


def most_tokens(text: str) -> int:
    """How many tokens a text may be at most, near enough: what is reserved before a call, and rather too many.

    Words of Latin scripts are four letters a token and more; a CJK character is about one, code and figures less than
    three signs.
    """
    size = len(text.encode("utf-8", "replace"))
    return math.ceil(size / (2 if has_cjk(text) else 3)) + 16


def price_of(model: str, own: Mapping[str, Price], known: Mapping[str, Price]) -> Price | None:
    """The price of `provider:model`, a person's own first; the date at the end of a name may be missing in a table."""
    for table in (own, known):
        for name in (model, re.sub(_DATE, "", model)):
            if name in table:
                return table[name]
    return None


def parse_prices(text: str) -> dict[str, Price]:
    """The prices of a setting, `openai:gpt-5-mini=0.25/2; ollama:qwen3=0/0`. Raises ValueError."""
    found: dict[str, Price] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, _, amounts = part.rpartition("=")
        given, _, made = amounts.partition("/")
        if (
            ":" not in name
            or set(name) & set("=, ")
            or not is_usd(given)
            or not is_usd(made)
            or NO_LIMIT in (given, made)
        ):
            raise ValueError(part)
        found[name] = Price(micro(given), micro(made))
    return found


def are_prices(text: str) -> bool:
    """Whether a text is a setting of prices."""
    try:
        return len(text) <= 4_000 and text.isprintable() and parse_prices(text) is not None
    except ValueError:
        return False


def written_prices(prices: Mapping[str, Price]) -> str:
    """Prices as the setting writes them."""
    return "; ".join(f"{name}={dollars(price.input)}/{dollars(price.output)}" for name, price in sorted(prices.items()))

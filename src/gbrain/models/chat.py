"""The contract of everything that answers in words, and the one typed way in which it fails.

    answer = ctx.models.ask(Ask("compose", system, text, want_json=True, session=ctx.session))

`Models.ask` (`gbrain.models.calls`) is the only way to a model: it meters, brakes, retries and keeps the deadline.
"""

from typing import Literal, NamedTuple, Protocol

from gbrain.domain.spending import Amount, Limit, Span, Unit, dollars
from gbrain.errors import Unavailable

Purpose = Literal["extract", "compose", "expand", "rerank", "judge", "probe"]
"""What a call is for: the model is chosen, and the meter read, by it."""

Finish = Literal["stop", "length", "refused", "filtered"]
"""How an answer ended: by itself, cut at its cap of tokens, declined by the model, held back by the provider."""

Reason = Literal[
    "no_model",
    "disabled",
    "bad_settings",
    "not_installed",
    "no_key",
    "cap_turn",
    "cap_session",
    "cap_day",
    "cap_month",
    "circuit_open",
    "timeout",
    "rate_limited",
    "auth",
    "rejected",
    "malformed",
    "unreachable",
    "server_error",
]
"""Why no answer could be had. The list is closed: replies and the doctor name one of these."""

_OVER: dict[Span, Reason] = {"turn": "cap_turn", "session": "cap_session", "day": "cap_day", "month": "cap_month"}
_LOOK = "run: gbrain models test"

_FIXES: dict[Reason, str] = {
    "no_model": "name one: gbrain models set PROVIDER:MODEL",
    "disabled": "run: gbrain config unset facts.extraction_enabled",
    "bad_settings": "name it anew: gbrain models set PROVIDER:MODEL",
    "not_installed": "run: pip install 'gbrain[llm]', or name another model: gbrain models set PROVIDER:MODEL",
    "no_key": "put the key into the environment; gbrain models list says under which name",
    "cap_turn": "see what was spent: gbrain spend; allow more: gbrain config set spend.turn_tokens NUMBER",
    "cap_session": "see what was spent: gbrain spend; allow more: gbrain config set spend.session_tokens NUMBER",
    "cap_day": "see what was spent: gbrain spend; allow more: gbrain config set spend.day_tokens NUMBER",
    "cap_month": "see what was spent: gbrain spend; allow more: gbrain config set spend.month_tokens NUMBER",
    "circuit_open": "wait a minute, or see what is wrong: gbrain models test",
    "timeout": _LOOK,
    "rate_limited": "wait, or raise the limit at the provider; then run: gbrain models test",
    "auth": "check the key that gbrain models list names; then run: gbrain models test",
    "rejected": "check the model's name: gbrain models list",
    "malformed": "check that the address is an OpenAI-compatible one: gbrain models list",
    "unreachable": "see whether the server runs: gbrain models list; then run: gbrain models test",
    "server_error": _LOOK,
}

MOST_OUTPUT_TOKENS = 4_000


class Ask(NamedTuple):
    """One question to a model. `system` is ours; `text` is data, fenced off as such by whoever asks."""

    purpose: Purpose
    system: str
    text: str
    max_output_tokens: int = MOST_OUTPUT_TOKENS
    want_json: bool = False
    """Ask the provider for one JSON object; what comes may be something else all the same."""
    session: str | None = None
    """What the cap of a session adds up."""
    turn: str | None = None
    """What the cap of a turn adds up: the key of a banked turn, or anything else that is one piece of work."""
    seconds: float | None = None
    """The deadline of the whole question, further tries and pauses included; `models.seconds` unless given."""


class Answer(NamedTuple):
    """What a model said. Counts are None where the provider gives none, `usd` where no price is known."""

    text: str
    model: str
    """`provider:model`, as the provider names what answered."""
    input_tokens: int | None
    output_tokens: int | None
    usd: float | None
    finish: Finish


class ChatFailed(Unavailable):
    """No answer: `reason` is one of the closed list.

    The message holds nothing of what was asked, nor of what a provider said. `retry_after`: seconds the provider asked
    to wait, None where it did not say.
    """

    def __init__(
        self, reason: Reason, message: str, suggestion: str | None = None, *, retry_after: float | None = None
    ) -> None:
        detail = {"reason": reason, **({"retry_after": retry_after} if retry_after is not None else {})}
        super().__init__(message, suggestion or _FIXES[reason], detail=detail)
        self.reason: Reason = reason
        self.retry_after = retry_after


def over(span: Span, unit: Unit, held: Amount, limit: Limit, wanted: Amount) -> ChatFailed:
    """The failure of a call that would pass a limit: how much is allowed, taken and wanted, and how to allow more."""
    reason: Reason = _OVER[span]
    if unit == "tokens":
        told = f"{held.tokens:,} of {limit.tokens or 0:,} tokens are taken, and the call may need {wanted.tokens:,}"
    else:
        taken, allowed, more = (dollars(amount) for amount in (held.micro_usd, limit.micro_usd or 0, wanted.micro_usd))
        told = f"${taken} of ${allowed} are spent, and the call may need ${more}"
    return ChatFailed(
        reason,
        f"the limit of a {span} is reached: {told}",
        f"see what was spent: gbrain spend; allow more: gbrain config set spend.{span}_{unit} AMOUNT",
    )


class Chat(Protocol):
    """A model behind some wire. An adapter tries once: patience and money are the business of `Models`."""

    @property
    def name(self) -> str:
        """`provider:model`, as the settings name it."""

    @property
    def where(self) -> str:
        """What the circuit breaker goes by: the provider, and the host where it is not the provider's own."""

    def complete(self, ask: Ask, seconds: float) -> Answer:
        """The model's answer within so many seconds, `usd` None. Raises ChatFailed.

        A refusal, a filtered and a cut answer are answers, and say so in `finish`.
        """

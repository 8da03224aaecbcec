"""Asking the models that the settings name: the one way to them, with patience, a deadline, a meter and a brake.

A call runs on a thread of its own, so that a name server or a wire that hangs does not hold who asks past the deadline.
The meter's rows are written before and after it, never around it.
"""

import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from gbrain.domain.spending import MICRO, SPANS, Amount, Limit, Price, limit, most_tokens, parse_prices, price_of
from gbrain.errors import BrainError, Internal
from gbrain.models import named as names, prices
from gbrain.models.chat import Answer, Ask, Chat, ChatFailed, Purpose, Reason, over
from gbrain.models.named import Named
from gbrain.settings import Settings
from gbrain.store.calls import Done, Refused, Started, Wanted

if TYPE_CHECKING:
    from gbrain.models.reranker import OnnxReranker
    from gbrain.store.store import Store

TRIES = 3
PAUSE = 0.5
"""The first pause between two tries, in seconds; each further one is twice as long, give or take a third."""
GRACE = 0.5
RERANK_SECONDS = 4.0
AGAIN: tuple[Reason, ...] = ("rate_limited", "server_error", "unreachable")
"""Failures after which the same model is asked again, while there is time."""
OUTAGES: tuple[Reason, ...] = ("timeout", "rate_limited", "server_error", "unreachable", "auth")
"""Failures that the circuit breaker counts."""
INSTEAD: tuple[Reason, ...] = (*OUTAGES, "circuit_open", "no_key", "not_installed")
"""Failures after which the next model of a chain is asked."""
FREE: tuple[Reason, ...] = ("rate_limited", "unreachable", "auth", "rejected", "server_error")
"""Failures for which no provider charges; any other counts with all that was reserved."""


class _Tried(NamedTuple):
    """What came of asking one model, after how many tries."""

    result: Answer | ChatFailed
    tries: int


class Models:
    """The models of one brain, as one process uses them."""

    def __init__(self, home: str, settings: Settings, store: "Store", clock: Callable[[], datetime]) -> None:
        self._home = home
        self._settings = settings
        self._store = store
        self._clock = clock
        self._local: tuple[str, OnnxReranker] | None = None

    def lacking(self, purpose: Purpose) -> ChatFailed | None:
        """Why a call for this purpose would fail as things are set up; None when it may be made. Nothing is called."""
        try:
            chats = self._chain(purpose)
        except ChatFailed as failed:
            return failed
        failures = [chat for chat in chats if isinstance(chat, ChatFailed)]
        return failures[-1] if len(failures) == len(chats) else None

    def name(self, purpose: Purpose) -> str | None:
        """`provider:model` of the first model that the settings name for a purpose, None where none is named."""
        said = names.chosen(self._settings, purpose)
        return names.parse(said)[0].name if said else None

    def ask(self, ask: Ask) -> Answer:
        """The answer of the model that the settings name for the purpose. Raises ChatFailed.

        Each model of the chain is tried, up to three times, while the deadline holds.
        """
        return self._first(self._chain(ask.purpose), ask)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers a question, by the reranker that the settings name: higher is better.

        Somebody waits, so it is over within RERANK_SECONDS. Raises ChatFailed.
        """
        said = names.chosen(self._settings, "rerank")
        if not said:
            raise ChatFailed("no_model", "no reranker is set up", "name one: gbrain models set MODEL --for rerank")
        return self.reranked(names.parse_reranker(said), query, texts)

    def reranked(self, named: Named, query: str, texts: Sequence[str]) -> list[float]:
        """What `rerank` does, by this reranker. Raises ChatFailed."""
        # Few brains have one.
        from gbrain.models.reranker import OnnxReranker, asked

        if named.provider == names.ONNX:
            if self._local is None or self._local[0] != named.model:
                self._local = named.model, OnnxReranker(named.model)
            return self._local[1].scores(query, texts)
        ask = Ask("rerank", "", asked(query, texts), 0, seconds=RERANK_SECONDS)
        found: list[float] = json.loads(self._first([names.made_reranker(named, self._home)], ask).text)
        return found

    def probe(self, named: Named, seconds: float) -> Answer:
        """What one model answers to a question that wants JSON, whatever the settings and the breaker say.

        It is metered, and the limits hold. Raises ChatFailed.
        """
        system = "You are being tested by a program. Answer with one JSON object and nothing else."
        ask = Ask("probe", system, 'Answer with: {"ok": true}', 200, want_json=True, seconds=seconds)
        return self._first([names.made([named], self._home)[0]], ask)

    def limits(self) -> list[Limit]:
        """The limits in force, the narrowest first."""
        said = self._settings.get
        return [limit(span, said(f"spend.{span}_tokens"), said(f"spend.{span}_usd")) for span in SPANS]

    def prices(self) -> dict[str, Price]:
        """The prices that the operator has set."""
        return parse_prices(self._settings.get("models.prices"))

    def _first(self, chats: "list[Chat | ChatFailed]", ask: Ask) -> Answer:
        # It would keep every other writer waiting for a network.
        if self._store.engine.in_transaction():
            raise Internal("a model was to be called inside a transaction", "run: gbrain doctor")
        until = time.monotonic() + self._seconds(ask)
        failure: ChatFailed | None = None
        for chat in chats:
            if isinstance(chat, ChatFailed):
                failure = chat
                continue
            try:
                return self._metered(chat, ask, until)
            except ChatFailed as failed:
                failure = failed
                # What one model refuses to answer is not put to the next until one does.
                if failed.reason not in INSTEAD or time.monotonic() >= until:
                    break
        assert failure is not None
        raise failure

    def _seconds(self, ask: Ask) -> float:
        return float(self._settings.get("models.seconds")) if ask.seconds is None else ask.seconds

    def _chain(self, purpose: Purpose) -> "list[Chat | ChatFailed]":
        """The models of a purpose, in their order, or why one cannot be asked. Raises ChatFailed for none."""
        if purpose == "extract" and self._settings.get("facts.extraction_enabled") == "off":
            raise ChatFailed("disabled", "facts.extraction_enabled is off")
        said = names.chosen(self._settings, purpose)
        if not said:
            raise ChatFailed("no_model", "no language model is set up")
        chain: list[Chat | ChatFailed] = []
        for each in names.parse(said):
            try:
                # The key is looked for each time: one that was put right is taken at once.
                chain.append(names.made([each], self._home)[0])
            except ChatFailed as failed:
                chain.append(failed)
        return chain

    def _metered(self, chat: Chat, ask: Ask, until: float) -> Answer:
        """One model's answer, for which there was room. Raises ChatFailed."""
        price = price_of(chat.name, self.prices(), prices.LISTED)
        given = most_tokens(ask.system) + most_tokens(ask.text)
        most = Amount(given + ask.max_output_tokens, price.of(given, ask.max_output_tokens) if price else 0)
        probing = ask.purpose == "probe"
        seconds = self._seconds(ask)
        wanted = Wanted(
            ask.purpose, chat.name, chat.where, ask.session, ask.turn, most, seconds, heed_breaker=not probing
        )
        # Room for the most it can take is reserved first: of many calls at once none passes the limit.
        begun = self._store.calls.begin(wanted, self.limits(), self._clock())
        if isinstance(begun, Refused):
            raise _refusal(begun, chat, most)
        started = time.monotonic()
        tried = _tried(chat, ask, until)
        took = self._took(tried, most, price, round((time.monotonic() - started) * 1000))
        self._settle(begun, chat.where, took)
        if isinstance(tried.result, ChatFailed):
            raise tried.result
        usd = None if took.micro_usd is None else took.micro_usd / MICRO
        return tried.result._replace(usd=usd)

    def _settle(self, begun: Started, place: str, took: Done) -> None:
        try:
            self._store.calls.end(begun, place, took, self._clock())
        except BrainError:
            # The answer is worth more than its row, which goes on counting in full.
            pass

    def _took(self, tried: _Tried, most: Amount, price: Price | None, latency_ms: int) -> Done:
        result = tried.result
        if isinstance(result, ChatFailed):
            free = result.reason in FREE
            return Done(
                result.reason,
                Amount(0, 0) if free else most,
                0 if free else None,
                0 if free else None,
                0 if free else (most.micro_usd if price else None),
                tried.tries,
                latency_ms,
                outage=result.reason in OUTAGES,
                answered=result.reason not in OUTAGES,
                rest=result.retry_after or 0.0,
            )
        counts = result.input_tokens, result.output_tokens
        known = counts[0] is not None and counts[1] is not None
        # A provider that says nothing of what it took is counted with the most, so that a limit holds all the same.
        tokens = sum(count or 0 for count in counts) if known else most.tokens
        spent = price.of(counts[0] or 0, counts[1] or 0) if price and known else (most.micro_usd if price else None)
        took = Amount(tokens, spent or 0)
        return Done(result.finish, took, *counts, spent, tried.tries, latency_ms, answered=True)


def _tried(chat: Chat, ask: Ask, until: float) -> _Tried:
    """What a model answers, asked again after a pause while it is worth it and there is time."""
    past = 0
    while True:
        past += 1
        result = _run(chat, ask, max(0.01, until - time.monotonic()))
        if not isinstance(result, ChatFailed) or result.reason not in AGAIN or past == TRIES:
            return _Tried(result, past)
        pause = result.retry_after
        if pause is None:
            # Give or take a third: clients that failed together must not come back together.
            pause = PAUSE * 2 ** (past - 1) * random.uniform(0.67, 1.33)
        if time.monotonic() + pause >= until:
            return _Tried(result, past)
        time.sleep(pause)


def _run(chat: Chat, ask: Ask, seconds: float) -> Answer | ChatFailed:
    """The answer, from a thread of its own, which is left to itself when it is not back in time."""
    done: list[Answer | ChatFailed] = []

    def work() -> None:
        try:
            done.append(chat.complete(ask, seconds))
        except ChatFailed as failed:
            done.append(failed)
        except Exception as error:
            done.append(ChatFailed("malformed", f"{chat.name} failed: {type(error).__name__}"))

    # A look-up of a name has no timeout of its own, and nothing can break it off.
    thread = threading.Thread(target=work, name="gbrain-model", daemon=True)
    thread.start()
    thread.join(seconds + GRACE)
    return done[0] if done else ChatFailed("timeout", f"{chat.name} did not answer within {seconds:.3g} seconds")


def _refusal(refused: Refused, chat: Chat, most: Amount) -> ChatFailed:
    if refused.span is None or refused.unit is None or refused.limit is None:
        until = f"until {refused.open_until[11:19]} UTC" if refused.open_until else "for now"
        return ChatFailed("circuit_open", f"{chat.name} failed too often and is left alone {until}")
    return over(refused.span, refused.unit, refused.held, refused.limit, most)

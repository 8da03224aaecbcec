"""Asking the models that the settings name: the one way to them, with patience, a deadline and a meter.

A call runs on a thread of its own, so that a name server or a wire that hangs does not hold who asks past the deadline.
"""

import random
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from gbrain.models import named as names
from gbrain.models.chat import Answer, Ask, Chat, ChatFailed, Purpose
from gbrain.settings import Settings

if TYPE_CHECKING:
    from gbrain.store.store import Store

TRIES = 3
PAUSE = 0.5
"""The first pause between two tries, in seconds; each further one is twice as long, give or take a third."""
GRACE = 0.5
AGAIN = ("rate_limited", "server_error", "unreachable")
"""Failures after which the same model is asked again, while there is time."""
INSTEAD = ("circuit_open", "timeout", "rate_limited", "server_error", "unreachable", "auth", "no_key", "not_installed")
"""Failures after which the next model of a chain is asked."""


class Models:
    """The models of one brain, as one process uses them. An `Extractor` and a `Composer`."""

    def __init__(self, home: str, settings: Settings, store: "Store", clock: Callable[[], datetime]) -> None:
        self._home = home
        self._settings = settings
        self._store = store
        self._clock = clock

    def lacking(self, purpose: Purpose) -> ChatFailed | None:
        """See Asks.lacking."""
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
        """See Asks.ask. Each model of the chain is tried, up to three times, while the deadline holds."""
        until = time.monotonic() + ask.seconds
        failure: ChatFailed | None = None
        for chat in self._chain(ask.purpose):
            if isinstance(chat, ChatFailed):
                failure = chat
                continue
            try:
                return self._asked(chat, ask, until)
            except ChatFailed as failed:
                failure = failed
                if failed.reason not in INSTEAD or time.monotonic() >= until:
                    break
        assert failure is not None
        raise failure

    def _chain(self, purpose: Purpose) -> list[Chat | ChatFailed]:
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

    def _asked(self, chat: Chat, ask: Ask, until: float) -> Answer:
        for past in range(TRIES):
            left = until - time.monotonic()
            try:
                return _run(chat, ask, max(0.01, left))
            except ChatFailed as failed:
                pause = failed.retry_after
                if pause is None:
                    pause = PAUSE * 2**past * random.uniform(0.67, 1.33)
                if failed.reason not in AGAIN or past + 1 == TRIES or time.monotonic() + pause >= until:
                    raise
                time.sleep(pause)
        raise AssertionError("unreachable")


def _run(chat: Chat, ask: Ask, seconds: float) -> Answer:
    """The answer, from a thread of its own, which is left to itself when it is not back in time."""
    done: list[Answer | BaseException] = []

    def work() -> None:
        try:
            done.append(chat.complete(ask, seconds))
        except BaseException as error:
            done.append(error)

    thread = threading.Thread(target=work, name="gbrain-model", daemon=True)
    thread.start()
    thread.join(seconds + GRACE)
    if not done:
        raise ChatFailed("timeout", f"{chat.name} did not answer within {seconds:.3g} seconds")
    if isinstance(done[0], BaseException):
        raise done[0]
    return done[0]

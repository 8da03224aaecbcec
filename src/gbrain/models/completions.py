"""Any OpenAI-compatible chat address: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM and others.

`POST {url}/chat/completions` with `{"model": ..., "messages": [...]}` gives `{"choices": [{"message": {"content": ...},
"finish_reason": ...}], "usage": {"prompt_tokens": ..., "completion_tokens": ...}}`. Source: OpenAI's API reference,
"Create chat completion".
"""

import json
import time
from typing import Any

from gbrain.models.chat import Answer, Ask, ChatFailed, Finish, Reason
from gbrain.models.wire import Place, Said, WireFailed, keeps_keys, place, post, retry_after

MOST_BYTES = 1024 * 1024
"""A longer reply is no answer to anything that is asked here."""

_FINISHES: dict[Any, Finish] = {"length": "length", "content_filter": "filtered"}


class Completions:
    """A model behind an address. `key` is sent as a bearer token, and to this machine or over TLS only."""

    def __init__(self, provider: str, model: str, url: str, key: str | None, *, modern: bool = False) -> None:
        at = place(url)
        if at is None or not model:
            raise ChatFailed("bad_settings", f"{provider} needs the name of a model and an http address")
        if key and not keeps_keys(at):
            raise ChatFailed("bad_settings", "a key is not sent unencrypted to another machine: use https")
        self._at: Place = at
        self._provider, self._model, self._key = provider, model, key
        # OpenAI renamed the parameter for its reasoning models; most compatible servers know the old name alone.
        self._cap = "max_completion_tokens" if modern else "max_tokens"
        self._json = True

    @property
    def name(self) -> str:
        """See Chat.name."""
        return f"{self._provider}:{self._model}"

    @property
    def where(self) -> str:
        """See Chat.where."""
        return f"{self._provider}@{self._at.host}" + (f":{self._at.port}" if self._at.port else "")

    def complete(self, ask: Ask, seconds: float) -> Answer:
        """See Chat.complete. What a server does not understand of the request is left out, and is so from then on."""
        until = time.monotonic() + seconds
        said = self._post(ask, seconds)
        while said.status in (400, 422) and self._adapted(ask, said.body):
            said = self._post(ask, max(0.01, until - time.monotonic()))
        if said.status != 200:
            raise _refused(self._at.host, said)
        return self._answer(said.body)

    def _post(self, ask: Ask, seconds: float) -> Said:
        messages = [{"role": "system", "content": ask.system}, {"role": "user", "content": ask.text}]
        asked: dict[str, Any] = {"model": self._model, "messages": messages, self._cap: ask.max_output_tokens}
        if ask.want_json and self._json:
            asked["response_format"] = {"type": "json_object"}
        try:
            return post(self._at, "/chat/completions", json.dumps(asked).encode(), self._key, seconds, MOST_BYTES)
        except WireFailed as failed:
            reason: Reason = "malformed" if failed.reason == "too_long" else _wire(failed.reason)
            raise ChatFailed(reason, failed.message) from None

    def _adapted(self, ask: Ask, body: bytes) -> bool:
        """Whether a refusal names something that can be left out or put otherwise, which is done then."""
        if ask.want_json and self._json and b"response_format" in body:
            self._json = False
            return True
        if self._cap == "max_tokens" and b"max_completion_tokens" in body:
            self._cap = "max_completion_tokens"
            return True
        return False

    def _answer(self, body: bytes) -> Answer:
        try:
            said = json.loads(body)
            choice = said["choices"][0]
            message = choice["message"]
            text, refusal = message.get("content"), message.get("refusal")
            finish = _FINISHES.get(choice.get("finish_reason"), "stop")
            given = said.get("usage")
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise ChatFailed("malformed", f"{self._at.host} did not answer as chat completions do") from None
        if isinstance(refusal, str) and refusal and not text:
            text, finish = "", "refused"
        if isinstance(text, list):
            text = "".join(part.get("text", "") for part in text if isinstance(part, dict))
        if text is not None and not isinstance(text, str):
            raise ChatFailed("malformed", f"{self._at.host} did not answer with text")
        usage = given if isinstance(given, dict) else {}
        model = said.get("model")
        shown = model[:200] if isinstance(model, str) and model.isprintable() and model else self._model
        counts = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
        return Answer(text or "", f"{self._provider}:{shown}", *counts, None, finish)


def count(value: Any) -> int | None:
    """A number of tokens as a provider gives it, None for anything that is none."""
    return value if type(value) is int and 0 <= value < 10**9 else None


def _wire(reason: str) -> Reason:
    return "timeout" if reason == "timeout" else "unreachable"


def _refused(host: str, said: Said) -> ChatFailed:
    return refused(said.status, f"{host} answered {said.status}", retry_after(said.headers.get("retry-after", "")))


def refused(status: int, message: str, after: float | None = None) -> ChatFailed:
    """The failure that an HTTP status other than 200 stands for."""
    if status == 429:
        return ChatFailed("rate_limited", message, retry_after=after)
    if status in (401, 403):
        return ChatFailed("auth", message)
    if status == 408 or status >= 500:
        return ChatFailed("server_error", message, retry_after=after)
    return ChatFailed("rejected", message)

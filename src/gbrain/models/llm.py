"""Providers with wires of their own (Anthropic, Google, Bedrock and others), through pydantic-ai: the extra `llm`."""

import os
from importlib import import_module
from inspect import signature
from typing import Any

from gbrain.models.chat import Answer, Ask, ChatFailed, Finish, Reason
from gbrain.models.completions import MOST_BYTES, count, refused
from gbrain.models.wire import keeps_keys, place

_PARTS = ("", ".direct", ".providers", ".models", ".exceptions")
_FINISHES: dict[Any, Finish] = {"length": "length", "content_filter": "filtered"}

_REASONS: tuple[tuple[str, Reason], ...] = (
    ("ModelTimeoutError", "timeout"),
    ("ModelRateLimitError", "rate_limited"),
    ("ModelQuotaExceededError", "rate_limited"),
    ("ModelAuthenticationError", "auth"),
    ("ModelServerError", "server_error"),
    ("ModelUnavailableError", "server_error"),
    ("ModelOverloadedError", "server_error"),
    ("ModelConnectionError", "unreachable"),
    ("ModelRequestRejectedError", "rejected"),
    ("ModelAPIError", "malformed"),
)
"""The library's errors, the narrower ones first."""


class LibraryChat:
    """A model of one of the library's providers. The library reads no key by itself: `key` is given to it."""

    def __init__(self, provider: str, model: str, url: str, key: str | None) -> None:
        at = place(url) if url else None
        if key and at is not None and not keeps_keys(at):
            raise ChatFailed("bad_settings", "a key is not sent unencrypted to another machine: use https")
        try:
            os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
            # A second to load, and only a model that is asked needs it.
            parts: list[Any] = [import_module(f"pydantic_ai{name}") for name in _PARTS]
            self._library, self._direct, self._providers, self._models, self._errors = parts
            self._kind: Any = self._providers.infer_provider_class(provider)
        except (ImportError, ValueError) as error:
            raise ChatFailed(
                "not_installed", f"{provider} needs more than is installed: {type(error).__name__}"
            ) from None
        self._provider, self._model, self._url, self._key = provider, model, url, key
        self._host = at.host if at is not None else ""

    @property
    def name(self) -> str:
        """See Chat.name."""
        return f"{self._provider}:{self._model}"

    @property
    def where(self) -> str:
        """See Chat.where."""
        return f"{self._provider}@{self._host}" if self._host else self._provider

    def complete(self, ask: Ask, seconds: float) -> Answer:
        """See Chat.complete. The library tries once; no redirect is followed."""
        # As above: only a model that is asked needs it.
        import asyncio

        try:
            said = asyncio.run(asyncio.wait_for(self._requested(ask, seconds), seconds))
        except ChatFailed:
            raise
        except TimeoutError:
            raise ChatFailed("timeout", f"{self._provider} did not answer within {seconds:.3g} seconds") from None
        except Exception as error:
            raise self._failed(error) from None
        text = "".join(part.content for part in said.parts if getattr(part, "part_kind", "") == "text")
        if len(text) > MOST_BYTES:
            raise ChatFailed("malformed", f"{self._provider} said more than {MOST_BYTES:,} characters")
        finish = _FINISHES.get(said.finish_reason, "stop")
        details = said.provider_details or {}
        if details.get("finish_reason") == "refusal":
            finish = "refused"
        model = f"{self._provider}:{said.model_name or self._model}"
        # The library gives zeros where a provider counts nothing.
        counts = (count(said.usage.input_tokens or None), count(said.usage.output_tokens or None))
        return Answer(text, model, *counts, None, finish)

    async def _requested(self, ask: Ask, seconds: float) -> Any:
        client, options = self._client(seconds)
        try:
            provider = self._kind(**options)
            model = self._models.infer_model(self.name, lambda _: provider)
            request = self._library.ModelRequest(
                parts=[self._library.SystemPromptPart(ask.system), self._library.UserPromptPart(ask.text)]
            )
            settings = {"max_tokens": ask.max_output_tokens, "timeout": seconds, "max_retries": 0}
            return await self._direct.model_request(model, [request], model_settings=settings)
        finally:
            if client is not None:
                await client.aclose()

    def _client(self, seconds: float) -> tuple[Any, dict[str, Any]]:
        """An HTTP client that follows no redirect, where the provider takes one, and what the provider is made with."""
        known = signature(self._kind.__init__).parameters
        options: dict[str, Any] = {}
        if self._key and "api_key" in known:
            options["api_key"] = self._key
        if self._url:
            if "base_url" not in known:
                raise ChatFailed("bad_settings", f"{self._provider} takes no address of one's own")
            options["base_url"] = self._url
        if "http_client" not in known:
            return None, options
        # The library's own client, whatever it is called.
        http: Any = import_module(self._providers.AsyncHTTPClient.__module__.partition(".")[0])
        client = http.AsyncClient(follow_redirects=False, timeout=seconds, trust_env=True)
        return client, {**options, "http_client": client}

    def _failed(self, error: Exception) -> ChatFailed:
        status = getattr(error, "status_code", None)
        after = getattr(error, "retry_after", None)
        if isinstance(status, int):
            return refused(status, f"{self._provider} answered {status}", after)
        if isinstance(error, self._errors.UserError):
            return ChatFailed("bad_settings", f"{self._provider} cannot be set up so")
        if isinstance(error, self._errors.ContentFilterError):
            return ChatFailed("rejected", f"{self._provider} held the answer back")
        for name, reason in _REASONS:
            kind = getattr(self._errors, name, None)
            if kind is not None and isinstance(error, kind):
                return ChatFailed(reason, f"{self._provider} failed: {name}", retry_after=after)
        return ChatFailed("malformed", f"{self._provider} did not answer as agreed: {type(error).__name__}")

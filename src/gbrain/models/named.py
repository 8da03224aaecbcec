"""Which model is meant: what a setting says of it, the provider behind it, and where its key comes from.

A setting holds one model, or several that stand in for one another: `openai:gpt-5-mini then ollama:qwen3`. Beside a
model may stand `url=ADDRESS` and `key=VARIABLE`. After `command:` the rest is a command line.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gbrain.models.chat import Chat, ChatFailed, Purpose
from gbrain.models.keys import KeyUnusable, path_of, read_key
from gbrain.settings import Settings

SETTING: dict[Purpose, str] = {
    "extract": "facts.extraction_model",
    "compose": "models.compose",
    "expand": "models.expand",
    "rerank": "models.rerank",
    "judge": "models.judge",
}
DEFAULT = "models.default"
THEN = " then "
COMMAND = "command"
OWN_KEY = "GBRAIN_MODEL_KEY"
"""The variable of a key for an address of one's own."""


class Provider(NamedTuple):
    """A provider: its address, "" where it has to be named; the variable of its key, "" where it needs none."""

    url: str
    variable: str
    extra: bool = False
    """Whether it is reached through the extra `llm`, which knows its wire."""


PROVIDERS: dict[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "ollama": Provider("http://127.0.0.1:11434/v1", ""),
    "llamacpp": Provider("http://127.0.0.1:8080/v1", ""),
    "vllm": Provider("http://127.0.0.1:8000/v1", ""),
    "endpoint": Provider("", OWN_KEY),
    "anthropic": Provider("", "ANTHROPIC_API_KEY", extra=True),
    "google": Provider("", "GOOGLE_API_KEY", extra=True),
    "mistral": Provider("", "MISTRAL_API_KEY", extra=True),
    "groq": Provider("", "GROQ_API_KEY", extra=True),
    "cohere": Provider("", "CO_API_KEY", extra=True),
    "bedrock": Provider("", "", extra=True),
}
"""By the word before the colon. Bedrock takes its credentials from the environment as AWS does."""


RERANKERS: dict[str, Provider] = {
    "cohere": Provider("https://api.cohere.com/v2", "CO_API_KEY"),
    "jina": Provider("https://api.jina.ai/v1", "JINA_API_KEY"),
    "voyage": Provider("https://api.voyageai.com/v1", "VOYAGE_API_KEY"),
    "endpoint": Provider("", OWN_KEY),
}
"""Providers that put texts in order, by the word before the colon; `onnx:FOLDER` is a model on this machine."""
ONNX = "onnx"


class Named(NamedTuple):
    """One model as a setting names it. `variable` is where its key is looked for, "" for none."""

    provider: str
    model: str
    url: str
    variable: str

    @property
    def name(self) -> str:
        """`provider:model`."""
        return f"{self.provider}:{self.model}"


def parse(text: str) -> list[Named]:
    """The models of a setting's value, in the order in which they are asked. Raises ChatFailed, `bad_settings`."""
    return [_one(part.strip(), PROVIDERS, COMMAND) for part in text.split(THEN)]


def parse_reranker(text: str) -> Named:
    """The reranker of a setting's value. Raises ChatFailed, `bad_settings`."""
    return _one(text.strip(), RERANKERS, ONNX)


def _one(text: str, providers: Mapping[str, Provider], local: str) -> Named:
    provider, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        raise _unfit("a model is written as PROVIDER:MODEL")
    if provider == local:
        return Named(local, rest.strip(), "", "")
    known = providers.get(provider)
    if known is None:
        raise _unfit(f"{provider[:40]!r} is no provider; known are {', '.join((*providers, local))}")
    model, *options = rest.split()
    said = dict(option.split("=", 1) for option in options if "=" in option)
    if len(said) != len(options) or not set(said) <= {"url", "key"}:
        raise _unfit("after the model only url=ADDRESS and key=VARIABLE may follow")
    # What lists operations loads this, and of the wire nothing.
    from gbrain.models.wire import place

    url = said.get("url", "")
    if url and (place(url) is None or "@" in url or "?" in url):
        raise _unfit("the address must begin with http:// or https:// and hold no password")
    if not url and not known.url and not known.extra:
        raise _unfit(f"{provider} needs its address: url=http://127.0.0.1:8080/v1")
    # A provider's key goes to the provider alone: another address gets the key that was named for it, or none.
    variable = said.get("key", "" if url and known.url else known.variable)
    if variable and not (variable.isidentifier() and variable.isascii()):
        raise _unfit("key names the variable of the environment that holds the key, never the key itself")
    return Named(provider, model, url or known.url, variable)


def chosen(settings: Settings, purpose: Purpose) -> str:
    """The setting's value for a purpose, else the one for all, "" where none is set."""
    own = settings.get(SETTING[purpose]) if purpose in SETTING else ""
    # A chat model cannot stand in for a reranker, whose wire is another.
    return own or ("" if purpose == "rerank" else settings.get(DEFAULT))


def key(home: str, variable: str) -> str | None:
    """The key of a variable, None without one. Raises ChatFailed for a file that others may read."""
    try:
        return read_key(home, variable)
    except KeyUnusable as unusable:
        raise ChatFailed("no_key", unusable.message, unusable.fix) from None


def made(named: Sequence[Named], home: str) -> list[Chat]:
    """The adapters of these models; nothing is called. Raises ChatFailed for a key or a package that is missing."""
    return [_made(each, home) for each in named]


def _made(named: Named, home: str) -> Chat:
    if named.provider == COMMAND:
        # One adapter a process: each loads what speaks its wire.
        from gbrain.models.command import CommandChat

        return CommandChat(named.model, home)
    found = _needed_key(named, home)
    if PROVIDERS[named.provider].extra:
        # As above.
        from gbrain.models.llm import LibraryChat

        return LibraryChat(named.provider, named.model, named.url, found)
    # As above.
    from gbrain.models.completions import Completions

    return Completions(named.provider, named.model, named.url, found, modern=named.provider == "openai")


def made_reranker(named: Named, home: str) -> Chat:
    """The adapter of a provider's reranker; nothing is called. Raises ChatFailed for a key that is missing."""
    found = _needed_key(named, home)
    # As above.
    from gbrain.models.reranker import EndpointReranker

    return EndpointReranker(named.provider, named.model, named.url, found)


def _needed_key(named: Named, home: str) -> str | None:
    found = key(home, named.variable)
    if named.variable and not found and not (named.provider == "endpoint" and named.variable == OWN_KEY):
        raise ChatFailed(
            "no_key",
            f"{named.name} needs a key, which is looked for in the variable {named.variable}",
            f"run: export {named.variable}=KEY, or put it, mode 600, into {path_of(home, named.variable)}",
        )
    return found


def _unfit(message: str) -> ChatFailed:
    return ChatFailed("bad_settings", message, "write it as: gbrain models set openai:gpt-5-mini")

"""Which embedder is in force: what the settings say, else the bundled model, else none. Nothing else is ever called."""

import os
from typing import TYPE_CHECKING

from gbrain.models.embedder import EmbedFailed
from gbrain.models.keys import KeyUnusable, read_key
from gbrain.settings import Settings

if TYPE_CHECKING:
    from gbrain.models.embedder import Embedder

ENV_KEY = "GBRAIN_EMBEDDING_KEY"
ENV_PROVIDER = "GBRAIN_EMBEDDING_PROVIDER"
BUNDLED = "minilm-l6-v2-int8"
BUNDLED_DIMENSION = 384
KEYS = ("embedding.provider", "embedding.model", "embedding.url", "embedding.dimension")


def provider(settings: Settings) -> str:
    """The provider in force; `GBRAIN_EMBEDDING_PROVIDER` outranks the setting for one process."""
    return os.environ.get(ENV_PROVIDER, "") or settings.get("embedding.provider")


def embedder(settings: Settings, home: str) -> "Embedder":
    """The embedder in force, not loaded yet. Raises EmbedFailed when there is none, or the settings do not fit."""
    chosen = provider(settings)
    model = settings.get("embedding.model")
    if chosen == "off":
        raise EmbedFailed("off", "embedding.provider is off")
    if chosen == "auto":
        return bundled()
    if chosen == "onnx":
        from gbrain.models.onnx import OnnxEmbedder  # as what a process imports at its start is bounded

        if not os.path.isabs(os.path.expanduser(model)):
            raise EmbedFailed("bad_settings", "embedding.provider is onnx, which needs a folder as embedding.model")
        return OnnxEmbedder(os.path.expanduser(model))
    if chosen == "fastembed":
        from gbrain.models.fastembed import FastembedEmbedder  # as above

        if not model:
            raise EmbedFailed("bad_settings", "embedding.provider is fastembed, which needs a name in embedding.model")
        return FastembedEmbedder(model)
    if chosen != "endpoint":
        raise EmbedFailed("bad_settings", f"{ENV_PROVIDER} names no provider that is known")
    from gbrain.models.endpoint import EndpointEmbedder  # as above: it loads an HTTP client

    return EndpointEmbedder(settings.get("embedding.url"), model, key(home), int(settings.get("embedding.dimension")))


def bundled() -> "Embedder":
    """The model of the package gbrain-minilm. Raises EmbedFailed where it, or what runs it, is not installed."""
    # 3 ms, and only who embeds asks.
    from importlib.util import find_spec

    found = find_spec("gbrain_minilm")
    if found is None or not found.submodule_search_locations:
        raise EmbedFailed("no_provider", "no embedding model is installed or configured")
    missing = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    if missing:
        raise EmbedFailed("no_provider", f"the bundled embedding model needs {' and '.join(missing)}")
    from gbrain.models.onnx import OnnxEmbedder  # as above

    return OnnxEmbedder(found.submodule_search_locations[0], BUNDLED, BUNDLED_DIMENSION)


def key(home: str) -> str | None:
    """The key of the endpoint: that of the variable `GBRAIN_EMBEDDING_KEY`; None without one.

    Raises EmbedFailed for a file that others may read.
    """
    try:
        return read_key(home, ENV_KEY)
    except KeyUnusable as unusable:
        raise EmbedFailed("no_key", f"{unusable.message}: {unusable.fix}") from None

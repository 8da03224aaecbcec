"""Any OpenAI-compatible embeddings address: OpenAI, Voyage, Ollama, llama.cpp and others.

`POST {url}/embeddings` with `{"model": ..., "input": [...], "encoding_format": "float"}` gives
`{"data": [{"index": 0, "embedding": [...]}]}`. Source: OpenAI's API reference, "Create embeddings".
"""

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain.models.embedder import EmbedFailed, unit_rows
from gbrain.models.wire import Place, WireFailed, keeps_keys, place, post, retry_after

if TYPE_CHECKING:
    from gbrain.arrays import Vectors

BATCH_TEXTS, BATCH_CHARACTERS = 64, 96_000
"""The most texts and characters of one request: some 24,000 tokens, which every known provider takes."""
MOST_CHARACTERS = 24_000
MOST_BYTES = 64 * 1024 * 1024


class Pace(NamedTuple):
    """How long one request may take, in seconds, how often it is tried, and the first pause between tries."""

    seconds: float
    tries: int
    pause: float


PATIENT = Pace(30.0, 4, 0.5)
PROMPT = Pace(3.0, 1, 0.0)
LONGEST_PAUSE = 20.0


class EndpointEmbedder:
    """A model behind an address. `key` is sent as a bearer token, and to this machine or over TLS only."""

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        dimension: int = 0,
        patient: Pace = PATIENT,
        prompt: Pace = PROMPT,
    ) -> None:
        at = place(url)
        if at is None or not model:
            raise EmbedFailed("bad_settings", "embedding.provider is endpoint, which needs embedding.url and .model")
        if key and not keeps_keys(at):
            raise EmbedFailed("bad_settings", "a key is not sent unencrypted to another machine: use https")
        self._at: Place = at
        self._key = key
        self._model = model
        self._asked = dimension
        self._patient, self._prompt = patient, prompt

    @property
    def name(self) -> str:
        """See Embedder.name."""
        return f"endpoint:{self._model}@{self._at.host}" + (f"#{self._asked}" if self._asked else "")

    @property
    def dimension(self) -> int:
        """See Embedder.dimension: only what was asked for, since one wrong reply must not outlast itself."""
        return self._asked

    @property
    def loaded(self) -> bool:
        """See Embedder.loaded: the model is elsewhere."""
        return True

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """See Embedder.passages. Tried again, with growing pauses, while the server is busy or away."""
        return self._embed(texts, self._patient)

    def queries(self, texts: Sequence[str]) -> "Vectors":
        """See Embedder.queries. Tried once, within three seconds."""
        return self._embed(texts, self._prompt)

    def _embed(self, texts: Sequence[str], pace: Pace) -> "Vectors":
        # The reply is turned into arrays here.
        from gbrain.arrays import np

        parts, dimension = [], self._asked
        for batch in _batches(texts):
            vectors = unit_rows(self._rows(batch, pace), len(batch), dimension)
            dimension = vectors.shape[1]
            parts.append(vectors)
        return np.concatenate(parts) if parts else np.zeros((0, max(dimension, 1)), dtype=np.float32)

    def _rows(self, texts: Sequence[str], pace: Pace) -> list[Any]:
        asked: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._asked:
            asked["dimensions"] = self._asked
        body = json.dumps(asked).encode()
        for left in reversed(range(pace.tries)):
            try:
                return _embeddings(self._post(body, pace.seconds))
            except _Busy as busy:
                if not left:
                    raise EmbedFailed(busy.reason, busy.message) from None
                time.sleep(min(LONGEST_PAUSE, busy.after or pace.pause * 2 ** (pace.tries - left - 1)))
        raise AssertionError("unreachable")

    def _post(self, body: bytes, seconds: float) -> Any:
        """The reply's JSON. Raises _Busy for what may be better in a moment, EmbedFailed for the rest."""
        host = self._at.host
        try:
            said = post(self._at, "/embeddings", body, self._key, seconds, MOST_BYTES)
        except WireFailed as failed:
            if failed.reason == "too_long":
                raise EmbedFailed("bad_reply", failed.message) from None
            raise _Busy(failed.reason, failed.message) from None
        if said.status == 429 or said.status >= 500:
            after = retry_after(said.headers.get("retry-after", ""))
            raise _Busy("server_error", f"{host} answered {said.status}", after or 0.0)
        if said.status in (401, 403):
            raise EmbedFailed("no_key", f"{host} wants a key, or another one ({said.status})")
        if said.status != 200:
            raise EmbedFailed("rejected", f"{host} answered {said.status}")
        try:
            return json.loads(said.body)
        except (ValueError, RecursionError):
            raise EmbedFailed("bad_reply", f"{host} did not answer with JSON") from None


class _Busy(Exception):
    def __init__(self, reason: Any, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.reason, self.message, self.after = reason, message, after


def _embeddings(reply: Any) -> list[Any]:
    """The rows in the order of the texts, whatever the order in which they came."""
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) and "embedding" in item for item in data):
        raise EmbedFailed("bad_reply", "the reply holds no embeddings")
    numbered = [item.get("index", place) for place, item in enumerate(data)]
    if sorted(numbered, key=str) != sorted(range(len(data)), key=str):
        raise EmbedFailed("bad_reply", "the embeddings of the reply are not numbered from 0")
    return [item["embedding"] for _, item in sorted(zip(numbered, data, strict=True), key=lambda pair: int(pair[0]))]


def _batches(texts: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = []
    held = 0
    for text in texts:
        # An empty text is refused by some servers, and has to get a row all the same.
        kept = text[:MOST_CHARACTERS] or " "
        if not batches or len(batches[-1]) >= BATCH_TEXTS or held + len(kept) > BATCH_CHARACTERS:
            batches.append([])
            held = 0
        batches[-1].append(kept)
        held += len(kept)
    return batches

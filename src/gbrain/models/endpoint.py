"""Any OpenAI-compatible embeddings address: OpenAI, Voyage, Ollama, llama.cpp and others.

`POST {url}/embeddings` with `{"model": ..., "input": [...], "encoding_format": "float"}` gives
`{"data": [{"index": 0, "embedding": [...]}]}`. Source: OpenAI's API reference, "Create embeddings".
"""

import http.client
import json
import socket
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from gbrain import __version__
from gbrain.models.embedder import EmbedFailed, unit_rows

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

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


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
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not model:
            raise EmbedFailed("bad_settings", "embedding.provider is endpoint, which needs embedding.url and .model")
        if key and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise EmbedFailed("bad_settings", "a key is not sent unencrypted to another machine: use https")
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._path = parts.path.rstrip("/") + "/embeddings"
        self._model = model
        self._asked = dimension
        self._patient, self._prompt = patient, prompt
        self._headers = {"Content-Type": "application/json", "User-Agent": f"gbrain/{__version__}"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    @property
    def name(self) -> str:
        """See Embedder.name."""
        return f"endpoint:{self._model}@{self._host}" + (f"#{self._asked}" if self._asked else "")

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
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        until = time.monotonic() + seconds
        connection = kind(self._host, self._port, timeout=seconds)
        reply: http.client.HTTPResponse | None = None
        try:
            connection.request("POST", self._path, body, self._headers)
            sock = connection.sock
            reply = connection.getresponse()
            text = _read(reply, sock, until)
        except TimeoutError:
            raise _Busy("timeout", f"{self._host} did not answer within {seconds:g} seconds") from None
        except (OSError, http.client.HTTPException) as error:
            raise _Busy("unreachable", f"{self._host} cannot be reached: {type(error).__name__}") from None
        finally:
            connection.close()
            if reply is not None:
                # It may have taken the socket over.
                reply.close()
        if reply.status == 429 or reply.status >= 500:
            after = reply.getheader("Retry-After") or ""
            raise _Busy("server_error", f"{self._host} answered {reply.status}", int(after) if after.isdigit() else 0)
        if reply.status in (401, 403):
            raise EmbedFailed("no_key", f"{self._host} wants a key, or another one ({reply.status})")
        if reply.status != 200:
            raise EmbedFailed("rejected", f"{self._host} answered {reply.status}")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise EmbedFailed("bad_reply", f"{self._host} did not answer with JSON") from None


class _Busy(Exception):
    def __init__(self, reason: Any, message: str, after: int = 0) -> None:
        super().__init__(message)
        self.reason, self.message, self.after = reason, message, after


def _read(reply: http.client.HTTPResponse, sock: socket.socket, until: float) -> bytes:
    """The whole body. A server that sends a little at a time is held to the same end. Raises TimeoutError."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        sock.settimeout(left)
        part = reply.read1(65_536)
        if not part:
            if reply.length:
                raise http.client.IncompleteRead(b"")
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise EmbedFailed("bad_reply", f"the reply is longer than {MOST_BYTES} bytes")


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

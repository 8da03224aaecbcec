"""Rerankers: models that say how well each of some texts answers a question, better than a vector can and slower.

A provider's address: `POST {url}/rerank` with `{"model", "query", "documents"}` gives `{"results": [{"index": 0,
"relevance_score": 0.9}]}` (Cohere, Jina, vLLM, llama.cpp) or the same under `data` (Voyage), from their API references.
A folder: a cross-encoder in ONNX form, `tokenizer.json` beside `model.onnx`, run on this machine.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from gbrain.models.chat import Answer, Ask, ChatFailed, Reason
from gbrain.models.completions import count, refused
from gbrain.models.wire import WireFailed, keeps_keys, place, post, retry_after

MOST_BYTES = 1024 * 1024
MOST_TOKENS = 512
BATCH = 8


class EndpointReranker:
    """A reranker behind an address, as a `Chat`: question and texts go in, and scores come out, as JSON."""

    def __init__(self, provider: str, model: str, url: str, key: str | None) -> None:
        at = place(url)
        if at is None:
            raise ChatFailed("bad_settings", f"{provider} needs an http address")
        if key and not keeps_keys(at):
            raise ChatFailed("bad_settings", "a key is not sent unencrypted to another machine: use https")
        self._at, self._provider, self._model, self._key = at, provider, model, key

    @property
    def name(self) -> str:
        """See Chat.name."""
        return f"{self._provider}:{self._model}"

    @property
    def where(self) -> str:
        """See Chat.where."""
        return f"{self._provider}@{self._at.host}" + (f":{self._at.port}" if self._at.port else "")

    def complete(self, ask: Ask, seconds: float) -> Answer:
        """See Chat.complete: `ask.text` is what `asked` made, the answer is for `understood`."""
        given = json.loads(ask.text)
        body = json.dumps({"model": self._model, **given}).encode()
        try:
            said = post(self._at, "/rerank", body, self._key, seconds, MOST_BYTES)
        except WireFailed as failed:
            reasons: dict[str, Reason] = {"timeout": "timeout", "unreachable": "unreachable"}
            raise ChatFailed(reasons.get(failed.reason, "malformed"), failed.message) from None
        if said.status != 200:
            after = retry_after(said.headers.get("retry-after", ""))
            raise refused(said.status, f"{self._at.host} answered {said.status}", after)
        try:
            reply = json.loads(said.body)
            scores = _scores(reply, len(given["documents"]))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError, OverflowError):
            raise ChatFailed("malformed", f"{self._at.host} did not answer as rerankers do") from None
        usage = reply.get("usage")
        tokens = count(usage.get("total_tokens")) if isinstance(usage, dict) else None
        return Answer(json.dumps(scores), self.name, tokens, None if tokens is None else 0, None, "stop")


def asked(query: str, texts: Sequence[str]) -> str:
    """What an EndpointReranker is asked."""
    return json.dumps({"query": query, "documents": list(texts)})


def _scores(reply: Any, number: int) -> list[float]:
    """One finite score for each document, whatever order they came in. Raises ValueError for any other reply."""
    rows = reply.get("results", reply.get("data"))
    found = {row["index"]: float(row["relevance_score"]) for row in rows}
    if set(found) != set(range(number)) or not all(abs(score) < 1e9 for score in found.values()):
        raise ValueError("not one score for each document")
    return [found[index] for index in range(number)]


class OnnxReranker:
    """A cross-encoder of a folder; loaded when it is first used."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._running: tuple[Any, Any, list[str]] | None = None

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """A number for each text, higher for a better answer to the question. Raises ChatFailed."""
        try:
            # Arrays come with the model.
            from gbrain.arrays import np

            session, tokenizer, wanted = self._loaded()
            found: list[float] = []
            for start in range(0, len(texts), BATCH):
                encoded = tokenizer.encode_batch([(query, text) for text in texts[start : start + BATCH]])
                columns = {
                    "input_ids": [each.ids for each in encoded],
                    "attention_mask": [each.attention_mask for each in encoded],
                    "token_type_ids": [each.type_ids for each in encoded],
                }
                arrays = {name: np.asarray(columns[name], dtype=np.int64) for name in wanted}
                rows = np.asarray(session.run(None, arrays)[0], dtype=np.float64).reshape(len(encoded), -1)
                # With one output it is the score; with two the second speaks for the text.
                found += rows[:, -1].tolist()
        except ChatFailed:
            raise
        except Exception as error:
            raise ChatFailed("malformed", f"the reranker in {self._folder} failed: {type(error).__name__}") from None
        if not all(abs(score) < 1e9 for score in found):
            raise ChatFailed("malformed", f"the reranker in {self._folder} gave no numbers")
        return found

    def _loaded(self) -> tuple[Any, Any, list[str]]:
        if self._running is None:
            paths = [os.path.join(self._folder, name) for name in ("tokenizer.json", "model.onnx")]
            if not all(map(os.path.isfile, paths)):
                raise ChatFailed(
                    "bad_settings", f"{self._folder} holds no reranker: tokenizer.json and model.onnx are needed"
                )
            try:
                # A fifth of a second to load, and only texts that are to be put in order need them.
                import onnxruntime
                from tokenizers import Tokenizer
            except ImportError as error:
                raise ChatFailed(
                    "not_installed",
                    f"{error.name or 'onnxruntime'} is not installed",
                    "run: pip install 'gbrain[vectors]'",
                ) from None
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 4
            session = onnxruntime.InferenceSession(paths[1], options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(paths[0])
            tokenizer.enable_padding()
            tokenizer.enable_truncation(MOST_TOKENS)
            self._running = session, tokenizer, [given.name for given in session.get_inputs()]
        return self._running

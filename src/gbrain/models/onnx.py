"""Sentence models in ONNX form, run on the processor by onnxruntime: the bundled one, and any folder that holds one.

A folder is laid out as sentence-transformers exports it: `tokenizer.json`, an `.onnx` file there or under `onnx/`, and,
where given, `1_Pooling/config.json`, `sentence_bert_config.json` and `config_sentence_transformers.json`.
"""

import json
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain.digests import sha256
from gbrain.models.embedder import EmbedFailed, unit_rows

if TYPE_CHECKING:
    from gbrain.arrays import Vectors

BATCH_TOKENS = 512
"""Padded tokens of one run: larger batches are slower on one core and take three times the memory."""
MOST_TOKENS = 256
MOST_CHARACTERS = 8_000
"""Characters of a text that the tokeniser is shown; what is cut at MOST_TOKENS ends long before."""
TOKENISED_AT_ONCE = 256

_FILES = ("model.int8pc.onnx", "model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_SAMPLE = 65_536


class Layout(NamedTuple):
    """How a model wants to be used: its files, the most tokens of a text, pooling, and what is put before a text."""

    model: str
    tokenizer: str
    tokens: int
    first_token: bool
    """Whether the vector is that of the first token; else it is the mean over all."""
    query: str
    passage: str


class OnnxEmbedder:
    """A model of a folder; loaded when it is first used, 0.2 s of processor time for the bundled one."""

    def __init__(self, folder: str, name: str = "", dimension: int = 0) -> None:
        self._folder = folder
        self._layout = layout(folder)
        self._name = name or f"onnx:{os.path.basename(os.path.normpath(folder))}@{fingerprint(self._layout)}"
        self._dimension = dimension
        self._running: _Running | None = None
        self._guard = threading.Lock()

    @property
    def name(self) -> str:
        """See Embedder.name: the folder's name, and a hash, so that another model put there is another name."""
        return self._name

    @property
    def dimension(self) -> int:
        """See Embedder.dimension."""
        return self._dimension

    @property
    def loaded(self) -> bool:
        """See Embedder.loaded."""
        return self._running is not None

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """See Embedder.passages."""
        return self._embed(self._layout.passage, texts)

    def queries(self, texts: Sequence[str]) -> "Vectors":
        """See Embedder.queries."""
        return self._embed(self._layout.query, texts)

    def tokens(self, texts: Sequence[str]) -> int:
        """How many tokens the model reads of these texts."""
        return sum(len(ids) for ids in self._run().tokenised([text[:MOST_CHARACTERS] for text in texts]))

    def _embed(self, prompt: str, texts: Sequence[str]) -> "Vectors":
        running = self._run()
        if not texts:
            return running.none(self._dimension)
        given = [prompt + text[:MOST_CHARACTERS] for text in texts]
        try:
            vectors = unit_rows(running.vectors(given), len(given), self._dimension)
        except EmbedFailed:
            raise
        except Exception as error:
            raise EmbedFailed("bad_model", f"the model in {self._folder} failed: {type(error).__name__}") from None
        # Known from the first answer on: an ONNX file need not say it.
        self._dimension = vectors.shape[1]
        return vectors

    def _run(self) -> "_Running":
        with self._guard:
            if self._running is None:
                self._running = _Running(self._layout, self._folder)
            return self._running


class _Running:
    """A loaded model: tokeniser and session."""

    def __init__(self, how: Layout, folder: str) -> None:
        # Read when the library is loaded; without it the tokeniser warns after every fork.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            # The arrays come first, since they set how many threads there are.
            from gbrain.arrays import np

            # A fifth of a second to load, and only a text that is to be embedded needs them.
            import onnxruntime  # isort: skip
            from tokenizers import Tokenizer  # isort: skip
        except ImportError as error:
            raise EmbedFailed("not_installed", f"the package {error.name or 'onnxruntime'} is not installed") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # It would write to stderr, which clients show as errors.
        options.log_severity_level = 4
        # A thread that waits by spinning would take from the processor what others need.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session: Any = onnxruntime.InferenceSession(how.model, options, providers=["CPUExecutionProvider"])
            self._tokenizer: Any = Tokenizer.from_file(how.tokenizer)
        except Exception as error:
            raise EmbedFailed("bad_model", f"the model in {folder} cannot be loaded: {type(error).__name__}") from None
        # Such files may fix both at other lengths, which pads every question and cuts long texts.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(how.tokens)
        self._wanted = [given.name for given in self._session.get_inputs()]
        outputs = [given.name for given in self._session.get_outputs()]
        self._output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
        self._first = how.first_token
        self._np: Any = np

    def tokenised(self, texts: Sequence[str]) -> list[list[int]]:
        """The token ids of each text."""
        found: list[list[int]] = []
        for start in range(0, len(texts), TOKENISED_AT_ONCE):
            some = list(texts[start : start + TOKENISED_AT_ONCE])
            found += [encoded.ids for encoded in self._tokenizer.encode_batch(some)]
        return found

    def vectors(self, texts: Sequence[str]) -> Any:
        """One pooled row a text, in their order; run in batches of texts of like length."""
        ids = self.tokenised(texts)
        # Texts of one length share a batch, which is padded to its longest.
        order = sorted(range(len(ids)), key=lambda place: -len(ids[place]))
        rows: list[Any] = [None] * len(ids)
        start = 0
        while start < len(order):
            most = max(1, BATCH_TOKENS // max(1, len(ids[order[start]])))
            places = order[start : start + most]
            for place, row in zip(places, self._pooled([ids[place] for place in places]), strict=True):
                rows[place] = row
            start += most
        return self._np.stack(rows)

    def none(self, dimension: int) -> "Vectors":
        """No rows of this many dimensions."""
        rows: Vectors = self._np.zeros((0, dimension), dtype=self._np.float32)
        return rows

    def _pooled(self, ids: Sequence[Sequence[int]]) -> Any:
        np = self._np
        tokens = np.zeros((len(ids), max(1, *map(len, ids))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, some in enumerate(ids):
            tokens[row, : len(some)] = some
            mask[row, : len(some)] = 1
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        # Some exports take no token types, and a surplus input is an error.
        given = {name: given[name] for name in self._wanted}
        found = self._session.run([self._output], given)[0]
        # The model has pooled already.
        if found.ndim == 2:
            return found
        if self._first:
            return found[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        return (found * weights).sum(axis=1) / weights.sum(axis=1)


def layout(folder: str) -> Layout:
    """How the model of a folder is used. Raises EmbedFailed when there is none."""
    tokenizer = os.path.join(folder, "tokenizer.json")
    model = next((path for name in _FILES if os.path.isfile(path := os.path.join(folder, name))), None)
    if model is None or not os.path.isfile(tokenizer):
        raise EmbedFailed("bad_model", f"{folder} holds no sentence model: tokenizer.json and model.onnx are needed")
    pooling = _said(folder, "1_Pooling/config.json")
    prompts = _said(folder, "config_sentence_transformers.json").get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    tokens = _said(folder, "sentence_bert_config.json").get("max_seq_length")
    return Layout(
        model,
        tokenizer,
        min(tokens, MOST_TOKENS) if isinstance(tokens, int) and tokens > 0 else MOST_TOKENS,
        pooling.get("pooling_mode_cls_token") is True,
        _prompt(prompts, "query"),
        _prompt(prompts, "passage", "document"),
    )


def fingerprint(how: Layout) -> str:
    """Eight hexadecimal digits that change with the model's files, by their sizes, beginnings and ends, and with how
    they want to be used: what is put before a text, the most tokens, the pooling."""
    seen = sha256(repr(how[2:]).encode())
    for path in (how.model, how.tokenizer):
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            seen.update(str(size).encode() + file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            seen.update(file.read(_SAMPLE))
    return seen.hexdigest()[:8]


def _said(folder: str, name: str) -> dict[str, Any]:
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            said = json.load(file)
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _prompt(prompts: dict[str, Any], *names: str) -> str:
    return next((prompts[name] for name in names if isinstance(prompts.get(name), str)), "")

"""The contract of everything that turns texts into vectors, and the one typed way in which it fails."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.arrays import Vectors

Reason = Literal[
    "no_provider",
    "off",
    "not_installed",
    "bad_model",
    "bad_settings",
    "no_key",
    "unreachable",
    "timeout",
    "rejected",
    "server_error",
    "bad_reply",
    "wrong_count",
    "wrong_dimension",
    "not_finite",
]
"""Why no vector could be had. The list is closed: replies and the doctor name one of these."""

_FIXES: dict[Reason, str] = {
    "no_provider": "run: pip install 'gbrain[vectors]' gbrain-minilm; texts are found by their words meanwhile",
    "off": "run: gbrain config unset embedding.provider",
    "not_installed": "run: pip install 'gbrain[vectors]', or: gbrain config unset embedding.provider",
    "bad_model": "name another one: gbrain config set embedding.model MODEL",
    "bad_settings": "look at them: gbrain config list",
    "no_key": "put the key into GBRAIN_EMBEDDING_KEY, or the file keys/GBRAIN_EMBEDDING_KEY of the home: gbrain doctor",
    "unreachable": "start the server that embedding.url names, then run: gbrain doctor",
    "timeout": "see whether the server that embedding.url names is busy, then run: gbrain doctor",
    "rejected": "check embedding.url and embedding.model: gbrain config list",
    "server_error": "look at the log of the server that embedding.url names, then run: gbrain doctor",
    "bad_reply": "check that embedding.url is an OpenAI-compatible address: gbrain config get embedding.url",
    "wrong_count": "check that embedding.url is an OpenAI-compatible address: gbrain config get embedding.url",
    "wrong_dimension": "check embedding.dimension and embedding.model: gbrain config list",
    "not_finite": "name another model: gbrain config set embedding.model MODEL",
}


class EmbedFailed(Unavailable):
    """No vectors: `reason` is one of the closed list, and the message holds no text that was to be embedded."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message, _FIXES[reason], detail={"reason": reason})
        self.reason: Reason = reason


class Embedder(Protocol):
    """A model that gives texts vectors, such that texts of like meaning get vectors of a high cosine."""

    @property
    def name(self) -> str:
        """What tells the model from every other: vectors of two names are never compared."""

    @property
    def dimension(self) -> int:
        """The length of its vectors; 0 while nobody knows it yet."""

    @property
    def loaded(self) -> bool:
        """Whether a text can be embedded at once, without loading anything large first."""

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """The vectors of texts that are to be found, float32, one a row, each of length 1. Raises EmbedFailed."""

    def queries(self, texts: Sequence[str]) -> "Vectors":
        """The vectors of questions, as `passages`. Somebody waits, so it gives up soon. Raises EmbedFailed."""


def unit_rows(rows: Any, count: int, dimension: int) -> "Vectors":
    """What a model gave, as float32 rows of length 1.

    Raises EmbedFailed for another number of rows than `count`, another length than `dimension` (0: any), and for
    values that are no finite numbers or all zero.
    """
    # Vectors are at hand, so numpy is loaded or about to be.
    from gbrain.arrays import np

    try:
        found = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise EmbedFailed("bad_reply", "the embedding model gave no rows of equal length") from None
    if found.ndim != 2 or found.shape[0] != count:
        given = found.shape[0] if found.ndim else 0
        raise EmbedFailed("wrong_count", f"the embedding model gave {given} vectors for {count} texts")
    if not found.shape[1] or (dimension and found.shape[1] != dimension):
        raise EmbedFailed("wrong_dimension", f"the embedding model gave {found.shape[1]} dimensions, not {dimension}")
    lengths = np.sqrt(np.einsum("ij,ij->i", found, found, dtype=np.float64))
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise EmbedFailed("not_finite", "the embedding model gave a vector that has no direction")
    made: Vectors = (found / lengths[:, None]).astype(np.float32)
    return made

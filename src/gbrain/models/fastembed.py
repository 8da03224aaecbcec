"""Models of the fastembed catalogue, by name; the package fetches a model when it is first used."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gbrain.models.embedder import EmbedFailed, unit_rows

if TYPE_CHECKING:
    from gbrain.arrays import Vectors


class FastembedEmbedder:
    """A model of fastembed, such as `intfloat/multilingual-e5-large`."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._running: Any = None
        self._dimension = 0

    @property
    def name(self) -> str:
        """See Embedder.name."""
        return f"fastembed:{self._model}"

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
        return self._rows("passage_embed", texts)

    def queries(self, texts: Sequence[str]) -> "Vectors":
        """See Embedder.queries."""
        return self._rows("query_embed", texts)

    def _rows(self, method: str, texts: Sequence[str]) -> "Vectors":
        try:
            if self._running is None:
                # As the package is optional, and takes seconds to load.
                from fastembed import TextEmbedding

                self._running = TextEmbedding(self._model, threads=1)
            found = list(getattr(self._running, method)(list(texts)))
        except ImportError:
            raise EmbedFailed("not_installed", "the package fastembed is not installed") from None
        except Exception as error:
            kind = type(error).__name__
            raise EmbedFailed("bad_model", f"fastembed cannot run {self._model[:80]!r}: {kind}") from None
        vectors = unit_rows(found, len(texts), self._dimension)
        self._dimension = vectors.shape[1]
        return vectors

"""Makes `words.npy` from the model: a short vector for each English word that its tokeniser holds as a whole.

    python packages/gbrain-minilm/make_words.py

Each word is read alone; what all words have in common is taken away; the words of one stem are one row, its commoner
forms (which the tokeniser numbers lower) counting more; the 64 directions in which the words differ most are kept, one
byte each. A row is a stem's digest, as indexes hold it, and its vector; rows stand in the order of the digests. To be
run again when the model or the stemming of English changes.
"""

import json
import os
import re
from collections import defaultdict

from gbrain.arrays import NDArray, np
from gbrain.domain.ranking.words import digest
from gbrain.models.kindred import DIMENSIONS, FILE, ROW
from gbrain.models.onnx import OnnxEmbedder
from gbrain.store.terms import index_terms

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src", "gbrain_minilm")


def words() -> list[str]:
    """The whole English words of the tokeniser, the commonest first."""
    with open(os.path.join(FOLDER, "tokenizer.json"), encoding="utf-8") as file:
        numbered: dict[str, int] = json.load(file)["model"]["vocab"]
    return [word for word in sorted(numbered, key=lambda word: numbered[word]) if re.fullmatch("[a-z]{2,}", word)]


def made(chosen: list[str]) -> "NDArray[np.void]":
    """The rows for these words."""
    read = OnnxEmbedder(FOLDER).passages(chosen)
    read = _of_length_one(read - read.mean(axis=0))
    forms: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(chosen):
        forms[index_terms(word)].append(place)
    whole = np.stack([sum(read[place] / (1 + rank) for rank, place in enumerate(own)) for own in forms.values()])
    whole = _of_length_one(whole)
    directions = np.linalg.svd(whole, full_matrices=False)[2][:DIMENSIONS]
    short = _of_length_one(whole @ directions.T)
    rows = np.zeros(len(forms), ROW)
    rows["digest"] = [digest(stem) for stem in forms]
    rows["vector"] = np.round(short * 127 / np.abs(short).max(axis=1, keepdims=True))
    rows = rows[np.argsort(rows["digest"], kind="stable")]
    kept: NDArray[np.void] = rows[np.concatenate(([True], rows["digest"][1:] != rows["digest"][:-1]))]
    return kept


def _of_length_one(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    found: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


if __name__ == "__main__":
    table = made(words())
    np.save(os.path.join(FOLDER, FILE), table)
    print(f"{len(table)} words of {DIMENSIONS} bytes: {table.nbytes / 1e6:.1f} MB")

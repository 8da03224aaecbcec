"""The bundled model, and folders that hold one."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from gbrain.models.choice import BUNDLED, bundled
from gbrain.models.embedder import EmbedFailed
from gbrain.models.onnx import MOST_TOKENS, OnnxEmbedder, fingerprint, layout

FOLDER = Path(__import__("gbrain_minilm").__file__).parent


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    found = bundled()
    assert isinstance(found, OnnxEmbedder)
    return found


class TestBundled:
    def test_like_meanings_are_near(self, embedder: OnnxEmbedder) -> None:
        rows = embedder.passages(
            ["She prefers green tea.", "Green tea is what she likes best.", "The tax return is due."]
        )
        assert rows.shape == (3, embedder.dimension) == (3, 384)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1)
        cosines = rows @ rows.T
        assert cosines[0, 1] > 0.8 > 0.3 > cosines[0, 2]

    def test_what_shares_a_batch_changes_little(self, embedder: OnnxEmbedder) -> None:
        texts = ["short", "a text that is a good deal longer than the first " * 9, "tea", "middle sized text here"]
        together = embedder.passages(texts)
        alone = np.concatenate([embedder.passages([text]) for text in texts])
        assert (np.einsum("ij,ij->i", together, alone) > 0.95).all()

    def test_long_text_counts_to_the_last_token_that_fits(self, embedder: OnnxEmbedder) -> None:
        beyond = "word " * (MOST_TOKENS * 2)
        assert embedder.tokens([beyond]) == MOST_TOKENS
        # The file says 128 for both; a text of 200 tokens is neither cut there nor padded.
        first, then = "harbour " * 120, "harbour " * 120 + "budget " * 100
        assert embedder.tokens([first, "harbour"]) == 122 + 3
        assert float(embedder.passages([first])[0] @ embedder.passages([then])[0]) < 0.99

    @pytest.mark.parametrize("text", ["", " ", "\x00\x01", "\n" * 500, "?!" * 5_000, "a" * 100_000, "e\u0301" * 300])
    def test_no_text_can_make_it_fail(self, embedder: OnnxEmbedder, text: str) -> None:
        assert np.isfinite(embedder.queries([text])).all()

    def test_no_texts(self, embedder: OnnxEmbedder) -> None:
        assert embedder.passages([]).shape[0] == 0

    def test_its_name_stands_for_the_model(self, embedder: OnnxEmbedder) -> None:
        assert embedder.name == BUNDLED


class TestFolder:
    def test_a_folder_is_named_by_what_is_in_it(self, tmp_path: Path) -> None:
        for name in ("model.int8pc.onnx", "tokenizer.json"):
            shutil.copy(FOLDER / name, tmp_path / name)
        first = OnnxEmbedder(str(tmp_path))
        assert first.name == f"onnx:{tmp_path.name}@{fingerprint(layout(str(tmp_path)))}"
        assert not first.loaded
        with open(tmp_path / "tokenizer.json", "a") as file:
            file.write("\n")
        assert OnnxEmbedder(str(tmp_path)).name != first.name
        assert first.queries(["tea"]).shape == (1, 384)
        assert first.loaded
        assert first.dimension == 384

    def test_what_the_folder_says_of_itself_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "onnx").mkdir()
        shutil.copy(FOLDER / "model.int8pc.onnx", tmp_path / "onnx/model.onnx")
        shutil.copy(FOLDER / "tokenizer.json", tmp_path)
        plain = OnnxEmbedder(str(tmp_path)).queries(["green tea"])[0]
        (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 12}))
        (tmp_path / "1_Pooling").mkdir()
        (tmp_path / "1_Pooling/config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
        prompts = {"query": "query: ", "passage": "passage: "}
        (tmp_path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
        how = layout(str(tmp_path))
        assert (how.tokens, how.first_token, how.query, how.passage) == (12, True, "query: ", "passage: ")
        told = OnnxEmbedder(str(tmp_path))
        assert told.tokens(["word " * 50]) == 12
        assert float(told.queries(["green tea"])[0] @ told.passages(["green tea"])[0]) < 0.999
        assert float(told.queries(["green tea"])[0] @ plain) < 0.999

    @pytest.mark.parametrize("said", ["", "[]", "{", '{"max_seq_length": "many", "prompts": 7}', "\x00"])
    def test_nonsense_beside_a_model_is_not_followed(self, tmp_path: Path, said: str) -> None:
        (tmp_path / "model.onnx").touch()
        (tmp_path / "tokenizer.json").touch()
        for name in ("sentence_bert_config.json", "config_sentence_transformers.json"):
            (tmp_path / name).write_text(said)
        assert layout(str(tmp_path))[2:] == (MOST_TOKENS, False, "", "")

    def test_an_empty_folder_is_no_model(self, tmp_path: Path) -> None:
        with pytest.raises(EmbedFailed) as failed:
            OnnxEmbedder(str(tmp_path))
        assert failed.value.reason == "bad_model"

    def test_files_that_are_no_model(self, tmp_path: Path) -> None:
        (tmp_path / "model.onnx").write_bytes(b"nonsense")
        (tmp_path / "tokenizer.json").write_text("{}")
        with pytest.raises(EmbedFailed) as failed:
            OnnxEmbedder(str(tmp_path)).queries(["a"])
        assert failed.value.reason == "bad_model"

"""Language models as settings: what cannot be asked is refused when it is set."""

import pytest

from gbrain.errors import InvalidParams
from unit.ops.conftest import Asker


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("models.default", "gpt-5"),
        ("models.default", "nobody:gpt-5"),
        ("models.compose", "endpoint:qwen3"),
        ("models.default", "openai:gpt-5 key=sk-1234"),
        ("models.default", "openai:gpt-5 then nobody:x"),
        ("models.rerank", "openai:gpt-5"),
        ("facts.extraction_model", "openai:"),
        ("models.seconds", "0"),
        ("models.seconds", "121"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_when_it_is_set(local: Asker, key: str, value: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        local("config_set", key=key, value=value)
    assert "gbrain " in refused.value.suggestion
    assert local("config_get", key=key)["value"] in ("", "60")


def test_models_may_be_set_by_hand_and_let_go(local: Asker) -> None:
    value = "openai:gpt-5-mini then ollama:qwen3"
    assert local("config_set", key="models.default", value=value)["value"] == value
    assert local("config_set", key="models.rerank", value="onnx:/models/r")["value"] == "onnx:/models/r"
    assert local("config_set", key="models.default", value="")["value"] == ""
    listed = local("models_list")
    assert "jina" in listed["rerankers"]
    assert "jina" not in listed["providers"]

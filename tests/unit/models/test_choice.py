"""Which embedder the settings mean, and where a key may come from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gbrain.models.choice import BUNDLED, ENV_KEY, ENV_PROVIDER, embedder, key, provider
from gbrain.models.embedder import EmbedFailed
from gbrain.settings import Settings


@pytest.fixture(autouse=True)
def _as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENV_PROVIDER)


def chosen(home: Path, **stored: str) -> str:
    values = {f"embedding.{name}": value for name, value in stored.items()}
    return embedder(Settings(values.get), str(home)).name


def refused(home: Path, **stored: str) -> str:
    with pytest.raises(EmbedFailed) as failed:
        chosen(home, **stored)
    return failed.value.reason


def test_nothing_set_means_the_bundled_model(tmp_path: Path) -> None:
    assert chosen(tmp_path) == BUNDLED


def test_off_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(tmp_path, provider="off") == "off"
    monkeypatch.setenv(ENV_PROVIDER, "off")
    assert provider(Settings({}.get)) == "off"
    assert refused(tmp_path, provider="auto") == "off"
    monkeypatch.setenv(ENV_PROVIDER, "nonsense")
    assert refused(tmp_path) == "bad_settings"


def test_an_endpoint_is_asked_as_it_was_set(tmp_path: Path) -> None:
    url = "http://127.0.0.1:1/v1"
    assert chosen(tmp_path, provider="endpoint", model="m", url=url) == "endpoint:m@127.0.0.1"
    assert chosen(tmp_path, provider="endpoint", model="m", url=url, dimension="64") == "endpoint:m@127.0.0.1#64"
    assert refused(tmp_path, provider="endpoint", model="m") == "bad_settings"
    assert refused(tmp_path, provider="endpoint", url=url) == "bad_settings"


def test_a_folder_is_absolute_and_holds_a_model(tmp_path: Path) -> None:
    assert refused(tmp_path, provider="onnx") == "bad_settings"
    assert refused(tmp_path, provider="onnx", model="models/here") == "bad_settings"
    assert refused(tmp_path, provider="onnx", model=str(tmp_path)) == "bad_model"


def test_fastembed_is_asked_for_by_name(tmp_path: Path) -> None:
    assert refused(tmp_path, provider="fastembed") == "bad_settings"
    found = embedder(Settings({"embedding.provider": "fastembed", "embedding.model": "x/y"}.get), str(tmp_path))
    assert (found.name, found.dimension, found.loaded) == ("fastembed:x/y", 0, False)
    with pytest.raises(EmbedFailed) as failed:
        found.queries(["a"])
    assert failed.value.reason == "not_installed"


def test_without_the_bundled_package_there_is_no_provider(tmp_path: Path) -> None:
    hidden = f"""
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in sys.argv[1:]:
            raise ModuleNotFoundError(name=name)
for name in sys.argv[1:]:
    sys.modules[name] = None
from gbrain.models.choice import embedder
from gbrain.models.embedder import EmbedFailed
from gbrain.settings import Settings
try:
    embedder(Settings({{}}.get), {str(tmp_path)!r})
except EmbedFailed as failed:
    print(failed.reason, "gbrain-minilm" in failed.suggestion)
"""
    for name in ("gbrain_minilm", "onnxruntime", "tokenizers"):
        ran = subprocess.run([sys.executable, "-c", hidden, name], capture_output=True, text=True, check=True)
        assert ran.stdout.split() == ["no_provider", "True"], (name, ran)


def test_the_key_comes_from_the_environment_or_a_file_of_the_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert key(str(tmp_path)) is None
    file = tmp_path / "keys" / ENV_KEY
    file.parent.mkdir()
    file.write_text("from-file\n")
    os.chmod(file, 0o644)
    with pytest.raises(EmbedFailed) as failed:
        key(str(tmp_path))
    assert failed.value.reason == "no_key"
    assert "from-file" not in failed.value.message
    os.chmod(file, 0o600)
    assert key(str(tmp_path)) == "from-file"
    monkeypatch.setenv(ENV_KEY, " from-environment ")
    assert key(str(tmp_path)) == "from-environment"
    monkeypatch.delenv(ENV_KEY)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(EmbedFailed) as failed:
        key(str(tmp_path))
    assert failed.value.reason == "no_key"

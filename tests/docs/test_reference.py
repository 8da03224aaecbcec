"""The reference pages: in step with the code, and nothing left out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gbrain import catalogue
from gbrain.entry import docs
from gbrain.entry.cli import reference
from gbrain.registry import load_all
from gbrain.settings import SETTINGS

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / f"{name}.md").read_text(encoding="utf-8")


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_everything_generated_is_in_step() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "gbrain.entry.docs", "--check"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_the_catalogue_names_every_module_that_declares() -> None:
    broken: list[str] = []
    assert [item.name for item in docs.declared(broken)] == list(catalogue.OPERATIONS)
    assert broken == []


def test_every_operation_is_documented() -> None:
    found = sections(page("operations"))
    for operation in load_all():
        text = found[operation.name]
        assert operation.summary in text
        missing = [param.name for param in operation.params if f"| `{param.name}` |" not in text]
        assert missing == [], operation.name
        assert all(param.doc for param in operation.params), operation.name


def test_every_command_is_documented() -> None:
    found = sections(page("cli"))
    for path, command, _ in reference.commands():
        options = [name for param in command.params if not getattr(param, "hidden", False) for name in param.opts]
        missing = [name for name in options if name.startswith("--") and name not in found[path]]
        assert missing == [], path


def test_every_setting_is_documented() -> None:
    found = sections(page("settings"))
    for setting in SETTINGS:
        assert setting.doc in found[setting.key]
        assert all(f"`{choice}`" in found[setting.key] for choice in setting.choices)


def test_every_error_is_documented() -> None:
    text = page("errors")
    for error in docs.error_classes():
        assert f"| `{error.code}` | {error.exit_code} | {error.http_status} |" in text


def test_the_pages_link_to_pages_that_exist() -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (path.parent / target).exists(), (path, target)


@pytest.mark.parametrize(
    ("text", "first"), [("One. Two.", "One"), ("One", "One"), ("Version 1.2 is out.", "Version 1.2 is out")]
)
def test_first_sentence(text: str, first: str) -> None:
    assert docs.first_sentence(text) == first

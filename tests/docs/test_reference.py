"""The reference pages: in step with the code, and nothing left out."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gbrain import catalogue
from gbrain.entry import docs, mcp, reasons
from gbrain.entry.cli import reference
from gbrain.entry.http import replies
from gbrain.models import named
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


@pytest.mark.guard
def test_the_catalogue_names_every_module_that_declares() -> None:
    broken: list[str] = []
    assert [item.name for item in docs.declared(broken)] == list(catalogue.OPERATIONS)
    assert broken == []


@pytest.mark.guard
def test_every_operation_is_documented() -> None:
    found = sections(page("operations"))
    for operation in load_all():
        text = found[operation.name]
        assert operation.summary in text
        missing = [param.name for param in operation.params if f"| `{param.name}` |" not in text]
        assert missing == [], operation.name
        assert all(param.doc for param in operation.params), f"{operation.name}: `Param(...)` says what each is"


@pytest.mark.guard
def test_every_command_is_documented() -> None:
    found = sections(page("cli"))
    for path, command, _ in reference.commands():
        options = [name for param in command.params if not getattr(param, "hidden", False) for name in param.opts]
        missing = [name for name in options if name.startswith("--") and name not in found[path]]
        assert missing == [], path


@pytest.mark.guard
def test_every_setting_is_documented() -> None:
    found = sections(page("settings"))
    for setting in SETTINGS:
        assert setting.doc in found[setting.key]
        assert all(f"`{choice}`" in found[setting.key] for choice in setting.choices)


@pytest.mark.guard
def test_every_error_is_documented() -> None:
    text = page("errors")
    for error in docs.error_classes():
        assert f"| `{error.code}` | {error.exit_code} | {error.http_status} |" in text


def details_and_warnings() -> tuple[set[str], set[str]]:
    """The reasons that errors carry and the codes of warnings, as they stand in the source."""
    reasons_found, codes = set(), set()
    for path in (ROOT / "src" / "gbrain").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = assigned(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr == "warn" and node.args:
                codes |= words_of(node.args[0])
            for given in (keyword.value for keyword in node.keywords if keyword.arg == "detail"):
                if isinstance(given, ast.Constant):
                    reasons_found |= words_of(given)
                elif isinstance(given, ast.Dict):
                    for key, value in zip(given.keys, given.values, strict=True):
                        if isinstance(key, ast.Constant) and key.value == "reason":
                            reasons_found |= words_of(value) | named.get(ast.unparse(value), set())
    return reasons_found, codes


def assigned(tree: ast.Module) -> dict[str, set[str]]:
    """The words that are put into each name of a module, several at once too."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=True) if both else [(target, node.value)]
                for name, value in pairs:
                    found.setdefault(ast.unparse(name), set()).update(words_of(value))
    return found


def words_of(node: ast.expr) -> set[str]:
    """The words a value may be: itself, or both ends of a choice."""
    if isinstance(node, ast.IfExp):
        return words_of(node.body) | words_of(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


@pytest.mark.guard
def test_every_reason_and_warning_is_documented_and_no_other() -> None:
    found, codes = details_and_warnings()
    assert (len(found) > 60, len(codes) > 20) == (True, True)
    where = "a row in src/gbrain/entry/reasons.py for each that the code has, and for no other"
    assert found ^ reasons.REASONS.keys() == set(), f"REASONS: {where}"
    assert codes ^ reasons.WARNINGS.keys() == set(), f"WARNINGS: {where}"
    text = page("errors")
    for word in (*found, *codes, *reasons.RPC):
        assert f"| `{word}` | " in text


@pytest.mark.guard
def test_every_error_of_the_protocol_is_documented() -> None:
    used = {
        value
        for module in (mcp, replies)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int) and -33_000 < value <= -32_000
    }
    assert used == reasons.RPC.keys(), "RPC of src/gbrain/entry/reasons.py"


@pytest.mark.guard
def test_every_variable_of_the_environment_is_documented_and_no_other() -> None:
    """Those that gbrain reads, by name: its own, those of providers and of agents."""
    sources = [*(ROOT / "src" / "gbrain").rglob("*.py"), *(ROOT / "src" / "gbrain").rglob("*.js")]
    texts = [path.read_text(encoding="utf-8") for path in sources]
    own = {name for text in texts for name in re.findall(r"\b(_?GBRAIN_[A-Z_]*[A-Z])\b", text)}
    keys = {provider.variable for provider in (*named.PROVIDERS.values(), *named.RERANKERS.values())} - {""}
    documented = set(re.findall(r"^\| `(\w+)` \|", page("environment"), re.MULTILINE))
    where = "docs/reference/environment.md"
    assert (own | keys) - documented == set(), f"add a row to a table of {where} for each"
    assert [name for name in documented if not any(name in text for text in texts)] == [], f"not read: {where}"


@pytest.mark.parametrize(
    ("text", "first"), [("One. Two.", "One"), ("One", "One"), ("Version 1.2 is out.", "Version 1.2 is out")]
)
def test_first_sentence(text: str, first: str) -> None:
    assert docs.first_sentence(text) == first

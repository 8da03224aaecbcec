"""What is generated: the catalogue, the reference pages, the bill of materials. Run it with `make docs`.

`python -m gbrain.entry.docs --check` writes nothing and fails, naming every file that is out of step.
"""

import json
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gbrain import catalogue, errors, registry
from gbrain.entry import architecture, contents, mcp, methods, pinned, reasons, sbom
from gbrain.registry import Operation
from gbrain.schema import ParamSpec
from gbrain.settings import SETTINGS
from gbrain.types import SURFACES, Caller, Entry

DECLARING = ("gbrain.ops", "gbrain.ambient", "gbrain.doctor")
"""The packages whose modules declare operations."""

VERBS = ("remember", "entity", "synthesize", "forget", "recall", "context_pack", "delta")
"""The verbs in the order of their contract."""

WIRING = "docs/how-to/wire-an-agent.md"
SURFACE = {
    "verbs": ("`verbs`", "the seven memory verbs"),
    "starter": ("`starter`", "also pages, search, answers, links, timeline, sources"),
    "full": ("`full` (the default)", "everything"),
}
"""How `WIRING` calls each surface, and what it says that is in it."""

GENERATED = "Generated from the code by `make docs`; edits here are lost."

_CATALOGUE_HEAD = '''# ruff: noqa: E501
"""Every operation and where it lives, so that nothing is imported early. Generated: run `make docs`."""

from gbrain.types import Entry

'''


def declared(broken: list[str]) -> list[Operation]:
    """Every operation there is: verbs in contract order, then by surface and name.

    Reads the modules themselves, not the catalogue, which may be old. Those that fail are named in `broken`.
    """
    for package in DECLARING:
        if find_spec(package) is None:
            continue
        # The catalogue is made from what these modules declare, so each has to be run.
        folder = import_module(package).__path__
        for module in pkgutil.iter_modules(folder, package + "."):
            try:
                # As above.
                import_module(module.name)
            except Exception as error:
                broken.append(f"{module.name} does not import: {type(error).__name__}: {error}")
    found = [item for item in registry.OPERATIONS.values() if item.function.__module__.startswith("gbrain.")]
    return sorted(found, key=_rank)


def _rank(operation: Operation) -> tuple[int, int, str]:
    place = VERBS.index(operation.name) if operation.name in VERBS else len(VERBS)
    return SURFACES.index(operation.surface), place, operation.name


def catalogue_text(operations: list[Operation]) -> str:
    """The source of `gbrain/catalogue.py`, as the formatter would leave it."""
    if not operations:
        return _CATALOGUE_HEAD + "OPERATIONS: dict[str, Entry] = {}\n"
    lines = ["OPERATIONS: dict[str, Entry] = {"]
    for item in operations:
        lines.append(f"    {_quoted(item.name)}: Entry(")
        *said, near = entry_of(item)
        lines += [f"        {_literal(value)}," for value in said]
        lines += ["        near=True,"] if near else []
        lines.append("    ),")
    return _CATALOGUE_HEAD + "\n".join([*lines, "}", ""])


def entry_of(operation: Operation) -> Entry:
    """What the catalogue says of one operation."""
    return Entry(
        operation.function.__module__,
        operation.surface,
        operation.scope,
        operation.local_only,
        operation.cli,
        operation.positional,
        first_sentence(operation.summary),
        operation.fenced,
        operation.near,
    )


def first_sentence(text: str) -> str:
    """The first sentence of a summary, without its full stop."""
    end = text.find(". ")
    return (text if end < 0 else text[:end]).removesuffix(".")


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        inner = ", ".join(_quoted(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    mark = "'" if text.count('"') > text.count("'") else '"'
    return mark + text.replace("\\", "\\\\").replace(mark, "\\" + mark) + mark


def operations_page(operations: list[Operation]) -> str:
    """`docs/reference/operations.md`."""
    lines = [
        "# Operations",
        "",
        GENERATED,
        "",
        "An operation is one thing that can be asked of a brain. It is a tool over MCP, a method of `Brain` in",
        "Python and, where it has one, a command. The surfaces are a ladder: `verbs` is part of `starter`, which is",
        "part of `full`.",
        "",
        "| operation | surface | scope | command | what it does |",
        "|---|---|---|---|---|",
    ]
    for item in operations:
        words = item.cli or (item.name.replace("_", " ") if item.name.startswith("config_") else None)
        command = f"`gbrain {words}`" if words else "–"
        link = f"[`{item.name}`](#{item.name})"
        lines.append(f"| {link} | {item.surface} | {item.scope} | {command} | {_cell(first_sentence(item.summary))} |")
    for item in operations:
        lines += ["", *_operation_section(item)]
    return "\n".join(lines) + "\n"


def _operation_section(item: Operation) -> list[str]:
    hints = [name for name in ("destructive", "idempotent", "expensive") if getattr(item, name)]
    facts = [f"surface `{item.surface}`", f"scope `{item.scope}`", *hints]
    if item.local_only:
        facts.append("only on this machine, never over HTTP" if item.near else "only on this machine, never over MCP")
    lines = [f"## {item.name}", "", f"{item.title}: {', '.join(facts)}.", "", item.summary]
    if item.details:
        lines += ["", item.details]
    if item.params:
        lines += ["", "| parameter | type | | meaning |", "|---|---|---|---|"]
        lines += [_param_row(param) for param in item.params]
    fields = _reply_fields(item)
    if fields:
        lines += ["", "Reply: " + ", ".join(fields) + "."]
    if item.examples:
        lines += ["", "```sh", *item.examples, "```"]
    return lines


def _param_row(param: ParamSpec) -> str:
    need = "required" if param.required else "" if param.default is None else f"default `{_json(param.default)}`"
    notes = [param.doc] if param.doc else []
    if param.choices:
        notes.append("One of " + ", ".join(f"`{choice}`" for choice in param.choices) + ".")
    notes += bounds_of(param)
    kind = "array of string" if param.kind == "array" else param.kind
    return f"| `{param.name}` | {kind} | {need} | {_cell(' '.join(notes))} |"


def bounds_of(param: ParamSpec) -> list[str]:
    """The bounds of a parameter as sentences."""
    low, high = param.minimum, param.maximum
    notes = []
    if param.max_length is not None:
        notes.append(f"At most {param.max_length:,} characters.")
    if low is not None and high is not None:
        notes.append(f"From {low:g} to {high:g}.")
    elif low is not None:
        notes.append(f"At least {low:g}.")
    elif high is not None:
        notes.append(f"At most {high:g}.")
    return notes


def _json(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reply_fields(item: Operation) -> list[str]:
    schema = item.output_schema()
    wrapped = schema.get("properties", {})
    required = schema.get("required", [])
    return [f"`{name}`" + ("" if name in required else "?") for name in wrapped]


def settings_page() -> str:
    """`docs/reference/settings.md`."""
    lines = [
        "# Settings",
        "",
        GENERATED,
        "",
        "A setting belongs to one brain and is read at every call, so that a change holds for servers that run.",
        "",
        "```sh",
        "gbrain config list",
        f"gbrain config set {SETTINGS[0].key} {SETTINGS[0].choices[0]}",
        f"gbrain config get {SETTINGS[0].key}",
        f"gbrain config unset {SETTINGS[0].key}",
        "```",
    ]
    for setting in SETTINGS:
        form, _, example = setting.form.partition(": ")
        values = ", ".join(f"`{choice}`" for choice in setting.choices) or f"{form}, such as `{example}`"
        default = f"`{setting.default}`" if setting.default else "none"
        lines += [
            "",
            f"## {setting.key}",
            "",
            setting.doc,
            "",
            f"Values: {values}. Default: {default}.",
        ]
    return "\n".join(lines) + "\n"


def error_classes(base: type[errors.BrainError] = errors.BrainError) -> Iterator[type[errors.BrainError]]:
    """Every class of the error tree below `base`, parents before their children."""
    for child in base.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from error_classes(child)


def errors_page() -> str:
    """`docs/reference/errors.md`."""
    lines = [
        "# Errors",
        "",
        GENERATED,
        "",
        "Every error says what is wrong and what to do about it. The command line prints both to stderr and ends",
        "with the exit code; with `--json` the same error is one object on stdout, as it is over MCP:",
        "",
        "```json",
        '{"error": "not_found", "message": "...", "suggestion": "run: gbrain ...", "detail": {}}',
        "```",
        "",
        "| code | exit code | HTTP status | meaning |",
        "|---|---|---|---|",
    ]
    for item in error_classes():
        meaning = first_sentence((item.__doc__ or "").split("\n")[0])
        lines.append(f"| `{item.code}` | {item.exit_code} | {item.http_status} | {_cell(meaning)} |")
    lines += [
        "",
        "0 is success; 130 is an interrupt from the keyboard, 141 a reader that closed the pipe early.",
    ]
    for heading, intro, words in (
        ("Reasons", "`detail.reason`, or `detail` itself where it is one word, says which of its kind an error is.",
         reasons.REASONS),
        ("Warnings", "What a call did beside what was asked stands in the list `_meta.warnings` over MCP, each with a"
         " `code` and a `message`; on the command line behind `note:`.", reasons.WARNINGS),
        ("Errors of the protocol", "A message that is no call of a tool is answered by an error of JSON-RPC.",
         reasons.RPC),
    ):  # fmt: skip
        lines += ["", f"## {heading}", "", intro, "", "| | meaning |", "|---|---|"]
        lines += [f"| `{word}` | {_cell(meaning)} |" for word, meaning in words.items()]
    return "\n".join(lines) + "\n"


def tools_text(operations: list[Operation]) -> str:
    """Every tool as `tools/list` tells it, a line each, by its name."""
    lines = [f"{json.dumps(item.name)}: {json.dumps(mcp.tool(item), ensure_ascii=False)}" for item in operations]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def surfaces(former: str) -> list[str]:
    """A table of what the tools of each surface take; `former` is the page: its sizes stay while about right."""
    lines = [
        "| surface | tools | what it has | answer to `tools/list` | of it names, descriptions and input schemas |",
        "|---|---|---|---|---|",
    ]
    for surface in SURFACES:
        name, holds = SURFACE[surface]
        tools = [mcp.tool(operation) for operation in registry.visible(Caller.stdio(surface))]
        read = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
        found = re.search(rf"^\| `{surface}`.*\| (\d+) kB \| (\d+) kB \|$", former, re.M)
        told = []
        for written, part in zip(found.groups() if found else ("0", "0"), (tools, read), strict=True):
            size = len(json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()) / 1000
            told.append(int(written) if architecture.steady(int(written), size) else round(size))
        lines.append(f"| {name} | {len(tools)} | {holds} | {told[0]} kB | {told[1]} kB |")
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def pages(root: str, broken: list[str]) -> Iterator[tuple[str, str]]:
    """(path below the project's `root`, text) of everything that is generated; what fails is named in `broken`."""
    operations = declared(broken)
    yield "src/gbrain/catalogue.py", catalogue_text(operations)
    # The pages below read the catalogue, which is only now up to date.
    catalogue.OPERATIONS.clear()
    catalogue.OPERATIONS.update({item.name: entry_of(item) for item in operations})
    yield "src/gbrain/entry/tools.json", tools_text(operations)
    yield methods.FILE, methods.stub(operations)
    yield "docs/reference/operations.md", operations_page(operations)
    yield "docs/reference/settings.md", settings_page()
    yield "docs/reference/errors.md", errors_page()
    yield "docs/reference/conformance.md", pinned.page(root)
    yield sbom.FILE, sbom.bill(root)
    for path, module, name in (
        ("docs/reference/cli.md", "gbrain.entry.cli.reference", "cli_page"),
        ("docs/protocol/memory-verbs-v1.md", "gbrain.entry.protocol", "markdown"),
    ):
        try:
            # These two load click and call the verbs, and need the catalogue made above.
            page: Callable[[], str] = getattr(import_module(module), name)
            yield path, page().rstrip("\n") + "\n"
        except Exception as error:
            broken.append(f"{path} cannot be made: {type(error).__name__}: {error}")
    yield contents.FILE, contents.text(root)
    wiring = _read(os.path.join(root, WIRING)) or ""
    yield WIRING, architecture.filled(wiring, {"surfaces": surfaces(wiring)}, WIRING)
    try:
        yield architecture.PAGE, architecture.page(root, _read(os.path.join(root, architecture.PAGE)) or "")
    except Exception as error:
        broken.append(f"{architecture.PAGE} cannot be made: {type(error).__name__}: {error}")


def main(arguments: list[str] | None = None) -> int:
    """Write what is out of step; with `--check` only name it and return 1. With anything broken nothing is written."""
    check = "--check" in (sys.argv[1:] if arguments is None else arguments)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    # The scratch brains of some pages would take on what is set for somebody's own.
    for name in [name for name in os.environ if name.startswith("GBRAIN_")]:
        del os.environ[name]
    broken: list[str] = []
    stale = 0
    made = list(pages(root, broken))
    for path, text in () if broken else made:
        full = os.path.join(root, path)
        if _read(full) == text:
            continue
        stale += 1
        print(f"out of step: {path} (run: make docs)" if check else f"wrote {path}")
        if not check:
            _replace(full, text)
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken or (check and stale) else 0


def _replace(path: str, text: str) -> None:
    """Write a file at once: another process may be importing it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(path + ".new", path)


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except OSError:
        return None


if __name__ == "__main__":
    sys.exit(main())

"""The rules of the source tree: each a function from source text to the lines that break it.

The layers themselves are import-linter's contract in pyproject.toml; here are the rules it cannot see.
`test_rule_catches` feeds every rule a text that breaks it and one that does not, so none can go blind.
"""

import ast
import functools
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.guard

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
TESTS = ROOT / "tests"
LONGEST_FILE = 500
LONGEST_FUNCTION = 60
MOST_COMMENT = 0.10

Rule = Callable[[str], list[str]]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


# What the rules read


parse = functools.cache(ast.parse)
"""The tree of a source text; ten rules read every file."""


@functools.cache
def comments(source: str) -> dict[int, str]:
    """Line number to comment text, without those that only speak to a tool."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = re.sub(r"#\s*(noqa|type:\s*ignore|fmt:|pragma:)[^#]*", "", token.string).strip("# \t")
            if text:
                found[token.start[0]] = text
    return found


def docstring_nodes(tree: ast.Module) -> list[ast.Constant]:
    """Every string that stands alone as a statement: docstrings, and the notes under attributes."""
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def imported(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of every import below `tree`, which stands in package `module`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: len(module.split(".")) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{start}.{alias.name}") for alias in node.names)


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


# The rules


def file_length(source: str) -> list[str]:
    lines = source.count("\n")
    return [f"{lines}: {lines} lines, at most {LONGEST_FILE}"] if lines > LONGEST_FILE else []


def function_length(source: str) -> list[str]:
    return [
        f"{node.lineno}: {node.name} has {length} lines, at most {LONGEST_FUNCTION}"
        for node in ast.walk(parse(source))
        if isinstance(node, FUNCTIONS) and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]


SQL = re.compile(
    r"""\s*(
      select\s+(distinct\s+)?(\*|\d|\?|\w+\s*\(|[\w.]+\s*,|[\w.]+\s+from\b|[\w.]+\s+as\b)
    | insert\s+(or\s+\w+\s+)?into\s | replace\s+into\s
    | update\s+(or\s+\w+\s+)?[\w.]+\s+set\s
    | delete\s+from\s
    | (create|drop)\s+(temp\s+|temporary\s+|unique\s+|virtual\s+)*(table|index|trigger|view)\b
    | alter\s+table\s | attach\s+database\b | vacuum\b | pragma\s+\w+ | savepoint\s+\w+ | reindex\b
    | begin\s+(immediate|exclusive|deferred|transaction)\b
    | with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(not\s+materialized\s+|materialized\s+)?\(
    | (where|and|or|on)\s+[\w.]+\s*(=|<=?|>=?|<>|!=|in\s*\(|like\b|match\b)\s*([:?@]|%s)
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def sql(source: str) -> list[str]:
    """SQL in a string that is not a docstring; an f-string is read with a word in place of each hole."""
    tree = parse(source)
    prose = {id(node) for node in docstring_nodes(tree)}
    texts: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values]
            texts.append((node.lineno, "".join(parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            texts.append((node.lineno, node.value))
    return sorted({f"{line}: SQL: {text.strip()[:60]!r}" for line, text in texts if SQL.match(text)})


def entry_imports(source: str) -> list[str]:
    return [
        f"{line}: entry imports {name}"
        for line, name in imported(parse(source), "gbrain.entry")
        if within(name, ("gbrain.store",))
    ]


# Where an engine may be named; a hook that reads the store on its own is added here by file.
ENGINE_MODULES = ("gbrain.store.sqlite", "gbrain.store.postgres", "apsw")


def engine_names(source: str) -> list[str]:
    return [
        f"{line}: names an engine, {name}"
        for line, name in imported(parse(source), "gbrain")
        if within(name, ENGINE_MODULES)
    ]


def inner_imports(source: str) -> list[str]:
    """Imports inside functions without a reason in a comment on their line or the one before.

    One comment covers the imports that follow it line by line, blank ones aside. A call of
    `import_module` counts as an import.
    """
    explained = set(comments(source))
    lines = source.splitlines()
    found: list[str] = []
    inner: dict[int, int] = {}
    for function in ast.walk(parse(source)):
        if isinstance(function, FUNCTIONS):
            for node in ast.walk(function):
                called = node.func if isinstance(node, ast.Call) else None
                name = getattr(called, "id", getattr(called, "attr", ""))
                if isinstance(node, ast.Import | ast.ImportFrom | ast.Call) and (
                    name in ("import_module", "__import__") or not isinstance(node, ast.Call)
                ):
                    inner[node.lineno] = node.end_lineno or node.lineno
    for line, end in sorted(inner.items()):
        before = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip()), 0)
        if explained & {before, *range(line, end + 1)}:
            explained.add(end)
        else:
            found.append(f"{line}: import inside a function without its reason in a comment")
    return found


VAGUE = {"manager", "service", "helper", "util", "handler"}
GIVEN = {"timeout_keep_alive_handler"}
"""Names that a base class from elsewhere gives to what is overridden."""


def vague_words(name: str) -> list[str]:
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return [word for word in words if word.lower() in VAGUE or word.lower().removesuffix("s") in VAGUE]


def vague_names(source: str) -> list[str]:
    """Names bound in `source` (classes, functions, variables, parameters) with a word that says nothing."""
    names: list[tuple[int, str]] = []
    for node in ast.walk(parse(source)):
        if isinstance(node, DEFINITIONS):
            names.append((node.lineno, node.name))
        elif isinstance(node, ast.arg):
            names.append((node.lineno, node.arg))
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.append((node.lineno, node.id if isinstance(node, ast.Name) else node.attr))
    return [f"{line}: {word!r} in {name}" for line, name in names if name not in GIVEN for word in vague_words(name)]


OUTSIDE = {"io", "os", "pathlib", "random", "secrets", "shutil", "socket", "sqlite3", "subprocess", "time"}
IMPURE = re.compile(r"open|print|input|time\.(time|monotonic|perf_counter)(_ns)?|.+\.(now|utcnow|today)")


def domain_purity(source: str) -> list[str]:
    """Foreign imports, clocks and input or output in a module of `domain`."""
    tree = parse(source)
    found = [
        f"{line}: domain imports {name}"
        for line, name in imported(tree, "gbrain.domain")
        if not within(name, ("gbrain.types", "gbrain.view", "gbrain.errors", "gbrain.digests", "gbrain.domain"))
        and not within(name.replace("gbrain.", "", 1), ("types", "view", "errors", "digests"))
        and (name.split(".")[0] not in sys.stdlib_module_names or name.split(".")[0] in OUTSIDE)
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and IMPURE.fullmatch(called := ast.unparse(node.func)):
            found.append(f"{node.lineno}: domain calls {called}")
    return found


def lazy_exports(source: str) -> list[str]:
    """Imports of our own modules that run on `import gbrain`, and a package without `__getattr__`."""
    tree = parse(source)
    typing_only = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    body = [node for node in tree.body if node not in typing_only and not isinstance(node, FUNCTIONS)]
    eager = [
        f"{line}: {name} is imported eagerly"
        for node in body
        for line, name in imported(node, "gbrain")
        if within(name, ("gbrain",))
    ]
    lazy = any(isinstance(node, FUNCTIONS) and node.name == "__getattr__" for node in tree.body)
    return eager if lazy else [*eager, "1: no __getattr__: nothing is exported lazily"]


def docstrings(source: str) -> list[str]:
    """Public modules, classes, functions and methods of public classes without a docstring."""
    tree = parse(source)
    found = ["1: the module has no docstring"] if tree.body and not ast.get_docstring(tree) else []

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.If | ast.Try):
                visit(node.body, prefix)
            if not isinstance(node, DEFINITIONS) or node.name.startswith("_"):
                continue
            marks = {ast.unparse(mark).split(".")[-1] for mark in node.decorator_list}
            if not ast.get_docstring(node) and not marks & {"overload", "override", "setter"}:
                found.append(f"{node.lineno}: {prefix}{node.name} has no docstring")
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")

    visit(tree.body, "")
    return found


UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\bissue\s+#?\d+|(?<![\w&])#\d+\b")


def unfinished(source: str) -> list[str]:
    """Comments and docstrings that put work off or point at an issue instead of saying the reason."""
    texts = list(comments(source).items())
    texts += [(node.lineno, str(node.value)) for node in docstring_nodes(parse(source))]
    return [f"{line}: {match.group()!r}" for line, text in texts if (match := UNFINISHED.search(text))]


def comment_share(source: str) -> float:
    """Lines with a comment over lines that are not blank."""
    lines = sum(1 for line in source.splitlines() if line.strip())
    return len(comments(source)) / lines if lines else 0.0


# The rules on the tree


def python_files(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def room(path: Path) -> str:
    """`store` for src/gbrain/store/facts.py, `brain` for src/gbrain/brain.py."""
    return path.relative_to(SRC / "gbrain").parts[0].removesuffix(".py")


SOURCE = python_files(SRC)
EVERYTHING = python_files(SRC, TESTS)
GENERATED = SRC / "gbrain" / "catalogue.py"
RULES: list[tuple[Rule, list[Path]]] = [
    (file_length, [path for path in EVERYTHING if path != GENERATED]),
    (function_length, SOURCE),
    (sql, [path for path in SOURCE if room(path) != "store"]),
    (entry_imports, [path for path in SOURCE if room(path) == "entry"]),
    (engine_names, [path for path in SOURCE if room(path) not in ("store", "brain")]),
    (inner_imports, SOURCE),
    (vague_names, EVERYTHING),
    (domain_purity, [path for path in SOURCE if room(path) == "domain"]),
    (lazy_exports, [SRC / "gbrain" / "__init__.py"]),
    (docstrings, SOURCE),
    (unfinished, EVERYTHING),
]


@pytest.mark.parametrize(("rule", "paths"), RULES, ids=[rule.__name__ for rule, _ in RULES])
def test_rule_holds(rule: Rule, paths: list[Path]) -> None:
    broken = [f"{path.relative_to(ROOT)}:{line}" for path in paths for line in rule(path.read_text(encoding="utf-8"))]
    assert not broken, "\n" + "\n".join(broken)


def test_file_and_folder_names() -> None:
    broken = [str(path.relative_to(ROOT)) for path in EVERYTHING if vague_words(path.stem)]
    broken += [str(path.relative_to(ROOT)) for path in ROOT.glob("src/gbrain/**/") if vague_words(path.name)]
    assert not broken


def test_sql_files_lie_in_the_store() -> None:
    assert not [path for path in SRC.rglob("*.sql") if room(path) != "store"]


def test_comments_are_few(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE}
    share = comment_share("".join(texts.values()))
    most = sorted(texts, key=lambda path: -comment_share(texts[path]))[:5]
    report = ", ".join(f"{path.relative_to(SRC)} {comment_share(texts[path]):.0%}" for path in most)
    with capsys.disabled():
        print(f"\ncomments: {share:.1%} of the lines of src; most in {report}")
    assert share <= MOST_COMMENT


def test_documents_are_finished() -> None:
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("changelog.d/*.md")]
    broken = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in documents
        if (match := re.search(r"\b(TODO|FIXME|XXX)\b", path.read_text(encoding="utf-8")))
    ]
    assert not broken


def test_changelog_fragments_are_named_by_the_rule() -> None:
    kinds = "added|changed|deprecated|removed|fixed|security"
    names = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]
    assert not [name for name in names if not re.fullmatch(rf"[a-z0-9]+(-[a-z0-9]+)*\.({kinds})\.md", name)]


def test_the_lock_pins_every_dependency_by_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9-]+)==\S+.*\\\n    --hash=sha256:", lock, re.MULTILINE)
    assert {re.split(r"[<>=]", name)[0].lower() for name in wanted} <= set(pinned)
    assert len(pinned) == len(re.findall(r"^[a-z0-9-]+==", lock, re.MULTILINE))
    assert "://" not in lock


# What the fast path loads

# Together these cost more than everything a `remember` does.
HEAVY = (
    *("asyncio", "click", "dataclasses", "importlib.metadata", "inspect", "logging", "mcp", "numpy"),
    *("pathlib", "psycopg", "pydantic", "rich", "subprocess", "tempfile", "urllib", "uuid", "yaml"),
)


def loaded_by(*statements: str) -> list[set[str]]:
    """Modules that each statement adds to those that the ones before it, and a bare interpreter, left loaded."""
    program = "import sys\nbare = set(sys.modules)\n" + "".join(
        f"{statement}\nprint(*sorted(set(sys.modules) - bare))\nbare = set(sys.modules)\n" for statement in statements
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not result.returncode, result.stderr
    return [set(line.split()) for line in result.stdout.splitlines()]


def heavy(modules: set[str]) -> list[str]:
    return sorted(module for module in modules if within(module, HEAVY))


def fast_path() -> list[str]:
    """Every module that `remember`, `recall`, `entity` and `serve` share."""
    fixed = ["brain", "registry", "entry/mcp", "entry/stdio"]
    names = [*fixed, *sorted(f"ops/{path.stem}" for path in (SRC / "gbrain" / "ops").glob("[!_]*.py"))]
    return ["gbrain", *("gbrain." + name.replace("/", ".") for name in names)]


def test_fast_path_stays_light() -> None:
    """One process for all: what none of them has loaded, none loads alone."""
    modules = fast_path()
    loaded = loaded_by(*(f"import {module}" for module in modules))
    assert {module: names for module, added in zip(modules, loaded, strict=True) if (names := heavy(added))} == {}, (
        "import these inside the function that needs them, with the reason in a comment"
    )


def test_heavy_modules_are_seen() -> None:
    first, second = loaded_by("import shlex, uuid", "import pathlib")
    assert "uuid" in heavy(first)
    assert "pathlib" in heavy(first | second)


def test_the_package_itself_loads_none_of_its_rooms() -> None:
    assert not [name for name in loaded_by("import gbrain")[0] if name.startswith("gbrain.")]


# The rules on texts that break them

CASES: list[tuple[Rule, str, str]] = [
    (file_length, "x = 1\n" * 501, "x = 1\n" * 500),
    (function_length, "def f():\n" + "    x = 1\n" * 60, "def f():\n" + "    x = 1\n" * 59),
    (sql, 'x = "select id, slug from pages"', '"""Select a page from a source."""\nx = "select a page"'),
    (sql, 'x = f"SELECT count(*) FROM {table}"', 'x = f"select {count} pages"'),
    (sql, 'x = f"insert or ignore into {table} values (1)"', 'x = "insert the card into the prompt"'),
    (sql, 'x = "update pages set title = ?"', 'x = "update the settings"'),
    (sql, 'x = "\\n  delete from facts"', 'x = "delete the page"'),
    (sql, 'x = "create virtual table t using fts5(a)"', 'x = "create a table of contents"'),
    (sql, 'x = "pragma journal_mode"', 'x = "pragmatic"'),
    (sql, 'x = "with a as (select 1) select 2"', 'x = "with a view (as ever)"'),
    (sql, 'x = "where slug = :slug"', 'x = "where is it?"'),
    (entry_imports, "from gbrain.store import Store", "from gbrain import brain"),
    (entry_imports, "def f():\n    from ..store.facts import live", "from .store import x"),
    (entry_imports, "from gbrain import store", "import gbrain.storefront"),
    (engine_names, "import apsw", "from gbrain.store import Store"),
    (inner_imports, "def f():\n    import rich", "def f():\n    import rich  # 40 ms, tables only"),
    (
        inner_imports,
        "def f():\n    import rich  # noqa: F401",
        "def f():\n    # 40 ms\n    import rich\n    import yaml",
    ),
    (inner_imports, "def f(m):\n    importlib.import_module(m)", "import importlib"),
    (vague_names, "class PageManager: ...", "class Page: ..."),
    (vague_names, "def string_utils(): ...", "def utilization(): ..."),
    (vague_names, "def f(error_handler): ...", "db.set_busy_handler(wait)"),
    (vague_names, "self.tokenService = 1", "print(service)"),
    (domain_purity, "from gbrain.store import facts", "from gbrain.types import Fact"),
    (domain_purity, "from ..settings import get", "from ..errors import NotFound\nfrom . import times"),
    (domain_purity, "import rapidfuzz", "import re, unicodedata"),
    (domain_purity, "import os", "from datetime import datetime"),
    (domain_purity, "x = datetime.now()", "x = datetime.fromisoformat(y)"),
    (domain_purity, "x = open(y)", "x = moment.time()"),
    (lazy_exports, "from gbrain.brain import Brain\ndef __getattr__(n): ...", "def __getattr__(n): ..."),
    (lazy_exports, "x = 1", "if TYPE_CHECKING:\n    from gbrain import brain\ndef __getattr__(n): ..."),
    (docstrings, "def f(): ...", '"""M."""\ndef f():\n    """F."""\ndef _g(): ...'),
    (
        docstrings,
        '"""M."""\nclass A:\n    """A."""\n    def f(self): ...',
        '"""M."""\nclass _A:\n    def f(self): ...',
    ),
    (unfinished, "x = 1  # TODO: later", 'x = "TODO"'),
    (unfinished, '"""Fixes issue 12."""', "x = 1  # the 12 issues of a year"),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES)
def test_rule_catches(rule: Rule, bad: str, good: str) -> None:
    assert rule(bad)
    assert not rule(good)


def test_comment_share_counts_lines() -> None:
    assert comment_share("# why\nx = 1\n\ny = 2  # because\nz = 3  # noqa: E501\n") == 0.5

"""What is built to be shipped: the same bytes twice, everything that belongs into it, and it runs by itself."""

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from gbrain import __version__
from gbrain.entry import sbom

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "packages" / "gbrain-minilm"
EPOCH = "1900000000"
OURS = f"gbrain-{__version__}"


def built(folder: Path, project: Path) -> Path:
    """Source archive and wheel of a project; the wheel is made from the archive."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "-o", str(folder), str(project)],
        check=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
    )
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with gbrain's archive and wheel."""
    return built(tmp_path_factory.mktemp("made"), ROOT)


@pytest.fixture(scope="module")
def wheel(made: Path) -> Path:
    return made / f"{OURS}-py3-none-any.whl"


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def files(below: Path, *parts: str) -> set[str]:
    """Every file below a folder of the project that belongs to it, by its path."""
    found = {path for path in below.joinpath(*parts).rglob("*") if path.is_file()}
    left = {path for path in found if {"__pycache__", ".ruff_cache", ".mypy_cache"} & set(path.parts)}
    return {path.relative_to(below).as_posix() for path in found - left}


def test_two_builds_are_the_same_bytes(made: Path, tmp_path: Path) -> None:
    assert digests(built(tmp_path, ROOT)) == digests(made)


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    info = f"{OURS}.dist-info"
    inside = {name for name in names if not name.startswith(f"{info}/")}
    assert inside == files(ROOT / "src", "gbrain")
    # What is no code is found by its folder at run time, so nothing else would miss it.
    for needed in ("store/sql/sqlite/0001_core.sql", "skills/brain-ops/SKILL.md", "skills/.claude-plugin/plugin.json"):
        assert f"gbrain/{needed}" in inside
    assert {name.removeprefix(f"{info}/") for name in names - inside} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", f"sboms/{sbom.FILE}"),
        *("licenses/LICENSE", "licenses/NOTICES.md", "licenses/src/gbrain/entry/web/static/htmx.LICENSE"),
    }


def test_the_archive_holds_what_is_needed_to_check_it(made: Path) -> None:
    with tarfile.open(made / f"{OURS}.tar.gz") as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    for folder in ("src/gbrain", "tests", "docs", "changelog.d"):
        assert files(ROOT, *folder.split("/")) <= names
    assert {"Makefile", "LICENSE", "NOTICES.md", "SECURITY.md", "README.md", "requirements.lock", ".ci/run"} <= names
    assert not [name for name in names if ".venv" in name or "__pycache__" in name or name.startswith("dist/")]


@pytest.mark.slow
def test_the_wheels_run_in_a_new_environment_without_a_network(wheel: Path, tmp_path: Path) -> None:
    models = built(tmp_path / "models", MODEL)
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    wheels = [str(wheel), *map(str, models.glob("*.whl"))]
    pip = [str(place / "bin" / "python"), "-m", "pip", "--isolated", "install", "-q", "--no-index", "--no-deps"]
    subprocess.run([*pip, *wheels], check=True, env={**os.environ, "PIP_CONFIG_FILE": os.devnull})
    own = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    # What it needs is taken from here, behind what was installed; that our own tree is not, the path below shows.
    (own / "behind.pth").write_text(sysconfig.get_path("purelib") + "\n")
    home = tmp_path / "home"
    home.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "GBRAIN_HOME": str(home), "PYTHONNOUSERSITE": "1"}
    closed = ["unshare", "-n"] if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode == 0 else []

    def run(*command: str) -> str:
        done = subprocess.run([*closed, *command], env=env, cwd=home, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    gbrain = str(place / "bin" / "gbrain")
    python = str(place / "bin" / "python")
    where = run(python, "-c", "import gbrain, gbrain_minilm as m; print(gbrain.__file__, m.__file__)")
    assert all(path.startswith(str(place)) for path in where.split())
    assert run(gbrain, "--version") == f"gbrain {__version__}\n"
    assert "demo" in run(gbrain, "--help")
    run(gbrain, "demo")
    run(gbrain, "init")
    assert "brain-ops" in run(gbrain, "skills", "list")
    found = {row["name"]: row for row in json.loads(run(gbrain, "doctor", "--json"))["checks"]}
    assert {name for name, row in found.items() if row["status"] == "fail"} == set()
    assert "minilm-l6-v2" in found["embedding"]["message"]


@pytest.mark.guard
def test_the_versions_are_one() -> None:
    bill = json.loads((ROOT / sbom.FILE).read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == __version__
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.guard
def test_the_bill_names_what_is_locked_and_nothing_under_the_gpl() -> None:
    bill = json.loads(sbom.bill(str(ROOT)))
    named = {f"{row['name']}=={row['version']}" for row in bill["components"] if row["purl"].startswith("pkg:pypi/")}
    lock = (ROOT / sbom.LOCK).read_text(encoding="utf-8")
    assert named == {line.split()[0] for line in lock.splitlines() if line[:1].isalnum()}
    references = {row["bom-ref"] for row in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    assert {other for row in bill["dependencies"] for other in row["dependsOn"]} <= references
    told = {
        row["name"]: json.dumps(row.get("licenses", "")) for row in bill["components"] if row["scope"] != "excluded"
    }
    assert {name for name, said in told.items() if "GPL" in said.replace("LGPL", "")} == set()
    assert {name for name, said in told.items() if "LGPL" in said} == {"psycopg", "psycopg-binary", "psycopg-pool"}
    scopes = {row["name"]: row["scope"] for row in bill["components"]}
    assert (scopes["apsw"], scopes["psycopg"], scopes["pytest"]) == ("required", "optional", "excluded")


@pytest.mark.guard
def test_the_notices_name_what_lies_here() -> None:
    notices = (ROOT / "NOTICES.md").read_text(encoding="utf-8")
    htmx = next(row for row in sbom.BUNDLED if row["name"] == "htmx.org")["version"]
    script = (ROOT / "src" / "gbrain" / "entry" / "web" / "static" / "htmx.min.js").read_text(encoding="utf-8")
    assert f'version:"{htmx}"' in script
    assert f"{htmx} |" in notices
    axe = (ROOT / "tests" / "data" / "axe" / "axe.min.js").read_text(encoding="utf-8")[:200]
    assert next(word for word in notices.split() if word.count(".") == 2 and word.startswith("4."))[:4] in axe

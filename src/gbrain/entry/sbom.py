"""The bill of materials, `sbom.cdx.json`: CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), made by `make docs`.

Names and versions are those of `requirements.lock`; what needs what, and under which licence it is, is read from the
packages as they are installed. `required` is what gbrain always needs, `optional` what one of its extras brings, and
`excluded` what only its makers use.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata, requires
from typing import Any

FILE = "sbom.cdx.json"
LOCK = "requirements.lock"
SCOPES = ("required", "optional", "excluded")
BUNDLED = (
    {
        "type": "library",
        "bom-ref": "bundled:htmx",
        "name": "htmx.org",
        "version": "2.0.11",
        "scope": "required",
        "licenses": [{"license": {"id": "0BSD"}}],
        "purl": "pkg:npm/htmx.org@2.0.11",
        "description": "in gbrain/entry/web/static, for the viewer",
    },
    {
        "type": "machine-learning-model",
        "bom-ref": "bundled:all-MiniLM-L6-v2",
        "name": "all-MiniLM-L6-v2",
        "version": "1",
        "scope": "optional",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": "pkg:huggingface/sentence-transformers/all-MiniLM-L6-v2",
        "description": "in the package gbrain-minilm, quantised to 8 bits",
    },
)
"""What is in a wheel of ours and was made by others."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_LONGEST_NAME = 60


def bill(root: str) -> str:
    """The bill of the project in `root`, as text. Raises OSError, and KeyError where its files lack what they say."""
    with open(f"{root}/pyproject.toml", "rb") as file:
        said = tomllib.load(file)
    with open(f"{root}/{LOCK}", encoding="utf-8") as file:
        pins = sorted({(_plain(name), version) for name, version in _PINNED.findall(file.read())})
    # Of a package that some Python takes in an older version, the newest stands for both where others need it.
    pinned = dict(pins)
    project = said["project"]
    wanted = {
        "required": project["dependencies"],
        "optional": [line for extra in project["optional-dependencies"].values() for line in extra],
        "excluded": said["dependency-groups"]["dev"],
    }
    edges = {name: _needs(name, pinned) for name in pinned}
    scopes: dict[str, str] = {}
    for scope in SCOPES:
        for name in _reached(wanted[scope], edges):
            scopes.setdefault(name, scope)
    refs = {name: f"pkg:pypi/{name}@{version}" for name, version in pinned.items()}
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    direct = sorted({refs[name] for line in wanted["required"] + wanted["optional"] if (name := _named(line)) in refs})
    dependencies = [{"ref": own, "dependsOn": direct}]
    dependencies += [
        {"ref": refs[name], "dependsOn": sorted(refs[other] for other in edges[name])} for name in sorted(pinned)
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "purl": own,
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [
            *BUNDLED,
            *(_component(name, version, scopes.get(name, "optional")) for name, version in pins),
        ],
        "dependencies": dependencies,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _component(name: str, version: str, scope: str) -> dict[str, Any]:
    ref = f"pkg:pypi/{name}@{version}"
    made: dict[str, Any] = {"type": "library", "bom-ref": ref, "name": name, "version": version, "scope": scope}
    return {**made, **_licence(name), "purl": ref}


def _licence(name: str) -> dict[str, Any]:
    """The licence that a package names, where it is installed here and names one."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return {}
    if expressions := told.get_all("License-Expression"):
        return {"licenses": [{"expression": expressions[0]}]}
    lines = [line for line in told.get_all("Classifier") or [] if line.startswith("License ::")]
    said = lines[-1].rpartition(" :: ")[2] if lines else (told.get_all("License") or [""])[0]
    return {"licenses": [{"license": {"name": said}}]} if said and len(said) <= _LONGEST_NAME else {}


def _needs(name: str, pinned: dict[str, str]) -> list[str]:
    """The pinned packages that a package asks for by itself, on any system."""
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        return []
    return sorted({needed for line in lines if "extra ==" not in line and (needed := _named(line)) in pinned})


def _reached(lines: Iterable[str], edges: dict[str, list[str]]) -> set[str]:
    """What these requirements and those they lead to come to."""
    found: set[str] = set()
    left = [name for line in lines if (name := _named(line)) in edges]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += edges[name]
    return found


def _named(line: str) -> str:
    found = _NAME.match(line)
    return _plain(found.group()) if found else ""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

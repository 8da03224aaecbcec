"""Offers made by a script of its own beside the store: what it loads, and that nothing of the store is changed."""

import json
import subprocess
import sys
from pathlib import Path

import gbrain
from gbrain.brain import open_brain
from gbrain.registry import call
from gbrain.types import Caller

ALLOWED = {
    "gbrain",
    "gbrain.ambient",
    "gbrain.ambient.offering",
    "gbrain.domain",
    "gbrain.domain.offers",
    *(
        f"gbrain.domain.offers.{name}"
        for name in (
            "callings",
            "choosing",
            "common",
            "core",
            "evidence",
            "pointing",
            "reading",
            "unspaced",
            "words",
        )
    ),
    "gbrain.domain.text",
    "gbrain.errors",
    "gbrain.store",
    "gbrain.store.engine",
    "gbrain.store.glance",
    "gbrain.store.offering",
    "gbrain.store.visibility",
    "gbrain.types",
}
"""What a recall hook may load of gbrain. Whoever adds to it measures the hook again."""

SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from gbrain.ambient.offering import offers_at
from gbrain.domain.offers.core import Said
made = offers_at(sys.argv[2], [Said("user", sys.argv[3])], ("default",), "2031-05-04T22:10:00.000000Z")
print(json.dumps({"slugs": [offer.slug for offer in made], "modules": sorted(sys.modules)}))
"""


def alone(home: Path, prompt: str) -> tuple[list[str], set[str]]:
    root = str(Path(gbrain.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", SCRIPT, root, str(home), prompt], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    told = json.loads(run.stdout)
    return told["slugs"], set(told["modules"])


def test_a_script_without_packages_makes_offers(tmp_path: Path) -> None:
    brain = open_brain(str(tmp_path), create=True)
    content = "---\ntitle: Dana Oakes\ntype: person\n---\nCFO of Harbor Capital.\n"
    call(brain, Caller.local(), "put_page", {"slug": "people/dana-oakes", "content": content})
    before = sorted(path.name for path in tmp_path.iterdir())
    slugs, modules = alone(tmp_path, "What did Dana Oakes promise?")
    assert slugs == ["people/dana-oakes"]
    assert alone(tmp_path, "Fix the style sheet.")[0] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    brain.close()
    assert {name for name in modules if name.partition(".")[0] == "gbrain"} == ALLOWED
    assert modules.isdisjoint(
        {"apsw", "numpy", "pydantic", "click", "mcp", "yaml", "hashlib", "dataclasses", "asyncio"}
    )
    assert alone(tmp_path, "Ask Dana Oakes.")[0] == ["people/dana-oakes"], "also when nobody has the store open"

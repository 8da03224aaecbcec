"""The guide for whoever changes the code: the operation it shows works as it stands there."""

import re
from pathlib import Path

import pytest

from gbrain import Brain, Caller, NotFound, open_brain, registry

pytestmark = pytest.mark.guard

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "AGENTS.md").read_text(encoding="utf-8")


def test_the_operation_it_shows_works(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    try:
        exec(compile(shown, "AGENTS.md", "exec"), {"__name__": "shown"})
        declared = registry.OPERATIONS["page_length"]
    finally:
        registry.OPERATIONS.pop("page_length", None)
    (param,) = declared.params
    assert (declared.summary, param.name, param.names) == ("Count the words of a page's text.", "slug", "page")
    with open_brain(str(tmp_path), create=True) as brain:
        assert isinstance(brain, Brain)
        brain.put_page(slug="people/dana-oakes", content="---\ntype: person\n---\nRuns Harbour Tea.\n")
        brain.put_page(slug="people/rob-lind", content="---\nvisibility: private\n---\nRuns.\n")
        ctx = registry.context(brain, Caller.stdio())
        assert declared.function(ctx, "people/dana-oakes") == {"slug": "people/dana-oakes", "words": 3}
        with pytest.raises(NotFound):
            declared.function(ctx, "people/rob-lind")


def test_every_place_it_names_is_there() -> None:
    named = set(re.findall(r"`((?:tests|docs|entry|ops|store)/[\w./-]+)`", GUIDE))
    assert len(named) > 10
    missing = [
        name for name in sorted(named) if not any((root / name).exists() for root in (ROOT, ROOT / "src" / "gbrain"))
    ]
    assert [name for name in missing if "SUBJECT" not in name] == []


def test_it_is_read_in_one_go() -> None:
    assert GUIDE.count("\n") < 120

"""gbrain as a library: what a program that imports it sees, is told by its types, and can catch.

mypy reads this file in `make check`: where the types were lost, an `ignore` would be one too many.
"""

import pydoc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

import pytest

import gbrain
from gbrain import BrainError, InvalidParams, NotFound, VersionConflict, errors, open_brain
from gbrain.brain import Brain, RemoteBrain
from gbrain.catalogue import OPERATIONS
from gbrain.ops.memory import RememberReply


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain | RemoteBrain]:
    with open_brain(str(tmp_path / "home"), create=True) as made:
        yield made


def test_a_reply_has_its_type(brain: Brain | RemoteBrain) -> None:
    said = brain.remember(fact="rows at dawn", provenance="a test", entity="Dana Oakes")
    assert_type(said, RememberReply)
    assert said["status"] == "inserted"
    assert_type(brain.recall("Dana Oakes")["facts"][0]["fact"], str)
    assert brain.recall("Dana Oakes")["facts"][0]["fact"] == "rows at dawn"
    page: Any = brain.put_page("notes/tea", content="Green.")
    assert brain.get_page("notes/tea")["version"] == page["version"]
    assert brain.get_tags("notes/tea", source_id="default") == []


def test_what_is_misfitting_is_seen_before_it_runs_and_refused_when_it_does(brain: Brain | RemoteBrain) -> None:
    with pytest.raises(InvalidParams, match="must be a string"):
        brain.remember(fact=7, provenance="a test")  # type: ignore[arg-type]
    with pytest.raises(InvalidParams, match="unknown parameter") as refused:
        brain.recall(qeury="tea")  # type: ignore[call-arg]
    assert "query" in refused.value.suggestion
    with pytest.raises(AttributeError, match="did you mean 'remember'"):
        brain.remembr(fact="rows")  # type: ignore[union-attr]
    with pytest.raises(TypeError, match="multiple values for entity"):
        brain.recall("dana", entity="rob")  # type: ignore[misc]
    with pytest.raises(TypeError, match="multiple values for from"):
        brain.add_link("a", "b", from_="c")  # type: ignore[misc]
    with pytest.raises(TypeError, match="at most 1 positional"):
        brain.recall("dana", "rob")  # type: ignore[call-arg]


def test_refusals_are_caught_by_kind_or_all_at_once(brain: Brain | RemoteBrain) -> None:
    with pytest.raises(NotFound):
        brain.get_page("notes/none")
    brain.put_page("notes/tea", content="Green.")
    with pytest.raises(BrainError) as refused:
        brain.put_page("notes/tea", content="Black.", expected_version=9)
    error = refused.value
    assert isinstance(error, VersionConflict)
    assert (error.code, bool(error.message), bool(error.suggestion)) == ("version_conflict", True, True)
    assert error.detail["current_version"] == 1


def test_every_error_is_in_the_package() -> None:
    there = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, BrainError)}
    assert there <= set(gbrain.__all__) == set(dir(gbrain))


def test_help_shows_what_there_is(brain: Brain | RemoteBrain) -> None:
    told = pydoc.plain(pydoc.render_doc(gbrain))
    for said in ("with open_brain(create=True) as brain:", "class Brain(", "class NotFound(", "open_brain("):
        assert said in told
    told = pydoc.plain(pydoc.render_doc(brain.remember))
    assert "Save one claim with its origin" in told
    assert "provenance: Where it comes from" in told
    for name in OPERATIONS:
        method = getattr(brain, name)
        assert method.__name__ == name
        assert method.__doc__
        assert name in dir(brain)

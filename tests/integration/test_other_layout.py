"""A brain whose tables another build of gbrain made: told by name, with the way over, on both engines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from commandline import Gbrain
from gbrain.brain import Brain, join_database, open_brain
from gbrain.errors import Unavailable

ENGINES = ("sqlite", "postgres")


@pytest.fixture(params=ENGINES)
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    home = str(tmp_path / ".gbrain")
    if request.param == "sqlite":
        made = open_brain(home, create=True)
    else:
        # Not the database that other tests empty and use again: this one's tables are changed.
        made = join_database(home, databases.shared().url(databases.shared().create()))
    assert isinstance(made, Brain)
    with made:
        yield made


def test_what_differs_is_named_and_the_way_over_with_it(brain: Brain, tmp_path: Path) -> None:
    assert brain.store.misfit() is None
    changes = {
        "alter table links add column mood text": {"+links.mood"},
        "alter table facts rename column confidence to certainty": {"facts.confidence", "+facts.certainty"},
        "alter table timeline rename to days": {"timeline"},
    }
    differs: set[str] = set()
    for change, told in changes.items():
        brain.store.engine.rows(change)
        differs |= told
        misfit = brain.store.misfit()
        assert misfit is not None
        assert set(misfit.detail["differs"]) == differs
    with pytest.raises(Unavailable) as refused:
        brain.call("remember", {"fact": "Dana rows.", "provenance": "chat"})
    assert refused.value.detail["reason"] == "other_layout"
    assert "gbrain export --dir FOLDER" in refused.value.suggestion
    assert "facts.confidence" in refused.value.message
    at_the_door = Gbrain(tmp_path).run("recall", "--json", "dana")
    assert (at_the_door.code, at_the_door.json["detail"]["reason"]) == (6, "other_layout")


def test_the_doctor_names_the_columns(tmp_path: Path) -> None:
    with open_brain(str(tmp_path / ".gbrain"), create=True) as made:
        made.store.engine.rows("alter table facts rename column confidence to certainty")
    ran = Gbrain(tmp_path).run("doctor", "--json")
    (check,) = [one for one in ran.json["checks"] if one["name"] == "store.schema"]
    assert check["status"] == "fail"
    assert "missing: facts.confidence" in check["details"]


def test_one_that_fails_as_it_is_opened_says_so_too(tmp_path: Path) -> None:
    with open_brain(str(tmp_path / ".gbrain"), create=True) as made:
        made.store.engine.rows("alter table sources rename column federated to shared")
    with pytest.raises(Unavailable) as refused:
        open_brain(str(tmp_path / ".gbrain"))
    assert refused.value.detail["differs"] == ["sources.federated", "+sources.shared"]

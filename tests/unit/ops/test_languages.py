"""Choosing the language of a source: who may, what it says, and that search answers in it at once."""

from typing import Any

import pytest

from gbrain import Brain, Caller, registry
from gbrain.errors import InvalidParams, NotFound, UnknownTool


def test_it_is_shown_and_changed(local: Any) -> None:
    local("remember", fact="Die Häuser am Hafen wurden verkauft", provenance="chat")
    local("put_page", slug="notes/hafen", content="# Hafen\n\nDie Häuser am Kai stehen leer.\n")
    assert local("sources_language", id="default")["language"] == "english"
    assert local("recall", query="welches haus")["facts"] == []
    changed = local("sources_language", id="default", language=" German ")
    assert changed == {"id": "default", "language": "german", "before": "english", "pages": 1, "facts": 1}
    found = local("recall", query="welches haus")
    assert len(found["facts"]) == 1
    assert [page["slug"] for page in found["results"]] == ["notes/hafen"]
    assert [page["slug"] for page in local("search", query="haus")] == ["notes/hafen"]
    again = local("sources_language", id="default", language="german")
    assert (again["before"], again["pages"], again["facts"]) == ("german", 0, 0)


def test_a_change_that_was_broken_off_goes_on(brain: Brain, local: Any) -> None:
    local("remember", fact="Die Häuser am Hafen wurden verkauft", provenance="chat")
    brain.store.languages.begin("default", "german")
    assert local("sources_language", id="default", language="german")["facts"] == 1
    assert brain.store.languages.of("default").indexed == ("german",)


def test_stop_words_of_english_are_words_elsewhere(local: Any) -> None:
    local("sources_language", id="default", language="french")
    local("remember", fact="Une bague en or blanc", provenance="chat")
    local("remember", fact="Une bague de plastique blanc", provenance="chat")
    assert [row["fact"] for row in local("recall", query="or")["facts"]] == ["Une bague en or blanc"]


@pytest.mark.parametrize("language", ["klingon", "", "english german", "none|english", "x" * 200])
def test_a_language_that_is_not_known(local: Any, language: str) -> None:
    if not language:
        assert local("sources_language", id="default", language=language)["language"] == "english"
        return
    with pytest.raises(InvalidParams) as refused:
        local("sources_language", id="default", language=language)
    assert "german" in refused.value.suggestion


def test_a_source_that_is_not_there(local: Any) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        local("sources_language", id="nowhere", language="german")


def test_it_is_for_the_person_at_this_machine(brain: Brain) -> None:
    with pytest.raises(UnknownTool):
        registry.call(brain, Caller.stdio(), "sources_language", {"id": "default"})

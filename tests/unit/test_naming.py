"""A page named with its source: in every operation that asks for a page, in every spelling."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, open_brain, registry
from gbrain.domain.source_ids import cited
from gbrain.errors import BrainError, InvalidParams, NotFound

NAMED = {
    operation.name: next(param for param in operation.params if param.names)
    for operation in registry.load_all()
    if any(param.names for param in operation.params) and not operation.local_only
}
MORE: dict[str, dict[str, Any]] = {
    "put_page": {"content": "# A, again\n"},
    "capture": {"content": "# A, again\n", "expected_version": 1},
    "remember": {"fact": "likes tea", "provenance": "a test"},
    "add_link": {"to": "work:b"},
    "remove_link": {"to": "work:b"},
    "add_tag": {"tag": "x"},
    "remove_tag": {"tag": "x"},
    "add_timeline_entry": {"date": "2031-03-02", "summary": "Won."},
    "revert_version": {"version_id": 1},
    "search_diagnose": {"query": "what is A"},
}
SPELLINGS = ("work:a", "[work:a]", "gbrain://page/work/a")


@pytest.fixture
def brain(tmp_path: Path) -> Any:
    with open_brain(str(tmp_path / "home"), create=True) as made:
        for source in ("work", "home", "other"):
            made.sources_add(id=source)
            made.put_page(slug="a", content=f"# A of {source}\n", source_id=source)
            made.put_page(slug="b", content="# B\n", source_id=source)
        yield made


def load(name: str) -> registry.Operation:
    """The operation of this name, which is there."""
    return next(operation for operation in registry.load_all() if operation.name == name)


def rows(brain: Brain) -> dict[str, list[Any]]:
    """What each source holds, as far as a write may change it."""
    columns = {"pages": "slug, version, deleted_at", "tags": "tag", "links": "link_type", "facts": "fact"}
    columns["timeline"] = "summary"
    return {
        source: [brain.store.engine.rows(f"select {what} from {table} where source_id = :s", {"s": source})
                 for table, what in columns.items()]
        for source in ("work", "home", "other")
    }  # fmt: skip


@pytest.mark.guard
def test_every_parameter_that_is_a_slug_is_named_so() -> None:
    asked = {
        (operation.name, param.name)
        for operation in registry.load_all()
        for param in operation.params
        if param.name in ("slug", "entity", "from", "page") and param.kind == "string" and not operation.local_only
    }
    assert {name for name, _ in asked} - NAMED.keys() == set(), 'write their parameter `Param("...", names="page")`'
    assert {"fetch", "entity", "get_page", "put_page", "recall", "remember", "get_versions"} <= NAMED.keys()


@pytest.mark.guard
def test_what_else_an_operation_on_a_page_needs_is_given() -> None:
    lacking = {
        (name, param.name)
        for name, named in NAMED.items()
        for param in load(name).params
        if param.required and param.name not in (named.name, *MORE.get(name, {}))
    }
    assert lacking == set(), "add these required parameters to MORE of tests/unit/test_naming.py"
    assert MORE.keys() - NAMED.keys() == set(), "no longer there: take them out of MORE of tests/unit/test_naming.py"


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", sorted(NAMED))
def test_the_source_in_the_name_is_the_one_that_is_meant(brain: Brain, name: str, spelling: str) -> None:
    before = rows(brain)
    try:
        reply = registry.call(brain, Caller.local(), name, {NAMED[name].name: spelling, **MORE.get(name, {})})
    except BrainError as error:
        pytest.fail(f"{error.message}")
    assert reply.meta["sources"] == ["work"], reply.meta
    after = rows(brain)
    assert (after["home"], after["other"]) == (before["home"], before["other"])
    found = registry.find(name)
    assert found is not None
    if name not in ("remove_link", "remove_tag", "restore_page", "revert_version"):
        assert (after["work"] != before["work"]) == found.mutates


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_source_that_is_not_granted_is_as_one_that_is_not_there(brain: Brain, name: str) -> None:
    caller = Caller.local()._replace(remote=True, sources=("home",))
    told = []
    for source in ("work", "nowhere"):
        arguments = {NAMED[name].name: f"{source}:a", **MORE.get(name, {})}
        try:
            told.append(str(registry.call(brain, caller, name, arguments).value).replace(source, "SOURCE"))
        except BrainError as error:
            told.append(f"{error.code} {error.message} {error.suggestion}".replace(source, "SOURCE"))
    if name == "remember":
        assert all("inserted" in one for one in told)
    else:
        # How long it took is in some replies.
        assert told[0].partition("'latency_ms'")[0] == told[1].partition("'latency_ms'")[0]


def test_two_sources_for_one_call_are_refused(brain: Brain) -> None:
    with pytest.raises(InvalidParams, match="another"):
        brain.get_page(slug="work:a", source_id="home")
    assert brain.get_page(slug="work:a", source_id="work")["source_id"] == "work"
    with pytest.raises(NotFound, match="no source that you may use"):
        brain.get_page(slug="never:a")


def test_a_link_leads_into_another_source(brain: Brain) -> None:
    brain.call("add_link", {"from": "[work:a]", "to": "[home:b]"})
    ends = "select p.source_id as start, q.source_id as target, q.slug from links l join pages p on p.id = l.from_id"
    found = brain.store.engine.rows(f"{ends} join pages q on q.id = l.to_id")
    assert found == [{"start": "work", "target": "home", "slug": "b"}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" [work:people/dana] ", ("work", "people/dana")),
        ("gbrain://page/work/people/dana", ("work", "people/dana")),
        ("work:", None),
        (":a", None),
        ("Re: harbour", None),
        ("Work:a", None),
        ("people/dana", None),
        ("[work:a", None),
        ("gbrain://page/work", None),
    ],
)
def test_what_names_a_source(text: str, said: tuple[str, str] | None) -> None:
    assert cited(text) == said

"""Links and walks."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams, NotFound
from gbrain.ops import graph


@pytest.fixture
def chain(local: Any, page: Any) -> None:
    """a -> b -> c -> a, a -> c, d -> a."""
    for name in "abcd":
        page(f"notes/{name}", "Text.\n", f"title: {name.upper()}")
    for start, end in ("ab", "bc", "ca", "ac", "da"):
        local.link(f"notes/{start}", f"notes/{end}", "next", context=f"{start}  to {end}")


@pytest.mark.usefixtures("chain")
def test_links_have_every_member_of_their_shape(local: Any) -> None:
    link = {
        "from_slug": "notes/a",
        "from_source_id": "default",
        "to_slug": "notes/b",
        "to_source_id": "default",
        "link_type": "next",
        "context": "a to b",
        "link_source": "manual",
        "origin_slug": "notes/a",
        "origin_source_id": "default",
        "origin_field": None,
    }
    assert local("get_links", slug="notes/a")[0] == link
    assert local("get_backlinks", slug="notes/b") == [link]
    assert [row["from_slug"] for row in local("get_backlinks", slug="notes/a")] == ["notes/c", "notes/d"]
    assert local("list_link_sources") == [{"link_source": "manual", "count": 5}]


@pytest.mark.usefixtures("chain")
def test_a_link_is_made_once_and_removed_by_type_and_source(local: Any) -> None:
    assert local.link("notes/a", "notes/b", "next") == {"status": "ok", "created": False}
    assert local.link("notes/a", "notes/b") == {"status": "ok", "created": True}
    assert local.link("notes/a", "notes/b", "next", link_source="import-x") == {"status": "ok", "created": True}
    ends = {"from": "notes/a", "to": "notes/b"}
    assert local("remove_link", **ends, link_source="import-y")["removed"] == 0
    assert local("remove_link", **ends, link_source="import-x")["removed"] == 1
    assert local("remove_link", **ends, link_type="next") == {"status": "ok", "removed": 1}
    assert local("remove_link", **ends) == {"status": "ok", "removed": 1}
    assert local("remove_link", **ends) == {"status": "ok", "removed": 0}


@pytest.mark.parametrize(
    ("given", "better"),
    [("Some Weird Type!", "some_weird_type"), ("Works-At", "works_at"), ("9lives", "lives"), ("Équipe", "equipe")],
)
def test_a_bad_type_is_refused_with_a_good_one(local: Any, page: Any, given: str, better: str) -> None:
    page("notes/a")
    page("notes/b")
    with pytest.raises(InvalidParams) as caught:
        local.link("notes/a", "notes/b", given)
    assert caught.value.suggestion == f"pass link_type: {better}"
    for nothing in ("!!", "x" * 65):
        with pytest.raises(InvalidParams):
            local.link("notes/a", "notes/b", nothing)


def test_links_that_make_no_sense_are_refused(local: Any, remote: Any, page: Any) -> None:
    page("notes/a")
    page("notes/hidden", "Text.\n", "visibility: private")
    for source in (*graph.MANAGED, "Manual", "a_b", "9", "x" * 65):
        with pytest.raises(InvalidParams):
            local.link("notes/a", "notes/hidden", link_source=source)
    with pytest.raises(InvalidParams):
        local.link("notes/a", "Notes/A", "self")
    for start, end in (("notes/a", "notes/none"), ("notes/none", "notes/a")):
        with pytest.raises(NotFound):
            local.link(start, end)
        with pytest.raises(NotFound):
            local("remove_link", **{"from": start, "to": end})
    with pytest.raises(NotFound):
        remote.link("notes/a", "notes/hidden")


def test_edges_of_hidden_pages_are_neither_shown_nor_counted(local: Any, remote: Any, page: Any) -> None:
    page("notes/a")
    page("notes/hidden", "Text.\n", "visibility: private")
    local.link("notes/a", "notes/hidden", "out")
    local.link("notes/hidden", "notes/a", "back", link_source="private-import")
    slug = {"slug": "notes/a"}
    assert len(local("get_links", **slug)) == len(local("get_backlinks", **slug)) == 1
    for name in ("get_links", "get_backlinks"):
        assert remote(name, **slug) == []
    assert remote("list_link_sources") == []
    assert remote("traverse_graph", **slug)[0]["links"] == []
    assert remote("traverse_graph", **slug, direction="both") == []
    assert remote("get_stats")["link_count"] == 0
    assert remote("get_health")["link_coverage"] == 0.0


@pytest.mark.usefixtures("chain")
def test_a_walk_visits_every_page_once(local: Any) -> None:
    nodes = local("traverse_graph", slug="notes/a")
    assert [(node["slug"], node["title"], node["type"], node["depth"]) for node in nodes] == [
        ("notes/a", "A", "note", 0),
        ("notes/b", "B", "note", 1),
        ("notes/c", "C", "note", 1),
    ]
    assert nodes[0]["links"] == [
        {"to_slug": "notes/b", "link_type": "next"},
        {"to_slug": "notes/c", "link_type": "next"},
    ]
    assert [node["slug"] for node in local("traverse_graph", slug="notes/a", depth=0)] == ["notes/a"]
    assert local("traverse_graph", slug="notes/none") == []


@pytest.mark.usefixtures("chain")
def test_a_walk_with_a_direction_gives_edges(local: Any) -> None:
    def edges(**more: Any) -> list[tuple[str, str, int]]:
        found = local("traverse_graph", slug="notes/a", **more)
        return [(row["from_slug"][-1], row["to_slug"][-1], row["depth"]) for row in found]

    assert edges(direction="out") == [("a", "b", 1), ("a", "c", 1), ("b", "c", 2), ("c", "a", 2)]
    assert edges(direction="in", depth=1) == [("c", "a", 1), ("d", "a", 1)]
    assert edges(direction="both", depth=1) == [("a", "b", 1), ("c", "a", 1), ("a", "c", 1), ("d", "a", 1)]
    assert edges(link_type="next") == edges(direction="out")
    assert edges(link_type="other") == []
    assert local("traverse_graph", slug="notes/a", direction="out")[0]["context"] == "a to b"
    for wrong in ({"depth": 99}, {"depth": -1}, {"direction": "up"}):
        with pytest.raises(InvalidParams):
            local("traverse_graph", slug="notes/a", **wrong)


def test_a_wide_walk_is_cut_with_a_warning(local: Any, brain: Any, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_NODES", 4)
    for number in range(6):
        page(f"notes/{number}")
        if number:
            local.link("notes/0", f"notes/{number}")
    reply = local.reply("traverse_graph", slug="notes/0")
    assert len(reply.value) == 4
    assert [warning["code"] for warning in reply.warnings] == ["truncated"]


def test_long_lists_of_links_come_in_parts(local: Any, page: Any) -> None:
    for number in range(5):
        page(f"notes/{number}")
        if number:
            local.link(f"notes/{number}", "notes/0")
    first = local.reply("get_backlinks", slug="notes/0", limit=3)
    assert "offset: 3" in first.warnings[0]["message"]
    rest = local.reply("get_backlinks", slug="notes/0", limit=3, offset=3)
    assert [row["from_slug"][-1] for row in first.value + rest.value] == ["1", "2", "3", "4"]
    assert not rest.warnings

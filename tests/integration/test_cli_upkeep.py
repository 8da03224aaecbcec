"""`extract`, `check-backlinks`, `lint` and `links` as a person runs them."""

from pathlib import Path

import pytest

from commandline import Gbrain


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    made("put", "people/dana", "--content", "# Dana Oakes\n\n- Likes green tea\n")
    made("put", "notes/walk", "--content", "Dana Oakes walked with [[people/eve]].")
    return made


def test_links_of_a_page_and_those_without_one(gbrain: Gbrain) -> None:
    assert gbrain("links", "unresolved").out == "notes/walk  people/eve\n"
    assert gbrain("links", "notes/walk").out == gbrain("links", "of", "notes/walk").out == "No links.\n"
    gbrain("put", "people/eve", "--content", "Eve.")
    assert gbrain("links", "notes/walk").out == "--mentions-> people/eve\n"
    assert gbrain("links", "unresolved").out == "Every reference in the source default leads to a page.\n"


def test_backlinks_are_checked_shown_and_written(gbrain: Gbrain) -> None:
    found = gbrain.run("check-backlinks")
    assert found.code == 1
    assert "people/dana does not answer notes/walk" in found.out
    refused = gbrain.run("check-backlinks", "--fix")
    assert refused.code == 2
    assert "+## Timeline" in refused.out
    assert "gbrain check-backlinks --fix --yes" in refused.err
    assert gbrain("get", "people/dana", "--json").json["version"] == 1
    fixed = gbrain("check-backlinks", "--fix", "--yes").out
    assert fixed.endswith(
        "  people/dana: 1 backlink added\n1 page changed, 1 backlink added (2 pages of the source default read)\n"
    )
    assert gbrain("check-backlinks", "--fix").out == "Nothing to add (2 pages of the source default read)\n"
    assert gbrain("check-backlinks", "--json").json["missing"] == 0
    assert "Referenced in [Walk](../notes/walk.md)" in gbrain("get", "people/dana").out


def test_lint_and_extract(gbrain: Gbrain) -> None:
    found = gbrain.run("lint")
    assert (found.code, found.out.splitlines()[0]) == (1, "people/dana:3  Likes green tea")
    assert gbrain("extract", "all").out == "2 pages read\n"
    assert gbrain("extract", "links", "--json").json["pages_processed"] == 2
    assert gbrain.run("extract", "everything").code == 2


def test_every_source_at_once(gbrain: Gbrain) -> None:
    gbrain("sources", "add", "team")
    for slug, text in (("people/bob", "# Bob Sample\n\n- Rows every day\n"), ("notes/row", "Bob Sample rowed.\n")):
        gbrain("put", slug, "--content", text, "--source", "team")
    found = gbrain.run("check-backlinks", "--all")
    assert found.code == 1
    assert "default:people/dana does not answer notes/walk\n" in found.out
    assert "team:people/bob does not answer notes/row\n" in found.out
    assert "2 missing backlinks (4 pages of the sources default, team read)" in found.out
    fixed = gbrain("check-backlinks", "--all", "--fix", "--yes").out
    assert "  team:people/bob: 1 backlink added\n2 pages changed, 2 backlinks added" in fixed
    assert gbrain("check-backlinks", "--all", "--json").json["missing"] == 0
    assert "team:people/bob:3  Rows every day" in gbrain.run("lint", "--all").out
    assert gbrain.run("lint", "--all", "--source", "team").code == 2

"""Debian's own PostgreSQL 15: no pgvector, and a server that would order texts as in English."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from gbrain import Brain, doctor
from gbrain.brain import join_database
from gbrain.store.postgres import PostgresEngine


@pytest.fixture(scope="module")
def server() -> databases.Server:
    found = databases.debian()
    if found is None:
        pytest.skip("PostgreSQL 15 is not installed: apt-get install postgresql")
    return found


@pytest.fixture
def brain(server: databases.Server, tmp_path: Path) -> Iterator[Brain]:
    if not server.sql("select 1 from pg_roles where rolname = 'keeper'"):
        server.sql("create role keeper login")
    name = server.create(owner="keeper")
    with join_database(str(tmp_path / "home"), server.url(name, user="keeper"), walls=True) as brain:
        yield brain


def test_the_server_is_another_one(server: databases.Server) -> None:
    assert server.sql("show server_version")[0][0].startswith("15.")
    assert server.sql("select x from (values ('a'), ('B'), ('c')) as t (x) order by x") == [("a",), ("B",), ("c",)]
    assert server.sql("select 1 from pg_available_extensions where name = 'vector'") == []


def test_words_are_found_without_the_extension(brain: Brain) -> None:
    pages = {
        "ja": "来週の火曜日に倉庫の鍵を交換する予定です",
        "zh": "林小满负责灯塔项目的预算审批",
        "en": "The lantern budget is due",
    }
    for slug, text in pages.items():
        brain.put_page(slug=f"texts/{slug}", content=f"# {slug}\n\n{text}\n")
    for query, slug in (("倉庫の鍵", "ja"), ("鍵", "ja"), ("预算", "zh"), ("lantern budget", "en")):
        assert [row["slug"] for row in brain.search(query=query)] == [f"texts/{slug}"]
    assert brain.remember(fact="prefers tea", provenance="a test", entity="Dana")["status"] == "inserted"
    assert brain.remember(fact="prefers tea", provenance="a test", entity="Dana")["status"] == "duplicate"
    assert len(brain.recall(query="tea")["facts"]) == 1


def test_the_doctor_says_what_is_missing(brain: Brain) -> None:
    rows = {row["name"]: row for row in doctor.report(brain.home, True)["checks"] if row["name"].startswith("server")}
    row = rows.pop("server.vector")
    assert row["status"] == "warn"
    assert "no pgvector" in row["message"]
    assert any("postgresql-15-pgvector" in line for line in row["details"])
    others = {
        name: row["status"] for name, row in rows.items() if name.startswith("server") and name != "server.vector"
    }
    assert set(others.values()) == {"ok"}


def test_lists_come_in_the_order_of_code_points(brain: Brain) -> None:
    slugs = ["a-b", "ab", "a/b", "b", "ä", "é", "z", "鍵"]
    for slug in slugs:
        brain.put_page(slug=slug, content=f"# {slug.upper()}\n\nx\n")
    listed = [row["slug"] for row in brain.list_pages(sort="slug", limit=50)]
    assert listed == sorted(slugs)
    engine = brain.store.engine
    assert isinstance(engine, PostgresEngine)
    found = [
        row["slug"] for row in engine.rows("select slug from pages where slug >= :low order by slug", {"low": "z"})
    ]
    assert found == [slug for slug in sorted(slugs) if slug >= "z"]

"""What the recall hook tells of the person at a session's start: alone on a file, and from a server on a database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import databases
from gbrain import home as homes
from gbrain.ambient.pack import PACK_TOKENS
from gbrain.domain.text import estimate_tokens
from recalling import Home, listened
from stdio_server import HANDSHAKE, Server

PERSON = ("I am allergic to penicillin", "My daughter is called Mia", "works at the mill")


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A home with a brain; that of a database is served, as no hook reads a database."""
    home = Home(tmp_path)
    if request.param == "sqlite":
        yield home.make()
        return
    home.brain.mkdir(0o700)
    homes.set_database_url(str(home.brain), databases.emptied())
    home.make()
    with Server(tmp_path) as server:
        server.result("initialize", HANDSHAKE)
        assert listened(home)
        yield home


def section(told: str, heading: str) -> list[str]:
    """The lines below a heading of a pack."""
    lines = told.partition(f"## {heading}\n")[2].splitlines()
    end = next(at for at, line in enumerate(lines) if not line.startswith("- "))
    return lines[:end]


def test_what_stands_about_the_person_is_told_at_the_start(home: Home) -> None:
    with home.open() as brain:
        brain.remember(fact=PERSON[0], provenance="x", visibility="world")
        brain.remember(fact=PERSON[1], provenance="x", visibility="world")
        brain.remember(fact=PERSON[2], provenance="x", entity="user", visibility="world")
        brain.remember(fact="is seeing a doctor", provenance="x", entity="user", visibility="private")
        left = brain.remember(fact="lives in Leeds", provenance="x", entity="user", visibility="world")
        brain.remember(fact="lives in Oslo", provenance="x", entity="user", visibility="world", replaces=left["id"])
        ended = brain.remember(fact="drives a van", provenance="x", entity="user", visibility="world")
        brain.forget(id=ended["id"])
    told = home.start()
    assert section(told, "Standing facts") == [
        "- lives in Oslo [default:user]",
        f"- {PERSON[2]} [default:user]",
        f"- {PERSON[1]} [default]",
        f"- {PERSON[0]} [default]",
    ]
    assert section(told, "What the person prefers") == ["- the user prefers tabs [default]"]
    for hidden in ("doctor", "Leeds", "van"):
        assert hidden not in told
    with home.open() as brain:
        brain.config_set(key="memory.auto_recall", value="private")
    assert "- is seeing a doctor [default:user]" in section(home.start("s2"), "Standing facts")


def test_the_person_comes_first_where_room_is_short(home: Home) -> None:
    long = "tells at length of the weather of the north and of what it does to tea and to boats, " * 2
    with home.open() as brain:
        for number in range(6):
            page = f"---\ntitle: Company {number} {long}\ntype: company\n---\nCompany {number} {long}.\n"
            brain.put_page(slug=f"companies/c{number}", content=page)
            for fact in (f"{number} {long}", f"also {number} {long}"):
                brain.remember(fact=fact, provenance="x", entity=f"companies/c{number}", visibility="world")
        for fact in PERSON:
            brain.remember(fact=fact, provenance="x", entity="user", visibility="world")
    told = home.start()
    assert len(section(told, "Standing facts")) == len(PERSON)
    assert len(section(told, "Standing entities")) < 6
    assert told.index("## Standing entities") < told.index("## What the person prefers")
    assert estimate_tokens(told) < PACK_TOKENS + 60


def test_what_is_new_is_not_told_twice(home: Home) -> None:
    assert home.start()
    with home.open() as brain:
        brain.remember(fact=PERSON[0], provenance="x", entity="user", visibility="world")
        brain.remember(fact="Dana Oakes moved to Leeds", provenance="x", entity="Dana Oakes", visibility="world")
    told = home.start("s2")
    assert told.count(PERSON[0]) == 1
    assert "- Dana Oakes moved to Leeds (" in told.partition("## Since")[2]
    resumed = home.start("s2", source="resume")
    assert PERSON[0] not in resumed

"""Text that a database, a pattern or a path would read as something else, in every string of every operation."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import databases
from gbrain import registry
from gbrain.brain import join_database
from gbrain.errors import BrainError
from gbrain.schema import ParamSpec
from gbrain.types import Caller
from http_server import HttpServer, Response
from stdio_server import brain_folder, call, local_brain, make_brain

CODES = {kind.code for kind in (BrainError, *BrainError.__subclasses__())} - {"internal"}
SYNTAX = (
    "'; drop table facts; --",
    "' or '1'='1",
    '"quoted" OR *',
    "body : NEAR(a b)",
    "a & !b | (c <-> 'd':*)",
    "\\' \\",
    "$1 :name ? %s %(x)s {0}",
    "\x01\x1b[2J",
    "../../etc/passwd",
    "‮kcab",
)
PATTERNS = ("%", "_", "%%", "______", "[a-z]%", "*", ".*")
"""What would stand for any text in `like`, `glob` or a regular expression."""
PLANTED = "quagga"
INNARDS = re.compile(
    r"sqlite|psycopg|postgres|tsquery|fts5|syntax error|traceback|near \"|File \"|select .* from", re.I
)
READER = Caller.http("test", frozenset({"read", "write", "admin"}), None)

PLAUSIBLE: dict[str, Any] = {
    "slug": "notes/victim",
    "from": "notes/victim",
    "to": "notes/other",
    "id": "2",
    "since": "2031-05-04",
    "date": "2031-05-04",
    "source_id": "default",
}
"""Values that lead an operation past its other parameters; any text does for those that are not named."""

IDLE = {
    ("context_pack", "session_id"),
    ("delta", "session_id"),
    ("delta", "since_slug"),
    ("whoami", "source_id"),
}
"""Parameters of reads that may be anything, since they do not choose what is read."""


def strings() -> Iterator[tuple[registry.Operation, ParamSpec]]:
    """Every free string that a client with every scope can send."""
    for operation in registry.visible(READER):
        for param in operation.params:
            if param.kind in ("string", "array") and not param.choices:
                yield operation, param


def arguments(operation: registry.Operation, param: ParamSpec, text: str) -> dict[str, Any]:
    """What calls an operation with this text in one parameter, and something plausible in each that it needs."""
    made: dict[str, Any] = {}
    for other in operation.params:
        if other.required:
            number = 2 if other.kind in ("integer", "number") else True
            made[other.name] = PLAUSIBLE.get(other.name, "words") if other.kind == "string" else number
    return {**made, param.name: [text] if param.kind == "array" else text}


class Place(NamedTuple):
    """A server, and the header of a client that may do everything."""

    server: HttpServer
    header: dict[str, str]

    def post(self, name: str, given: dict[str, Any]) -> Response:
        return self.server.post(call(1, name, given), self.header)

    def ask(self, name: str, given: dict[str, Any]) -> tuple[bool, Any]:
        """(whether it was refused, the value)."""
        answer = self.post(name, given)
        assert answer.status == 200, (name, given, answer)
        assert len(answer.body) < 100_000
        result = answer.json["result"]
        return result["isError"], json.loads(result["content"][0]["text"])


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    home: Path = tmp_path_factory.mktemp(request.param)
    if request.param == "postgres":
        join_database(brain_folder(home), databases.shared().url(databases.shared().create())).close()
    else:
        make_brain(home)
    with local_brain(home) as brain:
        for slug in ("notes/quagga", "notes/other"):
            brain.put_page(slug=slug, content=f"---\ntags: [{PLANTED}]\n---\nA {PLANTED} by the river.\n")
        brain.remember(fact=f"feeds the {PLANTED}", provenance=PLANTED, entity="notes/quagga")
        brain.put_page(slug="notes/victim", content="Changed by whoever likes to.\n")
        brain.remember(fact="is forgotten", provenance="test", entity="notes/victim")
        brain.call("add_link", {"from": "notes/quagga", "to": "notes/other", "link_type": PLANTED})
        token = brain.auth_create(name="all", scopes=["read", "write", "admin"], all_sources=True)["token"]
    # Days later, so that nothing is recent, and so shown beside whatever was asked.
    with HttpServer(home, "--rate", "0", env={"GBRAIN_CLOCK": "+3d"}) as server:
        yield Place(server, {"authorization": f"Bearer {token}"})


def test_every_string_is_only_text(place: Place) -> None:
    """Each answer is a value or a typed refusal; nothing of the database shows in it, and nothing else changes."""
    count = 0
    for operation, param in strings():
        for text in (*SYNTAX, *PATTERNS):
            given = arguments(operation, param, text)
            refused, value = place.ask(operation.name, given)
            count += 1
            if refused:
                assert value["error"] in CODES, (operation.name, given, value)
                assert value["suggestion"], (operation.name, given, value)
                assert not INNARDS.search(value["message"].replace(text, "")), (operation.name, given, value)
    assert count > 1000
    _all_is_there(place)


def test_what_is_written_comes_back_as_it_was(place: Place) -> None:
    for number, text in enumerate((*SYNTAX, *PATTERNS)):
        fact = f"said {text} {number}"
        refused, value = place.ask("remember", {"fact": fact, "provenance": text})
        assert not refused, value
        _, found = place.ask("recall", {"grep": f"{text} {number}"})
        assert [(row["fact"], row["provenance"]) for row in found["facts"]] == [(fact, text)]
    _all_is_there(place)


def test_no_string_is_a_pattern(place: Place) -> None:
    """What stands for any text elsewhere finds here only itself."""
    for operation, param in strings():
        if operation.mutates or operation.name == "run_doctor" or (operation.name, param.name) in IDLE:
            continue
        for text in PATTERNS:
            given = arguments(operation, param, text)
            if param.name == "source_id" and text == "*":
                # The word for every source that the client may read.
                continue
            refused, value = place.ask(operation.name, given)
            assert refused or PLANTED not in json.dumps(value), (operation.name, given, value)


def test_half_a_character_is_refused(place: Place) -> None:
    """It can be written in JSON, and is no text."""
    for operation, param in strings():
        answer = place.post(operation.name, arguments(operation, param, "\ud800"))
        assert answer.status == 400
        assert answer.error["code"] == -32700


def _all_is_there(place: Place) -> None:
    """What nobody named is as it was planted."""
    _, found = place.ask("recall", {"entity": "notes/quagga"})
    assert [row["fact"] for row in found["facts"]] == [f"feeds the {PLANTED}"]
    _, pages = place.ask("list_pages", {"tag": PLANTED})
    assert {page["slug"] for page in pages} == {"notes/quagga", "notes/other"}

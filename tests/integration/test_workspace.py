"""What agents are told, wherever they read it; the standing rule of a workspace; and who a brain is for."""

import json
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain.ambient import contract
from gbrain.ambient.contract import BASE, Options, section
from http_server import HttpServer
from stdio_server import HANDSHAKE, Server

MODE = "memory.auto_writeback"


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


def told(server: Server | HttpServer, **headers: str) -> str:
    return str(server.result("initialize", HANDSHAKE, **headers)["instructions"])


def test_every_caller_is_told_what_it_can_do_and_every_surface_the_same(gbrain: Gbrain) -> None:
    """F8 to F11 over each transport; the block and the standing rule say it in the same words."""
    (gbrain.base / ".claude").mkdir()
    gbrain("config", "set", MODE, "salient")
    gbrain("config", "set", f"{MODE}_transient_ttl", "12h")
    gbrain("config", "set", "facts.default_visibility", "private")
    kinds = {
        "writer": (),
        "reader": ("--scopes", "read"),
        "verbs": ("--surface", "verbs"),
        "bound": ("--slug", "people/dana"),
    }
    tokens = {
        name: f"Bearer {gbrain('auth', 'create', name, *options, '--json').json['token']}"
        for name, options in kinds.items()
    }
    whole, short = (f"{BASE}\n\n{section(Options('salient', '12h', 'private', there))}" for there in (True, False))
    with Server(gbrain.base) as stdio:
        assert told(stdio) == whole
    with Server(gbrain.base, "--surface", "verbs") as stdio:
        assert told(stdio) == short
    with HttpServer(gbrain.base) as http:
        heard = {name: told(http, authorization=token) for name, token in tokens.items()}
        assert heard == {"writer": whole, "reader": BASE, "verbs": short, "bound": BASE}
        gbrain("config", "set", MODE, "off")
        assert told(http, authorization=tokens["writer"]) == BASE
    gbrain("config", "set", MODE, "salient")
    wired = gbrain.run(
        "bootstrap", "harness", "--harness", "claude-code", "--yes", env={"HOME": str(gbrain.base), "PATH": "/bin"}
    )
    assert wired.code == 0, wired
    block = (gbrain.base / ".claude" / "CLAUDE.md").read_text()
    assert section(Options("salient", "12h", "private", None)) in block
    standing = gbrain("bootstrap", "contract").out
    for rule in (contract.SECRETS, contract.PROVENANCE, contract.SKIP, contract.OWN, contract.VISIBLE["private"]):
        assert all(rule in text for text in (whole, short, block, standing))
    assert contract.ENABLE[0] in BASE
    assert contract.ENABLE[0] in standing


def test_f12_an_identity_is_last_and_a_blank_one_is_none(gbrain: Gbrain) -> None:
    for said, expected in (
        ("the brain of Acme", f"{BASE}\n\n{contract.IDENTITY_HEADING}\nthe brain of Acme"),
        (" ", BASE),
    ):
        with Server(gbrain.base, env={"GBRAIN_MCP_INSTRUCTIONS": said}) as server:
            assert told(server) == expected


def test_the_standing_rule_is_kept_in_a_file_among_what_else_is_there(gbrain: Gbrain, tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Ours\n\nBe brief.\n")
    printed = gbrain("bootstrap", "contract").out
    states = [gbrain("bootstrap", "contract", "--write", str(path), "--json").json["status"] for _ in range(2)]
    gbrain("config", "set", "facts.default_visibility", "private")
    states.append(gbrain("bootstrap", "contract", "--write", str(path), "--json").json["status"])
    assert states == ["updated", "unchanged", "updated"]
    text = path.read_text()
    assert text.startswith("# Ours\n\nBe brief.\n<!-- gbrain:workspace-contract:begin -->\n")
    assert text.count("## Memory of this workspace") == 1
    assert contract.VISIBLE["private"] in text
    assert contract.VISIBLE["world"] in printed
    path.write_text(text.replace(":end -->", ":end-->"))
    ran = gbrain.run("bootstrap", "contract", "--write", str(path))
    assert (ran.code, "1 begin and 0 end" in ran.err) == (2, True)


def test_the_standing_rule_is_there_before_any_brain(tmp_path: Path) -> None:
    assert contract.SKIP in Gbrain(tmp_path)("bootstrap", "contract").out


def interview(gbrain: Gbrain, answer: str) -> object:
    return gbrain("bootstrap", "interview", "--surface-multiuser", answer, "--json").json["wrote"]


def test_e15_one_person_is_nothing_to_write_down(gbrain: Gbrain) -> None:
    assert interview(gbrain, "single-principal") is False
    assert not (gbrain.home / "config.json").exists()


def test_e15_a_shared_brain_is_declared_with_and_without_a_store(gbrain: Gbrain, tmp_path: Path) -> None:
    early = Gbrain(tmp_path / "early")
    early.base.mkdir()
    for one in (gbrain, early):
        assert interview(one, "shared") is True
        assert json.loads((one.home / "config.json").read_text()) == {"brain": {"audience": "shared"}}
        assert interview(one, "shared") is False
    early("init")
    assert early("advisor").out == "Nothing to advise.\n"
    assert early("config", "get", "brain.audience").out == "shared\n"


def test_e15_a_declaration_is_not_written_over(gbrain: Gbrain) -> None:
    gbrain("config", "set", "brain.audience", "personal")
    assert interview(gbrain, "shared") is False
    assert gbrain("config", "get", "brain.audience").out == "personal\n"


def test_the_interview_asks_at_a_terminal_and_nowhere_else(gbrain: Gbrain) -> None:
    code, shown = gbrain.at_terminal("bootstrap", "interview", answer="\n")
    assert (code, "Who uses this brain?" in shown, "nothing to write down" in shown) == (0, True, True)
    ran = gbrain.run("bootstrap", "interview")
    assert (ran.code, "--surface-multiuser" in ran.err) == (2, True)

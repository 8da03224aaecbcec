"""The seven verbs as commands: their texts, their JSON, their options."""

import json
import re
from pathlib import Path

import pytest

from commandline import Gbrain

PAGE = """---
type: person
title: Dana Oakes
aliases: [dana]
---
Leads the river survey at Northwind Charts.
"""


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    """A brain that the tests only read: one page, four facts, one of them replaced and one private."""
    gbrain = Gbrain(tmp_path_factory.mktemp("verbs"))
    gbrain("init")
    gbrain("put", "people/dana-oakes", stdin=PAGE)
    for fact, kind, options in (
        ("prefers green tea", "preference", ()),
        ("owes Sam the signed lease", "commitment", ("--ttl", "30d")),
        ("joined the survey in 2030", "event", ()),
        ("is looking for another job", "belief", ("--visibility", "private")),
    ):
        gbrain("remember", fact, "--provenance", "chat, 2031-05-04", "--entity", "dana", "--kind", kind, *options)
    first = gbrain("remember", "the lease number is 17", "--provenance", "mail", "--json").json
    gbrain("remember", "the lease number is 18", "--provenance", "mail", "--replaces", first["id"])
    return gbrain


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


# remember


def test_remember_says_what_it_did(gbrain: Gbrain) -> None:
    gbrain("put", "people/dana-oakes", stdin=PAGE)
    ran = gbrain("remember", "plays go", "--provenance", "chat", "--entity", "Dana Oakes", "--ttl", "3d")
    lines = ran.out.splitlines()
    assert lines[0] == "remembered as fact #1"
    assert "  entity: people/dana-oakes" in lines
    assert any(re.fullmatch(r"  expires: \d{4}-\d\d-\d\dT[\d:.]+Z", line) for line in lines)
    assert "private" not in ran.out
    again = gbrain("remember", "Plays  go", "--provenance", "chat", "--entity", "Dana Oakes")
    assert again.out.splitlines()[0] == "already known as fact #1"


def test_remember_says_what_agents_will_not_see(gbrain: Gbrain) -> None:
    gbrain("put", "people/kim-lee", "--content", "---\ntitle: Kim Lee\nvisibility: private\n---\nSails.\n")
    asked = gbrain("remember", "plays go", "--provenance", "chat", "--visibility", "private")
    by_page = gbrain("remember", "plays chess", "--provenance", "chat", "--entity", "Kim Lee")
    for ran in (asked, by_page):
        assert "  private: agents do not see it" in ran.out.splitlines()


def test_remember_json_is_the_verbs_reply(gbrain: Gbrain) -> None:
    reply = gbrain("remember", "--fact", "plays go", "--provenance", "chat", "--json").json
    assert reply["status"] == "inserted"
    assert reply["protocol_version"] == 1
    assert {"entity_slug", "valid_until"} <= set(reply)


def test_a_correction_names_what_it_replaces(gbrain: Gbrain) -> None:
    old = gbrain("remember", "the code is 17", "--provenance", "chat", "--json").json["id"]
    ran = gbrain("remember", "the code is 18", "--provenance", "chat", "--replaces", old)
    assert "note: " in ran.out
    assert old in ran.out


@pytest.mark.parametrize(
    ("arguments", "wire", "told"),
    [
        (("x",), "invalid_params", "--provenance"),
        (("--provenance", "p"), "invalid_params", "FACT"),
        (("x", "--provenance", " "), "provenance_required", "provenance"),
        (("x", "--provenance", "\u200b"), "provenance_required", "provenance"),
        (("\u2060", "--provenance", "chat"), "invalid_params", "the fact is empty"),
        ((" ", "--provenance", "p"), "invalid_params", "empty"),
        (("x", "--provenance", "p", "--kind", "idea"), "invalid_params", "--kind"),
        (("x", "--provenance", "p", "--ttl", "P30D"), "invalid_params", "30d"),
        (("x", "--provenance", "p", "--entitty", "dana"), "invalid_params", "--entity"),
        (("x", "y", "--provenance", "p"), "invalid_params", "quotes"),
        (("x", "--fact", "y", "--provenance", "p"), "invalid_params", "twice"),
        (("x", "--provenance"), "invalid_params", "--provenance"),
    ],
)
def test_remember_refuses(gbrain: Gbrain, arguments: tuple[str, ...], wire: str, told: str) -> None:
    ran = gbrain.run("remember", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"Error [{wire}]: ")
    assert "\n  Fix: " in ran.err
    assert told in ran.err
    reply = gbrain.run("remember", *arguments, "--json")
    assert reply.code == 2
    assert reply.json["error"] == wire
    assert reply.json["protocol_version"] == 1
    assert gbrain("recall").out == "No matching facts.\n"


def test_a_text_that_begins_with_a_dash(gbrain: Gbrain) -> None:
    refused = gbrain.run("remember", "-5 degrees in the cellar", "--provenance", "thermometer")
    assert refused.code == 2
    assert (
        '  Fix: write -- before a text that begins with a dash: gbrain remember --provenance thermometer -- "-5 '
        in (refused.err)
    )
    short = gbrain.run("recall", "-q", "tea")
    assert "run: gbrain recall --help" in short.err
    gbrain("remember", "--provenance", "thermometer", "--", "-5 degrees in the cellar")
    assert "-5 degrees" in gbrain("recall").out


def test_a_dry_run_changes_nothing(gbrain: Gbrain) -> None:
    reply = gbrain("remember", "plays go", "--provenance", "chat", "--dry-run", "--json").json
    assert reply["dry_run"] is True
    assert gbrain("recall").out == "No matching facts.\n"


# recall


def test_recall_shows_a_line_a_fact(seeded: Gbrain) -> None:
    lines = seeded("recall", "people/dana-oakes").out.splitlines()
    assert "🎯 id=1 [people/dana-oakes] prefers green tea (preference, conf 1.00) — chat, 2031-05-04" in lines
    commitment = next(line for line in lines if line.startswith("🤝 id=2 "))
    assert re.search(r"\) — chat, 2031-05-04; until \d{4}-\d\d-\d\d \d\d:\d\d UTC$", commitment)
    assert any(line.startswith("📅 id=3 ") for line in lines)
    belief = next(line for line in lines if line.startswith("💭 id=4 "))
    assert belief.endswith(" — chat, 2031-05-04; private")


@pytest.mark.parametrize("name", ["dana", "Dana Oakes", "people/dana-oakes"])
def test_recall_takes_its_entity_in_both_ways(seeded: Gbrain, name: str) -> None:
    assert seeded("recall", name).out == seeded("recall", "--entity", name).out
    assert len(seeded("recall", name, "--json").json["facts"]) == 4


def test_recall_filters_combine(seeded: Gbrain) -> None:
    assert seeded("recall", "dana", "--grep", "TEA", "--since", "1h").out.count("\n") == 1
    assert seeded("recall", "dana", "--since", "2099-01-01").out == "No matching facts.\n"
    assert seeded("recall", "--session", "nobody").out == "No matching facts.\n"
    assert seeded("recall", "--limit", "2").out.count("\n") == 2


@pytest.mark.parametrize("spelling", ["--as-of", "--asof"])
def test_recall_as_of(seeded: Gbrain, spelling: str) -> None:
    assert seeded("recall", spelling, "2001-01-01").out == "No matching facts.\n"
    assert "prefers green tea" in seeded("recall", spelling, "now").out


def test_recall_marks_what_ended(seeded: Gbrain) -> None:
    assert "number is 17" not in seeded("recall").out
    shown = seeded("recall", "--include-expired").out
    assert "the lease number is 17 (fact, conf 0.00) (replaced by #6) — mail\n" in shown


def test_recall_says_how_a_fact_ended(gbrain: Gbrain) -> None:
    gbrain("remember", "plays go", "--provenance", "chat")
    gbrain("remember", "is in Lisbon", "--provenance", "chat", "--ttl", "3d")
    gbrain("remember", "met Sam", "--provenance", "chat", "--kind", "event", "--ttl", "2000d")
    gbrain("forget", "1")
    later = gbrain.run("recall", "--include-expired", env={"GBRAIN_CLOCK": "+1000d"}).out
    assert "plays go (fact, conf 0.00) (forgotten) — chat\n" in later
    assert "is in Lisbon (fact, conf 0.00) (lapsed) — chat; until " in later
    assert "met Sam (event, conf 0.00) — chat; until " in later


def test_recall_supersessions(seeded: Gbrain) -> None:
    lines = seeded("recall", "--supersessions").out.splitlines()
    assert lines[0] == "# Supersession audit log"
    assert re.fullmatch(r"- id=5 expired=\S+ superseded_by=6", lines[1])
    assert lines[2:] == ["  was: the lease number is 17", "  became: the lease number is 18"]


def test_recall_by_question_shows_facts_pages_and_the_budget(seeded: Gbrain) -> None:
    text = seeded("recall", "--query", "Dana Oakes green tea", "--budget-tokens", "200").out
    first = "🎯 id=1 [people/dana-oakes] prefers green tea (preference, conf 1.00) — chat, 2031-05-04"
    assert text.startswith(f"Facts:\n  {first}\n")
    assert re.search(r"Pages:\n  people/dana-oakes \[(name|all words|some words)\] Dana Oakes\n", text)
    assert "\nnote: found by words alone: embedding is off\n" in text
    assert re.search(r"budget: \d+/200 tokens used, 0 dropped", text)


def test_recall_json_is_the_verbs_reply(seeded: Gbrain) -> None:
    reply = seeded("recall", "--query", "tea", "--budget-tokens", "1", "--json").json
    assert reply["protocol_version"] == 1
    assert reply["facts"] == []
    assert reply["dropped_count"] >= 1
    row = seeded("recall", "dana", "--json").json["facts"][0]
    assert {"fact_id", "provenance", "context", "effective_confidence"} <= set(row)


@pytest.mark.parametrize(
    ("command", "fix"),
    [
        (("recall", "--since", "garbage"), "such as `--since 3d` or"),
        (("remember", "x", "--provenance", "p", "--ttl", "P30D"), "`--ttl 30d`"),
        (("remember", "x", "--provenance", "p", "--replaces", "5"), "pass --replaces 6"),
    ],
)
def test_suggestions_are_spelled_for_the_command_line(seeded: Gbrain, command: tuple[str, ...], fix: str) -> None:
    assert fix in seeded.run(*command).err
    on_the_wire = seeded.run(*command, "--json").json["suggestion"]
    assert "--" not in on_the_wire


@pytest.mark.parametrize(
    "options", [("--since", "garbage"), ("--as-of", "2031-13-45"), ("--limit", "abc"), ("--budget-tokens", "x")]
)
def test_recall_refuses_what_it_cannot_read(seeded: Gbrain, options: tuple[str, ...]) -> None:
    ran = seeded.run("recall", *options)
    assert ran.code == 2
    assert "Fix:" in ran.err


# entity, forget


def test_entity_shows_the_card(seeded: Gbrain) -> None:
    lines = seeded("entity", "dana").out.splitlines()
    assert lines[0] == "Dana Oakes (people/dana-oakes) [person]"
    assert lines[1] == "  Leads the river survey at Northwind Charts."
    assert "  aka: dana" in lines
    assert "  open threads:" in lines
    assert any(line.startswith("    [commitment] owes Sam the signed lease (") for line in lines)
    assert lines[-1] == "  backlinks: 0 | active facts: 4"


def test_entity_misses_with_the_nearest_names(seeded: Gbrain) -> None:
    text = seeded("entity", "Dana Oaks").out
    assert text == "No entity found.\nDid you mean:\n  people/dana-oakes — Dana Oakes\n"
    assert seeded("entity", "Dana Oaks", "--json").json["found"] is False
    assert seeded("entity", "zzz").out.count("\n") == 1


def test_a_name_without_a_page_says_so(gbrain: Gbrain) -> None:
    gbrain("remember", "plays go", "--provenance", "chat", "--entity", "Kim Lee")
    assert gbrain("entity", "Kim Lee").out.startswith("Kim Lee (kim-lee) (no page yet)\n  plays go\n")


def test_forget_twice_is_no_error(gbrain: Gbrain) -> None:
    gbrain("remember", "plays go", "--provenance", "chat")
    assert gbrain("forget", "1", "--reason", "wrong").out.startswith("Forgot fact id=1\n")
    assert gbrain("forget", "1").out == "Fact id=1 had ended already\n"
    assert gbrain("forget", "1", "--json").json == {"id": "1", "expired": False, "reason": None, "protocol_version": 1}
    missing = gbrain.run("forget", "99")
    assert missing.code == 3
    assert missing.err.startswith("Error [not_found]: ")


# context_pack, delta, synthesize


def test_context_pack(seeded: Gbrain) -> None:
    reply = seeded("context-pack", "dana", "--json").json
    assert reply["cards"][0]["slug"] == "people/dana-oakes"
    assert seeded("context-pack", "dana").out == reply["text"].rstrip("\n") + "\n"
    assert seeded("context-pack", "--entities", "dana", "--json").json == reply


def test_delta(seeded: Gbrain) -> None:
    reply = seeded("delta", "--since", "2001-01-01", "--json").json
    assert seeded("delta", "--since", "2001-01-01").out == reply["text"].rstrip("\n") + "\n"
    assert [page["slug"] for page in reply["pages"]] == ["people/dana-oakes"]
    refused = seeded.run("delta", "--json")
    assert refused.code == 2
    assert refused.json["protocol_version"] == 1


def test_synthesize_without_a_model_is_unavailable(seeded: Gbrain) -> None:
    ran = seeded.run("synthesize", "what does Dana drink?")
    assert ran.code == 6
    assert ran.err.startswith("Error [unavailable]: ")
    assert seeded.run("synthesize", "what does Dana drink?", "--json").json["error"] == "unavailable"


def test_json_is_utf8_in_any_locale(seeded: Gbrain) -> None:
    ran = seeded.run("recall", "dana", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert "🎯" in ran.out
    assert json.loads(seeded("recall", "dana", "--json").out)
    refused = seeded.run("get", "人/名", "--json", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert refused.code == 3
    assert "人/名" in refused.json["message"]

"""The operation `volunteer_context`, and the log of what was offered and opened."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gbrain import offered
from gbrain.ambient.volunteering import turns_of
from gbrain.brain import Brain
from gbrain.domain.offers.core import Said
from gbrain.errors import InvalidParams, ScopeDenied
from gbrain.registry import call
from gbrain.types import Caller

Ask = Callable[..., Any]
NOW = "2031-05-04T22:10:00.000000Z"


@pytest.fixture
def ask(brain: Brain) -> Ask:
    def asked(name: str, caller: Caller | None = None, /, **arguments: Any) -> Any:
        return call(brain, caller or Caller.local(), name, arguments).value

    for slug, head, body in (
        ("people/dana-oakes", "title: Dana Oakes\ntype: person\naliases: [Dee]", "CFO of Harbor Capital."),
        ("companies/harbor-capital", "title: Harbor Capital\ntype: company", "A fund."),
        ("people/reed", "title: Reed Vale\ntype: person\nvisibility: private", "A secret."),
    ):
        asked("put_page", slug=slug, content=f"---\n{head}\n---\n{body}\n")
    return asked


def test_a_window_calls_pages_to_mind(ask: Ask) -> None:
    ask(
        "remember",
        fact="sends the deck",
        kind="commitment",
        entity="people/dana-oakes",
        provenance="x",
        visibility="world",
    )
    reply = ask(
        "volunteer_context", window="[user]\nDana Oakes wrote.\n[assistant]\nWell?\n[user]\nAsk Harbor Capital."
    )
    assert (reply["count"], reply["window_turns"]) == (2, 3)
    first, second = reply["pages"]
    assert (first["slug"], first["confidence"], first["arm"]) == ("companies/harbor-capital", 0.85, "title")
    assert (second["slug"], second["confidence"]) == ("people/dana-oakes", 0.8)
    assert second["details"][0]["text"] == "sends the deck"
    assert set(first) >= {"slug", "source_id", "display", "confidence", "arm", "rationale", "synopsis"}
    assert reply["text"].count("\n") == 2


def test_the_caller_sets_the_bounds(ask: Ask) -> None:
    window = "Dana Oakes and Harbor Capital"
    assert ask("volunteer_context", window=window, max_pages=1)["count"] == 1
    assert ask("volunteer_context", window=window, min_confidence=0.95)["count"] == 0
    assert ask("volunteer_context", window=window, budget_tokens=0)["count"] == 0
    ask("config_set", key="offers.most", value="1")
    assert ask("volunteer_context", window=window)["count"] == 1
    ask("config_set", key="offers.gate", value="0.9")
    assert ask("volunteer_context", window=window)["count"] == 0
    for key, value in (("offers.gate", "2"), ("offers.most", "9"), ("offers.tokens", "1"), ("offers.gate", "x")):
        with pytest.raises(InvalidParams):
            ask("config_set", key=key, value=value)


def test_private_pages_take_the_operator_and_a_word(ask: Ask) -> None:
    window = "Reed Vale wrote."
    assert ask("volunteer_context", window=window)["count"] == 0
    assert ask("volunteer_context", window=window, include_private=True)["count"] == 1
    assert ask("volunteer_context", Caller.stdio(), window=window, include_private=True)["count"] == 0


def test_a_session_is_offered_nothing_twice(ask: Ask) -> None:
    window = "Dana Oakes wrote."
    assert ask("volunteer_context", window=window, session_id="a")["count"] == 1
    assert ask("volunteer_context", window=window, session_id="a")["count"] == 0
    assert ask("volunteer_context", window=window, session_id="b")["count"] == 1
    assert ask("volunteer_context", Caller.stdio(client="other"), window=window, session_id="a")["count"] == 1


def test_what_is_opened_counts_once_for_its_arm_and_channel(ask: Ask, brain: Brain) -> None:
    assert ask("volunteer_context", stats=True)["stats"]["offered"] == 0
    ask("volunteer_context", window="Dee wrote to Harbor Capital.")
    ask("get_page", slug="people/dana-oakes")
    ask("entity", name="Dana Oakes")
    stats = ask("volunteer_context", stats=True)["stats"]
    assert (stats["offered"], stats["opened"]) == (2, 1)
    assert [(row["name"], row["offered"], row["opened"], row["precision"]) for row in stats["arms"]] == [
        ("alias", 1, 1, 1.0),
        ("title", 1, 0, 0.0),
    ]
    assert [(row["name"], row["precision"]) for row in stats["channels"]] == [("operation", 0.5)]
    text = Path(brain.home, offered.LOG).read_text(encoding="utf-8")
    assert "wrote" not in text
    assert "Dee" not in text
    with pytest.raises(ScopeDenied):
        ask("volunteer_context", Caller.stdio(), stats=True)


@pytest.mark.parametrize(
    "read",
    [
        ("entity", {"name": "Dee"}),
        ("context_pack", {"entities": "Dee"}),
        ("recall", {"entity": "people/dana-oakes"}),
        ("fetch", {"id": "people/dana-oakes"}),
    ],
)
def test_every_way_to_read_a_page_opens_it(ask: Ask, read: tuple[str, dict[str, Any]]) -> None:
    ask("volunteer_context", window="Dana Oakes wrote.")
    ask(read[0], **read[1])
    assert ask("volunteer_context", stats=True)["stats"]["opened"] == 1


def test_an_offer_of_yesterday_is_opened_no_more(tmp_path: Path) -> None:
    home = str(tmp_path)
    offered.note(home, [offered.Noted("default", "a", "title", 0.8)], "codex", "s", "2031-05-03T22:00:00.000000Z")
    offered.opened(home, {"slug": "a", "source_id": "default"}, {}, "get_page", NOW)
    assert offered.counted(home, "2031")[1] == [offered.Count("codex", 1, 0, "2031-05-03T22:00:00.000000Z")]
    assert offered.counted(home, "2032") == ([], [])


def test_a_damaged_log_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    home = str(tmp_path)
    offered.note(home, [offered.Noted("default", "a", "title", 0.8)], "codex", "s", NOW)
    with open(tmp_path / offered.LOG, "ab") as log:
        log.write(b'{"ts": 1}\n[]\n{"torn\n\xff\xfe\n"a"\n' + json.dumps({"ts": NOW, "event": "x"}).encode() + b"\n")
    offered.opened(home, {"slug": "a", "source_id": "default"}, {}, "get_page", NOW)
    assert offered.counted(home, "2031")[1] == [offered.Count("codex", 1, 1, NOW)]
    assert offered.told(home, "codex", "s") == {("default", "a")}
    assert offered.told(home, "codex", None) == frozenset()
    offered.note(None, [offered.Noted("default", "a", "title", 0.8)], "codex", "s", NOW)
    assert offered.told(None, "codex", "s") == frozenset()


@pytest.mark.parametrize(
    ("window", "turns"),
    [
        ("What now?", [("user", "What now?")]),
        ("[user]\nWho?\n[assistant]\nDana.\nReally.", [("user", "Who?"), ("assistant", "Dana.\nReally.")]),
        ("User: Who?\nAssistant: Dana.", [("user", "Who?"), ("assistant", "Dana.")]),
        (
            '[{"role": "user", "text": "Who?"}, {"role": "tool", "content": "x"}]',
            [("user", "Who?"), ("assistant", "x")],
        ),
        ("[]", []),
        ("note: this is text", [("user", "note: this is text")]),
    ],
)
def test_a_window_is_read_in_any_form(window: str, turns: list[tuple[str, str]]) -> None:
    assert turns_of(window) == [Said(*turn) for turn in turns]


@pytest.mark.parametrize("window", ["", "  ", '[{"role": 1', "[{}, 3]"])
def test_a_window_that_is_none_is_refused(ask: Ask, window: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        ask("volunteer_context", window=window)
    assert "window" in refused.value.suggestion


def test_a_rule_says_which_sources_a_project_is_offered_from(ask: Ask) -> None:
    ask("sources_add", id="notes", federated=True)
    ask("put_page", slug="people/ivor", content="---\ntitle: Ivor Quelm\ntype: person\n---\nx\n", source_id="notes")
    window = "Ivor Quelm wrote."
    assert [page["source_id"] for page in ask("volunteer_context", window=window)["pages"]] == ["notes"]
    ask("config_set", key="offers.across", value="default=own")
    assert ask("volunteer_context", window=window)["count"] == 0
    assert ask("volunteer_context", window=window, source_id="notes")["count"] == 1
    ask("config_set", key="offers.across", value="default=notes")
    ask("sources_rename", id="notes", new_id="papers")
    assert ask("config_get", key="offers.across")["value"] == "default=papers"
    assert ask("volunteer_context", window=window)["count"] == 1
    assert ask("volunteer_context", Caller.http("x", frozenset({"read"}), ("default",)), window=window)["count"] == 0
    with pytest.raises(InvalidParams):
        ask("config_set", key="offers.across", value="default")

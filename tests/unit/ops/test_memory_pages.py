"""Writable memory: entries on pages with predictable slugs."""

from typing import Any

import pytest

from gbrain import Brain, MemoryWriter
from gbrain.errors import InvalidParams, NotFound, ScopeDenied
from gbrain.types import Caller

LESSON = "Pause the queue before a deploy."


def body(ask: Any, slug: str) -> list[str]:
    lines: list[str] = ask("get_page", slug=slug)["compiled_truth"].splitlines()
    return lines[2:]


def test_a_key_of_the_profile_is_replaced(local: Any, remote: Any) -> None:
    first = remote("save_user_profile", key="tea", value="black,\n no sugar", provenance="chat")
    assert first == {
        "slug": "memory/user/profile",
        "source_id": "default",
        "status": "written",
        "version": 1,
        "confidence": 1.0,
    }
    remote("save_user_profile", key="time zone", value="Lisbon")
    assert local("save_user_profile", key="Tea", value="green")["version"] == 3
    assert local("save_user_profile", key="tea", value="Green")["status"] == "skipped"
    found = local("get_page", slug="memory/user/profile")
    assert (found["type"], found["title"], found["version"]) == ("user", "User profile", 3)
    assert body(local, "memory/user/profile") == [
        "- **Tea**: green [Source: local, 2031-05-04]",
        "- **time zone**: Lisbon [Source: agent-example, 2031-05-04]",
    ]
    assert (found["source_kind"], found["ingested_via"]) == ("local", "save_user_profile")
    history = local("get_versions", slug="memory/user/profile")
    assert [(row["modified_by"], row["reason"]) for row in history] == [
        ("local", "profile: Tea"),
        ("agent-example", "profile: time zone"),
        ("agent-example", "profile: tea"),
    ]
    assert local("search", query="Lisbon")[0]["slug"] == "memory/user/profile"


def test_an_automatic_write_is_less_sure_and_yields(local: Any) -> None:
    assert local("save_user_profile", key="tea", value="black", automatic=True)["confidence"] == 0.7
    assert local("save_user_profile", key="milk", value="none", automatic=True, confidence=1)["confidence"] == 0.95
    assert local("get_page", slug="memory/user/profile")["confidence"] == 0.7
    local("save_user_profile", key="tea", value="black")
    assert local("get_page", slug="memory/user/profile")["confidence"] == 0.95
    once = local("save_user_profile", key="tea", value="green", automatic=True)
    assert (once["status"], once["confidence"], once["version"]) == ("kept", 0.7, 4)
    assert "contradicted: tea" in local("get_versions", slug="memory/user/profile")[0]["reason"]
    assert "**tea**: black" in body(local, "memory/user/profile")[0]
    twice = local("save_user_profile", key="tea", value="green", automatic=True)
    assert (twice["status"], twice["confidence"]) == ("written", 0.7)
    assert "**tea**: green" in body(local, "memory/user/profile")[0]


def test_feedback_is_collected_by_the_month(local: Any, clock: Any) -> None:
    local("record_feedback", action="mails with emojis", approved=False, reason="too playful")
    local("record_feedback", action="short mails", approved=True)
    assert local("record_feedback", action="short mails", approved=True)["status"] == "skipped"
    assert body(local, "memory/feedback/2031-05") == [
        "- rejected: mails with emojis; reason: too playful [Source: local, 2031-05-04]",
        "- approved: short mails [Source: local, 2031-05-04]",
    ]
    clock.move(days=30)
    assert local("record_feedback", action="short mails", approved=True)["slug"] == "memory/feedback/2031-06"


def test_a_rejection_lowers_confidence_as_a_version(local: Any) -> None:
    lesson = local("record_lesson", lesson=LESSON, confidence=0.9)
    local("record_feedback", action="paused the queue", approved=False, reason="slow", about=lesson["slug"])
    found = local("get_page", slug=lesson["slug"])
    assert (found["version"], found["confidence"]) == (2, 0.45)
    assert local("get_versions", slug=lesson["slug"])[0]["reason"] == "rejected: slow"
    local("record_feedback", action="paused again", approved=True, about=lesson["slug"])
    assert local("get_page", slug=lesson["slug"])["version"] == 2
    local("save_user_profile", key="tea", value="black")
    local("save_user_profile", key="milk", value="none")
    local("record_feedback", action="black tea", approved=False, about="memory/user/profile#Tea")
    assert [line.endswith("(confidence 0.5)") for line in body(local, "memory/user/profile")] == [True, False]


@pytest.mark.parametrize(
    ("about", "error"),
    [("memory/none", NotFound), ("notes/a", InvalidParams), ("memory/user/profile#milk", InvalidParams)],
)
def test_a_rejection_names_what_there_is(local: Any, page: Any, about: str, error: type[Exception]) -> None:
    page("notes/a")
    local("save_user_profile", key="tea", value="black")
    with pytest.raises(error):
        local("record_feedback", action="x", approved=False, about=about)
    assert local("list_pages", type="feedback") == [], "what is refused is not half done"


def test_a_project_merges_by_key(local: Any) -> None:
    local("update_project_context", updates={"stage": "beta", "owner": "Dana", "team": ["a", "b"]}, project="Lantern X")
    reply = local("update_project_context", updates={"stage": "live", "owner": None}, project="lantern x")
    assert (reply["slug"], reply["version"], reply["status"]) == ("memory/project/lantern-x", 2, "written")
    assert body(local, "memory/project/lantern-x") == [
        "- **stage**: live [Source: local, 2031-05-04]",
        '- **team**: ["a", "b"] [Source: local, 2031-05-04]',
    ]
    assert local("update_project_context", updates={"stage": "live"}, project="lantern x")["status"] == "skipped"
    assert local("update_project_context", updates={"a": 1})["slug"] == "memory/project/default"


def test_a_reference_stands_once_and_brings_its_tags(local: Any) -> None:
    for _ in range(2):
        local("add_reference", category="Sailing", content="Tides: https://tides.example", tags=["harbour", "#sea"])
    local("add_reference", category="sailing", content="Winds", tags=["sea"])
    found = local("get_page", slug="memory/reference/sailing")
    assert (found["version"], found["type"], found["tags"]) == (2, "reference", ["harbour", "sea"])
    assert len(body(local, "memory/reference/sailing")) == 2


def test_a_lesson_has_a_page_of_its_own(local: Any) -> None:
    first = local("record_lesson", lesson=LESSON, automatic=True)
    assert first["slug"].startswith("memory/episodic/pause-the-queue-before-a-deploy-")
    assert local("record_lesson", lesson=LESSON, automatic=True)["status"] == "skipped"
    again = local("record_lesson", lesson=LESSON)
    assert (again["slug"], again["version"], again["confidence"]) == (first["slug"], 2, 1)
    found = local("get_page", slug=first["slug"])
    assert (found["type"], found["title"]) == ("episodic", LESSON)
    other = local("record_lesson", lesson="教训：上线之前先备份。", confidence=0.6)
    assert local("get_page", slug=other["slug"])["confidence"] == 0.6


def test_what_a_person_wrote_on_the_page_stays(local: Any) -> None:
    own = "---\n# mine\ntype: user\n---\n# About me\n\nI wrote this.\n\n- **tea**: black\n\nAnd this.\n"
    local("put_page", slug="memory/user/profile", content=own)
    local("save_user_profile", key="tea", value="green")
    local("save_user_profile", key="milk", value="none")
    content = local("get_versions", slug="memory/user/profile", include_content=True)[0]["content"]
    assert content == own.replace(
        "- **tea**: black\n",
        "- **tea**: green [Source: local, 2031-05-04]\n- **milk**: none [Source: local, 2031-05-04]\n",
    )


def test_a_private_memory_page_is_not_for_agents(local: Any, remote: Any) -> None:
    local("put_page", slug="memory/user/profile", content="---\nvisibility: private\n---\n- **tea**: MARKER\n")
    with pytest.raises(ScopeDenied) as refused:
        remote("save_user_profile", key="tea", value="green")
    assert "MARKER" not in str(refused.value.envelope())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("save_user_profile", {"key": " ", "value": "x"}),
        ("save_user_profile", {"key": "**", "value": "x"}),
        ("save_user_profile", {"key": "x", "value": "\n"}),
        ("save_user_profile", {"key": "x", "value": "y" * 2001}),
        ("save_user_profile", {"key": "x", "value": "y", "confidence": 1.5}),
        ("record_feedback", {"action": " ", "approved": True}),
        ("update_project_context", {"updates": {}}),
        ("update_project_context", {"updates": {"a": ""}}),
        ("update_project_context", {"updates": {"a": "b"}, "project": "!"}),
        ("update_project_context", {"updates": {"a": "\0"}}),
        ("add_reference", {"category": "/", "content": "x"}),
        ("add_reference", {"category": "x", "content": "y" * 2001}),
        ("record_lesson", {"lesson": ""}),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(local: Any, name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        local(name, **arguments)
    assert local("list_pages") == []


def test_the_writer_writes_them_all(brain: Brain) -> None:
    writer = MemoryWriter(brain, provenance="chat", session="s1", caller=Caller.stdio(client="agent-example"))
    assert writer.save_user_profile("tea", "black")["version"] == 1
    assert writer.record_feedback("x", False, "y", about="memory/user/profile#tea")["version"] == 1
    assert writer.update_project_context({"stage": "beta"}, project="lantern")["confidence"] == 1
    assert writer.add_reference("sailing", "Tides", tags=["sea"])["slug"] == "memory/reference/sailing"
    assert MemoryWriter(brain, automatic=True).record_lesson(LESSON)["confidence"] == 0.7
    found = brain.get_page("memory/user/profile")
    assert found["modified_by"] == "agent-example/s1"
    assert found["compiled_truth"].endswith("- **tea**: black [Source: chat, 2031-05-04] (confidence 0.5)")
    assert brain.save_user_profile("milk", "none")["version"] == 3
    assert brain.record_feedback("z", True, "fine")["version"] == 2

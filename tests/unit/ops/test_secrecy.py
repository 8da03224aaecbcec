"""Secrets in what is written: refused from an agent, told to the person, and never repeated."""

from typing import Any

import pytest

from gbrain import Brain
from gbrain.errors import InvalidParams
from unit.ops.conftest import Asker

KEY = "sk-ant-" + "EXAMPLEexampleEXAMPLE0123456789"
TEXT = f"# Access\n\nThe key is {KEY}.\n"
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("put_page", {"slug": "notes/access", "content": TEXT}),
    ("capture", {"content": TEXT}),
    ("remember", {"fact": f"uses the key {KEY}", "provenance": "chat"}),
    ("remember", {"fact": "uses a key", "provenance": f"chat, {KEY}"}),
    ("add_timeline_entry", {"slug": "notes/plain", "date": "2031-05", "summary": "new key", "detail": KEY}),
    ("save_user_profile", {"key": "wifi password", "value": "Xy7!blue42"}),
]


@pytest.mark.parametrize(("name", "arguments"), WRITES, ids=lambda value: value if isinstance(value, str) else "")
def test_an_agent_brings_no_secret_in(
    brain: Brain, local: Asker, remote: Asker, name: str, arguments: dict[str, Any]
) -> None:
    local("put_page", slug="notes/plain", content="Plain.")
    with pytest.raises(InvalidParams) as refused:
        remote(name, **arguments)
    assert refused.value.detail["reason"] == "secret_found"
    assert KEY[:12] not in f"{refused.value.message}{refused.value.suggestion}{refused.value.detail}"
    held = [
        str(row)
        for table in ("pages", "facts", "timeline")
        for row in brain.store.engine.rows(f"select * from {table}")
    ]
    assert not any(KEY in row or "blue42" in row for row in held)


def test_the_person_is_warned_of_theirs_and_keeps_it(local: Asker) -> None:
    reply = local.reply("put_page", slug="notes/access", content=TEXT)
    assert [warning["code"] for warning in reply.warnings] == ["secret_found"]
    assert KEY not in str(reply.warnings)
    assert KEY in local("get_page", slug="notes/access")["compiled_truth"]


def test_what_a_page_holds_already_stays_writable_and_a_second_one_does_not_come_in(
    local: Asker, remote: Asker
) -> None:
    version = local("put_page", slug="notes/access", content=TEXT)["version"]
    version = remote("put_page", slug="notes/access", content=f"{TEXT}\nMore.\n", expected_version=version)["version"]
    with pytest.raises(InvalidParams, match="secret"):
        remote("put_page", slug="notes/access", content=f"{TEXT}\nMy password is hunter2!\n", expected_version=version)

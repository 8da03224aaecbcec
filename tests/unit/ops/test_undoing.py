"""What was saved unasked bears the consent that let it in, and is taken back by it."""

from typing import Any

import pytest

from gbrain import Brain
from gbrain.errors import BrainError, NotFound

MODE = "memory.auto_writeback"


def stamps(brain: Brain) -> list[str | None]:
    return [row["consent"] for row in brain.store.engine.rows("select consent from facts order by id")]


def live(local: Any) -> list[str]:
    return sorted(fact["fact"] for fact in local("recall")["facts"])


def test_a_fact_bears_the_consent_in_force(brain: Brain, local: Any, remote: Any) -> None:
    local("remember", fact="drinks tea", provenance="chat")
    local("config_set", key=MODE, value="salient")
    remote("remember", fact="owns a red boat", provenance="chat")
    local("config_set", key=MODE, value="salient")
    local("config_set", key=MODE, value="all")
    remote("remember", fact="plays the cello", provenance="chat")
    local("config_unset", key=MODE)
    remote("remember", fact="collects stamps", provenance="chat")
    changes = local("consents")["consents"]
    assert [row["mode"] for row in changes] == ["off", "all", "salient"]
    assert stamps(brain) == [None, f"salient:{changes[2]['consent']}", f"all:{changes[1]['consent']}", None]


def test_undo_takes_what_the_backstop_saved_and_the_rest_only_when_widened(brain: Brain, local: Any) -> None:
    local("remember", fact="drinks tea", provenance="hook:writeback, before")
    local("config_set", key=MODE, value="all")
    local("remember", fact="owns a red boat", provenance="hook:writeback, claude-code")
    local("remember", fact="plays the cello", provenance="chat")
    local("config_set", key=MODE, value="off")
    id = local("consents")["consents"][1]["consent"]
    seen = local("forget_captured", consent=id)
    assert (seen["dry_run"], seen["count"], seen["others"], seen["forgotten"]) == (True, 1, 1, 0)
    assert [fact["fact"] for fact in seen["facts"]] == ["owns a red boat"]
    assert len(live(local)) == 3
    assert local("forget_captured", consent=id, dry_run=False)["forgotten"] == 1
    assert live(local) == ["drinks tea", "plays the cello"]
    assert local("forget_captured", consent=id, include_remember=True, dry_run=False)["forgotten"] == 1
    assert local("forget_captured", consent=id, include_remember=True, dry_run=False)["count"] == 0
    assert live(local) == ["drinks tea"]


def test_a_consent_nobody_gave_is_not_found_and_no_agent_may_ask(local: Any, remote: Any) -> None:
    with pytest.raises(NotFound, match="consent"):
        local("forget_captured", consent="%")
    for name, arguments in (("consents", {}), ("forget_captured", {"consent": "x"})):
        with pytest.raises(BrainError):
            remote(name, **arguments)

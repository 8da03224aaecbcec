"""What every way to speak MCP shares, where the store is lost between one read and the next."""

from pathlib import Path
from typing import Any

import pytest

from gbrain.brain import open_brain
from gbrain.entry import mcp
from gbrain.errors import Unavailable
from gbrain.types import Caller


def lost(*_: Any) -> Any:
    raise Unavailable("the store is gone", "run: gbrain doctor")


def test_what_was_done_is_answered_though_the_store_is_lost_right_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"name": "remember", "arguments": {"fact": "keeps bees", "provenance": "drill", "entity": "Dana"}}
    asked = {"name": "entity", "arguments": {"name": "Dana"}}
    with open_brain(str(tmp_path / ".gbrain"), create=True) as brain:
        assert "brain_hot_memory" in mcp.call_tool(brain, Caller.stdio(), said, "handshake")["_meta"]
        monkeypatch.setattr(mcp, "hot_memory", lost)
        told = mcp.call_tool(brain, Caller.stdio(), asked, "handshake")
        assert told["isError"] is False
        assert "brain_hot_memory" not in told.get("_meta", {})


def test_a_client_is_greeted_though_the_store_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_brain(str(tmp_path / ".gbrain"), create=True) as brain:
        greeted = mcp.instructions(brain, Caller.stdio())
        monkeypatch.setattr(mcp, "resolve", lost)
        assert mcp.instructions(brain, Caller.stdio()) == greeted

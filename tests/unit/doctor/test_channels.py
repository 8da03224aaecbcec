"""The ways that offers go, as the doctor sees them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gbrain import offered
from gbrain.domain.times import store_time
from gbrain.offered import Noted


def test_channels_that_fire_and_those_that_never_did(home: Path, examined: Any) -> None:
    found = examined(home)["volunteer_channels"]
    assert (found["status"], found["message"]) == ("ok", "0 offered in 30 days by 0 of 7 channels")
    now = store_time(datetime.now(UTC))
    offered.note(str(home), [Noted("default", "a", "title", 0.8)], "codex", "s", now)
    found = examined(home)["volunteer_channels"]
    assert found["message"] == "1 offered in 30 days by 1 of 7 channels"
    assert found["details"][0].startswith("codex: 1 offered, 0 opened, last ")
    assert "codex" not in found["details"][1]


def test_offers_that_nobody_opens(home: Path, examined: Any) -> None:
    now = store_time(datetime.now(UTC))
    offered.note(str(home), [Noted("default", f"p/{n}", "title", 0.8) for n in range(100)], "codex", "s", now)
    found = examined(home)["volunteer_channels"]
    assert (found["status"], found["fix"]) == ("warn", "gbrain config set offers.gate 0.8")
    offered.opened(str(home), {"slug": "p/3", "source_id": "default"}, {}, "get_page", now)
    assert examined(home)["volunteer_channels"]["status"] == "ok"

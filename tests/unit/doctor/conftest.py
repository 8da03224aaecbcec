"""A fresh brain, and what the doctor says of it by check."""

from pathlib import Path

import pytest

from gbrain import doctor, open_brain
from gbrain.doctor import CheckReply


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a brain that was just made and is closed again."""
    folder = tmp_path / "base" / ".gbrain"
    open_brain(str(folder), create=True).close()
    return folder


class Examined:
    """The rows of one report by name."""

    def __init__(self, home: Path, *, fast: bool = True) -> None:
        self.found = doctor.report(str(home), fast)
        self.rows: dict[str, CheckReply] = {row["name"]: row for row in self.found["checks"]}

    def __getitem__(self, name: str) -> CheckReply:
        return self.rows[name]

    def status(self, name: str) -> str:
        return self.rows[name]["status"]


@pytest.fixture
def examined() -> type[Examined]:
    return Examined

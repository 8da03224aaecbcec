"""A brain for a real client."""

from pathlib import Path

import pytest

from stdio_server import make_brain


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with an empty brain."""
    home = tmp_path / "brain"
    home.mkdir()
    make_brain(home)
    return home

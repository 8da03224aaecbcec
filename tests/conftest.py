"""What every test shares: a home of its own, and the same hypothesis examples on every run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Two workers share two cores, so a wall-clock deadline per example would measure the neighbour.
settings.register_profile("gbrain", deadline=None, derandomize=True, database=None)
settings.load_profile("gbrain")


@pytest.fixture(scope="session", autouse=True)
def _never_the_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No GBRAIN_* variable of the person who runs the tests counts, and their brain is never touched."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GBRAIN_")]:
            patch.delenv(name)
        home: Path = tmp_path_factory.mktemp("home")
        patch.setenv("GBRAIN_HOME", str(home))
        # Nor are the skills of their agent looked at, or changed.
        patch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
        # A model in every server of every test would cost more than all of them; who tests it turns it on.
        patch.setenv("GBRAIN_EMBEDDING_PROVIDER", "off")
        yield

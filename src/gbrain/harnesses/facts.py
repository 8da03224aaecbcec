"""What gbrain knows of an agent's program: where its files lie, and what it can and cannot do."""

import os
import shutil
from collections.abc import Callable
from typing import NamedTuple


class Facts(NamedTuple):
    """One harness. `folder` is its configuration's, now; `lacks` says in sentences what it cannot do."""

    name: str
    title: str
    program: str
    folder: Callable[[], str]
    lacks: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether this machine has it: its folder, or its program on the path."""
        return os.path.isdir(self.folder()) or shutil.which(self.program) is not None


def below_home(*parts: str, variable: str = "") -> Callable[[], str]:
    """A folder below the person's own, unless an environment variable names another."""

    def folder() -> str:
        said = os.environ.get(variable) if variable else None
        return os.path.abspath(said or os.path.join(os.path.expanduser("~"), *parts))

    return folder

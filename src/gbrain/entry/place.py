"""What a process is told about its source: the command line, the environment, a file above its folder, the folder."""

import os

from gbrain.domain.places import Selection
from gbrain.upward import SOURCE, found_upward

ENV_SOURCE = "GBRAIN_SOURCE"


def selected(flag: str | None, *, guarded: bool = False) -> Selection:
    """Everything this process was told. Whether the sources are there is for the brain to say."""
    env = os.environ.get(ENV_SOURCE) or None
    try:
        folder = os.getcwd()
    except OSError:
        # The folder was removed under the process.
        return Selection(flag, env, guarded=guarded)
    path, source = found_upward(SOURCE, folder)
    return Selection(flag, env, source, path, folder, guarded)


def network(flag: str | None) -> Selection:
    """What a server for the network was told: where it happens to run says nothing about its callers."""
    return Selection(flag, os.environ.get(ENV_SOURCE) or None)

"""Doing a work in a process that is killed before one of the steps that the disk would see; for the scripts here."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

STEPS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "subprocess.Popen")


def is_step(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the disk, or another process, would see what is about to happen."""
    if event == "open":
        return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in STEPS


def killed_at(step: int, work: Callable[[], None]) -> bool:
    """Do the work in a process that is killed before a step; whether it came to its end."""
    child = os.fork()
    if child == 0:
        left = [step]

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if is_step(event, arguments):
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        # An audit hook cannot be taken away, which is why each run is a child of its own.
        sys.addaudithook(hook)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)

"""What was acknowledged while everything was torn at, and what nobody should have been shown."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

CANARY = f"canary{os.urandom(6).hex()}"
"""A word of private facts: where it is seen by who may not see them, something leaked."""


class Ledger:
    """Kept by all actors together."""

    def __init__(self) -> None:
        self.facts: dict[int, str] = {}
        self.pages: dict[str, str] = {}
        """The text of the latest acknowledged version, by slug. Each is written by one actor alone."""
        self.turns: dict[str, str] = {}
        """What was said, by the session whose hook ran to its end."""
        self.lines: dict[str, set[str]] = {}
        """The lines that a person wrote, by the path of their file."""
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    @contextmanager
    def open(self) -> Iterator["Ledger"]:
        """Write to it, one at a time."""
        with self._lock:
            yield self

    def count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def complain(self, what: str) -> None:
        """Something that may never be seen was seen."""
        with self._lock:
            self.wrong.append(what)

    def heard(self, who: str, text: str) -> None:
        """Look over what was said to a caller who may not see what is private."""
        if CANARY in text:
            self.complain(f"{who} was shown what is private: {text[:400]}")
        if "Traceback (most recent call last)" in text:
            self.complain(f"{who} ended in a traceback: {text[-1500:]}")

"""How much one client may ask for: token buckets, one a client."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple


class Bucket(NamedTuple):
    """What was left at a moment (seconds of the clock of its `Buckets`)."""

    left: float
    at: float


class Buckets:
    """One bucket a key: it holds at most `burst` calls and gains `rate` of them a second.

    At most `most` keys are kept; those not seen for longest go first, and come back full. A `rate` of 0 lets
    everything through. Not made for several threads.
    """

    def __init__(
        self, rate: float, burst: float, *, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> int:
        """Take one call out of a bucket: 0 when there was one, else the whole seconds until there is."""
        if not self.rate:
            return 0
        now = self._clock()
        found = self._buckets.pop(key, None) or Bucket(self.burst, now)
        left = min(self.burst, found.left + (now - found.at) * self.rate)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self.rate)
        self._buckets[key] = Bucket(left if wait else left - 1, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait

    def give_back(self, key: str) -> None:
        """Undo one `take` of a call that should not have counted."""
        found = self._buckets.get(key)
        if found is not None:
            self._buckets[key] = found._replace(left=min(self.burst, found.left + 1))

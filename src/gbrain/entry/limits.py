"""How much one client may ask for, and how often an address may guess: token buckets, one a key."""

import hashlib
import ipaddress
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
        left, wait = self._look(key)
        # Put in anew, so that the order is that of the last use.
        self._buckets.pop(key, None)
        self._buckets[key] = Bucket(left if wait else left - 1, self._clock())
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait

    def wait(self, key: str) -> int:
        """As `take`, and nothing is taken."""
        return self._look(key)[1] if self.rate else 0

    def _look(self, key: str) -> tuple[float, int]:
        """(what is left in a bucket, the seconds until there is a call in it)."""
        now = self._clock()
        found = self._buckets.get(key) or Bucket(self.burst, now)
        left = min(self.burst, found.left + (now - found.at) * self.rate)
        return left, 0 if left >= 1 else math.ceil((1 - left) / self.rate)

    def give_back(self, key: str) -> None:
        """Undo one `take` of a call that should not have counted."""
        found = self._buckets.get(key)
        if found is not None:
            self._buckets[key] = found._replace(left=min(self.burst, found.left + 1))


class Guesses:
    """Wrong tokens by the address they come from: when there were too many, no unknown one is looked at any more.

    A token that was right lately is still looked at, so that whoever guesses shuts nobody out who shares the address,
    such as that of an office. Only digests of such tokens are kept, in memory, and at most `most` of them.
    """

    def __init__(self, buckets: Buckets, most: int = 10_000) -> None:
        self._buckets = buckets
        self._most = most
        self._right: OrderedDict[bytes, None] = OrderedDict()

    def wait(self, address: str, token: str) -> int:
        """The whole seconds until a token from this address is looked at; 0: now."""
        wait = self._buckets.wait(network(address))
        return wait if wait and _digest(token) not in self._right else 0

    def wrong(self, address: str) -> None:
        """Count a token that was wrong."""
        self._buckets.take(network(address))

    def right(self, token: str) -> None:
        """Remember a token that was right."""
        digest = _digest(token)
        self._right[digest] = None
        self._right.move_to_end(digest)
        if len(self._right) > self._most:
            self._right.popitem(last=False)


def network(address: str) -> str:
    """What one guesser has to itself: an address, and with IPv6 the 64 bits that a network gives to each machine."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return address if known.version == 4 else str(ipaddress.ip_network((known, 64), strict=False))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()

"""The words of a text in a few bytes: which, how often, and how many in all, so that it can be ranked unread.

Format, little-endian: flags (1 byte, bit 0: the text asks something, bit 1: it is a turn of a conversation, bit 2: it
is a turn that says when), the number of its words (4), the digest of its first word (4), then the digests of its
different words in rising order (4 each) and how often each stands there (1 each, 255 for more). A digest is the CRC-32
of the word as the index holds it; of the 60 words of a passage two share one in a passage of two million.
"""

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

_HEAD = 9
_MOST = 255


class Words(NamedTuple):
    """The words of a text, unpacked as far as ranking needs them."""

    asks: bool
    length: int
    first: int
    digests: Sequence[int]
    counts: Sequence[int]
    turn: bool
    when: bool

    def count(self, digests: Iterable[int]) -> int:
        """How often any of these words stands in the text."""
        found = 0
        for digest in digests:
            place = bisect_left(self.digests, digest)
            if place < len(self.digests) and self.digests[place] == digest:
                found += self.counts[place]
        return found


def digest(word: str) -> int:
    """The digest of a word as the index holds it."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def packed(terms: Sequence[str], first: str, *, asks: bool, turn: bool = False, when: bool = False) -> bytes:
    """The words of a text, `first` being the one it begins with (empty: none)."""
    held = Counter([crc32(term.encode("utf-8", "surrogatepass")) for term in terms])
    digests = array("I", sorted(held))
    counts = bytes([min(held[key], _MOST) for key in digests])
    head = (
        bytes([asks | turn << 1 | when << 2])
        + len(terms).to_bytes(4, "little")
        + (digest(first) if first else 0).to_bytes(4, "little")
    )
    return head + _little(digests).tobytes() + counts


def unpacked(block: bytes) -> Words:
    """The words that `packed` made a block of."""
    count = (len(block) - _HEAD) // 5
    digests = array("I")
    digests.frombytes(block[_HEAD : _HEAD + 4 * count])
    return Words(
        bool(block[0] & 1),
        int.from_bytes(block[1:5], "little"),
        int.from_bytes(block[5:9], "little"),
        _little(digests),
        block[_HEAD + 4 * count :],
        bool(block[0] & 2),
        bool(block[0] & 4),
    )


def digests_of(block: bytes) -> bytes:
    """The digests in a block, each once, as they lie there: 4 bytes each, little-endian."""
    return block[_HEAD : _HEAD + (len(block) - _HEAD) // 5 * 4]


def _little(digests: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        digests.byteswap()
    return digests

"""SHA-256 and BLAKE2b of short texts, without the OpenSSL that `hashlib` loads beside them.

Loading that costs a hook as much as asking the store. They are the same functions; for files take `hashlib`, whose
SHA-256 is several times as fast.
"""

import sys

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        # The parts of CPython that are written in C, as its `random` takes them; another Python may have none.
        from _blake2 import blake2b

        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import blake2b, sha256

__all__ = ["blake2b", "sha256"]

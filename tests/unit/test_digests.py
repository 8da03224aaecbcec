"""The digests of short texts: those of the standard library, without what it loads beside them."""

import hashlib
import subprocess
import sys

import pytest

from gbrain import digests


@pytest.mark.parametrize("data", [b"", b"Dana Oakes", b"\xff" * 500])
def test_they_are_those_of_hashlib(data: bytes) -> None:
    assert digests.sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert digests.blake2b(data, digest_size=8).digest() == hashlib.blake2b(data, digest_size=8).digest()


def test_openssl_is_not_loaded() -> None:
    program = "import sys, gbrain.digests; print('_hashlib' in sys.modules, 'hashlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]

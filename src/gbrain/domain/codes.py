"""One-time codes that a person reads in one place and types in another."""

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter looks like a digit (https://www.crockford.com/base32.html)."""

LENGTH = 10
BYTES = 8
_HEARD = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V", "-": "", " ": "", "\t": ""})


def one_time_code(random: bytes) -> str:
    """The code that 8 random bytes make: 10 characters, 50 bits."""
    number = int.from_bytes(random[:BYTES])
    return "".join(ALPHABET[(number >> 5 * place) & 31] for place in range(LENGTH))


def shown(code: str) -> str:
    """The code in two halves, which are easier to copy."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def typed(text: str) -> str:
    """The code that a person meant: case, spaces and dashes do not matter, nor O for 0 and I or L for 1."""
    return text.upper().translate(_HEARD)[: 4 * LENGTH]

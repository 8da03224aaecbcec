"""Where an OAuth application may send a browser back to (RFC 8252, section 7; OAuth 2.1, sections 2.3 and 8.4)."""

from urllib.parse import SplitResult, urlsplit

LONGEST = 2000
LOOPBACK = ("127.0.0.1", "::1", "localhost")
EDITORS = ("cursor", "vscode", "vscode-insiders", "windsurf")
"""Programs that registered a scheme of one word; by RFC 8252 a private-use scheme is a reversed domain name."""


def problem(uri: str) -> str | None:
    """What is wrong with a redirect URI, as the end of a sentence; None when it may be registered."""
    if len(uri) > LONGEST:
        return f"is at most {LONGEST:,} characters"
    if not uri.isascii() or not uri.isprintable() or any(character in uri for character in " \"'<>\\^`{|}#*;,"):
        return "is plain: no spaces, quotes, wildcards or fragment"
    split = _split(uri)
    if split is None or not split.scheme:
        return "is absolute, such as http://127.0.0.1:8000/callback"
    if "@" in split.netloc:
        return "holds no user name"
    if split.scheme == "https":
        return None if split.hostname else "names a host"
    if split.scheme == "http":
        return None if split.hostname in LOOPBACK else "is https, or http on this machine alone"
    if "." in split.scheme or split.scheme in EDITORS:
        return None
    return "is https, http on this machine alone, or of a private scheme such as com.example.app:/callback"


def matches(registered: str, asked: str) -> bool:
    """Whether `asked` is the registered URI, character by character; on loopback its port may be any."""
    if registered == asked:
        return True
    one, other = _split(registered), _split(asked)
    if one is None or other is None or problem(asked) is not None:
        return False
    near = one.scheme == other.scheme == "http" and one.hostname in LOOPBACK and one.hostname == other.hostname
    same_place = near or (one.scheme, one.netloc) == (other.scheme, other.netloc)
    # Libraries write a URL without a path with a slash or without one.
    return same_place and (one.path or "/", one.query) == (other.path or "/", other.query)


def place(uri: str) -> str:
    """Scheme and host of a URI as a person reads them, and as a content security policy names them."""
    split = _split(uri)
    if split is None:
        return ""
    return f"{split.scheme}://{split.netloc}" if split.scheme in ("http", "https") else f"{split.scheme}:"


def _split(uri: str) -> SplitResult | None:
    try:
        split = urlsplit(uri)
        split.port  # noqa: B018 - it raises for what is no port
    except ValueError:
        return None
    return split

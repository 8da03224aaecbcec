"""A token for a server: from a file or from stdin, never as a word that other people of the machine can see."""

import sys

from gbrain.entry.cli.command import Option
from gbrain.errors import InvalidParams

STDIN = "-"


def token_options() -> list[Option]:
    """The two ways to give a token."""
    return [
        Option(["--token-file", "token_file"], metavar="FILE", help="Server: the file that holds the token."),
        Option(["--token"], metavar="-", help="Server: read the token from stdin."),
    ]


def given_token(token: str | None, token_file: str | None) -> str | None:
    """The text of the token, None when none is given. Raises InvalidParams, which never repeats it."""
    if token is not None and token != STDIN:
        raise InvalidParams(
            "a token on the command line can be seen by everyone on this machine",
            "keep it in a file: --token-file FILE; or pipe it in: --token -",
        )
    if token is not None and token_file is not None:
        raise InvalidParams("the token is given twice", "leave out either --token or --token-file")
    if token is not None:
        return sys.stdin.read()
    if token_file is None:
        return None
    try:
        with open(token_file, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise InvalidParams(
            f"the token's file cannot be read: {error.strerror or error}", "name one you may read: --token-file FILE"
        ) from None

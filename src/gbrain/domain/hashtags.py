"""Tags that stand in a text as `#word`: how Obsidian and others write them.

A tag begins after white space and goes on over letters and digits of any script, `_`, `-` and `/`; one of digits alone
is a number of something. Code, headings, links, addresses, escapes and comments (`<!-- -->`, `%% %%`) hold none.
"""

import re
from functools import cache

from gbrain.domain.references import CodeRuns, blocks

LONGEST = 200


def hashtags(text: str) -> list[str]:
    """The tags of a text, each once and as it is first written, without the `#`."""
    if _tag().search(text) is None:
        return []
    found: dict[str, str] = {}
    for block in blocks(text, 0):
        if _heading().match(text, block.start, block.end):
            continue
        code = CodeRuns(text, block)
        at = block.start
        while (token := _token().search(text, at, block.end)) is not None:
            at = token.end()
            if token.lastgroup == "code":
                at = code.behind(token.start(), at)
            elif token.lastgroup == "tag":
                tag = token["tag"].strip("/")
                if len(tag) <= LONGEST and any(not (character.isdigit() or character == "/") for character in tag):
                    found.setdefault(tag.casefold(), tag)
    return list(found.values())


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(r"(?<!\S)#(?=[\w/-])")


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(r"[ \t>]*#{1,6}[ \t]")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        r"(?P<code>`+)|\\.|%%(?:[^%\r\n]|%(?!%))*+%%|!?\[\[[^\[\]\r\n]*\]\]|\]\([^()\r\n]*\)|(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|www\.)\S+"
        r"|</?[A-Za-z][^<>]{0,1000}>|(?<!\S)#(?P<tag>[\w/-]+)"
    )

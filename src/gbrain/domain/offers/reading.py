"""A turn of a conversation as offers read it: without code and addresses, its words, and what their case tells."""

import re
from collections.abc import Container
from functools import cache
from typing import NamedTuple

from gbrain.domain.offers.words import Span, Word, bag, paths, spans, words
from gbrain.domain.text import STOP_WORDS

NEWEST_LENGTH, OLDER_LENGTH = 6_000, 2_000
"""So many characters of a turn are read; of a longer one its beginning and its end."""
_TITLE_CASE = 0.85
_GONE = " \x1f "


class Said(NamedTuple):
    """One turn: who said it (`user`, or `assistant` for whoever answers), and what."""

    role: str
    text: str


class Reading(NamedTuple):
    """A turn made ready: `text` is what names are looked for in, and `words` are its words.

    `cased`: capitals tell names from other words here. Not so where everything or nothing is a capital, nor in German,
    where every noun has one.
    """

    role: str
    text: str
    words: list[Word]
    cased: bool
    lower: bool
    """Whether nothing has a capital."""

    def spans(self, heard: Container[str] | None = None) -> list[Span]:
        """The stretches that could be names; see `words.spans`."""
        return [*paths(self.text, self.words), *spans(self.text, self.words, heard)]


def read(said: Said, most: int) -> Reading:
    """Make a turn ready, of which at most so many characters are read."""
    text = masked(_cut(said.text, most))
    found = words(text)
    letters = [word.raw for word in found if word.raw[0].isalpha() and not word.unspaced]
    # An abbreviation is written so by those, too, who write no capitals.
    lower = not any(raw[0].isupper() and not (len(raw) > 1 and raw.isupper()) for raw in letters)
    shouted = bool(letters) and sum(len(raw) > 1 and raw.isupper() for raw in letters) > len(letters) / 2
    german = len({word.key for word in found} & _GERMAN) > 1
    return Reading(said.role, text, found, not (lower or shouted or german), lower)


def masked(text: str) -> str:
    """The text without what names nobody: code, addresses of the network, mail and files, markup and comments."""
    for pattern, signs in _SIGNS:
        # A pattern costs more to compile than to look if there is anything for it.
        if any(sign in text for sign in signs):
            text = _pattern(pattern).sub(_GONE, text)
    # Names of two words in katakana are written with a dot between them, or without.
    return _pattern("dot").sub("", text) if "・" in text else text


def starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence, a line or a quotation begins here, so that a capital tells nothing."""
    before = text[max(0, at - 12) : at].rstrip(" \t*_~#>([\"'“‘«„-–—•")
    if not before:
        return at <= 12 or "\n" in text[max(0, at - 12) : at]
    if before.rstrip("\n")[-1:] in (".", ")") and _pattern("numbered").search(before):
        return True
    if before[-1] == "." and before[:-1].rpartition(" ")[2].lower() in _SHORTENED:
        return False
    return "\n" in text[max(0, at - 12) + len(before) : at] or before[-1] in ".!?…:;。！？\x1f\n"


def in_title_case(text: str, at: int) -> bool:
    """Whether this stands in a line whose words nearly all have capitals, as a heading's have."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = [word for word in words(text[start : end if end >= 0 else len(text)]) if word.key not in STOP_WORDS]
    return len(line) > 3 and sum(word.raw[0].isupper() for word in line) > _TITLE_CASE * len(line)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    # What is asked stands before what was pasted, or behind it.
    end = most // 3
    return text[: most - end] + "\n\x1f\n" + text[-end:]


_SHORTENED = bag("mr mrs ms dr prof st herr fr sr sra")
_SIGNS = (
    ("comment", ("<!--",)),
    ("fence", ("```", "~~~")),
    ("code", ("`",)),
    ("command", (" -", "log ")),
    ("import", ("import",)),
    ("address", ("/", "@", "www.", "\\")),
    ("file", (".",)),
    ("mark", ("<",)),
)
"""What is cut out of a text, in this order, and the signs of which one stands in it."""
_GERMAN = bag("der die das und ist nicht ich mit für fur auf ein eine einen wir hat sich den dem zu von bitte")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "comment": r"<!--.*?(?:-->|\Z)",
            "fence": r"(?ms)^ {0,3}(?:```|~~~).*?(?:^ {0,3}(?:```|~~~)[^\n]*$|\Z)",
            "code": r"`[^`\n]*`",
            "address": r"\b[a-z][a-z0-9+.-]{0,20}://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]+"
            r"|(?<![\w/])(?:~|\.{1,2})?/[\w.@-]+/[\w./@-]*|\b[A-Za-z]:\\\S+",
            "command": r"\b(?:ag|awk|cargo|curl|docker|find|gh|git|grep|jq|kubectl|npm|psql|rg|sed|ssh|wget)"
            r"(?: [a-z]+)? --?\w(?:[^\s\"']|\"[^\"\n]*\"|'[^'\n]*')*(?: (?:\"[^\"\n]*\"|'[^'\n]*'|\S*[-/.=*]\S*))*",
            "import": r"\bimport\b[^\n]{1,120}?\bfrom\s+(?:'[^'\n]*'|\"[^\"\n]*\")|\bfrom [\w.]+ import [\w, *]+",
            "file": r"(?<![\w-])[\w-]{1,80}\.(?:py|js|tsx?|md|json|ya?ml|toml|txt|sh|rs|go|java|c|h|cpp|html|css|sql"
            r"|csv|pdf)\b",
            "mark": r"</?[A-Za-z][^<>\n]{0,200}>",
            "dot": "(?<=[\u30a1-\u30fa\u30fc])・(?=[\u30a1-\u30fa])",
            "numbered": r"(?:^|\n)\s*\d+[.)]$",
        }[name],
        re.IGNORECASE if name == "address" else re.DOTALL if name == "comment" else 0,
    )

"""Words of a text: white space, token estimate, sentences, and the one tokeniser both engines share.

Index and query go through the same folding. Runs of scripts written without spaces (Chinese, Japanese and
Korean; also Thai, Lao, Khmer, Burmese) become overlapping pairs of characters plus the run's last one:
`灯塔项目` is indexed as `灯塔 塔项 项目 目`. So every character starts some term: a query of one
character is a prefix query, and a longer run is found where all its pairs are, with no word list.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from operator import add
from typing import Literal, NamedTuple

# A longer run of letters is no word but data; every index has a limit of its own beyond which it would refuse the page.
MAX_TERM = 64
MAX_UNITS = 64
MAX_QUERY = 8_000

# Negations stay out of it: they change what a sentence says.
STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been but by could did do does for from had has
    have he her him his how i if in into is it its just me my of on or our s she should so t than
    that the their them then there these they this those to was we were what when where which who
    why with would you your
    """.split()  # noqa: SIM905
)

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3031-\u3035\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c"
    "\uac00-\ud7fb\uf900-\ufaff\uff66-\uff9f\uffa0-\uffdc\U00020000-\U000323af"
)
_UNSPACED = (
    _CJK + "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17d3\u17d7\u17dc\uaa60-\uaa7f"
)
# Python's \w leaves out combining marks, which stand inside words in most scripts of South Asia.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3"
    "\u0816-\u082d\u0859-\u085b\u0898-\u08e1\u08e3-\u0963\u0971-\u0dff\u0f18\u0f19\u0f35-\u0f39\u0f71-\u0fbc"
    "\u135d-\u135f\u1712-\u1715\u1732-\u1734\u180b-\u180d\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44"
    "\u1b80-\u1bf3\u1c24-\u1c37\u1cd0-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f-\ua67d"
    "\ua69e\ua69f\ua802-\ua827\ua880-\ua8c5\ua8e0-\ua8f1\ua926-\ua953\ua980-\ua9c0\uabe3-\uabed\ufe20-\ufe2f"
)
_SHORT = bytes(range(0xF0))
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"})
# A table is twice as quick as a pattern, and most of the time of reading a text goes here.
_ASCII_TERMS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
_JOINERS = "\u00ad\u200c\u200d\u2060"
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof st vs e.g i.e inc ltd co corp jr sr approx dept no fig cf al gen rev u.s u.k
    """.split()  # noqa: SIM905
)


class Unit(NamedTuple):
    """One thing that a query asks for.

    `word`: one term, to be stemmed. `cjk`: a run of two characters or more, all of whose pairs must occur.
    `cjk_char`: one character, which matches every term that starts with it.
    """

    kind: Literal["word", "cjk", "cjk_char"]
    terms: tuple[str, ...]


def collapse(text: str) -> str:
    """The text with every run of white space (byte order marks included) as one space, trimmed."""
    return " ".join(text.replace("\ufeff", " ").split())


def blank(text: str) -> bool:
    """Whether nothing of a text can be seen: white space, and signs of no width, say nothing."""
    return not any(sign.isprintable() and not sign.isspace() for sign in text)


def clip(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a word where one ends near, with `…` when something is gone."""
    if len(text) <= limit:
        return text
    at_word = text.rfind(" ", 0, limit)
    return text[: at_word if at_word > limit * 0.6 else max(limit - 1, 0)].rstrip() + "…"


def estimate_tokens(text: str) -> int:
    """Tokens a text costs: a quarter of its UTF-16 units, rounded up (the contract's estimate)."""
    # UTF-16 units, as the contract counts them: its estimate was written for a language whose strings are made of
    # these.
    units = len(text)
    if not text.isascii():
        # One more for what takes four bytes in UTF-8; that codec, unlike the one of UTF-16, is loaded already.
        units += len(text.encode("utf-8", "surrogatepass").translate(None, _SHORT))
    return -(-units // 4)


def has_cjk(text: str) -> bool:
    """Whether a Chinese, Japanese or Korean character occurs."""
    return not text.isascii() and _pattern("cjk").search(text) is not None


def raw_terms(text: str) -> list[str]:
    """The terms of a text in order, repeats kept, before stemming: what an index stores.

    Folded by NFKC, case and Latin accents. A word is a run of letters and digits of any script, cut at
    MAX_TERM characters; only words of ASCII letters are for the English stemmer. Runs without spaces give
    pairs and a last character.
    """
    if text.isascii():
        return [term[:MAX_TERM] for term in text.translate(_ASCII_TERMS).split()]
    terms: list[str] = []
    for run, word in _words_of(folded := fold(text)).findall(folded):
        if word:
            terms.append(word[:MAX_TERM])
        else:
            # The last character starts no pair, so it stands for itself.
            terms.extend(map(add, run, run[1:]))
            terms.append(run[-1])
    return terms


def words_at(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the words of a text stand, start and end, and whether it is a run of a script without spaces."""
    if text.isascii():
        for found in _pattern("ascii words").finditer(text):
            yield (*found.span(), False)
        return
    for found in _words_of(text).finditer(text):
        yield (*found.span(), found[1] is not None)


def query_units(text: str) -> list[Unit]:
    """What a query asks for, each unit once, in order; of a long query only the first MAX_QUERY characters.

    At most MAX_UNITS. No character is query syntax. Empty when no letter or digit is in the text.
    """
    units: dict[Unit, None] = {}
    if text.isascii():
        words = dict.fromkeys(raw_terms(text[:MAX_QUERY]))
        return [Unit("word", (word,)) for word in list(words)[:MAX_UNITS]]
    folded = fold(text[:MAX_QUERY])
    for found in _words_of(folded).finditer(folded):
        run, word = found.groups()
        if word:
            units[Unit("word", (word[:MAX_TERM],))] = None
        elif len(run) == 1:
            units[Unit("cjk_char", (run,))] = None
        else:
            units[Unit("cjk", tuple(dict.fromkeys(map(add, run, run[1 : MAX_UNITS + 1]))))] = None
        if len(units) == MAX_UNITS:
            break
    return list(units)


def fold(text: str) -> str:
    """The text as terms compare it: NFKC, casefolded, no Latin accents, no Hebrew or Arabic vowel signs."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Taking characters apart and joining them again is what costs; most texts have nothing to take off.
    if _pattern("foldable").search(folded) is None:
        return folded
    apart = unicodedata.normalize("NFKD", folded).translate(_LETTERS)
    # Joined again, or Korean would stay in single letters.
    return unicodedata.normalize("NFKC", _pattern("accents").sub("", apart))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, trimmed: ended by a line, by `. ! ?` before white space, or by `。！？`."""
    for line in text.splitlines():
        start = 0
        for end in _pattern("sentence").finditer(line):
            before = line[start : end.start()].rsplit(None, 1)
            if end[0][0] == "." and before and _is_abbreviation(before[-1].lstrip("(\"'“[")):
                continue
            if sentence := line[start : end.end()].strip():
                yield sentence
            start = end.end()
        if sentence := line[start:].strip():
            yield sentence


def _is_abbreviation(word: str) -> bool:
    return word.casefold() in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word.isupper())


def _words_of(text: str) -> re.Pattern[str]:
    """The pattern for the words of a text that is not ASCII: its first group is a run without spaces, the second a
    word."""
    # Most have accents, dashes and the like and nothing else; the pattern for every script takes 4 ms to compile.
    return _pattern("letters" if _pattern("other scripts").search(text) is None else "any")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    # Compiled at first use: the short commands rarely need more than the ASCII one.
    word = rf"[^\W_{_UNSPACED}]"
    return re.compile(
        {
            "ascii words": "[A-Za-z0-9]+",
            "letters": r"((?!))|([^\W_]+)",
            "other scripts": "[^\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u20cf\u2100-\u27bf\ufe0f"
            "\U0001f000-\U0001faff]",
            "any": rf"([{_UNSPACED}]+)|({word}+(?:[{_MARKS}]+{word}*)*)",
            "foldable": f"[\u00c0-\u024f\u0300-\u036f\u0591-\u0652\u1e00-\u1eff{_JOINERS}]",
            "cjk": f"[{_CJK}]",
            "accents": "(?<=[a-z])[\u0300-\u036f]+"
            f"|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652{_JOINERS}]+",
            "sentence": r"[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？｡]+[」』”’）]*",
        }[name]
    )

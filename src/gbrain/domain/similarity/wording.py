"""Reading a one-line claim into words that can be compared, whatever wording, number or date format it uses.

English and Chinese are known (`lexicon`, `hanzi`). Another language is read word by word as it stands, so two of its
claims are alike only when their words are.
"""

import re
from functools import cache
from typing import NamedTuple

from gbrain.domain.similarity import hanzi, lexicon
from gbrain.domain.similarity.figures import MONTHS, Units, hours_in_digits, month, number, summed
from gbrain.domain.similarity.hanzi import DATE, ENTITY, HAN
from gbrain.domain.similarity.lexicon import listed
from gbrain.domain.similarity.preamble import without_preamble
from gbrain.domain.similarity.vocabulary import SHORT_DAYS, WEEKDAYS, american, meaning, stem, unaccented, words

_PRONOUNS = listed("he she it they him them his hers its their theirs her himself herself itself themselves")
_POSSESSIVE = listed("his its their her hers theirs")
_GENDER = dict.fromkeys(("he", "him", "his", "himself"), "he") | dict.fromkeys(("she", "her", "hers", "herself"), "she")
_SUFFIXES = {"ll": "will", "ve": "have", "re": "be", "d": "would", "m": "be"}
_CONTRACTED = {"can't": "can not", "won't": "will not", "shan't": "will not", "let's": "let we"}
_BE_AFTER = listed("a an the not in at on going still also very about from now no one usually always never")
_NOT_OWNED = listed("a an the back up out off in on at to for with from by and or when if about as that not into every")
_SIDES = listed(
    "hand handed side eye ear arm leg foot knee shoulder lane wing corner door page button column bank turn"
)
_SILENT = frozenset("\"'()[]{}`*_…·「」『』《》〈〉【】#\\-")
_STOPS = frozenset(".!?;:。")
_CURRENCIES = listed("usd eur gbp jpy cny cad aud chf krw inr sek nok dkk")
# Meanings that a capital letter does not make a name of: `Main St`, `Postgres`, `Email`.
_COMMON = listed(
    "street road avenue doctor usd eur gbp cny jpy gb mb tb kg km cm mm mg metre user we phone email "
    "database postgres kubernetes wifi theater center not be have c f degree"
)
_PRODUCTS = listed("postgres kubernetes")
_MARKS = frozenset(("now", "past", "present", "tense", "le", "end", "de", "also", "done"))
_SIGNS = _MARKS | {",", ":"}
_PURPOSE = listed("stop remember forget try regret mean")
_MOVES = listed("change move postpone advance increase decrease upgrade extend set revise update go")
_SPANS = listed("sec minute hour day week month year")
_TOKEN = (
    r"https?://\S+|[A-Za-z0-9_.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d\d?-\d\d?(?![A-Za-z0-9_])|(?<!\w)[-+]\d+(?:[.,:/]\d+)*[A-Za-z]*%?"
    r"|\d+(?:[.,:/]\d+)+[A-Za-z]*%?|(?:A|B|AB|O)[+-](?!\w)"
)


class Item(NamedTuple):
    """One word of a claim.

    `link` ties it to the words before (see the lexicon). `kind`: N name, n number, t time, p passive form, h one
    Chinese character, w any other word. `comma`: one stands before it.
    """

    word: str
    link: str
    kind: str
    comma: bool


class Line(NamedTuple):
    """A claim as read: its words in order, and what is said of them all: `past`, `now`, `also`, `le` (Chinese 了)."""

    items: list[Item]
    marks: frozenset[str]


_Phrases = dict[str, dict[str, list[tuple[tuple[tuple[str, bool], ...], tuple[str, ...]]]]]


@cache
def _phrases() -> _Phrases:
    """First and second word of each phrase to the rest of it and its meaning, longest first; see `_matches`."""
    phrases: _Phrases = {}
    for sense, members in hanzi.entries(lexicon.PHRASES):
        result = tuple(sense.split())
        for phrase in members.split("|"):
            (first, _), *rest = _units(phrase.strip(), frozenset()) or [("", "")]
            parts = tuple([(unit, kind == "p") for unit, kind in rest])
            phrases.setdefault(first, {}).setdefault(parts[0][0] if parts else "", []).append((parts, result))
    for seconds in phrases.values():
        for found in seconds.values():
            found.sort(key=lambda entry: -len(entry[0]))
    return phrases


@cache
def _easy() -> dict[str, tuple[str, str] | tuple[()]]:
    """The unit of each lower-case word that means the same wherever it stands; empty for filler."""
    hard = lexicon.SCALES.keys() | lexicon.INVARIANT | {"a", "her", "left", "used", "no", "half", "hundred"}
    easy: dict[str, tuple[str, str] | tuple[()]] = {}
    for word, sense in words().items():
        if (
            word in hard
            or word[:-1] in lexicon.INVARIANT
            or not word.isalpha()
            or " " in sense
            or sense[:1].isdecimal()
        ):
            continue
        easy[word] = ((sense[:-1], "p") if sense[-1] == "+" else (sense, "w")) if sense else ()
    return easy


@cache
def _token() -> re.Pattern[str]:
    return re.compile(_TOKEN + r"|\w+(?:[.'&]\w+)*[+#%]*|[^\w\s]", re.ASCII)


@cache
def _han_token() -> re.Pattern[str]:
    letter = rf"[^\W{HAN}]"
    return re.compile(rf"{DATE}[\d-]+|{_TOKEN}|[{HAN}]+|{letter}+(?:[.'&]{letter}+)*[+#%]*|[^\w\s]")


def read(text: str, names: tuple[str, ...] = ()) -> Line:
    """Read a claim that is already in NFKC form with plain quotes and dashes.

    `names`: lower-case words that name the entity; each of them, a pronoun that may stand for it, and a Chinese name
    whose pinyin they spell become ENTITY.
    """
    guessed = ""
    if not text.isascii():
        text, guessed = hanzi.marked(text, names)
        text = hanzi.digits(text)
    # In a text that shouts no capital makes a name.
    if text.isupper():
        text = text.lower()
    if " " in text:
        text = without_preamble(text)
    units = _units(hours_in_digits(text), frozenset(names))
    line = _reduced(_merged(units, _phrases()), bool(names))
    return line._replace(marks=line.marks | {"name:" + guessed}) if guessed else line


def _units(text: str, names: frozenset[str]) -> Units:
    tokens = (_token() if text.isascii() else _han_token()).findall(text)
    units: Units = []
    easy = _easy()
    fresh, place, size = True, 0, len(tokens)
    while place < size:
        token = tokens[place]
        place += 1
        # Nine words in ten mean the same wherever they stand, and reading a claim is what every save waits for.
        quick = easy.get(token)
        if quick is not None and token not in names:
            if quick:
                units.append(quick)
            fresh = False
            continue
        first = token[0]
        low = token.lower()
        if first.isalpha() or first == "_":
            if "\u3040" <= first <= "\u9fff":
                hanzi.segment(token, units)
            elif low in MONTHS and first != low[0] and len(low) > 2:
                place += month(low, tokens, place, units)
            elif low == "no" and place + 1 < size and tokens[place] == "." and tokens[place + 1][0].isdecimal():
                units.append(("number", "w"))
                place += 1
            else:
                after = tokens[place] if place < size else ""
                if after == "-" and place + 1 < size:
                    after = tokens[place + 1]
                _word(token, low, after.lower(), fresh, names, units)
        elif first.isdecimal() or (first in "+-" and len(token) > 1):
            place += number(low, token, tokens, place, units)
        elif first in (ENTITY, DATE):
            units.append((ENTITY, "N") if first == ENTITY else (token[1:] or token, "t"))
        elif token in _STOPS:
            fresh = True
            if token in "?:;":
                units.append((token.replace(";", ","), "w"))
            continue
        elif token == ",":
            units.append((",", "w"))
        # `9-5` and `3-1` are numbers tied to each other; between letters a hyphen says nothing.
        elif token == "-" and units and units[-1][1] == "n" and place < size and tokens[place][0].isdecimal():
            units.append(("<-", "w"))
        elif token not in _SILENT:
            if token == "、":
                units.append((",", "w"))
            known = "<&" if token in "、&/" else "about" if token == "~" else meaning(token)
            units.append((known, "c" if known in _CURRENCIES else "w"))
        fresh = False
    for place in range(len(units) - 1):
        if units[place][0] in ("end", "de") and units[place + 1][0] != ",":
            units[place] = ("le" if units[place][0] == "end" else "", "w")
    return [unit for unit in units if unit[0]]


def _word(token: str, low: str, after: str, fresh: bool, names: frozenset[str], units: Units) -> None:
    base, _, ending = low.partition("'")
    if ending == "s" and low not in _CONTRACTED:
        _possessive(base, token[: len(base)], after, fresh, names, units)
        return
    if ending:
        spelt = _CONTRACTED.get(low, "")
        if not spelt and ending == "t" and base[-1:] == "n":
            spelt = base[:-1] + " not"
        elif not spelt and ending in _SUFFIXES:
            spelt = base + " " + _SUFFIXES[ending]
        if spelt:
            for part in spelt.split():
                _plain(part, token[: len(part)] if part == base else part, fresh, names, units)
            return
        low = low.replace("'", "")
        token = token.replace("'", "")
    if low == "her" and (after in _NOT_OWNED or not after[:1].isalpha()):
        low = token = "him"
    if low == "left" and after in _SIDES:
        units.append(("left", "w"))
    elif low == "a" and after == "few":
        units.append(("several", "w"))
    elif low == "used" and after == "to" and not (units and units[-1][0] in ("be", "get")):
        units.extend((("formerly", "w"), ("past", "w")))
    else:
        _plain(low, token, fresh, names, units)


def _possessive(base: str, token: str, after: str, fresh: bool, names: frozenset[str], units: Units) -> None:
    """`'s` is `be` or `have` behind a pronoun and before words that no owner has; else it makes an owner."""
    pronoun = base in _PRONOUNS or base in ("that", "there", "who", "what", "where", "here", "how")
    past = after.isalpha() and meaning(after).endswith("+") and after not in ("left", "closed", "used", "married")
    if pronoun or past or after in _BE_AFTER:
        _plain(base, token, fresh, names, units)
        perfect = (past and meaning(after) != "be+") or after == "been"
        units.append(("have" if perfect else "be", "w"))
        return
    start = len(units)
    _plain(base, token, fresh, names, units)
    if len(units) > start and units[-1][1] == "N":
        while start and units[start - 1][1] == "N":
            start -= 1
    units.insert(start, ("<P", "w"))


def _plain(low: str, token: str, fresh: bool, names: frozenset[str], units: Units) -> None:
    """Append an ordinary word: the entity, a name as it is spelt, or the meaning of any other word."""
    # `plan A`: inside a sentence the article is no capital.
    if token == "A" and not fresh:
        units.append((low, "N"))
        return
    if low in names or (not low.isascii() and unaccented(low) in names):
        units.append((ENTITY, "N"))
        return
    table = words()
    known = table.get(low)
    if token[0] != low[0] and low != "i" and token != "Us":
        # A capital in front says nothing: the word is a name unless its base form is a word.
        if known is None and fresh:
            base = stem(low).removesuffix("+")
            known = meaning(low) if base != low and base in table else None
        if low in SHORT_DAYS and not fresh:
            units.append((SHORT_DAYS[low], "t"))
            return
        common = known is not None and (known in _COMMON or known[:1] == "<" or low in WEEKDAYS or known == "")
        if common and known in _PRODUCTS:
            units.append((known or low, "N"))
            return
        if not common and (not fresh or known is None):
            units.append((american(unaccented(low)) if fresh else unaccented(low), "N"))
            return
    if known is None and not low.isalpha():
        units.append((low, "N"))
        return
    found = meaning(low) if known is None else known
    kind = "w"
    if found[-1:] == "+":
        found, kind = found[:-1], "p"
    elif found[:1].isdecimal():
        kind = "t" if ":" in found else "n"
        found = summed(found, units)
    elif (
        found == "half" and len(units) > 1 and units[-1][0] == "<&" and units[-2][1] == "n" and units[-2][0].isdecimal()
    ):
        units.pop()
        found, kind = units.pop()[0] + ".5", "n"
    if low in lexicon.SCALES and len(low) > 2 and units and units[-1][1] == "n":
        if whole := hanzi.scaled(units[-1][0], lexicon.SCALES[low]):
            units[-1] = (whole, "n")
            return
    elif low in lexicon.INVARIANT:
        if units and units[-1][0] == "be":
            kind = "p"
        else:
            units.append(("tense", "w"))
    elif low[:-1] in lexicon.INVARIANT:
        units.append(("present", "w"))
    if " " in found:
        units.extend((part, kind if part[0].isdecimal() or kind != "n" else "w") for part in found.split())
    elif found:
        units.append((found, kind))


def _merged(units: Units, phrases: _Phrases) -> Units:
    """The units with each known phrase as its meaning; filler phrases count only at an edge of a clause."""
    if phrases.keys().isdisjoint([word for word, _ in units]):
        return units
    merged: Units = []
    place, size = 0, len(units)
    while place < size:
        unit = units[place]
        seconds = phrases.get(unit[0])
        if seconds is None:
            merged.append(unit)
            place += 1
            continue
        after = units[place + 1][0] if place + 1 < size else ""
        for rest, result in (*seconds.get(after, ()), *(seconds.get("", ()) if after else ())):
            end = place + 1 + len(rest)
            if end > size or not _matches(units, place + 1, rest):
                continue
            if result or (unit[1] != "N" and (not merged or merged[-1][0] in ",:" or end == size or unit[0][0] == "<")):
                kind = "p" if unit[1] == "p" and result[:1] != ("birthday",) else "w"
                merged.extend([(part, kind if part[0] != "<" else "w") for part in result])
                place = end
                break
        else:
            merged.append(unit)
            place += 1
    while len(merged) > 2 and merged[0][0] in ",:":
        del merged[0]
    return merged


def _matches(units: Units, place: int, rest: tuple[tuple[str, bool], ...]) -> bool:
    """Whether the rest of a phrase stands at `place`; where it has a past form, the text must have one."""
    for part, past in rest:
        unit, kind = units[place]
        if unit != part or (past and kind != "p"):
            return False
        place += 1
    return True


def _reduced(units: Units, about_entity: bool) -> Line:
    """Links tied to the words they stand before, marks taken out, pronouns resolved."""
    items: list[Item] = []
    marks: set[str] = set()
    link, comma = "", False
    for place, (word, kind) in enumerate(units):
        if word[0] == "<":
            link = _joined(link, word)
            continue
        if word in _SIGNS:
            if word in _MARKS:
                marks.add(word)
                continue
            comma = bool(items)
            if word == "," or not items or any(unit[0] == "be" for unit in units):
                continue
            word, comma = "be", False
        if word in _PRONOUNS:
            found = _referent(word, units[place + 1][0] if place + 1 < len(units) else ",", items, about_entity)
            marks.add(_GENDER.get(word, "they"))
            if not found:
                continue
            link = link or ("P" if found != word and word in _POSSESSIVE else "")
            word, kind = found, "N" if found == ENTITY else "w"
        elif word == "user" and link == "P" and any(item.word == "user" for item in items):
            link = ""
            continue
        elif kind == "p":
            word, kind = _verb(word, units[place + 1][1] if place + 1 < len(units) else "", items, marks)
        elif kind == "w":
            kind = _timed(word, link, items, marks)
        if link and items:
            link = _exact(link, kind, items[-1].word)
        items.append(Item(word, link, kind, comma))
        link, comma = "", False
    if link and items:
        items.append(Item(link, "", "w", False))
    return Line(_ranged(items), frozenset(marks))


def _joined(link: str, word: str) -> str:
    """The link that comes of one before another: the later of two loose ones, both of others, and an owner's never
    alone."""
    if not link or (len(link) == 1 and link not in "&|" and word != "<P"):
        return word[1:]
    return link if word == "<P" or (link in ("&", "|") and len(word) < 3) else link + " " + word[1:]


def _referent(word: str, after: str, items: list[Item], about_entity: bool) -> str:
    """Whom a pronoun means: the entity, the user where the claim speaks of one, itself; empty where it may be left
    out."""
    who = ENTITY if about_entity else "user" if any(item.word == "user" for item in items) else ""
    if word == "it" and after == "take":
        return word
    owned = word in _POSSESSIVE and after[0] not in "<,:"
    if (owned and items and not about_entity) or (owned and any(item.word == who for item in items)):
        return ""
    return who or ("" if word == "its" else word)


def _verb(word: str, after: str, items: list[Item], marks: set[str]) -> tuple[str, str]:
    """A past form and its kind: passive behind `be`, else an ordinary word of a claim about the past."""
    place = len(items) - 1
    naming = (word == "name" and after == "N") or (word == "call" and any(item.word == "have" for item in items[:-1]))
    if naming and items and items[place].kind == "w" and items[place].word not in ("be", "have"):
        return "named", "w"
    while place > 0 and (items[place].word in ("not", "never", "nolonger", "only") or items[place].kind == "t"):
        place -= 1
    before = items[place].word if items else ""
    if word != "be" and before == "be":
        return word, "p"
    marks.add("past")
    if before == "have":
        del items[place]
    return word, "w"


def _timed(word: str, link: str, items: list[Item], marks: set[str]) -> str:
    """The kind of an ordinary word; takes out a `have` that only makes the perfect of one without a past form of its
    own."""
    if items and items[-1].word == "have" and not link:
        if word in lexicon.INVARIANT or word in ("run", "come"):
            items.pop()
            marks.add("past")
        elif word[-2:] == "ed" and word not in ("bed", "shed", "need"):
            items.pop()
    if word == "time" and items and items[-1].kind == "n":
        items[-1] = items[-1]._replace(kind="t")
    return "t" if word in WEEKDAYS or word in lexicon.TIMES else "w"


def _exact(link: str, kind: str, before: str) -> str:
    """A link as it is meant: `stop to` a purpose, `since` without a time a reason."""
    if link == "T" and before in _PURPOSE:
        return "toward"
    return "because" if link == "since" and kind not in "tn" else link


def _ranged(items: list[Item]) -> list[Item]:
    """`from 9 to 5` and `between 9 and 5` as `9-5`, `for 2 weeks` as `2 weeks`, and no `and` in front."""
    if items and items[0].link == "&":
        items[0] = items[0]._replace(link="")
    for place in range(len(items) - 1):
        one, two = items[place], items[place + 1]
        if not one.link or one.kind not in "nt":
            continue
        if one.link == "F" and one.kind == "n" and two.word in _SPANS:
            items[place] = one._replace(link="")
            continue
        ranged = (one.link, two.link) in (("from", "T"), ("between", "&")) and two.kind in "nt"
        if ranged and place and items[place - 1].word not in _MOVES:
            items[place], items[place + 1] = one._replace(link=""), two._replace(link="-")
    return items

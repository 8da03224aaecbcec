"""Reading a one-line claim into words that can be compared, whatever wording, number or date format it uses.

English and Chinese are known (`lexicon`, `hanzi`). Another language is read word by word as it stands, so two of its
claims are alike only when their words are.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from gbrain.domain import hanzi, lexicon
from gbrain.domain.hanzi import DATE, ENTITY, HAN

Units = list[tuple[str, str]]
"""Meanings of the words of a text with their kinds (see Item), links and commas still among them."""

_PRONOUNS = frozenset("he she it they him them his hers its their theirs her himself herself itself themselves".split())
_POSSESSIVE = frozenset("his its their her hers theirs".split())
_SUFFIXES = {"ll": "will", "ve": "have", "re": "be", "d": "would", "m": "be"}
_CONTRACTED = {"can't": "can not", "won't": "will not", "shan't": "will not", "let's": "let we"}
_BE_AFTER = frozenset("a an the not in at on going still also very about from now no one usually always never".split())
_SILENT = frozenset("\"'()[]{}`*_…·「」『』《》〈〉【】#\\-")
_STOPS = frozenset(".!?;:。")
_CURRENCIES = frozenset("usd eur gbp jpy cny cad aud chf krw inr sek nok dkk".split())
# Meanings that a capital letter does not make a name of: `Main St`, `Postgres`, `Email`.
_COMMON = frozenset(
    "street road avenue doctor usd eur gbp cny jpy gb mb tb kg km cm mm mg metre user we phone email database postgres kubernetes "
    "wifi theater center not be have c f degree".split()
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


_Phrases = dict[str, list[tuple[tuple[tuple[str, bool], ...], tuple[str, ...]]]]


class _Tables(NamedTuple):
    phrases: _Phrases
    units: dict[str, str]
    months: dict[str, str]
    token: re.Pattern[str]
    number: re.Pattern[str]


_TOKEN = (
    r"https?://\S+|[A-Za-z0-9_.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d\d?-\d\d?(?![A-Za-z0-9_])|(?<!\w)[-+]\d+(?:[.,:/]\d+)*[A-Za-z]*%?"
    r"|\d+(?:[.,:/]\d+)+[A-Za-z]*%?|(?:A|B|AB|O)[+-](?!\w)"
)


@cache
def _tables() -> _Tables:
    months = {
        name: f"{number:02}" for number, names in enumerate(lexicon.MONTHS.split("|"), 1) for name in names.split()
    }
    phrases: _Phrases = {}
    tables = _Tables(
        phrases,
        dict(pair.split(":") for pair in lexicon.UNITS.split()),
        months,
        re.compile(_TOKEN + r"|\w+(?:[.'&]\w+)*[+#%]*|[^\w\s]", re.ASCII),
        re.compile(
            r"([-+]?\d+(?:,\d{3})*(?:\.\d+)?)([a-z]*)(%?)|(\d{1,2}):(\d\d)(am|pm)?|(\d{4})-(\d\d?)-(\d\d?)", re.ASCII
        ),
    )
    for meaning, members in hanzi.entries(lexicon.PHRASES):
        result = tuple(meaning.split())
        for phrase in members.split("|"):
            units = _units(phrase.strip(), frozenset(), tables)
            if units:
                rest = tuple([(unit, kind == "p") for unit, kind in units[1:]])
                phrases.setdefault(units[0][0], []).append((rest, result))
    for found in phrases.values():
        found.sort(key=lambda entry: -len(entry[0]))
    return tables


@cache
def _han_token() -> re.Pattern[str]:
    letter = rf"(?:(?![{HAN}])\w)"
    return re.compile(rf"{DATE}[\d-]+|{_TOKEN}|[{HAN}]+|{letter}+(?:[.'&]{letter}+)*[+#%]*|[^\w\s]")


@cache
def _words() -> dict[str, str]:
    """Lower-case word to meaning; the meaning of a past form ends in `+`."""
    words = {word: word for word in (lexicon.COMMON + lexicon.FIXED).split()}
    past: dict[str, str] = {}
    for group in lexicon.IRREGULAR.replace("\n", "|").split("|"):
        base, *forms = group.split() or ["be"]
        past |= dict.fromkeys(forms, base)
        words[base] = base
    for link, members in hanzi.entries(lexicon.LINKS):
        words |= dict.fromkeys(members.split(), "<" + link)
    for meaning, members in hanzi.entries(lexicon.WORDS):
        words |= dict.fromkeys(members.split(), meaning)
        if " " not in meaning:
            words.setdefault(meaning, meaning)
    words |= {form: (words[base] or "past") + ("+" if words[base] else "") for form, base in past.items()}
    words |= {number: str(value) for value, number in enumerate(lexicon.NUMBERS.split())}
    words |= {number: str(value * 10) for value, number in enumerate(lexicon.TENS.split(), 3)}
    words |= lexicon.AMOUNTS | lexicon.ORDINALS
    for group in lexicon.WEEKDAYS.split("|"):
        day = group.split()[0]
        words |= {day: day, day + "s": "every " + day}
    words |= dict.fromkeys(("am", "is", "are", "be", "being"), "be")
    words |= {wrong: words.get(right, right) for right, wrong in (pair.split(":") for pair in lexicon.TYPOS.split())}
    words |= {"has": "have", "having": "have", "does": "", "did": "past", "cannot": "can not", "": "", "goes": "go"}
    return words


def stem(word: str) -> str:
    """The base form of an English word by its ending, with `+` behind a past form; light, so that kin words stay apart."""
    size = len(word)
    if size < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if size > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")) or (
        word.endswith("oes") and size > 5 and word != "canoes"
    ):
        return word[:-2]
    if word.endswith("uses") and word != "uses" and word[:-2] in _words():
        return word[:-2]
    if word.endswith("s"):
        if word[-2] in "su" or (word[-2] == "i" and (size < 5 or word in _words())):
            return word
        return _spelling(word[:-1])
    if word.endswith("ied"):
        return word[:-3] + "y+"
    if word.endswith("eed"):
        return word
    for ending, mark in (("ed", "+"), ("ing", "")):
        if word.endswith(ending):
            root = word[: -len(ending)]
            if len(root) < 2 or not any(letter in "aeiouy" for letter in root):
                return word
            return _spelling(_with_e(root)) + mark
    if word.endswith("ly") and size > 5:
        return word[:-3] + "y" if word[-3] == "i" else word[:-2]
    return _spelling(word)


def _spelling(word: str) -> str:
    """American spelling, and no `-ie`."""
    if len(word) > 5:
        if word.endswith("ise") and word not in lexicon.ISE:
            return word[:-3] + "ize"
        if word.endswith("isation"):
            return word[:-7] + "ization"
    if len(word) > 4 and word.endswith("our"):
        return word[:-3] + "or"
    return word[:-2] + "y" if word.endswith("ie") and len(word) > 4 else word


_SILENT_E = (
    "at", "ut", "ir", "ur", "ag", "as", "os", "id", "in", "ib", "ul", "plet", "lor", "pon", "ar", "us", "um", "ap", "ud", "ot", "ak",
)  # fmt: skip


def _with_e(root: str) -> str:
    """A root left by `-ed` or `-ing` as the verb is spelt: undoubled, or with the silent e that it lost."""
    last, before = root[-1], root[-2]
    if last == before and (last not in "aeiouls" or (root.endswith(("ell", "oll")) and len(root) > 5)):
        return root[:-1]
    if last in "cvuz" or root.endswith(
        ("creat", "dg", "rg", "ang", "bl", "dl", "pl", "tl", "gl", "ckl", "rs", "ns", "iat", "uat")
    ):
        return root if root in ("hang", "bang") else root + "e"
    if (
        before in "aeiouy"
        and last not in "aeiouwxy"
        and (len(root) < 3 or root[-3] not in "aeiou" or root[-4:-2] == "qu")
    ):
        syllables = sum(
            letter in "aeiouy" and (not at or root[at - 1] not in "aeiouy") for at, letter in enumerate(root)
        )
        return (
            root + "e"
            if syllables == 1 or root.endswith(_SILENT_E) or (root.endswith("is") and len(root) > 4)
            else root
        )
    return root + "e" if last == "s" and before in "aeiu" else root


def meaning(word: str) -> str:
    """What a lower-case word means: a lexicon meaning, else its stem; `+` behind a past form, empty for filler."""
    words = _words()
    found = words.get(word)
    if found is None:
        found = _stemmed.get(word)
    if found is None:
        base = stem(word)
        past = "+" if base[-1] == "+" else ""
        base = base.removesuffix("+")
        found = words.get(base, base)
        if past and found and not found.endswith("+"):
            found += past
        if len(_stemmed) < 20_000:
            _stemmed[word] = found
    return found


# Words outside the tables, remembered apart from them: what is a known word must not depend on what was read before.
_stemmed: dict[str, str] = {}


def read(text: str, names: tuple[str, ...] = ()) -> Line:
    """Read a claim that is already in NFKC form with plain quotes and dashes.

    `names`: lower-case words that name the entity; each of them, a pronoun that may stand for it, and a Chinese name whose
    pinyin they spell become ENTITY.
    """
    tables = _tables()
    if not text.isascii():
        text = hanzi.digits(hanzi.marked(text, names))
    if text.isupper():
        text = text.lower()
    if " " in text:
        text = _told(text)
    if " past " in text:
        text = _half_past().sub(_past_hour, text)
    units = _units(text, frozenset(names), tables)
    return _reduced(_merged(units, tables.phrases), bool(names))


def _told(text: str) -> str:
    """Text without the clauses that only say that something is said (`One more thing to note:`, `I wanted to add that`)."""
    if text[:5].lower() in ("user ", "the u") or text[:2] in ("I ", "We") or text[:3] == "As ":
        text = _by_user().sub("", text)
    words = text.split(" ", 9)
    size = 0
    while size < len(words) - 2 and words[size].lower() in lexicon.META:
        size += 1
    if size > 1 and (words[size][0].isupper() or words[size] in ("she", "he", "they")):
        lead = [word.lower() for word in words[:size]]
        if (not _TELLING.isdisjoint(lead) or lead[-2:] == ["you", "know"]) and _HEARD.isdisjoint(lead):
            text = " ".join(words[size:])
    head, colon, rest = text.partition(": ")
    if colon and rest and _is_meta(head):
        text = rest
    head, that, rest = text.partition(" that ")
    if that and " " in head and " " in rest and _is_meta(head) and (_HEARD.isdisjoint(head.lower().split()) or _restated(head.lower().split())):
        text = rest
    if ", " in text:
        parts = text.split(", ")
        kept = [part for part in parts if not _is_meta(part)]
        if kept and len(kept) < len(parts):
            text = ", ".join(kept) if len(parts) < 3 or _is_meta(parts[0]) or _is_meta(parts[-1]) else " ".join(kept)
    return text


@cache
def _by_user() -> re.Pattern[str]:
    """What the user said is a claim of the user's: no hearsay, and nothing that it adds."""
    adverbs = r"(?:(?:also|already|just|recently|once|has|have|previously|earlier) )*"
    sure = r"(?:said|says|told (?:us|me|you)|tells (?:us|me))(?: (?:to )?(?:us|me|you))?(?: earlier| before)?(?: that|:|,)?"
    verbs = r"(?:mention(?:ed|s)?|note[ds]?|state[ds]?|add(?:ed|s)?|confirm(?:ed|s)?|report(?:ed|s)?|explain(?:ed|s)?|point(?:ed|s)? out|clarified)"
    return re.compile(rf"^(?:as )?(?:the user|user|i|we) {adverbs}(?:{sure}|{verbs}(?: to (?:us|me|you))?(?: earlier| before)?(?: that|:|,)) (?=\S+ \S)", re.I)


_TELLING = frozenset("mention fyi btw way remind record information turns out".split())
_HEARD = frozenset(("said", "told", "read", "saw"))


def _restated(words: list[str]) -> bool:
    """Whether it is the speaker who said it before, so that nothing is hearsay."""
    return "i" in words and {"read", "saw", "was", "been", "were"}.isdisjoint(words)


def _is_meta(clause: str) -> bool:
    return lexicon.META.issuperset(clause.lower().rstrip(".").split())


@cache
def _half_past() -> re.Pattern[str]:
    return re.compile(r"\b(half|quarter|a quarter) past (\w+)", re.IGNORECASE)


def _past_hour(found: re.Match[str]) -> str:
    hour = _words().get(found[2].lower(), found[2])
    return f"{hour}:{30 if found[1].lower() == 'half' else 15}" if hour.isdecimal() else found[0]


def _units(text: str, names: frozenset[str], tables: _Tables) -> Units:
    tokens = (tables.token if text.isascii() else _han_token()).findall(text)
    units: Units = []
    fresh, place, size = True, 0, len(tokens)
    while place < size:
        token = tokens[place]
        place += 1
        first = token[0]
        low = token.lower()
        if first.isalpha() or first == "_":
            if "\u3040" <= first <= "\u9fff":
                hanzi.segment(token, units)
            elif low in tables.months and first != low[0] and len(low) > 2:
                place += _month(low, tokens, place, units, tables)
            elif low == "no" and place + 1 < size and tokens[place] == "." and tokens[place + 1][0].isdecimal():
                units.append(("number", "w"))
                place += 1
            else:
                _word(token, low, tokens[place].lower() if place < size else "", fresh, names, units)
        elif first.isdecimal() or (first in "+-" and len(token) > 1):
            place += _number(low, token, tokens, place, units, tables)
        elif first == ENTITY or first == DATE:
            units.append((ENTITY, "N") if first == ENTITY else (token[1:] or token, "t"))
        elif token in _STOPS:
            fresh = True
            if token in "?:;":
                units.append((token.replace(";", ","), "w"))
            continue
        elif token == ",":
            units.append((",", "w"))
        elif token == "-" and units and units[-1][1] == "n" and place < size and tokens[place][0].isdecimal():
            units.append(("<-", "w"))
        elif token not in _SILENT:
            known = "<&" if token in "、&/" else "about" if token == "~" else meaning(token)
            units.append((known, "c" if known in _CURRENCIES else "w"))
        fresh = False
    for place in range(len(units) - 1):
        if units[place][0] in ("end", "de") and units[place + 1][0] != ",":
            units[place] = ("le" if units[place][0] == "end" else "", "w")
    return [unit for unit in units if unit[0]]


def _number(low: str, token: str, tokens: list[str], place: int, units: Units, tables: _Tables) -> int:
    """Append a number in one form for each value; returns how many of the tokens behind it went into it."""
    found = tables.number.fullmatch(low)
    after = tokens[place].lower() if place < len(tokens) else ""
    if found is None:
        units.append((_slashed(low), "t" if low.count("/") == 2 else "n"))
        return 0
    number, letters, percent, hour, minute, half, year, month, day = found.groups()
    if year:
        units.append((f"{year}-{int(month):02}-{int(day):02}", "t"))
        return 0
    behind = after in ("am", "pm", "a.m", "p.m") and not letters and not half
    if hour or behind or letters in ("am", "pm"):
        period = (half or letters or (after if behind else "") or "")[:1]
        hours = int(hour) if hour else int(number) if number.isdigit() else 99
        if hours > 24 or (period and not 1 <= hours <= 12):
            units.append((low, "n"))
            return 0
        units.append((f"{hours % 12 + 12 * (period == 'p') if period else hours}:{minute or '00'}", "t"))
        return int(behind)
    number = number.replace(",", "")
    if letters in ("st", "nd", "rd", "th") or (not letters and number.isdigit()):
        taken = _day_month(number, tokens, place, units, tables)
        if taken or letters:
            if not taken:
                units.append((number + letters, "n"))
            return taken
    return _amount(number, letters, percent, token, after, units, tables)


def _slashed(text: str) -> str:
    """`31/12/2026` and `12/31/2026` as a date where only one reading is one, else as it stands."""
    parts = text.split("/")
    if len(parts) == 3 and len(parts[2]) == 4 and all([part.isdecimal() and part.isascii() for part in parts]):
        first, second = int(parts[0]), int(parts[1])
        if 12 < first < 32 and 0 < second < 13:
            first, second = second, first
        if 0 < first < 13 and (12 < second < 32 or first == second):
            return f"{parts[2]}-{first:02}-{second:02}"
    return text


def _amount(number: str, letters: str, percent: str, token: str, after: str, units: Units, tables: _Tables) -> int:
    """Append a count or a measure: scale multiplied in, the unit and then the currency behind the number."""
    used, unit = 0, ""
    scale = lexicon.SCALES.get(letters or after, 0)
    if letters == "m" and (token.endswith("M") or (units and units[-1][1] == "c")):
        scale = 6
    if scale and (whole := hanzi.scaled(number, scale)):
        number, used = whole, int(not letters)
    elif letters:
        unit = tables.units.get(letters, "")
        if not unit:
            units.append((token.lower(), "n"))
            return 0
    elif after in tables.units:
        unit, used = tables.units[after], 1
    currency = units.pop()[0] if units and units[-1][1] == "c" else ""
    dated = (
        len(number) == 4 and number[:2] in ("19", "20") and not (unit or currency) and units and units[-1][0] in _DATED
    )
    units.append((number, "t" if dated else "n"))
    units.extend((extra, "w") for extra in (unit, currency, "percent" if percent else "") if extra)
    return used


_DATED = frozenset(("<L", "<since", "<from", "<until", "<before", "<after", "<by"))


def _day_month(number: str, tokens: list[str], place: int, units: Units, tables: _Tables) -> int:
    start = place
    if place < len(tokens) and tokens[place].lower() == "of":
        place += 1
    month = tables.months.get(tokens[place].lower(), "") if place < len(tokens) else ""
    if not month or len(number) > 2 or not 1 <= int(number) <= 31:
        return 0
    return place + 1 - start + _dated(month, number, tokens, place + 1, units)


def _month(low: str, tokens: list[str], place: int, units: Units, tables: _Tables) -> int:
    """Append the date or the month that begins with `low`; returns how many of the tokens behind it went into it."""
    dot = int(place + 1 < len(tokens) and tokens[place] == ".")
    place += dot
    day = tokens[place].lower() if place < len(tokens) else ""
    day = day[:-2] if day[-2:] in ("st", "nd", "rd", "th") else day
    if len(day) < 3 and day.isdecimal() and day.isascii() and 1 <= int(day) <= 31:
        return 1 + dot + _dated(tables.months[low], day, tokens, place + 1, units)
    units.append(("m" + tables.months[low], "t"))
    return 0


def _dated(month: str, day: str, tokens: list[str], place: int, units: Units) -> int:
    comma = int(place + 1 < len(tokens) and tokens[place] == ",")
    year = tokens[place + comma] if place + comma < len(tokens) else ""
    if len(year) == 4 and year.isdecimal() and year.isascii() and year[0] in "12":
        units.append((f"{year}-{month}-{int(day):02}", "t"))
        return 1 + comma
    units.append((f"{month}-{int(day):02}", "t"))
    return 0


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
    if low == "her" and (after in _NOT_OWNED or not after.isalpha()):
        low = token = "him"
    if low == "a" and after == "few":
        units.append(("several", "w"))
    elif low == "used" and after == "to" and not (units and units[-1][0] in ("be", "get")):
        units.extend((("formerly", "w"), ("past", "w")))
    else:
        _plain(low, token, fresh, names, units)


_NOT_OWNED = frozenset(
    "a an the back up out off in on at to for with from by and or when if about as that not into every".split()
)


def _possessive(base: str, token: str, after: str, fresh: bool, names: frozenset[str], units: Units) -> None:
    """`'s` is `be` or `have` behind a pronoun and before words that no owner has; else it makes an owner."""
    pronoun = base in _PRONOUNS or base in ("that", "there", "who", "what", "where", "here", "how")
    past = after.isalpha() and meaning(after).endswith("+") and after not in ("left", "closed", "used", "married")
    if pronoun or past or after in _BE_AFTER:
        _plain(base, token, fresh, names, units)
        units.append(("have" if past and meaning(after) != "be+" or after == "been" else "be", "w"))
        return
    start = len(units)
    _plain(base, token, fresh, names, units)
    if len(units) > start and units[-1][1] == "N":
        while start and units[start - 1][1] == "N":
            start -= 1
    units.insert(start, ("<P", "w"))


def _plain(low: str, token: str, fresh: bool, names: frozenset[str], units: Units) -> None:
    """Append an ordinary word: the entity, a name as it is spelt, or the meaning of any other word."""
    if low in names or (not low.isascii() and _unaccented(low) in names):
        units.append((ENTITY, "N"))
        return
    words = _words()
    known = words.get(low)
    if token[0] != low[0] and low != "i" and token != "Us":
        if known is None and fresh:
            base = stem(low).removesuffix("+")
            known = meaning(low) if base != low and base in words else None
        if low in _SHORT_DAYS and not fresh:
            units.append((_SHORT_DAYS[low], "t"))
            return
        common = known is not None and (known in _COMMON or known[:1] == "<" or low in _WEEKDAYS or known == "")
        if not common and (not fresh or known is None):
            units.append((_spelling(_unaccented(low)) if fresh else _unaccented(low), "N"))
            return
    found = meaning(low) if known is None else known
    kind = "w"
    if found[-1:] == "+":
        found, kind = found[:-1], "p"
    elif found[:1].isdecimal():
        kind = "t" if ":" in found else "n"
        found = _sum(found, units)
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
    if " " in found:
        units.extend((part, kind if part[0].isdecimal() or kind != "n" else "w") for part in found.split())
    elif found:
        units.append((found, kind))


_WEEKDAYS = frozenset(
    day for group in lexicon.WEEKDAYS.split("|") for day in (group.split()[0], group.split()[0] + "s")
)
_SHORT_DAYS = {short: names.split()[0] for names in lexicon.WEEKDAYS.split("|") for short in names.split()[1:]}
_TENS = frozenset(str(value) for value in range(20, 100, 10))


def _sum(number: str, units: Units) -> str:
    """A spelt number with the part of it before: `twenty` `five`, `hundred` `and` `twenty`."""
    if number.isdecimal() and units:
        if units[-1][1] == "n" and units[-1][0] in _TENS and len(number) == 1:
            return units.pop()[0][0] + number
        joined = units[-1][0] == "<&"
        place = -2 if joined and len(units) > 1 else -1
        before, kind = units[place]
        if kind == "n" and before.isdecimal() and before[-2:] == "00" and len(number) < 3:
            del units[place:]
            return str(int(before) + int(number))
    return number


def _unaccented(word: str) -> str:
    """A Latin name without its accents: `Tromsø` and `Tromso` are one place."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word.replace("ø", "o").replace("ł", "l").replace("đ", "d").replace("ß", "ss"))
    return unicodedata.normalize("NFKC", "".join([letter for letter in apart if not "\u0300" <= letter <= "\u036f"]))


def _merged(units: Units, phrases: _Phrases) -> Units:
    """The units with each known phrase as its meaning; filler phrases count only at an edge of a clause."""
    if phrases.keys().isdisjoint([word for word, _ in units]):
        return units
    merged: Units = []
    place, size = 0, len(units)
    while place < size:
        word, kind = units[place]
        for rest, result in phrases.get(word, ()):
            end = place + 1 + len(rest)
            if end > size or not _matches(units, place + 1, rest):
                continue
            if not result and (
                kind == "N" or not (not merged or merged[-1][0] in ",:" or end == size or word[0] == "<")
            ):
                continue
            past = kind == "p" and result[:1] != ("birthday",)
            merged.extend([(part, "p" if past and part[0] != "<" else "w") for part in result])
            place = end
            break
        else:
            merged.append((word, kind))
            place += 1
    while len(merged) > 2 and merged[0][0] in ",:":
        merged = merged[1:]
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
    copula = any([unit[0] == "be" for unit in units])
    for place, (word, kind) in enumerate(units):
        if word[0] == "<":
            if not link or (len(link) == 1 and link not in "&|" and word != "<P"):
                link = word[1:]
            elif word != "<P" and (link not in ("&", "|") or len(word) > 2):
                link += " " + word[1:]
            continue
        if word == ",":
            comma = bool(items)
            continue
        if word in _MARKS:
            marks.add(word)
            continue
        if word == ":":
            if copula or not items:
                comma = bool(items)
                continue
            word = "be"
        if word in _PRONOUNS:
            owned = word in _POSSESSIVE and place + 1 < len(units) and units[place + 1][0][0] not in "<,:"
            who = ENTITY if about_entity else "user" if any([item.word == "user" for item in items]) else ""
            marks.add(_GENDER.get(word, "they"))
            if word == "it" and place + 1 < len(units) and units[place + 1][0] == "take":
                who = ""
            elif (
                (owned and items and not about_entity)
                or (owned and any([item.word == who for item in items]))
                or (word == "its" and not who)
            ):
                continue
            if who:
                word, kind = who, "N" if about_entity else "w"
                link = link or ("P" if owned else "")
        elif word == "user" and link == "P" and any([item.word == "user" for item in items]):
            link = ""
            continue
        elif (
            kind == "p"
            and items
            and items[-1].kind == "w"
            and items[-1].word not in ("be", "have")
            and (
                (word == "name" and place + 1 < len(units) and units[place + 1][1] == "N")
                or (word == "call" and any([item.word == "have" for item in items[:-1]]))
            )
        ):
            word, kind = "named", "w"
        elif kind == "p":
            kind = _voice(word, items, marks)
        elif word in _WEEKDAYS or word in lexicon.TIMES:
            kind = "t"
        elif word == "time" and items and items[-1].kind == "n":
            items[-1] = Item(items[-1].word, items[-1].link, "t", items[-1].comma)
        if link == "T" and items and items[-1].word in _PURPOSE:
            link = "toward"
        elif link == "since" and kind not in "tn":
            link = "because"
        if (word in lexicon.INVARIANT or word in ("run", "come")) and items and items[-1].word == "have" and not link:
            items.pop()
            marks.add("past")
        items.append(Item(word, link, kind, comma))
        link, comma = "", False
    if link and items:
        items.append(Item(link, "", "w", False))
    if items and items[0].link == "&":
        items[0] = Item(items[0].word, "", items[0].kind, False)
    for place in range(len(items) - 1):
        pair = (items[place].link, items[place + 1].link)
        if pair[0] == "F" and items[place].kind == "n" and items[place + 1].word in _SPANS:
            items[place] = Item(items[place].word, "", "n", items[place].comma)
        if pair in (("from", "T"), ("between", "&")) and items[place].kind in "nt" and items[place + 1].kind in "nt":
            if place and items[place - 1].word not in _MOVES:
                items[place] = Item(items[place].word, "", items[place].kind, items[place].comma)
                items[place + 1] = Item(items[place + 1].word, "-", items[place + 1].kind, False)
    return Line(items, frozenset(marks))


_MOVES = frozenset("change move postpone advance increase decrease upgrade extend set revise update go".split())
_SPANS = frozenset("sec minute hour day week month year".split())
_MARKS = frozenset(("now", "past", "tense", "le", "end", "de", "also", "done"))
_GENDER = dict.fromkeys(("he", "him", "his", "himself"), "he") | dict.fromkeys(("she", "her", "hers", "herself"), "she")
_PURPOSE = frozenset("stop remember forget try regret mean".split())


def _voice(word: str, items: list[Item], marks: set[str]) -> str:
    """The kind of a past form: passive behind `be`, else an ordinary word of a claim about the past."""
    place = len(items) - 1
    while place > 0 and (items[place].word in ("not", "never", "nolonger", "only") or items[place].kind == "t"):
        place -= 1
    before = items[place].word if items else ""
    if word != "be" and before == "be":
        return "p"
    marks.add("past")
    if before == "have":
        del items[place]
    return "w"

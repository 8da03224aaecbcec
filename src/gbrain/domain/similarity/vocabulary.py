"""English words: their meanings by the lexicon, their base forms, their spelling."""

import unicodedata
from functools import cache

from gbrain.domain.similarity import hanzi, lexicon


@cache
def words() -> dict[str, str]:
    """Lower-case word to meaning; the meaning of a past form ends in `+`."""
    table = {word: word for word in (lexicon.COMMON + lexicon.FIXED).split()}
    past: dict[str, str] = {}
    for group in lexicon.IRREGULAR.replace("\n", "|").split("|"):
        base, *forms = group.split() or ["be"]
        past |= dict.fromkeys(forms, base)
        table[base] = base
    for link, members in hanzi.entries(lexicon.LINKS):
        table |= dict.fromkeys(members.split(), "<" + link)
    for sense, members in hanzi.entries(lexicon.WORDS):
        table |= dict.fromkeys(members.split(), sense)
        if " " not in sense:
            table.setdefault(sense, sense)
    table |= {form: (table[base] or "past") + ("+" if table[base] else "") for form, base in past.items()}
    table |= {number: str(value) for value, number in enumerate(lexicon.NUMBERS.split())}
    table |= {number: str(value * 10) for value, number in enumerate(lexicon.TENS.split(), 3)}
    table |= lexicon.AMOUNTS | lexicon.ORDINALS
    for group in lexicon.WEEKDAYS.split("|"):
        day = group.split()[0]
        table |= {day: day, day + "s": "every " + day}
    table |= dict.fromkeys(("am", "is", "are", "be", "being"), "be")
    table |= {wrong: table.get(right, right) for right, wrong in (pair.split(":") for pair in lexicon.TYPOS.split())}
    table |= {"has": "have", "having": "have", "does": "", "did": "past", "cannot": "can not", "": "", "goes": "go"}
    return table


def stem(word: str) -> str:
    """The base form of an English word by its ending, with `+` behind a past form; light, so that kin words stay
    apart."""
    size = len(word)
    if size < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if size > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")) or (
        word.endswith("oes") and size > 5 and word != "canoes"
    ):
        return word[:-2]
    # `buses`, `viruses`; but not `uses`.
    if word.endswith("uses") and word != "uses" and word[:-2] in words():
        return word[:-2]
    if word.endswith("s"):
        if word[-2] in "su" or (word[-2] == "i" and (size < 5 or word in words())):
            return word
        return american(word[:-1])
    if word.endswith("ied"):
        return word[:-3] + "y+"
    if word.endswith("eed"):
        return word
    for ending, mark in (("ed", "+"), ("ing", "")):
        if word.endswith(ending):
            root = word[: -len(ending)]
            if len(root) < 2 or not any(letter in "aeiouy" for letter in root):
                return word
            return american(_with_e(root)) + mark
    if word.endswith("ly") and size > 5:
        return word[:-3] + "y" if word[-3] == "i" else word[:-2]
    return american(word)


def american(word: str) -> str:
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
    "at", "ad", "ut", "ir", "ur", "ag", "as", "os", "id", "in", "ib", "ul", "plet", "lor", "pon", "ar", "us", "um",
    "ap", "ud", "ot", "ak",
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


# Words outside the tables, remembered apart from them: what is a known word must not depend on what was read before.
_stemmed: dict[str, str] = {}


def meaning(word: str) -> str:
    """What a lower-case word means: a lexicon meaning, else its stem; `+` behind a past form, empty for filler."""
    table = words()
    found = table.get(word)
    if found is None:
        found = _stemmed.get(word)
    if found is None:
        base = stem(word)
        past = "+" if base[-1] == "+" else ""
        base = base.removesuffix("+")
        found = table.get(base, base)
        if past and found and not found.endswith("+"):
            found += past
        # A server lives for months; texts bring ever new names.
        if len(_stemmed) < 20_000:
            _stemmed[word] = found
    return found


def unaccented(word: str) -> str:
    """A Latin name without its accents: `Tromsø` and `Tromso` are one place."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word.replace("ø", "o").replace("ł", "l").replace("đ", "d").replace("ß", "ss"))
    return unicodedata.normalize("NFKC", "".join([letter for letter in apart if not "\u0300" <= letter <= "\u036f"]))


WEEKDAYS = frozenset(day for group in lexicon.WEEKDAYS.split("|") for day in (group.split()[0], group.split()[0] + "s"))
SHORT_DAYS = {short: names.split()[0] for names in lexicon.WEEKDAYS.split("|") for short in names.split()[1:]}


def is_slip(one: str, two: str) -> bool:
    """One doubled, lost or swapped letter, or another vowel, inside a word of six letters or more that is no known
    near twin."""
    # Short words are too near each other, and the ends of a word are what people mistype least.
    if min(len(one), len(two)) < 6 or abs(len(one) - len(two)) > 1 or one[0] != two[0] or one[-1] != two[-1]:
        return False
    if not (one.isascii() and two.isascii() and one.isalpha() and two.isalpha()) or (
        one in lexicon.CONFUSABLE and two in lexicon.CONFUSABLE
    ):
        return False
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    if len(one) != len(two):
        short, long = sorted((one, two), key=len)
        return short[start:] == long[start + 1 :]
    if one[start + 1 :] == two[start + 1 :]:
        return len(one) > 6 and one[start] in "aeiouy" and two[start] in "aeiouy"
    return one[start : start + 2] == two[start : start + 2][::-1] and one[start + 2 :] == two[start + 2 :]


def compact(key: str) -> str:
    """A key without hyphens, stops and apostrophes between letters, and without what parts a letter from a digit.

    Links and mail addresses stay as they are, and so does `re-`, which makes another verb (`re-sign`).
    """
    if "@" in key or "/" in key or "re-" in key:
        return key
    kept = []
    for place, letter in enumerate(key):
        if letter in " -.'":
            before, after = key[place - 1 : place], key[place + 1 : place + 2]
            digits = before.isdecimal() + after.isdecimal()
            if (digits == 0 and letter != " ") or (
                digits == 1 and (before + after).isalnum() and len(before + after) == 2
            ):
                continue
        kept.append(letter)
    return "".join(kept)

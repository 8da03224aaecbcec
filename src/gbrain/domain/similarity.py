"""Whether a new one-line claim repeats an old one, replaces it, or stands beside it; no model, no I/O.

A claim is read into words that wording, formats and language leave alone (`gbrain.domain.wording`). Two claims are
duplicates only when those words are all the same and nothing that carries identity differs: numbers, codes, dates,
units, names, negation, direction, order of roles. A claim supersedes another when it gives the same exclusive
attribute of the same entity another value, or says that the old state ended. In doubt they are distinct.
"""

import hashlib
import unicodedata
from typing import Literal, NamedTuple

from gbrain.domain.attributes import OPEN, REPEATED, TIMED, Attribute, attribute, sort_of
from gbrain.domain.clauses import CHANGES, arranged, bare
from gbrain.domain.hanzi import ENTITY, likely_slip
from gbrain.domain.lexicon import CONFUSABLE
from gbrain.domain.wording import Item, meaning, read

Relation = Literal["same", "duplicate", "supersedes", "distinct"]

_UNIFIED = str.maketrans(
    dict.fromkeys("‘’‚‛′`´ʼ", "'")
    | dict.fromkeys("“”„‟″«»「」『』", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys(
        "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", ""
    )
)
_TRAILING = " .。!！;；,，:：…、"


class Claim(NamedTuple):
    """A claim ready for comparison; made once by `claim`.

    `key`: the exact-match key. `items`: its words in order without the copula and the entity it is about. `frame`: the same
    with both. `bag`: the words, sorted. `marks`: past, now, change, mood. `numbers`, `names`, `negations`: the words among
    them that carry identity. `entity`: the words that name the entity.
    """

    key: str
    items: tuple[Item, ...]
    frame: tuple[Item, ...]
    bag: tuple[str, ...]
    marks: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negations: int
    attribute: Attribute | None
    entity: frozenset[str]


class Verdict(NamedTuple):
    """How `new` relates to `old`; `score` 0 to 1 is the share of words in common, `why` a short reason for people."""

    relation: Relation
    score: float
    why: str


def normalise(text: str) -> str:
    """The exact-match key of a text: NFKC, case, white space, quotes, dashes and closing punctuation unified."""
    key = _plain(text)
    if key.isascii():
        key = key.lower()
    else:
        for _ in range(4):
            key, before = _plain(key.casefold()), key
            if key == before:
                break
    return key.rstrip(_TRAILING) or key


def _plain(text: str) -> str:
    """NFKC with plain quotes and dashes and single spaces, invisible characters gone."""
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).translate(_UNIFIED)).split())


def fingerprint(text: str) -> str:
    """24 hex digits of SHA-256 over `normalise(text)`: equal for texts that are the same, stable across releases."""
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()[:24]


_NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor nolonger without mei dont neednot unable allnot notall except hardly "
    "barely rarely unlikely fail lack anymore".split()
)


def claim(text: str, entity_names: tuple[str, ...] = ()) -> Claim:
    """Read a one-line claim for comparison.

    `entity_names`: words and names of the entity it is about (title, aliases, words of the slug). They make `Alice prefers tea`,
    `She prefers tea` and `prefers tea` one claim. Any text is accepted.
    """
    plain = _plain(text)
    key = plain.lower() if plain.isascii() else normalise(text)
    key = key.rstrip(_TRAILING) or key
    names = tuple([word for name in entity_names for word in _plain(name).lower().split()])
    items, marks = arranged(read(plain, names))
    kept = bare(items)
    return Claim(
        key,
        kept,
        tuple(items),
        tuple(sorted([item.word for item in kept])),
        marks,
        frozenset([item.word for item in kept if item.kind in "tn"]),
        frozenset([item.word for item in kept if item.kind == "N"]),
        sum([item.word in _NEGATIONS for item in kept]),
        attribute(items, marks),
        frozenset(names),
    )


def compare(old: Claim, new: Claim, same_kind: bool, kind: str, same_entity: bool) -> Verdict:
    """What `new` is to `old`.

    `kind` is the new claim's kind and `same_kind` whether the old one has it too. `same_entity`: both are filed under one
    entity, or both under none. Claims about two entities are never the same, however alike.
    """
    if not same_entity and old.entity != new.entity:
        return Verdict("distinct", 0.0, "other entity")
    if old.key == new.key:
        return Verdict("same", 1.0, "same text")
    ours, theirs = set(old.bag), set(new.bag)
    score = len(ours & theirs) / (len(ours | theirs) or 1)
    if not same_kind:
        return Verdict("distinct", score, "other kind")
    if _alike(old, new):
        return Verdict("duplicate", max(score, 0.9), "same words")
    if same_entity and (why := _replaced(old, new, kind)):
        return Verdict("supersedes", score, why)
    return Verdict("distinct", score, _difference(old, new))


def _difference(old: Claim, new: Claim) -> str:
    if old.numbers != new.numbers:
        return "numbers differ"
    if old.negations != new.negations:
        return "negation differs"
    if old.names != new.names:
        return "names differ"
    return "order or roles differ" if old.bag == new.bag else "other words"


def _alike(old: Claim, new: Claim) -> bool:
    if _one_slip(old, new):
        return True
    if not _one_tense(old, new) or not _one_mood(old, new):
        return False
    if old.bag == new.bag and old.bag and _aligned(old.items, new.items):
        return True
    if (changed := _same_start(old, new)) is not None:
        return _alike(*changed)
    if (held := _located(old.frame)) and held == _located(new.frame):
        return True
    if len(old.items) == len(new.items) and _one_typo(old.items, new.items):
        return True
    one, two = old.attribute, new.attribute
    if one is not None and two is not None and one.exact and two.exact and one[:3] == two[:3]:
        return True
    if (held := _owned(old.frame)) and held == _owned(new.frame):
        return True
    if "named" in old.bag or "named" in new.bag:
        one, two = (old, new) if "named" in old.bag else (new, old)
        if (apposed := _apposed(two.items)) and _aligned(one.items, apposed):
            return True
    return _less_detail(old, new) or ("le" not in old.marks | new.marks and _lighter(old.items, new.items))


def _located(items: tuple[Item, ...]) -> tuple[list[str], list[str]] | None:
    """What is where, of `X is in Y` and `Y has X`."""
    words = [item.word for item in items]
    if "have" in words:
        at = words.index("have")
        thing, place = items[at + 1 :], items[:at]
    else:
        at = next((place for place, item in enumerate(items) if item.link in ("L", "O") and item.kind not in "tn"), 0)
        end = at - 1 if at > 1 and items[at - 1].word == "be" else at
        thing, place = items[:end], items[at:]
        if end == at and not any([item.kind == "h" for item in items]):
            return None
    tied = any([item.link not in ("", "P") for item in (*thing, *place[1:])]) or any(
        [item.word in OPEN for item in items]
    )
    if not thing or not place or tied or place[0].kind == "N" or ENTITY in words:
        return None
    return [item.word for item in thing], [item.word for item in place]


def _owned(items: tuple[Item, ...]) -> tuple[list[str], list[str], list[str]] | None:
    """Whose, what and how, of `X has a blue eye` and `X's eye is blue`."""
    words = [item.word for item in items]
    for verb in ("have", "be"):
        if words.count(verb) == 1:
            at = words.index(verb)
            owner, rest = words[: max(at - (verb == "be"), 0)], words[at + 1 :]
            tied = any([item.link not in ("", "P") for item in items]) or not owner or not rest
            if tied or (items[0].link == "P") != (verb == "be") or any([item.word in OPEN for item in items]):
                return None
            return (owner, [rest[-1]], rest[:-1]) if verb == "have" else (owner, [words[at - 1]], rest)
    return None


_GENDERS = frozenset(("he", "she"))


def _one_tense(old: Claim, new: Claim) -> bool:
    ours, theirs = old.marks & _GENDERS, new.marks & _GENDERS
    if ours and theirs and ours != theirs:
        return False
    return ("past" in old.marks) == ("past" in new.marks) or "tense" in old.marks or "tense" in new.marks


def _same_start(old: Claim, new: Claim) -> tuple[Claim, Claim] | None:
    """Both claims with their first words read alike, if only the capital letter there or an entity left unsaid told them apart."""
    if (old.bag.count(ENTITY), new.bag.count(ENTITY)) in ((0, 1), (1, 0)):
        one, other = (old, new) if ENTITY in old.bag else (new, old)
        place = next(at for at, item in enumerate(one.items) if item.word == ENTITY)
        link, after = one.items[place].link, one.items[place + 1 : place + 2]
        hidden = ENTITY in [item.word for item in other.frame]
        if link and after and not after[0].link and after[0].kind in "wh" and not (hidden and (place == 0 or one.items[0].kind != "w")):
            items = [
                *one.items[:place],
                Item(after[0].word, "" if link == "P" else link, after[0].kind, after[0].comma),
                *one.items[place + 2 :],
            ]
            shorter = one._replace(items=tuple(items), bag=tuple([word for word in one.bag if word != ENTITY]))
            return (shorter, other) if one is old else (other, shorter)
    for one, other in ((old, new), (new, old)):
        items = _lowered(one, other)
        if items:
            lowered = one._replace(items=items, bag=tuple(sorted([item.word for item in items])))
            return (lowered, other) if one is old else (other, lowered)
    return None


def _lowered(one: Claim, other: Claim) -> tuple[Item, ...]:
    """The words of `one` with capitalised ones as the common words that `other` has in their place; empty if there are none."""
    common = {
        item: word
        for item in one.items
        if item.kind == "N"
        and item.word not in other.bag
        and (word := meaning(item.word).removesuffix("+")) != item.word
        and any([part.word == word and part.kind == "w" for part in other.items])
    }
    if not common:
        return ()
    return tuple([Item(common[item], item.link, "w", item.comma) if item in common else item for item in one.items])


def _one_mood(old: Claim, new: Claim) -> bool:
    """An order and its passive (`should be written`) are one only if one of them is the bare order, or both say the same verb."""
    moods = {mark for claim in (old, new) for mark in claim.marks if mark[:5] == "mood:"}
    return len(moods) < 2


_LOOSE = frozenset("LOP")


def _aligned(old: tuple[Item, ...], new: tuple[Item, ...]) -> bool:
    """Whether two claims of the same words say them in the same roles: only tied words and times may stand elsewhere."""
    a, b = list(old), list(new)
    inside = False
    for moves in range(2):
        while a and b and a[0].word == b[0].word and _tied(a[0], b[0]):
            del a[0], b[0]
            inside = True
        if _same_list(a, b):
            return True
        while a and b and a[-1].word == b[-1].word and _tied(a[-1], b[-1]):
            del a[-1], b[-1]
        if not a or not b:
            return not a and not b
        if moves or not (_moved(a, b, inside) or _moved(b, a, inside)):
            return _same_list(a, b)
    return False


def _same_list(a: list[Item], b: list[Item]) -> bool:
    """Whether both are one list of several words each, in another order (`green tea and black coffee`)."""
    if not any([item.link == "&" for item in a[1:]]):
        return False
    parts = [_parts(items) for items in (a, b)]
    return len(parts[0]) > 1 and sorted(parts[0]) == sorted(parts[1])


def _parts(items: list[Item]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for item in items:
        if item.link == "&":
            parts.append([])
        parts[-1].append(item.word if item.link in ("", "&") else item.link + " " + item.word)
    return parts


def _tied(one: Item, two: Item) -> bool:
    """Whether two links say the same where the words around them do."""
    if one.link == two.link:
        return True
    links = {one.link, two.link}
    if one.kind == "n":
        return links <= {"", "P"}
    if links <= _LOOSE or links == {"", "P"} or links == {"F", "P"} or (links in ({"", "L"}, {"", "&"}) and one.kind in "wh"):
        return True
    if "" in links:
        return (bool(links & _LOOSE) and one.kind == "t") or (links <= {"", "A", "T", "ba"} and one.kind != "N")
    return False


def _moved(a: list[Item], b: list[Item], inside: bool) -> bool:
    """Take out of both the block that starts `a` and stands later in `b`, if it is one that may move."""
    head = a[0]
    for place in range(1, len(b)):
        twin = b[place]
        if twin.word != head.word:
            continue
        size = 1
        while (
            size < len(a)
            and place + size < len(b)
            and a[size].word == b[place + size].word
            and _tied(a[size], b[place + size])
        ):
            size += 1
        free = (head.kind == "t" and {head.link, twin.link} <= {"", "L", "O"}) or (size > 1 and a[size - 1].word in _POSTPOSED)
        bound = head.link == twin.link and head.link not in ("", "&", "|", "-", "P")
        if head.link not in _CLAUSES and not _CLAUSES.isdisjoint([item.link for item in b[:place]]):
            return False
        if free or bound or head.word in _PARTICLES or _recast(head, twin, a, b, size, place, inside):
            del a[:size], b[place : place + size]
            return True
    return False


_POSTPOSED = frozenset("before after 时 时候".split())
_CLAUSES = frozenset("because if when unless although & | than".split())
_PARTICLES = frozenset("off out up down away back".split())


def _recast(head: Item, twin: Item, a: list[Item], b: list[Item], size: int, place: int, inside: bool) -> bool:
    """`gives B a book` and `gives a book to B`, `marketing budget` and `budget for marketing`: a swap with one link more."""
    links = {head.link, twin.link}
    passed = b[:place]
    if (
        (len(links) != 2 or "" not in links)
        and links != {"P"}
        or [item.word for item in a[size : size + place]] != [item.word for item in passed]
    ):
        return False
    if links == {"", "ba"}:
        return True
    if place > 2 or any([item.kind in "Nh" for item in passed]):
        return False
    if head.kind in "Nnh":
        return links == {"P"} or (inside and head.kind == "N" and links <= {"", "T", "F"} and twin.link != "")
    return links <= {"", "P", "L", "O", "F"} or (inside and links == {"", "T"})


def _one_typo(old: tuple[Item, ...], new: tuple[Item, ...]) -> bool:
    """Whether the claims differ in one ordinary word by one slip of the pen."""
    found = 0
    for one, two in zip(old, new, strict=True):
        if not _tied(one, two):
            return False
        if one.word != two.word:
            found += 1
            if found > 1 or one.kind != "w" or two.kind != "w" or not _slip(one.word, two.word):
                return False
    return found == 1


def _one_slip(old: Claim, new: Claim) -> bool:
    """Whether the texts differ by spaces and hyphens, or in one word or one Chinese character that is easily mistyped."""
    one, two = old.key, new.key
    if one.isascii() and two.isascii():
        ours, theirs = one.split(), two.split()
        if len(ours) != len(theirs):
            return abs(len(one) - len(two)) < 4 and _compact(one) == _compact(two)
        pairs = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
        if len(pairs) != 1:
            return len(one) == len(two) and _compact(one) == _compact(two)
        before, after = [word.strip(".,;:!'\"()") for word in pairs[0]]
        if before == after:
            return True
        named = old.names | new.names
        return (before not in named and after not in named and _slip(before, after)) or _compact(one) == _compact(two)
    if not one or max(one) < "\u4e00":
        return False
    if len(one) != len(two):
        short, long = sorted((one, two), key=len)
        place = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
        doubled = long[place : place + 1] == long[place - 1 : place] and long[place : place + 1] > "\u4e00"
        return doubled and len(long) == len(short) + 1 and short[place:] == long[place + 1 :] and len(short) > 5
    places = [place for place, (before, after) in enumerate(zip(one, two, strict=True)) if before != after]
    return len(places) == 1 and likely_slip(one, two, places[0])


def _compact(key: str) -> str:
    """A key without the spaces, hyphens and stops between letters; none of those beside a digit goes."""
    kept = []
    for place, letter in enumerate(key):
        if letter in " -.'":
            before, after = key[place - 1 : place], key[place + 1 : place + 2]
            if not (after.isdecimal() and (before.isdecimal() or (letter == "-" and before in ("", " ")))):
                continue
        kept.append(letter)
    return "".join(kept)


def _slip(one: str, two: str) -> bool:
    """One doubled, lost or swapped letter, or another vowel, inside a word of six letters or more that is no known near twin."""
    if min(len(one), len(two)) < 6 or abs(len(one) - len(two)) > 1 or one[0] != two[0] or one[-1] != two[-1]:
        return False
    if not (one.isascii() and two.isascii() and one.isalpha() and two.isalpha()) or (
        one in CONFUSABLE and two in CONFUSABLE
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


def _less_detail(old: Claim, new: Claim) -> bool:
    """Whether `new` is `old` without an apposition between commas (`The car, a green estate, is Wilma's`)."""
    a, b = old.items, new.items
    cut = len(a) - len(b)
    if cut > 0 and _habit(old, new):
        return True
    if cut < 1 or old.negations or any([item.word in OPEN for item in a]):
        return False
    start = 0
    while start < len(b) and a[start].word == b[start].word:
        start += 1
    if start == len(b) and a[start].link == "&" and old.frame[0].word == ENTITY:
        return not any([item.link for item in a[start + 1 :]])
    led = start == 0 and old.frame[0].word == ENTITY and len(old.frame) > 1 and old.frame[1].comma
    if not (led or (start and a[start].comma)) or a[start].link:
        return False
    if start + cut == len(a):
        return cut > 2 and a[0].word != b[-1].word and not any([item.kind == "N" or item.link for item in a[start:]])
    if not a[start + cut].comma:
        return False
    return all([one.word == two.word and _tied(one, two) for one, two in zip(a[start + cut :], b[start:], strict=True)])


def _apposed(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """`N, a grey cat, …` as `grey cat named N …`."""
    start = next(
        (at for at in range(1, len(items)) if items[at].comma and items[at - 1].kind == "N" and not items[at].link), 0
    )
    if not start:
        return ()
    first, end = start - 1, start + 1
    while first and items[first - 1].kind == "N" and not items[first].link:
        first -= 1
    while end < len(items) and not items[end].comma and not items[end].link and items[end].kind == "w":
        end += 1
    head = items[first]
    lead = Item(items[start].word, head.link, items[start].kind, head.comma)
    name = (Item(head.word, "", "N", False), *items[first + 1 : start])
    return (*items[:first], lead, *items[start + 1 : end], Item("named", "", "w", False), *name, *items[end:])


_LIGHTER = frozenset(
    "some any own go get come number city town language color area brand person 去 来 个 着 得 上 下 会 呢 时 时候 man woman guy way".split()
)


def _lighter(old: tuple[Item, ...], new: tuple[Item, ...]) -> bool:
    """Whether one claim is the other with one word more that adds nothing (`goes running`, `the city of Oslo`)."""
    short, long = sorted((old, new), key=len)
    if len(long) != len(short) + 1 or len(short) < 2:
        return False
    words = [item.word for item in short]
    extra = [at for at, item in enumerate(long) if item.word not in words]
    if len(extra) != 1:
        return False
    place, item = extra[0], long[extra[0]]
    dated = item.word == "will" and any([part.kind == "t" for part in long])
    if not (
        dated or (item.word in _LIGHTER and item.kind in "wh") or (item.link == "P" and item.word in ("user", "we"))
    ):
        return False
    rest = [*long[:place], *long[place + 1 :]]
    if item.link not in ("", "P") and place < len(rest) and not rest[place].link:
        rest[place] = Item(rest[place].word, item.link, rest[place].kind, rest[place].comma)
    return sorted(words) == sorted([part.word for part in rest]) and _aligned(short, tuple(rest))


_OTHER_THAN_HABIT = frozenset(
    "be have work live like love prefer hate want take need eat drink smoke avoid sleep start close open can must allergic afraid wear".split()
)


def _habit(old: Claim, new: Claim) -> bool:
    """Whether `new` is what the entity does, and `old` says on which days (`plays oboe every Thursday evening`)."""
    words = [item.word for item in old.frame]
    if words[0] != ENTITY or "every" not in words or "past" in old.marks or not _OTHER_THAN_HABIT.isdisjoint(words):
        return False
    start = next(at for at, item in enumerate(old.items) if item.word == "every")
    end = start
    while end < len(old.items) and old.items[end].kind == "t":
        end += 1
    rest = (*old.items[:start], *old.items[end:])
    if any([item.kind in "nt" for item in rest]) or [item.word for item in rest] != [item.word for item in new.items]:
        return False
    return all([_tied(one, two) for one, two in zip(rest, new.items, strict=True)])


def _replaced(old: Claim, new: Claim, kind: str) -> str:
    """Why `new` supersedes `old`, or nothing."""
    if old.negations != new.negations or new.items[:1] and new.items[0].word in ("stop", "leave"):
        return _ended(old, new)
    one, two = old.attribute, new.attribute
    marked = "now" in new.marks
    if one is not None and two is not None and one.name == two.name and one.about == two.about:
        told = two.changed or marked or "done" in new.marks
        if _other_value(one, two) and (told or not (one.soft or two.soft)) and not (one.name == "live" and one.changed):
            return f"other {two.name}"
    if "also" in new.marks:
        return ""
    return _named_before(old, new) or _other_slot(old, new, marked, kind)


def _ended(old: Claim, new: Claim) -> str:
    """`X no longer` against `X`."""
    if new.items[:1] and new.items[0].word in ("stop", "leave") and new.negations == old.negations:
        rest = tuple([item.word for item in new.items[1:]])
        held = old.attribute
        if new.items[0].word == "stop":
            return "ended" if rest == tuple([item.word for item in old.items]) else ""
        return (
            "ended"
            if held and held.name == "work" and not held.about and held.value == rest and "past" in new.marks
            else ""
        )
    if new.negations != old.negations + 1:
        return ""
    words = list(new.bag)
    if "nolonger" in words:
        words.remove("nolonger")
    else:
        return ""
    return "ended" if tuple(words) == old.bag else ""


def _other_value(one: Attribute, two: Attribute) -> bool:
    sorts = {one.sort, two.sort}
    if (
        len(sorts) > 1
        and not sorts <= {"name", "han", "title"}
        and not (sorts <= {"city", "name", "han"} and one.name == "live")
    ):
        return False
    if one.sort == "number":
        units = [
            [word for word in value if not word[-1].isdecimal() and len(word) > 1] for value in (one.value, two.value)
        ]
        return one.value != two.value and (units[0] == units[1] or not all(units))
    old, new = set(one.value), set(two.value)
    return not (old <= new or new <= old)


_LIGHT = frozenset("use have be run do work live take 跑 做".split())


def _named_before(old: Claim, new: Claim) -> str:
    """`switched from A to B` against a claim that says A."""
    words = [item.word for item in new.items]
    verb = next((at for at, word in enumerate(words) if word.rstrip("!") in CHANGES), -1)
    if verb < 0 or any([item.word in OPEN for item in old.items]):
        return ""
    prior: list[str] = []
    rest: list[str] = []
    target = rest
    for at, item in enumerate(new.items):
        if item.link:
            target = prior if item.link == "from" else [] if item.link in ("T", "over") else rest
        if at == verb:
            target = rest
        else:
            target.append(item.word)
    left = [word for word in old.bag if word not in prior and word not in _LIGHT]
    if prior and set(prior) <= set(old.bag) and left == sorted([word for word in rest if word not in _LIGHT]):
        return "changed from it"
    return ""


_MEASURES = frozenset(
    "be cost weigh have hold last need retain allow seat charge earn measure contain cover total limit cap accommodate support take size set "
    "keep every 有 要 需 吃 收 容纳 保留 限 每".split()
)
_ONE_AT_A_TIME = frozenset("drive use wear run lead train".split())
_SETTLED = frozenset("sit park! park keep! hang live store!".split())
_PAST = frozenset(("past", "le"))
_LABELS = frozenset(
    "number room bay desk level floor stage grade version page platform gate seat stop slot tier phase class".split()
)
_BOUNDS = frozenset("atmost atleast about exactly".split())


def _other_slot(old: Claim, new: Claim, marked: bool, kind: str) -> str:
    """Two claims that differ in one place, where the place holds an exclusive value or the new claim says that it changed."""
    a, b = [_framed(claim.frame) for claim in (old, new)]
    verbs = [[item.word for item in claim.frame if item.word.rstrip("!") in CHANGES] for claim in (old, new)]
    changed = bool(verbs[1]) and not verbs[0]
    if verbs[0] and verbs[0] != verbs[1]:
        return ""
    if changed:
        a, b = [[item for item in items if item.word not in ("be", "have")] for items in (a, b)]
    start = 0
    while start < min(len(a), len(b)) and a[start].word == b[start].word:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end].word == b[-1 - end].word:
        end += 1
    before, after = a[start : len(a) - end], b[start : len(b) - end]
    if not before or not after or len(before) > 8 or len(after) > 8 or not _PAST.isdisjoint(old.marks):
        return ""
    if any([item.word in OPEN for item in (*a, *b) if item.word not in ("want", "think", "only")]) or a[0].word == "it":
        return ""
    sort = _class_of(before, after)
    lead = [item.word for item in a[:start]]
    if not sort or not lead:
        return ""
    if changed and sort != "mixed":
        return "marked change"
    governed = not _MEASURES.isdisjoint(lead) or not TIMED.isdisjoint(lead)
    if marked and sort != "other":
        return "marked change"
    if marked and kind != "preference" and len(lead) > 1 and (_is(old, new) or not _ONE_AT_A_TIME.isdisjoint(lead)):
        return "marked change"
    placed = before[0].link == after[0].link and after[0].link in ("L", "F", "O", "from")
    if marked and kind != "preference" and (lead[-1] in _ONE_AT_A_TIME or placed):
        return "marked change"
    if "done" in new.marks and governed and sort != "other":
        return "marked change"
    if not _PAST.isdisjoint(new.marks):
        return ""
    follows = a[len(a) - end].word if end else ""
    if (
        sort in ("number", "time")
        and kind != "event"
        and "past" not in new.marks
        and _governed(lead, before, after, follows)
    ):
        return "other " + sort
    return ""


def _is(old: Claim, new: Claim) -> bool:
    return all(any([item.word == "be" for item in claim.frame]) for claim in (old, new))


def _governed(lead: list[str], before: list[Item], after: list[Item], follows: str) -> bool:
    """Whether the slot stands right behind a word that measures, bounds or times (in Chinese also before it)."""
    last = lead[-1].rstrip("!")
    if follows == "year" and lead[-1] in ("year", "be"):
        return True
    link = after[0].link
    if before[0].link == link == "until":
        return "be" in lead or "run" in lead
    if before[0].link == link == "within":
        return True
    if before[0].link != link and not {before[0].link, link} <= {"", "L", "O", "P"}:
        return False
    if last in _BOUNDS:
        return True
    if before[0].kind == "t":
        return (last in TIMED and last not in REPEATED) or (follows in TIMED and follows not in REPEATED)
    if last in _LABELS:
        return "be" in lead[:-1] or not _SETTLED.isdisjoint(lead[:-1])
    return last in _MEASURES and (link in ("", "L", "F") or last == "set")


def _framed(items: tuple[Item, ...]) -> list[Item]:
    """The frame without the entity in front, modal and change words."""
    return [
        item
        for item in items
        if item.word not in (ENTITY, "will") and (item.word.rstrip("!") not in CHANGES or item.word[:3] == "set")
    ]


def _class_of(before: list[Item], after: list[Item]) -> str:
    """What differs: a `number` with the same words round it, a `time`, something `other`, or nothing comparable."""
    kinds = [{item.kind for item in slot} for slot in (before, after)]
    if all([kind <= {"t", "n"} and "t" in kind for kind in kinds]):
        loose = all([item.link in ("", "-", "L", "O") for slot in (before, after) for item in slot[1:]])
        return "time" if loose and sort_of(before) == sort_of(after) else ""
    if any("n" in kind for kind in kinds):
        rest = [[item.word for item in slot if item.kind != "n"] for slot in (before, after)]
        single = all([sum([item.kind == "n" for item in slot]) == 1 for slot in (before, after)])
        return "number" if rest[0] == rest[1] and single else ""
    return "other"

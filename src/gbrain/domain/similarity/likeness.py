"""Whether two claims say the same: the same words in the same roles, and nothing that carries identity differs."""

from gbrain.domain.similarity.attributes import OPEN
from gbrain.domain.similarity.claims import Claim
from gbrain.domain.similarity.hanzi import ENTITY, likely_slip
from gbrain.domain.similarity.lexicon import listed
from gbrain.domain.similarity.vocabulary import compact, is_slip, meaning
from gbrain.domain.similarity.wording import Item


def alike(old: Claim, new: Claim) -> bool:
    """Whether the claims say the same, `new` perhaps with less detail."""
    one, two = old.attribute, new.attribute
    if one and two and one.exact and two.exact and one[:3] == two[:3] and old.bag != new.bag and _one_tense(old, new):
        return not one.changed or not two.changed or one.changed == two.changed
    # On the letters, and before words are compared: a slip may make another word, which is then read otherwise.
    if _one_slip(old, new):
        return one is None or two is None or one.value == two.value
    if not _one_tense(old, new) or not _one_mood(old, new):
        return False
    # The same words in other roles are another claim, whatever else the two have in common.
    if old.bag == new.bag:
        return bool(old.bag) and _aligned(old.items, new.items)
    if (changed := _same_start(old, new)) is not None:
        return alike(*changed)
    if (held := _located(old.frame)) and held == _located(new.frame):
        return True
    if len(old.items) == len(new.items) and _one_typo(old.items, new.items):
        return True
    if (whose := _owned(old.frame)) and whose == _owned(new.frame):
        return True
    if "named" in old.bag or "named" in new.bag:
        told, other = (old, new) if "named" in old.bag else (new, old)
        if (apposed := _apposed(other.items)) and _aligned(told.items, apposed):
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
        if end == at and not any(item.kind == "h" for item in items):
            return None
    tied = any(item.link not in ("", "P") for item in (*thing, *place[1:])) or any(item.word in OPEN for item in items)
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
            tied = any(item.link not in ("", "P") for item in items) or not owner or not rest
            if tied or (items[0].link == "P") != (verb == "be") or any(item.word in OPEN for item in items):
                return None
            return (owner, [rest[-1]], rest[:-1]) if verb == "have" else (owner, [words[at - 1]], rest)
    return None


_GENDERS = frozenset(("he", "she"))
# Chinese wordings in which 了 may be left out, as it may before a place: an agent, `是 … 的`, a change.
_VOICES = frozenset(("voice", "de", "end"))


def _one_tense(old: Claim, new: Claim) -> bool:
    ours, theirs = old.marks & _GENDERS, new.marks & _GENDERS
    if ours and theirs and ours != theirs:
        return False
    marks = old.marks | new.marks
    if {"present", "tense"} <= marks and ("tense" in old.marks) != ("tense" in new.marks):
        return False
    if ("le" in old.marks) != ("le" in new.marks) and _VOICES.isdisjoint(marks):
        return any(item.link in ("L", "T") for item in old.items)
    return ("past" in old.marks) == ("past" in new.marks) or "tense" in marks


def _same_start(old: Claim, new: Claim) -> tuple[Claim, Claim] | None:
    """Both claims with their first words read alike, if only the capital letter there or an entity left unsaid told
    them apart."""
    if (old.bag.count(ENTITY), new.bag.count(ENTITY)) in ((0, 1), (1, 0)):
        one, other = (old, new) if ENTITY in old.bag else (new, old)
        place = next(at for at, item in enumerate(one.items) if item.word == ENTITY)
        link, after = one.items[place].link, one.items[place + 1 : place + 2]
        hidden = ENTITY in [item.word for item in other.frame]
        if (
            link
            and after
            and not after[0].link
            and after[0].kind in "wh"
            and not (hidden and (other.items[:1] != after if place == 0 else one.items[0].kind != "w"))
        ):
            items = (
                *one.items[:place],
                Item(after[0].word, "" if link == "P" else link, after[0].kind, after[0].comma),
                *one.items[place + 2 :],
            )
            shorter = one._replace(items=items, bag=tuple([word for word in one.bag if word != ENTITY]))
            return (shorter, other) if one is old else (other, shorter)
    for one, other in ((old, new), (new, old)):
        items = _lowered(one, other)
        if items:
            lowered = one._replace(items=items, bag=tuple(sorted([item.word for item in items])))
            return (lowered, other) if one is old else (other, lowered)
    return None


def _lowered(one: Claim, other: Claim) -> tuple[Item, ...]:
    """The words of `one` with capitalised ones as the common words that `other` has in their place; empty if there are
    none."""
    common = {
        item: word
        for item in one.items
        if item.kind == "N"
        and item.word not in other.bag
        and (word := meaning(item.word).removesuffix("+")) != item.word
        and any(part.word == word and part.kind == "w" for part in other.items)
    }
    if not common:
        return ()
    return tuple([Item(common[item], item.link, "w", item.comma) if item in common else item for item in one.items])


def _one_mood(old: Claim, new: Claim) -> bool:
    """An order and its passive (`should be written`) are one only if one of them is the bare order, or both say the
    same verb."""
    moods = {mark for claim in (old, new) for mark in claim.marks if mark[:5] == "mood:"}
    return len(moods) < 2


_LOOSE = frozenset("LOP")
_OWNING = ({"P"}, {"P", "F"}, {"P", "L"})
_POSTPOSED = listed("before after 时 时候")
_CLAUSES = listed("because if when unless although & | than")
_PARTICLES = listed("off out up down away back")


def _aligned(old: tuple[Item, ...], new: tuple[Item, ...]) -> bool:
    """Whether the same words are said in the same roles: only tied words and times may stand elsewhere."""
    a, b = list(old), list(new)
    inside = False
    # One block only: two could change places (`at 5 because … at 6`).
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
    """Whether both are one list in another order (`green tea and black coffee`); more than two parts need commas."""
    ours, theirs = _parts(a), _parts(b)
    if len(ours) < 2 or len(ours) != len(theirs):
        return False
    if a[0].link != b[0].link:
        ours[0][0], theirs[0][0] = a[0].link + " " + ours[0][0], b[0].link + " " + theirs[0][0]
    # Without commas nobody can say where the parts of a list of three end.
    if len(ours) > 2 and not any(item.comma for item in a[1:]):
        sizes = {len(part) for part in ours}
        if len(sizes) > 1 or a[0].kind != "h":
            return False
    return sorted(ours) == sorted(theirs)


def _parts(items: list[Item]) -> list[list[str]]:
    """The words between commas and `and`, each with its link, but for the first."""
    parts: list[list[str]] = [[]]
    for place, item in enumerate(items):
        if place and (item.link in ("&", "|") or item.comma):
            parts.append([])
        link = "" if place == 0 or item.link == "&" else item.link
        parts[-1].append(f"{link} {item.word}" if link else item.word)
    return parts


def _tied(one: Item, two: Item) -> bool:
    """Whether two links say the same where the words around them do."""
    if one.link == two.link:
        return True
    links = {one.link, two.link}
    if one.kind == "n":
        return links <= {"", "P"}
    if (
        links <= _LOOSE
        or links == {"", "P"}
        or links == {"F", "P"}
        or (links in ({"", "L"}, {"", "&"}) and one.kind in "wh")
    ):
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
        free = (head.kind == "t" and {head.link, twin.link} <= {"", "L", "O"}) or (
            size > 1 and a[size - 1].word in _POSTPOSED
        )
        bound = head.link == twin.link and head.link not in ("", "&", "|", "-", "P")
        # What moves into or out of another clause says something about that clause.
        if head.link not in _CLAUSES and not _CLAUSES.isdisjoint([item.link for item in b[:place]]):
            return False
        if free or bound or head.word in _PARTICLES or _recast(head, twin, a, b, size, place, inside):
            del a[:size], b[place : place + size]
            return True
    return False


def _recast(head: Item, twin: Item, a: list[Item], b: list[Item], size: int, place: int, inside: bool) -> bool:
    """`gives B a book` and `gives a book to B`, `marketing budget` and `budget for marketing`: a swap with one link
    more."""
    links = {head.link, twin.link}
    passed = b[:place]
    shaped = (len(links) == 2 and "" in links) or links in _OWNING
    if not shaped or [item.word for item in a[size : size + place]] != [item.word for item in passed]:
        return False
    if links == {"", "ba"}:
        return True
    if place > 2 or any(item.kind in "Nh" for item in passed):
        return False
    if head.kind in "Nnh":
        return links in _OWNING or (inside and head.kind == "N" and links <= {"", "T", "F"} and twin.link != "")
    return links <= {"", "P", "L", "O", "F"} or (inside and links == {"", "T"})


def _one_typo(old: tuple[Item, ...], new: tuple[Item, ...]) -> bool:
    """Whether the claims differ in one ordinary word by one slip of the pen."""
    found = 0
    for one, two in zip(old, new, strict=True):
        if not _tied(one, two):
            return False
        if one.word != two.word:
            found += 1
            if found > 1 or one.kind != "w" or two.kind != "w" or not is_slip(one.word, two.word):
                return False
    return found == 1


def _one_slip(old: Claim, new: Claim) -> bool:
    """Whether the texts differ by hyphens, or in one word or one Chinese character that is easily mistyped."""
    one, two = old.key, new.key
    if one.isascii() and two.isascii():
        ours, theirs = one.split(), two.split()
        if len(ours) != len(theirs):
            return abs(len(one) - len(two)) < 4 and compact(one) == compact(two)
        pairs = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
        if len(pairs) != 1:
            return len(one) == len(two) and compact(one) == compact(two)
        before, after = [word.strip(".,;:!'\"()") for word in pairs[0]]
        if before == after:
            return True
        # A letter more or less makes another name, never a slip.
        named = old.names | new.names
        return (before not in named and after not in named and is_slip(before, after)) or compact(one) == compact(two)
    # Accented Latin text: the rules for single characters are those of Chinese.
    if not one or max(one) < "\u4e00":
        return False
    if len(one) != len(two):
        short, long = sorted((one, two), key=len)
        place = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
        doubled = (
            long[place : place + 1] == long[place - 1 : place]
            and "\u4e00" < long[place : place + 1] not in "不没未无别勿非"
        )
        # In a short text a doubled character is a word (看看), and no slip.
        return doubled and len(long) == len(short) + 1 and short[place:] == long[place + 1 :] and len(short) > 5
    places = [place for place, (before, after) in enumerate(zip(one, two, strict=True)) if before != after]
    return len(places) == 1 and likely_slip(one, two, places[0])


def _less_detail(old: Claim, new: Claim) -> bool:
    """Whether `new` is `old` without an apposition between commas (`The car, a green estate, is Wilma's`)."""
    a, b = old.items, new.items
    cut = len(a) - len(b)
    if cut > 0 and _habit(old, new):
        return True
    if cut < 1 or old.negations or any(item.word in OPEN for item in a):
        return False
    start = 0
    while start < len(b) and a[start].word == b[start].word:
        start += 1
    if start == len(b) and a[start].link == "&" and old.frame[0].word == ENTITY:
        return not any(item.link for item in a[start + 1 :])
    # Without the entity in front, an apposition to it is what the words begin with.
    led = start == 0 and old.frame[0].word == ENTITY and len(old.frame) > 1 and old.frame[1].comma
    if not (led or (start and a[start].comma)) or a[start].link:
        return False
    if start + cut == len(a):
        return cut > 2 and a[0].word != b[-1].word and not any(item.kind == "N" or item.link for item in a[start:])
    if not a[start + cut].comma:
        return False
    return all(one.word == two.word and _tied(one, two) for one, two in zip(a[start + cut :], b[start:], strict=True))


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


_LIGHTER = listed(
    "some any own go get come number city town language color area brand person man woman guy way 去 来 个 "
    "着 呢 时 时候"
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
    dated = item.word in ("will", "会") and any(part.kind == "t" or part.word in _POSTPOSED for part in long)
    if not (
        dated or (item.word in _LIGHTER and item.kind in "wh") or (item.link == "P" and item.word in ("user", "we"))
    ):
        return False
    rest = [*long[:place], *long[place + 1 :]]
    if item.link not in ("", "P") and place < len(rest) and not rest[place].link:
        rest[place] = Item(rest[place].word, item.link, rest[place].kind, rest[place].comma)
    return sorted(words) == sorted([part.word for part in rest]) and _aligned(short, tuple(rest))


_OTHER_THAN_HABIT = listed(
    "be have work live like love prefer hate want take need eat drink smoke avoid sleep start close open "
    "can must allergic afraid wear"
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
    if any(item.kind in "nt" for item in rest) or [item.word for item in rest] != [item.word for item in new.items]:
        return False
    return all(_tied(one, two) for one, two in zip(rest, new.items, strict=True))

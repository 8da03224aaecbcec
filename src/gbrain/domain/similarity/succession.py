"""Whether a new claim takes the place of an old one: another value of one attribute, or the end of a state."""

from gbrain.domain.similarity.attributes import OPEN, REPEATED, TIMED, Attribute, sort_of
from gbrain.domain.similarity.claims import Claim
from gbrain.domain.similarity.clauses import CHANGES
from gbrain.domain.similarity.hanzi import ENTITY
from gbrain.domain.similarity.lexicon import listed
from gbrain.domain.similarity.wording import Item

_LIGHT = listed("use have be run do work live take 跑 做")
_MEASURES = listed(
    "be cost weigh have hold last need retain allow seat charge earn measure contain cover total limit "
    "cap accommodate support take size set keep every 有 要 需 吃 收 容纳 保留 限 每"
)
_LABELS = listed(
    "number room bay desk level floor stage grade version page platform gate seat stop slot tier phase class"
)
_CODES = listed(
    "password passcode code pin id number plate url host port username office room desk seat extension address"
)
_BOUNDS = listed("atmost atleast about exactly")
_ONE_AT_A_TIME = listed("drive use wear run lead train")
_SETTLED = listed("sit park! park keep! hang live store!")
_PAST = frozenset(("past", "le"))
_STATIONS = frozenset(("work", "live", "spouse"))


def replaced(old: Claim, new: Claim, kind: str) -> str:
    """Why `new` supersedes `old`, or nothing."""
    if why := _ended(old, new):
        return why
    if _both_hold(old, new):
        return ""
    return _restated(old, new) or _named_before(old, new) or _other_slot(old, new, "now" in new.marks, kind)


def moved_on(old: Claim, new: Claim) -> str:
    """Why `new` supersedes `old` of another kind, or nothing: `moved to Oslo` is an event, `lives in Rome` a fact."""
    told = {claim.attribute.name for claim in (old, new) if claim.attribute is not None}
    return _restated(old, new) if told <= _STATIONS and not _both_hold(old, new) else ""


def _both_hold(old: Claim, new: Claim) -> bool:
    """Whether one claim is denied and not the other, or says that it is so as well."""
    # "Does not like tea" and "likes coffee" are two claims, whatever attribute they state.
    return old.negations != new.negations or "also" in old.marks | new.marks


def _restated(old: Claim, new: Claim) -> str:
    """Why `new` gives an attribute that `old` states another value."""
    one, two = old.attribute, new.attribute
    if one is None or two is None:
        return ""
    if one.name == two.name and one.about == two.about:
        told = two.changed or not new.marks.isdisjoint(("now", "done"))
        if _other_value(one, two) and (told or not (one.soft or two.soft)):
            return f"other {two.name}"
    return "other role" if _other_role(one, two) else ""


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
    held = old.attribute
    bare = held and not held.about and held.name in ("work", "live") and words == sorted((held.name, *held.value))
    return "ended" if bare or tuple(words) == old.bag else ""


def _other_value(one: Attribute, two: Attribute) -> bool:
    sorts = {one.sort, two.sort}
    if (
        len(sorts) > 1
        and not sorts <= {"name", "han", "title"}
        and not (sorts <= {"word", "han", "name"} and one.name == "location")
        and not (sorts <= {"city", "name", "han"} and one.name == "live")
    ):
        return False
    # 5 mg and 5 g are no two values of one measure, but a unit may go without saying.
    if one.sort == "number" and one.name not in _CODES:
        units = [[word for word in value if word.isalpha() and len(word) > 1] for value in (one.value, two.value)]
        return one.value != two.value and (units[0] == units[1] or not all(units))
    # Berlin, and Berlin in Germany: the longer one says it more exactly, it does not replace.
    old, new = set(one.value), set(two.value)
    return not (old <= new or new <= old)


def _other_role(one: Attribute, two: Attribute) -> bool:
    """Whether both tell what somebody is at one employer, and neither only tells it more exactly."""
    # As what somebody joined may be long ago.
    if two.soft or two.changed == "join":
        return False
    posts = [
        (attribute.about | frozenset(attribute.value), set(attribute.role))
        if attribute.name == "work"
        else (attribute.about, set(attribute.value))
        for attribute in (one, two)
        if attribute.name in ("work", "role")
    ]
    if len(posts) < 2 or "work" not in (one.name, two.name) or posts[0][0] != posts[1][0]:
        return False
    before, after = posts[0][1], posts[1][1]
    return bool(before) and bool(after) and not (before <= after or after <= before)


def _named_before(old: Claim, new: Claim) -> str:
    """`switched from A to B` against a claim that says A."""
    words = [item.word for item in new.items]
    verb = next((at for at, word in enumerate(words) if word.rstrip("!") in CHANGES), -1)
    if verb < 0 or any(item.word in OPEN for item in old.items):
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


def _other_slot(old: Claim, new: Claim, marked: bool, kind: str) -> str:
    """Two claims that differ in one place, where the place holds an exclusive value or the new claim says that it
    changed."""
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
    if any(item.word in OPEN for item in (*a, *b) if item.word not in ("want", "think", "only")) or a[0].word == "it":
        return ""
    sort = _class_of(before, after)
    lead = [item.word for item in a[:start]]
    # Without words in common before it nothing says that the two places are one.
    if not sort or not lead:
        return ""
    governed = not _MEASURES.isdisjoint(lead) or not TIMED.isdisjoint(lead)
    if sort != "other" and (changed or marked or ("done" in new.marks and governed)):
        return "marked change"
    if (
        sort == "other"
        and changed
        and (before[0].link in ("L", "O", "W") or any(item.word == "be" for item in old.frame))
    ):
        return "marked change" if any(item.kind != "N" for item in a[:start]) else ""
    if sort == "other" and marked and kind != "preference" and _gave_way(a[:start], before, after, end):
        return "marked change"
    if not _PAST.isdisjoint(new.marks) or sort == "other" or kind == "event":
        return ""
    follows = a[len(a) - end].word if end else ""
    return "other " + sort if _governed(lead, before, after, follows) else ""


def _gave_way(led: list[Item], before: list[Item], after: list[Item], end: int) -> bool:
    """Whether `now` makes one of two words end the other: not so for what can be said of a thing at the same time."""
    lead = [item.word for item in led]
    link = after[0].link or led[-1].link
    placed = before[0].link == after[0].link and link in ("L", "F", "O", "W", "from")
    if lead[-1] == "be":
        named = {sort_of(before), sort_of(after)} <= {"name", "city", "country"}
        return placed and (end > 0 or named)
    return placed or lead[-1] in _ONE_AT_A_TIME or "be" in lead


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
    return last in _MEASURES and link in ("", "L", "F", "T")


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
    if all(kind <= {"t", "n"} and "t" in kind for kind in kinds):
        loose = all(item.link in ("", "-", "L", "O") for slot in (before, after) for item in slot[1:])
        return "time" if loose and sort_of(before) == sort_of(after) else ""
    if any("n" in kind for kind in kinds):
        rest = [[item.word for item in slot if item.kind != "n"] for slot in (before, after)]
        single = all(sum([item.kind == "n" for item in slot]) == 1 for slot in (before, after))
        return "number" if rest[0] == rest[1] and single else ""
    return "other"

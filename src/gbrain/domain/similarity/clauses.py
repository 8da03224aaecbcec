"""Bringing the words of a claim into one order: active voice, one name for the entity, plain sentence forms."""

from gbrain.domain.similarity.hanzi import ENTITY, is_surname
from gbrain.domain.similarity.lexicon import listed
from gbrain.domain.similarity.wording import Item, Line

CHANGES = listed("change move postpone advance increase decrease upgrade extend rename promote push set revise update")
"""Verbs that say an old value gave way to a new one."""

_TITLES = listed(
    "grandma grandpa professor doctor mr mrs ms miss aunt uncle sir madam captain project company team product"
)
_CLASSES = frozenset(("project", "company", "team", "product"))
_MODALS = listed("will must should can may would not never nolonger only mei dont")
_MUTUAL = listed(
    "wed sibling twin cousin neighbor colleague housemate friend dating engaged divorced classmate "
    "partner related adjacent identical same equal meet border share couple spouse"
)
_SPEECH = listed("think say believe tell claim suspect doubt know hope mean show find hear")
_OWNED = listed("budget price fee deadline capacity weight height length width size limit version status salary rent")
_CUES = listed(
    "there person 1 it what who opinion view held together prefer better anymore no allergy born belong "
    "promise both work have like only next opposite adjacent near beside"
)


def arranged(line: Line) -> tuple[list[Item], frozenset[str]]:
    """The words of a claim in one order, and its marks; `mood:must` is one where an order was a passive."""
    items, marks = line.items, line.marks
    words = [item.word for item in items]
    if ENTITY in words:
        items = _one_entity(items)
        words = [item.word for item in items]
    # Eight forms are looked for, and few claims hold a word that any of them begins with.
    if len(items) == 3 or not _CUES.isdisjoint(words):
        items = _plain_forms(items)
    if any(item.kind == "p" or item.link == "by" for item in items):
        items, marks = _active(items, marks | {"voice"})
    elif "de" in marks and "be" in words:
        items = _done_by(items)
    if words[-1:] == ["cause"] or "reason" in words:
        items = _caused(items, words)
    if "end" in marks and "not" in words:
        items = [_put("nolonger") if item.word == "not" else item for item in items]
    # After the passive, whose copula is gone by now.
    if "be" in words:
        items = _turned(items)
    if not _MUTUAL.isdisjoint(words):
        items = _mutual(items)
    elif "be" in words:
        items = _beside(items)
    return items, marks


def linked(item: Item, link: str) -> Item:
    """The same word, tied otherwise."""
    return Item(item.word, link, item.kind, item.comma)


def _put(word: str, kind: str = "w", link: str = "") -> Item:
    return Item(word, link, kind, False)


def _one_entity(items: list[Item]) -> list[Item]:
    """One ENTITY for a full name, with a title or a class word beside it (`Project Heron`, `Professor Aalto`)."""
    kept: list[Item] = []
    for item in items:
        if kept and kept[-1].word == ENTITY and not item.comma:
            if item.word == ENTITY and item.link in ("", kept[-1].link):
                continue
            if item.word in _CLASSES and not item.link and kept[-1].link == "":
                continue
        title = kept[-1].word if kept else ""
        if (
            item.word == ENTITY
            and title in _TITLES
            and not item.comma
            and (not item.link or (item.link == "P" and title not in _CLASSES))
        ):
            before = kept.pop()
            item = Item(ENTITY, item.link or before.link, "N", before.comma)
        kept.append(item)
    return kept


def _plain_forms(items: list[Item]) -> list[Item]:
    """Each sentence form that has a plainer equal as that one."""
    if not items:
        return items
    # In this order, since each reads what the one before has made plain.
    for form in (_existence, _cleft, _opinion, _ability, _negated, _owning, _rated, _grouped):
        words = [item.word for item in items]
        items = form(items, words)
    return items


def _existence(items: list[Item], words: list[str]) -> list[Item]:
    """`there is X in Y` as `Y have X`; Chinese `X in Y held` as `X be in Y`."""
    if words[:2] == ["there", "be"]:
        place = next((at for at, item in enumerate(items) if item.link in ("L", "O") and item.kind != "t"), 0)
        if place > 2:
            end = place + 1
            while end < len(items) and not items[end].link and not items[end].comma and items[end].kind != "t":
                end += 1
            return [linked(items[place], ""), *items[place + 1 : end], _put("have"), *items[2:place], *items[end:]]
    if "held" in words[:-1]:
        return [item for item in items if item.word != "held"]
    if words[-1:] == ["held"]:
        place = next((at for at, item in enumerate(items) if item.link == "L"), 0)
        return [*items[:place], _put("be"), *items[place:-1]] if place else items[:-1]
    return items


def _cleft(items: list[Item], words: list[str]) -> list[Item]:
    """`the person who does X is N` and `it is N who does X` as `N does X`."""
    if words[:2] in (["person", "who"], ["1", "who"]) and "be" in words:
        place = len(words) - 1 - words[::-1].index("be")
        if place > 2 and place + 1 < len(items):
            return [*items[place + 1 :], *items[2:place]]
    if words[:2] == ["it", "take"] and len(items) > 3 and items[2].kind == "N":
        return [items[2], items[1], *items[3:]]
    if words[0] in ("it", ENTITY) and words[1:2] == ["be"] and "who" in words[3:5]:
        at = words.index("who")
        return [*items[2:at], *items[at + 1 :]]
    if words[0] == "what" and words.count("be") == 1 and 1 < words.index("be") < len(words) - 1:
        return [item for item in items[1:] if item.word != "be"]
    return items


def _opinion(items: list[Item], words: list[str]) -> list[Item]:
    """`in the opinion of N` as `N think`; `N's promise that N would` as `N promise`."""
    for noun in ("opinion", "view"):
        if noun in words[1:5] and items[0].link in ("P", "L"):
            place = words.index(noun)
            return [linked(items[0], ""), *items[1:place], _put("think"), *items[place + 1 :]]
    if "promise" in words:
        at = words.index("promise")
        if words[at + 1 : at + 2] in ([ENTITY], ["he"], ["she"], ["they"]) and words[at + 2 : at + 3] in (
            ["will"],
            ["would"],
        ):
            return [*items[: at + 1], *items[at + 3 :]]
        if at + 1 < len(items) and items[at + 1].link == "T":
            return [*items[: at + 1], linked(items[at + 1], ""), *items[at + 2 :]]
    return items


def _ability(items: list[Item], words: list[str]) -> list[Item]:
    """`has a nut allergy` as `is allergic to nuts`, `is 34` as `is 34 years old`, working as a role as being it."""
    if "allergy" in words and "have" in words:
        start, end = words.index("have"), words.index("allergy")
        if start + 1 < end and not any(item.link for item in items[start + 1 : end]):
            return [
                *items[:start],
                _put("allergic"),
                linked(items[start + 1], "T"),
                *items[start + 2 : end],
                *items[end + 1 :],
            ]
    if words[:2] == [ENTITY, "be"] and len(items) == 3 and items[2].kind == "n" and len(words[2]) < 3:
        return [*items, _put("year", "t"), _put("old")]
    if "work" in words:
        at = words.index("work")
        role = next((place for place in range(at + 1, len(items)) if items[place].link == "A"), 0)
        if role and at:
            return [*items[:at], _put("be"), *items[role:], *items[at + 1 : role]]
        place = next((before for before in range(1, at) if items[before].link == "L" and items[before].kind in "hN"), 0)
        if place and at == len(items) - 1:
            return [*items[:place], items[at], *items[place:at]]
    return items


def _negated(items: list[Item], words: list[str]) -> list[Item]:
    """`have no X` as `not have X`; `not … any more` as `no longer`."""
    if "anymore" in words and "not" in words:
        at = words.index("not")
        return [*items[:at], _put("nolonger"), *(item for item in items[at + 1 :] if item.word != "anymore")]
    if "only" in words:
        at = words.index("only")
        if words[at + 1 : at + 2] == ["have"] and not items[at + 1].link:
            return [*items[:at], items[at + 1], items[at], *items[at + 2 :]]
    if "no" in words[1:]:
        at = words.index("no", 1)
        if (
            at + 1 < len(items)
            and items[at - 1].kind == "w"
            and not items[at].link
            and words[at - 1] not in ("be", "and")
        ):
            return [*items[: at - 1], _put("not"), items[at - 1], *items[at + 1 :]]
    return items


def _owning(items: list[Item], words: list[str]) -> list[Item]:
    """`has a budget of 40k` as `budget is 40k`; `X belongs to N` as `N owns X`."""
    if "have" in words and not _OWNED.isdisjoint(words):
        at = words.index("have")
        value = next((place for place in range(at + 2, len(items)) if items[place].link == "P"), 0)
        if value and items[value].kind == "n" and words[value - 1] in _OWNED and at:
            owner = [linked(items[0], "P"), *items[1:at]]
            return [*owner, *items[at + 1 : value], _put("be"), linked(items[value], ""), *items[value + 1 :]]
    if "have" in words and "named" in words and not any(item.word == "be" for item in items):
        at = words.index("have")
        if 0 < at < words.index("named") - 1:
            return [linked(items[0], "P"), *items[1:at], *items[at + 1 :]]
    if "belong" in words:
        at = words.index("belong")
        if at and at + 1 < len(items) and items[at + 1].link == "T":
            return [linked(items[at + 1], ""), *items[at + 2 :], _put("own"), *items[:at]]
    return items


def _rated(items: list[Item], words: list[str]) -> list[Item]:
    """`like A better than B` and `prefer A to B` as `prefer A over B`."""
    for mark in ("better", "over"):
        if "like" in words and mark in words:
            at = words.index(mark)
            if at + 1 < len(items) and items[at + 1].link == "than":
                verb = words.index("like")
                items = [*items[:verb], _put("prefer", "w", items[verb].link), *items[verb + 1 : at], *items[at + 1 :]]
                words = [item.word for item in items]
                break
    if "like" in words and "prefer" not in words and any(item.link == "over" for item in items):
        verb = words.index("like")
        items = [*items[:verb], _put("prefer", "w", items[verb].link), *items[verb + 1 :]]
        words[verb] = "prefer"
    if "prefer" in words:
        at = words.index("prefer")
        return [
            linked(item, "over") if place > at + 1 and item.link in ("T", "than") else item
            for place, item in enumerate(items)
        ]
    return items


def _grouped(items: list[Item], words: list[str]) -> list[Item]:
    """Chinese `A and B together do` as `A do with B`; `both` before a list says nothing."""
    if "together" in words:
        end = words.index("together")
        place = next((at for at in range(1, end) if items[at].link == "&"), 0)
        if place and items[place].word == ENTITY and place + 1 == end:
            return [linked(items[place], ""), linked(items[0], "W"), *items[1:place], *items[end + 1 :]]
        if place:
            return [*items[:place], linked(items[place], "W"), *items[place + 1 : end], *items[end + 1 :]]
    if "both" in words and any(item.link == "&" for item in items):
        at = words.index("both")
        return [*items[:at], *items[at + 1 :]]
    return items


def _active(items: list[Item], marks: frozenset[str]) -> tuple[list[Item], frozenset[str]]:
    """A passive with its agent in front; one without an agent keeps a `!` on its verb, so that it is not the active."""
    agents = [at for at, item in enumerate(items) if item.link == "by" and item.kind in "Nwh"]
    place = next(
        (
            at
            for at, item in enumerate(items)
            if item.kind == "p" and (item.word not in CHANGES or (agents and agents[-1] > at))
        ),
        -1,
    )
    if place < 0:
        return _active_han(items), marks
    agent = next((at for at in range(place + 1, len(items)) if items[at].link == "by" and items[at].kind in "Nwh"), 0)
    copula = max((at for at in range(place) if items[at].word == "be"), default=-1)
    start = max((at + 1 for at in range(copula - 1) if items[at].word in _SPEECH), default=0)
    if items[0].link or items[0].kind == "t":
        start = max((at for at in range(start, max(copula, 0)) if items[at].comma), default=start)
    head = copula
    while head > start and (
        items[head - 1].word in _MODALS or (items[head - 1].kind == "t" and not items[head - 1].link)
    ):
        head -= 1
    subject, modals, verb = items[start:head], items[head:copula], linked(items[place], "")
    if not agent or not subject:
        moods = [item.word for item in modals if item.word in ("must", "should")]
        if moods and subject and not agent and not start:
            adverbs = [item for item in modals if item.kind == "t"]
            between = items[copula + 1 : place]
            negations = [item for item in modals if item.word in ("not", "never")]
            order = [*negations, *between, *adverbs, verb, linked(subject[0], ""), *subject[1:], *items[place + 1 :]]
            return order, marks | {"mood:" + moods[0]}
        return [
            *items[:place],
            Item(verb.word + "!", items[place].link, "w", items[place].comma),
            *items[place + 1 :],
        ], marks
    end = agent + 1
    while end < len(items) and items[end].link in ("", "&", "P") and not items[end].comma and items[end].kind != "t":
        end += 1
    particle = place + 1
    while particle < agent and items[particle].link in ("", "&") and items[particle].kind == "w":
        particle += 1
    actor = [linked(items[agent], subject[0].link), *items[agent + 1 : end]]
    after = [*items[place + 1 : particle], linked(subject[0], ""), *subject[1:], *items[particle:agent], *items[end:]]
    return [*items[:start], *actor, *modals, *items[copula + 1 : place], verb, *after], marks


def _active_han(items: list[Item]) -> list[Item]:
    """Chinese `X by A verb` as `A verb X`: the verb is the first known word behind the agent."""
    for place, item in enumerate(items):
        if place and item.link == "by" and item.kind in "hN":
            subject = [part for part in items[:place] if part.word != "be"]
            verb = next((at for at in range(place + 1, len(items)) if items[at].kind == "w" and not items[at].link), 0)
            if verb:
                return [linked(item, ""), *items[place + 1 : verb], items[verb], *subject, *items[verb + 1 :]]
            if item.kind == "N" and subject:
                return [linked(item, ""), *items[place + 1 :], *subject]
    return items


def _done_by(items: list[Item]) -> list[Item]:
    """Chinese `X be A verb 的` as `A verb X`."""
    at = next((place for place, item in enumerate(items) if item.word == "be"), 0)
    if (
        0 < at < len(items) - 2
        and items[at + 1].kind == "N"
        and items[at + 1].link in ("", "W")
        and items[at + 2].kind in "wh"
    ):
        return [linked(items[at + 1], ""), *items[at + 2 :], *items[:at]]
    return items


def _caused(items: list[Item], words: list[str]) -> list[Item]:
    """Chinese `X be Y cause` and `reason of X be Y` as `Y cause X`."""
    if "be" not in words[1:-1]:
        return items
    at = words.index("be", 1)
    start = max((place + 1 for place in range(at) if words[place] in _SPEECH), default=0)
    if words[-1] == "cause":
        return [*items[:start], *items[at + 1 :], *items[start:at]]
    if words[at - 1] == "reason" and at - 1 > start:
        return [*items[:start], *items[at + 1 :], _put("cause"), *items[start : at - 1]]
    return items


def _turned(items: list[Item]) -> list[Item]:
    """`N is E`, `N is the R of E` and `R of E is N`: the side with the entity first."""
    copulas = [at for at, item in enumerate(items) if item.word == "be"]
    if len(copulas) != 1:
        return items
    at = copulas[0]
    left, right = items[:at], items[at + 1 :]
    if not left or not right or any(item.word == ENTITY for item in left) or right[0].link not in ("", "P"):
        return items
    if any(
        item.word in ("not", "never", "nolonger", "mei", "will", "have") or item.link in ("because", "if", "than")
        for item in items
    ):
        return items
    if all(item.kind == "n" for item in left) and not any(item.kind == "n" for item in right):
        return [*right, items[at], *left]
    owned = right[0].link == "P" or any(item.word == ENTITY and item.link == "P" for item in right)
    named = all(item.kind in "Nh" or item.word in ("doctor", "teacher") for item in left)
    if (right[0].word == ENTITY and len(right) == 1) or (owned and named and left[0].link != "P"):
        return [*right, items[at], *left]
    return items


def _mutual(items: list[Item]) -> list[Item]:
    """`A is married to B` as `A and B married`, `B is A's cousin` as `A and B cousin`, the two names sorted."""
    rest: list[Item] = []
    names: list[list[Item]] = []
    joined = -1
    for place, item in enumerate(items):
        if item.kind == "N" or (item.kind == "h" and "be" in [part.word for part in items]):
            if names and joined == place - 1 and item.link not in ("&", "P", "T", "W") and not item.comma:
                names[-1].append(item)
            else:
                names.append([item])
            joined = place
        else:
            rest.append(item)
    relations = [item for item in rest if item.word in _MUTUAL]
    if len(names) != 2 or len(relations) != 1 or any(part[0].link not in ("", "T", "P", "W", "&") for part in names):
        return items
    relation = relations[0]
    free = ("be", relation.word, "old", "university", "school", "大学", "中学", "小学")
    if any(not (item.link or item.kind == "t" or item.word in free or relation.word == "share") for item in rest):
        return items
    if any(item.link == "than" or item.word in _MODALS for item in rest):
        return items
    first, second = sorted(names, key=lambda name: [item.word for item in name])
    pair = [linked(first[0], ""), *first[1:], linked(second[0], "&"), *second[1:]]
    return pair + [linked(item, "") if item is relation else item for item in rest]


def _beside(items: list[Item]) -> list[Item]:
    """`A is next to B` as `B is next to A`, sorted."""
    at = (
        next(place for place, item in enumerate(items) if item.word == "be")
        if any(item.word == "be" for item in items)
        else 0
    )
    if not 0 < at < len(items) - 2 or items[at + 1].word not in ("next", "opposite", "adjacent", "near", "beside"):
        return items
    left, right = items[:at], items[at + 2 :]
    if (
        right[0].link not in ("", "T")
        or any(item.link not in ("", "P") for item in (*left, *right[1:]))
        or items[at + 1].link
    ):
        return items
    first, second = sorted(
        ([linked(left[0], ""), *left[1:]], [linked(right[0], ""), *right[1:]]), key=lambda side: [i.word for i in side]
    )
    return [*first, items[at], items[at + 1], linked(second[0], "T"), *second[1:]]


def bare(items: list[Item]) -> tuple[Item, ...]:
    """The words without the copula, and without the entity where it is who the claim is about."""
    items = _named_first(items)
    who = _subject(items)
    kept: list[Item] = []
    comma = False
    for place, item in enumerate(items):
        if item.word == "be" or place == who:
            comma = comma or item.comma
            continue
        if item.word == "own":
            item = item._replace(word="have")
        if comma:
            item = item._replace(comma=bool(kept))
            comma = False
        kept.append(item)
    return tuple(kept)


def _subject(items: list[Item]) -> int:
    """Where the entity is who the claim is about: in front, or behind what was moved there; -1 where nowhere."""
    last = len(items) - 1
    places = [
        place
        for place, item in enumerate(items)
        if item.word == ENTITY and not item.link and not (place < last and items[place + 1].link in ("&", "|"))
    ]
    if not places or places[0] == 0:
        return places[0] if places else -1
    # A comma shows the front of the sentence: `Because it tires him, Ed rests`.
    behind = [place for place in places if items[place].comma]
    if behind:
        return behind[0]
    fronted = items[0].link or items[0].kind == "t" or items[places[0] - 1].word in ("before", "after", "时")
    return places[0] if fronted and places[0] < min(5, last) else -1


def _named_first(items: list[Item]) -> list[Item]:
    """`the winner is N` as `N is the winner`."""
    copulas = [at for at, item in enumerate(items) if item.word == "be"]
    if len(copulas) != 1 or not 0 < copulas[0] < len(items) - 1:
        return items
    left, right = items[: copulas[0]], items[copulas[0] + 1 :]
    for kind in "Nh":
        names = all(
            (item.kind == kind and item.link in ("", "&")) or item.word in ("doctor", "teacher") for item in right
        )
        if kind == "h" and not is_surname(right[0].word):
            continue
        if (
            names
            and not any(item.kind == kind and item.link != "P" for item in left)
            and ENTITY not in [item.word for item in left]
        ):
            return [*right, items[copulas[0]], *left]
    return items

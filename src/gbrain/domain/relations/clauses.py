"""What a Chinese sentence says of the references in it: by clauses, each with its words, actor and tense."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gbrain.domain.relations.chinese import (
    ADVERBS,
    ENDED,
    KIN,
    LABELS,
    LEADS,
    NEGATION,
    ROLE,
    ROUND,
    SELF,
    SURNAMES,
    UNREAL,
    UNREAL_END,
    pattern,
)
from gbrain.domain.relations.kinds import person, venture
from gbrain.domain.relations.reading import Said
from gbrain.domain.relations.sentences import REF, date_in, is_reference
from gbrain.domain.relations.subjects import About


def read(text: str, about: About, kinds: dict[str, str]) -> Iterator[Said]:
    """What one sentence says of its references."""
    # A question marks itself at the end of the whole sentence, whatever its clauses say.
    if re.search(UNREAL_END, text):
        return
    label = re.match(rf"([\u4e00-\u9fffA-Za-z]{{2,8}})\s*[:：]\s*(?={REF})", text)
    if label is not None:
        for type, words, past in LABELS:
            if re.fullmatch(words, label[1]):
                for reference in re.findall(REF, text):
                    yield Said(reference, "worked_at" if past else type, past, None)
        return
    subject: str | None = None
    held: list[Said] = []
    for clause in re.split(r"[，；;：:]|, |——|—|但是?|不过|然而", text):
        if not clause.strip():
            continue
        left = re.match(r"\s*(?:后来|并|又|于|在|[0-9年月底初末\s])*(?:正式|已经?)?(?:离职|离开|辞职|退休)", clause)
        if left is not None and re.search(REF, clause) is None:
            for one in held:
                if one.type == "works_at":
                    yield Said(one.reference, "worked_at", True, date_in(clause))
        if re.search(REF, clause) is None and re.search(r"[他她我]|后来|然后", clause) and not re.search(KIN, clause):
            subject = None
        found = list(_clause(clause, text, about, kinds, subject))
        held = found or held
        yield from found
        ahead = re.match(rf"\s*({REF})(?!的|之)", clause)
        if ahead is not None:
            subject = ahead[1]
        elif re.match(r"\s*[他她我]", clause):
            subject = None


def _clause(clause: str, text: str, about: About, kinds: dict[str, str], subject: str | None) -> Iterator[Said]:
    groups = [(found.start(), found.end(), re.findall(REF, found[0])) for found in pattern("list").finditer(clause)]
    for place, (start, end, references) in enumerate(groups):
        before, after = clause[:start], clause[end:]
        until = groups[place + 1][0] - end if place + 1 < len(groups) else len(after)
        since = groups[place - 1][1] if place else 0
        at = _Place(before[since:].rstrip(), after[:until], after, clause, start, place == 0, about)
        # The first way that fits, since later ones are looser: a passive looks like a verb before a reference, too.
        read = next((found for way in _WAYS if (found := way(at)) is not None), None)
        if read is None:
            continue
        type, past, turned = read
        scope = clause[:start] if turned is None else clause[max(0, since) : start] + after[: max(0, turned)]
        if re.search(UNREAL, clause[: start + 1]) or re.search(UNREAL, after[: turned or 0]):
            continue
        negated = re.search(NEGATION, scope) is not None
        if negated and not re.search(r"不再|没有?再", scope):
            continue
        ended = past or _is_past(clause, start, end, type)
        actor = _actor(clause[:start], place, subject)
        if not _of_page(actor, type, about, kinds, references):
            continue
        also = turned is not None and re.match(rf"\s*(?:之一)?(?:兼任?|和|、|及|暨)\s*{ROLE}", after[turned:])
        for reference in references:
            if type == "founded" and also:
                yield Said(reference, "works_at", False, None)
            if type == "works_at" and ended:
                yield Said(reference, "worked_at", True, date_in(_near(text, clause)))
            elif not (type == "advises" and ended and re.search(r"曾|前(?!往)|不再|以前|卸任", clause)):
                yield Said(reference, type, ended, None)


def _near(text: str, clause: str) -> str:
    """The words a date is looked for in: the clause, or the one before it where it has none."""
    if date_in(clause):
        return clause
    at = text.find(clause)
    return re.split(r"[；;。]", text[:at])[-1] if at > 0 else ""


class _Place(NamedTuple):
    """Some references in a clause of a page: the words before them, those behind to the next ones and to the end."""

    end: str
    after: str
    rest: str
    clause: str
    start: int
    first: bool
    about: About

    @property
    def company(self) -> bool:
        """Whether the page is not a person's."""
        return not person(self.about.type)


class _Read(NamedTuple):
    """What stands around references: a type, whether it is over, and where behind them its words end (None: before)."""

    type: str
    past: bool
    turned: int | None


def _passive(at: _Place) -> _Read | None:
    """`由 [[a]] 创立`, `被 [[a]] 投资`."""
    behind = pattern("behind").match(at.after)
    if behind is None or not behind["by"] or not re.search(r"(?:由|被|获|获得|得到|经)\s*$", at.end):
        return None
    return _Read(_by_type(behind["by"]), False, behind.end())


def _inside(at: _Place) -> _Read | None:
    """`在 [[a]] 工作`, `为 [[a]] 担任顾问`."""
    inside = pattern("inside").match(at.after)
    if inside is None or not re.search(r"(?:在|于|为|替|给|服务)\s*$", at.end):
        return None
    if re.search(r"顾问|导师|咨询|出谋|独立董事|董事(?!长|总)", inside[0]):
        return _Read("advises", False, inside.end())
    if re.search(r"投(?:了|资)|注资", inside[0]):
        return _Read("invested_in", False, inside.end())
    return _Read("works_at", re.search(r"过(?!去|来|程|渡)|实习|到.{0,6}年为止", inside[0]) is not None, inside.end())


def _by_page(at: _Place) -> _Read | None:
    """`[[a]]由她创立`."""
    own = re.match(
        rf"\s*(?:是由?|由)(?:[她他我]|[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)[^，。]{{0,10}}?(创立|创办|创建|成立|投资|领投)",
        at.after,
    )
    return None if own is None or at.company else _Read(_by_type(own[1]), False, own.end())


def _led_by_page(at: _Place) -> _Read | None:
    """`[[a]]的A轮由我们领投`: the page led it, as far as its name is known."""
    led = re.match(
        rf"\s*的?(?:{ROUND}|融资)*\s*(?:是)?由([^，。{REF[1:-1]}]{{1,12}}?)(?:联合|共同|独家)?领投", at.after
    )
    if led is None:
        return None
    known = [name for name in at.about.names if re.search(r"[\u4e00-\u9fff]", name)]
    itself = re.fullmatch(rf"[她他我]|{SELF}|我方", led[1]) or not known
    return (
        _Read("led_round", False, led.end())
        if itself or any(led[1] in name or name in led[1] for name in known)
        else None
    )


def _noun(at: _Place) -> _Read | None:
    """`是 [[a]] 的创始人`: a noun behind, which says something of the page only as a predicate."""
    noun = pattern("noun").match(at.after)
    if noun is None or not (at.company or not at.end or pattern("predicate").search(at.end)):
        return None
    past = re.search(r"前(?!端|台)|原", noun[0][:2]) or re.search(
        r"(?:前|原|卸任|辞去|辞掉|离任|曾任|曾是|"
        r"曾为)\s*了?$",
        at.end,
    )
    return _Read(_noun_type(noun[0]), past is not None, noun.end())


def _who_is(at: _Place) -> _Read | None:
    """`现任CEO是 [[dana]]`."""
    who = pattern("who").search(at.end)
    return (
        None
        if who is None or not at.company
        else _Read(_noun_type(who[2]), who[1] in ("前", "前任", "原", "曾任"), None)
    )


def _lead(at: _Place) -> _Read | None:
    """`创立了 [[a]]`: a verb before the references."""
    filler = r"(?:一家|一个|这家|那家|名为|叫做?|名叫|公司|初创公司|创业公司|的|\s)*$"
    for type, verb, past, tail in LEADS:
        if re.search(verb + filler, at.end) and (not tail or re.match(tail, at.after)):
            return _Read(type, past, None)
    return None


def _is_role(at: _Place) -> _Read | None:
    """`[[dana]]担任首席财务官`, `[[dana]]在这里工作`, on a company's page."""
    role = pattern("role").match(at.after) if at.company else None
    if role is not None:
        return _Read(_noun_type(role[2]), role[1] in ("曾", "前"), role.end())
    here = pattern("here").match(at.after) if at.company else None
    return None if here is None else _Read("works_at", bool(here[1] or here[2]), here.end())


def _behind(at: _Place) -> _Read | None:
    """`[[dana]]创立了这家公司`."""
    behind = pattern("behind").match(at.after)
    near = at.first or re.search(r"[、和与及]\s*$", at.end) or not re.search(REF, at.clause[: at.start])
    if behind is None or not behind["by"] or not near or not at.company:
        return None
    rest = at.clause[len(at.clause) - len(at.rest) + behind.end() :]
    if re.match(rf"\s*[了过]?\s*{REF}", rest):
        return None  # it is another page to which that was done
    past = re.search(r"离职|离开|辞职|退休|曾|前任", behind[0]) is not None
    return _Read(_by_type(behind["by"]), past, behind.end())


def _left(at: _Place) -> _Read | None:
    """`从 [[a]] 离职`."""
    left = re.match(r"\s*(?:正式|已经?|后来)?(?:离职|辞职|退休|离开|出来|跳槽|毕业出来)", at.after)
    return None if left is None or not re.search(r"(?:自|从|由)\s*$", at.end) else _Read("works_at", True, left.end())


_WAYS = (_passive, _inside, _led_by_page, _by_page, _noun, _who_is, _lead, _is_role, _behind, _left)
"""Ways to read what stands around references, in the order in which they are tried."""


def _noun_type(words: str) -> str:
    if re.search(r"创始人|创办人|发起人|创立者|创建者", words):
        return "founded"
    if re.search(r"(?:顾问|导师|董事|董事会成员|董事会观察员|董事会席位)$", words):
        return "advises"
    if "领投" in words:
        return "led_round"
    return "invested_in" if re.search(r"投资人|投资者|投资方|股东|出资人|领投方|天使$", words) else "works_at"


def _by_type(words: str) -> str:
    if re.search(r"创|成立|组建|发起|开办", words):
        return "founded"
    if "领投" in words:
        return "led_round"
    if re.search(r"投|注资|入股|出资", words):
        return "invested_in"
    if re.search(r"顾问|董事(?!长|总)|导师", words):
        return "advises"
    return "works_at"


def _is_past(clause: str, start: int, end: int, type: str) -> bool:
    # For other types an end is not told by a period: whoever founded a company in 2015 is its founder.
    if type != "works_at":
        return re.search(ENDED, clause[:start]) is not None
    near = clause[:start]
    if re.search(ENDED, near):
        return True
    after = clause[end:]
    if re.search(r"不再|离职|离开|辞职|卸任", clause) and not re.search(
        r"(?:加入|入职|跳槽到|转投|加盟|去了|转到|转至|进入)(?:了|到)?\s*$", near
    ):
        return True
    if re.search(r"(?:工作|任职|待|干|呆|做|当|就职|供职|担任|实习)(?:了|过)", after) and not re.search(
        r"至今|到现在|一直", clause
    ):
        return re.search(r"过|年(?!至今)", after) is not None and not re.search(r"了[^，。]{0,6}(?:CEO|CTO|总)", after)
    return pattern("period").search(clause) is not None


def _actor(left: str, place: int, subject: str | None) -> str:
    """Who acts: `page`, `other`, or a reference."""
    words = left.strip()
    if re.search(rf"[他她我们的](?:的)?{KIN}", words) or re.match(
        rf"(?:一位|一个|某|其)?(?:朋友|同事|同学){KIN}?", words
    ):
        return "other"
    ahead = re.match(rf"\s*(?:{ADVERBS}|\s|[0-9])*({REF})", words)
    if ahead is not None and place > 0:
        return ahead[1]
    if re.match(rf"(?:{ADVERBS}|\s|[0-9年月日])*[他她我]", words):
        return "page"
    if re.match(rf"(?:{ADVERBS}|\s|[0-9年月日])*(?:我们|{SELF})", words):
        return "page"
    name = re.match(
        # 任 and 曾 are surnames too, but not in 任职于.
        rf"\s*(?!曾?(?:任职|就职|供职|服务|效力|受聘))([{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=于|在|创|投|加|是|担|也|和|没|离|任|现|从|后来|入|联合|"
        rf"共同|领|[0-9]|目前|曾|正)",
        words,
    )
    if name is not None:
        return f"named:{name[1]}"
    return subject or "page"


def acts(left: str, about: About) -> bool:
    """Whether it is the page's person who does what stands behind these words of a clause."""
    actor = _actor(left, 1, None)
    if re.match(rf"\s*(?:[{SURNAMES}][\u4e00-\u9fff]{{1,2}}|[他她我])的", left) or re.search("我们|大家|会上", left):
        return False
    if actor.startswith("named:"):
        return any(actor[6:] in name or name in actor[6:] for name in about.names)
    return actor == "page"


def _of_page(actor: str, type: str, about: About, kinds: dict[str, str], references: list[str]) -> bool:
    """Whether what is said holds between the page and these references."""
    people = all(person(kinds.get(reference, "")) for reference in references)
    if venture(about.type):
        if is_reference(actor[0]) and actor not in references:
            return False
        if type in ("works_at", "founded", "advises"):
            return people or not any(kinds.get(reference, "") for reference in references)
        return True
    if actor == "other" or is_reference(actor[0]):
        return False
    if actor.startswith("named:"):
        known = [name for name in about.names if re.search(r"[\u4e00-\u9fff]", name)]
        return not known or any(actor[6:] in name or name in actor[6:] for name in known)
    return person(about.type) or about.type == ""

"""What an English sentence says of the references in it: the nearest trigger, who does it, whether it is meant."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gbrain.domain.relations import english
from gbrain.domain.relations.kinds import person, venture
from gbrain.domain.relations.sentences import REF, date_in
from gbrain.domain.relations.subjects import DEPARTMENTS, OTHER, PAGE, About, Actor, Clauses
from gbrain.domain.relations.triggers import Hit, pattern

FAR, TIGHT_WORDS = 90, 4
"""How many characters behind its trigger the first object may begin, and how many words behind a tight one."""
GAP = 60


class Said(NamedTuple):
    """What is said of one reference (its character)."""

    reference: str
    type: str
    ended: bool
    date: str | None


class Reading(Clauses):
    """One sentence, read for one page."""

    def __init__(self, text: str, about: About, kinds: dict[str, str]) -> None:
        super().__init__(text, about, kinds)
        self._said: list[Said] = []

    def said(self) -> list[Said]:
        """Everything the sentence says of its references beside mentioning them."""
        if self._label():
            return self._said
        subject, before = PAGE if self._can_act() else OTHER, None
        unreal = negated = carried = False
        objects = ""
        # From left to right, since each trigger inherits from the one before it: its subject, its negation, that it is
        # over.
        for place, hit in enumerate(self._hits):
            left = self._left(hit, before)
            inherits = subject if before is not None else (PAGE if self._can_act() else OTHER)
            if before is not None and hit.rule.shape == "role" and not pattern("joint").search(left):
                # `met the CEO of`, `mentored the founders`; but `met her, and is CEO of`, `was named CEO of`.
                inherits = subject if re.search(_NAMING, self._low[before.start : before.end]) else OTHER
                if left.strip() == "to" and subject is inherits:
                    left = ""
            chained = before is not None and pattern("or").fullmatch(self._low[before.end : hit.start]) is not None
            swapped = before is not None and re.match("replac|succe", self._low[before.start : before.end]) is not None
            found_subject = self._subject(hit, left, inherits, first=before is None)
            subject = subject if swapped and hit.rule.shape == "role" else found_subject
            # It says nothing of a reference, but what stands behind it is not what stood before.
            if hit.rule.shape == "neutral":
                before = hit
                continue
            scope = self._scope(hit, before)
            negated = pattern("negation").search(scope) is not None or (chained and negated)
            unreal = self._unreal(scope) or (chained and unreal)
            ended = self._ended(hit, scope) or (carried and self._goes_on(hit, before))
            carried = ended and hit.rule.shape == "role"
            zone_end = self._zone_end(place)
            found = self._tell(
                hit, place, subject, zone_end, negated=negated, unreal=unreal, ended=ended, before=objects
            )
            objects = found or objects
            before = hit
        return self._said

    def _label(self) -> bool:
        """A list behind a heading, such as `Investors: [[a]], [[b]]`."""
        found = pattern("label").match(self._low)
        if found is None:
            return False
        words = found[1].strip()
        for type, heading, past in english.LABELS:
            if re.fullmatch(heading, words):
                rest = re.split(r";\s*[a-z -]+:", self._low[found.end() :])[0]
                if (
                    len(re.sub(r"[^a-z ]", "", re.sub(r"\([^()]*\)", "", rest)).split())
                    > 3 * len(re.findall(REF, rest)) + 1
                ):
                    return False
                for reference in re.findall(REF, rest):
                    self._say(reference, type, ended=past, date=None)
                return True
        return False

    def _left(self, hit: Hit, before: Hit | None) -> str:
        """The words before a trigger in its clause."""
        start = max([0, before.end if before else 0, *(end for _, end in self._barriers if end <= hit.start)])
        return self._text[start : hit.start]

    def _scope(self, hit: Hit, before: Hit | None) -> str:
        """The words in which a negation counts for a trigger."""
        barrier = max([0, *(end for _, end in self._barriers if end <= hit.start)])
        start = barrier
        if before is not None and before.end > barrier:
            start = before.end if before.rule.type else before.start
            cut = self._low.rfind(" and ", start, hit.start)
            if before.rule.shape == "neutral" and cut >= 0:
                start = cut
        return self._low[max(start, hit.start - 70) : hit.start]

    def _unreal(self, scope: str) -> bool:
        return self._low.rstrip().endswith("?") or pattern("unreal").search(scope) is not None

    def _goes_on(self, hit: Hit, before: Hit | None) -> bool:
        """`a former engineer at [[a]] and designer at [[b]]`: no verb parts a role from the one before it."""
        between = self._low[before.end : hit.start] if before is not None else ""
        return hit.rule.shape == "role" and re.search(r"\b(?:now|is|currently|today|became|since)\b|;", between) is None

    def _ended(self, hit: Hit, scope: str) -> bool:
        """Whether what a trigger tells is over."""
        if hit.rule.past:
            rest = self._low[hit.end : self._clause_end(hit)]
            lasting = re.search(r"\b(?:has|have|'s|'ve)\s+(?:\w+ly |long |always |also )?$", scope) is not None
            return not (
                lasting
                and re.search(
                    r"\bsince\b|\bfor (?:over |more than |the (?:last|past) |almost |nearly )?\w+ (?:years?|"
                    r"months?|decades?)",
                    rest,
                )
            )
        near = scope[-28:]
        if re.search(r"\b(?:years?|months?|stint|tenure|time|career|days)\s+as\b", near):
            return True
        if pattern("ended").search(near):
            return True
        if pattern("anew").search(near):
            return False
        if hit.rule.shape == "role":
            return pattern("was").search(near) is not None
        return (
            re.search(r"\b(?:was|were|had(?: been)?)\s+(?:\w+ly\s+)?$", near) is not None
            and hit.rule.type == "works_at"
            and (re.match(r"working|employed", self._low[hit.start : hit.end]) is not None)
        )

    def _zone_end(self, place: int) -> int:
        """Where the objects of a trigger end: at the next one, a clause, a phrase of another kind."""
        hit = self._hits[place]
        ends = [len(self._low)]
        if place + 1 < len(self._hits):
            ends.append(self._hits[place + 1].start)
        ends += [start for start, _ in self._barriers if start >= hit.end][:1]
        broken = pattern("breakers").search(self._low, max(hit.end - 1, 0))
        if broken is not None:
            ends.append(max(broken.start(), hit.end))
        return min(ends)

    def _objects(self, hit: Hit, end: int) -> str:
        """The references behind a trigger that it is about."""
        zone = self._low[hit.end : end]
        if hit.rule.type == "led_round" and re.match(r",| and\b", zone):
            return ""
        found = list(re.finditer(REF, zone))
        if not found or found[0].start() > FAR:
            return ""
        if hit.rule.tight and len(zone[: found[0].start()].split()) > TIGHT_WORDS:
            return ""
        kept = [found[0]]
        for one in found[1:]:
            between = zone[kept[-1].end() : one.start()]
            if len(between) > GAP or not re.search(r",|\band\b|&|\bor\b|/|;|\bplus\b|as well as|\bthen\b|\)", between):
                break
            kept.append(one)
        return "".join(one[0] for one in kept)

    def _tell(
        self,
        hit: Hit,
        place: int,
        subject: Actor,
        end: int,
        *,
        negated: bool,
        unreal: bool,
        ended: bool,
        before: str,
    ) -> str:
        """Say what a trigger says; the references it was about."""
        objects = self._objects(hit, end)
        objects = objects or self._shared(hit, place)
        role = hit.rule.shape == "role"
        leaves = re.match(_LEAVING, self._low[hit.start : hit.end]) is not None
        clause = re.search(rf"({REF}),? (?:which|that|where) [\w' ]{{1,30}}$", self._low[: hit.start])
        clause = clause or re.search(_WHICH_IS, self._low[: hit.start])
        if clause is not None and subject.page and (not objects or "where" not in clause[0]):
            objects = clause[1]
        if role:
            objects = self._of_role(hit, place, objects, end)
            objects = "".join(one for one in objects if one not in subject.references)
        if not objects and subject.page and person(self._about.type) and hit.rule.type == "works_at":
            fronted = re.match(rf"(?:at|for|with) ({REF}),?\s", self._low)
            objects = fronted[1] if fronted is not None else ""
        if unreal or (negated and not hit.rule.past):
            return objects
        # "Never invested in" says nothing; "has not left" says that somebody is there still.
        if negated and not leaves:
            return objects
        if negated:
            ended = False
        date = date_in(self._low[hit.end : self._clause_end(hit)])
        if hit.rule.shape == "by":
            self._tell_by(hit, subject, objects, ended, date)
            return objects
        ended = ended or self._period(hit)
        if subject.page and person(self._about.type):
            target = objects or (before if hit.rule.past and not role else "")
            for reference in target:
                self._say(reference, hit.rule.type, ended=ended, date=date)
            self._elsewhere(hit, end)
        elif subject.references and person(self._about.type):
            if re.match(
                "hire|recruit|employ|poach|appoint|brought|promot|onboard", self._low[hit.start : hit.end]
            ) and (self._names_page(self._low[hit.end : hit.end + 30])):
                for reference in subject.references:
                    self._say(reference, "works_at", ended=ended, date=date)
        elif subject.page:
            for reference in objects:
                if self._fits(hit, reference):
                    self._say(reference, hit.rule.type, ended=ended, date=date)
        elif subject.references and not person(self._about.type) and self._is_object(hit, objects, end):
            for reference in subject.references:
                self._say(reference, hit.rule.type, ended=ended, date=date)
        return objects

    def _shared(self, hit: Hit, place: int) -> str:
        """`founded and sold [[a]]`, `mentors the founders of [[a]]`: what a verb shares with the trigger behind it."""
        if hit.rule.shape != "verb" or hit.rule.type == "works_at" or place + 1 == len(self._hits):
            return ""
        following = self._hits[place + 1]
        between = self._low[hit.end : following.start].strip()
        shares = (
            between in ("the", "its")
            if following.rule.shape == "role"
            else between in ("and", "and later", "and then", "or") and following.rule.shape != "by"
        )
        if not shares or (following.rule.shape == "role" and hit.rule.type != "advises"):
            return ""
        return self._objects(following, self._zone_end(place + 1))

    def _fits(self, hit: Hit, reference: str) -> bool:
        """Whether what an organisation does can be done to this page: it invests in others, and hires people."""
        kind = self._kinds.get(reference, "")
        return (
            person(kind) or kind == ""
            if hit.rule.type in ("works_at", "advises")
            else not person(kind) or hit.rule.shape == "role"
        )

    def _tell_by(self, hit: Hit, subject: Actor, agents: str, ended: bool, date: str | None) -> None:
        type = hit.rule.type
        rounds = re.search(english.ROUND, self._low) is not None
        if type == "led_round":
            type = "led_round" if self._about.type == "deal" or rounds else "works_at"
            if type == "works_at" and not self._leads_page(self._low[: hit.start].rstrip(" ,")[-40:]):
                return
        along = re.match("alongside|joined by", self._low[hit.start : hit.end]) is not None
        if along and not any(said.type in ("invested_in", "led_round") for said in self._said):
            return
        if (subject.page or along) and not person(self._about.type) and agents:
            for reference in agents:
                self._say(reference, type, ended=ended, date=date)
        elif type == "led_round" and not agents and self._names_itself(self._low[hit.end : hit.end + 40]):
            led = re.search(rf"({REF})[^,;{REF[1:-1]}]*$", self._low[: hit.start])
            if led is not None:
                self._say(led[1], type, ended=ended, date=date)
        elif subject.references and self._names_page(self._low[hit.end : hit.end + 40]):
            for reference in subject.references:
                self._say(reference, type, ended=ended, date=date)

    def _leads_page(self, left: str) -> bool:
        """Whether what somebody leads is the page's organisation or a part of it, not a tour or a search."""
        return not left or self._names_page(left) or not DEPARTMENTS.isdisjoint(re.findall(r"[a-z]+", left))

    def _names_itself(self, words: str) -> bool:
        return self._names_page(words) or re.match(r" (?:us|her|him|me)\b", words) is not None

    def _elsewhere(self, hit: Hit, end: int) -> None:
        """`joined [[a]] from [[b]]`, `left [[a]] for [[b]]`: the other employer."""
        words = self._low[hit.start : hit.end]
        rest = self._low[end : end + FAR]
        if re.match(r"(?:re)?join|moved|went|switched|transferred", words):
            found = re.match(rf",? from (?:[\w-]+ )?({REF})", rest)
            if found is not None:
                self._say(found[1], "works_at", ended=True, date=None)
        if hit.rule.past and re.match(r"left|leaves|leaving|quit|depart|move|switch|jump|transfer|defect", words):
            zone = self._low[hit.end : end]
            found = re.search(rf"(?: for| to join|^ {REF} (?:over )?to) ({REF})", zone)
            if found is not None:
                # The trigger took it for what was left; it is where somebody went.
                self._said = [said for said in self._said if said.reference != found[1]]
                self._say(found[1], "works_at", ended=False, date=None)

    def _of_role(self, hit: Hit, place: int, objects: str, end: int) -> str:
        """The organisations, or on an organisation's page the people, that a role connects with the page."""
        before = re.search(rf"({REF})(?:'s|s')? (?:[\w-]+ ){{0,2}}$", self._low[: hit.start])
        if before is not None and not re.search(
            r" (?:is|was|as|a|an|and|the|became|are) ", self._low[before.end(1) : hit.start]
        ):
            return before[1]
        behind = self._low[hit.end : end]
        if objects and re.match(rf"\s*(?:of|at|for|in|to|with|@|on|,|-|–|—|:|\()?\s*[^.;]{{0,60}}?{REF}", behind):
            return objects
        following = self._hits[place + 1] if place + 1 < len(self._hits) else None
        if following is not None and following.rule.shape == "role":
            between = self._low[hit.end : following.start]
            if re.fullmatch(
                r"\s*(?:,|and|/|&|\+|, and|turned|-)\s*(?:now |the |a |an |its |current |later )*", between
            ):
                return self._of_role(
                    following, place + 1, self._objects(following, self._zone_end(place + 1)), self._zone_end(place + 1)
                )
        return ""

    def _is_object(self, hit: Hit, objects: str, end: int) -> bool:
        """Whether the page, an organisation's, is what somebody founded, joined, invested in."""
        if not venture(self._about.type):
            return False
        zone = self._text[hit.end : end]
        if self._names_page(zone.lower()):
            return True
        if any(not person(self._kinds.get(reference, "")) for reference in objects if self._kinds.get(reference)):
            return False
        if objects and hit.rule.shape != "role":
            return False
        rest = re.sub(
            r"\b(?:CEO|CTO|COO|CFO|CMO|VP|SVP|Chief|Officer|Head|Director|Series|President|Engineering|Product|"
            r"Sales|Marketing|Seed|[A-Z][a-z]+ (?:19|20)\d\d)\b",
            "",
            zone,
        )
        return re.search(r"(?:\b(?:at|of|in|for|by|to|with)|^)\s+(?:[a-z]+ )?[A-Z][a-z]+", rest) is None or _month(rest)

    def _clause_end(self, hit: Hit) -> int:
        following = [other.start for other in self._hits if other.start >= hit.end and other.rule.type]
        barriers = [
            start for start, _ in self._barriers if start >= hit.end and "until" not in self._low[start : start + 8]
        ]
        return min([len(self._low), *following[:1], *barriers[:1]])

    def _period(self, hit: Hit) -> bool:
        """A period that is over stands behind the trigger: `until 2020`, `from 2015 to 2018`, `(2015-2018)`."""
        return (
            hit.rule.type == "works_at"
            and pattern("period").search(self._low[hit.end : self._clause_end(hit)]) is not None
        )

    def _say(self, reference: str, type: str, *, ended: bool, date: str | None) -> None:
        if type == "works_at" and ended:
            self._said.append(Said(reference, "worked_at", True, date))
        # There is no type for having advised, and "advises" would be wrong now.
        elif not (type == "advises" and ended):
            self._said.append(Said(reference, type, ended, None))


_WHICH_IS = (
    rf"({REF}),? (?:is|was) (?:the|a|an|one of the) (?:[\w-]+ ){{0,3}}(?:company|startup|firm|fund|business|"
    rf"place|lab|venture)"
    r"(?:,? (?:which|that|where))? [\w' ]{1,25}$"
)
_NAMING = r"nam|appoint|elect|made|promot|replac|succe"
_LEAVING = r"left|leav|quit|depart|exit|resign|retire|step|fired|sacked"


def _month(text: str) -> bool:
    found = re.search(r"\b([A-Z][a-z]+)", text)
    return found is not None and re.fullmatch(english.MONTHS, found[1].lower()) is not None


def read(text: str, about: About, kinds: dict[str, str]) -> Iterator[Said]:
    """What one sentence says of its references."""
    yield from Reading(text, about, kinds).said()

"""Who does what an English sentence tells: the page itself, a reference, or somebody else."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gbrain.domain.relations import english
from gbrain.domain.relations.kinds import person, venture
from gbrain.domain.relations.sentences import REF, is_reference
from gbrain.domain.relations.triggers import Hit, hits, pattern

NEAR = 40
"""How many words before a trigger are looked at for who does it."""


class About(NamedTuple):
    """The page a text is about: its type, and the words of its name, in lower case."""

    type: str
    names: frozenset[str]


class Actor(NamedTuple):
    """Who does something: the page, some references, or somebody else."""

    page: bool = False
    references: str = ""


OTHER, PAGE = Actor(), Actor(page=True)


class Clauses:
    """A sentence on one page: its triggers, its clauses, and who acts in them."""

    def __init__(self, text: str, about: About, kinds: dict[str, str]) -> None:
        self._text = text
        # Some letters grow when they are lowered (İ), and every offset after one would be wrong.
        self._low = text.lower() if len(text.lower()) == len(text) else text
        self._about = about
        self._kinds = kinds
        self._hits = hits(self._low)
        self._barriers = [(found.start(), found.end()) for found in pattern("barriers").finditer(self._low)]

    def _can_act(self) -> bool:
        return person(self._about.type) or venture(self._about.type) or self._about.type == ""

    def _names_page(self, words: str) -> bool:
        if venture(self._about.type) and pattern("self").search(words):
            return True
        return any(word in self._about.names for word in re.findall(r"[\w-]+", words))

    def _subject(self, hit: Hit, left: str, inherits: Actor, *, first: bool) -> Actor:
        role = hit.rule.shape == "role"
        words = words_of(left)[-NEAR:]
        if role:
            named = self._after_role(hit)
            if named is not None:
                return named
            owner = re.search(rf"{REF}(?:'s|s')?\s*(?:[\w-]+\s+){{0,2}}$", left)
            if owner is not None and not pattern("verbs").search(left[owner.start() :].lower()):
                words = words_of(left[: owner.start()])
        copula = joined = relative = False
        while words:
            last = words[-1].lower()
            if (
                role
                and last == "to"
                and (len(words) < 2 or words[-2].lower() not in ("promoted", "elevated", "rose", "up", "used"))
            ):
                return OTHER
            if last == "to" and not first:
                joined = True
            if last in english.AUXILIARIES or last.endswith(("ly", "n't")) or last in ("'s", "'ve", "'re"):
                copula = copula or last in _COPULAS
                relative = relative or last in ("who", "that")
            elif role and last == "of" and len(words) > 1 and words[-2].lower() in ("one", "some"):
                words.pop()
                copula = True
            elif role and last in _LEAD_IN:
                copula = copula or last in _COPULAS
            else:
                break
            words.pop()
        if joined:
            return inherits
        return (
            self._antecedent(words, inherits)
            if relative
            else self._who(words, inherits, role=role, copula=copula, first=first)
        )

    def _antecedent(self, words: list[str], inherits: Actor) -> Actor:
        """Whom `who` stands for: what is named right before it."""
        while words and words[-1] == ",":
            words = words[:-1]
        if not words:
            return inherits
        if is_reference(words[-1][0]):
            return Actor(references=words[-1])
        if words[-1].lower() in self._about.names or words[-1].lower() in english.PRONOUNS:
            return PAGE
        return inherits if self._is_person_noun(words) or (len(words) <= 3 and words[-1].islower()) else OTHER

    def _who(self, words: list[str], inherits: Actor, *, role: bool, copula: bool, first: bool) -> Actor:
        """The subject that these words end with."""
        if not words:
            return inherits
        last = words[-1]
        low = last.lower()
        if is_reference(last[0]):
            return self._who_referred(words, inherits, role=role, first=first)
        if last == ")" and "(" in words:
            at = len(words) - 1 - words[::-1].index("(")
            inside = words[at + 1 : -1]
            if len(inside) == 1 and is_reference(inside[0][0]) and person(self._kinds.get(inside[0], "")):
                return Actor(references=inside[0])
            return self._who(words[:at], inherits, role=role, copula=copula, first=first)
        if last in ",:;(-–—|[)" or low in _CONNECTORS:
            return self._who_joined(words, inherits, role=role, first=first)
        if low in english.PRONOUNS:
            return self._who_pronoun(words[:-1], low)
        if " ".join(words[-2:]).lower() in self._about.names:
            return PAGE
        if low in self._about.names or re.sub(r"'s?$", "", low) in self._about.names:
            return PAGE
        if low in english.KIN and any(word.lower() in _WHOSE or word.endswith("'s") for word in words[-3:-1]):
            own = words[-2].lower() if len(words) > 1 else ""
            return (
                PAGE
                if venture(self._about.type)
                and low in ("company", "team", "startup", "fund", "firm")
                and own in ("our", "the")
                else OTHER
            )
        if venture(self._about.type) and re.search(
            rf"\b(?:{english.COMPANY_NOUNS}|{english.ROUND})$", " ".join(words[-3:]).lower()
        ):
            return PAGE
        if venture(self._about.type) and len(words) == 1 and low in DEPARTMENTS:
            return PAGE
        if last[0].isupper() and not (low in english.OPENERS and len(words) == 1):
            return OTHER
        if role and low in _PREPOSITIONS:
            return OTHER
        if low in ("year", "years", "months", "stint", "tenure", "time", "career"):
            return inherits
        if low in english.OPENERS or re.fullmatch(r"(?:19|20)\d\d", low):
            return inherits
        if role and not copula:
            return OTHER
        if any(word.lower() in _DETERMINERS for word in words[-4:-1]) and not self._is_person_noun(words):
            return OTHER
        return inherits if not first else PAGE if self._can_act() else OTHER

    def _is_person_noun(self, words: list[str]) -> bool:
        """`She is an engineer who founded`: a noun that stands for the subject of the sentence."""
        return person(self._about.type) and any(word.lower() in ("is", "was", "as", "'s") for word in words[-6:])

    def _who_referred(self, words: list[str], inherits: Actor, *, role: bool, first: bool) -> Actor:
        rest, found, linked = list(words), "", False
        while rest and (is_reference(rest[-1][0]) or (found and rest[-1].lower() in ("and", ",", "&"))):
            word = rest.pop()
            linked = not is_reference(word[0])
            found = found if linked else word + found
        if (
            linked
            and rest
            and self._who(rest, OTHER, role=False, copula=True, first=True).page
            and not rest[-1].islower()
        ):
            return PAGE
        if (
            rest
            and not linked
            and rest[-1].lower() in _PREPOSITIONS
            and not (rest[-1].lower() in ("with", "by") and role)
        ):
            rest.pop()
            return self._who(rest, inherits, role=role, copula=True, first=first)
        return Actor(references=found)

    def _who_joined(self, words: list[str], inherits: Actor, *, role: bool, first: bool) -> Actor:
        last = words[-1]
        rest = words[:-1]
        if last.lower() in _CONNECTORS or last in ":;|":
            return inherits
        if last in "(-–—[":
            return self._who(rest, inherits, role=False, copula=True, first=first) if rest else inherits
        if last == ",":
            if rest and (is_reference(rest[-1][0]) or rest[-1][0].isupper() or rest[-1].lower() in english.PRONOUNS):
                if not first and not role:
                    return inherits
                if role and is_reference(rest[-1][0]):
                    return Actor(references=rest[-1]) if self._kinds.get(rest[-1], "") in ("person", "") else inherits
                return self._who(rest, inherits, role=False, copula=True, first=first)
            for place in range(len(rest) - 1, 0, -1):
                if rest[place] == ",":
                    return self._who(rest[:place], inherits, role=False, copula=True, first=first)
        return inherits

    def _who_pronoun(self, before: Sequence[str], pronoun: str) -> Actor:
        if pronoun in ("i", "we") and person(self._about.type) and pronoun == "we":
            return OTHER
        if pronoun == "it" and person(self._about.type):
            return OTHER
        if pronoun in ("she", "he", "i") and venture(self._about.type):
            people = [c for c in self._text if is_reference(c) and person(self._kinds.get(c, ""))]
            at = self._text.lower().find(f" {pronoun} ")
            ahead = [c for c in people if self._text.index(c) < at]
            return Actor(references=ahead[-1]) if ahead else OTHER
        if person(self._about.type) and pronoun in ("she", "he"):
            opening = words_of(self._text)[:3]
            if any(word.lower() in ("she", "he", "i") or word.lower() in self._about.names for word in opening):
                return PAGE
            ahead = [c for c in "".join(before) if is_reference(c) and person(self._kinds.get(c, ""))]
            return Actor(references=ahead[-1]) if ahead else PAGE
        return PAGE if self._can_act() else OTHER

    def _after_role(self, hit: Hit) -> Actor | None:
        """`CEO [[dana]]`, `CEO Tom Hale`, `Founders: [[a]]`: who a role is, where that stands behind it."""
        behind = self._text[hit.end :]
        if venture(self._about.type):
            if re.fullmatch(_OUTSIDERS, self._low[hit.start : hit.end]):
                return OTHER
            found = re.match(
                rf"s?(?: (?:is|are|was|include|includes|included|were|now|being)|:|,|\s-|\s–|"
                rf"\s—)*\s*((?:{REF}(?:\s*,\s*|\s+and\s+|\s*&\s*|,\s+and\s+)?)+)",
                behind,
            )
            if found is not None and re.search(rf"(?:whose|{REF}'?s?)\s+(?:[\w-]+\s+)?$", self._low[: hit.start]):
                return OTHER
            if found is not None and all(
                person(self._kinds.get(c, "")) or self._kinds.get(c, "") == "" or "invest" in hit.rule.type
                for c in re.findall(REF, found[1])
            ):
                return Actor(references="".join(re.findall(REF, found[1])))
        found = re.match(rf"\s+({REF})(?!')", behind)
        if found is not None and person(self._kinds.get(found[1], "")):
            return Actor(references=found[1])
        name = re.match(r"\s+([A-Z][a-z]+)(?: [A-Z][a-z]+)*", behind)
        if name is not None and hit.start and name[1].lower() not in english.OPENERS:
            return PAGE if name[1].lower() in self._about.names else OTHER
        return None


DEPARTMENTS = frozenset(
    """
    product engineering sales marketing design research operations finance growth legal support security science
    hiring recruiting team
    """.split()  # noqa: SIM905
)
"""Parts of an organisation."""
_COPULAS = frozenset(
    {
        "among",
        "is",
        "was",
        "are",
        "were",
        "be",
        "been",
        "being",
        "became",
        "becomes",
        "as",
        "remains",
        "'s",
        "'m",
        "'re",
    }
)
_OUTSIDERS = (
    r"(?:journalist|reporter|professor|lecturer|teacher|writer|editor|analyst|lawyer|attorney|economist|doctor|nurse|"
    r"consultant|curator|author|critic)"
)
_LEAD_IN = frozenset(
    """
    the a an its their our his her new current former previous ex then now present is was are were
    be been became becomes got
    as named appointed elected made promoted hired serves served works worked serving joined acting longtime also both
    one two sole only early first second third fourth technical original old one-time onetime retired outgoing that of
    among 'd past still no longer not never another remains being
    """.split()  # noqa: SIM905
) - {"of", "that"}
_CONNECTORS = frozenset(
    {"and", "or", "&", "then", "nor", "to", "before", "after", "while", "plus", "by", "besides", "without"}
)
_PREPOSITIONS = frozenset(
    [
        "of",
        "at",
        "in",
        "with",
        "to",
        "for",
        "from",
        "by",
        "on",
        "into",
        "about",
        "than",
        "near",
        "inside",
        "under",
        "via",
        "through",
    ]
)
_WHOSE = frozenset({"her", "his", "their", "my", "our", "its", "the", "a", "of"})
_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "some",
        "several",
        "many",
        "another",
        "one",
        "two",
        "three",
        "any",
        "most",
        "other",
        "these",
        "those",
        "her",
        "his",
        "their",
        "our",
        "my",
    ]
)


def words_of(text: str) -> list[str]:
    """The words of a text, punctuation and references each by itself."""
    return re.findall(rf"{REF}|'s\b|n't\b|[\w$€£%.'/+-]*\w|[,:;()\[\]|–—-]", text)

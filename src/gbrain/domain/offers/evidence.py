"""How surely a stretch of a text is the name it looks like: its case, its neighbours, and how common its words are."""

import re
from functools import cache
from typing import NamedTuple

from gbrain.domain.offers.callings import ENTITY_TYPES, LEGAL, PARTICLES
from gbrain.domain.offers.common import (
    AUXILIARY,
    BEGINNING,
    CALENDAR,
    EDITING,
    EPONYMOUS,
    GIVEN,
    INTO,
    IRREGULAR,
    MODAL,
    MOVING,
    OBJECTS,
    OF_PLACES,
    ON,
    ORGANISED,
    PRESENT,
    ROLES,
    SPEAKING,
    STATES,
    TOWARDS,
    common,
    plain,
)
from gbrain.domain.offers.reading import in_title_case, starts_sentence
from gbrain.domain.offers.unspaced import stands_alone
from gbrain.domain.offers.words import Span, Word, bag, folded, name_key, words
from gbrain.domain.text import STOP_WORDS

WEIGHTS = {
    "alias": 0.9,
    "slug": 0.9,
    "title": 0.8,
    "part": 0.75,
    "facts": 0.75,
    "surname": 0.75,
    "tail": 0.6,
    "given": 0.6,
}
"""How sure each form of a name is. Alias, title and tail are the contract's; a given name alone is below its gate."""
LOWER_ALIAS = 0.75
"""An alias without its capital."""
LOWER_SURNAME = 0.7
SHORTEST_LOWER = 3


class Place(NamedTuple):
    """A stretch of a text, with what the text's capitals tell; see `Reading`."""

    text: str
    words: list[Word]
    span: Span
    cased: bool
    lower: bool

    @property
    def single(self) -> bool:
        """Whether it is one word."""
        return self.span.first == self.span.last

    def word(self, step: int) -> Word | None:
        """The word before (-1, -2) or behind (1, 2), None where the stretch is at that end."""
        place = self.span.first + step if step < 0 else self.span.last + step
        return self.words[place] if 0 <= place < len(self.words) else None

    def gap(self, step: int) -> str:
        """What stands between the stretch and the word before (-1) or behind (1) it."""
        other = self.word(step)
        if step < 0:
            return self.text[other.end if other else 0 : self.span.start]
        return self.text[self.span.end : other.start if other else len(self.text)]


def weight(place: Place, type: str, form: str, title: str, *, company: bool = False) -> float:
    """How sure it is that this place names a page of this type by this form, 0 to 1; 0 where it does not.

    `company`: the company of the person is named beside, so that a common word needs no more.
    """
    if form == "slug":
        return WEIGHTS[form]
    own = place.words[place.span.first]
    if own.unspaced or place.words[place.span.last].unspaced:
        return WEIGHTS[form] if stands_alone(place.text, place.span, own, type) else 0.0
    if _glued(place) or _part_of_another(place, type, form, title) or (form == "surname" and _of_elsewhere(place)):
        return 0.0
    written = place.text[place.span.start : place.span.end]
    said = place.words[place.span.first : place.span.last + 1]
    if not _has_case(written):
        return WEIGHTS[form]
    if type == "person" and "." in written and " " not in written:
        # `dana.oakes` is an address or an account.
        return 0.0
    capital = written[0].isupper() or any(word.raw[0].isupper() for word in said if not common(word.key))
    if not place.single:
        return _of_many(place, said, type, form, capital)
    everyday = common(own.key) or len(own.raw) < 3
    if not capital:
        return _lower(place, type, form)
    if type not in ENTITY_TYPES and form != "alias":
        fits = not everyday and not plain(own.key) and _capital_tells(place)
        return WEIGHTS[form] if fits else 0.0
    if (everyday or plain(own.key)) and not company and not _is_name(place, type, everyday):
        return 0.0
    return WEIGHTS[form]


def _of_many(place: Place, said: list[Word], type: str, form: str, capital: bool) -> float:
    """Of a name of several words: those of plain words alone need their capitals."""
    content = [word for word in said if word.key not in STOP_WORDS]
    if len(content) == 1 and not content[0].raw[0].isupper() and form != "alias":
        # `the bakery` is any, `The Bakery` one.
        return 0.0
    if not all(plain(word.key) or word.key.isdigit() for word in said):
        return WEIGHTS[form]
    capitals = sum(word.raw[0].isupper() for word in said)
    if capitals < 2 or (type != "person" and in_title_case(place.text, place.span.start)):
        return 0.0
    return WEIGHTS[form] if type in ENTITY_TYPES or place.cased else 0.0


def _lower(place: Place, type: str, form: str) -> float:
    """Of one word without its capital: only an alias, or where nobody writes capitals a thing's own title."""
    key = place.words[place.span.first].key
    before = place.word(-1)
    after = place.word(1)
    says = after is not None and place.gap(1) == " " and (after.key in _SAYING or (after.key == "is" and _acts(place)))
    if not key.isascii() or (len(key) < SHORTEST_LOWER and not says):
        return 0.0
    mine = before is not None and before.key == "my" and form == "alias" and type == "person" and not plain(key)
    if before is not None and before.key in _BEFORE_NOUNS | EDITING and place.gap(-1) == " " and not mine:
        return 0.0
    being = after is not None and place.gap(1) == " " and after.key in _BEING and form == "alias" and type != "person"
    heads = not common(key) and starts_sentence(place.text, place.span.start) and (being or _labels(place, type))
    if plain(key) and not says and not heads:
        return 0.0
    if form == "alias":
        return LOWER_ALIAS
    if not place.lower:
        return 0.0
    if form == "surname":
        # Where nobody writes capitals, what stands around a surname must say that it is one.
        near = {word.key for word, gap in ((before, place.gap(-1)), (after, place.gap(1))) if word and gap == " "}
        towards = before is not None and before.key in TOWARDS and place.gap(-1) == " "
        owns = place.gap(1) in ("'", "’") and after is not None and after.key == "s"
        speaks = towards or owns or bool(near & _SAYING) or _acts(place) or _asked_of(place)
        return LOWER_SURNAME if len(key) > 4 and not plain(key) and speaks else 0.0
    named = type in ENTITY_TYPES and type != "person" and form in ("title", "part")
    return WEIGHTS[form] if named else 0.0


def _capital_tells(place: Place) -> bool:
    """Whether the capital here is one of a name."""
    at = place.span.start
    return place.cased and not starts_sentence(place.text, at) and not in_title_case(place.text, at)


def _is_name(place: Place, type: str, everyday: bool) -> bool:
    """Whether a word that has a meaning of its own is a name here: its capital, or what stands around it."""
    after, before = place.word(1), place.word(-1)
    key = place.words[place.span.first].key
    behind = after.key if after is not None and place.gap(1) == " " else ""
    ahead = before.key if before is not None and place.gap(-1) == " " else ""
    titled = before is not None and before.key in _TITLES and place.gap(-1) in (" ", ". ")
    who = place.gap(1) == ", " and after is not None and after.key in ("who", "whose")
    speaks = titled or who or behind in SPEAKING or _introduced(place) or (ahead in ROLES and _capital_tells(place))
    owns = place.gap(1) in ("'", "’") and after is not None and after.key == "s"
    if key in CALENDAR:
        return speaks or (ahead in TOWARDS and behind not in _MONTHLY and not behind.isdigit())
    if _capital_tells(place):
        return not ((ahead in _BEFORE_NOUNS and type == "person") or _in_identifier(place))
    if _acts(place) or _listed(place):
        return True
    if not everyday and _labels(place, type):
        return starts_sentence(place.text, place.span.start)
    stands = behind in _BEING and type in ENTITY_TYPES and type != "person" and not everyday
    joined = behind in ("and", "from") and (other := place.word(2)) is not None and other.raw[0].isupper()
    return speaks or stands or (owns and not in_title_case(place.text, place.span.start)) or (everyday and joined)


def _acts(place: Place) -> bool:
    """Whether what somebody does or is stands behind it: `said`, `edited the`, `broke our`, `is on leave`."""
    after, further, third = place.word(1), place.word(2), place.word(3)
    if after is None or place.gap(1) != " ":
        return False
    if after.key in SPEAKING:
        return True
    if further is None:
        return False
    if after.key in ("is", "was"):
        last = third.key if third is not None else ""
        return (further.key in STATES and last != "of") or (further.key == "on" and last in ON)
    if after.key in MODAL:
        return further.key not in _STATED
    if after.key in PRESENT:
        last = third.key if third is not None else ""
        return not (further.raw[0].isdigit() or (further.key == "to" and last in _STATED))
    past = after.key in IRREGULAR or (len(after.key) > 4 and after.key.endswith("ed"))
    own = place.words[place.span.first].key
    noun = common(own) and own not in BEGINNING and after.key not in _KINDS
    return past and (further.key in OBJECTS or (noun and further.raw[0].isalpha()))


def _labels(place: Place, type: str) -> bool:
    """Whether it is what a line is about: `Lantern: add a wick`."""
    return type in ("project", "product", "company") and place.gap(1).startswith(":")


def _asked_of(place: Place) -> bool:
    """Whether a question begins before it that asks what somebody does: `did oakes sign`."""
    before = place.word(-1)
    if before is None or before.key not in _ASKING or place.gap(-1) != " " or place.word(1) is None:
        return False
    first = place.word(-2)
    return any(starts_sentence(place.text, one.start) for one in (before, first) if one is not None)


def _listed(place: Place) -> bool:
    """Whether it begins a list of names: `Rose, Dana and I`."""
    after, further = place.word(1), place.word(2)
    if after is None or further is None or place.gap(1) != ", " or not after.raw[0].isupper():
        return False
    return (after.key in GIVEN or not plain(after.key)) and further.key in ("and", "or", "und", "et", "y")


def _in_identifier(place: Place) -> bool:
    """Whether the same text speaks of something in a program that is called so: `max_tokens`."""
    key = place.words[place.span.first].key
    low = place.text.lower()
    return f"{key}_" in low or f"_{key}" in low


def _of_elsewhere(place: Place) -> bool:
    """Whether a family's name is a place's here, or that of somebody in a book: `fly to Cork`, `the Bayes theorem`."""
    before, after = place.word(-1), place.word(1)
    if before is not None and place.gap(-1) == " ":
        further = place.word(-2)
        earlier = further.key if further is not None else ""
        if before.key in ("in", "near", "nach") and earlier not in INTO:
            return True
        if before.key in ("to", "from") and earlier in MOVING:
            return True
    if after is None:
        return False
    if place.gap(1) in ("'", "’") and after.key == "s":
        owned = place.word(2)
        return owned is not None and owned.key in EPONYMOUS
    return place.gap(1) == " " and after.key in EPONYMOUS | OF_PLACES


def _introduced(place: Place) -> bool:
    """Whether words for what somebody is stand behind it: `Will, our CFO,` or `Mark (head of sales)`."""
    behind = place.text[place.span.end : place.span.end + 40]
    found = _pattern("introduced").match(behind)
    return found is not None and any(folded(word) in ROLES for word in found[1].split())


def _glued(place: Place) -> bool:
    """Whether it is only a part of a longer sign: `mark_done`, `x.will`, `a@may`, `Oakes-Smith`."""
    before = place.text[place.span.start - 1 : place.span.start]
    behind = place.text[place.span.end : place.span.end + 2]
    further = place.text[max(0, place.span.start - 2) : place.span.start - 1]
    made = place.word(-1)
    if made is not None and made.key in _MAKING and place.gap(-1) == " " and behind.strip()[:1] in ("(", "{", "<", ":"):
        return True
    if before and (before in "_\\=$&%" or (before in "@.-/" and further.isalnum())):
        other = place.word(-1)
        return not (
            (before == "-" and other is not None and other.key in _PREFIXES)
            or (before == "/" and other is not None and other.raw[0].isupper())
        )
    if before in ("'", "’") and further.isalnum():
        return not _short(place, further)
    if behind[:1] == "/":
        return not (behind[1:].isupper() or not behind[1:].isalnum())
    if behind[:1] == "-":
        # `Oakes-led` is about Oakes, `Oakes-Smith` is somebody else.
        return behind[1:].isupper()
    return (
        (behind[:1] in ("_", "\\", "=", "@", "%"))
        or (behind[:1] in (".", ":") and behind[1:].isalnum())
        or behind == "()"
        or place.text[place.span.end : place.span.end + 3].removeprefix(" ").startswith(("=", ":="))
    )


def _short(place: Place, further: str) -> bool:
    """`d'Oakes`, `l'Oakes`: an article without its vowel."""
    before = place.word(-1)
    return before is not None and before.end - before.start == 1 and further.lower() in "dl"


def _part_of_another(place: Place, type: str, form: str, title: str) -> bool:
    """Whether the names beside it make it somebody else's: `Peter Oakes`, `Dana Smith`, `Oakes Street`."""
    return _led_by_another(place, type, form, title) or _followed_by_another(place, type, form)


def _led_by_another(place: Place, type: str, form: str, title: str) -> bool:
    before = place.word(-1)
    if before is None or place.gap(-1) not in (" ", "-", ". ", " & "):
        return False
    if place.gap(-1) == " & ":
        # `Johnson & Johnson` is a firm.
        return form in ("surname", "given") and before.raw[0].isupper()
    if place.gap(-1) == ". " and before.end - before.start > 2:
        return False
    if not before.raw[0].isupper() or before.raw.isdigit():
        return False
    name = before.key in GIVEN and before.key not in AUXILIARY and type == "person"
    if plain(before.key) and not name:
        return False
    if before.key in ROLES or before.key in _TITLES or before.key in CALENDAR:
        return False
    own = [word.key for word in words(title)]
    if form == "surname" and _no_given(place, before):
        return False
    if form == "surname":
        # `D. Oakes` and `Dana M. Oakes` are who they say.
        first = own[0] if own else ""
        further = place.word(-2)
        near = {before.key} | ({further.key} if further is not None and further.raw[0].isupper() else set())
        return not any(key == first or (len(key) == 1 and first.startswith(key)) for key in near)
    alone = place.single and plain(place.words[place.span.first].key)
    if before.key in own or not (type == "person" or alone or form in ("part", "tail", "given")):
        return False
    return not _other_sentence(place, before)


def _no_given(place: Place, before: Word) -> bool:
    """Whether the word before a family's name is no given name: `M. Durand` in French; a particle has its capital
    only where no given name leads it, as in `Vraag Van Dijk`."""
    own = place.words[place.span.first]
    if own.key in PARTICLES and own.raw[0].isupper():
        return starts_sentence(place.text, before.start)
    return before.key == "m" and any(word.key in _FRENCH for word in place.words)


def _other_sentence(place: Place, before: Word) -> bool:
    """Whether the word before begins its sentence and is a verb one does not know: `Ping Dana Oakes`."""
    return not place.single and starts_sentence(place.text, before.start)


def _followed_by_another(place: Place, type: str, form: str) -> bool:
    after = place.word(1)
    if after is None or place.gap(1) not in (" ", "-", " & "):
        return False
    if place.single and type in ("project", "product") and after.raw.isdigit() and len(after.raw) < 3:
        # `Apollo 11` flew to the moon.
        return True
    if not after.raw[0].isupper() or any(letter.isdigit() for letter in after.raw):
        return False
    if after.key in ORGANISED:
        return True
    if after.key in LEGAL or plain(after.key) or after.key in CALENDAR or after.key in ROLES:
        return False
    # What belongs to a company or project goes by its whole name and a word more: `Acme Dashboard`.
    if type in ENTITY_TYPES and type != "person" and form in ("title", "alias") and place.gap(1) == " ":
        return False
    # Capitals that tell nothing make no other name, and an abbreviation is none.
    return place.cased and not in_title_case(place.text, place.span.start) and not after.raw.isupper()


def _has_case(written: str) -> bool:
    return written.lower() != written.upper()


_BEFORE_NOUNS = bag("a an the this that these those my your his her its our their some any no every each")
_TITLES = bag(
    "mr mrs ms miss dr prof professor sir madam herr frau monsieur madame mme mlle maitre senor senora don dona sig"
    " signor signora dott dottore avv ing pan pani pane hr fr meneer mevrouw dhr mw rouva г гн господин госпож κ"
)
_MAKING = bag("class def enum fn func function interface new struct trait type")
_SAYING = SPEAKING - bag("just finally also never already isn wasn doesn didn hasn left leads runs visited")
_BEING = bag("is was has had isn wasn hasn needs will can should does doesn looks seems keeps uses still")
_ASKING = bag("did has does can could will would should hasn didn doesn")
_KINDS = bag("based colored coloured flavored flavoured inspired scented shaped sized themed tinted")
"""What is made of a colour, a plant or a virtue, as a word."""
_STATED = bag("apply be equal exceed have")
"""What is said of a number, after a modal verb."""
_FRENCH = bag("le la les des du est et une pour avec dans que qui pas nous vous je au aux sur")
_PREFIXES = bag("ex non pre post anti pro co mid all un re")
_MONTHLY = bag("to until till and or through")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile({"introduced": r"(?:,| \(| [-–—]) ?((?:[\w'-]+ ?){1,5})"}[name])


__all__ = ["WEIGHTS", "Place", "name_key", "weight"]

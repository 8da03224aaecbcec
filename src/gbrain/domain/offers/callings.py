"""What people call a page, for the index that offers are looked up in."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from gbrain.digests import blake2b
from gbrain.domain.offers.words import Word, bag, name_key, words

FORMS = ("slug", "alias", "title", "part", "facts", "surname", "tail", "given")
"""How a page is called, the surest first.

`part`: a title without what explains it (`Lantern` of `Lantern - the launch`, `Acme` of `Acme Inc.`); `surname` and
`given`: the last and first name of a person; `tail`: the last part of the slug. No index holds `slug`, the whole slug,
and `facts`, the name of somebody that facts are about and no page is of. A form is stored as its place here.
"""
ENTITY_TYPES = frozenset({"person", "company", "project", "deal", "product", "organisation", "organization", "team"})
"""Types of pages that are of somebody or something with a name of its own."""

PARTICLES = bag("de del della der den van von da di du la le el al bin ibn ben ten ter af av zu zur")
"""What may stand before a family's name and belongs to it."""

_CREDENTIALS = bag("jr sr phd md mba esq ii iii iv dr mr mrs ms prof sir")
LEGAL = bag(
    "inc incorporated ltd limited llc llp lp plc corp corporation co gmbh ag sa sas sarl srl spa bv nv oy ab as"
    " kg kk pty pte ooo ооо зао оао"
)
"""What may stand behind the name of a company."""


def callings(title: str, tail: str, type: str, aliases: Iterable[str]) -> dict[str, str]:
    """The keys (`name_key`) that a page may be called by, each with the surest form it is."""
    found: dict[str, str] = {}
    for form, name in _called(title, tail, type, aliases):
        key = name_key(name)
        if _is_name(key) and (key not in found or FORMS.index(form) < FORMS.index(found[key])):
            found[key] = form
    return found


def key_number(key: str) -> int:
    """The number, of 64 bits with a sign, that stands for a key in the index: a third of the room a name takes."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def _called(title: str, tail: str, type: str, aliases: Iterable[str]) -> Iterator[tuple[str, str]]:
    for alias in aliases:
        yield "alias", alias
    yield "title", title
    plain = _cut().split(title, maxsplit=1)[0]
    if plain != title:
        yield "part", plain
    if " & " in plain:
        yield "part", plain.replace(" & ", " and ")
    if type != "person":
        if " and " in plain:
            yield "part", plain.replace(" and ", " & ")
        yield "part", _kind().sub("", plain).strip()
    said = words(plain)
    if len(said) > 1 and said[-1].key in LEGAL:
        yield "part", plain[: said[-2].end]
    if type == "person":
        yield from _of_person(plain, said)
    yield "tail", tail.replace("-", " ").replace("_", " ")


def _of_person(name: str, said: list[Word]) -> Iterator[tuple[str, str]]:
    """The surname, also with the particles or the second surname before it, and the given name."""
    said = [word for word in said if word.key not in _CREDENTIALS]
    if len(said) == 2 and all(word.unspaced for word in said) and len(said[0].raw) > 1:
        # Where a space divides them, the family stands first.
        yield "surname", said[0].raw
    if len(said) < 2 or any(word.unspaced for word in said):
        return
    yield "given", said[0].raw
    yield "surname", said[-1].raw
    if len(said) > 2:
        yield "part", f"{said[0].raw} {said[-1].raw}"
        if len(said) == 3 and said[1].key not in PARTICLES:
            # Of two surnames the first is the one that is said.
            yield "part", f"{said[0].raw} {said[1].raw}"
        first = next((place for place, word in enumerate(said[1:-1], 1) if word.key in PARTICLES), len(said) - 2)
        yield "surname", name[said[first].start : said[-1].end]
        # `Surname-Surname` is one.
        if name[said[-2].end : said[-1].start] == "-":
            yield "surname", name[said[-2].start : said[-1].end]


def _is_name(key: str) -> bool:
    """Whether a key can be looked for: a letter alone, or a number, stands in any text."""
    if key.isascii():
        return len(key) > 1 and not key.replace(" ", "").isdigit()
    return not key.isdigit() and (len(key) > 1)


@cache
def _kind() -> re.Pattern[str]:
    """What kind of company it is, as it stands around names in Chinese, Japanese and Korean."""
    kinds = "株式会社|有限会社|合同会社|[（(]株[)）]|股份有限公司|有限公司|集团|주식회사|[(]주[)]"
    return re.compile(f"^(?:{kinds})|(?:{kinds})$")


@cache
def _cut() -> re.Pattern[str]:
    return re.compile(r"\s+[-–—|]\s+|\s*[:(（：]\s*|,\s+")

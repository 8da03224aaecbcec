"""A one-line claim made ready for comparison, and its exact-match key."""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from gbrain.digests import sha256
from gbrain.domain.entities import SELF_NAMES
from gbrain.domain.similarity.attributes import Attribute
from gbrain.domain.similarity.clauses import arranged, bare
from gbrain.domain.similarity.lexicon import listed
from gbrain.domain.similarity.station import stated
from gbrain.domain.similarity.wording import Item, read

_UNIFIED = str.maketrans(
    dict.fromkeys("‘’‚‛′`´ʼ", "'")
    | dict.fromkeys("“”„‟″«»「」『』", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys(
        "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", ""
    )
)
_TRAILING = " .。!！;；,，:：…、"
_NEGATIONS = listed(
    "not no never none nobody nothing neither nor nolonger without mei dont neednot unable allnot notall "
    "except hardly barely rarely unlikely fail lack anymore"
)


class Claim(NamedTuple):
    """A claim ready for comparison; made once by `claim`.

    `key`: the exact-match key. `items`: its words in order, without the copula and the entity that it is about.
    `frame`: the same with both. `bag`: the words of `items`, sorted. `marks`: what holds of the whole claim (past,
    now, also, mood). `numbers`, `names`, `negations`: the words among them that carry identity. `attribute`: the
    exclusive attribute that it states. `entity`: the words that name the entity.
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


def normalise(text: str) -> str:
    """The exact-match key of a text: NFKC, case, white space, quotes, dashes and closing punctuation unified."""
    key = _plain(text)
    if key.isascii():
        key = key.lower()
    else:
        # Folding may give what NFKC changes again; in practice the second round is the last.
        for _ in range(4):
            key, before = _plain(key.casefold()), key
            if key == before:
                break
    # A text of nothing but such signs keeps them, or all of these would be one claim.
    return key.rstrip(_TRAILING) or key


def _plain(text: str) -> str:
    """NFKC with plain quotes and dashes and single spaces, invisible characters gone."""
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).translate(_UNIFIED)).split())


def fingerprint(text: str) -> str:
    """24 hex digits of SHA-256 over `normalise(text)`: equal for texts that are the same, stable across releases."""
    return sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()[:24]


@lru_cache(maxsize=256)
def _name_words(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([word for name in names for word in _plain(name).lower().split()])


def claim(text: str, entity_names: tuple[str, ...] = ()) -> Claim:
    """Read a one-line claim for comparison.

    `entity_names`: words and names of the entity it is about (title, aliases, words of the slug). They make `Alice
    prefers tea`, `She prefers tea` and `prefers tea` one claim. Any text is accepted.
    """
    plain = _plain(text)
    key = plain.lower() if plain.isascii() else normalise(text)
    key = key.rstrip(_TRAILING) or key
    names = _name_words(entity_names)
    items, marks = arranged(read(plain, names))
    kept = bare(items)
    told = stated(items, marks, key)
    # Filed under whoever speaks, `I live` and `lives` are said of one.
    if told is not None and not SELF_NAMES.isdisjoint(names):
        told = told._replace(about=told.about - {"user"})
    return Claim(
        key,
        kept,
        tuple(items),
        tuple(sorted([item.word for item in kept])),
        marks,
        frozenset([item.word for item in kept if item.kind in "tn"]),
        frozenset([item.word for item in kept if item.kind == "N"]),
        sum([item.word in _NEGATIONS for item in kept]),
        told,
        frozenset(names),
    )

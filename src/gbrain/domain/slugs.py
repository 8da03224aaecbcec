"""Slugs and names: the path-like key of a page, and the keys under which its names are compared.

A slug keeps every script. It is NFC, casefolded, its parts joined by `/`, at most MAX_SLUG characters.
"""

import re
import unicodedata
from datetime import date
from functools import cache

from gbrain.digests import sha256
from gbrain.domain.text import collapse
from gbrain.errors import InvalidParams

MAX_SLUG = 255
MAX_KEY = 512

_TYPES = {
    "people": "person",
    "companies": "company",
    "deals": "deal",
    "meetings": "meeting",
    "concepts": "concept",
    "projects": "project",
    "media": "media",
    "writing": "writing",
    "notes": "note",
}
DIRECTORIES = frozenset(_TYPES)
"""Folders whose pages are of one type."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = dict.fromkeys(
    (
        0xAD,
        0x34F,
        0x115F,
        0x1160,
        0x200B,
        0x200C,
        0x200D,
        0x2060,
        0x3164,
        0xFEFF,
        0xFFA0,
        *range(0xFE00, 0xFE10),
    )
)
# A link or a file name cannot carry these: `#` and `|` end a wikilink's target, `:` a source's name.
_UNSAFE = frozenset('#|[]<>:"*?\\')
_ENCODED = ("%2e", "%2f", "%5c")
_WRAPPING = {
    '"': '"', "'": "'", "`": "`", "(": ")", "[": "]", "{": "}", "<": ">", "“": "”", "‘": "’", "„": "“",
    "«": "»", "‹": "›", "「": "」", "『": "』", "【": "】", "《": "》", "〈": "〉",
}  # fmt: skip
_SUGGESTION = "use a slug such as `people/alice-example`"


def normalise_slug(text: str) -> str:
    """The one spelling of a slug that a caller gave: NFC, casefolded, white space as `-`, no `.md` behind.

    Raises InvalidParams for what cannot be a page's key: nothing, empty or dot-led parts (`a//b`, `../b`,
    `.git/x`), a slash at either end, control characters and bidi overrides, backslashes or their percent
    codes, the characters of links and file names, and more than MAX_SLUG characters.
    """
    if _is_plain(text):
        return text
    folded = _fold(text.translate(_INVISIBLE)).strip()
    for character in folded:
        _check_character(character, text)
    # A client or a proxy may decode it later, and then it leads out of its folder.
    if any(code in folded for code in _ENCODED):
        raise _refused(text, "it holds a percent-encoded dot or slash")
    slug = "/".join("-".join(part.split()) for part in folded.split("/"))
    while slug.endswith((".md", ".mdx")):
        slug = slug.removesuffix("x").removesuffix(".md")
    if not slug:
        raise _refused(text, "it is empty")
    if slug[0] == "/" or slug[-1] == "/":
        raise _refused(text, "it starts or ends with `/`")
    for part in slug.split("/"):
        if not part:
            raise _refused(text, "one of its parts is empty")
        if part[0] == ".":
            raise _refused(text, "one of its parts starts with a dot")
    if len(slug) > MAX_SLUG:
        raise _refused(text, f"it is longer than {MAX_SLUG} characters")
    return slug


def slugify(name: str) -> str | None:
    """The slug of a free name: `Bob Builder` is `bob-builder`; None when no letter or digit is left.

    Accents are dropped, every script is kept, `/` separates parts. A text that already is a path of slug
    characters keeps its inner `.` and `_`.
    """
    folded = _without_accents(_fold(unicodedata.normalize("NFKC", name.translate(_INVISIBLE))))
    # Only a path that is a slug already means its dots; in a name they end abbreviations.
    kept = "._-" if "/" in folded and _all_slug_characters(folded) else ""
    parts = []
    for part in folded.split("/"):
        spaced = (
            re.sub(f"[^a-z0-9{kept}]", " ", part)
            if part.isascii()
            else "".join(character if _is_word(character) or character in kept else " " for character in part)
        )
        cleaned = "-".join(spaced.split()).strip("._-")
        if cleaned:
            parts.append(cleaned)
    slug = "/".join(parts)[:MAX_SLUG].strip("/._-")
    while slug.endswith((".md", ".mdx")):
        slug = slug.removesuffix("x").removesuffix(".md").strip("/._-")
    return slug or None


def looks_like_slug(text: str) -> bool:
    """Whether the text has a slug's shape: letters, digits, `._-` in parts joined by `/`, in any case."""
    folded = _fold(text)
    return _all_slug_characters(folded) and all(part and part[0] != "." for part in folded.split("/"))


def path_slug(path: str) -> str:
    """The slug of a Markdown file, from its path relative to the source's folder, parts joined by `/`.

    Drops `.md` or `.mdx`; in each part accents and Hebrew points go, letters and digits of any script and
    `._-` stay, spaces become `-`. Raises InvalidParams when a part has nothing left, or for a path too
    long.
    """
    stem = _fold(path)
    for ending in (".mdx", ".md"):
        if stem.endswith(ending):
            stem = stem.removesuffix(ending)
            break
    if _is_plain(stem):
        return stem
    parts = []
    for part in _without_accents(stem).split("/"):
        kept = "".join(c for c in part if _is_word(c) or c in "._-" or c.isspace())
        cleaned = "-".join(piece for piece in "-".join(kept.split()).split("-") if piece).lstrip(".-")
        if not cleaned:
            raise InvalidParams(
                f"the file name `{collapse(path)}` leaves no slug",
                "rename the file so that each part has letters or digits",
            )
        parts.append(cleaned)
    return normalise_slug("/".join(parts))


def alias_key(text: str) -> str:
    """The key under which names are compared: NFKC, casefolded, one space, one layer of quotes off.

    Empty when nothing is left; a digest stands for the end of one longer than any name, so that every database can
    index it. Source: the contract's alias normalisation.
    """
    # Twice, since folding gives characters that NFKC takes apart again.
    key = collapse(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))
    if len(key) >= 2 and _WRAPPING.get(key[0]) == key[-1]:
        key = key[1:-1].strip()
    if len(key) <= MAX_KEY:
        return key
    digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{key[: MAX_KEY - 17]}#{digest}"


def split_aliases(value: object) -> list[str]:
    """The aliases of a front matter value, each once: a list, or one text with commas.

    Numbers and dates are taken as text; blank entries and nested values are dropped.
    """
    if isinstance(value, str):
        candidates: list[object] = list(value.replace("，", ",").replace("、", ",").split(","))
    elif isinstance(value, list | tuple):
        candidates = list(value)
    else:
        candidates = [value]
    kept: dict[str, str] = {}
    for candidate in candidates:
        if candidate is None or isinstance(candidate, dict | list | tuple):
            continue
        text = collapse(str(candidate).lower() if isinstance(candidate, bool) else str(candidate))
        if alias_key(text):
            kept.setdefault(alias_key(text), text)
    return list(kept.values())


def tail(slug: str) -> str:
    """The last part of a slug: `alice` of `people/alice`."""
    return slug.rpartition("/")[2]


def day_of(slug: str) -> str | None:
    """The day that the last part of a slug begins with, as that of a daily note: `daily/2031-03-02`, `2031-03-02-sync`;
    None for another slug and a day that is none."""
    found = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])", tail(slug))
    if found is None:
        return None
    try:
        return date.fromisoformat(found[0]).isoformat()
    except ValueError:
        return None


def title_from_slug(slug: str) -> str:
    """A title for a page without one: the last part, `-` and `_` as spaces, each word with a capital."""
    words = tail(slug).replace("-", " ").replace("_", " ").split()
    return " ".join(word[0].title() + word[1:] for word in words)


def page_type(slug: str, explicit: str | None = None) -> str:
    """A page's type: the one its front matter names, else by its first directory, else `note`."""
    named = collapse(explicit or "")
    if named:
        return named
    directory, slash, _ = slug.partition("/")
    return _TYPES.get(directory, "note") if slash else "note"


def _fold(text: str) -> str:
    # Casefolding the decomposed form is what makes the result stable under a second folding.
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not ("\u0300" <= c <= "\u036f" or _is_point(c)))
    return unicodedata.normalize("NFC", bare)


def _is_point(character: str) -> bool:
    return "\u0591" <= character <= "\u05c7" and unicodedata.category(character) == "Mn"


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _is_plain(text: str) -> bool:
    """Whether a text is a slug as it stands, of small ASCII letters, digits and single hyphens: most are."""
    return len(text) <= MAX_SLUG and _plain().fullmatch(text) is not None


@cache
def _plain() -> re.Pattern[str]:
    # Possessive: a long text that is no slug is given up at once instead of tried in every way.
    part = "[a-z0-9]++(?:-[a-z0-9]++)*+"
    return re.compile(f"{part}(?:/{part})*+")


def _all_slug_characters(text: str) -> bool:
    return all(_is_word(character) or character in "./_-" for character in text)


def _check_character(character: str, text: str) -> None:
    if character in _UNSAFE:
        raise _refused(text, f"it holds `{character}`")
    if character in _BIDI:
        raise _refused(text, "it holds a character that reverses the reading direction")
    if not character.isprintable() and not character.isspace():
        raise _refused(text, "it holds a control or invisible character")
    if (character.isspace() and character < " ") or character in "\x85\u2028\u2029":
        raise _refused(text, "it holds a control character")


def _refused(text: str, why: str) -> InvalidParams:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:60])
    nearest = slugify(text[: 4 * MAX_SLUG])
    return InvalidParams(
        f"`{shown}` is not a slug: {why}",
        f"use `{nearest}`" if nearest and len(text) <= MAX_SLUG else _SUGGESTION,
    )

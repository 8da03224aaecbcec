"""An invented world of any size: people and projects with names in several scripts, and what is said of them.

The same size and seed give the same world. Names repeat as they do among people: few first names are common, a
few pages are linked from everywhere, a few are talked about all the time.
"""

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

HUB_SHARES = (0.75, 0.5, 0.25, 0.1)
"""How large a part of all pages links to each of the first pages."""

_ONSETS = "b c d f g h k l m n p r s t v w z br ch cl cr dr fl gr kn pl pr sh sk sl st th tr".split()  # noqa: SIM905
_VOWELS = "a e i o u ai ea ee ia io oa ou".split()  # noqa: SIM905
_CODAS = ["", "", "", "l", "m", "n", "r", "s", "t", "nd", "rt", "st"]
_ACCENTED = str.maketrans({"a": "á", "e": "é", "o": "ö", "u": "ü", "n": "ñ", "c": "ç"})
_HAN_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗郑梁谢宋唐许邓冯韩曹"
_HAN = (
    "明华建国文军平志伟东海强晓生光林小民永杰安玉春秋山川水木石月云风雪天星河湖岛桥灯塔城市"
    "港口船帆海图项目报告计划会议客户数据研究设计开发测试"
)
_KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
_HANGUL = "김이박최정강조윤장임서준민지현수영진우경은혜도하나라다미소"
_CYRILLIC = "бвгдзклмнпрст", "аеиоу"
_ARABIC = "بتجحدرسشعفقكلمنهوي"
_SUFFIXES = (
    *("Labs", "Charts", "Works", "Systems", "Partners", "Studio", "Analytics", "Foundry", "Capital"),
    *("Robotics", "Networks", "Foods", "Energy", "Health", "Press", "Logistics"),
)
_FOLDERS = (
    ("people", "person", 55),
    ("companies", "company", 20),
    ("projects", "project", 10),
    ("notes", "note", 10),
    ("meetings", "meeting", 5),
)
GLUE = "the a of and to in for with on that is was has from after about".split()  # noqa: SIM905
_SAYINGS = (
    ("preference", "prefers {0} to {1} whenever {2} is on the table, case {n}"),
    ("commitment", "will send the {0} {1} to {who} before the {2} review {n}"),
    ("event", "met {who} about the {0} {1} on day {n} of the {2} trip"),
    ("belief", "thinks the {0} of {1} will change {2} within {n} weeks"),
    ("fact", "keeps the {0} {1} in room {n}, next to the {2}"),
    ("fact", "负责{0}的海图项目，编号{n}"),
)


class Size(NamedTuple):
    """How much of everything there is."""

    pages: int
    links: int
    aliases: int
    facts: int

    @classmethod
    def of(cls, pages: int) -> "Size":
        """The usual proportions: 5 links, 1.5 aliases and 2 facts a page."""
        return cls(pages, pages * 5, pages * 3 // 2, pages * 2)


class Being(NamedTuple):
    """What a page is about."""

    slug: str
    title: str
    type: str
    aliases: tuple[str, ...]


class World:
    """All names of a world, and sayings about them drawn with a random generator of the caller."""

    def __init__(self, size: Size, seed: int) -> None:
        self.size = size
        self.seed = seed
        rng = random.Random(f"{seed}:{size}")
        self._words = sorted({_word(rng, rng.choice((1, 2, 2, 3))) for _ in range(6000)})
        rng.shuffle(self._words)
        self._weights = _zipf(len(self._words), 10)
        self._first = [_word(rng, 2).capitalize() for _ in range(400)]
        self._first_weights = _zipf(len(self._first), 3)
        self._last = [_word(rng, rng.choice((2, 3))).capitalize() for _ in range(max(500, size.pages // 4))]
        self.beings = self._beings(rng)

    def words(self, rng: random.Random, count: int) -> list[str]:
        """Words as they occur in text: few of them often."""
        return rng.choices(self._words, cum_weights=self._weights, k=count)

    def known(self, rng: random.Random) -> int:
        """The number of a page, the first ones far more often: whom facts and links are about."""
        return int(self.size.pages * rng.random() ** 3)

    def body(self, rng: random.Random, length: int = 8) -> str:
        """So many sentences of about ten words; one page in eight has a Chinese sentence too."""
        sentences = []
        for _ in range(length):
            words = self.words(rng, rng.randint(5, 8))
            for place in range(len(words), 0, -2):
                words.insert(place, rng.choice(GLUE))
            sentences.append(" ".join(words).capitalize() + ".")
        if rng.random() < 0.125:
            sentences.append("".join(rng.choices(_HAN, k=24)) + "。")
        return " ".join(sentences)

    def claim(self, rng: random.Random, number: int) -> tuple[str, str]:
        """(text, kind) of a fact; the number keeps any two apart."""
        kind, saying = rng.choice(_SAYINGS)
        who = self.beings[self.known(rng)].title
        return saying.format(*self.words(rng, 3), who=who, n=number), kind

    def _beings(self, rng: random.Random) -> list[Being]:
        folders = [folder[:2] for folder in _FOLDERS]
        chances = list(accumulate(folder[2] for folder in _FOLDERS))
        taken: set[str] = set()
        found = []
        for number in range(self.size.pages):
            folder, kind = rng.choices(folders, cum_weights=chances)[0]
            title = self._person(rng) if kind == "person" else self._thing(rng, kind)
            slug = f"{folder}/{_tail(title)}"
            while slug in taken:
                slug = f"{folder}/{_tail(title)}-{number}"
                number += self.size.pages
            taken.add(slug)
            found.append((slug, title, kind))
        return [Being(*made, self._aliases(rng, at, *made[1:])) for at, made in enumerate(found)]

    def _aliases(self, rng: random.Random, at: int, title: str, kind: str) -> tuple[str, ...]:
        count = self.size.aliases // self.size.pages + (at < self.size.aliases % self.size.pages)
        parts = title.split()
        short = f"{parts[0][:1]}. {parts[-1]}" if kind == "person" and len(parts) > 1 else f"{parts[0]} {at}"
        made = [short, f"{_word(rng, 3)}-{at}", _word(rng, 4)]
        return tuple(dict.fromkeys(made[:count]))

    def _person(self, rng: random.Random) -> str:
        script = rng.random()
        if script < 0.78:
            first = rng.choices(self._first, cum_weights=self._first_weights)[0]
            name = f"{first} {rng.choice(self._last)}"
            return name.translate(_ACCENTED) if script > 0.7 else name
        if script < 0.88:
            return rng.choice(_HAN_SURNAMES) + "".join(rng.choices(_HAN, k=2))
        if script < 0.92:
            return "".join(rng.choices(_KANA, k=3)) + "・" + "".join(rng.choices(_KANA, k=4))
        if script < 0.96:
            letters = [rng.choice(_CYRILLIC[place % 2]) for place in range(12)]
            return "".join(letters[:5]).capitalize() + " " + "".join(letters[5:]).capitalize()
        if script < 0.98:
            return "".join(rng.choices(_HANGUL, k=3))
        return "".join(rng.choices(_ARABIC, k=4)) + " " + "".join(rng.choices(_ARABIC, k=5))

    def _thing(self, rng: random.Random, kind: str) -> str:
        words = [word.capitalize() for word in self.words(rng, 2)]
        if kind == "company":
            return f"{_word(rng, 3).capitalize()} {rng.choice(_SUFFIXES)}"
        if kind == "meeting":
            return f"{words[0]} {rng.choice(('Review', 'Call', 'Offsite'))} {rng.randint(1, 999)}"
        return f"{words[0]} {words[1]} {rng.choice(('Plan', 'Survey', 'Notes', 'Launch'))}"


def misspelt(rng: random.Random, name: str) -> str:
    """The name with one letter of its longest word left out, doubled, swapped or replaced."""
    words = name.split()
    at = max(range(len(words)), key=lambda place: len(words[place]))
    word = words[at]
    place = rng.randrange(max(1, len(word) - 1))
    words[at] = rng.choice(
        (
            word[:place] + word[place + 1 :],
            word[:place] + word[place] + word[place:],
            word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
            word[:place] + rng.choice("aeiourst") + word[place + 1 :],
        )
    )
    return " ".join(words)


def _word(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(syllables))


def _zipf(count: int, flat: int) -> list[float]:
    """Cumulative weights in which the k-th of `count` things has 1 / (k + flat), Mandelbrot's form of Zipf's law."""
    return list(accumulate(1 / (place + 1 + flat) for place in range(count)))


def _tail(title: str) -> str:
    return "-".join("".join(character if character.isalnum() else " " for character in title.casefold()).split())


def spread(rng: random.Random, world: World) -> Sequence[tuple[int, int]]:
    """The pairs of pages that are linked: first those to the hubs, then by how known a page is."""
    pages, wanted = world.size.pages, world.size.links
    pairs: dict[tuple[int, int], None] = {}
    for hub, share in enumerate(HUB_SHARES):
        for origin in rng.sample(range(pages), int(share * pages)):
            if origin != hub and len(pairs) < wanted * 0.6:
                pairs[origin, hub] = None
    while len(pairs) < min(wanted, pages * (pages - 1) // 2):
        origin, target = rng.randrange(pages), world.known(rng)
        if origin != target:
            pairs[origin, target] = None
    return list(pairs)

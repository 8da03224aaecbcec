"""Invented conversations about an invented brain, with what should be offered at each turn; a third of them are traps.

The same seed gives the same corpus. Names are put together from syllables and signs of several scripts, and words that
are names besides come from a list of this module's own: nothing here is taken from what finds the names.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

HOME, SHARED, APART = "work", "notes", "private-life"
"""The project's source, a federated one, and one that is nobody's business here."""


class Entry(NamedTuple):
    """A page of the brain."""

    source: str
    slug: str
    title: str
    type: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    private: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Source and slug."""
        return self.source, self.slug


class Turn(NamedTuple):
    """What the person says, what is to be offered then, what the agent answers, and what kind of turn it is."""

    said: str
    gold: frozenset[tuple[str, str]]
    reply: str
    kind: str
    trap: bool = False


class Corpus(NamedTuple):
    """The pages of a brain, facts about them (source, slug, text, kind), and conversations."""

    entries: list[Entry]
    facts: list[tuple[str, str, str, str]]
    talks: list[list[Turn]]


_STARTS = "Bra Cor Del Fen Gal Hol Jor Kel Lun Mor Nel Ostr Pel Quen Ral Sor Tem Ulv Vor Wex Yar Zel Thal Brin".split()  # noqa: SIM905
_MIDDLES = "a e i o u an er il on ur ath ev is ol".split()  # noqa: SIM905
_ENDS = "dane lisk mund nova rell sky tova vik wyn zar brook quist ström ferra nério lde bøe ček".split()  # noqa: SIM905
_GIVEN = "Ma Jo Ta Li Ro Se Ka Ni Pa Vi".split(), "rek lisa no vin dra mil tja nea rion ssa".split()  # noqa: SIM905
_TRADES = "Freight Optics Bakery Insurance Robotics Timber Clinics Dyes Seeds Films".split()  # noqa: SIM905
_SLAVIC = (
    ("Глеб", "Варунов"), ("Лидия", "Горунова"), ("Вадим", "Долунов"), ("Лидия", "Жарунова"), ("Захар", "Зимунов"),
    ("Мария", "Колунова"), ("Степан", "Лутунов"), ("Мария", "Савунова"),
)  # fmt: skip
_HAN_FAMILY, _HAN_OWN = "欧黎殷骆裴嵇蔺郝", "嘉琪浩宇欣怡俊杰雅婷"
_KANJI = ("高橋", "渡辺", "松本", "斎藤", "藤原"), ("健太", "美咲", "翔平", "陽菜", "直樹")
_HANGUL = "곽남도류문", ("서준", "하은", "도윤", "지우", "예린")
_THINGS = ("invoice", "contract", "roadmap", "budget", "slides", "offer", "schedule", "mock-ups", "audit")
_SAME_WORD: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Will",
        "person",
        ("Will you look at the {thing}?", "This will take a while.", "where there's a will there's a way"),
    ),
    ("Mark", "person", ("Mark the {thing} as final.", "Please mark all of them read.", "leave a mark on the page")),
    ("Grace", "person", ("Is there a grace period for the {thing}?", "Grace period ends tonight.")),
    ("Chase", "person", ("Chase the {thing} again.", "I don't want to chase them.")),
    ("Rose", "person", ("The price rose by two percent.", "a rose garden")),
    ("Bill", "person", ("Bill them for the {thing}.", "the electricity bill is due")),
    ("Hope", "person", ("Hope that works.", "I hope the {thing} is fine.")),
    ("May", "person", ("May I see the {thing}?", "The {thing} is due in May.", "it may rain")),
    ("Apple", "company", ("I had an apple for lunch.", "apple pie recipe please")),
    ("Target", "company", ("What is our target for the {thing}?", "target audience: engineers")),
    ("Square", "company", ("Draw a square around the logo.", "square the number")),
    ("Notion", "company", ("I have no notion of what that means.",)),
    ("Shell", "company", ("Open a shell and run it.", "Which shell do you use?")),
    ("Compass", "project", ("a compass points north",)),
)
"""A name, what bears it, and everyday sentences with the word."""
_IDLE = (
    "Fix the failing test in the parser.", "How do I center a div?", "Summarise this in three bullet points.",
    "What's the weather like?", "Rename the variable and run it again.", "请把这段话翻译成英文。",
    "Спасибо, всё понятно.", "Write a haiku about rain.", "ok", "thanks!", "Why is the build so slow?",
    "Convert this to YAML.", "もう一度お願いします。",
    "Explain what a mutex is", "make it shorter", "그거 다시 해줘",
)  # fmt: skip
_REPLIES = ("Done.", "Sure.", "Here is a draft.", "I see.", "Let me know if that helps.", "好的。", "Anything else?")


class _Names:
    """Names that no two entries share unless they are meant to."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def fresh(self, make: Callable[[], str]) -> str:
        while (name := make()).casefold() in self._used:
            pass
        self._used.add(name.casefold())
        return name

    def family(self) -> str:
        pick = self._rng.choice
        return self.fresh(lambda: pick(_STARTS) + pick(_MIDDLES) + pick(_ENDS))

    def given(self) -> str:
        return self._rng.choice(_GIVEN[0]) + self._rng.choice(_GIVEN[1])


def corpus(seed: int, talks: int) -> Corpus:
    """The corpus of a seed, with so many conversations."""
    rng = random.Random(f"push:{seed}")
    names = _Names(rng)
    world = _World(rng, names)
    return Corpus(world.entries, world.facts, [_talk(world, rng) for _ in range(talks)])


class _World:
    """The pages, by what they are good for."""

    def __init__(self, rng: random.Random, names: _Names) -> None:
        self.entries: list[Entry] = []
        self.facts: list[tuple[str, str, str, str]] = []
        self.rng, self.names = rng, names
        self.companies = [self._company(HOME if n % 4 else SHARED) for n in range(24)]
        self.people = [self._person(HOME if n % 4 else SHARED, rng.choice(self.companies)) for n in range(60)]
        self.projects = [self._project() for _ in range(12)]
        self.slavic = [self._slavic(n) for n in range(8)]
        self.unspaced = [self._unspaced(n) for n in range(15)]
        self.words = [self._word(*row[:2]) for row in _SAME_WORD]
        self.apart = [self._person(APART, rng.choice(self.companies)) for _ in range(10)]
        self.hidden = [self._person(HOME, rng.choice(self.companies), private=True) for _ in range(6)]
        self.twins = [self._twins() for _ in range(6)]
        self.cousins = [self._cousins() for _ in range(4)]

    def _add(self, entry: Entry) -> Entry:
        self.entries.append(entry)
        if self.rng.random() < 0.4:
            kind = self.rng.choice(("commitment", "fact", "preference"))
            said = {
                "commitment": "sends the {} by Friday",
                "fact": "owns the {}",
                "preference": "wants the {} in writing",
            }
            self.facts.append((*entry.place, said[kind].format(self.rng.choice(_THINGS)), kind))
        return entry

    def _person(self, source: str, company: Entry, *, private: bool = False, title: str = "") -> Entry:
        title = title or f"{self.names.given()} {self.names.family()}"
        aliases = (self.names.fresh(lambda: self.rng.choice(_STARTS) + self.rng.choice("iyox")),) * (
            self.rng.random() < 0.3
        )
        slug = f"people/{len(self.entries)}-" + title.casefold().replace(" ", "-")
        summary = f"Works at {company.title}, on the {self.rng.choice(_THINGS)}."
        return self._add(Entry(source, slug, title, "person", aliases, summary, private))

    def _company(self, source: str) -> Entry:
        title = f"{self.names.family()} {self.rng.choice(_TRADES)}"
        return self._add(
            Entry(source, f"companies/{title.casefold().replace(' ', '-')}", title, "company", (), "A client.")
        )

    def _project(self) -> Entry:
        name = self.names.family()
        title = name if self.rng.random() < 0.5 else f"{name}: the new {self.rng.choice(_THINGS)}"
        return self._add(Entry(HOME, f"projects/{name.casefold()}", title, "project", (), "Runs until June."))

    def _slavic(self, number: int) -> Entry:
        title = " ".join(_SLAVIC[number])
        return self._add(Entry(HOME, f"people/slavic-{number}", title, "person", (), "Юрист."))

    def _unspaced(self, number: int) -> Entry:
        pick = self.rng.choice
        made = (
            lambda: pick(_HAN_FAMILY) + pick(_HAN_OWN) + pick(_HAN_OWN),
            lambda: f"{pick(_KANJI[0])} {pick(_KANJI[1])}",
            lambda: pick(_HANGUL[0]) + pick(_HANGUL[1]),
        )[number % 3]
        return self._add(Entry(HOME, f"people/cjk-{number}", self.names.fresh(made), "person", (), "銷售"))

    def _word(self, name: str, type: str) -> Entry:
        title = f"{name} {self.names.family()}" if type == "person" else name
        aliases = (name,) if type == "person" else ()
        return self._add(Entry(HOME, f"words/{name.casefold()}", title, type, aliases, "Known by a word."))

    def _twins(self) -> tuple[Entry, Entry]:
        """Two people of one full name."""
        title = f"{self.names.given()} {self.names.family()}"
        return tuple(self._person(HOME, company, title=title) for company in self.rng.sample(self.companies, 2))  # type: ignore[return-value]

    def _cousins(self) -> tuple[Entry, Entry]:
        """Two people of one surname."""
        family = self.names.family()
        first, second = self.rng.sample(["Ondra", "Pilvi", "Teskar", "Umber"], 2)
        one, other = self.rng.sample(self.companies, 2)
        return self._person(HOME, one, title=f"{first} {family}"), self._person(HOME, other, title=f"{second} {family}")


def _talk(world: _World, rng: random.Random) -> list[Turn]:
    """A conversation: turns that call something to mind, idle ones and traps, a third each."""
    told: set[tuple[str, str]] = set()
    turns: list[Turn] = []
    for _ in range(rng.randint(3, 7)):
        makers = rng.choices((_NAMING, _IDLING, _TRAPS), (40, 27, 33))[0]
        for turn in rng.choice(makers)(world, rng):
            gold = turn.gold - told
            told |= gold
            turns.append(turn._replace(gold=gold, trap=turn.trap or bool(turn.gold and not gold)))
    return turns


def _turn(rng: random.Random, kind: str, said: str, *gold: Entry, trap: bool = False, reply: str = "") -> Turn:
    said = said.replace("{thing}", rng.choice(_THINGS))
    return Turn(said, frozenset(entry.place for entry in gold), reply or rng.choice(_REPLIES), kind, trap)


def _full(world: _World, rng: random.Random) -> list[Turn]:
    person = rng.choice(world.people)
    said = rng.choice(
        (
            "What did {n} promise about the {thing}?", "Draft a mail to {n}.", "has {n} answered?",
            "I'm meeting {n} tomorrow, what should I know?", "{n} wants the {thing} earlier.", "Loop in {n} please",
            "So, {n}'s {thing}: where are we?",
            "- call {n}\n- send {thing}", "Is the {thing} from {n}?", "remind me to thank {n} (and pay the {thing})",
        )
    )  # fmt: skip
    name = person.title if rng.random() < 0.8 else person.title.lower()
    return [_turn(rng, "full name", said.replace("{n}", name), person)]


def _surname(world: _World, rng: random.Random) -> list[Turn]:
    person = rng.choice(world.people)
    said = rng.choice(
        ("Did Ms. {n} sign the {thing}?", "I talked to {n} about the {thing}.", "{n} called twice.", "Ask {n}.")
    )
    return [_turn(rng, "surname", said.replace("{n}", person.title.split()[-1]), person)]


def _alias(world: _World, rng: random.Random) -> list[Turn]:
    person = rng.choice([one for one in world.people if one.aliases])
    name = person.aliases[0] if rng.random() < 0.6 else person.aliases[0].lower()
    said = rng.choice(
        ("did {n} see the {thing}?", "Tell {n} it's fine.", "we owe {n} an answer", "send {n} the {thing}")
    )
    return [_turn(rng, "alias", said.replace("{n}", name), person)]


def _thing(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.companies + world.projects)
    name = entry.title.split(":")[0]
    said = rng.choice(
        ("What's the state of {n}?", "Prepare the {thing} for {n}.", "we lost {n} as far as I know", "{n} again...")
    )
    return [_turn(rng, entry.type, said.replace("{n}", name), entry)]


def _two(world: _World, rng: random.Random) -> list[Turn]:
    one, other = rng.sample(world.people, 2)
    said = f"Set up a call between {one.title} and {other.title} on the {{thing}}."
    return [_turn(rng, "two people", said, one, other)]


def _slug(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.people)
    return [_turn(rng, "slug", f"Update {entry.slug} with the {{thing}}.", entry)]


def _bare(world: _World, rng: random.Random) -> list[Turn]:
    """Accents left out."""
    entry = rng.choice([one for one in world.people if not one.title.isascii()] or world.people)
    name = entry.title.translate(str.maketrans("öéøč", "oeoc"))
    return [_turn(rng, "without accents", f"Forward it to {name} today.", entry)]


def _cases(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.slavic)
    given, family = entry.title.split()
    if family.endswith("а"):
        forms = [
            f"Напиши {given[:-1]}и {family[:-1]}ой.",
            f"Что обещала {given} {family}?",
            f"Я говорил с {given[:-1]}ей {family[:-1]}ой.",
        ]
    else:
        forms = [f"Напиши {given}у {family}у.", f"Что обещал {given} {family}?", f"Я говорил с {given}ом {family}ым."]
    return [_turn(rng, "inflected", rng.choice(forms), entry)]


def _cjk(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.unspaced)
    name = entry.title.replace(" ", "")
    if "가" <= name[0] <= "힣":
        said = rng.choice(("{n}에게 메일 보내줘", "{n} 팀장님 일정 알려줘", "내일 {n}와 회의"))
    elif " " in entry.title:
        said = rng.choice(("{n}さんに返信して", "{n}の予定は？", "明日{n}と会う"))
    else:
        said = rng.choice(("给{n}发邮件", "{n}说什么了？", "明天和{n}开会", "{n}的合同到期了吗"))
    return [_turn(rng, "no spaces", said.replace("{n}", name), entry)]


def _word_name(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.words)
    name = entry.aliases[0] if entry.aliases else entry.title
    if entry.type == "person":
        said = rng.choice(
            ("I met {n} at the airport.", "{n} said the {thing} is late.", "Could you ask {n} about the {thing}?")
        )
    else:
        said = rng.choice(
            ("We signed with {n} last week.", "{n} announced a new {thing}.", "the {thing} is from {n}, I think")
        )
    return [_turn(rng, "common word", said.replace("{n}", name), entry)]


def _pronoun(world: _World, rng: random.Random) -> list[Turn]:
    """Whoever is named only by the agent, or only asked for later."""
    entry = rng.choice(world.people)
    first = _turn(rng, "idle", rng.choice(_IDLE[:3]), reply=f"Done. I could also ask {entry.title} about it.")
    said = rng.choice(("What is her number?", "Does he know about the {thing}?", "yes, do that", "has she signed?"))
    return [first, _turn(rng, "pronoun", said, entry)]


def _beside(world: _World, rng: random.Random) -> list[Turn]:
    """A surname of two, told apart by the company."""
    pair = rng.choice(world.cousins)
    person = rng.choice(pair)
    company = next(one for one in world.companies if one.title in person.summary)
    return [_turn(rng, "by company", f"I spoke to {person.title.split()[-1]} of {company.title}.", person, company)]


def _idle(world: _World, rng: random.Random) -> list[Turn]:
    return [_turn(rng, "idle", rng.choice(_IDLE))]


def _everyday(world: _World, rng: random.Random) -> list[Turn]:
    return [_turn(rng, "everyday word", rng.choice(rng.choice(_SAME_WORD)[2]), trap=True)]


def _namesake(world: _World, rng: random.Random) -> list[Turn]:
    person = rng.choice(world.people)
    given, family = person.title.split()
    said = rng.choice(
        (f"I met Orsolya {family} on the train.", f"{given} Haverkamp is my dentist.", f"We live in {family} Street.",
         f"the {family} Foundation gave us a grant", f"Is {given}'s school closed?")
    )  # fmt: skip
    return [_turn(rng, "namesake", said, trap=True)]


def _unclear(world: _World, rng: random.Random) -> list[Turn]:
    twin = rng.choice(world.twins)[0]
    cousin = rng.choice(world.cousins)[0]
    said = rng.choice((f"Ask {twin.title} about it.", f"{cousin.title.split()[-1]} called."))
    return [_turn(rng, "ambiguous", said, trap=True)]


def _in_code(world: _World, rng: random.Random) -> list[Turn]:
    name = rng.choice(world.people + world.companies).title
    joined = name.replace(" ", "_")
    said = rng.choice(
        (f"Why does `{name}` fail?", f"```py\nowner = '{name}'\n```\nWhat is wrong here?",
         f"See https://example.org/{joined}/x for the {{thing}}.", f"rename {joined}_id to owner_id",
         f"open ./{joined}.csv",
         f"mail to {joined.lower()}@example.org bounced")
    )  # fmt: skip
    return [_turn(rng, "in code", said, trap=True)]


def _not_here(world: _World, rng: random.Random) -> list[Turn]:
    entry = rng.choice(world.apart + world.hidden)
    return [
        _turn(rng, "another source" if entry.source == APART else "private", f"What did {entry.title} say?", trap=True)
    ]


def _again(world: _World, rng: random.Random) -> list[Turn]:
    """Named once, then again, and then something else."""
    entry = rng.choice(world.people)
    return [
        _turn(rng, "full name", f"Write to {entry.title}.", entry),
        _turn(rng, "repeated", f"Make it friendlier, {entry.title} is nice.", trap=True),
        _turn(rng, "other topic", rng.choice(_IDLE), trap=True),
    ]


def _two_before(world: _World, rng: random.Random) -> list[Turn]:
    one, other = rng.sample(world.people, 2)
    reply = f"Either {one.title} or {other.title} could help."
    return [_turn(rng, "idle", _IDLE[1], reply=reply), _turn(rng, "unclear pronoun", "What is his number?", trap=True)]


def _longer(world: _World, rng: random.Random) -> list[Turn]:
    """A name inside a longer one."""
    entry = rng.choice([one for one in world.unspaced if " " not in one.title])
    hangul = "가" <= entry.title[0] <= "힣"
    said = f"{entry.title}철에게 전화" if hangul else f"查一下小{entry.title}珠宝店在哪"
    return [_turn(rng, "inside a word", said, trap=True)]


_Maker = Callable[[_World, random.Random], list[Turn]]
_NAMING: tuple[_Maker, ...] = (
    _full, _full, _full, _surname, _alias, _thing, _two, _slug, _bare, _cases, _cjk, _cjk, _word_name, _pronoun,
    _beside,
)  # fmt: skip
_IDLING: tuple[_Maker, ...] = (_idle,)
_TRAPS: tuple[_Maker, ...] = (
    _everyday, _everyday, _namesake, _unclear, _in_code, _not_here, _again, _two_before, _longer,
)  # fmt: skip

"""Other conversations, held back: other names, other sentences and other traps than `talk`, for the same measurement.

Nothing in what finds names was changed for these. Names are whole here, not put together, and chosen as they occur in
offices: with particles, hyphens and titles, in Greek, Ukrainian, Vietnamese, Turkish, Arabic, Hebrew, Hindi and Thai
besides the usual scripts.
"""

import random
from collections.abc import Callable

from gbrain.bench.talk import APART, HOME, SHARED, Corpus, Entry, Turn

_PEOPLE = (
    "Ingrid Solheim",
    "Tomasz Wiśniewski",
    "Ana-Lucía Ferreyra",
    "Kwame Boateng",
    "Siobhán Ní Bhriain",
    "Piotr Zając",
    "Marguerite de Villeneuve",
    "Rashid Al-Farsi",
    "Noor van Dijk",
    "Eszter Kovács",
    "Jürgen Meißner",
    "Oluwaseun Adeyemi",
    "Anneliese Krüger",
    "Bartholomew Hargreaves",
    "Cosima Vandermeer",
    "Dmitri Pavlenko",
    "Ewan McAllister",
    "Fenna Dijkstra",
    "Giulia Marchetti",
    "Håkon Bjørnstad",
    "Imogen Pettigrew",
    "Jorge Ibáñez Soler",
    "Katarzyna Nowicka",
    "Lachlan O'Rourke",
    "Mirela Popescu",
    "Nadia Benhaddou",
    "Orla Fitzsimmons",
    "Pedro Quintanilha",
    "Quentin Delacroix",
    "Rhiannon Llewellyn",
)
_ELSEWHERE = (
    "Ελένη Παπαδοπούλου",
    "Олена Шевченко",
    "Nguyễn Thị Hạnh",
    "Çağla Öztürk",
    "سمير حداد",
    "יעל ברק",
    "प्रिया शर्मा",
    "ธนพล ศรีสุข",
    "陳怡君",
    "周杰倫",
    "佐藤 健一",
    "ワタナベ・ケン",
    "박지민",
    "최유나",
    "Наталья Кузьмина",
)
_COMPANIES = (
    "Brightwater Analytics",
    "Kestrel & Sons",
    "Nordlicht GmbH",
    "Oakhaven",
    "Tessellate",
    "Vantage Point Labs",
    "Zephyr Foods",
    "Banque Lemoine",
    "Pineapple Studios",
    "Redfern Holdings",
    "C-Fold",
    "Quill.io",
)
_PROJECTS = ("Operation Hummingbird", "Bluebird", "Marble Arch", "K2 Migration", "Project Saffron")
_NICK = {
    "Bartholomew Hargreaves": "Barty",
    "Katarzyna Nowicka": "Kasia",
    "Rhiannon Llewellyn": "Rhi",
    "Jürgen Meißner": "Jogi",
    "Oluwaseun Adeyemi": "Seun",
    "Imogen Pettigrew": "Immy",
}
_WORDY: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Drew", "person", ("I had lunch with Drew.", "Drew wants to move the demo."), ("Who drew this diagram?",)),
    (
        "Faith",
        "person",
        ("Can Faith join us?", "Faith sent the numbers."),
        ("I lost faith in that vendor", "Good faith clause?"),
    ),
    ("Pat", "person", ("Say hi to Pat for me.", "Pat told me to wait."), ("pat yourself on the back",)),
    (
        "Art",
        "person",
        ("The idea came from Art.", "Art agreed to sign."),
        ("Is that art or design?", "Art direction is due"),
    ),
    (
        "June",
        "person",
        ("We should ask June.", "June mentioned a refund."),
        ("Ship it in June.", "June numbers look bad"),
    ),
    (
        "Frank",
        "person",
        ("I owe Frank a reply.", "Frank called about the lease."),
        ("To be frank, it is late.", "Frank feedback please"),
    ),
    (
        "Stripe",
        "company",
        ("We got paid by Stripe.", "Stripe raised its fees."),
        ("Add a stripe to the flag", "a stripe pattern"),
    ),
    ("Oracle", "company", ("The licence comes from Oracle.", "Oracle sent an auditor."), ("oracle of Delphi",)),
    ("Signal", "project", ("How far is the work on Signal?",), ("I have no signal here.", "Signal processing 101")),
)
_SMALL = (
    "could you refactor this function?",
    "Next question.",
    "Why does CSS hate me",
    "Translate 'good morning' to Dutch.",
    "Merci beaucoup !",
    "git rebase or merge?",
    "List three fruits.",
    "wie spät ist es",
    "No, the other file.",
    "Perfetto",
    "这段代码是什么意思？",
    "Explícame la fotosíntesis",
    "lgtm",
    "The tests are green now.",
    "Plan a trip to Lisbon in spring",
    "What would Aristotle say?",
    "Is Python faster than Ruby?",
    "Compare Berlin and Vienna.",
)
_ANSWERS = ("Okay.", "It's done, see above.", "Let me think.", "Voilà.", "I found two options.", "Right.")


class _Office:
    """The pages, by what they are good for."""

    def __init__(self, rng: random.Random) -> None:
        self.entries: list[Entry] = []
        self.companies = [self._add(HOME, "org", name, "company", "Supplier.") for name in _COMPANIES]
        self.people = []
        for number, name in enumerate(_PEOPLE):
            company = self.companies[number % len(self.companies)]
            nick = (_NICK[name],) if name in _NICK else ()
            where = SHARED if number % 5 == 0 else HOME
            self.people.append(self._add(where, "people", name, "person", f"Buyer, {company.title}.", nick))
        self.elsewhere = [self._add(HOME, "people", name, "person", "") for name in _ELSEWHERE]
        self.projects = [self._add(HOME, "projects", name, "project", "Ends in autumn.") for name in _PROJECTS]
        self.wordy = [
            self._add(
                HOME,
                "w",
                f"{name} Ottesen-{name}" if type == "person" else name,
                type,
                "",
                (name,) * (type == "person"),
            )
            for name, type, _, _ in _WORDY
        ]
        self.notes = [
            self._add(HOME, "notes", name, "note", "") for name in ("Meeting notes", "Ideas", "How we work", "Reading")
        ]
        self.apart = [
            self._add(APART, "people", name, "person", "") for name in ("Beatrix Lindqvist", "Uwe Achterberg")
        ]
        self.hidden = [self._add(HOME, "people", "Cornelius Vance", "person", "", (), True)]
        self.doubles = [self._add(HOME, f"d{n}", "Matteo Rinaldi", "person", "") for n in range(2)]
        self.sisters = [self._add(HOME, "people", name, "person", "") for name in ("Freya Thorvald", "Astrid Thorvald")]
        rng.shuffle(self.people)

    def _add(
        self,
        source: str,
        folder: str,
        title: str,
        type: str,
        summary: str,
        aliases: tuple[str, ...] = (),
        private: bool = False,
    ) -> Entry:
        entry = Entry(source, f"{folder}/n{len(self.entries)}", title, type, aliases, summary, private)
        self.entries.append(entry)
        return entry


def corpus(seed: int, talks: int) -> Corpus:
    """The corpus of a seed, with so many conversations."""
    rng = random.Random(f"held:{seed}")
    office = _Office(rng)
    facts = [(*entry.place, "has to answer until the tenth", "commitment") for entry in office.people[:12]]
    return Corpus(office.entries, facts, [_talk(office, rng) for _ in range(talks)])


def _talk(office: _Office, rng: random.Random) -> list[Turn]:
    told: set[tuple[str, str]] = set()
    turns: list[Turn] = []
    for _ in range(rng.randint(2, 6)):
        makers = rng.choices((_CALLED, (_small,), _TRAPS), (40, 27, 33))[0]
        for turn in rng.choice(makers)(office, rng):
            gold = turn.gold - told
            told |= gold
            turns.append(turn._replace(gold=gold, trap=turn.trap or bool(turn.gold and not gold)))
    return turns


def _say(rng: random.Random, kind: str, said: str, *gold: Entry, reply: str = "") -> Turn:
    return Turn(said, frozenset(one.place for one in gold), reply or rng.choice(_ANSWERS), kind)


def _trap(rng: random.Random, kind: str, said: str) -> Turn:
    return Turn(said, frozenset(), rng.choice(_ANSWERS), kind, True)


def _small(office: _Office, rng: random.Random) -> list[Turn]:
    return [_say(rng, "small talk", rng.choice(_SMALL))]


def _whole_name(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    said = rng.choice(
        (
            "Just got off the phone with {n}, total mess.",
            "agenda for {n} on thursday",
            "Re: {n}",
            "{n}'s birthday is soon, ideas?",
            "We never heard back from {n}. Follow up?",
            "“{n} will decide”, they wrote.",
            "* {n}: pending\n* rest: done",
            "Hey, quick one: who introduced us to {n}?",
            "{n}, who runs procurement, is unhappy.",
            "Who is {n} again?",
            "Please cc {n} on the reply and keep it short.",
            "je dois écrire à {n} ce soir",
            "Ich treffe {n} morgen in Köln.",
            "hab gestern {n} getroffen",
            "Mañana hablo con {n}.",
        )
    )
    return [_say(rng, "whole name", said.replace("{n}", one.title), one)]


def _lower(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    return [_say(rng, "whole name, lower", f"any news from {one.title.lower()}? been a week", one)]


def _family(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice([one for one in office.people if len(one.title.split()) == 2])
    said = rng.choice(
        ("{n} wasn't amused.", "Dr. {n} sent the figures.", "The deal with {n} fell through.", "Is {n}'s team in?")
    )
    return [_say(rng, "family name", said.replace("{n}", one.title.split()[-1]), one)]


def _nick(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice([one for one in office.people if one.aliases])
    name = rng.choice((one.aliases[0], one.aliases[0].lower()))
    said = rng.choice(("what's {n} up to", "lunch with {n} at noon", "Could {n} review it?"))
    return [_say(rng, "nickname", said.replace("{n}", name), one)]


def _firm(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.companies + office.projects)
    said = rng.choice(
        ("Any risk with {n}?", "Who's our contact at {n}?", "I'd rather drop {n}.", "Update me on {n}, please")
    )
    return [_say(rng, one.type, said.replace("{n}", one.title), one)]


def _abroad(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.elsewhere)
    name = one.title
    said = {
        "Ελένη Παπαδοπούλου": "Μίλησα με την {n} χθες.",
        "Олена Шевченко": "Що казала {n}?",
        "سمير حداد": "اجتماع مع {n} غدا",
        "Nguyễn Thị Hạnh": "Gửi email cho {n} nhé",
        "Çağla Öztürk": "{n}'e haber ver",
        "יעל ברק": "מה אמרה {n}?",
        "प्रिया शर्मा": "{n} को लिखो",
        "ธนพล ศรีสุข": "ส่งอีเมลถึง {n} ด้วย",
        "陳怡君": "幫我約{n}吃飯",
        "周杰倫": "{n}什麼時候有空？",
        "佐藤 健一": "来週{n}と打ち合わせ",
        "ワタナベ・ケン": "{n}さんから返事は？",
        "박지민": "{n}한테 물어봐",
        "최유나": "{n}의 보고서 요약해줘",
        "Наталья Кузьмина": "Спроси Наталью Кузьмину про отчёт.",
    }[name]
    close = name.replace(" ", "") if "佐" in name else name
    return [_say(rng, "abroad", said.replace("{n}", close), one)]


def _wordy(office: _Office, rng: random.Random) -> list[Turn]:
    place = rng.randrange(len(_WORDY))
    return [_say(rng, "wordy name", rng.choice(_WORDY[place][2]), office.wordy[place])]


def _both(office: _Office, rng: random.Random) -> list[Turn]:
    one, other = rng.choice(office.people), rng.choice(office.companies)
    return [_say(rng, "two at once", f"{one.title} left {other.title}? Since when?", one, other)]


def _later(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    first = _say(
        rng, "small talk", rng.choice(_SMALL[:4]), reply=f"Sure. By the way, {one.title} asked about this last week."
    )
    return [
        first,
        _say(
            rng,
            "meant by a pronoun",
            rng.choice(("oh, what did she want?", "Forward it to him.", "what's her role")),
            one,
        ),
    ]


def _go_ahead(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    first = _say(rng, "small talk", "Who could approve it?", reply=f"That would be {one.title}. Shall I draft a note?")
    return [first, _say(rng, "go-ahead", rng.choice(("Yes please.", "go ahead", "Sure, do it")), one)]


def _word(office: _Office, rng: random.Random) -> list[Turn]:
    return [_trap(rng, "just a word", rng.choice(rng.choice(_WORDY)[3]))]


def _plain_title(office: _Office, rng: random.Random) -> list[Turn]:
    said = rng.choice(
        ("write up the meeting notes", "any ideas?", "that's how we work here", "I'm reading a book", "Ideas welcome!")
    )
    return [_trap(rng, "a note's plain title", said)]


def _stranger(office: _Office, rng: random.Random) -> list[Turn]:
    given, *_, family = rng.choice([one for one in office.people if "-" not in one.title]).title.split()
    said = rng.choice(
        (
            f"My aunt Gertrude {family} baked a cake.",
            f"{given} Kowalczuk-Meyer won the race.",
            f"the {family} Prize goes to physics",
            f"Turn left at {family} Avenue.",
            f"{given} is a nice name for a cat, no?",
        )
    )
    return [_trap(rng, "stranger", said)]


def _either(office: _Office, rng: random.Random) -> list[Turn]:
    said = rng.choice(
        ("Matteo Rinaldi rang.", "What does Thorvald think?", "tell matteo rinaldi", "Ms. Thorvald is waiting.")
    )
    return [_trap(rng, "could be either", said)]


def _machine(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people + office.companies)
    flat = one.title.replace(" ", "").replace("'", "")
    said = rng.choice(
        (
            f"class {flat}Handler:\n    pass",
            f"`git log --author='{one.title}'` prints nothing",
            f"cd ~/src/{flat} && make",
            f"export OWNER='{flat}_1'",
            f"~~~\n{one.title}\n~~~\nfix the encoding",
            f"s3://bucket/{flat}/a.csv is missing",
        )
    )
    return [_trap(rng, "machine text", said)]


def _elsewhere(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.apart + office.hidden)
    return [_trap(rng, "not to be seen", f"How is {one.title} doing?")]


def _twice(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    return [
        _say(rng, "whole name", f"Prep me for {one.title}.", one),
        _trap(rng, "said again", f"And what does {one.title.split()[0]} {one.title.split()[-1]} like?"),
        _trap(rng, "topic left", rng.choice(_SMALL)),
    ]


def _who(office: _Office, rng: random.Random) -> list[Turn]:
    one = rng.choice(office.people)
    first = _say(rng, "small talk", "hm", reply=f"Perhaps {one.title} or Wilhelmina Stoltz knows.")
    return [first, _trap(rng, "pronoun of nobody", "ask her")]


_Maker = Callable[[_Office, random.Random], list[Turn]]
_CALLED: tuple[_Maker, ...] = (
    _whole_name,
    _whole_name,
    _whole_name,
    _lower,
    _family,
    _nick,
    _firm,
    _firm,
    _abroad,
    _abroad,
    _wordy,
    _both,
    _later,
    _go_ahead,
)
_TRAPS: tuple[_Maker, ...] = (
    _word,
    _word,
    _plain_title,
    _stranger,
    _stranger,
    _either,
    _machine,
    _elsewhere,
    _twice,
    _who,
)

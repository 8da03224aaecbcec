"""The exclusive attribute that a plain statement gives a value: what a later value of the same attribute replaces."""

from typing import NamedTuple

from gbrain.domain.similarity.clauses import CHANGES
from gbrain.domain.similarity.hanzi import ENTITY
from gbrain.domain.similarity.lexicon import CITIES, COUNTRIES, listed
from gbrain.domain.similarity.wording import Item


class Attribute(NamedTuple):
    """`name` of `about` (the other words that say which one) is `value`.

    `sort`: what kind of value it is. `exact`: no word of the claim was left out. `soft`: exclusive only at one time,
    so that another value replaces it only where the new claim says that something changed. `changed`: the verb by
    which this one says so, or nothing. `role`: of a work, as what.
    """

    name: str
    about: frozenset[str]
    value: tuple[str, ...]
    sort: str
    exact: bool
    soft: bool
    changed: str
    role: tuple[str, ...] = ()

    def values(self) -> list[tuple[str, frozenset[str], tuple[str, ...]]]:
        """Each attribute told, with what says which one and its value: of a work also the role there."""
        told = [(self.name, self.about, self.value)]
        return [*told, ("role", self.about | frozenset(self.value), self.role)] if self.role else told


# Words that make a claim no plain statement of how things are.
OPEN = listed(
    "not never mei dont neednot unable allnot notall without except plan want hope may might maybe "
    "probably if unless would could should think say suspect doubt claim former previous formerly ? "
    "propose consider try nearly no nolonger either or rarely sometimes hear believe guess assume wonder "
    "anymore before ought only wish"
)
_OPEN_LINKS = listed("if unless without when |")
_NOUNS = listed(
    "phone email address birthday deadline budget price cost rent salary fee status version owner lead "
    "manager location venue time date name age height weight password code title role position number "
    "size color headquarter office capacity limit quota timeout threshold rate speed temperature username "
    "nickname surname id port host url domain region provider ceo cto cfo coo president chair director "
    "captain coach editor vet dentist doctor landlord tutor mentor maintainer sponsor contact employer "
    "headcount count total score rating priority severity stage phase tier plan balance frequency "
    "interval theme default level language timezone zone currency branch deposit discount bonus tax "
    "premium mileage length width depth distance duration pin passcode extension plate platform seat gate "
    "terminal room desk floor bay birthplace hometown school spouse wife husband bedtime curfew dose "
    "dosage minimum maximum max min temperature allowance pension subscription membership toll fare "
    "tuition mortgage handle hashtag 班主任 组长 部门 座位 工位 房间号 车牌号 尺码 学校 专业 血压"
)
# Of these, what an ordinary word can be the value of: an office may be cold and noisy at once, a status is one.
_WORDY = listed(
    "status color size priority severity stage phase tier theme language currency level role title name "
    "nickname username password passcode code branch frequency default interval port handle hashtag 部门 专业 学校"
)
_TEMPORAL = listed("deadline birthday date time bedtime curfew")
_PEOPLE = listed(
    "owner lead manager ceo cto cfo coo president chair director captain coach editor vet dentist "
    "landlord tutor mentor maintainer sponsor contact wife husband spouse head secretary treasurer "
    "teacher therapist doctor boyfriend girlfriend 班主任 组长"
)
_ROLES = listed(
    "ceo cto cfo coo president chair director manager engineer developer designer teacher nurse lawyer "
    "analyst intern consultant architect lead editor professor captain coach accountant scientist "
    "researcher assistant secretary treasurer officer partner"
)
_EVENTS = listed(
    "meeting review launch release demo interview standup call sync workshop conference party wedding "
    "dinner lunch trip flight appointment kickoff retro retrospective presentation offsite training exam "
    "audit migration deploy deployment match game ceremony opening concert show recital lesson class "
    "hearing election rollout delivery visit inspection session breakfast brunch picnic rehearsal webinar "
    "seminar lecture course surgery operation hackathon freeze festival event talk checkup pickup cleanup "
    "retreat 周会 例会 考试 面试 培训 婚礼 聚会 体检 手术 年会 演出 讲座 课 会 发布会 比赛 评审 上线"
)
_VERBS = {
    "live": ("live", "L"), "work": ("work", "L"), "report": ("manager", "T"), "wed": ("spouse", "T"), "cost":
    ("price", ""),
    "weigh": ("weight", ""), "last": ("duration", ""), "hold": ("capacity", ""), "seat": ("capacity", ""), "due":
    ("deadline", "L O by before"), "park": ("location", "L O"),
    "keep": ("location", "L O"), "store": ("location", "L O"), "sit": ("location", "L O"), "put": ("location", "L O"),
    "study": ("school", "L"), "named": ("name", ""), "join": ("work", ""), "own": ("", ""),
}  # fmt: skip
TIMED = listed(
    "start begin end close open launch ship leave run wake sleep depart kickoff 出发 上线 到期 发车 开课 开学"
)
REPEATED = listed("leave run depart 发车")
"""Of these, what may happen at several times."""
_MANY = listed(
    "supplier vendor customer client partner sponsor member guest candidate option choice example reason "
    "problem idea hobby language ally rival fan user author contributor reviewer attendee participant "
    "speaker tenant student favorite book song film movie company"
)
_DIMENSIONS = {
    "tall": "height", "high": "height", "old": "age", "long": "length", "wide": "width", "deep": "depth", "heavy":
    "weight",
}  # fmt: skip
_PLACES = {pair.split(":")[0]: "country" for pair in COUNTRIES.split()} | dict.fromkeys(
    (pair.split(":")[0] for pair in CITIES.split()), "city"
)
_IGNORED = frozenset(("be", "have", "will", "new", "current", ENTITY))
_STATES = {
    state: group
    for group, states in (
        ("wedded", "single unmarried engaged wed divorced widowed separated"),
        ("open", "open closed"),
        ("public", "public private internal"),
        ("active", "active inactive paused suspended archived hold dormant"),
        ("stage", "beta alpha production maintenance"),
        ("occupied", "occupied vacant free busy rented"),
        ("employed", "employed unemployed retired student"),
        ("healthy", "sick healthy recovered injured"),
        ("working", "broken fix fixed work down up"),
        ("online", "online offline"),
        ("locked", "locked unlocked lock unlock"),
        ("enabled", "enabled disabled enable disable on off"),
        ("full", "full empty"),
        ("diet", "vegetarian vegan pescatarian omnivore"),
        ("legal", "legal illegal"),
        ("insured", "insured uninsured insure"),
        ("available", "available sold booked reserved"),
        ("progress", "planned ongoing done end progress blocked block"),
    )
    for state in states.split()
}
_ALONE = listed("lead ceo cto cfo coo president chair captain wife husband owner")
_SAME = {
    "date": "time", "cost": "price", "fee": "price", "headquarter": "location", "husband": "spouse", "wife": "spouse",
}  # fmt: skip
_KIN = listed(
    "brother sister son daughter child cousin uncle aunt friend colleague dog cat pet horse neighbor niece nephew twin"
)
_PLAIN_LINKS = frozenset(("", "L", "O", "P", "A", "T", "F", "W", "until"))
_GROUNDS = frozenset(("because", "after", "despite", "since", "F"))
_REASONS = frozenset(("because", "after", "despite", "over", "since", "from"))


def attribute(items: list[Item], marks: frozenset[str]) -> Attribute | None:
    """The attribute that a claim states, or None where it is no plain statement of one."""
    if any(item.word in OPEN or item.link in _OPEN_LINKS for item in items):
        return None
    pivot = _pivot(items)
    if pivot < 0:
        return _led(items, marks) or _state(items, [items[-1]] if items else [], "")
    word = items[pivot].word.rstrip("!")
    subject = [item for item in items[:pivot] if item.word not in ("be", "have", "will")]
    rest = items[pivot + 1 :]
    if word in _VERBS:
        return _verbal(word, subject, rest, marks)
    if word in ("run", "use") and len(rest) > 1:
        return _version(subject, rest[0], rest[1:], "") if rest[0].kind == "N" and "past" not in marks else None
    changed = word if word in CHANGES else ""
    # What was so says nothing of what is; what changed in the past is so now.
    if "past" in marks and not changed:
        return None
    return _nominal(word, subject, rest, changed)


def _pivot(items: list[Item]) -> int:
    """Where a claim turns to the value: a copula, a change or an exclusive verb; -1 where nowhere."""
    for place in range(len(items) - 1):
        word, after = items[place].word, items[place + 1]
        if word[-1] == "!":
            word = word[:-1]
        if word == "be":
            verb = after.word.rstrip("!")
            timed = verb in TIMED and verb != "open" and place + 2 < len(items) and items[place + 2].kind in "tn"
            if verb in CHANGES or verb in _VERBS or timed:
                continue
            return place
        if word in CHANGES and place:
            return place
        if (
            word in TIMED
            and place
            and items[place - 1].word != "be"
            and after.kind in "tn"
            and after.link in ("", "L", "O", "T")
        ):
            return place
        if (
            word in ("run", "use")
            and place
            and after.kind == "N"
            and place + 2 < len(items)
            and items[place + 2].kind == "n"
        ):
            return place
        if word in _VERBS and _takes(word, after):
            return place
    return -1


def _takes(word: str, after: Item) -> bool:
    """Whether `after` can be the value of an exclusive verb."""
    if after.link not in _VERBS[word][1].split(" "):
        return False
    return bool(after.link) or after.kind == "n" or word == "named" or (word == "join" and after.kind == "N")


def _verbal(word: str, subject: list[Item], rest: list[Item], marks: frozenset[str]) -> Attribute | None:
    if "past" in marks and word != "join":
        return None
    value, about, exact = valued(rest)
    sort = sort_of(value)
    if (sort[:4] == "time" or (word == "due" and sort == "number")) != (word == "due") or (
        word == "report" and sort not in ("name", "han")
    ):
        return None
    about |= {_tag(item) for item in subject if item.word not in _IGNORED}
    name = _VERBS[word][0]
    words = tuple([item.word for item in value])
    soft = word == "named" and not _KIN.isdisjoint(about)
    return Attribute(name, frozenset(about), words, sort, exact, soft, "join" if word == "join" else "")


def _nominal(word: str, subject: list[Item], rest: list[Item], changed: str) -> Attribute | None:
    about: set[str] = set()
    # What it changed from is no word of the value.
    loose = False
    if changed:
        start = next(
            (at for at, item in enumerate(rest) if item.link in ("T", "until", "F")), 0 if word == "change" else -1
        )
        if start < 0:
            return None
        loose = start > 0 and rest[0].link == "from"
        about = set() if loose else {_tag(item) for item in rest[:start] if item.word not in _IGNORED}
        rest = rest[start:]
    if (
        len(rest) > 1
        and rest[-1].kind == "n"
        and (rest[0].word == "version" or (word == "upgrade" and rest[0].kind == "N"))
    ):
        return _version(subject, None if rest[0].word == "version" else rest[0], rest[1:], changed)
    value, more, exact = valued(rest)
    sort = sort_of(value)
    names = _which(subject)
    name, left, soft = _named(word, subject, value, names, sort)
    if value[0].link not in _PLAIN_LINKS:
        return None
    if not name:
        if word in ("be", "change") and (state := _state([*subject, *rest], rest, changed)):
            return state
        return _role(subject, rest, changed) if word in ("be", "promote", "change") else None
    if word == "be" and name in _DIMENSIONS.values() and value[-1].word in _DIMENSIONS:
        value = value[:-1]
    if (name in _TEMPORAL and sort[:4] != "time") or (name in _PEOPLE and sort not in ("name", "han", "title")):
        return None
    fresh = changed or ("new" if any(item.word == "new" for item in subject) else "")
    words = tuple([_tag(item) if item.link == "W" else item.word for item in value])
    return Attribute(
        _SAME.get(name, name), frozenset(left | about | more), words, sort, exact and not loose, soft, fresh
    )


def _named(word: str, subject: list[Item], value: list[Item], names: set[str], sort: str) -> tuple[str, set[str], bool]:
    """The attribute's name (empty for none), the words left that say which one, and whether it is soft."""
    head = _head(subject)
    timed = sort[:4] == "time"
    if (head in _NOUNS and (sort != "word" or head in _WORDY)) or "favorite" in names:
        return head, names - {head}, head == "name" and not names.isdisjoint(_KIN)
    if word in TIMED and timed:
        return "time", names | {word}, word in REPEATED
    if word == "be" and value[-1].word in ("phase", "stage") and value[0].link in ("L", ""):
        return "stage", names, False
    if timed:
        return ("time", names, False) if not _EVENTS.isdisjoint(names) else ("", names, False)
    if word == "move" and names <= {"user"} and sort in ("name", "city", "country", "han"):
        return "live", names, False
    dimension = _DIMENSIONS.get(value[-1].word, "") if word == "be" and len(value) > 2 and value[0].kind == "n" else ""
    if dimension:
        return (
            "duration"
            if value[1].word in ("hour", "minute", "day", "week", "month", "year") and dimension == "length"
            else dimension,
            names,
            False,
        )
    if (
        word == "be"
        and sort == "name"
        and value[0].link in ("", "P")
        and names
        and names.isdisjoint(_KIN | _MANY)
        and not any(item.kind == "N" for item in subject[-1:])
    ):
        return head, names - {head}, False
    if names and ((word == "be" and value[0].link in ("L", "O")) or (word == "move" and value[0].link == "T")):
        return "location", names, True
    return "", names, False


def _role(subject: list[Item], rest: list[Item], changed: str) -> Attribute | None:
    """`E is the R of X`: its role there, soft without an X; `N is the R of X`: who has the role."""
    if (
        subject
        and all(item.kind == "N" and item.word != ENTITY for item in subject)
        and (head := _head(rest)) in _PEOPLE
    ):
        about = frozenset([_tag(item) for item in rest if item.word not in _IGNORED and item.word != head])
        return Attribute(
            head, about, tuple([_tag(item) for item in subject]), "name", True, head not in _ALONE, changed
        )
    if [item.word for item in subject if item.word not in ("be", "have")] != [ENTITY]:
        return None
    size = 1
    while size < len(rest) and not rest[size].link and not rest[size].comma:
        size += 1
    about = frozenset([_tag(item) for item in rest[size:]])
    if rest[size - 1].word not in _ROLES:
        return None
    return Attribute("role", about, tuple([item.word for item in rest[:size]]), "word", True, not about, changed)


def _led(items: list[Item], marks: frozenset[str]) -> Attribute | None:
    """`N leads X`, `N owns X`: who is its lead or owner; firm only where X is the entity."""
    place = next((at for at, item in enumerate(items) if item.word in ("lead", "manage", "own")), 0)
    names, rest = items[:place], items[place + 1 :]
    if not place or not rest or "past" in marks or not all(item.kind == "N" and item.word != ENTITY for item in names):
        return None
    about = frozenset([_tag(item) for item in rest if item.word not in _IGNORED])
    name = {"own": "owner", "manage": "manager"}.get(items[place].word, "lead")
    return Attribute(name, about, tuple([_tag(item) for item in names]), "name", True, bool(about), "")


def _version(subject: list[Item], product: Item | None, value: list[Item], changed: str) -> Attribute | None:
    """`runs Postgres 14`, `upgraded to version 16`: the product's name is no word of the subject."""
    if len(value) != 1:
        return None
    about = _which(subject) | ({"version of " + product.word} if product else set())
    return Attribute("version", frozenset(about), (value[0].word,), "number", True, False, changed)


def _state(items: list[Item], value: list[Item], changed: str) -> Attribute | None:
    """One of a group of states that exclude each other; soft, since another one may hold of something else."""
    again = any(item.word == "again" for item in items)
    items = [item for item in items if item.word != "again"]
    value = [item for item in value if item.word != "again"]
    reopened = next((at for at, item in enumerate(items) if item.word == "reopen"), 0)
    if reopened:
        value, changed = [Item("open", "", "w", False), *items[reopened + 1 :]], "open"
        items = [*items[:reopened], *value]
    word = value[0].word.rstrip("!") if value and (value[0].link in ("", "A") or value[0].word == "hold") else ""
    if word not in _STATES or len(items) == len(value):
        return None
    behind = value[1:]
    about = _which(items[: len(items) - len(value)])
    if not all(item.link in _GROUNDS for item in behind if item.link or item is behind[0]):
        about |= {_tag(item) for item in behind}
    told = changed or ("again" if again else "")
    return Attribute("state " + _STATES[word], frozenset(about), (word,), "word", not behind, True, told)


def _which(subject: list[Item]) -> set[str]:
    """The words that say which one, without a `new` right before the last of them."""
    words = [item.word for item in subject]
    return {
        _tag(subject[place])
        for place, word in enumerate(words)
        if word not in _IGNORED or (word == "new" and place + 1 < len(words) and subject[place + 1].link == "P")
    }


def _tag(item: Item) -> str:
    """A word together with a link that must not be lost."""
    return item.word if len(item.link) < 2 and item.link not in ("T", "|", "W") else item.link + " " + item.word


def _head(items: list[Item]) -> str:
    """The noun that a phrase is about: the last word before one that is tied to it from behind."""
    start = 0
    while start < len(items) - 1 and items[start].link == "P":
        start += 1
    place = start
    while place + 1 < len(items) and not items[place + 1].link:
        place += 1
    return items[place].word if items else ""


def valued(rest: list[Item]) -> tuple[list[Item], set[str], bool]:
    """The value at the start of `rest`, the words behind it that say which one, and whether nothing was left out.

    Reasons, and what the value takes the place of, are left out.
    """
    size = 1
    timed = rest[0].kind in "tn"
    while size < len(rest):
        item = rest[size]
        if item.comma or (
            item.link not in ("", "-", "P", "&") and not (timed and item.kind in "tn" and item.link in "LO")
        ):
            break
        size += 1
    about: set[str] = set()
    skip, exact = False, True
    for item in rest[size:]:
        if item.link or item.comma:
            skip = item.link in _REASONS
        exact = exact and not skip
        if not skip and item.word not in _IGNORED:
            about.add(_tag(item))
    return rest[:size], about, exact


def sort_of(value: list[Item]) -> str:
    """What kind of value: `time` and its parts, `number`, `name`, `city`, `country`, `title`, `han` or `word`."""
    kinds = {item.kind for item in value}
    if kinds <= {"t", "n"} and "t" in kinds:
        parts = {
            _part(item.word)
            for item in value
            if item.kind == "t" and item.word not in ("next", "last", "this", "every")
        }
        return "time" + "".join(sorted(parts))
    if "n" in kinds:
        return "number"
    if len(value) == 1 and value[0].word in _PLACES:
        return _PLACES[value[0].word]
    if kinds == {"N"}:
        return "name"
    if "N" in kinds or value[-1].word in ("teacher", "doctor"):
        return "title"
    return "han" if "h" in kinds else "word"


def _part(word: str) -> str:
    if ":" in word:
        return ":"
    return "d" if word[:1].isdecimal() or (word[0] == "m" and word[1:].isdecimal()) or word.endswith("day") else "w"

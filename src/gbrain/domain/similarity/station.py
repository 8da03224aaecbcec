"""Where a person works and as what, where they live, and with whom they are: read whatever else the claim tells.

`works at Acme as a welder in the night shop` and `joined Acme` state one attribute. What is left out says where, with
whom, why or since when; what limits the statement (on Mondays, in summer, part-time, as a volunteer) never is.
"""

from typing import NamedTuple

from gbrain.domain.similarity.attributes import OPEN, Attribute, attribute
from gbrain.domain.similarity.hanzi import ENTITY
from gbrain.domain.similarity.lexicon import CITIES, COUNTRIES, listed
from gbrain.domain.similarity.wording import Item

OCCUPATIONS = listed(
    "accountant actor administrator agent analyst apprentice architect baker banker barber barista bartender "
    "bookkeeper builder butcher buyer carpenter cashier ceo cfo chef chemist cleaner clerk cook coo cto "
    "dentist designer developer director doctor driver economist editor electrician engineer estimator fitter "
    "foreman gardener geologist hairdresser illustrator inspector instructor interpreter janitor journalist "
    "lawyer lecturer librarian machinist manager mechanic midwife nurse officer optician painter paralegal "
    "paramedic pharmacist photographer physicist physiotherapist pilot planner plumber porter principal "
    "producer professor programmer psychologist radiographer receptionist recruiter researcher salesman "
    "salesperson saleswoman scientist secretary seamstress statistician supervisor surgeon surveyor tailor "
    "teacher technician tester therapist translator underwriter vet waiter waitress warehouseman welder "
    "writer 工程师 软件工程师 设计师 产品经理 项目经理 经理 总监 会计 出纳 厨师 护士 律师 分析师 程序员 "
    "研究员 教授 讲师 秘书 司机 销售 编辑 记者 药剂师 技术员 主管 店长 电工 焊工"
)
"""What `is a … at X` makes an employer of X for: a speaker, a member or a student there is not employed."""
# Posts that stand beside an employment.
_BESIDE = listed(
    "volunteer contractor freelancer freelance consultant advisor adviser tutor mentor trainee intern temp apprentice "
    "guest visitor board trustee substitute student member customer client speaker prefer supporter sponsor user child "
    "志愿者 顾问 实习生 兼职 part"
)
# What people join beside their work.
_CIRCLES = listed(
    "club choir team union party band society gym army church board group association league committee meeting call "
    "orchestra class course program channel server network forum community waitlist list project guild council "
    "campaign protest alliance federation chapter foundation initiative consortium newsletter strava linkedin facebook "
    "twitter mastodon bluesky instagram reddit discord slack github gitlab tiktok whatsapp telegram signal netflix "
    "spotify youtube wechat threads patreon 微信 微博 抖音"
)
# What people move to that is no place to live.
_NO_TOWN = listed(
    "windows linux macos android ios team cafe media labs inc corp ltd llc gmbh bank studio group hotel university "
    "systems software technologies industries partners capital ventures"
)
_FIRMS = (
    "公司", "company", "科技", "集团", "银行", "大学", "医院", "hospital", "学院", "实验室", "研究所", "研究院",
    "工厂", "factory", "事务所", "出版社", "报社", "shop", "restaurant", "hotel",
)  # fmt: skip
_PEOPLE = listed(
    "brother sister son daughter child cousin uncle aunt friend colleague dog cat pet horse niece nephew twin mother "
    "father parent grandma grandpa wife husband spouse partner boyfriend girlfriend family housemate user baby "
    "妹妹 姐姐 弟弟 哥哥 家人"
)
_ASIDE = listed("recent just final eventual happy happily official already remote alone 刚 刚刚 最近 一 人")
_OFFICES = listed("department team division office unit branch lab floor section site plant warehouse group")
_DWELLINGS = listed("apartment house home studio room dorm cottage loft bungalow condo place houseboat")
_NEAR = listed("near beside next opposite close")
_GROUNDS = listed("work love family good study university school 工作 study")
_PLACES = frozenset(pair.split(":")[0] for pair in (CITIES + COUNTRIES).split())
_AS = listed("当 做 任 担任 出任")
_WORK = Item("work", "", "w", False)
_STARTED = frozenset(("start", "get"))


class _Told(NamedTuple):
    """A statement without what may be left out; `role` as which, `dated` whether a year says when it began."""

    items: list[Item]
    role: tuple[str, ...]
    dated: bool


def stated(items: list[Item], marks: frozenset[str], key: str) -> Attribute | None:
    """The exclusive attribute that a claim states; `key` is its text, which still tells `in` from `at`."""
    if spouse := _together(items, marks):
        return spouse
    items = _with_subject(items, marks)
    place = next((at for at, item in enumerate(items) if at and item.word in ("live", "work", "join", "move")), 0)
    if place and _still(items, marks):
        marks -= {"past"}
    if place and items[place].word == "join" and not _joinable(items[place + 1 :]):
        return None
    told = _told(items, place, marks, key) if not any(item.word in OPEN for item in items) else None
    if told is None:
        found = attribute(items, marks)
        # `in Rome half the year`: no place is called so.
        limited = place and found and any(item.kind == "t" and item.word in found.value for item in items)
        return None if limited else found
    verb = next(item.word for item in told.items[1:] if item.word in ("live", "work", "join", "move"))
    if _coming(told.items, verb, marks):
        return None
    found = attribute(told.items, marks)
    if found is None or found.name not in ("work", "live"):
        return found
    if verb == "move" and not _NO_TOWN.isdisjoint(found.value):
        return None
    if found.name == "work" and f" in {found.value[0]}" in key and verb == "work":
        # A town that somebody works in is not who employs them.
        found = found._replace(about=found.about | {"in"})
    if told.dated:
        # What began in some year may have ended since.
        found = found._replace(soft=True, changed="")
    return found._replace(role=told.role, exact=found.exact and told.items == items)


def _with_subject(items: list[Item], marks: frozenset[str]) -> list[Item]:
    """`moved to Porto` and `works at Acme`, filed under somebody, with who it is about in front."""
    subject = Item(ENTITY, "", "N", False)
    if len(items) > 1 and items[0].link == "L" and items[0].kind == "h":
        if items[-1].word == "work":
            return [subject, items[-1], *items[:-1]]
        return [subject, *items] if items[-1].word in OCCUPATIONS else items
    start = next((at for at, item in enumerate(items) if item.word not in _ASIDE), 0)
    word, after = [item.word for item in items[start : start + 1]], items[start + 1 : start + 2]
    if not after or word[0] not in ("live", "work", "be", "join", "move", "start"):
        return items
    if word[0] in ("join", "move", "start") and marks.isdisjoint(("past", "le", "end")):
        return items
    if word == ["move"] and after[0].link not in ("T", "from"):
        return items
    return [subject, *items[start:]]


def _still(items: list[Item], marks: frozenset[str]) -> bool:
    """`has lived there since 2011`: a past form of what is so now."""
    links = {item.link for item in items}
    return "past" in marks and "since" in links and "until" not in links


def _coming(items: list[Item], verb: str, marks: frozenset[str]) -> bool:
    """`will join`, `is moving to`: not so yet."""
    if "will" in [item.word for item in items]:
        return True
    return verb in ("join", "move") and items[1].word == "be" and "past" not in marks


def _together(items: list[Item], marks: frozenset[str]) -> Attribute | None:
    """`E and N wed` (and `is dating`, `is the partner of`): a partner may be one of several, a spouse is not."""
    words = [item.word for item in items if item.word != "be"]
    names = [item for item in items if item.kind == "N" and item.word != ENTITY]
    if words.count(ENTITY) != 1 or words[-1] not in ("wed", "dating", "partner") or "past" in marks or not names:
        return None
    if len(words) != len(names) + 2 or any(item.link not in ("", "&") for item in items):
        return None
    value = tuple([item.word for item in names])
    name = "spouse" if words[-1] == "wed" else "partner"
    return Attribute(name, frozenset(), value, "name", True, name == "partner", "")


def _told(items: list[Item], place: int, marks: frozenset[str], key: str) -> _Told | None:
    """The statement that a claim about work or home comes down to; None where it is about something else."""
    if not place:
        return _employed(items, key)
    verb = items[place].word
    begun = not marks.isdisjoint(("past", "le", "end")) or any(item.word == "last" for item in items)
    who = _who(items[:place], verb, begun)
    if verb == "work" and begun and who and who[-1].word in _STARTED:
        who, verb = who[:-1], "join"
        marks -= {"past"}
    groups = _groups(items[place + 1 :])
    # A second statement behind an `and` would be lost.
    if not groups or any(item.link == "&" and not _is_nominal(item) for item in items[place + 1 :]):
        return None
    moved = verb in ("join", "move")
    if not moved and _limited(groups):
        return None
    role, kept, dated = _sorted_out(groups, verb, moved and begun)
    if role is None or not kept:
        return None
    if verb == "join":
        kept[0] = [kept[0][0]._replace(link="", kind="N"), *kept[0][1:]]
    return _Told([*who, items[place]._replace(word=verb), *(item for group in kept for item in group)], role, dated)


def _who(items: list[Item], verb: str, begun: bool) -> list[Item]:
    """Who works or lives there, without adverbs, with whom they live, and when a change was."""
    kept: list[Item] = []
    beside = False
    for at, item in enumerate(items):
        if item.link:
            beside = verb in ("live", "move") and at > 0 and item.link in ("&", "W")
        if (beside and item.word in _PEOPLE) or (at and item.word in _ASIDE and item.kind in "wh"):
            continue
        if begun and at and item.kind == "t" and item.word not in ("next", "every"):
            continue
        kept.append(item)
    return kept


def _groups(items: list[Item]) -> list[list[Item]]:
    """The words behind a verb, parted where a link, a comma, a time or a word of nearness begins something new."""
    groups: list[list[Item]] = []
    for item in items:
        last = groups[-1][-1] if groups else None
        new = (
            last is None
            or item.comma
            or item.link not in ("", "-", "P", "&")
            or (item.link != "-" and item.kind == "t" and last.kind not in "tn")
            or item.word in _NEAR
        )
        if new:
            groups.append([item])
        else:
            groups[-1].append(item)
    return groups


def _limited(groups: list[list[Item]]) -> bool:
    """Whether a time limits the statement; `night nurse` is a post, and `since May` tells when it began."""
    told = [item for group in groups if group[0].link != "since" for item in group]
    return any(item.kind == "t" and (item.word != "night" or item.link not in ("", "A")) for item in told)


def _says_when(group: list[Item]) -> bool:
    """Whether a group is the time of a change."""
    timed = all(item.kind in "tn" and item.word not in ("next", "every") for item in group)
    return timed and group[0].link in ("", "L", "O")


def _sorted_out(
    groups: list[list[Item]], verb: str, begun: bool
) -> tuple[tuple[str, ...] | None, list[list[Item]], bool]:
    """The role, the groups that stay, and whether a year was left out; no role at all where it stands beside a job."""
    role: tuple[str, ...] = ()
    kept: list[list[Item]] = []
    dated = False
    for at, group in enumerate(groups):
        words = [item.word for item in group]
        if group[0].link == "A" and verb in ("work", "join"):
            if not _is_post(words) or any(item.link == "&" for item in group):
                return None, [], False
            role = tuple(words)
        elif words in (["full", "time"], ["remote"], ["alone"]):
            continue
        elif begun and _says_when(group):
            dated = dated or any(word.isdecimal() and len(word) == 4 for word in words)
        elif not _needless(group, kept, groups[at + 1 :]):
            kept.append(group)
    return role, kept, dated


def _needless(group: list[Item], kept: list[list[Item]], rest: list[list[Item]]) -> bool:
    """Whether a group tells only where exactly, with whom, why or since when."""
    first, words = group[0], [item.word for item in group]
    if any(item.kind == "t" for item in group) and first.link != "since":
        return False
    if first.link == "W":
        return all(_is_nominal(item) for item in group)
    inside = (first.link == "L" and words[-1] in _DWELLINGS) or (first.link in ("L", "O") and words[-1] in _OFFICES)
    if inside and not kept and rest and rest[0][0].link == "L":
        return True
    if not kept:
        return False
    if first.link == "since":
        return all(item.kind in "tn" for item in group)
    if first.link == "F":
        return len(group) == 1 and words[0] in _GROUNDS
    if first.link == "from":
        return False
    if first.word in _NEAR:
        return not any(item.link == "&" for item in group)
    if first.link not in ("", "L", "O") or any(item.link == "&" for item in group):
        return False
    named = all(item.kind == "N" or item.word in _PLACES for item in group)
    return named or (first.link != "" and words[-1] in _OFFICES)


def _is_post(words: list[str]) -> bool:
    """Whether people work as this: an occupation, or what sounds like one (`as a gravel pit blaster`)."""
    named = words[-1] in OCCUPATIONS or "lead" in (words[0], words[-1])
    return (named or words[-1].endswith(("er", "or", "ist", "ian"))) and _BESIDE.isdisjoint(words)


def _is_nominal(item: Item) -> bool:
    return item.kind in "nN" or item.word in _PEOPLE


def _joinable(rest: list[Item]) -> bool:
    """Whether what somebody joined can employ them."""
    group = (_groups(rest) or [[]])[0]
    if not group:
        return False
    last = group[-1].word
    if last in _CIRCLES or group[0].link not in ("", "L"):
        return False
    # A capital makes a name: the Acme newsletter is none, and neither is the Acme marathon.
    return all(item.kind == "N" for item in group) or group[0].link == "L" or _is_firm(group)


def _is_firm(group: list[Item]) -> bool:
    return "".join([item.word for item in group]).endswith(_FIRMS)


def _employed(items: list[Item], key: str) -> _Told | None:
    """`is a welder at X` (Chinese also `at X as a welder`, `X's welder`) as `works at X` and the role."""
    size = next((at for at, item in enumerate(items) if item.word != "user" and item.kind != "N"), 0)
    size = next((at for at in range(1, size) if items[at].link), size)
    who, rest = items[:size], items[size:]
    # `is working as` is `is` twice.
    if [item.word for item in rest[:2]] == ["be", "be"]:
        rest = rest[1:]
    if not who or len(rest) < 2 or who[0].link:
        return None
    if rest[0].word == "be" and rest[1].link in ("", "A"):
        return _posted(who, rest[1:], key)
    return _posted_han(who, rest)


def _posted(who: list[Item], rest: list[Item], key: str) -> _Told | None:
    """`a welder at X`, behind the copula."""
    groups = _groups(rest)
    words = [item.word for item in groups[0]]
    named = words[-1] in OCCUPATIONS or "lead" in (words[0], words[-1])
    sure = _is_post(words) and (named or rest[0].link == "A")
    firms = [group for group in groups[1:] if group[0].link == "L" and group[0].kind in "Nh"]
    firms.sort(key=lambda group: f" in {group[0].word}" in key)
    if not sure or not firms or _limited(groups) or f" in {firms[0][0].word}" in key:
        return None
    if any(item.link == "&" for group in groups for item in group):
        return None
    more = [group for group in groups[1:] if group is not firms[0] and not _needless(group, firms, [])]
    return _Told([*who, _WORK, *firms[0], *(item for group in more for item in group)], tuple(words), False)


def _posted_han(who: list[Item], rest: list[Item]) -> _Told | None:
    """Chinese `at X as a welder`, `be X's welder`."""
    if rest[-1].word not in OCCUPATIONS or any(item.kind not in "hwN" for item in rest):
        return None
    owned = rest[0].word == "be" and rest[1].link == "P"
    firm = rest[1:-1] if owned else rest[:-1]
    if owned and not _is_firm(firm):
        return None
    if not owned:
        if firm[0].link != "L" or firm[-1].word not in _AS:
            return None
        firm = firm[:-1]
    if not firm or any(item.link for item in firm[1:]):
        return None
    return _Told([*who, _WORK, firm[0]._replace(link="L"), *firm[1:]], (rest[-1].word,), False)

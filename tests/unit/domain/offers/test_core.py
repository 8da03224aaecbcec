"""What is offered for what was said, and above all what is not."""

import time

import pytest

from gbrain.domain.offers.core import Detail, Limits, Offer, Said, offers, text
from gbrain.domain.text import estimate_tokens
from listed_pages import Listed

PAGES = Listed(
    ("people/dana-oakes", "Dana Oakes", "person", "CFO of Harbor Capital.", ["Dee"]),
    ("companies/harbor-capital", "Harbor Capital", "company", "A fund in Oslo.", ["harbor"]),
    ("companies/apple", "Apple", "company", "Makes phones.", []),
    ("people/will-tanner", "Will Tanner", "person", "Engineer at Nimbus.", ["Will"]),
    ("people/anna-petrova", "Анна Петрова", "person", "Юрист.", []),
    ("people/jose-nunez", "José Núñez", "person", "Designer.", []),
    ("people/li-ming", "李明", "person", "产品经理。", []),
    ("people/wang", "王小明", "person", "销售。", []),
    ("people/tanaka", "田中 太郎", "person", "営業。", ["田中さん"]),
    ("people/kim", "김민수", "person", "개발자.", []),
    ("people/dana-reed", "Dana Reed", "person", "At Quartz.", []),
    ("companies/quartz", "Quartz Ltd", "company", "Makes clocks.", []),
    ("projects/lantern", "Lantern - the mobile launch", "project", "Launch in May.", []),
    ("notes/next-steps", "Next steps", "note", "", []),
    ("people/mark-may", "Mark May", "person", "Sales.", ["Mark"]),
    ("people/lee-a", "Lee Ahn", "person", "", []),
    ("people/ahmad", "أحمد النجار", "person", "", []),
    ("people/cohen", "דנה כהן", "person", "", []),
    ("people/berg", "Jan van den Berg", "person", "", []),
    ("people/obrien", "Maeve O'Brien", "person", "", []),
    ("companies/acme", "Acme", "company", "", []),
    ("other:people/sam-fox", "Sam Foxley", "person", "", []),
    ("other:people/dana-oakes", "Dana Oakes", "person", "Somebody else's Dana.", []),
)

PERSON = (
    "is it HERS?",
    "Was meint er, elle ou lui?",
    "Что ЕЁ волнует?",
    "彼女は元気？",
    "그녀는?",
    "그분은?",
)
COMPANY = ("Their price?", "the Firm wants more", "почём Их товар", "цена этой компании", "该公司要什么", "那家公司呢")
PROJECT = ("when is that Launch?", "когда Этот Проект", "这个项目呢")
GO_AHEAD = ("Sounds good", "go ahead", "Хорошо", "好的", "可以", "はい", "네", "Mach das", "d'accord", "sí", "Sim")
"""Words that point back, one of each kind."""


def slugs(*said: str, **how: object) -> list[str]:
    return [offer.slug for offer in said_offers(*said, **how)]


def said_offers(*said: str, **how: object) -> list[Offer]:
    """Turns are the user's and the assistant's by turns, the last is the user's."""
    turns = [Said("user" if (len(said) - place) % 2 else "assistant", text) for place, text in enumerate(said)]
    return offers(turns, PAGES, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "slug", "arm"),
    [
        ("What did Dana Oakes say?", "people/dana-oakes", "title"),
        ("ping dana oakes about it", "people/dana-oakes", "title"),
        ("DANA OAKES!", "people/dana-oakes", "title"),
        ("I met Oakes yesterday.", "people/dana-oakes", "surname"),
        ("Mr. Oakes called.", "people/dana-oakes", "surname"),
        ("D. Oakes signed it.", "people/dana-oakes", "surname"),
        ("Dee is here.", "people/dana-oakes", "alias"),
        ("dee wrote back", "people/dana-oakes", "alias"),
        ("see people/dana-oakes", "people/dana-oakes", "slug"),
        ("Will said he is late.", "people/will-tanner", "alias"),
        ("I met Will yesterday.", "people/will-tanner", "alias"),
        ("Apple announced it.", "companies/apple", "title"),
        ("harbor wants a call", "companies/harbor-capital", "alias"),
        ("What about Lantern?", "projects/lantern", "part"),
        ("Is Quartz a client?", "companies/quartz", "part"),
        ("Поговори с Анной Петровой", "people/anna-petrova", "title"),
        ("Петрова звонила", "people/anna-petrova", "surname"),
        ("Jose Nunez wrote.", "people/jose-nunez", "title"),
        ("明天和李明开会", "people/li-ming", "title"),
        ("王小明擅长什么", "people/wang", "title"),
        ("田中さんに送って", "people/tanaka", "alias"),
        ("田中太郎に送って", "people/tanaka", "title"),
        ("김민수에게 보내줘", "people/kim", "title"),
        ("Schick das bitte an Dana Oakes und frag sie", "people/dana-oakes", "title"),
        ("Tell Sam Foxley.", "people/sam-fox", "title"),
        ("pay rent to Mr. Tanner", "people/will-tanner", "surname"),
        ("oakes said no", "people/dana-oakes", "surname"),
        ("nudge oakes about it", "people/dana-oakes", "surname"),
        ("the Oakes-led round", "people/dana-oakes", "surname"),
        ("ex-Acme people", "companies/acme", "title"),
        ("Acme Dashboard is down", "companies/acme", "title"),
        ("@Dee can you", "people/dana-oakes", "alias"),
        ("رسالة لأحمد النجار", "people/ahmad", "title"),
        ("שלח לדנה כהן", "people/cohen", "title"),
        ("I met Van den Berg.", "people/berg", "surname"),
        ("Maeve O’Brien's plan", "people/obrien", "title"),
        ("From: Dana Oakes <dana@example.org>", "people/dana-oakes", "title"),
        ("Dana\nOakes", "people/dana-oakes", "title"),
    ],
)
def test_who_is_named_is_offered(said: str, slug: str, arm: str) -> None:
    (offer,) = said_offers(said)
    assert (offer.slug, offer.arm) == (slug, arm)
    assert 0.7 <= offer.confidence <= 1
    assert offer.rationale
    assert f"[{offer.source_id}:{slug}]" in offer.line()


@pytest.mark.parametrize(
    "said",
    [
        "Will you come?",
        "mark this as done",
        "Mark as done.",
        "In May we launch.",
        "I ate an apple.",
        "the harbor is closed",
        "what are the next steps?",
        "Dana called.",
        "Peter Oakes called.",
        "Oakes Street is closed.",
        "I met Dana Oakes-Smith.",
        "The Dana Oakes Foundation called.",
        "李明月是谁",
        "the acme of perfection",
        "will will come?",
        "Oakes Valley is nice.",
        "assignee: dana.oakes",
        "MongoDB Apple is down",
        "Dana. And so on.",
        "김민수철에게",
        "`Dana Oakes` is a constant",
        "```\nname = 'Dana Oakes'\n```",
        "write to dana.oakes@example.com",
        "open https://example.com/Dana_Oakes now",
        "see dana_oakes.py",
        "<b class='Dana Oakes'>x",
        "",
        "?!",
    ],
)
def test_what_only_looks_like_a_name_is_not(said: str) -> None:
    assert slugs(said) == []


def test_a_company_tells_two_people_of_one_name_apart() -> None:
    assert slugs("Dana from Harbor Capital called.") == ["companies/harbor-capital", "people/dana-oakes"]
    assert sorted(slugs("Dana from Quartz called.")) == ["companies/quartz", "people/dana-reed"]


def test_where_somebody_is_from_tells_who_they_are() -> None:
    pages = Listed(
        ("people/a", "Dana Oakes", "person", "At Quartz Labs.", []), ("people/b", "Dana Reed", "person", "", [])
    )
    (offer,) = offers([Said("user", "Dana from Quartz called.")], pages)
    assert (offer.slug, offer.arm, offer.confidence) == ("people/a", "given", 0.8)
    assert offers([Said("user", "Dana from Leeds called.")], pages) == []


def test_the_source_of_the_project_goes_before_others() -> None:
    assert [offer.source_id for offer in said_offers("Ask Dana Oakes.")] == ["own"]


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        (("I met Dana Oakes.", "Nice.", "What did she say?"), "people/dana-oakes"),
        (("I met Dana Oakes.", "Nice.", "and then?", "And then what?", "what is her number"), "people/dana-oakes"),
        (("Shall I?", "I could ask Dana Oakes.", "yes, do it"), "people/dana-oakes"),
        (("Quartz wrote.", "I see.", "What does the company want?"), "companies/quartz"),
        (("我见了李明", "好", "他说什么"), "people/li-ming"),
        *((("I met Dana Oakes.", "Nice.", said), "people/dana-oakes") for said in PERSON),
        *((("Quartz wrote.", "I see.", said), "companies/quartz") for said in COMPANY),
        *((("Lantern is late.", "I see.", said), "projects/lantern") for said in PROJECT),
        *((("Shall I?", "I could ask Dana Oakes.", said), "people/dana-oakes") for said in GO_AHEAD),
    ],
)
def test_a_pronoun_means_who_was_named_last(said: tuple[str, ...], slug: str) -> None:
    (offer,) = said_offers(*said)
    assert (offer.slug, offer.arm) == (slug, "pronoun")


@pytest.mark.parametrize(
    "said",
    [
        ("I met Dana Oakes and Mark May.", "Nice.", "What did she say?"),
        ("I met Dana Oakes and Peter Smith.", "Nice.", "What did he say?"),
        ("I met Dana Oakes.", "Nice.", "Now fix the style sheet."),
        ("Nobody.", "Nice.", "What did she say?"),
        ("I met Dana Oakes.", "Ask Foobert too, he said hello to Quentin Xu.", "What did she say?"),
    ],
)
def test_what_was_named_before_is_left_where_nothing_points_to_it(said: tuple[str, ...]) -> None:
    assert slugs(*said) == []


def test_nothing_is_offered_twice_nor_what_the_conversation_has_read() -> None:
    assert slugs("Ask Dana Oakes.", offered={("own", "people/dana-oakes")}) == []
    assert slugs("Who?", "See [own:people/dana-oakes].", "Ask Dana Oakes.") == []


def test_all_of_the_window_can_be_news() -> None:
    said = ("I met Dana Oakes.", "Nice.", "Now fix the style sheet.")
    assert slugs(*said, fresh=3) == ["people/dana-oakes"]


def test_the_gate_and_the_caps() -> None:
    said = "Dana Oakes, Harbor Capital, José Núñez and Quartz met."
    assert len(slugs(said)) == 3
    assert slugs(said, limited=Limits(most=1)) == ["people/dana-oakes"]
    assert slugs(said, limited=Limits(gate=0.9)) == []
    for tokens in (0, 10, 30, 60, 100):
        assert estimate_tokens(text(said_offers(said, limited=Limits(tokens=tokens)))) <= tokens


def test_an_offer_tells_what_is_open() -> None:
    pages = Listed(("people/dana-oakes", "Dana Oakes", "person", "CFO.", []))
    pages.told["own", "people/dana-oakes"] = [Detail("commitment", "sends the deck <!-- x -->", "2031-05-06T00:00:00")]
    (offer,) = offers([Said("user", "Ask Dana Oakes.")], pages)
    assert offer.line() == (
        "- **Dana Oakes** [own:people/dana-oakes] — CFO. — open: sends the deck ‹!-- x --› (2031-05-06)"
        " · named “Dana Oakes”"
    )


@pytest.mark.parametrize(
    "said", ["Dana " * 40_000, "李明" * 30_000, "/" * 50_000, "`" * 50_000, "<" * 50_000, "a" * 100_000]
)
def test_a_long_prompt_is_cut(said: str) -> None:
    assert len(slugs(said)) <= 3


FILLER = "and then nothing of any importance went on for quite some time in that place "


@pytest.mark.parametrize("name", ["dana oakes", "Dana Oakes", "José Núñez", "jose nunez", "王小明", "Анной Петровой"])
def test_a_name_is_found_in_a_long_text(name: str) -> None:
    assert len(slugs(f"{FILLER * 20} with {name} {FILLER * 20}")) == 1


@pytest.mark.parametrize(
    "said", ["a-" * 3_000 + "@", "a" * 5_990 + "@/.", "a.b" * 2_000, "/a" * 3_000, "<a" * 3_000, "~~~" * 2_000]
)
def test_no_text_takes_long(said: str) -> None:
    began = time.process_time()
    slugs(said)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("Where does Dana Oakes live?", "lives in Ghent"),
        ("Where is Dana Oakes these days?", "lives in Ghent"),
        ("Who does Dana Oakes work for?", "works at Globex"),
        ("Is Dana Oakes allergic to anything?", "has an allergy to nuts"),
        ("Ask Dana Oakes.", "rows on Sundays"),
    ],
)
def test_of_what_is_known_that_comes_first_which_was_asked_for(said: str, first: str) -> None:
    pages = Listed(("people/dana-oakes", "Dana Oakes", "person", "CFO.", []))
    told = ("rows on Sundays", "is out today", "has an allergy to nuts", "works at Globex", "lives in Ghent")
    pages.told["own", "people/dana-oakes"] = [Detail("fact", fact, "") for fact in told]
    (offer,) = offers([Said("user", said)], pages)
    assert offer.details[0].text == first
    assert len(offer.details) == 2

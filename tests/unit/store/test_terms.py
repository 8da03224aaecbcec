"""Terms: index and question meet in the same form, in every script."""

import pytest

from gbrain.domain.text import MAX_UNITS
from gbrain.store.engine import Terms
from gbrain.store.terms import any_of, coverage, index_terms, query_terms


def meets(text: str, question: str) -> bool:
    """Whether every unit of the question stands in the text."""
    units = query_terms(question)
    return bool(units) and coverage(units, text) == len(units)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("She walks the harbour lanterns", "walking lantern"),
        ("Budgets are due", "budget DUE"),
        ("lantern-example ran at 3 GB/s", "lantern-example"),
        ("lantern-example ran at 3 GB/s", "GB/s"),
        ("bob-sample's (draft) plan: budget:2031", "bob-sample's (draft) plan?"),
        ("bob-sample's (draft) plan: budget:2031", "budget:2031"),
        ("来週の火曜日に倉庫の鍵を交換する予定です", "倉庫の鍵"),
        ("来週の火曜日に倉庫の鍵を交換する予定です", "鍵"),
        ("林小满负责灯塔项目的预算审批", "预算"),
        ("김예시는 매주 수요일에 수영장에서 운동한다", "수영장"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("Café Zürich", "cafe zurich"),
        ("Мы живём в Москве", "москве"),
    ],
)
def test_a_question_meets_its_text(text: str, question: str) -> None:
    assert meets(text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("林小满负责灯塔项目的预算审批", "火星探测"),
        ("林小满负责灯塔项目的预算审批", "算预"),
        ("The lantern budget", "lamp"),
        ("The lantern budget", "lant"),
        ("v2 of the plan", "v3"),
    ],
)
def test_another_text_does_not(text: str, question: str) -> None:
    assert not meets(text, question)


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert query_terms("what is the lantern") == [Terms(("lantern",))]
    assert [unit.terms for unit in query_terms("what is the")] == [("what",), ("is",), ("the",)]


@pytest.mark.parametrize("text", ["", " ", "*", "?!", "🏮", "-", "\u200b"])
def test_no_word_no_question(text: str) -> None:
    assert query_terms(text) == []
    assert any_of(text).should == ()
    assert index_terms(text) == ""


def test_a_question_is_bounded() -> None:
    assert len(query_terms(" ".join(f"w{number}" for number in range(5_000)))) == MAX_UNITS
    assert len(query_terms("a" * 1_000_000)[0].terms[0]) <= 64


def test_a_column_is_put_on_every_unit() -> None:
    assert {unit.column for unit in any_of("lantern 灯塔", "body").should} == {"body"}


def test_terms_are_free_of_query_syntax() -> None:
    for unit in query_terms('say "hi" NEAR(a b) ^x {body}: * (draft) -not'):
        for term in unit.terms:
            assert term.isalnum()


def test_one_cjk_character_is_a_beginning() -> None:
    assert query_terms("鍵") == [Terms(("鍵",), prefix=True)]
    assert coverage(query_terms("鍵"), "倉庫の鍵を") == 1
    assert coverage(query_terms("庫"), "倉庫の鍵を") == 1
    assert coverage(query_terms("車"), "倉庫の鍵を") == 0

"""The tokeniser both engines share, and the small text functions."""

import time
import unicodedata
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.text import (
    MAX_TERM,
    MAX_UNITS,
    STOP_WORDS,
    Unit,
    blank,
    clip,
    collapse,
    estimate_tokens,
    fold,
    has_cjk,
    query_units,
    raw_terms,
    sentences,
    words_at,
)

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
CJK = st.text(st.sampled_from("灯塔项目倉庫の鍵火曜日수영장ーカタカナ々"), min_size=1, max_size=12)


def finds(query: str, text: str) -> bool:
    """Whether an index of `raw_terms` answers the query, with every unit required."""
    held = raw_terms(text)
    units = query_units(query)
    return bool(units) and all(
        any(term.startswith(unit.terms[0]) for term in held)
        if unit.kind == "cjk_char"
        else set(unit.terms) <= set(held)
        for unit in units
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("The lantern-example ran", ["the", "lantern", "example", "ran"]),
        ("bob-sample's (draft) plan: budget:2031", ["bob", "sample", "s", "draft", "plan", "budget", "2031"]),
        ("3 GB/s, 3GB v1.2 snake_case", ["3", "gb", "s", "3gb", "v1", "2", "snake", "case"]),
        ("Crème Brûlée, Łódź, Øre, Straße, Æsir", ["creme", "brulee", "lodz", "ore", "strasse", "aesir"]),
        ("Cre\u0300me", ["creme"]),
        ("ＡＢＣ ﬁne ①", ["abc", "fine", "1"]),
        ("İstanbul ISTANBUL ışık", ["istanbul", "istanbul", "isik"]),
        ("Москва й Ёж", ["москва", "й", "ёж"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),
        ("שָׁלוֹם", ["שלום"]),
        ("مُحَمَّد", ["محمد"]),
        ("می\u200cخواهم co\u00adoperate", ["میخواهم", "cooperate"]),
        ("灯", ["灯"]),
        ("灯塔项目", ["灯塔", "塔项", "项目", "目"]),
        ("水曜・火曜", ["水曜", "曜", "火曜", "曜"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ", "ナ"]),
        ("수영장에서 Swim", ["수영", "영장", "장에", "에서", "서", "swim"]),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", ["한글", "글"]),
        ("GPT模型3号", ["gpt", "模型", "型", "3", "号"]),
        ("𠮷野家", ["𠮷野", "野家", "家"]),
        ("ภาษาไทย๑", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย", "ย", "๑"]),
        ("*", []),
        ("🎉 — … \0", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert raw_terms(text) == terms


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("倉庫の鍵", "来週の火曜日に倉庫の鍵を交換する予定です"),
        ("灯塔项目", "林小满负责灯塔项目的预算审批"),
        ("预算", "林小满负责灯塔项目的预算审批"),
        ("批", "林小满负责灯塔项目的预算审批"),
        ("林", "林小满负责灯塔项目的预算审批"),
        ("수영장", "김예시는 매주 수요일에 수영장에서 운동한다"),
        ("lantern budget", "The lantern budget is due on Wednesday"),
        ("lantern-example", "lantern-example ran at 3 GB/s; bob-sample's (draft) plan: budget:2031"),
        ("bob-sample's (draft) plan?", "lantern-example ran at 3 GB/s; bob-sample's (draft) plan: budget:2031"),
        ("GB/s", "lantern-example ran at 3 GB/s; bob-sample's (draft) plan: budget:2031"),
        ("creme", "Crème brûlée"),
        ("CRÈME", "creme brulee"),
        ("カタカナ", "ｶﾀｶﾅ"),
    ],
)
def test_a_query_finds_the_text(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize("query", ["火星探测", "算预", "*", " ", "", '"', "NEAR("])
def test_a_query_does_not_find_what_is_not_there(query: str) -> None:
    assert not finds(query, "林小满负责灯塔项目的预算审批")


@given(CJK, CJK, CJK)
def test_every_part_of_an_unspaced_run_is_found(before: str, part: str, after: str) -> None:
    assert finds(part, before + part + after)


@given(st.text(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_forms_of_the_same_text_have_the_same_terms(text: str, form: Form) -> None:
    assert raw_terms(unicodedata.normalize(form, text)) == raw_terms(text)


@given(st.text())
def test_terms_are_clean_short_and_stable(text: str) -> None:
    terms = raw_terms(text)
    assert all(term and len(term) <= MAX_TERM and not set(term) & set(" \t\n\"'*:^()") for term in terms)
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_a_query_asks_for_terms_of_its_own_text(text: str) -> None:
    units = query_units(text)
    held = raw_terms(text)
    assert all(term in held for unit in units for term in unit.terms)
    assert bool(units) == bool(held)
    assert len(units) == len(set(units)) <= MAX_UNITS


def test_units_tell_words_from_runs() -> None:
    assert query_units("Plan 倉庫の鍵 預 plan") == [
        Unit("word", ("plan",)),
        Unit("cjk", ("倉庫", "庫の", "の鍵")),
        Unit("cjk_char", ("預",)),
    ]
    assert query_units("哈哈哈哈") == [Unit("cjk", ("哈哈",))]


def test_a_monstrous_query_stays_small() -> None:
    assert query_units("a" * 10_000) == [Unit("word", ("a" * MAX_TERM,))]
    assert len(query_units(" ".join(f"w{n}" for n in range(5_000)))) == MAX_UNITS
    assert len(query_units(" ".join(f"ä{n}" for n in range(5_000)))) == MAX_UNITS
    [unit] = query_units("".join(chr(0x4E00 + n) for n in range(5_000)))
    assert len(unit.terms) == MAX_UNITS


def test_a_word_is_the_same_beside_any_script() -> None:
    # What has no letter of another script is read by a pattern of its own, which is quicker to make.
    for code in range(0x80, 0x20000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        text = f"a{chr(code)}b"
        assert [*words_at(text), (len(text) + 1, len(text) + 2, True)] == list(words_at(f"{text} 灯")), hex(code)


def test_tokenising_is_linear() -> None:
    for text in ("a" * 1_000_000, "é" * 500_000, "\u0301" * 300_000, "क्" * 200_000, "灯" * 300_000, "-_" * 500_000):
        started = time.process_time()
        raw_terms(text)
        assert time.process_time() - started < 3


def test_stop_words_leave_negation_in() -> None:
    assert "the" in STOP_WORDS
    assert not STOP_WORDS & {"not", "no", "never", "without"}
    assert all(raw_terms(word) == [word] for word in STOP_WORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" a\t\n b ", "a b"),
        ("\ufeffa\ufeff\u3000b\u2028c\x85d", "a b c d"),
        ("one", "one"),
    ],
)
def test_collapse(text: str, expected: str) -> None:
    assert collapse(text) == expected


@given(st.text())
def test_collapsed_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = collapse(text)
    assert collapse(once) == once
    assert len(once.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("灯塔项目的", 2), ("🎉🎉", 1), ("🎉🎉🎉", 2), ("\ud800", 1)],
)
def test_tokens_are_quarter_utf16_units(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize("text", ["灯", "のり", "カ", "수", "ａ灯"])
def test_cjk_is_seen(text: str) -> None:
    assert has_cjk(text)


@pytest.mark.parametrize("text", ["", "plain", "naïve", "Москва", "ไทย", "🎉", "。"])
def test_no_cjk(text: str) -> None:
    assert not has_cjk(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One. Two! Three? four", ["One.", "Two!", "Three?", "four"]),
        ("我喜欢深色模式。你能帮我设置吗？", ["我喜欢深色模式。", "你能帮我设置吗？"]),
        ("Dr. Smith met J. Doe, e.g. at Acme. He left", ["Dr. Smith met J. Doe, e.g. at Acme.", "He left"]),
        ("It costs 3.5 or v1.2.3 today", ["It costs 3.5 or v1.2.3 today"]),
        ('She said "go." Then left.', ['She said "go."', "Then left."]),
        ("line one\nline two", ["line one", "line two"]),
        ("「はい。」と言った。", ["「はい。」", "と言った。"]),
        ("...", ["..."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(st.text())
def test_sentences_lose_nothing_but_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("the quick brown fox jumps", 20, "the quick brown fox…"),
        ("灯塔项目的预算审批", 5, "灯塔项目…"),
        ("averyveryverylongword next", 10, "averyvery…"),
        ("ab", 1, "…"),
        ("ab", 0, "…"),
    ],
)
def test_clip(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


@given(st.text(min_size=1), st.integers(1, 50))
def test_a_clipped_text_is_within_its_limit(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("", True),
        (" \t\n", True),
        ("\u200b\u2060\ufeff", True),
        ("\u00ad", True),
        ("茶", False),
        ("☕", False),
        (".", False),
    ],
)
def test_what_cannot_be_seen_is_blank(text: str, nothing: bool) -> None:
    assert blank(text) is nothing

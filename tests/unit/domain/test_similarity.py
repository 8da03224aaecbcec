"""Claims compared: the judging set as a whole, the rules one by one, and what must hold for any text."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.similarity import claim, compare, fingerprint, normalise

PAIRS = Path(__file__).parents[2] / "data" / "fact_pairs.jsonl"
MERGES = ("same", "duplicate", "supersedes")


def slug_words(slug: str | None) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^a-z0-9]+", slug.rsplit("/", 1)[-1]) if word) if slug else ()


def relation(old: str, new: str, *entity: str, kind: str = "fact", same_kind: bool = True, same_entity: bool = True) -> str:
    return compare(claim(old, entity), claim(new, entity), same_kind, kind, same_entity).relation


@cache
def judged() -> list[tuple[dict[str, Any], str]]:
    """Every pair of the judging set with the relation found; an exact repeat counts as a duplicate."""
    found = []
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        names = slug_words(pair["entity"])
        same_kind = pair["kind_old"] == pair["kind_new"]
        got = relation(pair["old"], pair["new"], *names, kind=pair["kind_new"], same_kind=same_kind)
        found.append((pair, "duplicate" if got == "same" else got))
    return found


def recall(wanted: str, lang: str | None = None) -> float:
    asked = [got for pair, got in judged() if pair["relation"] == wanted and lang in (None, pair["lang"])]
    return asked.count(wanted) / len(asked)


def test_the_set_is_large_enough() -> None:
    count = Counter(pair["relation"] for pair, _ in judged())
    assert sum(count.values()) >= 300
    assert min(count.values()) >= 50


def test_no_distinct_pair_is_merged() -> None:
    wrong = [(pair["id"], got) for pair, got in judged() if pair["relation"] == "distinct" and got != "distinct"]
    assert wrong == []


def test_a_correction_is_never_taken_for_a_repeat() -> None:
    assert [pair["id"] for pair, got in judged() if pair["relation"] == "supersedes" and got == "duplicate"] == []


def test_a_repeat_never_retires_the_old_claim() -> None:
    assert [pair["id"] for pair, got in judged() if pair["relation"] == "duplicate" and got == "supersedes"] == []


def test_duplicates_are_found() -> None:
    assert recall("duplicate") >= 0.85


@pytest.mark.parametrize("lang", ["en", "zh", "mixed"])
def test_duplicates_are_found_in_each_language(lang: str) -> None:
    assert recall("duplicate", lang) >= 0.80


def test_superseded_claims_are_found() -> None:
    assert recall("supersedes") >= 0.80


# Any text


WORDS = st.sampled_from(
    "Alice Bob owes pays 3 14 2026 9:30 not never the budget is 40k on May of to, from 和 的 不 喜欢 茶 five people's $5 kg "
    "moved now because if and or was by 周五 3月5日 É ß - : ? 5% v1.2 a@b.example".split()
)
SENTENCES = st.lists(WORDS, max_size=14).map(" ".join)
TEXTS = st.text(max_size=80) | SENTENCES
NAMES = st.lists(st.text(max_size=8) | st.sampled_from(["alice", "王伟", "lin", "siyuan"]), max_size=3).map(tuple)


@given(TEXTS)
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(TEXTS, TEXTS, NAMES)
def test_any_two_texts_can_be_compared(one: str, two: str, names: tuple[str, ...]) -> None:
    a, b = claim(one, names), claim(two, names)
    there, back = compare(a, b, True, "fact", True), compare(b, a, True, "fact", True)
    assert 0 <= there.score <= 1
    assert there.why
    assert (there.relation == "same") == (back.relation == "same") == (a.key == b.key)
    assert compare(a, a, True, "fact", True).relation == "same"


@given(TEXTS, st.randoms(use_true_random=False))
def test_words_read_before_do_not_matter(text: str, random: Any) -> None:
    before = claim(text)
    claim("".join(random.sample(text, len(text))))
    assert claim(text) == before


@given(SENTENCES, st.data())
def test_a_changed_digit_is_never_a_repeat(text: str, data: st.DataObject) -> None:
    places = [place for place, letter in enumerate(text) if letter in "0123456789"]
    if places:
        place = data.draw(st.sampled_from(places))
        digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[place]]))
        assert relation(text, text[:place] + digit + text[place + 1 :]) not in ("same", "duplicate")


@given(SENTENCES, st.data())
def test_a_negation_put_in_is_never_a_repeat(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    place = data.draw(st.integers(0, len(words)))
    negation = data.draw(st.sampled_from(["not", "never", "no longer", "不", "没有"]))
    assert relation(text, " ".join([*words[:place], negation, *words[place:]])) not in ("same", "duplicate")


def test_a_changed_digit_in_the_set_is_never_a_repeat() -> None:
    found = []
    for pair, _ in judged():
        text = pair["new"]
        for place in [place for place, letter in enumerate(text) if letter in "0123456789"]:
            changed = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]
            if relation(text, changed, *slug_words(pair["entity"])) in ("same", "duplicate"):
                found.append((text, changed))
    assert found == []


def test_a_negation_put_into_the_set_is_never_a_repeat() -> None:
    found = []
    for pair, _ in judged():
        text = pair["new"]
        steps = [place for place, letter in enumerate(text) if letter == " "]
        inserts = [text[:place] + " not" + text[place:] for place in steps]
        if pair["lang"] == "zh":
            inserts = [text[:place] + "不" + text[place:] for place in range(len(text))]
        names = slug_words(pair["entity"])
        found += [(text, other) for other in inserts if relation(text, other, *names) in ("same", "duplicate")]
    assert found == []

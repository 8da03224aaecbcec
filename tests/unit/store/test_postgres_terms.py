"""Texts and queries as PostgreSQL takes them: nothing in a term is syntax, and nothing is too long."""

import pytest

from gbrain.store.engine import Match, Terms
from gbrain.store.postgres_terms import EXACT, SAMPLE, lexeme, match_query, narrowed, ranking, vector

A, B, C = (Terms((word,)) for word in ("ab", "bc", "cd"))


@pytest.mark.parametrize(
    ("term", "kept"),
    [
        ("tea", "tea"),
        ("AND", "and"),
        ("o'clock", "oclock"),
        ("a\\b", "ab"),
        ("a\x00b", "ab"),
        ("'", ""),
        ("灯塔", "灯塔"),
    ],
)
def test_a_lexeme_holds_no_syntax(term: str, kept: str) -> None:
    assert lexeme(term) == kept


def test_a_long_term_becomes_a_digest() -> None:
    assert lexeme("x" * 1_000) == "x" * 1_000
    long, other = lexeme("x" * 3_000), lexeme("x" * 3_001)
    assert long != other
    assert len(long) == len(other) == 65


def test_a_vector_counts_each_column() -> None:
    text, size = vector("chunk_text", ("tea cake", "tea tea"))
    assert (set(text.split()), size) == ({"'tea':1A,2D,3D", "'cake':1A"}, 4)
    assert vector("fact_text", ("", "")) == ("", 0)


def test_a_vector_stays_below_the_megabyte() -> None:
    text, size = vector("chunk_text", ("name", " ".join(f"word{number}" for number in range(200_000))))
    assert size == 200_001
    assert len(text.encode()) < 2_000_000
    assert len(text.split()) < 60_000
    often, _ = vector("chunk_text", ("", "tea " * 5_000))
    assert often.count("D") == 255


@pytest.mark.parametrize(
    ("match", "query"),
    [
        (Match(must=(A, B)), "'ab' & 'bc'"),
        (Match(should=(A, B)), "('ab' | 'bc')"),
        (Match(must=(A,), should=(B,)), "'ab' & ('bc')"),
        (Match(must=(Terms(("ab", "bc")),)), "('ab' & 'bc')"),
        (Match(must=(Terms(("ab",), "names"),)), "'ab':A"),
        (Match(must=(Terms(("ab", "b"), "body", True),)), "('ab':D & 'b':*D)"),
        (Match(should=(Terms(("'",)),)), ""),
        (Match(must=(A,), should=(Terms(()),)), ""),
        (Match(), ""),
    ],
)
def test_a_query(match: Match, query: str) -> None:
    assert match_query("chunk_text", match) == query
    assert (ranking("chunk_text", match, 5, (), ()) is None) == (query == "")


def test_only_so_many_terms_are_scored() -> None:
    many = Match(should=tuple(Terms((f"w{number}{'x' * (number % 7)}",)) for number in range(64)))
    found = ranking("chunk_text", many, 5, (), ())
    assert found is not None
    assert len(found.terms) == 16
    assert min(map(len, found.terms)) > len("'w10'")


def test_a_column_without_weight_scores_nothing() -> None:
    match = Match(must=(Terms(("edana",), "entity"),), should=(Terms(("tea",), "body"),))
    found = ranking("fact_text", match, 5, (0.0, 1.0), ("default",))
    assert found is not None
    assert found.terms == ("'tea':D",)
    assert found.params["most"] == EXACT


class TestNarrowed:
    def test_the_rarest_units_are_kept(self) -> None:
        held = {"'ab'": 5, "'bc'": 300, "'cd'": 20}
        assert narrowed("chunk_text", Match(should=(A, B, C)), held) == Match(should=(A, C))

    def test_a_common_one_must_stand_beside_another(self) -> None:
        held = dict.fromkeys(("'ab'", "'bc'", "'cd'"), SAMPLE)
        pairs = (Terms(("ab", "bc")), Terms(("ab", "cd")))
        assert narrowed("chunk_text", Match(should=(A, B, C)), held) == Match(should=pairs)

    def test_a_single_one_must_stand_in_a_name(self) -> None:
        named = (Terms(("ab",), "names"),)
        assert narrowed("chunk_text", Match(must=(A,)), {}) == Match(must=(A,), should=named)
        assert narrowed("chunk_text", Match(should=(A,)), {}) == Match(should=named)
        assert narrowed("fact_text", Match(must=(A,)), {}) is None

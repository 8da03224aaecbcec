"""What every engine does: statements, lists, transactions, text indexes and their hostile queries."""

import threading
from collections.abc import Callable

import pytest

from gbrain.domain.text import MAX_UNITS
from gbrain.store.engine import Engine, Match, Terms, like
from gbrain.store.lists import slices
from gbrain.store.store import Store
from gbrain.store.terms import any_of, index_terms

HOSTILE = [
    'say "hi',
    '"',
    '""',
    "'",
    "'; drop table facts; --",
    "NEAR(",
    "NEAR(a b, 2)",
    "a AND",
    "OR",
    "NOT a",
    "AND OR NOT NEAR",
    "*",
    "a*",
    "^a",
    "-a",
    "+",
    "body : a",
    "budget:2031",
    "{entity body} : a",
    "entity:e",
    "(",
    "))((",
    "bob-sample's (draft) plan?",
    "GB/s",
    "%_\\",
    "?1 :name @p $q",
    " ",
    "\t\r\n",
    "a" * 10_000,
    "a b " * 5_000,
    " ".join(f"w{number}" for number in range(3_000)),
    "灯" * 9_000,
    "倉庫の鍵",
    "鍵",
    "수영장",
    "🏮",
    "👩‍👩‍👧",
    "e\u0301\u0301\u0301",
    "\u202eabc",
    "\ufeff",
    "\x01\x1f",
    "สวัสดี",
    "नमस्ते",
    "שָׁלוֹם",
    "ﬁﬂ㎏",
]


def keys(engine: Engine) -> list[str]:
    return [row["key"] for row in engine.rows("select key from meta where key like 'k%' order by key")]


def add(engine: Engine, key: str) -> None:
    engine.rows("insert into meta (key, value) values (:key, '')", {"key": key})


def add_and_raise(engine: Engine, *added: str, error: type[BaseException] = LookupError) -> None:
    with engine.transaction():
        for key in added:
            add(engine, key)
        raise error


@pytest.fixture
def indexed(engine: Engine) -> Engine:
    """Three texts of facts: 1 about lanterns, 2 about tea, 3 in Japanese."""
    texts = ("the lantern budget is due", "green tea in the budget", "来週の火曜日に倉庫の鍵を交換する予定です")
    with engine.transaction():
        for id, text in enumerate(texts, 1):
            engine.index("fact_text", id, ("edana", index_terms(text)))
    return engine


def found(engine: Engine, match: Match, limit: int = 10) -> list[int]:
    return [hit.id for hit in engine.keyword("fact_text", match, limit)]


class TestRows:
    def test_a_row_is_a_dict_by_column(self, engine: Engine) -> None:
        assert engine.rows("select 1 as one, cast(null as text) as none") == [{"one": 1, "none": None}]

    def test_no_row_is_an_empty_list(self, engine: Engine) -> None:
        assert engine.rows("select key from meta where key = :key", {"key": "k"}) == []
        assert engine.rows("delete from meta where key = :key", {"key": "k"}) == []

    def test_returning_gives_every_row_that_changed(self, engine: Engine) -> None:
        for number in range(3):
            add(engine, f"k{number}")
        changed = engine.rows("update meta set value = 'x' where key like 'k%' returning key")
        assert sorted(row["key"] for row in changed) == ["k0", "k1", "k2"]

    @pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip()], ids=ascii)
    def test_any_text_comes_back_as_it_went_in(self, engine: Engine, text: str) -> None:
        engine.rows("insert into meta (key, value) values (:key, :value)", {"key": "k", "value": text})
        assert engine.rows("select value from meta where key = :key", {"key": "k"}) == [{"value": text}]

    @pytest.mark.parametrize("size", [1, 2, 499, 500, 501, 1_200])
    def test_a_list_parameter_matches_each_of_its_values(self, engine: Engine, size: int) -> None:
        with engine.transaction():
            for number in range(size):
                add(engine, f"k{number:04}")
        wanted = [f"k{number:04}" for number in range(size)]
        got = [
            row["key"]
            for part in slices([*wanted, "absent"])
            for row in engine.rows("select key from meta where key in (:keys)", {"keys": part})
        ]
        assert sorted(got) == wanted

    @pytest.mark.parametrize("size", [1, 15, 16, 700])
    def test_a_list_of_numbers_does_too(self, engine: Engine, size: int) -> None:
        for n in range(3):
            add(engine, "k" * n)
        wanted = {"more": [-1, *range(100, 100 + size)], "none": [*range(5, 5 + size)], "few": [2, 7]}
        sql = (
            "select key from meta where key in ('', 'k', 'kk') and (length(key) in (:more) or length(key) in (:few))"
            " and length(key) not in (:none)"
        )
        assert [row["key"] for row in engine.rows(sql, wanted)] == ["kk"]
        wanted["few"] = [2, *range(7, 7 + size)]
        assert [row["key"] for row in engine.rows(sql, wanted)] == ["kk"]
        wanted["none"] = [2**40, *range(size), 2]
        assert engine.rows(sql, wanted) == []

    def test_an_empty_list_matches_nothing(self, engine: Engine) -> None:
        add(engine, "k")
        assert engine.rows("select key from meta where key in (:keys)", {"keys": []}) == []
        assert engine.rows("select key from meta where key in (:keys)", {"keys": ()}) == []

    def test_lists_whose_names_begin_alike_stay_apart(self, engine: Engine) -> None:
        for key in ("k1", "k2", "k3"):
            add(engine, key)
        rows = engine.rows(
            "select key from meta where key in (:k) and key in (:k_1) and key in (:k) order by key",
            {"k": ["k1", "k2"], "k_1": ["k2", "k3"]},
        )
        assert rows == [{"key": "k2"}]

    def test_a_value_in_a_list_is_never_read_as_sql(self, engine: Engine) -> None:
        add(engine, "k")
        assert engine.rows("select key from meta where key in (:keys)", {"keys": ["') or 1=1 --", ":keys"]}) == []
        assert keys(engine) == ["k"]


class TestLike:
    @pytest.mark.parametrize("text", ["100%", "a_b", "back\\slash", "%", "_", "\\", "\\%", "plain", "'"])
    def test_an_escaped_text_matches_itself_alone(self, engine: Engine, text: str) -> None:
        for value in ("100%", "1000", "a_b", "axb", "back\\slash", "%", "_", "\\", "\\%", "plain", "'"):
            engine.rows("insert into meta (key, value) values (:key, :value)", {"key": "k" + value, "value": value})
        rows = engine.rows("select value from meta where value like :p escape '\\'", {"p": like(text)})
        assert rows == [{"value": text}]


class TestTransactions:
    def test_what_a_block_wrote_stays(self, engine: Engine, another_engine: Callable[[], Engine]) -> None:
        with engine.transaction():
            add(engine, "k1")
            assert keys(another_engine()) == []
        assert keys(another_engine()) == ["k1"]

    def test_a_block_that_raises_leaves_nothing(self, engine: Engine) -> None:
        with pytest.raises(LookupError):
            add_and_raise(engine, "k1")
        assert keys(engine) == []

    def test_an_inner_block_joins_the_outer_one(self, engine: Engine) -> None:
        with engine.transaction():
            with engine.transaction():
                add(engine, "k1")
            assert keys(engine) == ["k1"]
            with pytest.raises(LookupError):
                add_and_raise(engine, "k2")
        assert keys(engine) == ["k1", "k2"]

    def test_an_outer_block_that_raises_undoes_the_inner_ones(self, engine: Engine) -> None:
        def nested() -> None:
            with engine.transaction():
                with engine.transaction():
                    add(engine, "k1")
                add_and_raise(engine, "k2")

        with pytest.raises(LookupError):
            nested()
        assert keys(engine) == []

    def test_a_statement_that_fails_undoes_the_whole_block(self, engine: Engine) -> None:
        add(engine, "k1")
        with pytest.raises(Exception, match=r"(?i)unique"):
            add_and_raise(engine, "k2", "k1")
        assert keys(engine) == ["k1"]

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, GeneratorExit, SystemExit])
    def test_being_stopped_undoes_the_block(self, engine: Engine, stop: type[BaseException]) -> None:
        with pytest.raises(stop):
            add_and_raise(engine, "k1", error=stop)
        assert keys(engine) == []
        with engine.transaction():
            add(engine, "k2")
        assert keys(engine) == ["k2"]

    def test_the_engine_goes_on_after_a_failed_block(
        self, engine: Engine, another_engine: Callable[[], Engine]
    ) -> None:
        with pytest.raises(LookupError):
            add_and_raise(engine)
        other = another_engine()
        with other.transaction():
            add(other, "k1")
        assert keys(engine) == ["k1"]

    def test_what_is_read_inside_a_block_cannot_change_before_its_end(
        self, engine: Engine, another_engine: Callable[[], Engine]
    ) -> None:
        engine.rows("insert into meta (key, value) values ('k', '0')")
        engines = [engine, another_engine()]

        def count(own: Engine) -> None:
            for _ in range(50):
                with own.transaction():
                    held = int(own.rows("select value from meta where key = 'k'")[0]["value"])
                    own.rows("update meta set value = :value where key = 'k'", {"value": str(held + 1)})

        threads = [threading.Thread(target=count, args=(own,)) for own in (*engines, *engines)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert engine.rows("select value from meta where key = 'k'") == [{"value": "200"}]

    def test_a_reader_is_never_kept_waiting_by_a_writer(
        self, engine: Engine, another_engine: Callable[[], Engine]
    ) -> None:
        reader = another_engine()
        with engine.transaction():
            add(engine, "k1")
            assert keys(reader) == []

    def test_threads_of_one_engine_have_transactions_of_their_own(self, engine: Engine) -> None:
        seen: list[list[str]] = []
        with engine.transaction():
            add(engine, "k1")
            thread = threading.Thread(target=lambda: seen.append(keys(engine)))
            thread.start()
            thread.join(30)
        assert seen == [[]]


class TestKeyword:
    @pytest.mark.parametrize("text", HOSTILE, ids=ascii)
    def test_a_question_of_any_text_raises_nothing(self, indexed: Engine, text: str) -> None:
        match = any_of(text)
        assert len(match.should) <= MAX_UNITS
        assert indexed.keyword("fact_text", match, 10) is not None

    @pytest.mark.parametrize("text", [*HOSTILE, "a\x00b", "\x00"], ids=ascii)
    @pytest.mark.parametrize("prefix", [False, True])
    @pytest.mark.parametrize("column", ["", "body"])
    def test_a_term_of_any_text_raises_nothing(self, indexed: Engine, text: str, prefix: bool, column: str) -> None:
        unit = Terms((text,), column, prefix)
        for match in (
            Match(must=(unit,)),
            Match(should=(unit,)),
            Match(must=(Terms(("lantern",)), unit), should=(unit, Terms(("tea", text)))),
        ):
            assert isinstance(indexed.keyword("fact_text", match, 10), list)

    def test_words_of_the_query_language_are_words(self, engine: Engine) -> None:
        engine.index("fact_text", 1, ("e", index_terms("neither and or not near stands here")))
        for word in ("AND", "OR", "NOT", "NEAR"):
            assert found(engine, Match(must=(Terms((word.lower(),)),))) == [1]
            assert found(engine, Match(must=(Terms((word,)),))) == [1]

    def test_a_colon_is_never_a_column_filter(self, indexed: Engine) -> None:
        assert found(indexed, any_of("entity:lantern")) == found(indexed, any_of("entity lantern")) == [1]
        assert found(indexed, Match(must=(Terms(("entity:lantern",)),))) == []

    def test_must_and_should(self, indexed: Engine) -> None:
        tea, lantern, budget = (Terms((word,)) for word in ("tea", "lantern", "budget"))
        assert found(indexed, Match(must=(budget, tea))) == [2]
        assert sorted(found(indexed, Match(should=(lantern, tea)))) == [1, 2]
        assert found(indexed, Match(must=(budget,), should=(lantern,))) == [1]
        assert found(indexed, Match(must=(Terms(("budget", "green")),))) == [2]
        assert found(indexed, Match(must=(budget,), should=(Terms(("absent",)),))) == []

    def test_an_empty_query_finds_nothing(self, indexed: Engine) -> None:
        assert found(indexed, Match()) == []
        assert found(indexed, Match(must=(Terms(()),))) == []
        assert found(indexed, Match(must=(Terms(("budget",)),), should=(Terms(()),))) == []

    def test_a_column_restricts_its_own_unit_alone(self, indexed: Engine) -> None:
        assert found(indexed, Match(must=(Terms(("edana",), "body"),))) == []
        assert len(found(indexed, Match(must=(Terms(("edana",), "entity"),)))) == 3
        assert found(indexed, Match(must=(Terms(("edana",), "entity"), Terms(("lantern",), "body")))) == [1]
        assert found(indexed, Match(should=(Terms(("tea", "green"), "body"), Terms(("absent",), "entity")))) == [2]

    def test_a_prefix_is_of_the_last_term_alone(self, indexed: Engine) -> None:
        assert found(indexed, Match(must=(Terms(("lan",), prefix=True),))) == [1]
        assert found(indexed, Match(must=(Terms(("lan", "bud"), prefix=True),))) == []
        assert sorted(found(indexed, Match(must=(Terms(("bud",), prefix=True),)))) == [1, 2]

    @pytest.mark.parametrize("text", ["倉庫の鍵", "倉庫", "鍵", "火曜日"])
    def test_unspaced_text_is_found_by_any_word_of_it(self, indexed: Engine, text: str) -> None:
        assert found(indexed, any_of(text)) == [3]

    def test_best_first_and_never_more_than_asked(self, engine: Engine) -> None:
        for id, text in enumerate(("tea", "tea and cake and bread and butter", "tea tea tea", "coffee"), 1):
            engine.index("fact_text", id, ("e", index_terms(text)))
        hits = engine.keyword("fact_text", any_of("tea"), 10)
        assert {hit.id for hit in hits} == {1, 2, 3}
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert hits[-1].id == 2
        assert [hit.id for hit in engine.keyword("fact_text", any_of("tea"), 2)] == [hit.id for hit in hits[:2]]

    def test_weights_count_by_column(self, engine: Engine) -> None:
        engine.index("chunk_text", 1, ("harbor", "lantern lantern"))
        engine.index("chunk_text", 2, ("lantern", "harbor"))
        best = [
            engine.keyword("chunk_text", any_of("lantern"), 1, weights)[0].id for weights in ((9.0, 1.0), (0.0, 1.0))
        ]
        assert best == [2, 1]

    @pytest.mark.parametrize("other", [0, 40])
    def test_the_texts_of_other_sources_count_for_nothing(self, engine: Engine, other: int) -> None:
        for id, text in enumerate(("harbor", "lantern", "lantern tea cake", "tea", "cake"), 1):
            engine.index("chunk_text", id, ("", text), "own")
        alone = engine.keyword("chunk_text", any_of("harbor lantern"), 10, (), ("own",))
        for id in range(other):
            engine.index("chunk_text", 100 + id, ("harbor", "harbor " * id), "other")
        assert engine.keyword("chunk_text", any_of("harbor lantern"), 10, (), ("own",)) == alone
        assert alone[0].id == 1
        both = engine.keyword("chunk_text", any_of("harbor"), 100, (), ("own", "other"))
        assert len(both) == other + 1
        assert engine.keyword("chunk_text", any_of("harbor"), 10, (), ()) == []

    def test_unranked_the_newest_come_first_and_no_other_row_counts(self, engine: Engine) -> None:
        for id, text in enumerate(("tea", "tea tea", "cake", "tea and cake"), 1):
            engine.index("chunk_text", id, ("", text), "own" if id % 2 else "other")
        hits = engine.keyword("chunk_text", any_of("tea cake"), 3, (6.0, 1.0), ("own", "other"), ranked=False)
        assert [(hit.id, hit.score) for hit in hits] == [(4, 1.0), (3, 1.0), (2, 1.0)]


class TestIndex:
    def test_a_second_put_replaces_the_first(self, engine: Engine) -> None:
        engine.index("fact_text", 1, ("e", "lantern"))
        engine.index("fact_text", 1, ("e", "tea"))
        assert found(engine, any_of("lantern")) == []
        assert found(engine, any_of("tea")) == [1]

    def test_none_takes_the_row_out(self, engine: Engine) -> None:
        engine.index("fact_text", 1, ("e", "lantern"))
        engine.index("fact_text", 1, None)
        engine.index("fact_text", 2, None)
        assert found(engine, any_of("lantern")) == []

    def test_the_index_follows_the_transaction(self, engine: Engine) -> None:
        def undone() -> None:
            with engine.transaction():
                engine.index("fact_text", 1, ("e", "lantern"))
                add_and_raise(engine)

        with pytest.raises(LookupError):
            undone()
        assert found(engine, any_of("lantern")) == []

    def test_what_is_written_is_found_at_once_by_another(
        self, engine: Engine, another_engine: Callable[[], Engine]
    ) -> None:
        other = another_engine()
        assert found(other, any_of("lantern")) == []
        engine.index("fact_text", 1, ("e", "lantern"))
        assert found(other, any_of("lantern")) == [1]


class TestLife:
    def test_migrating_again_changes_nothing(self, engine: Engine, another_engine: Callable[[], Engine]) -> None:
        add(engine, "k1")
        engine.migrate()
        other = another_engine()
        other.migrate()
        assert keys(other) == ["k1"]

    def test_a_closed_engine_gives_up_its_locks(self, engine: Engine, another_engine: Callable[[], Engine]) -> None:
        block = engine.transaction()
        block.__enter__()
        add(engine, "k1")
        engine.close()
        other = another_engine()
        with other.transaction():
            add(other, "k2")
        assert keys(other) == ["k2"]

    def test_two_that_make_one_store_at_once_both_have_it(self, another_engine: Callable[[], Engine]) -> None:
        engines = [another_engine() for _ in range(4)]
        start, failures = threading.Barrier(4), list[BaseException]()

        def migrate(own: Engine) -> None:
            start.wait(30)
            try:
                own.migrate()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=migrate, args=(own,)) for own in engines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert failures == []
        assert [keys(own) for own in engines] == [[], [], [], []]

    def test_a_foreign_key_is_held(self, store: Store) -> None:
        with pytest.raises(Exception, match=r"(?i)foreign key"):
            store.engine.rows(
                "insert into aliases (source_id, alias_key, page_id) values ('default', 'ali', 4711)",
            )

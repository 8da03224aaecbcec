"""The PostgreSQL engine against a real server: pool, limits, lost connections, commits in doubt, roles, schema."""

import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import databases
from commandline import Gbrain
from gbrain import Brain, Caller, home as homes, open_brain, registry
from gbrain.brain import join_database
from gbrain.errors import BrainError, Internal, Unavailable
from gbrain.store import postgres, postgres_pool, postgres_terms
from gbrain.store.engine import Interrupted, Match, Terms
from gbrain.store.facts import Facts
from gbrain.store.postgres import PostgresEngine
from gbrain.store.terms import any_of

SECRET = "EXAMPLE-pw"


@pytest.fixture
def url() -> str:
    return databases.emptied()


@pytest.fixture
def another(url: str) -> Iterator[Callable[[], PostgresEngine]]:
    """Opens the same database as another process would."""
    opened: list[PostgresEngine] = []

    def one() -> PostgresEngine:
        opened.append(PostgresEngine(url))
        return opened[-1]

    yield one
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(another: Callable[[], PostgresEngine]) -> PostgresEngine:
    return another()


@pytest.fixture
def brain(url: str, tmp_path: Path) -> Iterator[Brain]:
    with join_database(str(tmp_path / "home"), url) as brain:
        yield brain


def fresh(owner: str = "postgres") -> str:
    """The name of an empty database."""
    return databases.shared().create(owner=owner)


def backends(url: str) -> list[int]:
    """The processes of the server that serve gbrain in the database of a URL."""
    database = url.partition("@/")[2].partition("?")[0]
    return [
        row[0]
        for row in databases.shared().sql(
            f"select pid from pg_stat_activity where datname = '{database}' and application_name like 'gbrain %'"
        )
    ]


def cut(url: str) -> None:
    """End every connection of gbrain to a database, as a restart does."""
    for pid in backends(url):
        databases.shared().sql(f"select pg_terminate_backend({pid}, 5000)")


def add(engine: PostgresEngine, key: str) -> None:
    engine.rows("insert into meta (key, value) values (:key, '')", {"key": key})


def keys(engine: PostgresEngine) -> list[str]:
    return [row["key"] for row in engine.rows("select key from meta where key like 'k%' order by key")]


class TestPool:
    def test_many_threads_share_few_connections(self, engine: PostgresEngine, url: str) -> None:
        start, failures = threading.Barrier(40), list[BaseException]()

        def work(number: int) -> None:
            start.wait(30)
            try:
                for _ in range(5):
                    assert engine.rows("select :n as n", {"n": number}) == [{"n": number}]
                    with engine.transaction():
                        add(engine, f"k{number}")
                        engine.rows("delete from meta where key = :key", {"key": f"k{number}"})
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert failures == []
        assert 0 < len(backends(url)) <= postgres_pool.POOL_SIZE

    def test_waiting_for_a_connection_ends(self, engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgres_pool, "POOL_SIZE", 1)
        monkeypatch.setattr(postgres_pool, "POOL_WAIT_SECONDS", 0.3)
        seen: list[BaseException] = []

        def read() -> None:
            try:
                engine.rows("select 1 as one")
            except BaseException as error:
                seen.append(error)

        with engine.transaction():
            thread = threading.Thread(target=read)
            thread.start()
            thread.join(30)
        assert [getattr(error, "detail", None) for error in seen] == [{"reason": "busy"}]

    def test_a_statement_that_takes_too_long_is_ended(self, engine: PostgresEngine) -> None:
        engine.rows("select set_config('statement_timeout', '50ms', false)")
        with pytest.raises(Unavailable, match="did not answer") as raised:
            engine.rows("select pg_sleep(5)")
        assert raised.value.detail == {"reason": "timeout"}
        assert engine.rows("select 1 as one") == [{"one": 1}]

    def test_a_writer_waits_for_another_only_so_long(
        self, another: Callable[[], PostgresEngine], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres_pool, "_SET_UP", postgres_pool._SET_UP.replace("10000ms", "100ms"))
        one, other = another(), another()
        with one.transaction():
            add(one, "k1")
            with pytest.raises(Unavailable) as raised, other.transaction():
                pass
        assert raised.value.detail == {"reason": "busy"}
        with other.transaction():
            add(other, "k2")
        assert keys(one) == ["k1", "k2"]

    def test_every_connection_has_its_limits(self, engine: PostgresEngine) -> None:
        for name, value in (("statement_timeout", "30s"), ("lock_timeout", "10s"), ("timezone", "UTC")):
            assert engine.rows(f"show {name}")[0].popitem()[1] == value

    def test_a_schema_named_in_the_url_is_used(self, url: str, tmp_path: Path) -> None:
        server, name = databases.shared(), fresh()
        server.sql("create schema team", database=name)
        with join_database(str(tmp_path / "home"), f"{server.url(name)}&options=-csearch_path%3Dteam") as brain:
            assert brain.store.engine.rows("select current_schema() as here") == [{"here": "team"}]
        assert server.sql("select count(*) from team.pages", database=name) == [(0,)]


class TestLostConnections:
    def test_a_read_goes_on_after_a_restart(self, engine: PostgresEngine, url: str) -> None:
        add(engine, "k1")
        cut(url)
        assert keys(engine) == ["k1"]

    def test_a_transaction_that_is_cut_off_writes_nothing(self, engine: PostgresEngine, url: str) -> None:
        def write() -> None:
            with engine.transaction():
                add(engine, "k1")
                cut(url)
                add(engine, "k2")

        with pytest.raises(Interrupted):
            write()
        assert keys(engine) == []

    @pytest.mark.parametrize("code", ["40001", "40P01"])
    def test_work_the_server_asks_for_again_is_interrupted(self, engine: PostgresEngine, code: str) -> None:
        def write() -> None:
            with engine.transaction():
                add(engine, "k1")
                engine.rows(f"do $$ begin raise exception 'again' using errcode = '{code}'; end $$")

        with pytest.raises(Interrupted):
            write()
        assert keys(engine) == []

    @pytest.mark.parametrize("times", [1, 3])
    def test_an_operation_is_done_again(
        self, brain: Brain, url: str, monkeypatch: pytest.MonkeyPatch, times: int
    ) -> None:
        insert, left = Facts.insert, [times]

        def cut_off(self: Facts, *arguments: Any, **named: Any) -> int:
            id = insert(self, *arguments, **named)
            if left[0]:
                left[0] -= 1
                cut(url)
            return id

        monkeypatch.setattr(Facts, "insert", cut_off)
        assert brain.remember(fact="likes tea", provenance="a test")["status"] == "inserted"
        assert left == [0]
        assert len(brain.store.engine.rows("select id from facts")) == 1

    def test_it_gives_up_in_the_end(self, brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
        pauses: list[float] = []
        monkeypatch.setattr("gbrain.store.engine.time.sleep", pauses.append)
        tries: list[int] = []

        def never(self: Facts, *arguments: Any, **named: Any) -> int:
            tries.append(1)
            raise Interrupted("gone", "try again")

        monkeypatch.setattr(Facts, "insert", never)
        with pytest.raises(Interrupted):
            brain.remember(fact="likes tea", provenance="a test")
        assert len(tries) == 8
        assert pauses == sorted(pauses)

    def test_a_defect_is_no_interruption(self, brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
        tries: list[int] = []

        def wrong(self: Facts, *arguments: Any, **named: Any) -> int:
            tries.append(1)
            self._engine.rows("select nothing from nowhere")
            return 0

        monkeypatch.setattr(Facts, "insert", wrong)
        with pytest.raises(Internal):
            brain.remember(fact="likes tea", provenance="a test")
        assert len(tries) == 1


class TestCommitsInDoubt:
    @pytest.fixture
    def unanswered(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
        """Lets the next commit lose its connection, after the server did it or before."""

        def arrange(done: bool) -> None:
            commit = postgres._commit

            def once(connection: Any) -> bool:
                monkeypatch.setattr(postgres, "_commit", commit)
                if done:
                    commit(connection)
                connection.close()
                return True

            monkeypatch.setattr(postgres, "_commit", once)

        return arrange

    def test_one_that_the_server_made_counts(self, brain: Brain, unanswered: Callable[[bool], None]) -> None:
        unanswered(True)
        assert brain.remember(fact="likes tea", provenance="a test")["status"] == "inserted"
        assert len(brain.store.engine.rows("select id from facts")) == 1

    def test_one_that_it_did_not_make_is_done_again(self, brain: Brain, unanswered: Callable[[bool], None]) -> None:
        unanswered(False)
        assert brain.remember(fact="likes tea", provenance="a test")["status"] == "inserted"
        assert len(brain.store.engine.rows("select id from facts")) == 1

    def test_one_that_nobody_knows_of_is_found_done(
        self, brain: Brain, unanswered: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(PostgresEngine, "_outcome", lambda self, ticket: None)
        unanswered(True)
        assert brain.remember(fact="likes tea", provenance="a test")["status"] == "duplicate"
        assert len(brain.store.engine.rows("select id from facts")) == 1

    def test_a_number_of_before_a_restart_says_nothing(self, engine: PostgresEngine) -> None:
        number = engine.rows("select cast(pg_current_xact_id() as text) as n")[0]["n"]
        started = engine.rows("select cast(pg_postmaster_start_time() as text) as s")[0]["s"]
        assert engine._outcome({"number": number, "started": started}) == "committed"
        assert engine._outcome({"number": number, "started": "2001-01-01"}) is None


class TestAddresses:
    @pytest.mark.parametrize(
        "url",
        [
            f"postgresql://nobody:{SECRET}@127.0.0.1:1/x",
            f"postgresql://nobody:{SECRET}%zz@127.0.0.1:1/x",
            f"postgresql://nobody@127.0.0.1:1/x?password={SECRET}",
            f"postgresql://no:{SECRET}@@127.0.0.1:1/x",
            f"postgresql://nobody:{SECRET}@127.0.0.1:notaport/x",
        ],
    )
    def test_a_password_is_never_told(self, url: str, tmp_path: Path) -> None:
        with pytest.raises(BrainError) as raised:
            join_database(str(tmp_path / "home"), url)
        told = "".join(traceback.format_exception(raised.value)) + str(raised.value.envelope()) + repr(raised.value)
        assert SECRET not in told
        assert "gbrain" in raised.value.suggestion
        assert not (tmp_path / "home" / "brain.json").exists()

    def test_a_database_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match="did not let this user in") as raised:
            join_database(str(tmp_path / "home"), databases.shared().url("nosuchdatabase", password=SECRET))
        assert "nosuchdatabase" in str(raised.value.detail)
        assert SECRET not in str(raised.value.envelope())

    def test_what_is_no_url_is_refused(self, tmp_path: Path) -> None:
        for text in ("", "host=x password=y", "http://example.com", "brain.db"):
            with pytest.raises(BrainError, match="not the URL of a PostgreSQL database"):
                join_database(str(tmp_path / "home"), text)

    def test_the_address_is_for_its_owner_alone(self, brain: Brain) -> None:
        file = Path(brain.home) / homes.ADDRESS
        assert file.stat().st_mode & 0o777 == 0o600
        assert not (Path(brain.home) / homes.DATABASE).exists()

    def test_no_answer_and_no_log_has_the_password(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        server = databases.shared()
        home = str(tmp_path / "home")
        with join_database(home, server.url(fresh(), password=SECRET)) as brain:
            assert SECRET not in repr(brain.store.engine)
            said = [registry.call(brain, Caller.local(), name, {}) for name in ("whoami", "get_stats", "run_doctor")]

            def wrong(self: Facts, *arguments: Any, **named: Any) -> int:
                raise psycopg.OperationalError(SECRET)

            monkeypatch.setattr(Facts, "insert", wrong)
            with pytest.raises(BrainError) as raised:
                brain.remember(fact="likes tea", provenance="a test")
        assert SECRET not in str(said) + str(raised.value.envelope())
        files = [path for path in Path(home).rglob("*") if path.is_file() and path.name != homes.ADDRESS]
        assert not [path for path in files if SECRET in path.read_text(encoding="utf-8", errors="replace")]

    def test_the_home_of_another_brain_is_refused(self, tmp_path: Path, url: str) -> None:
        home = str(tmp_path / "home")
        with open_brain(home, create=True) as brain:
            brain.remember(fact="likes tea", provenance="a test")
        with pytest.raises(BrainError, match="has a brain of its own") as raised:
            join_database(home, url)
        assert f"gbrain migrate --to {homes.redacted(url)}" in raised.value.suggestion
        assert not (tmp_path / "home" / homes.ADDRESS).exists()

    @pytest.mark.parametrize(
        "operation", [("sources_add", {"id": "work"}), ("put_page", {"slug": "a", "content": "A"})]
    )
    def test_a_brain_with_a_source_or_a_page_is_not_empty(
        self, tmp_path: Path, url: str, operation: tuple[str, dict[str, Any]]
    ) -> None:
        home = str(tmp_path / "home")
        with open_brain(home, create=True) as brain:
            registry.call(brain, Caller.local(), *operation)
        with pytest.raises(BrainError, match="has a brain of its own"):
            join_database(home, url)

    def test_an_empty_brain_makes_way_and_is_kept(self, tmp_path: Path, url: str) -> None:
        gbrain = Gbrain(tmp_path)
        gbrain("init")
        told = gbrain("init", "--postgres", url).out
        file = Path(gbrain.home) / homes.DATABASE
        assert f"  the brain this home had stays at {file} and is not used any more\n" in told
        assert file.exists()
        gbrain("remember", "likes tea", "--provenance", "a test")
        assert "left" not in gbrain("init", "--postgres", url, "--json").json

    def test_joining_twice_keeps_the_brain(self, brain: Brain, url: str, tmp_path: Path) -> None:
        brain.remember(fact="likes tea", provenance="a test")
        with join_database(brain.home, url) as again, join_database(str(tmp_path / "second"), url) as other:
            assert again.id == other.id == brain.id
            assert len(other.recall()["facts"]) == 1

    def test_an_address_that_cannot_be_read_is_said_and_can_be_written_anew(self, url: str, tmp_path: Path) -> None:
        home = tmp_path / "home"
        home.mkdir(0o700)
        for text in ("{", "[]", '{"engine": "postgres"}', '{"engine": "oracle", "url": "x"}'):
            (home / homes.ADDRESS).write_text(text, encoding="utf-8")
            with pytest.raises(Unavailable, match="does not say where this brain is"):
                open_brain(str(home))
        join_database(str(home), url).close()
        open_brain(str(home)).close()


class TestSchema:
    def test_a_role_without_rights_is_told_what_to_grant(self, tmp_path: Path) -> None:
        server, name = databases.shared(), fresh()
        server.sql("drop role if exists guest", "create role guest login")
        with pytest.raises(Unavailable, match="may not create tables in the schema 'public'") as raised:
            join_database(str(tmp_path / "home"), server.url(name, user="guest"))
        assert 'grant create, usage on schema "public" to "guest"' in raised.value.suggestion
        server.sql('grant create, usage on schema "public" to "guest"', database=name)
        with join_database(str(tmp_path / "home"), server.url(name, user="guest")) as brain:
            assert brain.remember(fact="likes tea", provenance="a test")["status"] == "inserted"

    def test_another_programs_tables_are_left_alone(self, tmp_path: Path) -> None:
        server, name = databases.shared(), fresh()
        server.sql("create table config (id int)", "create table other (id int)", database=name)
        with pytest.raises(Unavailable, match=r"tables of another program \(config\)"):
            join_database(str(tmp_path / "home"), server.url(name))
        tables = server.sql("select count(*) from pg_tables where schemaname = 'public'", database=name)
        assert tables == [(2,)]

    def test_a_newer_brain_is_left_alone(self, tmp_path: Path) -> None:
        server, name = databases.shared(), fresh()
        join_database(str(tmp_path / "home"), server.url(name)).close()
        server.sql("insert into gbrain_schema (step) values (9000)", database=name)
        with pytest.raises(Unavailable, match="newer gbrain"):
            open_brain(str(tmp_path / "home"))

    def test_several_make_one_brain_at_once(self) -> None:
        server, name = databases.shared(), fresh()
        engines = [PostgresEngine(server.url(name)) for _ in range(4)]
        start, failures = threading.Barrier(4), list[BaseException]()

        def migrate(own: PostgresEngine) -> None:
            start.wait(30)
            try:
                own.migrate()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=migrate, args=(own,)) for own in engines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for own in engines:
            own.close()
        assert failures == []
        assert server.sql("select step from gbrain_schema order by step", database=name)[0] == (1,)

    def test_every_text_column_is_ordered_by_code_points(self, engine: PostgresEngine) -> None:
        wrong = engine.rows(
            "select table_name, column_name from information_schema.columns where table_schema = 'public'"
            " and data_type = 'text' and collation_name is distinct from 'C'"
        )
        assert wrong == []

    def test_every_key_of_a_table_of_sources_begins_with_the_source(self, engine: PostgresEngine) -> None:
        found = engine.rows(
            "select c.relname as name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid"
            " join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where i.indisunique"
            " and c.relnamespace = cast('public' as regnamespace) and exists (select 1 from pg_attribute s"
            " where s.attrelid = c.oid and s.attname = 'source_id')"
        )
        assert len(found) > 10
        assert {row["first"] for row in found} == {"source_id"}

    def test_no_operation_needs_a_superuser(self, tmp_path: Path) -> None:
        server = databases.shared()
        server.sql("drop role if exists plain", "create role plain login")
        with join_database(str(tmp_path / "home"), server.url(fresh(owner="plain"), user="plain")) as brain:
            brain.put_page(slug="people/dana", content="# Dana\n\nlantern\n")
            assert [row["slug"] for row in brain.search(query="lantern")] == ["people/dana"]
            assert brain.get_stats()["page_count"] == 1


class TestSearch:
    def test_a_term_longer_than_a_lexeme_may_be(self, engine: PostgresEngine) -> None:
        long = "e" + "ab" * 3_000
        engine.index("fact_text", 1, (long, "tea"))
        hits = engine.keyword("fact_text", Match(must=(Terms((long,), "entity"),)), 5)
        assert [hit.id for hit in hits] == [1]
        assert engine.keyword("fact_text", Match(must=(Terms((long + "a",), "entity"),)), 5) == []

    def test_a_text_larger_than_a_vector_may_be(self, brain: Brain) -> None:
        text = "lantern " + " ".join(f"w{number:x}" for number in range(300_000))
        brain.put_page(slug="notes/long", content=text)
        assert [row["slug"] for row in brain.search(query="lantern")] == ["notes/long"]

    def test_a_word_is_counted_as_often_as_it_occurs(self, engine: PostgresEngine) -> None:
        vector, size = postgres_terms.vector("chunk_text", ("tea", "tea tea cake"))
        assert size == 4
        assert sorted(vector.split()) == ["'cake':1D", "'tea':1A,2D,3D"]
        frequency = engine.rows(
            "select ts_rank_cd(cast('{1,0,0,0.5}' as float4[]), cast(:v as tsvector), cast('''tea''' as tsquery)) as f",
            {"v": vector},
        )
        assert frequency == [{"f": 2.5}]

    def test_the_rare_word_decides_among_many_hits(self, engine: PostgresEngine) -> None:
        with engine.transaction():
            for id in range(1, 2_501):
                engine.index(
                    "chunk_text", id, (f"note {id}", "harbour walk at noon" + (" zebra" if id == 2_400 else ""))
                )
        hits = engine.keyword("chunk_text", any_of("harbour walk zebra"), 5)
        assert hits[0].id == 2_400
        assert len(hits) == 5
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len(engine.keyword("chunk_text", any_of("harbour"), 3_000)) > 2_000

    def test_a_name_comes_first_among_many_hits(self, engine: PostgresEngine) -> None:
        with engine.transaction():
            for id in range(1, 1_501):
                engine.index("chunk_text", id, ("harbour" if id == 1_400 else f"note {id}", "harbour walk"))
        hits = engine.keyword("chunk_text", any_of("harbour"), 5, (6.0, 1.0))
        assert hits[0].id == 1_400

    def test_other_sources_do_not_crowd_out_ones_own(self, engine: PostgresEngine) -> None:
        with engine.transaction():
            for id in range(1, 3_501):
                engine.index("chunk_text", id, ("note", "harbour"), "big")
            engine.index("chunk_text", 9_000, ("note", "harbour and a good deal of other words"), "small")
        assert [hit.id for hit in engine.keyword("chunk_text", any_of("harbour"), 5, (), ("small",))] == [9_000]
        assert len(engine.keyword("chunk_text", any_of("harbour"), 5, (), ("small", "big"))) == 5

"""The PostgreSQL dialect, through psycopg 3: a pool, bounded statements, and no commit that is taken for granted."""

import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import psycopg

from gbrain.errors import BrainError, Unavailable
from gbrain.home import redacted
from gbrain.store import postgres_vectors as vectors, postgres_walls as walls
from gbrain.store.engine import (
    DERIVED,
    Frequencies,
    Interrupted,
    Kept,
    Match,
    Params,
    Reach,
    Row,
    Shape,
    Space,
    Terms,
    steps,
)
from gbrain.store.lists import expand
from gbrain.store.postgres_pool import Connection, Pool, may_not_create, translated
from gbrain.store.postgres_spelling import spelled
from gbrain.store.postgres_tables import COLUMN, NUMBERED, SHAPES, SOURCED, TABLES
from gbrain.store.postgres_terms import counting, narrowed, newest, ranking, sampling, vector
from gbrain.types import Hit

if TYPE_CHECKING:
    from gbrain.arrays import Vector

OLDEST = 15
FEW_OF = 20
"""A word in less than one of so many texts of a sample is counted in the index."""
WRITE_LOCK = 0x67627261
"""With the schema's name the advisory lock on which writers of one brain queue, as SQLite's queue on the file."""
MIGRATION_WAIT = "10min"
SQL_FOLDER = os.path.join(os.path.dirname(__file__), "sql", "postgres")

_BEGIN = (
    f"begin; select pg_advisory_xact_lock({WRITE_LOCK}, hashtext(current_schema())),"
    " cast(pg_current_xact_id() as text) as number, cast(pg_postmaster_start_time() as text) as started"
)
_SNAPSHOT = (
    "begin isolation level repeatable read read only; set local statement_timeout = 0;"
    " set local idle_in_transaction_session_timeout = 0; select '' as number,"
    " cast(pg_postmaster_start_time() as text) as started"
)
_LEISURE = f"set local statement_timeout = 0; set local lock_timeout = '{MIGRATION_WAIT}';"
_OUTCOME = (
    "select pg_xact_status(cast(:number as xid8)) as outcome where cast(pg_postmaster_start_time() as text) = :started"
)
_OUTCOME_TRIES, _OUTCOME_PAUSE = 8, 0.05


class PostgresEngine:
    """One schema of one database. Threads share a pool; a transaction keeps one connection of it."""

    name = "postgres"

    def __init__(self, url: str) -> None:
        self._pool = Pool(url)
        self._place = redacted(url)
        self._local = threading.local()
        self._prepared: dict[str, tuple[int, str]] = {}
        """Of each table of vectors the space it is prepared for, and the schema that pgvector is in."""

    def __repr__(self) -> str:
        return f"PostgresEngine({self._place!r})"

    def rows(self, sql: str, params: Params = {}) -> list[Row]:  # noqa: B006 - never changed
        """See Engine.rows. A read outside a transaction is tried once more when its connection turns out to be dead."""
        if any(type(value) in (list, tuple) for value in params.values()):
            sql, params = expand(sql, params)
        held: Connection | None = getattr(self._local, "connection", None)
        if held is not None:
            self._set_reach(held)
            return _execute(held, sql, params)
        try:
            return self._alone(sql, params)
        except Interrupted:
            # A write may have been done before the line broke: it is for `persistently` to find that out.
            if not sql.startswith(("select", "with")):
                raise
            self._pool.renew()
            return self._alone(sql, params)

    def many(self, sql: str, params: Iterable[Params]) -> None:
        """See Engine.many. Nothing is waited for in between."""
        with self.transaction(), translated():
            self._set_reach(self._local.connection)
            self._local.connection.cursor().executemany(spelled(sql), params)

    def transaction(self) -> AbstractContextManager[None]:
        """See Engine.transaction. Writers queue, so that what is read inside cannot change before the commit.

        Raises Interrupted when the connection was lost: nothing was written then, or it cannot be known.
        """
        return self._transaction(_BEGIN)

    def snapshot(self) -> AbstractContextManager[None]:
        """See Engine.snapshot: a transaction that reads alone and is repeatable, of any length."""
        return self._transaction(_SNAPSHOT)

    def in_transaction(self) -> bool:
        """See Engine.in_transaction."""
        return getattr(self._local, "connection", None) is not None

    @contextmanager
    def within(self, reach: Reach | None) -> Iterator[None]:
        """See Engine.within. The second wall is row-level security, where `init --rls` has put it up."""
        before = getattr(self._local, "reach", None)
        self._local.reach = reach
        try:
            yield
        finally:
            self._local.reach = before

    def unveiled(self) -> AbstractContextManager[None]:
        """See Engine.unveiled."""
        reach: Reach | None = getattr(self._local, "reach", None)
        return self.within(reach and reach._replace(private=True, slugs=None))

    def keyword(
        self,
        index: str,
        match: Match,
        limit: int,
        weights: Sequence[float] = (),
        sources: Sequence[str] = ("",),
        *,
        ranked: bool = True,
    ) -> list[Hit]:
        """See Engine.keyword. Of very many hits only some with the rarest words are ranked."""
        if not ranked:
            plain = newest(index, match, limit, sources, behind=self._behind(index))
            return [Hit(row["id"], 1.0) for row in self.rows(plain.sql, plain.params)] if plain else []
        looked = ranking(index, match, limit, weights, sources, behind=self._behind(index))
        if looked is None:
            return []
        found = self.rows(looked.sql, looked.params)
        # There are too many hits to rank: the first statement only counted how common each word is.
        if found and found[0]["id"] is None and found[0]["spread"] is not None:
            spread = dict(zip(looked.terms, found[0]["spread"], strict=True))
            closer = narrowed(index, match, spread) or match
            found = self._candidates(index, closer, limit, weights, sources)
            if len(found) < limit and closer != match:
                known = {row["id"] for row in found}
                rest = self._candidates(index, match, limit, weights, sources)
                # Scores of two statements do not compare; what only the wider one finds stands behind.
                least = found[-1]["score"] if found else None
                for row in rest:
                    if row["id"] not in known:
                        found.append({**row, "score": row["score"] if least is None else min(row["score"], least)})
        return [Hit(row["id"], row["score"]) for row in found if row["id"] is not None][:limit]

    def frequencies(self, index: str, units: Sequence[Terms], sources: Sequence[str]) -> Frequencies:
        """See Engine.frequencies. Words of many texts are counted in a sample, the others in the index."""
        behind = self._behind(index)
        sampled = self.rows(*sampling(index, units, sources, behind))[0]
        total, seen = sampled["total"], sampled["seen"]
        held = [round(total * count / seen) if seen else 0 for count in sampled["held"]]
        rare = [place for place, count in enumerate(sampled["held"]) if count * FEW_OF < seen]
        if total > seen and rare:
            counted = self.rows(*counting(index, [units[place] for place in rare], sources, behind))[0]["held"]
            for place, count in zip(rare, counted, strict=True):
                held[place] = min(count, total)
        return Frequencies(total, sampled["length"], tuple(held))

    def index(self, index: str, id: int, columns: Sequence[str] | None, source: str = "", *, new: bool = False) -> None:
        """See Engine.index."""
        self.index_rows(index, [(id, columns, source)])

    def index_rows(self, index: str, rows: Sequence[tuple[int, Sequence[str] | None, str]]) -> None:
        """See Engine.index_rows."""
        put = (
            f"insert into {index} (source_id, id, size, terms) values (:source, :id, :size, cast(:terms as tsvector))"
            " on conflict (source_id, id) do update set size = excluded.size, terms = excluded.terms"
        )
        # Outside the statement: making the vectors takes longer than storing them, and needs no connection.
        made = [(id, source, vector(index, columns)) for id, columns, source in rows if columns is not None]
        self._each(
            put, [{"source": source, "id": id, "size": size, "terms": terms} for id, source, (terms, size) in made]
        )
        gone = [{"source": source, "id": id} for id, columns, source in rows if columns is None]
        self._each(f"delete from {index} where source_id = :source and id = :id", gone)

    def nearest(
        self, table: str, space: Space, vector: "Vector", limit: int, sources: Sequence[str], *, private: bool
    ) -> list[Hit]:
        """See Engine.nearest."""
        where = self._vectors_of(table, space)
        return vectors.nearest(self.rows, where, table, space, vector, limit, sources, private) if where else []

    def cosines(self, table: str, space: Space, vector: "Vector", ids: Sequence[int]) -> dict[int, float]:
        """See Engine.cosines."""
        where = self._vectors_of(table, space)
        return vectors.cosines(self.rows, where, table, space, vector, ids) if where else {}

    def _vectors_of(self, table: str, space: Space) -> str | None:
        """The schema of pgvector, None where no vector was stored yet."""
        id, where = self._prepared.get(table, (0, ""))
        # Remembered a space: asking the catalogue costs as much as the search itself.
        if id != space.id:
            where = vectors.place(self.rows)
            if not self.rows(COLUMN, {"table": table}):
                return None
            self._prepared[table] = space.id, where
        return where

    def keep_vectors(self, table: str, space: Space, kept: Sequence[Kept], changed: int) -> int:
        """See Engine.keep_vectors."""
        where = vectors.place(self.rows)
        vectors.prepare(self.rows, where, table, space)
        self._each(vectors.keep(where, table), vectors.kept_rows(space, kept, changed))
        stored = f"select count(*) as n from {table} where model = :model and changed = :changed"
        return int(self.rows(stored, {"model": space.id, "changed": changed})[0]["n"])

    def migrate(self) -> None:
        """See Engine.migrate. Steps run one transaction each, under the writers' advisory lock."""
        numbered = steps(SQL_FOLDER)
        newest = numbered[-1][0]
        done = self._steps_done(newest)
        if newest in done:
            return
        for number, file in numbered:
            if number not in done:
                self._step(number, file)

    def wall(self, *, up: bool = True) -> None:
        """Put every table that belongs to sources behind row-level security, or take it down again.

        Raises Unavailable when this role would see through it.
        """
        role = self.rows("select rolname, rolsuper or rolbypassrls as above from pg_roles where rolname = current_user")
        if up and role and role[0]["above"]:
            raise Unavailable(
                f"the role {role[0]['rolname']!r} sees through row-level security: it is a superuser or may bypass it",
                "make a plain role that owns the database, and name it in the URL: gbrain init --postgres URL --rls",
                detail={"reason": "privilege"},
            )
        with self._at_leisure():
            for statement in walls.policies(self.walled_tables()) if up else walls.lowered(self.walled_tables()):
                self.rows(statement)
        self._pool.refresh()

    def walled_tables(self) -> list[str]:
        """The tables that belong to sources: those with the column `source_id`, and the sources themselves."""
        found = self.rows(
            "select distinct table_name as name from information_schema.columns where table_schema = current_schema()"
            " and (column_name = 'source_id' or table_name = 'sources') order by 1"
        )
        return [row["name"] for row in found if row["name"] not in walls.EXEMPT]

    def shapes(self) -> dict[str, Shape]:
        """See Engine.shapes."""
        if not self.rows("select 1 as there where to_regclass('gbrain_schema') is not null"):
            return {}
        found = self.rows(SHAPES, {"besides": [*walls.EXEMPT, *DERIVED, "gbrain_schema"]})
        return {row["name"]: Shape(tuple(row["columns"]), tuple(row["key"])) for row in found}

    def sourced(self) -> list[str]:
        """See Engine.sourced."""
        found = self.rows(SOURCED)
        return [row["name"] for row in found]

    def drop_texts(self, source: str) -> None:
        """See Engine.drop_texts: their rows name their source, and go as all others do."""

    def merge_texts(self, source: str) -> None:
        """See Engine.merge_texts: their tables have nothing to merge."""

    def deferred(self) -> None:
        """See Engine.deferred."""
        self.rows("set constraints all deferred")

    def afresh(self) -> None:
        """See Engine.afresh: nothing of the database is kept in this process."""

    def renumber(self) -> None:
        """See Engine.renumber. The planner learns of the new rows too: it would not before a minute has passed."""
        for row in self.rows(NUMBERED):
            self.rows(
                f"select setval(cast(:sequence as regclass), coalesce(max({row['column']}), 1), max({row['column']}) is"
                f" not null) from {row['table']}",
                {"sequence": row["sequence"]},
            )
        with self._at_leisure():
            for table in self.shapes() | walls.BEHIND:
                self.rows(f"analyze {table}")

    def close(self) -> None:
        """See Engine.close."""
        self._pool.close()

    def _each(self, sql: str, params: Sequence[Params]) -> None:
        if len(params) == 1:
            self.rows(sql, params[0])
        elif params:
            self.many(sql, params)

    def _candidates(
        self, index: str, match: Match, limit: int, weights: Sequence[float], sources: Sequence[str]
    ) -> list[Row]:
        made = ranking(index, match, limit, weights, sources, behind=self._behind(index), looking=False)
        return [row for row in self.rows(made.sql, made.params) if row["id"] is not None] if made is not None else []

    def _behind(self, index: str) -> str | None:
        """The table that hides rows of a text index, where a caller's reach is in force."""
        bounded = getattr(self._local, "reach", None) not in (None, walls.EVERYTHING)
        return walls.BEHIND[index] if bounded and self._pool.walled else None

    def _alone(self, sql: str, params: Params) -> list[Row]:
        """One statement outside a transaction; where the wall stands, in one of its own that bears the reach."""
        with self._pool.connection() as connection:
            if not connection.walled:
                return _execute(connection, sql, params)
            reach = walls.settings(getattr(self._local, "reach", None))
            with translated():
                try:
                    with connection.pipeline():
                        connection.execute("begin")
                        # All four in one round trip: the wall must not make a read three times as slow.
                        connection.execute(spelled(walls.SETTINGS), reach)
                        cursor = connection.execute(spelled(sql), params)
                        connection.execute("commit")
                    return cursor.fetchall() if cursor.description is not None else []
                except BaseException:
                    _give_up(connection)
                    raise

    def _set_reach(self, connection: Connection) -> None:
        reach = getattr(self._local, "reach", None)
        if connection.walled and connection.reach != (reach,):
            _execute(connection, walls.SETTINGS, walls.settings(reach))
            connection.reach = (reach,)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if getattr(self._local, "connection", None) is not None:
            yield
            return
        with self._pool.connection() as connection:
            ticket = _begin(connection, begin)
            # The settings of a reach end with their transaction, so nothing of an earlier one is in force.
            connection.reach = None
            self._local.connection = connection
            try:
                yield
            except BaseException:
                _give_up(connection)
                raise
            finally:
                self._local.connection = None
            lost = _commit(connection)
        if lost:
            self._settle(ticket)

    def _settle(self, ticket: Row) -> None:
        """Find out what became of a commit that got no answer; raises Interrupted unless the server has made it."""
        self._pool.renew()
        outcome = self._outcome(ticket)
        if outcome != "committed":
            raise Interrupted(
                "the connection to the database was lost during a commit",
                "ask again: what was saved is then found to be known",
                detail={"reason": "connection", "written": False if outcome == "aborted" else None},
            )

    def _outcome(self, ticket: Row) -> str | None:
        """What became of a transaction whose commit got no answer: committed, aborted, or None when unknown.

        After a restart the server may have given the number of a lost transaction to another one, so it is not asked.
        """
        for _ in range(_OUTCOME_TRIES):
            try:
                found = self._alone(_OUTCOME, {"number": ticket["number"], "started": ticket["started"]})
            except BrainError:
                return None
            if not found or found[0]["outcome"] != "in progress":
                return found[0]["outcome"] if found else None
            time.sleep(_OUTCOME_PAUSE)
        return None

    def _steps_done(self, newest: int) -> set[int]:
        """The steps that were made. Raises Unavailable for a server, schema or brain that is not for this gbrain."""
        with self._pool.connection() as connection:
            version = connection.info.server_version // 10_000
        if version < OLDEST:
            raise Unavailable(
                f"the server is PostgreSQL {version}; gbrain needs {OLDEST} or newer",
                "upgrade the server, or name another one: gbrain init --postgres URL",
                detail={"reason": "old_server"},
            )
        try:
            done = {int(row["step"]) for row in self.rows("select step from gbrain_schema")}
        # Asked for straight away, since of thousands of openings one finds no table.
        except psycopg.errors.UndefinedTable:
            self._refuse_foreign()
            self._first()
            return set()
        if done and max(done) > newest:
            raise Unavailable(
                f"this brain was written by a newer gbrain (schema {max(done)}, this one knows {newest})",
                "upgrade: pip install --upgrade gbrain; then run: gbrain doctor",
                detail={"reason": "newer_schema", "schema": max(done)},
            )
        return done

    def _refuse_foreign(self) -> None:
        there = {row["name"] for row in self.rows(TABLES)}
        with open(steps(SQL_FOLDER)[0][1], encoding="utf-8") as script:
            # The names stand in the first step alone; a list of them here would be a second one to keep.
            ours = re.findall(r"^create table (\w+)", script.read(), re.MULTILINE)
        if taken := sorted(there.intersection(ours)):
            raise Unavailable(
                f"the database at {self._place} holds tables of another program ({', '.join(taken[:5])})",
                "name a database of its own: gbrain init --postgres postgresql://USER@HOST/ANOTHER",
                detail={"reason": "foreign_store"},
            )

    def _first(self) -> None:
        with self._at_leisure():
            if not self.rows("select has_schema_privilege(current_schema(), 'create') as may")[0]["may"]:
                raise may_not_create(self.rows("select current_user as who, current_schema() as place")[0])
            self.rows("create table if not exists gbrain_schema (step integer primary key)")

    def _step(self, number: int, file: str) -> None:
        with open(file, encoding="utf-8") as script:
            text = script.read()
        with self._at_leisure():
            # Asked again under the lock: another process may have made the step while this one queued.
            if self.rows("select step from gbrain_schema where step = :step", {"step": number}):
                return
            with translated():
                self._local.connection.execute(text)
            self.rows("insert into gbrain_schema (step) values (:step)", {"step": number})
            # Tables that a step adds would else stand outside a wall that is up.
            if self._local.connection.walled:
                for statement in walls.policies(self.walled_tables()):
                    self.rows(statement)

    def _at_leisure(self) -> AbstractContextManager[None]:
        """A transaction for a change of the schema, which may take long and wait for another process's."""
        return self._transaction(_BEGIN.replace("begin;", f"begin; {_LEISURE}"))


def _begin(connection: Connection, sql: str) -> Row:
    """Begin, and queue for the write lock; the transaction's number and when the server was started."""
    with translated():
        try:
            cursor = connection.execute(sql)
            # Several statements in one message; the last one has the row.
            while cursor.nextset():
                pass
            return cursor.fetchone() or {}
        except BaseException:
            _give_up(connection)
            raise


def _commit(connection: Connection) -> bool:
    """Commit; whether the connection was lost meanwhile."""
    try:
        _execute(connection, "commit", {})
    except Interrupted:
        return True
    except BaseException:
        _give_up(connection)
        raise
    return False


def _give_up(connection: Connection) -> None:
    """Roll back, as far as there is anything left to talk to."""
    try:
        connection.rollback()
    except psycopg.Error:
        # The pool puts a new connection in the place of a closed one.
        connection.close()


def _execute(connection: Connection, sql: str, params: Params) -> list[Row]:
    with translated():
        cursor = connection.execute(spelled(sql), params)
        return cursor.fetchall() if cursor.description is not None else []

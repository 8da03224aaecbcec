"""A look at a brain's PostgreSQL database that changes nothing, for the doctor."""

import re
from typing import Any, NamedTuple

import psycopg

from gbrain.home import redacted
from gbrain.store import postgres_walls as walls
from gbrain.store.engine import steps
from gbrain.store.postgres import OLDEST, SQL_FOLDER, WRITE_LOCK
from gbrain.store.postgres_pool import refusal
from gbrain.store.probe import Schema, Trouble
from gbrain.store.unread import UNREAD, Unread, unread_files

CONNECT_SECONDS, WAIT_MS = 5, 3_000


class Server(NamedTuple):
    """The server that answers: its version, and how many milliseconds it took."""

    version: str
    old: bool


class Role(NamedTuple):
    """The role this brain connects as, and what it lacks: the tables it may not use, whether it may change them."""

    name: str
    schema: str
    above: bool
    """Whether it is a superuser or may bypass row-level security."""
    closed: tuple[str, ...]
    owner: str | None
    """Who owns the tables, None when that is this role or one it belongs to."""


class Extension(NamedTuple):
    """pgvector: the installed version and the one the server offers, None where there is none."""

    installed: str | None
    offered: str | None
    server: int


class Walls(NamedTuple):
    """Which tables of sources are behind row-level security, and which are not."""

    up: tuple[str, ...]
    down: tuple[str, ...]


class Holder(NamedTuple):
    """A session that writes wait for: its number on the server, its program, what it does and since how long."""

    pid: int
    program: str
    place: str
    """The address of its machine, or that it is the server's own."""
    state: str | None
    """None for the session of a role into which this one may not look."""
    seconds: int
    """Since its transaction began; 0 where that cannot be told."""


class ServerProbe:
    """A connection of the doctor's own, with short waits. Raises Trouble from every method."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._connection = psycopg.connect(
                url, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="gbrain doctor"
            )
        except psycopg.Error as error:
            said = refusal(error, url)
            words = str((said.detail or {}).get("said") or said.message)
            raise Trouble("unreadable", words) from None
        for name in ("statement_timeout", "lock_timeout"):
            # The doctor answers for a server in trouble, too.
            self._rows(f"select set_config('{name}', '{WAIT_MS}ms', false)")

    def place(self) -> str:
        """Where the database is, as a person may see it."""
        return redacted(self.url)

    def server(self) -> Server:
        """The server's version."""
        number = self._connection.info.server_version
        return Server(f"{number // 10_000}.{number % 10_000}", number < OLDEST * 10_000)

    def schema(self) -> Schema:
        """How the schema of the database compares with the one this version makes."""
        numbered = steps(SQL_FOLDER)
        newest = numbered[-1][0]
        # By search path, as the brain itself finds its tables.
        if not self._rows("select 1 where to_regclass('gbrain_schema') is not null"):
            raise Trouble("empty")
        step = int(self._rows("select coalesce(max(step), 0) from gbrain_schema")[0][0])
        wanted: list[str] = []
        for number, file in numbered:
            if number <= step:
                with open(file, encoding="utf-8") as script:
                    wanted += re.findall(r"^create (?:unique )?(?:table|index) (\w+)", script.read(), re.MULTILINE)
        there = {row[0] for row in self._rows(f"select relname from pg_class where {_HERE}")}
        return Schema(step, newest, tuple(name for name in wanted if name not in there))

    def misordered(self) -> list[str]:
        """The text columns whose order is not that of code points, so that this brain would read pages in another."""
        found = self._rows(
            "select table_name || '.' || column_name from information_schema.columns where table_schema ="
            " current_schema() and data_type = 'text' and collation_name is distinct from 'C' order by 1"
        )
        return [row[0] for row in found]

    def role(self) -> Role:
        """Who connects, and what it may not do."""
        name, schema, above = self._rows(
            "select r.rolname, current_schema(), r.rolsuper or r.rolbypassrls from pg_roles r where rolname ="
            " current_user"
        )[0]
        may = " and ".join(f"has_table_privilege(oid, '{right}')" for right in ("select", "insert", "update", "delete"))
        closed = self._rows(f"select relname from pg_class where {_TABLES} and not ({may}) order by relname")
        owners = self._rows(
            f"select distinct pg_get_userbyid(relowner) from pg_class where {_TABLES} and not pg_has_role(relowner,"
            " 'usage')"
        )
        return Role(name, schema, above, tuple(row[0] for row in closed), owners[0][0] if owners else None)

    def vector(self) -> Extension:
        """What there is of pgvector."""
        found = self._rows(
            "select installed_version, default_version from pg_available_extensions where name = 'vector'"
        )
        installed, offered = found[0] if found else (None, None)
        return Extension(installed, offered, self._connection.info.server_version // 10_000)

    def walls(self) -> Walls:
        """The state of row-level security, table by table."""
        found = self._rows(
            "select c.relname, c.relrowsecurity and c.relforcerowsecurity and exists (select 1 from pg_policy p where"
            f" p.polrelid = c.oid) from pg_class c where {_TABLES} and (c.relname = 'sources' or exists (select 1 from"
            " pg_attribute a where a.attrelid = c.oid and a.attname = 'source_id')) order by c.relname"
        )
        kept = [(name, up) for name, up in found if name not in walls.EXEMPT]
        return Walls(tuple(name for name, up in kept if up), tuple(name for name, up in kept if not up))

    def write(self) -> None:
        """Write a row and roll it back: raises Trouble when a person's next write would fail.

        It takes its turn among the writers, and meets every table, as a write of any kind would.
        """
        tables = self._rows(f"select string_agg(quote_ident(relname), ', ') from pg_class where {_TABLES}")[0][0]
        try:
            with self._connection.transaction(force_rollback=True):
                self._connection.execute(f"select pg_advisory_xact_lock({_WRITERS})")
                # The lock every write takes: it waits for a table being rebuilt, and for no other writer.
                self._connection.execute(f"lock table {tables} in row exclusive mode")
                self._connection.execute(
                    "insert into meta (key, value) values ('doctor', '') on conflict (key) do nothing"
                )
        except psycopg.Error as error:
            raise _trouble(error) from None

    def holders(self) -> list[Holder]:
        """The sessions that hold the writers' turn or keep a table of the brain from being written."""
        found = self._rows(
            "select distinct a.pid, coalesce(nullif(a.application_name, ''), a.usename, '?'), coalesce(host("
            "a.client_addr), 'the server''s own machine'), a.state, coalesce(cast(extract(epoch from"
            " clock_timestamp() - a.xact_start) as int), 0) from pg_locks l join pg_stat_activity a on a.pid = l.pid"
            " where l.granted and l.pid <> pg_backend_pid() and a.datname = current_database() and ((l.locktype ="
            f" 'relation' and l.mode in ({_SHUTTING}) and l.relation in (select oid from pg_class where {_TABLES}))"
            f" or (l.locktype = 'advisory' and l.classid = {WRITE_LOCK} and cast(l.objid as bigint) ="
            " (cast(hashtext(current_schema()) as bigint) & 4294967295))) order by 5 desc, 1"
        )
        return [Holder(*row) for row in found]

    def settings(self) -> dict[str, str]:
        """Every stored setting, known or not."""
        return {row[0]: row[1] for row in self._rows("select key, value from config order by key")}

    def languages(self) -> dict[str, tuple[str, str]]:
        """Of each source its language, and those that may stand in its text indexes, joined by spaces."""
        self._rows("select set_config('gbrain.sources', '*', false)")
        return {
            row[0]: (row[1], row[2]) for row in self._rows("select id, language, indexed_in from sources order by id")
        }

    def unread(self) -> dict[str, list[Unread]]:
        """Of each source with a folder of which the last sync could not read everything: those files."""
        self._rows("select set_config('gbrain.sources', '*', false)")
        rows = self._rows(
            f"select s.id, m.value from sources s join meta m on m.key = '{UNREAD}' || s.id"
            " where s.local_path is not null order by s.id"
        )
        return {row[0]: files for row in rows if (files := unread_files(row[1]))}

    def unwired(self) -> int:
        """How many pages have a text that is newer than the links and entries made from it."""
        self._rows("select set_config('gbrain.sources', '*', false)")
        return int(self._rows("select count(*) from pages where wired < version and deleted_at is null")[0][0])

    def born(self) -> str | None:
        """When the brain was made, as store text; None when that is not written."""
        self._rows("select set_config('gbrain.sources', '*', false)")
        found = self._rows("select min(created_at) from sources")
        return found[0][0] if found else None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql).fetchall()
        except psycopg.Error as error:
            raise _trouble(error) from None


_HERE = "relnamespace = cast(current_schema() as regnamespace)"
_WRITERS = f"{WRITE_LOCK}, hashtext(current_schema())"
_SHUTTING = "'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'"
"""The locks on a table that no write goes beside."""
_TABLES = f"relkind in ('r', 'p') and {_HERE}"


def parsed(version: str) -> tuple[int, ...]:
    """The numbers of a version."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _trouble(error: psycopg.Error) -> Trouble:
    if isinstance(error, psycopg.errors.LockNotAvailable | psycopg.errors.QueryCanceled):
        return Trouble("busy")
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction | psycopg.errors.InsufficientPrivilege):
        return Trouble("read_only")
    if isinstance(error, psycopg.errors.DiskFull):
        return Trouble("full")
    return Trouble("unreadable", " ".join(str(error).split())[:200])

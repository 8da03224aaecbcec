"""Checks of a brain on PostgreSQL: can the server be reached, is it fit, what may this role do there."""

import shlex
from typing import TYPE_CHECKING

from gbrain import home as homes
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import BrainError
from gbrain.store.probe import Trouble

if TYPE_CHECKING:
    from gbrain.store.server import ServerProbe


@check("server", "The database server: reachable, and new enough", needs=("home",), engine="postgres")
def server(patient: Patient) -> Finding:
    """A connection is made within five seconds, to PostgreSQL 15 or newer."""
    try:
        url = homes.database_url(patient.home)
    except BrainError as error:
        return Finding("fail", error.message, error.suggestion.partition(": ")[2].partition(", or: ")[0])
    place = homes.redacted(url or "")
    try:
        # psycopg takes 140 ms to load, and only a brain on PostgreSQL needs it.
        from gbrain.store.server import ServerProbe

        patient.server = ServerProbe(url or "")
        found = patient.server.server()
    except ImportError:
        return Finding("fail", "the driver for PostgreSQL is not installed", homes.driver_install())
    except Trouble as trouble:
        return Finding("fail", f"{place} cannot be reached", None, (trouble.words,) if trouble.words else ())
    if found.old:
        return Finding("fail", f"{place} is PostgreSQL {found.version}; gbrain needs 15 or newer")
    return Finding("ok", f"PostgreSQL {found.version} at {place}")


@check("server.schema", "The schema step of the brain's database", needs=("server",), engine="postgres")
def schema(patient: Patient) -> Finding:
    """The database has the schema that this version of gbrain makes."""
    probe = patient.server
    if probe is None:
        return _not_run()
    try:
        found = probe.schema()
        patient.born = probe.born() if not found.missing else None
    except Trouble as trouble:
        if trouble.reason == "empty":
            return Finding("fail", f"there is no brain at {probe.place()} yet", "gbrain init")
        return _trouble(trouble)
    if found.step > found.newest:
        message = f"written by a newer gbrain: schema {found.step}, this one knows {found.newest}"
        return Finding("fail", message, "pip install --upgrade gbrain")
    if found.missing:
        details = tuple(f"missing: {name}" for name in found.missing)
        return Finding("fail", f"schema {found.step} lacks {len(found.missing)} tables and indexes", None, details)
    if found.step < found.newest:
        message = f"schema {found.step} is older than {found.newest}; the next command brings it up to date"
        return Finding("warn", message, "gbrain stats")
    return Finding("ok", f"schema {found.step}, the newest")


@check("server.role", "What the role of this brain may do", needs=("server", "server.schema"), engine="postgres")
def role(patient: Patient) -> Finding:
    """It may read and write every table, and owns them, so that an upgrade can change them."""
    probe = patient.server
    if probe is None:
        return _not_run()
    try:
        found = probe.role()
    except Trouble as trouble:
        return _trouble(trouble)
    if found.closed:
        grant = (
            f'grant select, insert, update, delete on all tables in schema "{found.schema}" to "{found.name}";'
            f' grant usage on all sequences in schema "{found.schema}" to "{found.name}"'
        )
        details = (f"not all of it: {', '.join(found.closed[:8])}", "The command is for the owner of the tables.")
        return Finding("fail", f"the role {found.name} may not use every table", _psql(probe.url, grant), details)
    if found.owner is not None:
        message = f"the tables belong to {found.owner}: an upgrade of gbrain must be run as that role"
        return Finding("warn", message, None)
    power = ", a superuser: a plain role that owns the database is enough" if found.above else ""
    return Finding("ok", f"the role {found.name} may do all that is needed{power}")


@check(
    "server.writable",
    "A row written and rolled back",
    needs=("server", "server.schema", "server.role"),
    engine="postgres",
)
def writable(patient: Patient) -> Finding:
    """A write gets its turn within three seconds."""
    if patient.server is None:
        return _not_run()
    try:
        patient.server.write()
    except Trouble as trouble:
        if trouble.reason == "busy":
            patient.busy = True
            return _in_use(patient.server)
        return _trouble(trouble)
    return Finding("ok", "a row was written and rolled back")


@check(
    "server.order",
    "The order of texts: by code points in every column",
    needs=("server", "server.schema"),
    engine="postgres",
)
def order(patient: Patient) -> Finding:
    """Every text column has the collation C, so that lists come in the same order on every server."""
    if patient.server is None:
        return _not_run()
    try:
        wrong = patient.server.misordered()
    except Trouble as trouble:
        return _trouble(trouble)
    if wrong:
        details = tuple(f"not ordered by code points: {name}" for name in wrong)
        return Finding(
            "fail", f"{len(wrong)} columns have a collation of their own; lists come in a wrong order", None, details
        )
    return Finding("ok", "every text column has the collation C")


@check("server.vector", "pgvector, which searching by meaning will need", needs=("server",), engine="postgres")
def vector(patient: Patient) -> Finding:
    """The extension is installed in the database; without it names and words are searched all the same."""
    probe = patient.server
    if probe is None:
        return _not_run()
    try:
        found = probe.vector()
    except Trouble as trouble:
        return _trouble(trouble)
    names = "Names and words are searched without it; only searching by meaning needs it."
    if found.installed is None and found.offered is None:
        package = f"postgresql-{found.server}-pgvector"
        return Finding(
            "warn",
            "the server has no pgvector: texts cannot be searched by meaning",
            None,
            (names, f"Its package is called {package} on Debian and Ubuntu (apt.postgresql.org), pgvector elsewhere."),
        )
    if found.installed is None:
        details = (names, "It takes a superuser, or the role for it on a managed server: a database's owner may not.")
        return Finding(
            "warn",
            f"pgvector {found.offered} is not installed in this database",
            _psql(probe.url, "create extension vector"),
            details,
        )
    if tuple(int(part) for part in found.installed.split(".")[:2] if part.isdigit()) < (0, 8):
        return Finding(
            "warn",
            f"pgvector {found.installed} is older than 0.8",
            _psql(probe.url, "alter extension vector update"),
            (names,),
        )
    return Finding("ok", f"pgvector {found.installed}")


@check(
    "server.wall",
    "Row-level security, the second wall between callers",
    needs=("server", "server.schema"),
    engine="postgres",
)
def wall(patient: Patient) -> Finding:
    """It is up on every table of sources or on none, and this role does not see through it."""
    probe = patient.server
    if probe is None:
        return _not_run()
    try:
        found, role = probe.walls(), probe.role()
    except Trouble as trouble:
        return _trouble(trouble)
    if not found.up:
        return Finding("ok", "not in use; gbrain holds callers to their sources by itself")
    again = f"gbrain init --postgres {shlex.quote(homes.redacted(probe.url, ''))} --rls"
    if found.down:
        details = tuple(f"open: {name}" for name in found.down)
        return Finding("fail", f"{len(found.down)} tables are not behind the wall", again, details)
    if role.above:
        return Finding("fail", f"the role {role.name} sees through it: it is a superuser or may bypass it", None)
    return Finding("ok", f"up on {len(found.up)} tables")


def _in_use(probe: "ServerProbe") -> Finding:
    try:
        found = probe.holders()
    except Trouble:
        found = []
    if not found:
        return Finding("warn", "in use: a write did not get its turn within three seconds")
    details = [
        f"session {one.pid}: {one.program} from {one.place}"
        + (f", {one.state}, its transaction began {one.seconds} s ago" if one.state else "")
        for one in found
    ]
    details.insert(0, "Nothing is lost: writes go on once it has finished or ended.")
    message = f"in use: {found[0].program} (session {found[0].pid}) holds what writes wait for"
    return Finding("warn", message, None, tuple(details))


def _psql(url: str, statement: str) -> str:
    return f"psql {shlex.quote(homes.redacted(url, ''))} -c {shlex.quote(statement)}"


def _trouble(trouble: Trouble) -> Finding:
    if trouble.reason == "busy":
        return Finding("warn", "in use: the database did not answer within three seconds")
    if trouble.reason == "read_only":
        return Finding("fail", "this role may read the database but not write it, or the server is a standby")
    if trouble.reason == "full":
        return Finding("fail", "the disk of the server is full; nothing can be written")
    return Finding("fail", f"the database refused: {trouble.words}")


def _not_run() -> Finding:
    return Finding("skipped", "not run: the server could not be reached")

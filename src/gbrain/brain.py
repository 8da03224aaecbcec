"""Brain and open_brain: the only place where the parts are joined."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gbrain import __version__, catalogue, home as homes, registry
from gbrain.domain.times import parse_clock
from gbrain.errors import InvalidParams, NotFound, Unavailable
from gbrain.journal import Journal
from gbrain.settings import Settings
from gbrain.store.engine import Engine, persistently
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.store import DEFAULT_SOURCE, Store
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.store.postgres import PostgresEngine

Clock = Callable[[], datetime]
ENV_CLOCK = "GBRAIN_CLOCK"
ENV_SOURCE = "GBRAIN_SOURCE"
OPENING_TRIES = 4
SQLITE = "sqlite:"


class Brain:
    """Everything one operator opened: a store, its sources and its settings.

    Every operation is a method, called as the operator of this machine:

        with open_brain() as brain:
            brain.remember(fact="prefers tea", provenance="kitchen, 2031-05-04", entity="Dana Oakes")
            brain.recall(entity="Dana Oakes")["facts"]
    """

    def __init__(self, home: str, store: Store, clock: Clock, source: str) -> None:
        self.home = home
        self.store = store
        self.clock = clock
        self.source = source
        self.settings = Settings(store.config.get)
        self.journal = Journal(home)
        self.id = store.config.brain_id()

    def call(self, name: str, arguments: Mapping[str, Any] | None = None, *, caller: Caller | None = None) -> Any:
        """The value of one operation; raises BrainError. `caller` defaults to the local operator."""
        return registry.call(self, caller or Caller.local("python"), name, arguments).value

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or registry.find(name) is None:
            raise AttributeError(f"Brain has no operation {name!r}")

        def method(*values: Any, **arguments: Any) -> Any:
            positional = catalogue.OPERATIONS[name].positional
            if len(values) > len(positional):
                raise TypeError(f"{name} takes at most {len(positional)} positional arguments")
            given = {**dict(zip(positional, values, strict=False)), **arguments}
            return self.call(name, {key.rstrip("_"): value for key, value in given.items()})

        method.__name__ = name
        return method

    def take_notice(self) -> str | None:
        """The version before an upgrade nobody was told of yet, once; None otherwise."""
        return self.store.config.take_notice()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *catalogue.OPERATIONS]

    def __enter__(self) -> "Brain":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store. Nothing acknowledged depends on it."""
        self.store.close()


def utc_now() -> datetime:
    """The wall clock, aware and in UTC."""
    return datetime.now(UTC)


def environment_clock() -> Clock:
    """The clock this process goes by: the wall clock, unless `GBRAIN_CLOCK` moves it (tests and rehearsals)."""
    moved = os.environ.get(ENV_CLOCK, "")
    return parse_clock(moved, utc_now) if moved else utc_now


def open_brain(
    home: str | None = None, *, create: bool = False, clock: Clock | None = None, source: str | None = None
) -> Brain:
    """Open the brain of a home folder (default: `$GBRAIN_HOME/.gbrain`, else `~/.gbrain`).

    With `create` a missing brain is made; otherwise it raises NotFound. A newer, damaged or foreign store
    raises Unavailable and is left as it is. An unknown `source` raises InvalidParams.
    """
    folder = homes.resolve(home)
    homes.refuse_foreign(folder)
    url = homes.database_url(folder)
    path = homes.database_path(folder)
    if url is None and not create and not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    if create:
        homes.prepare(folder)
    return _opened(SQLiteEngine(path) if url is None else _postgres(url), folder, clock, source)


def join_database(home: str | None, url: str, *, walls: bool = False) -> Brain:
    """Make the home of a brain that lies in a PostgreSQL database, and open it; a brain that is there is kept.

    `walls` puts the database's row-level security up. Raises InvalidParams when the URL is none, or the home has
    another brain already.
    """
    # Only this and the copying of brains need it.
    from gbrain.store.copy import brain_of

    if not homes.is_url(url):
        raise InvalidParams(
            "the value of --postgres is not the URL of a PostgreSQL database",
            "write it as: gbrain init --postgres postgresql://USER@HOST/DATABASE",
        )
    folder = homes.resolve(home)
    homes.prepare(folder)
    engine = _postgres(url)
    try:
        there = persistently(lambda: brain_of(engine), OPENING_TRIES)
        own = _own_engine(folder, url)
        if own is not None:
            _refuse_another(folder, own, there, brain_of)
        brain = _opened(engine, folder, None, DEFAULT_SOURCE)
        if walls:
            engine.wall()
    except BaseException:
        engine.close()
        raise
    homes.set_database_url(folder, url)
    return brain


def copy_brain(home: str | None, target: str, say: Callable[[str], None]) -> dict[str, Any]:
    """Copy the brain of a home to `target`, a PostgreSQL URL or `sqlite:PATH`; what was copied, by table.

    The brain itself is only read. A copy that was broken off goes on where it stood. Raises InvalidParams for a
    target that is none, or that holds another brain.
    """
    # Only a copy needs it.
    from gbrain.store.copy import copy

    folder = homes.resolve(home)
    homes.refuse_foreign(folder)
    url, path = homes.database_url(folder), homes.database_path(folder)
    if not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    to_file = os.path.abspath(target.removeprefix(SQLITE)) if target.startswith(SQLITE) else None
    if to_file is None and not homes.is_url(target):
        raise InvalidParams(
            "the target of a copy is a PostgreSQL URL or sqlite:PATH",
            "write it as: gbrain migrate --to postgresql://USER@HOST/DATABASE, or --to sqlite:/folder/brain.db",
        )
    if target == url or (url is None and to_file is not None and os.path.realpath(to_file) == os.path.realpath(path)):
        raise InvalidParams("a brain cannot be copied onto itself", "name another place: gbrain migrate --to URL")
    if to_file is not None:
        os.makedirs(os.path.dirname(to_file), mode=0o700, exist_ok=True)
    origin = _opened(SQLiteEngine(path) if url is None else _postgres(url), folder, None, DEFAULT_SOURCE)
    with origin:
        engine: Engine = _postgres(target) if to_file is None else SQLiteEngine(to_file)
        try:
            return copy(origin.store.engine, engine, say)
        finally:
            engine.close()


def _postgres(url: str) -> "PostgresEngine":
    try:
        # psycopg takes 140 ms to load, and only a brain on PostgreSQL needs it.
        from gbrain.store.postgres import PostgresEngine
    except ImportError:
        raise Unavailable(
            "this brain lies on PostgreSQL, and the driver for it is not installed",
            "run: pip install 'gbrain[postgres]'; then run: gbrain doctor",
            detail={"reason": "no_driver"},
        ) from None
    return PostgresEngine(url)


def _own_engine(folder: str, url: str) -> Engine | None:
    """The store a home has beside the database at `url`, None when it has no other."""
    try:
        held = homes.database_url(folder)
    except Unavailable:
        # What cannot be read is about to be written anew.
        held = None
    if held is not None:
        return _postgres(held) if held != url else None
    file = homes.database_path(folder)
    return SQLiteEngine(file) if os.path.exists(file) else None


def _refuse_another(folder: str, own: Engine, other: str | None, brain_of: Callable[[Engine], str | None]) -> None:
    """Raise InvalidParams unless the home's own brain and the one in the database are the same."""
    try:
        same = brain_of(own) == other
    finally:
        own.close()
    if not same:
        raise InvalidParams(
            f"{folder} has a brain of its own, and the database does not hold a copy of it",
            f"copy it first: gbrain migrate --to URL; or choose another home: {homes.ENV_HOME}=/folder gbrain init",
            detail={"reason": "another_brain"},
        )


def _opened(engine: Engine, folder: str, clock: Clock | None, source: str | None) -> Brain:
    clock = clock or environment_clock()
    store = Store(engine, clock)
    try:
        persistently(lambda: store.prepare(__version__), OPENING_TRIES)
        chosen = source or os.environ.get(ENV_SOURCE, "") or DEFAULT_SOURCE
        if chosen not in store.sources.ids():
            raise InvalidParams(
                f"there is no source {chosen[:64]!r} in this brain",
                "leave out --source, or unset GBRAIN_SOURCE, to use: default",
            )
        return Brain(folder, store, clock, chosen)
    except BaseException:
        store.close()
        raise


__all__ = ["Brain", "Clock", "copy_brain", "environment_clock", "join_database", "open_brain", "utc_now"]

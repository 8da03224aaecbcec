"""Brain and open_brain: the only place where the parts are joined."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from gbrain import __version__, catalogue, home as homes, registry
from gbrain.domain.times import parse_clock
from gbrain.errors import InvalidParams, NotFound
from gbrain.journal import Journal
from gbrain.settings import Settings
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.store import Store
from gbrain.types import Caller

Clock = Callable[[], datetime]
ENV_CLOCK = "GBRAIN_CLOCK"
ENV_SOURCE = "GBRAIN_SOURCE"


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
    path = homes.database_path(folder)
    if not create and not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    if create:
        homes.prepare(folder)
    clock = clock or environment_clock()
    store = Store(SQLiteEngine(path), clock)
    try:
        store.prepare(__version__)
        chosen = source or os.environ.get(ENV_SOURCE, "") or "default"
        if chosen not in store.sources.ids():
            raise InvalidParams(
                f"there is no source {chosen[:64]!r} in this brain",
                "leave out --source, or unset GBRAIN_SOURCE, to use: default",
            )
        return Brain(folder, store, clock, chosen)
    except BaseException:
        store.close()
        raise


__all__ = ["Brain", "Clock", "environment_clock", "open_brain", "utc_now"]

"""Brain and open_brain: the only place where the parts are joined."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from gbrain import __version__, catalogue, home as homes, registry
from gbrain.domain.places import Selection, resolve
from gbrain.domain.times import parse_clock
from gbrain.errors import BrainError, InvalidParams, NotFound, ScopeDenied, Unavailable
from gbrain.journal import Journal
from gbrain.models.meaning import Meaning
from gbrain.mounts import HOST, Choice, choose, in_use
from gbrain.registry import Progress, Reply, unseen
from gbrain.settings import Settings, nearest
from gbrain.store.engine import Engine, persistently
from gbrain.store.opening import database
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.store import Store
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.methods import Methods
    from gbrain.models.calls import Models
    from gbrain.remote import Remote
else:
    # The methods are made when they are asked for; the stub tells editors and type checkers of them.
    Methods = object

Clock = Callable[[], datetime]
ENV_CLOCK = "GBRAIN_CLOCK"
ENV_SOURCE = "GBRAIN_SOURCE"
OPENING_TRIES = 4
SQLITE = "sqlite:"


class Operations(Methods):
    """What can be asked of a brain: every operation is a method, called as the operator of this machine.

    `dir` lists them, `help` of one says what it takes. The value they return is the reply as it goes over the wire; a
    refusal is raised as a BrainError.
    """

    def ask(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        progress: Progress = unseen,
    ) -> Reply:
        """Run one operation for a caller; its answer and what rides beside it. Raises BrainError."""
        raise NotImplementedError

    def close(self) -> None:
        """Let the brain go. Nothing acknowledged depends on it."""

    def call(self, name: str, arguments: Mapping[str, Any] | None = None, *, caller: Caller | None = None) -> Any:
        """The value of one operation; raises BrainError. `caller` defaults to the local operator."""
        return self.ask(caller or Caller.local("python"), name, arguments).value

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]:
            operation = None if name.startswith("_") else registry.find(name)
            if operation is None:
                near = nearest(name, list(catalogue.OPERATIONS))
                raise AttributeError(f"Brain has no operation {name!r}" + (f"; did you mean {near!r}?" if near else ""))

            def method(*values: Any, **arguments: Any) -> Any:
                positional = catalogue.OPERATIONS[name].positional
                if len(values) > len(positional):
                    raise TypeError(f"{name} takes at most {len(positional)} positional arguments")
                given = dict(zip(positional, values, strict=False))
                named = {key.rstrip("_"): value for key, value in arguments.items()}
                if twice := given.keys() & named.keys():
                    raise TypeError(f"{name} got multiple values for {min(twice)}")
                return self.call(name, given | named)

            method.__name__ = method.__qualname__ = name
            method.__doc__ = operation.documentation
            return method

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *catalogue.OPERATIONS]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Brain(Operations):
    """Everything one operator opened: a store, its sources and its settings.

    Every operation is a method:

        with open_brain() as brain:
            brain.remember(fact="prefers tea", provenance="kitchen, 2031-05-04", entity="Dana Oakes")
            brain.recall(entity="Dana Oakes")["facts"]
    """

    def __init__(self, chosen: Choice, store: Store, clock: Clock, selection: Selection) -> None:
        self.chosen = chosen
        self.home = chosen.home
        self.store = store
        self.clock = clock
        self.selection = selection
        self.settings = Settings(store.config.get)
        self.journal = Journal(chosen.home)
        self.meaning = Meaning(chosen.home, self.settings, store, clock)
        self._models: Models | None = None
        # Read now, since every log line bears it, and a log must not fail with the store.
        self.id = store.config.brain_id()

    @property
    def models(self) -> "Models":
        """The language models in force, with their meter. Nothing of them is loaded before they are asked for."""
        if self._models is None:
            # Few requests ask a model, and what all the others load is bounded.
            from gbrain.models.calls import Models

            self._models = Models(self.home, self.settings, self.store, self.clock)
        return self._models

    @property
    def source(self) -> str:
        """The source that is meant where none is named; raises InvalidParams when the one that was chosen is gone."""
        return resolve(self.selection, self.store.sources.all()).source or ""

    def ask(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        progress: Progress = unseen,
    ) -> Reply:
        """Run one operation for a caller; its answer and what rides beside it. Raises BrainError."""
        return registry.call(self, caller, name, arguments, session=session, progress=progress)

    def upgraded(self) -> bool:
        """Whether a newer version opened the brain and nobody was told of it yet."""
        return self.store.config.mark("notice_from") is not None

    def take_notice(self) -> str | None:
        """The version before an upgrade nobody was told of yet, once; None otherwise."""
        return self.store.config.take_notice()

    def close(self) -> None:
        """Close the store. Nothing acknowledged depends on it."""
        self.store.close()


class RemoteBrain(Operations):
    """A brain that a server keeps, asked over HTTP. Who asks is for the server to say, by the token it is shown."""

    def __init__(self, chosen: Choice, remote: "Remote", clock: Clock, source: str | None) -> None:
        self.chosen = chosen
        self.home = chosen.home
        self.remote = remote
        self.clock = clock
        self.source = source

    def ask(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        progress: Progress = unseen,
    ) -> Reply:
        """Have one operation run by the server. Raises BrainError; ScopeDenied for what is only done beside a store."""
        entry = catalogue.OPERATIONS.get(name)
        if entry is not None and entry.local_only:
            raise ScopeDenied(
                f"{name} is not done over the network, and this brain is kept at {self.remote.url}",
                f"run it on the machine of the brain: gbrain {_words(name, entry.cli)}",
                detail={"reason": "local_only"},
            )
        given = dict(arguments or {})
        found = registry.find(name)
        if found is not None:
            registry.refuse_unknown(found, given)
        self.place(name, given)
        answer = self.remote.call(name, given, session)
        value = answer.value
        if name == "whoami" and isinstance(value, dict):
            value = {**value, "brain": in_use(self.chosen)}
        return Reply(value, answer.meta, answer.warnings)

    def place(self, name: str, given: dict[str, Any]) -> None:
        """Name in the arguments of an operation the source that was chosen on this machine."""
        if self.source and not given.get("source_id") and registry.find(name) is not None:
            given["source_id"] = self.source

    def close(self) -> None:
        """Let the connection go."""
        self.remote.close()


def utc_now() -> datetime:
    """The wall clock, aware and in UTC."""
    return datetime.now(UTC)


def environment_clock() -> Clock:
    """The clock this process goes by: the wall clock, unless `GBRAIN_CLOCK` moves it (tests and rehearsals)."""
    moved = os.environ.get(ENV_CLOCK, "")
    return parse_clock(moved, utc_now) if moved else utc_now


def open_brain(
    home: str | Choice | None = None,
    *,
    brain: str | None = None,
    create: bool = False,
    clock: Clock | None = None,
    source: str | Selection | None = None,
) -> Brain | RemoteBrain:
    """Open a brain: the one that `gbrain` uses in this folder, or the one of a home folder.

    Without `home`, which may also be a choice that was made before, the host is `$GBRAIN_HOME/.gbrain`, else
    `~/.gbrain`, and `brain`, the environment or the folder may choose one that is mounted there (`gbrain.mounts`). A
    brain that a server keeps comes as a RemoteBrain, whose operations run there.

    With `create` a missing brain is made; otherwise it raises NotFound. A newer, damaged or foreign store
    raises Unavailable and is left as it is. An unknown `source` or `brain` raises InvalidParams. A
    Selection says in one what else the process was told of its source.
    """
    if isinstance(home, Choice):
        chosen = home
    else:
        chosen = chosen_brain(home, brain) if not create else Choice(HOST, homes.resolve(home), "given")
    address = homes.address(chosen.home)
    if address is not None and address.kind == "remote":
        return _reached(chosen, address, clock, _selection(source))
    return open_home(chosen, create=create, clock=clock, source=source)


def chosen_brain(home: str | None = None, brain: str | None = None) -> Choice:
    """The brain that `open_brain` opens. Raises as `mounts.choose` does."""
    host = homes.resolve(home)
    return Choice(HOST, host, "given") if home is not None and brain is None else choose(brain, host)


def open_home(
    home: "str | Choice", *, create: bool = False, clock: Clock | None = None, source: str | Selection | None = None
) -> Brain:
    """Open the brain of a home folder, which has to have it at hand: see `open_brain`.

    Raises InvalidParams for a brain that a server keeps.
    """
    chosen = home if isinstance(home, Choice) else Choice(HOST, homes.resolve(home), "given")
    folder = chosen.home
    homes.refuse_foreign(folder)
    address = homes.address(folder)
    path = homes.database_path(folder)
    if address is not None and address.kind == "remote":
        raise InvalidParams(
            f"this needs the brain itself, and the one of {folder} is kept at {address.url}",
            "run it on the machine of that brain, or choose one that is here: gbrain --brain NAME COMMAND",
            detail={"reason": "remote", "home": folder},
        )
    homes.refuse_broken_off(folder)
    if address is None and not create and not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    if create:
        homes.prepare(folder)
    return _opened(SQLiteEngine(path) if address is None else database(address.url), chosen, clock, _selection(source))


def join_remote(home: str | None, url: str, token: str | None, name: str = HOST) -> tuple[RemoteBrain, dict[str, Any]]:
    """Make the home of the brain `name` the client of a server; the brain, and what `whoami` says there now.

    Nothing is kept when the server cannot be reached or does not accept the token. Raises InvalidParams when the home
    has a brain of its own.
    """
    # As in `_reached`.
    from gbrain.remote import checked_token, checked_url

    address = homes.Address("remote", checked_url(url), checked_token(token) if token is not None else None)
    folder = homes.resolve(home)
    homes.refuse_foreign(folder)
    try:
        held = homes.kind(folder) if homes.has_brain(folder) else "remote"
    except Unavailable as error:
        if not isinstance(error.detail, dict) or error.detail.get("reason") != "address":
            raise
        # What cannot be read is about to be written anew.
        held = "remote"
    if held != "remote":
        raise InvalidParams(
            f"{folder} has a brain of its own ({homes.place(folder)})",
            f"keep both: gbrain mounts add NAME {address.url}; or choose another home: {homes.ENV_HOME}=/folder gbrain"
            " init",
            detail={"reason": "another_brain"},
        )
    brain = _reached(Choice(name, folder, "given"), address, None, Selection())
    said = brain.remote.call("whoami", {}).value
    if not isinstance(said, dict) or "scopes" not in said:
        raise Unavailable(
            f"{address.url} serves no brain of gbrain's", "name the server of a brain, as its owner calls it"
        )
    homes.prepare(folder)
    homes.set_address(folder, address)
    return brain, said


def _words(name: str, command: str | None) -> str:
    """How a person calls an operation: its command, which for those of a group is one of the group's."""
    group, _, rest = name.partition("_")
    if command or not rest:
        return command or name
    return (
        f"{group} {rest}" if group in ("auth", "config", "sources") else name.removesuffix("_brain").replace("_", "-")
    )


def renewal(chosen: Choice, url: str) -> str:
    """The command that gives this machine another token for the server of a brain."""
    if chosen.name == HOST:
        return f"gbrain init --remote {url} --token-file FILE"
    return f"gbrain mounts remove {chosen.name}; gbrain mounts add {chosen.name} {url} --token-file FILE"


def _selection(source: str | Selection | None) -> Selection:
    if isinstance(source, Selection):
        return source
    return Selection(source, None if source else os.environ.get(ENV_SOURCE) or None)


def _reached(chosen: Choice, address: homes.Address, clock: Clock | None, selection: Selection) -> RemoteBrain:
    # Sockets and TLS take 40 ms to load, and only a brain elsewhere needs them.
    from gbrain.remote import Remote

    named = selection.flag or selection.env or selection.dotfile
    remote = Remote(address.url, address.token, renewal(chosen, address.url))
    return RemoteBrain(chosen, remote, clock or environment_clock(), named)


def join_database(home: str | None, url: str, *, walls: bool = False, create: bool = True) -> Brain:
    """Make the home of a brain that lies in a PostgreSQL database, and open it; a brain that is there is kept.

    A brain the home has already is left where it is, and has to be empty or the same one. `walls` puts the database's
    row-level security up; without `create` the brain has to be there, else NotFound is raised. Raises InvalidParams
    when the URL is none, or the home has another brain already.
    """
    # Only this and the copying of brains need it.
    from gbrain.store.copy import bare, brain_of

    if not homes.is_url(url):
        raise InvalidParams(
            "the value of --postgres is not the URL of a PostgreSQL database",
            "write it as: gbrain init --postgres postgresql://USER@HOST/DATABASE",
        )
    folder = homes.resolve(home)
    _refuse_client(folder)
    homes.prepare(folder)
    engine = database(url)
    try:
        there = persistently(lambda: brain_of(engine), OPENING_TRIES)
        if there is None and not create:
            raise NotFound(f"there is no brain at {homes.redacted(url)}", "make one: gbrain init --postgres URL")
        own = _own_engine(folder, url)
        if own is not None:
            try:
                leaves_some = brain_of(own) != there and not bare(own)
            finally:
                own.close()
            if leaves_some:
                raise _has_another(folder, url)
        brain = _opened(engine, Choice(HOST, folder, "given"), None, Selection())
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
    if not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    address, path = homes.address(folder), homes.database_path(folder)
    if address is not None and address.kind == "remote":
        raise InvalidParams(
            f"a brain is copied beside its store, and this one is kept at {address.url}",
            "run it on the machine of the brain: gbrain migrate --to TARGET",
            detail={"reason": "remote"},
        )
    url = address.url if address is not None else None
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
    engine: Engine = SQLiteEngine(path) if url is None else database(url)
    origin = _opened(engine, Choice(HOST, folder, "given"), None, Selection())
    with origin:
        copied: Engine = database(target) if to_file is None else SQLiteEngine(to_file)
        try:
            return copy(origin.store.engine, copied, say)
        finally:
            copied.close()


def _own_engine(folder: str, url: str) -> Engine | None:
    """The store a home has beside the database at `url`, None when it has no other."""
    try:
        held = homes.database_url(folder)
    except Unavailable:
        # What cannot be read is about to be written anew.
        held = None
    if held is not None:
        return database(held) if held != url else None
    file = homes.database_path(folder)
    return SQLiteEngine(file) if os.path.exists(file) else None


def _refuse_client(folder: str) -> None:
    """Raise InvalidParams for a home whose brain a server keeps."""
    try:
        address = homes.address(folder)
    except Unavailable:
        # What cannot be read is about to be written anew.
        return
    if address is not None and address.kind == "remote":
        raise InvalidParams(
            f"{folder} is the client of the server at {address.url}",
            f"choose another home: {homes.ENV_HOME}=/folder gbrain init; or move {homes.ADDRESS} away from there",
            detail={"reason": "another_brain"},
        )


def _has_another(folder: str, url: str) -> InvalidParams:
    return InvalidParams(
        f"{folder} has a brain of its own, and the database does not hold a copy of it",
        f"copy it first: gbrain migrate --to {homes.redacted(url)}; or choose another home: {homes.ENV_HOME}=/folder"
        " gbrain init",
        detail={"reason": "another_brain"},
    )


def _opened(engine: Engine, chosen: Choice, clock: Clock | None, selection: Selection) -> Brain:
    clock = clock or environment_clock()
    store = Store(engine, clock)
    try:
        persistently(lambda: store.prepare(__version__), OPENING_TRIES)
        resolve(selection, store.sources.all())
        return Brain(chosen, store, clock, selection)
    except BaseException as error:
        misfit = None if isinstance(error, BrainError) or not isinstance(error, Exception) else store.misfit()
        store.close()
        if misfit is not None:
            raise misfit from error
        raise


__all__ = [
    "Brain",
    "Clock",
    "Operations",
    "RemoteBrain",
    "chosen_brain",
    "copy_brain",
    "environment_clock",
    "join_database",
    "join_remote",
    "open_brain",
    "open_home",
    "renewal",
    "utc_now",
]

"""One door: an operation is one typed function, and every way in is `call`.

    @operation(scope="read", surface="full", title="Read a page")
    def get_page(ctx: Context, slug: Annotated[str, Param("...")]) -> PageReply:
        \"\"\"First line: the tool's description and the command's help.\"\"\"

Name, JSON schema, required-ness, enums and bounds come from the signature; nothing is said twice.
"""

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain import catalogue, offered, sent
from gbrain.domain.places import ALL_SOURCES, UNBOUND, Extent, Selection, extent
from gbrain.domain.slugs import normalise_slug
from gbrain.domain.times import store_time
from gbrain.errors import BrainError, Internal, InvalidParams, ScopeDenied, UnknownTool
from gbrain.journal import USAGE
from gbrain.mounts import Choice
from gbrain.naming import follow_renamed, named_source
from gbrain.schema import Param, ParamSpec, output_schema, param_specs
from gbrain.settings import Settings, nearest
from gbrain.store.engine import Reach, persistently
from gbrain.types import SURFACES, Caller, Entry, Scope, Surface, View

if TYPE_CHECKING:
    from gbrain.brain import Brain
    from gbrain.models.calls import Models
    from gbrain.models.meaning import Meaning
    from gbrain.store.store import Store

__all__ = [
    "Context",
    "Operation",
    "Param",
    "Progress",
    "Reply",
    "call",
    "context",
    "find",
    "load_all",
    "operation",
    "unseen",
    "visible",
    "within_reach",
]

WRITING = ("write", "steer")
"""The scopes of operations that write to one source."""
PASS_THROUGH = ("_meta", "dry_run", "source_id")

Progress = Callable[[str, int, int], None]


def unseen(what: str, done: int, of: int) -> None:
    """The progress that nobody watches."""


class Context(NamedTuple):
    """What an operation is given beside its arguments. `now` is one moment for the whole request."""

    store: "Store"
    settings: Settings
    caller: Caller
    view: View
    source: str
    now: datetime
    session: str | None
    home: str
    brain_id: str
    meta: dict[str, Any]
    warnings: list[dict[str, Any]]
    chosen: Choice
    """The brain this is, and what chose it."""
    meaning: "Meaning"
    """Finding by meaning, with the model in force."""
    extent: Extent
    selection: Selection
    made_models: Callable[[], "Models"]
    progress: Progress = unseen
    """Told how far long work is: of what, how much is done, how much there is."""
    beside: tuple[str, ...] = ()
    """The sources that a read would be of, had its page not been named with the one that `view` shows."""

    @property
    def models(self) -> "Models":
        """The language models in force; nothing of them is loaded before an operation asks."""
        return self.made_models()

    @property
    def now_text(self) -> str:
        """The moment of the request as the store writes it."""
        return self.view.now

    @property
    def who(self) -> str:
        """Who asks, in a word: the client's name, or the way in where it has none."""
        client = self.caller.client
        return self.caller.transport if client in ("local", "remote") else client

    def warn(self, code: str, message: str, **extra: Any) -> None:
        """Add a named warning to the reply."""
        self.warnings.append({"code": code, "message": message, **extra})


class Reply(NamedTuple):
    """An operation's answer: its value, what rides beside it, and named warnings."""

    value: Any
    meta: dict[str, Any]
    warnings: list[dict[str, Any]]


class Operation:
    """One thing that can be asked. Made by `@operation`; schemas are built when first asked for."""

    def __init__(self, function: Callable[..., Any], **declared: Any) -> None:
        self.function = function
        self.name: str = function.__name__
        self.doc = " ".join((function.__doc__ or "").split("\n\n")[0].split())
        self.details = "\n".join(line.strip() for line in (function.__doc__ or "").strip().split("\n")[1:]).strip()
        self.scope: Scope = declared["scope"]
        self.surface: Surface = declared["surface"]
        self.title: str = declared["title"]
        self.positional: tuple[str, ...] = declared["positional"]
        self.cli: str | None = declared["cli"]
        self.examples: tuple[str, ...] = declared["examples"]
        self.destructive: bool = declared["destructive"]
        self.idempotent: bool = declared["idempotent"]
        self.expensive: bool = declared["expensive"]
        self.local_only: bool = declared["local_only"]
        self.near: bool = declared["near"]
        self.mutates: bool = declared["mutates"]
        self.fence: tuple[str, ...] | None = declared["fence"]
        self._params: tuple[ParamSpec, ...] | None = None

    @property
    def verb(self) -> bool:
        """Whether this is one of the seven memory verbs, whose replies carry `protocol_version`."""
        return self.surface == "verbs"

    @property
    def fenced(self) -> bool:
        """Whether a caller bound to slugs may call this: the view fences what reads, the rest has to say how."""
        return self.scope == "read" or self.fence is not None

    @property
    def summary(self) -> str:
        """One line: what the operation does; an expensive one says so first."""
        return f"[EXPENSIVE: calls a model if one is set] {self.doc}" if self.expensive else self.doc

    @property
    def params(self) -> tuple[ParamSpec, ...]:
        """The parameters, in the order of the signature."""
        if self._params is None:
            self._params = param_specs(self.function)
        return self._params

    def input_schema(self) -> dict[str, Any]:
        """A plain object schema: no combinator at the top, since some clients drop every tool that has one."""
        return {
            "type": "object",
            "properties": {param.name: param.schema() for param in self.params},
            "required": [param.name for param in self.params if param.required],
        }

    def output_schema(self) -> dict[str, Any]:
        """The schema of `structuredContent`."""
        return output_schema(self.function.__annotations__["return"])

    def annotations(self) -> dict[str, Any]:
        """The four MCP hints; Codex refuses a tool that leaves one of them unsaid."""
        return {
            "title": self.title,
            "readOnlyHint": not self.mutates,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent or not self.mutates,
            "openWorldHint": self.expensive,
        }


OPERATIONS: dict[str, Operation] = {}


def operation(
    *,
    scope: Scope,
    surface: Surface,
    title: str,
    positional: tuple[str, ...] = (),
    cli: str | None = "",
    examples: tuple[str, ...] = (),
    destructive: bool = False,
    idempotent: bool = False,
    expensive: bool = False,
    local_only: bool = False,
    near: bool = False,
    mutates: bool | None = None,
    fence: tuple[str, ...] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as an operation.

    `cli` is the command's name when it differs from the function's ("" derives it, None gives it no command);
    `mutates` says whether it changes anything, when its scope does not tell (`read` does not);
    `local_only` operations are for the person at this machine: never listed or callable over MCP, save those that are
    `near`, which an agent on the pipe of this machine may call as well. `fence` names the
    parameters that say which slugs a write touches, so that a caller bound to slugs can be held to them; () is for a
    write that finds what it touches through the view. A write without one is closed to such callers.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        command = function.__name__.replace("_", "-") if cli == "" else cli
        OPERATIONS[function.__name__] = Operation(
            function,
            scope=scope,
            surface=surface,
            title=title,
            positional=positional,
            cli=command,
            examples=examples,
            destructive=destructive,
            idempotent=idempotent,
            expensive=expensive,
            local_only=local_only,
            near=near,
            mutates=scope != "read" if mutates is None else mutates,
            fence=fence,
        )
        return function

    return declare


def find(name: str) -> Operation | None:
    """The operation of this name; its module is imported on first use."""
    entry = catalogue.OPERATIONS.get(name)
    if entry is not None and name not in OPERATIONS:
        import_module(entry.module)  # by name, so that a call loads the one module it needs
    return OPERATIONS.get(name)


def load_all() -> list[Operation]:
    """Every operation, in catalogue order."""
    return [found for name in catalogue.OPERATIONS if (found := find(name)) is not None]


def allowed(entry: Entry, caller: Caller) -> bool:
    """Whether the caller's surface, place and slugs let it see this operation."""
    on_surface = SURFACES.index(entry.surface) <= SURFACES.index(caller.surface)
    return on_surface and entry.reaches(caller) and (caller.slugs is None or entry.fenced)


def visible(caller: Caller) -> list[Operation]:
    """The operations this caller may see and call: by surface, place and scope."""
    names = [name for name, entry in catalogue.OPERATIONS.items() if allowed(entry, caller)]
    return [found for name in names if (found := find(name)) is not None and found.scope in caller.scopes]


def context(
    brain: "Brain",
    caller: Caller,
    *,
    source: str | None = None,
    session: str | None = None,
    progress: Progress = unseen,
) -> Context:
    """The context of one request. Raises ScopeDenied or NotFound when `source` may not be used."""
    now = brain.clock()
    about = extent(brain.selection, brain.store.sources.all(), caller.sources, source, remote=caller.remote)
    view = View(about.reads, not caller.remote, store_time(now), slugs=caller.slugs)
    given = (brain.store, brain.settings, caller, view, about.source, now, session, brain.home, brain.id)
    return Context(*given, {}, [], brain.chosen, brain.meaning, about, brain.selection, lambda: brain.models, progress)


def within_reach(brain: "Brain", caller: Caller) -> AbstractContextManager[None]:
    """Let no statement of this thread see more than the caller may, where the database holds a second wall."""
    return brain.store.engine.within(Reach(caller.sources, not caller.remote, caller.slugs))


def call(
    brain: "Brain",
    caller: Caller,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    session: str | None = None,
    progress: Progress = unseen,
) -> Reply:
    """Run one operation for a caller.

    Refuses, in this order and each with a typed error: not on this surface, scope missing, source not granted,
    unknown or misfitting argument. Anything that is not a typed error leaves as Internal without its text.
    What the database broke off is done again, as nothing of it was acknowledged.
    """
    started = time.perf_counter()
    entry = catalogue.OPERATIONS.get(name)
    if entry is None or not allowed(entry, caller):
        raise _unknown_tool(name, caller)
    reply: Reply | None = None
    failure: BrainError | None = None
    try:
        found = find(name)
        if found is None:
            raise _unknown_tool(name, caller)
        reply = persistently(lambda: _run(brain, caller, found, dict(arguments or {}), session, progress))
        if name in offered.READERS:
            offered.opened(brain.home, reply.value, arguments or {}, name, store_time(brain.clock()))
        if name in sent.BESIDE_VERBS:
            sent.note(brain.journal, brain.id, caller, name, sent.held(name, reply.value), brain.clock())
        return reply
    except BrainError as error:
        failure = error
        raise
    except Exception as error:
        brain.journal.append(
            "integrations/errors.jsonl", {"ts": store_time(brain.clock()), "operation": name, **_where(error)}
        )
        failure = Internal(f"{name} failed inside gbrain ({type(error).__name__})", "run: gbrain doctor")
        raise failure from error
    finally:
        if entry.surface == "verbs":
            _log_usage(brain, caller, name, started, reply, failure)


def _run(
    brain: "Brain",
    caller: Caller,
    found: Operation,
    arguments: dict[str, Any],
    session: str | None,
    progress: Progress,
) -> Reply:
    if found.scope not in caller.scopes:
        raise ScopeDenied(
            f"{found.name} needs the scope {found.scope!r}",
            "ask the brain's owner for a wider token; gbrain call whoami '{}' shows your scopes",
            detail={"your_scopes": sorted(caller.scopes)},
        )
    given = arguments.get("source_id")
    if given is not None and not isinstance(given, str):
        raise InvalidParams('Parameter "source_id" must be a string', "pass the id of a source, or leave it out")
    ctx = context(brain, caller, source=given or None, session=session, progress=progress)
    named = named_source(found.params, ctx.extent.granted, given, arguments)
    if named is not None and named != given:
        ctx = context(brain, caller, source=named, session=session, progress=progress)._replace(beside=ctx.view.sources)
    _hold_to_source(brain, ctx, found, named or given or None)
    checked = _arguments(ctx, found, arguments)
    _hold_to_slugs(caller, found, checked)
    dry_run = arguments.get("dry_run")
    if dry_run is not None and not isinstance(dry_run, bool):
        raise InvalidParams('Parameter "dry_run" must be a boolean', "pass dry_run as true, or leave it out")
    if dry_run and found.mutates and "dry_run" not in checked:
        shown = {key: checked[key] for key in found.positional if key in checked}
        value = {"dry_run": True, **shown, "action": found.name}
        return Reply({**value, "protocol_version": 1} if found.verb else value, ctx.meta, ctx.warnings)
    with within_reach(brain, caller):
        moved = follow_renamed(found.params, ctx.store, ctx.view, checked) if found.scope == "read" else None
        if moved is not None:
            ctx.meta["moved_from"] = moved
            ctx.warn("moved", f"{moved!r} leads to this page", suggestion="use the slug in the reply")
        passed = {f"{name}_" if iskeyword(name) else name: value for name, value in checked.items()}
        return Reply(found.function(ctx, **passed), ctx.meta, ctx.warnings)


def _hold_to_source(brain: "Brain", ctx: Context, found: Operation, asked: str | None) -> None:
    """Refuse a write that has no one source to go to, and say in the reply which sources the call is about."""
    place = ctx.extent.place
    if found.scope in WRITING and (asked in ALL_SOURCES or place.source in ALL_SOURCES):
        raise InvalidParams("a write needs one source", "pass the id of one source as source_id, or leave it out")
    if found.scope != "read" and not ctx.source:
        raise ScopeDenied(
            f"{found.name} needs a source to write to, and none is granted",
            "ask the brain's owner, who can run: gbrain auth rescope NAME --source SOURCE",
        )
    if brain.selection.guarded and found.scope in WRITING and place.tier in UNBOUND and len(ctx.extent.granted) > 1:
        raise InvalidParams(
            f"this server writes only to a source that was named, and {ctx.source!r} was only guessed",
            "pass source_id, or start it as: gbrain serve --source SOURCE",
            detail="source_binding_required",
        )
    if not found.local_only:
        ctx.meta["sources"] = list(ctx.view.sources) if found.scope == "read" else [ctx.source]


def _arguments(ctx: Context, found: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
    """Normalise, then check: a null or blank optional counts as absent, nothing is coerced."""
    checked: dict[str, Any] = {}
    for param in found.params:
        value = arguments.get(param.name)
        if value is None or (value == "" and param.kind == "string" and not param.required):
            if param.required:
                raise InvalidParams(
                    f"Missing required parameter: {param.name}",
                    f"add {param.name}; gbrain {found.cli or found.name} --help shows it",
                )
            continue
        checked[param.name] = param.check(value)
    known, unknown = _told_apart(found, arguments)
    if unknown:
        _unknown_arguments(ctx, found, unknown, known)
    return checked


def _told_apart(found: Operation, arguments: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The parameters of an operation, and those arguments that are none of them."""
    known = [param.name for param in found.params]
    return known, [key for key in arguments if key not in known and key not in PASS_THROUGH]


def refuse_unknown(found: Operation, arguments: Mapping[str, Any]) -> None:
    """Raise InvalidParams for an argument that the operation does not take."""
    known, unknown = _told_apart(found, arguments)
    if unknown:
        raise _refused(found, unknown, known)


def _hold_to_slugs(caller: Caller, found: Operation, checked: dict[str, Any]) -> None:
    """Refuse a write of a caller bound to slugs that names another one, or none; the slug stays in its one spelling."""
    if caller.slugs is None:
        return
    for name in found.fence or ():
        given = checked.get(name)
        slug = normalise_slug(given) if isinstance(given, str) else None
        if slug not in caller.slugs:
            raise ScopeDenied(
                f"this client is bound to slugs, and {name} is not one of them",
                f"pass {name} as one of: {', '.join(caller.slugs[:5])}",
                detail={"your_slugs": list(caller.slugs)},
            )
        checked[name] = slug


def _unknown_arguments(ctx: Context, found: Operation, unknown: list[str], known: list[str]) -> None:
    if not ctx.caller.remote or ctx.settings.get("mcp.strict_params") == "reject":
        raise _refused(found, unknown, known)
    for key in unknown:
        shown, near = key[:64], nearest(key[:64], known)
        extra = {"suggestion": near} if near else {}
        message = f"unknown parameter {shown!r} was ignored" + (f"; did you mean {near!r}?" if near else "")
        ctx.warn("unknown_param", message, param=shown, **extra)


def _refused(found: Operation, unknown: list[str], known: list[str]) -> InvalidParams:
    named = "; ".join(
        f"{key[:64]!r}" + (f" (did you mean {near}?)" if (near := nearest(key[:64], known)) else "")
        for key in unknown[:5]
    )
    return InvalidParams(
        f"{found.name} was given {len(unknown)} unknown parameter{'s' if len(unknown) > 1 else ''}",
        f"remove or rename {named}; gbrain {found.cli or found.name} --help lists them",
    )


def _unknown_tool(name: str, caller: Caller) -> UnknownTool:
    names = [other for other, entry in catalogue.OPERATIONS.items() if allowed(entry, caller)]
    near = nearest(str(name)[:64], names)
    hint = f"did you mean {near}?" if near else "run: gbrain protocol to list the operations"
    return UnknownTool(f"Unknown tool: {str(name)[:64]}", hint)


def _where(error: BaseException) -> dict[str, Any]:
    """Type and place of a defect: no message, since a message may hold a person's text."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame is not None else ""
    return {"type": type(error).__name__, "at": place.replace(sys.prefix, "")}


def _log_usage(
    brain: "Brain", caller: Caller, verb: str, started: float, reply: Reply | None, failure: BrainError | None
) -> None:
    sources = reply.meta.get("sources", ()) if reply is not None else ()
    line: dict[str, Any] = {
        "ts": store_time(brain.clock()),
        "brain_id": brain.id,
        "verb": verb,
        "surface": caller.surface,
        "remote": caller.remote,
        "client": caller.client,
        "ok": failure is None,
        "latency_ms": round((time.perf_counter() - started) * 1000, 2),
        "source_id": sources[0] if sources else None,
    }
    value = reply.value if reply is not None and isinstance(reply.value, dict) else {}
    for key, name in (("dropped_count", "budget_dropped"), ("found", "entity_found")):
        if key in value:
            line[name] = value[key]
    line |= sent.held(verb, value)
    if verb == "remember" and "status" in value:
        line["remember_status"] = value["status"]
    if failure is not None:
        line["error"] = failure.code
    brain.journal.append(USAGE, line)

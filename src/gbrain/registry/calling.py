"""Running one operation for a caller: what is refused, in which order, and what is noted of it."""

import sys
import time
from collections.abc import Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from gbrain import catalogue, offered, sent
from gbrain.domain.places import ALL_SOURCES, UNBOUND
from gbrain.domain.times import store_time
from gbrain.errors import BrainError, Internal, InvalidParams, ScopeDenied, UnknownTool
from gbrain.journal import USAGE
from gbrain.naming import follow_renamed, named_source
from gbrain.registry.arguments import checked_arguments, hold_to_slugs
from gbrain.registry.declared import Operation, allowed, find
from gbrain.registry.request import Context, Progress, Reply, context, unseen, within_reach
from gbrain.settings import nearest
from gbrain.store.engine import persistently
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain

WRITING = ("write", "steer")
"""The scopes of operations that write to one source."""


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
        told = f"{name} failed inside gbrain ({type(error).__name__})"
        failure = brain.store.misfit() or Internal(told, "run: gbrain doctor")
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
    checked = checked_arguments(ctx, found, arguments)
    hold_to_slugs(caller, found, checked)
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

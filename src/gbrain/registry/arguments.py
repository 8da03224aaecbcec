"""The arguments of one call: checked against the parameters of its operation, and against the slugs of a caller."""

from collections.abc import Mapping
from typing import Any

from gbrain.domain.slugs import normalise_slug
from gbrain.errors import InvalidParams, ScopeDenied
from gbrain.registry.declared import Operation
from gbrain.registry.request import Context
from gbrain.settings import nearest
from gbrain.types import Caller

PASS_THROUGH = ("_meta", "dry_run", "source_id")
"""Arguments that every operation takes, whatever its signature."""


def checked_arguments(ctx: Context, found: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
    """Normalise, then check: a null or blank optional counts as absent, nothing is coerced.

    Raises InvalidParams for one that is missing or does not fit, and for an unknown one where the caller is local or
    `mcp.strict_params` is `reject`; else an unknown one is warned of and left out.
    """
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


def hold_to_slugs(caller: Caller, found: Operation, checked: dict[str, Any]) -> None:
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

"""Declaring an operation, and finding one: everything about it follows from its function and its signature."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from gbrain import catalogue
from gbrain.schema import ParamSpec, output_schema, param_specs
from gbrain.types import SURFACES, Caller, Entry, Scope, Surface


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

    @property
    def documentation(self) -> str:
        """What `help` says of the method: what the operation does, and what each parameter means."""
        lines = [self.summary, *(["", self.details] if self.details else []), *([""] if self.params else [])]
        for param in self.params:
            need = "" if param.required else f" (default {param.default!r})"
            lines.append(f"{param.python_name}{need}: {param.doc}")
        return "\n".join(lines)

    def input_schema(self) -> dict[str, Any]:
        """A plain object schema: no combinator at the top, since some clients drop every tool that has one."""
        return {
            "type": "object",
            "properties": {param.name: param.schema() for param in self.params},
            "required": [param.name for param in self.params if param.required],
        }

    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of `structuredContent`, from the annotation of what the function returns."""
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

"""`gbrain/methods.pyi`: every operation as a method with its types, for editors and type checkers.

Operations are methods of a brain by their name alone, so that opening one loads none of them. A stub is read by no
program that runs; a method in it has the parameters of the operation, first those that may be given without their name,
and the reply that the operation is annotated with.
"""

import json
import types
import typing
from collections.abc import Iterable
from typing import Any, Literal, Union

from gbrain.registry import Operation
from gbrain.schema import ParamSpec

FILE = "src/gbrain/methods.pyi"
_PYTHON = {
    "string": "str",
    "number": "float",
    "integer": "int",
    "boolean": "bool",
    "array": "list[str]",
    "object": "dict[str, Any]",
}


def stub(operations: Iterable[Operation]) -> str:
    """The text of the stub, in the order of the operations."""
    modules: set[str] = set()
    methods = [line for operation in operations for line in _method(operation, modules)]
    return "\n".join(
        [
            "# ruff: noqa: E501",
            '"""Every operation as a method, with its types. Generated: run `make docs`."""',
            "",
            "from typing import Any, Literal",
            "",
            *(f"import {module}" for module in sorted(modules)),
            "",
            "class Methods:",
            *methods[:-1],
            "",
        ]
    )


def _method(operation: Operation, modules: set[str]) -> list[str]:
    by_place = [param for name in operation.positional for param in operation.params if param.name == name]
    others = [param for param in operation.params if param not in by_place]
    by_name = sorted(others, key=lambda param: not param.required)
    sourced = any(param.name == "source_id" for param in operation.params)
    named = [*map(_parameter, by_name), *([] if sourced else ["source_id: str | None = None"])]
    given = ["self", *map(_parameter, by_place), *(["*", *named] if named else [])]
    returned = _type(typing.get_type_hints(operation.function)["return"], modules)
    return [
        f"    def {operation.name}(",
        *(f"        {text}," for text in given),
        f"    ) -> {returned}:",
        f"        {_quoted(operation.documentation)}",
        "",
    ]


def _parameter(param: ParamSpec) -> str:
    kind = f"Literal[{', '.join(map(_literal, param.choices))}]" if param.choices else _PYTHON[param.kind]
    if param.required:
        return f"{param.python_name}: {kind}"
    return f"{param.python_name}: {kind}{' | None' if param.default is None else ''} = {_literal(param.default)}"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _type(annotation: Any, modules: set[str]) -> str:
    """An annotation as the stub writes it; what has to be imported for it is added to `modules`."""
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return f"Literal[{', '.join(map(_literal, parts))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(part, modules) for part in parts)
    if origin is not None:
        return f"{origin.__name__}[{', '.join(_type(part, modules) for part in parts)}]"
    if annotation is Any:
        return "Any"
    if annotation is type(None):
        return "None"
    if annotation.__module__ == "builtins":
        return str(annotation.__name__)
    modules.add(annotation.__module__)
    return f"{annotation.__module__}.{annotation.__qualname__}"


def _quoted(text: str) -> str:
    inner = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = inner.split("\n")
    body = "\n".join([lines[0], *(f"        {line}" if line else "" for line in lines[1:])])
    return f'"""{body}\n        """' if len(lines) > 1 else f'"""{body}"""'

"""JSON Schema from Python annotations, and the check of one call's arguments against it.

Plain typing introspection: it costs well under a millisecond for every operation together, where a
validation library costs a start-up in every agent window.
"""

import math
import types
import typing
from collections.abc import Callable
from keyword import iskeyword
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Required, Union

from gbrain.errors import InvalidParams

_INT64 = 2**63


class Param(NamedTuple):
    """What the signature cannot say about a parameter: its meaning and bounds (characters, inclusive numbers).

    `names` says that it names a page: by its slug (`page`), or by any name (`entity`). Either may come with its source.
    """

    doc: str = ""
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    names: Literal["page", "entity"] | None = None


class ParamSpec(NamedTuple):
    """One parameter of an operation as every way in shows it."""

    name: str
    kind: str
    """JSON type: string, number, integer, boolean, array or object."""
    doc: str
    required: bool
    default: Any
    choices: tuple[str, ...]
    max_length: int | None
    minimum: float | None
    maximum: float | None
    names: Literal["page", "entity"] | None

    @property
    def python_name(self) -> str:
        """The name as Python writes it: `from_`, since `from` is a word of its own."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    def schema(self) -> dict[str, Any]:
        """The parameter's JSON Schema."""
        schema: dict[str, Any] = {"type": self.kind}
        if self.doc:
            schema["description"] = self.doc
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.kind == "array":
            schema["items"] = {"type": "string"}
        if self.max_length is not None:
            schema["maxLength"] = self.max_length
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        return schema

    def check(self, value: Any) -> Any:
        """The value as the operation takes it; raises InvalidParams. The offending value is never echoed."""
        if not _FITS[self.kind](value):
            article = "an" if self.kind[0] in "aeiou" else "a"
            raise InvalidParams(
                f'Parameter "{self.name}" must be {article} {self.kind}',
                f"pass {self.name} as {article} {self.kind}",
            )
        if self.kind == "array" and not all(isinstance(item, str) for item in value):
            raise InvalidParams(
                f'Parameter "{self.name}" must be an array of strings',
                f"pass {self.name} as a list of strings",
            )
        for text in (value,) if isinstance(value, str) else value if self.kind == "array" else ():
            check_text(self.name, text)
        if self.choices and value not in self.choices:
            allowed = ", ".join(self.choices)
            raise InvalidParams(
                f'Parameter "{self.name}" must be one of: {allowed}', f"pass {self.name} as one of: {allowed}"
            )
        self._check_bounds(value)
        return value

    def _check_bounds(self, value: Any) -> None:
        if self.max_length is not None and len(value) > self.max_length:
            raise InvalidParams(
                f'Parameter "{self.name}" is too long: {len(value):,} characters, {self.max_length:,} at most',
                f"shorten {self.name} to {self.max_length:,} characters; a longer text belongs on a page: gbrain put"
                " SLUG",
            )
        low, high = self.minimum, self.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            span = (
                f"from {low:g} to {high:g}"
                if low is not None and high is not None
                else f"at least {low:g}"
                if low is not None
                else f"at most {high:g}"
            )
            raise InvalidParams(f'Parameter "{self.name}" must be {span}', f"pass {self.name} {span}")


def check_text(name: str, text: str) -> None:
    """Raise InvalidParams for text no store can hold: NUL characters and lone surrogates."""
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text if char >= "\ud800"):
        raise InvalidParams(
            f'Parameter "{name}" holds a character that cannot be stored',
            f"remove control characters from {name}",
        )


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _INT64 if isinstance(value, int) else math.isfinite(value)


_FITS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and float(value).is_integer() and abs(value) < _INT64,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list | tuple),
    "object": lambda value: isinstance(value, dict),
}

_JSON_TYPES: dict[Any, str] = {
    str: "string",
    float: "number",
    int: "integer",
    bool: "boolean",
    list: "array",
    dict: "object",
}


def param_specs(function: Callable[..., Any]) -> tuple[ParamSpec, ...]:
    """The parameters of an operation, read from its signature, in which the context comes first.

    Parameters are `Annotated[T, Param(...)]` with T one of str, float, int, bool, list[str], dict or a Literal
    of strings, each optionally `| None`. A closing underscore is Python's (`from_`), not part of the name.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(
        zip(
            names[code.co_argcount - len(function.__defaults__ or ()) : code.co_argcount],
            function.__defaults__ or (),
            strict=True,
        )
    )
    defaults.update(function.__kwdefaults__ or {})
    return tuple(
        _spec(name.removesuffix("_"), function.__annotations__[name], name not in defaults, defaults.get(name))
        for name in names[1:]
    )


def _spec(name: str, annotation: Any, required: bool, default: Any) -> ParamSpec:
    param = Param()
    if typing.get_origin(annotation) is Annotated:
        annotation, param = typing.get_args(annotation)[:2]
    if typing.get_origin(annotation) in (Union, types.UnionType):
        annotation = next(part for part in typing.get_args(annotation) if part is not type(None))
    choices: tuple[str, ...] = ()
    if typing.get_origin(annotation) is Literal:
        choices, annotation = typing.get_args(annotation), str
    kind = _JSON_TYPES[typing.get_origin(annotation) or annotation]
    bounds = param.max_length, param.minimum, param.maximum
    return ParamSpec(name, kind, param.doc, required, default, choices, *bounds, param.names)


def output_schema(annotation: Any) -> dict[str, Any]:
    """The JSON Schema of what an operation returns.

    A list is wrapped as `{"result": [...]}`, since results are objects.
    """
    schema = type_schema(annotation)
    if schema.get("type") == "object":
        return schema
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


def type_schema(annotation: Any) -> dict[str, Any]:
    """The JSON Schema of one annotation: JSON types, Literal, unions, lists, dicts and TypedDicts."""
    origin = typing.get_origin(annotation)
    if origin in (Annotated, Required, NotRequired):
        return type_schema(typing.get_args(annotation)[0])
    if annotation is Any or annotation is object:
        return {}
    if annotation is type(None):
        return {"type": "null"}
    if origin is Literal:
        return {"enum": list(typing.get_args(annotation))}
    if origin in (Union, types.UnionType):
        return {"anyOf": [type_schema(part) for part in typing.get_args(annotation)]}
    if origin in (list, tuple):
        return {"type": "array", "items": type_schema(typing.get_args(annotation)[0])}
    if annotation is dict or origin is dict:
        return {"type": "object"}
    if typing.is_typeddict(annotation):
        return _typed_dict_schema(annotation)
    return {"type": _JSON_TYPES[annotation]}


def _typed_dict_schema(annotation: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(annotation, include_extras=True)
    required = sorted(annotation.__required_keys__, key=list(hints).index)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: type_schema(hint) for name, hint in hints.items()},
    }
    if required:
        schema["required"] = required
    return schema

"""Schemas from signatures, and the check of an argument against its schema."""

from typing import Annotated, Any, Literal, NotRequired, Optional, Required, TypedDict

import pytest

from gbrain.errors import InvalidParams
from gbrain.schema import Param, ParamSpec, check_text, output_schema, param_specs, type_schema

Colour = Literal["red", "green"]


def every_kind(
    ctx: Any,
    text: Annotated[str, Param("A text.", max_length=5)],
    number: Annotated[float, Param("A number.", minimum=0, maximum=10)],
    whole: Annotated[int, Param("A whole number.", minimum=1)],
    flag: Annotated[bool, Param("A flag.")],
    names: Annotated[list[str], Param("Names.", max_length=2)],
    shape: Annotated[dict[str, Any], Param("An object.")],
    colour: Annotated[Colour, Param("A colour.")],
    bare: str,
    maybe: Annotated[str | None, Param("Perhaps a text.")] = None,
    maybe_number: Annotated[Optional[float], Param()] = None,  # noqa: UP045 - the older spelling is read too
    maybe_colour: Annotated[Colour | None, Param()] = "red",
    limit: Annotated[float, Param(maximum=3)] = 2,
    from_: Annotated[str | None, Param("A word of Python.")] = None,
    *,
    key_only: Annotated[bool, Param()] = True,
) -> None:
    """For its signature."""


SPECS = {spec.name: spec for spec in param_specs(every_kind)}


class TestSpecs:
    @pytest.mark.parametrize(
        ("name", "schema"),
        [
            ("text", {"type": "string", "description": "A text.", "maxLength": 5}),
            ("number", {"type": "number", "description": "A number.", "minimum": 0, "maximum": 10}),
            ("whole", {"type": "integer", "description": "A whole number.", "minimum": 1}),
            ("flag", {"type": "boolean", "description": "A flag."}),
            ("shape", {"type": "object", "description": "An object."}),
            ("colour", {"type": "string", "description": "A colour.", "enum": ["red", "green"]}),
            ("bare", {"type": "string"}),
            ("maybe", {"type": "string", "description": "Perhaps a text."}),
            ("maybe_number", {"type": "number"}),
            ("maybe_colour", {"type": "string", "enum": ["red", "green"]}),
            ("limit", {"type": "number", "maximum": 3}),
            ("from", {"type": "string", "description": "A word of Python."}),
            ("key_only", {"type": "boolean"}),
        ],
    )
    def test_a_parameter_is_what_its_annotation_says(self, name: str, schema: dict[str, Any]) -> None:
        assert SPECS[name].schema() == schema

    def test_a_list_is_of_strings(self) -> None:
        assert SPECS["names"].schema()["items"] == {"type": "string"}

    def test_order_and_requiredness_follow_the_signature(self) -> None:
        assert list(SPECS)[:3] == ["text", "number", "whole"]
        assert list(SPECS)[-1] == "key_only"
        required = [name for name, spec in SPECS.items() if spec.required]
        assert required == ["text", "number", "whole", "flag", "names", "shape", "colour", "bare"]

    def test_defaults(self) -> None:
        assert {name: spec.default for name, spec in SPECS.items() if not spec.required} == {
            "maybe": None,
            "maybe_number": None,
            "maybe_colour": "red",
            "limit": 2,
            "from": None,
            "key_only": True,
        }


FITTING = [
    ("text", "a"),
    ("text", ""),
    ("text", "灯塔🏮\n\x01"),
    ("text", "12345"),
    ("number", 0),
    ("number", 10.0),
    ("number", 0.5),
    ("whole", 1),
    ("whole", 2.0),
    ("whole", 2**63 - 1),
    ("flag", True),
    ("flag", False),
    ("names", []),
    ("names", ["a", "灯"]),
    ("names", ("a",)),
    ("shape", {}),
    ("shape", {"a": [1, {"b": None}]}),
    ("colour", "red"),
]
UNFIT = [
    ("text", 1, "a string"),
    ("text", True, "a string"),
    ("text", None, "a string"),
    ("text", ["a"], "a string"),
    ("text", b"a", "a string"),
    ("number", "1", "a number"),
    ("number", "", "a number"),
    ("number", True, "a number"),
    ("number", None, "a number"),
    ("number", [1], "a number"),
    ("number", float("nan"), "a number"),
    ("number", float("inf"), "a number"),
    ("number", float("-inf"), "a number"),
    ("number", 2**63, "a number"),
    ("number", -(2**63) - 1, "a number"),
    ("number", 2**64, "a number"),
    ("number", 10**400, "a number"),
    ("number", -0.1, "from 0 to 10"),
    ("number", 10.5, "from 0 to 10"),
    ("number", 1e300, "from 0 to 10"),
    ("whole", 1.5, "an integer"),
    ("whole", "1", "an integer"),
    ("whole", False, "an integer"),
    ("whole", 1e300, "an integer"),
    ("whole", 2.0**63, "an integer"),
    ("whole", 2**64, "an integer"),
    ("whole", 0, "at least 1"),
    ("limit", 4, "at most 3"),
    ("flag", 1, "a boolean"),
    ("flag", "true", "a boolean"),
    ("flag", 0, "a boolean"),
    ("names", "a", "an array"),
    ("names", {"a": 1}, "an array"),
    ("names", [1], "an array of strings"),
    ("names", ["a", None], "an array of strings"),
    ("names", [["a"]], "an array of strings"),
    ("shape", [], "an object"),
    ("shape", "{}", "an object"),
    ("colour", 1, "a string"),
    ("colour", "blue", "one of: red, green"),
    ("colour", "Red", "one of: red, green"),
    ("colour", "red ", "one of: red, green"),
]


class TestCheck:
    @pytest.mark.parametrize(("name", "value"), FITTING, ids=ascii)
    def test_what_fits_is_taken_as_it_is(self, name: str, value: Any) -> None:
        assert SPECS[name].check(value) is value

    @pytest.mark.parametrize(("name", "value", "must"), UNFIT, ids=lambda value: ascii(value)[:30])
    def test_what_does_not_is_refused_and_never_coerced(self, name: str, value: Any, must: str) -> None:
        with pytest.raises(InvalidParams) as refused:
            SPECS[name].check(value)
        assert refused.value.message == f'Parameter "{name}" must be {must}'
        assert name in refused.value.suggestion

    def test_a_value_is_never_echoed(self) -> None:
        for name, value in (("colour", "secret-4711"), ("flag", "secret-4711"), ("text", "secret-4711")):
            with pytest.raises(InvalidParams) as refused:
                SPECS[name].check(value)
            assert "4711" not in str(refused.value.envelope())

    @pytest.mark.parametrize("length", [6, 100_000])
    def test_a_long_text_is_refused_with_both_lengths(self, length: int) -> None:
        with pytest.raises(InvalidParams) as refused:
            SPECS["text"].check("x" * length)
        assert f"{length:,}" in refused.value.message
        assert "xxxxxx" not in str(refused.value.envelope())

    def test_a_long_list_is_refused(self) -> None:
        with pytest.raises(InvalidParams):
            SPECS["names"].check(["a", "b", "c"])

    @pytest.mark.parametrize("code", [0, 0xD800, 0xDBFF, 0xDC80, 0xDFFF], ids=hex)
    @pytest.mark.parametrize("form", ["{}", "a{}b"])
    def test_text_that_no_store_holds_is_refused(self, code: int, form: str) -> None:
        text = form.format(chr(code))
        for name, value in (("text", text), ("names", [text]), ("colour", text)):
            with pytest.raises(InvalidParams) as refused:
                SPECS[name].check(value)
            str(refused.value.envelope()).encode()
        with pytest.raises(InvalidParams):
            check_text("x", text)

    @pytest.mark.parametrize("text", ["", "a", "🏮", "\U0010ffff", "\ue000", "\ud7ff", "\x01"], ids=ascii)
    def test_any_other_is_taken(self, text: str) -> None:
        check_text("x", text)


class Inner(TypedDict):
    """A part."""

    x: int


class Whole(TypedDict):
    """Every sort of member."""

    name: str
    count: NotRequired[int]
    kind: Colour
    maybe: str | None
    parts: list[Inner]
    either: Inner | None
    anything: Any
    table: dict[str, int]
    noted: Annotated[float, Param("x")]
    must: Required[bool]
    version: Literal[1]


class TestOutput:
    def test_a_typed_dict(self) -> None:
        schema = output_schema(Whole)
        assert schema["type"] == "object"
        assert schema["required"] == [name for name in Whole.__annotations__ if name != "count"]
        inner = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
        assert schema["properties"] == {
            "name": {"type": "string"},
            "count": {"type": "integer"},
            "kind": {"enum": ["red", "green"]},
            "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "parts": {"type": "array", "items": inner},
            "either": {"anyOf": [inner, {"type": "null"}]},
            "anything": {},
            "table": {"type": "object"},
            "noted": {"type": "number"},
            "must": {"type": "boolean"},
            "version": {"enum": [1]},
        }

    def test_a_list_is_wrapped_since_results_are_objects(self) -> None:
        assert output_schema(list[str]) == {
            "type": "object",
            "properties": {"result": {"type": "array", "items": {"type": "string"}}},
            "required": ["result"],
        }

    @pytest.mark.parametrize(
        ("annotation", "schema"),
        [
            (str, {"type": "string"}),
            (bool, {"type": "boolean"}),
            (None.__class__, {"type": "null"}),
            (object, {}),
            (dict, {"type": "object"}),
            (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
            (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045 - the older spelling is read too
            (Literal["a"] | None, {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        ],
        ids=str,
    )
    def test_other_annotations(self, annotation: Any, schema: dict[str, Any]) -> None:
        assert type_schema(annotation) == schema


def test_a_spec_of_nothing_special_is_small() -> None:
    spec = ParamSpec("x", "string", "", True, None, (), None, None, None, None)
    assert spec.schema() == {"type": "string"}

"""The stub of the methods: what it says of each operation."""

import ast

from gbrain.entry import methods
from gbrain.registry import load_all


def test_every_operation_is_a_method_with_its_parameters_and_its_reply() -> None:
    operations = load_all()
    (kind,) = (node for node in ast.parse(methods.stub(operations)).body if isinstance(node, ast.ClassDef))
    found = {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef)}
    assert list(found) == [operation.name for operation in operations]
    for operation in operations:
        args = found[operation.name].args
        by_place = [arg.arg for arg in args.args[1:]]
        assert [name.removesuffix("_") for name in by_place] == list(operation.positional)
        named = {*by_place, *(arg.arg for arg in args.kwonlyargs)}
        assert named == {param.python_name for param in operation.params} | {"source_id"}
        assert found[operation.name].returns is not None
        assert operation.summary[:40] in (ast.get_docstring(found[operation.name]) or "")


def test_a_word_of_python_has_an_underscore_and_choices_are_literals() -> None:
    text = methods.stub([operation for operation in load_all() if operation.name in ("add_link", "remember")])
    assert "        from_: str,\n" in text
    assert '        visibility: Literal["world", "private"] = "world",\n' in text

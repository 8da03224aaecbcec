"""The generator: its source text is what the formatter would write, and needs no old catalogue."""

import ast

from gbrain.catalogue import Entry
from gbrain.entry.docs import catalogue_text, declared, entry_of


def test_the_catalogue_text_holds_every_entry() -> None:
    operations = declared([])
    tree = ast.parse(catalogue_text(operations))
    assigned = tree.body[-1]
    assert isinstance(assigned, ast.AnnAssign)
    assert isinstance(assigned.value, ast.Dict)
    read = {
        ast.literal_eval(key): Entry(
            *(ast.literal_eval(argument) for argument in value.args),
            **{str(named.arg): ast.literal_eval(named.value) for named in value.keywords},
        )
        for key, value in zip(assigned.value.keys, assigned.value.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Call)
    }
    assert read == {item.name: entry_of(item) for item in operations}


def test_verbs_come_first_and_the_rest_by_surface_and_name() -> None:
    operations = declared([])
    surfaces = [item.surface for item in operations]
    assert surfaces == sorted(surfaces, key=["verbs", "starter", "full"].index)
    for surface in ("starter", "full"):
        names = [item.name for item in operations if item.surface == surface]
        assert names == sorted(names)


def test_an_empty_catalogue_is_valid_source() -> None:
    assert ast.parse(catalogue_text([]))

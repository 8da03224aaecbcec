"""JSON is changed where it must be, and nowhere else; what was put in comes out again without a trace."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain.harnesses import jsontext
from gbrain.harnesses.splices import applied, undo_of, undone

ENTRY = {"command": "/opt/gbrain", "args": ["serve"], "trust": True}
DOCUMENTS = {
    "empty": "",
    "blank": "\n",
    "object": "{}",
    "object over lines": "{\n}\n",
    "other keys": '{\n  "theme": "dark"\n}\n',
    "four blanks": '{\n    "theme": "dark",\n    "servers": {\n        "other": {"command": "x"}\n    }\n}',
    "tabs": '{\n\t"servers": {\n\t\t"other": 1\n\t}\n}\n',
    "minified": '{"servers":{"other":{"a":[1,2]}},"z":null}',
    "one line": '{"servers": {"other": 1}}',
    "empty inside": '{"theme":"dark","servers":{}}',
    "CRLF": '{\r\n  "servers": {\r\n    "other": 1\r\n  }\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "comments": '// mine\n{\n  /* all */ "servers": {\n    "other": 1 // keep\n    // the end\n  }, // after\n}\n',
    "trailing comma": '{\n  "servers": {\n    "other": 1, // keep\n  },\n}\n',
    "comment alone": '{\n  "servers": {\n    // none yet\n  }\n}\n',
    "JSON5": "{\n  servers: {\n    other: 'it\\'s', n: +1, h: 0xFF,\n  },\n}\n",
    "key that looks so": '{\n  "not": "\\"servers\\": {",\n  "servers": {"a": "}"}\n}\n',
}


@pytest.fixture(params=DOCUMENTS.values(), ids=DOCUMENTS.keys())
def document(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


def test_a_key_goes_in_and_comes_out(document: str) -> None:
    path = ("servers", "gbrain")
    before = jsontext.value_of(document)
    splices = jsontext.put(document, path, ENTRY)
    after = applied(document, splices)
    expected = {**before, "servers": {**before.get("servers", {}), "gbrain": ENTRY}}
    assert jsontext.value_of(after) == expected
    assert undone(after, undo_of(splices)) == document
    assert all(not splice.gone.strip() for splice in splices)
    if "\r\n" in document:
        assert after.count("\n") == after.count("\r\n")
    # Without the way back, as when the agent's program wrote the file anew.
    out = applied(after, jsontext.drop(after, path))
    out = applied(out, jsontext.prune(out, ("servers",), 1 if "servers" in before else 0))
    assert jsontext.value_of(out) == before
    if before and "comment" not in document and "//" not in document:
        assert out == document


def test_comments_stay_with_what_they_are_about() -> None:
    text = DOCUMENTS["comments"]
    after = applied(text, jsontext.put(text, ("servers", "gbrain"), 1))
    assert after == text.replace("1 // keep\n", '1, // keep\n    "gbrain": 1\n')
    assert applied(after, jsontext.drop(after, ("servers", "gbrain"))) == text


def test_a_value_takes_the_place_of_another() -> None:
    text = '{\n  "a": {"b": 1}, // note\n  "c": 2\n}'
    splices = jsontext.put(text, ("a", "b"), [3])
    assert jsontext.value_of(applied(text, splices)) == {"a": {"b": [3]}, "c": 2}
    assert "// note" in applied(text, splices)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"hooks": {"Stop": []}}', '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}']
)
def test_an_item_is_added_behind_the_others_and_taken_out(text: str) -> None:
    path = ("hooks", "Stop")
    there = jsontext.value_of(text).get("hooks", {}).get("Stop", [])
    splices = jsontext.append(text, path, {"ours": 1})
    after = applied(text, splices)
    assert jsontext.value_of(after)["hooks"]["Stop"] == [*there, {"ours": 1}]
    assert undone(after, undo_of(splices)) == text
    out = applied(after, jsontext.drop_items(after, path, lambda item: isinstance(item, dict)))
    assert jsontext.value_of(out) == {"hooks": {"Stop": there}}


def test_every_item_of_ours_is_taken_out() -> None:
    text = "[0, 1, /* two */ 2, 1, 1]"
    wrapped = f'{{"a": {text}}}'
    out = applied(wrapped, jsontext.drop_items(wrapped, ("a",), lambda item: item == 1))
    assert jsontext.value_of(out) == {"a": [0, 2]}
    assert "/* two */" in out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "line 1"),
        ('{\n "a" 1}', "line 2"),
        ('{"a": 1 "b": 2}', "is missing"),
        ('{"a": nonsense}', "is no value"),
        ("{} {}", "more follows"),
        ('{"a": "b}', "has no end"),
        ("[" * 500, "nested"),
        ('{"a": [,]}', "missing"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        jsontext.put(text, ("a", "b"), 1)


@pytest.mark.parametrize("text", ["[]", '{"servers": []}', '{"servers": "x"}', '{"servers": null}'])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an object"):
        jsontext.put(text, ("servers", "gbrain"), ENTRY)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), st.sampled_from([None, 1, "\t"]), VALUES)
def test_any_document(held: dict[str, Any], indent: Any, value: Any) -> None:
    text = json.dumps(held, indent=indent)
    assert jsontext.value_of(text) == held
    splices = jsontext.put(text, ("new key", "inner"), value)
    after = applied(text, splices)
    assert json.loads(after) == {**held, "new key": {"inner": value}}
    assert undone(after, undo_of(splices)) == text
    out = applied(after, jsontext.drop(after, ("new key",)))
    assert json.loads(out) == held
    if held:
        assert out == text

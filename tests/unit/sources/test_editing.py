"""Front matter changed in place: every byte that was not meant to change is where it was."""

import pytest
from hypothesis import given, strategies as st

from gbrain.sources.editing import with_header
from gbrain.sources.frontmatter import parse

PERSON = (
    "\ufeff---\r\n# who this is\r\ntitle: Dana Oakes # as she writes it\r\n"
    "tags:\r\n- rower\r\n- 'two words'   # both\r\n"
    "home: `C:\\boats`\r\nmore: {kept: [1, 2]}\r\n\r\n# the end\r\n---\r\n\r\nBody with\ttabs  \r\n"
)


def test_one_line_changes() -> None:
    assert with_header(PERSON, {"title": "Dana"}) == PERSON.replace("title: Dana Oakes #", "title: Dana #")


def test_a_list_keeps_its_manner_and_the_lines_of_its_items() -> None:
    wanted = PERSON.replace("- rower\r\n", "").replace("# both\r\n", "# both\r\n- new\r\n")
    assert with_header(PERSON, {"tags": ["two words", "new"]}) == wanted
    flow = "---\ntags: [a, b] # few\nx: 1\n---\n"
    assert with_header(flow, {"tags": ["a", "c d"]}) == flow.replace("[a, b]", "[a, c d]")


def test_a_new_key_goes_last_and_a_removed_one_takes_its_lines() -> None:
    assert with_header(PERSON, {"seen": "2031-05-04"}) == PERSON.replace(
        "# the end\r\n", "# the end\r\nseen: 2031-05-04\r\n"
    )
    without = PERSON.replace("tags:\r\n- rower\r\n- 'two words'   # both\r\n", "")
    assert with_header(PERSON, {"tags": None}) == without


def test_nothing_to_change_changes_nothing() -> None:
    assert with_header(PERSON, {"title": "Dana Oakes", "gone": None}) == PERSON


def test_a_text_without_a_header_gets_one_in_its_own_line_ends() -> None:
    assert with_header("\ufeffText.\r\n", {"a": 1}) == "\ufeff---\r\na: 1\r\n---\r\n\r\nText.\r\n"
    assert with_header("\n\nText.", {"a": 1}) == "---\na: 1\n---\n\n\nText."
    assert with_header("", {"a": 1}) == "---\na: 1\n---\n"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("---\n{a: 1, b: 2}\n---\nx", {"a": None}),
        ("---\na: 1\na: 2\n---\nx", {"a": None}),
        ("---\na: &x [1]\nb: *x\n---\nx", {"a": [2]}),
        ('---\na: "one\n  two"\nb: |\n  # no comment\n  text\n---\nx', {"a": "three", "b": None}),
        ('---\na: "1\u2028b"\nc: 2\n---\nx', {"c": 3}),
        ("---\na: 1\n---", {"b": {"c": ["d", {"e": None}]}}),
    ],
)
def test_what_lines_cannot_do_is_still_right(text: str, changes: dict[str, object]) -> None:
    made = parse(with_header(text, changes))
    kept = {name: value for name, value in parse(text).frontmatter.items() if name not in changes}
    assert made.frontmatter == kept | {name: value for name, value in changes.items() if value is not None}
    assert made.body == parse(text).body


NAMES = st.sampled_from(["title", "tags", "kind of", "名", "x"])
VALUES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8)
    .map(str.strip)
    .filter(bool),
    st.integers(-5, 5),
    st.lists(st.sampled_from(["a", "b c", "- d", "e, f", "[g]"]), min_size=1, max_size=3),
)


@given(
    st.dictionaries(NAMES, VALUES),
    st.dictionaries(NAMES, st.one_of(st.none(), VALUES)),
    st.text("ab \n#-", max_size=20),
)
def test_any_change_says_what_was_meant_and_leaves_the_body(
    before: dict[str, object], changes: dict[str, object], body: str
) -> None:
    text = with_header(f"---\n---\n{body}", before)
    made = parse(with_header(text, changes))
    assert made.frontmatter == {name: value for name, value in {**before, **changes}.items() if value is not None}
    assert made.body == body

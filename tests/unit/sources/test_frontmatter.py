"""Headers as people write them, and the canonical one."""

import json
import math
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from gbrain.domain.markdown import split_body
from gbrain.errors import InvalidParams
from gbrain.sources.frontmatter import MAX_HEADER, Document, compose, dump, parse, tags_of
from gbrain.sources.yaml12 import resolve

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
WORDS = st.one_of(
    TEXTS,
    st.sampled_from(
        [
            *("NO", "on", "y", "0123", "12:30", "1_000", "0x1F", "1e3", "+5", "-0", "~", "null", "True", ".inf", "5."),
            *("2026-06-12", "2026-06-12T10:00:00Z", "A: B", "a #b", "# c", "- d", "? e", "@f", "`g`", "*h", "&i", "!j"),
            *(
                "%k",
                "'l'",
                '"m"',
                "[n]",
                "{o}",
                "p:",
                ":q",
                "|",
                ">",
                "---",
                "...",
                "r\ns",
                "r\ns\n",
                "\nt",
                "u\n\nv",
                "<<",
            ),
            *(
                " w",
                "x ",
                "\ty",
                "z\t",
                "a\u2028b",
                "a\x85b",
                "\ufeff",
                "é: ü",
                "标题: 二",
                "=",
                "1.10",
                "1:2:3",
                "-",
                "\\",
                "\"'",
            ),
        ]
    ),
)
NUMBERS = st.one_of(st.integers(-(2**53) + 1, 2**53 - 1), st.floats(allow_nan=False, allow_infinity=False))
VALUES = st.recursive(
    st.one_of(WORDS, NUMBERS, st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=12,
)
HEADERS = st.dictionaries(WORDS, VALUES, max_size=6)


def header(text: str) -> Document:
    return parse(f"---\n{text}\n---\nbody\n")


def outcome(content: str) -> Document | InvalidParams:
    """What reading a text gives: the document, or the refusal itself."""
    try:
        return parse(content)
    except InvalidParams as error:
        return error


def lines_of(document: Document) -> list[tuple[int, str]]:
    return [(problem.line, problem.key) for problem in document.problems]


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from True and from 1.0."""
    return json.dumps(left) == json.dumps(right)


def test_a_plain_header() -> None:
    document = parse("---\ntype: person\ntitle: Alice Example\ntags:\n  - founder\n---\n\n# Alice\n")
    assert document.frontmatter == {"type": "person", "title": "Alice Example", "tags": ["founder"]}
    assert document.body == "\n# Alice\n"
    assert document.problems == ()
    assert (document.type, document.title, document.tags) == ("person", "Alice Example", ["founder"])


@pytest.mark.parametrize(
    ("content", "frontmatter", "body"),
    [
        ("", {}, ""),
        ("just text", {}, "just text"),
        ("\n---\na: 1\n---\n", {}, "\n---\na: 1\n---\n"),
        ("---\na: 1\n", {}, "---\na: 1\n"),
        ("---\nthe rule above is a rule\n\nmore text", {}, "---\nthe rule above is a rule\n\nmore text"),
        ("--- \na: 1\n---\t\nbody", {"a": 1}, "body"),
        ("---\na: 1\n---", {"a": 1}, ""),
        ("---\na: 1\n...\nbody", {"a": 1}, "body"),
        ("---\n---\nbody", {}, "body"),
        ("---\n# only a comment\n---\nbody", {}, "body"),
        (
            "\ufeff---\r\ntitle: A\r\ntags: [x]\r\n---\r\nline\r\nline\r\n",
            {"title": "A", "tags": ["x"]},
            "line\nline\n",
        ),
        ("\ufeffjust text\r\n", {}, "just text\n"),
        ("---\ra: 1\r---\rbody\r", {"a": 1}, "body\n"),
        ("----\na: 1\n----\n", {}, "----\na: 1\n----\n"),
        ("---\na: 1\n---\n---\nb: 2\n---\n", {"a": 1}, "---\nb: 2\n---\n"),
    ],
)
def test_where_the_header_ends(content: str, frontmatter: dict[str, Any], body: str) -> None:
    document = parse(content)
    assert (document.frontmatter, document.body) == (frontmatter, body)
    assert content[document.header_end :].replace("\r\n", "\n").replace("\r", "\n") == body


@pytest.mark.parametrize(
    "inside", ["a list of words", "- a\n- b", "42", "He said: no?\tyes", '"hello, and left.', "* one\n* two"]
)
def test_a_text_between_rules_is_text(inside: str) -> None:
    content = f"---\n{inside}\n---\nmore"
    if inside.startswith("He said"):
        assert parse(content).frontmatter == {"He said": "no?\tyes"}
        return
    document = parse(content)
    assert (document.frontmatter, document.body, document.header_end) == ({}, content, 0)
    assert "read as text" in document.problems[0].message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("NO", "NO"), ("on", "on"), ("yes", "yes"), ("0123", "0123"), ("12:30", "12:30"), ("1_000", "1_000")),
        *(("0x1F", "0x1F"), ("0o7", "0o7"), ("1e3", "1e3"), ("12e4567", "12e4567"), ("+49123", "+49123"), ("-0", "-0")),
        *((".inf", ".inf"), (".nan", ".nan"), ("1.2.3", "1.2.3"), ("5.", "5."), (".5", ".5"), ("01.5", "01.5")),
        *(("2026-06-12", "2026-06-12"), ("2026-06-12T10:00:00Z", "2026-06-12T10:00:00Z"), ("=", "="), ("٣", "٣")),
        *(("5", 5), ("-7", -7), ("0", 0), ("0.90", 0.9), ("-1.5", -1.5), ("1.5e3", 1500.0), ("1.5e-3", 0.0015)),
        *(("true", True), ("False", False), ("tRue", "tRue"), ("null", None), ("~", None), ("", None)),
        *(("9007199254740991", 2**53 - 1), ("9007199254740992", "9007199254740992"), ("1.0e999", "1.0e999")),
    ],
)
def test_plain_scalars(text: str, value: Any) -> None:
    assert same(resolve(text), value)
    assert same(header(f"k: {text}").frontmatter, {"k": value})


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("title: Re: harbour walk with alice-example", "Re: harbour walk with alice-example"),
        ("title: A: B", "A: B"),
        ("title: `C:\\lantern\\notes`", "`C:\\lantern\\notes`"),
        ("title: @alice said", "@alice said"),
        ("title: %d percent", "%d percent"),
        ("title: [draft] Plan", "[draft] Plan"),
        ("title: {{name}}", "{{name}}"),
        ("title: *bold* words", "*bold* words"),
        ("title: !important", "!important"),
        ('title: "Foo" bar', '"Foo" bar'),
        ("title: 'it''s' ok", "'it''s' ok"),
        ('title: "unclosed', '"unclosed'),
        ("title: it's: here", "it's: here"),
        ("title: [a, b", "[a, b"),
        ("title:   A: B   ", "A: B"),
    ],
)
@pytest.mark.parametrize("after", ["", "\ntype: note\ntags: [x, y]"])
def test_a_value_that_yaml_refuses_is_read_as_meant(line: str, value: str, after: str) -> None:
    document = parse(f"---\nfirst: 1\n{line}{after}\n---\nbody\n")
    assert document.title == value
    assert document.frontmatter["first"] == 1
    assert document.body == "body\n"
    assert lines_of(document) == [(3, "title")]
    assert document.problems[0].hint
    assert not after or document.tags == ["x", "y"]


def test_several_lines_are_rescued_each() -> None:
    document = header("title: A: B\nhome: `C:\\x`\nnested:\n  deep: x: y\nlist:\n  - Re: a: b\n  - @bob")
    assert document.frontmatter == {
        "title": "A: B",
        "home": "`C:\\x`",
        "nested": {"deep": "x: y"},
        "list": ["Re: a: b", "@bob"],
    }
    assert lines_of(document) == [(2, "title"), (3, "home"), (5, "deep"), (7, "list"), (8, "list")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\n\tb: 2", 3),
        ("a: 1\n  b: 2\n", 3),
        ("a: 1\n----", 3),
        ('a: 1\nb:\n  "x', 4),
        ("z: 1\n? {a: 1}\n: b", 3),
        ("a: x\x07y", 2),
        ("a: 1\nb: x\x1by", 3),
        ("a: 1\n--- b: 2", 3),
        ("a: &x [*x]", 2),
    ],
)
def test_a_header_that_stays_unreadable_names_its_line(text: str, line: int) -> None:
    with pytest.raises(InvalidParams, match=f"line {line} ") as caught:
        header(text)
    assert caught.value.detail == {"line": line}
    assert caught.value.suggestion.startswith(f"correct line {line}: ")


@pytest.mark.parametrize(("content", "line"), [("a\nb\0", 2), ("---\na: \0\n---\n", 2), ("a\n\n\ud800", 3)])
def test_text_no_store_can_keep_is_refused(content: str, line: int) -> None:
    with pytest.raises(InvalidParams) as caught:
        parse(content)
    assert caught.value.detail == {"line": line}


def test_limits() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "\n".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]" for n in range(8)
    )
    deep = "a: " + "[" * 200 + "]" * 200
    for text in (bomb, deep, "a: b\n" * MAX_HEADER, "[" * 5_000, "a: &x {k: *x}"):
        started = time.process_time()
        with pytest.raises(InvalidParams) as caught:
            header("z: 1\n" + text)
        assert caught.value.detail["line"]
        assert time.process_time() - started < 2


def test_an_anchor_within_limits_is_used() -> None:
    assert header("a: &x [1, 2]\nb: *x\nc: &y word\nd: *y").frontmatter == {
        "a": [1, 2],
        "b": [1, 2],
        "c": "word",
        "d": "word",
    }


def test_repeated_keys_are_reported_and_the_last_counts() -> None:
    document = header("title: One\ntype: note\ntitle: Two\nmap: {k: 1, k: 2}")
    assert document.frontmatter == {"title": "Two", "type": "note", "map": {"k": 2}}
    assert lines_of(document) == [(4, "title"), (5, "k")]


@pytest.mark.parametrize("text", ["visibility: private\nvisibility: world", "visibility: world\nvisibility: private"])
def test_a_repeated_visibility_stays_narrow(text: str) -> None:
    assert header(text).private


@pytest.mark.parametrize(
    ("text", "private", "doubts"),
    [
        ("a: 1", False, 0),
        ("visibility: world", False, 0),
        ("visibility: public", False, 0),
        ("visibility:", False, 0),
        ("visibility: private", True, 0),
        ("visibility: ' Private '", True, 0),
        ("visibility: privte", True, 1),
        ("visibility: [private]", True, 1),
        ("visibility: true", True, 1),
    ],
)
def test_visibility_fails_closed(text: str, private: bool, doubts: int) -> None:
    document = header(text)
    assert document.private is private
    assert len(document.problems) == doubts


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("tags: lantern", ["lantern"]),
        ("tags: a, b ,, a", ["a", "b"]),
        ("tags: [a, b]", ["a", "b"]),
        ('tags: "[a, b]"', ["[a, b]"]),
        ("tags:\n  - NO\n  - 2031\n  - true", ["NO", "2031", "true"]),
        ("tags:", []),
        ("tags: {a: 1}", []),
        ("a: 1", []),
        ("tags: 标签，二", ["标签", "二"]),
    ],
)
def test_tags(text: str, tags: list[str]) -> None:
    assert header(text).tags == tags


def test_a_tag_that_only_differs_in_case_is_one_tag() -> None:
    assert tags_of(["Founder", "founder"]) == ["Founder"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("title: 2031", "2031"),
        ("title: 1.5", "1.5"),
        ("title: true", "true"),
        ("title: '  a  b '", "a b"),
        ("title:", None),
        ("title: [a]", None),
        ("title: 2031-01-01", "2031-01-01"),
    ],
)
def test_titles_are_text(text: str, title: str | None) -> None:
    assert header(text).title == title


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        *(("0.8", 0.8), ("1", 1.0), ("0", 0.0), ("'0.5'", 0.5), (".5", 0.5), ("1.0", 1.0)),
        *(("1.1", None), ("-0.1", None), ("80%", None), ("high", None), ("true", None), ("[1]", None), ("'nan'", None)),
    ],
)
def test_confidence(text: str, confidence: float | None) -> None:
    document = header(f"confidence: {text}")
    assert document.confidence == confidence
    assert lines_of(document) == ([] if confidence is not None else [(2, "confidence")])


@pytest.mark.parametrize(
    ("text", "expiry"),
    [
        ("2031-12-31", datetime(2031, 12, 31, tzinfo=UTC)),
        ("2031-12-31T10:00:00+02:00", datetime(2031, 12, 31, 8, tzinfo=UTC)),
        ("2031-12-31 10:00", datetime(2031, 12, 31, 10, tzinfo=UTC)),
        ("2031-02-30", None),
        ("soon", None),
        ("2031", None),
    ],
)
def test_expiry(text: str, expiry: datetime | None) -> None:
    document = header(f"expiry: {text}")
    assert document.expiry == expiry
    assert lines_of(document) == ([] if expiry else [(2, "expiry")])


@pytest.mark.parametrize(
    ("text", "date"),
    [
        *(
            ("2031", "2031"),
            ("2031-03", "2031-03"),
            ("2031-03-30", "2031-03-30"),
            ("yesterday", None),
            ("2031-02-30", None),
        ),
        ("2031-03-30T10:00:00+02:00", "2031-03-30T08:00:00.000000Z"),
    ],
)
def test_date_keeps_its_precision(text: str, date: str | None) -> None:
    document = header(f"date: {text}")
    assert document.date == date
    assert len(document.problems) == (date is None)


def test_other_accessors() -> None:
    document = header("summary: A: short one\naliases: Ali, Alice X\nversion: 3")
    assert document.summary == "A: short one"
    assert document.aliases == ["Ali", "Alice X"]
    assert header("aliases: [D. Reed, 'Reed, D.']").aliases == ["D. Reed", "Reed, D."]
    assert (header("a: 1").summary, header("a: 1").aliases, header("a: 1").date) == (None, [], None)


def test_the_canonical_page() -> None:
    frontmatter = {
        "tags": "founder, Oslo",
        "company": "companies/acme",
        "title": "Alice: Example",
        "links": [{"url": "https://x.invalid", "n": 1}, []],
        "type": "person",
        "note": "two\nlines",
        "empty": None,
        "born": "2001-02-03",
        "code": "0123",
    }
    text = compose(frontmatter, "# Alice\n", "- **2031-01-01** | x")
    assert text == (
        "---\ntype: person\ntitle: 'Alice: Example'\ncompany: companies/acme\nlinks:\n"
        "  - url: https://x.invalid\n    n: 1\n  - []\nnote: |-\n  two\n  lines\nempty:\nborn: 2001-02-03\n"
        "code: '0123'\ntags:\n  - founder\n  - Oslo\n---\n\n# Alice\n\n<!-- timeline -->\n\n- **2031-01-01** | x\n"
    )
    assert compose({"type": "note"}, "", "") == "---\ntype: note\n---\n"
    assert compose({}, "text", "") == "text\n"
    assert parse(compose({}, "---\na: 1\n---", "")).frontmatter == {}


@given(HEADERS)
@settings(max_examples=400)
def test_what_is_written_reads_back_the_same(frontmatter: dict[str, Any]) -> None:
    written = dump(frontmatter)
    document = parse(f"---\n{written}---\n\nbody\n")
    expected = {key: value for key, value in frontmatter.items() if key != "tags"}
    if tags_of(frontmatter.get("tags")):
        expected["tags"] = tags_of(frontmatter["tags"])
    assert json.dumps(document.frontmatter, sort_keys=True) == json.dumps(expected, sort_keys=True)
    assert not document.frontmatter or document.body == "\nbody\n"
    assert dump(document.frontmatter) == written


@given(st.dictionaries(WORDS.filter(lambda key: key != "tags"), WORDS, min_size=1, max_size=5))
def test_text_stays_text_for_other_yaml_readers(frontmatter: dict[str, str]) -> None:
    foreign = yaml.safe_load(dump(frontmatter))
    for key, value in foreign.items():
        assert isinstance(key, str) or key.isoformat()[:10] in " ".join(frontmatter)
        assert isinstance(value, str) or value.isoformat()[:10] in str(frontmatter.values())


@given(HEADERS, st.text(st.sampled_from("ab \n#-`>"), max_size=40), st.text(st.sampled_from("ab \n#-`>"), max_size=40))
def test_a_composed_page_keeps_its_parts(frontmatter: dict[str, Any], truth: str, timeline: str) -> None:
    once = compose(frontmatter, truth, timeline)
    document = parse(once)
    assert compose(document.frontmatter, *split_body(document.body)) == once


@given(st.one_of(TEXTS, st.text(), st.lists(WORDS, max_size=6).map("\n".join)), st.booleans())
@settings(max_examples=400)
def test_any_text_is_read_or_refused_by_line(text: str, closed: bool) -> None:
    content = f"---\n{text}\n---\nbody" if closed else text
    document = outcome(content)
    if isinstance(document, InvalidParams):
        assert document.detail["line"] >= 1
        return
    json.dumps(document.frontmatter, allow_nan=False)
    assert 0 <= document.header_end <= len(content)
    accessors = (document.title, document.type, document.summary, document.tags, document.aliases, document.private)
    assert len(accessors) == 6
    assert document.confidence is None or math.isfinite(document.confidence)
    assert document.expiry is None or document.expiry.tzinfo is UTC
    assert document.date is None or document.date[0].isdigit()
    dump(document.frontmatter)


@given(st.from_regex(r"(?:[a-z]{1,3}: ?[\[\]{}&*!|>'\"%@`#,:?\-a-c \t]{0,12}\n){1,5}", fullmatch=True))
@settings(max_examples=400)
def test_odd_yaml_is_read_or_refused_by_line(text: str) -> None:
    document = outcome(f"---\n{text}---\nbody")
    if isinstance(document, InvalidParams):
        assert document.detail["line"] >= 1
    else:
        json.dumps(document.frontmatter, allow_nan=False)

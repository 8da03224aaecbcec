"""A page from its text and back."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain.errors import InvalidParams
from gbrain.sources.editing import with_header
from gbrain.sources.frontmatter import dump
from gbrain.sources.pages import END_OF_TIME, read, read_draft, render, unchanged, without_tag, world_body
from gbrain.types import Draft, Page

NOW = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)


def stored(draft: Draft, *tags: str, version: int = 3) -> Page:
    """The page as the store would give it back."""
    moment = "2031-05-04T22:10:00.123456Z"
    return Page(
        1,
        "default",
        draft.slug,
        draft.type,
        draft.title,
        draft.frontmatter,
        draft.content,
        draft.content[draft.body_start :],
        draft.summary,
        version,
        draft.content_hash,
        draft.private,
        draft.confidence,
        draft.expiry,
        draft.effective_date,
        draft.effective_date_source,
        moment,
        moment,
        "someone",
        None,
        tuple(sorted({*draft.tags, *tags})),
    )


def test_a_text_with_everything() -> None:
    content = (
        "---\ntype: Person\ntitle: Alice Example\naliases: Ali, A. E.\ntags: [b, a]\nsummary: A pilot\n"
        "visibility: private\nconfidence: 0.5\nexpiry: 2031-12-31\ndate: 2031-03\nversion: 7\n"
        "last_modified: x\nmodified_by: y\nown: {deep: [1, true]}\n---\nText.\n"
    )
    draft = read_draft("People/Alice", content, NOW)
    assert draft._replace(content_hash="") == Draft(
        slug="people/alice",
        type="Person",
        title="Alice Example",
        frontmatter={
            "type": "Person",
            "title": "Alice Example",
            "aliases": "Ali, A. E.",
            "tags": ["b", "a"],
            "summary": "A pilot",
            "visibility": "private",
            "confidence": 0.5,
            "expiry": "2031-12-31",
            "date": "2031-03",
            "own": {"deep": [1, True]},
        },
        content=content,
        body_start=len(content) - len("Text.\n"),
        summary="A pilot",
        private=True,
        confidence=0.5,
        expiry="2032-01-01T00:00:00.000000Z",
        effective_date="2031-03",
        effective_date_source="date",
        tags=("a", "b"),
        aliases=("Ali", "A. E."),
        content_hash="",
        based_on=7,
    )


def test_a_bare_text() -> None:
    draft = read_draft("companies/acme-works", "Acme makes lanterns. It is old.\n", NOW)
    assert (draft.type, draft.title, draft.summary) == ("company", "Acme Works", "Acme makes lanterns.")
    assert (draft.effective_date, draft.effective_date_source) == ("2031-05-04", "fallback")
    assert (draft.frontmatter, draft.tags, draft.aliases, draft.based_on, draft.expiry) == ({}, (), (), None, None)
    assert not draft.private


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2031-05-04", "2031-05-05T00:00:00.000000Z"),
        ("2031-05-04T10:00:00+02:00", "2031-05-04T08:00:00.000000Z"),
        ("9999-12-31", END_OF_TIME),
        ("soon", None),
        ("2031-02-30", None),
    ],
)
def test_expiry(written: str, instant: str | None) -> None:
    reading = read("a", f"---\nexpiry: {written}\n---\nx", NOW)
    assert reading.draft.expiry == instant
    assert [problem.key for problem in reading.problems] == ([] if instant else ["expiry"])


@pytest.mark.parametrize(("written", "based_on"), [("3", 3), ("'12'", 12), ("1.2", None), ("v2", None), ("0", None)])
def test_the_version_a_text_was_based_on(written: str, based_on: int | None) -> None:
    reading = read("a", f"---\ntitle: A\nversion: {written}\n---\nx", NOW)
    assert reading.draft.based_on == based_on
    assert "version" not in reading.draft.frontmatter
    doubts = [(problem.line, problem.key) for problem in reading.problems]
    assert doubts == ([] if based_on else [(3, "version")])


def test_a_slug_in_the_front_matter_must_agree() -> None:
    assert "slug" not in read_draft("a/b", "---\nslug: A/B\n---\nx", NOW).frontmatter
    for named in ("a/c", "../x", "[1, 2]"):
        with pytest.raises(InvalidParams):
            read_draft("a/b", f"---\nslug: {named}\n---\nx", NOW)


SPELLINGS = [
    "---\ntitle: A\ntags: [x, y]\n---\nText.\n",
    "---\r\ntags: y, x\r\ntitle: 'A'\r\n---\r\n\r\n\r\nText.\r\n\r\n",
    "\ufeff---\ntype: note\ntitle: A\ntags:\n  - x\n  - y\nversion: 9\nmodified_by: me\n---\nText.",
    "---\ntitle: A\ntags: [x, y]\nsource_kind: mcp\ningested_at: now\n---\n\nText.\n",
]


def test_every_spelling_of_a_page_has_one_hash() -> None:
    assert len({read_draft("notes/a", content, NOW).content_hash for content in SPELLINGS}) == 1


@pytest.mark.parametrize(
    "content",
    [
        "---\ntitle: A\ntags: [x, y]\n---\nOther.\n",
        "---\ntitle: A\ntags: [x]\n---\nText.\n",
        "---\ntitle: B\ntags: [x, y]\n---\nText.\n",
        "---\ntitle: A\ntags: [x, y]\nown: 1\n---\nText.\n",
        "---\ntitle: A\ntags: [x, y]\n---\n\n<!-- timeline -->\n\nText.\n",
        "---\ntype: memo\ntitle: A\ntags: [x, y]\n---\nText.\n",
    ],
)
def test_a_change_changes_the_hash(content: str) -> None:
    assert read_draft("notes/a", content, NOW).content_hash != read_draft("notes/a", SPELLINGS[0], NOW).content_hash


def test_rendering() -> None:
    content = "---\nown: 1\ntags: x, boat\ndate: 2031-03\n---\n# Head\n\nText.\n\n--- timeline ---\n"
    content += "- **2031-03-30** | Done\n"
    assert render(stored(read_draft("people/a", content, NOW), "by hand")) == (
        "---\ntype: person\ntitle: Head\nown: 1\ndate: '2031-03'\nversion: 3\n"
        "last_modified: 2031-05-04T22:10:00.123Z\nmodified_by: someone\ntags:\n  - x\n  - boat\n  - by hand\n---\n\n"
        "# Head\n\nText.\n\n<!-- timeline -->\n\n- **2031-03-30** | Done\n"
    )


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.text(max_size=12), st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("abc", min_size=1), inner, max_size=3)
    ),
    max_leaves=6,
)
BODIES = st.lists(
    st.sampled_from(
        [
            *(
                "# Head",
                "Text.",
                "",
                "---",
                "```",
                "~~~",
                "## Timeline",
                "<!-- timeline -->",
                "- **2031-03-30** | x",
                "    code",
            ),
            *("--- timeline ---", "## History", "  - indented", "\ttab", "> quote", "...", "\r", "灯塔"),
        ]
    ),
    max_size=12,
).map("\n".join)


@given(
    st.dictionaries(st.sampled_from(["title", "type", "tags", "aliases", "summary", "date", "own", "x y"]), VALUES),
    BODIES,
)
def test_what_is_rendered_is_no_change(frontmatter: dict[str, Any], body: str) -> None:
    try:
        draft = read_draft("notes/a", f"---\n{dump(frontmatter)}---\n{body}", NOW)
    except InvalidParams:
        return
    page = stored(draft)
    again = read_draft("notes/a", render(page), NOW)
    assert again.content_hash == draft.content_hash
    assert unchanged(again, page)
    assert again.based_on == page.version
    with_tag = stored(draft, "by hand")
    assert unchanged(read_draft("notes/a", render(with_tag), NOW), with_tag)


def test_headers_are_set_and_bodies_stay() -> None:
    assert with_header("Text.\n", {"type": "idea"}) == "---\ntype: idea\n---\n\nText.\n"
    assert with_header("---\na: 1\n---\n\n  x\r\n", {"b": 2}) == "---\na: 1\nb: 2\n---\n\n  x\r\n"
    assert with_header("---\na: 1\n---\nx", {"a": None}) == "---\n---\nx"
    assert with_header("---\nrule, no header\n", {"type": "idea"}).endswith("---\nrule, no header\n")
    page = stored(read_draft("a", "---\ntags: [x, y]\n---\nText.", NOW))
    assert without_tag(page, "x") == "---\ntags: [y]\n---\nText."
    assert without_tag(page, "z") is None


def test_private_rows_leave_a_fence_and_nothing_else_does() -> None:
    fence = "<!--- gbrain:facts:begin -->\n| 1 | a | fact | 1.0 | world |\n| 2 | b | fact | 1.0 | Private |\n"
    body = f"| 0 | private |\n\n{fence}<!--- gbrain:facts:end -->\n| 3 | private |\n"
    assert world_body(body) == body.replace("| 2 | b | fact | 1.0 | Private |\n", "")
    assert world_body("private\n") == "private\n"
    assert world_body("<!--- gbrain:facts:begin -->\n| 1 | a \\| private | private |") == "<!--- gbrain:facts:begin -->"

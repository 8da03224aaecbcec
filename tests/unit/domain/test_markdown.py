"""The parts of a page: where current truth ends, what its first words are, which lines are dated."""

import time

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.markdown import (
    TimelineLine,
    first_heading,
    inline_text,
    parse_timeline,
    plain_text,
    render,
    split_body,
    strip_facts_fence,
    summary,
)

BULLET = "- **2026-06-12** | Joined Acme"
FACTS = """## Facts

<!--- gbrain:facts:begin -->
| # | claim | kind |
|---|-------|------|
| 1 | secret claim | fact |
<!--- gbrain:facts:end -->"""
LINES = st.lists(
    st.sampled_from(
        [
            *("", "text", "# One", "## Timeline", "## History", "## Later", "### Sub", "---", "<!-- timeline -->"),
            *("--- timeline ---", BULLET, "  detail", "```", "~~~", "<!--", "-->", "- item", "    code", "| a |"),
            *("<!--- gbrain:facts:begin -->", "<!--- gbrain:facts:end -->", "## Facts", "===", " ", "> said"),
        ]
    ),
    max_size=14,
).map("\n".join)


@pytest.mark.parametrize(
    ("body", "truth", "timeline"),
    [
        ("", "", ""),
        ("just text\n", "just text", ""),
        (f"text\n\n<!-- timeline -->\n\n{BULLET}\n", "text", BULLET),
        (f"text\n<!--timeline-->\n{BULLET}", "text", BULLET),
        (f"<!-- timeline -->\n{BULLET}", "", BULLET),
        ("text\n<!-- timeline -->\nfree words, no bullets", "text", "free words, no bullets"),
        (f"text\n--- timeline ---\n{BULLET}", "text", BULLET),
        (f"text\n\n---\n\n## Timeline\n\n{BULLET}", "text", f"## Timeline\n\n{BULLET}"),
        ("text\n---\n## History\nfree words", "text", "## History\nfree words"),
        (f"text\n---\n{BULLET}", f"text\n---\n{BULLET}", ""),
        ("text\n---\n## Timelines\nx", "text\n---\n## Timelines\nx", ""),
        (f"---\n## Timeline\n{BULLET}", f"---\n\n## Timeline\n{BULLET}", None),
        (
            f"text\n\n## Timeline\n{BULLET}\n  more\n\n## Later\nwords",
            "text\n\n## Later\nwords",
            f"## Timeline\n{BULLET}\n  more",
        ),
        (f"text\n## History\n{BULLET}\n{BULLET}\n", "text", f"## History\n{BULLET}\n{BULLET}"),
        (f"## Timeline\n{BULLET}", f"## Timeline\n{BULLET}", ""),
        (f"text\n## Timeline\n### Sub\n{BULLET}", f"text\n## Timeline\n### Sub\n{BULLET}", ""),
        (f"text\n## Timeline\n{BULLET}\nplain line", f"text\n## Timeline\n{BULLET}\nplain line", ""),
        ("text\n## Timeline\n- **2026-02-30** | never", "text\n## Timeline\n- **2026-02-30** | never", ""),
        ("text\n## Timeline\n", "text\n## Timeline", ""),
        (f"a\n<!-- timeline -->\nb\n<!-- timeline -->\n{BULLET}", "a", f"b\n<!-- timeline -->\n{BULLET}"),
        (f"```\n<!-- timeline -->\n```\nx\n<!-- timeline -->\n{BULLET}", "```\n<!-- timeline -->\n```\nx", BULLET),
        (f"```\nopen\n<!-- timeline -->\n{BULLET}", "```\nopen", BULLET),
        (f"text\r\n\r\n<!-- timeline -->\r\n{BULLET}\r\n", "text", BULLET),
        ("  indented first\n\n\n", "  indented first", ""),
    ],
)
def test_a_body_is_split_once(body: str, truth: str, timeline: str | None) -> None:
    if timeline is None:
        assert split_body(body)[1].startswith("## Timeline")
    else:
        assert split_body(body) == (truth, timeline)


@given(LINES)
def test_what_was_split_renders_and_splits_the_same(body: str) -> None:
    parts = split_body(body)
    rendered = render(*parts)
    assert not rendered or (rendered.endswith("\n") and not rendered.endswith("\n\n"))
    again = split_body(rendered)
    assert again[1] == parts[1]
    assert render(*again) == rendered


@given(LINES)
def test_splitting_loses_no_line(body: str) -> None:
    truth, timeline = split_body(body)
    kept = sorted(line for line in f"{truth}\n{timeline}".split("\n") if line.strip())
    whole = sorted(line for line in body.split("\n") if line.strip())
    missing = list(whole)
    for line in kept:
        missing.remove(line)
    assert missing in ([], ["<!-- timeline -->"], ["--- timeline ---"], ["---"])


def test_the_canonical_body() -> None:
    assert render("\n\ntruth \n", "\n- x\n\n") == "truth\n\n<!-- timeline -->\n\n- x\n"
    assert render("truth", " \n") == "truth\n"
    assert render("", "- x") == "<!-- timeline -->\n\n- x\n"
    assert render("", "") == ""
    assert render("~~~~py\nx = 1", "- x") == "~~~~py\nx = 1\n~~~~\n\n<!-- timeline -->\n\n- x\n"


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("# Alice Example\ntext", "Alice Example"),
        ("text\n\n#  Alice **Example** #\n", "Alice Example"),
        ("## Two\n# One", "One"),
        ("```\n# code\n```\n# Real", "Real"),
        ("    # code\n# Real", "Real"),
        ("<!--\n# no\n-->\n# Real", "Real"),
        ("Title\n=====\ntext", "Title"),
        ("# [[people/alice|Alice]] and [Acme](../companies/acme.md)", "Alice and Acme"),
        ("# C# notes", "C# notes"),
        ("#\n# Second", "Second"),
        ("#hashtag", None),
        ("text", None),
        ("", None),
        ("# 深度求索", "深度求索"),
    ],
)
def test_first_heading(body: str, heading: str | None) -> None:
    assert first_heading(body) == heading


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# Alice\n\nAlice leads the lantern project. She lives in Oslo.", "Alice leads the lantern project."),
        (f"{FACTS}\n\nProse here.", "Prose here."),
        ("```\ncode here\n```\nProse. More.", "Prose."),
        ("![logo](x.png)\n\nProse.", "Prose."),
        ("<!-- hidden words -->\nProse.", "Prose."),
        ("| a | b |\n|---|---|\n\nProse.", "Prose."),
        ("Heading\n-------\nProse.", "Prose."),
        ("- **Role:** CEO of [[companies/acme|Acme]].", "Role: CEO of Acme."),
        ("> quoted words. more", "quoted words."),
        ("1. first step. then", "first step."),
        ("- [x] done thing", "done thing"),
        ("深度求索是一家公司。它在杭州。", "深度求索是一家公司。"),
        ("Joined Acme [Source: Bob, 2026-06-12] as CTO. Then left.", "Joined Acme as CTO."),
        ("Dr. Smith leads. Yes.", "Dr. Smith leads."),
        ("***\n---\nProse", "Prose"),
        ("# Only a heading", ""),
        ("", ""),
        ("snake_case stays, _emphasis_ goes.", "snake_case stays, emphasis goes."),
    ],
)
def test_summary(body: str, expected: str) -> None:
    assert summary(body) == expected


def test_a_long_summary_is_clipped() -> None:
    text = summary("word " * 200, limit=60)
    assert len(text) <= 60
    assert text.endswith("word…")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BULLET, [("2026-06-12", "", "Joined Acme", "")]),
        ("- **2026-06-12** | Call — agreed on price", [("2026-06-12", "Call", "agreed on price", "")]),
        ("- **2026-06-12** - joined", [("2026-06-12", "", "joined", "")]),
        ("- **2026-06-12** – joined", [("2026-06-12", "", "joined", "")]),
        ("- **2026-06-12** — joined — twice", [("2026-06-12", "", "joined — twice", "")]),
        ("- **2026年1月10日** | 加入公司", [("2026-01-10", "", "加入公司", "")]),
        (
            f"{BULLET}\n  first detail\n\n  - second\n\tthird",
            [("2026-06-12", "", "Joined Acme", "first detail\nsecond\nthird")],
        ),
        (f"{BULLET}\nplain\n  no detail", [("2026-06-12", "", "Joined Acme", "")]),
        (f"{BULLET} [Source: Bob, 2026-06-20]", [("2026-06-12", "Bob", "Joined Acme", "")]),
        (f"{BULLET} [Source: Bob]", [("2026-06-12", "Bob", "Joined Acme", "")]),
        (
            "Alice moved to Oslo. She joined Acme [Source: Bob, in chat, 2026-06-12]. Later.",
            [("2026-06-12", "Bob, in chat", "She joined Acme", "")],
        ),
        ("She joined. [Source: mail, 2026年6月12日]", [("2026-06-12", "mail", "She joined.", "")]),
        ("[Source: Bob, 2026-06-12]", []),
        ("She joined [Source: Bob]", []),
        ("She joined [Source: Bob, 2026-02-30]", []),
        ("- 2026-06-12: joined", []),
        ("* **2026-06-12** | joined", []),
        ("### 2026-06-12\njoined", []),
        ("- **2026-02-30** | never", []),
        ("- **2026-06-12** |  ", []),
        (f"```\n{BULLET}\n```", []),
        (f"<!-- {BULLET}\n{BULLET}\n-->", []),
        (
            "- **2026-06-12** | Referenced in [Acme](../companies/acme.md) -- by Bob",
            [("2026-06-12", "", "Referenced in [Acme](../companies/acme.md) -- by Bob", "")],
        ),
        (
            "- **2026-06-12** | " + "a long sentence that is no source " * 3 + "— tail",
            [("2026-06-12", "", ("a long sentence that is no source " * 3) + "— tail", "")],
        ),
        ("", []),
    ],
)
def test_dated_entries(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert parse_timeline(text) == [TimelineLine(*entry) for entry in expected]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"before\n\n{FACTS}\n\nafter", "before\n\n## Facts\n\n\nafter"),
        (f"before\n\n{FACTS}\n\n## Next\nafter", "before\n\n\n## Next\nafter"),
        (f"before\n\n{FACTS}", "before\n"),
        (FACTS.replace("<!---", "<!--").replace("--->", "-->"), ""),
        ("a\n<!--- gbrain:facts:begin -->\n| 1 | secret |\nafter", "a\nafter"),
        ("a\n<!--- gbrain:facts:begin -->\n| 1 | secret |\n\n| 2 | secret |", "a"),
        ("a\n<!--- gbrain:facts:end -->\nb", "a\nb"),
        ("nothing here", "nothing here"),
    ],
)
def test_the_facts_fence_goes(body: str, expected: str) -> None:
    assert strip_facts_fence(body) == expected


@given(LINES, LINES)
def test_no_fenced_row_stays(before: str, after: str) -> None:
    body = f"{before}\n<!--- gbrain:facts:begin -->\n| 1 | SECRET |\n{after}"
    assert "SECRET" not in strip_facts_fence(body)
    assert "SECRET" not in summary(body)


def test_plain_text_keeps_words_and_code() -> None:
    body = """# Title

Some **bold** and _soft_ [link](http://x.invalid/a_b) to [[people/alice|Alice]] and [[people/bob]].
<!-- hidden -->
- [ ] task `code_x`
> quote

![chart](c.png)

---
```py
# kept **as is**
```
Write `<!--` and `-->` around it.
| a | b |
|---|---|
"""
    assert plain_text(body) == (
        "Title\n\nSome bold and soft link to Alice and people/bob.\n\ntask code_x\nquote\n\nchart\n\n"
        "# kept **as is**\n\nWrite <!-- and --> around it.\n| a | b |"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"a \* b \[x\]", "a * b [x]"),
        ("x < y and <b>bold</b>", "x < y and bold"),
        ("2 * 3 ** 4", "2 * 3 ** 4"),
        (r"a\_b \_c", "a_b _c"),
        ("**bold**, *soft*.", "bold, soft."),
        ("[ref][1] ~~old~~", "ref old"),
        ("__init__ file_name", "init file_name"),
        ("plain", "plain"),
    ],
)
def test_inline_markup_goes(text: str, expected: str) -> None:
    assert inline_text(text) == expected


@given(st.one_of(st.text(), LINES))
def test_any_text_is_taken(text: str) -> None:
    first_heading(text)
    parse_timeline(text)
    plain_text(text)
    assert len(summary(text, limit=80)) <= 80
    assert "\n" not in inline_text(text)


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 200_000, "[a](" * 50_000, "![" * 100_000, "<" * 200_000, "<!--" * 50_000, "`" * 200_000),
        *("*" * 200_000, "_a" * 100_000, "- **2026-01-01** | x\n" * 5_000, "---\n" * 50_000, "[[a|" * 50_000),
        *("\n" * 200_000 + "---\n" * 1_000, "<!--- gbrain:facts:begin -->\nx\n" * 20_000, "```\n" * 50_001),
        *("[Source: " * 20_000, "## Timeline\n" * 30_000, "a " + "# " * 100_000, "> " * 100_000),
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    split_body(text)
    first_heading(text)
    summary(text)
    parse_timeline(text)
    strip_facts_fence(text)
    plain_text(text)
    assert time.process_time() - started < 5

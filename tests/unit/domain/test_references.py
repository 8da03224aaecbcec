"""References: every form of the contract with exact offsets, nothing from code, and linear time."""

import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.references import Aim, Reference, aim, aim_of, blocks, named, scan


def targets(text: str) -> list[str]:
    return [reference.target for reference in scan(text)]


FORMS: list[tuple[str, str, str]] = [
    ("[[people/dana]]", "people/dana", ""),
    ("[[people/dana|Dana]]", "people/dana", "Dana"),
    ("[[people/dana#Work]]", "people/dana", ""),
    ("[[people/dana#Work|her work]]", "people/dana", "her work"),
    ("[[people/dana.md]]", "people/dana.md", ""),
    ("![[people/dana]]", "people/dana", ""),
    ("[[team:people/dana]]", "team:people/dana", ""),
    ("[[Dana Oakes]]", "Dana Oakes", ""),
    ("[[人物/王芳|王芳]]", "人物/王芳", "王芳"),
    ("[Dana](people/dana)", "people/dana", "Dana"),
    ("[Dana](people/dana.md)", "people/dana.md", "Dana"),
    ("[Dana](../people/dana.md)", "../people/dana.md", "Dana"),
    ("[Dana](dana.md)", "dana.md", "Dana"),
    ("[Dana](<people/dana oakes.md>)", "people/dana oakes.md", "Dana"),
    ('[Dana](people/dana.md "Her page")', "people/dana.md", "Dana"),
    ("[Dana](people/dana.md#work)", "people/dana.md", "Dana"),
    ("[![Dana](dana.png)](people/dana)", "people/dana", "![Dana](dana.png)"),
    ("people/dana", "people/dana", ""),
]


@pytest.mark.parametrize(("form", "target", "label"), FORMS)
@pytest.mark.parametrize("around", ["{}", "See {}, then go.", "- {}\n", "> {} said", "# {}", "| a | {} |\n", "({})"])
def test_forms(form: str, target: str, label: str, around: str) -> None:
    text = around.format(form)
    found = scan(text)
    assert [(one.target, one.label) for one in found] == [(target, label)]
    assert text[found[0].start : found[0].end] == form


@pytest.mark.parametrize(
    "text",
    [
        "`[[people/dana]]`",
        "``a ` [[people/dana]] b``",
        "`two\nlines [[people/dana]]`",
        "```\n[[people/dana]]\n```",
        "~~~~ md\n[[people/dana]]\n~~~\n[[people/dana]]\n~~~~",
        "```mermaid\ngraph TD; A[[people/dana]] --> B\n```",
        "> ```\n> [[people/dana]]\n> ```",
        "- item\n  ```\n  [[people/dana]]\n  ```",
        "```\n[[people/dana]]",
        "Text.\n\n    [[people/dana]]\n\n    [[people/bob]]\n",
        "Text.\n\n\t[[people/dana]]\n",
        "- item\n\n      [[people/dana]]\n",
        "![Dana](people/dana)",
        "![[dana.png]]",
        "[[report.pdf]]",
        r"\[[people/dana]]",
        r"\[Dana](people/dana)",
        r"\[\[people/dana\]\]",
        "<!-- [[people/dana]] -->",
        "%% [[people/dana]] at 5 % %%",
        "$$ [[people/dana]] $$",
        "$$\n[[people/dana]]\n$$",
        "<!--\n[[people/dana]]\n\npeople/bob\n-->",
        "https://example.com/people/dana",
        "www.example.com/people/dana",
        "<https://example.com/people/dana>",
        '<a href="people/dana">her</a>',
        "[Dana](/people/dana)",
        "[Dana](people/dana#work)",
        "[Dana](https://example.com/people/dana.md)",
        "[Dana](mailto:people/dana.md)",
        "[Dana](dana)",
        "[Dana][people-dana]",
        "@dana",
        "./people/dana",
        "/people/dana",
        "~/people/dana",
        "dana@people/dana",
        "People/Dana",
        "[[#a heading]]",
        "[[]] [[ ]] []() [](people)",
        "<!--- gbrain:facts:begin -->\n| 1 | met [[people/dana]] |\n<!--- gbrain:facts:end -->",
    ],
)
def test_what_is_none(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<!-- [[people/dana]] --> [[people/bob]]", ["people/bob"]),
        ("`<!--` [[people/bob]] `-->`", ["people/bob"]),
        ("<!-- never closed [[people/bob]]", ["people/bob"]),
        ("a ` b [[people/bob]]", ["people/bob"]),
        ("- a `\n- b [[people/bob]] `", ["people/bob"]),
        ("```\n[[people/dana]]\n\n<!-- timeline -->\n\n- [[people/bob]]", ["people/bob"]),
        ("- item\n\n    [[people/bob]]", ["people/bob"]),
        ("line\n    [[people/bob]]", ["people/bob"]),
        ("[see [[people/bob]] there]", ["people/bob"]),
        (r"\\[[people/bob]]", ["people/bob"]),
        (r"| [[people/bob\|Bob]] |", ["people/bob"]),
        ("[[people/bob]][[people/dana]]", ["people/bob", "people/dana"]),
        ("people/bob. people/dana, (people/eve) people/x.y", ["people/bob", "people/dana", "people/eve", "people/x.y"]),
        ("见people/bob，和[[people/dana]]。", ["people/bob", "people/dana"]),
    ],
)
def test_what_stands_beside_it_is_found(text: str, left: list[str]) -> None:
    assert targets(text) == left


@pytest.mark.parametrize(
    ("form", "target", "expected"),
    [
        ("wiki", "People/Dana.md", Aim(None, "people/dana", "", "", True)),
        ("wiki", "team:people/dana", Aim("team", "people/dana", "", "", True)),
        ("wiki", "Dana Oakes", Aim(None, "dana-oakes", "", "dana oakes", True)),
        ("wiki", "../people/dana", Aim(None, "notes/people/dana", "", "", True)),
        ("markdown", "../../people/dana.md", Aim(None, "people/dana", "", "", True)),
        ("markdown", "dana.md", Aim(None, "notes/2031/dana", "", "", True)),
        ("markdown", "people/dana.md", Aim(None, "people/dana", "notes/2031/people/dana", "", True)),
        (
            "markdown",
            "people/Dana%20Oakes.md",
            Aim(None, "people/dana-oakes", "notes/2031/people/dana-oakes", "", True),
        ),
        ("bare", "people/dana", Aim(None, "people/dana", "", "", True)),
        ("bare", "and/or", Aim(None, "and/or", "", "", False)),
        ("markdown", "../../../outside.md", None),
        ("wiki", "/people/dana", None),
        ("wiki", "people/dana.png", None),
    ],
)
def test_aims(form: Any, target: str, expected: Aim | None) -> None:
    assert aim_of(target, form, "notes/2031/walk") == expected


def test_the_value_of_a_field_may_be_a_reference() -> None:
    assert named("[[people/dana|Dana]]") == named("people/dana") == Aim(None, "people/dana", "", "", True)
    assert aim(Reference(0, 4, "wiki", "Dana", ""), "") == named("Dana")


PIECES = [
    "[[people/dana]]", "[D](people/dana.md)", "people/dana", "`", "``", "```\n", "\n", "\n\n", "    ", "- ", "> ",
    "<!--", "-->", "\\", "![[", "]]", "[", "](", ")", "text ", "王芳", "\r\n", "~~~", "|", "<a ", ">", "https://a.b/",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_offsets_are_exact_and_everything_between_stays(text: str) -> None:
    found = scan(text)
    rebuilt, at = [], 0
    for one in found:
        assert at <= one.start < one.end
        form = text[one.start : one.end]
        assert one.target in form.replace("\\|", "|")
        rebuilt += [text[at : one.start], form]
        at = one.end
    assert "".join(rebuilt) + text[at:] == text
    for block in blocks(text):
        assert block.start < block.end


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_a_text_in_front_only_moves_the_offsets(text: str) -> None:
    moved = [one._replace(start=one.start - 7, end=one.end - 7) for one in scan("Words.\n" + text, 7)]
    assert moved == scan(text)


LARGE = {
    "prose": "Words about [[people/dana|Dana]] and `code` and people/bob, and more.\n\n" * 14_000,
    "links": "[[people/dana]] " * 100_000,
    "open brackets": "[a" * 500_000,
    "open links": "[a](b" * 200_000,
    "open wikilinks": "[[" * 500_000,
    "backticks": " ".join("`" * (length % 700 + 1) for length in range(3_000)),
    "open comments": "<!-- " * 200_000,
    "open fences": "\n".join("`" * length for length in range(1_400, 3, -1)),
    "tags": "<a " * 300_000,
    "titles": '[a](b "c ' * 100_000,
    "paths": "a/" * 500_000,
    "escapes": "\\[" * 400_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_a_megabyte_takes_linear_time(name: str) -> None:
    text = LARGE[name]
    scan(text[:1000])
    spent = []
    for part in (text[: len(text) // 8], text):
        started = time.process_time()
        scan(part)
        spent.append(time.process_time() - started)
    assert spent[1] < 5, "linear, so a second or so on a slow machine"
    assert spent[1] < 0.1 or spent[1] < 40 * max(spent[0], 0.005)

"""Tags that stand in a text: where one begins and ends, and where none is meant."""

import time

import pytest

from gbrain.domain.hashtags import hashtags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Text with #tea and #tea/green, again #Tea.", ["tea", "tea/green"]),
        (
            "#start of a line\n- #item\n- [ ] #todo x\n> #quoted\n| a | #cell |\n",
            ["start", "item", "todo", "quoted", "cell"],
        ),
        ("#中文标签 #été_1 #y1984 #a-b", ["中文标签", "été_1", "y1984", "a-b"]),
        ("#tea, #rice; #salt/ (said)", ["tea", "rice", "salt"]),
        ("# Heading #no\n\n##no\n\n#12 #12/3 a#b C# \\#no (#no) **#no** # no #\n", []),
        ("`#no` and ``a ` #no`` and `two\n#no`\n\n```\n#no\n```\n\n    #no\n", []),
        ("https://x.org/ #yes https://x.org/#no www.x.org/#no [[a#no]] [[a #no]] [x](a.md#no) [x](a #no)", ["yes"]),
        ("<!-- #no --> %% #no %% <a href='x #no'> ![[a #no]]", []),
        ("---\n", []),
    ],
)
def test_what_is_a_tag(text: str, found: list[str]) -> None:
    assert hashtags(text) == found


def test_long_texts_are_read_at_once() -> None:
    began = time.process_time()
    hashtags("`" * 50_000 + " #a" * 50_000 + "[[" * 50_000 + "<a " * 50_000 + "#" * 100_000)
    assert time.process_time() - began < 2

"""The rows of the table of the capture hook, each by its name; those with a server are in test_turns_at_once."""

from pathlib import Path
from typing import Any

import pytest

from integration.test_capture_hook import ANSWER, NAME, RESULT, SAID, Home, home  # noqa: F401

PASTED = '<pasted_content id="1">\nThe board meets on Tuesday in room four.\n</pasted_content id="1">'
TOOL = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "it worked"}]}}
OWN_ANSWER = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": SAID}]}}


def test_i1_without_a_mode_there_is_no_trace(tmp_path: Path) -> None:
    bare = Home(tmp_path)
    bare.mode(None)
    bare.hook(bare.says(SAID))
    assert [path.name for path in bare.brain.iterdir()] == ["config.json"]


@pytest.mark.parametrize(
    ("texts", "rest", "files", "reasons"),
    [
        (["Thanks"], (), [], ["too_short"]),
        ([], (OWN_ANSWER,), [], ["no_user_turn"]),
        ([SAID], (TOOL,), [NAME], ["no_serve"]),
        ([SAID], (RESULT,), [NAME], ["no_serve"]),
        ([SAID], (ANSWER,), [NAME], ["no_serve"]),
        ([SAID], (), [NAME], ["no_serve"]),
        ([f"{PASTED}\n{SAID}"], (), [NAME], ["no_serve"]),
        ([PASTED], (), [], ["no_user_turn"]),
    ],
    ids=["i2", "i3", "i4", "i5", "i6", "i7", "i10", "i12"],
)
def test_row(
    home: Home,  # noqa: F811
    texts: list[str],
    rest: tuple[Any, ...],
    files: list[str],
    reasons: list[str],
) -> None:
    home.hook(home.says(*texts, rest=rest))
    assert (home.files(), home.reasons()) == (files, reasons)
    assert [(home.corpus / name).read_text() for name in files] == [f"{SAID}\n"] * len(files)


def test_i8_the_same_turn_is_one_file(home: Home) -> None:  # noqa: F811
    for _ in range(2):
        home.hook(home.says(SAID))
    assert (home.files(), home.reasons()) == ([NAME], ["no_serve", "wb_dup"])


def test_i11_behind_a_paste_the_turn_before_is_known_already(home: Home) -> None:  # noqa: F811
    home.hook(home.says(SAID))
    home.hook(home.says(SAID, PASTED))
    assert (home.files(), home.reasons()) == ([NAME], ["no_serve", "wb_dup"])


@pytest.mark.parametrize("where", ["transcript_path", "cwd"])
def test_i13_agents_that_gbrain_runs_are_not_listened_to(home: Home, where: str) -> None:  # noqa: F811
    payload = home.says(SAID)
    payload[where] = payload[where].replace(str(home.path), f"{home.path}/gbrain-claude-cli-cwd-7")
    home.hook(payload)
    assert (home.files(), home.reasons()) == ([], ["self_capture"])

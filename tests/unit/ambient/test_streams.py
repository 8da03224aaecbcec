"""Turns out of a transcript that is still being written."""

import json

import pytest

from gbrain.ambient.streams import Stream


def turns(text: str) -> list[tuple[str, str]]:
    stream = Stream()
    said = [turn for line in text.splitlines(keepends=True) for turn in stream.take(line)]
    return [tuple(turn) for turn in (*said, *stream.rest())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("User: Who?\nAssistant: Dana.\n", [("user", "Who?"), ("assistant", "Dana.")]),
        ("[user]\nWho?\nNow.\n\n[assistant]\nDana.", [("user", "Who?\nNow."), ("assistant", "Dana.")]),
        ("one\ntwo\n\nthree\n", [("user", "one\ntwo"), ("user", "three")]),
        ("**Human:** Who?", [("user", "Who?")]),
        ("Note: this", [("user", "Note: this")]),
        ("\n\n \n", []),
        ("half {\n", [("user", "half {")]),
        ("{torn\n", [("user", "{torn")]),
        ('text\n{"role": "user", "text": "x"}\n', [("user", "text"), ("user", "x")]),
    ],
)
def test_text(text: str, found: list[tuple[str, str]]) -> None:
    assert turns(text) == found


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"type": "user", "message": {"role": "user", "content": "Who?"}}, [("user", "Who?")]),
        (
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Dana."}]}},
            [("assistant", "Dana.")],
        ),
        ({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]}}, []),
        ({"type": "user", "isMeta": True, "message": {"role": "user", "content": "x"}}, []),
        (
            {
                "type": "response_item",
                "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Who?"}]},
            },
            [("user", "Who?")],
        ),
        ({"type": "event_msg", "payload": {"type": "user_message", "message": "Who?"}}, [("user", "Who?")]),
        ({"type": "gemini", "content": "Dana."}, [("assistant", "Dana.")]),
        ({"type": "summary", "summary": "x"}, []),
        ({"role": "tool", "text": "x"}, []),
        ({"role": 3, "text": ["x"]}, []),
    ],
)
def test_json_lines_of_every_agent(row: object, found: list[tuple[str, str]]) -> None:
    assert turns(json.dumps(row) + "\n") == found


def test_a_turn_without_end_is_cut() -> None:
    ((_, text),) = turns("x" * 99_999 + "\n" + "y" * 300_000 + "\nz\n")
    assert len(text) <= 200_010

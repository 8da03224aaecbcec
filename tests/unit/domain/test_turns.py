"""The filter of turns: the rows of the contract's table A as the decisions amend them, and what a person asks for."""

import pytest

from gbrain.domain.turns import judge, normalise

PEN = "我对花生严重过敏，随身带肾上腺素笔"
SENTENCE = "I like green tea lots"
TABLE_A: list[tuple[str, object, str | None, str]] = [
    ("A1-nothing", "", "empty", ""),
    ("A1-blank", "   \n ", "empty", ""),
    ("A1-none", None, "empty", ""),
    ("A1-number", 7, "empty", ""),
    ("A2", "Thanks", "too_short", ""),
    ("A3-ok", "ok", "too_short", ""),
    ("A3-yes", "yes please", "too_short", ""),
    ("A4", "okay sounds good thanks so much!", "ack_or_greeting", ""),
    ("A5", "Good morning, thanks a lot", "ack_or_greeting", ""),
    ("A6", "我对花生过敏", None, "我对花生过敏"),
    ("A7", PEN, None, PEN),
    ("A8-six", "我住在上海市", None, "我住在上海市"),
    ("A8-five", "我住在上海", "too_short", ""),
    ("A9", "/compact and then continue with the review", "slash_command", ""),
    ("A10", "Is the build green now? And can we ship it?", "question_only", ""),
    ("A11", "I moved the standup to 9am. Can you tell the team?", None,
     "I moved the standup to 9am. Can you tell the team?"),
    ("A12", "> a quoted line of text here\n> and another", "quoted_or_tool_output", ""),
    ("A13", "```\nx = 1\ny = 2 and much more code\n```", "quoted_or_tool_output", ""),
    ("A14", "\n".join(["        a line of output"] * 4), "quoted_or_tool_output", ""),
    ("A15", "I decided on Postgres for this.\n> what do you think?", None, "I decided on Postgres for this."),
    ("A16", SENTENCE * 500, "bulk_paste", ""),
    ("A17", "I prefer  dark mode\n in every editor.", None, "I prefer dark mode in every editor."),
    ("A20-fits", "x" * 8000, None, "x" * 8000),
    ("A20-not", "x" * 8001, "bulk_paste", ""),
    ("A21-short", "y" * 19, "too_short", ""),
    ("A21-enough", "y" * 20, None, "y" * 20),
    ("A22", "yes " * 6 + "yes", None, "yes " * 6 + "yes"),
]  # fmt: skip
LEFT = [
    ("okay sounds good thanks so much! 🎉", "ack_or_greeting"),
    ("谢谢你的帮助，真是太好了", "ack_or_greeting"), ("ありがとうございます、助かりました！", "ack_or_greeting"),
    ("정말 감사합니다, 좋아요", "ack_or_greeting"), ("muchas gracias, hasta luego", "ack_or_greeting"),
    ("merci beaucoup, c'est bon", "ack_or_greeting"), ("vielen dank, alles klar", "ack_or_greeting"),
    ("我们什么时候发布？可以吗？", "question_only"),
    ("\n".join(["    three indented lines"] * 3), "quoted_or_tool_output"),
    ("My salary is 90k, don't remember this.", "chat_only"), ("Off the record: I dislike the plan", "chat_only"),
    ("Please do not save that to memory, I was joking", "chat_only"), ("just between us, Dana is leaving", "chat_only"),
    ("我讨厌我的老板，别记。", "chat_only"), ("仅聊天：我今天心情不好", "chat_only"),
    ("これは覚えないでください、転職します", "chat_only"), ("이건 기억하지 마, 이직할 거야", "chat_only"),
    ("No guardes esto: dejo mi trabajo en marzo", "chat_only"),
    ("Ne retiens pas ça, je plaisantais vraiment", "chat_only"),
    ("Merk dir das bitte nicht: ich kündige im März", "chat_only"),
    ("I like tea a lot #skip now please", "user_skip"), ("<private>my salary is 90k</private>", "user_skip"),
]  # fmt: skip
KEPT = [
    ("我喜欢深色模式。你能帮我设置吗？", None),
    ("Don't forget that I am allergic to nuts", None), ("I don't remember this ever working before", None),
    ("别忘了我对花生过敏这件事", None), ("Don't save that file yet; I prefer to review first", None),
    ("I keep an off the record player in the attic", None),
    ("<pasted_content id=\"1\">\nlots\n</pasted_content id=\"1\"> I prefer short summaries",
     "I prefer short summaries"),
    ("<hook_context>we said this</hook_context>\n\nI prefer tabs over spaces", "I prefer tabs over spaces"),
    ("<private>90k</private> I prefer tabs over spaces", "I prefer tabs over spaces"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason", "kept"), [pytest.param(*row[1:], id=row[0]) for row in TABLE_A])
def test_table(text: object, reason: str | None, kept: str) -> None:
    verdict = judge(text)
    assert (verdict.reason, verdict.text) == (reason, kept)


@pytest.mark.parametrize(("text", "reason"), LEFT)
def test_a_turn_is_left_for_its_reason(text: object, reason: str) -> None:
    assert judge(text) == (reason, "", "")


@pytest.mark.parametrize(("text", "kept"), KEPT)
def test_a_turn_passes_as_the_persons_own_words(text: str, kept: str | None) -> None:
    verdict = judge(text)
    assert verdict.reason is None
    assert verdict.text == (normalise(text) if kept is None else kept)


def test_a18_white_space_counts_for_nothing() -> None:
    spaced, plain = judge("I prefer  dark mode\n in every editor."), judge("I prefer dark mode in every editor.")
    assert spaced.hash24 == plain.hash24
    assert len(plain.hash24) == 24


def test_a19_two_turns_have_two_hashes() -> None:
    one, other = judge("I prefer dark mode in every editor."), judge("I prefer dark mode in the editor.")
    assert one.hash24 != other.hash24
    assert judge(normalise("I prefer  dark mode\n in every editor.")).hash24 == one.hash24


def test_a19b_hashes_are_those_of_the_contract() -> None:
    assert judge("I prefer dark mode in every editor.").hash24 == "5cb11b7d8b240810e3b1d38f"
    assert judge(PEN).hash24 == "afe8d5f50ae01304bff815a5"


def test_what_is_kept_passes_again_under_the_same_name() -> None:
    for text in [*(text for text, _ in KEPT), *(row[1] for row in TABLE_A if row[2] is None)]:
        first = judge(text)
        assert judge(first.text) == first

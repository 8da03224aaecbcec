"""`gbrain turns` as a person sees it, and as a model does."""

from pathlib import Path

from commandline import Gbrain
from gbrain.ambient import bank


def test_a_person_sees_the_words_and_a_model_their_fence(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path)
    gbrain("init")
    folder = Path(bank.folder(str(gbrain.home)))
    folder.mkdir(parents=True)
    (folder / bank.name("s1", "0" * 24, None)).write_text("I moved to Porto.\nFor good.\n", encoding="utf-8")
    code, seen = gbrain.at_terminal("turns", "show", "0" * 12, env={"NO_COLOR": "1"})
    assert code == 0
    assert seen.endswith("  | I moved to Porto.\n  | For good.\n")
    assert "<" not in seen
    piped = gbrain("turns", "show", "0" * 12).out
    assert "I moved to Porto.\nFor good.\n</gbrain-context>" in piped
    assert gbrain("turns", "list").out.endswith("1 turn waits to be read\n")

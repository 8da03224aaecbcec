import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gbrain.domain.ranking.weights import CHOSEN
from gbrain.domain.ranking.words import digest, packed
from gbrain.models.kindred import DIMENSIONS, FILE, ROW, Read, met, shares
from gbrain.store.terms import index_terms

PACKAGE = Path(__file__).parents[3] / "packages" / "gbrain-minilm"


def block(text: str) -> bytes:
    return packed(index_terms(text).split(), "", asks=False)


def digests(*words: str) -> list[list[int]]:
    return [[digest(index_terms(word))] for word in words]


def likeness(word: str, text: str) -> float:
    found = met([block(text)], digests(word))
    assert found is not None
    return float(found[0, 0])


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("children", "the kids are asleep", "the lorry is asleep"),
        ("film", "we saw a movie", "we saw a bridge"),
        ("dog", "her puppy barks", "her ladder creaks"),
        ("doctor", "the physician was kind", "the carpet was kind"),
    ],
)
def test_a_word_of_like_meaning_meets_more_of_a_word_than_another(word: str, near: str, far: str) -> None:
    assert 1 > likeness(word, near) > 0.45
    assert likeness(word, near) > likeness(word, far) + 0.15


def test_the_word_itself_meets_all_of_it_in_any_form_and_spelling() -> None:
    assert likeness("running", "she runs by the sea") == 1
    assert likeness("Qwxzlom", "the Qwxzlom crate") == 1
    assert likeness("Qwxzlom", "the crate by the sea") == 0
    found = met([block("the colour grey")], [[digest("nosuchstem"), digest(index_terms("grey"))]])
    assert found is not None
    assert found[0, 0] == 1


def test_passages_without_words_and_questions_without_any() -> None:
    found = met([block(""), block("the kids"), block("")], digests("children"))
    assert found is not None
    assert found[:, 0].tolist()[0::2] == [0, 0]
    assert met([], digests("children")) is None
    assert shares([(1, 0, block("kids"))], [], []) == []


def test_neighbours_meet_a_part_and_only_those_of_the_page() -> None:
    asked, worth = digests("harbour", "crane"), [0.75, 0.25]
    passages: list[Read] = [
        (2, 7, block("nothing")),
        (1, 0, block("the harbour")),
        (1, 2, block("a crane")),
        (1, 1, block("quiet")),
        (2, 0, block("the harbour")),
    ]
    alone = [shares([passage], asked, worth)[0] for passage in passages]
    together = shares(passages, asked, worth)
    # Two of one page that do not stand beside each other, and pages of their own, change nothing.
    assert (together[0], together[4]) == (pytest.approx(alone[0]), pytest.approx(alone[4]))
    assert together[3] == pytest.approx(0.75 * CHOSEN.kin_before + 0.25 * CHOSEN.kin_after, abs=0.02)
    assert together[2] == pytest.approx(0.75 * CHOSEN.kin_two_before + 0.25, abs=0.02)
    assert together[1] == pytest.approx(0.75 + 0.25 * CHOSEN.kin_two_after, abs=0.02)


def test_the_table_holds_the_stems_of_every_word_of_the_tokeniser_in_order() -> None:
    spec = importlib.util.spec_from_file_location("make_words", PACKAGE / "make_words.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    table = np.load(PACKAGE / "src" / "gbrain_minilm" / FILE, allow_pickle=False)
    assert table.dtype == ROW
    assert table["vector"].shape[1] == DIMENSIONS
    assert (np.diff(table["digest"].astype(np.int64)) > 0).all()
    stems = {digest(index_terms(word)) for word in make.words()}
    assert set(table["digest"].tolist()) == stems


def test_without_the_package_nothing_is_said() -> None:
    code = (
        "import sys; sys.modules['gbrain_minilm'] = None\n"
        "from gbrain.models.kindred import shares\n"
        "print(shares([(1, 0, bytes(9))], [[1]], [1.0]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"

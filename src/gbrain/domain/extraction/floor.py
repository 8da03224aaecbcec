"""What is kept of a turn without a model: the sentences by which somebody asked to remember, as they stand."""

from gbrain.domain.extraction.answer import LONGEST
from gbrain.domain.signals import write_signals
from gbrain.domain.text import collapse, raw_terms, sentences

VERSION = "verbatim-1"
_CUES = frozenset(
    """
    please can could would will you your remember note save store record log memorize keep mind in this that it for me
    my make take a an of the to down memory don t do not forget ever following fact write jot add put into and also just
    记住 住 请记 记下 下来 来 帮我 我记 记一 一下 下 这个 个 请 别忘 忘 了 忘了
    """.split()  # noqa: SIM905
)


def asked_to_keep(own: str) -> list[str]:
    """The sentences of a person's own words that ask to remember, each once and at most 500 characters long.

    A request that holds nothing to remember ("please remember this:") takes the sentence after it along, or before it
    where none follows.
    """
    told = [collapse(sentence) for sentence in sentences(own)]
    kept: dict[str, None] = {}
    for place, sentence in enumerate(told):
        if not any(signal.name == "request" for signal in write_signals(sentence)):
            continue
        if not _bare(sentence):
            kept[sentence] = None
        elif place + 1 < len(told):
            kept[told[place + 1]] = None
        elif place:
            kept[told[place - 1]] = None
    return [text if len(text) <= LONGEST else text[: LONGEST - 3] + "..." for text in kept]


def _bare(sentence: str) -> bool:
    return sum(term not in _CUES for term in raw_terms(sentence)) < 2

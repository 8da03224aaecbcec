"""What is kept of a turn without a model: what somebody asked to remember, in their words, without the request."""

import re

from gbrain.domain.extraction.answer import LONGEST
from gbrain.domain.signals import write_signals
from gbrain.domain.text import collapse, raw_terms, sentences

VERSION = "verbatim-2"
_CUES = frozenset(
    """
    please can could would will you your remember note save store record log memorize keep mind in this that it for me
    my make take a an of the to down memory don t do not forget ever following fact write jot add put into and also just
    记住 住 请记 记下 下来 来 帮我 我记 记一 一下 下 这个 个 请 别忘 忘 了 忘了
    """.split()  # noqa: SIM905
)
_REQUEST = re.compile(
    r"""(?:(?:hey|hi|ok|okay|oh|so|and|also|now|well|claude|codex|gemini)\b[,!]?\s*)*
    (?:(?:please|kindly|just|also|always|(?:can|could|would|will)\ you|i(?:\ want|\ need|'d\ like)\ you\ to
      |make\ sure\ (?:to|you)|be\ sure\ to|let's)\b,?\s+)*
    (?:remember|note|memori[sz]e|save|store|record|(?:keep|bear)\ in\ mind
      |(?:jot|write|put)(?:\ (?:it|this|that))?\ down|(?:make|take)\ a\ note
      |(?:don't|do\ not|never)\ (?:ever\ )?forget)\b
    (?:\s+(?:this|down|it|of\ this|for\ (?:me|later|the\ future)|(?:in|to)\ (?:your\ )?memory
      |the\ following|the\ fact))*
    (?:\s*[:,\u2013\u2014-]\s*(?:that\s+)?|\s+that\s+|\s+)
    |(?:请|麻烦|帮我|你)*(?:记住|记得|记下来?|记一下|别忘了?|不要忘记)(?:一下|了|这个|这点|这件事)*[\s：:，,]*""",
    re.I | re.X,
)
_AFTERTHOUGHT = re.compile(
    r"[,;，]?\s*(?:and\s+)?please\s+(?:remember|note|save|keep)\s+(?:this|that|it)\s*[.!]*$", re.I
)
_SELF = re.compile(r"(?:i|i['’](?:m|ve|d|ll)|my)\b|我(?!们)", re.I)


def asked_to_keep(own: str) -> list[str]:
    """What a person's own words ask to remember, each once and at most 500 characters long.

    The words of the request itself ("please remember that") are left out, except where they say what to do ("remember
    to call Ana"). A request that holds nothing to remember ("please remember this:") takes the sentence after it along,
    or before it where none follows.
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
    claims = dict.fromkeys(_claim(sentence) for sentence in kept)
    return [text if len(text) <= LONGEST else text[: LONGEST - 3] + "..." for text in claims]


def about_self(claim: str) -> bool:
    """Whether a claim begins by speaking of whoever says it."""
    return _SELF.match(claim) is not None


def _claim(sentence: str) -> str:
    said = sentence.replace("’", "'")
    head = _REQUEST.match(said)
    begin = head.end() if head and not said[head.end() :].lower().startswith("to ") else 0
    tail = _AFTERTHOUGHT.search(said, begin)
    claim = sentence[begin : tail.start() if tail else None].strip()
    if begin:
        claim = claim.rstrip("?？ ")
    return sentence if not claim or _bare(claim) else claim


def _bare(sentence: str) -> bool:
    return sum(term not in _CUES for term in raw_terms(sentence)) < 2

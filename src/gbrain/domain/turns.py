"""Which turns are worth keeping for extraction: a filter without a model, and the name of what passes.

The rules and their order are those of the contract of ambient writeback, section 11 and the decisions at its head. What
others said (quoted lines, fenced code, indented output) is taken out; only a person's own words are judged and kept.
"""

import re
import unicodedata
from collections import namedtuple

from gbrain.digests import sha256
from gbrain.domain.fences import unfenced
from gbrain.domain.packs import MARKER
from gbrain.domain.turn_words import CHAT_ONLY, SPACED, UNSPACED

MIN_CHARS, MIN_CHARS_CJK, MAX_CHARS = 20, 6, 8000
MOST_ACK_WORDS = 6
REASONS = (
    *("empty", "too_short", "bulk_paste", "ack_or_greeting", "slash_command", "question_only", "quoted_or_tool_output"),
    *("chat_only", "user_skip"),
)
"""Why a turn is left alone; the vocabulary only grows."""

# Not typing's NamedTuple: a capture hook runs after every turn, and loading typing costs it 4 ms.
Verdict = namedtuple("Verdict", "reason text hash24")
Verdict.__doc__ = """What became of a turn: `reason` is one of REASONS, or None where `text` (normalised)
is to be kept under the name `hash24`."""

_ENDING = frozenset(".!?,;:~…。！？，、；：～·")
_CLOSING = "\"'”’」』）)]}*_"


def judge(text: object, ours: "frozenset[str]" = frozenset()) -> Verdict:
    """The verdict on one turn of a person. Anything but a text counts as empty.

    `ours` holds the fingerprints of lines that gbrain put into the session.
    """
    whole = clean(text, ours) if isinstance(text, str) else ""
    stripped = whole.strip(_WHITE)
    if not stripped:
        skipped = isinstance(text, str) and "<private>" in text.lower()
        return _left("user_skip" if skipped else "empty")
    if len(stripped) > MAX_CHARS:
        return _left("bulk_paste")
    own = own_words(whole)
    reason = _unwanted(own) or _unworthy(stripped, own)
    if reason is not None:
        return _left(reason)
    kept = normalise(own)
    return Verdict(None, kept, hash24(kept))


def normalise(text: str) -> str:
    """NFC, every run of white space (byte order marks included) as one space, trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).replace("\ufeff", " ").split())


def hash24(normalised: str) -> str:
    """The first 24 hex digits of SHA-256 over the UTF-8 of a normalised text."""
    return sha256(normalised.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def clean(text: str, ours: "frozenset[str]" = frozenset()) -> str:
    """The text without pastes, injected context and `<private>` parts."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "<pasted_content" in text:
        text = _unpasted(text)
    if MARKER in text:
        text = _without_packs(text)
    text = unfenced(text, ours)
    if "<private" in text.lower():
        text = re.sub(r"(?is)<private\b[^>]*>.*?(?:</private>|\Z)", "\n", text)
    return text


def own_words(text: str) -> str:
    """A turn without fenced code, quoted lines, and runs of three or more lines indented by four or more."""
    kept: list[str] = []
    indented: list[str] = []
    fence = ""
    for line in text.split("\n"):
        bare = line.strip(_WHITE)
        if fence:
            fence = "" if bare.startswith(fence) else fence
            continue
        if bare.startswith(("```", "~~~")) and "```" not in bare[3:]:
            fence = bare[:3]
            continue
        if bare and len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(_WHITE)) >= 4:
            indented.append(line)
            continue
        if indented and not bare:
            continue
        kept += indented if len(indented) < 3 else []
        indented = []
        if not bare.startswith(">"):
            kept.append(line)
    kept += indented if len(indented) < 3 else []
    return re.sub(r"(?s)```.*?```", " ", "\n".join(kept)).strip(_WHITE)


def _left(reason: str) -> Verdict:
    return Verdict(reason, "", "")


def _unwanted(own: str) -> "str | None":
    """Whether the person asked that the turn be left alone."""
    low = own.lower()
    if "#skip" in low and re.search(r"(?:^|\s)#skip\b", low):
        return "user_skip"
    for cues, pattern in CHAT_ONLY:
        if any(cue in low for cue in cues) and re.search(pattern, low):
            return "chat_only"
    return None


def _unworthy(whole: str, own: str) -> "str | None":
    if len(whole) < _floor(whole):
        return "too_short"
    if _acknowledges(whole):
        return "ack_or_greeting"
    if whole.startswith("/"):
        return "slash_command"
    if own and _asks(own):
        return "question_only"
    return "quoted_or_tool_output" if len(own) < _floor(own) else None


def _floor(text: str) -> int:
    """The shortest length that is judged further: lower where most letters are Chinese, Japanese or Korean."""
    if text.isascii():
        return MIN_CHARS
    letters = [char for char in text if char.isalnum()]
    return MIN_CHARS_CJK if sum(map(_is_cjk, letters)) * 2 > len(letters) else MIN_CHARS


def _is_cjk(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uac00" <= char <= "\ud7af"


def _is_emoji(char: str) -> bool:
    return "\U0001f300" <= char <= "\U0001faff" or "\u2600" <= char <= "\u27bf" or char in "\ufe0f\u200d"


def _acknowledges(text: str) -> bool:
    """Whether a text is nothing but acknowledgements and greetings, at most six words of them."""
    if len(text) > 200:
        return False
    plain = "".join(char for char in text.lower() if not _is_emoji(char))
    words = "".join(" " if char in _ENDING else char for char in plain).split()
    if not words or len(words) > MOST_ACK_WORDS:
        return False
    at = 0
    while at < len(words):
        long = next((n for n in range(min(4, len(words) - at), 0, -1) if " ".join(words[at : at + n]) in SPACED), 0)
        if not long and not _made_of(words[at]):
            return False
        at += long or 1
    return True


def _made_of(word: str) -> bool:
    """Whether a word of a script without spaces is a sequence of known phrases."""
    reached = {0}
    for start in range(len(word)):
        if start in reached:
            reached |= {end for end in range(start + 1, min(len(word), start + 20) + 1) if word[start:end] in UNSPACED}
    return len(word) in reached


def _asks(text: str) -> bool:
    pieces = re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", text)
    said = ["".join(char for char in piece if not _is_emoji(char)).strip().rstrip(_CLOSING) for piece in pieces]
    said = [piece for piece in said if piece]
    return bool(said) and all(piece.endswith(("?", "？")) for piece in said)


def _unpasted(text: str) -> str:
    text = re.sub(r"(?s)<pasted_content[ \t>][^\n]{0,256}?>?.*?</pasted_content(?:[ \t][^>\n]{0,256})?>", " ", text)
    return re.sub(r"(?s)<pasted_content id=\"[^\"\n]{1,200}\">.*\Z", " ", text)


def _without_packs(text: str) -> str:
    """A pack is headings and bullets after its marker; the first other line is the person's again."""
    return re.sub(re.escape(MARKER) + r"[^\n]*(?:\n[ \t]*(?=\n|\Z)|\n## [^\n]*|\n- [^\n]*|\n  [^\n]*)*", "\n", text)


_WHITE = " \t\n\r\x0b\x0c\u00a0\u3000\ufeff\u2028\u2029"

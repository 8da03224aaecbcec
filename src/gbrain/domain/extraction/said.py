"""A turn made ready for a model: what we put there is taken out, what others said is marked, the rest is data.

Text that came from a brain must not go back into it as something the person said, and a quoted page or mail may hold
claims, or instructions, of somebody else.
"""

import re
from functools import cache
from typing import NamedTuple

from gbrain.domain.packs import MARKER

MOST = 8_000
"""How many characters of a turn a model is given."""
QUOTED, QUOTE_END = "[quoted from elsewhere: ", "]"
NEUTRAL = "[…]"


class Said(NamedTuple):
    """A turn taken apart. `marked` is what a model is given; `own` are the person's own words alone, `quoted` what
    they quoted; `cut` says that the text was longer than what is read."""

    marked: str
    own: str
    quoted: str
    cut: bool

    @property
    def empty(self) -> bool:
        """Whether nothing of the person's own is left."""
        return not any(char.isalnum() for char in self.own)


def said(text: str) -> Said:
    """A turn without injected context and without what stands in `<private>`, its quotations marked."""
    plain = without_injected(text)
    cut = len(plain) > MOST
    plain = plain[:MOST]
    own, marked, quoted = list[str](), list[str](), list[str]()
    end = 0
    for found in _pattern("quoted").finditer(plain):
        between = plain[end : found.start()]
        own.append(between)
        marked.append(between)
        words = _unquoted(found[0])
        if words:
            quoted.append(words)
            marked.append(f"\n{QUOTED}{words.replace('[', '(').replace(']', ')')}{QUOTE_END}\n")
        end = found.end()
    own.append(plain[end:])
    marked.append(plain[end:])
    return Said(as_data("".join(marked)).strip(), "".join(own).strip(), "\n".join(quoted), cut)


def without_injected(text: str) -> str:
    """The text without what gbrain or a harness put beside the person's words, and without `<private>` parts."""
    text = text.replace("\r\n", "\n").replace("\ufeff", "")
    for name in ("pack", "tagged"):
        text = _pattern(name).sub("\n", text)
    return text.strip()


def as_data(text: str) -> str:
    """The text with phrases that speak to a model, and tags that would end the fence around it, made harmless."""
    return _pattern("tags").sub(lambda found: found[0].replace("<", "‹").replace(">", "›"), _neutral(text))


def _neutral(text: str) -> str:
    return _pattern("orders").sub(NEUTRAL, text)


def _unquoted(text: str) -> str:
    lines = [re.sub(r"^ {0,3}(?:> ?)+", "", line) for line in text.split("\n")]
    lines = [line for line in lines if not re.match(r" {0,3}(```|~~~)", line)]
    return "\n".join(lines).strip()


_TAGS = (
    "system-reminder|task-notification|command-message|command-name|command-args|local-command-stdout|user-prompt"
    r"-submit-hook|environment_context|user_instructions|private|gbrain[\w-]*"
)
_PATTERNS = {
    # A pack is headings and bullets after its marker; the first other line is the person's again.
    "pack": re.escape(MARKER) + r"[^\n]*(?:\n[ \t]*(?=\n|\Z)|\n## [^\n]*|\n- [^\n]*|\n  [^\n]*)*",
    "tagged": rf"(?is)<({_TAGS})\b[^>]*>.*?(?:</\1>|\Z)",
    "quoted": (
        r"(?m)(?:^ {0,3}>[^\n]*(?:\n|\Z))+"
        r"|^ {0,3}(?P<fence>```|~~~)[^\n]*\n(?s:.*?)(?:^ {0,3}(?P=fence)[^\n]*|\Z)"
        r"|^(?:On [^\n]{5,80} wrote|-{2,} ?(?:Original|Forwarded) [Mm]essage[^\n]*|Begin forwarded message):?"
        r"(?s:.*)\Z"
        r"|^(?:From|Von|De|发件人): [^\n]+\n(?:Sent|Date|To|Subject|日期|收件人)[^\n]*\n(?s:.*)\Z"
        r"|(?<=: )[\"“][^\"”\n]{20,}[\"”]|(?<=：)[“「][^”」\n]{8,}[”」]"
    ),
    "tags": r"(?i)</?\s*(?:turn|evidence|question|data|page|fact|system|instructions?)\b[^>\n]{0,80}>",
    "orders": (
        r"(?i)\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?"
        r"(?:previous|prior|above|earlier|preceding|system)\s+(?:instructions?|prompts?|messages?|rules?)"
        r"|\byou\s+are\s+now\s+(?:a|an|in)\s+\w+\s+(?:mode|assistant|model)"
        r"|(?m:^\s*(?:system|assistant|developer)\s*:)"
        r"|\bnew\s+(?:system\s+)?instructions?\s*:"
        r"|<\|[a-z_]{2,20}\|>|\[/?INST\]"
        r"|忽略(?:以上|之前|前面|上述)(?:的)?(?:所有|全部)?(?:指令|提示|要求|内容)"
    ),
}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])

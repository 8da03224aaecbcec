"""Links whose type is written out: below `## See also` or `## Sources` (the same in Chinese), and in relation lines."""

import re
from collections.abc import Sequence
from functools import cache

from gbrain.domain.references import Reference, Span


class Sections:
    """The sections of one text that give links a type."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._spans: list[tuple[int, int, str]] = []
        for found in _heading().finditer(text, start):
            following = re.compile(rf"^#{{1,{len(found['level'])}}}[ \t]", re.M).search(text, found.end())
            end = following.start() if following is not None else len(text)
            self._spans.append((found.end(), end, "source" if found["source"] else "related_to"))

    def types(self, block: Span, references: Sequence[Reference]) -> list[str | None]:
        """For each reference of a block the type that the heading above gives it: those that open a line or item."""
        given = next((type for start, end, type in self._spans if start <= block.start < end), None)
        found: list[str | None] = []
        at = block.start
        for reference in references:
            if re.search(r"\w", _MARK.sub("", self._text[at : reference.start])):
                given = None
            found.append(given)
            at = reference.end
        return found


def declared(text: str, reference: Reference) -> str | None:
    """The type that a line of the form `- relation_type [[Target]]` gives its first link; None for another line.

    The form is that of basic-memory, and a type there only on its pages: elsewhere such a line is a sentence.
    """
    line = text.rfind("\n", 0, reference.start) + 1
    found = _RELATION.fullmatch(text[line : reference.start]) if reference.form == "wiki" else None
    if found is None:
        return None
    type = re.sub(r"[\s-]+", "_", found[1].strip().lower())
    return "related_to" if type == "relates_to" else type


_RELATION = re.compile(r"[ \t]*[-*+][ \t]+([A-Za-z][\w -]{0,38}\w)[ \t]+")
_MARK = re.compile(r"^[ \t]*[0-9]{1,9}[.)][ \t]")


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(
        r"^(?P<level>#{1,6})[ \t]+"
        r"(?:(?P<source>sources?|references|citations|来源|资料来源|信息来源|出处|参考资料|参考文献)"
        r"|see also|related|related pages|further reading|参见|另见|参阅|相关|相关页面|延伸阅读)"
        r"[ \t]*[:：]?[ \t]*#*[ \t]*\r?$",
        re.I | re.M,
    )

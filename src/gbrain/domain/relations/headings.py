"""Links whose type is written out: below `## See also` or `## Sources` (the same in Chinese), and in relation lines."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from gbrain.domain.references import Reference, Span, blocks


class _Heading(NamedTuple):
    """A heading: its place, how deep it is, and the type it gives to links; None when it gives none."""

    start: int
    end: int
    level: int
    type: str | None


class _Section(NamedTuple):
    start: int
    end: int
    type: str


_BOLD = 7
"""The level of a line that is all bold, below those of real headings."""


class Sections:
    """The sections of one text that give links a type."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._sections: list[_Section] = []
        headings = list(_headings(text, start)) if _words().search(text, start) else []
        for at, heading in enumerate(headings):
            if heading.type is not None:
                following = (other.start for other in headings[at + 1 :] if other.level <= heading.level)
                self._sections.append(_Section(heading.end, next(following, len(text)), heading.type))

    def holds(self, reference: Reference) -> bool:
        """Whether a reference stands in such a section."""
        return self._section(reference) is not None

    def types(self, block: Span, references: Sequence[Reference]) -> list[str | None]:
        """For each reference of a block the type that the heading above gives it: those that open a line or item."""
        found: list[str | None] = []
        at, opens = block.start, True
        for reference in references:
            section = self._section(reference)
            if section is not None and section.start > at:
                at, opens = section.start, True
            opens = opens and not re.search(r"\w", _MARK.sub("", self._text[at : reference.start]))
            found.append(section.type if section is not None and opens else None)
            at = reference.end
        return found

    def _section(self, reference: Reference) -> _Section | None:
        return next((one for one in self._sections if one.start <= reference.start < one.end), None)


def _headings(text: str, start: int) -> Iterator[_Heading]:
    """The headings of a text that are no code: marked by `#`, underlined, or a line that is all bold."""
    for block in blocks(text, start):
        for found in _line().finditer(text, block.start, block.end):
            named = _words().fullmatch(found[0].rstrip("\r"))
            type = None if named is None else "source" if named["source"] else "related_to"
            if found["marks"] or found["under"]:
                level = len(found["marks"]) if found["marks"] else 1 if found["under"][0] == "=" else 2
                yield _Heading(found.start(), found.end(), level, type)
            elif found["bold"]:
                yield _Heading(found.start(), found.end(), _BOLD, type)


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
def _line() -> re.Pattern[str]:
    return re.compile(
        r"^ {0,3}(?:(?P<marks>#{1,6})[ \t][^\r\n]*"
        r"|(?![-*+>|][ \t])[^\r\n]*\S[^\r\n]*\r?\n {0,3}(?P<under>=+|-{2,})[ \t]*"
        r"|(?P<bold>\*\*[^*\r\n]+\*\*[ \t]*[:：]?|__[^_\r\n]+__[ \t]*[:：]?)[ \t]*)\r?$",
        re.M,
    )


@cache
def _words() -> re.Pattern[str]:
    """A heading of one of the words, in each of its three forms."""
    return re.compile(
        r"^ {0,3}(?:#{1,6}[ \t]+)?(?:\*\*|__)?"
        r"(?:(?P<source>sources?|references|citations|来源|资料来源|信息来源|出处|参考资料|参考文献)"
        r"|see also|related|related pages|further reading|参见|另见|参阅|相关|相关页面|延伸阅读)"
        r"[ \t]*[:：]?[ \t]*(?:\*\*|__)?[ \t]*[:：]?[ \t]*#*[ \t]*\r?(?:\n {0,3}(?:=+|-{2,})[ \t]*)?\r?$",
        re.I | re.M,
    )

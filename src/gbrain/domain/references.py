"""References in a page's text: which words lead to which page, with exact offsets, and never from code.

The forms are those of the contract: `[[dir/x]]` with name, heading, ending or source; embeds of pages; Markdown links
to paths of pages; and bare paths in prose. Fenced, indented and inline code (diagrams included), images, escapes,
comments (`<!-- -->`, `%% %%`), formulas (`$$ $$`), addresses and the facts fence hold none. Linear in the length of the
text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from gbrain.domain.slugs import DIRECTORIES, alias_key, normalise_slug, path_slug, slugify
from gbrain.errors import InvalidParams

Form = Literal["wiki", "markdown", "bare"]
LONGEST = 500
"""The most characters of a target; what is longer is text in brackets."""

ATTACHMENTS = frozenset(
    """
    png jpg jpeg gif svg webp bmp ico avif heic tif tiff pdf mp3 mp4 m4a mov avi mkv webm wav ogg flac csv tsv xls xlsx
    doc docx ppt pptx odt ods zip gz tar json yaml yml toml xml html htm txt css js ts py sh canvas excalidraw base
    """.split()  # noqa: SIM905
)
"""Endings of files that are no pages."""


class Reference(NamedTuple):
    """One reference: `text[start:end]` is the whole form, `target` what it leads to as it is written."""

    start: int
    end: int
    form: Form
    target: str
    label: str
    """The words shown in its place; empty when it has none of its own."""


class Aim(NamedTuple):
    """What a reference asks for, in the keys that pages are looked up by.

    A path has `slug` (and `near`, the same path read from the page's own folder); a bare name has `name`, its alias
    key, and as `slug` the end of a slug (as `near` that of a file of this name, if it is another). `source` is the
    source it names.
    """

    source: str | None
    slug: str
    near: str
    name: str
    listed: bool
    """Whether it was meant as a reference for certain; a bare `and/or` is one only where such a page exists."""


class Span(NamedTuple):
    """A run of prose within one block: a paragraph, an item, a heading, a table row."""

    start: int
    end: int


def scan(text: str, start: int = 0) -> list[Reference]:
    """Every reference of the text from `start` on, in order; offsets count from the beginning of the text."""
    return [reference for _, found in by_block(text, start) for reference in found]


def by_block(text: str, start: int = 0) -> Iterator[tuple[Span, list[Reference]]]:
    """The blocks that hold references, each with those it holds."""
    # Most texts have neither, and looking for a sign costs nothing beside reading blocks.
    if text.find("[", start) < 0 and text.find("/", start) < 0:
        return
    for block in blocks(text, start):
        if found := in_block(text, block):
            yield block, found


def in_block(text: str, block: Span) -> list[Reference]:
    """The references of one block."""
    if text.find("[", *block) < 0 and text.find("/", *block) < 0:
        return []
    return list(_of_block(text, block))


def blocks(text: str, start: int = 0) -> Iterator[Span]:
    """The blocks of the text that are prose: no code, no comment, no facts fence. A comment parts a block."""
    lines = _Lines(text, start)
    opened: int | None = None
    end = start
    for piece in lines:
        if piece is None or piece.begins:
            if opened is not None:
                yield Span(opened, end)
            opened = None
        if piece is not None:
            opened = piece.start if opened is None else opened
            end = piece.end
    if opened is not None:
        yield Span(opened, end)


def aim(reference: Reference, page: str) -> Aim | None:
    """What a reference on the page of slug `page` asks for; None when it can be no page."""
    return aim_of(reference.target, reference.form, page)


def aim_of(target: str, form: Form, page: str) -> Aim | None:
    """As `aim`, from the target as it is written."""
    text = target.strip()
    source = None
    if form == "wiki" and (prefixed := _pattern("source").match(text)):
        source, text = prefixed[1], text[prefixed.end() :].strip()
    if form == "markdown":
        text = _unquoted(text)
    relative = text.startswith(("./", "../"))
    ended = text.casefold().endswith((".md", ".mdx"))
    if not text or text[0] == "/" or (not ended and text.rpartition(".")[2].casefold() in ATTACHMENTS):
        return None
    folder = page.rpartition("/")[0] if source is None else ""
    if relative or (form == "markdown" and "/" not in text):
        path = _joined(folder, text)
        slug = _slug(path) if path else None
        return Aim(source, slug, "", "", True) if slug else None
    if "/" in text:
        slug = _slug(text)
        if slug is None:
            return None
        near = _slug(f"{folder}/{text}") or "" if form == "markdown" and folder else ""
        listed = form != "bare" or slug.partition("/")[0] in DIRECTORIES
        return Aim(source, slug, near, "", listed)
    name = re.sub(r"\.mdx?$", "", text, flags=re.IGNORECASE)
    key, made, filed = alias_key(name), slugify(name) or "", _slug_of_file(name)
    return Aim(source, made or filed, filed if filed != made else "", key, True) if key else None


def named(text: str) -> Aim | None:
    """What a name or slug that stands for itself asks for, such as the value of a front matter key."""
    wiki = _pattern("wiki").fullmatch(text.strip())
    return aim_of(_target(wiki[1])[0] if wiki else text, "wiki", "")


class _Piece(NamedTuple):
    """One line's prose, or a part of it; `begins` says that it begins a block."""

    start: int
    end: int
    begins: bool


class _Lines:
    """Goes through a text by lines and leaves out what is no prose; None parts two blocks."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._after_blank = True
        self._after_heading = False
        self._indents: list[int] = []
        self._never_closed: set[str] = set()

    def __iter__(self) -> Iterator[_Piece | None]:
        text, length = self._text, len(self._text)
        while self._at < length:
            line = _pattern("line").match(text, self._at)
            assert line is not None
            start, content_end, end = line.start(), line.end(1), line.end()
            if start == content_end or not line[1].strip():
                self._after_blank, self._after_heading, self._at = True, False, end
                yield None
                continue
            skipped = self._skipped(start, content_end, end)
            if skipped is not None:
                self._at = skipped
                yield None
                continue
            begins = self._after_heading or _pattern("block").match(text, start, content_end) is not None
            self._after_heading = _pattern("heading").match(text, start, content_end) is not None
            self._after_blank, self._at = False, end
            yield from self._without_comments(start, content_end, begins)

    def _skipped(self, start: int, content_end: int, end: int) -> int | None:
        """Where the code or fence that begins with this line ends, None when none does."""
        text = self._text
        marks = _pattern("marks").match(text, start, content_end)
        assert marks is not None
        lead, item = marks[1], marks[2]
        indent = len(lead.expandtabs(4))
        base = self._base(indent, bool(item))
        if self._after_blank and indent >= base + 4:
            # Blank lines before it leave the state as it is, so an indented block goes on behind them.
            return end
        if item:
            self._indents.append(indent + len(item.expandtabs(4)))
        fence = _pattern("fence").match(text, marks.end(), content_end)
        if fence is not None:
            self._after_blank = True
            return self._fence_end(fence[1], end)
        if _pattern("facts").match(text, marks.end(), content_end):
            return self._facts_end(end)
        return None

    def _base(self, indent: int, item: bool) -> int:
        """The indent that content has here: of the innermost list item this line belongs to."""
        while self._indents and indent < self._indents[-1]:
            if not item and not self._after_blank:
                break  # a lazy line of the item's paragraph
            self._indents.pop()
        return self._indents[-1] if self._indents else 0

    def _fence_end(self, marks: str, after: int) -> int:
        """The end of a code block; one that is never closed goes on to the timeline's marker, or to the end."""
        key = marks[0] * 3 if len(marks) == 3 else marks
        if key not in self._never_closed:
            closing = re.compile(rf"^[ \t>]*{marks[0]}{{{len(marks)},}}[ \t]*\r?$\n?", re.MULTILINE)
            found = closing.search(self._text, after)
            if found is not None:
                return found.end()
            # Remembered, or a page of unclosed fences would be searched to its end at each of them.
            self._never_closed.add(key)
        marker = _pattern("timeline").search(self._text, after)
        return marker.start() if marker is not None else len(self._text)

    def _facts_end(self, after: int) -> int:
        closing = _pattern("facts_end").search(self._text, after)
        if closing is not None:
            return closing.end()
        rows = _pattern("rows").match(self._text, after)
        return rows.end() if rows is not None else after

    def _without_comments(self, start: int, content_end: int, begins: bool) -> Iterator[_Piece | None]:
        text, at, seek = self._text, start, start
        while (opened := text.find("<!--", seek, content_end)) >= 0:
            seek = opened + 4
            if text.count("`", at, opened) % 2 or "-->" in self._never_closed:
                continue
            closed = text.find("-->", seek)
            if closed < 0:
                self._never_closed.add("-->")
                continue
            if opened > at:
                yield _Piece(at, opened, begins)
            yield None
            at = seek = closed + 3
            begins = False
            if at >= content_end:
                self._at = max(self._at, at)
                return
        if at < content_end:
            yield _Piece(at, content_end, begins)


def _of_block(text: str, block: Span) -> Iterator[Reference]:
    at, end = block
    token = _pattern("token")
    code: CodeRuns | None = None
    while (found := token.search(text, at, end)) is not None:
        start = found.start()
        mark = found.lastgroup
        at = found.end()
        if mark == "code":
            code = code or CodeRuns(text, block)
            at = code.behind(start, at)
        elif mark == "wiki":
            wiki = _pattern("wiki").match(text, start, end)
            if wiki is None:
                at = start + 1
                continue
            at = wiki.end()
            made = _wiki(wiki)
            if made is not None:
                yield made
        elif mark == "image":
            image = _pattern("link").match(text, start + 1, end)
            at = image.end() if image is not None else start + 1
        elif mark == "link":
            link = _pattern("link").match(text, start, end)
            if link is None:
                at = start + 1
                continue
            # An address in the text of a link is the link's own.
            at = link.end()
            made = _link(link)
            if made is not None:
                yield made
        elif mark == "bare":
            path = found["bare"].rstrip("._-")
            if not _pattern("glued").match(text, found.start() + len(path), len(text)) and "/" in path:
                yield Reference(start, start + len(path), "bare", path, "")


class CodeRuns:
    """The runs of backticks of a block, and which of them close one another."""

    def __init__(self, text: str, block: Span) -> None:
        self._runs: dict[int, list[int]] = {}
        for run in re.compile("`+").finditer(text, block.start, block.end):
            self._runs.setdefault(run.end() - run.start(), []).append(run.start())

    def behind(self, start: int, end: int) -> int:
        """Where the code that this run opens ends; behind the run itself when nothing closes it."""
        width = end - start
        same = self._runs.get(width, [])
        position = bisect_right(same, start)
        return same[position] + width if position < len(same) else end


def _wiki(found: re.Match[str]) -> Reference | None:
    target, label = _target(found[1])
    bare = target.split(":", 1)[-1].strip()
    if not bare or "://" in target or len(target) > LONGEST:
        return None
    if bare.rpartition(".")[2].casefold() in ATTACHMENTS and "." in bare:
        return None
    return Reference(found.start(), found.end(), "wiki", target, label)


def _target(inside: str) -> tuple[str, str]:
    """The target and the name of what stands between the brackets; a table row escapes the bar."""
    target, _, label = inside.replace("\\|", "|").partition("|")
    return re.split(r"[#^]", target, maxsplit=1)[0].strip(), label.strip()


def _link(found: re.Match[str]) -> Reference | None:
    label, target = found[1], found[2]
    if target[:1] == "<":
        target = target[1:-1]
    path, hash, _ = target.partition("#")
    ended = path.casefold().endswith((".md", ".mdx"))
    if not path or len(path) > LONGEST or path[0] in "/?" or _pattern("scheme").match(path):
        return None
    if not ended and ("/" not in path or hash or "?" in path):
        return None
    return Reference(found.start(), found.end(), "markdown", path, " ".join(label.split()))


def _unquoted(text: str) -> str:
    """Percent codes as the characters they stand for."""
    if "%" not in text:
        return text
    return re.sub(
        "(?:%[0-9A-Fa-f]{2})+",
        lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"),
        text,
    )


def _joined(folder: str, path: str) -> str | None:
    """A relative path from a folder; None when it leads outside."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _slug_of_file(name: str) -> str:
    """The slug of a file of this name, whose dots and underscores stay; empty for one that makes none."""
    try:
        return path_slug(name)
    except InvalidParams:
        return ""


def _slug(path: str) -> str | None:
    try:
        return normalise_slug(path)
    except InvalidParams:
        return None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    path = r"[a-z][a-z0-9_-]*+(?:/(?:[a-z0-9][a-z0-9._-]*+|[^\W_\x00-\x7f]++))++"
    return re.compile(
        {
            "line": r"([^\r\n]*+)(?:\r\n|\n|\r|\Z)",
            "marks": r"([ \t>]*+)((?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?",
            "block": r"[ \t>]*(?:[-*+][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}[ \t]|\|)",
            # A heading, or the line under one.
            "heading": r" {0,3}(?:#{1,6}[ \t]|(?:=+|-{2,})[ \t]*\Z)",
            "fence": r"(`{3,}(?![^\n]*`)|~{3,})",
            "facts": r"<!--+\s*gbrain:facts:begin\s*--+>",
            "facts_end": r"<!--+\s*gbrain:facts:end\s*--+>",
            "rows": r"(?:[ \t]*(?:\|[^\n]*)?\n)*",
            "timeline": r"^[ \t]*<!--\s*timeline\s*-->",
            "token": (
                r"\\!?\[\[?[^\[\]\r\n]{0,500}\]{1,2}(?:\([^()\r\n]{0,500}\))?"
                r"|\\.|%%(?:[^%\r\n]|%(?!%))*+%%|\$\$(?:[^$]|\$(?!\$))*+\$\$|(?P<code>`+)|(?P<wiki>!?\[\[)|(?P<image>!\[)|(?P<link>\[)"
                r"|(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|www\.)[^\s<>\[\]]++"
                r"|</?[A-Za-z][^<>]{0,1000}>"
                rf"|(?<![A-Za-z0-9_/.:@~#\\%&=?+$-])(?P<bare>{path})"
            ),
            # What follows makes it a part of something longer.
            "glued": r"[._-]*(?:[A-Za-z0-9/@\\(]|://)",
            "wiki": rf"!?\[\[([^\[\]\r\n]{{1,{2 * LONGEST}}})\]\]",
            "link": (
                r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*+\])*+)\]"
                r"\([ \t]*(<[^<>\r\n]*+>|(?:[^\s()<>\\]|\\.|\([^\s()]*+\))*+)"
                r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?\s*+\)"
            ),
            "scheme": r"[A-Za-z][A-Za-z0-9+.-]*:",
            "source": r"([a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?):(?=[^/:])",
        }[name],
        re.MULTILINE if name == "timeline" else 0,
    )

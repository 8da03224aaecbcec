"""Pages: found, read as they render, with their versions, timeline, links and facts."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gbrain.entry.web.frame import Frame, number, slug_path
from gbrain.entry.web.showing import Form, Shown
from gbrain.errors import BrainError
from gbrain.ops.entity import UNWRITTEN

LONGEST = 200_000
"""Characters of a page that are rendered; the rest is read with `gbrain get`."""
ROWS = 100
_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|([^\[\]\n]{1,200}))?\]\]")


def routes(frame: Frame, shown: Shown) -> list[BaseRoute]:
    """The list of pages, one page, its versions."""

    def listed(request: Request) -> Response:
        query, offset = request.query_params.get("q", ""), number(request.query_params.get("offset"))
        kind = request.query_params.get("type", "")
        if query:
            found = frame.ask(request, "search", query=query, limit=50, source_id="__all__")
        else:
            found = frame.ask(request, "list_pages", limit=ROWS, offset=offset, type=kind, source_id="__all__")
        types = frame.ask(request, "get_stats", source_id="__all__")["pages_by_type"]
        more = offset + ROWS if not query and len(found) == ROWS else None
        return frame.page(request, "pages.html", pages=found, q=query, kind=kind, types=types, more=more)

    def one(request: Request) -> Response:
        slug, source = _named(request)
        page = frame.ask(request, "get_page", slug=slug, source_id=source, include_deleted=True)
        source = page["source_id"]
        about = {
            name: frame.ask(request, operation, slug=page["slug"], source_id=source)
            for name, operation in (
                ("timeline", "get_timeline"), ("links", "get_links"), ("backlinks", "get_backlinks"),
                ("unresolved", "list_unresolved_links"), ("versions", "get_versions"),
            )
        }  # fmt: skip
        facts = frame.ask(request, "list_facts", entity=f"{source}:{page['slug']}", limit=50)
        text = untitled(uncommented(page["compiled_truth"]), page["title"])
        return frame.page(
            request, "page.html", page=page, facts=facts["facts"], cut=len(text) > LONGEST,
            rendered=rendered(text[:LONGEST], source), evidence=rendered(page["timeline"][:LONGEST], source), **about,
        )  # fmt: skip

    def absent(request: Request) -> Response:
        try:
            return one(request)
        except BrainError as error:
            slug, source = _named(request)
            facts = frame.ask(request, "list_facts", entity=slug, source_id=source or "__all__", limit=50, state="all")[
                "facts"
            ]
            if error.code != "not_found" or not facts:
                raise
            told = frame.ask(request, "entity", name=slug)
            named = told["card"]["entity"] if told["found"] and told["card"]["entity"]["type"] != UNWRITTEN else None
            return frame.page(request, "unwritten.html", slug=slug, facts=facts, named=named)

    return [
        Route("/pages", shown.page(listed)),
        *_versions(frame, shown),
        Route("/pages/{source}/{slug:path}", shown.page(absent)),
    ]


def _versions(frame: Frame, shown: Shown) -> list[BaseRoute]:
    def versions(request: Request) -> Response:
        slug, source = _named(request)
        first, second = (number(request.query_params.get(name)) or None for name in ("from", "to"))
        told = frame.ask(request, "diff_versions", slug=slug, source_id=source, from_version=first, to_version=second)
        versions = frame.ask(request, "get_versions", slug=slug, source_id=source)
        return frame.page(
            request, "versions.html", told=told, versions=versions, lines=diff(told["diff"]), source=source
        )

    def revert(request: Request, form: Form) -> Response:
        slug, source = _named(request)
        frame.ask(request, "revert_version", slug=slug, source_id=source, version_id=number(form.get("version")))
        return RedirectResponse(slug_path(slug, source or ""), 303)

    return [
        Route("/versions/{source}/{slug:path}", shown.page(versions)),
        Route("/versions/{source}/{slug:path}", shown.move(revert), methods=["POST"]),
    ]


def uncommented(text: str) -> str:
    """A text without its HTML comments; one that does not end is no comment. In one pass, however many begin."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join((*parts, text[at:]))


def untitled(text: str, title: str) -> str:
    """A text without a first heading that is the title, which stands above it already."""
    head, _, rest = text.lstrip().partition("\n")
    return rest if head.startswith("# ") and head[2:].strip() == title else text


def rendered(text: str, source: str) -> Markup:
    """Markdown as HTML: no HTML of its own, no scheme that runs anything, wiki links to the viewer's pages."""
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").enable("strikethrough")
    markdown.disable("image")
    linked = _LINK.sub(lambda found: _wiki(found, source), text)
    return Markup(f'<div class="prose" dir="auto">{markdown.render(linked)}</div>')


def _wiki(found: re.Match[str], source: str) -> str:
    name = (found[2] or found[1]).replace("\\", "").replace("[", "").replace("]", "")
    return f"[{name}](<{slug_path(found[1].strip(), source)}>)"


def diff(unified: str) -> list[tuple[str, str]]:
    """The lines of a unified diff with the element that marks each: ins, del or span."""
    marks = {"+": "ins", "-": "del"}
    return [(marks.get(line[:1], "span"), line) for line in unified.split("\n")[2:]]


def _named(request: Request) -> tuple[str, str | None]:
    source = request.path_params["source"]
    return request.path_params["slug"], None if source == "-" else source

"""What every page shares: the templates, how values are written, one way to ask and one way to fail."""

import os
import traceback
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from gbrain import __version__
from gbrain.brain import Brain
from gbrain.domain.times import store_time
from gbrain.entry.cli.screen import harmless
from gbrain.entry.web import drawing
from gbrain.entry.web.doors import FORM_TOKEN
from gbrain.errors import BrainError, Internal

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = (
    ("/", "Today"),
    ("/facts", "Facts"),
    ("/pages", "Pages"),
    ("/graph", "Graph"),
    ("/search", "Search"),
    ("/ambient", "Ambient"),
    ("/spend", "Spend"),
    ("/doctor", "Health"),
    ("/access", "Access"),
)


class Frame:
    """Asks the brain as the person who was let in, and writes pages."""

    def __init__(self, brain: Brain) -> None:
        self.brain = brain
        loader = jinja2.FileSystemLoader(os.path.join(HERE, "templates"))
        self._templates = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.filters.update(
            {"minute": minute, "said": said, "counted": counted, "slug_path": slug_path, "size": size}
        )
        self._templates.globals.update({"places": PLACES, "version": __version__, "drawing": drawing})

    def ask(self, request: Request, name: str, /, **arguments: Any) -> Any:
        """The answer of an operation to the person who looks; arguments without a value are left out.

        Raises BrainError.
        """
        given = {key: value for key, value in arguments.items() if value not in (None, "")}
        return harmless(self.brain.ask(request.state.session.caller, name, given).value)

    def page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """A page, or for htmx the part of it that the template `template` holds."""
        session = request.state.session
        here = request.url.path
        shown = {
            "request": request,
            "here": here,
            "place": place_of(here),
            "form_token": session.form_token if session else "",
            "token_name": FORM_TOKEN,
            "partial": "hx-request" in request.headers,
            "query": dict(request.query_params),
        }
        return HTMLResponse(self._templates.get_template(template).render(**shown, **values), status)

    def failed(self, request: Request, error: BrainError) -> Response:
        """The page of an error: what is wrong, and the command that helps."""
        told = harmless({"message": error.message, "fix": error.suggestion})
        return self.page(request, "failed.html", status=error.http_status, error=told)

    def noted(self, request: Request, error: Exception) -> BrainError:
        """What is no fault of the caller's, as an error of our tree; the local log says where it happened."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        line = {"operation": f"web {place_of(request.url.path)}", "error": type(error).__name__}
        where = f"{os.path.basename(last.filename)}:{last.lineno}"
        self.brain.journal.append(
            "integrations/errors.jsonl", {"ts": store_time(self.brain.clock()), **line, "at": where}
        )
        return Internal(f"the page could not be made ({type(error).__name__})", "run: gbrain doctor")


def minute(wire: str | None) -> str:
    """A moment to the minute; nothing for none."""
    return f"{wire[:10]} {wire[11:16]}" if wire else ""


def said(text: object) -> Markup:
    """A person's text, kept apart from the text around it, whichever way it is written."""
    return Markup("<bdi>{}</bdi>").format(escape(str(text)))


def number(text: object) -> int:
    """The whole number of a field; 0 for what is none."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10 else 0


def place_of(path: str) -> str:
    """The entry of the menu under which a path stands."""
    head = "/" + path.split("/")[1]
    return {"/versions": "/pages"}.get(head, head)


def counted(number: int, noun: str) -> str:
    """A number with its noun, which takes an s except after 1."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def slug_path(slug: str, source: str = "") -> str:
    """Where a page is shown."""
    return f"/pages/{quote(source or '-', safe='')}/{quote(slug, safe='/')}"


def size(bytes: int | None) -> str:
    """A size as people read it."""
    if bytes is None:
        return ""
    return f"{bytes / 1e6:,.1f} MB" if bytes >= 1e5 else f"{bytes / 1e3:,.0f} kB"

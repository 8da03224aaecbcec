"""The pages a person sees while a program is let in: plain HTML, no script, nothing from elsewhere."""

import base64
import hashlib
from html import escape
from typing import NamedTuple

from starlette.responses import HTMLResponse

from gbrain.types import SURFACES

STYLE = """
:root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}
body{margin:0;padding:2rem 1rem}
main{max-width:34rem;margin:auto}
h1{font-size:1.4rem;line-height:1.3}
h2{font-size:1rem;margin:0}
fieldset{border:1px solid #8888;border-radius:.5rem;margin:1rem 0;padding:.6rem 1rem}
label{display:block;margin:.35rem 0}
input[type=text],select{font:inherit;padding:.4rem .5rem;width:100%;box-sizing:border-box}
input.code{font-family:ui-monospace,monospace;letter-spacing:.1em}
button{font:inherit;padding:.5rem 1.2rem;margin:.5rem .5rem 0 0;border-radius:.4rem;border:1px solid #8888}
code{font-family:ui-monospace,monospace;background:#8882;padding:.1rem .3rem;border-radius:.2rem}
.alarm{border-left:.3rem solid #c33;padding:.2rem 0 .2rem .8rem}
.place{overflow-wrap:anywhere}
small{opacity:.8}
"""

_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

DAYS = {"30": "30 days", "90": "90 days", "365": "a year", "": "until I revoke it"}
SCOPE_TEXTS = {
    "read": "Look things up",
    "write": "Save, correct and forget",
    "admin": "See counts and the state of the brain",
}
SURFACE_TEXTS = {"verbs": "the seven verbs", "starter": "the starter set", "full": "everything"}


class Choices(NamedTuple):
    """What the owner may choose from, and what stands chosen."""

    name: str
    asked: list[str]
    scopes: list[str]
    known: list[str]
    sources: list[str]
    every: bool = False
    surface: str = "full"
    days: str = "90"


class Applicant(NamedTuple):
    """The program that asks. `place` is where the browser goes back to."""

    name: str
    stranger: bool
    place: str


def proof_page(applicant: Applicant, request: str, *, alarm: str = "", status: int = 200) -> HTMLResponse:
    """The first page: who asks, and the owner's code. It tells nothing of the brain, since anyone may open it."""
    name = escape(applicant.name)
    body = f"""
<h1>“{name}” asks to use the memory of this gbrain</h1>
{_introduction(applicant)}
<p class="alarm">Go on only if you connected this program yourself, just now.</p>
{_alarm(alarm)}
<form method="post" action="/consent" autocomplete="off">
{_hidden(request=request, step="prove")}
<fieldset>
<h2>Show that this brain is yours</h2>
<p>On the machine that runs it, type <code>gbrain auth approve</code>, and enter the code it prints:</p>
<label for="code">Code</label>
<input class="code" type="text" id="code" name="code" maxlength="40" autocomplete="one-time-code" autofocus>
</fieldset>
<button name="decision" value="go">Continue</button>
<button name="decision" value="refuse">Refuse</button>
</form>"""
    return page(f"{applicant.name} asks for access", body, goes_to=applicant.place, status=status)


def choice_page(applicant: Applicant, request: str, proof: str, choices: Choices, *, alarm: str = "") -> HTMLResponse:
    """The second page, for the owner alone: what the program gets."""
    scopes = "".join(
        _box("scopes", scope, f"{text} <small>({scope})</small>", scope in choices.scopes)
        for scope, text in SCOPE_TEXTS.items()
        if scope in choices.asked
    )
    sources = "".join(
        _box("sources", source, escape(source), source in choices.sources) for source in choices.known
    ) + _box("every", "yes", "Every source, also those added later", choices.every)
    body = f"""
<h1>What may “{escape(applicant.name)}” do?</h1>
{_introduction(applicant)}
{_alarm(alarm)}
<form method="post" action="/consent" autocomplete="off">
{_hidden(request=request, step="grant", proof=proof)}
<fieldset><h2>It may</h2>{scopes}</fieldset>
<fieldset><h2>In these sources</h2>{sources}</fieldset>
<fieldset>
<label for="surface">With these tools</label>{_select("surface", _surfaces(), choices.surface)}
<label for="days">For</label>{_select("days", DAYS, choices.days)}
<label for="name">Its name in <code>gbrain auth list</code></label>
<input type="text" id="name" name="name" maxlength="80" value="{escape(choices.name)}">
</fieldset>
<p>It never sees facts and pages that are marked private.
You can take this back at any time: <code>gbrain auth revoke NAME</code>.</p>
<button name="decision" value="go">Allow</button>
<button name="decision" value="refuse">Refuse</button>
</form>"""
    return page(f"Access for {applicant.name}", body, goes_to=applicant.place, status=400 if alarm else 200)


def error_page(heading: str, text: str, status: int) -> HTMLResponse:
    """A page that ends the way: nothing can be done here."""
    return page(heading, f"<h1>{escape(heading)}</h1><p>{escape(text)}</p>", status=status)


def page(title: str, body: str, *, goes_to: str = "", status: int = 200) -> HTMLResponse:
    """A whole page. Its forms lead here, and by a redirect to `goes_to` alone."""
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>{body}</main></body></html>"
    )
    policy = (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self' {goes_to}".rstrip()
        + "; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        # With `no-referrer` browsers would send the forms with `Origin: null`, which no server can tell apart.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    return HTMLResponse(html, status, headers)


def _introduction(applicant: Applicant) -> str:
    who = (
        "It registered itself and chose that name; nobody has checked it."
        if applicant.stranger
        else "You registered it on the machine that runs this brain."
    )
    return f'<p>{who} Afterwards your browser goes to <code class="place">{escape(applicant.place)}</code>.</p>'


def _alarm(text: str) -> str:
    return f'<p class="alarm" role="alert">{escape(text)}</p>' if text else ""


def _hidden(**fields: str) -> str:
    return "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in fields.items())


def _box(name: str, value: str, label: str, checked: bool) -> str:
    mark = " checked" if checked else ""
    return f'<label><input type="checkbox" name="{name}" value="{escape(value)}"{mark}> {label}</label>'


def _select(name: str, options: dict[str, str], chosen: str) -> str:
    made = "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in options.items()
    )
    return f'<select id="{name}" name="{name}">{made}</select>'


def _surfaces() -> dict[str, str]:
    return {surface: SURFACE_TEXTS[surface] for surface in reversed(SURFACES)}

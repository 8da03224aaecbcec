"""The consent of the brain's owner, in two steps.

First the owner proves to be the owner, with a code that `gbrain auth approve` prints on the brain's own machine: the
page is open to anyone, and its visitor may sit anywhere. Then the owner chooses what the program gets. The forms need
no cookie against forgery: one carries a code, the other a proof that only the page before it held.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gbrain.domain import redirects
from gbrain.domain.codes import typed
from gbrain.domain.text import collapse
from gbrain.domain.times import store_time
from gbrain.entry.limits import Buckets
from gbrain.entry.oauth import page
from gbrain.entry.oauth.asked import Asked, read
from gbrain.entry.oauth.page import Applicant, Choices
from gbrain.entry.oauth.provider import ALL_SCOPES, CODE_KEPT, NAME_LENGTH
from gbrain.entry.oauth.site import Site, peer
from gbrain.types import SURFACES

PROOF = timedelta(minutes=10)
CODE = timedelta(minutes=1)
TRIES, TRY_SECONDS = 10, 60.0
"""Codes one address may type at once, and the time after which it may type one more."""

DEFAULT_SOURCE = "default"

_OVER = "This page is no longer valid. Connect the program again, and use the page that opens then."
_WRONG = "That code is not right, or no longer. Type `gbrain auth approve` for a new one."
_OFTEN = "Too many codes were tried. Wait a few minutes."


class Consent:
    """The endpoint `/consent`: the owner proves who they are, sees what an application asks for, and says yes or no."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._tries = Buckets(1 / TRY_SECONDS, TRIES)

    async def show(self, request: Request) -> Response:
        """GET: the first page."""
        text = request.query_params.get("request", "")
        found = await self._site.run(lambda: self._read(text))
        return _over() if found is None else page.proof_page(found[1], text)

    async def answer(self, request: Request) -> Response:
        """POST: what the owner entered."""
        if not _same_site(request):
            return page.error_page("Not from here", "The form was sent from another site.", 403)
        form = await request.form(max_files=0, max_fields=1000)
        text = _field(form, "request")
        found = await self._site.run(lambda: self._read(text))
        if found is None:
            return _over()
        asked, applicant = found
        base = self._site.base(request)
        if _field(form, "decision") != "go":
            return _back(asked, base, error="access_denied", error_description="the owner of the brain refused")
        if _field(form, "step") == "prove":
            if self._tries.take(peer(request)):
                return page.proof_page(applicant, text, alarm=_OFTEN, status=429)
            told = await self._site.run(lambda: self._proven(asked, applicant, text, typed(_field(form, "code"))))
            if told.status_code == 200:
                self._tries.give_back(peer(request))
            return told
        return await self._site.run(lambda: self._granted(asked, applicant, text, form, base))

    def _read(self, text: str) -> tuple[Asked, Applicant] | None:
        """The request behind a page and who made it; None when there is none, or no longer."""
        brain = self._site.brain
        asked = read(text, brain.store.oauth.key(), int(brain.clock().timestamp())) if text else None
        app = brain.store.oauth.app(asked.app_id) if asked is not None else None
        if asked is None or app is None:
            return None
        return asked, Applicant(app.name, app.dynamic, redirects.place(asked.redirect_uri))

    def _proven(self, asked: Asked, applicant: Applicant, text: str, code: str) -> Response:
        brain = self._site.brain
        now = brain.clock()
        proof = brain.store.oauth.prove(code, text, store_time(now), store_time(now + PROOF))
        if proof is None:
            return page.proof_page(applicant, text, alarm=_WRONG, status=403)
        known = brain.store.sources.ids()
        scopes = [scope for scope in asked.scopes if scope != "admin"]
        first = [DEFAULT_SOURCE] if DEFAULT_SOURCE in known else known[:1]
        choices = Choices(applicant.name[:NAME_LENGTH], asked.scopes, scopes, known, first)
        return page.choice_page(applicant, text, proof, choices)

    def _granted(self, asked: Asked, applicant: Applicant, text: str, form: FormData, base: str) -> Response:
        brain = self._site.brain
        proof, now = _field(form, "proof"), brain.clock()
        if not proof or not brain.store.oauth.proven(proof, text, store_time(now)):
            return _over()
        choices = _choices(form, asked, brain.store.sources.ids())
        missing = "scope" if not choices.scopes else "source" if not (choices.sources or choices.every) else ""
        if missing:
            alarm = f"Choose at least one {missing}, or refuse."
            return page.choice_page(applicant, text, proof, choices, alarm=alarm)
        # Spent before the code is made: a form that is sent twice gives one code.
        if not brain.store.oauth.spend_proof(proof, text, store_time(now)):
            return _over()
        until = store_time(now + timedelta(days=int(choices.days))) if choices.days else None
        details: dict[str, Any] = {
            "name": choices.name or applicant.name,
            "scopes": choices.scopes,
            "sources": None if choices.every else choices.sources,
            "surface": choices.surface,
            "until": until,
            "challenge": asked.challenge,
            "redirect_uri": asked.redirect_uri,
            "explicit": asked.explicit,
            "resource": asked.resource,
        }
        code = brain.store.oauth.add_code(asked.app_id, details, store_time(now + CODE), store_time(now - CODE_KEPT))
        brain.store.oauth.note_approved(asked.app_id, store_time(now))
        return _back(asked, base, code=code)


def with_query(uri: str, fields: dict[str, str]) -> str:
    """The URI with more fields in its query."""
    split = urlsplit(uri)
    query = urlencode([*parse_qsl(split.query, keep_blank_values=True), *fields.items()])
    return urlunsplit(split._replace(query=query))


def _back(asked: Asked, base: str, **fields: str) -> Response:
    """Send the browser back to the program, which learns from `iss` who sent it (RFC 9207)."""
    state = {"state": asked.state} if asked.state is not None else {}
    uri = with_query(asked.redirect_uri, {**fields, **state, "iss": base})
    # 303, so that the form itself is not sent on.
    return RedirectResponse(uri, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


def _over() -> Response:
    return page.error_page("This page is over", _OVER, 400)


def _choices(form: FormData, asked: Asked, known: list[str]) -> Choices:
    """What the form chooses, as far as it could be chosen."""
    scopes = [scope for scope in ALL_SCOPES if scope in form.getlist("scopes") and scope in asked.scopes]
    sources = [source for source in known if source in form.getlist("sources")]
    surface, days = _field(form, "surface"), _field(form, "days")
    return Choices(
        "".join(character for character in collapse(_field(form, "name")) if character.isprintable())[:NAME_LENGTH],
        asked.scopes,
        scopes,
        known,
        sources,
        _field(form, "every") == "yes",
        surface if surface in SURFACES else "full",
        days if days in page.DAYS else "90",
    )


def _field(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


def _same_site(request: Request) -> bool:
    """Whether a form may have come from a page of this server: browsers say so, other programs say nothing."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    here = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    return here and site in (None, "same-origin", "none")

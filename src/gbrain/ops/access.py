"""Operations on who may ask over the network. All of them are for the person at this machine."""

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from gbrain.domain.codes import BYTES, one_time_code, shown
from gbrain.domain.slugs import normalise_slug
from gbrain.domain.text import collapse
from gbrain.domain.times import parse_ttl, store_time, wire_time
from gbrain.errors import InvalidParams, NotFound
from gbrain.registry import Context, Param, operation
from gbrain.settings import nearest
from gbrain.types import Surface

if TYPE_CHECKING:
    from gbrain.store.clients import Client, Grant
    from gbrain.store.oauth import Application

SCOPES = ("read", "write", "admin", "steer")
DEFAULT_SCOPES = ("read", "write")
DEFAULT_SOURCE = "default"
NAME_LENGTH = 100
MOST_SLUGS = 200
REVOKED_KEPT = timedelta(days=90)
APPROVAL = timedelta(minutes=10)
NEVER = "never"

State = Literal["active", "expired", "revoked"]


class ClientRow(TypedDict):
    """A client and its grants. `sources` null is every source, also later ones; `slugs` null is any slug."""

    id: str
    name: str
    kind: str
    state: State
    scopes: list[str]
    sources: list[str] | None
    surface: Surface
    slugs: list[str] | None
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None


class CreateReply(ClientRow):
    """The new client, and its token: this once and never again."""

    token: str


class ApplicationRow(TypedDict):
    """An OAuth application. `self_registered` ones chose their names themselves."""

    client_id: str
    name: str
    redirect_uris: list[str]
    confidential: bool
    self_registered: bool
    created_at: str
    approved_at: str | None


class RegisterReply(ApplicationRow):
    """The new application; a confidential one gets its secret, this once and never again."""

    client_secret: str | None


class ListReply(TypedDict):
    """Everyone who may ask over the network, or might."""

    clients: list[ClientRow]
    applications: list[ApplicationRow]


class RevokeReply(TypedDict):
    """`revoked` is False when that was done before."""

    id: str
    name: str
    revoked: bool


class ApproveReply(TypedDict):
    """A code to type on the consent page, once, before it ends."""

    code: str
    expires_at: str


Name = Annotated[str | None, Param("The name of the client or application.", max_length=NAME_LENGTH)]
Id = Annotated[str | None, Param("Its id, as auth list shows it, in place of the name.", max_length=64)]
Scopes = Annotated[list[str] | None, Param("Any of read, write, admin and steer; read,write unless given.")]
SourceNames = Annotated[
    list[str] | None, Param(f"A source it may use; may be given again. {DEFAULT_SOURCE} unless given.")
]
AllSources = Annotated[bool, Param("Every source, also those added later.")]
Ceiling = Annotated[
    Literal["verbs", "starter", "full"] | None, Param("The most tools it is offered; full unless given.")
]
Slugs = Annotated[list[str] | None, Param("Only this page and the facts about it; may be given again.")]
Expires = Annotated[str | None, Param('When it ends: a span such as "90d", a date, or "never".')]


@operation(
    scope="admin",
    surface="full",
    title="Make a token",
    positional=("name",),
    cli=None,
    local_only=True,
    examples=(
        "gbrain auth create laptop",
        "gbrain auth create reader --scopes read --expires 90d",
        "gbrain auth create kiosk --slug projects/harbour",
        "gbrain auth create dana --scopes admin,steer --all-sources",
    ),
)
def auth_create(
    ctx: Context,
    name: Annotated[str, Param("What to call the client.", max_length=NAME_LENGTH)],
    scopes: Scopes = None,
    sources: SourceNames = None,
    all_sources: AllSources = False,
    surface: Ceiling = None,
    slugs: Slugs = None,
    expires: Expires = None,
) -> CreateReply:
    """Make a bearer token for a client that calls over HTTP. It is shown this once; only its hash is kept.

    Without options the token reads and writes the default source and does not end. No program sees private text by it.
    `admin` and `steer` together, with every source, open the viewer at `/` of the server: make such a token for a
    person, never for an agent.
    """
    from gbrain.store.clients import BY_TOKEN, TOKEN_PREFIX, Grant, mint  # nothing on the fast path needs it

    granted = Grant(
        _scopes(scopes) or DEFAULT_SCOPES,
        _sources(ctx, sources, all_sources) if sources or all_sources else (DEFAULT_SOURCE,),
        surface or "full",
        _slugs(slugs),
        _end(ctx, expires),
    )
    _hold_to_person(granted, BY_TOKEN)
    token = mint(TOKEN_PREFIX)
    with ctx.store.transaction():
        # Until then the list shows who was shut out, and when.
        ctx.store.clients.forget_revoked(store_time(ctx.now - REVOKED_KEPT))
        made = ctx.store.clients.add(_name(name), BY_TOKEN, granted, ctx.now_text, token=token)
    return {**_row(ctx, made), "token": token}


@operation(
    scope="admin",
    surface="full",
    title="List who may ask over the network",
    mutates=False,
    cli=None,
    local_only=True,
    examples=("gbrain auth list", "gbrain auth list --json"),
)
def auth_list(ctx: Context) -> ListReply:
    """List every client with its grants, state and last use, and the OAuth applications. Tokens are never shown."""
    return {
        "clients": [_row(ctx, client) for client in ctx.store.clients.all()],
        "applications": [_app_row(app) for app in ctx.store.oauth.apps()],
    }


@operation(
    scope="admin",
    surface="full",
    title="Shut a client out",
    positional=("name",),
    cli=None,
    local_only=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain auth revoke laptop",),
)
def auth_revoke(ctx: Context, name: Name = None, id: Id = None) -> RevokeReply:
    """Shut a client out from its next call on, or remove an OAuth application and every client it brought in."""
    client, app = _found(ctx, name, id)
    if client is not None:
        return {"id": client.id, "name": client.name, "revoked": ctx.store.clients.revoke(client.id, ctx.now_text)}
    assert app is not None
    return {"id": app.id, "name": app.name, "revoked": ctx.store.oauth.remove_app(app.id, ctx.now_text)}


@operation(
    scope="admin",
    surface="full",
    title="Change what a client may do",
    positional=("name",),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain auth rescope laptop --scopes read", "gbrain auth rescope laptop --any-slug --expires 30d"),
)
def auth_rescope(
    ctx: Context,
    name: Name = None,
    id: Id = None,
    scopes: Annotated[list[str] | None, Param("Exactly these of read, write, admin and steer from now on.")] = None,
    sources: Annotated[list[str] | None, Param("Exactly these sources; may be given again.")] = None,
    all_sources: AllSources = False,
    surface: Annotated[Literal["verbs", "starter", "full"] | None, Param("The most tools it is offered.")] = None,
    slugs: Annotated[list[str] | None, Param("Exactly these slugs; may be given again.")] = None,
    any_slug: Annotated[bool, Param("Bound to no slugs any more.")] = False,
    expires: Expires = None,
) -> ClientRow:
    """Change what a client may do, from its next call on; what is not given stays."""
    if slugs and any_slug:
        raise InvalidParams("slugs and any_slug exclude each other", "leave out one of --slug and --any-slug")
    with ctx.store.transaction():
        # Within the transaction, so that two changes at once do not undo each other.
        client, _ = _found(ctx, name, id)
        if client is None or client.revoked_at is not None:
            raise NotFound("that is no client that could be changed", "run: gbrain auth list")
        held = client.grant
        changed = held._replace(
            scopes=_scopes(scopes) or held.scopes,
            sources=_sources(ctx, sources, all_sources) if sources or all_sources else held.sources,
            surface=surface or held.surface,
            slugs=None if any_slug else _slugs(slugs) or held.slugs,
            expires_at=_end(ctx, expires) if expires else held.expires_at,
        )
        _hold_to_person(changed, client.kind)
        after = ctx.store.clients.rescope(client.id, changed)
    assert after is not None
    return _row(ctx, after)


@operation(
    scope="admin",
    surface="full",
    title="Register an OAuth application",
    positional=("name",),
    cli=None,
    local_only=True,
    examples=("gbrain auth register inspector --redirect-uri http://127.0.0.1:6274/oauth/callback",),
)
def auth_register(
    ctx: Context,
    name: Annotated[str, Param("What to call the application.", max_length=NAME_LENGTH)],
    redirect_uris: Annotated[
        list[str], Param("Where the browser goes back to; may be given again. On loopback any port fits.")
    ],
    confidential: Annotated[bool, Param("It can keep a secret, and has to show it.")] = False,
) -> RegisterReply:
    """Register an OAuth application by hand. It gets in when you let it in on the consent page."""
    # Nothing on the fast path needs these.
    from gbrain.domain.redirects import problem
    from gbrain.store.clients import mint

    if not redirect_uris:
        raise InvalidParams("an application needs a redirect URI", "run: gbrain auth register NAME --redirect-uri URI")
    for uri in redirect_uris:
        why = problem(uri)
        if why:
            raise InvalidParams(
                f"a redirect URI {why}", "pass https://..., or http://127.0.0.1/... for a program on this machine"
            )
    secret = mint("gbrain_cs_") if confidential else None
    app = ctx.store.oauth.add_app(
        _name(name),
        list(dict.fromkeys(redirect_uris)),
        ctx.now_text,
        secret=secret,
        auth_method="client_secret_post" if confidential else "none",
    )
    return {**_app_row(app), "client_secret": secret}


@operation(
    scope="admin",
    surface="full",
    title="Prove who owns the brain",
    cli=None,
    local_only=True,
    examples=("gbrain auth approve",),
)
def auth_approve(ctx: Context) -> ApproveReply:
    """Print a code for the consent page, which shows that the person there runs this brain.

    It works once, within ten minutes, and ends an earlier one that was not used. Type it only on a page that you
    opened yourself by connecting a program just now.
    """
    # The code proves that whoever consents in the browser also has this terminal: everybody may open the page.
    code = one_time_code(os.urandom(BYTES))
    until = store_time(ctx.now + APPROVAL)
    ctx.store.oauth.approve(code, until)
    return {"code": shown(code), "expires_at": wire_time(until) or ""}


def _found(ctx: Context, name: str | None, id: str | None) -> "tuple[Client | None, Application | None]":
    """The client or the application that a name or an id means; raises NotFound, or InvalidParams without either."""
    if (name is None) == (id is None):
        raise InvalidParams("give the name or the id, and not both", "run: gbrain auth list, which shows both")
    clients, oauth = ctx.store.clients, ctx.store.oauth
    client = clients.get(id) if id is not None else clients.named(collapse(name or ""))
    apps = [app for app in oauth.apps() if app.id == id or app.name == collapse(name or "")]
    # A name is free again once its client was shut out, so what lives bears it first.
    if client is None or (client.revoked_at is not None and apps):
        if len(apps) > 1:
            raise InvalidParams(
                f"{len(apps)} applications are called so", "name one by --id; gbrain auth list shows it"
            )
        if apps:
            return None, apps[0]
    if client is None:
        near = nearest(name[:64], [other.name for other in clients.all()]) if name else None
        hint = f"did you mean {near}? run: gbrain auth list" if near else "run: gbrain auth list"
        raise NotFound("there is no such client or application", hint)
    return client, None


def _name(text: str) -> str:
    name = collapse(text)
    if not name or not name.isprintable():
        raise InvalidParams("a client needs a name", "run: gbrain auth create laptop")
    return name


def _scopes(given: list[str] | None) -> tuple[str, ...]:
    asked = _parts(given)
    unknown = [scope for scope in asked if scope not in SCOPES]
    if unknown:
        raise InvalidParams(f"there is no scope {unknown[0][:64]!r}", f"use any of: {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in asked)


def _hold_to_person(grant: "Grant", kind: str) -> None:
    """Refuse `steer` to what does not stand for a person, who sees all of a brain."""
    from gbrain.store.clients import BY_CONSENT  # nothing on the fast path needs it

    if "steer" not in grant.scopes:
        return
    # Such a client is a program that asked through OAuth; a person's own token is typed in by hand.
    if kind == BY_CONSENT:
        raise InvalidParams(
            "steer is for people, and this is a program",
            "run: gbrain auth create NAME --scopes admin,steer --all-sources",
        )
    if grant.sources is not None or grant.slugs is not None:
        raise InvalidParams(
            "whoever has the scope steer sees all of the brain, so it goes with every source and any slug",
            "add --all-sources, and leave out --slug",
        )


def _sources(ctx: Context, given: list[str] | None, every: bool) -> tuple[str, ...] | None:
    if every:
        if given:
            raise InvalidParams("source and all-sources exclude each other", "leave out one of them")
        return None
    known = ctx.store.sources.ids()
    asked = [part.strip() for text in given or () for part in text.split(",")]
    for source in asked:
        if source not in known:
            raise InvalidParams(
                f"there is no source {source[:64]!r} in this brain",
                f"use one of: {', '.join(known[:20])}; or --all-sources",
            )
    return tuple(dict.fromkeys(asked))


def _slugs(given: list[str] | None) -> tuple[str, ...] | None:
    if not given:
        return None
    slugs = tuple(dict.fromkeys(normalise_slug(slug) for slug in given))
    if len(slugs) > MOST_SLUGS:
        raise InvalidParams(f"a client is bound to at most {MOST_SLUGS} slugs", "give it a source of its own instead")
    return slugs


def _end(ctx: Context, text: str | None) -> str | None:
    if text is None or text.strip().lower() == NEVER:
        return None
    try:
        end = parse_ttl(text, ctx.now)
    except InvalidParams as error:
        said = error.message.replace("ttl", "expires", 1)
        raise InvalidParams(said, 'pass expires as "90d", a date, or "never"', detail=error.detail) from None
    return store_time(end) if end is not None else None


def _parts(given: list[str] | None) -> list[str]:
    return [part for text in given or () for part in text.lower().replace(",", " ").split()]


def _row(ctx: Context, client: "Client") -> ClientRow:
    grant = client.grant
    state: State = "active" if client.live(ctx.now_text) else "expired" if client.revoked_at is None else "revoked"
    return {
        "id": client.id,
        "name": client.name,
        "kind": client.kind,
        "state": state,
        "scopes": list(grant.scopes),
        "sources": None if grant.sources is None else list(grant.sources),
        "surface": grant.surface,
        "slugs": None if grant.slugs is None else list(grant.slugs),
        "created_at": wire_time(client.created_at) or "",
        "expires_at": wire_time(grant.expires_at),
        "revoked_at": wire_time(client.revoked_at),
        "last_used_at": wire_time(client.last_used_at),
    }


def _app_row(app: "Application") -> ApplicationRow:
    return {
        "client_id": app.id,
        "name": app.name,
        "redirect_uris": list(app.redirect_uris),
        "confidential": app.secret_hash is not None,
        "self_registered": app.dynamic,
        "created_at": wire_time(app.created_at) or "",
        "approved_at": wire_time(app.approved_at),
    }

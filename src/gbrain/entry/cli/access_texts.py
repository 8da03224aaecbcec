"""What the operations on access answer, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]

_CLIENT_HEAD = ("client", "state", "scopes", "sources", "slugs", "surface", "expires", "last used", "id")
_APP_HEAD = ("application", "state", "goes back to", "client id")


def auth_create(value: Any, given: Given, paint: Paint) -> str:
    """The token, what it allows, and how to use it."""
    return "\n".join(
        [
            f"Token for {paint.name(value['name'])}, shown this once:",
            "",
            f"  {paint.bold(value['token'])}",
            "",
            *_grants(value),
            "",
            "A client sends it with every request, in the header `Authorization: Bearer TOKEN`.",
        ]
    )


def auth_list(value: Any, given: Given, paint: Paint) -> str:
    """A line for each client and each application."""
    clients, apps = value["clients"], value["applications"]
    if not clients and not apps:
        return "Nobody has access over HTTP. Make a token with: gbrain auth create NAME"
    parts = []
    if clients:
        parts.append(screen.table(_CLIENT_HEAD, [_client_cells(row) for row in clients], whole=True))
    if apps:
        parts.append(screen.table(_APP_HEAD, [_app_cells(row) for row in apps], whole=True))
    return "\n\n".join(parts)


def auth_revoke(value: Any, given: Given, paint: Paint) -> str:
    """Whether it was shut out now or before."""
    name = paint.name(value["name"])
    return f"Revoked: {name} is refused from now on" if value["revoked"] else f"{name} was revoked before"


def auth_rescope(value: Any, given: Given, paint: Paint) -> str:
    """What the client may do now."""
    return "\n".join([f"{paint.name(value['name'])} may do this from now on:", *_grants(value)])


def auth_register(value: Any, given: Given, paint: Paint) -> str:
    """What the application has to be told."""
    lines = [f"Registered {paint.name(value['name'])}:", f"  client id:     {value['client_id']}"]
    if value["client_secret"]:
        lines.append(f"  client secret: {value['client_secret']}   (shown this once)")
    lines += [f"  goes back to:  {uri}" for uri in value["redirect_uris"]]
    return "\n".join([*lines, "", "It gets in when you let it in on the consent page: gbrain auth approve"])


def auth_approve(value: Any, given: Given, paint: Paint) -> str:
    """The code, and where it belongs."""
    return "\n".join(
        [
            f"  {paint.bold(value['code'])}",
            "",
            f"Type it on the consent page before {value['expires_at'][11:16]} UTC. It works once.",
            "Only go on if you opened that page yourself, by connecting a program just now.",
        ]
    )


def _grants(value: Any) -> list[str]:
    lines = [f"  scopes:  {' '.join(value['scopes'])}", f"  sources: {_sources(value)}"]
    if value["slugs"] is not None:
        lines.append(f"  slugs:   {' '.join(value['slugs'])}")
    return [*lines, f"  surface: {value['surface']}", f"  expires: {_day(value['expires_at'], 'never')}"]


def _client_cells(row: Any) -> tuple[str, ...]:
    state = row["state"].upper() if row["state"] != "active" else row["state"]
    slugs = "any" if row["slugs"] is None else " ".join(row["slugs"])
    scopes, until = ",".join(row["scopes"]), _day(row["expires_at"], "never")
    used = row["last_used_at"][:16] + "Z" if row["last_used_at"] else "never"
    return (row["name"], state, scopes, _sources(row), slugs, row["surface"], until, used, row["id"])


def _app_cells(row: Any) -> tuple[str, ...]:
    state = "approved" if row["approved_at"] else "not approved"
    how = f"{state}, registered itself" if row["self_registered"] else state
    return (row["name"], how, " ".join(row["redirect_uris"]), row["client_id"])


def _sources(value: Any) -> str:
    return "all" if value["sources"] is None else " ".join(value["sources"])


def _day(moment: str | None, otherwise: str) -> str:
    return f"{moment[:16]}Z" if moment else otherwise

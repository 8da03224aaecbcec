"""Checks of a brain that a server keeps: does it answer, does it know this machine, is it of the same version."""

from datetime import UTC, datetime, timedelta
from typing import Any

from gbrain import __version__, home as homes
from gbrain.brain import renewal
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.eras import hello
from gbrain.errors import BrainError, InvalidToken

SOON = timedelta(days=7)
PATIENCE_SECONDS = 10.0
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@check("remote", "The server of the brain: reachable, and one of gbrain's", needs=("home",), engine="remote")
def remote(patient: Patient) -> Finding:
    """The server answers a handshake within ten seconds, over a connection nobody else can read."""
    # Sockets and TLS are loaded for a brain elsewhere alone.
    from gbrain.remote import Remote

    try:
        address = homes.address(patient.home)
    except BrainError as error:
        return Finding("fail", error.message, error.suggestion.rpartition(": ")[2])
    if address is None:
        return Finding(
            "fail", "this home does not say where its brain is", "gbrain init --remote URL --token-file FILE"
        )
    patient.remote = Remote(address.url, address.token, renewal(patient.chosen, address.url))
    try:
        patient.greeting = patient.remote.request("initialize", hello("gbrain", __version__), PATIENCE_SECONDS)
    except InvalidToken:
        # Who answers so is there, and what it holds against the token is the next check's to say.
        return Finding("ok", f"{address.url} answers")
    except BrainError as error:
        return Finding("fail", error.message)
    named = patient.greeting.get("serverInfo")
    if not isinstance(named, dict) or named.get("name") != "gbrain":
        return Finding("fail", f"{address.url} is no server of gbrain's", "gbrain init --remote URL --token-file FILE")
    scheme, _, rest = address.url.partition("://")
    if scheme == "http" and not rest.startswith(_LOOPBACK) and address.token is not None:
        message = f"{address.url} answers, without TLS: the token and all text can be read on the way"
        return Finding("warn", message, details=("Let a proxy with TLS stand in front: docs/how-to/serve-a-team.md",))
    return Finding("ok", f"{address.url} answers")


@check("remote.token", "What this machine may do at the server", needs=("remote",), engine="remote")
def token(patient: Patient) -> Finding:
    """The token holds, and for some time still."""
    if patient.remote is None:
        return Finding("skipped", "not run: it needs remote")
    try:
        said: Any = patient.remote.call("whoami", {}).value
    except BrainError as error:
        return Finding("fail", error.message, error.suggestion.rpartition(": ")[2])
    if not isinstance(said, dict):
        return Finding("fail", "the server does not say who this machine is")
    name = str(said.get("token_name") or said.get("client"))[:64]
    scopes = ", ".join(str(scope) for scope in said.get("scopes", ()))
    message = f"{name}, who may {scopes or 'nothing'}; writes go to the source {str(said.get('source'))[:64]}"
    ends = said.get("expires_at")
    if isinstance(ends, str) and _soon(ends):
        return Finding("warn", f"{message}; the token ends {ends}", details=("Ask the brain's owner for another.",))
    return Finding("ok", message)


@check("remote.version", "Both ends of one version", needs=("remote",), engine="remote")
def version(patient: Patient) -> Finding:
    """The server runs the same release, so that what one end knows the other does too."""
    named = (patient.greeting or {}).get("serverInfo")
    served = str(named.get("version"))[:64] if isinstance(named, dict) else None
    if served is None:
        return Finding("skipped", "not run: the server told no version")
    if served == __version__:
        return Finding("ok", f"both are gbrain {served}")
    message = f"the server is gbrain {served}, this is {__version__}: what only one of them knows is refused"
    return Finding("warn", message, "pip install --upgrade gbrain" if _older(__version__, served) else None)


def _older(own: str, other: str) -> bool:
    def parts(text: str) -> list[int]:
        return [int(word) for word in text.split(".") if word.isdecimal()]

    return parts(own) < parts(other)


def _soon(wire: str) -> bool:
    try:
        ends = datetime.fromisoformat(wire.replace("Z", "+00:00"))
    except ValueError:
        return False
    return ends - datetime.now(UTC) < SOON

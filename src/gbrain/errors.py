"""The whole error tree.

BrainError
├── InvalidParams          an argument, setting or file that does not fit
│   └── ProvenanceRequired a memory without an origin
├── UnknownTool            no such operation on this surface
├── NotFound               nothing there that this caller may see
├── ScopeDenied            the caller lacks a scope or a source grant
├── InvalidToken           a caller over the network has no identity, or none that holds
├── VersionConflict        the page moved on since it was read
├── Unavailable            the store, a model or another part cannot answer
└── Internal               a defect of ours

Each class carries its wire code, the exit code of the command line and the HTTP status. Every error
has a suggestion that tells what to do next.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class BrainError(Exception):
    """An error that leaves the process: what went wrong and what to do about it.

    `message` says what is wrong, `suggestion` names a real command or a corrected value, `detail` is
    machine-readable extra (JSON-able) or None.
    """

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, suggestion: str, *, detail: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.detail = detail

    def envelope(self, *, verb: bool = False) -> dict[str, Any]:
        """The error as every transport sends it; the seven verbs add their protocol version."""
        body: dict[str, Any] = {"error": self.code, "message": self.message, "suggestion": self.suggestion}
        if self.detail is not None:
            body["detail"] = self.detail
        if verb:
            body["protocol_version"] = 1
        return body


class InvalidParams(BrainError):
    """An argument is missing, of the wrong type or out of bounds."""

    code = "invalid_params"
    exit_code = 2
    http_status = 400


class ProvenanceRequired(InvalidParams):
    """A fact was offered without saying where it comes from."""

    code = "provenance_required"


class UnknownTool(BrainError):
    """No operation of this name on the caller's surface."""

    code = "unknown_tool"
    exit_code = 2
    http_status = 404


class NotFound(BrainError):
    """Nothing of this name that the caller may see."""

    code = "not_found"
    exit_code = 3
    http_status = 404


class ScopeDenied(BrainError):
    """The caller lacks the scope or the source grant."""

    code = "scope_denied"
    exit_code = 4
    http_status = 403


class InvalidToken(BrainError):
    """The token is missing, unknown, expired or revoked."""

    code = "invalid_token"
    exit_code = 4
    http_status = 401


class VersionConflict(BrainError):
    """The page has a newer version than the one this write was based on."""

    code = "version_conflict"
    exit_code = 5
    http_status = 409


class Unavailable(BrainError):
    """A part that is needed cannot answer now."""

    code = "unavailable"
    exit_code = 6
    http_status = 503


class Internal(BrainError):
    """A defect: the message never carries a caller's text."""

    code = "internal"


def revived(body: Mapping[str, Any]) -> BrainError:
    """The error that another process sent as an `envelope`, as one of this tree; an unknown code is kept as it is."""
    code, message, suggestion = (str(body.get(key) or "") for key in ("error", "message", "suggestion"))
    found = next((kind for kind in _below(BrainError) if "code" in vars(kind) and kind.code == code), BrainError)
    error = found(message or code, suggestion or "run: gbrain doctor", detail=body.get("detail"))
    if found is BrainError and code:
        error.code = code  # type: ignore[misc]
    return error


def _below(kind: type[BrainError]) -> list[type[BrainError]]:
    return [each for direct in kind.__subclasses__() for each in (direct, *_below(direct))]

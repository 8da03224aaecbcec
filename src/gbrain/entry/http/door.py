"""Who is let in, and as whom."""

from typing import TYPE_CHECKING, NamedTuple, cast

from gbrain.domain.times import store_time
from gbrain.entry import identity, mcp
from gbrain.types import SURFACES, Caller, Surface

if TYPE_CHECKING:
    from gbrain.brain import Brain

NO_IDENTITY = "remote"
"""The client of a caller without an identity, until it says its name."""


class Admitted(NamedTuple):
    """A caller, and whether it proved an identity."""

    caller: Caller
    known: bool


class Door:
    """Lets callers in by the token they bring, and those of this machine without one where the brain allows that.

    `surface` None follows the setting `mcp_surface`, which is read anew for every request. `near` says that only
    this machine can reach the server: otherwise every call needs an identity.
    """

    def __init__(self, brain: "Brain", surface: Surface | None, *, near: bool) -> None:
        self._brain = brain
        self._surface = surface
        self._near = near

    def admit(self, authorization: str | None, from_here: bool, resource: str) -> Admitted:
        """The caller of one request; raises Unauthorized, or Unavailable when the store cannot answer.

        `resource` is the URL that was asked. A token that is brought is always checked: one for another brain must
        not pass for none at all.
        """
        surface = self._surface or mcp.narrowed(cast(Surface, self._brain.settings.get("mcp_surface")))
        if authorization is None and self._near and from_here and not identity.required(self._brain):
            caller = Caller.http(NO_IDENTITY, frozenset({"read", "write"}), None, surface)
            return Admitted(caller, False)
        caller = identity.authenticate(self._brain, authorization, resource)
        return Admitted(caller._replace(surface=min(caller.surface, surface, key=SURFACES.index)), True)

    def is_useless(self) -> bool:
        """Whether nobody can come in: an identity is needed, and there is none, nor a way to one."""
        if self._near and not identity.required(self._brain):
            return False
        now, store = store_time(self._brain.clock()), self._brain.store
        if any(client.live(now) for client in store.clients.all()) or store.oauth.apps():
            return False
        return self._brain.settings.get("auth.registration") != "on"

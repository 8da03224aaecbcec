"""Giving texts their vectors, here and now."""

import os
import time
from typing import Annotated, TypedDict

from gbrain.errors import Unavailable
from gbrain.registry import Context, Param, operation

LEASE, LEASE_SECONDS = "embedding", 60.0
PATIENCE_SECONDS = 120.0
"""How long another process that embeds is waited for without any progress of it."""
_LOOK_SECONDS = 0.2


class EmbedReply(TypedDict):
    """How many texts got a vector, how many have one, and how many still await one."""

    embedded: int
    with_vector: int
    waiting: int
    model: str
    dimension: int


@operation(
    scope="admin",
    surface="full",
    title="Give texts their vectors",
    local_only=True,
    idempotent=True,
    examples=("gbrain embed", "gbrain embed --stale"),
)
def embed(
    ctx: Context,
    stale: Annotated[
        bool, Param("Also texts whose vectors are of another model, or of another reading of them: all anew.")
    ] = False,
) -> EmbedReply:
    """Give every text that awaits one a vector, for search by meaning.

    A running server does this by itself, for new texts. Broken off, it goes on where it stood.
    """
    vectors, holder = ctx.store.vectors, f"{os.getpid()}-{os.urandom(4).hex()}"
    space = ctx.meaning.begin(anew=stale)
    before, waiting = vectors.counts(space)
    seen, since = waiting, time.monotonic()
    try:
        while waiting:
            if ctx.store.leases.take(LEASE, holder, LEASE_SECONDS):
                since = time.monotonic()
                if not ctx.meaning.embed_some(space):
                    break
            elif time.monotonic() - since > PATIENCE_SECONDS:
                raise Unavailable(
                    "another process has been embedding for two minutes without any progress",
                    "end it, or wait for a minute, then run: gbrain embed",
                    detail={"reason": "busy"},
                )
            else:
                time.sleep(_LOOK_SECONDS)
            done, waiting = vectors.counts(space)
            if waiting != seen:
                seen, since = waiting, time.monotonic()
            ctx.progress("embedding", done, done + waiting)
    finally:
        ctx.store.leases.give_back(LEASE, holder)
    done, waiting = vectors.counts(space)
    return {
        "embedded": max(0, done - before),
        "with_vector": done,
        "waiting": waiting,
        "model": space.model,
        "dimension": space.dimension,
    }

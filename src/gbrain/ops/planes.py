"""Settings that two planes keep: the store, which decides, and the file that readers without a store go by.

The file is written first. Where the store then fails, the value in force is the old one, and the doctor shows that the
two differ. A mounted brain has no file: the one of this machine is the host's.
"""

from gbrain import mirror
from gbrain.errors import BrainError, Unavailable
from gbrain.mirror_writing import edit
from gbrain.mounts import HOST
from gbrain.registry import Context
from gbrain.settings import Setting

VISIBILITY = "facts.default_visibility"


def put(ctx: Context, setting: Setting, value: str) -> None:
    """Store a value that its setting allows. Raises Unavailable that says what was written and what was not."""
    if setting.key == mirror.MODE and value != setting.default:
        _caution(ctx)
    if setting.mirrored and ctx.chosen.name == HOST:
        _write(ctx, {setting.key: value})
    try:
        with ctx.store.transaction():
            ctx.store.config.set(setting.key, value)
            _agree(ctx, setting, value)
    except BrainError as error:
        raise _unchanged(ctx, setting, error, f"gbrain config set {setting.key} {value}") from None
    _stamp(ctx, setting)


def drop(ctx: Context, setting: Setting) -> None:
    """Remove a value from both planes. Raises Unavailable that says what was removed and what was not."""
    if setting.mirrored and ctx.chosen.name == HOST:
        _write(ctx, {setting.key: None})
    try:
        with ctx.store.transaction():
            ctx.store.config.unset(setting.key)
            _agree(ctx, setting, setting.default)
    except BrainError as error:
        raise _unchanged(ctx, setting, error, f"gbrain config unset {setting.key}") from None
    _stamp(ctx, setting)


def _write(ctx: Context, leaves: dict[str, str | None]) -> None:
    """Write leaves of the file, with the posture beside those of `memory`."""
    if any(key.startswith("memory.") and value is not None for key, value in leaves.items()):
        try:
            seen: str | None = posture(ctx.store.config.get(VISIBILITY))
        except BrainError:
            # What nobody could read must not be taken for leave to show it.
            seen = None if mirror.POSTURE in mirror.read(ctx.home).said else "private"
        if seen is not None:
            leaves = {**leaves, mirror.POSTURE: seen}
    edit(ctx.home, leaves)


def posture(stored: str | None) -> str:
    """The visibility that agents are told to save with: `private` for any text but blank, `unset` and `world`."""
    return "world" if (stored or "").strip().lower() in ("", "unset", "world") else "private"


def _caution(ctx: Context) -> None:
    """Say so where what one person tells their agent may be read by the agents of others."""
    # What reads a setting needs nothing of it.
    from gbrain.ops.audience import audience

    found = audience(ctx.store, ctx.home if ctx.chosen.name == HOST else None, ctx.now)
    if found.audience == "shared":
        ctx.warn(
            "shared_brain",
            f"this brain is shared ({found.reasons[-1]}): what its members tell their agents will be kept where other"
            " agents can read it; check: gbrain config get facts.default_visibility",
        )


def compare(ctx: Context, setting: Setting) -> None:
    """Say so where the file of the host says something else than the store, and how to bring them together."""
    if not setting.mirrored or ctx.chosen.name != HOST:
        return
    stored, said = ctx.store.config.get(setting.key), mirror.read(ctx.home).said.get(setting.key)
    if stored != said:
        again = f"config unset {setting.key}" if stored is None else f"config set {setting.key} {stored}"
        told = "nothing" if said is None else f"{said!r:.40}"
        ctx.warn("planes_differ", f"config.json says {told}, the brain decides; to bring them together: gbrain {again}")


def _agree(ctx: Context, setting: Setting, value: str) -> None:
    """Note whose word lets agents save unasked, in the transaction that makes it hold."""
    if setting.key == mirror.MODE:
        ctx.store.consents.note(value, ctx.caller.client, ctx.now_text)


def _stamp(ctx: Context, setting: Setting) -> None:
    """Keep the posture in the file up with the setting it is of, where the file has a word on memory at all."""
    if setting.key != VISIBILITY or ctx.chosen.name != HOST:
        return
    if not any(key.startswith("memory.") for key in mirror.read(ctx.home).said):
        return
    try:
        edit(ctx.home, {mirror.POSTURE: posture(ctx.store.config.get(VISIBILITY))})
    except BrainError as error:
        ctx.warn("mirror_stale", f"config.json still has the former visibility: {error.message}")


def _unchanged(ctx: Context, setting: Setting, error: BrainError, again: str) -> BrainError:
    if not setting.mirrored or ctx.chosen.name != HOST:
        return error
    return Unavailable(
        f"{mirror.path(ctx.home)} was written, the store was not ({error.message}); the value in force is UNCHANGED",
        f"try again: {again}",
        detail={"reason": "store_unwritten", "key": setting.key},
    )

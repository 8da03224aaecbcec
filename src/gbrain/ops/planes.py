"""Settings that two planes keep: the store, which decides, and the file that readers without a store go by.

The file is written first. Where the store then fails, the value in force is the old one, and the doctor shows that the
two differ. A mounted brain has no file: the one of this machine is the host's.
"""

from typing import Literal

from gbrain import mirror
from gbrain.errors import BrainError, Unavailable
from gbrain.mirror_writing import edit
from gbrain.mounts import HOST
from gbrain.registry import Context
from gbrain.settings import SETTINGS, Setting, find

Plane = Literal["db", "file"]
VISIBILITY = "facts.default_visibility"


def put(ctx: Context, setting: Setting, value: str) -> list[Plane]:
    """Store a value that its setting allows; the planes that have it now.

    Raises Unavailable that says what was written and what was not.
    """
    if setting.key == mirror.MODE:
        _caution(ctx) if value != setting.default else _mind_shadow(ctx)
    written: list[Plane] = []
    if _mirrored(ctx, setting):
        _write(ctx, {setting.key: value})
        written.append("file")
    try:
        with ctx.store.transaction():
            ctx.store.config.set(setting.key, value)
            _agree(ctx, setting.key, value)
    except Exception as error:
        raise _unchanged(ctx, written, setting.key, error, f"gbrain config set {setting.key} {value}") from None
    _stamp(ctx, setting.key)
    return [*written, "db"]


def drop(ctx: Context, setting: Setting) -> list[Plane]:
    """Remove a value from both planes; the planes that had it.

    Raises Unavailable that says what was removed and what was not.
    """
    removed: list[Plane] = []
    if _mirrored(ctx, setting) and edit(ctx.home, {setting.key: None}):
        removed.append("file")
    try:
        with ctx.store.transaction():
            if ctx.store.config.unset(setting.key):
                removed.append("db")
            _agree(ctx, setting.key, setting.default)
    except Exception as error:
        raise _unchanged(ctx, removed, setting.key, error, f"gbrain config unset {setting.key}") from None
    _stamp(ctx, setting.key)
    return removed


def said(ctx: Context, prefix: str) -> list[str]:
    """The keys with this prefix that the file of the host has a word on."""
    if ctx.chosen.name != HOST:
        return []
    held = mirror.read(ctx.home).said
    return [setting.key for setting in SETTINGS if setting.key.startswith(prefix) and setting.key in held]


def drop_all(ctx: Context, stored: list[str], mirrored: list[str], prefix: str) -> None:
    """Remove keys of the store and keys of the file, each plane at once. Raises Unavailable as `drop` does."""
    removed: list[Plane] = ["file"] if mirrored and edit(ctx.home, dict.fromkeys(mirrored)) else []
    try:
        with ctx.store.transaction():
            for key in stored:
                ctx.store.config.unset(key)
            if mirror.MODE in stored:
                _agree(ctx, mirror.MODE, find(mirror.MODE).default)
    except Exception as error:
        raise _unchanged(ctx, removed, f"{prefix}*", error, f"gbrain config unset --pattern {prefix}") from None
    if VISIBILITY in stored:
        _stamp(ctx, VISIBILITY)


def compare(ctx: Context, setting: Setting) -> str | None:
    """What the file of the host says; a warning where that differs, with how to bring the two together."""
    if not _mirrored(ctx, setting):
        return None
    stored, told = ctx.store.config.get(setting.key), mirror.read(ctx.home).said.get(setting.key)
    if differ(setting.key, stored, told):
        again = f"config unset {setting.key}" if stored is None else f"config set {setting.key} {stored}"
        word = "nothing" if told is None else f"{told!r:.40}"
        ctx.warn(
            "planes_differ",
            f"config.json says {word}, the brain decides ({ctx.settings.get(setting.key)});"
            f" to bring them together: gbrain {again}",
        )
    return told if isinstance(told, str) else None


def differ(key: str, stored: str | None, told: object) -> bool:
    """Whether the planes contradict each other; a declared audience counts also where only the file has it."""
    return stored != told and not (key == mirror.AUDIENCE and stored is None)


def posture(stored: str | None) -> str:
    """The visibility that agents are told to save with: `private` for any text but blank and `world`."""
    return "world" if (stored or "").strip().lower() in ("", "world") else "private"


def _mirrored(ctx: Context, setting: Setting) -> bool:
    return setting.mirrored and ctx.chosen.name == HOST


def _write(ctx: Context, leaves: dict[str, str | None]) -> None:
    """Write leaves of the file, with the posture beside those of `memory`."""
    if any(key.startswith("memory.") for key in leaves):
        try:
            seen: str | None = posture(ctx.store.config.get(VISIBILITY))
        except BrainError:
            # What nobody could read must not be taken for leave to show it.
            seen = None if mirror.POSTURE in mirror.read(ctx.home).said else "private"
        if seen is not None:
            leaves = {**leaves, mirror.POSTURE: seen}
    edit(ctx.home, leaves)


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


def _mind_shadow(ctx: Context) -> None:
    """Say so where off does not end that turns are looked at."""
    if ctx.store.config.get(mirror.SHADOW) == "on":
        ctx.warn(
            "shadow_on",
            "shadow mode goes on: it notes your turns for seven days and saves nothing; to end it too:"
            f" gbrain config set {mirror.SHADOW} off",
        )


def _agree(ctx: Context, key: str, value: str) -> None:
    """Note whose word lets agents save unasked, in the transaction that makes it hold."""
    if key == mirror.MODE:
        ctx.store.consents.note(value, ctx.caller.client, ctx.now_text)


def _stamp(ctx: Context, key: str) -> None:
    """Keep the posture in the file up with the setting it is of, where the file has a word on memory at all."""
    if key != VISIBILITY or ctx.chosen.name != HOST:
        return
    if not any(key.startswith("memory.") for key in mirror.read(ctx.home).said):
        return
    try:
        edit(ctx.home, {mirror.POSTURE: posture(ctx.store.config.get(VISIBILITY))})
    except BrainError as error:
        ctx.warn("mirror_stale", f"config.json still has the former visibility: {error.message}")


def _unchanged(ctx: Context, written: list[Plane], key: str, error: Exception, again: str) -> Exception:
    """What to raise when the store took no change: with the file ahead of it, whatever broke the change off."""
    if not written:
        return error
    why = error.message if isinstance(error, BrainError) else type(error).__name__
    return Unavailable(
        f"{mirror.path(ctx.home)} was written, the store was not ({why}); the value in force is UNCHANGED",
        f"try again: {again}",
        detail={"reason": "store_unwritten", "key": key},
    )

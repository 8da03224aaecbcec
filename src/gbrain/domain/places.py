"""Which sources a call is about: where it writes, and what it reads when it names none.

A process is told its source in one of several ways, of which the first that says something counts: `TIERS`, in order.
The first three are somebody's word and mean that one source. The others are only likely, so that reads which name no
source widen to the federated ones, and a write that could mean pages of two sources is refused.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gbrain.errors import InvalidParams, NotFound, ScopeDenied
from gbrain.view import Source

SEED = "default"
"""The source that every brain begins with."""

ALL_SOURCES = ("__all__", "*")
"""What stands for every source the caller may read."""

TIERS = ("flag", "env", "dotfile", "local_path", "brain_default", "sole_non_default", "seed_default")
EXPLICIT = ("argument", "flag", "env", "dotfile")
UNBOUND = ("local_path", "seed_default")
"""Tiers that a guarded server does not write by."""

_SHOWN = 20


class Selection(NamedTuple):
    """What a process was told about its source.

    `folder` is the absolute path it runs in, None where that says nothing. `guarded`: it writes only where its source
    was bound on purpose.
    """

    flag: str | None = None
    env: str | None = None
    dotfile: str | None = None
    dotfile_path: str | None = None
    folder: str | None = None
    guarded: bool = False


class Step(NamedTuple):
    """What one tier says: a source or None, and why."""

    tier: str
    source: str | None
    detail: str


class Extent(NamedTuple):
    """What one call is about: `reads`, the source of its writes first, and all it might have named (`granted`).

    `named`: a source was named, so nothing else can be meant. `place` says how the source of its writes was found.
    """

    reads: tuple[str, ...]
    granted: tuple[str, ...]
    place: Step
    named: bool

    @property
    def source(self) -> str:
        """Where the call writes; "" for nowhere."""
        return self.place.source if self.place.source and self.place.source not in ALL_SOURCES else ""


def steps(selection: Selection, sources: Sequence[Source]) -> Iterator[Step]:
    """What each tier says, in order. A source that is named and not there is None with its name as the detail."""
    known = {source.id: source for source in sources}
    for tier, given, how in (("flag", selection.flag, "--source"), ("env", selection.env, "GBRAIN_SOURCE")):
        yield Step(tier, given if given in known or given in ALL_SOURCES else None, f"{how} {given}" if given else "")
    dotted = selection.dotfile if selection.dotfile in known else None
    yield Step("dotfile", dotted, selection.dotfile_path or "")
    around = [source for source in sources if _within(selection.folder, source.local_path)]
    nearest = max(around, key=lambda source: len(source.local_path or ""), default=None)
    yield Step("local_path", nearest.id if nearest else None, (nearest.local_path or "") if nearest else "")
    yield from standing(sources)


def standing(sources: Sequence[Source]) -> Iterator[Step]:
    """What the brain itself says, wherever one stands."""
    chosen = next((source.id for source in sources if source.is_default), None)
    yield Step("brain_default", chosen, "gbrain sources default" if chosen else "")
    others = [source for source in sources if source.id != SEED]
    sole = others[0].id if len(others) == 1 and others[0].local_path else None
    yield Step("sole_non_default", sole, "the only source beside default, with a folder" if sole else "")
    yield Step("seed_default", SEED, "the source every brain begins with")


def unnamed(sources: Sequence[Source]) -> str:
    """The source that is meant where neither the process nor the call names one."""
    return next((step.source for step in standing(sources) if step.source), SEED)


def resolve(selection: Selection, sources: Sequence[Source]) -> Step:
    """The source of a process; raises InvalidParams when the command line or the environment names an unknown one."""
    for step in steps(selection, sources):
        if step.source is not None:
            return step
        if step.tier in ("flag", "env") and step.detail:
            listed = ", ".join(source.id for source in sources[:_SHOWN])
            how = "--source" if step.tier == "flag" else "GBRAIN_SOURCE"
            raise InvalidParams(
                f"there is no source {step.detail.partition(' ')[2][:64]!r} in this brain, which {how} names",
                f"use one of: {listed}; gbrain sources list shows them",
            )
    raise AssertionError("the seed is always there")


def extent(
    selection: Selection, sources: Sequence[Source], grant: tuple[str, ...] | None, asked: str | None, *, remote: bool
) -> Extent:
    """What a call of a caller with this grant (None: every source) is about; `asked` is the source it names itself.

    A caller with grants of its own reads all of them and writes to the source of the process if that is one of them,
    else to the first. Raises InvalidParams as `resolve` does; for a source that is not the caller's ScopeDenied, or
    NotFound on the command line, the same whether it exists or not.
    """
    known = [source.id for source in sources]
    granted = tuple(known) if grant is None else tuple(id for id in grant if id in known)
    if asked is not None and asked not in ALL_SOURCES:
        if asked not in granted:
            raise _refusal(asked, remote)
        return Extent((asked,), granted, Step("argument", asked, "source_id"), True)
    place = resolve(selection, sources) if grant is None else _granted(selection, sources, granted)
    if asked is not None or place.source in ALL_SOURCES:
        return Extent(_first(place.source, granted), granted, place, False)
    if place.tier in EXPLICIT:
        return Extent((place.source,) if place.source else (), granted, place, True)
    reads = granted if grant is not None else _widened(place.source, sources)
    return Extent(_first(place.source, reads), granted, place, False)


def _granted(selection: Selection, sources: Sequence[Source], granted: tuple[str, ...]) -> Step:
    own = next(step for step in steps(selection, sources) if step.source is not None)
    if own.source in granted or (own.source in ALL_SOURCES and granted):
        return own
    return Step("grant", granted[0] if granted else None, "the first source of the grant")


def _widened(home: str | None, sources: Sequence[Source]) -> tuple[str, ...]:
    held = next((source for source in sources if source.id == home), None)
    if held is None or held.federated is False:
        return (home,) if home else ()
    return (held.id, *(source.id for source in sources if source.federated and source.id != held.id))


def _first(home: str | None, reads: tuple[str, ...]) -> tuple[str, ...]:
    return (home, *(id for id in reads if id != home)) if home in reads and home else reads


def _within(folder: str | None, path: str | None) -> bool:
    return bool(folder and path) and f"{folder}/".startswith(f"{str(path).rstrip('/')}/")


def _refusal(asked: str, remote: bool) -> ScopeDenied | NotFound:
    message = f"source {asked[:64]!r} is not one you may use"
    if remote:
        return ScopeDenied(message, "call sources_list, or on the command line gbrain sources list, to see yours")
    return NotFound(message, "run: gbrain sources list")

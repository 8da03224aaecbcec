"""Which sources offers are taken from in the project of each source: a rule a source, in one setting.

`work=own; notes=federated; plans=plans,work`: offers in a project of `work` come from `work` alone, in one of `notes`
from it and all federated sources, in one of `plans` from those two. A source without a rule goes by what reads that
name no source take in.
"""

from collections.abc import Collection, Sequence

from gbrain.domain.source_ids import is_id
from gbrain.view import Source

ACROSS = "offers.across"
OWN, FEDERATED = "own", "federated"


def rules(said: str) -> dict[str, tuple[str, ...]] | None:
    """The rules that are written so, by source; None where it is no such text."""
    found: dict[str, tuple[str, ...]] = {}
    for part in said.split(";"):
        if not part.strip():
            continue
        source, equals, listed = part.partition("=")
        words = tuple(word.strip() for word in listed.split(","))
        if not equals or not is_id(source.strip()) or not all(map(is_id, words)):
            return None
        found[source.strip()] = words
    return found


def renamed(said: str, old: str, new: str) -> str:
    """The rules after a source was given another id."""
    held = rules(said) or {}
    named = {OWN, FEDERATED}
    return "; ".join(
        f"{new if source == old else source}="
        + ",".join(new if word == old and word not in named else word for word in words)
        for source, words in held.items()
    )


def reach(
    said: str, home: str, reads: Sequence[str], sources: Sequence[Source], granted: Collection[str] | None = None
) -> tuple[str, ...]:
    """The sources of offers in a project of the source `home`, which comes first; `reads` are those of unnamed reads.

    Never one that is not among those `granted` (None: every source).
    """
    words = (rules(said) or {}).get(home)
    if words == (OWN,):
        wanted: Sequence[str] = (home,)
    elif words == (FEDERATED,):
        wanted = [source.id for source in sources if source.federated]
    else:
        wanted = words or reads
    known = {source.id for source in sources if granted is None or source.id in granted}
    ordered = [home, *wanted] if home in known and (words or home in reads) else list(wanted)
    return tuple(source for source in dict.fromkeys(ordered) if source in known)

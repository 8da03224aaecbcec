"""Which source is meant: the order of the tiers, what reads widen to, and whose word counts."""

import pytest

from gbrain.domain.places import TIERS, Selection, extent, resolve, steps
from gbrain.errors import InvalidParams, NotFound, ScopeDenied
from gbrain.types import Source


def source(id: str, path: str | None = None, federated: bool | None = None, default: bool = False) -> Source:
    return Source(id, id, path, federated, default, "2031-05-04T22:10:00.000000Z")


SEED = source("default", federated=True)
WORK = source("work", "/notes/work")
DEEP = source("deep", "/notes/work/deep")
OPEN = source("open", federated=True)
SHUT = source("shut", "/shut", federated=False)
CHOSEN = source("chosen", default=True)
ALL = [SEED, WORK, DEEP, OPEN, SHUT]


@pytest.mark.parametrize(
    ("selection", "sources", "tier", "found"),
    [
        (Selection(flag="open", env="work", dotfile="deep", folder="/shut"), ALL, "flag", "open"),
        (Selection(env="work", dotfile="deep", folder="/shut"), ALL, "env", "work"),
        (Selection(dotfile="deep", dotfile_path="/x", folder="/shut"), ALL, "dotfile", "deep"),
        (Selection(dotfile="gone", dotfile_path="/x", folder="/shut"), ALL, "local_path", "shut"),
        (Selection(folder="/notes/work/deep/er"), ALL, "local_path", "deep"),
        (Selection(folder="/notes/work"), ALL, "local_path", "work"),
        (Selection(folder="/notes/work-2"), ALL, "seed_default", "default"),
        (Selection(folder="/notes"), [*ALL, CHOSEN], "brain_default", "chosen"),
        (Selection(), [SEED, WORK], "sole_non_default", "work"),
        (Selection(), [SEED, OPEN], "seed_default", "default"),
        (Selection(), [SEED, WORK, OPEN], "seed_default", "default"),
        (Selection(), [SEED], "seed_default", "default"),
        (Selection(flag="__all__"), ALL, "flag", "__all__"),
    ],
)
def test_the_first_tier_that_says_something_counts(
    selection: Selection, sources: list[Source], tier: str, found: str
) -> None:
    assert resolve(selection, sources)[:2] == (tier, found)
    assert [step.tier for step in steps(selection, sources)] == list(TIERS)


@pytest.mark.parametrize(
    "selection", [Selection(flag="nope"), Selection(env="nope"), Selection(flag="nope", env="work")]
)
def test_an_unknown_source_is_never_passed_over(selection: Selection) -> None:
    with pytest.raises(InvalidParams, match="'nope'") as refused:
        resolve(selection, ALL)
    assert "default" in refused.value.suggestion


@pytest.mark.parametrize(
    ("selection", "reads"),
    [
        (Selection(), ("default", "open")),
        (Selection(folder="/notes/work"), ("work", "default", "open")),
        (Selection(folder="/shut"), ("shut",)),
        (Selection(flag="work"), ("work",)),
        (Selection(env="open"), ("open",)),
        (Selection(dotfile="work"), ("work",)),
        (Selection(flag="*"), ("default", "work", "deep", "open", "shut")),
    ],
)
def test_unnamed_reads_widen_to_the_federated_where_nobody_chose(selection: Selection, reads: tuple[str, ...]) -> None:
    about = extent(selection, ALL, None, None, remote=False)
    assert about.reads == reads
    assert about.granted == ("default", "work", "deep", "open", "shut")


@pytest.mark.parametrize("asked", ["__all__", "*"])
def test_all_is_all_one_may_read(asked: str) -> None:
    assert set(extent(Selection(), ALL, None, asked, remote=True).reads) == {"default", "work", "deep", "open", "shut"}
    about = extent(Selection(), ALL, ("work", "shut", "gone"), asked, remote=True)
    assert (about.reads, about.source) == (("work", "shut"), "work")


@pytest.mark.parametrize(
    ("grant", "selection", "home", "reads"),
    [
        (("work",), Selection(), "work", ("work",)),
        (("work", "default"), Selection(), "default", ("default", "work")),
        (("work", "shut"), Selection(), "work", ("work", "shut")),
        (("shut", "work"), Selection(), "shut", ("shut", "work")),
        (("work", "shut"), Selection(flag="shut"), "shut", ("shut",)),
        (("work",), Selection(flag="shut"), "work", ("work",)),
        (("work",), Selection(flag="gone"), "work", ("work",)),
        (("gone",), Selection(), "", ()),
        ((), Selection(), "", ()),
    ],
)
def test_a_grant_is_what_its_client_reads_and_writes(
    grant: tuple[str, ...], selection: Selection, home: str, reads: tuple[str, ...]
) -> None:
    about = extent(selection, ALL, grant, None, remote=True)
    assert (about.source, about.reads) == (home, reads)


@pytest.mark.parametrize(("remote", "kind"), [(True, ScopeDenied), (False, NotFound)])
def test_what_is_not_granted_is_refused_as_what_is_not_there(remote: bool, kind: type[Exception]) -> None:
    said = set()
    for asked in ("shut", "nope"):
        with pytest.raises(kind) as refused:
            extent(Selection(), ALL, ("work",), asked, remote=remote)
        said.add(str(refused.value).replace(asked, "") + getattr(refused.value, "suggestion", ""))
    assert len(said) == 1

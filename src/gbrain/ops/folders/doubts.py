"""What is unclear in a file that is read all the same: in its front matter, its facts, or left there by git."""

from gbrain.ops.fenced import MARK
from gbrain.sources.folder import Trouble
from gbrain.sources.pages import Reading, unmerged_line


def doubts(path: str, reading: Reading) -> tuple[Trouble, ...]:
    """What there is to tell of a file, in the order of its kinds."""
    draft = reading.draft
    found = [Trouble(path, one.line, one.message, one.hint) for one in reading.problems]
    unmerged = unmerged_line(draft.content)
    if unmerged is not None:
        what = "git left both sides of a conflict in the text"
        found.append(Trouble(path, unmerged, what, "keep what holds of the two, and take out the marks"))
    if MARK in draft.content:
        from gbrain.ops.fence import HINT, problems  # it compares claims: 25 ms, and few files have a fence

        found += [Trouble(path, one.line, one.message, HINT) for one in problems(draft)]
    return tuple(found)

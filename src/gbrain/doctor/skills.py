"""The check of the skills that an agent on this machine is given: those for the brain say to look there first."""

import os
import re
from typing import NamedTuple

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import InvalidParams
from gbrain.harnesses import skills
from gbrain.sources import frontmatter

MARK = "brain_first: exempt"
"""The line of front matter that exempts a skill, exactly so."""
CALLOUT = "> **Convention:** look in the brain first, as conventions/brain-first.md says."
"""A line that meets the rule; any quoted line that names `brain-first.md` does."""

_CALLOUT = re.compile(r"^ {0,3}>.*\bbrain-first\.md\b", re.MULTILINE)
_KEY = re.compile(r"brain[-_ ]*first", re.IGNORECASE)
# In the text, where it never counts.
_ASIDE = re.compile(
    r"^[ \t>*`-]*(brain[-_ ]?first)[ \t]*[:=][ \t]*(\"?exempt\b.*?)[ \t`]*$", re.MULTILINE | re.IGNORECASE
)
# Also as part of a tool's name, mcp__gbrain__recall.
_BRAIN = re.compile(r"(?<![A-Za-z0-9])gbrain(?![A-Za-z0-9])")
# Names that tools of other servers rarely have, as a skill that leaves the server out lists them.
_TOOLS = frozenset({"get_backlinks", "add_timeline_entry", "sync_brain", "context_pack", "traverse_graph", "put_page"})


class Shortfall(NamedTuple):
    """A skill that does not meet the rule, and why."""

    path: str
    reason: str


def shortfall(text: str) -> str | None:
    """Why a skill's text does not meet the rule; None when it does, is exempt, or has nothing to do with the brain."""
    try:
        document = frontmatter.parse(text)
    except InvalidParams as error:
        return f"its front matter cannot be read: {error.message}" if _BRAIN.search(text) else None
    said = document.frontmatter
    if said.get("brain_first") == "exempt":
        return None
    near = [f"{key}: {value}" for key, value in said.items() if _KEY.fullmatch(str(key))]
    near += [f"{key}: {value}" for key, value in _ASIDE.findall(document.body)]
    if near:
        return f"`{near[0][:60]}` exempts nothing; the line is `{MARK}`, in the front matter"
    listed = said.get("tools") or said.get("allowed-tools") or ()
    tools = re.findall(r"\w+", listed) if isinstance(listed, str) else [str(item) for item in listed]
    if not _BRAIN.search(text) and not _TOOLS.intersection(tools):
        return None
    return None if _CALLOUT.search(document.body) else f"it uses the brain without the line `{CALLOUT}`"


def examined(folders: list[str]) -> tuple[int, list[Shortfall]]:
    """How many skills lie in folders of skills, and those that do not meet the rule."""
    paths = {os.path.realpath(path): path for folder in folders for path in skills.skill_files(folder)}
    found = []
    for path in paths.values():
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                reason = shortfall(file.read())
        except OSError as error:
            reason = f"it cannot be read: {error.strerror or error}"
        if reason is not None:
            found.append(Shortfall(path, reason))
    return len(paths), found


def usual_folders() -> list[str]:
    """Where Claude Code looks for skills: the person's folder, and that of the project in the current folder."""
    return [skills.claude_folder(), os.path.join(os.path.abspath(".claude"), "skills")]


@check("skill_brain_first", "The agent's skills: those for the brain say to look there first", (), "skill", "any")
def skill_brain_first(patient: Patient) -> Finding:
    """Every installed skill that reads or writes the brain has the brain-first callout, or is exempt."""
    count, found = examined(usual_folders())
    if not count:
        return Finding("ok", "no skill is installed; gbrain skills install brings those of gbrain")
    if not found:
        return Finding("ok", f"{count} skill{'s' if count != 1 else ''}, all of which keep to it or need not")
    message = f"{len(found)} of {count} skill{'s' if count != 1 else ''} may ask elsewhere before the brain"
    return Finding("warn", message, "gbrain skills check", tuple(f"{path}: {reason}" for path, reason in found))

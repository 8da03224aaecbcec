"""The skills that come with gbrain, and their copies in the folders where an agent looks for skills.

A skill is a folder with a `SKILL.md`: YAML front matter, then text for the agent. Beside the installed files lies a
receipt of the hashes that were written, so that a file which a person changed is told from one of an earlier release.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from gbrain.errors import InvalidParams, NotFound, Unavailable
from gbrain.sources import frontmatter

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "skills")
"""Where the skills of this installation lie; it is also a Claude Code plugin and a marketplace with that plugin."""
ENTRANCE = "SKILL.md"
RECEIPT = ".gbrain-installed.json"

State = Literal["missing", "current", "outdated", "changed"]


class Skill(NamedTuple):
    """A skill of this installation; `files` are relative to `folder`, in order."""

    name: str
    version: str
    description: str
    folder: str
    files: tuple[str, ...]


class Copy(NamedTuple):
    """How one file of a skill stands where it is, or would be, installed.

    `leftover`: an earlier release wrote it, this one has no such file, and nobody changed it.
    """

    path: str
    state: State
    leftover: bool = False


def shipped() -> list[Skill]:
    """Every skill of this installation by name."""
    names = sorted(name for name in os.listdir(FOLDER) if os.path.isfile(os.path.join(FOLDER, name, ENTRANCE)))
    return [_read(name, os.path.join(FOLDER, name)) for name in names]


def named(names: tuple[str, ...]) -> list[Skill]:
    """The skills of these names, or all. Raises NotFound for a name that is none."""
    every = {skill.name: skill for skill in shipped()}
    unknown = next((name for name in names if name not in every), None)
    if unknown is not None:
        raise NotFound(f"there is no skill {unknown[:64]!r}", f"take one of: {', '.join(every)}")
    return [skill for name, skill in every.items() if not names or name in names]


def claude_folder() -> str:
    """Where Claude Code looks for a person's skills: `$CLAUDE_CONFIG_DIR/skills`, else `~/.claude/skills`."""
    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    return os.path.join(os.path.abspath(config), "skills")


def copies(skill: Skill, target: str) -> list[Copy]:
    """How each file of a skill stands in a folder of skills. Raises Unavailable where that cannot be read."""
    home = os.path.join(target, skill.name)
    receipt = _receipt(home)
    found = []
    for path in skill.files:
        held = _hash(os.path.join(home, path))
        if held is None:
            state: State = "missing"
        elif held == _hash(os.path.join(skill.folder, path)):
            state = "current"
        else:
            state = "outdated" if held in receipt.get(path, ()) else "changed"
        found.append(Copy(path, state))
    gone = sorted(receipt.keys() - set(skill.files))
    return found + [Copy(path, "outdated", True) for path in gone if _hash(os.path.join(home, path)) in receipt[path]]


def state(found: list[Copy]) -> State:
    """How a skill as a whole stands."""
    states = {copy.state for copy in found}
    if states == {"missing"}:
        return "missing"
    return "changed" if "changed" in states else "current" if states == {"current"} else "outdated"


def refuse_changed(skill: Skill, target: str, found: list[Copy]) -> None:
    """Raise InvalidParams when a file is there that gbrain did not write, or that was changed since."""
    changed = [os.path.join(target, skill.name, copy.path) for copy in found if copy.state == "changed"]
    if changed:
        raise InvalidParams(
            f"{', '.join(changed[:4])}: not as gbrain wrote it, so nothing was changed",
            "keep a copy of what you need, then run: gbrain skills install --force",
        )


def install(skill: Skill, target: str) -> None:
    """Bring a skill in a folder of skills to this release; files that are current stay untouched.

    A new skill appears whole. Each file of one that is there is replaced at once, and the receipt names the old and the
    new text before that, so that a run which breaks off is finished by the next. Raises Unavailable where the folder
    cannot be written.
    """
    home = os.path.join(target, skill.name)
    stale = [copy for copy in copies(skill, target) if copy.state != "current"]
    if not stale:
        return
    try:
        os.makedirs(target, exist_ok=True)
        if os.path.lexists(home):
            _note(home, skill)
            for copy in stale:
                _remove(home, copy.path) if copy.leftover else _replace(home, skill, copy.path)
            return
        # Hidden, so that an agent that looks in at this moment finds no half of a skill.
        made = os.path.join(target, f".{skill.name}.{os.getpid()}")
        shutil.rmtree(made, ignore_errors=True)
        _note(made, skill)
        for path in skill.files:
            _replace(made, skill, path)
        os.rename(made, home)
    except OSError as error:
        raise _unwritable(home, error) from None


def uninstall(skill: Skill, target: str, *, changed: bool) -> None:
    """Take the files of a skill away, those that a person changed only when `changed` says so.

    Files that gbrain did not write stay, and with them their folder. Raises Unavailable, as `install` does.
    """
    home = os.path.join(target, skill.name)
    found = [copy for copy in copies(skill, target) if copy.state != "missing"]
    try:
        for copy in found:
            if copy.state != "changed" or changed:
                _remove(home, copy.path)
        if changed or not any(copy.state == "changed" for copy in found):
            _remove(home, RECEIPT)
    except OSError as error:
        raise _unwritable(home, error) from None


def skill_files(folder: str) -> list[str]:
    """The `SKILL.md` of every skill in a folder of skills, or of the one skill that the folder is; sorted."""
    try:
        names = ["", *sorted(os.listdir(folder))]
    except OSError:
        return []
    return [path for name in names if os.path.isfile(path := os.path.join(folder, name, ENTRANCE))]


def _read(name: str, folder: str) -> Skill:
    with open(os.path.join(folder, ENTRANCE), encoding="utf-8") as file:
        said = frontmatter.parse(file.read()).frontmatter
    return Skill(
        name, str(said["version"]), str(said["description"]), folder, tuple(sorted(_walk(folder), key=_entrance_last))
    )


def _entrance_last(path: str) -> tuple[bool, str]:
    """An agent takes a folder for a skill once it has its entrance."""
    return path == ENTRANCE, path


def _walk(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (os.path.relpath(os.path.join(place, name), folder) for name in names if not name.startswith("."))


def _hash(path: str) -> str | None:
    """The hash of a file's bytes, None where there is none. Raises Unavailable for one that cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unwritable(path, error) from None


def _receipt(home: str) -> dict[str, list[str]]:
    """Path to the hashes written there; empty where nothing, or nothing readable, says so."""
    try:
        with open(os.path.join(home, RECEIPT), encoding="utf-8") as file:
            said: Any = json.load(file)
    except (OSError, ValueError):
        return {}
    files = said.get("files") if isinstance(said, dict) else None
    if not isinstance(files, dict):
        return {}
    return {path: hashes for path, hashes in files.items() if isinstance(hashes, list) and _inside(path)}


def _inside(path: str) -> bool:
    # The receipt lies where others may write, and what it names is deleted.
    return not os.path.isabs(path) and ".." not in path.split(os.sep)


def _note(home: str, skill: Skill) -> None:
    """Add the hashes of this release to the receipt."""
    known = _receipt(home)
    for path in skill.files:
        new = str(_hash(os.path.join(skill.folder, path)))
        known[path] = [*(old for old in known.get(path, []) if old != new), new]
    _write(os.path.join(home, RECEIPT), (json.dumps({"files": known}, indent=1) + "\n").encode())


def _replace(home: str, skill: Skill, path: str) -> None:
    with open(os.path.join(skill.folder, path), "rb") as file:
        _write(os.path.join(home, path), file.read())


def _write(path: str, data: bytes) -> None:
    """Put a file in place whole; where the place is a link, its target is written."""
    # Many people keep their agent's folder in a repository of settings, and link to it; a rename over the link would
    # cut it.
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = f"{path}.{os.getpid()}"
    try:
        with open(partial, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError:
        if os.path.lexists(partial):
            os.unlink(partial)
        raise


def _remove(home: str, path: str) -> None:
    """Take a file away, and the folders that it leaves empty, up to the skill's own."""
    place = os.path.join(home, path)
    if os.path.lexists(place):
        os.unlink(place)
    while place != home:
        place = os.path.dirname(place)
        if os.path.islink(place) or not os.path.isdir(place) or os.listdir(place):
            return
        os.rmdir(place)


def _unwritable(path: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path} cannot be read or written: {error.strerror or error}",
        "choose another folder: gbrain skills install --to FOLDER",
        detail={"reason": "skills_folder"},
    )

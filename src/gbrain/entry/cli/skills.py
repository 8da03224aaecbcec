"""`gbrain skills`: the texts that tell an agent how to use the brain, shown, installed and checked."""

import os
import sys
from typing import Any

import click

from gbrain.doctor.skills import CALLOUT, MARK, examined, usual_folders
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option, Positional, json_option
from gbrain.errors import InvalidParams, NotFound
from gbrain.harnesses import skills as held
from gbrain.harnesses.skills import Copy, Skill

FOUND = 1
"""The exit code of a check that found something."""

_SIGNS = {"missing": "+", "outdated": "~", "changed": "!"}
_SAID = {"missing": "not installed", "current": "installed", "outdated": "not of this release", "changed": "changed"}


def _list(as_json: bool) -> int:
    target = held.claude_folder()
    rows = [
        {
            "name": skill.name,
            "version": skill.version,
            "state": held.state(held.copies(skill, target)),
            "description": skill.description,
        }
        for skill in held.shipped()
    ]
    if as_json:
        screen.write_json({"skills": rows, "installed_in": target, "plugin": held.FOLDER})
        return 0
    cells = [(row["name"], row["version"], _SAID[row["state"]], row["description"]) for row in rows]
    screen.write(screen.table(("skill", "version", "here", "what for"), cells))
    return 0


def _path(as_json: bool) -> int:
    screen.write_json({"plugin": held.FOLDER}) if as_json else screen.write(held.FOLDER)
    return 0


def _install(names: tuple[str, ...], folder: str | None, remove: bool, force: bool, yes: bool, as_json: bool) -> int:
    target = os.path.abspath(os.path.expanduser(folder)) if folder is not None else held.claude_folder()
    plans = [(skill, held.copies(skill, target)) for skill in held.named(names)]
    if remove:
        return _remove(plans, target, force=force, agreed=yes, as_json=as_json)
    if not force:
        for skill, found in plans:
            held.refuse_changed(skill, target, found)
    work = [(skill, todo) for skill, found in plans if (todo := [copy for copy in found if copy.state != "current"])]
    lines = [
        f"{'-' if copy.leftover else _SIGNS[copy.state]} {os.path.join(target, skill.name, copy.path)}"
        for skill, todo in work
        for copy in todo
    ]
    _agree(lines, "Write these files?", "gbrain skills install --yes", agreed=yes, as_json=as_json)
    for skill, _ in work:
        held.install(skill, target)
    written = [os.path.join(skill.name, copy.path) for skill, todo in work for copy in todo if not copy.leftover]
    if as_json:
        screen.write_json({"to": target, "skills": [skill.name for skill, _ in plans], "written": written})
    else:
        known = ", ".join(screen.paint().name(skill.name) for skill, _ in plans)
        screen.write(f"{known}: {'installed' if written else 'there already'} in {target}")
    return 0


def _remove(plans: list[tuple[Skill, list[Copy]]], target: str, *, force: bool, agreed: bool, as_json: bool) -> int:
    there = [(skill, copy) for skill, found in plans for copy in found if copy.state != "missing"]
    kept = [(skill, copy) for skill, copy in there if copy.state == "changed" and not force]
    going = [pair for pair in there if pair not in kept]
    lines = [f"- {os.path.join(target, skill.name, copy.path)}" for skill, copy in going]
    _agree(lines, "Remove these files?", "gbrain skills install --remove --yes", agreed=agreed, as_json=as_json)
    for skill, _ in plans:
        held.uninstall(skill, target, changed=force)
    removed, left = ([os.path.join(skill.name, copy.path) for skill, copy in pairs] for pairs in (going, kept))
    if as_json:
        screen.write_json({"to": target, "removed": removed, "kept": left})
        return 0
    screen.write(f"{len(removed)} files removed from {target}" if removed else f"nothing of gbrain's is in {target}")
    for path in left:
        screen.note(f"note: {path} was changed since, so it stays; --force removes it too")
    return 0


def _agree(lines: list[str], question: str, command: str, *, agreed: bool, as_json: bool) -> None:
    """Show what is to be done and let a person agree; raises InvalidParams where nobody can be asked."""
    if not lines:
        return
    if not as_json:
        screen.write("\n".join(lines))
    if agreed:
        return
    if as_json or not sys.stdin.isatty():
        raise InvalidParams("nothing was changed, since nobody can be asked", f"run: {command}")
    if not click.confirm(question, err=True):
        screen.declined("To only see what there is: gbrain skills list")


def _check(folders: tuple[str, ...], as_json: bool) -> int:
    missing = next((folder for folder in folders if not os.path.isdir(folder)), None)
    if missing is not None:
        raise NotFound(f"there is no folder {missing[:200]}", "name one that is there, or none: gbrain skills check")
    count, found = examined(list(folders) or usual_folders())
    if as_json:
        rows: list[dict[str, Any]] = [row._asdict() for row in found]
        screen.write_json({"skills": count, "findings": rows})
        return FOUND if found else 0
    lines = [screen.harmless(f"{row.path}: {row.reason}") for row in found]
    if found:
        lines += [f"A skill that uses the brain has this line:  {CALLOUT}", f"or in its front matter:  {MARK}"]
    screen.write("\n".join([*lines, f"{count} skills read, {len(found)} to mend"]))
    return FOUND if found else 0


skills = Group(
    "skills",
    help="Show, install and check skills: texts that tell an agent how to use the brain.",
    examples=("gbrain skills list", "gbrain skills install --yes"),
    commands=[
        Command(
            "list",
            params=[json_option()],
            callback=_list,
            help="List the skills of this gbrain, and how each stands where Claude Code looks for skills.",
            examples=("gbrain skills list", "gbrain skills list --json"),
        ),
        Command(
            "install",
            params=[
                Positional("names", "The skills; all unless given.", must=False, metavar="NAME...", nargs=-1),
                Option(
                    ["--to", "folder"],
                    metavar="FOLDER",
                    help="The agent's folder of skills; that of Claude Code, ~/.claude/skills, unless given.",
                ),
                Option(["--remove"], is_flag=True, help="Take them away again; files that were changed stay."),
                Option(
                    ["--force"], is_flag=True, help="Replace or remove also files that are not as gbrain wrote them."
                ),
                Option(["--yes"], is_flag=True, help="Do not ask before files are written or removed."),
                json_option(),
            ],
            callback=_install,
            help="Copy skills to where an agent looks for them, or bring those there to this release.\n\n"
            "It shows the files and asks. A file that someone changed stops it before anything is written. Run again,"
            " it changes nothing.",
            examples=(
                "gbrain skills install --yes",
                "gbrain skills install brain-ops --to .claude/skills --yes",
                "gbrain skills install --remove --yes",
            ),
        ),
        Command(
            "check",
            params=[
                Positional(
                    "folders",
                    "Folders of skills; those of Claude Code for you and for this project unless given.",
                    must=False,
                    metavar="FOLDER...",
                    nargs=-1,
                ),
                json_option(),
            ],
            callback=_check,
            help="Find skills that use the brain and do not say to look there first. Exit code 1 when there are some.",
            examples=("gbrain skills check",),
        ),
        Command(
            "path",
            params=[json_option()],
            callback=_path,
            help="Print the folder of the skills, which is a Claude Code plugin: skills and server in one.",
            examples=("gbrain skills path",),
        ),
    ],
)

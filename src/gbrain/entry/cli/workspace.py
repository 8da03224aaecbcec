"""`gbrain bootstrap contract` and `interview`: the standing rule of a workspace, and who uses the brain."""

import os
import sys
from typing import Any, Literal

import click

from gbrain import home as homes, mirror, mirror_writing
from gbrain.ambient import contract as contracts
from gbrain.ambient.gate import from_file, resolve
from gbrain.brain import Brain
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option, json_option
from gbrain.errors import BrainError, InvalidParams, NotFound
from gbrain.harnesses import blocks, files
from gbrain.mounts import HOST
from gbrain.types import Caller

BLOCK = "gbrain:workspace-contract"
ANSWERS = ("single-principal", "shared")


def _contract(write: str | None, as_json: bool) -> int:
    text = contracts.workspace(_visibility())
    if write is None:
        screen.write_json({"contract": text}) if as_json else screen.write(text)
        return 0
    path = os.path.abspath(write)
    held = files.read(path)
    changed = blocks.spliced(held.text or "", BLOCK, text, path)
    if changed != held.text:
        files.refuse_unwritable(path)
        files.write(held, changed)
    state = "created" if held.text is None else "unchanged" if changed == held.text else "updated"
    if as_json:
        screen.write_json({"contract": text, "path": path, "status": state})
    else:
        screen.write(f"{path}: {state}; what is outside of the block stays as it is")
    return 0


def _visibility() -> Literal["world", "private"]:
    """What agents are told to save with: the brain's word, or the file's where there is no brain to ask."""
    try:
        with screen.opened(None, as_json=True) as brain:
            if isinstance(brain, Brain):
                seen = resolve(brain.store.engine, brain.store.config.all).visibility
                return "private" if seen == "private" else "world"
    except BrainError:
        # The rule is to be had always, also before `gbrain init`.
        pass
    return "private" if from_file(mirror.read(homes.resolve())).visibility == "private" else "world"


def _interview(surface_multiuser: str | None, as_json: bool) -> int:
    if screen.asked_brain() not in (None, HOST):
        raise InvalidParams("the interview is about the brain of this home, and --brain names another", "leave it out")
    answer = surface_multiuser or _asked(as_json)
    home = homes.resolve()
    declared = _declared(home)
    wrote = answer == "shared" and declared is None
    if wrote:
        _declare(home)
    if as_json:
        screen.write_json({"answer": answer, "declared": "shared" if wrote else declared, "wrote": wrote})
    elif wrote:
        screen.write("Set brain.audience = shared")
    else:
        said = f"; brain.audience is {declared} already" if declared else ""
        screen.write(f"{answer}: nothing to write down{said}")
    return 0


def _asked(as_json: bool) -> str:
    if as_json or sys.stdin is None or not sys.stdin.isatty():
        raise InvalidParams(
            "nobody can be asked who uses this brain",
            "ask the person, then run: gbrain bootstrap interview --surface-multiuser single-principal, or shared",
        )
    told: str = click.prompt("Who uses this brain?", type=click.Choice(ANSWERS), default=ANSWERS[0], err=True)
    return told


def _declared(home: str) -> str | None:
    """What was declared on either plane."""
    try:
        with screen.opened(None, as_json=True) as brain:
            row: Any = brain.ask(Caller.local("cli"), "config_get", {"key": mirror.AUDIENCE}).value
            return row["value"] if row["plane"] != "default" else None
    except NotFound:
        said = mirror.read(home).said.get(mirror.AUDIENCE)
        return None if said is None else str(said)


def _declare(home: str) -> None:
    """On both planes, or in the file alone while there is no brain."""
    try:
        with screen.opened(None, as_json=True) as brain:
            brain.ask(Caller.local("cli"), "config_set", {"key": mirror.AUDIENCE, "value": "shared"})
    except NotFound:
        os.makedirs(home, mode=0o700, exist_ok=True)
        mirror_writing.edit(home, {mirror.AUDIENCE: "shared"})


contract = Command(
    "contract",
    params=[
        Option(["--write"], metavar="PATH", help="Keep it in this file, such as AGENTS.md, between two marked lines."),
        json_option(),
    ],
    callback=_contract,
    help="Print the standing rule for agents of a workspace: save in the same turn what the person asks to keep.\n\n"
    "It holds whether agents may save unasked or not, and turns nothing on.",
    examples=("gbrain bootstrap contract", "gbrain bootstrap contract --write AGENTS.md"),
)

interview = Command(
    "interview",
    params=[
        Option(
            ["--surface-multiuser"],
            type=click.Choice(ANSWERS),
            help="The answer: one person uses this brain, or several do. Asked for unless given.",
        ),
        json_option(),
    ],
    callback=_interview,
    help="Ask who uses this brain. `shared` is written down as brain.audience, where nothing was declared yet.",
    examples=("gbrain bootstrap interview --surface-multiuser single-principal",),
)

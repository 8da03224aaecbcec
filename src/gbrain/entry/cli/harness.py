"""`gbrain bootstrap harness`: joins the brain to the agents of this machine, and takes it out again."""

import os
import sys
from typing import Any

import click

from gbrain import ambient, home as homes, mirror
from gbrain.ambient import contract, gate
from gbrain.brain import environment_clock
from gbrain.entry.cli import harness_texts as texts, screen
from gbrain.entry.cli.command import Command, Option, json_option
from gbrain.entry.cli.setup import server_command
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.harnesses import changes, known, receipt as receipts, wiring
from gbrain.harnesses.facts import Launch, Wanted
from gbrain.harnesses.wiring import Work
from gbrain.mounts import HOST

NAME = "gbrain"
TOOLS = ("remember", "recall", "entity", "context_pack", "delta")
"""Tools that an agent may call without asking each time: none of them takes anything away or spends money."""
FAILED = 1
"""The exit code of a run after which an agent is not as it was asked for."""


def wanted(home: str, *, source: str | None = None, capture: bool = False) -> Wanted:
    """What is to stand in the files of agents for the brain of a home, as its settings file says now.

    Raises Unavailable where that file cannot be read, for nobody may then say what memory is allowed.
    """
    said = mirror.read(home)
    if said.trouble is not None:
        raise Unavailable(
            f"{mirror.path(home)} is {said.trouble}, so nothing was changed",
            "mend it or move it away, then run: gbrain doctor",
            detail={"reason": "mirror", "path": mirror.path(home)},
        )
    bundle = gate.from_file(said)
    told = contract.options(bundle, remember=True, extract_facts=None)
    command = (*server_command(), *(("--source", source) if source else ()))
    base = os.environ.get(homes.ENV_HOME)
    section = None if told is None else f"{texts.head(bundle.mode, command)}\n{contract.section(told)}"
    hook: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    if bundle.enabled or said.shadow or (capture and said.silent):
        hook = (sys.executable, "-I", "-S", os.path.join(os.path.dirname(os.path.abspath(ambient.__file__)), "hook.py"))
        more = [*(("--source", source) if source else ()), *(("--capture",) if capture else ())]
        options = ("--home", home, *more)
    server = Launch(tuple(command), {homes.ENV_HOME: base} if base else {})
    return Wanted(NAME, home, server, TOOLS, contract.BASE, section, hook, options)


def _harness(
    harness: tuple[str, ...], yes: bool, remove: bool, status: bool, source: str | None, capture: bool, as_json: bool
) -> int:
    if screen.asked_brain() not in (None, HOST):
        raise InvalidParams(
            "agents are joined to the brain of this home, and --brain names another", "leave out --brain"
        )
    if remove and status:
        raise InvalidParams("--remove and --status exclude each other", "leave out one of them")
    home = homes.resolve()
    if remove:
        return _remove(home, harness, yes, as_json)
    if not homes.has_brain(home):
        raise Unavailable(
            "there is no brain yet to join an agent to", "run: gbrain init", detail={"reason": "no_brain"}
        )
    want = wanted(home, source=source, capture=capture)
    return _status(home, harness, want, as_json) if status else _apply(home, harness, want, yes, as_json)


def _apply(home: str, names: tuple[str, ...], want: Wanted, yes: bool, as_json: bool) -> int:
    receipt = receipts.read(home)
    chosen = known.chosen(names, wiring.wired(receipt))
    shown = wiring.plan(chosen, want, receipt)
    if any(work.is_any for work in shown):
        _agree(shown, texts.consent(want), "gbrain bootstrap harness --yes", agreed=yes, as_json=as_json)
    with receipts.locked(home):
        works = wiring.plan(chosen, want, receipts.read(home))
        _same(shown, works)
        done = wiring.apply(home, works, chosen, want, environment_clock()())
    notes = [f"{facts.title}: {note}" for facts in chosen for note in facts.notes(want)]
    return _tell(done, "joined", as_json, notes if want.section else [*notes, texts.OFF])


def _remove(home: str, names: tuple[str, ...], yes: bool, as_json: bool) -> int:
    receipt = receipts.read(home)
    held = wiring.wired(receipt)
    named = [facts.name for facts in known.named(names)]
    chosen = [name for name in held if not names or name in named]
    shown = wiring.plan_removal(chosen, receipt)
    if any(work.is_any for work in shown):
        _agree(shown, [], "gbrain bootstrap harness --remove --yes", agreed=yes, as_json=as_json)
    with receipts.locked(home):
        works = wiring.plan_removal(chosen, receipts.read(home))
        _same(shown, works)
        done = wiring.remove(home, works, environment_clock()())
    return _tell(done, "left", as_json, [])


def _status(home: str, names: tuple[str, ...], want: Wanted, as_json: bool) -> int:
    receipt = receipts.read(home)
    every = known.named(names or ("all",))
    rows = []
    for facts in every:
        state, targets, why = wiring.state(facts, want, receipt)
        held = receipt.get("harnesses", {}).get(facts.name, {})
        row: dict[str, Any] = {"harness": facts.name, "here": facts.is_here, "state": state, "targets": targets}
        row |= {"probe": held.get("state"), "error": why, "notes": facts.notes(want) if state != "missing" else []}
        rows.append(row)
    if as_json:
        screen.write_json({"memory": "on" if want.section else "off", "harnesses": rows})
    else:
        screen.write("\n".join(texts.status(rows)))
    wired = wiring.wired(receipt)
    return FAILED if any(row["state"] != "installed" for row in rows if row["harness"] in (*wired, *names)) else 0


def _agree(works: list[Work], consent: list[str], command: str, *, agreed: bool, as_json: bool) -> None:
    """Show what is to be done and let a person agree; raises InvalidParams where nobody can be asked."""
    if not as_json:
        screen.write("\n".join([*texts.plan(works), *consent]))
    if agreed:
        return
    if as_json or not sys.stdin.isatty():
        detail = {"plan": [_row(work) for work in works]}
        raise InvalidParams("nothing was changed, since nobody can be asked", f"run: {command}", detail=detail)
    if not click.confirm("Write these changes?", err=True):
        raise InvalidParams("nothing was changed", "run: gbrain bootstrap harness --status, to only see what there is")


def _same(shown: list[Work], works: list[Work]) -> None:
    """Raise Unavailable where the files changed since a person saw what would become of them."""
    if [work.changes for work in shown] != [work.changes for work in works]:
        raise Unavailable("the files changed while this command ran, so nothing was written", "run it again")


def _tell(works: list[Work], done: str, as_json: bool, notes: list[str]) -> int:
    failed: BrainError | None = next((work.error for work in works if work.error is not None), None)
    if as_json:
        screen.write_json({"status": "error" if failed else "success", "harnesses": [_row(work) for work in works]})
    else:
        screen.write("\n".join([*texts.outcome(works, done), *notes]))
    return FAILED if failed else 0


def _row(work: Work) -> dict[str, Any]:
    rows = [
        {"path": change.held.path, "change": texts.kind(change), "difference": changes.difference(change)}
        for change in work.changes
        if change.is_one
    ]
    return {"harness": work.name, "files": rows, "error": work.error.envelope() if work.error else None}


harness = Command(
    "harness",
    params=[
        Option(
            ["--harness"],
            multiple=True,
            metavar="NAME",
            help=f"The agent: {', '.join(known.NAMES)} or all; those on this machine unless given.",
        ),
        Option(["--yes"], is_flag=True, help="Do not ask before files are changed."),
        Option(["--remove"], is_flag=True, help="Take out of the agents' files all that this command put there."),
        Option(["--status"], is_flag=True, help="Say how each agent stands, and change nothing."),
        Option(["--source"], metavar="ID", help="The source that these agents write to."),
        Option(["--capture"], is_flag=True, help="Keep turns also while memory.auto_writeback is not set."),
        json_option(),
    ],
    callback=_harness,
    help="Join the brain to the agents of this machine: server, permissions, instructions and hooks.\n\n"
    "It shows what it would change in their files and asks. All else in those files stays as it is, and --remove"
    " brings them back to the last byte. Run it again after a change of settings; run again, it changes nothing.",
    examples=(
        "gbrain bootstrap harness --harness claude-code --yes",
        "gbrain bootstrap harness --status",
        "gbrain bootstrap harness --remove --yes",
    ),
)

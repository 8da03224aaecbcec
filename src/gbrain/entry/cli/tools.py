"""Commands that look at gbrain itself: doctor, protocol, demo, bench. What each needs loads when it is run."""

import shlex
from typing import Any

import click

from gbrain import home as homes
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option, json_option
from gbrain.errors import InvalidParams, NotFound


def doctor(given: dict[str, Any]) -> int:
    """Examine the brain without opening it first, since it may be what is broken."""
    # The checks load much that no other command needs.
    from gbrain.doctor.frame import exit_code, render, report

    with bar(shown=not given["as_json"]) as progress:
        found = report(None, bool(given.get("fast")), screen.asked_brain(), progress)
    if given["as_json"]:
        screen.write_json(found)
    else:
        screen.write(render(screen.harmless(found) if screen.on_terminal() else found))
    return exit_code(found)


def _protocol(ctx: click.Context, as_json: bool, as_markdown: bool) -> int:
    if ctx.invoked_subcommand is not None:
        if as_json or as_markdown:
            name = ctx.invoked_subcommand
            raise InvalidParams(
                f"an option before {name} is not for {name}", f"write it after: gbrain protocol {name} --json"
            )
        return 0
    # The contract loads every operation.
    from gbrain.entry import protocol as contract

    if as_json:
        screen.write_json(contract.describe())
    else:
        screen.write(contract.markdown() if as_markdown else contract.text())
    return 0


def _conformance(target: str | None, patience: float | None, as_json: bool) -> int:
    # The cases load subprocess and more.
    from gbrain.entry import conformance

    try:
        command = shlex.split(target) if target is not None else None
    except ValueError:
        command = []
    if command == []:
        raise InvalidParams("the target is no command line", "quote it: --target 'gbrain serve --surface verbs'")
    return conformance.run(command, as_json, patience=patience or conformance.PATIENCE)


def _stats(days: int, as_json: bool) -> int:
    # As above: the contract loads every operation.
    from gbrain.entry import protocol as contract

    folder = screen.chosen().home
    homes.refuse_foreign(folder)
    if homes.kind(folder) == "remote":
        raise InvalidParams(
            f"uses are counted where the brain is kept, at {homes.place(folder)}",
            "run it on the machine of the brain: gbrain protocol stats",
        )
    if not homes.has_brain(folder):
        raise NotFound(f"there is no brain in {folder}", "run: gbrain init", detail={"home": folder})
    found = contract.stats(folder, days)
    if as_json:
        screen.write_json(found)
    else:
        screen.write(contract.stats_text(found))
    return 0


def _demo(as_json: bool) -> int:
    # It starts servers and keeps a folder of its own.
    from gbrain.entry.demo import run

    return run(as_json)


protocol = Group(
    "protocol",
    params=[
        json_option(),
        Option(["--markdown", "as_markdown"], is_flag=True, help="Write the page of docs/protocol."),
    ],
    callback=click.pass_context(_protocol),
    invoke_without_command=True,
    help="Show the contract of the memory verbs, as this build keeps it.",
    examples=("gbrain protocol", "gbrain protocol --json", "gbrain protocol stats --days 30"),
    commands=[
        Command(
            "conformance",
            params=[
                Option(["--target"], metavar="COMMAND", help="Starts the server to test. [default: this gbrain's own]"),
                Option(["--patience"], type=float, metavar="SECONDS", help="Wait this long for one answer."),
                json_option(),
            ],
            callback=_conformance,
            help="Hold a server of the memory verbs to the contract, over stdio.\n\nOur own is tested on a brain that "
            "is thrown away. The brain of a target is written to: at the end, also after Ctrl-C, the facts are "
            "forgotten and the page is deleted; what is private lapses in minutes. The exit code is 1 when a case "
            "failed.",
            examples=("gbrain protocol conformance", "gbrain protocol conformance --target 'gbrain serve'"),
        ),
        Command(
            "stats",
            params=[
                Option(["--days"], type=int, default=7, metavar="DAYS", help="How far to look back. [default: 7]"),
                json_option(),
            ],
            callback=_stats,
            help="Show how the verbs of this brain were used.",
            examples=("gbrain protocol stats", "gbrain protocol stats --days 30 --json"),
        ),
    ],
)

demo = Command(
    "demo",
    params=[json_option()],
    callback=_demo,
    help="Show two agents sharing one memory, on a throw-away brain.\n\nBoth are real MCP sessions in processes of "
    "their own. Every step is checked as it happens, and nothing is left behind.",
    examples=("gbrain demo", "gbrain demo --json"),
)

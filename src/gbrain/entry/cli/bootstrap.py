"""`gbrain bootstrap`: joins the brain to the agents of this machine."""

from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option, json_option
from gbrain.errors import InvalidParams
from gbrain.harnesses import known


def _harness(harness: tuple[str, ...], status: bool, as_json: bool) -> int:
    if not status:
        raise InvalidParams("say what to do", "run: gbrain bootstrap harness --status")
    rows = [
        {"harness": facts.name, "folder": facts.folder(), "here": facts.is_here}
        for facts in known.named(harness or ("all",))
    ]
    if as_json:
        screen.write_json({"harnesses": rows})
        return 0
    cells = [(str(row["harness"]), "here" if row["here"] else "not here", str(row["folder"])) for row in rows]
    screen.write(screen.table(("harness", "", "its files"), cells))
    return 0


bootstrap = Group(
    "bootstrap",
    help="Join the brain to the agents of this machine.",
    examples=("gbrain bootstrap harness --status",),
    commands=[
        Command(
            "harness",
            params=[
                Option(
                    ["--harness"],
                    multiple=True,
                    metavar="NAME",
                    help="claude-code, codex, gemini, opencode, openclaw or all; those on this machine unless given.",
                ),
                Option(["--status"], is_flag=True, help="Say how each stands, and change nothing."),
                json_option(),
            ],
            callback=_harness,
            help="List the agents that gbrain can be joined to, and where their files lie.",
            examples=("gbrain bootstrap harness --status",),
        ),
    ],
)

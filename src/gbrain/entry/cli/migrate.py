"""`gbrain migrate`: the brain of this home copied to another store, which then is the same brain."""

import os
import shlex

from gbrain import home as homes
from gbrain.bars import lines
from gbrain.brain import SQLITE, copy_brain
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option, json_option
from gbrain.errors import InvalidParams


def _migrate(to: str | None, as_json: bool) -> int:
    if to is None:
        raise InvalidParams("gbrain migrate needs to know where to", "run: gbrain migrate --to URL")
    with lines(screen.note, shown=not as_json) as say:
        counts = copy_brain(screen.chosen().home, to, say)
    place = to if to.startswith(SQLITE) else homes.redacted(to)
    then = following(to)
    if as_json:
        screen.write_json({"status": "success", "to": place, "rows": counts, "next": then})
        return 0
    rows = sum(counts.values())
    paint = screen.paint()
    screen.write(
        f"Copied to {paint.name(place)} and compared: {rows:,} rows, {counts.get('pages', 0):,} pages,"
        f" {counts.get('facts', 0):,} facts\n"
        f"The old brain is as it was, and in use until you say:\n  {then}"
    )
    return 0


def following(to: str) -> str:
    """The command that puts a copy to use."""
    if not to.startswith(SQLITE):
        return "gbrain init --postgres URL"
    path = os.path.abspath(to.removeprefix(SQLITE))
    folder, name = os.path.split(path)
    home = screen.chosen().home
    if folder == home and name == homes.DATABASE:
        address = os.path.join(home, homes.ADDRESS)
        return f"mv {shlex.quote(address)} {shlex.quote(address)}.before"
    if os.path.basename(folder) == ".gbrain" and name == homes.DATABASE:
        return f"export {homes.ENV_HOME}={shlex.quote(os.path.dirname(folder))}"
    target = os.path.join("FOLDER", ".gbrain", homes.DATABASE)
    return f"mv {shlex.quote(path)} {target}, then: export {homes.ENV_HOME}=FOLDER"


migrate = Command(
    "migrate",
    params=[
        Option(["--to"], metavar="TARGET", help="Where to: postgresql://USER@HOST/DATABASE, or sqlite:PATH."),
        json_option(),
    ],
    callback=_migrate,
    help="Copy the brain to another store, compare the two, and say how to use the copy.\n\n"
    "The brain itself is only read. A copy that was broken off goes on when the same command is run again.",
    examples=(
        "gbrain migrate --to postgresql://gbrain@db.example/gbrain",
        "gbrain migrate --to sqlite:backup/.gbrain/brain.db",
    ),
)

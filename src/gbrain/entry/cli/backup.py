"""`gbrain backup`: the brain copied while it is in use, looked through again, and put back."""

import os
import shlex
import sys
from datetime import UTC, datetime
from typing import Any

from gbrain import backups, bars, home as homes
from gbrain.backing_up import create, verify
from gbrain.backups import Manifest
from gbrain.brain import open_home
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option, Positional, json_option
from gbrain.errors import BrainError, InvalidParams
from gbrain.putting_back import restore

SHOWN = ("pages", "page_versions", "facts", "links")
ENDED = {"pages": "deleted", "facts": "ended"}


def _create(to: str | None, keep: int | None, as_json: bool) -> int:
    with open_home(screen.chosen()) as brain, bars.lines(_say, shown=not as_json) as say:
        done = create(brain, to, keep, say)
    if as_json:
        screen.write_json({"status": "success", **_row(done.path, done.manifest), "dropped": done.dropped})
        return 0
    paint = screen.paint()
    lines = [f"Backed up to {paint.name(done.path)}", f"  {_counts(done.manifest)}; {_weight(done.manifest)}"]
    lines += [f"  deleted the older {path}" for path in done.dropped]
    lines.append("  what you said is in it as you said it: keep it where only you can read it")
    screen.write("\n".join(lines))
    return 0


def _list(as_json: bool) -> int:
    home = screen.chosen().home
    rows: list[dict[str, Any]] = []
    for one in backups.made(home):
        row: dict[str, Any] = {"path": one.path, "created": one.created, "state": "missing"}
        if one.there:
            try:
                row.update({**_row(one.path, backups.read(one.path)), "state": "ok" if one.whole else "broken off"})
            except BrainError:
                row["state"] = "damaged" if one.whole else "broken off"
        rows.append(row)
    if as_json:
        screen.write_json({"backups": rows})
    elif not rows:
        screen.write("No backup was made of this brain yet: gbrain backup create")
    else:
        lines = [(_when(row["created"]), row["state"], _size(row.get("bytes")), row["path"]) for row in rows]
        screen.write(screen.table(("made", "state", "size", "folder"), lines, whole=True))
    return 0


def _verify(backup: str | None, as_json: bool) -> int:
    path = _found(backup, "verify")
    manifest, wrong = verify(path)
    if as_json:
        made = _row(path, manifest) if manifest is not None else {"path": path}
        screen.write_json({"status": "damaged" if wrong else "success", **made, "problems": wrong})
    elif wrong or manifest is None:
        screen.write("\n".join([f"{path} is damaged:", *(f"  {line}" for line in wrong)]))
    else:
        screen.write(f"{path} is whole: {_counts(manifest)}; {_weight(manifest)}, made {_when(manifest.created)}")
    return 1 if wrong else 0


def _restore(backup: str | None, path: str | None, postgres: str | None, force: bool, as_json: bool) -> int:
    if path is not None and screen.asked_brain() is not None:
        raise InvalidParams("--path and --brain both say where to", "leave out one of the two")
    found = _found(backup, "restore")
    home = os.path.join(os.path.abspath(path), ".gbrain") if path is not None else screen.chosen().home
    with bars.lines(_say, shown=not as_json) as say:
        done = restore(found, home, postgres, force, say)
    if as_json:
        answer = {"status": "success", "home": done.home, "place": done.place, "kept": done.kept}
        screen.write_json({**answer, "backup": _row(found, done.manifest)})
        return 0
    paint = screen.paint()
    lines = [f"Restored to {paint.name(done.place)} and compared: {_counts(done.manifest)}"]
    lines += [f"  the brain that was there is kept in {done.kept}"] if done.kept else []
    if path is not None:
        lines += ["  use it with:", f"    export {homes.ENV_HOME}={shlex.quote(os.path.abspath(path))}"]
    screen.write("\n".join(lines))
    return 0


def _say(text: str) -> None:
    """Tell a person at a terminal what is being done."""
    if sys.stderr is not None and sys.stderr.isatty():
        screen.note(text)


def _found(backup: str | None, command: str) -> str:
    """The folder of the backup that is meant."""
    if backup is None:
        raise InvalidParams(f"gbrain backup {command} needs BACKUP", f"run: gbrain backup {command} latest")
    return backups.find(screen.chosen().home, backup)


def _row(path: str, manifest: Manifest) -> dict[str, Any]:
    said = {name: getattr(manifest, name) for name in ("created", "gbrain", "engine", "schema", "brain")}
    rows = {name: table.rows for name, table in manifest.tables.items()}
    size = sum(file.size for file in manifest.files.values())
    return {"path": path, **said, "rows": rows, "ended": manifest.ended, "bytes": size}


def _counts(manifest: Manifest) -> str:
    rows = {name: table.rows for name, table in manifest.tables.items()}
    return ", ".join(
        screen.counted(rows.get(name, 0) - manifest.ended.get(name, 0), name.removeprefix("page_").removesuffix("s"))
        + (f" (and {manifest.ended[name]:,} {ENDED[name]})" if manifest.ended.get(name) else "")
        for name in SHOWN
    )


def _weight(manifest: Manifest) -> str:
    files = screen.counted(len(manifest.files), "file")
    return f"{files}, {_size(sum(file.size for file in manifest.files.values()))}"


def _size(count: int | None) -> str:
    return "" if count is None else f"{count / 1_000_000:,.1f} MB"


def _when(created: str) -> str:
    try:
        return datetime.fromisoformat(created).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return "unknown"


def _backup_argument() -> Positional:
    return Positional("backup", "A folder, the name of a listed backup, or latest.", must=True)


backup = Group(
    "backup",
    help="Back the brain up while it is in use, and put a backup back.\n\n"
    "A backup is a folder: the brain as one SQLite file, whichever database keeps it, its banked turns and journals,"
    " and a manifest with the hash of each file.",
    examples=("gbrain backup create --keep 7", "gbrain backup verify latest"),
    commands=[
        Command(
            "create",
            params=[
                Option(["--to"], metavar="FOLDER", help="Where to put it; else in `backups` of the brain's home."),
                Option(
                    ["--keep"],
                    type=int,
                    metavar="N",
                    help="Then delete all but the newest N backups of this brain there; else the setting backup.keep.",
                ),
                json_option(),
            ],
            callback=_create,
            help="Back the brain up, as it is at one moment. Others write on meanwhile.",
            examples=("gbrain backup create", "gbrain backup create --to copies --keep 7"),
        ),
        Command(
            "list",
            params=[json_option()],
            callback=_list,
            help="List the backups that were made of this brain, wherever they were put.",
            examples=("gbrain backup list",),
        ),
        Command(
            "verify",
            params=[
                _backup_argument(),
                json_option(),
            ],
            callback=_verify,
            help="Look a backup through: every file against its hash, the database as the doctor does, every row"
            " against what was counted. Ends with 1 when it is damaged.",
            examples=("gbrain backup verify latest",),
        ),
        Command(
            "restore",
            params=[
                _backup_argument(),
                Option(["--path"], metavar="FOLDER", help="Restore into FOLDER/.gbrain, not into the home in use."),
                Option(["--postgres"], metavar="URL", help="Restore into this database, which becomes the home's."),
                Option(["--force"], is_flag=True, help="Take the place of a brain that is there; it is kept beside."),
                json_option(),
            ],
            callback=_restore,
            help="Put a backup back and compare it. It is refused while a server or an agent uses the brain there.",
            examples=("gbrain backup restore latest --path again",),
        ),
    ],
)

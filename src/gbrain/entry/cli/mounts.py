"""`gbrain mounts`: names for other brains, kept in the home of this one."""

import os
import shutil
from typing import Any

from gbrain import home as homes, mounts as held
from gbrain.brain import join_database, join_remote
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Group, Option, Positional, json_option
from gbrain.entry.cli.token import given_token, token_options
from gbrain.errors import BrainError, InvalidParams, NotFound
from gbrain.mounts import HOST, Mount


def _add(name: str | None, place: str | None, path: str | None, as_json: bool, **token: str | None) -> int:
    if name is None or place is None:
        raise InvalidParams("gbrain mounts add needs NAME and PLACE", "run: gbrain mounts add --help")
    host = homes.resolve()
    held.check_name(name)
    if name in held.mounted(host):
        raise InvalidParams(f"there is a mount {name!r} already", f"run: gbrain mounts remove {name}, or take another")
    covers = _folder(path) if path is not None else None
    homes.prepare(host)
    home = _homed(host, name, place, given_token(**token))
    try:
        held.add(host, Mount(name, home, covers))
    except BrainError:
        _clear(host, Mount(name, home, covers))
        raise
    row = _row(Mount(name, home, covers))
    if as_json:
        screen.write_json(row)
        return 0
    paint = screen.paint()
    covering = f", for {covers} and what is below it" if covers is not None else ""
    screen.write(
        f"Mounted {paint.name(name)}: {row['kind']}, {row['place']}{covering}\n"
        f"  gbrain --brain {name} recall\n"
        f"  echo {name} > {held.DOTFILE}    # in a folder: for everything that is done there"
    )
    return 0


def _homed(host: str, name: str, place: str, token: str | None) -> str:
    """The home that leads to a place, once a brain was found there; one is made for a database and for a server."""
    remote = place.partition("://")[0].lower() in ("http", "https")
    if token is not None and not remote:
        raise InvalidParams("a token is for the server of a brain", "leave out the token, or give its URL as PLACE")
    if not remote and not homes.is_url(place):
        return _existing(host, place)
    home = held.own_home(host, name)
    before = os.path.lexists(home)
    try:
        if remote:
            join_remote(home, place, token, name)[0].close()
        else:
            join_database(home, place, create=False).close()
    except BaseException:
        if not before:
            shutil.rmtree(home, ignore_errors=True)
        raise
    return home


def _existing(host: str, place: str) -> str:
    """The home of a brain in a folder of this machine: the folder itself, or the `.gbrain` in it."""
    folder = os.path.realpath(os.path.expanduser(place))
    inside = os.path.join(folder, ".gbrain")
    home = inside if os.path.isdir(inside) else folder
    if home == os.path.realpath(host):
        raise InvalidParams(
            "that is the brain of this home, which has a name already", "run: gbrain --brain host whoami"
        )
    homes.refuse_foreign(home)
    if not homes.has_brain(home):
        raise NotFound(f"there is no brain in {folder}", f"make one: gbrain init --path {folder}")
    return home


def _folder(path: str) -> str:
    """A folder that a mount covers, as a process that stands in it sees it."""
    folder = os.path.realpath(os.path.expanduser(path))
    if not os.path.isdir(folder):
        raise InvalidParams(f"there is no folder {path[:200]}", "name one that is there: --path FOLDER")
    return folder


def _list(as_json: bool) -> int:
    host = homes.resolve()
    rows = [_row(Mount(HOST, host, None)), *(_row(mount) for mount in held.mounted(host).values())]
    try:
        current, unchosen = held.in_use(screen.chosen()), None
    except BrainError as error:
        # Whoever named a brain that is not mounted looks here for the ones that are.
        current, unchosen = None, error
    if as_json:
        screen.write_json({"mounts": rows, "in_use": current})
        return 0
    paint = screen.paint()
    lines = [
        (
            f"* {row['name']}" if current is not None and row["name"] == current["name"] else f"  {row['name']}",
            row["kind"],
            row["place"],
            row["path"] or "",
        )
        for row in rows
    ]
    screen.write(screen.table(("brain", "kind", "place", "covers"), lines))
    if current is not None:
        screen.write(paint.dim(f"* is used here: {held.reason(current['selected_by'], current.get('said_in', ''))}"))
    if unchosen is not None:
        screen.note(f"note: none is used here: {unchosen.message}")
    return 0


def _row(mount: Mount) -> dict[str, Any]:
    """A mount as it is shown: nothing secret is in it."""
    try:
        kind: str = homes.kind(mount.home)
        state = "ok" if homes.has_brain(mount.home) else "no brain"
        place = homes.place(mount.home)
    except BrainError:
        kind, place, state = "unknown", mount.home, "damaged"
    if state != "ok" and mount.name != HOST:
        place += f" ({state})"
    return {"name": mount.name, "kind": kind, "place": place, "path": mount.path, "state": state}


def _remove(name: str | None, as_json: bool) -> int:
    if name is None:
        raise InvalidParams("gbrain mounts remove needs NAME", "run: gbrain mounts list")
    if name == HOST:
        raise InvalidParams("host is the brain of this home, and no mount", "run: gbrain mounts list")
    host = homes.resolve()
    mount = held.remove(host, name)
    _clear(host, mount)
    if as_json:
        screen.write_json({"removed": name})
    else:
        screen.write(f"{name} is no name of a brain here any more; the brain itself was left alone")
    return 0


def _clear(host: str, mount: Mount) -> None:
    """Remove the home that was made for a mount, and with it the token or the password."""
    own = held.own_home(host, mount.name)
    if mount.home == own and homes.has_address(own):
        shutil.rmtree(own, ignore_errors=True)


mounts = Group(
    "mounts",
    help="Give other brains a name here: folders, databases, servers.\n\n"
    "A brain is chosen by --brain NAME, else by GBRAIN_BRAIN_ID, else by the file .gbrain-mount in this folder or one"
    " above, else by the mount that covers this folder, else it is the one of this home, whose name is host.",
    examples=("gbrain mounts list", "gbrain mounts add team https://brain.example.com --token-file token.txt"),
    commands=[
        Command(
            "add",
            params=[
                Positional("name", "What to call it: lower-case letters, digits and inner hyphens.", must=True),
                Positional("place", "A folder with a brain, a PostgreSQL URL, or the URL of a server.", must=True),
                Option(["--path"], metavar="FOLDER", help="Use it for everything in this folder and below."),
                *token_options(),
                json_option(),
            ],
            callback=_add,
            help="Give another brain a name. It has to answer now, so that a wrong place or token is found at once.",
            examples=(
                "gbrain mounts add team https://brain.example.com --token-file token.txt",
                "gbrain mounts add family ~/family --path ~/family",
            ),
        ),
        Command(
            "list",
            params=[json_option()],
            callback=_list,
            help="List the brains that have a name here, and which one is used in this folder.",
            examples=("gbrain mounts list", "gbrain mounts list --json"),
        ),
        Command(
            "remove",
            params=[Positional("name", "The name of the mount.", must=True), json_option()],
            callback=_remove,
            help="Forget the name of a brain, and the token or password that led to it. The brain is left alone.",
            examples=("gbrain mounts remove team",),
        ),
    ],
)

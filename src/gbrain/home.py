"""Where a brain lives on this machine: `$GBRAIN_HOME/.gbrain`, else `~/.gbrain`."""

import os
import stat

from gbrain.errors import InvalidParams, Unavailable

DATABASE = "brain.db"
ENV_HOME = "GBRAIN_HOME"


def resolve(override: str | None = None) -> str:
    """The absolute path of the home folder; nothing is created.

    `override` is a folder to use as it is. Raises InvalidParams when `GBRAIN_HOME` is relative or has `..`.
    """
    if override is not None:
        return os.path.abspath(override)
    base = os.environ.get(ENV_HOME, "")
    if base:
        if not os.path.isabs(base) or ".." in base.split(os.sep):
            raise InvalidParams(
                f"{ENV_HOME} must be an absolute path without '..'",
                f"run: export {ENV_HOME}=/absolute/folder",
            )
        return os.path.join(base, ".gbrain")
    return os.path.join(os.path.expanduser("~"), ".gbrain")


def database_path(home: str) -> str:
    """The embedded store's file inside a home."""
    return os.path.join(home, DATABASE)


def has_brain(home: str) -> bool:
    """Whether a brain's file is in a home; an empty one is none. Raises Unavailable when that cannot be told."""
    path = database_path(home)
    try:
        return os.stat(path).st_size > 0 or os.path.exists(path + "-wal")
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Unavailable(
            f"the home {home} cannot be read: {error.strerror or error}",
            "check its permissions, then run: gbrain doctor",
            detail={"reason": "home_unreadable", "home": home},
        ) from None


def foreign_marks(home: str) -> list[str]:
    """Files that the TypeScript gbrain leaves in a home, by name; empty for ours or a fresh one."""
    marks = [name for name in ("brain.pglite", "pglite") if os.path.isdir(os.path.join(home, name))]
    config = os.path.join(home, "config.json")
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            text = file.read(65536)
    except OSError:
        return marks
    if '"database_path"' in text or '"database_url"' in text or '"engine"' in text:
        marks.append("config.json")
    return marks


def refuse_foreign(home: str) -> None:
    """Raise Unavailable when this home belongs to the TypeScript gbrain. Nothing in it is touched."""
    marks = foreign_marks(home)
    if marks:
        raise Unavailable(
            f"{home} was written by the TypeScript gbrain ({', '.join(marks)}); this gbrain leaves it untouched",
            f"choose another home: {ENV_HOME}=$HOME/gbrain-py gbrain init",
            detail={"reason": "foreign_home", "home": home, "marks": marks},
        )


def prepare(home: str) -> None:
    """Create the home with mode 0700, after making sure that it is nobody else's.

    Raises Unavailable when it cannot be created or belongs to the TypeScript gbrain.
    """
    refuse_foreign(home)
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        if os.name == "posix" and stat.S_IMODE(os.stat(home).st_mode) & 0o077:
            os.chmod(home, 0o700)
    except OSError as error:
        raise Unavailable(
            f"the home {home} cannot be prepared: {error.strerror or error}",
            f"choose a folder you may write to: {ENV_HOME}=/absolute/folder gbrain init",
            detail={"reason": "home_unwritable", "home": home},
        ) from None

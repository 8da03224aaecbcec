"""Keys of providers: from the environment, else from a file of the home. They are never stored elsewhere nor shown."""

import os

from gbrain import plain

FOLDER = "keys"
LONGEST = 4096


class KeyUnusable(Exception):
    """A file with a key that is not used. `fix` is what to do; neither holds anything of the key."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message, self.fix = message, fix


def path_of(home: str, variable: str) -> str:
    """Where the file of a key is: named like its variable, in the folder `keys` of the home."""
    return os.path.join(home, FOLDER, variable)


def read_key(home: str, variable: str) -> str | None:
    """The key of a variable: from the environment, else from its file; None without one, and for no variable.

    Raises KeyUnusable for a file that others may read, or that cannot be read.
    """
    if not variable:
        return None
    if said := os.environ.get(variable, "").strip():
        return said
    path = path_of(home, variable)
    try:
        with open(path, encoding="utf-8") as file:
            # Of the open file: the name could lead elsewhere by the time it is read.
            if plain.others_may_read(os.fstat(file.fileno())):
                raise KeyUnusable(f"{path} may be read by others, so it is not used", f"run: chmod 600 {path}")
            return file.read(LONGEST).strip() or None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise KeyUnusable(
            f"{path} cannot be read: {type(error).__name__}", f"write the key anew into {path}, mode 600"
        ) from None

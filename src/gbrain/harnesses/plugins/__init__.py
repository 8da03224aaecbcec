"""The plugins of the agents that have no shell hooks: one folder an agent, filled in for the machine they are put on.

They run the capture hook and the recall hook, which see to everything else.
"""

import json
import os
from collections.abc import Sequence

from gbrain.harnesses.facts import Wanted

HARNESSES = ("opencode", "openclaw")
_HERE = os.path.dirname(__file__)
_AMBIENT = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "ambient")
_EMPTY = "const GBRAIN = null"


def wanted_files(harness: str, wanted: Wanted) -> dict[str, str]:
    """The files of an agent's plugin for what is wanted; none where no hook is."""
    command = wanted.hook or wanted.recall
    if not command:
        return {}
    options = wanted.hook_options or wanted.recall_options
    return files(harness, command[0], options, base=wanted.base, capture=bool(wanted.hook), recall=bool(wanted.recall))


def files(
    harness: str,
    python: str,
    flags: Sequence[str] = (),
    *,
    base: str | None = None,
    capture: bool = True,
    recall: bool = True,
) -> dict[str, str]:
    """The files of an agent's plugin, by their names inside its folder, ready to be written.

    `python` is the absolute path of the interpreter that runs gbrain, `flags` are those of both hooks (`--home`,
    `--source`, `--capture`), `base` is `GBRAIN_HOME` where it is not the person's home; `capture` and `recall` say
    which hooks it runs.
    """
    filled = {
        "python": python,
        "capture": os.path.join(_AMBIENT, "hook.py") if capture else None,
        "recall": os.path.join(_AMBIENT, "recall_hook.py") if recall else None,
        "flags": list(flags),
        "home": base,
    }
    made = {}
    folder = os.path.join(_HERE, harness)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            made[name] = file.read().replace(_EMPTY, f"const GBRAIN = {json.dumps(filled)}", 1)
    return made

"""The settings of ambient memory as `config.json` mirrors them, for those who may not open the store.

The mirror never enables a brain: what is banked because of it becomes facts only where the store agrees.
"""

import json
import os

FILE = "config.json"
MODES = ("off", "salient", "all")
_MOST_BYTES = 1024 * 1024


def mode(home: str) -> "str | None":
    """`off`, `salient` or `all`; None where nothing is set. Anything else, and a file that cannot be read, is `off`."""
    try:
        with open(os.path.join(home, FILE), "rb") as file:
            said = json.loads(file.read(_MOST_BYTES))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return "off"
    memory = said.get("memory") if isinstance(said, dict) else None
    value = memory.get("auto_writeback") if isinstance(memory, dict) else None
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    folded = value.strip().lower() if isinstance(value, str) else ""
    return folded if folded in MODES else "off"

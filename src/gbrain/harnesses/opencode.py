"""opencode."""

import os

from gbrain.harnesses.facts import Facts


def folder() -> str:
    """`$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.abspath(os.path.join(base, "opencode"))


FACTS = Facts("opencode", "opencode", "opencode", folder)

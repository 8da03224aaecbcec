"""Suggestions as a person types them: the parameters of a call become the options of a command line."""

import re
import shlex
from collections.abc import Mapping

_BARE = r"[^\s\"'`,;:()]*[^\s\"'`,;:().]"


def spelled(suggestion: str, options: Mapping[str, str]) -> str:
    """The suggestion with `name: "value"` and `name: value` as `--name value`.

    `options` maps the parameters of the command that is run to their options; all other words stay as they are, and
    so does a suggestion about front matter, whose keys are written the same way.
    """
    if not options or "front matter" in suggestion:
        return suggestion
    names = "|".join(re.escape(name) for name in options)
    pattern = rf"(?<![\w.-])({names}): (?:\"([^\"]*)\"|({_BARE}))(?![\w:])"

    def option(found: re.Match[str]) -> str:
        flag, quoted, bare = options[found[1]], found[2], found[3]
        if bare == "true":
            return flag
        if bare == "false":
            return f"--no-{flag.removeprefix('--')}"
        return f"{flag} {shell_word(quoted if quoted is not None else bare)}"

    return re.sub(pattern, option, suggestion)


def shell_word(text: str) -> str:
    """One word for a shell; in double quotes where those are enough, since they are what people type."""
    if re.search(r"[\"$`\\!]", text) or shlex.quote(text) == text:
        return shlex.quote(text)
    return f'"{text}"'

"""What a command writes: JSON as UTF-8 for programs, text for people, styled only on a terminal."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import click

from gbrain.brain import Brain, RemoteBrain, chosen_brain, open_brain
from gbrain.entry.place import selected
from gbrain.errors import BrainError
from gbrain.mounts import Choice

_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if code not in (9, 10)}
"""Control characters that would speak to a terminal; tab and newline stay."""

_ESCAPED = {code: f"\\u{code:04x}" for code in range(127, 160)}
"""The control characters that JSON allows to stand in a text, in the form that steers nothing."""

_ONE_LINE = {10: "\\n", 9: "\\t", 13: "\\r"} | {
    code: f"\\u{code:04x}"
    for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029,
                 *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}  # fmt: skip
"""What may stand in the name of a file and would end a line, steer a terminal or turn the text around, as escapes."""


class Paint:
    """Styles for text; every method returns its text unchanged when nobody would see the style."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def bold(self, text: str) -> str:
        """What the eye should find first."""
        return click.style(text, bold=True) if self.colour else text

    def dim(self, text: str) -> str:
        """What matters least."""
        return click.style(text, dim=True) if self.colour else text

    def name(self, text: str) -> str:
        """A slug, an id or another name that can be passed back to a command."""
        return click.style(text, fg="cyan") if self.colour else text

    def good(self, text: str) -> str:
        """All is well."""
        return click.style(text, fg="green") if self.colour else text

    def warning(self, text: str) -> str:
        """Worth a look."""
        return click.style(text, fg="yellow") if self.colour else text

    def bad(self, text: str) -> str:
        """Something is wrong."""
        return click.style(text, fg="red") if self.colour else text


def on_terminal() -> bool:
    """Whether a person reads stdout."""
    return sys.stdout is not None and sys.stdout.isatty()


def paint() -> Paint:
    """The styles that fit stdout; `NO_COLOR` and a dumb terminal have none."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Paint(on_terminal() and not plain)


def write(text: str, *, end: str = "\n") -> None:
    """Write text to stdout as UTF-8, whatever the locale."""
    if sys.stdout is None:
        return
    stream = getattr(sys.stdout, "buffer", None)
    data = text + ("" if text.endswith("\n") or not end else end)
    if stream is None:
        sys.stdout.write(data)
        return
    # What click printed is still in the text layer above, and would come after these bytes.
    sys.stdout.flush()
    # A name of a file that is no UTF-8 has lone surrogates.
    stream.write(data.encode("utf-8", "backslashreplace"))
    stream.flush()


def write_json(value: Any) -> None:
    """Write one JSON document to stdout."""
    write(json_text(value))


def json_text(value: Any) -> str:
    """A JSON document, with nothing in it that would steer a terminal."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # JSON escapes only what is below 32; 0x9b, for one, begins a control sequence on some terminals.
    return text.translate(_ESCAPED) if on_terminal() else text


def json_line(value: Any) -> str:
    """A JSON document on one line, as `json_text` makes it."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.translate(_ESCAPED) if on_terminal() else text


def note(text: str) -> None:
    """One line to stderr, beside the answer."""
    click.echo(text, err=True)


def harmless(value: Any) -> Any:
    """The value with every control character taken out of its texts: stored text never steers a terminal."""
    return _translated(value, _CONTROL)


def on_one_line(value: Any) -> Any:
    """The value with each of its texts on one line that shows what is in it: for what names files."""
    return _translated(value, _ONE_LINE)


def _translated(value: Any, table: Mapping[int, str | None]) -> Any:
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, dict):
        return {key: _translated(item, table) for key, item in value.items()}
    if isinstance(value, list):
        return [_translated(item, table) for item in value]
    return value


def minute(wire: str) -> str:
    """A wire time as people read it, to the minute."""
    return f"{wire[:10]} {wire[11:16]} UTC"


def counted(number: int, noun: str) -> str:
    """A number with its noun, which takes an s except after 1."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, whole: bool = False) -> str:
    """Rows as tab-separated lines, or on a terminal as a table with its head.

    A table too wide for the terminal loses the ends of its cells; when they are needed `whole`, each row becomes a
    block of lines instead.
    """
    if not on_terminal():
        return "\n".join("\t".join(row) for row in rows)
    # 45 ms, and only a person at a terminal sees a table.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(color_system="auto" if paint().colour else None)
    shown = Table(*head, box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for row in rows:
        # As `Text`, since a plain string in brackets would be taken for rich's markup.
        shown.add_row(*(Text(cell) for cell in row))
    if whole and console.measure(shown, options=console.options.update(max_width=10_000)).maximum > console.width:
        wide = max(map(len, head)) + 2
        return "\n\n".join(
            "\n".join([row[0], *(f"  {name:<{wide}}{cell}" for name, cell in zip(head[1:], row[1:], strict=True))])
            for row in rows
        )
    with console.capture() as captured:
        console.print(shown)
    return captured.get().strip("\n")


def asked_brain() -> str | None:
    """The brain that the command line names with `--brain`, None when it names none."""
    ctx = click.get_current_context(silent=True)
    name = ctx.find_root().params.get("brain") if ctx is not None else None
    return name if isinstance(name, str) else None


def chosen() -> Choice:
    """The brain this command line is for. Raises as `mounts.choose` does."""
    return chosen_brain(brain=asked_brain())


def opened(source: str | None, *, as_json: bool) -> Brain | RemoteBrain:
    """Open the brain for one command. A person is told, once, that a newer gbrain opened it."""
    brain = open_brain(brain=asked_brain(), source=selected(source))
    if not as_json and isinstance(brain, Brain):
        announce_upgrade(brain)
    return brain


def announce_upgrade(brain: Brain) -> None:
    """Print the notice of an upgrade to a person at a terminal, the first time one is there to read it.

    What a new version has to ask of the person goes to stderr whoever reads it: an agent can pass it on.
    """
    if sys.stderr is None:
        return
    try:
        if not brain.upgraded():
            return
        before = brain.take_notice() if sys.stderr.isatty() else None
    except BrainError:
        # A store that cannot be written to now keeps the notice for the next command.
        return
    if before is not None:
        # The version is one line of the package itself; only an upgrade's first command needs it.
        from gbrain import __version__

        note(f"gbrain was upgraded from {before} to {__version__}; see CHANGELOG")
    ask_consent(brain)


def ask_consent(brain: Brain) -> None:
    """Ask the person once, by way of whoever reads stderr, if agents may save unasked."""
    if sys.stderr is not None:
        # A new brain and an upgrade ask, no other command does.
        from gbrain.ambient.asking import ask

        ask(brain.store, brain.chosen, brain.clock(), note, person=sys.stderr.isatty())


def declined(then: str) -> NoReturn:
    """End a command whose changes a person did not want, which is no failure; `then` is what else they can do."""
    write(f"Nothing was changed. {then}")
    raise click.exceptions.Exit(0)

"""`gbrain ui`: the viewer, in the browser of this machine."""

import click

from gbrain.brain import Brain
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option
from gbrain.errors import InvalidParams


def _ui(port: int, open_: bool, as_json: bool) -> int:
    # Only the viewer needs a web server and templates, which take 200 ms to load.
    from gbrain.entry.web.serving import serve

    with screen.opened(None, as_json=False) as brain:
        if not isinstance(brain, Brain):
            raise InvalidParams("the viewer shows a brain of this machine", "run it where the brain is: gbrain ui")
        return serve(brain, port, lambda link: _ready(link, open_, as_json))


def _ready(link: str, open_: bool, as_json: bool) -> None:
    if as_json:
        screen.write(screen.json_line({"link": link}))
        return
    screen.write(f"The viewer is at {link}\n  the link works once, within ten minutes; Ctrl-C ends it")
    if open_ and screen.on_terminal():
        # Only a person at a terminal has a browser to open.
        import webbrowser

        webbrowser.open(link)


ui = Command(
    "ui",
    params=[
        Option(["--port"], type=click.IntRange(0, 65535), default=0, help="Listen there; a free port unless given."),
        Option(["--open/--no-open", "open_"], default=True, help="Open the browser, where this is a terminal."),
        Option(["--json", "as_json"], is_flag=True, help="Write the link as JSON; no browser is opened."),
    ],
    callback=_ui,
    help="Open the viewer: what the brain knows, why, and every move that takes it back.\n\n"
    "It listens on this machine alone and lets in the one browser that opens its link.",
    examples=("gbrain ui --no-open",),
)

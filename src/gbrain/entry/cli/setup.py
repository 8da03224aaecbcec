"""Commands that join the brain to this machine: init, serve, call, completion."""

import json
import os
import shlex
import sys
from typing import Any, NoReturn

import click

from gbrain import home as homes, registry
from gbrain.brain import open_brain
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option, Positional, json_option
from gbrain.errors import InvalidParams
from gbrain.types import SURFACES, Caller

SHELLS = ("bash", "zsh", "fish")


def server_command() -> list[str]:
    """How a client starts the server: this installation's `gbrain`, by its absolute path."""
    beside = os.path.join(os.path.dirname(sys.executable), "gbrain")
    return [beside, "serve"] if os.path.exists(beside) else [sys.executable, "-m", "gbrain", "serve"]


def registrations(base: str | None) -> dict[str, str]:
    """What to run, or to put where, to connect each client; `base` is the value of GBRAIN_HOME, None if unset."""
    command, *arguments = server_command()
    env = {homes.ENV_HOME: base} if base else {}
    server: dict[str, Any] = {"type": "stdio", "command": command, "args": arguments}
    if env:
        server["env"] = env
    # With alwaysLoad Claude Code waits for the server and shows its tools from the first message on.
    claude = json.dumps({**server, "alwaysLoad": True}, ensure_ascii=False)
    codex = ["codex", "mcp", "add", "gbrain", *(f"--env={key}={value}" for key, value in env.items()), "--"]
    plain = {key: value for key, value in server.items() if key != "type"}
    return {
        "Claude Code": f"claude mcp add-json -s user gbrain {shlex.quote(claude)}",
        "Codex": shlex.join([*codex, command, *arguments]),
        "other clients": json.dumps({"mcpServers": {"gbrain": plain}}, ensure_ascii=False),
    }


def _init(path: str | None, as_json: bool) -> int:
    base = os.path.abspath(path) if path is not None else os.environ.get(homes.ENV_HOME) or None
    home = os.path.join(base, ".gbrain") if path is not None and base is not None else None
    existed = os.path.exists(homes.database_path(homes.resolve(home)))
    with open_brain(home, create=True) as brain:
        stats = registry.call(brain, Caller.local("cli"), "get_stats").value
        folder = brain.home
        if not as_json:
            screen.announce_upgrade(brain)
    clients = registrations(base)
    if as_json:
        answer = {"status": "success", "engine": "sqlite", "created": not existed, "home": folder}
        counts = {"pages": stats["page_count"], "facts": stats.get("fact_count", 0)}
        screen.write_json({**answer, "path": homes.database_path(folder), **counts, "clients": clients})
        return 0
    paint = screen.paint()
    state = "is here already" if existed else "is ready"
    lines = [f"The brain {state}: {paint.name(homes.database_path(folder))}"]
    lines.append(f"  {stats['page_count']} pages, {stats.get('fact_count', 0)} facts")
    if path is not None and base != os.environ.get(homes.ENV_HOME):
        lines += ["", "Every command needs to know this place:", f"  export {homes.ENV_HOME}={shlex.quote(str(base))}"]
    lines += ["", paint.bold("Connect an agent:")]
    for client, line in clients.items():
        lines += [f"  {client}:", f"    {line}"]
    lines += ["", paint.bold("Try it:"), '  gbrain remember "prefers green tea" --provenance "first try"']
    screen.write("\n".join([*lines, "  gbrain recall", "  gbrain doctor"]))
    return 0


def _serve(surface: str | None, source: str | None) -> int:
    # The server's loop is of no use to the commands beside it.
    from gbrain.entry.launch import serve as serve_stdio

    return serve_stdio(surface, source)


def _call(tool: str | None, arguments: str | None, source: str | None, as_json: bool) -> int:
    if tool is None:
        raise InvalidParams("gbrain call needs TOOL", "run: gbrain --help, or: gbrain call whoami '{}'")
    given = _arguments(tool, sys.stdin.read() if arguments == "-" else arguments or "{}")
    with screen.opened(source, as_json=True) as brain:
        reply = registry.call(brain, Caller.local("cli"), tool, given)
    screen.write_json(reply.value)
    for warning in reply.warnings:
        screen.note(f"note: {warning['message']}")
    return 0


def _arguments(tool: str, text: str) -> dict[str, Any]:
    try:
        given = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidParams(
            "the arguments are not a JSON object", f"quote one for the shell: gbrain call {tool[:64]} '{{}}'"
        )
    return given


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _completion(shell: str | None, as_json: bool) -> int:
    # Only the person who sets completion up needs it.
    from click.shell_completion import get_completion_class

    from gbrain.entry.cli.root import COMPLETION, ROOT

    chosen = shell or os.path.basename(os.environ.get("SHELL", ""))
    found = get_completion_class(chosen) if chosen in SHELLS else None
    if found is None:
        raise InvalidParams("gbrain completion needs the name of a shell", f"run: gbrain completion {SHELLS[0]}")
    script = found(ROOT, {}, "gbrain", COMPLETION).source()
    if as_json:
        screen.write_json({"shell": chosen, "script": script})
    else:
        screen.write(script)
    return 0


init = Command(
    "init",
    params=[
        Option(["--path"], metavar="FOLDER", help="Make it in FOLDER/.gbrain; GBRAIN_HOME=FOLDER leads there."),
        json_option(),
    ],
    callback=_init,
    help="Make the brain of this machine, and say how to connect an agent to it.\n\n"
    "The brain lies in $GBRAIN_HOME/.gbrain, else in ~/.gbrain. One that is there already is left as it is.",
    examples=("gbrain init", "gbrain init --json"),
)

serve = Command(
    "serve",
    params=[
        Option(
            ["--surface"],
            type=click.Choice(SURFACES),
            help="Which tools to offer: the seven verbs, the starter set or all. [default: the setting mcp_surface]",
        ),
        Option(["--source"], metavar="SOURCE", help="Use this source of the brain."),
    ],
    callback=_serve,
    help="Serve the brain to an agent: MCP on stdin and stdout.\n\n"
    "An MCP client starts this command itself; `gbrain init` shows how to tell it.",
    examples=("gbrain serve", "gbrain serve --surface verbs"),
)

call = Command(
    "call",
    params=[
        Positional("tool", "The name of the operation.", must=True),
        Positional("arguments", "Its arguments as a JSON object; - reads them from stdin.", must=False, metavar="JSON"),
        Option(["--source"], metavar="SOURCE", help="Use this source of the brain."),
        json_option(),
    ],
    callback=_call,
    help="Call any operation by name with JSON arguments, and print its JSON answer.",
    examples=("gbrain call whoami '{}'", "gbrain call recall '{\"limit\": 5}'"),
)

completion = Command(
    "completion",
    params=[Positional("shell", "bash, zsh or fish.", must=False), json_option()],
    callback=_completion,
    help="Print the completion script of a shell.\n\nPut its output where your shell reads completions, "
    'or into its start-up file: eval "$(gbrain completion bash)".',
    examples=("gbrain completion bash > gbrain.bash", "gbrain completion fish"),
)

"""Commands that join the brain to this machine: init, serve, call, completion."""

import json
import os
import shlex
import sys
from typing import Any, NamedTuple, NoReturn

import click

from gbrain import home as homes, registry
from gbrain.brain import Brain, join_database, join_remote, open_brain, open_home
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Command, Option, Positional, json_option
from gbrain.entry.cli.token import given_token, token_options
from gbrain.errors import InvalidParams, Unavailable
from gbrain.mounts import HOST
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


def _init(path: str | None, postgres: str | None, rls: bool, as_json: bool, **remote: str | None) -> int:
    if screen.asked_brain() not in (None, HOST):
        raise InvalidParams(
            "gbrain init makes the brain of this home, and --brain names another",
            "leave out --brain; another brain gets a name with: gbrain mounts add NAME PLACE",
        )
    base = os.path.abspath(path) if path is not None else os.environ.get(homes.ENV_HOME) or None
    home = os.path.join(base, ".gbrain") if path is not None and base is not None else None
    joined = _joined(home, postgres, rls, **remote)
    if joined is not None:
        return _tell_joined(joined, base, path is not None, as_json)
    left = _own_place(home) if postgres is not None else None
    opened, created = _made(home, postgres, rls)
    with opened as brain:
        _tell_made(brain, created, left, base, path is not None, as_json)
        # What the question says to run is for the home in use; a brain elsewhere asks once it is that.
        if not _is_elsewhere(base, path is not None):
            screen.ask_consent(brain)
    return 0


def _is_elsewhere(base: str | None, named: bool) -> bool:
    """Whether a brain's home was named on the command line and is not the one that other commands use."""
    return named and base != os.environ.get(homes.ENV_HOME)


def _tell_made(brain: Brain, created: bool, left: str | None, base: str | None, elsewhere: bool, as_json: bool) -> None:
    stats = registry.call(brain, Caller.local("cli"), "get_stats").value
    folder, engine = brain.home, brain.store.engine.name
    if not as_json:
        screen.announce_upgrade(brain)
    clients = registrations(base)
    url, place = homes.database_url(folder), homes.place(folder)
    left = left if left != place else None
    if as_json:
        answer = {"status": "success", "engine": engine, "created": created, "home": folder}
        answer.update({"left": left} if left else {})
        counts = {"pages": stats["page_count"], "facts": stats.get("fact_count", 0)}
        where = {"path" if url is None else "url": place}
        screen.write_json({**answer, **where, **counts, "clients": clients})
        return
    paint = screen.paint()
    state = "is ready" if created else "is here already"
    lines = [f"The brain {state}: {paint.name(place)}"]
    lines.append(f"  {stats['page_count']} pages, {stats.get('fact_count', 0)} facts")
    lines += [f"  the brain this home had stays at {left} and is not used any more"] if left else []
    screen.write("\n".join([*lines, *_next_steps(base, elsewhere, clients)]))


def _own_place(home: str | None) -> str | None:
    """Where the brain lies that a home has by now, None where it has none or does not say."""
    folder = homes.resolve(home)
    try:
        return homes.place(folder) if homes.has_brain(folder) else None
    except Unavailable:
        # What cannot be read is about to be written anew.
        return None


def _next_steps(base: str | None, elsewhere: bool, clients: dict[str, str]) -> list[str]:
    """What to do with a brain that is ready; `elsewhere` when its home was named on the command line."""
    paint = screen.paint()
    lines: list[str] = []
    if _is_elsewhere(base, elsewhere):
        lines += ["", "Every command needs to know this place:", f"  export {homes.ENV_HOME}={shlex.quote(str(base))}"]
    lines += ["", paint.bold("Connect your agents:"), "  all that are on this machine, after a look at what it writes:"]
    lines += ["    gbrain bootstrap harness", "  or one by hand:"]
    for client, line in clients.items():
        lines += [f"  {client}:", f"    {line}"]
    lines += ["", paint.bold("Try it:"), '  gbrain remember "prefers green tea" --provenance "first try"']
    lines += ["  gbrain recall", "  gbrain doctor"]
    if _model_there():
        lines.append(f"  gbrain embed  {paint.dim('# to find by meaning, too; a server that runs does it by itself')}")
    return lines


def _model_there() -> bool:
    # Only init asks.
    from gbrain.models.choice import bundled
    from gbrain.models.embedder import EmbedFailed

    try:
        bundled()
    except EmbedFailed:
        return False
    return True


class Joined(NamedTuple):
    """A home that is the client of a server: where both are, and what the server says of the token."""

    home: str
    url: str
    said: dict[str, Any]
    created: bool


def _joined(
    home: str | None, postgres: str | None, rls: bool, remote: str | None, token: str | None, token_file: str | None
) -> Joined | None:
    """Make a home the client of a server, or find that it is one; None for a brain with a store."""
    folder = homes.resolve(home)
    if remote is None:
        if token is not None or token_file is not None:
            raise InvalidParams(
                "a token is for the server of a brain", "run: gbrain init --remote URL --token-file FILE"
            )
        if postgres is not None or homes.kind(folder) != "remote":
            return None
        with open_brain(folder, source="") as brain:
            return Joined(folder, homes.place(folder), brain.call("whoami"), False)
    if postgres is not None or rls:
        raise InvalidParams("a brain is in a database or at a server", "leave out either --remote or --postgres")
    created = not homes.has_address(folder)
    joined, said = join_remote(folder, remote, given_token(token, token_file))
    joined.close()
    return Joined(folder, homes.place(folder), said, created)


def _tell_joined(joined: Joined, base: str | None, elsewhere: bool, as_json: bool) -> int:
    clients = registrations(base)
    said = joined.said
    if as_json:
        answer = {"status": "success", "engine": "remote", "created": joined.created, "home": joined.home}
        screen.write_json({**answer, "url": joined.url, "whoami": said, "clients": clients})
        return 0
    paint = screen.paint()
    name = screen.harmless(str(said.get("token_name") or said.get("client") or "a client without a name"))
    scopes, source = screen.harmless(", ".join(said.get("scopes", []))), screen.harmless(str(said.get("source", "")))
    lines = [f"The brain of this home is at {paint.name(joined.url)}"]
    lines.append(f"  here you are {name}, who may {scopes or 'nothing'}; what you save goes to the source {source}")
    screen.write("\n".join([*lines, *_next_steps(base, elsewhere, clients)]))
    return 0


def _made(home: str | None, postgres: str | None, rls: bool) -> tuple[Brain, bool]:
    """The brain of a home, made where there is none, and whether it is new."""
    folder = homes.resolve(home)
    if postgres is not None:
        new = not os.path.exists(os.path.join(folder, homes.ADDRESS))
        return join_database(home, postgres, walls=rls), new
    url = homes.database_url(folder)
    if rls:
        raise InvalidParams("--rls is for a brain on PostgreSQL", "run: gbrain init --postgres URL --rls")
    existed = url is not None or os.path.exists(homes.database_path(folder))
    return open_home(folder, create=True), not existed


def _serve(surface: str | None, source: str | None, source_guard: bool, http: bool, **given: Any) -> int:
    # The servers are of no use to the commands beside them.
    from gbrain.entry.launch import serve as serve_stdio, serve_http

    if not http:
        named = next((name for name, value in given.items() if value is not None), None)
        if named:
            raise InvalidParams(f"--{named.replace('_', '-')} is for HTTP", "add --http; run: gbrain serve --help")
        return serve_stdio(surface, source, screen.asked_brain(), guarded=source_guard)
    if source_guard:
        raise InvalidParams(
            "--source-guard is for stdio", "leave it out: over HTTP the grants say where a client writes"
        )
    # Brings the SDK, which stdio does without.
    from gbrain.entry.http.server import Options

    chosen = {name: value for name, value in given.items() if value is not None}
    return serve_http(Options(surface=surface, **chosen), source, screen.asked_brain())


def _call(tool: str | None, arguments: str | None, source: str | None, as_json: bool) -> int:
    if tool is None:
        raise InvalidParams("gbrain call needs TOOL", "run: gbrain --help, or: gbrain call whoami '{}'")
    given = _arguments(tool, sys.stdin.read() if arguments == "-" else arguments or "{}")
    with screen.opened(source, as_json=True) as brain:
        reply = brain.ask(Caller.local("cli"), tool, given)
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
        Option(
            ["--postgres"],
            metavar="URL",
            help="Keep it in a PostgreSQL database, which several machines share: postgresql://USER@HOST/DATABASE.",
        ),
        Option(
            ["--rls"],
            is_flag=True,
            help="PostgreSQL: let the database itself hold each caller to its sources (row-level security).",
        ),
        Option(
            ["--remote"],
            metavar="URL",
            help="Use the brain that a server keeps (gbrain serve --http): https://brain.example.com.",
        ),
        *token_options(),
        json_option(),
    ],
    callback=_init,
    help="Make the brain of this machine, and say how to connect an agent to it.\n\n"
    "The brain lies in $GBRAIN_HOME/.gbrain, else in ~/.gbrain. One that is there already is left as it is.",
    examples=(
        "gbrain init",
        "gbrain init --json",
        "gbrain init --postgres postgresql://gbrain@db.example/gbrain",
        "gbrain init --remote https://brain.example.com --token-file token.txt",
    ),
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
        Option(
            ["--source-guard", "source_guard"],
            is_flag=True,
            help="Refuse writes whose source was not named, by option, environment or file, when there are several.",
        ),
        Option(["--http"], is_flag=True, help="Serve over HTTP, for several people and machines."),
        Option(["--host"], metavar="HOST", help="HTTP: the address to listen on. [default: 127.0.0.1]"),
        Option(
            ["--port"],
            type=click.IntRange(0, 65535),
            metavar="PORT",
            help="HTTP: the port; 0 takes a free one. [default: 3131]",
        ),
        Option(
            ["--public-url", "public_url"],
            metavar="URL",
            help="HTTP: where clients reach the server, when a proxy stands in front of it.",
        ),
        Option(
            ["--rate"],
            type=click.FloatRange(0),
            metavar="CALLS",
            help="HTTP: calls a second of one client; 0 sets no limit. [default: 100]",
        ),
        Option(["--log"], metavar="FILE", help="HTTP: where the access log goes. [default: stderr]"),
    ],
    callback=_serve,
    help="Serve the brain to agents: MCP on stdin and stdout, or over HTTP.\n\n"
    "An MCP client starts the first form itself; `gbrain init` shows how to tell it. The second runs until it is"
    " stopped.",
    examples=("gbrain serve", "gbrain serve --surface verbs", "gbrain serve --http --port 3132"),
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

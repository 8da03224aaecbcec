"""`gbrain bootstrap harness`: joins the brain to the agents of this machine, and takes it out again."""

import os
import shlex
import sys
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click

from gbrain import ambient, home as homes, mirror
from gbrain.ambient import contract, gate, reach
from gbrain.brain import environment_clock
from gbrain.entry.cli import harness_texts as texts, screen
from gbrain.entry.cli.command import Command, Option, json_option
from gbrain.entry.cli.setup import server_command
from gbrain.entry.cli.token import given_token, token_options
from gbrain.errors import BrainError, InvalidParams, Unavailable
from gbrain.harnesses import changes, known, projects, receipt as receipts, wiring
from gbrain.harnesses.changes import Change
from gbrain.harnesses.facts import Facts, Launch, Online, Wanted
from gbrain.harnesses.wiring import Work
from gbrain.mounts import HOST
from gbrain.remote import checked_token, checked_url

NAME = "gbrain"
TOOLS = ("remember", "recall", "entity", "context_pack", "delta", "search", "query", "get_page", "list_pages",
         "resolve_slugs", "get_links", "get_backlinks", "get_timeline", "traverse_graph", "whoami")  # fmt: skip
"""Tools that an agent may call without asking each time: none of them takes anything away. `query` alone may ask a
model for other words, where the operator has set one for that, within the limits that are set."""
FAILED = 1
"""The exit code of a run after which an agent is not as it was asked for."""


def wanted(home: str, *, source: str | None = None, capture: bool = False, online: Online | None = None) -> Wanted:
    """What is to stand in the files of agents for the brain of a home, as its settings file says now.

    With a server that is `online` they call that one; one on another machine is registered and no more, for its brain
    has settings of its own.

    Raises Unavailable where that file cannot be read, for nobody may then say what memory is allowed.
    """
    said = mirror.read(home)
    if said.trouble is not None:
        raise Unavailable(
            f"{mirror.path(home)} is {said.trouble}, so nothing was changed",
            "mend it or move it away, then run: gbrain doctor",
            detail={"reason": "mirror", "path": mirror.path(home)},
        )
    near = online is None or is_near(online)
    bundle = gate.from_file(said) if near else gate.Bundle()
    told = contract.options(bundle, remember=True, extract_facts=None)
    command = (*server_command(), *(("--source", source) if source else ()))
    base = os.environ.get(homes.ENV_HOME)
    serve = shlex.join(command) if online is None else online.url
    section = None if told is None else f"{texts.head(bundle.mode, serve)}\n{contract.section(told)}"
    hook: tuple[str, ...] = ()
    options = where = ("--home", home, *(("--source", source) if source else ()))
    if near and (bundle.enabled or said.shadow or (capture and said.silent)):
        hook, options = _script("hook.py"), (*where, *(("--capture",) if capture else ()))
    recall = _script("recall_hook.py") if near else ()
    server = online or Launch(tuple(command), {homes.ENV_HOME: base} if base else {})
    given = {"source": source, "capture": capture, "url": online.url if online else None}
    kept = tuple((key, value) for key, value in given.items() if value)
    held = options if hook else ()
    return Wanted(NAME, home, server, TOOLS, contract.BASE, section, hook, held, kept, recall, where if recall else ())


def _script(name: str) -> tuple[str, ...]:
    """The command line of a script of the hooks, without its words."""
    folder = os.path.dirname(os.path.abspath(ambient.__file__))
    return (sys.executable, "-I", "-S", os.path.join(folder, name))


def is_near(online: Online) -> bool:
    """Whether a server runs on this machine."""
    host = urlsplit(online.url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


class Asked(NamedTuple):
    """What the command line asks for beside what to do; what it leaves out is as it was at the last run."""

    home: str
    names: tuple[str, ...]
    roots: tuple[str, ...]
    source: str | None
    capture: bool
    online: Online | None

    @property
    def places(self) -> str:
        """The projects as words of a command line."""
        return "".join(f"--project {shlex.quote(root)} " for root in self.roots)

    def chosen(self, receipt: dict[str, Any], every: list[Facts], own: list[str]) -> list[Facts]:
        """The projects that are named; where none is, `every` harness and the projects that these are joined to.

        `own`: the harnesses that are, or will be, joined for all folders of their person.
        """
        if not self.roots:
            return [*every, *projects.joined(receipt, self.names, own)]
        return [projects.facts_of(root, receipt, self.names, own) for root in self.roots]

    def wanted(self, facts: Facts, receipt: dict[str, Any]) -> Wanted:
        """What is to stand in the files of one harness. Raises as `wanted` does."""
        held = wiring.remembered(receipt, facts.name)
        online = self.online
        if online is None and held.get("url"):
            registered = wiring.registered(facts, NAME, receipt)
            if not isinstance(registered, Online):
                command = f"gbrain bootstrap harness --url {held['url']} --token-file FILE"
                raise InvalidParams(f"the files of {facts.title} do not name its server any more", f"run: {command}")
            online = registered
        capture = self.capture or bool(held.get("capture"))
        want = wanted(self.home, source=self.source or held.get("source"), capture=capture, online=online)
        agents = ((projects.AGENTS, " ".join(facts.agents)),) if facts.agents else ()
        return want._replace(options=(*want.options, *agents))


class Way(NamedTuple):
    """How a person is asked: not at all where they `agreed` before, with every line of every file for `diff`."""

    agreed: bool
    diff: bool
    as_json: bool


def _online(url: str | None, token: str | None, token_file: str | None) -> Online | None:
    if url is None:
        if token is not None or token_file is not None:
            raise InvalidParams("a token is for a server", "run: gbrain bootstrap harness --url URL --token-file FILE")
        return None
    text = given_token(token, token_file)
    if text is None:
        command = f"gbrain bootstrap harness --url {checked_url(url)} --token-file FILE"
        raise InvalidParams("a server wants a token", f"run: {command}")
    return Online(checked_url(url), checked_token(text))


def _harness(
    harness: tuple[str, ...],
    project: tuple[str, ...],
    yes: bool,
    diff: bool,
    remove: bool,
    status: bool,
    source: str | None,
    capture: bool,
    url: str | None,
    token: str | None,
    token_file: str | None,
    as_json: bool,
) -> int:
    if screen.asked_brain() not in (None, HOST):
        raise InvalidParams(
            "agents are joined to the brain of this home, and --brain names another", "leave out --brain"
        )
    if remove and status:
        raise InvalidParams("--remove and --status exclude each other", "leave out one of them")
    home = homes.resolve()
    if remove:
        return _remove(home, harness, project, Way(yes, diff, as_json))
    if project and url is not None:
        raise InvalidParams("a token has no place in the files of a project, which others read", "leave out --project")
    roots = tuple(dict.fromkeys(projects.root_of(folder) for folder in project))
    asked = Asked(home, harness, roots, source, capture, _online(url, token, token_file))
    if status:
        return _status(asked, as_json)
    if asked.online is None and not homes.has_brain(home):
        raise Unavailable(
            "there is no brain yet to join an agent to", "run: gbrain init", detail={"reason": "no_brain"}
        )
    return _apply(asked, Way(yes, diff, as_json))


def _apply(asked: Asked, way: Way) -> int:
    receipt = receipts.read(asked.home)
    every = [] if asked.roots else known.chosen(asked.names, wiring.wired(receipt))
    own = [*wiring.wired(receipt), *(facts.name for facts in every)]
    every = asked.chosen(receipt, every, own)
    chosen = [(facts, asked.wanted(facts, receipt)) for facts in every]
    shown = wiring.plan(chosen, receipt)
    if any(work.is_any for work in shown):
        _agree(shown, chosen[0][1], f"gbrain bootstrap harness {asked.places}--yes", way)
    with receipts.locked(asked.home):
        works = wiring.plan(chosen, receipts.read(asked.home))
        _same(shown, works)
        done = wiring.apply(asked.home, works, chosen, environment_clock()())
    notes = [f"{facts.title}: {note}" for facts, want in chosen for note in facts.notes(want)]
    if any(isinstance(want.server, Online) and not is_near(want.server) for _, want in chosen):
        notes.append(texts.ELSEWHERE)
    elif not any(want.section for _, want in chosen):
        notes.append(texts.OFF)
    return _tell(done, "joined", way.as_json, notes)


def _remove(home: str, names: tuple[str, ...], folders: tuple[str, ...], way: Way) -> int:
    if names and folders:
        raise InvalidParams("a project is left by all its agents at once", "leave out --harness")
    receipt = receipts.read(home)
    held = wiring.wired(receipt)
    named = [facts.name for facts in known.named(names)]
    if folders:
        # The folder may be gone by now.
        named = [os.path.realpath(os.path.expanduser(folder)) for folder in folders]
    chosen = [name for name in held if not (names or folders) or name in named]
    shown = wiring.plan_removal(chosen, receipt)
    if any(work.is_any for work in shown):
        _agree(shown, None, "gbrain bootstrap harness --remove --yes", way)
    with receipts.locked(home):
        works = wiring.plan_removal(chosen, receipts.read(home))
        _same(shown, works)
        done = wiring.remove(home, works, environment_clock()())
    return _tell(done, "left", way.as_json, [])


class Standing(NamedTuple):
    """How the harnesses of this machine stand to a brain: a row each, whether memory is on in one, and which are
    joined."""

    rows: list[dict[str, Any]]
    on: bool
    wired: list[str]


def standing(asked: Asked) -> Standing:
    """How each harness stands, by what is in its files now. Raises BrainError for files that cannot be understood."""
    receipt = receipts.read(asked.home)
    rows = []
    on = False
    unheard = reach.unheard(asked.home)
    wired = wiring.wired(receipt)
    for facts in asked.chosen(receipt, known.named(asked.names or ("all",)), wired):
        want = asked.wanted(facts, receipt)
        on = on or want.section is not None
        seen = wiring.state(facts, want, receipt)
        held = receipt.get("harnesses", {}).get(facts.name, {})
        row: dict[str, Any] = {"harness": facts.name, "here": facts.is_here, "state": seen.state, "targets": seen.rows}
        row["differs"] = [_file_row(change) for change in seen.changes]
        notes = [] if seen.state == "missing" else [*facts.notes(want), *([unheard] if want.recall and unheard else [])]
        row |= {"probe": held.get("state"), "error": seen.why, "notes": notes}
        rows.append(row)
    return Standing(rows, on, wired)


def _status(asked: Asked, as_json: bool) -> int:
    rows, on, wired = standing(asked)
    if as_json:
        screen.write_json({"memory": "on" if on else "off", "harnesses": rows})
    else:
        screen.write("\n".join(texts.status(rows)))
    counted = (*wired, *asked.names, *asked.roots)
    return FAILED if any(row["state"] != "installed" for row in rows if row["harness"] in counted) else 0


def _agree(works: list[Work], want: Wanted | None, command: str, way: Way) -> None:
    """Show what is to be done and let a person agree; raises InvalidParams where nobody can be asked."""
    if not way.as_json:
        shown = texts.whole_plan(works) if way.diff else texts.plan(works)
        screen.write("\n".join([*shown, *(texts.consent(want) if want is not None else [])]))
    if way.agreed:
        return
    if way.as_json or not sys.stdin.isatty():
        detail = {"plan": [_row(work) for work in works]}
        raise InvalidParams("nothing was changed, since nobody can be asked", f"run: {command}", detail=detail)
    if not click.confirm("Write these changes?", err=True):
        screen.declined("To only see what there is: gbrain bootstrap harness --status")


def _same(shown: list[Work], works: list[Work]) -> None:
    """Raise Unavailable where the files changed since a person saw what would become of them."""
    if any(work.is_any for work in works) and [work.changes for work in shown] != [work.changes for work in works]:
        raise Unavailable("the files changed while this command ran, so nothing was written", "run it again")


def _tell(works: list[Work], done: str, as_json: bool, notes: list[str]) -> int:
    failed: BrainError | None = next((work.error for work in works if work.error is not None), None)
    if as_json:
        screen.write_json({"status": "error" if failed else "success", "harnesses": [_row(work) for work in works]})
    else:
        screen.write("\n".join([*texts.outcome(works, done), *notes]))
    return FAILED if failed else 0


def _row(work: Work) -> dict[str, Any]:
    rows = [_file_row(change) for change in work.changes if change.is_one]
    return {"harness": work.name, "files": rows, "error": work.error.envelope() if work.error else None}


def _file_row(change: Change) -> dict[str, Any]:
    difference = changes.difference(change, texts.secrets(change))
    return {"path": change.held.path, "change": texts.kind(change), "difference": difference}


harness = Command(
    "harness",
    params=[
        Option(
            ["--harness"],
            multiple=True,
            metavar="NAME",
            help=f"The agent: {', '.join(known.NAMES)} or all; those on this machine unless given.",
        ),
        Option(
            ["--project"],
            multiple=True,
            is_flag=False,
            flag_value=".",
            metavar="[FOLDER]",
            help="Use the files that agents read in this folder only, instead of your own; here unless given.",
        ),
        Option(["--yes"], is_flag=True, help="Do not ask before files are changed."),
        Option(["--diff"], is_flag=True, help="Show every line that goes and comes, also of files that are all ours."),
        Option(["--remove"], is_flag=True, help="Take out of the agents' files all that this command put there."),
        Option(["--status"], is_flag=True, help="Say how each agent stands, and change nothing."),
        Option(["--source"], metavar="ID", help="The source that these agents write to."),
        Option(["--capture"], is_flag=True, help="Keep turns also while memory.auto_writeback is not set."),
        Option(["--url"], metavar="URL", help="Let agents call the server at this address instead of starting one."),
        *token_options(),
        json_option(),
    ],
    callback=_harness,
    help="Join the brain to the agents of this machine: server, permissions, instructions and hooks.\n\n"
    "It shows what it would change in their files and asks. All else in those files stays as it is, and --remove"
    " brings them back to the last byte; where an agent wrote a file anew meanwhile, it takes out what is ours and"
    " leaves the rest as the agent wrote it. Run it again after a change of settings; run again, it changes nothing.",
    examples=(
        "gbrain bootstrap harness --harness claude-code --yes",
        "gbrain bootstrap harness --project --harness claude-code --yes",
        "gbrain bootstrap harness --status",
        "gbrain bootstrap harness --remove --yes",
    ),
)

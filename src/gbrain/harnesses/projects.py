"""A project's own files: what the agents read in the folder that they are started in.

A project is one harness to the receipt, by the absolute path of its root, for its agents share files. Which of them it
has is among the options that the receipt remembers.
"""

import os
from collections.abc import Iterable
from functools import partial

from gbrain.errors import InvalidParams
from gbrain.harnesses import claude_code, codex, known
from gbrain.harnesses.facts import Facts, Server, Wanted
from gbrain.harnesses.parts import Block, Part
from gbrain.harnesses.wiring import Receipt, remembered, wired

AGENTS = "agents"
"""The option that names the agents of a project, with a blank between them."""
HERE = tuple(facts.name for facts in known.EVERY if facts.in_project is not None)
"""The agents that read something in a project."""


def root_of(folder: str) -> str:
    """The absolute path of a project. Raises InvalidParams for none, and for a person's home."""
    root = os.path.realpath(os.path.expanduser(folder))
    if not os.path.isdir(root):
        raise InvalidParams(f"there is no folder {root}", "name the folder of the project: --project FOLDER")
    if root == os.path.realpath(os.path.expanduser("~")):
        raise InvalidParams(f"{root} is your home, and no project", "leave out --project, or name a folder below it")
    return root


def is_project(name: str) -> bool:
    """Whether a name in the receipt is that of a project."""
    return os.path.isabs(name)


def joined(receipt: Receipt, agents: Iterable[str], own: Iterable[str]) -> list[Facts]:
    """The projects of the receipt whose folders are there, those with one of these agents if any is named.

    `own` are the agents that are joined for all folders of their person. Raises InvalidParams as `facts_of` does.
    """
    every = [facts_of(name, receipt, (), own) for name in wired(receipt) if is_project(name) and os.path.isdir(name)]
    asked = set(agents) - {"all"}
    return [facts for facts in every if not asked or asked & set(facts.agents)]


def facts_of(root: str, receipt: Receipt, agents: tuple[str, ...], own: Iterable[str]) -> Facts:
    """A project with these agents beside those that it has; with neither, those on this machine. `own` as `joined`.

    Raises InvalidParams for an agent that reads nothing in a project, NotFound where there is no agent.
    """
    known.named(agents)
    alone = next((name for name in agents if name not in (*HERE, "all")), None)
    if alone is not None:
        raise InvalidParams(f"{alone} reads nothing in a project", f"leave out --project, or take: {', '.join(HERE)}")
    had = str(remembered(receipt, root).get(AGENTS) or "").split()
    found = known.chosen(agents, had) if agents or not had else []
    names = tuple(name for name in HERE if name in {*had, *(facts.name for facts in found)})
    every = tuple(facts for facts in known.EVERY if facts.name in names)
    mine = frozenset(own)
    return Facts(
        root,
        root,
        "",
        lambda: root,
        partial(_parts, root, every, mine),
        partial(_server, every),
        partial(_notes, root, every, mine),
        agents=names,
    )


def _parts(root: str, every: tuple[Facts, ...], own: frozenset[str], wanted: Wanted) -> list[Part]:
    """The pieces of all its agents; a file that several read has the words once."""
    made: list[Part] = []
    told = set()
    for facts in every:
        assert facts.in_project is not None
        for part in facts.in_project(root, _without_hooks(wanted) if facts.name in own else wanted):
            real = os.path.realpath(part.path)
            if isinstance(part, Block) and real in told:
                continue
            if isinstance(part, Block):
                told.add(real)
            made.append(part)
    return made


def _without_hooks(wanted: Wanted) -> Wanted:
    """The same for an agent that runs our hooks in every folder already."""
    return wanted._replace(hook=(), hook_options=(), recall=(), recall_options=())


def _server(every: tuple[Facts, ...], text: str, name: str) -> Server | None:
    """What the first of its files says that names a server; all name the same."""
    # Those that have a server here have it in JSON, and Codex has none.
    found = (facts.server(text, name) for facts in every if facts.name != codex.FACTS.name)
    return next((server for server in found if server is not None), None)


def _notes(root: str, every: tuple[Facts, ...], own: frozenset[str], wanted: Wanted) -> list[str]:
    found = ["these files name places on this machine: think before you share them"]
    for facts in every:
        if facts.name == "claude-code" and not claude_code.trusts(root):
            found.append("Claude Code asks before each of our tools until you trust the folder: start it here once")
        if facts.name == "codex":
            found.append("Codex has only AGENTS.md here, while memory is on; for the server: --harness codex")
            if codex.has_override(root):
                found.append("AGENTS.override.md takes the place of AGENTS.md, so Codex is told nothing")
            elif over := codex.bytes_over(root, wanted.section or ""):
                found.append(
                    f"Codex would cut {over:,} bytes off the end of our words in AGENTS.md, so it is told nothing:"
                    " shorten what stands above them, or raise `project_doc_max_bytes` in its config.toml"
                )
        elif facts.name in own and (wanted.hook or wanted.recall):
            found.append(f"{facts.title} runs the hooks of your own files here, with the source of those")
    return found

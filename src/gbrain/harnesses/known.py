"""The harnesses that gbrain can be wired to."""

from gbrain.errors import InvalidParams, NotFound
from gbrain.harnesses import claude_code, codex, gemini, openclaw, opencode
from gbrain.harnesses.facts import Facts

EVERY = (claude_code.FACTS, codex.FACTS, gemini.FACTS, opencode.FACTS, openclaw.FACTS)
NAMES = tuple(facts.name for facts in EVERY)


def named(names: tuple[str, ...]) -> list[Facts]:
    """The harnesses of these names, all for `all`. Raises InvalidParams for a name that is none."""
    by_name = {facts.name: facts for facts in EVERY}
    unknown = next((name for name in names if name not in (*by_name, "all")), None)
    if unknown is not None:
        raise InvalidParams(f"there is no harness {unknown[:64]!r}", f"take one of: {', '.join(by_name)}, all")
    return [facts for facts in EVERY if "all" in names or facts.name in names]


def chosen(names: tuple[str, ...], wired: list[str]) -> list[Facts]:
    """Those that are named, else those on this machine or wired before. Raises NotFound where there is none."""
    if names:
        return named(names)
    here = [facts for facts in EVERY if facts.is_here or facts.name in wired]
    if not here:
        raise NotFound(
            f"there is no agent on this machine that gbrain knows ({', '.join(NAMES)})",
            "name the one you are about to install: gbrain bootstrap harness --harness claude-code",
        )
    return here

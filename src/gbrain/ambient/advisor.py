"""The advisor: what would be worth doing to this brain, the weightiest first."""

from collections.abc import Callable, Iterator
from typing import Literal, TypedDict

from gbrain import mirror
from gbrain.ambient.asking import DISABLE, ENABLE, INSTALL, undecided
from gbrain.domain.times import wire_time
from gbrain.mounts import HOST
from gbrain.ops.planes import differ
from gbrain.registry import Context, operation

Severity = Literal["info", "warn", "critical"]
SEVERITIES: tuple[Severity, ...] = ("critical", "warn", "info")


class Fix(TypedDict):
    """The command that does it; None for what only the person can decide."""

    command_argv: list[str] | None


class Advice(TypedDict):
    """One thing worth doing. With `ask_user` it is for the person to decide, and nothing applies it."""

    id: str
    severity: Severity
    title: str
    detail: str
    fix: Fix
    collector: str
    ask_user: bool


class AdvisorReply(TypedDict):
    """Everything worth doing, the weightiest first; `worst` is the severity of the first, null when there is none."""

    version: Literal[1]
    generated_at: str | None
    findings: list[Advice]
    worst: Severity | None


@operation(
    scope="admin",
    mutates=False,
    surface="full",
    title="Say what is worth doing",
    examples=("gbrain advisor", "gbrain advisor --json"),
)
def advisor(ctx: Context) -> AdvisorReply:
    """List what would be worth doing to this brain, each with the command that does it.

    What concerns the person's own decisions names no command: ask them. A remote caller is told of nothing.
    """
    found = [] if ctx.caller.remote else [item for collect in COLLECTORS.values() for item in collect(ctx)]
    found.sort(key=lambda item: SEVERITIES.index(item["severity"]))
    return {
        "version": 1,
        "generated_at": wire_time(ctx.now_text),
        "findings": found,
        "worst": found[0]["severity"] if found else None,
    }


def _consent(ctx: Context) -> Iterator[Advice]:
    """The question that was put once and never answered."""
    if undecided(ctx.store, ctx.chosen, ctx.now, asked=True):
        yield {
            "id": "writeback_consent_pending",
            "severity": "info",
            "title": "nobody decided whether agents may save unasked what you tell them",
            "detail": f"ask the person; after a yes: {ENABLE}, then {INSTALL}; after a no: {DISABLE}",
            "fix": {"command_argv": None},
            "collector": "writeback-consent",
            "ask_user": True,
        }


def _planes(ctx: Context) -> Iterator[Advice]:
    """A file that says something else than the store, which decides."""
    if ctx.chosen.name != HOST:
        return
    rows, said = ctx.store.config.all(), mirror.read(ctx.home).said
    for key in mirror.KEYS:
        stored, told = rows.get(key), said.get(key)
        if differ(key, stored, told):
            again = ["unset", key] if stored is None else ["set", key, stored]
            yield {
                "id": f"planes_differ:{key}",
                "severity": "warn",
                "title": f"config.json and the brain differ on {key}",
                "detail": "the brain decides, hooks go by the file; the command brings the file up to the brain",
                "fix": {"command_argv": ["gbrain", "config", *again]},
                "collector": "planes",
                "ask_user": False,
            }


COLLECTORS: dict[str, Callable[[Context], Iterator[Advice]]] = {"writeback-consent": _consent, "planes": _planes}
"""What looks for findings, by the name that each finding bears."""

"""`gbrain advisor`: what is worth doing, and with --apply the doing of it, save what the person has to decide."""

from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of
from gbrain.entry.cli.spelling import shell_word
from gbrain.errors import NotFound, ScopeDenied
from gbrain.types import Caller


def _advisor(given: dict[str, Any]) -> int:
    as_json, apply, only = given["as_json"], given["apply"], given["only"]
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain:
        value = brain.ask(Caller.local("cli"), "advisor").value
    if apply or only:
        return _apply(_chosen(value["findings"], only), as_json)
    if as_json:
        screen.write_json(value)
    else:
        screen.write("\n".join(_told(screen.harmless(value))))
    return 1 if value["worst"] in ("warn", "critical") else 0


def _chosen(findings: list[Any], only: str | None) -> list[Any]:
    found = [item for item in findings if only in (None, item["id"])]
    if only is not None and not found:
        raise NotFound(f"there is no finding {only[:64]!r}", "run: gbrain advisor")
    return found


def _apply(findings: list[Any], as_json: bool) -> int:
    """Run the command of each finding that has one; raises ScopeDenied where only the person could decide."""
    able = [item for item in findings if item["fix"]["command_argv"] and not item["ask_user"]]
    left = [item for item in findings if item not in able]
    if left and not able:
        raise ScopeDenied(
            f"{left[0]['id']} is for the person to decide, and nothing was applied: {left[0]['title']}",
            left[0]["detail"],
        )
    # The root knows this command by its name; the other way round only when it runs another one.
    from gbrain.entry.cli.root import run

    code = max([run(item["fix"]["command_argv"][1:], screen.asked_brain()) for item in able], default=0)
    if as_json:
        ids = {"applied": [item["id"] for item in able], "left": [item["id"] for item in left]}
        screen.write_json({**ids, "exit_code": code})
        return code
    lines = [f"left to you: {item['title']}: {item['detail']}" for item in left]
    screen.write("\n".join(lines or ["Nothing else to do."] if able else ["Nothing to do."]))
    return code


def _told(value: Any) -> list[str]:
    paint = screen.paint()
    lines = []
    for item in value["findings"]:
        argv = item["fix"]["command_argv"]
        lines.append(f"[{item['severity']}] {paint.name(item['id'])}: {item['title']}")
        lines.append(f"  {item['detail']}")
        lines.append(f"  fix: {' '.join(map(shell_word, argv))}" if argv else "  only you can decide this")
    return lines or ["Nothing to advise."]


def _made() -> click.Command:
    operation = registry.find("advisor")
    assert operation is not None
    command = command_of(operation, _advisor, sourced=False)
    command.params[-1:-1] = [
        Option(["--apply"], is_flag=True, help="Run the commands, save what only the person can decide."),
        Option(["--only"], metavar="ID", help="Apply this finding alone."),
    ]
    return command


advisor = _made()

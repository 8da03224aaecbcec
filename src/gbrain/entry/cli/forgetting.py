"""`gbrain forget`: one fact by its id, or with --captured-under all that one consent let in, after a preview."""

from typing import Any

import click

from gbrain import registry
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Option
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.errors import InvalidParams
from gbrain.types import Caller


def _forget(given: dict[str, Any]) -> int:
    consent, widened, agreed = (given.pop(name) for name in ("captured_under", "include_remember", "yes"))
    operation = registry.find("forget")
    assert operation is not None
    if consent is None:
        if widened or agreed:
            raise InvalidParams(
                "--include-remember and --yes are for --captured-under",
                "run: gbrain forget --captured-under ID; gbrain consents shows each id",
            )
        return invoke(operation, given, "forget")
    if given.get("id") or given.get("reason"):
        raise InvalidParams(
            "a fact and a consent are both named", f"run: gbrain forget --captured-under {consent[:64]}"
        )
    as_json = given["as_json"]
    arguments = {"consent": consent, "include_remember": widened, "dry_run": not agreed}
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain:
        value = brain.ask(Caller.local("cli"), "forget_captured", arguments).value
    if as_json:
        screen.write_json(value)
    else:
        screen.write("\n".join(_told(screen.harmless(value), widened=widened)))
    return 0


def _told(value: Any, *, widened: bool) -> list[str]:
    since = f"consent {value['consent']} ({value['mode']}, since {screen.minute(value['given_at'])})"
    if not value["dry_run"]:
        return [f"Forgot {screen.counted(value['forgotten'], 'fact')} of {since}"]
    lines = [f"{fact['source_id']}  id={fact['id']}  {fact['fact']}" for fact in value["facts"]]
    if value["count"] > len(lines):
        lines.append(f"and {value['count'] - len(lines):,} more")
    lines.append(f"{screen.counted(value['count'], 'fact')} would be forgotten of {since}")
    again = f"gbrain forget --captured-under {value['consent']}"
    if value["others"]:
        lines.append(
            f"  {screen.counted(value['others'], 'other fact')} saved meanwhile with `remember`, asked or not, would"
            f" stay; to take them too: {again} --include-remember"
        )
    if value["count"]:
        lines.append(f"  to forget: {again}{' --include-remember' if widened else ''} --yes")
    return lines


def _made() -> click.Command:
    operation = registry.find("forget")
    assert operation is not None
    command = command_of(operation, _forget)
    command.params[-1:-1] = [
        Option(["--captured-under"], metavar="CONSENT", help="All that was taken out of turns under this consent."),
        Option(["--include-remember"], is_flag=True, help="With it: also what agents saved with `remember` meanwhile."),
        Option(["--yes"], is_flag=True, help="With it: forget, not only show what would go."),
    ]
    return command


forget = _made()

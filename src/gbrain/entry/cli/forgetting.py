"""`gbrain forget`: one fact by its id, also with proof or for good, or all that one consent let in, after a preview."""

from typing import Any

import click

from gbrain import registry
from gbrain.bars import bar
from gbrain.entry.cli import screen
from gbrain.entry.cli.command import Option, Positional
from gbrain.entry.cli.derive import command_of, invoke
from gbrain.errors import InvalidParams
from gbrain.types import Caller


def _forget(given: dict[str, Any]) -> int:
    consent, widened, agreed = (given.pop(name) for name in ("captured_under", "include_remember", "yes"))
    prove, erase = given.pop("prove"), given.pop("erase")
    if prove or erase:
        if consent is not None or widened:
            raise InvalidParams("--prove and --erase are about one fact", "run: gbrain forget ID --prove")
        return _proved(given, erase=erase, agreed=agreed)
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


def _proved(given: dict[str, Any], *, erase: bool, agreed: bool) -> int:
    """Forget a fact, then look in every place for its words; with `erase` take them out first."""
    id = str(given.get("id") or given.get("id__option") or "").strip()
    if not id:
        raise InvalidParams("gbrain forget needs ID", "run: gbrain forget ID --prove; gbrain recall shows every id")
    if erase and not agreed:
        raise InvalidParams(
            f"erasing takes the words of fact {id[:20]} out of the history too, and nothing brings them back",
            f"run: gbrain forget {id[:20]} --erase --yes",
        )
    as_json = given["as_json"]
    caller = Caller.local("cli")
    arguments = {"id": id, "reason": given.get("reason")}
    with screen.opened(given.get("brain_source"), as_json=as_json) as brain, bar(shown=not as_json) as progress:
        brain.ask(caller, "forget", {key: value for key, value in arguments.items() if value is not None})
        reply = brain.ask(caller, "prove_forgotten", {"id": id, "erase": erase}, progress=progress)
    if as_json:
        screen.write_json(reply.value)
    else:
        screen.write("\n".join(_places(screen.harmless(reply.value))))
    for warning in reply.warnings:
        screen.note(f"note: {warning['message']}")
    return 0


_STATES = {"gone": "gone", "remains": "REMAINS", "out_of_reach": "out of reach"}


def _places(value: Any) -> list[str]:
    done = "forgotten and erased" if value["erased"] else "forgotten"
    lines = [f"Fact {value['id']} is {done}. Its words, place by place:"]
    for one in value["places"]:
        lines.append(f"  {_STATES[one['state']]:<12}  {one['place']}")
        lines += [f"                  {where}" for where in one["where"]]
        if one["how"]:
            lines.append(f"                  to remove: {one['how']}")
    rest = sum(one["state"] == "remains" for one in value["places"])
    lines.append(
        "Gone from every place gbrain can reach." if not rest else f"It remains in {screen.counted(rest, 'place')}."
    )
    return lines


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
    command.params[0] = Positional(
        "id", "The fact_id that recall or remember gave; none with --captured-under.", must=False
    )
    command.params[-1:-1] = [
        Option(["--captured-under"], metavar="CONSENT", help="All that was taken out of turns under this consent."),
        Option(["--include-remember"], is_flag=True, help="With it: also what agents saved with `remember` meanwhile."),
        Option(["--prove"], is_flag=True, help="Then look in every place for its words, and say where they remain."),
        Option(["--erase"], is_flag=True, help="Take its words out of the history too, for good; needs --yes."),
        Option(["--yes"], is_flag=True, help="With --captured-under or --erase: do it, not only show it."),
    ]
    return command


forget = _made()

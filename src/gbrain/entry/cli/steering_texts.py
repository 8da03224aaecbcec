"""The answers about one fact and of what sets facts right, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli.page_texts import search_diagnose
from gbrain.entry.cli.screen import Paint, counted, minute

Given = dict[str, Any]


def correct(value: Any, given: Given, paint: Paint) -> str:
    """The fact that holds now, and how to take that back."""
    return _steered(value, paint, "says so already", "corrected")


def move_fact(value: Any, given: Given, paint: Paint) -> str:
    """Where the fact is filed now."""
    return _steered(value, paint, "is filed there already", f"filed under {value['entity_slug']}")


def restore_fact(value: Any, given: Given, paint: Paint) -> str:
    """The fact that holds again."""
    return _steered(value, paint, "holds", "holds again")


def merge_facts(value: Any, given: Given, paint: Paint) -> str:
    """The fact that stands for both."""
    return _steered(value, paint, "stands for both already", "stands for both")


def invalidate(value: Any, given: Given, paint: Paint) -> str:
    """What holds no more."""
    if not value["changed"]:
        return "It had ended already; nothing was changed"
    return "\n".join([f"Holds no more: {value['fact']}", *_undo(value)])


def _steered(value: Any, paint: Paint, already: str, done: str) -> str:
    if not value["changed"]:
        return "\n".join([value["fact"], f"  {already}; nothing was changed", *_until(value)])
    about = f" ({value['entity_slug']})" if value["entity_slug"] else ""
    lines = [f"{done}: fact {paint.name('#' + value['id'])}{about}: {value['fact']}"]
    lines += _until(value)
    if value["ended"]:
        lines.append(f"  ended: fact {', '.join(value['ended'])}")
    return "\n".join([*lines, *_undo(value)])


def _until(value: Any) -> list[str]:
    return [f"  until {minute(value['valid_until'])}"] if value["valid_until"] else []


def _undo(value: Any) -> list[str]:
    return [f"  to take it back: {value['undo']}"] if value["undo"] else []


def accept_facts(value: Any, given: Given, paint: Paint) -> str:
    """How many were accepted."""
    return f"Accepted {counted(value['accepted'], 'fact')}"


def conflicts(value: Any, given: Given, paint: Paint) -> str:
    """Each conflict with its sides, the latest first, and one move that ends it."""
    if not value["conflicts"] and not value["partly"]:
        return "No facts disagree."
    blocks = []
    for one in value["conflicts"]:
        lines = [f"{paint.name(one['entity_slug'] or 'no entity')}  {one['attribute']}"]
        for side in one["sides"]:
            where = f"{side['source_id']}, {side['visibility']}, {minute(side['created_at'])}"
            lines.append(f"  #{side['id']}  {side['fact']}  ({side['provenance']}; {where})")
        blocks.append("\n".join([*lines, f"  to keep the first: {one['resolve']}"]))
    if value["next"]:
        blocks.append(f"There are more: gbrain conflicts --after {value['next']}")
    blocks += [
        f"{slug} has more live facts than are compared at once; its latest were, so there may be more"
        for slug in value["partly"]
    ]
    return "\n\n".join(blocks)


def why(value: Any, given: Given, paint: Paint) -> str:
    """The story of one fact, the newest last."""
    lines = [f"{paint.name('#' + value['id'])}  {value['fact']}"]
    about = value["entity_slug"] or "no entity"
    lines.append(f"  {value['kind']} about {about}, {value['visibility']}, in source {value['source_id']}")
    lines.append(f"  {value['state']}: {_span(value)}")
    sure = f"{value['confidence']:.2f}"
    if value["confidence_now"] not in (0.0, value["confidence"]):
        sure += f", {value['confidence_now']:.2f} by its age"
    lines.append(f"  sure: {sure}; notability {value['notability']}")
    by = f" by {value['saved_by']}" if value["saved_by"] else ""
    session = f", session {value['session']}" if value["session"] else ""
    lines.append(f"  saved {minute(value['saved_at'])}{by}{session}: {value['provenance']}")
    made = "word for word" if value["made_by"] == "verbatim" else f"made by {value['made_by']}"
    lines.append(f"  {made}")
    if value["note"]:
        lines.append(f"  note: {value['note']}")
    if value["consent"]:
        one = value["consent"]
        lines.append(
            f"  under consent {one['id']} ({one['mode']}, given {minute(one['given_at'])} by {one['given_by']})"
        )
    if value["turn"]:
        lines += _turn(value["turn"])
    if value["row"]:
        lines.append(_row(value["row"]))
    if value["recall"]:
        lines.append(_recalled(value["recall"]))
    lines += _chain("replaced", value["replaced"]) + _chain("replaced by", value["replaced_by"])
    return "\n".join([*lines, *(_readers(value) if value["read_by"] else [])])


def why_page(value: Any, given: Given, paint: Paint) -> str:
    """What ranks the page, what offers it, and who has read it."""
    place = f"{value['source_id']}:{value['slug']}"
    lines = [f"{paint.name(place)}  {value['title']}"]
    lines.append(
        f"  {value['type']}, version {value['version']}, {minute(value['written_at'])} by {value['written_by']}"
    )
    if value["search"]:
        lines += ["searched:", *(f"  {line}" for line in search_diagnose(value["search"], given, paint).splitlines())]
    gate = value["gate"]
    passed = f"{gate['min_confidence']:g} sure, {gate['max_pages']} pages, {gate['max_tokens']} tokens a turn"
    if value["offer"]:
        one = value["offer"]
        lines.append(f"said: {'offered' if one['offered'] else 'not offered'}: {one['says']}")
        if one["rank"]:
            lines.append(f"  arm {one['arm']}, {one['confidence']:.2f} sure, place {one['rank']}; the gate: {passed}")
    else:
        lines.append(f"the gate of offers: {passed}; with --query TEXT: what decides for a text")
    for one in value["offers"]:
        opened = f"; opened {minute(one['opened_at'])} by {one['opened_by']}" if one["opened_at"] else ""
        how = f"{one['channel']}, arm {one['arm']}, {one['confidence']:.2f} sure"
        lines.append(f"  offered {minute(one['at'])}: {how}{opened}")
    return "\n".join([*lines, *_readers(value)])


def _readers(value: Any) -> list[str]:
    if not value["read_by"]:
        return ["  nobody has read it, as far as the log goes back"]
    return [
        f"  read by {one['client']}: {one['operation']}, {counted(one['times'], 'time')}, last {minute(one['last'])}"
        for one in value["read_by"]
    ]


def _recalled(one: Any) -> str:
    if one["rank"] is None:
        return f"  recall: not among the {counted(one['of'], 'fact')} it gives: {one['says']}"
    meaning = f", meaning {one['meaning']:.2f}" if one["meaning"] is not None else ""
    return (
        f"  recall: place {one['rank']} of {one['of']}, {one['says']}:"
        f" score {one['score']:.2f} (words {one['words']:.2f}{meaning})"
    )


def _row(row: Any) -> str:
    return f"  stands on page {row['slug']} in row {row['row']}"


def _span(value: Any) -> str:
    since = minute(value["valid_from"])
    return f"since {since}" + (f", until {minute(value['valid_until'])}" if value["valid_until"] else "")


def _turn(turn: Any) -> list[str]:
    said = f" said {minute(turn['said_at'])}" if turn["said_at"] else ""
    if turn["text"] is None:
        return [f"  from a turn{said}; its text is not kept any more"]
    return [f"  from a turn{said}, in {turn['file']}:", *(f"    | {line}" for line in turn["text"].splitlines())]


def _chain(how: str, rows: Any) -> list[str]:
    lines = []
    for one in rows:
        until = f" to {minute(one['until'])}" if one["until"] else ""
        ended = f", {one['ended_as']}" if one["ended_as"] else ""
        reason = f"; {one['reason']}" if one["reason"] else ""
        lines.append(f"  {how} #{one['id']}  {one['fact']}  ({minute(one['since'])}{until}{ended}{reason})")
    return lines

"""The pack of a session at its start and after a compaction: who and what stands, what is open, what changed."""

import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from gbrain.domain.offers.choosing import Bearer
from gbrain.domain.offers.core import Detail
from gbrain.domain.offers.words import name_key
from gbrain.domain.text import clip, collapse, estimate_tokens
from gbrain.store.about import Rows
from gbrain.store.briefing import Briefing, Claim, Standing
from gbrain.store.offering import Offering
from gbrain.view import View

if TYPE_CHECKING:
    from gbrain.ambient.briefing import Request

STANDING, PREFERENCES, COMMITMENTS, FACTS, CHANGES = 6, 4, 5, 8, 5
"""So many of each a pack holds."""
LINE = 160
PACK_TOKENS = 700
"""Tokens of a pack: less than any agent cuts."""


def text(engine: Rows, view: View, asked: "Request", waiting: int) -> str:
    """The pack for a session, without a fence; `waiting` turns of earlier ones no model reads."""
    briefing, lookup = Briefing(engine, view), Offering(engine, view)
    if asked.resumed:
        return _text(_held([_changed(briefing, asked)]))
    turns = ("Turns of earlier sessions", [_awaiting(waiting)] if waiting else [])
    preferences, facts = briefing.person(PREFERENCES, FACTS)
    commitments = sorted(briefing.commitments(COMMITMENTS), key=lambda claim: claim.date)
    told = {claim.fact for claim in (*preferences, *commitments, *facts)}
    standing = _standing(briefing, lookup, asked)
    details = lookup.details([_bearer(found) for found in standing], 3)
    lines = [_entity(found, details.get((found.source_id, found.slug), []), told) for found in standing]
    held = _held(
        [
            ("What the person prefers", [_claim(claim, dated=False) for claim in preferences]),
            ("Open commitments", [_claim(claim) for claim in commitments]),
            ("Standing facts", [_claim(claim, dated=False) for claim in facts]),
            ("Standing entities", lines),
            _changed(briefing, asked, told),
            turns,
        ]
    )
    # The person comes first where room is short, and what the window was about is still what a pack begins with.
    return _text([held[3], *held[:3], *held[4:]])


def _standing(briefing: Briefing, lookup: Offering, asked: "Request") -> list[Standing]:
    """What stood in the window that was compacted, the page of the folder, then what facts are about of late."""
    noted = briefing.at(asked.standing) if asked.standing else []
    key = name_key(os.path.basename(asked.folder or ""))
    bearers = lookup.named([key]) if key else []
    project = [Standing(*bearer[:5]) for bearer in bearers if bearer.type in ("project", "company", "product")]
    lively = briefing.lively(STANDING)
    found = {one.place: one for one in (*noted, *(project if len(project) == 1 else ()), *lively)}
    return list(found.values())[:STANDING]


def _changed(briefing: Briefing, asked: "Request", told: Collection[str] = ()) -> tuple[str, list[str]]:
    if not asked.since:
        return "", []
    facts = briefing.facts_since(asked.since, asked.session, CHANGES)
    pages = briefing.pages_since(asked.since, asked.standing, CHANGES)
    lines = [_claim(claim) for claim in facts if claim.fact not in told]
    lines += [f"- {_line(page.title)} [{page.source_id}:{page.slug}] changed ({page.date[:10]})" for page in pages]
    return f"Since the last session here ({asked.since[:10]})", lines


def _awaiting(count: int) -> str:
    turns, them = ("turns await", "them") if count > 1 else ("turn awaits", "it")
    return (
        f"{count} {turns} you: said in earlier sessions, and no model is set to read {them}. Use turns_list and"
        " turns_show, save what is worth keeping with remember, then turns_drop."
    )


def _held(parts: Iterable[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Sections with their lines, as many as the budget takes, which goes to the first of them first."""
    left = PACK_TOKENS
    sections: list[tuple[str, list[str]]] = []
    for heading, lines in parts:
        held: list[str] = []
        for line in lines:
            left -= estimate_tokens(line)
            if left >= 0:
                held.append(line)
        sections.append((heading, held))
    return sections


def _text(sections: Iterable[tuple[str, list[str]]]) -> str:
    """The sections under their headings; one of no lines is left out."""
    return "\n".join(line for heading, lines in sections if lines for line in (f"## {heading}", *lines))


def _entity(found: Standing, details: Sequence[Detail], told: Collection[str]) -> str:
    """A line on a page; what is told elsewhere in the pack is left out of it."""
    facts = [detail.text for detail in details if detail.text not in told][:1]
    said = [f"**{_line(found.title)}** [{found.place}]", *(_line(part) for part in (found.summary, *facts) if part)]
    return "- " + " — ".join(said)


def _claim(claim: Claim, *, dated: bool = True) -> str:
    where = f"{claim.source_id}:{claim.entity_slug}" if claim.entity_slug else claim.source_id
    return f"- {_line(claim.fact)}" + (f" ({claim.date[:10]})" if dated else "") + f" [{where}]"


def _line(words: str) -> str:
    return clip(collapse(words), LINE).replace("<", "‹").replace(">", "›")


def _bearer(found: Standing) -> Bearer:
    return Bearer(*found, key="", form="slug")

"""The one question whether agents may save unasked: when it is due, what it says, and that it is put once.

It never turns anything on. Where anything stands in the way of asking, nothing is said.
"""

import os
from collections.abc import Callable, Mapping
from datetime import datetime

from gbrain import mirror
from gbrain.ambient import contract
from gbrain.mounts import HOST, Choice
from gbrain.ops.audience import classify, declared, used
from gbrain.settings import find
from gbrain.store.store import Store

SHOWN = "memory.auto_writeback_notice_shown"
ENV_SILENT = "GBRAIN_NO_ONBOARD_NUDGE"
ENABLE, INSTALL = contract.ENABLE
DISABLE = "gbrain config set memory.auto_writeback off"


def ask(store: Store, chosen: Choice, now: datetime, say: Callable[[str], None], *, person: bool = False) -> bool:
    """Put the question if it is due, to the `person` or to an agent who passes it on, and note that it was put;
    whether it was. Never raises."""
    try:
        if os.environ.get(ENV_SILENT) == "1" or not undecided(store, chosen, now, asked=False):
            return False
        say(question(store.config.get(mirror.TTL) or find(mirror.TTL).default, person=person))
        store.config.set(SHOWN, "true")
    except Exception:
        # Whatever it was, the command beside which this is asked must not fail by it.
        return False
    return True


def undecided(store: Store, chosen: Choice, now: datetime, *, asked: bool) -> bool:
    """Whether the person of a brain that is theirs alone has neither agreed nor declined, and was `asked` or not.

    Only the host's can say: what a mounted brain is for, somebody else decides. Raises BrainError.
    """
    if chosen.name != HOST:
        return False
    rows, file = store.config.all(), mirror.read(chosen.home)
    if (rows.get(SHOWN) == "true") != asked or _decided(rows, file):
        return False
    return classify(declared(rows, file), lambda: used(store, now)).audience == "personal"


def _decided(rows: Mapping[str, str], file: mirror.Mirror) -> bool:
    return mirror.mode_of(rows.get(mirror.MODE)).raw is not None or not file.silent or file.trouble is not None


def question(ttl: str, *, person: bool = False) -> str:
    """What is disclosed to the person, and how they agree or the agent at hand is to ask them."""
    return f"""Ambient memory is off. While it is on, agents save without being asked what you tell them:
  what lasts (preferences, corrections, decisions, commitments, relationships), for good; what passes (health,
    whereabouts, mood, near plans) for {ttl}. Never secrets, guesses, quoted or pasted text.
  A hook looks after each turn: what the agent missed waits in a file on this machine and becomes facts later.
    Greetings, questions, tool output, pasted text and any turn with a secret in it are left out.
  Those facts have no expiry unless they are of the passing kind. Facts are read by agents that you let into this
    brain, not by the internet. Nothing new leaves this machine, except to a language model if you have set one.
  See first what it would save, with nothing saved: gbrain config set memory.auto_writeback_shadow on
    and after some days of use: gbrain writeback preview
  Off again: {DISABLE}
    then, to take the text out of your agents' files: {INSTALL}
{_TO_PERSON if person else ""}{_TO_AGENT}"""


_TO_AGENT = f"""\
[AGENT] Put this to the user in your own words: may agents save unasked what they tell them? Recommended: salient.
[AGENT] Only after a yes, run: {ENABLE}
[AGENT] and then: {INSTALL}
[AGENT] No answer is a no: run nothing. It is asked once; never decide it for them."""
_TO_PERSON = f"""May agents save unasked what you tell them? If so, run: {ENABLE}
and then: {INSTALL}
If not, do nothing: it stays off, and this is asked once. An agent that reads this instead:
"""

"""Whether a new one-line claim repeats an old one, replaces it, or stands beside it; no model, no I/O.

A claim is read into words that wording, formats and language leave alone. Two claims are duplicates only when those
words are all the same and nothing that carries identity differs: numbers, codes, dates, units, names, negation,
direction, order of roles. A claim supersedes another when it gives the same exclusive attribute of the same entity
another value, or says that the old state ended. In doubt they are distinct.
"""

from typing import Literal, NamedTuple

from gbrain.domain.similarity.claims import Claim, claim, fingerprint, normalise
from gbrain.domain.similarity.likeness import alike
from gbrain.domain.similarity.succession import moved_on, replaced

__all__ = ["Claim", "Relation", "Verdict", "claim", "compare", "fingerprint", "normalise"]


Relation = Literal["same", "duplicate", "supersedes", "distinct"]


class Verdict(NamedTuple):
    """How `new` relates to `old`; `score` 0 to 1 is the share of words in common, `why` a short reason for people."""

    relation: Relation
    score: float
    why: str


def compare(old: Claim, new: Claim, same_kind: bool, kind: str, same_entity: bool) -> Verdict:
    """What `new` is to `old`.

    `kind` is the new claim's kind and `same_kind` whether the old one has it too. `same_entity`: both are filed under
    one entity, or, where claims without one may replace each other, under none. Only then can one supersede the other.
    Claims about two entities are never the same, however alike.
    """
    if not same_entity and old.entity != new.entity:
        return Verdict("distinct", 0.0, "other entity")
    # Before anything is read into words: it costs nothing, and most repeats are literal.
    if old.key == new.key:
        return Verdict("same", 1.0, "same text")
    if _other_person(old, new):
        return Verdict("distinct", 0.5, "names differ")
    ours, theirs = set(old.bag), set(new.bag)
    score = len(ours & theirs) / (len(ours | theirs) or 1)
    # "Wants to move to Oslo" and "moves to Oslo" share their words; their kinds tell them apart.
    if not same_kind:
        if same_entity and kind in ("fact", "event") and (why := moved_on(old, new)):
            return Verdict("supersedes", score, why)
        return Verdict("distinct", score, "other kind")
    if alike(old, new):
        return Verdict("duplicate", max(score, 0.9), "same words")
    if same_entity and (why := replaced(old, new, kind)):
        return Verdict("supersedes", score, why)
    return Verdict("distinct", score, _difference(old, new))


def _other_person(old: Claim, new: Claim) -> bool:
    """Whether two names were taken for the entity's by their pinyin, and are not one."""
    guessed = {mark for mark in old.marks | new.marks if mark[:5] == "name:"}
    return len(guessed) > 1


def _difference(old: Claim, new: Claim) -> str:
    if old.numbers != new.numbers:
        return "numbers differ"
    if old.negations != new.negations:
        return "negation differs"
    if old.names != new.names:
        return "names differ"
    return "order or roles differ" if old.bag == new.bag else "other words"

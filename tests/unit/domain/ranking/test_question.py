import pytest

from gbrain.domain.ranking.question import spans, understood


@pytest.mark.parametrize(
    ("text", "link_type", "answers"),
    [
        ("Who works at Harbor Labs?", "works_at", ("person",)),
        ("Who is on the payroll of Harbor Labs?", "works_at", ("person",)),
        ("Which people does Harbor Labs employ?", "works_at", ("person",)),
        ("Who invested in Harbor Labs?", "invested_in", ("person",)),
        ("Who are the backers of Harbor Labs?", "invested_in", ("person",)),
        ("What companies did Dana Reed invest in?", "invested_in", ("company",)),
        ("Who advises Harbor Labs?", "advises", ("person",)),
        ("Name the mentors of Harbor Labs", "advises", ()),
        ("Who attended the Harbor Board Meeting Q1?", "attended", ("person",)),
        ("Who was at the Harbor Board Meeting Q1?", "attended", ("person",)),
        ("Who founded Harbor Labs?", "founded", ("person",)),
        ("谁投资了青禾?", "invested_in", ("person",)),
        ("谁参加了三月的会议?", "attended", ("person",)),
        ("谁在青禾工作?", "works_at", ("person",)),
    ],
)
def test_a_relation_is_heard(text, link_type, answers):
    relation = understood(text).relation
    assert relation is not None
    assert link_type in relation.link_types
    assert relation.answers == answers


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("When did Dana move to Ghent?", "temporal"),
        ("搬家是什么时候", "temporal"),
        ("what happened at the harbour", "event"),
        ("hand-crafted early traction", "concept"),
        ("grounding LLMs in external private documents", "concept"),
        ("harbour budget of Dana", "general"),
        ("what is my favourite tea", "general"),
        ("budget:2031", "general"),
        ("", "general"),
    ],
)
def test_the_intent_of_a_question(text, intent):
    assert understood(text).intent == intent


def test_spans_are_the_names_a_question_may_hold_the_longest_first():
    found = spans("Who invested in Harbor Labs' new fund?")
    assert "Harbor Labs'" not in found
    assert found.index("invested in Harbor Labs") < found.index("Harbor Labs") < found.index("Harbor")
    assert "Beta - Cybersecurity Startup" in spans("Who works at Beta - Cybersecurity Startup?")
    assert "Acme" in spans("who are Acme's investors?")
    assert len(spans("word " * 1000)) <= 120

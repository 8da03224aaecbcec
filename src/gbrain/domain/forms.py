"""English words that no suffix rule brings to one form: went, bought, children.

A stemmer cuts endings, so a question about what someone *bought* misses the line that says *buy*. The table maps each
irregular form to the word it belongs to; index and questions go through it alike.
"""

from functools import cache

# One group a line or a slash: the word, then its forms. Forms that are common words of their own (saw, found, left,
# felt, rose, wound) stand with the word people mean far more often in what they tell an assistant.
_GROUPS = """
    be/been/being bear/bore/borne become/became begin/began/begun bend/bent bind/bound bite/bit/bitten
    blow/blew/blown break/broke/broken breed/bred bring/brought build/built burn/burnt buy/bought catch/caught
    choose/chose/chosen cling/clung come/came creep/crept deal/dealt dig/dug do/did/done draw/drew/drawn
    dream/dreamt drink/drank/drunk drive/drove/driven eat/ate/eaten fall/fell/fallen feed/fed feel/felt fight/fought
    find/found flee/fled fly/flew/flown forbid/forbade/forbidden forget/forgot/forgotten forgive/forgave/forgiven
    freeze/froze/frozen get/got/gotten give/gave/given go/went/gone grind/ground grow/grew/grown hang/hung have/had
    hear/heard hide/hid/hidden hold/held keep/kept kneel/knelt know/knew/known lay/laid lead/led lean/leant
    leap/leapt learn/learnt leave/left lend/lent light/lit lose/lost make/made mean/meant meet/met pay/paid
    ride/rode/ridden ring/rang/rung rise/rose/risen run/ran say/said see/saw/seen seek/sought sell/sold send/sent
    shake/shook/shaken shine/shone shoot/shot sing/sang/sung sink/sank/sunk sit/sat sleep/slept slide/slid
    speak/spoke/spoken spend/spent spin/spun spring/sprang/sprung stand/stood steal/stole/stolen stick/stuck
    sting/stung strike/struck swear/swore/sworn sweep/swept swell/swollen swim/swam/swum swing/swung take/took/taken
    teach/taught tear/tore/torn tell/told think/thought throw/threw/thrown understand/understood wake/woke/woken
    wear/wore/worn weave/wove/woven weep/wept win/won wind/wound write/wrote/written
    child/children foot/feet goose/geese life/lives man/men mouse/mice person/people tooth/teeth wife/wives
    woman/women
"""


@cache
def irregular() -> dict[str, str]:
    """Every irregular English form and the word it belongs to, both in lower case."""
    forms: dict[str, str] = {}
    for group in _GROUPS.split():
        word, *others = group.split("/")
        forms.update(dict.fromkeys(others, word))
    return forms

"""Who attended a meeting, from the sentences of its page: whoever is named, unless it is said that they did not."""

import re

from gbrain.domain.relations.kinds import PEOPLE
from gbrain.domain.relations.reading import Said
from gbrain.domain.relations.sentences import REF

_ABSENT = (
    r"(?:absent|absence|excused|apologies|regrets|no-show|not (?:present|attending)|sent (?:a|an|his|her|"
    r"their) (?:deputy|substitute|stand-in|delegate|replacement)|missing|could(?:n't| not) (?:make|attend|join|come|"
    r"be)|"
    r"(?:did|does|was|were|is|has|will)(?:n't| not) (?:attend|join|come|able|there|present|show|make|in the room)|"
    r"skipped|miss(?:ed|es)?\b|cancel(?:l)?ed|declined|unable to|never (?:showed|came|joined)|sent (?:his|her|"
    r"their)? ?regrets|"
    r"(?:out|was|were|is|fell|being) (?:ill|sick|away|travell?ing)|on (?:leave|vacation|holidays?|parental leave)|"
    r"(?:was|were|is|are)(?:n't| not)\s*(?=$|[.,;])|"
    r"will (?:join|attend|come|be there)|dropped out|stayed away|not in attendance|without|instead of|in place of|"
    r"on behalf of|"
    r"缺席|没有?(?:来|参加|出席|到场|到会|参会|与会)|未(?:能)?(?:来|参加|出席|到场|到会)|请假|不在场|不能来|没能|无法)"
)
_AND = r"\s*(?:,\s*and\b|,|\band\b|&|、|和|与)\s*"
_EXCEPT = (
    r"(?:(?<![a-z])(?:except(?: for)?|apart from|aside from|other than|save for|excluding|minus|barring)\s*$|"
    r"\b(?:every(?:one|body)|all|anyone|(?:whole |entire )team)(?: [a-z]+){0,3}?,? but\s*$|"
    r"除了?\s*$)"
)
"""Words right before those who alone did not come."""
_ABOUT = (
    r"(?:about|regarding|re:|discuss(?:ed|ing)?|talk(?:ed|ing)? (?:about|of)|mention(?:ed|ing|s)?|concerning|"
    r"on hiring|hire|hiring|"
    r"intro(?:duction)?s? to|introduce (?:us|me|him|her|them) to|follow(?:ing)? up with|reach(?:ing)? out to|"
    r"email|call|ping|ask|"
    r"contact|schedule|send (?:it |this |that )?to|next (?:call|meeting) with|reference(?:s)? (?:for|from)|"
    r"interview|candidate|"
    r"review(?:ed)?|compar(?:e|ed) (?:to|with)|report(?:s)? (?:by|from)|paper by|idea from|message from|"
    r"email from|invite|"
    r"谈到|提到|谈及|讨论了?|关于|聊到|说起|联系|跟进|介绍(?:给)?|发给|转给|下次(?:约|和|见))"
)


def read(text: str, kinds: dict[str, str]) -> list[Said]:
    """The people among these references that took part."""
    low = text.lower() if len(text.lower()) == len(text) else text
    said = []
    if re.match(rf"{_ABSENT}[^:：]{{0,20}}[:：]", low):
        return []
    for found in re.finditer(REF, low):
        if kinds.get(found[0], "") not in PEOPLE and kinds.get(found[0], "") != "":
            continue
        before, after = low[: found.start()], low[found.end() :]
        listed = re.search(rf"(?:{REF}{_AND})+$", before)
        if re.search(_EXCEPT, before[: listed.start()] if listed else before):
            continue
        before = re.split(r"[;.。；]|, but | but |，但", before)[-1][-80:]
        after = re.sub(rf"^(?:{_AND}{REF})+", "", re.split(r"[;.。；]|, but | but |，但", after)[0])
        after = re.split(REF, after)[0][:60]
        if re.search(_ABSENT, after) or re.search(_ABSENT + r"[^,，]*$", before):
            continue
        if re.search(rf"(?<![a-z]){_ABOUT}(?![a-z])[^,;]*$", before):
            continue
        said.append(Said(found[0], "attended", False, None))
    return said

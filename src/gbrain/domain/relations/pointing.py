"""The words by which a text points at a meeting, a source or a related page. Data: `pointers` gives them meaning."""

import re
from functools import cache

from gbrain.domain.relations import english
from gbrain.domain.relations.sentences import REF

_STRONG = (
    r"(?:discuss(?:ed|es|ing|ions?)?|debat(?:ed?|es|ing)|talk(?:ed|s|ing)? (?:[a-z]+ ){0,3}?(?:about|over|through|"
    r"of)|talks?|"
    r"(?:came|comes|come|coming) up|(?:brought|brings?|bringing) up|(?:went|go|goes|going) (?:over|through)|"
    r"(?:argued|spoke|conversations?|arguments?|exchange|dispute) (?:about|over|on)|hash(?:ed|ing) out|"
    r"brainstorm(?:ed|ing)|deliberat(?:ed|ing|ions?)|on the (?:agenda|table)|spen[dt] [^.,;]{1,40}(?:on|about)|"
    r"(?:brought|brings?) (?:[a-z']+ ){1,4}up)"
)
"""Verbs and nouns that say that something was talked about, whoever did."""
_WEAK = (
    r"(?:discussed|debated|talked (?:about|over|through)|brought up|gone over|raised|reviewed|covered|mentioned|"
    r"addressed|touched (?:on|upon)|considered|decided|agreed|approved|settled|hashed out|dealt with|presented|"
    r"explored|proposed|weighed|examined|analy[sz]ed|argued (?:about|over)|floated|broached|tabled|revisited|"
    r"introduced|announced|voted on|turned down|rejected|vetoed|postponed|contested|disputed|questioned|flagged|"
    r"scrutini[sz]ed|challenged|"
    r"assessed|thrashed out)"
)
"""Verbs that say so in the passive, or of `we`."""
_THE = (
    r"(?:\s+(?:the|both|every|each|all|most|half|whole|rest|start|end|day|part|session|afternoon|morning|of|idea|"
    r"notion|"
    r"concept|topic|problem|question|theme|our|a|an|this|that|last|their|her|his|its|[a-z]+ly|[a-z]+'s|first|second|"
    r"recent|meeting|call|"
    r"session|sync|review|standup|notes? (?:of|from)|minutes (?:of|from)))*"
)
_NOUN = (
    r"(?:\s+(?:the|a|an|this|that|our|her|his|their|recent|annual|latest|same|new|report|article|book|essay|paper|"
    r"study|post|talk|interview|podcast|page|entry|survey|piece|findings|results?|analysis|research|work|numbers|"
    r"figures|data|newsletter|story|video|blog|episode|appendix|chapter|section|"
    r"figure|in|of|by|on|from|[0-9]+))*"
)
_SOURCED = (
    r"(?:data|figures?|numbers?|statistics|quotes?|quotations?|excerpts?|details|information|facts?|text|passages?|"
    r"table|chart|definition|estimates?)"
)
_BARRIER = (
    r"(?:;|；|。|，(?=但|不过|然而)|,? but |,? while |,? whereas |,? although | — | – |, not |, (?=(?:she|he|it|we) ))"
)
_ASIDE = r"(?:\s*\([^()\ue000-\uf76f]*\))?\s*"
_LISTED = rf"{REF}(?:{_ASIDE}(?:,\s*and\b|,|、|，|/|&|\band\b|\bor\b|和|与|以及|及)\s*{REF})*"
_HEADING = (
    r"(?:(?:closely |most )?related|see also|similar|further reading|compare|sources?|references?|refs?|citations?)"
)
_LABEL = (
    rf"(?:{_HEADING}(?: [a-z]+){{0,2}}|相关[\u4e00-\u9fff]{0, 4}|另见|参见|参阅|(?:资料|数据|信息|消息)?来源|出处|"
    rf"比较|延伸阅读)\s*[:：]"
)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of the module's table, compiled at first use."""
    return re.compile(_TABLE[name])


_TABLE = {
    "any": (
        r"relat|via|ref|learn|got|connect|link|akin|analog|如|see|cf|compar|similar|reading|sourc|cit|accord|per |"
        r"report|from|based|as |say|said|state|estimat|"
        r"claim|note|show|found|find|suggest|argue|put|相关|有关|关联|联系|见|参|比较|对照|对比|来源|根据|据|按|"
        r"自|出处|指出|报道|显示|称|认为|表示|估计|写道|延伸|说"
    ),
    "list": _LISTED,
    "labelled": _LISTED.replace("|,|", "|,|;|；|"),
    "heading": _HEADING,
    "label": rf"\s*{_LABEL}",
    "barrier": _BARRIER,
    "denied": (
        r"(?<![a-z])(?:not(?! only| just| merely)|never|cannot|neither|nor|without|den(?:y|ies|ied)|declin(?:e|es|"
        r"ed|ing)|"
        r"refus(?:e|es|ed|ing)|fail(?:ed|s)?|instead of|rather than|hardly|no(?! doubt)|nobody|no one|none|nothing|"
        r"contrary|unlike|expected|scheduled|supposed|let's|(?:ha(?:s|ve)|yet) to|must|promised to|"
        r"agreed to (?:attend|join|come)|no longer|"
        r"tomorrow|may|might|could|would|should|shall|will|wants?|wanted to|hop(?:es?|ed|ing) to|plan(?:s|ned|"
        r"ning)? to|"
        r"invit(?:ed|es)|asked to|if|whether|going to|set to|due to|potentially|possibly|maybe|perhaps|intend(?:s|ed)? "
        r"to|meant to|needs? to|likely)(?![a-z])|n't\b|'ll\b|(?<![a-z])to be(?: \w+ed\b|\s*$)"
    ),
    "related": (
        r"(?:(?:^|[^a-z])(?:see also|also see|see,? also|cf\.?)\s*:?\s*(?:the (?:(?!in\b|at\b|of\b|on\b|by\b|from\b)"
        r"[a-z-]+ ){0,3}|(?:page|project|note|entry|concept|article|work)s?(?: on)? )?"
        r"|(?:^|[.(:,]\s*|\band )(?:please |to )?compare(?: (?:with|to|this with|this to))?\s*:?\s*"
        rf"|(?<![a-z])(?:related|relates?|relating) to{_THE}\s*|\brelated [a-z]+(?:,? see|(?: [a-z]+)? (?:include|"
        rf"are|is)):?\s*"
        r"|(?:^|[(;.]\s*)(?:(?:closely |most )?related|similar|further reading)(?: [a-z]+){0,2}?\s*[:–—-]\s*"
        r"|(?:另见|另请参[阅见]|参[见阅看]|另参|比较|对照|对比|延伸阅读)\s*[:：]?\s*|"
        r"相关[\u4e00-\u9fff]{0,4}\s*[:：]\s*)$"
    ),
    "alike": rf"(?<![a-z])(?:(?:closely |loosely |directly )?(?:connected|linked|akin|analogous|similar) to){_THE}\s*$",
    "also": r"\s*(?:is|are) (?:also |closely |a |an |another |directly |loosely )*related\b(?! to)",
    "apart": rf"{REF}(?:,? (?:which|that))? (?:is|are|was|were) (?:[a-z]+ )?$",
    "with": r"(?:与|和|跟|同)\s*$",
    "akin": r"\s*(?:密切|直接|间接|高度|紧密|有些|很|也|是|都|互相|之间|十分|非常|息息)*(?:相关|有关|有?关联|有联系)",
    "cited": (
        r"(?:^|[\s(,;.])(?:sources?|citations?|references?|refs?)\.?\s*[:–—-]\s*$|"
        r"(?:来源|出处)\s*(?:[:：]|是|为)\s*$"
    ),
    "source": (
        r"(?:(?<![a-z])(?:according to|as (?:was )?(?:reported|described|noted|told|stated|explained|argued|mentioned|"
        r"quoted|shown|documented|covered|published|discussed|written|laid out|set out|cited|put|heard|seen|read|"
        r"outlined|detailed|recorded|recounted|observed|summari[sz]ed) (?:in|by|on)|(?:^|[.,(]\s*)(?:citing|quoting)|"
        r"(?:reported|cited|documented|sourced) (?:in|by)|"
        r"(?:taken|quoted|drawn|adapted|extracted|excerpted|cited|borrowed|copied|sourced|comes?|came|coming|"
        r"derived|compiled|summari[sz]ed|stems?|paraphrased|lifted|learned|learnt|gathered)(?: [a-z]+ly)? from|"
        rf"(?:^|[.,(]\s*)based on|(?:is|are|was|were) based on|{_SOURCED} (?:is |are |was |were )?from|"
        rf"{_SOURCED}(?: (?!not\b|never\b)[a-z]+){{1,5}}? (?:is|are|was|were|come|comes|came) (?:all |mostly |"
        rf"taken )?from|"
        r"(?:learned|learnt|got|took|know|have|heard) (?:this|that|it|these|them|the [a-z]+) from|"
        r"(?:^|\()\s*(?:from|via))"
        rf"|(?:^|[,(]\s*|\bas )per){_NOUN}\s*[:\"“]?\s*$"
        r"|(?:根据|依据|按照|按|依照|据|引自|摘自|出自|取自|来自于?|转引自|源自|参考自?|来源于|引用自?)\s*《?\s*$"
    ),
    "opens": r"(?:^|[,(]\s*|\bas |\b(?:the|a) (?:report|article|book|study|paper|essay|survey) |[，：]\s*|(?:正如|"
    r"如|像)\s*)$",
    "reports": (
        r"》?\s*(?:(?:report|say|state|estimate|claim|note|show|suggest|argue|put)(?:s|ed)?|said|found|finds)\b"
        r"(?! (?:nothing|little|no|not|for|how|why)\b)|》?\s*(?:所(?:述|说|写|言|示|指出)|指出|报道|显示|称|认为|"
        r"表示|估计|写道)"
    ),
    "absent": (
        r"\b(?:skip(?:s|ped|ping)?|miss(?:ed|es|ing)?|absen(?:t|ce)|apologi\w+|regrets|excused|unable|instead|"
        r"represented|behalf|place of|cancel\w*|sick|leave|left before|no-show|away)\b|缺席|错过|请假|未能|受邀|"
        r"获邀|缺勤|推迟|取消"
    ),
    "fronted": rf"\s*(?:and |then |later )?(?:at|in|during|on){_THE}\s*",
    "at": rf"\b(?:at|in|during|on the agenda (?:of|for)|on|throughout){_THE}\s*$",
    "aside": r"\(\s*(?:see |cf\.? )?$",
    "neither": r"\b(?:neither|nor|not|never)(?: even| yet)? (?:in|at|during|on)\b[^,;]*$",
    "attendance": (
        r"\W*(?:(?:meetings?|calls?|events?) )?(?:attended|participated(?: in)?|took part(?: in)?|attendance|was at|"
        r"meetings)\s*[:–—-]\s*"
    ),
    "passive": (
        rf"\b(?:was|were|been|being|got|is|are|gets?)(?: (?!not\b|never\b|hardly\b|"
        rf"rarely\b)[a-z]+){{0,2}} {_WEAK}\b|\b(?:came|comes|come) up\b|"
        rf"^\W*(?:first |also |briefly |last |[a-z]+ly |already |then )*{_WEAK}(?: [a-z]+ly| again| at length|"
        rf" further| in detail| briefly| here| there|,| and [a-z]+)* (?:in|at|during|on)\b|"
        rf"\bwe(?: [a-z]+ly| also| first| have| all)? {_WEAK}\b|\bon the agenda\b|"
        rf"\b(?:someone|somebody|people|they|the (?:team|board|group|others|partners|founders)|several|some) {_WEAK}\b|"
        r"\b(?:topic|subject|theme|talking point)s?\b|"
        rf"^\W*{_WEAK}\s*[:–—-]|\b(?:discussion|debate|conversation|argument)s?\b"
    ),
    "strong": (
        rf"(?<![a-z])(?:{_STRONG}|approved|reviewed|mentioned|agreed|decided|considered|debated|voted on|settled|"
        r"rejected|vetoed|flagged|raised (?:it|this|that|the|concerns|questions|doubts))(?![a-z])"
    ),
    "covers": (
        rf"(?:,? (?:also|briefly|mainly|first|then|where|in which|which))*\s*(?:it |this |that |the [a-z]+ |we )?"
        rf"(?:was |were |had )?(?:[a-z]+ly )?\b(?:{_STRONG}|(?:(?<=was )|(?<=ly ))about|covered|addressed|reviewed|"
        rf"touched (?:on|upon)|dealt with|considered|"
        r"spent [^.,;]{1,30} on)\b|"
        r"\s*[:–—-] [^.;]{0,60}\b(?:discussed|debated|talked about|came up)\b|"
        r"\s*(?:for|has|holds|contains|records) (?:the |a |more |our |that |full )*(?:[a-z]+ )?"
        r"(?:discussion|debate|conversation)"
    ),
    "minutes": r"(?:discussion|debate|talk)s?,? (?:from|of|see)(?: the)?\s*$|(?:discuss(?:ed|ion)|"
    r"debated?)\s*[:–—-]\s*$"
    r"|(?:讨论|争论)[^，。]{0,6}(?:见|于|在)\s*[:：]?\s*$",
    "attends": (
        r"\b(?:attend(?:ed|s|ing)?|join(?:ed|s|ing)?|(?:took|takes|taking) part in|participat(?:ed|es|ing) in|"
        r"sat (?:in on|through)|chair(?:ed|s|ing)?|host(?:ed|s|ing)?|ran|runs|led|leads|moderat(?:ed|es)|"
        r"facilitat(?:ed|es)|organi[sz]ed|(?:came|went|travel+ed|flew|got|drove|made it|"
        r"(?:showed|turned) up)(?: [a-z]+)? (?:to|for)|"
        r"(?:dial+ed|called|tuned|dropped|logged|zoomed)(?: in)? ?(?:into|to|in on)|stayed (?:for|through)|left|"
        r"(?:attendee|participant|speaker|panell?ist|guest|presenter|moderator|host|organi[sz]er)s? (?:of|in|at)|"
        rf"part of|opened|closed|kicked off){_THE}\s*$"
    ),
    "opening": (
        r"^\s*(?:(?:on|in|at|during|after|before|last|this|earlier|since|by|as) [^,]{1,40}, |"
        r"(?:on|in|last|this) (?:[a-z]+day|early |late |week|month|year|spring|summer|autumn|fall|winter|q[1-4]|"
        rf"(?:{english.MONTHS})|[0-9 ]+)+\b)"
    ),
    "出席": r"(?:参加|出席|参与|列席|主持|旁听|加入|召集|组织|到场|去)(?:了|过)?\s*$",
    "讨论": (
        r"\s*(?:上|中|里|会上|期间|时|会议上)?\s*(?:也|有人|引[起发]了?|[他她]们|还|曾|都|已经?|进行了?|重点|详细|"
        r"又|再次|首次|专门|有过?|我们|大家|"
        r"被|一起|深入|充分|得到了?|激烈|对[^，。]{0,10}|就[^，。]{0,10})*(?:讨论|谈到|谈及|提到|提及|提出|聊到|"
        r"聊过|聊了|争论|"
        r"辩论|商讨|探讨|商议|审议|议论|说到|谈了)|\s*的(?:[^，。]{0,4}讨论|争论|议程|议题)"
    ),
    "他": r"\s*(?:上|中|里|会上|期间|时)?\s*[，,]\s*(?P<who>[^，。]{1,6}?)(?=也|还|曾|提|发|介|讲|说|表|分|展|主|讨|"
    r"谈|宣|建|汇|做)",
    "被": r"被|得到",
    "发言": (
        r"\s*(?:上|中|里|会上|期间|时)?\s*[^，。]{0,8}?(?:发言|介绍|演讲|汇报|发表|主持|分享|展示|讲|说|表示|提问|"
        r"见到|遇到|认识|提议|报告|宣布|做|提出|建议)"
    ),
}
"""Patterns over lower-case text, in which references are single characters."""

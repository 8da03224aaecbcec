"""The words by which English says how a person and an organisation are related. Data: `reading` gives it meaning.

In patterns `REF` stands for a reference, `ROLE` for a role at an organisation, `ROUND` for a round of financing, and a
space for any white space. Texts are matched in lower case.
"""

from typing import Literal, NamedTuple

Shape = Literal["verb", "by", "role", "label", "neutral"]


class Rule(NamedTuple):
    """A trigger. `verb`: who does it stands before, what is done to it behind; `by`: the other way round; `role`: a
    noun that names the one by the other; `label`: a heading with a list behind; `neutral`: says nothing of the kind.
    """

    type: str
    shape: Shape
    pattern: str
    past: bool = False
    """Says that somebody works there no more."""
    tight: bool = False
    """Counts only with a reference right behind it."""


ROUND = r"(?:round|seed|series_[a-h]|pre-?seed|financing|funding|raise|bridge|extension|cheque|check|ticket|investment)"
FILL = r"(?: [^.,;:()]{1,60}?)??"
"""Words that may stand inside a trigger, such as a sum or a title."""
PLAIN = r"(?: [^.,;:()\ue000-\uf76f]{1,60}?)??"
"""The same without references among them."""
THE = r"(?:the |a |an |its |their |our |his |her |this |that )?"

ROLES = (
    r"(?:interim |acting |deputy |executive |senior |junior |lead |principal |staff |associate |assistant |global |"
    r"regional |managing |general |chief |first |vice |founding |machine learning |data |software |hardware |product |"
    r"engineering |sales |marketing |design |research |operations |finance |growth |security |platform |technical |"
    r"country |operating |venture |full-stack |backend |frontend |ml |ai |qa |ux |hr |pr |it |summer |part-time |"
    r"full-time |new |current |longtime |long-time )*"
    r"(?:(?:vice[ -]president|[se]?vp|head|director)(?: of|,)? (?:engineering|sales|marketing|products?|design|"
    r"research|"
    r"operations|finance|growth|people|security|data|technology|hr|legal|communications|partnerships|business "
    r"development|customer success|strategy|manufacturing|quality|policy|science|infrastructure|platform)|"
    r"ceo|cto|coo|cfo|cmo|cpo|cio|ciso|cro|cso|chro|evp|svp|vp|gp|md|president|director|manager|head|engineer|"
    r"engineering lead|designer|developer|programmer|researcher|scientist|analyst|associate|principal|partner|lead|"
    r"intern|employee|staffer|professor|lecturer|teacher|editor|reporter|journalist|writer|counsel|lawyer|attorney|"
    r"accountant|architect|recruiter|officer|administrator|executive|operator|salesperson|marketer|technician|"
    r"product manager|pm|nurse|doctor|chemist|economist|strategist|controller|treasurer|secretary|chief of staff|"
    r"boss|leader|captain|curator|fellow|postdoc|consultant|evangelist|specialist|coordinator|representative|"
    r"contractor|chief executive|managing director|worker|member of (?:the )?technical staff|"
    r"(?:vice[ -]president|vp|svp|head|director|chief|manager|evp)(?: of)?(?: [a-z&-]+){1,3}|"
    r"chief [a-z]+ officer)"
)
FOUNDER = r"(?:serial )?(?:co-?founders?|founders?|founding (?:partner|ceo|cto|president|member)|founder-ceo|creators?)"
ADVISOR = (
    r"(?:(?:senior |technical |scientific |strategic |special |early |paid |informal |medical |legal |product |"
    r"independent |non-executive |outside |formal )*"
    r"(?:advis[eo]rs?|mentors?|board (?:member|director|observer|advis[eo]r)s?|(?:non-executive|independent|outside|"
    r"external) directors?|"
    r"member of the (?:advisory )?board|director on the board|advisory board member|board seat|seat on the board|"
    r"executive coach))"
)
INVESTOR = (
    r"(?:(?:lead |angel |seed |early |first |existing |major |minority |principal |largest |strategic |"
    r"series_[a-h] |pre-seed |return(?:ing)? )*"
    r"(?:investors?|backers?|shareholders?|angels?|limited partners?|lps?|stakeholders?|funders?))"
)

LED = r"(?:co-?)?(?:led|leads|leading|lead(?! (?:seed |angel )?(?:investor|backer|angel)))"
EVENT = (
    r"(?:an? (?!(?:[a-z0-9-]+ ){0,3}(?:team|group|department|division|unit|lab|practice|office|desk|squad|branch|"
    r"store|plant|arm|brand)\b)"
    r"(?:[a-z0-9-]+ ){1,4}(?:at|for|on|about|into|with|in|of)\b|"
    r"the (?:[a-z-]+ )?(?:acquisition|purchase|sale|takeover|merger|boycott|investigation|audit|review|charge|campaign|"
    r"lawsuit|case|talks|negotiations|delegation|protest|due diligence)\b)"
)
"""Whoever led `a workshop at` or `the purchase of` an organisation need not have worked there, as who led a team."""

RULES: tuple[Rule, ...] = (
    # founded
    Rule("founded", "verb", r"(?:co-?)?found(?:ed|s|ing)(?! by)"),
    Rule("founded", "verb", r"(?:co-?)?found(?= REF)"),
    Rule("founded", "verb", r"(?:co-?)?(?:started|launched|created|built|established|set up|incorporated)(?! by|"
         r" at)", tight=True),
    Rule("founded", "verb", r"(?:start|launch|create|establish|build|set up)(?= REF)", tight=True),
    Rule("founded", "by", r"(?:co-?)?(?:founded|started|launched|created|established|set up|incorporated|"
         r"built)" + FILL + r" by"),
    Rule("founded", "by", r"(?:is |was )?the (?:brainchild|creation|work|startup) of"),
    Rule("founded", "role", FOUNDER),
    # invested_in
    Rule("invested_in", "verb", r"(?:co-?|angel[ -]|re)?invest(?:ed|s|ing)?(?! (?:time|energy|effort|hours|years|"
        r"attention)\b)" + FILL + r" in(?:to)?"),
    Rule("invested_in", "verb", r"(?:put|puts|poured|pumped|injected|sank|committed|wired|"
         r"placed)" + FILL + r" in(?:to)?", tight=True),
    Rule("invested_in", "verb", r"(?:backed|backs|backing|funded|funds|funding|financed|finances|bankrolled|"
         r"seeded)(?! by)", tight=True),
    Rule("invested_in", "verb", r"(?:back|fund|finance)(?= REF)", tight=True),
    Rule("led_round", "verb", LED + r" (?:[^.,;:()\ue000-\uf76f]{1,60}?[ -])??" + ROUND + r"s?(?: " + ROUND +
         r")*(?: (?:in(?:to)?|of|for|at|to|with))?"),
    Rule("led_round", "verb", LED + r"(?= REF(?:'s)?(?:,? (?:and )?REF(?:'s)?)* (?:[$€£\w.-]+ ){0,3}?"
         + ROUND + r"s?)"),
    Rule("led_round", "role", r"(?:series_[a-h]|pre-?seed|seed|round|financing)(?:'s)? (?:co-)?leads?(?= (?:is|are|was|"
         r"were) )"),
    Rule("led_round", "role", r"(?:co-)?lead(?= (?:of|in|on|for) " + THE + r"(?:REF(?:'s)? )?(?:[$€£\w.-]+ ){0,3}?"
         + ROUND + r")"),
    Rule("invested_in", "verb", r"(?:followed on|doubled down|re-?upped|came) (?:in|on|into)", tight=True),
    Rule("led_round", "role", r"(?:co-)?lead (?:(?:seed|pre-seed|series_[a-h]|institutional|outside) )?"
         r"(?:investors?|backers?)"),
    Rule("invested_in", "verb", r"(?:anchored|did(?! not|n't)|joined|joins|closed|"
         r"participated in|participates in|"
         r"took part in|came in on|came into|followed on in|wrote|writes|"
         r"made) (?:[^.,;:()\ue000-\uf76f]{1,60}?[ -])??" + ROUND + r"s?(?: " + ROUND +
         r")* (?:in(?:to)?|of|for|at|to|with)"),
    Rule("invested_in", "verb", r"(?:anchored|joined|participated in|took part in|came into|did)"
         r"(?= REF(?:'s)? (?:[$€£\w.-]+ ){0,3}?" + ROUND + r")"),
    Rule("invested_in", "verb", r"(?:owns?|owned|holds?|held|bought|took|takes|acquired|has|had)" + PLAIN +
         r" (?:stakes?|shares?|equity|position)" + FILL + r" (?:in|of)"),
    Rule("invested_in", "verb", r"(?:bought|owns|owned|holds|held|has|acquired)(?= REF(?:'s)? (?:shares|stock|"
         r"equity))"),
    Rule("invested_in", "verb", r"(?:wrote|writes|gave|cut|signed)(?= REF (?:[\w'-]+ ){0,4}?(?:check|cheque|"
         r"term sheet))"),
    Rule("invested_in", "verb", r"(?:portfolio|investments|angel investments|angel bets|bets) (?:includes?|"
         r"included|are|were)"),
    Rule("invested_in", "role", INVESTOR),
    Rule("invested_in", "by", r"(?:backed|funded|financed|bankrolled|seeded|capitali[sz]ed)" + FILL + r" by"),
    Rule("invested_in", "by", r"(?:raised|raises|raising)" + FILL + r" from"),
    Rule("invested_in", "by", r"(?:secured|closed|took|received|got|landed|"
         r"won)(?: [^.,;:()]{0,30}?)? (?:[$€£][^ ]+|[^ ]*million|money|capital|backing|"
         + ROUND + r")" + FILL + r" from"),
    Rule("invested_in", "by", r"(?:money|investments?|funding|capital|checks?|cheques?|participation|backing|"
         r"" + ROUND + r") (?:came )?from"),
    Rule("led_round", "by", r"(?:co-?)?led" + FILL + r" by"),
    Rule("invested_in", "verb", r"(?:anchored|joined|participated in|took part in|"
         r"came into|closed|did(?! not|n't)) (?:[^.,;:()\ue000-\uf76f]{1,40}?[ -])??"
         + ROUND),
    Rule("advises", "by", r"board (?:includes?|consists of|counts|members? (?:are|include|is)|"
         r"of directors (?:includes?|consists of))"),
    Rule("invested_in", "by", r"(?:alongside|joined by)(?= REF)"),
    # advises
    Rule("advises", "verb", r"(?:co-?)?advis(?:es|ed|ing)(?! by)"),
    Rule("advises", "verb", r"advise(?= REF)"),
    Rule("advises", "verb", r"(?:mentor(?:s|ed|ing)|coach(?:es|ed|ing)|counsel(?:s|ed|ing)|consult(?:s|ed|"
         r"ing) (?:for|to|with))(?! by)"),
    Rule("advises", "verb", r"(?:sits?|sat|serves?|served|sitting|serving|is|was|joined|joins|has a seat|"
         r"takes a seat|took a seat|got a seat)"
         r" (?:on )?" + THE + r"(?:advisory |scientific |company )?board(?:" + FILL + r" (?:of|at|for))?"),
    Rule("advises", "verb", r"(?:sits?|sat|serves?|served|is|was|joined|"
         r"joins) (?:on )?(?=REF(?:'s)? (?:advisory |scientific )?board)"),
    Rule("advises", "verb", r"(?:chairs|chaired)" + FILL + r"(?: board of)?", tight=True),
    Rule("advises", "role", ADVISOR),
    Rule("advises", "role", r"(?:executive |non-executive |board |co-)?chair(?:man|woman|person)?"),
    Rule("advises", "by", r"(?:advised|mentored|coached|counsell?ed)" + FILL + r" by"),
    # works_at
    Rule("works_at", "verb", r"(?:works?|working)(?= here| there)"),
    Rule("works_at", "verb", r"(?:teaches|lectures|practices|practises)" + FILL + r" (?:at|for)"),
    Rule("works_at", "verb", r"(?:taught|lectured|practiced|practised)" + FILL + r" (?:at|for)", past=True),
    Rule("works_at", "verb", r"works?" + FILL + r" (?:at|for|inside)"),
    Rule("works_at", "verb", r"working" + FILL + r" (?:at|for|inside)"),
    Rule("works_at", "verb", r"(?:employed|hired|recruited|poached|appointed|engaged)" + PLAIN + r" (?:at|by|to)"),
    Rule("works_at", "verb", r"(?:re)?join(?:ed|s|ing)?"),
    Rule("works_at", "verb", r"(?:(?:runs|heads|manages|leads|oversees|directs|is running|is heading|is leading)"
         r"(?! [^.,;]{0,40}" + ROUND + r"| " + EVENT + r")|"
         r"took over|takes over|returned to|"
         r"stayed at|stays at|remained at|transferred to|switched to|went to work (?:for|at)|took a (?:job|role|"
         r"position) (?:at|with)|"
         r"accepted a (?:job|role|position) (?:at|with)|is on (?:the )?(?:team|staff|payroll|faculty) (?:at|of)|"
         r"(?:freelances?|freelancing|contracts|moonlights) (?:at|for|with))", tight=True),
    Rule("works_at", "verb", r"(?:runs|heads|manages|leads|oversees|directs|"
        r"handles) (?!" + EVENT + r")(?:[a-z&-]+ ){1,4}(?:at|"
         r"for)", tight=True),
    Rule("works_at", "verb", r"(?:is|are|am|'s|'m|has been|have been|been|remains|now|currently|"
         r"presently)(?: now| currently| still| back| based| also)* (?:at|with)", tight=True),
    Rule("works_at", "verb", r"(?:moved|went|moving|moves) (?:over |on |across )?to", tight=True),
    Rule("works_at", "verb", r"(?:started|starts|starting|began)(?: work| working| a job|"
         r" as (?:an? )?[a-z -]{2,40})? (?:at|with)", tight=True),
    Rule("works_at", "verb", r"(?:(?:her|his|their|my|the) )?(?:(?:current|present|new|latest|main|day) )*"
         r"(?:employer|workplace|job) (?:is|remains)(?: at| with)?", tight=True),
    Rule("works_at", "role", ROLES),
    Rule("works_at", "by", r"(?:run|headed|managed|staffed) by"),
    Rule("works_at", "verb", r"(?:employs?|hired|hires|recruited|poached|brought (?:in|on)|appointed|named|"
         r"promoted|onboarded|signed)", tight=True),
    # worked_at
    Rule("works_at", "verb", r"(?:moved|moves|switched|jumped|transferred|defected)(?: over| jobs)? from", past=True,
         tight=True),
    Rule("works_at", "verb", r"(?:(?:her|his|their|my|the) )?(?:(?:former|previous|last|old|first|past|prior|"
        r"long-?time) )*"
         r"(?:employer|workplace|job) was(?: at| with)?", past=True, tight=True),
    Rule("works_at", "verb", r"worked" + FILL + r" (?:at|for|inside)", past=True),
    Rule("works_at", "verb", r"(?:left|leave|leaves|leaving|quit|quits|departed(?: from)?|departs|exits|exited|"
         r"has left)", past=True),
    Rule("works_at", "verb", r"(?:resign(?:ed|s|ing)|retire[ds]?|step(?:ped|s|ping) (?:down|away|back)|"
         r"departure|fired|sacked|dismissed|laid off|"
         r"let go|ousted|parted ways|moved on|came(?: over| out)?|went out|graduated out|resignation|"
         r"exit)" + FILL + r" (?:from|of|by|with)", past=True),
    Rule("works_at", "verb", r"(?:resigned|retired|stepped down|departed|moved on|(?:was|got) (?:fired|sacked|"
         r"dismissed|laid off|let go|ousted))(?: (?:from|by))?", past=True),
    Rule("works_at", "verb", r"(?:was|were|had been)(?: once| briefly| previously| formerly| still|"
         r" then)* (?:at|with)", past=True, tight=True),
    Rule("works_at", "verb", r"(?:ran|headed|managed|led|oversaw|directed)(?! by|"
        r" " + EVENT + r")", past=True, tight=True),
    Rule("works_at", "verb", r"(?:ran|headed|managed|led|oversaw|directed|"
        r"handled) (?!" + EVENT + r")(?:[a-z&-]+ ){1,4}(?:at|"
         r"for)", past=True, tight=True),
    Rule("works_at", "verb", r"used to (?:work|be(?= at| with| in)|run|head|lead|manage|teach|"
        r"intern)" + FILL + r"(?: (?:at|for|"
         r"with|of))?", past=True),
    Rule("works_at", "verb", r"(?:previously|formerly|earlier|before that|prior to that|once|ex)(?: a|"
         r" an)?(?: at| with| of|:)", past=True, tight=True),
    Rule("works_at", "verb", r"ex-", past=True, tight=True),
    Rule("works_at", "verb", r"(?:spent|served|put in|did|after)" + FILL + r" (?:years?|months?|decades?|"
         r"summers?|stints?|time|internship)(?: [a-z-]+){0,4}? (?:at|with|for|inside)", past=True),
    Rule("works_at", "verb", r"(?:stints?|tenure|internship|tour of duty|spell|days|"
         r"career)(?: [a-z-]+){0,3}? (?:at|with)", past=True, tight=True),
    Rule("works_at", "verb", r"(?:her|his|their|my) (?:time|years) (?:at|with)", past=True, tight=True),
    Rule("works_at", "verb", r"intern(?:ed|ing)" + FILL + r" (?:at|with|for)", past=True),
    Rule("works_at", "verb", r"since (?:[a-z0-9]+ ){1,5}(?:has|have|'s|'ve) worked (?:at|with|for)", tight=True),
    Rule("works_at", "verb", r"interns" + FILL + r" (?:at|with|for)"),
    Rule("works_at", "role", r"(?:alum(?:na|nus|ni|s)?|veterans?|ex-employee|former employee)", past=True),
    # everything that is none of these
    Rule("", "neutral", r"(?:left|leaves|leave|quit|resigned|stepped down|stepped off|gave up|lost|"
         r"dropped)" + FILL + r" board(?: of| at)?"),
    Rule("", "neutral", r"(?:met|meets?|meeting|knows?|knew|introduced|intro'd|introduces|talked|talks|spoke|"
         r"speaks|discussed|discusses|"
         r"mentioned|mentions|likes?|liked|loves|wrote|writes|visited|visits|admires?|admired|acquires?|"
         r"acquired|bought|sued|sold|sells|"
         r"competes?|competed|partnered|partners with|uses|used(?! to)|recommended|recommends|interviewed|"
         r"interviews|interviewing|emailed|emails|called|calls|"
         r"pitched|pitches|pitching|lives|lived|studied|studies|graduated|attended|attends|reviewed|reviews|"
         r"follows|followed|tracks|tracked|wants|"
         r"praised|criti[cs]i[sz]ed|compared|compares|reports? to|reported to|married|dated|asked|told|invited|"
         r"sat next to|saw|"
         r"chatted|chats|caught up|hosted|spun out of|merged with|supplies|supplied|buys|covers|covered|"
         r"reported on|blogged|"
         r"tweeted|cited|quoted|reached out to|is based in|applied (?:to|at|for)|turned down|rejected|passed on|"
         r"signed with|negotiated|negotiating|heard|learned|learnt|thinks?|thought|believes?|said|says|argues|argued|"
         r"wants to talk|worried|worries|considers|looked at|looks at|is a customer of|customers? (?:of|include)|"
         r"rival of|competitors?(?: of| to| include)?|"
         r"compete with|evaluat(?:ed|es|ing)|demoed|presented|presents|published|shared|sent|forwarded|"
         r"advertis(?:ed|es|ing)|subscribed|succeeded|succeeds|deployed|integrat(?:ed|es)(?: with)?|"
         r"switched from|replac(?:ed|es)|collaborat(?:ed|es) with)"),
)  # fmt: skip

LABELS: tuple[tuple[str, str, bool], ...] = (
    ("works_at", r"(?:current(?:ly)?|now|employer|company|companies|works at|role|position|affiliation|job|"
         r"day job|team|key people|people|"
                 r"employees|staff|management|leadership|executives)", False),
    ("works_at", r"(?:previous(?:ly)?|past|former(?:ly)?|before|earlier|ex|prior|work history|past employers?|"
         r"previous employers?|"
                 r"previous roles?|alumni|former employees)", True),
    ("founded", r"(?:founded|founder of|co-?founded|co-?founder of|(?:co-?)?founders?|founding team|started)", False),
    ("led_round", r"(?:(?:co-)?lead (?:investors?|backers?)|(?:round )?(?:co-)?led by|leads?|co-leads?)", False),
    ("invested_in", r"(?:portfolio|investments?|angel investments?|invested in|backed|investors?|backers?|"
         r"angels?|"
                    r"cap table|shareholders|funded by|backed by|investor in)", False),
    ("advises", r"(?:advises|advis[eo]r(?:s)?(?: to)?|advisory|boards?|board seats?|advisory board|"
         r"board members?|mentors?|board of directors|"
                r"advising|advised by)", False),
)  # fmt: skip
"""Headings of lists: type, words, whether they name what is past."""

NEGATIONS = (
    r"(?:not(?! only| just| merely| least)|n't|never|cannot|neither|nor|without|den(?:y|ies|ied)|declin(?:e|es|"
    r"ed|ing)(?: an offer)?|"
    r"refus(?:e|es|ed|ing)|turn(?:ed|s|ing) down|pass(?:ed|es|ing) on|reject(?:ed|s|ing)?|fail(?:ed|s) to|"
    r"instead of|rather than|decided against|ruled out|hardly|stopped short of|no (?:plans|interest|intention|offer)|"
    r"opted out of|backed out of|pulled out of|walked away from|isn't|wasn't|no(?! longer| doubt| more))"
)
ENDED = (
    r"(?:no longer|not any ?more|anymore|any longer|used to|stopped|ceased|former(?:ly)?|ex-?|"
    r"previous(?:ly)?|past|erstwhile|one-time|onetime|then-|old|late|retired|outgoing|emerit(?:us|a))"
)
UNREAL = (
    r"(?:may|might|could|would|should|shall|will|'ll|'d|can|wants? to|wanted to|hop(?:es?|ed|ing) to|plan(?:s|"
    r"ned|ning)? (?:to|on)|"
    r"consider(?:s|ed|ing)?|think(?:s|ing) (?:of|about)|thought (?:of|about)|offer(?:s|ed)?|in talks|talks|"
    r"about to|almost|nearly|"
    r"tr(?:y|ies|ied|ying) to|asked|invit(?:ed|es) to|interest(?:ed)? in|look(?:s|ed|ing) (?:to|at|into)|"
    r"intend(?:s|ed)? to|"
    r"expect(?:s|ed)? to|if|whether|unless|rumou?r(?:ed|s)?|allegedly|likely|set to|due to|going to|gonna|"
    r"dream(?:s|ed|t)? of|"
    r"wish(?:es|ed)?|supposedly|opportunity to|suppose|potential(?:ly)?|prospective|would-be|aspiring|future|incoming|"
    r"possibl[ye]|maybe|perhaps|interview(?:ed|ing|s)? (?:at|with|for)|appl(?:y|ied|ying|ies) (?:to|for)|"
    r"seek(?:s|ing) to|eager to|"
    r"ready to|close to|next|candidate for|weigh(?:s|ed|ing)|explor(?:e|es|ed|ing)|toy(?:s|ed|ing) with|urged|want)"
)

PRONOUNS = frozenset({"she", "he", "they", "i", "we", "it"})
COMPANY_NOUNS = (
    r"(?:it|we|us|they|our company|(?:the|this|our) (?:company|startup|start-up|firm|business|fund|team|outfit|"
    r"venture|lab|studio|"
    r"project|deal|organi[sz]ation|nonprofit|group|bank|shop|platform|round)|here)"
)
AUXILIARIES = frozenset(
    """
    has have had is are was were be been being will would also then later recently previously
    formerly currently now once
    first originally co both all just still already ever never not eventually subsequently jointly personally quietly
    since only did does do to helped help went on used decided began started starts who that which officially actually
    soon again always longtime long briefly successfully publicly privately initially finally reportedly no longer it's
    she's he's they've i've we've she'd he'd may might could should can't cannot doesn't didn't don't hasn't haven't
    hadn't isn't wasn't aren't weren't won't wouldn't shouldn't couldn't ultimately together famously so
    early more most today presently wants want plans planned hopes hoped considered considering considers agreed
    declined refused tried trying almost nearly likely rumored rumoured denied denies gonna chose
    offered asked invited thinking continues continued remained remains became stopped failed intends expects expected
    thought opted wanted hoping planning
    """.split()  # noqa: SIM905
)
"""Words between a subject and its verb."""
OPENERS = frozenset(
    """
    previously formerly then later now once also today since after before in at on by from when
    while as during currently
    recently originally earlier today yesterday eventually subsequently first second finally next meanwhile however
    but and or so because although though if early late prior serial angel founder co-founder cofounder investor
    advisor adviser engineer entrepreneur operator former ex until between over with along having being the a an
    joined joining worked working founded left quit still not never no yes both either neither
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday spring summer autumn fall winter q1 q2 q3 q4 update note status summary bio
    background career history works role title senior lead managing general vice chief head director ceo cto coo cfo
    partner president that this these those there here where who which what how why her his their our my its
    """.split()  # noqa: SIM905
)
"""Words that open a sentence with a capital and are nobody's name."""
KIN = frozenset(
    """
    brother sister wife husband father mother dad mom mum son daughter cousin uncle aunt friend friends colleague
    colleagues boss manager mentor partner boyfriend girlfriend fiance fiancee spouse roommate classmate neighbour
    neighbor ex parents siblings twin nephew niece assistant lawyer student students fund firm employer team company
    startup co-founder cofounder co-founders cofounders predecessor successor client clients customer customers
    """.split()  # noqa: SIM905
)
"""Nouns that, with a word that says whose, name somebody else than the page's person."""
BARRIERS = (
    r"(?:;| but | while | whereas | although | though | because | however | yet | — | – | - (?=\w)|"
    r" and (?=(?:she|he|they|it|we|i) )"
    r"|, (?=(?:she|he|they|it|we|i) )| when | where | until (?=\w+ \w+ed )| as soon as | so that | even though )"
)
BREAKERS = (
    r"(?: with | alongside | together with | along with | from | via | through | after | before | under | than |"
    r" like | instead of "
    r"| rather than | unlike | against | by | because |, (?:who|which|where|when|whose|a rival|a competitor)|"
    r" which | who | whose "
    r"| that (?!is )| near | next to | based on | competing | rival | over (?=REF)| across from | opposite |"
    r" despite | except | besides "
    r"| not (?!only)|, not |\?)"
)
UNTIL = r"(?:until|till|up to|through)"
MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|"
    "sept|sep|oct|nov|dec"
)

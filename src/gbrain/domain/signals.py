"""Why a text is worth saving: signals in what a person said, each with a score.

A text is read sentence by sentence, in English and Chinese. What is quoted, code, or asked says nothing; a request to
remember counts also in the form of a question ("can you remember that ..."). The patterns are data: a signal's own
words, and the words beside them that take it back.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal, NamedTuple

SignalName = Literal["request", "milestone", "lesson", "preference", "finding", "summary", "checkpoint"]

SCORES: dict[SignalName, float] = {
    "request": 0.95,
    "milestone": 0.85,
    "lesson": 0.8,
    "preference": 0.7,
    "finding": 0.65,
    "summary": 0.4,
    "checkpoint": 0.3,
}
"""What each signal is worth. Source: the contract's scale."""

THRESHOLD = 0.6
"""A text is saved when its best signal is strictly above."""

LONGEST = 1000
"""What is longer is no sentence a person said; its beginning is read."""

KNOWN = 0.6
"""The share of a preference's words that the context must hold for it to be no news."""


class Signal(NamedTuple):
    """One reason to save a text: its name, its score, and the sentence it was found in."""

    name: SignalName
    score: float
    sentence: str


def write_signals(text: str, context: str | Iterable[str] = "") -> list[Signal]:
    """The reasons to save a text, the strongest first, each named once.

    `context` is what is known or was said before: a preference it holds already is no reason any more.
    """
    known = context if isinstance(context, str) else "\n".join(context)
    found: dict[SignalName, Signal] = {}
    for sentence, asked in _sentences(_own_words(text)):
        for name in SCORES:
            if name not in found and _shows(name, sentence, asked, known):
                found[name] = Signal(name, SCORES[name], sentence)
    return sorted(found.values(), key=lambda signal: -signal.score)


def decide_write(text: str, context: str | Iterable[str] = "") -> tuple[bool, list[Signal]]:
    """Whether a text is worth saving unasked, and why."""
    signals = write_signals(text, context)
    return any(signal.score > THRESHOLD for signal in signals), signals


def _own_words(text: str) -> str:
    """The text without code, quoted lines and what stands in quotation marks."""
    text = text.replace("’", "'")
    for pattern in (r"(?ms)^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", r"(?m)^ {0,3}>.*$", r"`[^`\n]*`"):
        text = re.sub(pattern, " ", text)
    return _quoted().sub(" … ", text)


@cache
def _quoted() -> re.Pattern[str]:
    single = r"(?<!\w)'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){2,}'(?!\w)"
    return re.compile(rf'"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»|《[^》\n]*》|{single}')


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Each sentence in lower case, and whether it is a question."""
    for found in re.finditer(r"(?:[^.!?。！？\n;；]|[.](?=\S))+([.!?。！？;；]*)", text):
        sentence = " ".join(found[0].split()).strip(" .!。！;；").lower()
        if sentence:
            sentence = sentence[:LONGEST]
            asked = "?" in found[1] or "？" in found[1] or _pattern("question").search(sentence) is not None
            yield sentence.rstrip("?？ "), asked


def _shows(name: SignalName, sentence: str, asked: bool, known: str) -> bool:
    if name == "request":
        return _requests(sentence, asked)
    if asked or _pattern("task").match(sentence):
        return False
    match = _pattern(name).search(sentence)
    if match is None or _unless(name).search(sentence):
        return False
    return name != "preference" or not _is_known(sentence[match.start() :], known)


def _requests(sentence: str, asked: bool) -> bool:
    if _unless("request").search(sentence):
        return False
    return _pattern("asked request" if asked else "request").search(sentence) is not None


def _is_known(said: str, known: str) -> bool:
    """Whether the context says a preference already: most of its words are there."""
    words, there = _words(said), _words(known.replace("’", "'").lower())
    return bool(words) and len(words & there) >= KNOWN * len(words)


def _words(text: str) -> set[str]:
    """What a text is about: the beginnings of its words, and pairs of Chinese characters."""
    plain = {word[:5].rstrip("s") for word in re.findall(r"[a-z][a-z']{2,}|\d+", text) if not _EMPTY.fullmatch(word)}
    runs = re.findall(r"[\u3400-\u9fff]+", _pattern("empty").sub(" ", text))
    return plain | {run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))}


_EMPTY = re.compile(
    r"""(?:the|and|for|that|this|with|you|your|are|was|not|but|our|have|has|had|all|any|its|it's|i'm|i'd|don't|users?
    |prefers?|likes?|loves?|hates?|enjoys?|dislikes?|wants?|rather|than|over|really|very|usually|always|never|actually
    |please|said|they|she|who|her|his)""",
    re.VERBOSE,
)

_START = (
    r"(?:^|[,:，：、—-]\ ?|\b(?:and|but|so|please|also|ok|okay|hey|just|always|let's|(?:be\ sure|make\ sure|try)\ to"
    r"|you\ to)\ )"
)
_ADVERBS = r"(?:\ (?:have|has|had|just|finally|also|all|now|already|actually|successfully|officially|both|today|ever))*"
_WE = rf"\b(?:i|we|the\ team|our\ team|my\ \w+|our\ \w+|they|she|he)(?:'ve|'re|'m|'s)?{_ADVERBS}"
_BAD = r"(?:fail|crash|broke|break|deadlock|error|lost|hang|hung|reset|corrupt|time[sd]?\ out|wrong|leak)"
_CODE = (
    r"(?:module|service|system|parser|code|api|table|database|server|handler|component|layer|worker|queue|class|client"
    r"|package|app|frontend|backend|pipeline|function|plugin|library|cache|schema|index|engine|process|store|repo\w*)s?"
)
_UNIT = r"(?:ms|s|sec|seconds?|minutes?|hours?|kb|mb|gb|%|percent|requests|rows|x|times)\b"

_PATTERNS = {
    "question": r"""^(?:(?:what|who|whom|whose|where|when|why|how|which)\b(?!.*\b(?:i|we)\ learn)
        | (?:do|does|did|is|are|was|were|have|has|should|could|can|would|will|may)\ (?:you|i|we|they|it|he|she|there
        |the|any|this|that|someone|anyone)\b)
        | [吗呢么]$ | ^(?:谁|什么|为什么|怎么|哪|何时|几点|多少|是不是|有没有|能不能) | 什么时候|怎么样""",
    "task": r"""(?:please\ |can\ you\ |could\ you\ |now\ |then\ )*
        (?:fix|write\ (?!.{0,12}\bdown)|show|explain|make\ (?!a\ note)|run|rename|list|book|translate|summari[sz]e|find
        |check|look|help|create|build|use|give|tell|open|update|change|refactor|debug|investigate|implement|review|add
        \ (?!.*memory)|read|compare|search|draft|generate|describe|pass\ me)\b
        | (?:请|帮我|麻烦|再)*(?:翻译|写一?[个篇段]|改|把.{1,12}改|解释|检查|看看|查一?下|跑|列出|画)""",
    "request": rf"""{_START}(?:always\ )?remember(?:\ (?!when\b|how\ (?:we|i)\b|me\b)|\s*[:,]|$)
        | \b(?:want|need|like|ask)(?:ed|ing)?\ you\ to\ (?:remember|keep|note|save|store|memori[sz]e|know\ that)\b
        | \b(?:keep|bear)\ (?:(?:this|that|it)\ )?in\ mind | \bkeep\ a\ (?:record|note)\b
        | \bkeep\ track\ of\ the\ fact | \b(?:don't|do\ not|never|mustn't)\ (?:you\ )?(?:ever\ )?forget\b
        | \b(?:make|take|leave)\ (?:yourself\ )?a\ (?:mental\ )?note\b | {_START}note(?:\ (?:that|this|down
        |to\ self)\b|:)
        | {_START}(?:save|store|record|log|memori[sz]e)\ (?:this|that|it|the\ fact|the\ following|for\ later)\b
        | \b(?:write|jot|put|note)\ (?:(?:this|that|it)\ )?down\b
        | \b(?:add|put|save|store|commit)\b.{{0,40}}\b(?:to|in|into)\ (?:your\ |the\ )?(?:long[- ]term\ )?memory\b
        | \bon\ (?:file|record)\b | \b(?:remind\ (?:me|yourself)|reminder)\b | \bheads[ -]up\b
        | \byour\ memory\b:? | \b(?:make|be)\ sure\ (?:you|to)\ (?:always|never)\b
        | \bfor\ (?:(?:your|my|our)\ )?future\ reference\b | \bfor\ the\ record\b | \bfrom\ now\ on\b
        | \bgoing\ forward\b | \bfrom\ today\ on\b | \bin\ future\b,? | \bfrom\ here\ on\b
        | 记住|請記|记好|请记|(?:帮我|给我|替我|幫我|你要?|务必|一定要?|千万)记|[記记]一?下|[記记]下来|[記记]着
        |^记得|[，。,]记得
        | (?:别|不要|勿|不能)忘 | 记录一?下|記錄一下|备注一?下|備註|备忘|存一?下|存起来|保存(?:一下|这)
        | (?:^|[，,])(?:以后|今后|往后|之后)(?:都|请|就|一律|不要|别|用|叫|你|凡|每|所有|代码|一概|统一|记得|只)
        | ^(?:以后|今后|往后).{{0,12}}(?:一律|都要|都用|统一|不要|别再) | 从(?:现在|今天|今)(?:起|开始|以后)
        | 以後都 | ^(?:以后|今后|往后).{{0,16}}都 | 提醒(?:一下)?(?:我|自己|你)
        | 留个(?:底|档|记录) | 切记|牢记|谨记|铭记|记牢|存到记忆""",
    "asked request": r"""\b(?:can|could|would|will)\ you\ (?:please\ |also\ |just\ )?
        (?:remember\ (?!what|when|where|who|why|how|if|whether|which|anything|the\ (?:time|day)\b)
        |(?:keep|bear)\b.*\bin\ mind|(?:make|take)\ a\ note|note\ (?:that|down)|save\ (?:this|that)|store\ (?:this
        |that)|(?:write|jot)\b.*\bdown|memori[sz]e)
        | (?:能|可以|可不可以|能不能)(?:请)?(?:你)?(?:帮我)?(?:记住|记一?下|记录一?下|记着)""",
    "milestone": rf"""{_WE}\ (?:finished|completed|shipped|launched|released|deployed|signed|closed|passed|won|merged
        |published|delivered|submitted|graduated|wrapped\ up|rolled\ out|went\ live|hit|reached|moved\ (?:in|into)
        |hired
        |sold|bought|landed|secured|raised|migrated|made\ it|accomplished|achieved|resolved|upgraded|founded|earned
        |retired|got\ (?:married|engaged|promoted|accepted|hired|approved|funded))\b
        | \bfinally\ (?:\w+ed|got|found|won|sold|bought|made|built|wrote|broke\ even|done)\b
        | (?:^|[,:]\ )(?:just\ |finally\ |successfully\ )*(?:finished|completed|shipped|launched|released|deployed
        |delivered|merged
        |published|passed|signed|submitted|closed|wrapped\ up|rolled\ out|migrated|done\ with)\ (?:the|my|our|all|a
        |with|off|on|v?\d|\w+)
        | \b(?:is|are|was|were|got|been|'s|it's)\ (?:now\ |all\ |finally\ |officially\ )*(?:done|finished|complete[d]?
        |live|merged|released|shipped|deployed|launched|published|accepted|approved|signed|promoted|out\ of\ beta)\b
        | \bgot\ (?:the\ (?:job|offer|grant|contract|keys|approval|promotion)|accepted|approved|promoted|married
        |hired)\b
        | (?<!we\ )(?<!i\ )\bwent\ through\b | \bwent\ live\b | \bsigned\ (?:up|the|a)\b | \baccepted\ (?:it|the|our
        |my)\b | \bmilestone\b
        | \ball\ (?:\d+\ )?(?:the\ )?tests\ (?:now\ )?(?:pass|are\ green) | \btagged\ as\b | \b(?:i'm
        |we're)\ (?:done|finished)
        | (?:上线|上線|发布|完成|做完|写完|搞定|通过|录用|录取|拿到|签下|签好|签了|验收|注册|合并|交付|毕业|中标
        |融资|竣工
        |入职|升职|拿下|达成|收工|完工|结项|突破|赢|获得|获奖|买到|卖掉|修好|跑通|搬完|考上|考过|批下来)(?=.*[了！]|$)
        | 终于.{{1,16}}了 | (?:按时|提前|顺利|圆满|如期)(?:交付|完成|上线|发布|结束)
        | (?:已经|已|终于|正式|成功|顺利)(?:.{{0,4}})(?:上线|发布|完成|做完|写完|通过|录用|合并|交付|验收|毕业|结束
        |部署|迁移)""",
    "lesson": rf"""\bturn(?:s|ed)\ out\b | \blessons?\b.{{0,12}}(?:learn|:|is|was) | \broot\ cause\b
        | \bthe\ hard\ way\b
        | \b(?:my|our|a|the)\ (?:\w+\ )?mistake\b.*\b(?:was|is|:|made)|^(?:it\ was\ )?my\ (?:mistake|fault|bad)\b
        | \bi\ (?:made\ a\ mistake|messed\ up|screwed\ up|broke) | \bthe\ (?:\w+\ )?(?:fix|workaround|solution
        |trick)\ (?:was|is)
        | \bthe\ (?:\w+\ )?(?:bug|problem|issue|crash|error|failure|outage|culprit|reason)\ (?:was|is|came|comes
        |happened|turned) | \bcaused\ by\b | \b{_BAD}\w*\b.*\b(?:because|due\ to|whenever|since\ the)\b
        | \b(?:because|due\ to|whenever|when|if|unless|as\ soon\ as)\b.*\b{_BAD}
        | \b(?:fails|crashes|breaks|hangs|deadlocks|leaks|resets)\b\ ?(?:on|when|whenever|if|because|with|for|under
        |in)? | \blearn(?:ed|t)\b | \bin\ hindsight\b | \b(?:didn't|doesn't|does\ not|did\ not|won't)\ work\b
        | \bfigured\ (?:it\ )?out\b | ^(?:oops|ouch|damn|argh|apparently|ugh)\b | \b(?:problem|issue|catch|culprit
        |fix|cause)(?:\ \w+)?:
        | \b(?:solved|fixed)\ (?:it|this|that|the)\b | \bthat's\ (?:why|what\ (?:broke|caused))\b | \bwasted\b
        | \bsilently\b
        | \bgot\ (?:a|an)\ (?:\w+\ )?(?:4\d\d|5\d\d|error|exception|segfault|timeout)\b | \blacked\b | ^never\ \w+
        | ^don't\ ever\b
        | \b(?:can't|cannot|couldn't|won't|refuses\ to|failed\ to|unable\ to)\ (?:read|handle|parse|open|load
        |connect|cope|deal)\b
        | \b(?:broke|failed|crashed|lost|missed)\b.*\bsince\b | \bi\ (?:accidentally|mistakenly|forgot\ to\ (?:set
        |check|call|run|add|close|commit|back))\b
        | \boverlooked\b | \bunderestimated\b | \bregret\b | \bonly\ works\ (?:if|when|with)\b | \bthe\ wrong\b
        | \bmust\ (?:never|not)\b | \bnext\ time\b.*\b(?:should|shouldn't|must|don't|never|need|better)\b
        | \bshould(?:n't|\ not)?\ (?:have|'ve)\b | \b[a-z]*(?:error|exception):\ \S | \bbit\ (?:me|us)\b
        | \bnever\ again\b | \bwatch\ out\ for\b | \bgotcha\b | \bit\ (?:deadlocks|crashes|fails|breaks|hangs)\b
        | 教训|教訓|根本原因|踩了?(?:个)?坑|才发现|后来发现|最后发现|吃了?亏|早知道|长记性|引以为戒
        | ^原来|[，,]原来|原来.{{0,10}}(?:是因为|没|搞错) | (?:犯|出)了?.{{0,3}}错 | (?:搞|弄|写|填|算|发)错
        | (?:原因|问题|错误|毛病|故障)(?:找到了|就?是|在于|出在) | (?:解决|修复)(?:办法|方法|方案|方式)?(?:就?是|在于)
        | (?:因为|由于).{{0,30}}(?:报错|崩溃|失败|出错|挂了|宕机) | (?:报错|崩溃|失败|出错|挂了
        |宕机).{{0,16}}(?:因为|由于|是)
        | (?:下次|以后|下回).{{0,8}}(?:不能|不要|别|不再|要先|得先|一定|必须|记得) | 白(?:忙|费|跑|干)了 | 结果(?:是
        |发现|才) | (?:忘了|没)(?:设置|检查|关|加|更新|备份).{{0,20}}(?:结果|导致|所以) | 导致
        | (?:会|就|总是)(?:报错|崩溃|失败|死锁|超时|卡死|丢数据) | (?:少|多)了(?:一?个)?(?:逗号|空格|引号|分号|括号
        |参数) | 千万(?:不要|别) | 经验(?:是|：|:|就是)""",
    "preference": r"""\b(?:i|we)(?:\ (?:really|actually|usually|always|generally|strongly|personally|definitely|much
        |also|absolutely|do|just|still|mostly|particularly|tend\ to))*\ (?:prefer|like|love|hate|dislike|enjoy|adore
        |despise|loathe
        |favou?r|can't\ stand|cannot\ stand|can't\ bear|don't\ (?:really\ )?(?:like|want|eat|drink|enjoy|care\ for)
        |avoid)\b
        | \b(?:i'd|i\ would|we'd)\ (?:much\ )?(?:rather|prefer)\b | \bmy\ (?:all-time\ )?(?:favou?rite|preferred
        |go-to|default)\b
        | \bi'm\ (?:not\ )?(?:a\ (?:big\ |huge\ )?fan|a\ \w+\ person|vegetarian|vegan|allergic|into|left-handed
        |lactose|partial)
        | \bi\ am\ (?:not\ )?(?:a\ (?:big\ |huge\ )?fan|a\ \w+\ person|vegetarian|vegan|allergic|left-handed|lactose)
        | \b(?:i|we)\ (?:always|never|usually|normally|typically|tend\ to|only\ ever|only)\ (?!remember|forget|said
        |told|know|wanted)
        | \b(?:i|we)\ (?:\w+\ )?find\ .*\b(?:easier|better|nicer|annoying|distracting|clearer|useful|helpful|hard
        |tiring|boring)\b
        | ^(?:honestly,?\ |sorry,?\ )?not\ (?:really\ )?a\ (?:big\ |huge\ )?fan\b | \bmy\ (?:\w+\ )?preference\b
        | \bmy\ taste\b | \b(?:i|we)\ do\ my\ best\b | \beasier\ (?:for\ me|on\ (?:my|the)\ eyes)\b
        | ^(?:please,?\ )?no\ (?:more\ )?\w+.*\b(?:please|in\ my|for\ me)\b
        | \bplease\ (?:no|never|don't\ use|avoid|skip|keep\ (?:it|answers|replies|your))\b | \bi\ (?:work|think
        |write|focus|sleep)\ best\b
        | \bi\ (?:can't|cannot|won't|don't)\ (?:eat|drink|use|work|take|fly|drive|do\ \w+ings?|smoke)\b
        | \bi\ only\b | \bbothers\ me\b | \bi\ need\ my\b
        | \bi\ (?:insist|stick\ (?:to|with)|swear\ by|go\ for|opt\ for|care\ (?:more\ )?about)\b
        | \bdrives\ me\ (?:crazy|mad|up)\b
        | \bfor\ me,?\ please\b | \bworks\ best\ for\ me\b | \bsuits\ me\ (?:best|better)\b
        | 我们?(?:真的?|其实|个人|一般|平时|通常|比较|更|最|特别|超|很|挺|都|还是|一直|从来|就|也|非常)*
        (?:喜欢|喜歡|爱(?!人)|讨厌|討厭|偏好|偏爱|习惯|習慣|不喜欢|不爱|受不了|不吃|不喝|倾向|宁愿|宁可|用惯|钟爱
        |反感|不太喜欢|只(?:吃|喝|用|看|坐|买|穿|要|接)|不太?(?:能接受|想|爱|用|习惯|需要)|不能接受|吃不了|喝不了
        |看重|更在意|觉得.{1,12}更?(?:好用|舒服|方便|顺手|清楚))
        | 我们?(?:一般|平时|通常|总是|从不|从来不|每次都|向来)(?!记) | 宁愿|宁可 | 我对.{1,8}过敏 | 我是素食|我吃素
        |我的最爱""",
    "finding": rf"""\d[\d.,]*\ ?(?:x|times|%|percent|-fold)\ (?:faster|slower|smaller|larger|bigger|less|more|better
        |cheaper|quicker)
        | \b(?:two|three|four|five|ten|twice|half|\w+teen|\w+ty)\ (?:times\ )?(?:as\ )?(?:faster|slower|quicker
        |smaller|larger|fast|slow|much\ memory)
        | \bfrom\ (?:about\ )?\d[\d.,]*\ ?\w*\ to\ (?:about\ )?\d | \bbottleneck\b
        | \b(?:latency|throughput|memory\ (?:use|usage)|usage|speed|size|performance|runtime|p9\d|cpu|startup)\b.*\d
        | \b(?:takes?|took|peaks?\ at|uses|needs)\ (?:about\ |only\ |up\ to\ )?\d[\d.,]*\ ?{_UNIT}
        | \d[\d.,]*\ (?:requests|rows|queries|events|writes|reads)\ (?:per|a)\ (?:second|minute) | \b(?:doubles
        |halves|triples)\b
        | \b{_CODE}\b.*\b(?:depends?\ on|inherits?\ from|consists?\ of|goes?\ through|go\ through|(?:is
        |are)\ split\ into
        |(?:is|are)\ made\ (?:up\ )?of|calls?\ into|(?:is|are)\ built\ on|talks?\ to|(?:is|are)\ coupled|lives?\ in
        |shares?\ (?:one|a)|imports?|wraps?|writes?\ to|reads?\ from)\b
        | \b(?:everything|all\ \w+|nothing|every\ \w+)\ (?:goes?|go|runs?|passes|is\ routed)\ through\b
        | \bnever\ talks?\ (?:directly\ )?to\b
        | \b(?:makes?|does|issues?|sends?)\ \d+\ (?:round\ trips|queries|requests|calls) | \bsits?\ (?:at
        |between)\b | \bcpu\b.*\d
        | \bseparate\ (?:service|module|process|database|repo\w*|package)\b | \b(?:single|one)\ point\ of\b
        | \bis\ (?:the\ )?only\ (?:caller|way|place)\b
        | \b(?:circular|cyclic)\ (?:import|dependency) | \b(?:go|goes)\ through\ \w+[._]\w+
        | 从.{{0,12}}\d.{{0,10}}(?:降|升|减|增|提|涨|缩|变)(?:少|低|高|加|短)?(?:到|至|成|为)
        | (?:提高|降低|减少|提升|缩短|增加|快|慢|省)了?.{{0,6}}(?:倍|%|成|毫秒|秒|百分) | 瓶颈
        | (?:分成|分为|拆成|由).{{0,20}}(?:层|模块|部分|服务|组成|构成) | 模块.{{0,8}}(?:依赖|调用)
        | 依赖.{{0,8}}模块 | 循环依赖 | (?:都|全|统一)(?:走|经过|通过).{{0,6}}(?:网关|接口|服务|队列|代理|总线)?
        | 不直接(?:连|访问|调用) | (?:耗时|内存|延迟|吞吐|占用|响应时间).{{0,12}}\d""",
    "summary": r"""\bto\ sum\ up\b | \b(?:in\ )?summary\b | \brecap\b | \btl;?dr\b | \bto\ summari[sz]e\b
        | \b(?:today|this\ session)\b.*\bwe\ (?:looked\ at|discussed|talked|went\ through|covered)
        | 总结一下|小结|回顾一下|總結""",
    "checkpoint": r"""\bso\ far\b | \bcheckpoint\b | \bhalfway\b | \bstill\ working\ on\b | \bprogress\ (?:update
        |report)\b
        | \bstep\ \d+\ of\ \d+ | \d+\ ?%\ (?:through|done|complete) | 进度|先到这|进行到|做到一半|未完待续""",
    "empty": r"我们?|你们?|用户|喜欢|喜歡|讨厌|更|最|很|不太|比较|的|了|也|都|是|一般|习惯|偏好",
}

_UNLESS = {
    "request": r"""\b(?:can't|cannot|can\ not|couldn't|could\ not|don't|do\ not|doesn't|didn't|never|hardly|barely
        |no\ longer
        |(?:do|does|did)\ (?:you|anyone|anybody|someone|we|i|he|she|they)(?:\ (?:still|even|ever))?|if\ i|as\ i
        |try(?:ing)?\ to|trouble|bad\ at|hard\ to|i|we|they|he|she)\ (?:always\ )?remember(?!.*\bfrom\ now\ on)
        | \bremember(?:ing)?\ (?:faces|names)\b | \bremember(?:ed|s)\b(?!.*\bplease)
        | (?:记不|記不|没记|没能记|不记得|还记得|還記得|记得.{0,12}吗|你记得|谁记得|忘记了$|想不起)""",
    "milestone": r"""\b(?:if|unless|hopefully|about\ to|going\ to|will|won't|would|should|could|might|may|must
        |need\ to|have\ to
        |has\ to|want\ to|wants\ to|plan(?:s|ned|ning)?\ to|until|before\ we|before\ i|once\ (?:we|i|it)|not|isn't
        |aren't|wasn't|weren't|haven't|hasn't|didn't|don't|never|almost|nearly|yet|tomorrow|half|when\ (?:we|i|it))\b
        | 没|沒|未|等|如果|要是|假如|能不能|打算|准备|希望|以后再|之后再|快要|就要|将|下周|明天|计划|想要|一半|多久
        |才能|尚""",
    "lesson": r"""\b(?:if\ you\ (?:want|like)|is\ about|hopefully)\b | \blearn(?:ed|t)\ (?:a\ lot|that\ song)""",
    "preference": r"""\b(?:i|we)(?:'d|\ would)\ (?:like|love)\b | \b(?:i|we)\ (?:really\ )?(?:like|love
        |enjoy)\ (?:where|how|what|it
        |this|that|the\ way|your)\b(?!\ \w+\ \w+\ (?:in|on|at|with)) | \bas\ i\ (?:said|mentioned|told)
        | \blike\ i\ said
        | \bas\ mentioned\b | \b(?:i|we)\ (?:can't|cannot|don't|never)\ remember\b | \bi\ don't\ want\ (?:you\ )?to\b
        | 说过|还是那句话|如前所述|记不|你喜欢""",
    "finding": r"""\b(?:will|should|would|could|might|hopefully|if\ we|need\ to|want\ to)\b | 如果|应该|打算|希望
        |可能""",
    "summary": r"(?!)",
    "checkpoint": r"(?!)",
}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.VERBOSE)


@cache
def _unless(name: str) -> re.Pattern[str]:
    return re.compile(_UNLESS[name], re.VERBOSE)

"""Words by which a turn is left alone, in English, Chinese, Japanese, Korean, Spanish, French and German. Data only."""

_SPACED = """
thanks|thank you|thank you very much|thx|ty|ok|okay|k|kk|kkk|sure|yes|yep|yeah|no|nope|got it|sounds good
great|perfect|nice|cool
awesome|good morning|good afternoon|good evening|good night|hi|hello|hey|bye|goodbye|see you|lgtm|will do|done
please do|please continue|go ahead|continue|proceed|stop|cancel|never mind|nevermind|nvm|please|so much|a lot
gracias|muchas gracias|vale|de acuerdo|perfecto|genial|sí|si|hola|buenos días|buenas tardes|buenas noches|adiós
hasta luego|por favor|continúa|sigue|adelante|claro|listo|entendido|muy bien|estupendo|no pasa nada
merci|merci beaucoup|d'accord|parfait|super|génial|oui|non|bonjour|bonsoir|bonne nuit|salut|au revoir|à bientôt
s'il te plaît|s'il vous plaît|continue|continuez|vas-y|allez-y|très bien|c'est bon|compris|bien sûr
danke|vielen dank|danke schön|dankeschön|bitte|gut|sehr gut|perfekt|prima|toll|klasse|ja|nein|hallo|guten morgen
guten tag|guten abend|gute nacht|tschüss|auf wiedersehen|bis bald|weiter|mach weiter|alles klar|verstanden|in ordnung
감사합니다|고마워|고마워요|고맙습니다|정말|네|예|응|아니요|안녕|안녕하세요|안녕히 가세요|좋아|좋아요|알겠습니다|알겠어요
계속|계속해|계속해 주세요
완벽해요|훌륭해요|수고하셨습니다|도와주셔서|부탁합니다|부탁드립니다
"""
_UNSPACED = """
谢谢|谢谢你|谢谢您|谢谢你的帮助|谢谢您的帮助|多谢|非常感谢|感谢|好的|好|好呀|好吧|行|可以|没问题|明白|明白了|知道了|收到|太好了|真是太好了|太棒了|真棒|不错|很好|完美|是的|对|对的|嗯|不用了|不用|早上好|早安
下午好|晚上好|晚安|你好|您好|嗨|再见|拜拜|继续|请继续|继续吧|停|取消|算了|完成了|辛苦了|麻烦你了|了|啊|哦
ありがとう|ありがとうございます|ありがとうございました|どうもありがとうございます|どうも|助かりました|本当に|はい|うん|いいえ|いえ|了解|了解です|了解しました|承知しました|わかりました|分かりました|なるほど
いいね|いいですね|素晴らしい|素晴らしいです|すごい|完璧|完璧です|おはよう|おはようございます|こんにちは|こんばんは|おやすみ|おやすみなさい|さようなら|またね|続けて|続けてください|お願いします|お疲れ様でした|お疲れ様です|大丈夫|大丈夫です
"""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.strip().replace("\n", "|").split("|"))


SPACED = _phrases(_SPACED)
"""Acknowledgements and greetings that stand between spaces, in lower case."""
UNSPACED = _phrases(_UNSPACED)
"""Those of scripts without spaces: a text is one when it is made of them alone."""

_END = (
    r"(?=\s*(?:$|[.!?,;:\n)—–-]|(?:please|because|since|anywhere|for later|either|at all)\b"
    r"|(?:in|to|into) (?:your |the |any )?(?:long-term )?(?:memory|brain|notes)\b))"
)
CHAT_ONLY: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("remember", "memor", "save", "store", "record", "note", "write"),
        r"(?:^|[.!?;,:\n(—–-]\s*|\b(?:please|but|and|so|just|ok|okay|kindly|you can|you should|need to|needn't)\s+)"
        r"(?:(?:do not|don['’]?t|never|no need to|not)\s+)(?:ever\s+)?"
        r"(?:(?:remember|memori[sz]e|save|store|record|note)\s+(?:down\s+)?|write\s+)"
        r"(?:this|that|it|these|any(?:thing)?(?: of (?:this|that|it))?|what i (?:just )?(?:said|say|told you|tell you)"
        r"|this (?:conversation|chat|message|turn|part|one|bit))(?:\s+down)?" + _END,
    ),
    (("off the record", "off-the-record"), r"\boff[ -]the[ -]record\b(?!\s+player)"),
    (("between",), r"\b(?:just|strictly|keep (?:this|that|it)|stays?|this is)\s+between (?:us|you and me)\b"),
    (("chat only", "chat-only"), r"(?:^|[.,;:(\n]\s*|\bthis is |\bjust )chat[ -]only\b"),
    (("别", "不要", "不用", "不必", "无需", "勿"),
     r"(?:别|不要|不用|不必|无需|请勿)(?:再|把(?:这|那)[^，。！？\n]{0,8})?"
     r"(?:记(?:下来|下|住|录)?(?:这|那|它|$|[，。！,.!\s吧哦啊了])|(?:保存|储存|存)(?:下来)?"
     r"(?:(?:这|那)(?:个|些|段|句|条|件)?(?:话|事|内容|消息|对话)?)?(?:$|[，。！,.!\s吧哦啊]))"),
    (("仅聊天", "只是聊天", "只聊天", "闲聊而已", "私下说", "你知我知", "不要外传", "别外传"),
     "仅聊天|只是聊天|只聊天|闲聊而已|私下说|你知我知|(?:不要|别)外传"),
    (("覚え", "記憶", "保存", "記録", "メモ"),
     "(?:覚え(?:ないで|なくて(?:も)?いい|ておかないで)|(?:記憶|保存|記録|メモ)(?:は)?(?:しないで|しなくて(?:も)?いい|不要))"),
    (("オフレコ", "ここだけの話", "内緒の話"), "オフレコ|ここだけの話|内緒の話"),
    (("기억", "저장", "기록", "메모"), r"(?:기억|저장|기록|메모)(?:은|는|을)?"
     r"\s*(?:하지\s*(?:마|말)|안\s*해도\s*(?:돼|되))"),
    (("오프더레코드", "오프 더 레코드", "우리끼리"), r"오프\s*더\s*레코드|우리끼리(?:만|\s*(?:얘기|이야기))"),
    (("recuerdes", "guardes", "memorices", "anotes", "registres", "recuerde", "guarde"),
     r"\bno\s+(?:lo\s+|la\s+)?(?:recuerdes?|guardes?|memorices?|anotes?|registres?)\b"
     r"(?:\s+(?:esto|eso|nada(?: de esto)?|este mensaje))?(?=\s*(?:$|[.!,;:\n]|en (?:la |tu )?memoria))"),
    (("entre nosotros", "entre tú y yo", "extraoficial"),
     r"(?:que quede|solo|sólo|queda)\s+entre (?:nosotros|tú y yo)|\bextraoficialmente\b"),
    (("retiens", "retenez", "mémorise", "enregistre", "sauvegarde", "garde", "note", "souviens"),
     r"\bne\s+(?:le\s+|la\s+|t['’]en\s+)?"
     r"(?:retiens|retenez|mémorise[sz]?|enregistrez?|sauvegardez?|gardez?|notez?|souviens)\s+pas\b"
     r"(?:\s+(?:ça|cela|ceci|ce message))?(?=\s*(?:$|[.!,;:\n]|en mémoire))"),
    (("entre nous", "hors micro"), r"(?:juste|reste|que ça reste)\s+entre nous\b|\bhors micro\b"),
    (("merk", "speicher", "notier"),
     r"\b(?:merke?|speichere?|notiere?) (?:dir )?(?:das|dies|es|diese nachricht) (?:bitte )?nicht\b"
     r"|\b(?:das|dies|es)?\s*(?:bitte )?nicht (?:merken|speichern|notieren)\b(?=\s*(?:$|[.!,;:\n]))"),
    (("unter uns",), r"(?:nur|bleibt|ganz) unter uns\b|(?:^|[.\n]\s*)unter uns(?: gesagt)?[:,]"),
)  # fmt: skip
"""A plain request not to keep a turn: what must occur in its lower-cased text at all, and the pattern that then tells.
"Don't forget that ..." is none, nor is "I don't remember this"."""

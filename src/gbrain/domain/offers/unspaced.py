"""Whether a name in a script without spaces stands alone: what is written before and behind it is no part of a word."""

from gbrain.domain.offers.words import Span, Word, bag


def stands_alone(text: str, span: Span, run: Word, type: str) -> bool:
    """Whether the characters around a name in such a run are its end, or words that stand beside names.

    A name of two characters needs that on both sides, a longer one on one. Korean names begin their word, and what
    follows is a particle or a title.
    """
    if span.first != span.last:
        return True
    written = text[span.start : span.end]
    before, behind = text[run.start : span.start], text[span.end : run.end]
    if "\uac00" <= written[-1] <= "\ud7a3":
        return not before and (not behind or behind.startswith(_KOREAN))
    if all(map(_is_katakana, written)):
        return not (_is_katakana(before[-1:]) or _is_katakana(behind[:1]))
    if not "\u3400" <= written[0] <= "\u9fff":
        return len(written) > 3
    left = not before or before[-1] in _BEFORE or before.endswith(_BEFORE_WORDS)
    right = not behind or behind[0] in _BEHIND or behind.startswith(_BEHIND_WORDS)
    return (left and right) if len(written) == 2 else (left or right)


def _is_katakana(character: str) -> bool:
    return bool(character) and ("\u30a1" <= character <= "\u30fa" or "\u30fc" <= character <= "\u30ff")


_BEFORE = (
    "和与跟及同给向对找让请叫问约见把被由替为是的在到从比像连等帮陪送教了着过吗呢吧也都还就又再才只"
    "約給對請問讓見為從連幫陪過嗎還與"
    "なのにはをとがでもへや、，"
)
_BEFORE_WORDS = tuple(
    bag(
        """
        告诉 通知 联系 关于 因为 如果 但是 所以 根据 感谢 谢谢 听说 收到 昨天 今天 明天 上午 下午 早上 晚上 上周
        下周 提醒 邀请 同事 经理 老板 客户 朋友 负责人 现在 刚才 刚刚 最近 以及 还有 跟进 拜访 安排 帮忙 致电
        认为 觉得 需要 希望 准备 打算
        """
    )
)
_BEHIND = (
    "的说在是和与跟及同给要会想把被去来做发问对有也就都已没不刚又再还能可应该曾将让请叫写寄打回从向到谈聊提问最先总老吗呢吧了着过"
    "說會對將讓請發問過沒還應該總嗎吃看見"
    "がはをにのとでもへやさくちだ"
)
_BEHIND_WORDS = tuple(
    bag(
        """
        先生 女士 小姐 老师 教授 博士 经理 总监 主任 医生 律师 昨天 今天 明天 明年 昨晚 下周 上周 本周 刚刚 目前
        现在 什么 怎么 为什么 哪 谁 几 那边 那里 这边 这里 本人 自己 负责 认为 觉得 希望 同意 喜欢 需要 需求 加入
        离开 答应 承诺 建议 告诉 通知 联系 开会 出差 请假 生日 邮箱 电话 地址 项目 公司 团队 合同 报价 样 氏 社
        様 部長 課長 社長 先輩 君 殿
        """
    )
)
_KOREAN = tuple(
    bag(
        """
        은 는 이 가 을 를 의 에 에게 에게서 께 께서 한테 한테서 와 과 랑 이랑 하고 도 만 으로 로 부터 까지 처럼
        보다 이나 나 이고 이며 이랑은 이라고 라고 입니다 이에요 예요 씨 님 씨가 군 양 대표 팀장 과장 부장 차장
        대리 이사 사장 사원 교수 박사 선생 프로 매니저 감독 사 측 쪽
        """
    )
)

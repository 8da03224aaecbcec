"""Chinese wording for the comparison of claims: words and their meanings, numbers, dates, names spelt in pinyin.

Meanings are those of `lexicon`, so that a claim in English and its translation share words. Entries are divided by line
ends or semicolons; `_` is filler.
"""

import re
from functools import cache

from gbrain.domain.similarity import lexicon
from gbrain.domain.similarity.lexicon import listed

ENTITY = "\ue000"
"""The word that stands for the entity a claim is about; a private-use character, so no text spells it."""
DATE = "\ue001"
"""What marks a date that was rewritten in digits."""
HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"

WORDS = """
like: 喜欢 喜爱 爱 喜欢吃 喜欢喝 爱吃 爱喝; love: 热爱 酷爱; hate: 讨厌 厌恶 反感 厌烦
prefer: 更喜欢 偏爱 偏好 更爱 宁愿 更喜欢喝 更喜欢吃 倾向于; favorite: 最喜欢 最爱 最喜爱
live: 住 居住 定居; live <L: 住在 居住在 定居在 家在 家住 现居 定居于 居住于 住于
work: 工作 上班 任职 供职 就职; work <L: 就职于 任职于 供职于 受雇于; think: 认为 觉得
handle: 负责 掌管 分管; buy: 买 购买 购入 购置 买下; sell: 卖 出售 售出 卖掉 售卖; need: 需要 需
must: 必须 务必 得要 必需; should: 应该 应当 理应; can: 可以 能 能够 可; will: 将 将会 将要
plan: 打算 计划 准备 拟; want: 想 想要; start: 开始; end: 结束 完成 做完 完结; write: 写 编写 撰写
send: 发送 寄 发给 寄给; delete: 删除 删掉 删去; get: 收到; cause: 造成 引起 导致 引发; join: 加入
leave: 离开 离职; attend: 参加 出席; help: 帮助 帮忙 协助; use: 采用 使用 用的是; tell: 告诉 告知 通知
ask: 问 询问; answer: 回答 答复 回复; cancel: 取消 撤销; fix: 修理 维修 修复 修好; closed: 关闭 已关闭
close: 关门 打烊 停止营业 闭馆; open: 开门 营业 开放 开馆; approve: 批准 审批通过; decline: 拒绝 回绝
promise: 答应 承诺 允诺 保证; submit: 提交 递交; discuss: 讨论 商量; arrive: 到达 抵达; borrow: 借入
lend: 借给 借出; teach: 教 教授; learn: 学习 学; graduate <from: 毕业于; wed: 结婚 成婚 已婚
divorced: 离婚 离异; single: 单身 未婚; die: 去世 逝世 过世 病逝; pregnant: 怀孕; drive: 开车 驾车 驾驶
walk: 散步; exercise: 健身 锻炼 锻炼身体; sleep: 睡觉 就寝 上床睡觉; wake: 起床; cook: 做饭 烧饭 煮饭
smoke: 抽烟 吸烟; good <L: 擅长 善于 精通; take: 乘坐 搭乘 乘; move house: 搬家; forbid: 禁止 严禁 不许
allow: 允许 准许; hand <T: 交给 转交给 递给; park: 停放; park <L: 停在
put <L: 放在 存放在 保存在 保管在 摆放在 存放于
move <T: 改到 调到 挪到 移到 搬到 搬去 迁到 搬至 迁至 改在 改至 挪至 移至 调至 改期到 改期至 挪到了 搬到了
move <T: 调整至 搬家到 搬家去 转到; join <L: 跳槽到 跳槽去 入职; last month: 上个月 上月; next month: 下个月 下月
postpone <T: 推迟到 延期到 延后到 推后到 延迟到 延至 推迟至 延期至 顺延到 延后至 延到 推到 延长到 延长至
postpone <T: 顺延至 拖到; advance <T: 提前到 提前至
change <T: 改为 改成 变成 变为 换成 换到 调整为 调整到 更新为 更换为 转为 切换到 切换为 迁移到 变更为 换为
change <T: 调为 改用 改叫 换 更换成 替换为; upgrade <T: 升级到 升级为 升到 升级至 升为 升级成 晋升为 升任
increase <T: 涨到 提高到 增加到 上调到 上涨到 涨至 增至 上调至 提高至 增加至 上调为 升至 增加为 提高为
increase <T: 涨为 增长到 追加到 增到 长到 扩大到
decrease <T: 降到 减少到 降低到 下调到 降至 减至 下调至 降低至 减少为 降为 缩减到 缩短到 缩短为 缩短至
decrease <T: 减到 削减到 下降到; born: 出生 生于; birthday: 生日; phone: 电话 电话号码 联系电话
mobile phone: 手机 手机号 手机号码; email: 邮箱 电子邮箱 邮箱地址 电邮 邮件地址 电子邮件地址
address: 地址 住址; budget: 预算; price: 价格 价钱 售价 单价 定价 票价; cost: 费用 成本 花费
rent: 租金 房租; salary: 工资 薪水 薪资; deadline: 截止日期 截止时间 最后期限 截止日 截止; status: 状态
version: 版本 版本号; owner: 负责人; location: 地点 位置; time: 时间; date: 日期; named: 叫 名叫 叫做 叫作
name: 名字 姓名 名称; age: 年龄; height: 身高; weight: 体重; password: 密码 口令; code: 门禁码 代码
title: 职位 职务 岗位; manager: 上司 直属上司 直属领导 直接上级 上级 直属上级; boss: 老板; company: 公司
wife: 妻子 老婆 太太; husband: 丈夫 老公; father: 爸爸 父亲 爸; mother: 妈妈 母亲 妈; parent: 父母 爸妈 双亲
child: 孩子 小孩 小孩子; daughter: 女儿 闺女; son: 儿子; grandpa: 爷爷 祖父; grandma: 奶奶 祖母
maternal grandpa: 外公 姥爷 外祖父; maternal grandma: 外婆 姥姥 外祖母; boyfriend: 男友 男朋友
girlfriend: 女友 女朋友; colleague: 同事; friend: 朋友; neighbor: 邻居; classmate: 同学; couple: 夫妻
housemate: 室友 舍友; teacher: 老师 教师; doctor: 医生 大夫; lawyer: 律师; customer: 客户 顾客
employee: 员工 职员 雇员; landlord: 房东; meeting: 会议; weekly: 每周 每星期 每个星期; daily: 每天 每日 天天
daily evening: 每晚 每天晚上; monthly: 每月 每个月; yearly: 每年; every: 每 每个
morning: 早上 早晨 清晨 上午; noon: 中午; afternoon: 下午; evening: 晚上 晚间 夜晚; weekend: 周末
today: 今天 今日; tomorrow: 明天 明日; yesterday: 昨天; this year: 今年; next year: 明年; last year: 去年
next week: 下周 下星期 下个星期; last week: 上周 上星期; often: 经常 常 常常 时常
usually: 通常 一般 平时 平常; sometimes: 有时 有时候 偶尔; always: 总是 老是
never: 从不 从来不 从未 从来没 从来没有; rarely: 很少 极少; maybe: 可能 也许 或许; surely: 一定 肯定
immediately: 马上 立刻 立即; about: 大约 大概 左右; atleast: 至少 最少 不少于; atmost: 至多 最多 不超过
only: 只 仅 只有 仅有; all: 所有 全部; most: 大部分 多数 大多数; not: 不; can not: 不能 不可以 无法 不可
mei: 没 没有 未 无 并未 尚未 还没 还没有; dont: 别 不要 勿 请勿 不得 不准; neednot: 不必 不用 无需
nolonger: 不再; allnot: 都不 都没 都没有; notall: 不都; have: 有 拥有; together: 一起 一块 一同 一块儿
car: 汽车 车子; computer: 电脑 计算机; bicycle: 自行车 单车 脚踏车; taxi: 出租车 的士; potato: 土豆 马铃薯
tomato: 西红柿 番茄; movie: 电影 影片; photo: 照片 相片; fridge: 冰箱 电冰箱; travel: 旅行 旅游; dog: 狗
cat: 猫; afraid: 害怕 怕; happy: 高兴 开心 快乐; sick: 生病 患病; beautiful: 漂亮 美丽; easy: 容易 简单
cheap: 便宜 廉价; breakfast: 早饭 早餐; lunch: 午饭 午餐 中饭; dinner: 晚饭 晚餐; airplane: 飞机
vegetarian: 吃素 素食者 素食; account: 账号 帐号 账户 帐户; bill: 账单 帐单; website: 网站 站点
log in: 登录 登陆; deploy: 部署 布署; install: 安装 按装; other: 其他 其它
driving licence: 驾照 驾驶证 驾驶执照; bus: 公交 公交车 公共汽车; kindergarten: 幼儿园 幼稚园
supermarket: 超市 超级市场; railway: 高铁 高速铁路; subway: 地铁 地下铁; aircon: 空调
university of beijing: 北大 北京大学; university tsinghua: 清华 清华大学; elevator: 电梯 升降机
wifi: 无线网 无线网络; mandarin: 普通话 国语; hotel: 酒店 宾馆 旅馆; toilet: 厕所 洗手间 卫生间
hospital: 医院; battery: 电池; mask: 口罩; umbrella: 雨伞; week: 星期; reason: 原因; done: 已经 已 早已
now: 现在 目前 当前 如今 眼下 现; new: 新; again: 重新 再次 再; retain: 保留; today evening: 今晚
below: 下面 底下 下方 下边; above: 上面 上方; bottom: 底部; front: 前面 前方; user: 我 用户 本人
we: 我们 咱们; you: 你 您; he: 他; she: 她; it: 它 其; they: 他们 她们 它们; be: 是 为 系 乃
be <L: 定在 定于 安排在 位于 在于 设在 坐落于 定为; held: 举行 召开 进行 举办; <L: 在 于; be <from: 来自
<from: 从 自 自从; <T: 到 至 给 向 对 往; <&: 但是 但 可是 和 与 跟 及 以及 、 并; <|: 或 或者 还是
<by: 由 被; <W: 用; <ba: 把; <than: 比; <because: 因为 由于; <if: 如果 若 要是; eat: 吃 食用; drink: 喝 饮用
wear: 穿 穿着; go: 去 前往; look: 看 观看; read: 看书 读书 阅读; search: 找 寻找; wait: 等 等待
carry: 带 携带; give away: 送 赠送; pay: 付 支付 缴纳 付款 交费 缴费 缴; store: 存 储存 存放; stop: 停 停止
build: 建造 修建 建; plant: 种 种植; raise: 养 饲养 喂养; practise: 练 练习; sing: 唱 演唱
play: 弹 弹奏 演奏; photograph: 拍 拍摄 拍照; wash: 洗 清洗; clean: 打扫 清扫 清理; check: 检查 查看 核对
visit: 拜访 探望 看望; care: 照顾 照看 照料 照管; know: 认识 结识; forget: 忘记 忘 忘了; worry: 担心 担忧
hope: 希望 期望 盼望; agree: 同意 赞成 赞同; win: 赢 赢得 获胜; obtain: 获得 取得 拿到
lose: 丢 丢失 弄丢 丢了; house: 房子 住房 住宅; room: 房间 屋子; clothes: 衣服 服装 衣物; shoe: 鞋 鞋子
book: 书籍 图书; medicine: 药 药物 药品; illness: 病 疾病; road: 道路 马路; factory: 工厂
shop: 商店 店铺 店; restaurant: 饭店 餐馆 餐厅 饭馆; ship: 船 轮船; method: 方法 办法; opinion: 意见 看法
hometown: 老家 家乡 故乡; gift: 礼物 礼品; expensive: 贵 昂贵; clean thing: 干净 整洁; noisy: 吵 吵闹 嘈杂
busy: 忙 忙碌; tired: 累 疲惫 疲劳; cold: 冷 寒冷; hot: 热 炎热; near: 近 靠近 挨着
broken: 坏 损坏 故障 出故障 坏了 坏掉; sad: 伤心 难过 悲伤; angry: 生气 愤怒; quiet: 安静 宁静
diligent: 努力 勤奋; often late: 常迟到; all along: 一直 始终; rent house: 租房 租房子; receive guest: 接待
train: 火车 列车; airport: 机场 飞机场; station: 车站; ticket: 票 车票; key: 钥匙; interest: 兴趣
business trip: 出差; overtime: 加班; leave of absence: 请假 休假; vacation: 放假 假期; glasses: 眼镜
parking: 停车场 停车处; trash: 垃圾 废物; curry: 咖喱; spicy: 辣 辣的; sweet: 甜 甜食; night: 夜里 半夜 深夜
noon break: 午休; exam: 考试 测验; homework: 作业 功课; friend male: 哥们; report: 报告 汇报
boss person: 总经理; data: 数据 资料; file: 文件 档案; printer: 打印机 印表机; software: 软件 软体
network: 网络; video: 视频 影片片段; reply: 回信; song: 歌 歌曲; music: 音乐; marathon: 马拉松
football: 足球; basketball: 篮球; badminton: 羽毛球; swim: 游泳; climb: 爬山 登山; fish: 钓鱼; chess: 下棋
piano: 钢琴; guitar: 吉他; bird: 鸟; fishy: 鱼; before: 之前 以前 前; after: 之后 以后 后
cny: 元 块钱 人民币; usd: 美元 美金; eur: 欧元; percent: 百分之; kg: 公斤 千克; mg: 毫克; km: 公里 千米
cm: 厘米 公分; hour: 小时 钟头; minute: 分钟; le: 了; past: 过 曾 曾经; <P: 的 之; also: 也 还
blood type: 血型
_: 这个 那个 地 很 非常 十分 挺 相当 比较 就 都 那 这 该 呢 吧 啊 呀 哦 嘛 里 里面 里头 一名 一位 们 其实
_: 实际上 事实上 请 一下 正在 确实 的确 会于 将于 基本上 麻烦 众所周知 总的来说 说实话 老实说 如前所述
"""
# What opens a claim, before a comma, a colon or the claim itself, and says nothing.
LEADS = """
顺便说一下 顺便提一下 顺便说一句 顺带一提 备注 注意 请注意 请记住 记住 说明一下 补充一下 补充 补充一点
补充说明 提醒一下 另外 总之 说起来 对了 话说 之前提到 需要注意的是 值得注意的是 值得一提的是 需要说明的是
要知道 记一下 记录一下 温馨提示 友情提醒 提醒 注 提示 说明 另 嗯 哦对了 再说一下 再补充一点 再提醒一下
如你所知 正如之前所说 前面说过 别忘了 不要忘记 请别忘记 特此说明 更正 供参考 仅供参考 另外说一下 顺便 备忘
原来 我刚知道 刚得知 更新 好的 那么 对 是的 哦 嗯嗯 我发现 结果
"""
_META = frozenset(
    "我你您大家再先顺便带帮请麻烦想要需值得特别友情温馨简单重说提讲记补充醒示明注意备忘更新纠正强调知道会告的是一下个点句住到过来着了吧啊哦嗯对好另外还有总之"
    "其实事际上话老坦白众所周如前面所述及用多必忘跟给顺口插备注附加供参考仅肯定悉查问看核认"
)
_TELLING = frozenset("说提讲记醒示注知告忘悉述")
_BARE_LEADS = listed(
    "其实 原来 话说 说起来 对了 另外 总之 众所周知 顺便说一下 顺便提一下 顺便说一句 顺带一提 提醒一下 "
    "请注意 请记住 需要注意的是 值得注意的是 值得一提的是 别忘了"
)
# Words in which a character of the table above does not mean what it means alone.
WHOLE = """
停车 停车费 停车位 无锡 无为 不丹 未央 别克 无印良品 没收 看法 好看 看病 看来 难看 带领 领带 地带 带来 送礼 等级
等于 平等 高等 中等 停电 停水 停机 建议 建立 种类 各种 这种 品种 养老 教养 营养 培养 修养 练习册 唱歌 唱片 弹性
子弹 拍卖 洗衣机 洗手 洗澡 忘年 丢人 药店 药房 药片 中药 西药 书店 图书馆 书包 鞋柜 鞋店 病人 病假 病房 店员 店长
分店 船票 贵州 贵宾 宝贵 忙碌 冷静 热情 热水 热点 最近 附近 近视 坏人 再见 租房 票据 发票 邮票 投票 股票 门票 辣椒
甜点 歌手 鱼缸 金鱼 鳄鱼 食堂 饮食 饮料 饮水机 穿越 去年 去世 过去 失去 出去 回去 吃饭 吃力 喝酒 读书会 等候 付出
存在 存款 保存 内存 储存卡 建筑 吵架 热爱 常州 常规 常见 常温 常年 可乐 可口 许可 可是 可用 认可 尽可能 可靠 可怜
可信 可行 可视 可选 交给 班主任 组长 部门 座位 工位 房间号 车牌号 尺码 专业 血压 新闻 新鲜 重新 例会 考试 面试
培训 婚礼 聚会 体检 手术 年会 演出 讲座 发布会 上线 发布 更新 创新 新手 新年 新生 新人 新娘 新郎 评审 发车 开课
开学 过敏 过程 过期 超过 经过 通过 过年 过节 路过 不过 到期 迟到 遇到 得到 租约 合约 预约 条约 签约 地下室 地板
地图 地方 工地 基地 草地 目的 过来 对象 对接 对方 绝对 反对 应对 面对 自己 自动 自由 自助 自愿 从事 和平 和谐 参与
并且 合并 并发 用途 信用 应用 专用 用餐 副作用 用品 用药 比赛 费用 比例 比如 前台 前端 前夫 前妻 提前 后端 后台
后天 后来 后备 最后 售后 背后 元旦 单元 元素 巧克力 坦克 夹克 克服 扑克 天气 聊天 春天 夏天 秋天 冬天 了解 除了
为了 为止 作为 行为 成为 联系 关系 系统 系列 现场 现金 现有 发现 实现 表现 出现 其中 尤其 周年 周边 周围 周报 周会
有限 有效 还款 有人 有机 无线 无糖 无人机 未来 别人 别墅 分别 特别 级别 性别 区别 类别 不同 不锈钢 不动产 不久
不仅 常用 正常 日常 异常 理由 被子 把手 住院 不错 住宅 住宿 买家 买单 卖家 卖场 买卖 需求 将来 想法 写字楼 写作
只读 仅限 里程 里程碑 就业 就诊 成就 就是 都市 首都 归还 还书 这样 很多 之间 之一 可爱 爱人 爱心 恋爱 项目 出发
主要 不断 没关系 有关 对手 向导 方向 给力 自然 至今 甚至 及时 及格 由来 同意 同时 同步 合同 不同意 同学会 学校
学生 学期 大学 中学 小学 学院 科学 数学 化学 文学 教室 教练 教堂 教育 问题 换班 换季 因此 往返 往来 问卷 访问 外卖
狗粮 猫粮 妹妹 姐姐 弟弟 哥哥 家人 担任 出任 工程师 软件工程师 设计师 产品经理 项目经理 经理 总监 会计 出纳 厨师 护士
分析师 程序员 研究员 讲师 秘书 司机 销售 编辑 记者 药剂师 技术员 主管 电工 焊工 志愿者 顾问 实习生 兼职
还没 能力 功能 智能 性能 成都 爱好 爱尔兰 注册 注销 关注 注射 提示音 说明书 另一 另一个 麻烦事 前任 后面
前面 后门 前门 到家 到位 到处 收到 本人 人们 我国 自我 他人 已婚 打车
"""
# What a Chinese numeral counts; before anything else it is part of a word.
_COUNTED = (
    "月日号点时分秒年天周个元块万亿千百岁斤公克毫升米厘里页人位名次台张件条只本辆层楼栋套间份杯瓶盒包袋片"
    "粒颗度倍折小季级届期章节篇集种家口双组班美欧英"
)
AFTER_NUMBER = {
    "个": "",
    "块": "cny",
    "克": "gram",
    "天": "day",
    "岁": "year old",
    "斤": "jin",
    "号": "",
    "米": "metre",
}

_TRADITIONAL = (
    "農农曆历國国電电話话號号會会議议時时間间後后個个們们來来這这為为與与從从對对開开關关門门車车東东書书"
    "長长馬马見见說说讀读寫写買买賣卖錢钱學学習习醫医師师員员業业務务發发動动機机場场樓楼層层週周點点幾几"
    "歲岁歡欢愛爱體体頭头腦脑藥药飯饭麵面魚鱼雞鸡雙双萬万億亿兩两過过還还進进運运達达選选邊边裡里裏里樣样"
    "種种類类題题顏颜應应該该須须頁页負负責责費费資资貨货質质軟软輛辆輕轻較较轉转辦办決决沒没準准溫温漢汉"
    "灣湾煙烟熱热燈灯爺爷牆墙獎奖現现環环畫画當当療疗監监盤盘確确碼码禮礼離离稱称穩稳節节約约級级紅红純纯"
    "紙纸細细終终組组結结給给統统絕绝經经綠绿網网線线練练總总績绩織织續续罷罢習习聯联聲声職职聽听腳脚臺台"
    "舊旧舉举蘭兰蘇苏處处術术衛卫複复規规視视覺觉親亲觀观計计訂订記记許许設设訪访證证評评詞词試试詩诗認认"
    "語语誤误請请論论談谈調调課课讓让譯译護护豐丰貓猫財财貧贫販贩貴贵賬账賽赛趙赵趕赶跡迹踐践連连遠远適适"
    "遲迟鄰邻鄉乡醬酱釋释針针鐘钟鐵铁銀银鋼钢錄录錯错鎖锁鍵键鎮镇閉闭陽阳陰阴陳陈隊队階阶隨随險险雜杂難难"
    "雲云靜静項项順顺預预頻频願愿顧顾風风飛飞飲饮館馆驗验髮发鬧闹鮮鲜鳥鸟麗丽黃黄齊齐龍龙龜龟併并備备價价"
    "優优儲储傳传債债傷伤僅仅倉仓側侧創创劃划劇剧劉刘勞劳勝胜協协單单參参吳吴問问啟启喪丧嘗尝團团園园圓圆"
    "圖图執执報报塊块壓压壞坏壽寿夠够夢梦奪夺婦妇媽妈孫孙寶宝實实審审專专將将導导島岛帳账帐账帶带幫帮廠厂"
    "廣广廳厅強强張张彈弹徑径復复恆恒懷怀戰战戲戏戶户掃扫換换揮挥損损據据擇择擔担擴扩攝摄數数於于晝昼暫暂"
    "曉晓條条極极構构樂乐樹树橋桥檢检櫃柜權权歐欧歷历歸归殺杀氣气滅灭滿满潔洁濟济濕湿"
)
# Characters that are typed for each other, because they sound or look alike.
_ALIKE = (
    "的得地 在再 做作 以已 帐账 坐座 像象 份分 带戴代 那哪 园圆员 化画划 候侯后 备倍 班般 板版 辩辨 采彩 长常 "
    "厂场 成城 待袋 登灯 度渡 烦繁 反返 副付 复覆 刚钢 工公功 关观 和合 湖糊 交较 接结 近进 经径 具俱 据居 刻克 "
    "课科 历厉 连联 练炼 录绿 密蜜 牌排 配陪 平评 期其 气汽 签鉴 情请清晴 确却 溶熔融 赛塞 试式 收受 署暑 提题 "
    "厅听 停挺 图涂 完玩 位为 先现 线限 项像 型形 需须 询寻 要药 业叶 医衣 意义 因音 应英 由油 有又 于与 原源愿 "
    "则责 振震 整正 支只枝 值直 至致 终中 住注 装妆 状壮 字自 坐做 它他 洲州 篮蓝 拔拨 未末 己已 末未 晴睛 赔陪 "
    "培陪 幅副 辐幅 漫慢 暴爆 燥躁 竟竞 侍待 折拆 即既 拉啦 吗嘛 把吧 查察 碳炭 沙砂 唯惟维 尝偿 决绝 块快 亨享 "
    "卷券 弛驰 厉励 须需 像向 以己 磨摩 密秘 燃然 缴交 欠歉 按安 订定 像相"
)
_SURNAMES = (
    "王wang 李li 张zhang 刘liu 陈chen 杨yang 黄huang 赵zhao 吴wu 周zhou 徐xu 孙sun 马ma 朱zhu 胡hu 郭guo "
    "何he 高gao 林lin 郑zheng 梁liang 罗luo 宋song 谢xie 唐tang 韩han 曹cao 许xu 邓deng 萧xiao 冯feng "
    "曾zeng 程cheng 蔡cai 彭peng 潘pan 袁yuan 于yu 董dong 余yu 苏su 叶ye 吕lv 魏wei 蒋jiang 田tian 杜du "
    "丁ding 沈shen 姜jiang 范fan 江jiang 傅fu 钟zhong 卢lu 汪wang 戴dai 崔cui 任ren 陆lu 廖liao 姚yao "
    "方fang 金jin 邱qiu 夏xia 谭tan 韦wei 贾jia 邹zou 石shi 熊xiong 孟meng 秦qin 阎yan 薛xue 侯hou 雷lei "
    "白bai 龙long 段duan 郝hao 孔kong 邵shao 史shi 毛mao 常chang 万wan 顾gu 赖lai 武wu 康kang 贺he 严yan "
    "尹yin 钱qian 施shi 牛niu 洪hong 龚gong 季ji 乔qiao 柳liu 童tong 温wen 俞yu 齐qi 左zuo 岳yue 穆mu "
    "庄zhuang 宁ning 聂nie 苗miao 安an 凌ling 霍huo 费fei 纪ji 卓zhuo 焦jiao 尤you 倪ni 阮ruan 骆luo "
    "祝zhu 景jing 简jian 裴pei 路lu 游you 涂tu 章zhang 鲁lu 葛ge 肖xiao 向xiang 梅mei"
)
_DAYS = dict(zip("一二三四五六日天", [day.split()[0] for day in lexicon.WEEKDAYS.split("|")] + ["sunday"], strict=True))
_WHICH = {"上": "last ", "下": "next ", "本": "this ", "这": "this ", "": ""}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}


def entries(table: str) -> list[tuple[str, str]]:
    """The `(meaning, members)` of a table; filler has an empty meaning."""
    found = []
    for entry in table.replace("\n", ";").split(";"):
        meaning, colon, members = entry.partition(":")
        if colon:
            found.append(("" if meaning.strip() == "_" else meaning.strip(), members))
    return found


@cache
def _words() -> tuple[dict[str, str], dict[str, int]]:
    """Word to meaning, and for each first character the length of the longest word."""
    words = {word: word for word in WHOLE.split()}
    for meaning, members in entries(WORDS):
        words |= dict.fromkeys(members.split(), meaning)
    for table in (lexicon.CITIES, lexicon.COUNTRIES):
        words |= {there: here for here, there in (pair.split(":") for pair in table.split() if ":" in pair)}
    longest: dict[str, int] = {}
    for word in words:
        if len(word) > longest.get(word[0], 0):
            longest[word[0]] = len(word)
    return words, longest


@cache
def _simplified() -> dict[int, str]:
    return {ord(old): new for old, new in zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True)}


@cache
def _surnames() -> dict[str, str]:
    return {entry[0]: entry[1:] for entry in _SURNAMES.split()}


_NUMERAL = "[零〇一二两三四五六七八九十百千万亿]"
_UNIT = "[个只家辆台张本条件把间套份部座栋款门艘位名篇首根块双对幅盒瓶杯]"
_PATTERNS = {
    "weekday": f"([上下本这]?)(?:周|星期|礼拜)([一二三四五六日天])(?!{_NUMERAL}*[期年岁个次])",
    "numeral": f"([0-9.,]*{_NUMERAL}+)(?=[{_COUNTED}]|$)|(\\d[\\d.,]*)([万亿千]+)",
    "date": r"(?:(\d{4})年)?(?<!\d)(\d{1,2})月(\d{1,2})[日号]?|(?<!\d)([12]\d{3})年",
    "clock": r"(下午|晚上|傍晚|晚间|夜里|今晚)?\s*(?<![\d:.])(\d{1,2})"
    r"(?:[点时](?:(半)|(\d{1,2})分?|整)?钟?|:(\d\d)(?![\d:]))",
    "metres": r"([一二1-2])米([一二三四五六七八九\d])([零一二三四五六七八九\d])?(?![\d零一二三四五六七八九])",
    "share": f"百分之({_NUMERAL}+|[\\d.]+)",
    "around": r"(\d[\d.,]*[^\d\s,。，;；]{0,2})左右",
    "one": rf"(?<![\d.,第每])1(?={_UNIT}\w){_UNIT}",
}
_FIGURES = frozenset("零〇一二两三四五六七八九十百千万亿0123456789")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


def digits(text: str) -> str:
    """Text with simplified characters, and numerals, dates, weekdays and times in digits or English."""
    text = without_lead(text.translate(_simplified()))
    if _FIGURES.isdisjoint(text) and "天" not in text and "日" not in text:
        return text
    if "米" in text:
        text = _pattern("metres").sub(_metres, text)
    if "百分之" in text:
        text = _pattern("share").sub(lambda found: f"{_number(found[1])} percent ", text)
    if "周" in text or "期" in text or "拜" in text:
        text = _pattern("weekday").sub(lambda found: f" {_WHICH[found[1]]}{_DAYS[found[2]]} ", text)
    text = _pattern("numeral").sub(lambda found: _number(found[0]), text)
    if "1" in text:
        text = _pattern("one").sub("", text)
    if "左右" in text:
        text = _pattern("around").sub(r"大约\1", text)
    if "月" in text or "年" in text:
        text = _pattern("date").sub(_date, text)
    if "点" in text or ":" in text or "时" in text:
        text = _pattern("clock").sub(_clock, text)
    return text


def without_lead(text: str) -> str:
    """Text without the opening words that say nothing."""
    if text[:1] in _OPENERS:
        text = _opening().sub("", text, count=1)
    for _ in range(2):
        for mark in ",:":
            before, found, _rest = text[:12].partition(mark)
            if found and (before.strip() in _leads() or _says_nothing(before)):
                text = text[len(before) + 1 :].lstrip()
                break
        else:
            for lead in _BARE_LEADS:
                text = text.removeprefix(lead)
            break
    body, comma, last = text.rpartition(",")
    return body if comma and body and _says_nothing(last) else text


def _says_nothing(clause: str) -> bool:
    clause = clause.strip()
    return _META.issuperset(clause) and not _TELLING.isdisjoint(clause)


_OPENING = (
    "^(?:(?:顺便|顺带)(?:说|提|讲)?(?:一下|一句|一嘴|一提)?|说(?:真的|实话|到底|白了|起来)|老实(?:说|讲)|坦白(?:说|讲)"
    "|讲真的?|事实上|实际上|总(?:之|的来说|体来说|而言之|体上)|一般来说|简单(?:来|地)?说|严格来说|准确(?:来|地)?说"
    "|具体来说|换句话说|也就是说|话说(?:回来)?|反正|毕竟|显然|果然|原来|没错|不用说|不得不说|可以说|应该说|不瞒你说"
    "|不管怎么说|跟你说|给你提个醒|你知道|你懂的|请知悉|是这样的?|对了|此外|而且|不过|要知道"
    "|需要(?:说明|注意|提醒)的是|值得(?:一提|注意)的是|众所周知|大家都知道|如前所述|(?:前面|之前|刚才)(?:说|提)(?:过|到)"
    "|正如[^,]{0,6}所说|帮我(?:记|记录)(?:一下|住)|记得|麻烦记(?:一下|住)|特别说明|补充(?:一点|一下|说明)"
    "|提醒(?:一下|大家)|说明一下|别忘了|请记住|请注意|实话说|确实|其实(?:吧|呢)?|另外|当然|倒是|结果|后来发现|我发现"
    "|我想说|(?:用户|我)(?:之前|刚才|曾经?|还|也|自己)?(?:提到|提过|说过|表示|指出|强调|补充说?|反馈)(?:过|了|说)?"
    ")[,:]?|^(?:用户|我)(?:之前|刚才|曾经?|还|也)?说[,:]"
)
_OPENERS = frozenset(
    "顺说老坦讲事实总一简严准具换也话反毕显果原没不可应跟给你请是对此而要需值众大如前之刚正帮记"
    "麻特补提别确其另当倒结后我用"
)


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(_OPENING)


@cache
def _leads() -> frozenset[str]:
    return frozenset(LEADS.split()) | _BARE_LEADS


def _metres(found: re.Match[str]) -> str:
    return "{}.{}{}米".format(*[str(_DIGITS.get(part, part)) if part else "" for part in found.groups()])


def _date(found: re.Match[str]) -> str:
    year, month, day, alone = found.groups()
    if alone:
        return f" {DATE}{alone} "
    return f" {DATE}{year + '-' if year else ''}{int(month):02}-{int(day):02} "


def _clock(found: re.Match[str]) -> str:
    period, hour, half, minutes, colon = found.groups()
    if int(hour) > 24:
        return found[0]
    late = 12 if period and (5 if period in "晚上夜里晚间" else 0) < int(hour) < 12 else 0
    return f" {int(hour) + late}:{30 if half else int(minutes or colon or 0):02} "


def _number(text: str) -> str:
    """`三千万` as `30000000`, `三千五` as `3500`; digits spelt one by one as digits, other text as it is."""
    head = text.rstrip("十百千万亿零〇一二两三四五六七八九")
    rest = text[len(head) :]
    if head:
        scale = 1
        for letter in rest:
            if letter not in _SCALES:
                return text
            scale *= _SCALES[letter]
        return scaled(head.replace(",", ""), len(str(scale)) - 1) or text
    if not any(letter in _SCALES for letter in rest):
        return "".join(str(_DIGITS[letter]) for letter in rest)
    total = section = digit = last = 0
    for place, letter in enumerate(rest):
        if letter in _DIGITS:
            if digit:
                return text
            digit = _DIGITS[letter]
            if digit and last > 10 and place == len(rest) - 1 and rest[place - 1] != "零":
                digit *= last // 10
            continue
        last = _SCALES[letter]
        if last >= 10_000:
            total = (total + section + digit or 1) * last
            section = 0
        else:
            section += (digit or 1) * last
        digit = 0
    return str(total + section + digit)


def scaled(number: str, zeros: int) -> str:
    """A decimal number times ten to `zeros`, exactly, or empty where the result is not whole."""
    whole, _, fraction = number.partition(".")
    if not (whole + fraction).isdecimal() or not whole or len(fraction) > zeros:
        return ""
    return (whole + fraction.ljust(zeros, "0")).lstrip("0") or "0"


def marked(text: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Text with ENTITY for the names, and the one that was only guessed, from its pinyin in `names`.

    Pinyin tells a surname and a number of syllables, so two guessed names may be two people's.
    """
    for name in names:
        if not name.isascii():
            text = text.replace(name, ENTITY)
    given = [name for name in names if name.isascii() and name not in ("example", "sample")]
    if not 2 <= len(given) <= 3:
        return text, ""
    for place, letter in enumerate(text):
        surname = _surnames().get(letter)
        if surname in given:
            count = sum(len(re.findall("[aeiou]+", name)) for name in given if name != surname)
            name = text[place : place + 1 + count]
            if 0 < count < 3 and name.isalpha() and not name.isascii():
                return text.replace(name, ENTITY), name
    return text, ""


def is_surname(letter: str) -> bool:
    """Whether a character is a common family name."""
    return letter in _surnames()


@cache
def _twins() -> frozenset[str]:
    return frozenset(a + b for group in _ALIKE.split() for a in group for b in group if a != b)


def likely_slip(one: str, two: str, place: int) -> bool:
    """Whether two texts differ at `place` by characters that are typed for each other, and in no person's name."""
    if one[place] + two[place] not in _twins():
        return False
    if one[place] in "的得地" and two[place] in "的得地":
        return True
    return not any(
        text[at : at + 1] in _surnames() for text in (one, two) for at in range(max(place - 2, 0), place + 1)
    )


def segment(run: str, found: list[tuple[str, str]]) -> None:
    """Append the words of a run of Chinese with their kinds: the longest known ones, single characters between them.

    Kana makes a run Japanese, which stays single characters. `的` ties what stands before it, so its link goes in
    front of that.
    """
    if any("\u3040" <= letter <= "\u30ff" for letter in run):
        found.extend((letter, "h") for letter in run)
        return
    words, longest = _words()
    place, size = 0, len(run)
    if found and found[-1][1] == "n" and run[0] in AFTER_NUMBER and run[:2] not in words:
        found.extend((word, "w") for word in AFTER_NUMBER[run[0]].split())
        place = 1
    while place < size:
        letter = run[place]
        for length in range(min(longest.get(letter, 0), size - place), 0, -1):
            known = words.get(run[place : place + length])
            if known is not None:
                if known == "<P":
                    if place + 1 == size:
                        found.append(("de", "w"))
                    else:
                        _owner(found)
                elif known == "le":
                    found.append(("end" if place + 1 == size else "le", "w"))
                else:
                    found.extend((word, "w") for word in known.split())
                place += length
                break
        else:
            found.append((letter, "h"))
            place += 1


def _owner(found: list[tuple[str, str]]) -> None:
    """Put the link of `的` before the name or the unknown characters that it follows."""
    start = len(found)
    if start and found[-1][0] in ("user", "we", "you"):
        found.insert(start - 1, ("<P", "w"))
    elif start and found[-1][1] in "hN":
        kind = found[-1][1]
        while start and (found[start - 1][1] == kind or (kind == "h" and found[start - 1][1] == "n")):
            start -= 1
        found.insert(start, ("<P", "w"))

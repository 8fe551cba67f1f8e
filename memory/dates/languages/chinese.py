"""The words for time in Chinese."""

from __future__ import annotations

from .locale import NUMBERS, Locale


def _on_weekday(names: str) -> str:
    """Return the forms of a Chinese weekday, whose names consist of "week" and a number or 日."""
    weeks = ("周", "週", "星期", "礼拜", "禮拜")
    return "|".join(week + name for week in weeks for name in names)


CHINESE = Locale(
    name="zh",
    months=", ".join(f"+{number}月" for number in NUMBERS[:12]),
    weekdays=", ".join(_on_weekday(day) for day in ("一", "二", "三", "四", "五", "六", "日天")),
    days="前天, 昨天|昨日, 今天|今日, 明天|明日|明早|明晚, 后天|後天, 大前天, 大后天|大後天",
    units="天, 周|週|星期|礼拜|禮拜, 月, 年, 周末|週末, , 季度, 半年, 工作日|个工作日|個工作日",
    working_days="第一个工作日|第一個工作日|首个工作日|首個工作日, 最后一个工作日|最後一個工作日|"
    "最后工作日|最後工作日",
    seasons="+春天|+春季|春, +夏天|+夏季|夏, +秋天|+秋季|秋, +冬天|+冬季|冬",
    thirds="初|上旬, 中旬, 底|末|下旬",
    feasts="+平安夜|+圣诞夜|+聖誕夜, +圣诞节|+圣诞|+聖誕節|+聖誕, , +跨年夜, +元旦, , +复活节|"
    "+復活節, +万圣节|+万圣夜|+萬聖節, +情人节|+情人節, , , , , , , , , +国庆节|+国庆|+國慶節|"
    "+國慶, +春节|+春節|+过年|+過年, +中秋节|+中秋|+中秋節",
    counts=", ".join(NUMBERS).replace("二,", "二|两|兩|俩,", 1),
    vague=", 几|幾|数|好几",
    ordinals=", ".join(f"{number}号|{number}號|{number}日" for number in NUMBERS),
    daytimes="早上|上午|早晨|清晨|早|中午|下午|傍晚|晚上|晚|夜里|夜裡|夜|凌晨|半夜",
    which="上上|大上, 上|上一|去|昨, 过去|過去|最近|近, 这|這|这一|這一|本|今, 下|下一|明, 下下",
    distance="前|以前|之前, , 后|後|以后|以後|之后|之後",
    leads=", , , 在|于, ",
    ranges="自|自从|自從, 开始|開始|以来|以來|起, 从|從, 直到|到|至, 和|跟|与|與|或",
    blocks=", , 每|每逢",
    articles="的|第|个|個|里|裡|间|間|那",
    asks="什么 什麼 啥 谁 誰 哪 哪里 哪儿 哪些 哪个 怎么 怎麼 为什么 如何 我 我们 我們 咱们 你 您"
    " 他 她 它 做 做了 做过 干 干了 去 去了 去过 发生 发生了 發生 说 说了 说过 說 說了 聊 聊了 聊过"
    " 写 写了 告诉 告訴 请 請 给 给我 列出 总结 看看 有 有没有 了 过 過 吗 嗎 呢 吧 啊 是"
    " 都 所有 一切 事 事情 日记 日記 笔记 筆記 消息 记录 記錄 日志 记 记了 记下 过得 怎样 怎么样"
    " 关于 关於 那天 情况 忙 忙了 新闻 东西 经历 经历了 见 见了",
    past_tense="了 过 過 做了 做过 干了 去了 去过 发生 发生了 發生 说了 说过 說了 聊了 聊过 写了"
    " 吃了 买了 见了 记了 过得 忙了 那天",
    future="打算|计划|計劃|将要|將要|准备|準備|安排",
    rates="多少|几次|幾次|多久|平均",
    ages="几岁|幾歲|多大",
    present="有什么安排|有什么事|有什麼事|有事吗",
    has_bare_ago=True,
    has_spaces=False,
    weekday_names_week=True,
    exact="正好|整整|刚好|剛好",
    hours="小时|小時|钟头|鐘頭",
    holidays="0308 妇女节|婦女節, 0404+2 清明节|清明節, 0501 劳动节|勞動節, 5-2-6 母亲节|母親節,"
    " 0601 儿童节|兒童節, 6-3-6 父亲节|"
    "父親節, 0910 教师节|教師節, 11-4-3 感恩节|感恩節, 1111 双十一",
    halves="上半月, 下半月",
)

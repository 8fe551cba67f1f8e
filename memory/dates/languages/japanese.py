"""The words for time in Japanese."""

from __future__ import annotations

from .locale import NUMBERS, Locale

JAPANESE = Locale(
    name="ja",
    months="+一月, +二月, +三月, +四月, +五月, +六月, +七月, +八月, +九月, +十月, +十一月, +十二月",
    weekdays="月曜/日, 火曜/日, 水曜/日, 木曜/日, 金曜/日, 土曜/日, 日曜/日",
    days="一昨日|おととい, 昨日|きのう, 今日|きょう, 明日|あした, 明後日|あさって",
    units="日/間, 週/間, 月|か月|ヶ月|カ月|ヵ月, 年/間, 週末, , 四半期, 半年",
    seasons="+春, +夏, +秋, +冬",
    thirds="初め|上旬, 中旬|半ば, 終わり|下旬|末",
    feasts="+クリスマスイブ, +クリスマス, , +大晦日, +元日|+元旦|+お正月, +聖金曜日, +復活祭|"
    "+イースター, +ハロウィン|+ハロウィーン, +バレンタインデー|+バレンタイン, , , , , , , ,",
    counts=", ".join(NUMBERS),
    vague=", 数",
    ordinals=", ".join(f"{number}日" for number in NUMBERS),
    daytimes="朝|午前|昼|午後|夕方|夜|晩",
    which="先々|一昨, 先|去|昨, 過去|ここ|最近, 今|この, 来, 再来",
    distance="前, , 後",
    leads="",
    ranges=", から, , まで, と",
    blocks="毎",
    articles="の|に|は|を|が|で|も",
    asks="何 なに なん した しました して いた いました 私 僕 わたし です だった でした か あった"
    " ありました こと 教えて ください 話した 日記 メモ メッセージ ログ どう",
    past_tense="した しました いた いました だった でした あった ありました 食べた 行った 話した",
    future="予定|つもり",
    rates="何時間|どれくらい|何回",
    ages="何歳",
    has_spaces=False,
    exact="ちょうど|丁度",
    hours="時間",
)

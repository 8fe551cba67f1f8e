"""The words for time in Russian, Polish, Japanese and Chinese, for memory/dates/period.py."""

from __future__ import annotations

from .locale import Locale

RUSSIAN = Locale(
    name="ru",
    months="январ/ь/я/е, феврал/ь/я/е, март/а/е, апрел/ь/я/е, май|мая|мае, июн/ь/я/е, июл/ь/я/е,"
    " август/а/е, сентябр/ь/я/е, октябр/ь/я/е, ноябр/ь/я/е, декабр/ь/я/е",
    weekdays="понедельник/а, вторник/а, среду|среды, четверг/а, пятниц/а/у/ы, суббот/а/у/ы,"
    " воскресенье|воскресенья",
    days="позавчера, вчера, сегодня, завтра, послезавтра",
    units="день|дня|дней|дни, недел/я/ю/и/е/ь, месяц/а/ев/е, год/а/у|лет, выходные|выходных, ,"
    " квартал/а/е/у/ы, полгода|полугодие|полугодии",
    seasons="весна|весну|+весной, лето|лета|+летом, осень|осени|+осенью, зима|зиму|+зимой",
    thirds="начале|начала, середине|середины, конце|конца",
    feasts="сочельник, , , канун нового года, новый год, , , хэллоуин|хеллоуин, день святого"
    " валентина, , , , , , , ,",
    holidays="0223 день защитника отечества, 0308 женский день, 0509 день победы",
    counts="один|одну|одна, два|две|двух, три|трех, четыре|четырех, пять|пяти, шесть|шести, семь|"
    "семи, восемь|восьми, девять|девяти, десять|десяти, одиннадцать, двенадцать,"
    " тринадцать, четырнадцать, пятнадцать",
    vague="пару|пара, несколько",
    ordinals="первого, второго, третьего, четвертого, пятого, шестого, седьмого, восьмого,"
    " девятого, десятого, одиннадцатого, двенадцатого",
    daytimes="утром|утра|днем|вечером|вечера|вечер|ночью|ночь",
    which="позапрошл/ый/ой/ую/ом/ое, прошл/ый/ая/ое/ой/ую/ом/ого/ым/ые/ых,"
    " последн/ий/юю/яя/ее/ие/их/ей/ем, этот|эта|эту|это|этой|этом|этого|эти|этих|этим,"
    " следующ/ий/ая/ую/ее/ей/ем/его/ие/им|будущ/ий/ей/ем/ую",
    distance="назад",
    leads=", на, , в|во|за, через",
    ranges="с|со, , между, по|до, и|или",
    blocks="перед|после|к|каждый|каждую|каждое|каждые",
    articles="около|примерно|приблизительно",
    asks="что кто где когда как почему какой какая какие чем я мы мне меня мой моя мои нас нам ты"
    " делал делала делали сделал сделала сделали занимался занималась было был была были произошло"
    " случилось происходило есть нового новое расскажи покажи дай список о об про у пожалуйста"
    " дневник записи заметки сообщения все итоги говорили говорил говорила обсуждали писал писала",
    past_tense="делал делала делали сделал сделала сделали было был была были произошло случилось"
    " ел ела говорили говорил говорила обсуждали писал писала сказал сказала",
    future="буду|будем|будет|планирую|запланировано|предстоит",
    rates="сколько|как часто|как долго",
    ages="сколько лет мне|сколько мне было лет|сколько мне лет",
    present="у меня|у нас",
    next_to="день до|накануне, день после|следующий день после",
    has_bare_ago=True,
)

POLISH = Locale(
    name="pl",
    months="styczeń|stycznia|styczniu, luty|lutego|lutym, marzec|marca|marcu, kwiecień|kwietnia|"
    "kwietniu, maj|maja|maju, czerwiec|czerwca|czerwcu, lipiec|lipca|lipcu, sierpień|sierpnia|"
    "sierpniu, wrzesień|września|wrześniu, październik/a/u, listopad/a/zie, grudzień|grudnia|"
    "grudniu",
    weekdays="poniedziałek|poniedziałku, wtorek|wtorku, środa|środę|środy, czwartek|czwartku,"
    " piątek|piątku|piatek, sobota|sobotę|soboty, niedziela|niedzielę|niedzieli",
    days="przedwczoraj, wczoraj, dziś|dzisiaj, jutro, pojutrze",
    units="dzień|dni|dnia, tydzień|tygodnie|tygodni|tygodniu|tygodnia, miesiąc|miesiące|miesięcy|"
    "miesiącu|miesiąca, rok|roku|lata|lat, weekend/u|weekendzie, , kwartał/u/y|kwartale,"
    " pół roku|półrocze|półroczu",
    seasons="wiosna|wiosnę|+wiosną, lato|+latem, jesień|jesieni|+jesienią, zima|zimie|+zimą",
    thirds="początek|początku, połowa|połowie, koniec|końcu|końca",
    feasts="wigilia|wigilię|wigilii, boże narodzenie|święta, , sylwester|sylwestra, nowy rok,"
    " wielki piątek, wielkanoc|wielkanocy, halloween, walentynki|walentynek, ,"
    " +między świętami a sylwestrem, adwent/u, mikołajki, trzech króli, wszystkich świętych, , ",
    holidays="0501 święto pracy, 1111 święto niepodległości",
    counts="jeden|jedną, dwa|dwie|dwóch, trzy|trzech, cztery|czterech, pięć|pięciu, sześć, siedem,"
    " osiem, dziewięć, dziesięć, jedenaście, dwanaście, trzynaście, czternaście, piętnaście",
    vague=", kilka|kilku|parę",
    ordinals="pierwszego, drugiego, trzeciego, czwartego, piątego, szóstego, siódmego, ósmego,"
    " dziewiątego, dziesiątego, jedenastego, dwunastego",
    daytimes="rano|rana|południe|popołudniu|wieczorem|wieczór|noc|nocy",
    which=", zeszły/m|zeszłego|zeszłej|zeszłą|ubiegły/m|ubiegłego|ubiegłej|ubiegłą|poprzedni/m,"
    " ostatni/m/e/ch/ego/ej|ostatnią, ten|tym|ta|tę|tej|tego, przyszły/m|przyszłego|przyszłej|"
    "następny/m|następnej|najbliższy/m",
    distance="temu",
    leads=", na, , w|we|podczas|ciągu, za",
    ranges="od, , między|pomiędzy, do, i|a|lub",
    blocks="przed|po|każdy|każdego|każdą|każde",
    articles="około|mniej więcej",
    asks="co kto gdzie kiedy jak dlaczego jaki jakie ja my mi mnie mój moje nam nas robiłem"
    " robiłam robiliśmy zrobiłem zrobiłam było był była byłem byłam działo się stało wydarzyło"
    " jest nowego opowiedz pokaż daj lista podsumuj o z proszę dziennik notatki wiadomości wpisy"
    " wszystko mówiłem mówiłam pisałem pisałam rozmawialiśmy",
    past_tense="robiłem robiłam robiliśmy zrobiłem zrobiłam było był była byłem byłam działo stało"
    " wydarzyło mówiłem mówiłam rozmawialiśmy jadłem jadłam",
    future="będę|będziemy|będzie|planuję|zaplanowane",
    rates="ile|jak często|jak długo",
    ages="ile miałem lat|ile miałam lat|ile lat",
    never="co poniedziałek|co wtorek|co środę|co czwartek|co piątek|co sobotę|co niedzielę",
    present="mam|mamy",
    next_to="dzień przed|dniu przed, dzień po|dniu po",
    has_bare_ago=True,
)

_ONES = ("", *"一二三四五六七八九")
_NUMBERS = [ten + one for ten in ("", "十", "二十", "三十") for one in _ONES if ten + one][:31]


def _on_weekday(names: str) -> str:
    """Return the forms of a Chinese weekday, whose names consist of "week" and a number or 日."""
    weeks = ("周", "週", "星期", "礼拜", "禮拜")
    return "|".join(week + name for week in weeks for name in names)


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
    counts=", ".join(_NUMBERS),
    vague=", 数",
    ordinals=", ".join(f"{number}日" for number in _NUMBERS),
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
)

CHINESE = Locale(
    name="zh",
    months=", ".join(f"+{number}月" for number in _NUMBERS[:12]),
    weekdays=", ".join(_on_weekday(day) for day in ("一", "二", "三", "四", "五", "六", "日天")),
    days="前天, 昨天|昨日, 今天|今日, 明天|明日|明早|明晚, 后天|後天, 大前天, 大后天|大後天",
    units="天, 周|週|星期|礼拜|禮拜, 月, 年, 周末|週末, , 季度, 半年",
    seasons="+春天|+春季|春, +夏天|+夏季|夏, +秋天|+秋季|秋, +冬天|+冬季|冬",
    thirds="初|上旬, 中旬, 底|末|下旬",
    feasts="+平安夜|+圣诞夜|+聖誕夜, +圣诞节|+圣诞|+聖誕節|+聖誕, , +跨年夜, +元旦, , +复活节|"
    "+復活節, +万圣节|+万圣夜|+萬聖節, +情人节|+情人節, , , , , , , , , +国庆节|+国庆|+國慶節|"
    "+國慶, +春节|+春節|+过年|+過年, +中秋节|+中秋|+中秋節",
    counts=", ".join(_NUMBERS).replace("二,", "二|两|兩|俩,", 1),
    vague=", 几|幾|数|好几",
    ordinals=", ".join(f"{number}号|{number}號|{number}日" for number in _NUMBERS),
    daytimes="早上|上午|早晨|清晨|早|中午|下午|傍晚|晚上|晚|夜里|夜裡|夜|凌晨|半夜",
    which="上上|大上, 上|上一|去|昨, 过去|過去|最近|近, 这|這|这一|這一|本|今, 下|下一|明, 下下",
    distance="前|以前|之前, , 后|後|以后|以後|之后|之後",
    leads=", , , 在|于, ",
    ranges="自|自从|自從, 开始|開始|以来|以來|起, 从|從, 到|至, 和|跟|与|與|或",
    blocks="每|每逢",
    articles="的|个|個|里|裡|间|間|那",
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
)

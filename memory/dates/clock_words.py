"""The words for times of day and for delays ("in 20 minutes") in ten languages, for due.py.

Chinese and Japanese, which have no spaces, have patterns of their own in clock.py.

Forms are separated by `|`; a form may have several words. Case and accents do not matter.
"""

from __future__ import annotations

AT = "at|um|gegen|à|a las|a la|alle|alle ore|all'|às|as|om|o|o godz|o godzinie|в|ve|ore|@|by|bis"
"""Words before an hour without minutes: "at 9"."""

ON = "on|am|den|bis|by|le|el|il|op|em|dnia"
"""Words before a numeric date: "on 1.3."."""

HOUR_SIGNS = "o'clock|uhr|h|heures|heure|horas|hora|ore|uur|godz|час|часов|часа|時"
"""Words after an hour: "9 Uhr"."""

BEFORE_NOON = "am|a.m.|a. m.|in the morning|morgens|früh|vormittags|du matin|de la mañana"
BEFORE_NOON += "|di mattina|del mattino|da manhã|'s ochtends|s ochtends|rano|утра|午前"
BEFORE_NOON += "|de la madrugada|da madrugada"
AFTER_NOON = "pm|p.m.|p. m.|in the afternoon|nachmittags|am nachmittag|de l'après-midi"
AFTER_NOON += "|de la tarde|esta tarde|del pomeriggio|da tarde|'s middags|po południu|дня|午後"
EVENING = "in the evening|this evening|abends|am abend|heute abend|du soir|ce soir|di sera|stasera"
EVENING += "|'s avonds|s avonds|vanavond|wieczorem|вечера|вечером"
NIGHT = "at night|in the night|tonight|tonite|2nite|nachts|in der nacht|heute nacht|de la nuit"
NIGHT += "|cette nuit"
NIGHT += "|de la noche|esta noche|da noite|esta noite|di notte|stanotte|'s nachts|s nachts"
NIGHT += "|vannacht|w nocy|ночи|ночью"
"""Words after an hour that say in which part of the day it is; "2 at night" is in the morning."""

HOURS = {
    "one|eins|ein|une|una|uma|één|pierwszej|pierwszą|первого": 1,
    "two|zwei|deux|dos|due|duas|twee|drugiej|drugą|два|второго": 2,
    "three|drei|trois|tres|tre|três|drie|trzeciej|trzecią|три|третьего": 3,
    "four|vier|quatre|cuatro|quattro|quatro|czwartej|czwartą|четыре|четвёртого|четвертого": 4,
    "five|fünf|cinq|cinco|cinque|vijf|piątej|piątą|пять|пятого": 5,
    "six|sechs|seis|sei|zes|szóstej|szóstą|шесть|шестого": 6,
    "seven|sieben|sept|siete|sette|sete|zeven|siódmej|siódmą|семь|седьмого": 7,
    "eight|acht|huit|ocho|otto|oito|ósmej|ósmą|восемь|восьмого": 8,
    "nine|neun|neuf|nueve|nove|negen|dziewiątej|dziewiątą|девять|девятого": 9,
    "ten|zehn|dix|diez|dieci|dez|tien|dziesiątej|dziesiątą|десять|десятого": 10,
    "eleven|elf|onze|once|undici|jedenastej|jedenastą|одиннадцать|одиннадцатого": 11,
    "twelve|zwölf|douze|doce|dodici|doze|twaalf|dwunastej|dwunastą|двенадцать|двенадцатого": 12,
}
"""Hours in words: "at nine"."""

AT_WORD = r"(?:at|um|gegen|a las|a la|alle|às|om|в)\s+|all['’]|o\s+(?=\w+ej\b)|à\s+(?=\w+ heures?)"
"""A pattern for what makes a number word an hour; French "dîner à deux" is not at two."""

COUNTED = "point|min|minutes|minuten|minuti|minutos|minut|минут|stunden|tage|wochen|monate|jahre"
COUNTED += "|days|weeks|months|years|degrees|percent|раз|раза"
"""Words after a number that is no time: "um zwei Tage verschieben"."""

MORE_MINUTES = {
    "et demie|et demi|y media|e mezza|e mezzo|e meia": 30,
    "et quart|y cuarto|e un quarto": 15,
    "moins le quart|menos cuarto|meno un quarto|menos um quarto": -15,
    "menos diez|meno dieci|moins dix|menos dez": -10,
    "menos cinco|meno cinque|moins cinq": -5,
    "menos veinte|meno venti|moins vingt|menos vinte": -20,
    "y cinco|e cinque|e cinco|oh five|o five": 5,
}
"""Minutes after an hour: "a las 9 y media"."""

TO_HOUR = {
    "half past": 30,
    "halb|om half|wpół do|половине|пол": -30,
    "quarter past|a quarter past|quarter after|viertel nach|kwart over|kwadrans po": 15,
    "quarter to|a quarter to|quarter till|viertel vor|dreiviertel|drei viertel|kwart voor"
    "|za kwadrans": -15,
    "viertel": -45,
    "fünf vor halb|5 vor halb": -35,
    "fünf nach halb|5 nach halb": -25,
}
"""Minutes before an hour."""

HALF_ENGLISH = r"at half|(?:(?<=day )|(?<=orrow )|(?<=tonight ))half"
HALF_ENGLISH += r"|half(?= \w+ (?:tonight|tomorrow|today|this|in the|on|to|[ap]m)(?!\w))"
HALF_ENGLISH += (
    r"|half(?= (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!\w))"
)
"""A pattern for "half" in "half nine", half past nine; Dutch "half 9" is half past eight."""

NAMED = {
    "noon|noonish|noon-ish|midday|lunchtime|lunch time|at lunch|mittags|zu mittag|à midi|midi"
    "|al mediodía|mediodía|a mezzogiorno|mezzogiorno"
    "|ao meio-dia|meio-dia|tussen de middag|w południe|в полдень|полдень|正午": 12,
    "first thing in the morning|first thing": 8,
    "mid-morning|mid morning": 10,
    "mid-afternoon|mid afternoon": 15,
    "late afternoon|am späten nachmittag|en fin d'après-midi": 17,
    "early evening|am frühen abend|en début de soirée": 18,
    "late evening|am späten abend": 21,
    "midnight|mitternacht|um mitternacht|à minuit|minuit|a medianoche|medianoche|a mezzanotte"
    "|mezzanotte|à meia-noite|meia-noite|middernacht|o północy|в полночь|полночь": 0,
}
"""Named hours of the day."""

USUAL = {
    "after breakfast|nach dem frühstück|après le petit-déjeuner|después de desayunar"
    "|después del desayuno|dopo colazione|после завтрака|早饭后|早餐后": 9,
    "before lunch|vor dem mittagessen|avant le déjeuner|antes de comer|antes del almuerzo"
    "|prima di pranzo|перед обедом|до обеда|午饭前|午餐前": 11,
    "after lunch|nach dem mittagessen|après le déjeuner|después de comer|después del almuerzo"
    "|dopo pranzo|после обеда|午饭后|午餐后": 13,
    "after school|nach der schule|après l'école|después de clase|после школы|放学后": 16,
    "after work|nach der arbeit|nach feierabend|après le travail|après le boulot"
    "|después del trabajo|después de trabajar|dopo il lavoro|na het werk|po pracy|после работы"
    "|下班后": 18,
    "before dinner|before supper|vor dem abendessen|avant le dîner|antes de cenar|prima di cena"
    "|перед ужином|晚饭前|晚餐前": 18,
    "after dinner|after supper|nach dem abendessen|après le dîner|después de cenar|dopo cena"
    "|после ужина|晚饭后|晚餐后": 20,
    "before bed|before bedtime|at bedtime|before going to bed|before i go to bed|before sleep"
    "|vor dem schlafen|vor dem schlafengehen|vor dem zubettgehen|vor dem ins bett gehen"
    "|avant de dormir|avant d'aller au lit|avant de me coucher|antes de dormir|antes de acostarme"
    "|prima di dormire|voor het slapen|przed snem|перед сном|睡前|睡觉前": 22,
}
"""What most people do at about that hour, which a reminder takes for it."""

ABOUT = "at|around|about|ungefähr|etwa|vers|hacia|sobre|verso|circa|rond|około|примерно|около"
SAME_TIME = "same time|the same time|at the same time|um die gleiche zeit|um dieselbe zeit"
SAME_TIME += "|um die selbe zeit"
SAME_TIME += "|zur gleichen zeit|zur selben zeit|gleiche zeit|selbe zeit|zur gleichen uhrzeit"
SAME_TIME += "|zur selben uhrzeit|gleiche uhrzeit|selbe uhrzeit|à la même heure|même heure"
SAME_TIME += "|a la misma hora|misma hora|alla stessa ora|stessa ora|à mesma hora|mesma hora"
SAME_TIME += "|no mesmo horário|mesmo horário|op dezelfde tijd|om dezelfde tijd|dezelfde tijd"
SAME_TIME += "|zelfde tijd|o tej samej porze|o tej samej godzinie|в то же время|в то же самое время"
SAME_TIME += "|в это же время|в это же самое время"
THIS_TIME = "this time|at this time|about this time|around this time|this same time|um diese zeit"
THIS_TIME += "|zu dieser zeit|um diese uhrzeit|zu dieser uhrzeit|à cette heure-ci|à cette heure"
THIS_TIME += "|a esta hora|a estas horas|a esta misma hora|a quest'ora|a quest’ora|a essa hora"
THIS_TIME += "|a esta mesma hora|neste horário|rond deze tijd|om deze tijd|deze tijd|o tej porze"
THIS_TIME += "|o tej godzinie|в это время"
"""What names the time of day at which it is said."""

HAN_SAME_TIME = "同じ時間|同じ時刻|同一时间|同一時間|同样的?时间|同樣的?時間"
HAN_THIS_TIME = "この時間|この時刻|今頃|今ごろ|いまごろ|这个?时候|這個?時候|这个时间|這個時間"
"""Patterns for the same in Japanese and Chinese."""

TODAY = (
    "tonight|tonite|2nite|this evening|this afternoon|this arvo|this morning|heute abend|ce soir"
)
TODAY += "|esta noche|esta tarde|stasera|esta noite|vanavond|vanmiddag|今夜|vanochtend|morgen früh"
TODAY += "|heute nacht|cette nuit|stanotte"
"""Parts of the day that also name the day."""

DAY_PARTS = {
    "in the morning|this morning|morning|in the am|morgen früh|am morgen|am vormittag|vormittag"
    "|früh|morgens"
    "|vormittags|le matin|matin|por la mañana|de mattina|mattina|di mattina|de manhã|'s ochtends"
    "|ochtend|vanochtend|rano|утром|朝|早上|上午|午前": ("morning", 9),
    "am mittag|mittag|中午": ("noon", 12),
    "in the afternoon|this afternoon|afternoon|arvo|this arvo|in the pm|aprem|aprèm|cet aprem"
    "|am nachmittag|nachmittags|nachmittag|l'après-midi"
    "|après-midi|por la tarde|esta tarde|nel pomeriggio|pomeriggio|à tarde|de tarde|'s middags"
    "|middag|vanmiddag|po południu|днём|днем|下午|午後": ("afternoon", 15),
    "in the evening|this evening|evening|am abend|heute abend|abends|abend|ce soir|le soir|soir"
    "|la sera|stasera|di sera|sera|'s avonds|avond|vanavond|wieczorem|wieczór|вечером|夕方|傍晚": (
        "evening",
        19,
    ),
    "tonight|tonite|2nite|at night|night|heute nacht|nachts|nacht|cette nuit|nuit|por la noche"
    "|esta noche|noche"
    "|stanotte|notte|à noite|esta noite|noite|夜|今夜|晚上|晚": ("night", 19),
}
"""Parts of the day, with their default hours."""

WAITS = "in|after|d'ici|d’ici|nach|dans|en|dentro de|tra|fra|em|daqui a|over|za|через"
"""Words before a delay: "in 20 minutes"."""

VAGUE = {
    "in a bit|in a little bit|in a moment|in a sec|in a second|soon|shortly|gleich|bald|in kürze"
    "|bientôt|sous peu|dans un instant|dans un moment|tout à l'heure|en un rato|en un ratito"
    "|dentro de un rato|en breve|pronto|tra poco|fra poco|tra un attimo|daqui a pouco|em breve"
    "|straks|zo meteen|zaraz|za chwilę|wkrótce|скоро|вскоре|もうすぐ|すぐ|马上|等一下|等下|一会儿"
    "|过一会儿|待会儿|待会|稍后|等會|待會": 30,
    "in a while|in a little while|after a while|in einer weile|nachher|dans un petit moment|luego"
    "|tra un po'|fra un po'|logo mais|over een tijdje|za jakiś czas|через некоторое время": 60,
    "later|later on|a bit later|später|plus tard|más tarde|più tardi|mais tarde|później|позже"
    "|попозже|потом|後で|あとで|晚点|晚點|晚些时候": 180,
}
"""What names no time, and the minutes that are taken for it."""

SECONDS = (
    "s|sec|secs|second|seconds|sek|sekunden|seg|secondes|segundos|secondi|seconden|sekundy|sekund"
)
SECONDS += "|сек|секунды|секунд"
"""Words for seconds, also in "a 30 second timer"; other singulars are ordinals."""

UNITS = {
    f"{SECONDS}|秒|秒钟|秒鐘": ("seconds", 1),
    "minute|minutes|min|mins|m|minuten|minuto|minutos|minuti|minuut|minuut|minuten|minutę|minuta"
    "|minuty|minut|минуту|минута|минуты|минут|мин|分|分钟|分鐘": ("seconds", 60),
    "quarter of an hour|viertelstunde|quart d'heure|quart d’heure|cuarto de hora|quarto d'ora"
    "|quarto d’ora|quarto de hora|kwartier|kwadrans|четверть часа": ("seconds", 900),
    "three quarters of an hour|3/4 of an hour|3/4 hour|dreiviertelstunde|trois quarts d'heure"
    "|trois quarts d’heure|tres cuartos de hora"
    "|tre quarti d'ora|tre quarti d’ora|trzy kwadranse": ("seconds", 2700),
    "hour|hours|hr|hrs|h|stunde|stunden|std|heure|heures|hora|horas|ora|ore|uur|uren|uurtje|godzinę"
    "|godzina|godziny|godzin|час|часа|часов|時間|小时|个小时|小時|個小時": ("seconds", 3600),
    "day|days|d|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|dag|dagen|dzień|dni|день"
    "|дня|дней|日|天": ("days", 1),
    "week|weeks|w|wk|wks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|week|weken"
    "|tydzień|tygodnie|tygodni|неделю|недели|недель|週間|周|个星期|個星期|星期|週": ("days", 7),
    "month|months|monat|monate|monaten|mois|mes|meses|mese|mesi|mês|maand|maanden|miesiąc|miesiące"
    "|miesięcy|месяц|месяца|месяцев|か月|ヶ月|カ月|ケ月|个月|個月": ("months", 1),
    "year|years|jahr|jahre|jahren|un an|ans|année|années|año|años|anno|anni|ano|anos|jaar|jaren|rok"
    "|lata|lat|год|года|лет|年": ("months", 12),
}
"""Units of a delay: which field of `Delay`, and how many of it."""

BEFORE = "before|vor|avant|antes de|antes del|prima di|prima del|prima della|antes do|antes da"
BEFORE += "|voor|przed|до"
"""Words after the time by which a reminder is early: "an hour before the meeting at 3"."""

BEFOREHAND = "beforehand|earlier|ahead|ahead of|vorher|davor|zuvor|früher|antes|prima|antes de la"
BEFOREHAND += "|antes de los|prima dell'|prima dell’|antes dos|ervoor|van tevoren|vooraf|eerder"
BEFOREHAND += "|wcześniej|раньше|заранее"
"""The same where what it is early for is not named, or named before it."""

BEFORE_DAY = f"za|за|na|the|la|de|o|do|no|{ON}"
"""Words before such a time: "on the day before"."""

DAY_BEFORE = "vortag|veille|día anterior|víspera|giorno precedente"
DAY_BEFORE += "|véspera|dia anterior|poprzedniego dnia|накануне"
EVENING_BEFORE = "evening before|night before|abend vorher|abend davor|abend vor|vorabend"
EVENING_BEFORE += "|veille au soir|noche antes|noche anterior|noche antes de"
EVENING_BEFORE += "|sera prima|sera prima di|noite anterior|avond ervoor|avond voor"
EVENING_BEFORE += "|wieczorem dzień wcześniej|накануне вечером|вечером накануне"
"""The same for a day and for an evening, in one word or of one kind only."""

FROM_NOW = "from now|ab jetzt|à partir de maintenant|a partir de ahora"
"""Words after a delay: "20 minutes from now"."""

AND = "and|und|et|y|e|en|i|и"
"""Between hours and minutes: "1 hour and 20 minutes"."""

BETWEEN = "between|zwischen|entre|tra|fra|tussen|między|между"
"""Words before two times of which the first is the beginning: "between 9 and 10"."""

TO = "to|till|until|bis|à|a|alle|às|tot|do|до"
"""Words between the beginning and the end: "from 2 to 3pm"."""

MEASURES = "dozen|dutzend|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn|kg|g|ml|cm|km|mm"
_PLURAL = r"[^\W\d_]{2,}(?<![siu])s"
THINGS = {
    "and": rf"{_PLURAL}|people|children|men|women",
    "und": r"[A-ZÄÖÜ][a-zäöüß]+(?:e|n|er|el|s)",
    "et": rf"{_PLURAL}|[^\W\d_]+[ae]ux|personnes?",
    "y": _PLURAL,
    "e": rf"{_PLURAL}|[^\W\d_]{{2,}}(?<!r)e|uova|persone",
    "en": rf"{_PLURAL}|eieren|[^\W\d_]+en(?=\s+\w)",
    "i": r"[^\W\d_]+(?:ów|ek|eń)|jaj|osób",
    "и": r"[^\W\d_]+(?:ов|ев|ей|ок|ек|иц)|человек",
}
"""Patterns for what is counted, by the word between an hour and its number: "at 9 and 10 eggs"."""

MINUTES = "m|min|mins|minute|minutes|minuten|minuto|minutos|minuti|minuut|minutę|minuty|minut"
MINUTES += "|minuta|минуту|минуты|минут|мин"
"""Words for the minutes after an hour: "1 hour 20 minutes"."""

PARTS_MORE = {
    "and a half|et demie|y media|e mezza|e mezzo|e meia|с половиной": 0.5,
    "and a quarter|et quart|y cuarto|e un quarto": 0.25,
}
"""A part of the unit after it: "an hour and a half"."""

NUMBERS = {
    "a|an|one|ein|eine|einer|einem|einen|ner|'ner|nem|un|une|una|uno|um|uma|een|jeden|jedną|один"
    "|одну|un'"
    "|un’": 1.0,
    "half an|half a|a half|ner halben|'ner halben|einer halben|eine halbe|halbe|halben|une demi"
    "|demi|demi-|media|mezz'"
    "|mezz’|mezza|meia|een half|half|pół|пол": 0.5,
    "one and a half|an hour and a half|anderthalb|eineinhalb|une heure et demie|anderhalf"
    "|półtorej|полтора": 1.5,
    "two|zwei|deux|dos|due|dois|duas|twee|dwa|dwie|два|две|a couple of|a couple|couple of": 2.0,
    "a few|few|ein paar|quelques|unos|unas|alcuni|alcune|een paar|kilka|несколько|three|drei"
    "|trois|tres|tre|três|drie|trzy|три": 3.0,
    "four|vier|quatre|cuatro|quattro|quatro|cztery|четыре": 4.0,
    "five|fünf|cinq|cinco|cinque|vijf|pięć|пять": 5.0,
    "six|sechs|seis|sei|zes|sześć|шесть": 6.0,
    "seven|sieben|sept|siete|sette|sete|zeven|siedem|семь": 7.0,
    "eight|acht|huit|ocho|otto|oito|osiem|восемь": 8.0,
    "nine|neun|neuf|nueve|nove|negen|dziewięć|девять": 9.0,
    "ten|zehn|dix|diez|dieci|dez|tien|dziesięć|десять": 10.0,
    "eleven|elf|onze|once|undici|jedenaście|одиннадцать": 11.0,
    "twelve|zwölf|douze|doce|dodici|doze|twaalf|dwanaście|двенадцать": 12.0,
    "fifteen|fünfzehn|quinze|quince|quindici|vijftien|piętnaście|пятнадцать": 15.0,
    "twenty|zwanzig|vingt|veinte|venti|vinte|twintig|dwadzieścia|двадцать": 20.0,
    "thirty|dreißig|dreissig|trente|treinta|trenta|trinta|dertig|trzydzieści|тридцать": 30.0,
    "twenty five|twenty-five|fünfundzwanzig|vingt-cinq|veinticinco|venticinque|vinte e cinco"
    "|vijfentwintig|dwadzieścia pięć|двадцать пять": 25.0,
    "thirty five|thirty-five|fünfunddreißig|trente-cinq|treinta y cinco|trentacinque"
    "|trinta e cinco|vijfendertig|trzydzieści pięć|тридцать пять": 35.0,
    "forty|vierzig|quarante|cuarenta|quaranta|quarenta|veertig|czterdzieści|сорок": 40.0,
    "forty five|forty-five|fünfundvierzig|quarante-cinq|cuarenta y cinco|quarantacinque"
    "|quarenta e cinco|vijfenveertig|czterdzieści pięć|сорок пять": 45.0,
    "fifty|fünfzig|cinquante|cincuenta|cinquanta|cinquenta|vijftig|pięćdziesiąt|пятьдесят": 50.0,
    "sixty|sechzig|soixante|sesenta|sessanta|sessenta|zestig|sześćdziesiąt|шестьдесят": 60.0,
    "ninety|neunzig|quatre-vingt-dix|noventa|novanta|negentig|dziewięćdziesiąt|девяносто": 90.0,
    "fifty five|fifty-five|fünfundfünfzig|cinquante-cinq|cincuenta y cinco|cinquantacinque"
    "|cinquenta e cinco|vijfenvijftig|pięćdziesiąt pięć|пятьдесят пять": 55.0,
}
"""Number words."""

HAN = {**dict(zip("一二三四五六七八九", range(1, 10), strict=True)), "两": 2, "兩": 2}
"""Chinese numerals: "八点"."""

HAN_PARTS = {
    "午前|上午|早上|早|朝": "morning",
    "中午|午後|下午": "afternoon",
    "傍晚|夕方": "evening",
    "晚上|晚|夜中|半夜|深夜|凌晨|夜": "night",
}
"""Parts of the day before an hour: "下午三点"."""

HAN_DAY_PARTS = (
    "早上|上午|中午|下午|傍晚|晚上|午前|午後|夕方|(?<=日の)[朝夜]|(?<=明)晚(?![饭飯餐会會])"
)
"""A pattern for parts of the day that need no space around them."""

HAN_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}
"""Minutes after an hour: "三点一刻"."""

HAN_UNITS = "秒[钟鐘]?|分[钟鐘]?|日|天|週間?|周|[个個]?星期|[かヶカケ个個]月|年"
"""A pattern for the units of a delay in Japanese and Chinese, without the hour."""

LINKS = "me|mich|moi|mij|mnie|мне|to|that|about|of|dass|daran dass|daran|dran|an den|an die|an das"
LINKS += "|an dem|ans|an|zu|de|que|di|che"
LINKS += "|om te|om|te|aan de|aan het|aan|aby|żeby|что|чтобы|о|:|,|-|–|—"
"""Words that join a time to a task; they are stripped from both ends of the task."""

"""The words for repetitions in eleven languages, as regular expressions, for repeats.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class RepeatWords:
    """How one language says that something repeats. Commas separate the slots of a list; a slot
    may be empty.

    `every`: before what follows. `other`: every other. `units`: day, week, month, year;
    `weekdays`: from Monday; `numbers`: from two to six; `parts`: morning, noon, afternoon, evening.
    `both`: between two weekdays, like a comma. `on_days`: what says without `every` that something
    repeats on those `{days}`: "on Mondays"; `plurals`: the form of the weekdays in it. `of_month`:
    the day `{n}` of each month. `ordinals`: first to fourth, and last; `nth`: the `{nth}` `{day}`
    of each month, with the groups `each` and `monthly`, one of which is needed, and `tail`.
    `workdays`: from the `{first}` to the `{last}` workday; `alternate`: the `{days}` of every other
    week. `a_day`: how many times each day. `lasts`: for how long, `{n}` times a `{unit}`.
    `phrases`: others, with their rules. `spaced`: whether words are separated by spaces.
    """

    every: str
    units: str
    weekdays: str
    both: str
    other: str = ""
    numbers: str = ""
    parts: str = ""
    of_month: tuple[str, ...] = ()
    ordinals: str = ""
    on_days: str = ""
    plurals: str = ""
    nth: str = ""
    workdays: str = ""
    alternate: str = ""
    a_day: str = ""
    lasts: tuple[str, ...] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    spaced: bool = True


ADVERB = r"(?=\s*$|,| (?:at|on|in)\b| to (?!do\b)| \d{1,2}(?::\d\d| ?[ap]\.?m))"
"""What follows an adverb: "daily at 8", "vitamins daily"; not "the daily report"."""
WEEKEND = "every week on Saturday, Sunday"

ENGLISH = RepeatWords(
    every="every|each",
    other="other|second|alternate",
    units="days?, weeks?, months?, years?",
    weekdays="mondays?|mon, tuesdays?|tues?, wednesdays?|weds?, thursdays?|thu(?:rs?)?"
    ", fridays?|fri, saturdays?|sat, sundays?|sun",
    both="and(?: every| the)?",
    numbers="two, three, four, five, six",
    parts="morning, noon|midday, afternoon, evening|night",
    of_month=(
        "(?:every|each) {n}(?:st|nd|rd|th)(?: (?:of|in) (?:the|each|every) month)?",
        "(?:on )?(?:the )?{n}(?:st|nd|rd|th) (?:of |in )?(?:every|each) month",
        "monthly on (?:the )?{n}(?:st|nd|rd|th)",
    ),
    ordinals="first|1st, second|2nd, third|3rd, fourth|4th, last",
    nth="(?:on )?(?:the )?(?P<each>(?:every|each) )?{nth} {day}"
    "(?: (?:of|in) (?:(?P<monthly>every|each)|(?P<tail>the|a)) month)?",
    on_days="(?:on )?{days}",
    plurals="mondays, tuesdays, wednesdays, thursdays, fridays, saturdays, sundays",
    workdays="(?:from |every(?: day,?)? )?{first}"
    "(?: (?:to|till|until|thru|through) | ?[-–] ?){last}",
    alternate="(?:on )?alternate {days}",
    a_day=r"(?:(?:\d|two|three|four|five) times|twice) (?:a|per|each|every) day|twice daily",
    lasts=("for (?:(?:the next |another )?{n}|an?|one|the next) {unit}",),
    phrases={
        f"everyday{ADVERB}": "every day",
        f"(?:in the )?(?P<part>morning|afternoon|evening|night)(?:s|ly){ADVERB}": "every day",
        f"(?:every|each) fortnight|fortnightly|bi-?weekly{ADVERB}": "every 2 weeks",
        f"(?:every|each) quarter(?! of)|quarterly{ADVERB}": "every 3 months",
        f"(?:every|each) half[ -]year|half-yearly{ADVERB}": "every 6 months",
        "(?:on |at )?(?:the )?(?:last day|end) of (?:every|each) month|(?:every|each) month[ -]end"
        "|(?:every|each) month on the last(?: day)?(?! [a-z]+day)"
        "|(?:on )?every last day of the month": "every month on the last",
        "(?:on )?(?:the )?first(?: day)? of (?:every|each) month"
        "|(?:every|each) month on the first(?: day)?(?! [a-z]+day)"
        "|(?:on )?every first(?: day)? of the month": "every month on the 1st",
        f"daily{ADVERB}": "every day",
        f"weekly{ADVERB}": "every week",
        f"monthly{ADVERB}": "every month",
        f"yearly{ADVERB}": "every year",
        f"annually{ADVERB}": "every year",
        "(?:every|each) (?:work(?:ing)? ?day|business day|weekday)|on weekdays"
        rf"|weekdays{ADVERB}"
        r"|(?<!the )weekday(?= (?:morning|afternoon|evening|night)s)": "every weekday",
        f"(?:every|each) weekend|(?:on|at) weekends|weekends{ADVERB}": WEEKEND,
    },
)
GERMAN = RepeatWords(
    every="jede[nrsm]?|alle",
    other="zweite[nrs]?",
    units="tage?, wochen?, monate?, jahre?",
    weekdays="montag|(?<!e )mo, dienstag|(?<!e )di, mittwoch|(?<!e )mi, donnerstag|(?<!e )do"
    ", freitag|(?<!e )fr, samstag|sonnabend|(?<!e )sa, sonntag|(?<!e )so",
    both="und",
    numbers="zwei, drei, vier, fünf, sechs",
    parts="morgen|vormittag, mittag, nachmittag, abend|nacht",
    of_month=(
        r"jeden {n}\.(?: des monats| im monat)?",
        r"(?:am )?{n}\. (?:jede[sn] monats|im monat)",
    ),
    ordinals=r"erste[nrs]?|1\., zweite[nrs]?|2\., dritte[nrs]?|3\., vierte[nrs]?|4\., letzte[nrs]?",
    nth="(?:am )?(?P<each>jede[nrs]? )?{nth} {day}"
    "(?: (?:(?P<monthly>(?:in )?jede[snm] monats?)|(?P<tail>im monat|des monats)))?",
    on_days="{days}",
    plurals="montags, dienstags, mittwochs, donnerstags, freitags, samstags|sonnabends, sonntags",
    workdays="(?:von |immer |jeden )?{first}(?: bis | ?[-–] ?){last}",
    a_day=r"(?:\d ?(?:x|mal)|zwei ?mal|drei ?mal|vier ?mal) (?:am tag|pro tag|täglich)",
    lasts=(
        "(?:für )?(?:(?:die nächsten |weitere )?{n}|eine?n?) {unit} lang",
        "für (?:(?:die nächsten |weitere )?{n}|eine?n?) {unit}",
        "(?:in )?den nächsten {n} {unit}",
    ),
    phrases={
        "vierteljährlich|quartalsweise|(?:jedes|alle) (?:quartal|vierteljahr)e?": "every 3 months",
        "halbjährlich|(?:jedes|alle) (?:halbe jahr|halbjahr)e?": "every 6 months",
        "(?:immer )?am (?:letzten tag|letzten|ende) jede[sn] monats|jede[ns] monatsende"
        "|jeden monatsletzten|jeden monat am letzten(?: tag)?(?! [a-z]+tag)|immer (?:am"
        "|zum) monatsende": "every month on the last",
        "(?:immer )?am ersten jede[sn] monats|jeden monatsersten"
        "|jeden monat am ersten(?! [a-z]+tag)"
        "|jeden ersten des monats": "every month on the 1st",
        "täglich": "every day",
        "wöchentlich": "every week",
        "monatlich": "every month",
        "jährlich": "every year",
        "werktags|(?:an )?jede[nm] werktag": "every weekday",
        "jedes wochenende|an (?:den )?wochenenden": WEEKEND,
    },
)
FRENCH = RepeatWords(
    every="chaque|tous les|toutes les",
    units="jours?, semaines?, mois, ans?|années?",
    weekdays="lundis?, mardis?, mercredis?, jeudis?, vendredis?, samedis?, dimanches?",
    both="et(?: le| les)?",
    numbers="deux, trois, quatre, cinq, six",
    parts="matins?, midis?, après-midis?, soirs?|nuits?",
    of_month=("(?:le )?{n}(?:er)? (?:de chaque|du) mois", "tous les {n}(?:er)?(?: du mois)?"),
    ordinals="premiers?|1er, deuxièmes?|seconds?, troisièmes?, quatrièmes?, derniers?",
    nth="(?:le )?(?P<each>(?:chaque|tous les) )?{nth} {day}"
    "(?: (?:(?P<monthly>de chaque)|(?P<tail>du)) mois)?",
    on_days="les {days}",
    plurals="lundis, mardis, mercredis, jeudis, vendredis, samedis, dimanches",
    workdays="du {first} au {last}",
    alternate="un {days} sur deux",
    a_day=r"(?:\d|deux|trois|quatre) fois par jour",
    lasts=("(?:pendant|durant|pour) (?:(?:les )?{n}(?: prochaine?s)?|une?) {unit}",),
    phrases={
        "(?:chaque jour|tous les jours) (?:ouvrables?|de (?:la )?semaine)"
        "|en semaine": "every weekday",
        "(?:chaque|tous les) trimestres?": "every 3 months",
        "(?:chaque|tous les) semestres?": "every 6 months",
        "(?:chaque|toutes les) quinzaines?|tous les quinze jours": "every 2 weeks",
        "(?:le )?dernier jour de chaque mois|(?:à la )?fin de chaque mois|chaque fin de mois"
        "|toutes les fins de mois": "every month on the last",
        "le premier(?: jour)? de chaque mois": "every month on the 1st",
        "quotidiennement": "every day",
        "mensuellement": "every month",
        "un jour sur deux": "every 2 days",
        "une semaine sur deux": "every 2 weeks",
        "chaque week-?end|tous les week-?ends"
        "|le week-?end(?! (?:prochain|suivant|dernier|du|avant|après))": WEEKEND,
    },
)
SPANISH = RepeatWords(
    every="cada|todos los|todas las",
    units="d[ií]as?, semanas?, mes(?:es)?, años?",
    weekdays="lunes, martes, mi[eé]rcoles, jueves, viernes, s[aá]bados?, domingos?",
    both="y(?: el| los)?",
    numbers="dos, tres, cuatro, cinco, seis",
    parts="mañanas?, mediod[ií]as?, tardes?, noches?",
    of_month=(
        "(?:el )?(?:d[ií]a )?{n} de cada mes",
        "cada d[ií]a {n}",
        "todos los {n}(?: de mes)?",
    ),
    ordinals="primer, segundo, tercer, cuarto, último",
    nth="(?:el )?(?P<each>cada |todos los )?{nth} {day}"
    "(?: (?:(?P<monthly>de cada)|(?P<tail>del)) mes)?",
    on_days="los {days}",
    plurals="lunes, martes, mi[eé]rcoles, jueves, viernes, s[aá]bados, domingos",
    workdays="de {first} a {last}",
    alternate="un {days} s[ií] y otro no",
    a_day=r"(?:\d|dos|tres|cuatro) veces (?:al|por) d[ií]a",
    lasts=("(?:durante|por) (?:(?:l[oa]s (?:próxim[oa]s )?)?{n}|una?) {unit}",),
    phrases={
        "cada trimestre|todos los trimestres|trimestralmente": "every 3 months",
        "cada semestre|todos los semestres|semestralmente": "every 6 months",
        "cada quince d[ií]as|quincenalmente": "every 2 weeks",
        "(?:el )?[uú]ltimo d[ií]a de cada mes|a (?:fin|final)(?:es)? de cada mes"
        "|cada (?:fin|final) de mes": "every month on the last",
        "el primer(?:o| d[ií]a) de cada mes": "every month on the 1st",
        "(?:cada d[ií]a|todos los d[ií]as) laborables?|entre semana": "every weekday",
        "diariamente|a diario": "every day",
        "semanalmente": "every week",
        "mensualmente": "every month",
        "anualmente": "every year",
        "un d[ií]a s[ií] y otro no|d[ií]a por medio": "every 2 days",
        "(?:cada|todos los|los) fin(?:es)? de semana": WEEKEND,
    },
)
ITALIAN = RepeatWords(
    every="ogni|tutt[ie] (?:i|le|gli)",
    units="giorn[oi], settiman[ae], mes[ei], ann[oi]",
    weekdays="luned[iì], marted[iì], mercoled[iì], gioved[iì], venerd[iì], sabat[oi]"
    ", domenica|domeniche",
    both="e(?: il| la)?",
    numbers="due, tre, quattro, cinque, sei",
    parts="mattin[aeo], mezzogiorno, pomeriggi[o]?, ser[ae]|nott[ei]",
    of_month=("(?:il )?(?:giorno )?{n} (?:di ogni|del) mese", "ogni {n} del mese"),
    ordinals="prim[oa], second[oa], terz[oa], quart[oa], ultim[oa]",
    nth="(?:il |la |l['’])?(?P<each>ogni )?{nth} {day}"
    "(?: (?:(?P<monthly>di ogni)|(?P<tail>del)) mese)?",
    on_days="di {days}",
    plurals="luned[iì], marted[iì], mercoled[iì], gioved[iì], venerd[iì], sabato, domenica",
    a_day=r"(?:\d|due|tre|quattro) volte al giorno",
    lasts=("(?:per|durante) (?:(?:(?:i prossimi|le prossime) )?{n}|un[ao]?) {unit}",),
    phrases={
        "(?:ogni giorno|tutti i giorni) (?:lavorativ|ferial)[oie]": "every weekday",
        "quotidianamente|giornalmente": "every day",
        "settimanalmente": "every week",
        "mensilmente": "every month",
        "annualmente": "every year",
        "un giorno s[iì] e uno no|a giorni alterni": "every 2 days",
        "ogni (?:fine settimana|weekend)": WEEKEND,
    },
)
PORTUGUESE = RepeatWords(
    every="(?:a )?cada|tod[oa]s?(?: os| as)?",
    units="dias?, semanas?, m[eê]s|meses, anos?",
    weekdays="segundas?(?:-feiras?)?, terças?(?:-feiras?)?, quartas?(?:-feiras?)?"
    ", quintas?(?:-feiras?)?, sextas?(?:-feiras?)?, s[aá]bados?, domingos?",
    both="e(?: o| a)?",
    numbers="dois|duas, três, quatro, cinco, seis",
    parts="manhãs?, meio-dia, tardes?, noites?",
    of_month=("todo dia {n}", "(?:no )?dia {n} de (?:cada mês|todo mês|todos os meses)"),
    ordinals="primeir[oa], segund[oa], terceir[oa], quart[oa], últim[oa]",
    nth="(?:n?[oa] )?(?P<each>tod[oa] )?{nth} {day}(?: (?:(?P<monthly>de cada)|(?P<tail>do)) mês)?",
    on_days="(?:[àa]s|nas|aos|nos) {days}",
    plurals="segundas(?:-feiras)?, terças(?:-feiras)?, quartas(?:-feiras)?"
    ", quintas(?:-feiras)?, sextas(?:-feiras)?, s[aá]bados, domingos",
    a_day=r"(?:\d|duas|três|quatro) vezes (?:ao|por) dia",
    lasts=("(?:durante|por) (?:(?:[oa]s (?:próxim[oa]s )?)?{n}|uma?) {unit}",),
    phrases={
        "todo dia útil|todos os dias úteis": "every weekday",
        "diariamente": "every day",
        "semanalmente": "every week",
        "mensalmente": "every month",
        "anualmente": "every year",
        "dia sim,? dia não": "every 2 days",
        "todo fim de semana|(?:todos os|nos) fins de semana": WEEKEND,
    },
)
DUTCH = RepeatWords(
    every="elke?|iedere?|alle",
    other="andere|tweede",
    units="dag|dagen, week|weken, maand|maanden, jaar|jaren",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    both="en",
    numbers="twee, drie, vier, vijf, zes",
    parts="ochtend|morgen, , middag, avond|nacht",
    of_month=("elke {n}e(?: van de maand)?", "(?:op )?(?:de )?{n}e van elke maand"),
    ordinals="eerste, tweede, derde, vierde, laatste",
    nth="(?:op )?(?:de )?(?P<each>(?:elke|iedere) )?{nth} {day}"
    "(?: van (?:(?P<monthly>elke)|(?P<tail>de)) maand)?",
    on_days="op {days}",
    plurals="maandagen, dinsdagen, woensdagen, donderdagen, vrijdagen, zaterdagen, zondagen",
    a_day=r"(?:\d|twee|drie|vier) ?(?:x|keer|maal) per dag",
    lasts=(
        "(?:gedurende |voor )?(?:(?:de komende )?{n}|een|één) {unit} lang",
        "(?:gedurende|voor) (?:(?:de komende )?{n}|een|één) {unit}",
        "de komende {n} {unit}",
    ),
    phrases={
        "dagelijks": "every day",
        "(?:elke|iedere) werkdag": "every weekday",
        "om de dag": "every 2 days",
        "om de week": "every 2 weeks",
        "(?:elk|ieder) weekend": WEEKEND,
    },
)
POLISH = RepeatWords(
    every="co|(?:w )?każd(?:y|ą|ego|e|a)",
    other="drug(?:i|ą|ie)",
    units="dzień|dnia|dni, tydzień|tygodnie|tygodni, miesiąc|miesiące|miesięcy, rok|lata|lat",
    weekdays="poniedziałek, wtorek, środ[aęy], czwartek, piątek, sobot[aęy], niedziel[aęe]",
    both="i(?: w)?",
    numbers="dwa|dwie, trzy, cztery, pięć, sześć",
    parts="rano|ranek|ranka, południe, popołudnie, wieczór|wieczoru",
    of_month=(r"{n}\.?(?: dnia)? każdego miesiąca", r"każdego {n}\.?(?: dnia miesiąca)?"),
    ordinals="pierwsz[yąae], drug[iąae], trzeci[ąae]?, czwart[yąae], ostatni[ąae]?",
    nth="(?:we? )?(?P<each>każd[yąae] )?{nth} {day}"
    "(?: (?:(?P<monthly>każdego )|(?P<tail>))miesiąca)?",
    on_days="we? {days}",
    plurals="poniedziałki, wtorki, środy, czwartki, piątki, soboty, niedziele",
    a_day=r"(?:\d|dwa|trzy|cztery) razy dziennie",
    lasts=("przez (?:(?:najbliższe|kolejne) )?(?:{n} )?{unit}",),
    phrases={
        "codziennie": "every day",
        "(?:w )?każdy dzień roboczy": "every weekday",
        "(?:w )?każdy weekend|w weekendy": WEEKEND,
    },
)
RUSSIAN = RepeatWords(
    every="кажд(?:ый|ую|ое|ые)",
    other="второ?(?:й|ую|ое)",
    units="день|дня|дней, недел[юиь], месяц|месяца|месяцев, год|года|лет",
    weekdays="понедельник, вторник, среду, четверг, пятницу, субботу, воскресенье",
    both="и",
    numbers="два|две, три, четыре, пять, шесть",
    parts="утро, полдень, , вечер|ночь",
    of_month=("каждое {n}(?:-?е)? число(?: месяца)?", "{n}(?:-?го)? числа каждого месяца"),
    ordinals="перв(?:ый|ую|ое), втор(?:ой|ую|ое), трет(?:ий|ью|ье), четв[её]рт(?:ый|ую|ое)"
    ", последн(?:ий|юю|ее)",
    nth="(?:во? )?(?P<each>кажд(?:ый|ую|ое) )?{nth} {day}"
    "(?: (?:(?P<monthly>каждого )|(?P<tail>))месяца)?",
    on_days="по {days}",
    plurals="понедельникам, вторникам, средам, четвергам, пятницам, субботам, воскресеньям",
    a_day=r"(?:\d|два|три|четыре) раза? в день",
    lasts=("(?:в течение|на протяжении) (?:{n} )?{unit}", "{n} {unit} подряд"),
    phrases={
        "ежедневно": "every day",
        "еженедельно": "every week",
        "ежемесячно": "every month",
        "ежегодно": "every year",
        "по будням|кажд(?:ый|ое) (?:будний|рабочий) день": "every weekday",
        "по выходным|кажд(?:ые|ое) выходн(?:ые|ой)": WEEKEND,
        "по понедельникам": "every week on Monday",
        "по вторникам": "every week on Tuesday",
        "по средам": "every week on Wednesday",
        "по четвергам": "every week on Thursday",
        "по пятницам": "every week on Friday",
        "по субботам": "every week on Saturday",
        "по воскресеньям": "every week on Sunday",
    },
)
JAPANESE = RepeatWords(
    every="毎週?の?",
    units="日(?!曜), 週(?![月火水木金土日の]), 月(?!曜), 年",
    weekdays=", ".join(f"{day}曜日?" for day in "月火水木金土日"),
    both="と|、",
    parts="朝, , , [晩夜]",
    of_month=("毎月{n}日",),
    ordinals="[1１一], [2２二], [3３三], [4４四], 最終",
    nth="(?P<each>毎月)(?:の)?第?{nth}{day}に?",
    a_day=r"[1１一]日\d回",
    lasts=("{n}(?:ヶ|か|カ)?{unit}間",),
    phrases={
        "毎週(?![月火水木金土日の])": "every week",
        "(?<!の)平日": "every weekday",
        "毎週末に?|週末ごとに?": WEEKEND,
        "隔日": "every 2 days",
        "隔週": "every 2 weeks",
    },
    spaced=False,
)
CHINESE = RepeatWords(
    every="每个?",
    units="[天日], (?:周|星期)(?![一二三四五六日天]), 月, 年",
    weekdays=", ".join(f"(?:周|星期|礼拜){day}" for day in ["一", *"二三四五六", "[日天]"]),
    both="和|、",
    numbers="两|二, 三, 四, 五, 六",
    parts="天?早上?, 天?中午, 天?下午, 天?晚上?",
    of_month=("每个?月{n}[号日]",),
    ordinals="第[一1]个?, 第[二2]个?, 第[三3]个?, 第[四4]个?, 最后一?个?",
    nth="(?P<each>每个?月)的?{nth}{day}",
    a_day=r"[每一]天[\d两三四]次",
    lasts=("(?:连续|連續|持续|持續|接下来|接下來|未来|未來){n}个?{unit}",),
    phrases={
        "每个?工作日|(?<![个個后後\\d])工作日": "every weekday",
        "每?隔一?天": "every 2 days",
        "每?隔一?(?:周|星期)": "every 2 weeks",
        "每个?周末": WEEKEND,
    },
    spaced=False,
)
LANGUAGES = (
    *(ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, POLISH, RUSSIAN),
    JAPANESE,
    CHINESE,
)

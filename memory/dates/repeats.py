"""Read how often something repeats, as people type it: "jeden Montag" → `every week on Monday`.

The result is a rule of Obsidian Tasks, which are in English; memory/notes/recurrence.py reads
English ones. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

_UNITS = ("day", "week", "month", "year")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LONGEST = 500  # characters; longer texts are pasted


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """How one language says it, in regular expressions.

    `every`: before a unit, a number with a unit, or weekdays. `units`: day, week, month, year;
    `weekdays`: from Monday; both separated by commas. `both`: between two weekdays, like a comma.
    `phrases`: others, with their rules. `spaced`: whether words are separated by spaces.
    """

    every: str
    units: str
    weekdays: str
    both: str
    phrases: Mapping[str, str] = field(default_factory=dict)
    spaced: bool = True


_GERMAN = _Words(
    every="jede[nrsm]?|alle",
    units="tage?, wochen?, monate?, jahre?",
    weekdays="montag, dienstag, mittwoch, donnerstag, freitag, samstag|sonnabend, sonntag",
    both="und",
    phrases={
        "täglich": "every day",
        "wöchentlich": "every week",
        "monatlich": "every month",
        "jährlich": "every year",
        "werktags|(?:an )?jede[nm] werktag": "every weekday",
    },
)
_FRENCH = _Words(
    every="chaque|tous les|toutes les",
    units="jours?, semaines?, mois, ans?|années?",
    weekdays="lundis?, mardis?, mercredis?, jeudis?, vendredis?, samedis?, dimanches?",
    both="et(?: le| les)?",
    phrases={"(?:chaque jour|tous les jours) ouvrables?|en semaine": "every weekday"},
)
_SPANISH = _Words(
    every="cada|todos los|todas las",
    units="d[ií]as?, semanas?, mes(?:es)?, años?",
    weekdays="lunes, martes, mi[eé]rcoles, jueves, viernes, s[aá]bados?, domingos?",
    both="y(?: el| los)?",
    phrases={"(?:cada d[ií]a|todos los d[ií]as) laborables?|entre semana": "every weekday"},
)
_ITALIAN = _Words(
    every="ogni|tutt[ie] (?:i|le|gli)",
    units="giorn[oi], settiman[ae], mes[ei], ann[oi]",
    weekdays="luned[iì], marted[iì], mercoled[iì], gioved[iì], venerd[iì], sabat[oi]"
    ", domenica|domeniche",
    both="e(?: il| la)?",
    phrases={"(?:ogni giorno|tutti i giorni) (?:lavorativ|ferial)[oie]": "every weekday"},
)
_PORTUGUESE = _Words(
    every="(?:a )?cada|tod[oa]s?(?: os| as)?",
    units="dias?, semanas?, m[eê]s|meses, anos?",
    weekdays="segundas?(?:-feiras?)?, terças?(?:-feiras?)?, quartas?(?:-feiras?)?"
    ", quintas?(?:-feiras?)?, sextas?(?:-feiras?)?, s[aá]bados?, domingos?",
    both="e(?: o| a)?",
    phrases={"todo dia útil|todos os dias úteis": "every weekday"},
)
_DUTCH = _Words(
    every="elke?|iedere?|alle",
    units="dag|dagen, week|weken, maand|maanden, jaar|jaren",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    both="en",
    phrases={"dagelijks": "every day", "(?:elke|iedere) werkdag": "every weekday"},
)
_POLISH = _Words(
    every="co|(?:w )?każd(?:y|ą|ego|e|a)",
    units="dzień|dni, tydzień|tygodnie|tygodni, miesiąc|miesiące|miesięcy, rok|lata|lat",
    weekdays="poniedziałek, wtorek, środ[aęy], czwartek, piątek, sobot[aęy], niedziel[aęe]",
    both="i(?: w)?",
    phrases={"codziennie": "every day", "(?:w )?każdy dzień roboczy": "every weekday"},
)
_RUSSIAN = _Words(
    every="кажд(?:ый|ую|ое|ые)",
    units="день|дня|дней, недел[юиь], месяц|месяца|месяцев, год|года|лет",
    weekdays="понедельник, вторник, среду, четверг, пятницу, субботу, воскресенье",
    both="и",
    phrases={
        "ежедневно": "every day",
        "еженедельно": "every week",
        "ежемесячно": "every month",
        "ежегодно": "every year",
        "по будням|кажд(?:ый|ое) (?:будний|рабочий) день": "every weekday",
        "по понедельникам": "every week on Monday",
        "по вторникам": "every week on Tuesday",
        "по средам": "every week on Wednesday",
        "по четвергам": "every week on Thursday",
        "по пятницам": "every week on Friday",
        "по субботам": "every week on Saturday",
        "по воскресеньям": "every week on Sunday",
    },
)
_JAPANESE = _Words(
    every="毎週?の?",
    units="日(?!曜), 週(?![月火水木金土日の]), 月(?!曜), 年",
    weekdays=", ".join(f"{day}曜日?" for day in "月火水木金土日"),
    both="と|、",
    phrases={"毎週(?![月火水木金土日の])": "every week", "平日": "every weekday"},
    spaced=False,
)
_CHINESE = _Words(
    every="每个?",
    units="[天日], (?:周|星期)(?![一二三四五六日天]), 月, 年",
    weekdays=", ".join(f"(?:周|星期|礼拜){day}" for day in ["一", *"二三四五六", "[日天]"]),
    both="和|、",
    phrases={"(?:每个)?工作日": "every weekday"},
    spaced=False,
)
_LANGUAGES = (
    *(_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH, _POLISH, _RUSSIAN),
    _JAPANESE,
    _CHINESE,
)


def split_repetition(text: str) -> tuple[str, str]:
    """Split a text in another language than English into the rule that it names, and the rest.

    `jeden Montag 18:00 Ana` → (`every week on Monday`, `18:00 Ana`); the rule is "" without one.
    """
    if len(text) > _LONGEST:
        return "", text
    words = " ".join(unicodedata.normalize("NFC", text).split())
    found = [
        (match.start(), -match.end(), match, language)
        for language in _LANGUAGES
        if (match := _pattern(language).search(words))
    ]
    if not found:
        return "", text
    _, _, match, language = min(found, key=lambda each: each[:2])
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    return _rule(match, language), " ".join(rest.split()).lstrip(" ,:")


def _rule(match: re.Match[str], language: _Words) -> str:
    for number, rule in enumerate(language.phrases.values()):
        if match[f"p{number}"]:
            return rule
    if match["days"]:
        shown = [
            name
            for name, words in zip(_WEEKDAYS, language.weekdays.split(", "), strict=True)
            if re.search(_alone(words, language), match["days"], re.I)
        ]
        return f"every week on {', '.join(shown)}"
    count = int(match["count"] or "1")
    unit = next(name for name in _UNITS if match[name])
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


@cache
def _pattern(language: _Words) -> re.Pattern[str]:
    phrases = "|".join(f"(?P<p{n}>{each})" for n, each in enumerate(language.phrases))
    units = "|".join(
        f"(?P<{name}>{each})" for name, each in zip(_UNITS, language.units.split(", "), strict=True)
    )
    day = f"(?:{language.weekdays.replace(', ', '|')})"
    space = " " if language.spaced else " ?"
    between = f"(?:, ?|{space}(?:{language.both}){space})"
    every = f"(?:{language.every}){space}"
    counted = rf"(?:(?P<count>[1-9]\d?){space})?(?:{units})"
    whole = f"{every}(?:(?P<days>{day}(?:{between}{day})*)|{counted})"
    return re.compile(_alone(f"{phrases}|{whole}" if phrases else whole, language), re.I)


def _alone(pattern: str, language: _Words) -> str:
    """Return the pattern for whole words, in a language that separates them."""
    return rf"(?<!\w)(?:{pattern})(?!\w)" if language.spaced else f"(?:{pattern})"

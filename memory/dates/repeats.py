"""Read how often something repeats, as people type it: "jeden Montag" → `every week on Monday`.

The result is a rule of Obsidian Tasks, which are in English; memory/notes/recurrence.py reads
them. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial

from . import clock_words as words
from .calendar import Region, add_months, dated
from .clock import any_of, cut, hour_in, time_of_day
from .languages import LOCALES, RepeatWords
from .letters import letters_of, month_named, working_days
from .period import TimeExpression, coming_times, read_beginning

_UNITS = ("day", "week", "month", "year")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_LEAP_YEAR = 2024
_ORDINALS = ("1st", "2nd", "3rd", "4th", "last")
_LANGUAGES = [each.repeats for each in LOCALES]
_PARTS = (9, 12, 15, 19)  # the hours of morning, noon, afternoon and evening


def split_repetition(text: str, *, is_reminder: bool = False) -> tuple[str, str]:
    """Split a text into the rule that it names, and the rest.

    `jeden Montag 18:00 Ana` → (`every week on Monday`, `18:00 Ana`), `every evening tea` →
    (`every day`, `19:00 tea`); the rule is "" without one. `is_reminder`: "weekly report" is due
    every week; of a task it is the name.
    """
    beginning, end = read_beginning(text)
    if is_reminder and (adverb := _LEADING.match(beginning)):
        return split_repetition(adverb[1])[0], beginning[adverb.end() :] + end
    found = [
        (match.start(), -match.end(), order, match, language, rule)
        for language in _LANGUAGES
        if _may_be_in(beginning, language, *_fields(language))
        for order, (pattern, read) in enumerate(_patterns(language))
        for match in pattern.finditer(beginning)
        if (rule := read(match, language))
    ]
    if not found:
        return "", text
    _, _, _, match, language, rule = min(found, key=lambda each: each[:3])
    tail, part = beginning[match.end() :], match.groupdict().get("part")
    if days := _days_behind(tail, rule, language):
        rule, tail = days
    if part is None and language.spaced and (behind := _part_behind(language).match(tail)):
        part, tail = behind[1], tail[behind.end() :]
    rest = " ".join(f"{beginning[: match.start()]} {tail}".split()).lstrip(" ,:")
    if part:
        rest = _at_part(_PARTS[_slot(language.parts, part)], rest)
    return rule, rest + end


def _may_be_in(text: str, language: RepeatWords, *sources: str) -> bool:
    """Return whether a pattern of that language, made of these, may match the text. It is cheap
    and often wrongly true: to compile the patterns of all languages takes a tenth of a second."""
    if not language.spaced:
        return max(text, default="") >= _KANA
    beginnings, short = _signs(sources)
    words = _LETTERS.findall(text.casefold())
    return any(word in short or word.startswith(beginnings) for word in words)


@cache
def _fields(language: RepeatWords) -> tuple[str, ...]:
    """Return the regular expressions, one of which matches in every repetition."""
    each = language.every, language.weekdays, language.plurals, language.nth, language.a_day
    return *each, *language.of_month, *language.phrases.values()


@cache
def _signs(sources: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the beginnings of words, and the short words, in these regular expressions."""
    beginnings, short = list[str](), set[str]()
    for word, letters, sign in _LITERAL.findall(_SLOT.sub("", "|".join(sources).casefold())):
        forms = [word + letter for letter in letters] or [word]
        forms += [word if letters else word[:-1]] if sign == "?" else []
        beginnings += [each for each in forms if len(each) > (2 if letters or sign == "(" else 3)]
        short |= {each for each in forms if len(each) == 3 or each in _SHORT}
    return tuple(beginnings), frozenset(short - {"the"})


@dataclass(frozen=True, slots=True)
class Ending:
    """When a repetition ends: on its last day, or so long after it begins."""

    last: date | None = None
    months: int = 0
    days: int = 0

    def day(self, first: date) -> date:
        """Return the last day of what begins on that day."""
        return self.last or add_months(first, self.months) + timedelta(days=self.days - 1)


def split_ending(text: str, today: date, *, region: Region) -> tuple[Ending | None, str]:
    """Split what is left of a text beside its rule into when the repetition ends, and the rest.

    "until Friday at 8 pills" → (Friday, "at 8 pills"), "for a week pills" → (7 days, "pills");
    None without an end. `today`: the day on which it was said.
    """
    beginning, end = read_beginning(text)
    if until := _until(beginning, today, region):
        last, at, behind = until
        return Ending(last), cut(beginning, at, behind) + end
    for language in _LANGUAGES:
        for pattern in _lasts(language) if _may_be_in(beginning, language, language.units) else ():
            if found := pattern.search(beginning):
                rest = cut(beginning, found.start(), found.end())
                return _length(found, language), rest + end
    return None, text


def _length(found: re.Match[str], language: RepeatWords) -> Ending:
    count, number = 1, found["number"]
    if number:
        count = int(number) if number.isdecimal() else 2 + _slot(language.numbers, number)
    unit = next(name for name in _UNITS if found[name])
    if unit in ("month", "year"):
        return Ending(months=count * (12 if unit == "year" else 1))
    return Ending(days=count * (7 if unit == "week" else 1))


def _until(text: str, today: date, region: Region) -> tuple[date, int, int] | None:
    """Return the day until which something lasts, and the place of the words that say so."""
    read = partial(coming_times, today=today, region=region, until=True)
    said = letters_of(text, region=region)
    for letter, begin, end in zip(said.letters, said.begins, said.ends, strict=True):
        if letter != "t" or text[begin:end].casefold() == "to":  # rather before a verb
            continue
        heads = [
            (begin, text[begin:], ""),
            # "June" is a time behind a preposition, and "Christmas" when no noun follows.
            *((end, head, on) for head in _heads(text[end:]) for on in "lj"),
        ]
        for start, head, on in heads:
            times = read(head, after=on)
            if times and times[0].begin == 0 and times[0].spans:
                return _last_day(times[0]), begin, start + times[0].end
        for each in read(text[:begin]):  # in Japanese, the day is before it
            if each.end == begin and each.spans:
                return _last_day(each), each.begin, end
    return None


def _heads(text: str) -> Iterator[str]:
    """Yield the first words of a text, the longest part first."""
    words = list(_WORD.finditer(text))[:_FIRST_WORDS]
    return (text[: word.end()] for word in reversed(words))


def _last_day(until: TimeExpression) -> date:
    """Return the last day of what lasts until then: "until June" is until the end of May."""
    first, last = until.spans[0]
    return last if first == last or until.is_end else first - timedelta(days=1)


@cache
def _lasts(language: RepeatWords) -> list[re.Pattern[str]]:
    """Return patterns for how long something repeats: "for the next two weeks"."""
    number = rf"(?P<number>[1-9]\d{{0,2}}|{_any(language.numbers)})"
    units = zip(_UNITS, language.units.split(", "), strict=True)
    unit = "|".join(f"(?P<{name}>{forms})" for name, forms in units)
    ways = [each.replace("{n}", number).replace("{unit}", f"(?:{unit})") for each in language.lasts]
    return [re.compile(_alone(each, language), re.I) for each in ways]


@cache
def _part_behind(language: RepeatWords) -> re.Pattern[str]:
    """Return a pattern for a part of the day behind a weekday: "every Sunday night"."""
    return re.compile(rf" ?({_any(language.parts)})s?(?!\w)", re.I)


def _days_behind(tail: str, rule: str, language: RepeatWords) -> tuple[str, str] | None:
    """Return the rule with the weekdays behind it, and the rest: "fortnightly on Thursdays", "alle
    14 Tage donnerstags"; None without them."""
    count = _OF_WEEKS.fullmatch(rule)
    found = _plurals_behind(language).match(tail) if count and language.on_days else None
    if not count or not found or int(count["days"] or "7") % 7:
        return None
    weeks = int(count["weeks"] or "1") * int(count["days"] or "7") // 7
    return _weekly(weeks, found["plurals"], language.plurals, language), tail[found.end() :]


@cache
def _plurals_behind(language: RepeatWords) -> re.Pattern[str]:
    plural = f"(?:{_any(language.plurals)})"
    on_days = language.on_days.replace("{days}", f"(?P<plurals>{plural})")
    return re.compile(rf",? {on_days}(?!\w)", re.I)


def _at_part(hour: int, rest: str) -> str:
    """Return the rest with the time of "every evening": 19:00, or 20:00 if it says "at 8"."""
    moment, without, *_ = time_of_day(rest)
    if moment is None:
        return f"{hour:02}:00 {rest}".strip()
    at = hour_in("night" if hour == _PARTS[-1] else "afternoon", moment.hour)
    if hour >= 12 and at != moment.hour:
        return f"{at:02}:{moment.minute:02} {without}".strip()
    return rest


def _phrase(match: re.Match[str], language: RepeatWords) -> str:
    return list(language.phrases)[int((match.lastgroup or "p0")[1:])]


def _a_day(match: re.Match[str], _: RepeatWords) -> str:
    """Return the rule; "" unless a time is named: "three times a day" does not say when."""
    beside = cut(match.string, match.start(), match.end())
    return "every day" if time_of_day(beside).moment is not None else ""


def _of_month(match: re.Match[str], _: RepeatWords) -> str:
    numbers = [int(match[name]) for name in ("m", "n") if match[name]]
    if not all(1 <= number <= 31 for number in numbers):
        return ""
    return f"every month on the {' and '.join(map(_ordinal, numbers))}"


def _ordinal(number: int) -> str:
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 != 1 else 0, "th")
    return f"{number}{suffix}"


def _of_year(match: re.Match[str], _: RepeatWords) -> str:
    """Return the rule of "every 5 May"; "" if there is no such day."""
    month, number = month_named(match["month"]), int(match["n"])
    if not month or not number or not dated(_LEAP_YEAR, month, number):
        return ""
    return f"every {_MONTHS[month - 1]} on the {_ordinal(number)}"


def _nth(match: re.Match[str], language: RepeatWords) -> str:
    """Return the rule; "" for "the first Monday", which does not repeat, for "every second Monday",
    which is every other one, and for the last working day of each week, quarter or year."""
    found, place = match.groupdict(), _slot(language.ordinals, match["nth"])
    is_of_month = found.get("tail") is not None or not language.spaced or place != 1
    if found.get("monthly") is None and not (found["each"] and is_of_month):
        return ""
    if _OF_OTHERS.match(letters_of(match.string[match.end() :]).letters):
        return ""
    weekdays = f"{language.weekdays}, {working_days()}"
    weekday = (*_WEEKDAYS, "weekday")[_slot(weekdays, match["day"])]
    return f"every month on the {_ORDINALS[place]} {weekday}"


def _on_days(match: re.Match[str], language: RepeatWords, *, weeks: int = 1) -> str:
    return _weekly(weeks, match["plurals"], _both_forms(language), language)


def _both_forms(language: RepeatWords) -> str:
    """Return the weekdays in the singular and the plural, as slots."""
    pairs = zip(language.weekdays.split(", "), language.plurals.split(", "), strict=True)
    return ", ".join("|".join(filter(None, pair)) for pair in pairs)


def _weekly(weeks: int, text: str, weekdays: str, language: RepeatWords) -> str:
    """Return the rule for the weekdays in the text, every so many weeks."""
    slots = zip(_WEEKDAYS, weekdays.split(", "), strict=True)
    named = (name for name, forms in slots if re.search(_alone(forms, language), text, re.I))
    return f"every {'week' if weeks == 1 else f'{weeks} weeks'} on {', '.join(named)}"


def _every(match: re.Match[str], language: RepeatWords) -> str:
    found = match.groupdict()
    if found.get("part"):
        return "every day"
    count = 2 if match["other"] else int(match["count"] or "1")
    if match["number"]:
        count = 2 + _slot(language.numbers, match["number"])
    plurals = found.get("plurals")
    if days := plurals or found.get("days"):
        forms = language.plurals if plurals else language.weekdays
        return _weekly(count, days, forms, language)
    unit = next(name for name in _UNITS if match[name])
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


def _slot(listed: str, form: str) -> int:
    """Return which slot of the list has that form."""
    slots = enumerate(listed.split(", "))
    return next(place for place, forms in slots if forms and re.fullmatch(forms, form, re.I))


Reader = Callable[[re.Match[str], RepeatWords], str]
"""Returns the rule of a match; "" if it is none."""


@cache
def _patterns(language: RepeatWords) -> list[tuple[re.Pattern[str], Reader]]:
    day, space = f"(?:{_any(language.weekdays)})", " " if language.spaced else " ?"
    nth_day = f"{day}|{working_days()}"
    phrases = "|".join(f"(?P<p{n}>{each})" for n, each in enumerate(language.phrases.values()))
    phrases = phrases.replace("{adverb}", _ADVERB)
    first_of_two = (
        rf"(?:(?P<m>[1-3]?\d)(?:st|nd|rd|th|er|\.)?(?:, ?|{space}(?:{language.both}){space}))?"
    )
    number = rf"{first_of_two}(?P<n>[1-3]?\d)"
    of_month = [each.replace("{n}", number) for each in language.of_month]
    if language.spaced:  # "every 3rd day" is no day of the month, "todo dia 8:00" neither
        apart = rf"(?![\d:]| (?:(?:{_any(language.units)}|{day})\b|uhr\b|h\b))"
        of_month = [f"(?:{each}){apart}" for each in of_month]
    nth = language.nth.replace("{nth}", f"(?P<nth>{_any(language.ordinals)})")
    month = f"(?P<monthly>(?:{language.every}) (?:{language.units.split(', ')[2]}))"
    any_nth = f"(?P<nth>{_any(language.ordinals)}) (?P<day>{nth_day})"
    monthly_nth = rf"{month},? (?:\w{{1,3}} ){{0,2}}{any_nth}" if language.spaced else _NEVER
    between = f"(?:, ?|{space}(?:{language.both}){space})"
    plural = f"(?:{_any(language.plurals)})"
    in_parts = f" ?(?:{_any(language.parts)})s"
    if language.spaced:
        between = f"(?: ?[,/&+] ?| )(?:(?:{language.both}) )?"
        plural = rf"(?:{_any(language.plurals)}|{day}(?={in_parts}(?!\w)))"  # "Sunday nights"
    plurals = f"(?P<plurals>{plural}(?:{between}{plural})*)"
    on_days = language.on_days.replace("{days}", plurals) or _NEVER
    units = "|".join(
        f"(?P<{name}>{each})" for name, each in zip(_UNITS, language.units.split(", "), strict=True)
    )
    week = language.units.split(", ")[1]
    counts = (
        r"(?P<count>[1-9]\d?)(?:st|nd|rd|th|\.)?",
        f"(?P<number>{_any(language.numbers)})",
        f"(?P<other>{language.other or _NEVER})",
    )
    counted = f"(?:(?:{'|'.join(counts)}){space})?"
    every = (
        f"(?:{language.every}){space}(?:(?P<part>{_any(language.parts)})"
        f"|{counted}(?:(?P<days>{day}(?:{between}{day})*)|(?:{week}),? {on_days}|{units}))"
    )
    # "Fridays every two weeks": the days are before it.
    on_days_every = f"{on_days},? (?:{language.every}){space}{counted}(?:{week})"
    on_date = rf"(?P<n>[1-3]?\d)(?:st|nd|rd|th|er|[.ºªe])?(?: (?:of|de|di))? {_MONTH}"
    month_first = rf"{_MONTH} (?:the )?(?P<n>[1-3]?\d)(?:st|nd|rd|th)?(?![\d:.]| ?(?:[ap]\.?m|h)\b)"
    yearly = (
        rf"(?:{language.every}) (?:(?:the|d[ií]a|dzień) )?{each}" for each in (on_date, month_first)
    )
    # "on Mondays at 9 bins"; not "tomorrow at 9 ask whether Ana works on Mondays".
    made: list[tuple[str, Reader]] = [
        (language.a_day, _a_day),
        (phrases, _phrase),
        *((each, _of_month) for each in of_month),
        (nth.replace("{day}", f"(?P<day>{nth_day})"), _nth),
        (monthly_nth, _nth),
        (every, _every),
        (on_days_every, _every),
        *((each, _of_year) for each in yearly if language.spaced),
        *((each, _on_days) for each in (rf"^{on_days}", rf"{on_days}{_BEFORE_TIME}")),
        (f"{on_days}(?={in_parts}(?:$|{_BEFORE_TIME}| to ))", _on_days),
    ]
    if language.plurals:
        both = [f"(?:{each})" for each in _both_forms(language).split(", ")]
        workdays = language.workdays.replace("{first}", both[0]).replace("{last}", both[4])
        workdays = f"(?:{workdays or _NEVER})"
        alternate = language.alternate.replace("{days}", f"(?P<plurals>{'|'.join(both)})")
        made += [
            (alternate or _NEVER, partial(_on_days, weeks=2)),
            (f"^{workdays}|{workdays}{_BEFORE_TIME}", lambda *_: "every weekday"),
        ]
    return [(re.compile(_alone(each, language), re.I), read) for each, read in made]


_HOUR = rf"\d{{1,2}}(?:[:.]\d\d)?(?!\d)|(?:{any_of(words.HOURS)}|{any_of(words.TO_HOUR)})(?!\w)"
_BEFORE_TIME = rf"(?=,? (?:\w{{1,4}} ){{0,2}}(?:{_HOUR}))"
_OF_WEEKS = re.compile(r"every (?:(?P<weeks>\d+) )?weeks?|every (?P<days>\d+) days")
_LEADING = re.compile(r"(daily|weekly|monthly|yearly)\s+(?=\w)", re.I)
_WORD, _FIRST_WORDS = re.compile(r"\S+"), 4
_LETTERS, _KANA = re.compile(r"[^\W\d_]+"), "\u3040"
_LITERAL = re.compile(r"(?<![\\\w<\]])([^\W\d_]+)(?:\[([^\W\d_]+)\])?([(?]?)")
_SLOT, _SHORT = re.compile(r"\{\w+\}"), ("co", "mo", "an")
_NEVER = r"(?!)"
_ADVERB = r"(?=\s*$|,| (?:at|on|in)\b| to (?!do\b)| \d{1,2}(?::\d\d| ?[ap]\.?m))"
"""What follows an adverb: "daily at 8", "vitamins daily"; not "the daily report"."""
_OF_OTHERS = re.compile("[fij]?[LTX]?[wUy]")
_MONTH = r"(?P<month>[^\W\d_]+)"


def _any(listed: str) -> str:
    """Return a pattern for any form of a list."""
    return "|".join(filter(None, listed.split(", "))) or _NEVER


def _alone(pattern: str, language: RepeatWords) -> str:
    """Return the pattern for whole words, in a language that separates them; a part of the day may
    be joined to them: "Sonntagabend"."""
    if not language.spaced:
        return f"(?:{pattern})"
    return rf"(?<!\w)(?:{pattern})(?:(?!\w)|(?=(?:{_any(language.parts)})s?(?!\w)))"

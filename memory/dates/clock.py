"""Read a time of day ("9:00", "9 Uhr", "at noon", "8 in the evening") and a delay ("in 20
minutes") in eleven languages; the words are in clock_words.py. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import time
from math import ceil
from typing import NamedTuple, TypeVar

from ..infra.lazy_pattern import lazy_pattern
from . import clock_words as words
from .calendar import Delay
from .languages import LOCALES

T = TypeVar("T")

_FARTHEST = 10 * 366  # days


def delay(text: str) -> tuple[Delay, int, int] | None:
    """Parse "in 20 minutes", "in 1 hour and 20 minutes", "in 1h20", "20分後" or "1小时20分钟后".

    Return the delay, its begin and its end.
    """
    if found := _WAIT_CLOCK.search(text):
        wait = _delay(int(found[1]), "hour", 60 * int(found[2]))
        return None if wait is None else (wait, *found.span())
    for found in (*_WAIT.finditer(text), *_WAIT_FROM_NOW.finditer(text)):
        number = 1.0 if found["number"] is None else _number(found["number"])
        if found["part"]:
            number += _valued(words.PARTS_MORE, found["part"])
        size = _valued(words.UNITS, found["smaller"])[1] if found["more"] else 0
        has_more = size and _valued(words.UNITS, found["unit"]) == ("seconds", 60 * size)
        more = _number(found["more"]) * size if has_more else 0
        is_whole = has_more or "now" in found.groupdict()
        if (wait := _delay(number, found["unit"], more)) is not None:
            return wait, found.start(), found.end() if is_whole else found.end("one")
    for unspaced in _WAIT_UNSPACED.finditer(text):
        if not (unspaced["hour"] or unspaced["unit"]):
            continue
        hours = _han(unspaced["hours"]) + ("半" in (unspaced["hour"] or "")) / 2
        number, unit = _han(unspaced["number"]), unspaced["unit"] or "分"
        more = hours * 3600 + 60 * _han(unspaced["minutes"])
        if (wait := _delay(number, unit, more)) is not None:
            return wait, *unspaced.span()
    return None


def _delay(number: float, unit: str, more: float = 0) -> Delay | None:
    """Return the delay with so many seconds more, in full minutes that are not fewer; None if there
    is none, or it is too long."""
    kind, size = _valued(words.UNITS, unit)
    count = float(number * size + more)
    if kind == "seconds" and count <= 1:
        return None  # "in second grade", "in a second"
    if kind == "days" and not count.is_integer():
        kind, count = "seconds", count * 86_400
    if kind == "months" and not count.is_integer():
        return None
    if kind == "seconds":
        kind, count = "minutes", ceil(round(count / 60, 3))
    wait = Delay(**{kind: round(count)})
    return wait if 0 < wait.minutes / 1440 + wait.days + wait.months * 30 <= _FARTHEST else None


class TimeOfDay(NamedTuple):
    """A time of day, the text without it, and where in that text it was; -1: there is none, or it
    is still there. `end`: where it ended in the whole text. `is_twelve_hour`: "at 5" may be 5:00
    or 17:00."""

    moment: time | None
    rest: str
    place: int
    end: int = -1
    is_twelve_hour: bool = False


def earlier(text: str) -> tuple[Delay, int, int] | None:
    """Parse "an hour before", "the evening before" or "1時間前"; return as `delay` does."""
    for found in (*_EARLIER.finditer(text), *_EARLIER_UNSPACED.finditer(text)):
        number = 1.0 if found["number"] is None else _number(found["number"])
        number += _valued(words.PARTS_MORE, found["part"]) if found["part"] else 0
        if (wait := _delay(number, found["unit"])) is not None:
            return wait, *found.span()
    if day := _DAY_BEFORE.search(text):
        return Delay(days=1, hour=19 if day[1] else 0), *day.span()
    return None


def time_of_day(text: str, taken: Sequence[tuple[int, int]] = ()) -> TimeOfDay:
    """Parse a time of day. `taken`: parts of the text that are no time, as "by 5" in "by 5
    December"."""
    span = _FROM_TO.search(text)
    if span and _clock(span) and not any(map(_clock, _CLOCK.finditer(text, 0, span.start()))):
        return TimeOfDay(_clock(span), text, -1)
    readers = (_TO_HOUR, _to_hour), (_CLOCK, _clock), (_SPELLED, _spelled), (_UNSPACED, _unspaced)
    for pattern, read in readers:
        for found in pattern.finditer(text):
            if any(found.start() < end and begin < found.end() for begin, end in taken):
                continue
            if (moment := read(found)) is not None:
                rest, place = cut(text, *found.span()), len(text[: found.start()].rstrip())
                # "tonight at 8": the part of the day tells 8:00 from 20:00.
                part = None if _names_part(found) else _PART.search(rest)
                # "at 12 book the night train" is at noon.
                between = part and (rest[part.end() : place] or rest[place : part.start()])
                if part and (moment.hour != 12 or not any(map(str.isalnum, between or ""))):
                    hour = hour_in(_valued(words.DAY_PARTS, part[0])[0], moment.hour)
                    moment = moment.replace(hour=hour)
                is_twelve_hour = not part and _is_twelve_hour(found)
                return TimeOfDay(moment, rest, place, found.end(), is_twelve_hour)
    if named := _NAMED.search(text):
        minutes = 60 * _valued(words.NAMED, named[1] or named[3])
        minutes += _value_or(words.MORE_MINUTES, named["more"] or "")
        hour, minute = divmod(minutes % 1440, 60)
    elif named := _PART.search(text):
        hour, minute = _valued(words.DAY_PARTS, named[0])[1], 0
        # "tonight" and "heute Abend" also name the day: `_day` reads it from the text.
        if named[0].casefold() in words.TODAY.split("|"):
            return TimeOfDay(time(hour), text, -1)
    else:
        return TimeOfDay(None, text, -1)
    rest, place = cut(text, *named.span()), len(text[: named.start()].rstrip())
    return TimeOfDay(time(hour, minute), rest, place, named.end())


def is_at_night(text: str, moment: time) -> bool:
    """Return whether that time in the text is after the evening of the same day: "tonight at 1",
    "today at midnight"."""
    return moment.hour < _DAWN and (moment.hour == 0 or _AT_NIGHT.search(text) is not None)


def is_end_of_day(text: str) -> bool:
    """Return whether the text has the hour 24, which is the end of the day that it names."""
    return _HOUR_24.search(text) is not None


def _is_twelve_hour(found: re.Match[str]) -> bool:
    """Return whether an hour without a part of the day may be before or after noon: "at 5", "half
    past 7" and English "at 5:30"; not "05:30", "5 Uhr" and "5h"."""
    said = {name: (form or "").casefold() for name, form in found.groupdict().items()}
    hour = said.get("hour", "")
    is_marked = said.get("sign", "") not in ("", "o'clock") or _names_part(found)
    if not hour or hour.startswith("0") or is_marked:
        return False
    return not said.get("dot") or said["at"] in _ENGLISH_AT


def _names_part(found: re.Match[str]) -> bool:
    return any(found.groupdict().get(part) for part in _PARTS)


def hour_in(part: str, hour: int) -> int:
    """Return the hour of the day: 8 in the evening is 20, 2 at night is 2, 12 at night is 0."""
    if hour == 12:
        return 12 if part in ("noon", "afternoon") else 0
    afternoon = {"morning": (), "noon": range(1, _DAWN), "night": range(_DAWN, 12)}
    return hour + 12 if hour in afternoon.get(part, range(1, 12)) else hour


def _clock(found: re.Match[str]) -> time | None:
    said = found.groupdict()
    dot, minute = said.get("dot"), int(said.get("minute") or 0)
    part = next((part for part in _PARTS if found[part]), "")
    marked = found["sign"] or part or found["at"] or said.get("ish")
    if not marked and said.get("and"):
        marked = not is_thing(found["and"], found.string[found.end() :])
    if said.get("own"):  # "11am-1pm"
        part = "morning" if "a" in found["own"].lower() else "afternoon"
    elif part and said.get("until") and int(found["until"]) < int(found["hour"]):
        part = ""  # "11-1pm"
    if not (marked or dot) or (dot == "." and not marked):
        return None  # a number, or a price
    if part and _hour(found["hour"]) > 12 and not (found["at"] or found["sign"] or dot):
        return None  # "watch 24 tonight"
    if not minute:
        minute = int(found["after"] or 0)
        if more := found["more"]:
            number = re.sub(r"^(?:y|e)\s+", "", more, flags=_I)
            minute = _value_or(words.MORE_MINUTES, more) or round(_number(number))
    return _moment(_hour(found["hour"]), minute, part)


def is_thing(joiner: str, text: str) -> bool:
    """Return whether things that can be counted begin a text behind two numbers with that word
    between them: "at 9 and 10 eggs" is at nine."""
    things = f"{words.MEASURES}|{words.THINGS.get(joiner.casefold(), words.MEASURES)}"
    return re.match(rf"\s+(?:{things})(?!\w)", text) is not None


def _spelled(found: re.Match[str]) -> time | None:
    sign = (found["sign"] or "").casefold()
    hour = found["hour"].casefold()
    if (hour == "ein" and sign != "uhr") or (
        hour == "once" and (found["at"] or "").casefold() == "at "
    ):
        return None  # "um ein Rezept bitten", "call at once"
    if _hour(hour) == 1 and not (found["at"] or sign):
        return None  # "take one at night"
    if sign not in ("", "uhr", "uur", "o'clock") and not (found["at"] or _names_part(found)):
        return None  # "dormir neuf heures" is a duration
    return _clock(found)


def _to_hour(found: re.Match[str]) -> time | None:
    part = next((part for part in _PARTS if found[part]), "")
    if found["half"]:
        minute = 30
    elif found["named"]:
        minute = _valued(words.TO_HOUR, found["named"])
    else:
        minute = round(_number(found["by"])) * (1 if found["past"] else -1)
        if minute % 5:
            return None
    return _moment(_hour(found["hour"]), minute, part)


def _moment(hour: int, minute: int, part: str) -> time | None:
    """Return the time so many minutes after the hour, in that part of the day if it is not ""; 1:00
    minus a quarter is 12:45. None if there is no such time."""
    if hour > 24 or minute > 59 or (hour == 24 and minute > 0):
        return None
    hour = hour_in(part, hour % 24) if part else hour % 24
    if minute < 0:
        hour, minute = (12 if hour == 1 else (hour - 1) % 24), minute + 60
    return time(hour, minute)


def _hour(form: str) -> int:
    return int(form) if form.isdecimal() else _valued(words.HOURS, form)


def _unspaced(found: re.Match[str]) -> time | None:
    hour = int(_han(found[2]))
    if found[1]:
        hour = hour_in(_valued(words.HAN_PARTS, found[1]), hour)
    minute = words.HAN_QUARTERS[found[4]] if found[4] else int(_han(found[3]))
    if hour == 24 and minute == 0:
        return time(0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def any_of(table: Iterable[str] | str) -> str:
    """Return a pattern for any of the forms, longest first; it matches whole words only."""
    listed = table if isinstance(table, str) else "|".join(table)
    longest = sorted(set(listed.split("|")), key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\ ", " ") for form in longest)


def _valued(table: Mapping[str, T], form: str) -> T:
    wanted = form.casefold()
    return next(value for row, value in table.items() if wanted in row.casefold().split("|"))


def _value_or(table: Mapping[str, int], form: str) -> int:
    """Return the value of the form; 0 if the table does not have it."""
    return next((v for row, v in table.items() if form.casefold() in row.split("|")), 0)


def _number(text: str) -> float:
    bare = text.strip().replace(",", ".")
    if re.fullmatch(r"[\d.]+", bare):
        return float(bare)
    return _han(bare) if bare[0] in _DIGITS_HAN else _valued(words.NUMBERS, bare)


def _han(text: str | None) -> float:
    """Return the number of digits or Chinese numerals up to 99; 0 for None, 0.5 for "half"."""
    if not text or text.isdecimal():
        return int(text or 0)
    if text in "半":
        return 0.5
    tens, ten, ones = text.rpartition("十")
    return 10 * bool(ten) * words.HAN.get(tens, 1) + words.HAN.get(ones, 0)


def cut(text: str, begin: int, end: int) -> str:
    """Return the text without `text[begin:end]`."""
    return " ".join(f"{text[:begin]} {text[end:]}".split())


_DAWN = 5  # o'clock
_DIGITS_HAN = frozenset("半十") | words.HAN.keys()
_ENGLISH_AT = "at", "@", "by"
_PARTS = {
    "morning": words.BEFORE_NOON,
    "afternoon": words.AFTER_NOON,
    "evening": words.EVENING,
    "night": words.NIGHT,
}
_I = re.IGNORECASE
_EXACT = rf"(?:(?:{any_of(each.exact for each in LOCALES if each.exact)})\s+)?"
_NUMBER = any_of(words.NUMBERS)
_COUNTED_UNIT = (
    rf"(?:(?P<number>\d{{1,4}}(?:[.,]\d)?|{_NUMBER})[\s-]*)?"
    rf"(?P<unit>{any_of(words.UNITS)})(?: (?P<part>{any_of(words.PARTS_MORE)}))?(?!\w)"
)
_MORE = (
    rf"(?:,?\s*(?:(?:{words.AND})\s+)?(?P<more>\d{{1,2}}|{_NUMBER})"
    rf"[\s-]*(?P<smaller>{any_of([words.MINUTES, words.SECONDS])})(?!\w))?"
)
_WAIT = lazy_pattern(
    rf"(?P<one>(?<!\w){_EXACT}(?:{any_of(words.WAITS)})\s+{_EXACT}{_COUNTED_UNIT}"
    rf"(?:(?:['’]s|s?['’]?)\s+time(?!\w))?){_MORE}",
    _I,
)
_WAIT_FROM_NOW = lazy_pattern(
    rf"(?P<one>(?<!\w)(?=\w){_COUNTED_UNIT}){_MORE}(?P<now>\s+(?:{any_of(words.FROM_NOW)})(?!\w))",
    _I,
)
_ON_THE = rf"(?<!\w)(?:(?:{words.BEFORE_DAY})\s+){{0,2}}"
_EARLIER = lazy_pattern(
    rf"{_ON_THE}(?=\w){_COUNTED_UNIT}\s+(?:{any_of([words.BEFORE, words.BEFOREHAND])})(?!\w)", _I
)
_DAY_BEFORE = lazy_pattern(
    rf"{_ON_THE}(?:({any_of(words.EVENING_BEFORE)})|{any_of(words.DAY_BEFORE)})(?!\w)",
    _I,
)
_WAIT_CLOCK = lazy_pattern(
    rf"(?<!\w)(?!after|nach)(?:{any_of(words.WAITS)})\s+(\d{{1,2}})\s?h\s?([0-5]\d)"
    rf"(?:\s?(?:{any_of(words.MINUTES)}))?(?!\w)",
    _I,
)
_HAN = rf"\d{{1,4}}|半|[{''.join(words.HAN)}]?十[{''.join(words.HAN)}]?|[{''.join(words.HAN)}]"
_WAIT_UNSPACED = lazy_pattern(
    rf"(?<!\d)(?:(?P<hours>{_HAN})\s*(?P<hour>[个個]?半?(?:小[时時]|時間)半?)\s*)?"
    rf"(?:(?P<minutes>{_HAN})\s*分[钟鐘]?\s*(?=(?:{_HAN})\s*秒))?"
    rf"(?:(?P<number>{_HAN})\s*(?P<unit>{words.HAN_UNITS}))?(?<=[^\d\s])(?:後(?!半)に?|[以之]?[后後])"
)
_EARLIER_UNSPACED = lazy_pattern(
    rf"(?:(?P<ahead>提?前)\s*|の)?(?P<number>{_HAN})\s*(?P<unit>[个個]?小[时時]|時間|分[钟鐘]?|日|天)"
    r"(?(ahead)(?P<part>(?!))?|[之以]?前に?)"
)
_IN_PART = "|".join(f"(?P<{part}>{any_of(forms)})" for part, forms in _PARTS.items())
_TENS = any_of([row for row, value in words.NUMBERS.items() if value >= 10 and value % 5 == 0])
_NOT_OF = r"(?!\s+of\b)"  # "one of the bills", "3h of work"
_NO_COUNT = rf"(?!\s+(?:{any_of(words.COUNTED)})(?!\w))"
_TAIL = (
    rf"(?:\s*(?P<sign>{any_of(words.HOUR_SIGNS)})(?![^\W\d_])"
    rf"(?:(?<!clock)\s*(?P<after>[0-5]\d)(?![\w:/.,]){_NO_COUNT})?)?"
    rf"(?:\s+(?P<more>{any_of(words.MORE_MINUTES)}|(?:(?:y|e)\s+)?(?:{_TENS}))(?!\w){_NO_COUNT})?"
    rf"\s*(?:{_IN_PART})?(?![\w/]|:\d){_NO_COUNT}"
)
_AROUND = r"at (?:around|about)|(?:^|(?<=orrow )|(?<=day ))(?:around|about)"
_NO_DOT = r" ?(?=[0-5]\d ?[ap]\.?m)|(?<=at \d\d)(?=[0-5]\d(?! (?-i:[A-Z])))"
"""Between hour and minute in "730pm", "7 30 pm" and "at 1730"; not in "at 1200 Market St"."""
_HOUR_MINUTE = rf"(?P<hour>\d{{1,2}})(?:(?P<dot>[:.h]|{_NO_DOT})(?P<minute>\d{{2}}))?"
_UNTIL = r"(?P<until>\d{1,2})(?:[:.h]\d{2})?"
_SIGN = rf"(?:\s?(?:{any_of(words.HOUR_SIGNS)}|(?P<own>[ap]m)))?"
_CLOCK = lazy_pattern(
    rf"(?<![\w.:/-])(?:(?P<at>{any_of(words.AT)}|{_AROUND})\s*"
    rf"|(?P<span>{words.BETWEEN})\s+(?:las )?)?"
    rf"{_HOUR_MINUTE}(?(span){_SIGN}\s+(?P<and>{words.AND})\s+(?:las )?{_UNTIL})"
    rf"(?P<ish>\s?-?ish)?(?![\d/-]|\.\d){_TAIL}(?(at)|{_NOT_OF})",
    _I,
)
_SPELLED = lazy_pattern(
    rf"(?<!\w)(?P<at>{words.AT_WORD})?(?P<hour>{any_of(words.HOURS)})(?!\w){_TAIL}{_NOT_OF}", _I
)
_FROM_TO = lazy_pattern(
    rf"(?<![\w.:/-])(?P<at>(?!))?{_HOUR_MINUTE}{_SIGN}"
    rf"(?:\s?[-–]\s?|\s(?:{words.TO})\s){_UNTIL}(?![\d/-]|\.\d){_TAIL}",
    _I,
)
_UNSPACED = lazy_pattern(
    rf"(?:((?!(?<=今)夜)(?:{any_of(words.HAN_PARTS)}))の?)?\s?"
    rf"({_HAN})\s?(?:時(?!間)|[点點])(?:({_HAN})分|({'|'.join(words.HAN_QUARTERS)}))?(?:に|钟|鐘)?"
    rf"(?:(?:到|至|から)(?:{_HAN})\s?[時点點](?:半|(?:{_HAN})分)?(?:之[间間]|の間)?に?)?"
)
_TO_HOUR = lazy_pattern(
    rf"(?<!\w)(?:(?P<half>{words.HALF_ENGLISH})\s+"
    rf"|(?:(?:at|um|om|o|в)\s+)?(?P<named>{any_of(words.TO_HOUR)})\s*"
    rf"|(?:at|um|om)\s+(?P<by>\d{{1,2}}|{_NUMBER})\s+(?:(?P<past>past|nach|over)|to|vor|voor)\s+)"
    rf"(?P<hour>\d{{1,2}}|{any_of(words.HOURS)})(?![\w:])(?:\s*(?:o'clock|uhr|uur)(?!\w))?"
    rf"\s*(?:{_IN_PART})?(?!\w){_NO_COUNT}",
    _I,
)
_HOUR_24 = lazy_pattern(
    rf"(?<![\w.:/-])24(?:[:.h]00|\s*(?:{any_of(words.HOUR_SIGNS)}))(?![\w/:-])"
    r"|(?<!\d)24[点點時]",
    _I,
)
NO_TIME = re.compile(r"(?<![\w.:/-])\d{1,2}:\d{2}(?![\w:/])")  # looks like a time: "25:00"
_NAMED = lazy_pattern(
    rf"(?<![\w-])(?:(?:at|around|about|by|vers|gegen|hacia)\s+)?({any_of(words.NAMED)})(?!\w)"
    rf"(?:\s+(?P<more>{any_of(words.MORE_MINUTES)})(?!\w))?|(正午)に?",
    _I,
)
_AT_NIGHT = lazy_pattern(rf"(?<!\w)(?:{any_of(words.NIGHT)})(?!\w)|晚", _I)
_PART = lazy_pattern(
    rf"(?:(?<!\w)|(?<=[td]ag)|(?<=mittwoch)|(?<=sonnabend))({any_of(words.DAY_PARTS)})(?!\w)"
    rf"|({words.HAN_DAY_PARTS})",
    _I,
)
"""A part of the day, also within "Freitagabend"."""

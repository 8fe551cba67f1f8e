"""The words for times of day and for delays ("in 20 minutes").

They are in the files of the languages, below `clock`: forms are separated by `|`, and the slots of
a list by commas; a form may have several words. Case and accents do not matter. Chinese and
Japanese, which have no spaces, have patterns of their own below and in clock.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .languages import LOCALES

T = TypeVar("T")


def _bare(text: str) -> str:
    """Return forms without the line breaks of the file between them."""
    return "|".join(form.strip() for form in text.split("|"))


def _forms(field: str) -> str:
    """Return the forms of all languages."""
    return "|".join(_bare(each.clock[field]) for each in LOCALES if field in each.clock)


def _slots(field: str, values: Iterable[T], *, spaced: bool = False) -> dict[str, T]:
    """Map the forms of each slot, in all languages or only in those with spaces, to its value."""
    locales = (each for each in LOCALES if field in each.clock and (each.has_spaces or not spaced))
    columns = zip(*(each.clock[field].split(",") for each in locales), strict=True)
    rows = ("|".join(filter(None, map(_bare, column))) for column in columns)
    return dict(zip(rows, values, strict=True))


def _things() -> dict[str, str]:
    """Map each "and" to the patterns of its languages for things."""
    found: dict[str, list[str]] = {}
    for words in (each.clock for each in LOCALES if "things" in each.clock):
        found.setdefault(words["and"], []).append(words["things"])
    return {joiner: "|".join(patterns) for joiner, patterns in found.items()}


AT = _forms("at")
"""Words before an hour without minutes: "at 9"."""
AT_WORD = _forms("at_word")
"""A pattern for what makes a number word an hour; French "dîner à deux" is not at two."""
ABOUT = _forms("about")
ON = _forms("on")
"""Words before a numeric date: "on 1.3."."""
HOURS = _slots("hours", range(1, 13))
"""Hours in words: "at nine"."""
MORE_MINUTES = _slots("more_minutes", (30, 15, -15, -10, -5, -20, 5))
"""Minutes after an hour: "a las 9 y media"."""
TO_HOUR = _slots("to_hour", (30, -30, 15, -15, -45, -35, -25))
"""Minutes after an hour, or before it: "half past nine"."""
HALF_ENGLISH = (
    r"at half|(?:(?<=day )|(?<=orrow )|(?<=tonight ))half"
    r"|half(?= \w+ (?:tonight|tomorrow|today|this|in the|on|to|[ap]m)(?!\w))"
    r"|half(?= (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!\w))"
)
"""A pattern for "half" in "half nine", half past nine; Dutch "half 9" is half past eight."""
HOUR_SIGNS = _forms("hour_signs")
"""Words after an hour: "9 Uhr"."""
NAMED = _slots("named", (12, 8, 10, 15, 17, 18, 21, 0))
"""Named hours of the day: noon, first thing in the morning, mid-morning, …, midnight."""
USUAL = _slots("usual", (9, 11, 13, 16, 18, 18, 20, 22))
"""What most people do at about that hour, which a reminder takes for it: "after breakfast"."""
BETWEEN = _forms("between")
"""Words before two times of which the first is the beginning: "between 9 and 10"."""
TO = _forms("to")
"""Words between the beginning and the end: "from 2 to 3pm"."""
COUNTED = _forms("counted")
"""Words after a number that is no time: "um zwei Tage verschieben"."""
MEASURES = "dozen|dutzend|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn|kg|g|ml|cm|km|mm"
THINGS = _things()
"""Patterns for what is counted, by the word between an hour and its number: "at 9 and 10 eggs"."""

BEFORE_NOON = _forms("before_noon")
AFTER_NOON = _forms("after_noon")
EVENING = _forms("evening")
NIGHT = _forms("night")
"""Words after an hour that say in which part of the day it is; "2 at night" is in the morning."""
DAY_PARTS = _slots(
    "day_parts",
    (("morning", 9), ("noon", 12), ("afternoon", 15), ("evening", 19), ("night", 19)),
)
"""Parts of the day, with their default hours."""
TODAY = _forms("today")
"""Parts of the day that also name the day: "tonight"."""
SAME_TIME = _forms("same_time")
THIS_TIME = _forms("this_time")
"""What names the time of day at which it is said."""

WAITS = _forms("waits")
"""Words before a delay: "in 20 minutes"."""
FROM_NOW = _forms("from_now")
"""Words after a delay: "20 minutes from now"."""
_SECONDS = (("seconds", 1), ("seconds", 60), ("seconds", 900), ("seconds", 2700), ("seconds", 3600))
_LONGER = (("days", 1), ("days", 7), ("months", 1), ("months", 12))
UNITS = _slots("units", (*_SECONDS, *_LONGER))
"""Units of a delay: which field of `Delay`, and how many of it. Seconds, minutes, quarters and
three quarters of an hour, hours; days, weeks, months, years."""
SECONDS, MINUTES, *_ = _slots("units", range(9), spaced=True)
"""Words for what follows a longer unit: "1 hour 20 minutes"."""
PARTS_MORE = _slots("parts_more", (0.5, 0.25))
"""A part of the unit after it: "an hour and a half"."""
_TENS = (20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 90.0)
NUMBERS = _slots("numbers", (1.0, 0.5, 1.5, *map(float, range(2, 13)), 15.0, *_TENS))
"""Number words."""
AND = _forms("and")
"""Between hours and minutes: "1 hour and 20 minutes"."""
BEFORE = _forms("before")
"""Words after the time by which a reminder is early: "an hour before the meeting at 3"."""
BEFOREHAND = _forms("beforehand")
"""The same where what it is early for is not named, or named before it."""
SOONER, LATER = _forms("sooner"), _forms("later")
"""Words after the time by which something is moved: "an hour earlier"."""
SHIFTED_BY = _forms("shifted_by")
"""Words before it: "by an hour"."""
A_BIT, EARLIER_ALONE = _forms("a_bit"), _forms("earlier_alone")
"""What may stand there instead of a time, and what says alone that something shall be earlier."""
BEFORE_DAY = f"{_forms('before_day')}|{ON}"
"""Words before such a time: "on the day before"."""
DAY_BEFORE = _forms("day_before")
EVENING_BEFORE = _forms("evening_before")
"""The same for a day and for an evening, in one word or of one kind only."""
VAGUE = _slots("vague", (30, 60, 180))
"""What names no time ("soon", "in a while", "later"), and the minutes that are taken for it."""

LINKS = f"{_forms('links')}|:|,|-|–|—"
"""Words that join a time to a task; they are stripped from both ends of the task."""

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
HAN_SAME_TIME = "同じ時間|同じ時刻|同一时间|同一時間|同样的?时间|同樣的?時間"
HAN_THIS_TIME = "この時間|この時刻|今頃|今ごろ|いまごろ|这个?时候|這個?時候|这个时间|這個時間"
"""Patterns for the time of day at which it is said."""

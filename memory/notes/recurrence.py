"""The next date of a recurring task, by the rules of Obsidian Tasks.

Supported: `every day`, `every 3 weeks`, `every weekday`, `every Monday`, `every week on Monday,
Thursday`, `every month on the 15th`, `every month on the last`, `every year`, each `when done`.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LONGEST_RULE = 8  # words
_A_DAY = date(2026, 1, 1)  # any: whether a rule is understood does not depend on it
_EVERY = re.compile(
    r"every(?: (?P<count>\d{1,3}))? (?P<unit>day|week|month|year)s?(?: on (?:the )?(?P<on>.+))?"
)


def after(rule: str, day: date, today: date) -> date | None:
    """Return the next day of that rule after `day`, or after `today` for a rule `when done`.

    Returns None for an unsupported rule.
    """
    words = " ".join(rule.lower().split())
    if words.endswith(" when done"):
        words, day = words.removesuffix(" when done"), today
    try:
        return _next(words, day)
    except (OverflowError, ValueError):
        return None


def first_on(rule: str, today: date, *, or_today: bool) -> date | None:
    """Return the first day of that rule from `today` on, or after it unless `or_today`.

    A rule without a weekday or a day of the month begins today. None for an unsupported rule.
    """
    on = _next_on(rule)
    if or_today and not on:
        return today if after(rule, today, today) else None
    return after(rule, today - timedelta(days=1) if or_today else today, today)


def _next_on(rule: str) -> bool:
    """Whether the rule names the days: `every Monday`, `every month on the 15th`."""
    words = " ".join(rule.lower().split()).removesuffix(" when done")
    return " on " in words or words == "every weekday" or bool(_names(words.removeprefix("every ")))


def split_rule(text: str) -> tuple[str, str]:
    """Split `every Monday call Ana` into the rule and the rest; the rule is "" without one."""
    words = text.split()
    for start, word in enumerate(words):
        if word.lower() != "every":
            continue
        for end in range(min(len(words), start + _LONGEST_RULE), start + 1, -1):
            rule = " ".join(words[start:end]).rstrip(",:")
            if after(rule, _A_DAY, _A_DAY) is not None:
                return rule, " ".join([*words[:start], *words[end:]])
    return "", text


def _next(rule: str, day: date) -> date | None:
    if rule == "every weekday":
        return _weekday(day, {0, 1, 2, 3, 4}, 1)
    if named := _names(rule.removeprefix("every ")):
        return _weekday(day, named, 1)
    match = _EVERY.fullmatch(rule)
    if match is None:
        return None
    count, on = int(match["count"] or "1"), match["on"]
    if count < 1:
        return None
    match match["unit"]:
        case "day" if on is None:
            return day + timedelta(days=count)
        case "week" if on is None:
            return day + timedelta(weeks=count)
        case "week" if named := _names(on):
            return _weekday(day, named, count)
        case "month" if on is None:
            return _months(day, count, day.day)
        case "month" if on == "last" or re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", on):
            wanted = 31 if on == "last" else int(on[:-2])
            return _month_day(day, count, wanted) if 1 <= wanted <= 31 else None
        case "year" if on is None:
            return _months(day, 12 * count, day.day)
    return None


def _names(text: str) -> set[int]:
    """Parse `monday, thursday and sunday` into numbers; empty if a word is not a weekday."""
    words = re.split(r", and |, | and ", text)
    numbers = {_WEEKDAYS.index(word.rstrip("s")) for word in words if word.rstrip("s") in _WEEKDAYS}
    return numbers if all(word.rstrip("s") in _WEEKDAYS for word in words) else set()


def _weekday(day: date, wanted: set[int], weeks: int) -> date:
    """The next of those weekdays; past the end of the week, `weeks` weeks on."""
    later = [number for number in wanted if number > day.weekday()]
    if later:
        return day + timedelta(days=min(later) - day.weekday())
    monday = day - timedelta(days=day.weekday())
    return monday + timedelta(weeks=weeks, days=min(wanted))


def _months(day: date, count: int, wanted: int) -> date:
    """Return the day so many months later; the month's last day if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(wanted, last))


def _month_day(day: date, count: int, wanted: int) -> date:
    this = _months(day, 0, wanted)
    return this if this > day else _months(day, count, wanted)

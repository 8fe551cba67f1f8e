"""The next date of a recurring task, by the rules of Obsidian Tasks.

Supported are the rules that its documentation lists: `every 3 days`, `every weekday`, `every week
on Tuesday, Friday`, `every month on the 15th`, `every month on the last Friday`, `every 6 months on
the 2nd Wednesday`, `every January on the 15th`, `every April and December on the 1st and 24th`,
`every year`, each also `when done`. A rule that names no day keeps the task's day of the month, or
the last one of a shorter month. A day that the rule names is never moved: `every month on the 31st`
skips the months without one.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_LONGEST_RULE = 12  # words
_MONTHS_AHEAD = 12 * 9  # to look through: between two 29ths of February there may be eight years
_A_DAY = date(2026, 1, 1)  # any: whether a rule is understood does not depend on it
_EVERY = re.compile(
    r"every(?: (?P<count>\d{1,3}))? (?P<unit>day|week|month|year)s?(?: on (?:the )?(?P<on>.+))?"
)
_COUNT = re.compile(r"^every \d{1,3} (?=\w+ on )")
_NAMED_MONTHS = re.compile(r"every (?P<months>.+?)(?: on (?:the )?(?P<on>.+))?")
_NTH = re.compile(
    r"(?:(?P<nth>\d{1,2})(?:st|nd|rd|th)|(?:(?P<back>\d)(?:st|nd|rd|th) )?last)"
    r"(?: (?P<weekday>[a-z]+day))?"
)

Days = Callable[[int, int], set[int]]
"""The days of a month that a rule names, by year and month."""


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

    A rule that names no days begins today, or today's day in the month that it names. None for an
    unsupported rule.
    """
    words = " ".join(rule.lower().split()).removesuffix(" when done")
    following = after(words, today, today)
    if following is None:
        return None
    if _names_days(words):
        # "every 2 weeks on Monday" begins on the next Monday, and counts from there.
        begin = today - timedelta(days=or_today)
        return after(_COUNT.sub("every ", words), begin, begin)
    if not or_today:
        return following
    months = _months_of(words.removeprefix("every "))
    return following if months and today.month not in months else today


def moved_along(rule: str, day: date, due: date) -> date:
    """Return the day of a reminder that was on `day`, or so many days before an occurrence, for the
    occurrence on the later day `due`."""
    words = " ".join(rule.lower().split()).removesuffix(" when done")
    if _names_days(words):
        occurrence = first_on(rule, day, or_today=True)
        return day + (due - occurrence) if occurrence and occurrence < due else day
    while (following := after(words, day, day)) and following <= due:
        day = due if rule.lower().endswith("when done") else following
    return day


def _names_days(words: str) -> bool:
    """Return whether the rule says which days: `every Monday`, `every month on the 15th`."""
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
        return _in_named_months(rule, day)
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
            return _months(day, count)
        case "month" if days := _days(on):
            return _first_after(day, range(0, count * _MONTHS_AHEAD, count), days)
        case "year" if on is None:
            return _months(day, 12 * count)
    return None


def _in_named_months(rule: str, day: date) -> date | None:
    """Return the next day of `every January on the 15th`; of `every January`, the same day of
    it."""
    match = _NAMED_MONTHS.fullmatch(rule)
    months = _months_of(match["months"]) if match else set()
    if match is None or not months:
        return None
    if match["on"] is None:
        ahead = next(n for n in range(1, 13) if (day.month + n - 1) % 12 + 1 in months)
        return _months(day, ahead)
    days = _days(match["on"])
    if days is None:
        return None
    ahead_months = (n for n in range(_MONTHS_AHEAD) if (day.month + n - 1) % 12 + 1 in months)
    return _first_after(day, ahead_months, days)


def _first_after(day: date, ahead: range | Iterator[int], days: Days) -> date | None:
    """Return the first day after that one, in the months so far ahead of its own."""
    for months in ahead:
        year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
        for number in sorted(days(year, month + 1)):
            if (found := date(year, month + 1, number)) > day:
                return found
    return None


def _parts(text: str) -> list[str]:
    return re.split(r", and |, | and ", text)


def _names(text: str) -> set[int]:
    """Parse `monday, thursday and sunday` into numbers; empty if a word is not a weekday."""
    words = [word.rstrip("s") for word in _parts(text)]
    known = all(word in _WEEKDAYS for word in words)
    return {_WEEKDAYS.index(word) for word in words} if known else set()


def _months_of(text: str) -> set[int]:
    """Parse `april and december` into numbers; empty if a word is not a month."""
    words = _parts(text.partition(" on ")[0])
    known = all(word in _MONTHS for word in words)
    return {1 + _MONTHS.index(word) for word in words} if known else set()


def _days(on: str) -> Days | None:
    """Parse `1st and 24th`, `last`, `2nd last Friday`; None for anything else."""
    found = [_NTH.fullmatch(part.removeprefix("the ")) for part in _parts(on)]
    rows = list[tuple[int, int | None]]()
    for each in found:
        if each is None or (each["weekday"] or "monday") not in _WEEKDAYS:
            return None
        nth = int(each["nth"]) if each["nth"] else -int(each["back"] or "1")
        weekday = _WEEKDAYS.index(each["weekday"]) if each["weekday"] else None
        if nth == 0 or nth > (31 if weekday is None else 5):
            return None
        rows.append((nth, weekday))

    def of_month(year: int, month: int) -> set[int]:
        last = calendar.monthrange(year, month)[1]
        named = set[int]()
        for nth, weekday in rows:
            fitting = [
                number
                for number in range(1, last + 1)
                if weekday is None or date(year, month, number).weekday() == weekday
            ]
            place = nth - 1 if nth > 0 else len(fitting) + nth
            named |= {fitting[place]} if 0 <= place < len(fitting) else set()
        return named

    return of_month


def _weekday(day: date, wanted: set[int], weeks: int) -> date:
    """Return the next of those weekdays; past the end of the week, `weeks` weeks on."""
    later = [number for number in wanted if number > day.weekday()]
    if later:
        return day + timedelta(days=min(later) - day.weekday())
    monday = day - timedelta(days=day.weekday())
    return monday + timedelta(weeks=weeks, days=min(wanted))


def _months(day: date, count: int) -> date:
    """Return the day so many months later; the month's last day if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))

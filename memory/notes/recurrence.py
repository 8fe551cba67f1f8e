"""The next date of a recurring task, by the rules of Obsidian Tasks.

Supported are the rules that its documentation lists: `every 3 days`, `every weekday`, `every week
on Tuesday, Friday`, `every month on the 15th`, `every month on the last Friday`, `every 6 months on
the 2nd Wednesday`, `every January on the 15th`, `every April and December on the 1st and 24th`,
`every year`, each also `when done`. A rule that names no day keeps the task's day of the month, or
the last one of a shorter month. A day that the rule names is never moved: `every month on the 31st`
skips the months without one.

`every month on the last weekday` is the last working day. The plugin does not know it: when such a
task is done in Obsidian, the next one is on the last day of the month.

A rule may end: `every day until December 4, 2026`, with that day. The plugin's documentation does
not list that, but the plugin understands it.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_LONGEST_RULE = 16  # words
_MONTHS_AHEAD = 12 * 9  # to look through: between two 29ths of February there may be eight years
_A_DAY = date(2026, 1, 1)  # any day: whether a rule is supported does not depend on it
_UNTIL = re.compile(
    rf" until (?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?"
    r" (?P<year>\d{4})$"
)
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


def is_supported(rule: str) -> bool:
    """Return whether the rule is one of those that the module's docstring lists."""
    try:
        return _next(_parsed(rule).words, _A_DAY) is not None
    except (OverflowError, ValueError):
        return False


def is_when_done(rule: str) -> bool:
    """Return whether the rule counts the next day from the one on which the task is done."""
    return rule.lower().endswith(" when done")


def after(rule: str, day: date, today: date) -> date | None:
    """Return the next day of that rule after `day`, or after `today` for a rule `when done`.

    Returns None for an unsupported rule, and when none is left before the rule ends.
    """
    try:
        words, is_when_done, last = _parsed(rule)
        following = _next(words, today if is_when_done else day)
    except (OverflowError, ValueError):
        return None
    return following if following is not None and following <= last else None


def ending(rule: str, last: date) -> str:
    """Return the rule with `until` that day; unchanged if it has an end already."""
    words = " ".join(rule.split())
    base = words.removesuffix(" when done")
    if _UNTIL.search(base.lower()):
        return words
    month = _MONTHS[last.month - 1].capitalize()
    return f"{base} until {month} {last.day}, {last.year}{words[len(base) :]}"


def first_on(rule: str, today: date, *, or_today: bool) -> date | None:
    """Return the first day of that rule from `today` on, or after it unless `or_today`.

    A rule that names no days begins today, or today's day in the month that it names. None for an
    unsupported rule, and for one that ends before.
    """
    if not is_supported(rule):
        return None
    words, _, last = _parsed(rule)
    found = _first_on(words, today, or_today=or_today)
    return found if found is not None and found <= last else None


def _first_on(words: str, today: date, *, or_today: bool) -> date | None:
    following = after(words, today, today)
    if _names_days(words):
        # "every 2 weeks on Monday" begins on the next Monday, and counts from there.
        begin = today - timedelta(days=or_today)
        return after(_COUNT.sub("every ", words), begin, begin)
    if not or_today:
        return following
    months = _months_of(words.removeprefix("every "))
    return following if months and today.month not in months else today


def shifted_reminder(rule: str, day: date, due: date) -> date:
    """Return the day of the reminder for the occurrence on `due`, if that for an earlier occurrence
    was on `day`: it stays as many days before its occurrence. Return `day` for an unsupported
    rule."""
    if not is_supported(rule):
        return day
    words = _parsed(rule).words
    if _names_days(words):
        occurrence = _first_on(words, day, or_today=True)
        return day + (due - occurrence) if occurrence and occurrence < due else day
    while (following := after(words, day, day)) and following <= due:
        day = due if is_when_done(rule) else following
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
            if is_supported(rule):
                return rule, " ".join([*words[:start], *words[end:]])
    return "", text


class _Rule(NamedTuple):
    """A rule in lower case, without `when done` and its end."""

    words: str
    is_when_done: bool
    last: date  # the last possible day if it does not end


def _parsed(rule: str) -> _Rule:
    """Raises ValueError if it ends on a day that does not exist."""
    words = " ".join(rule.lower().split())
    base, last = words.removesuffix(" when done"), date.max
    if end := _UNTIL.search(base):
        last = date(int(end["year"]), 1 + _MONTHS.index(end["month"]), int(end["day"]))
    return _Rule(base[: end.start()] if end else base, base != words, last)


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
    """Parse `1st and 24th`, `last`, `2nd last Friday`, `last weekday`; None for anything else."""
    found = [_NTH.fullmatch(part.removeprefix("the ")) for part in _parts(on)]
    rows = list[tuple[int, range]]()
    for each in found:
        if each is None or (each["weekday"] or "weekday") not in (*_WEEKDAYS, "weekday"):
            return None
        nth = int(each["nth"]) if each["nth"] else -int(each["back"] or "1")
        weekdays = range(7)
        if each["weekday"]:
            named = (*_WEEKDAYS, "weekday").index(each["weekday"])
            weekdays = range(5) if named == len(_WEEKDAYS) else range(named, named + 1)
        if nth == 0 or nth > {7: 31, 5: 20, 1: 5}[len(weekdays)]:
            return None
        rows.append((nth, weekdays))

    def of_month(year: int, month: int) -> set[int]:
        last = calendar.monthrange(year, month)[1]
        named = set[int]()
        for nth, weekdays in rows:
            fitting = [
                number
                for number in range(1, last + 1)
                if date(year, month, number).weekday() in weekdays
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

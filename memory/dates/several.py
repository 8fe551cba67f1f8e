"""Split the text of one reminder with several times or days into one text for each. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime

from . import clock_words as words
from .calendar import region_of
from .clock import any_of, time_of_day
from .due import Due, due_time
from .period import TimeExpression, coming_times
from .repeat_words import LANGUAGES


def each_time(text: str) -> list[str]:
    """Return the text once for each of several times of day: "every day at 8, 14:00 and 20:00
    pills", "every morning and evening pills"."""
    if both := _TWO_PARTS.search(text):
        begin, end = text[: both.start()], text[both.end() :]
        return [f"{begin}{both[part]}{end}" for part in ("one", "two")]
    if not (found := _TIMES.search(text)):
        return [text]
    times = [f"{found['at'] or ''}{one[0]}" for one in _ONE_TIME.finditer(found["times"])]
    if None in [time_of_day(each).moment for each in times]:
        return [text]
    return [f"{text[: found.start()]}{each}{text[found.end() :]}" for each in times]


def each_day(text: str, now: datetime) -> list[str]:
    """Return the text once for each of several days on which it is due: "on Monday and Thursday at
    9 Ana". `now` is as in `due_time`."""
    found = list[TimeExpression]()
    for each in coming_times(text, now.date(), region=region_of(now.tzinfo)):
        if found and not _AND.fullmatch(text, found[-1].end, each.begin):
            if len(found) > 1:
                break
            found = []
        found.append(each)
    texts = dict[date, str]()
    for each in found:
        for first, _ in each.spans:
            words = first.isoformat() if each.kind == "both" else text[each.begin : each.end]
            one = f"{text[: found[0].begin]}{words}{text[found[-1].end :]}"
            due = due_time(one, now)
            # Not "tomorrow ask whether Monday and Tuesday suit", or "tomorrow, Sunday".
            if not isinstance(due, Due) or due.day != first or first in texts:
                return [text]
            texts[first] = one
    return list(texts.values()) if len(texts) > 1 else [text]


_TIME = r"\d{1,2}(?:[:.h]\d\d)?(?:\s?(?:[ap]\.?m\b\.?|uhr|h|o'clock))?(?![\w:/])"
_ONE_TIME = re.compile(_TIME, re.IGNORECASE)
_TIMES = re.compile(
    rf"(?<!\w)(?P<at>(?:{any_of(words.AT)})\s+)?(?P<times>{_TIME}(?:,\s*{_TIME})*"
    rf",?\s+(?:{words.AND}|&)\s+(?:(?:{any_of(words.AT)})\s+)?{_TIME})",
    re.IGNORECASE,
)
_AND = re.compile(rf"\s*(?:,|,?\s(?:{words.AND}|&)\s)\s*", re.IGNORECASE)
_PART = "|".join(
    each for language in LANGUAGES if language.spaced for each in language.parts.split(", ") if each
)
_TWO_PARTS = re.compile(
    rf"(?<!\w)(?P<one>(?:{_PART})s?),? (?:{words.AND}|&) (?P<two>(?:{_PART})s?)(?!\w)",
    re.IGNORECASE,
)

"""Read when something is due from what a person types: "tomorrow 9:00 call Ana".

Days are parsed by memory/dates/period.py, and are in the future: "Friday" is the next one. Times of
day and delays are parsed by memory/dates/clock.py. Pure; it needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import partial

from . import clock_words as words
from .calendar import (
    YEARS_TO_LEAP_DAY,
    Delay,
    Region,
    Span,
    add_months,
    before_event,
    dated,
    region_of,
    same_day_in,
)
from .clock import (
    NO_TIME,
    TimeOfDay,
    any_of,
    cut,
    delay,
    earlier,
    is_at_night,
    is_end_of_day,
    time_of_day,
)
from .period import TimeExpression, coming_times, read_beginning

_FIRST_WORDS = 6  # words at either end that are tried alone if the whole text names no day
_SOON = timedelta(days=183)  # a date that is farther away is likelier a rating: "7/10"
_MORNING, _NOON, _LATE = 6, 12, 22  # hours
_LONGEST_FEAST = 3  # days
_NEAR = 2  # characters between a day and the time that belongs to it: "Friday, 9:00"


@dataclass(frozen=True, slots=True)
class Due:
    """When a task is due: the local day, the time if one is given, and the text without both.

    `has_day`: the text names the day, or a delay; otherwise it follows from the time.
    """

    day: date
    time: time | None
    rest: str
    has_day: bool = True


class NotDue(Enum):
    """Why a text that names a day or a time is due at none."""

    PAST = "past"
    NO_SUCH = "no such"  # "30 February", "25:00"


@dataclass(frozen=True, slots=True)
class _Day:
    """A day in the text `text[begin:end]`, likelier days first; none if there is no such date."""

    days: tuple[date, ...]
    begin: int
    end: int
    is_past: bool = False
    kind: str = "date"  # a key of days.MEANINGS


def due_time(text: str, now: datetime, *, repeats: bool = False) -> Due | NotDue | None:
    """Return when the text says that something is due, relative to the local time `now`, which has
    its zone.

    A time without a day means its next occurrence, and "at 9" may be 21:00 then, unless the task
    `repeats`. None if no day, time or delay is named in the first 500 characters.
    """
    beginning, end = read_beginning(text)
    found = _at_this_time(beginning, now, repeats=repeats) or _due_time(
        beginning, now, repeats=repeats
    )
    return replace(found, rest=found.rest + end) if isinstance(found, Due) else found


def _at_this_time(text: str, now: datetime, *, repeats: bool) -> Due | None:
    """Return when "this time tomorrow" is due, which is beside a day or repeats; else None."""
    if not (said := _THIS_TIME.search(text)) or time_of_day(text).moment is not None:
        return None
    at, begin = f"{now:%H:%M}", text[: said.start()].strip()
    text = f"{begin} {at} {text[said.end() :].lstrip()}".strip()
    place = text.index(at, len(begin)), len(begin) + 1 + len(at)
    times = coming_times(text, now.date(), region=region_of(now.tzinfo))
    beside = [each for each in times if _touch(text, place, (each.begin, each.end))]
    others = [(each.begin, each.end) for each in dotted_days(text, now.date())]
    others += [waited[1:]] if (waited := delay(text)) else []
    if not (repeats or beside or any(_touch(text, place, each) for each in others)):
        return None  # "tomorrow do it well this time"
    found = _due_time(text, now, repeats=repeats)
    if not isinstance(found, Due) or not found.time:
        return None
    for each in beside:
        if each.kind == "unit" and (day := same_day_in(each.spans[0], now.date())):
            return replace(found, day=day)
    return found


def _due_time(text: str, now: datetime, *, repeats: bool) -> Due | NotDue | None:
    if (early := _before(text, now, repeats=repeats)) is not None:
        return early
    if (waited := delay(text)) is not None:
        return _after(text, *waited, now)
    region = region_of(now.tzinfo)
    day_of = partial(_day, region=region)
    now = now.replace(tzinfo=None)
    times = coming_times(text, now.date(), region=region)
    dates = [each for each in times if each.kind == "date"]
    clock = time_of_day(text, [(each.begin, each.end) for each in dates])
    moment, without, place, *_ = clock
    is_end = moment == time(0) and is_end_of_day(text)
    if is_end and repeats:  # "every Friday at 24:00": no rule names the day after each of its days
        moment, is_end = time(23, 59), False
        clock = clock._replace(moment=moment)
    if moment is None and NO_TIME.search(text):
        return NotDue.NO_SUCH
    seen = day_of(without, now.date(), place)
    rest = without
    if seen is None and moment is not None and (seen := day_of(text, now.date(), -1)):
        # The whole text may name the day more precisely: "tomorrow morning" is one expression.
        if seen.begin < clock.end and place < seen.end:  # "8 tonight"
            rest = cut(text, min(seen.begin, place), max(seen.end, clock.end))
        else:
            rest = time_of_day(cut(text, seen.begin, seen.end)).rest
    elif seen is not None:
        rest = cut(without, seen.begin, seen.end)
    if seen is not None:
        if seen.is_past:
            return NotDue.PAST
        days = _main_day(times, seen.days) if seen.kind == "named" and moment else seen.days
        is_today = days[:1] == (now.date(),) and seen.kind in ("day", "night")
        moment = _hour_meant(clock, now if is_today and not repeats else None)
        if is_end:
            days = tuple(day + timedelta(days=1) for day in days)
        elif moment and is_today and now.time() >= moment:
            # "tonight at 1" and "today at midnight" are tomorrow.
            days = (now.date() + timedelta(days=is_at_night(text, moment)),)
        return _ahead(days, moment, rest, now) if days else NotDue.NO_SUCH
    moment = _hour_meant(clock, None if repeats else now)
    if moment is None:
        return None
    later = now.time() < moment
    return Due(now.date() + timedelta(days=not later), moment, bare(without), has_day=False)


def _before(text: str, now: datetime, *, repeats: bool) -> Due | NotDue | None:
    """Return when "an hour before the meeting at 3" or "the day before the exam on Friday" is due,
    with the time of the meeting in the text; None if no time before another one is named."""
    if (early := earlier(text)) is None:
        return None
    wait, begin, end = early
    if begin and (wait_ := delay(text)) and (wait_[2] > begin or text[end:].strip(" .!")):
        return None  # "in an hour before lunch", "in two hours call Bob an hour before dinner"
    if not wait.minutes:
        # Not "on Friday send it a day before", or "a week before Christmas", which is a day.
        times = coming_times(text, now.date(), region=region_of(now.tzinfo))
        is_day = any(each.begin < end < each.end for each in times)
        if is_day or (begin and not _ends_in_day(text[:begin], now)):
            return None
    at = " at" if text[end:].lstrip()[:1].isdecimal() else ""  # "5 minutes before 3"
    found = _due_time(f"{text[:begin].rstrip()}{at}{text[end:]}".strip(), now, repeats=repeats)
    if not isinstance(found, Due) or not (found.time if wait.minutes else found.has_day):
        return None
    moment = before_event(datetime.combine(found.day, found.time or time()), wait, now.tzinfo)
    at_time = moment.time() if found.time or wait.hour else None
    if datetime.combine(moment, at_time or time.max) <= now.replace(tzinfo=None):
        return NotDue.PAST
    clock = f"{found.time:%H:%M}" if found.time else ""
    when = clock if wait.minutes else f"{found.day} {clock}".strip()
    return Due(moment.date(), at_time, f"{found.rest} ({when})".strip(), found.has_day)


def _ends_in_day(text: str, now: datetime) -> bool:
    """Return whether the text ends with its day: "the exam on 14 December at 9"."""
    found = _due_time(text.strip(" ,"), now, repeats=False)
    return isinstance(found, Due) and found.has_day and bare(text).startswith(found.rest or "\n")


def _main_day(times: Iterable[TimeExpression], days: tuple[date, ...]) -> tuple[date, ...]:
    """Return the day of a holiday that is meant in the whole text, which names a part of the day:
    Christmas morning is not on its first day."""
    for each in times:
        if each.kind == "named" and each.spans and days:
            [(first, last)] = each.spans[:1]
            if first == last and 0 < (first - days[0]).days <= _LONGEST_FEAST:
                return (first,)
    return days


def _hour_meant(clock: TimeOfDay, now: datetime | None) -> time | None:
    """Return the time of day that is meant: "at 5" is in the afternoon, as nobody is reminded at
    night; but at night it may be soon. If it is for today, at the time `now`, "at 9" is in the
    evening when the morning's is past."""
    moment = clock.moment
    if moment is None or not (clock.is_twelve_hour and 1 <= moment.hour < _NOON):
        return moment
    later = moment.replace(hour=moment.hour + _NOON)
    if now is None:
        return later if moment.hour < _MORNING else moment
    if moment.hour < _MORNING:
        is_night = now.hour < _MORNING and now.time() < moment
        return moment if is_night or now.hour >= _LATE else later
    return later if moment <= now.time() < later else moment


def _ahead(days: Iterable[date], moment: time | None, rest: str, now: datetime) -> Due | NotDue:
    """Return the first of the days on which that time is still to come."""
    for day in days:
        if datetime.combine(day, moment or time.max) > now:
            return Due(day, moment, bare(rest))
    return NotDue.PAST


def _after(text: str, wait: Delay, begin: int, end: int, now: datetime) -> Due:
    """Return when a delay has passed, which is `text[begin:end]`."""
    today, region = now.date(), region_of(now.tzinfo)
    counted = add_months(today, wait.months) + timedelta(days=wait.days)
    for each in coming_times(text, today, region=region):
        is_over = each.begin < end and begin < each.end
        if each.kind in ("later", "week_after", "working_day") and is_over:  # "tomorrow in a week"
            counted = _first_of(each.spans[0], each.kind, today) if each.spans else counted
        elif each.spans != ((today, today),) or text[each.end : begin].strip() or each.end > begin:
            continue
        begin, end = min(begin, each.begin), max(end, each.end)
    rest = cut(text, begin, end)
    if wait.minutes:
        # In absolute time: a night in which the clock changes is an hour shorter or longer.
        at = now.astimezone(UTC) + timedelta(minutes=wait.minutes, seconds=30)  # rounded below
        if (at := at.astimezone(now.tzinfo)).fold:  # The first of both is meant, and may be past.
            at = (at.astimezone(UTC) + timedelta(minutes=60 - at.minute)).astimezone(now.tzinfo)
        return Due(at.date(), at.time().replace(second=0, microsecond=0), bare(rest))
    clock = time_of_day(rest)
    moment, rest, place = _hour_meant(clock, None), clock.rest, clock.place
    is_weeks = wait.days and wait.days % 7 == 0
    seen = _day(rest, today, place, region=region) if is_weeks else None
    if seen and seen.days and seen.kind == "weekday":  # "Monday in two weeks"
        return Due(
            seen.days[0] + timedelta(days=wait.days), moment, bare(cut(rest, seen.begin, seen.end))
        )
    return Due(counted, moment, bare(rest))


def _day(text: str, today: date, place: int, *, region: Region) -> _Day | None:
    """Return the day that the text names. Of several, it is the one beside the time, which was at
    `place` (-1: at none), at the beginning or at the end; others are part of the task."""

    def is_far(each: _Day) -> bool:
        return place < 0 or min(abs(place - each.end), abs(each.begin - place)) > _NEAR

    def preference(each: _Day) -> tuple[bool, bool, bool, bool, int, int]:
        ends = each.begin > 0, each.end < len(text)
        return is_far(each), not each.days, *ends, each.begin - each.end, each.begin

    named = partial(_named_days, region=region)
    found = [
        each
        for seen in (dotted_days, named)
        for each in seen(text, today)
        # "ask Bob about yesterday" is due at no past day
        if (each.days and not each.is_past) or not is_far(each) or not each.begin
    ]
    found += _days_at_an_end(text, today, place, named)
    if not found:
        return None
    best = min(found, key=preference)
    begin, end = best.begin, best.end
    for other in found:  # "tomorrow, Saturday"
        if other.days[:1] == best.days[:1] and _touch(text, (begin, end), (other.begin, other.end)):
            begin, end = min(begin, other.begin), max(end, other.end)
    return _Day(best.days, begin, end, best.is_past, best.kind)


def _touch(text: str, one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Return whether nothing but punctuation is between two parts of the text."""
    return not any(map(str.isalnum, text[min(one[1], two[1]) : max(one[0], two[0])]))


def _named_days(text: str, today: date, *, region: Region, after: str = "") -> Iterator[_Day]:
    for each in coming_times(text, today, region=region, after=after):
        days = [
            last if each.is_end else _first_of((first, last), each.kind, today)
            for first, last in each.spans
        ]
        coming = tuple(day for day in days if day >= today)
        is_past = each.is_past or bool(each.spans and not coming)
        yield _Day(coming, each.begin, each.end, is_past, each.kind)


def _first_of(span: Span, kind: str, today: date) -> date:
    """Return the day on which something is due that is due in a period."""
    first, last = span
    if kind == "later":  # "two months from now" is searched for in some days around that day
        return first + (last - first) / 2
    return today if first <= today <= last else first


def _days_at_an_end(
    text: str, today: date, place: int, named: Callable[..., Iterator[_Day]]
) -> Iterator[_Day]:
    """Yield the days that the first and the last words name alone: in "Friday dentist" the weekday
    may be part of a name. Beside the time, "Christmas" is one, too, and "15.12" before it."""
    parts = text.split(" ")
    for is_head in (True, False):
        for count in range(min(_FIRST_WORDS, len(parts)), 0, -1):
            part = " ".join(parts[:count] if is_head else parts[-count:])
            begin, end = (0, len(part)) if is_head else (len(text) - len(part), len(text))
            is_word = is_head and place == 0 and len(part) < 3 and part.islower()  # "at 8 do it"
            if is_word or part.isdecimal() or text[:begin].casefold().endswith(" the "):
                continue  # "9:00 5 km run", "put it in the sun at 3pm"
            on = ("a" if is_head else "l") if place in (begin, end, end + 1) else ""
            found = list(named(part, today, after=on))
            if found and found[0].days and _is_bare(part, found):
                if not on and _may_rate(part) and found[0].days[0] - today > _SOON:
                    break
                yield replace(found[0], begin=begin, end=end)
                break


def _may_rate(text: str) -> bool:
    """Return whether it may be a rating instead of a date: "film 7/10"."""
    points = _OF_POINTS.fullmatch(text.strip(" .,!"))
    return points is not None and int(points[1]) <= int(points[2])


def _is_bare(text: str, found: list[_Day]) -> bool:
    """Return whether the text names one day, and nothing else."""
    for each in reversed(found):
        text = cut(text, each.begin, each.end)
    return not any(map(str.isalnum, text)) and len({each.days[:1] for each in found}) == 1


def dotted_days(text: str, today: date) -> Iterator[_Day]:
    """Yield the dates in numbers with dots: "3.12."."""
    for found in _DOTTED.finditer(text):
        days = _dotted(found, today)
        yield _Day(days, found.start(), found.end(), bool(days) and days[0] < today)


def _dotted(found: re.Match[str], today: date) -> tuple[date, ...]:
    """Return the day of "1.12." or "1.12.2026"; without a year, the next such day."""
    years: Iterable[int] = range(today.year, today.year + YEARS_TO_LEAP_DAY + 1)
    if found[3]:
        years = (int(found[3]) + (2000 if len(found[3]) < 4 else 0),)
    for year in years:
        span = dated(year, int(found[2]), int(found[1]) or 32)
        if span and (found[3] or span[0] >= today):
            return (span[0],)
    return ()


def without_same_time(text: str) -> str:
    """Return the text without "at the same time", which leaves a time as it is."""
    return " ".join(_SAME_TIME.sub(" ", text).split())


def bare(text: str) -> str:
    """Strip the words and punctuation that joined the text to a time."""
    while (less := _LINK.sub("", text).strip(" ,;:-–—")) != text:
        text = less
    return text


_DOTTED = re.compile(
    rf"(?:(?<!\w)(?:{any_of(words.ON)})\s+)?"
    r"(?<![\w.:])(\d{1,2})\.\s?(\d{1,2})\.(\d{4}|\d{2})?(?![\w:])",
    re.IGNORECASE,
)
_SAME_TIME, _THIS_TIME = (
    re.compile(
        rf"(?<!\w)(?:(?:{any_of(words.ABOUT)})\s+)?(?:{any_of(spaced)})(?!\w)|の?(?:{unspaced})に?",
        re.IGNORECASE,
    )
    for spaced, unspaced in (
        (words.SAME_TIME, words.HAN_SAME_TIME),
        ([words.SAME_TIME, words.THIS_TIME], f"{words.HAN_SAME_TIME}|{words.HAN_THIS_TIME}"),
    )
)
_OF_POINTS = re.compile(r"(\d\d?)/(5|10)")
_LINK = re.compile(
    rf"^(?:d['’](?=\w)|(?:{words.AND})\s+(?=\d)|(?:{any_of(words.LINKS)})(?:,?\s+|$))",
    re.IGNORECASE,
)

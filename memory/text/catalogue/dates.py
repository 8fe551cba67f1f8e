"""Days and months as words in the current language."""

from __future__ import annotations

from datetime import date

from .lookup import ENGLISH, language, mark, tr

_SHORT_DAYS = (
    *(mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu")),
    *(mark("Fri"), mark("Sat"), mark("Sun")),
)
_DAYS = (
    *(mark("Monday"), mark("Tuesday"), mark("Wednesday"), mark("Thursday")),
    *(mark("Friday"), mark("Saturday"), mark("Sunday")),
)
_ON_DAYS = (
    *(mark("on Monday"), mark("on Tuesday"), mark("on Wednesday"), mark("on Thursday")),
    *(mark("on Friday"), mark("on Saturday"), mark("on Sunday")),
)
_SHORT_MONTHS = (
    *(mark("Jan"), mark("Feb"), mark("Mar"), mark("Apr"), mark("May"), mark("Jun")),
    *(mark("Jul"), mark("Aug"), mark("Sep"), mark("Oct"), mark("Nov"), mark("Dec")),
)
_MONTHS = (
    *(mark("of January"), mark("of February"), mark("of March"), mark("of April")),
    *(mark("of May"), mark("of June"), mark("of July"), mark("of August")),
    *(mark("of September"), mark("of October"), mark("of November"), mark("of December")),
)
"""As they follow the number of a day: Russian has the genitive there."""


_RULES = (
    *(mark("every day"), mark("every weekday"), mark("every week")),
    *(mark("every month"), mark("every year")),
)


def repetition(rule: str) -> str:
    """Return the rule of a task that repeats, "every day" or "every week on Monday, Friday", in the
    current language; any other rule as it is."""
    if language() == ENGLISH:
        return rule
    if rule in _RULES:
        return tr(rule)
    days = rule.removeprefix("every ").removeprefix("week on ").split(", ")
    named = [tr(day) for day in days if day in _DAYS]
    return tr("every week on {days}", days=", ".join(named)) if len(named) == len(days) else rule


def short_day(day: date) -> str:
    """Return `Fri 27 Nov`."""
    weekday, month = tr(_SHORT_DAYS[day.weekday()]), tr(_SHORT_MONTHS[day.month - 1])
    return tr("{weekday} {day} {month}", weekday=weekday, day=f"{day.day:02}", month=month)


def day_month(day: date) -> str:
    """Return `27 Nov`."""
    return tr("{day} {month}", day=day.day, month=tr(_SHORT_MONTHS[day.month - 1]))


def long_day(day: date) -> str:
    """Return `Friday, 27 November`."""
    weekday = tr(_DAYS[day.weekday()])
    return tr("{weekday}, {day_month}", weekday=weekday, day_month=_long_month(day, pad=True))


def on_weekday(day: date) -> str:
    """Return `on Friday`."""
    return tr(_ON_DAYS[day.weekday()])


def on_day(day: date) -> str:
    """Return `on 3 May`."""
    return tr("on {day_month}", day_month=_long_month(day))


def _long_month(day: date, *, pad: bool = False) -> str:
    month = tr(_MONTHS[day.month - 1]).removeprefix("of ")
    return tr("{day} {month}", day=f"{day.day:02}" if pad else day.day, month=month)

"""Days, weeks, months, seasons and holidays of the Gregorian calendar; weeks begin on Monday."""

from __future__ import annotations

import calendar
import functools
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

Span = tuple[date, date]
"""The first and the last day, inclusive."""

YEARS_TO_LEAP_DAY = 8
"""At most so many years later there is a 29 February: 1896 to 1904."""
SPRING, WINTER = 13, 16
"""The first and the last season. Months are 1 to 12, seasons 13 to 16, Locale.feasts 17 to 36, and
Locale.holidays above 100: see `holiday_code`."""
CHRISTMAS_DAY, ADVENT = 19, 28
_FEASTS = (
    *("1224", "1224+3", "1225", "1231", "0101", "easter-2", "easter-2x4", "1031", "0214"),
    *("1226", "1227+5", "advent", "1205+2", "0106", "1101", "easter+39", "easter+49x2"),
    *("1001+7", "new year", "mid-autumn"),
)
"""The days of Locale.feasts, as `holiday_code` reads them; three are computed otherwise."""
_NEW_YEAR_2020 = "0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131 0219"
_NEW_YEAR_2020 += " 0208 0128 0215 0204 0124 0212"
_MID_AUTUMN_2020 = "1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 1001 0919 0908 0927"
_MID_AUTUMN_2020 += " 0916 1004 0924 0913 1002 0920"
_LUNAR = {35: (_NEW_YEAR_2020.split(), -1, 6), 36: (_MID_AUTUMN_2020.split(), 0, 0)}
"""Holidays of the Chinese calendar: the day in each year from 2020, the first and last day relative
to it."""
_FIXED, _NTH_WEEKDAY, _DAYS, _OF_EASTER, _LATER = 100, 20_000, 1_000_000, 10_000_000, 100_000_000
_FAR = 500  # more days than a holiday is before Easter
_AMERICAN = (
    *("US/", "America/Indiana/", "America/Kentucky/", "America/North_Dakota/"),
    *("America/New_York", "America/Detroit", "America/Chicago", "America/Menominee"),
    *("America/Denver", "America/Boise", "America/Phoenix", "America/Los_Angeles"),
    *("America/Anchorage", "America/Juneau", "America/Sitka", "America/Metlakatla"),
    *("America/Yakutat", "America/Nome", "America/Adak", "Pacific/Honolulu"),
)
"""The beginnings of the names of the time zones of the United States."""
_SOUTHERN = (
    *("Australia/", "NZ", "Pacific/Auckland", "Pacific/Chatham", "Africa/Johannesburg"),
    *("Africa/Maseru", "Africa/Mbabane", "Africa/Windhoek", "Africa/Gaborone", "Africa/Maputo"),
    *("Indian/Mauritius", "Indian/Reunion", "America/Argentina/", "America/Buenos_Aires"),
    *("America/Santiago", "America/Punta_Arenas", "America/Montevideo", "America/Asuncion"),
    *("America/Lima", "America/Sao_Paulo", "America/Campo_Grande", "America/Cuiaba"),
    *("America/Bahia", "America/Recife", "America/Maceio", "America/Fortaleza", "Brazil/East"),
    *("Chile/", "Atlantic/Stanley"),
)
"""The beginnings of the names of the time zones with the seasons of the southern hemisphere."""
_BRITISH = (
    *("Europe/London", "Europe/Belfast", "Europe/Jersey", "Europe/Guernsey"),
    *("Europe/Isle_of_Man", "Europe/Dublin", "GB", "Eire"),
)
_AUSTRALASIAN = "Australia/", "NZ", "Pacific/Auckland", "Pacific/Chatham"
_CANADIAN = (
    *("Canada/", "America/Toronto", "America/Montreal", "America/Vancouver", "America/Edmonton"),
    *("America/Winnipeg", "America/Regina", "America/Halifax", "America/Moncton"),
    *("America/St_Johns", "America/Whitehorse", "America/Yellowknife", "America/Iqaluit"),
)
_MEXICAN = (
    *("America/Mexico_City", "America/Monterrey", "America/Tijuana", "America/Merida"),
    *("America/Cancun", "America/Chihuahua", "America/Hermosillo", "Mexico/"),
)
_ARGENTINE = "America/Argentina/", "America/Buenos_Aires"
_ANDEAN = (
    *("America/Bogota", "America/Lima", "America/Santiago", "America/Guayaquil"),
    *("America/Caracas", "America/Montevideo", "Chile/"),
)
"""South American countries that honour mothers on the second Sunday of May."""
_COUNTRIES = {
    **{"MX": _MEXICAN, "AR": _ARGENTINE, "CO": _ANDEAN},
    **{"US": _AMERICAN, "GB": _BRITISH, "AU": _AUSTRALASIAN, "CA": _CANADIAN},
}
_MOTHERS_DAY, _FATHERS_DAY = "5-2-6", "6-3-6"
_THANKSGIVING, _ELECTION_DAY = "11-4-3", "11-1-0>1"
_SUNDAYS = 4  # of Advent


def add(day: date, days: int) -> date:
    """Return the date that many days later, limited to the range of `date`."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


class Delay(NamedTuple):
    """A delay of minutes, days or months of the calendar; `hour`: that of "the evening before"."""

    minutes: int = 0
    days: int = 0
    months: int = 0
    hour: int = 0


def add_months(day: date, months: int) -> date:
    """Return the same day in another month, or the last day of that month."""
    counted = day.year * 12 + day.month - 1 + months
    year, month = divmod(min(max(counted, 12), 9999 * 12 + 11), 12)
    first = date(year, month + 1, 1)
    return min(add(first, day.day - 1), month_of(first)[1])


def before_event(event: datetime, wait: Delay, zone: tzinfo | None) -> datetime:
    """Return the local time in the zone so long before an event, both without it. Minutes are in
    absolute time: a night in which the clock changes is an hour shorter or longer."""
    if wait.minutes:
        at = event.replace(tzinfo=zone).astimezone(UTC) - timedelta(minutes=wait.minutes)
        return at.astimezone(zone).replace(tzinfo=None, fold=0)
    day = add_months(event.date(), -wait.months) - timedelta(days=wait.days)
    return datetime.combine(day, time(wait.hour) if wait.hour else event.time())


def same_day_in(span: Span, today: date) -> date | None:
    """Return the day of a week, month or year that is like today; None for a weekend."""
    first, length = span[0], (span[1] - span[0]).days + 1
    if length == 7:
        return first + timedelta(days=today.weekday())
    months = 12 * (first.year - today.year) + (first.month - today.month) * (length < 32)
    return add_months(today, months) if length >= 28 else None


def add_units(day: date, unit: str, count: int) -> date:
    """Return the date that many days (`d`), weeks, months (`m`) or years (`y`) later."""
    if unit in "my":
        return add_months(day, count * (12 if unit == "y" else 1))
    return add(day, count * (1 if unit == "d" else 7))


def month_of(day: date) -> Span:
    """Return the month that contains the day."""
    first = day.replace(day=1)
    return first, add(first, calendar.monthrange(day.year, day.month)[1] - 1)


def week_of(day: date) -> Span:
    """Return the week, from Monday, that contains the day."""
    monday = add(day, -day.weekday())
    return monday, add(monday, 6)


def third_of(span: Span, third: int | None) -> Span:
    """Return the beginning, the middle or the end of a span; all of it if `third` is None."""
    first, last = span
    length = ((last - first).days + 1) // 3
    if third is None or not length:
        return span
    begins = add(first, third * length)
    return begins, last if third == 2 else add(begins, length - 1)


def dated(year: int, month: int, day: int) -> Span | None:
    """Return that day, or the month if `day` is 0; None if there is no such date."""
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return None
    return (first, first) if day else month_of(first)


def _season(year: int, name: int) -> Span | None:
    first = dated(year, 3 * (name - 12), 1)
    return (first[0], add(add_months(first[0], 3), -1)) if first else None


def _easter(year: int, first: int, last: int) -> Span | None:
    """Return a span of days relative to Easter Sunday (Meeus, Astronomical Algorithms, 8)."""
    if not 1583 <= year <= date.max.year:
        return None
    century, of_century = divmod(year, 100)
    leap = (8 * century + 13) // 25
    epact = (19 * (year % 19) + century - century // 4 - leap + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    shift = (year % 19 + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    sunday = date(year, month, day + 1)
    return add(sunday, first), add(sunday, last)


def _lunar(year: int, days: Sequence[str], first: int, last: int) -> Span | None:
    if not 0 <= year - 2020 < len(days):
        return None
    month, day = divmod(int(days[year - 2020]), 100)
    return add(date(year, month, day), first), add(date(year, month, day), last)


def nth_of_feast(year: int, name: int, number: int) -> Span | None:
    """Return a Sunday of Advent or a day of Christmas by its number; None for other holidays."""
    christmas = dated(year, 12, 25)
    if christmas is None or not 1 <= number <= (_SUNDAYS if name == ADVENT else 2):
        return None
    last_sunday = add(christmas[0], -1 - christmas[0].weekday())
    if name == ADVENT:
        day = add(last_sunday, -7 * (_SUNDAYS - number))
    elif name == CHRISTMAS_DAY:
        day = add(christmas[0], number - 1)
    else:
        return None
    return day, day


def quarter_of(year: int, number: int) -> Span:
    """Return a quarter of a year by its number, from 1."""
    first = date(year, 3 * number - 2, 1)
    return first, month_of(add_months(first, 2))[1]


class Region(NamedTuple):
    """What a date depends on where the owner lives.

    `month_first`: "10/9" is in October, as in the United States. `is_southern`: summer is from
    December to February. `country`: a key of `_COUNTRIES`, whose holidays it has; "" for others.
    """

    month_first: bool = False
    is_southern: bool = False
    country: str = ""

    def season(self, name: int) -> int:
        """Return the season of the northern hemisphere at the same time of the year."""
        return (name - SPRING + 2) % 4 + SPRING if self.is_southern else name

    def holiday(self, name: int) -> int:
        """Return the holiday that an English or Spanish name means here; 0 if it is none."""
        if name == holiday_code(_ELECTION_DAY) and self.country != "US":
            return 0
        return _holidays_abroad().get((self.country, name), name)


UNKNOWN = Region()


def region_of(zone: tzinfo | None) -> Region:
    """Return the region of a time zone."""
    name = str(zone)
    country = next((key for key, zones in _COUNTRIES.items() if name.startswith(zones)), "")
    return Region(country == "US", name.startswith(_SOUTHERN), country)


@functools.cache
def _holidays_abroad() -> dict[tuple[str, int], int]:
    """Return which holiday an English or Spanish name means in a country where it is on another
    day; Spanish names are on the days of Spain."""
    days = {
        ("GB", _MOTHERS_DAY): "easter-21",
        ("AU", _FATHERS_DAY): "9-1-6",
        ("CA", _THANKSGIVING): "10-2-0",
        **{("MX", "5-1-6"): "0510", ("AR", "5-1-6"): "10-3-6", ("CO", "5-1-6"): _MOTHERS_DAY},
        **{(country, "0319"): _FATHERS_DAY for country in ("MX", "AR", "CO")},
    }
    return {
        (country, holiday_code(name)): holiday_code(day) for (country, name), day in days.items()
    }


def nth_weekday(year: int, month: int, number: int, weekday: int) -> Span | None:
    """Return the day that is the first, second, … such weekday of a month, or the last one if
    `number` is 0; None without one."""
    if not (span := dated(year, month, 0)):
        return None
    if not number:
        day = add(span[1], -((span[1].weekday() - weekday) % 7))
        return day, day
    day = add(span[0], (weekday - span[0].weekday()) % 7 + 7 * (number - 1))
    return (day, day) if day <= span[1] else None


@functools.cache
def holiday_code(written: str) -> int:
    """Return the number of a holiday in Locale.holidays.

    It is written "1111", "11-4-3" for the fourth Thursday of November, "5-0-0" for the last Monday
    of May, "11-4-3>1" for the day after the fourth Thursday, "1220+14" for the fourteen days from
    20 December, "easter-3" for a day relative to Easter Sunday, or "easter-7x8" for eight days.
    """
    if written.startswith("easter"):
        begin, _, length = written.removeprefix("easter").partition("x")
        return _OF_EASTER + (int(begin) + _FAR) * 100 + int(length or 1)
    if ">" in written:
        other, later = written.split(">")
        return _LATER + holiday_code(other) * 10 + int(later)
    if written.isdigit():
        return int(written)
    if "+" in written:
        first, days = map(int, written.split("+"))
        return _DAYS + first * 100 + days
    month, number, weekday = map(int, written.split("-"))
    return _NTH_WEEKDAY + month * 100 + number * 10 + weekday


def calendar_week(year: int, number: int) -> Span | None:
    """Return a week of a year by its number (ISO 8601); None if the year has no such week."""
    try:
        return week_of(date.fromisocalendar(year, number, 1))
    except ValueError:
        return None


def name_in(year: int, name: int) -> Span | None:
    """Return a month, a season (in the northern hemisphere: see `Region`) or a holiday."""
    if name <= 12:
        return dated(year, name, 0)
    if name <= WINTER:
        return _season(year, name)
    if name == ADVENT:
        first_sunday, eve = nth_of_feast(year, ADVENT, 1), dated(year, 12, 24)
        return (first_sunday[0], eve[1]) if first_sunday and eve else None
    if name in _LUNAR:
        return _lunar(year, *_LUNAR[name])
    if name < _FIXED:
        return name_in(year, holiday_code(_FEASTS[name - WINTER - 1]))
    if name >= _LATER:
        code, later = divmod(name - _LATER, 10)
        found = name_in(year, code)
        return (add(found[0], later), add(found[1], later)) if found else None
    if name >= _OF_EASTER:
        begin, days = divmod(name - _OF_EASTER, 100)
        return _easter(year, begin - _FAR, begin - _FAR + days - 1)
    if name >= _DAYS:
        day, days = divmod(name - _DAYS, 100)
        first = dated(year, *divmod(day, 100))
        return (first[0], add(first[0], days - 1)) if first else None
    if name >= _NTH_WEEKDAY:
        month, rest = divmod(name - _NTH_WEEKDAY, 100)
        return nth_weekday(year, month, *divmod(rest, 10))
    return dated(year, *divmod(name, 100))


MAIN_DAY = {18: CHRISTMAS_DAY, 23: holiday_code("easter+0"), 33: holiday_code("easter+49")}
"""The main day of a holiday of several days: the day after Christmas is 26 December."""

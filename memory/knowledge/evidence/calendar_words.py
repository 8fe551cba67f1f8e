"""Recognise numbers, months, weekdays and dates in a text, in the languages of memory/dates.

The words are those of `memory.dates.languages`; digits are read in every script.
"""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from ...dates.clock import time_of_day
from ...dates.period import time_range
from ...text.sentences import split_sentences
from ...text.word_forms import folded, words
from .number_words import spoken_numbers, word_table

_MONTHS, _WEEKDAYS, _ORDINALS = ("months", 1), ("weekdays", 0), ("ordinals", 1)  # of word_table
_YEAR = timedelta(days=366)
_HALF_YEAR = timedelta(days=183)
_FORTNIGHT = timedelta(days=14)
_TOKEN = re.compile(r"\d+(?:[.,:'’]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’ ]\d{3})+(?!\d)")
_GROUPED_DECIMAL = re.compile(r"(\d{1,3}(?:[.,'’]\d{3})+)[.,](\d\d?)")
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
ISO_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
ISO_MONTH = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)(?![-\d])")
_PAIR = re.compile(r"(?<!\d)(\d{1,2})[./-]\s?(\d{1,2})(?:[./-]\s?((?:19|20)?\d\d))?(?!\d)")
_KANJI_DAY = re.compile(r"(\d{1,2})月(\d{1,2})日")
_KANJI_MONTH = re.compile(r"(\d{1,2})月")
_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_AFTERNOON = re.compile(r"(?<!\d)(1[0-2]|[1-9])(?:[:.]\d\d)?\s?(?:p\.?\s?m\b|uhr (?:abends|nachm))")
_HOUR = re.compile(r"(?<!\d)(1[3-9]|2[0-3])(?=[:.h]|\s?(?:uhr|h\b))")
_THOUSANDS = "thousand tausend tsd mille mila mil duizend tys tysiące tysięcy тыс тысячи тысяч"
_MILLIONS = (
    "million millions millionen mio mln millón millones milione milioni milhão milhões miljoen"
)
_MILLIONS += " milion miliony milionów миллион миллиона миллионов млн"
_SCALES = dict.fromkeys(folded(_THOUSANDS).split(), 1000)
_SCALES |= dict.fromkeys(folded(_MILLIONS).split(), 1_000_000)
_SCALED = re.compile(rf"(?<![\d.,])(\d{{1,3}}(?:[.,]\d{{1,2}})?)\s?({'|'.join(_SCALES)}|k)\b")
_SHORT_YEARS = re.compile(r"(?<![\w'’])['’](\d\d)(?![\w'’])")  # "in '88"
_YEARLY_WORDS = (
    r"birthdays?|b-?day|born|anniversar\w+",
    r"\w*geburtstag\w*|geboren|\w*jahrestag|hochzeitstag|namenstag|jarig|verjaardag|trouwdag",
    r"cumple(?:anos)?|naci(?:o|d[oa])|aniversario|nasce(?:u|r)|compleanno|nat[oa]|onomastico",
    r"anniversaire|naissance|urodzin\w*|urodzil\w*|imienin\w*|rocznic\w*",
    *map(folded, ("рождения", "родился", "родилась", "именины", "годовщина")),
)
_YEARLY = re.compile(rf"\b(?:{'|'.join(_YEARLY_WORDS)})\b|生日|出生|誕生|诞生|纪念日|記念日")
_CLOCK = re.compile(r"(?<!\d)(\d\d?)\s?(?:h|uhr)\s?(\d\d)(?!\d)")
_AMBIGUOUS = frozenset({"may", "march", "mar", "mai", "marche", "so", "do", "mi", "sun", "sat"})
"""Months and weekdays that are also ordinary words: they count only if capitalised."""
_NO_NUMBERS = frozenset({"once", "sei", "due", "elf", "sept", "dos", "set", "mil", "mille"})
"""Number words that mean something else in another language."""


@dataclass(frozen=True, slots=True)
class CalendarWords:
    """The numbers and dates in a text. `numbers` in digits; `months` from 1, `weekdays` from Monday
    as 0.

    `pairs`: (day, month), in both orders if that is ambiguous; `days`: complete dates, relative to
    the day of the text; `weeks`: spans of at most a week.
    """

    numbers: frozenset[str]
    ordinals: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    years: frozenset[int]
    pairs: frozenset[tuple[int, int]]
    days: frozenset[date]
    weeks: frozenset[tuple[date, date]]
    said_on: frozenset[date]

    def names_day(self, day: date) -> bool:
        """Return whether the text refers to that day, as in "tomorrow", "Friday" or "the 5th"."""
        near = any(abs(day - said) <= _YEAR for said in self.said_on)
        if day in self.days:
            return True
        if day.weekday() in self.weekdays and any(
            abs(day - said) <= _FORTNIGHT for said in self.said_on
        ):
            return True
        if not (day.year in self.years or (not self.years and near)):
            return False
        if (day.day, day.month) in self.pairs:
            return True
        if day.month in self.months and (str(day.day) in self.numbers or day.day in self.ordinals):
            return True
        if any((each.month, each.day) == (day.month, day.day) for each in self.days):
            return True
        same_weekday = any(day.weekday() == said.weekday() for said in self.said_on)
        return same_weekday and any(first <= day <= last for first, last in self.weeks)

    def names_month(self, year: int, month: int) -> bool:
        """Return whether the text refers to that month of that year."""
        if month not in self.months:
            return False
        return year in self.years or self.may_mean_year(year)

    def may_mean_year(self, year: int) -> bool:
        """Return whether a date without a year may be in that year."""
        return not self.years and any(abs(year - said.year) <= 1 for said in self.said_on)


@lru_cache(maxsize=256)  # each bullet of a summary is compared with messages that others cite, too
def read(text: str, said_on: date) -> CalendarWords:
    """Return the numbers and dates in a text that was said on that day."""
    plain = folded(text)
    tokens = words(plain)
    months = {slot for word in tokens for slot in word_table(*_MONTHS).get(word, ())}
    weekdays = {slot for word in tokens for slot in word_table(*_WEEKDAYS).get(word, ())}
    pairs: set[tuple[int, int]] = set()
    years = {int(year) for year in _YEARS.findall(plain)}
    years |= {each for year in _SHORT_YEARS.findall(plain) for each in _full_years(year)}
    for one, other, year in _PAIR.findall(ISO_DAY.sub(" ", plain)):
        pairs |= {(int(one), int(other)), (int(other), int(one))}
        if len(year) == 2:
            years |= _full_years(year)
    pairs |= {(int(day), int(month)) for month, day in _KANJI_DAY.findall(plain)}
    months |= {int(month) for month in _KANJI_MONTH.findall(plain)}
    months |= {month for _, month in pairs if month <= 12}
    days, weeks = _spans(text, said_on)
    days |= set(iso_days(plain))
    months |= {day.month for day in days}
    return CalendarWords(
        numbers=frozenset(numbers(text)),
        ordinals=frozenset(n for word in tokens for n in word_table(*_ORDINALS).get(word, ())),
        months=frozenset(months),
        weekdays=frozenset(weekdays | {day.weekday() for day in days}),
        years=frozenset(years),
        pairs=frozenset(pairs),
        days=frozenset(days),
        weeks=frozenset(weeks),
        said_on=frozenset({said_on}),
    )


def days_within(text: str, said_on: date, first: date, last: date) -> list[date]:
    """Return the days from `first` to `last` that a text of the day `said_on` names. A year in the
    text is ignored: a date returns each year, as a birthday does, and 29 February on the 28th where
    there is none. A weekday alone names no day."""
    said, iso = read(text, said_on), {(day.day, day.month) for day in iso_days(folded(text))}

    def names(day: int, month: int) -> bool:
        if (day, month) in said.pairs or (day, month) in iso:
            return True
        is_numbered = str(day) in said.numbers or day in said.ordinals
        return month in said.months and is_numbered and not iso

    span = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return [
        day
        for day in span
        if day in said.days
        or names(day.day, day.month)
        or ((day.day, day.month) == (28, 2) and not isleap(day.year) and names(29, 2))
    ]


def falls_on(text: str, said_on: date, day: date) -> bool:
    """Return whether something falls on `day` according to a text of the day `said_on`.

    The text names that date: with its year, or without one as the nearest to `said_on`. Birthdays
    and anniversaries return each year, and those of 29 February on the 28th where there is none.
    """
    said = read(text, said_on)
    dates = {(each.day, each.month) for each in said.days}
    is_last = (day.day, day.month) == (28, 2) and not isleap(day.year)
    if (day.day, day.month) not in dates and not (is_last and (29, 2) in dates):
        return False
    if _YEARLY.search(folded(text)):
        return True
    return day.year in said.years if said.years else abs(day - said_on) <= _HALF_YEAR


def joined(read_texts: Iterable[CalendarWords]) -> CalendarWords:
    """Return one CalendarWords with the words of all texts."""
    every = list(read_texts)

    def union(name: str) -> frozenset[object]:
        return frozenset().union(*(getattr(each, name) for each in every))

    return CalendarWords(**{name: union(name) for name in CalendarWords.__slots__})  # type: ignore[arg-type]  # the same field of each


def iso_days(text: str) -> Iterator[date]:
    """Yield the valid dates written as YYYY-MM-DD in a text."""
    for year, month, day in ISO_DAY.findall(text):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue


def numbers(text: str) -> set[str]:
    """Return the numbers of a text as digits, without separators of thousands; decimals and times
    with a point, number words up to a thousand as digits, an afternoon hour as 7 and 19."""
    plain = folded(text)
    bare = _SCALED.sub(lambda match: match[0] if match[2] == "k" else " ", plain)  # a run of 5k
    found = {number for token in _TOKEN.findall(bare) for number in _canonical(token)}
    found |= {token.replace(" ", "") for token in _SPACED.findall(plain)}
    found |= {str(n) for _, values in spoken_numbers(plain) for n in values}
    found |= {str(int(hour) + 12) for hour in _AFTERNOON.findall(plain)}
    found |= {str(int(hour) - 12) for hour in _HOUR.findall(plain)}
    found |= {_scaled(match) for match in _SCALED.finditer(plain)}
    found |= {str(each) for year in _SHORT_YEARS.findall(plain) for each in _full_years(year)}
    for sentence in split_sentences(text):
        found |= _times(sentence)
    return found


def _scaled(match: re.Match[str]) -> str:
    """Return the number that "1.2 million" or "54k" is, in digits."""
    return str(round(float(match[1].replace(",", ".")) * _SCALES.get(match[2], 1000)))


def _full_years(year: str) -> set[int]:
    """Return the years that two digits may mean."""
    return {1900 + int(year), 2000 + int(year)}


def _times(text: str) -> set[str]:
    """Return the times of day in a sentence: "half past 7 in the evening" as 7.3 and 19.3."""
    found: set[str] = set()
    while True:
        moment, rest, place, *_ = time_of_day(text)
        if moment is None or place < 0:
            return found
        written = " ".join(text[place : len(text) - len(rest[place:])].split())
        if _TOKEN.search(folded(written)) or any(spoken_numbers(folded(written))):  # not "tonight"
            hours = {moment.hour, moment.hour % 12 or 12} if moment.hour > 12 else {moment.hour}
            found |= {each for hour in hours for each in _canonical(f"{hour}:{moment:%M}")}
        text = rest


def stated_numbers(text: str, *, known: Collection[str]) -> set[str]:
    """Return the numbers in a line, each in one form; words in `known` do not count as numbers."""
    plain = _CLOCK.sub(r"\1:\2", folded(text))
    plain = _SCALED.sub(lambda match: match[0] if match[2] == "k" else _scaled(match), plain)
    spaced = _SPACED.findall(plain)
    found = {token.replace(" ", "") for token in spaced}
    for token in spaced:
        plain = plain.replace(token, " ")
    found |= {number for token in _TOKEN.findall(plain) for number in _canonical(token)}
    for written, values in spoken_numbers(plain):
        if not all(word in known or word in _NO_NUMBERS for word in written):
            found.add(str(min(values)))
    return found


def month_of(word: str, *, has_capital: bool) -> frozenset[int]:
    """Return the months that a word may mean; none if it is also an ordinary word."""
    return _slots(_MONTHS, word, has_capital)


def weekday_of(word: str, *, has_capital: bool) -> frozenset[int]:
    """Return the weekdays that a word may mean; none if it is also an ordinary word."""
    return _slots(_WEEKDAYS, word, has_capital)


def _slots(table: tuple[str, int], word: str, has_capital: bool) -> frozenset[int]:
    plain = folded(word)
    if not has_capital and (plain in _AMBIGUOUS or len(plain) < 4):
        return frozenset()
    return word_table(*table).get(plain, frozenset())


def is_month_or_weekday(word: str) -> bool:
    """Return whether a word, written with a capital, may mean a month or a weekday."""
    return bool(month_of(word, has_capital=True) or weekday_of(word, has_capital=True))


def _canonical(token: str) -> list[str]:
    if _GROUPED.fullmatch(token):
        return [re.sub(r"\D", "", token)]
    if match := _GROUPED_DECIMAL.fullmatch(token):
        token = f"{re.sub('[^0-9]', '', match[1])}.{match[2]}"
    parts = re.split(r"[.,:'’]", token)
    if len(parts) == 2:
        whole, rest = parts[0].lstrip("0") or "0", parts[1].rstrip("0")
        return [f"{whole}.{rest}" if rest else whole]
    return [part.lstrip("0") or "0" for part in parts]


def _spans(text: str, said_on: date) -> tuple[set[date], set[tuple[date, date]]]:
    days: set[date] = set()
    weeks: set[tuple[date, date]] = set()
    for part in [text, *split_sentences(text)]:
        found = time_range(part, said_on)
        for first, last in found.spans if found else ():
            if first == last:
                days.add(first)
            elif last - first < timedelta(days=7):
                weeks.add((first, last))
    return days, weeks

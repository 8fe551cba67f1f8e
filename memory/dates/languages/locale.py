"""The data types of a language's words for time, which are in the YAML files beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class RepeatWords:
    """How one language says that something repeats: regular expressions. Commas separate the slots
    of a list; a slot may be empty.

    `every`: before what follows. `other`: every other. `units`: day, week, month, year;
    `weekdays`: from Monday; `numbers`: from two to six; `parts`: morning, noon, afternoon, evening.
    `both`: between two weekdays, like a comma. `on_days`: what says without `every` that something
    repeats on those `{days}`: "on Mondays"; `plurals`: the form of the weekdays in it. `of_month`:
    the day `{n}` of each month. `ordinals`: first to fourth, and last; `nth`: the `{nth}` `{day}`
    of each month, with the groups `each` and `monthly`, one of which is needed, and `tail`.
    `workdays`: from the `{first}` to the `{last}` workday; `alternate`: the `{days}` of every other
    week. `a_day`: how many times each day. `lasts`: for how long, `{n}` times a `{unit}`.
    `phrases`: others, by the rule that they mean, in the file one or a list; an `{adverb}` is
    followed by nothing that would make it an adjective ("the daily report"). `spaced`: whether
    words are separated by spaces.
    """

    every: str
    units: str
    weekdays: str
    both: str
    other: str = ""
    numbers: str = ""
    parts: str = ""
    of_month: Sequence[str] = ()
    ordinals: str = ""
    on_days: str = ""
    plurals: str = ""
    nth: str = ""
    workdays: str = ""
    alternate: str = ""
    a_day: str = ""
    lasts: Sequence[str] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Locale:
    """The words of one language, for memory/dates/letters.py. To add a language, add its file here,
    and its name in `__init__.py`.

    `,` separates the slots of a list (twelve months), `|` the forms of one slot, and `week/s`
    means "week" and "weeks". A form may have several words; the longest form wins. Case, accents
    and apostrophes do not matter. `+` marks a month, season or holiday that is a time even without
    a preposition; `~` marks a weekday, or one of the other holidays, that is one only with a
    preposition.
    """

    name: str
    months: str
    weekdays: str  # from Monday
    days: str  # the day before yesterday, yesterday, today, tomorrow, the day after tomorrow; three
    # days ago, in three days
    units: str  # day, week, month, year, weekend, two weeks, quarter, half a year, a
    # working day
    seasons: str  # spring, summer, autumn, winter
    thirds: str  # the beginning, the middle, the end of
    feasts: str  # Christmas Eve, Christmas, Christmas Day, New Year's Eve, New Year's Day, Good
    # Friday, Easter, Halloween, Valentine's Day, the second day of Christmas, between Christmas and
    # New Year, Advent, St Nicholas, Epiphany, All Saints, Ascension, Pentecost;
    # the National Day of China, Chinese New Year, the Mid-Autumn Festival
    counts: str  # from one
    vague: str  # a couple of, a few
    ordinals: str  # from the first; used only next to a month
    daytimes: str  # morning, evening: they add nothing to "yesterday evening"
    which: str  # before last, last, past (the days until today), this, next, after next
    distance: str  # ago, ago or before (German "vor"), later (after the days: "from now")
    leads: str  # on (even "am 5"), on (else), at or to ("au"), in, in or from now ("in two weeks")
    ranges: str  # since, since (after its day), between or from, until, and, as of
    blocks: str  # before, after, every: what follows alone is not the period in question
    articles: str  # ignored words; articles by which a weekday means every week: "le lundi"
    asks: str  # separated by spaces: the words of "what did I do", and "notes", "messages"
    past_tense: str  # separated by spaces: the question is about the past
    future: str
    rates: str  # "how many": days after "in" are a duration
    ages: str  # "how old was I in 2010": not a question about a period
    repeats: RepeatWords
    clock: Mapping[str, str]  # times of day and delays: see memory/dates/clock_words.py
    present: str = ""  # a weekday may be the next one: "what's on Friday?"
    next_to: str = ""  # the day before, the day after (a date or a holiday)
    weeks_of: str = ""  # "week of": the number after it is a day
    never: str = ""  # phrases that only look like a time
    holidays: str = ""  # a country's other holidays, each after its code (calendar.holiday_code)
    month_ends: str = ""  # what means the end of a month: "eom"
    tails: str = ""  # daytimes that are written together with a weekday: "Sonntagabend"
    to_the: str = ""  # of the leads, what contains an article: "al 19" is a day, "a 19" is not
    calendar_weeks: str = ""  # what stands before the number of a week
    weekday_plurals: str = ""  # where they differ, for "two Fridays ago"
    halves: str = ""  # the first half, the second half
    exact: str = ""  # "exactly", "to the day": a year ago is that day, not the weeks around it
    hours: str = ""
    working_days: str = ""  # the first and the last one of a month, in one word
    recent: str = ""  # "the last few" days, weeks, months where "few" is left out
    has_compounds: bool = False  # "Sunday roast": a weekday before a noun is not a time
    has_bare_ago: bool = False  # "a week ago" has no "a" in this language
    has_spaces: bool = True
    weekday_names_week: bool = False  # "last Monday" is last week's: Chinese 上周一

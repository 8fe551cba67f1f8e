"""Make definite what a reminder says of its time: one text for each of several times or days, an
hour for "after lunch", a delay for "soon". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime

from . import clock_words as words
from .calendar import UNKNOWN, Region, Span, region_of
from .clock import any_of, cut, delay, is_thing, time_of_day
from .due import Due, dotted_days, due_time
from .languages import LOCALES
from .period import TimeExpression, coming_times


def each_time(text: str, *, repeats: bool = False) -> list[str]:
    """Return the text once for each of several times of day: "every day at 8, 14:00 and 20:00
    pills", "every morning and evening pills". `repeats`: the text says how often."""
    if both := _TWO_PARTS.search(text):
        begin, end = text[: both.start()], text[both.end() :]
        return [f"{begin}{both[part]}{end}" for part in ("one", "two")]
    if not (found := _TIMES.search(text)) or _BETWEEN.search(text[: found.start()]):
        return [text]
    times = _ONE_TIME.findall(found["times"])
    if any(each.startswith("0") or (each.isdecimal() and int(each) > 12) for each in times):
        times = [f"{each:0>2}:00" if each.isdecimal() else each for each in times]  # not "8 pm"
    times = [f"{found['at'] or ''}{each}" for each in times]
    if None in [time_of_day(each).moment for each in times]:
        return [text]
    begin, end = text[: found.start()], text[found.end() :]
    may_count = len(times) == 2 and not found["again"] and found["last"].isdecimal()
    if may_count and not repeats and is_thing(found["and"], end):
        return [text]
    return [f"{begin}{each}{end}" for each in times]


def with_usual_hour(text: str) -> str:
    """Return the text with "13:00" for "after lunch", if it names no other time."""
    found = _USUAL.search(text)
    if found is None or delay(text) is not None or time_of_day(text).moment is not None:
        return text
    hour = _meant(words.USUAL, found[0])
    return f"{text[: found.start()]} {hour:02}:00 {text[found.end() :]}".strip()


def definite(text: str) -> str | None:
    """Return the text with "in 30 minutes" for "in a bit" or "soon" at one of its ends, and with
    three hours for "later"; None without such words."""
    if (found := _VAGUE.search(text)) is None:
        return None
    minutes = _meant(words.VAGUE, found[1] or found[2])
    return f"in {minutes} minutes {cut(text, *found.span())}".strip()


def days_mentioned(text: str, said: date, *, region: Region = UNKNOWN) -> Iterator[Span]:
    """Yield the days to come that a text in NFC mentions, as of the day on which it was said."""
    for each in coming_times(text, said, region=region, until=True):
        yield from each.spans[:1]
    for dotted in dotted_days(text, said):
        yield from ((day, day) for day in dotted.days)


def behind_until(text: str) -> str:
    """Return what is behind "until" or "to" at the beginning of a text, or before it at the end, as
    in Japanese; "" without such a word."""
    found = _UNTIL.fullmatch(text)
    return next(filter(None, found.groups())).strip() if found else ""


def with_goal(text: str, now: datetime) -> str:
    """Return the text with the date for "to the 10th" at its end; as it is without such words."""
    times = coming_times(text, now.date(), region=region_of(now.tzinfo), until=True)
    if times and not any(map(str.isalnum, text[times[-1].end :])):
        days = [first for first, last in times[-1].spans if first == last and first >= now.date()]
        return f"{text[: times[-1].begin].rstrip()} {days[0]}" if days else text
    return text


def _meant(table: Mapping[str, int], said: str) -> int:
    return next(value for forms, value in table.items() if said.casefold() in forms.split("|"))


def each_day(text: str, now: datetime) -> list[str]:
    """Return the text once for each of several days on which it is due: "on Monday and Thursday at
    9 Ana", "am 3.12. und 5.12. Ana". `now` is as in `due_time`."""
    for split in (_each_numeric_day, _each_moment):
        if len(split_texts := split(text, now)) > 1:
            return split_texts
    region = region_of(now.tzinfo)
    found = list[TimeExpression]()
    for each in coming_times(text, now.date(), region=region):
        if found and not _AND.fullmatch(text, found[-1].end, each.begin):
            if len(found) > 1:
                break
            found = []
        found.append(each)
    if all(each.kind == "of_month" for each in found):
        found = _two_at_the_beginning(text, now.date(), region) or found
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


def _two_at_the_beginning(text: str, today: date, region: Region) -> list[TimeExpression]:
    """Return two days of a month that the first words name alone, [] if they do not: of all words
    the second number may count things."""
    for number in _DAY_OF_MONTH.finditer(text[:_FIRST]):
        times = coming_times(text[: number.end()], today, region=region)
        if [each.kind for each in times] == ["both"]:
            return times
    return []


def _each_numeric_day(text: str, now: datetime) -> list[str]:
    """Return the text once for each of several dates in numbers; none without them. "am 3. und
    5.12." is in one month."""
    if not (found := _DATES.search(text)):
        return []
    texts, on = dict[date, str](), (found["on"] or "").strip().casefold()
    is_typed = not on or (region_of(now.tzinfo).month_first and on in ("on", "by"))
    numbers = _ONE_DATE.findall(found["dates"])
    sign, month = next((sign, month) for _, sign, month, _ in reversed(numbers) if month)
    for day, _, of_month, year in numbers:
        number = f"{day}.{of_month or month}.{year.lstrip('./')}"
        if is_typed:
            number = f"{day}{sign}{of_month or month}{year}"
        one = f"{text[: found.start()]}{_SINGULAR.get(on, on)} {number}{text[found.end() :]}"
        due = due_time(one, now)
        if not isinstance(due, Due) or not due.has_day or due.day in texts or number in due.rest:
            return []  # "at 9 mix 1/2 and 3/4 cups"
        texts[due.day] = one
    return list(texts.values())


def _each_moment(text: str, now: datetime) -> list[str]:
    """Return the text once for each of two days with a time of their own: "Ana on Monday at 9 and
    Thursday at 10"; none without them."""
    splits = list[tuple[int, list[str]]]()
    for one, two in halves(text):
        dues = [due for each in (one, two) if isinstance(due := due_time(each, now), Due)]
        if len(dues) == 2 and all(due.time and due.has_day for due in dues):
            rests = [due.rest for due in dues]
            # Not "tomorrow at 9 tell Ana about Friday at 8 and Monday at 9".
            if not all(rests) and due_time("".join(rests), now) is None:
                texts = [f"{one} {rests[1]}".strip(), f"{two} {rests[0]}".strip()]
                splits.append((sum(map(len, rests)), texts))
    # The one that explains most words: the first "y" of "a las 9 y media y el jueves a las 10" is
    # within a time.
    return min(splits, default=(0, []))[1]


def halves(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text in two parts, for each comma and each "and" between them."""
    for joiner in _AND.finditer(text):
        yield text[: joiner.start()], text[joiner.end() :]


_FIRST = 40  # characters
_DAY_OF_MONTH = re.compile(
    r"\d(?:\.|er|e|st|nd|rd|th)(?=\s)|(?<!\w)(?:le|el|il) \d{1,2}(?=\s)", re.I
)
_PARTS = any_of([words.BEFORE_NOON, words.AFTER_NOON, words.EVENING, words.NIGHT])
_TIME = r"\d{1,2}(?:[:.h]\d\d)?(?:\s?(?:[ap]\.?m\b\.?|uhr|h|o'clock))?"
_TIME += rf"(?:\s(?:{_PARTS}))?(?![\w:/])"
_ONE_TIME = re.compile(_TIME, re.IGNORECASE)
_TIMES = re.compile(
    rf"(?<!\w)(?P<at>(?:{any_of(words.AT)})\s+)?(?P<times>{_TIME}(?:,\s*{_TIME})*"
    rf",?\s+(?P<and>{words.AND}|&)\s+(?P<again>(?:{any_of(words.AT)})\s+)?(?P<last>{_TIME}))",
    re.IGNORECASE,
)
_USUAL = re.compile(rf"(?<![a-zà-žа-я])(?:{any_of(words.USUAL)})(?![a-zà-žа-я])", re.IGNORECASE)
_SOON = any_of(words.VAGUE)
_VAGUE = re.compile(
    rf"^({_SOON})(?![a-zà-žа-я])|(?<![^\W\u3040-\u9fff])({_SOON})[.!。]*$", re.IGNORECASE
)
_SPACED_UNTIL, _UNTIL_UNSPACED = (
    any_of(
        form.split()[0]  # "fino alle 6" has no "fino a"
        for each in LOCALES
        if each.has_spaces is spaced
        for form in each.ranges.split(", ")[3].split("|")
    )
    for spaced in (True, False)
)
_UNTIL = re.compile(
    rf"(?:{_SPACED_UNTIL})\s+(?P<spaced>.+)".replace("'", "['’]")
    + rf"|(?:{_UNTIL_UNSPACED})(?P<behind>.+)|(?P<before>.+?)(?:{_UNTIL_UNSPACED})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(rf"(?<!\w)(?:{words.BETWEEN})\s+$", re.IGNORECASE)
_AND = re.compile(rf"(?<!\s)\s*(?:[,，、]|[和与與]|と|,?\s(?:{words.AND}|&)\s)\s*", re.IGNORECASE)
_SINGULAR = {"les": "le", "los": "el", "los días": "el", "i": "il", "nos dias": "no dia"}
_SINGULAR |= {"dias": "no dia", "dia": "no dia", "no dia": "no dia"}
_ON = rf"(?:{any_of([words.ON, *_SINGULAR])})\s+"
_SPACED = [each.repeats for each in LOCALES if each.has_spaces]
_WEEKDAY = "|".join(each for language in _SPACED for each in language.weekdays.split(", "))
_DAY = rf"(?:(?:{_WEEKDAY})\.?,?\s+)?\d{{1,2}}"
_FULL = r"(?:\.\s?\d{1,2}(?:\.(?:\d{4}|\d\d)?)?|/\d{1,2}(?:/\d{4}|/\d\d)?)(?![\w/])"
_DATES = re.compile(
    rf"(?<![\w.,:/])(?P<on>{_ON})?(?P<dates>{_DAY}(?:{_FULL}|\.)?(?:,\s*{_DAY}(?:{_FULL}|\.)?)*"
    rf",?\s+(?:{words.AND}|&)\s+(?:{_ON})?{_DAY}{_FULL})",
    re.IGNORECASE,
)
_ONE_DATE = re.compile(
    r"(?<![./\d])(\d{1,2})(?:([./])(?:\s?(\d{1,2})((?:[./](?:\d{4}|\d\d)?)?))?)?"
)
_PART = "|".join(each for language in _SPACED for each in language.parts.split(", ") if each)
_TWO_PARTS = re.compile(
    rf"(?<!\w)(?P<one>(?:{_PART})s?),? (?:{words.AND}|&) (?P<two>(?:{_PART})s?)(?!\w)",
    re.IGNORECASE,
)

"""Find what was said in advance about today or a later day: "what's on 19 January?" asks for the
messages that mention that day, whenever they were sent. Relative mentions count too: "the dentist,
next Friday".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import date, timedelta
from functools import cache

from ...dates.calendar import WINTER, Span, name_in
from ...dates.languages import LOCALES
from ...dates.letters import forms_of
from ...dates.several import days_mentioned
from ...infra.sqlite import Connection, Row
from ...text.clause_words import grammatical_words
from ...text.languages.phrase_tables import every_phrase
from ...text.tokenize import content_words, match_query, terms
from ...text.word_forms import folded
from .query import Question

_LONGEST = 45  # days of the period that is asked for
_WEEK = 7  # days: so far ahead a weekday names a day, and so long may a mention be of a day
_LOOKED_AT = 40  # passages of each kind, the newest first: to read one takes a millisecond
_MONTH = timedelta(days=31)  # so far ahead the number of a day names it
_BACK = timedelta(days=366)  # an older "19 January" was another one
_SENTENCE = re.compile(r"(?<=[!?…。！？])\s+|(?<=[^\W\d]\.)\s+|\n")  # not at "22. Mai"


def upcoming_passages(db: Connection, question: Question) -> tuple[list[Row], Span | None]:
    """Return the owner's passages that mention a future day named by the question, newest first,
    and the named period if the question asks for nothing else.

    If the question asks for something other than appointments, each passage has one of its words.
    "On Friday" may be a future day. Today counts as one, unless the question is in the past tense;
    of the current week, the remaining days do.
    """
    period, today = question.period, question.today
    if period is None:
        return [], None
    earliest = today + timedelta(days=period.is_past)
    coming = [span for span in period.spans if (span[0] if period.is_past else span[1]) >= earliest]
    if not coming or (coming[0][1] - coming[0][0]).days > _LONGEST:
        return [], None
    first, last = max(coming[0][0], today), coming[0][1]
    rows: dict[int, Row] = {}
    for words, query, since in _queries(first, last, today):
        for row in _found(db, question, query, since):
            is_before = row["date"] is None or row["date"] < first.isoformat()
            if row["id"] in rows or not is_before:
                continue
            if _mentions(row, words, (first, last), question):
                rows[row["id"]] = row
    wanted = set() if period.bare else _content(period.rest)
    found = [
        row
        for _, row in sorted(rows.items(), reverse=True)
        if not wanted or not wanted.isdisjoint(terms(row["text"]))
    ]
    is_all = period.bare and period.spans[0] == coming[0]
    return found[: question.limit], coming[0] if is_all else None


def _content(rest: str) -> set[str]:
    """Return what a question asks for beside the day, without words for anything that is on: who
    says "the dentist, Thursday at five" uses none of them."""
    small, anything = grammatical_words(rest), every_phrase("appointments")
    return {word for word in content_words(rest) if folded(word) not in small} - anything


def _found(db: Connection, question: Question, query: str, since: date) -> list[Row]:
    where, given = question.where()
    return db.execute(
        "SELECT chunk.* FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid"
        f" WHERE chunk_fts MATCH ? AND {where} AND coalesce(date, '9') >= ? AND asking < 1"
        " AND manual = 0 AND coalesce(role, '') != 'assistant' ORDER BY chunk.id DESC LIMIT ?",
        (query, *given, since.isoformat(), _LOOKED_AT),
    ).fetchall()


def _mentions(row: Row, words: Set[str], asked: Span, question: Question) -> bool:
    """Return whether a sentence with one of the words mentions a day of the period, seen from the
    day on which it was said."""
    said = date.fromisoformat(row["date"]) if row["date"] else question.today
    longest = max(_WEEK, (asked[1] - asked[0]).days)
    return any(
        first <= asked[1] and asked[0] <= last and (last - first).days <= longest
        for sentence in _SENTENCE.split(row["text"])
        if not words or not words.isdisjoint(terms(sentence))
        for first, last in days_mentioned(sentence, said, region=question.region)
    )


def _queries(first: date, last: date, today: date) -> Iterator[tuple[set[str], str, date]]:
    """Yield the words by which a text may name a day of the period, the FTS5 query for them, and
    since when it may have been said."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    months = _terms(name for day in days for name in _names("months")[day.month - 1])
    numbers = _terms(form for day in days for form in _forms_of(day.day))
    dotted = {
        f'"{number} {month}"'
        for day in days
        for number in {f"{day.day}", f"{day.day:02}"}
        for month in {f"{day.month}", f"{day.month:02}"}
    }
    dotted |= {f'"{day.month} {day.day}"' for day in days}  # "9/29"
    dotted |= {f'"{day.year} {day.month:02} {day.day:02}"' for day in days}
    both = f"({match_query(months)}) AND ({match_query(numbers)})"
    yield months, both, today - _BACK
    yield numbers, " OR ".join(sorted(dotted)), today - _BACK
    if feasts := {f'"{name}"' for name in _feasts(days)}:
        yield set(), " OR ".join(sorted(feasts)), today - _BACK
    if len(days) <= _WEEK:
        near = _terms(name for day in days for name in _names("weekdays")[day.weekday()])
        near |= _terms(_next_days())
        yield near, match_query(near), first - timedelta(days=_WEEK + 1)
        yield numbers, match_query(numbers), first - _MONTH  # "it's on the 19th"


def _feasts(days: Sequence[date]) -> Iterator[str]:
    """Yield the names of the holidays on those days, in all languages."""
    for number, names in enumerate(_names("feasts"), WINTER + 1):
        spans = filter(None, (name_in(year, number) for year in {day.year for day in days}))
        if any(one <= days[-1] and days[0] <= other for one, other in spans):
            yield from names


def _forms_of(number: int) -> list[str]:
    return [str(number), f"{number:02}", *(f"{number}{end}" for end in ("st", "nd", "rd", "th"))]


def _terms(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in terms(name) if " " not in word}


@cache
def _names(field: str) -> list[list[str]]:
    """Return the names of the months, weekdays or holidays in all languages, by their number."""
    named: dict[int, list[str]] = {}
    for locale in LOCALES:
        for slot, _, form in forms_of(getattr(locale, field), locale.has_spaces):
            named.setdefault(slot, []).append(" ".join(form))
    return [named[slot] for slot in range(len(named))]


@cache
def _next_days() -> list[str]:
    """Return "tomorrow" and "the day after tomorrow", in all languages, where one word says it."""
    return [
        form[0]
        for locale in LOCALES
        for slot, _, form in forms_of(locale.days, locale.has_spaces)
        if slot > 2 and len(form) == 1
    ]

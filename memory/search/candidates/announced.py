"""Find what was said about a day to come: "what's on 19 January?" asks for the messages that
mention that day, whenever they were sent. Relative mentions count too: "the dentist, next Friday".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache

from ...dates import time_range
from ...dates.calendar import Span
from ...dates.due import days_mentioned
from ...dates.letters import forms_of
from ...dates.locales import LOCALES
from ...infra.sqlite import Connection, Row
from ...text.tokenize import content_words, match_query, terms
from .query import Question

_LONGEST = 45  # days of the period that is asked for
_WEEK = 7  # days: so far ahead a weekday names a day, and so long may a mention be of a day
_LOOKED_AT = 300  # passages, the newest first
_BACK = timedelta(days=366)  # an older "19 January" was another one


def announced(db: Connection, question: Question) -> tuple[list[Row], bool]:
    """Return the passages of the owner's that mention a day to come that the question names, the
    newest first, and whether it asks for nothing else.

    If it asks for something else, they have a word of that. "On Friday" may be a day to come.
    """
    period = time_range(question.text, question.today)
    if period is None:
        return [], False
    coming = [span for span in period.spans if span[0] > question.today]
    if not coming or (coming[0][1] - coming[0][0]).days > _LONGEST:
        return [], False
    first, last = coming[0]
    where, given = question.where()
    rows = db.execute(
        "SELECT chunk.* FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid"
        f" WHERE chunk_fts MATCH ? AND {where} AND coalesce(date, '9') >= ? AND asking < 1"
        " AND manual = 0 AND coalesce(role, '') != 'assistant' ORDER BY chunk.id DESC LIMIT ?",
        (
            match_query(_words_of(first, last)),
            *given,
            (question.today - _BACK).isoformat(),
            _LOOKED_AT,
        ),
    ).fetchall()
    wanted = set() if period.bare else set(content_words(period.rest))
    found = [
        row
        for row in rows
        if _mentions(row, (first, last), question.today)
        and (not wanted or not wanted.isdisjoint(terms(row["text"])))
    ]
    return found[: question.limit], period.bare and period.spans[0] == coming[0]


def _mentions(row: Row, asked: Span, today: date) -> bool:
    """Return whether a passage mentions a day of the period, seen from the day on which it was
    said."""
    said = date.fromisoformat(row["date"]) if row["date"] else today
    longest = max(_WEEK, (asked[1] - asked[0]).days)
    return any(
        first <= asked[1] and asked[0] <= last and (last - first).days <= longest
        for first, last in days_mentioned(row["text"], said)
    )


def _words_of(first: date, last: date) -> Sequence[str]:
    """Return the words by which a text may name a day of the period: numbers, months, weekdays."""
    found: dict[str, None] = {}
    for number in range(min((last - first).days, _LONGEST) + 1):
        day = first + timedelta(days=number)
        found.update(dict.fromkeys(_names("months")[day.month - 1]))
        if (last - first).days < _WEEK:
            found.update(dict.fromkeys(_names("weekdays")[day.weekday()]))
            found.update(dict.fromkeys((str(day.day), f"{day.day:02}")))
            found.update(dict.fromkeys(f"{day.day}{end}" for end in ("st", "nd", "rd", "th")))
    found.update(dict.fromkeys(_next_days()))
    return [word for name in found for word in terms(name) if " " not in word]


@cache
def _names(field: str) -> list[list[str]]:
    """Return the names of the months or weekdays in all languages, by their number."""
    named: list[list[str]] = [[] for _ in range(12)]
    for locale in LOCALES:
        for slot, _, form in forms_of(getattr(locale, field), locale.has_spaces):
            named[slot].append(" ".join(form))
    return named


@cache
def _next_days() -> list[str]:
    """Return "tomorrow" and the words for next weeks, in all languages."""

    def every() -> Iterator[str]:
        for locale in LOCALES:
            for slot, _, form in forms_of(locale.days, locale.has_spaces):
                if slot > 2 and len(form) == 1:
                    yield form[0]

    return list(every())

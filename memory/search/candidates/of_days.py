"""Find what is of the days that a question names."""

from __future__ import annotations

from itertools import zip_longest

from ...dates import TimeRange
from ...infra.sqlite import Connection, Row
from .query import OF_PERIOD, Hit, Question, hit_of

_MOST, _LONGEST = 300, 45  # passages, days; in a longer period only words and vectors find


def ids_of_days(db: Connection, question: Question, period: TimeRange) -> list[int]:
    """Return the ids of the period's passages, those of its likeliest days first."""
    found: list[int] = []
    for first, last in period.spans:
        if (last - first).days > _LONGEST:
            continue
        where, given = question.where()
        rows = db.execute(
            f"SELECT id FROM chunk INDEXED BY chunk_date WHERE {where} AND date BETWEEN ? AND ?"
            " ORDER BY id DESC LIMIT ?",
            (*given, first.isoformat(), last.isoformat(), _MOST),
        ).fetchall()
        found += [row["id"] for row in rows]
    return found[:_MOST]


def hits_of_days(db: Connection, question: Question, period: TimeRange) -> list[Hit]:
    """Return what the owner said and noted in the likeliest non-empty span of the period, or in all
    of its spans if all are meant, in order.

    If there is more than the limit, the spans share it. In each, prefer summaries to messages, then
    those with the most words outside questions.
    """
    spans: list[list[Row]] = []
    for span in period.spans:
        where, given = question.where()
        rows = db.execute(
            f"SELECT * FROM chunk INDEXED BY chunk_date WHERE {where}"
            " AND date BETWEEN ? AND ? AND asking < 1"
            " AND manual = 0 AND coalesce(role, '') != 'assistant'"
            " ORDER BY kind = 'summary' DESC, words * (1 - asking) DESC, id LIMIT ?",
            (*given, *(day.isoformat() for day in span), question.limit),
        ).fetchall()
        spans.append(rows)
        if rows and not period.are_all_meant:
            break
    in_turn = (row for rows in zip_longest(*spans) for row in rows if row is not None)
    found = {row["id"]: row for row in in_turn}  # spans may overlap
    return [
        hit_of(row, OF_PERIOD) for row in sorted([*found.values()][: question.limit], key=_said_at)
    ]


def _said_at(row: Row) -> tuple[str, int, int]:
    """Order a day: its notes, then its messages as sent; one that was edited has a new id."""
    return row["date"], row["message_id"] or 0, row["id"]

"""Find what denies a number of the best hit: "it was 140, not 120" has no word of "How much was the
sharpening?", which finds "he did them for 120".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from ...infra.sqlite import Connection, Row
from ...text.change_words import DENIED
from ...text.grammar import asks_for_another_part
from ...text.tokenize import match_query, telling_terms
from ...text.word_forms import words
from .query import Hit, Question, hit_of
from .sql import COLUMN_GROUPS

_MANY = 8  # numbers of a message; one with more is a list, and not about one of them
_CHAIN = 3  # times that a number may be corrected
_WITHIN = {1: timedelta(days=3), 2: timedelta(days=14)}
"""How long after it a number of so many digits may be denied: a short one says little."""
_LATER = timedelta(days=60)
_LOOKED_AT = 300  # passages with one of the numbers, the oldest first: a digit is in thousands
_NUMBER = re.compile(r"(?<!\w)\d\w*(?:[.,:/]\d\w*)*")
_ENDINGS = ("st", "nd", "rd", "th")
_ORDINAL = re.compile(rf"(?<=\d)(?:{'|'.join(_ENDINGS)})$")


def denied_first(db: Connection, question: Question, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, with a later message that denies a number of the best one before it; that
    one gets the message's day as `until`. If it has other numbers, too, the question may be about
    these, and the later message comes behind it. One about another part of the best hit changes
    nothing.

    The two need no other word in common, if nothing else was said with that number in between.
    """
    new, old = None, hits[0] if hits else None
    for _ in range(_CHAIN):
        later = _denial(db, question, new or old) if old else None
        if later is None:
            break
        new = later
    if new is None or old is None:
        return [*hits]
    if asks_for_another_part(question.text, old.text, lambda part: bool(_numbers(part))):
        return [*hits]
    rest = [hit for hit in hits[1:] if hit.chunk_id != new.chunk_id]
    if len(_numbers(old.text)) > 1:
        return [old, new, *rest]
    return [new, old._replace(until=old.until or new.date), *rest]


def _denial(db: Connection, question: Question, old: Hit) -> Hit | None:
    """Return the first later message that denies a number of a message and names another."""
    values = _numbers(old.text)
    if not (old.is_message and old.date and 0 < len(values) <= _MANY):
        return None
    about = {word for word in telling_terms(old.text) if not _NUMBER.match(word)}
    for row in _later(db, question, old, values):
        said = _numbers(row["text"])
        denied = {_bare(value) for value in DENIED.findall(row["text"])} & values
        if hit := _denies(row, old, denied) if denied and said - values else None:
            return hit
        if about.isdisjoint(telling_terms(row["text"])):
            values -= said  # a later denial is more likely to mean this one
    return None


def _denies(row: Row, old: Hit, denied: set[str]) -> Hit | None:
    """Return the row as a hit, unless it was said too late for such a short number."""
    hit = hit_of(row, old.score, weak=old.weak)
    if hit.date is None or old.date is None:
        return None
    digits = max(sum(map(str.isdigit, value)) for value in denied)
    return hit if hit.date - old.date <= _WITHIN.get(digits, _LATER) else None


def _later(db: Connection, question: Question, old: Hit, values: set[str]) -> list[Row]:
    """Return the rows of the later messages with one of the numbers, by the same person, or by
    somebody whom Sam answered."""
    where, given = question.where()
    assert old.date is not None
    written = {f"{value}{end}" for value in values for end in ("", *_ENDINGS)}
    query = match_query(sorted(" ".join(words(value)) for value in written))
    rows = db.execute(
        "SELECT chunk.* FROM chunk JOIN (SELECT rowid AS found FROM chunk_fts"
        " WHERE chunk_fts MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?) ON chunk.id = found"
        f" WHERE {where} AND date BETWEEN ? AND ? AND asking < 1"
        " AND kind = 'message' AND role = 'user' AND chat IS ? ORDER BY date, message_id",
        (
            f"{COLUMN_GROUPS[0]} : ({query})",
            old.chunk_id,
            _LOOKED_AT,
            *given,
            f"{old.date}",
            f"{old.date + _LATER}",
            old.chat,
        ),
    ).fetchall()
    first = (f"{old.date}", old.message_ids[-1])
    return [
        row
        for row in rows
        if (row["date"], row["message_id"]) > first
        and (old.role != "user" or row["author"] == old.author)
    ]


def _numbers(text: str) -> set[str]:
    return {_bare(value) for value in _NUMBER.findall(text)}


def _bare(value: str) -> str:
    """Return a number without the ending of an ordinal."""
    return _ORDINAL.sub("", value.casefold())

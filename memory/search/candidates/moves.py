"""Find where the owner moved, or began to work: "I moved to Lisbon" has no word of "Where do I
live?", which finds "I live in Berlin".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from itertools import product

from ...dates import time_range
from ...infra.sqlite import Connection
from ...text.clause_words import grammatical_words
from ...text.grammar import (
    PlaceKind,
    StatedPlace,
    asks_for_home,
    is_another_place,
    stated_places,
)
from ...text.languages.phrase_tables import every_phrase
from ...text.tokenize import content_words, match_query, terms
from ...text.word_forms import folded, is_inflected, words
from .query import Hit, Question, hit_of
from .sql import COLUMN_GROUPS

_BEST = 2  # hits of which one says where the owner lives or works
_LIKELY = 0.15  # score of an answer
_LOOKED_AT = 100  # passages, the newest first
_BEFORE = timedelta(days=31)  # so long before the older message the move may have been


def moved_first(db: Connection, question: Question, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, with the newest message about a move inserted if the question asks where
    somebody lives or works, and one of the best hits states a place that has changed since. Without
    any hits, return that message if the question asks where its speaker lives.

    The message goes before that hit, or after it if the hit has further words of the question:
    "What did I pay in Berlin?" Older hits that state another place get the day of the next move as
    `until`.
    """
    places = ((hit, _place_asked_for(hit, question)) for hit in hits[:_BEST])
    old, place = next(((hit, place) for hit, place in places if place), (None, None))
    if old is None or place is None:
        return [*hits] or _home(db, question)
    since = _moves(db, question, old.date, old.score)
    moves = [hit for hit in since if _has_moved(hit, place.kind, old)]
    said = [hit for hit in hits if _is_by(hit, old) and place.kind in _kinds(hit.text)]
    new = moves[0] if moves else old
    if any(_is_later(hit, new) for hit in said) or not is_another_place(new.text, old.text):
        return [*hits]
    found = [
        _until_moved(hit, moves) if hit in said else hit
        for hit in hits
        if hit.chunk_id != new.chunk_id
    ]
    at = next(number for number, hit in enumerate(found) if hit.chunk_id == old.chunk_id)
    more = _words_asked(question) - {*place.verb.split()} - grammatical_words(question.text)
    has_more = not more.isdisjoint(words(folded(old.text)))
    return [*found[: at + has_more], new, *found[at + has_more :]]


def _until_moved(hit: Hit, moves: Sequence[Hit]) -> Hit:
    """Return the hit with the day of the first later move to another place as `until`."""
    days = [
        move.date
        for move in moves
        if move.date and _is_later(move, hit) and is_another_place(move.text, hit.text)
    ]
    return hit._replace(until=hit.until or min(days, default=None))


def _place_asked_for(hit: Hit, question: Question) -> StatedPlace | None:
    """Return the place that a likely answer states in words of the question, if any."""
    if hit.score < _LIKELY or not _is_own(hit):
        return None
    asked = _words_asked(question)
    for place in stated_places(hit.text):
        verb = place.verb.split()
        if place.verb in question.text or any(is_inflected(*pair) for pair in product(verb, asked)):
            return place
    return None


def _words_asked(question: Question) -> set[str]:
    return {folded(word) for word in content_words(question.text)}


def _home(db: Connection, question: Question) -> list[Hit]:
    """Return the owner's newest message that says where they have moved, if the question asks where
    its speaker lives. In a group nobody knows who asks, and there is none."""
    if not asks_for_home(question.text):
        return []
    said = _moves(db, question, date.min, _LIKELY)
    return [hit for hit in said if not hit.author and _says_move(hit, "home", date.min)][:1]


def _moves(db: Connection, question: Question, since: date | None, score: float) -> list[Hit]:
    """Return what people said since that has a word for moving or beginning, the newest first."""
    where, given = question.where()
    rows = db.execute(
        "SELECT chunk.* FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid"
        f" WHERE chunk_fts MATCH ? AND {where} AND date >= ? AND asking < 1 AND role = 'user'"
        " ORDER BY date DESC, chunk.id DESC LIMIT ?",
        (f"{COLUMN_GROUPS[0]} : ({_query()})", *given, f"{since}", _LOOKED_AT),
    ).fetchall()
    return [hit_of(row, score) for row in rows]


@cache
def _query() -> str:
    """Return the FTS5 query for the words for moving and for beginning to work."""
    found = {term for word in every_phrase("relocations") for term in terms(word)}
    return match_query(sorted(found))


def _has_moved(hit: Hit, kind: PlaceKind, old: Hit) -> bool:
    """Return whether the one who said the old hit says later that they have moved since, not years
    before nor in days to come."""
    if not (_is_by(hit, old) and _is_later(hit, old) and old.date):
        return False
    return _says_move(hit, kind, old.date - _BEFORE)


def _says_move(hit: Hit, kind: PlaceKind, since: date) -> bool:
    """Return whether a hit says that somebody has moved since that day, and not in days to come."""
    if not hit.date or not any(
        place.kind == kind and place.has_begun for place in stated_places(hit.text)
    ):
        return False
    period = time_range(hit.text, hit.date)
    spans = period.spans if period else [(hit.date, hit.date)]
    return any(first <= hit.date and last >= since for first, last in spans)


def _kinds(text: str) -> set[PlaceKind]:
    return {place.kind for place in stated_places(text)}


def _is_by(hit: Hit, old: Hit) -> bool:
    """Return whether both are by one person. Lines of the vault are about the owner."""
    return _is_own(hit) and len({hit.author, old.author} - {""}) < 2


def _is_own(hit: Hit) -> bool:
    """Return whether a hit is a message of a person's, or a line about the owner."""
    return hit.role == "user" or hit.is_current


def _is_later(new: Hit, old: Hit) -> bool:
    """Return whether a hit is of a later day, or was said later on the same day."""
    if new.date is None or old.date is None or new.date != old.date:
        return bool(new.date and old.date and new.date > old.date)
    return bool(new.message_ids and old.message_ids) and new.message_ids > old.message_ids

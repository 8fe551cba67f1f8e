"""Recall: a question → hits. Reads the index; knows neither vault nor model, and writes nothing.

Keyword candidates (FTS5, BM25) and vector candidates (cosine) are ranked together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from .candidates import BY_SQL, Candidates
from .db import Connection, Row
from .folding import folded
from .fusion import fuse, scaled
from .period import spans
from .rerank import Candidate, rerank
from .spread import DEPTH, spread

Filter = Literal["all", "conversations", "knowledge"]
Mode = Literal["hybrid", "keywords", "vectors", "none"]

CANDIDATES = 150  # of each kind, and in all, at least: twice as many find no more
MOST_CANDIDATES = 1000  # sqlite-vec itself takes at most 4,096


class Hit(NamedTuple):  # a hundred are made a question: a tuple takes half the time
    """One passage found.

    `path`: a note's, or `log/<local day>` for a message; lines count from 1 in it (in the message).
    `score`: in [0, 1], comparable within one answer. `message_ids`: the message that it is; of a
    summary those that it came from, once `sources.sourced` has asked the log for them.
    """

    path: str
    start_line: int
    end_line: int
    heading: str
    text: str
    date: date | None
    kind: str
    role: str | None
    score: float
    chunk_id: int
    message_ids: tuple[int, ...]
    author: str = ""
    chat: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to one question; `degraded` says in a sentence what it had to do without."""

    query: str
    mode: Mode
    hits: list[Hit] = field(default_factory=list)
    degraded: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for. `today` decides what has expired; `private` admits sensitive passages.

    `and_newest`: after the nearest the newest, up to the limit too; some may be both.
    """

    text: str
    today: date
    limit: int = 8
    filter: Filter = "all"
    since: date | None = None
    until: date | None = None
    kinds: tuple[str, ...] = ()
    private: bool = False
    without_messages: frozenset[int] = frozenset()
    and_newest: bool = False

    def leaves_out(self, message_id: int) -> bool:
        """Whether the filter admits no passage of that message."""
        of_kind = self.filter != "knowledge" and (not self.kinds or "message" in self.kinds)
        return not of_kind or message_id in self.without_messages

    def where(self) -> tuple[str, list[object]]:
        """The filter as a condition on `chunk`."""
        parts = ["superseded = 0", "privacy != 'sealed'", "(expires IS NULL OR expires > ?)"]
        given: list[object] = [self.today.isoformat()]
        if not self.private:
            parts.append("privacy = 'normal'")
        if self.filter != "all":
            parts.append(f"kind {'=' if self.filter == 'conversations' else '!='} 'message'")
        for bound, compare in ((self.since, ">="), (self.until, "<=")):
            if bound is not None:
                parts.append(f"date {compare} ?")
                given.append(bound.isoformat())
        if self.kinds:
            parts.append(f"kind IN ({', '.join('?' * len(self.kinds))})")
            given += self.kinds
        if self.without_messages:
            marks = ", ".join("?" * len(self.without_messages))
            parts.append(f"(message_id IS NULL OR message_id NOT IN ({marks}))")
            given += self.without_messages
        return " AND ".join(parts), given


Ranked = Callable[[Connection, Question], list[Hit]]
"""`rank`, with all that the question does not say."""


def rank(
    db: Connection,
    question: Question,
    vector: bytes | None,
    *,
    by_keywords: bool,
    weight: float,
    multiplier: int,
    candidates: Candidates = BY_SQL,
) -> list[Hit]:
    """The hits, best first; chunks of one message, or it and its bullet, count once."""
    count = min(max(question.limit * multiplier, CANDIDATES), MOST_CANDIDATES)
    words = candidates.keywords(db, question, count) if by_keywords else {}
    near = candidates.nearest(db, question, vector, count) if vector is not None else {}
    rows, found = _best(db, words, scaled(near), weight, count)
    scores = rerank(question.text, found, weight, periods=spans(question.text, question.today))
    hits: list[Hit] = []
    seen: set[int] = set()
    enough = DEPTH * question.limit  # some are folded, or stand back
    # Ties: the later one first, since ids grow with time.
    for id_ in sorted(scores, key=lambda id_: (-scores[id_], -id_)):
        message = rows[id_]["message_id"]
        if message in seen:
            continue
        if message is not None:
            seen.add(message)
        hits.append(_hit(rows[id_], scores[id_]))
        if len(hits) == enough:
            break
    return spread(folded(hits, question.text), question.limit)


_COLUMNS = (  # beside json_each, which has an id and a path too
    "chunk.id, text, message_id, chat, date, author, chunk.path, start_line, end_line, heading,"
    " kind, role"
)


def _best(
    db: Connection, words: Mapping[int, float], near: Mapping[int, float], weight: float, most: int
) -> tuple[dict[int, Row], list[Candidate]]:
    """Those that words and vectors choose together; only their rows are read."""
    waiting = _waiting(db, [id_ for id_ in words if id_ not in near])
    scores = fuse(near, scaled(words), weight, unknown=waiting)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:most]
    rows = _by_id(db, _COLUMNS, best)
    return {row[0]: row for row in rows}, [
        Candidate(
            id_,
            text,
            words.get(id_),
            near.get(id_),
            id_ not in waiting,
            message_id,
            chat or "",
            day or "",
            author,
        )
        for id_, text, message_id, chat, day, author, *_ in rows
    ]


def _waiting(db: Connection, ids: Sequence[int]) -> set[int]:
    """Those of the passages that have no vector yet."""
    waits = db.execute("SELECT 1 FROM chunk WHERE embedded = 0 LIMIT 1").fetchone()
    rows = _by_id(db, "chunk.id, embedded", ids) if waits else []
    return {row["id"] for row in rows if not row["embedded"]}


def _by_id(db: Connection, columns: str, ids: Sequence[int]) -> list[Row]:
    return db.execute(
        f"SELECT {columns} FROM json_each(?) CROSS JOIN chunk ON chunk.id = value",
        (json.dumps(ids),),
    ).fetchall()


def hits(db: Connection, question: Question, ranked: Ranked) -> list[Hit]:
    """The nearest passages, or the newest, or both: as the question wants it.

    The newest come by themselves where it has no text. Where there are none, none are nearest.
    """
    has_text = bool(question.text.strip())
    newest = latest(db, question) if question.and_newest or not has_text else []
    if not has_text or (question.and_newest and not newest):
        return newest
    return [*ranked(db, question), *newest]


def latest(db: Connection, question: Question) -> list[Hit]:
    """The newest passages that pass the filter."""
    where, given = question.where()
    rows = db.execute(
        f"SELECT * FROM chunk WHERE {where} ORDER BY date DESC, id DESC LIMIT ?",
        (*given, question.limit),
    ).fetchall()
    return [_hit(row, 0.0) for row in rows]


def _hit(row: Row, score: float) -> Hit:
    return Hit(
        path=row["path"],
        start_line=row["start_line"],
        end_line=row["end_line"],
        heading=row["heading"],
        text=row["text"],
        date=date.fromisoformat(row["date"]) if row["date"] else None,
        kind=row["kind"],
        role=row["role"],
        score=round(max(0.0, min(1.0, score)), 6),
        chunk_id=row["id"],
        message_ids=() if row["message_id"] is None else (row["message_id"],),
        author=row["author"],
        chat=row["chat"],
    )

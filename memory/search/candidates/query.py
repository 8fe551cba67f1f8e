"""Data types of recall: questions, filters, hits."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ...dates import UNKNOWN, Region, TimeRange, time_range
from ...infra.sqlite import Row
from ...notes.markdown import lines
from ...text.humanize import until_when

Filter = Literal["all", "conversations", "knowledge"]
Mode = Literal["hybrid", "keywords", "vectors", "none"]
OF_PERIOD = 0.5
"""The score of passages of a period, if the question names nothing but the period."""
LONGEST_REPLY = 40
"""Words of a short reply of Sam's: a longer one gives advice, and mentions much else."""
UNLIKELY = 0.07
"""A passage below this probability is hardly an answer; it only fills up the list."""


class Hit(NamedTuple):  # a hundred per question: creating a tuple takes half the time
    """A passage that was found.

    `path`: of a note, or `log/<local day>` for a message; line numbers start at 1 in the note or
    message. `score`: the probability that the passage answers the question, comparable between
    questions; 0 without a query text. `weak`: too poor a match to rely on. `until`: the day on
    which a newer hit or fact states another value for the same subject. `past`: the same for single
    lines of the text, as pairs of line number (from 0) and day. `message_ids`: its message; for a
    summary its source messages, once `sourced` of memory/tools/context.py has read them from the
    log.
    """

    path: str
    start_line: int
    end_line: int
    heading: str
    text: str
    date: dt.date | None
    kind: str
    role: str | None
    score: float
    chunk_id: int
    message_ids: tuple[int, ...]
    author: str = ""
    chat: str | None = None
    weak: bool = False
    until: dt.date | None = None
    past: tuple[tuple[int, dt.date], ...] = ()

    @property
    def dated_text(self) -> str:
        """The text as it is shown: its lines of the past say so, in the chosen language."""
        if not self.past:
            return self.text
        days, rows = dict(self.past), lines(self.text)
        return "\n".join(
            f"{row} ({until_when(self.date, days[number])})" if number in days else row
            for number, row in enumerate(rows)
        )

    @property
    def outdated(self) -> str:
        """Until when all of it was true, in the chosen language; "" if that is still so."""
        return until_when(self.date, self.until) if self.until else ""

    @property
    def is_unlikely(self) -> bool:
        """Whether the hit is shown as a poor match, regardless of the other hits."""
        return self.weak or 0.0 < self.score < UNLIKELY

    @property
    def name(self) -> str:
        """The name of the note's file."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def section(self) -> str:
        """The headings below the note's name, which the path has already."""
        name, parts = self.name.casefold(), self.heading.split(" > ")
        at = next((number for number, part in enumerate(parts) if part.casefold() == name), -1)
        return " > ".join(parts[at + 1 :])

    @property
    def is_message(self) -> bool:
        """Whether the hit is a message of the log."""
        return self.kind == "message" and bool(self.message_ids)

    @property
    def is_current(self) -> bool:
        """Whether the hit is a line that says what is true now."""
        return self.kind in ("fact", "memory")

    @property
    def is_of_period(self) -> bool:
        """Whether the question named nothing but the period that the hit is from."""
        return self.score == OF_PERIOD


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to one question. `degraded`: a sentence that says what was not available.
    `nearest`: if there are no hits, the nearest passages regardless of their score.
    """

    query: str
    mode: Mode
    hits: list[Hit] = field(default_factory=list)
    degraded: str | None = None
    nearest: list[Hit] = field(default_factory=list)
    late: bool = False
    """The search did not finish in time, and a retry would take as long."""

    @property
    def is_weak(self) -> bool:
        """Return whether there are hits and all of them are weak."""
        return bool(self.hits) and all(hit.weak for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its filter. `today` determines expiry; `private` admits sensitive passages.

    `wordings`: paraphrases of the question; a passage gets its best score over all of them.
    `every`: return hits regardless of their score. `and_newest`: append the newest passages, also
    up to the limit; duplicates are possible. `region`: of the owner.
    """

    text: str
    today: dt.date
    limit: int = 8
    filter: Filter = "all"
    since: dt.date | None = None
    until: dt.date | None = None
    kinds: tuple[str, ...] = ()
    private: bool = False
    without_messages: frozenset[int] = frozenset()
    and_newest: bool = False
    wordings: tuple[str, ...] = ()
    every: bool = False
    region: Region = UNKNOWN

    @property
    def period(self) -> TimeRange | None:
        """The period that the text names; None if it names none."""
        return time_range(self.text, self.today, region=self.region)

    def leaves_out(self, message_id: int) -> bool:
        """Return whether the filter excludes all passages of that message."""
        of_kind = self.filter != "knowledge" and (not self.kinds or "message" in self.kinds)
        return not of_kind or message_id in self.without_messages

    def where(self) -> tuple[str, list[object]]:
        """Return the filter as an SQL condition on `chunk`, with its parameters."""
        parts = [
            "superseded = 0",
            "small_talk = 0",
            "privacy != 'sealed'",
            "(expires IS NULL OR expires > ?)",
        ]
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


def hit_of(row: Row, score: float, *, weak: bool = False) -> Hit:
    """Return a row of the index's table of passages as a hit."""
    return Hit(
        path=row["path"],
        start_line=row["start_line"],
        end_line=row["end_line"],
        heading=row["heading"],
        text=row["text"],
        date=dt.date.fromisoformat(row["date"]) if row["date"] else None,
        kind=row["kind"],
        role=row["role"],
        score=round(score, 6),
        chunk_id=row["id"],
        message_ids=() if row["message_id"] is None else (row["message_id"],),
        author=row["author"],
        chat=row["chat"],
        weak=weak,
    )

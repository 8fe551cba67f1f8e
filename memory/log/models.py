"""The rows of the log, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from ..infra.clock import parse_utc
from ..infra.store import Row, from_row
from ..notes.kinds import Privacy

Role = Literal["user", "assistant"]
Origin = Literal["owner", "sam", "recall", "forwarded", "quoted", "file", "web", "tool", "other"]
MessageState = Literal["pending", "claimed", "written", "closed", "excluded", "forgotten"]
TurnState = Literal["open", "answered", "failed", "stopped"]
BatchState = Literal["claimed", "written", "closed", "released"]


@dataclass(frozen=True, slots=True)
class Said:
    """A message from a person, before it is logged.

    `key` makes logging idempotent: the same key is logged once (`telegram:<chat>:<message id>`).
    `chat` is the source: `terminal`, `telegram:<chat id>`, `telegram:<chat id>:<topic id>`,
    `import:<source>:<id there>`.
    """

    key: str
    chat: str
    text: str
    sent_at: datetime
    author: str = ""
    origin: Origin = "owner"
    privacy: Privacy = "normal"
    lang: str | None = None
    telegram_ids: tuple[int, ...] = ()
    unlogged: str = ""
    """Why the text is not logged; "" if it is."""
    edited_at: datetime | None = None
    """When it was last edited, if an export says so."""


@dataclass(frozen=True, slots=True)
class Session:
    """From one /new to the next in a chat."""

    id: int
    chat: str
    started_at: datetime
    ended_at: datetime | None
    path: str | None


class Message(NamedTuple):  # a turn reads hundreds: creating a tuple takes half the time
    """One logged message. `state` and `batch`: its progress into memory. `reason`: why it is
    excluded."""

    id: int
    turn_id: int
    session_id: int
    role: Role
    origin: Origin
    author: str
    privacy: Privacy
    lang: str | None
    sent_at: datetime
    edited_at: datetime | None
    chat: str
    telegram_ids: tuple[int, ...]
    text: str
    state: MessageState
    batch: str | None
    reason: str | None = None


MESSAGE_COLUMNS = ", ".join(Message._fields)
"""The columns that `message_of` converts, in their order."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One or more messages of a user, and the processing until the answer is done."""

    id: int
    session_id: int
    chat: str
    state: TurnState
    reason: str | None
    message: Message
    """The user's message (the first one, if there are several)."""
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Batch:
    """The messages of one summary: one chat, one local day."""

    id: str
    chat: str
    day: date
    state: BatchState
    path: str | None


@dataclass(frozen=True, slots=True)
class Bullet:
    """A line that a batch wrote, and the ids of the messages it came from."""

    text: str
    sources: tuple[int, ...]
    privacy: Privacy = "normal"


def _moment(text: str | None) -> datetime | None:
    return parse_utc(text) if text else None


def numbers(array: str) -> tuple[int, ...]:
    """Parse a JSON array of integers, three times as fast as json: a turn reads hundreds."""
    inner = array[1:-1]
    return tuple(map(int, inner.split(","))) if inner else ()


def message_of(row: Iterable[Any]) -> Message:
    """Convert the MESSAGE_COLUMNS of a row of `message`: by place, in half the time."""
    *head, sent_at, edited_at, chat, telegram_ids, text, state, batch, reason = row
    sent, edited, ids = parse_utc(sent_at), _moment(edited_at), numbers(telegram_ids)
    return Message._make((*head, sent, edited, chat, ids, text, state, batch, reason))


def session_of(row: Row) -> Session:
    """Convert a row of `session`."""
    started, ended = parse_utc(row["started_at"]), _moment(row["ended_at"])
    return from_row(Session, row, started_at=started, ended_at=ended)

"""People, groups and files of the fake, and records of what was sent, for assertions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Person:
    """A user; their private chat has the same id."""

    id: int
    first_name: str = "Ana"
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = "en"
    is_bot: bool = False

    def as_user(self) -> dict[str, Any]:
        return _present(
            id=self.id,
            is_bot=self.is_bot,
            first_name=self.first_name,
            last_name=self.last_name,
            username=self.username,
            language_code=self.language_code,
        )

    def as_chat(self) -> dict[str, Any]:
        return _present(
            id=self.id,
            type="private",
            first_name=self.first_name,
            last_name=self.last_name,
            username=self.username,
        )


@dataclass(frozen=True, slots=True)
class Group:
    """A group chat; its id is negative, as in Telegram."""

    id: int = -1001000000001
    title: str = "Family"
    type: Literal["group", "supergroup", "channel"] = "supergroup"
    is_forum: bool = False

    def as_chat(self) -> dict[str, Any]:
        forum = self.is_forum or None
        return _present(id=self.id, type=self.type, title=self.title, is_forum=forum)


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file; `size` may claim more bytes than the data has, to simulate a large file."""

    data: bytes
    name: str = "note.txt"
    mime: str = "text/plain"
    size: int | None = None

    @property
    def length(self) -> int:
        return len(self.data) if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class Received:
    """What a person did: the update sent for it, and its message."""

    update_id: int
    chat_id: int
    message_id: int
    user_id: int
    text: str
    date: datetime


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that the bot sent or edited, as displayed. `text` of a rich message is its source.

    `fields` are those of the request, with files as `File`.
    """

    chat_id: int
    text: str
    message_id: int
    date: datetime
    method: str
    entities: tuple[dict[str, Any], ...] = ()
    reply_to: int | None = None
    fields: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """One state of a draft message; the empty text shows "Thinking…"."""

    chat_id: int
    draft_id: int
    text: str
    date: datetime
    method: str


@dataclass(slots=True)
class Request:
    """A method call, whatever its outcome.

    `at` is the loop's clock in seconds, to measure gaps between requests. `status` 0: the
    connection was cut; None: not answered yet.
    """

    method: str
    fields: dict[str, Any]
    at: float
    status: int | None = None
    description: str = ""


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}

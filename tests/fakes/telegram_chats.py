"""People, groups, files, and what a test can look at afterwards: values only."""

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
    """A chat of several people; a negative id, as Telegram has it."""

    id: int = -1001000000001
    title: str = "Family"
    type: Literal["group", "supergroup", "channel"] = "supergroup"
    is_forum: bool = False

    def as_chat(self) -> dict[str, Any]:
        forum = self.is_forum or None
        return _present(id=self.id, type=self.type, title=self.title, is_forum=forum)


@dataclass(frozen=True, slots=True)
class File:
    """A file on its way; `size` may claim more bytes than the data has, for a file too big."""

    data: bytes
    name: str = "note.txt"
    mime: str = "text/plain"
    size: int | None = None

    @property
    def length(self) -> int:
        return len(self.data) if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class Received:
    """What a person did: the update that tells of it, and its message."""

    update_id: int
    chat_id: int
    message_id: int
    user_id: int
    text: str
    date: datetime


@dataclass(frozen=True, slots=True)
class Sent:
    """What the bot said, or changed, as the chat shows it. `text` of a rich message is its source.

    `fields` are the request's own, with files as `File`.
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
    """One state of a message that is still being written; the empty text shows "Thinking…"."""

    chat_id: int
    draft_id: int
    text: str
    date: datetime
    method: str


@dataclass(slots=True)
class Request:
    """A call of a method, whatever came of it.

    `at` is the loop's clock in seconds, for the gaps between requests. `status` 0: the connection
    was cut; None: not answered yet.
    """

    method: str
    fields: dict[str, Any]
    at: float
    status: int | None = None
    description: str = ""


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}

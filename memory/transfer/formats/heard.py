"""The output of importers: messages, each with chat, author and time."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from ...errors import TransferRefused
from ...log import IMPORTED, Origin, Said

LONGEST_MESSAGE = 1_000_000  # characters; a longer one is a dump of something, and no message
_LONGEST_ID = 80


@dataclass(frozen=True, slots=True)
class ImportedChat:
    """A conversation in its source. `id` is the same in each export of that source."""

    source: str
    id: str
    title: str = ""

    @property
    def name(self) -> str:
        """The chat's name in the log."""
        return f"{IMPORTED}{self.source}:{_short(self.id)}"


@dataclass(frozen=True, slots=True)
class Heard:
    """One message. `at` is aware. `id` is unique in its chat, and the same in each export.

    `owners`: whether the owner wrote it; None if the file does not say, and the author's name
    decides. `passed_on_from`: the author of a message that the owner forwarded; "" otherwise.
    """

    chat: ImportedChat
    id: str
    author: str
    at: datetime
    text: str
    owners: bool | None = None
    passed_on_from: str = ""

    def by_owner(self, me: str) -> bool:
        """Return whether the owner wrote it; `me`: the owner's name if the file does not say."""
        return self.author == me if self.owners is None else self.owners

    def said(self, me: str) -> Said:
        """The message for the log: what others said is theirs, what he forwarded is too."""
        mine = self.by_owner(me)
        origin: Origin = "other"
        if self.passed_on_from:
            origin = "forwarded"
        elif mine:
            origin = "owner"
        return Said(
            key=f"{self.chat.name}:{_short(self.id)}",
            chat=self.chat.name,
            text=self.text,
            sent_at=self.at,
            author=self.passed_on_from or self.author,
            origin=origin,
        )


def heard(
    chat: ImportedChat,
    id_: object,
    author: str,
    at: datetime,
    text: str,
    owners: bool | None = None,
    passed_on_from: str = "",
) -> Heard:
    """Return the message, its texts made fit for the log. Raises TransferRefused for a text that is
    too long for a message."""
    if len(text) > LONGEST_MESSAGE:
        raise TransferRefused(
            f"A message of {len(text):,} characters in {chat.title or chat.id!r} is too long: at"
            f" most {LONGEST_MESSAGE:,} are taken. Nothing was imported."
        )
    name = fit(author).strip()
    return Heard(chat, str(id_), name, at, fit(text).strip(), owners, fit(passed_on_from).strip())


def fit(text: str) -> str:
    """Return the text without half characters and NUL, which no database takes."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def digest(*parts: str) -> str:
    """Return a short id made of these texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def _short(id_: str) -> str:
    """Return an id unchanged, or its hash if it is long or has unusual characters."""
    plain = id_.replace("-", "").replace("_", "").replace(".", "")
    return id_ if plain.isalnum() and plain.isascii() and len(id_) <= _LONGEST_ID else digest(id_)

"""The output of importers: messages with chat, author and time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from ...errors import TransferRefused
from ...log import IMPORTED, Origin, Said
from ...text import mark, storable, tr

LONGEST_MESSAGE = 1_000_000  # characters; a longer text is a data dump and not a message
MOST_SORTED = 100_000_000  # characters: all notes of a lifetime, and they fit into memory
_LONGEST_ID = 80


@dataclass(frozen=True, slots=True)
class ImportedChat:
    """A conversation in its source. `id` is the same in every export from that source, except where
    it `is_guessed` from the beginning, which a later export may not have."""

    source: str
    id: str
    title: str = ""
    is_guessed: bool = False

    @property
    def name(self) -> str:
        """The chat's name in the log."""
        return f"{IMPORTED}{self.source}:{_short(self.id)}"


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message. `at` is timezone-aware. `id` is unique in its chat, and stable across exports.

    `owners`: whether the owner wrote it; None if the file does not say, so that the author's name
    decides. `passed_on_from`: the original author if the owner forwarded it; "" otherwise.
    `former_ids`: those that it had in earlier versions of Sam. `edited_at`: the time of its last
    edit, where the file says it: with a later one it replaces what was imported.
    """

    chat: ImportedChat
    id: str
    author: str
    at: datetime
    text: str
    owners: bool | None = None
    passed_on_from: str = ""
    former_ids: tuple[str, ...] = ()
    edited_at: datetime | None = None

    def by_owner(self, me: str) -> bool:
        """Return whether the owner wrote it. `me`: the owner's name, if the file does not say."""
        return self.author == me if self.owners is None else self.owners

    def key(self, id_: str = "") -> str:
        """Return its key in the log. `id_`: a former id, to be used in place of its own."""
        return f"{self.chat.name}:{_short(id_ or self.id)}"

    def said(self, me: str) -> Said:
        """Convert it for the log; messages of others and forwarded ones keep their author."""
        mine = self.by_owner(me)
        origin: Origin = "other"
        if self.passed_on_from:
            origin = "forwarded"
        elif mine:
            origin = "owner"
        return Said(
            key=self.key(),
            chat=self.chat.name,
            text=self.text,
            sent_at=self.at,
            author=self.passed_on_from or self.author,
            origin=origin,
            edited_at=self.edited_at,
        )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A message or a conversation that cannot be imported: `why`, and `which` it is, both in the
    owner's language."""

    why: str
    which: str

    def __str__(self) -> str:
        return f"{self.why}: {self.which[:80]}"


Read: TypeAlias = ImportedMessage | LeftOut
"""What the parser of a format yields."""

NO_TIME = mark("it has no time that can be read")


MISBUILT = mark("a value in it is of an unexpected type")


def as_built(reading: Iterator[Read], which: str) -> Iterator[Read]:
    """Yield what is `reading` a message or a conversation; leave that out if one of its values has
    a type that the format does not have there."""
    try:
        yield from reading
    except (AttributeError, TypeError, ValueError, OverflowError):
        yield LeftOut(tr(MISBUILT), which)


def conversation_name(given: Any, *keys: str) -> str:
    """Return how a conversation is named: by the first of these keys that it has."""
    found = [given.get(key) for key in keys] if isinstance(given, dict) else []
    return str(next(filter(None, found), tr("(without a title)")))


def message_name(number: object, chat: str) -> str:
    """Return how a message without words of its own is named. `number`: its id, or its place."""
    return tr("message {number} in {chat}", number=number, chat=chat)


def make_message(
    chat: ImportedChat,
    id_: object,
    author: str,
    at: datetime,
    text: str,
    owners: bool | None = None,
    passed_on_from: str = "",
    former_ids: tuple[str, ...] = (),
    edited_at: datetime | None = None,
) -> Read:
    """Build a message, with its texts cleaned for the log; leave out one that is too long, or has
    no id."""
    which = tr("a message of {at:%Y-%m-%d} in {chat}", at=at, chat=chat.title or chat.id)
    if id_ is None:
        return LeftOut(tr("it has no id"), which)
    if len(text) > LONGEST_MESSAGE:
        why = tr(
            "it has {count:,} characters, and at most {most:,} are taken",
            count=len(text),
            most=LONGEST_MESSAGE,
        )
        return LeftOut(why, which)
    name = storable(author).strip()
    words, source = storable(text).strip(), storable(passed_on_from).strip()
    return ImportedMessage(chat, str(id_), name, at, words, owners, source, former_ids, edited_at)


def by_time(given: Iterable[Read]) -> tuple[list[ImportedMessage], list[LeftOut]]:
    """Return the messages of a file that is not in order of time, sorted, and what is left out.
    Raises TransferRefused if they are too many to be sorted in memory."""
    found, left_out, size = list[ImportedMessage](), list[LeftOut](), 0
    for each in given:
        if isinstance(each, LeftOut):
            left_out.append(each)
            continue
        size += len(each.text)
        if size > MOST_SORTED:
            raise TransferRefused(
                f"There are more than {MOST_SORTED:,} characters of notes in it. Nothing was"
                " imported."
            )
        found.append(each)
    return sorted(found, key=lambda each: each.at), left_out


def digest(*parts: str) -> str:
    """Return a short hash of these texts, for use as an id."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def _short(id_: str) -> str:
    """Return an id unchanged, or its hash if it is long or has unusual characters."""
    plain = id_.replace("-", "").replace("_", "").replace(".", "")
    return id_ if plain.isalnum() and plain.isascii() and len(id_) <= _LONGEST_ID else digest(id_)

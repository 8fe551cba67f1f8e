"""Recognise a chat that was imported before by its messages, where the file gives it no id.

WhatsApp exports the last 40,000 messages of a chat, and its own first line changes with its
versions, so that two exports of one chat may begin differently.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .formats.imported_message import ImportedMessage

if TYPE_CHECKING:
    from ..core import Memory


class KnownChats:
    """The imported chats of a memory."""

    def __init__(self, memory: Memory, titles: Mapping[str, str]) -> None:
        """`titles`: of the imported chats, by name."""
        self._imports, self._titles = memory.log.imports, titles
        self._found: dict[str, str] = {}

    async def as_stored(self, messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
        """Return the messages with the chats and ids under which the log may have them."""
        by_chat: dict[str, list[ImportedMessage]] = {}
        for each in messages:
            if each.chat.is_guessed and each.chat.name not in self._found:
                by_chat.setdefault(each.chat.name, []).append(each)
        for name, first in by_chat.items():
            self._found[name] = await self._find(first)
        placed = [
            _in_chat(each, self._found[each.chat.name]) if each.chat.is_guessed else each
            for each in messages
        ]
        older = [each for each in placed if each.chat.name in self._titles]
        keys = [each.key(id_) for each in older for id_ in each.former_ids]
        there = await self._imports.known_keys(keys) if keys else set()
        return [_with_id_in(there, each) for each in placed]

    async def _find(self, first: Sequence[ImportedMessage]) -> str:
        """Return the name of the chat that has most of these messages; that of the file if there is
        none."""
        chat = first[0].chat
        best, most = chat.name, len(first) / 2
        beginning = chat.name.removesuffix(chat.id)
        for name in (each for each in self._titles if each.startswith(beginning)):
            placed = [_in_chat(each, name) for each in first]
            keys = [each.key(id_) for each in placed for id_ in ("", *each.former_ids)]
            known = await self._imports.known_keys(keys)
            there = [
                each
                for each in placed
                if any(each.key(id_) in known for id_ in ("", *each.former_ids))
            ]
            # What was sent to several people at once makes their chats no single one.
            several = len({each.author for each in there}) > 1
            if len(there) > most and (several or self._titles[name] == chat.title):
                best, most = name, len(there)
        return best


def _in_chat(message: ImportedMessage, name: str) -> ImportedMessage:
    return replace(message, chat=replace(message.chat, id=name.rpartition(":")[2]))


def _with_id_in(there: Collection[str], message: ImportedMessage) -> ImportedMessage:
    """Return the message with the former id that is among the keys `there`, if one is."""
    former = (id_ for id_ in message.former_ids if message.key(id_) in there)
    return replace(message, id=next(former, message.id))

"""Recognise a chat that was imported before by its messages, where the file gives it no id.

WhatsApp exports the last 40,000 messages of a chat, and its own first line changes with its
versions, so that two exports of one chat may begin differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        self._found: dict[str, tuple[str, bool]] = {}

    async def as_stored(self, messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
        """Return the messages with the chats and ids under which the log may have them."""
        by_chat: dict[str, list[ImportedMessage]] = {}
        for each in messages:
            if each.chat.is_guessed and each.chat.name not in self._found:
                by_chat.setdefault(each.chat.name, []).append(each)
        for name, first in by_chat.items():
            self._found[name] = await self._find(first)
        return [self._renamed(each) for each in messages]

    async def _find(self, first: Sequence[ImportedMessage]) -> tuple[str, bool]:
        """Return the name of the chat that has most of these messages, and whether it has them by
        their former ids; that of the file if there is none."""
        chat = first[0].chat
        best, most = (chat.name, False), len(first) / 2
        beginning = chat.name.removesuffix(chat.id)
        for name in (each for each in self._titles if each.startswith(beginning)):
            for former in (False, True):
                keys = {each.key_in(name, former=former): each for each in first}
                there = await self._imports.known_keys(list(keys))
                # What was sent to several people at once makes their chats no single one.
                several = len({keys[key].author for key in there}) > 1
                if len(there) > most and (several or self._titles[name] == chat.title):
                    best, most = (name, former), len(there)
        return best

    def _renamed(self, message: ImportedMessage) -> ImportedMessage:
        if not message.chat.is_guessed:
            return message
        name, former = self._found[message.chat.name]
        chat = replace(message.chat, id=name.rpartition(":")[2])
        return replace(message, chat=chat, id=message.former_id if former else message.id)

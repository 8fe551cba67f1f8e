"""Count the contents of a file before anything is imported."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from ..infra.clock import local_day
from ..log.batches import MOST_MESSAGES
from .formats.imported_message import ImportedChat, ImportedMessage, LeftOut
from .formats.source_file import Progress, no_progress
from .importers import Conversations
from .importing import portions
from .languages import languages, sample_of

if TYPE_CHECKING:
    from ..core import Memory

PORTION = 100  # messages that are looked up in the log at once
SAMPLE = 5  # messages
EXAMPLES = 10  # of what is left out
LEAST_SHARE = 0.02  # of a language: below this, a wrong guess is more likely
SAMPLE_TEXT = 100  # characters per message: thousands of chats are kept in memory


@dataclass(slots=True)
class ChatPreview:
    """One chat's counts. `known`: messages that are no new ones; `characters` and `size`, in bytes
    of UTF-8, are of the texts of the new ones. `unknown`: messages by author, if the file does not
    say whether the author is the owner."""

    chat: ImportedChat
    messages: int = 0
    known: int = 0
    characters: int = 0
    size: int = 0
    first: datetime | None = None
    last: datetime | None = None
    unknown: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    sample: list[ImportedMessage] = field(default_factory=list)
    spread: list[str] = field(default_factory=list)  # texts from the whole chat
    _days: Counter[date] = field(default_factory=Counter)
    _next: int = 1

    @property
    def label(self) -> str:
        """Its title; without one the first words to an assistant, or the people. "" if unknown."""
        unnamed = next((each.text for each in self.sample if not each.author), "")
        return self.chat.title or unnamed or ", ".join(n for n, _ in self.people.most_common(3))

    @property
    def batches(self) -> int:
        """The number of summaries to be made: one per day, and per sixty new messages of it."""
        return sum(-(-count // MOST_MESSAGES) for count in self._days.values())

    def count(self, message: ImportedMessage, zone: tzinfo, *, known: bool) -> None:
        """Count one more message."""
        self.messages += 1
        self.known += known
        if not known:
            self.characters += len(message.text)
            self.size += len(message.text.encode("utf-8", "replace"))
            self._days[local_day(message.at, zone)] += 1
        self.first = min(self.first or message.at, message.at)
        self.last = max(self.last or message.at, message.at)
        if message.owners is None:
            self.unknown[message.author] += 1
        if message.author:
            self.people[message.author] += 1
        # All of the first ones, then ever fewer: about fifteen for a chat of 1,000 messages.
        if self.messages >= self._next and (words := sample_of(message.text)):
            self.spread.append(words)
            self._next = self.messages + 1 + self.messages // 2
        if len(self.sample) < SAMPLE:
            self.sample.append(replace(message, text=message.text[:SAMPLE_TEXT]))


@dataclass(slots=True)
class Preview:
    """The chats of a file, in its order. `left_out`: the number of messages and conversations that
    cannot be imported, and `examples` of them."""

    chats: list[ChatPreview] = field(default_factory=list)
    left_out: int = 0
    examples: list[LeftOut] = field(default_factory=list)
    _found: dict[str, ChatPreview] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)  # hashes: there may be a million messages

    def count(
        self, messages: Sequence[ImportedMessage], known: Sequence[bool], zone: tzinfo
    ) -> None:
        """Count more messages. `known`: whether the log has it, for each; a message that the file
        has twice counts as known the second time."""
        for message, is_known in zip(messages, known, strict=True):
            name = message.chat.name
            if name not in self._found:
                self._found[name] = ChatPreview(message.chat)
                self.chats.append(self._found[name])
            same = hash((name, message.id, message.text))
            self._found[name].count(message, zone, known=is_known or same in self._seen)
            self._seen.add(same)

    def leave_out(self, each: LeftOut) -> None:
        """Count what cannot be imported."""
        self.left_out += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(each)

    @property
    def unknown(self) -> Counter[str]:
        """Count the messages of the authors who may be the owner, if the file does not say."""
        return sum((chat.unknown for chat in self.chats), Counter())

    def people(self, owner: str) -> Counter[str]:
        """Count the messages of each author; those without one are the owner's."""
        signed: Counter[str] = sum((chat.people for chat in self.chats), Counter())
        unsigned = self.messages - signed.total()
        found = Counter({owner: unsigned} if unsigned else {})
        found.update(signed)
        return found

    @property
    def messages(self) -> int:
        """The number of all messages."""
        return sum(chat.messages for chat in self.chats)

    @property
    def known(self) -> int:
        """The number of messages that are no new ones."""
        return sum(chat.known for chat in self.chats)

    @property
    def batches(self) -> int:
        """The number of all summaries."""
        return sum(chat.batches for chat in self.chats)

    @property
    def characters(self) -> int:
        """The length of all new texts."""
        return sum(chat.characters for chat in self.chats)

    @property
    def size(self) -> int:
        """The length of all new texts in bytes of UTF-8, which tokens follow in any script."""
        return sum(chat.size for chat in self.chats)

    def languages(self) -> dict[str, float]:
        """Map the names of the languages to their shares of the messages, largest first.

        Estimated from a sample of each chat, without shares below 2 %. {} if the texts are too
        short.
        """
        shares: dict[str, float] = {}
        for chat in self.chats:
            found = languages(chat.spread)
            for name, count in found.items():
                part = count / found.total() * chat.messages
                shares[name] = shares.get(name, 0.0) + part
        whole = sum(shares.values())
        ordered = sorted(shares.items(), key=lambda each: -each[1])
        return {name: part / whole for name, part in ordered if part >= LEAST_SHARE * whole}

    def span(self) -> tuple[datetime, datetime] | None:
        """Return the dates of the first and the last message; None if there are none."""
        firsts = [chat.first for chat in self.chats if chat.first]
        lasts = [chat.last for chat in self.chats if chat.last]
        return (min(firsts), max(lasts)) if firsts and lasts else None


async def preview(
    memory: Memory,
    given: Conversations,
    progress: Progress = no_progress,
    *,
    look_up: bool = True,
) -> Preview:
    """Count all messages, and, with `look_up`, those that the log has. Raises TransferRefused if
    the file is damaged anywhere."""
    seen = Preview()
    async with aclosing(portions(memory, given, progress, seen.leave_out, size=PORTION)) as reading:
        async for read in reading:
            known = [False] * len(read)
            if look_up:
                known = await memory.log.imports.known([stored.said("") for _, stored in read])
            messages = [message for message, _ in read]
            await asyncio.to_thread(seen.count, messages, known, memory.zone)
    return seen

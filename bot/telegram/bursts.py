"""Bursts: messages of a chat that come close together are one turn, with one answer.

People write in pieces, forward something with a remark, or send an album, of which each photo is a
message. The messages wait in the inbox until the answer is complete, so that a crash loses none.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from telegram import Message, Update

from ..assistant import Assistant
from ..inbox import Updates, Where
from . import parse
from .api.connection import read
from .api.live_draft import Draft

ALBUM = 0.5  # seconds without another part, after which an album is complete
LONGEST = 10.0  # seconds that the first message waits at most
MOST = 20  # messages in one turn


@dataclass(frozen=True, slots=True)
class Burst:
    """The messages of a turn, by their numbers, and the updates that they came with. `stopped`:
    /stop came while Sam waited for more of them."""

    messages: tuple[Message, ...]
    updates: tuple[int, ...]
    stopped: bool


@dataclass(slots=True)
class _Waiting:
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: bool = False


class Bursts:
    """Gather the messages of a turn; the caller owns the chat's lane.

    `seconds`: the pause that ends a burst; 0: each message is a turn, but for albums.
    `ends(profile, message)`: whether a message belongs to no burst of that profile's, such as a
    command.
    """

    def __init__(
        self,
        updates: Updates,
        seconds: float,
        ends: Callable[[Assistant, Message], Awaitable[bool]],
        typing: Callable[[Where], Draft],
    ) -> None:
        self._updates, self._seconds, self._ends, self._typing = updates, seconds, ends, typing
        self._came: dict[str, float] = {}
        self._waiting: dict[str, _Waiting] = {}

    def message_arrived(self, chat: str) -> None:
        """Record that a message of that chat is in the inbox."""
        self._came[chat] = asyncio.get_running_loop().time()
        if chat in self._waiting:
            self._waiting[chat].news.set()

    async def stop(self, chat: str) -> bool:
        """Stop waiting for more of the chat's messages, and leave them unanswered; return False if
        none were waiting."""
        waiting = self._waiting.get(chat)
        if waiting is None:
            return False
        waiting.stopped = True
        waiting.news.set()
        await waiting.ended.wait()
        return True

    @contextlib.asynccontextmanager
    async def gather(self, profile: Assistant, first: Update) -> AsyncIterator[Burst]:
        """Provide the messages of the turn that begins with the message of this update."""
        assert first.message is not None, "a turn begins with a message"
        chat, waiting = parse.place_of(first.message).chat, _Waiting()
        self._waiting[chat] = waiting
        try:
            found = await self._gather(profile, first.update_id, first.message, waiting)
            del self._waiting[chat]  # /stop breaks off the answer from here on
            rows = sorted(found.items(), key=lambda row: row[1].message_id)
            messages, updates = tuple(row[1] for row in rows), tuple(row[0] for row in rows)
            yield Burst(messages, updates, waiting.stopped)
        finally:
            self._waiting.pop(chat, None)
            waiting.ended.set()

    async def album(self, first: Update) -> dict[int, Message]:
        """Return the messages of the album that begins with the message of this update, by update,
        once no other comes; that message alone without an album."""
        assert first.message is not None, "an album begins with a message"
        found, album = {first.update_id: first.message}, first.message.media_group_id
        while album is not None:
            await asyncio.sleep(ALBUM)
            after = await self._after(first.update_id, first.message)
            more = {number: each for number, each in after if each.media_group_id == album}
            if more.keys() <= found.keys():
                break
            found |= more
        return found

    async def _gather(
        self, profile: Assistant, update_id: int, first: Message, waiting: _Waiting
    ) -> dict[int, Message]:
        """Return the turn's messages by update, once it is complete."""
        alone = {update_id: first}
        if await _turn_of(profile, first) is not None:
            return alone | await self._logged(profile, update_id, first)
        if not self._seconds and first.media_group_id is None:
            return alone
        place, clock = parse.place_of(first), asyncio.get_running_loop().time
        begun, is_typing = clock(), False
        async with contextlib.AsyncExitStack() as shown:
            while True:
                waiting.news.clear()
                found, complete = await self._found(profile, update_id, first)
                is_album = any(each.media_group_id for each in found.values())
                pause = max(self._seconds, ALBUM if is_album else 0.0)
                until = min(self._came.get(place.chat, 0.0) + pause, begun + LONGEST)
                if complete or waiting.stopped or clock() >= until:
                    return found
                if not is_typing:
                    await shown.enter_async_context(self._typing(place))
                    is_typing = True
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        await waiting.news.wait()

    async def _logged(
        self, profile: Assistant, update_id: int, first: Message
    ) -> dict[int, Message]:
        """Return the other messages of a turn that was begun before a crash."""
        turn = await _turn_of(profile, first)
        return {
            number: message
            for number, message in await self._after(update_id, first)
            if await _turn_of(profile, message) == turn
        }

    async def _found(
        self, profile: Assistant, update_id: int, first: Message
    ) -> tuple[dict[int, Message], bool]:
        """Return the messages that are in the inbox by now, and whether no other can join them."""
        found, last = {update_id: first}, first
        for number, message in await self._after(update_id, first):
            is_part = message.media_group_id is not None and message.media_group_id in {
                each.media_group_id for each in found.values()
            }
            if not is_part:
                if not self._seconds:
                    continue
                # Telegram's dates are whole seconds: two that differ by 2 may be 1.1 s apart.
                gap = abs((message.date - last.date).total_seconds())
                if gap >= self._seconds + 1 or await self._ends(profile, message):
                    return found, True
                if message.from_user != first.from_user:
                    return found, True
            found[number] = last = message
            if len(found) == MOST:
                return found, True
        return found, False

    async def _after(self, update_id: int, first: Message) -> list[tuple[int, Message]]:
        """Return the chat's messages that follow that one in the inbox, in order, without the
        commands that do not wait for a turn."""
        rows = await self._updates.received()
        numbers = [row.update_id for row in rows]
        behind = rows[numbers.index(update_id) + 1 :] if update_id in numbers else []
        chat = parse.place_of(first).chat
        updates = [read(row.payload, first.get_bot()) for row in behind if row.chat == chat]
        return [
            (update.update_id, update.message)
            for update in updates
            if update.message is not None and not parse.at_once(update)
        ]


async def _turn_of(profile: Assistant, message: Message) -> int | None:
    """Return the turn that was begun with that message before a crash."""
    key = parse.message_key(message)
    logged = await profile.memory.log.messages.by_key(key, message.date)
    return logged.turn_id if logged is not None else None

"""Show an answer while it streams: typing first, then Telegram's draft of the message.

A draft expires after thirty seconds, so unchanged ones are resent; a tool call adds a line to it.
Groups have no drafts: there a message is sent, and edited until it is the answer. Where there are
no drafts, the message that is being answered has a reaction meanwhile. Errors are ignored: the
final message is sent separately.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Self

from ...errors import ChatError, TelegramDown
from ...inbox import Replies, Where
from ...markdown_escape import escape
from .. import formatting
from .sender import Sender

log = logging.getLogger(__name__)

AT_ONCE = 0.1  # seconds: faster answers need no indicator
PERIOD = 1.0  # seconds between drafts: Telegram's limit per chat
KEEP = 20.0  # seconds after which an unchanged draft is resent
GROUP_AFTER = 1.0  # seconds; in a group an answer that is complete by then is sent whole
GROUP_PERIOD = 3.0  # seconds between edits: Telegram allows 20 messages a minute in a group
WORKING = "👀"  # the reaction to the message that is being answered
TYPING = 4.0  # seconds; "typing" is shown for five
DOWN = 5.0  # seconds without drafts when Telegram does not answer
LAST = 2.0  # seconds to wait for a draft in flight, so that it does not arrive after the message


class Draft:
    """Within its context `text` and `doing` may be set at any time. `asked`: the message that is
    being answered."""

    def __init__(
        self, sender: Sender, place: Where, draft_id: int, asked: int | None = None
    ) -> None:
        self._sender, self._place, self._id = sender, place, draft_id
        self._asked, self._has_reacted = asked, False
        self._text = self._doing = ""
        self._changed = asyncio.Event()
        self._on_the_way = asyncio.Lock()
        self._shown, self._shown_at = "", 0.0
        self._can = True
        self._task: asyncio.Task[None] | None = None

    def show(self, text: str) -> None:
        """Set the answer so far, and clear the activity."""
        self._text, self._doing = text, ""
        self._changed.set()

    def add(self, text: str) -> None:
        """Append to the answer."""
        self.show(self._text + text)

    def show_activity(self, what: str) -> None:
        """Show an activity below the answer."""
        self._doing = what
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="draft")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST), self._on_the_way:
                    self._task.cancel()
        finally:  # also if this wait is cancelled
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._has_reacted:
            await self._react("")

    async def _run(self) -> None:
        await asyncio.sleep(AT_ONCE)
        while True:
            self._changed.clear()
            async with self._on_the_way:
                pause = await self._step()
            await asyncio.sleep(pause)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TYPING):
                    await self._changed.wait()

    async def _step(self) -> float:
        """Show the current state; return the seconds until the next update."""
        now = asyncio.get_running_loop().time()
        body = f"{self._text}\n\n*{escape(self._doing)}*" if self._doing else self._text
        # In a thread: a text full of markup takes a while to format.
        part = await asyncio.to_thread(formatting.tail, body) if self._can else None
        try:
            if part is None or not self._may_show(now):
                await self._sender.typing(self._place)
                return 0.0
            if body != self._shown or now - self._shown_at >= KEEP:
                self._can = await self._put(part)
                self._shown, self._shown_at = body, now
                if not self._can:
                    await self._react(WORKING)
            return self._period
        except TelegramDown as down:
            return down.retry_after or DOWN
        except ChatError as refused:
            log.info("chat=%s has no draft: %s", self._place.chat_id, refused)
            self._can = False
            await self._react(WORKING)
            return self._period

    async def _react(self, emoji: str) -> None:
        if self._asked is not None:
            self._has_reacted = bool(emoji)
            try:
                await self._sender.react(self._place, self._asked, emoji)
            except ChatError as refused:
                log.debug("chat=%s takes no reaction: %s", self._place.chat_id, refused)

    @property
    def _period(self) -> float:
        return PERIOD

    def _may_show(self, now: float) -> bool:
        return True

    async def _put(self, part: formatting.Part) -> bool:
        return await self._sender.draft(self._place, self._id, part)


class GroupDraft(Draft):
    """Show the answer in a group, in one message that is edited. `key`: of its later reply."""

    def __init__(
        self, sender: Sender, place: Where, replies: Replies, key: str, asked: int | None
    ) -> None:
        super().__init__(sender, place, 1, asked)
        self._replies, self._key = replies, key
        self._since = 0.0

    async def _run(self) -> None:
        await self._react(WORKING)
        await super()._run()

    @property
    def _period(self) -> float:
        return max(PERIOD, GROUP_PERIOD)

    def _may_show(self, now: float) -> bool:
        self._since = self._since or now
        return now - self._since >= GROUP_AFTER

    async def _put(self, part: formatting.Part) -> bool:
        streamed = await self._replies.stream_message(self._key)
        if streamed is not None:
            await self._sender.edit(self._place, streamed[0], part, fleeting=True)
        else:
            sent = await self._sender.send(self._place, part)
            await self._replies.begin_stream(self._key, sent.id, sent.at)
        return True

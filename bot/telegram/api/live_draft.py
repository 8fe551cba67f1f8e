"""Show an answer while it streams: typing first, then Telegram's draft of the message.

A draft lives for thirty seconds, so an unchanged one is shown again; a tool call adds a line to it.
Errors are ignored: the final message is sent separately.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from types import TracebackType
from typing import Self

from ...errors import ChatError, TelegramDown
from ...inbox import Where
from ...markdown_escape import escape
from .. import formatting
from .sender import Sender

log = logging.getLogger(__name__)

AT_ONCE = 0.1  # seconds: a faster answer needs no sign
PERIOD = 1.0  # seconds between drafts: Telegram's limit for a chat
KEEP = 20.0  # seconds after which an unchanged draft is shown again
TYPING = 4.0  # seconds; "typing" is shown for five
DOWN = 5.0  # seconds without drafts when Telegram does not answer
LAST = 2.0  # seconds to wait for a draft in flight, so that it does not arrive after the message


class Draft:
    """Within its context `text` and `doing` may be set at any time."""

    def __init__(self, sender: Sender, place: Where, draft_id: int) -> None:
        self._sender, self._place, self._id = sender, place, draft_id
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

    def does(self, what: str) -> None:
        """Show an activity below the answer."""
        self._doing = what
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="draft")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._task is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST), self._on_the_way:
                self._task.cancel()
        self._task.cancel()
        await asyncio.wait({self._task})

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
        """Show the present state; return the seconds until the next update."""
        now = asyncio.get_running_loop().time()
        body = f"{self._text}\n\n*{escape(self._doing)}*" if self._doing else self._text
        # In a thread: a text full of markup takes a while to format.
        part = await asyncio.to_thread(formatting.tail, body) if self._can else None
        try:
            if part is None:
                await self._sender.typing(self._place)
                return 0.0
            if body != self._shown or now - self._shown_at >= KEEP:
                self._can = await self._sender.draft(self._place, self._id, part)
                self._shown, self._shown_at = body, now
            return PERIOD
        except TelegramDown as down:
            return down.retry_after or DOWN
        except ChatError as refused:
            log.info("chat=%s has no draft: %s", self._place.chat_id, refused)
            self._can = False
            return PERIOD

"""Show the progress of long work by editing a message."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

from ...errors import ChatError
from ...inbox import Where
from ..formatting import parts
from .sender import Sender

PERIOD = 2.0  # seconds between two edits: Telegram accepts about one a second per chat
SOON = 0.05  # until the first text is there


class Progress:
    """Within its context a message shows the latest text passed to `tell`, without its buttons."""

    def __init__(self, sender: Sender, place: Where, message_id: int) -> None:
        self._sender, self._place, self._message_id = sender, place, message_id
        self._text = self._shown = ""
        self._ended = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._ended.set()
        if error is not None:
            self._task.cancel()
        # Wait for an edit in flight, which would otherwise overwrite the final text.
        await asyncio.gather(self._task, return_exceptions=True)

    def tell(self, text: str) -> None:
        """Show this Markdown with the next edit; can be called from any thread."""
        self._text = text

    async def _run(self) -> None:
        while not self._ended.is_set():
            if self._text != self._shown:
                self._shown = self._text
                [part, *_] = parts(self._shown)
                with contextlib.suppress(ChatError):  # the next one may be accepted
                    await self._sender.edit(self._place, self._message_id, part, fleeting=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PERIOD if self._shown else SOON):
                    await self._ended.wait()

"""What Sam still says while updates cannot be stored: the answer to /status.

Polling stands still then, so that Telegram keeps every update. What waits there is looked at
without confirming it; each is delivered, stored and handled as usual afterwards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo

from telegram import Update
from telegram.error import TelegramError

from memory.text import mark, speaking, tr

from .sender import NO_PREVIEW

log = logging.getLogger(__name__)

SECONDS = 10.0  # for one look and its answers
KEPT = timedelta(days=1)  # Telegram deletes updates that nobody has confirmed
STATUS = mark(
    "! {trouble}\nTelegram keeps what you write for 24 hours, and I answer it as soon as that is "
    "over."
)
OVER = mark(
    "The database did not answer from {began} to {ended}. Telegram has kept your messages: none is "
    "lost."
)
LONG_OVER = mark(
    "The database did not answer from {began} to {ended}. Telegram keeps messages for 24 hours "
    "only: please send again what I do not answer."
)


class StatusOnly:
    """Answers each /status once, without the inbox."""

    def __init__(self, asks_status: Callable[[Update], bool]) -> None:
        """`asks_status` returns whether that is /status, in a private chat with somebody known."""
        self._asks_status = asks_status
        self._answered: set[int] = set()

    async def look(self, first: Update, trouble: str) -> None:
        """Look at what waits from that update on, the first one that is not confirmed; `trouble`:
        why it cannot be stored."""
        try:
            async with asyncio.timeout(SECONDS):
                waiting = await first.get_bot().get_updates(offset=first.update_id, timeout=0)
                for update in waiting:
                    await self._answer(update, trouble)
        except (TelegramError, TimeoutError) as wrong:
            log.info("the status cannot be sent: %s", type(wrong).__name__)

    async def _answer(self, update: Update, trouble: str) -> None:
        user = update.effective_user
        if user is None or update.update_id in self._answered or not self._asks_status(update):
            return
        self._answered.add(update.update_id)
        with speaking((user.language_code or "").partition("-")[0]):
            text = tr(STATUS).format(trouble=trouble)
        await update.get_bot().send_message(user.id, text, link_preview_options=NO_PREVIEW)


def over(began: datetime, ended: datetime, zone: tzinfo) -> str:
    """Return the message about an outage that is over, in local time."""
    text = LONG_OVER if ended - began >= KEPT else OVER
    return tr(text).format(
        began=f"{began.astimezone(zone):%Y-%m-%d %H:%M}",
        ended=f"{ended.astimezone(zone):%Y-%m-%d %H:%M}",
    )

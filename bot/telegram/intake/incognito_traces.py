"""Erase from the inbox messages that must not be kept, and edits of messages that are not for Sam.

A message must not be kept if its chat is incognito, or if the message says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal

from telegram import Update

from memory import Said, ServedElsewhere, StoreError, is_group
from memory.infra import Backoff

from ...assistant.profiles import Profiles
from ...inbox import Inbox
from ...turn.privacy_remarks import is_unkept
from ..api.connection import UNREADABLE

log = logging.getLogger(__name__)

BACKOFF = Backoff(first=1.0, longest=30.0)


class Traces:
    """Erase updates from the inbox.

    `place` returns an update's chat, the key of the message that it edits, and the message; None
    for each that is unknown. `served` returns the update's profile; None if it is not served.
    """

    def __init__(
        self,
        inbox: Inbox,
        profiles: Profiles,
        place: Callable[[Update], tuple[str | None, str | None, Said | None]],
        served: Callable[[Update], str | None],
    ) -> None:
        self._inbox, self._profiles = inbox, profiles
        self._place, self._served = place, served

    async def erase(self, update: Update) -> None:
        """Erase the bytes of an update that was incognito, or not for Sam.

        It retries until the store takes it; after a shutdown or a crash the next start does it.
        """
        for wait in BACKOFF.waits():
            try:
                if said := await self._said(update):  # to others it may be often
                    await self._inbox.leave_nothing(update.update_id, quick=said == "others")
                return
            except StoreError as full:
                log.error("update=%s is erased later: %s", update.update_id, full)
            await asyncio.sleep(wait)

    async def is_incognito(self, update: Update) -> bool:
        """Return whether an update, even an unreadable one, may belong to an incognito chat, or is
        an edit of a group's message that Sam does not have. Raises StoreError."""
        return bool(await self._said(update))

    async def _said(self, update: Update) -> Literal["incognito", "others", ""]:
        """Return what must leave nothing of an update; "" if it may be kept. Raises StoreError."""
        chat = edited = None
        try:
            chat, edited, said = self._place(update)
            if UNREADABLE not in update.api_kwargs:
                if (name := self._served(update)) is None or chat is None:
                    return ""
                async with self._profiles.use(name) as profile:
                    messages, is_of_group = profile.memory.log.messages, is_group(name)
                    if is_of_group and edited and await messages.by_key(edited) is None:
                        return "others"
                    is_on = await profile.turns.incognito.is_on(chat, edited)
                    if not is_on and said is not None:  # another one of its turn may have said so
                        is_on = is_unkept([said]) or await messages.was_incognito(said.key)
                    return "incognito" if is_on else ""
        except StoreError:
            raise
        except Exception:
            log.exception("update=%s may have been said incognito", update.update_id)
        try:
            for name in list(self._profiles.names):
                async with self._profiles.use(name) as profile:
                    if await profile.turns.incognito.is_on_anywhere(chat, edited):
                        return "incognito"
        except ServedElsewhere:
            return "incognito"
        return ""

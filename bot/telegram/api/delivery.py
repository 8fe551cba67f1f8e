"""Deliver stored replies: retry until Telegram has them, and record each part that was sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from memory import is_group
from memory.infra import Backoff, failpoint
from memory.text import mark, tr

from ...errors import ChatClosed, MessageRefused, TelegramDown, TokenRefused
from ...inbox import Replies, Reply
from ..formatting import CAPTION, LIMIT, PERHAPS_TWICE, REMARK, Part, parts, with_repeat_remark
from .sender import Beside, Sender, SentMessage

log = logging.getLogger(__name__)

BACKOFF = Backoff(first=1.0, longest=60.0)
NOTHING = mark("I have no answer to that.")


class Outbox:
    """Deliver replies, with retries."""

    def __init__(
        self,
        replies: Replies,
        sender: Sender,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._replies, self._sender, self._sleep = replies, sender, sleep

    async def deliver(self, reply: Reply) -> Reply:
        """Send the unsent parts; return the reply as sent or given up.

        Waits for as long as Telegram is down. Raises StoreError.
        """
        # In a thread: a text full of markup takes a while to format.
        shown = await asyncio.to_thread(parts, reply.text, limit=LIMIT - REMARK) or parts(
            tr(NOTHING)
        )
        for number, part in list(enumerate(shown))[len(reply.telegram_ids) :]:
            failpoint("before_send")
            last = number == len(shown) - 1
            beside = Beside(
                reply.keyboard if last else (), None if number else reply.answers, reply.silent
            )
            try:
                sent = await self._send(reply, part, beside)
            except (ChatClosed, MessageRefused) as refused:
                log.warning("reply=%s given up: %s", reply.key, refused)
                return await self._replies.give_up(reply.key, str(refused))
            failpoint("after_send")
            reply = await self._replies.part_sent(reply.key, sent.id, sent.at, last=last)
        return reply

    async def _send(self, reply: Reply, part: Part, beside: Beside) -> SentMessage:
        """Send the next part, with a remark if an earlier attempt may have arrived.

        The first part replaces the message that has shown the answer so far.
        """
        place, streamed = reply.where, None
        if is_group(reply.profile) and not reply.telegram_ids:  # elsewhere drafts show it
            streamed = await self._replies.stream_message(reply.key)
        if streamed is not None:
            already = SentMessage(*streamed)

            async def edit(_: bool) -> SentMessage:  # may be repeated
                await self._sender.edit(place, already.id, part, beside.keyboard)
                return already

            try:
                return await self._tried(reply, edit)
            except MessageRefused as refused:
                log.info("reply=%s is sent again as a message: %s", reply.key, refused)

        async def send(unsure: bool) -> SentMessage:
            await self._replies.sending(reply.key, may_arrive=True)
            return await self._sender.send(
                place, with_repeat_remark(part) if unsure else part, beside
            )

        return await self._tried(reply, send)

    async def deliver_file(
        self, reply: Reply, send_file: Callable[[str], Awaitable[SentMessage]]
    ) -> Reply:
        """Send a reply as a file; return it as sent or given up.

        `send_file` gets the remark if an earlier attempt may have arrived, "" otherwise."""

        async def send(unsure: bool) -> SentMessage:
            failpoint("before_send")
            await self._replies.sending(reply.key, may_arrive=True)
            return await send_file(tr(PERHAPS_TWICE) if unsure else "")

        try:
            sent = await self._tried(reply, send)
        except (ChatClosed, MessageRefused) as refused:
            log.warning("reply=%s given up: %s", reply.key, refused)
            return await self._replies.give_up(reply.key, str(refused))
        failpoint("after_send")
        return await self._replies.part_sent(reply.key, sent.id, sent.at, last=True)

    async def deliver_picture(self, reply: Reply, picture: bytes) -> Reply:
        """Send a reply as the caption of a picture; return it as sent or given up.

        Where it is too long for that, or Telegram refuses the picture, the text is sent alone.
        """
        shown = await asyncio.to_thread(parts, reply.text, limit=CAPTION - REMARK)
        if len(shown) != 1:
            return await self.deliver(reply)
        beside = Beside(reply.keyboard, reply.answers, reply.silent)

        async def send(unsure: bool) -> SentMessage:
            failpoint("before_send")
            await self._replies.sending(reply.key, may_arrive=True)
            caption = with_repeat_remark(shown[0]) if unsure else shown[0]
            return await self._sender.send_photo(reply.where, picture, caption, beside)

        try:
            sent = await self._tried(reply, send)
        except ChatClosed as closed:
            log.warning("reply=%s given up: %s", reply.key, closed)
            return await self._replies.give_up(reply.key, str(closed))
        except MessageRefused as refused:
            log.warning("reply=%s comes without its picture: %s", reply.key, refused)
            return await self.deliver(reply)
        failpoint("after_send")
        return await self._replies.part_sent(reply.key, sent.id, sent.at, last=True)

    async def _tried(
        self, reply: Reply, once: Callable[[bool], Awaitable[SentMessage]]
    ) -> SentMessage:
        """Retry until Telegram answers. `once` takes whether an earlier try may have arrived."""
        unsure, waits = reply.sending, BACKOFF.waits()
        while True:
            try:
                return await once(unsure)
            except (TelegramDown, TokenRefused) as down:
                asked = None
                if isinstance(down, TelegramDown):
                    asked, unsure = down.retry_after, unsure or down.unsure
                log.warning("chat=%s cannot be sent to: %s", reply.where.chat_id, down)
                if not unsure:
                    await self._replies.sending(reply.key, may_arrive=False)
                await self._sleep(max(next(waits), asked or 0.0))

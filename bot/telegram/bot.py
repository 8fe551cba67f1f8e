"""The Telegram bot, from its first connection to its last reply.

run: connect → finish what a crash left → poll, until `stop` is set → drain

Network failures are retried, and shown in `alarms`; only a rejected token ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Collection, Coroutine
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from telegram import Update
from telegram.ext import ExtBot, TypeHandler, Updater

from memory import OWNER, Clock, ConfigError, SamError, StoreError
from memory.infra import Backoff, utc_text
from memory.text import speaking

from ..chat.commands import menu
from ..errors import ChatError, TokenRefused
from ..inbox import Inbox, Keyboard, Received, Reply, Where
from ..markdown_escape import escape
from ..media import Reader, Speaker
from ..settings import Settings
from . import missed_messages, parse
from .access import Access, RateLimit
from .api.connection import (
    BAD_TOKEN,
    POLL_SECONDS,
    InboxQueue,
    Polling,
    build,
    fetch,
    log_poll_error,
    read,
    silence_library_logs,
    telegram_errors,
    unreadable_update,
)
from .api.delivery import Outbox
from .api.menu import ChatMenu
from .api.sender import Sender
from .conversation import FILE_KEY, ConversationRunner
from .dispatcher import ByChat, suspects
from .handlers import Handlers

if TYPE_CHECKING:
    from ..assistant import Assistant
    from ..assistant.profiles import Profiles

log = logging.getLogger(__name__)

GRACE = 15.0  # seconds for answers in progress at shutdown; the rest is answered at the next start
BACKOFF = Backoff(first=1.0, longest=60.0)
DEAF = 120.0  # seconds without a finished poll after which something is wrong


class Bot:
    """One bot: `async with Bot(settings, profiles, clock) as bot: await bot.run(stop)`.

    It opens its inbox; it does not close the profiles.
    """

    def __init__(self, settings: Settings, profiles: Profiles, clock: Clock) -> None:
        if settings.telegram_bot_token is None:
            raise ConfigError(["TELEGRAM_BOT_TOKEN: get one from @BotFather"])
        silence_library_logs()
        self._token = settings.telegram_bot_token.get_secret_value()
        self._settings, self._profiles, self._clock = settings, profiles, clock
        self._polling = Polling()
        self._trouble: str | None = None
        self._turned_at = 0.0
        self._order = ByChat(parse.lane, parse.at_once)
        self.connected = asyncio.Event()

    async def __aenter__(self) -> Self:
        inbox = await Inbox.of(self._settings, self._clock)
        self.inbox = inbox
        self._turned_at = asyncio.get_running_loop().time()
        self.access = Access.of(self._settings, inbox.people)
        await self.access.load()
        self._queue = InboxQueue(inbox.updates, parse.chat_of, self._payload, self._stored)
        self._app = build(
            self._token, self._settings.telegram_base_url, self._queue, self._order, self._polling
        )
        bot: ExtBot[None] = self._app.bot
        sender = Sender(bot)
        outbox = Outbox(inbox.replies, sender)
        reader = Reader(self._settings, partial(fetch, bot))
        speaker = Speaker(self._settings)
        self._talk = ConversationRunner(
            self._profiles, inbox.replies, outbox, sender, reader, speaker
        )
        self._menu = ChatMenu(bot, self._settings.web_url)
        self._handlers = Handlers(
            inbox,
            self.access,
            RateLimit(self._settings.rate_limit),
            self._profiles,
            self._talk,
            sender,
            self._menu,
            self._order,
            self.alarms,
            lambda: bot.username,
            reader,
            self._settings.burst_seconds,
        )
        self._away = missed_messages.Away(self._clock, self._all_done, self._was_away)
        self._app.add_handler(TypeHandler(Update, self._handlers.receive))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.inbox.close()

    @property
    def _updater(self) -> Updater:
        assert self._app.updater is not None, "polling was built in"
        return self._app.updater

    def _payload(self, update: Update) -> str:
        profile = self._arrived(update)
        return parse.payload(update, known=profile is not None)

    def _arrived(self, update: Update) -> str | None:
        """Record when it was written; return its profile."""
        profile = self._handlers.profile_name(update)
        if profile is not None and update.message is not None and parse.is_private(update):
            chat = parse.place_of(update.message).chat
            self._away.arrived(profile, chat, update.message.date)
        return profile

    def _stored(self, update: Update) -> None:
        lane = parse.lane(update) if update.message is not None else None
        if lane is not None and self._handlers.profile_name(update) is not None:
            self._handlers.bursts.message_arrived(lane)

    async def _all_done(self, chat: str) -> bool:
        return all(each.chat != chat for each in await self.inbox.updates.received())

    async def _was_away(self, profile: str, dates: list[datetime]) -> None:
        async with self._profiles.use(profile) as open_profile:
            now = self._clock().astimezone(open_profile.memory.zone)
            with speaking(await open_profile.language()):
                text = escape(missed_messages.text(dates, now))
        await self.speak(profile, text, key=f"away:{utc_text(min(dates))}")

    @property
    def name(self) -> str:
        """Return the bot's `@name`; available once connected."""
        return f"@{self._app.bot.username}"

    def alarms(self) -> tuple[str, ...]:
        """Return the problems of the connection, one sentence each; empty if there are none."""
        found = [self._trouble, self._polling.trouble, self._queue.trouble]
        age = self.poll_age()
        if age is not None and age > DEAF:
            found.append(f"no poll has ended for {age:.0f} seconds")
        return tuple(each for each in found if each)

    def poll_age(self) -> float | None:
        """Return the seconds since the last finished poll, successful or not; None before the
        first."""
        ended = self._polling.ended_at
        return None if ended is None else asyncio.get_running_loop().time() - ended

    def condition(self) -> str:
        """Return a status line for systemd."""
        if not self.connected.is_set():
            return self._trouble or "connecting to Telegram"
        return "; ".join(self.alarms()) or f"talking as {self.name}"

    def lived_at(self) -> float:
        """Return the loop time of the last activity of connecting, polling or storing.

        Failures count as activity: a restart fixes neither the network nor a full disk.
        """
        return max(self._turned_at, self._polling.ended_at or 0.0, self._queue.tried_at)

    # ── life cycle ───────────────────────────────────────────────────────────────────────────

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then drain. Raises TokenRefused, StoreError."""
        expiring = asyncio.create_task(self.inbox.expire_daily())
        try:
            if not await _unless(stop, self._connect()):
                return
            await self._app.start()
            await self._take_up()
            poll = self._updater.start_polling(
                timeout=POLL_SECONDS,
                bootstrap_retries=-1,
                allowed_updates=parse.ALLOWED_UPDATES,
                error_callback=log_poll_error,
            )
            with telegram_errors():
                if not await _unless(stop, poll):
                    return
            log.info("polling bot=%s", self.name)
            await _unless(stop, self._polling.refused.wait())
            if self._polling.refused.is_set():
                raise TokenRefused(BAD_TOKEN)
        finally:
            expiring.cancel()
            self._away.close()
            await self._drain()

    async def _connect(self) -> None:
        """Retry until Telegram answers. Raises TokenRefused."""
        waits = BACKOFF.waits()
        while True:
            self._turned_at = asyncio.get_running_loop().time()
            try:
                with telegram_errors():
                    await self._app.initialize()
                break
            except TokenRefused:
                raise
            except ChatError as down:
                if self._trouble is None:
                    log.warning("%s", down)
                self._trouble = str(down)
                await asyncio.sleep(next(waits))
        self._trouble = None
        self.connected.set()
        self._handlers.later(self._menu.show(menu, self.access.users_of(OWNER)))

    async def _drain(self) -> None:
        """Confirm fetched updates, let answers finish, and leave the rest to the next start."""
        try:
            with telegram_errors():
                if self._updater.running:
                    await self._updater.stop()
        except ChatError as down:  # unconfirmed updates are delivered again
            log.info("%s", down)
        self._order.close()
        running = set(self._handlers.running)
        if running:
            _, late = await asyncio.wait(running, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._app.running:
            await self._app.stop()
        await self._app.shutdown()
        await self._app.bot.shutdown()

    # ── after a crash ────────────────────────────────────────────────────────────────────────

    async def _take_up(self) -> None:
        """Resume the last process' work: replies, then suspected updates, then all others in
        order."""
        received = await self.inbox.updates.received()
        replies = await self.inbox.replies.unsettled()
        if received or replies:
            log.info("taking up updates=%d replies=%d", len(received), len(replies))
        waiting = {f"{FILE_KEY}{each.update_id}" for each in received}
        for reply in replies:
            if reply.key.startswith(FILE_KEY) and reply.key not in waiting:
                await self.inbox.replies.give_up(reply.key, "its press was set aside")
                await self.inbox.replies.settle(reply.key)
            self._handlers.later(self._finish(reply))
        waiting_chats = {each.chat for each in received}
        replied = {(each.profile, each.turn) for each in replies}
        await self._profiles.once_per_profile(partial(self._close_turns, waiting_chats, replied))
        await asyncio.sleep(0)  # the replies enter their chats' lanes before the updates
        updates: list[tuple[Received, Update]] = []
        for each in received:
            try:
                update = read(each.payload, self._app.bot)
            except ValueError as wrong:
                log.error("update=%s cannot be read: %s", each.update_id, type(wrong).__name__)
                update = unreadable_update(each.update_id)
            self._arrived(update)
            updates.append((each, update))
        alone = suspects(updates)
        self._order.suspect(alone)
        for update in [*alone, *(other for _, other in updates if other not in alone)]:
            self._queue.put_nowait(update)

    async def _finish(self, reply: Reply) -> None:
        waits = BACKOFF.waits()
        while True:
            try:
                async with self._order.locked(reply.where.chat):
                    now = await self.inbox.replies.get(reply.key)
                    if now is not None and not now.settled:
                        with speaking(await self._language(now.profile)):
                            await self._talk.finish(now)
                return
            except StoreError as full:
                log.error("reply=%s waits for a store: %s", reply.key, full)
            await asyncio.sleep(next(waits))

    async def _language(self, name: str) -> str:
        """Return the language of a profile; "" for one that is gone, or cannot be opened now."""
        if name in self._profiles.names:
            with contextlib.suppress(SamError):
                async with self._profiles.use(name) as profile:
                    return await profile.language()
        return ""

    @staticmethod
    async def _close_turns(
        waiting: Collection[str | None],
        replied: Collection[tuple[str, int | None]],
        profile: Assistant,
    ) -> None:
        """Close the turns that the last process left open, and whose update is set aside or lost.

        `waiting`: the chats of the updates that it left; `replied`: the turns of its replies.
        """
        for turn in await profile.memory.log.turns.open("telegram:"):
            if turn.chat not in waiting and (profile.name, turn.id) not in replied:
                log.warning("turn=%s was left open, its update is gone", turn.id)
                await profile.turns.fail(turn, "interrupted")

    # ── unasked messages ─────────────────────────────────────────────────────────────────────

    async def speak(
        self,
        profile: str,
        text: str,
        *,
        key: str = "",
        keyboard: Keyboard = (),
        silent: bool = False,
        logged: str = "",
    ) -> None:
        """Send an unprompted message to the profile's user and log it; only once for each key, or
        without a key only once a day for the same text.

        Returns when it is stored: it is sent as soon as Telegram accepts it. Raises ChatError if no
        user has that profile.
        """
        user = self.access.user_of(profile)
        if user is None:
            raise ChatError(f"nobody is allowed to talk to {profile}: pair first")
        day, digest = utc_text(self._clock())[:10], hashlib.sha256(text.encode()).hexdigest()[:16]
        reply = Reply(
            f"spoke:{profile}:{key or f'{day}:{digest}'}",
            profile,
            Where(user),
            "spoke",
            text,
            logged=logged or text,
            keyboard=keyboard,
            silent=silent,
        )
        stored = await self.inbox.replies.store(reply)
        if not stored.settled and self.connected.is_set():
            self._handlers.later(self._finish(stored))

    async def code(self) -> str | None:
        """Return a pairing code to show if no one may write yet; None otherwise."""
        await self.access.load()
        return await self.inbox.people.new_code() if self.access.empty else None


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> bool:
    """Do the work, or cancel it when `stop` is set; return whether it was finished."""
    doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            await doing
            return True
        return False
    finally:
        for task in (doing, stopping):
            task.cancel()
        await asyncio.gather(doing, stopping, return_exceptions=True)

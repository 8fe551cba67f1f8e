"""The Telegram bot, from its first connection to its last reply.

run: connect → finish what a crash left → poll, until `stop` is set → drain

Network failures are retried, and shown in `alarms`; only a rejected token ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Self

from telegram import Update
from telegram.ext import ExtBot, TypeHandler, Updater

from memory import OWNER, Clock, ConfigError, StoreError
from memory.infra import Backoff, utc_text
from memory.text import speaking

from ..chat.commands import menu
from ..errors import ChatError, TokenRefused
from ..inbox import DatabaseWatch, Inbox, Keyboard, Reply, Where
from ..markdown_escape import escape
from ..media import Reader, Speaker
from ..settings import Settings
from . import missed_messages, parse
from .access import Access, RateLimit
from .api.connection import (
    BAD_TOKEN,
    POLL_SECONDS,
    Polling,
    build,
    fetch,
    log_poll_error,
    silence_library_logs,
    telegram_errors,
    unless,
)
from .api.delivery import Outbox
from .api.menu import ChatMenu
from .api.sender import Sender
from .api.status_in_outage import StatusOnly, over
from .conversation import ConversationRunner
from .handlers import Handlers
from .intake import Intake, Resumer, Webhook
from .intake.dispatcher import ByChat
from .intake.inbox_queue import InboxQueue

if TYPE_CHECKING:
    from memory import Leases

    from ..assistant.profiles import Profiles

log = logging.getLogger(__name__)

GRACE = 15.0  # seconds for answers in progress at shutdown; the rest is answered at the next start
BACKOFF = Backoff(first=1.0, longest=60.0)
POLLER_SECONDS = 2.0  # seconds between attempts to become the poller
DEAF = 120.0  # seconds without a finished poll after which something is wrong


class Bot:
    """One bot: `async with Bot(settings, profiles, clock) as bot: await bot.run(stop)`.

    It opens its inbox; it does not close the profiles.
    """

    def __init__(
        self, settings: Settings, profiles: Profiles, clock: Clock, leases: Leases | None = None
    ) -> None:
        """`leases`: of one of several workers, which share the bot."""
        if settings.telegram_bot_token is None:
            raise ConfigError(["TELEGRAM_BOT_TOKEN: get one from @BotFather"])
        silence_library_logs()
        self._token = settings.telegram_bot_token.get_secret_value()
        self._settings, self._profiles, self._clock = settings, profiles, clock
        self._leases = leases
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
        self._queue = InboxQueue(
            inbox.updates,
            parse.chat_of,
            self._payload,
            self._stored,
            on_failure=StatusOnly(self._asks_status).look,
            shared=self._leases is not None,
        )
        self._app = build(
            self._token, self._settings.telegram_base_url, self._queue, self._order, self._polling
        )
        bot: ExtBot[None] = self._app.bot
        sender = Sender(bot)
        self._database = DatabaseWatch.of(inbox, self._settings, self._clock, self._was_down)
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
        self._resumer = Resumer(
            inbox,
            self._profiles,
            self._order,
            self._queue,
            bot,
            arrived=self._arrived,
            send=self._talk.finish,
            later=self._handlers.later,
        )
        self._intake = None
        if self._leases is not None:
            self._intake = Intake(
                self._leases,
                inbox,
                self._profiles,
                self._resumer,
                self.access.set_known,
                self._handlers.profile_name,
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
        if self._leases is not None:  # it arrives where it is handled
            known = self._handlers.profile_name(update) is not None
            return parse.payload(update, known=known, elsewhere=True)
        return parse.payload(update, known=self._arrived(update) is not None)

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

    def _asks_status(self, update: Update) -> bool:
        return parse.asks_status(update) and self._handlers.profile_name(update) is not None

    async def _all_done(self, chat: str) -> bool:
        return all(each.chat != chat for each in await self.inbox.updates.received())

    async def _was_away(self, profile: str, dates: list[datetime]) -> None:
        await self._report(
            profile,
            lambda zone: missed_messages.text(dates, self._clock().astimezone(zone)),
            key=f"away:{utc_text(min(dates))}",
        )

    async def _was_down(self, began: datetime, ended: datetime) -> None:
        await self._report(OWNER, partial(over, began, ended), key=f"outage:{utc_text(began)}")

    async def _report(self, profile: str, text: Callable[[tzinfo], str], *, key: str) -> None:
        async with self._profiles.use(profile) as opened:
            with speaking(await opened.language()):
                notice = escape(text(opened.memory.zone))
        await self.speak(profile, notice, key=key)

    @property
    def name(self) -> str:
        """Return the bot's `@name`; available once connected."""
        return f"@{self._app.bot.username}"

    def alarms(self) -> tuple[str, ...]:
        """Return the problems of the connection, one sentence each; empty if there are none."""
        stores = self._queue.trouble or (self._database and self._database.trouble)
        found = [self._trouble, self._polling.trouble, stores]
        age = self.poll_age()
        if age is not None and age > DEAF:
            found.append(f"no poll has ended for {age:.0f} seconds")
        return tuple(each for each in found if each)

    def poll_age(self) -> float | None:
        """Return the seconds since the last poll that ended, or failed; None before the first."""
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
        if self._settings.webhook_url and self.connected.is_set():
            return asyncio.get_running_loop().time()  # the loop answers Telegram's requests
        looked_at = self._intake.looked_at if self._intake is not None else 0.0
        return max(self._turned_at, self._polling.ended_at or 0.0, self._queue.tried_at, looked_at)

    # ── life cycle ───────────────────────────────────────────────────────────────────────────

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then drain. Raises TokenRefused, StoreError."""
        beside = [asyncio.create_task(self.inbox.expire_daily())]
        if self._database is not None:
            beside.append(asyncio.create_task(self._database.run()))
        serving: asyncio.Task[None] | None = None
        try:
            if not await unless(stop, self._connect()):
                return
            await self._app.start()
            if self._intake is None:
                await self._resumer.resume_all()
            else:
                serving = asyncio.create_task(self._intake.run(), name="intake")
            if self._settings.webhook_url:
                await self._listen(stop)
            elif self._leases is None or await unless(stop, self._become_poller()):
                await self._poll(stop)
        finally:
            for task in beside:
                task.cancel()
            self._away.close()
            if serving is not None:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
            await self._drain()

    async def _poll(self, stop: asyncio.Event) -> None:
        """Ask for updates until `stop` is set. Raises TokenRefused."""
        poll = self._updater.start_polling(
            timeout=POLL_SECONDS,
            bootstrap_retries=-1,
            allowed_updates=parse.ALLOWED_UPDATES,
            error_callback=log_poll_error,
        )
        with telegram_errors():
            if not await unless(stop, poll):
                return
        log.info("polling bot=%s", self.name)
        await unless(stop, self._polling.refused.wait())
        if self._polling.refused.is_set():
            raise TokenRefused(BAD_TOKEN)

    async def _listen(self, stop: asyncio.Event) -> None:
        """Let Telegram send updates here until `stop` is set. Raises ConfigError, ChatError."""
        webhook = Webhook(self._settings, self._token, self._queue.accept)
        async with webhook.serving():
            register = partial(webhook.register, self._app.bot, parse.ALLOWED_UPDATES)
            if await unless(stop, self._tried(register)):
                await stop.wait()

    async def _connect(self) -> None:
        """Connect as soon as Telegram answers. Raises TokenRefused."""
        await self._tried(self._app.initialize)
        self.connected.set()
        self._handlers.later(self._menu.show(menu, self.access.users_of(OWNER)))

    async def _tried(self, call: Callable[[], Awaitable[None]]) -> None:
        """Call until Telegram answers. Raises TokenRefused."""
        waits = BACKOFF.waits()
        while True:
            self._turned_at = asyncio.get_running_loop().time()
            try:
                with telegram_errors():
                    await call()
                self._trouble = None
                return
            except TokenRefused:
                raise
            except ChatError as down:
                if self._trouble is None:
                    log.warning("%s", down)
                self._trouble = str(down)
                await asyncio.sleep(next(waits))

    async def _become_poller(self) -> None:
        """Wait until this worker is the one that asks Telegram for updates."""
        assert self._leases is not None, "only one of several workers waits"
        name = f"poller:{hashlib.sha256(self._token.encode()).hexdigest()[:16]}"
        freed = asyncio.Event()
        self._leases.listen(freed, freed_alone=True)
        while True:
            freed.clear()
            try:
                await self._leases.take(name, due=False)
                return
            except StoreError as why:
                log.debug("poller: %s", why)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLLER_SECONDS):
                    await freed.wait()

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
            lost = self._leases is not None and self._leases.lost.is_set()
            _, late = await asyncio.wait(running, timeout=0 if lost else GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._app.running:
            await self._app.stop()
        await self._app.shutdown()
        await self._app.bot.shutdown()

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
            self._handlers.later(self._resumer.finish(stored))

    async def code(self) -> str | None:
        """Return a pairing code to show if no one may write yet; None otherwise."""
        await self.access.load()
        return await self.inbox.people.new_code() if self.access.empty else None

"""Fake Telegram Bot API on a free loopback port, with strict validation and scripting methods.

In an async test it runs in the test's event loop and its methods are awaited; `running()` gives it
a thread of its own, for a test that drives a process:

    async with FakeTelegram() as telegram:            with FakeTelegram.running() as telegram:
        await telegram.receives("hi")                     telegram.receives("hi")
        [answer] = await telegram.wait_sent(1)            [answer] = telegram.wait_sent(1)

A request that the description of the Bot API does not allow is refused and recorded in `mistakes`;
otherwise a bot that falls back to a simpler form of a message would hide it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

from aiohttp import web

from tests.fakes import telegram_spec
from tests.fakes.telegram_chats import Draft, File, Group, Person, Received, Request, Sent
from tests.fakes.telegram_faults import Fault, When
from tests.fakes.telegram_people import People
from tests.fakes.telegram_polls import Polls
from tests.fakes.telegram_store import Store
from tests.fakes.telegram_thread import in_thread
from tests.fakes.telegram_webhook import Deliveries
from tests.fakes.telegram_wire import RICH, Wire

__all__ = ["ANA", "TOKEN", "Draft", "FakeTelegram", "File", "Group", "Person", "Received", "Sent"]

TOKEN = "424242:a-token-of-the-fake-telegram"
ANA = Person(1001, "Ana", username="ana_the_owner")
T = TypeVar("T")


class FakeTelegram(People):
    """The server and its scripting methods. `clock` dates every message; it moves only when set."""

    def __init__(
        self,
        *,
        token: str = TOKEN,
        user: Person = ANA,
        clock: datetime = datetime(2026, 2, 12, 13, 30, tzinfo=UTC),
        port: int = 0,
    ) -> None:
        self._waiters: list[asyncio.Future[None]] = []
        bot = Person(int(token.split(":")[0]), "Sam", None, "sam_the_bot", None, is_bot=True)
        store, spec = Store(bot, clock, {user.id: user}), telegram_spec.load()
        polls = Polls(self._wake)
        super().__init__(user, store, polls, spec, self._wake)
        self.token = token
        self.url = ""
        self.sent = self.store.sent
        self.edited = self.store.edited
        self.deleted = self.store.deleted
        self.drafts = self.store.drafts
        self.actions = self.store.actions
        self.reactions = self.store.reactions
        self.commands = self.store.commands
        self.menu_buttons = self.store.menu_buttons
        self._wire = Wire(token, store, polls, spec, self._wake)
        self._deliveries = Deliveries(store, polls, self._wake)
        self._delivering: asyncio.Task[None] | None = None
        self._port = port
        self._runner: web.AppRunner | None = None

    @classmethod
    def running(cls, **how: Any) -> AbstractContextManager[Any]:
        """Run the fake in its own thread: every method blocks until done and needs no await."""
        return in_thread(lambda: cls(**how))

    async def __aenter__(self) -> Self:
        # do not wait for handlers of killed clients
        self._runner = web.AppRunner(self._wire.app(), access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._delivering = asyncio.create_task(self._deliveries.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._polls.close()
        if self._delivering is not None:
            self._delivering.cancel()
            await asyncio.gather(self._delivering, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    # inspecting

    @property
    def clock(self) -> datetime:
        return self.store.now

    @clock.setter
    def clock(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("the clock is aware")
        self.store.now = now.astimezone(UTC)

    def passes(self, **time: float) -> datetime:
        """Advance the clock by `timedelta` arguments: `passes(hours=8)`."""
        self.clock += timedelta(**time)
        return self.clock

    @property
    def env(self) -> dict[str, str]:
        """Return settings that connect Sam to this server; the default user is the owner."""
        return {
            "TELEGRAM_BOT_TOKEN": self.token,
            "TELEGRAM_BASE_URL": self.url,
            "TELEGRAM_ALLOWED_USERS": str(self.user.id),
            "BURST_SECONDS": "0",  # each message is a turn, except in a test of bursts
        }

    @property
    def requests(self) -> list[Request]:
        """Return every call that had the right token, in order of arrival."""
        return self._wire.requests

    def keeps(self, keep: Callable[[Request], None]) -> None:
        """Call `keep` with each further call, instead of keeping it in `requests`."""
        self._wire.keep = keep

    @property
    def mistakes(self) -> list[str]:
        """Return invalid requests, and ones this fake does not support."""
        return self._wire.mistakes

    def violations(self) -> list[str]:
        """Return the mistakes, and the media that Telegram would fetch."""
        fetched = [f"media of a rich message is fetched: {each}" for each in self.store.fetched]
        return [f"Telegram: {each}" for each in (*self.mistakes, *fetched)]

    @property
    def pending(self) -> list[dict[str, Any]]:
        """Return the updates that no offset has confirmed yet."""
        return list(self._polls.pending)

    @property
    def handed(self) -> dict[int, float]:
        """Return when each update was first delivered to the bot: id → monotonic seconds."""
        return self._polls.handed

    @property
    def conflicts(self) -> int:
        """Return how many polls a newer poll has ended."""
        return self._polls.conflicts

    @property
    def deliveries(self) -> list[int]:
        """Return the status of each attempt to deliver to the webhook; 0: no connection."""
        return list(self._deliveries.statuses)

    @property
    def dropped(self) -> int:
        """Return the updates that the bot discarded with `drop_pending_updates`."""
        return self._wire.dropped

    @property
    def answered(self) -> dict[str, dict[str, Any]]:
        """Return the button presses that the bot answered, by query id."""
        return {key: args for key, args in self.store.queries.items() if args is not None}

    def transcript(self, chat: int | None = None) -> list[tuple[str, str]]:
        """Return (first name, text) of each message in a chat, with edits applied."""
        return [
            (message["from"]["first_name"], _text_of(message))
            for (where, _), message in self.store.messages.items()
            if where == (chat or self.user.id)
        ]

    # waiting

    async def asks(self, text: str, *, timeout: float = 60.0, **how: Any) -> Sent:
        """Send a message as `receives` does, and return the bot's next message in that chat."""
        so_far = len(self.sent)
        asked = await self.receives(text, **how)

        def answer(_: FakeTelegram) -> Sent | None:
            return next((s for s in self.sent[so_far:] if s.chat_id == asked.chat_id), None)

        said = await self.wait_for(answer, timeout)
        assert said is not None
        return said

    async def wait_sent(self, count: int = 1, timeout: float = 60.0) -> list[Sent]:
        """Wait for at least `count` sent messages and return all of them."""
        await self.wait_for(lambda telegram: len(telegram.sent) >= count, timeout)
        return list(self.sent)

    async def wait_for(self, predicate: Callable[[Any], T], timeout: float = 60.0) -> T:
        """Return the first true result of `predicate(telegram)`, which is called after each
        request.

        Raises AssertionError with the last requests after `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                while not (found := predicate(self)):
                    waiter = asyncio.get_running_loop().create_future()
                    self._waiters.append(waiter)
                    await waiter
                return found
        except TimeoutError:
            raise AssertionError(f"not within {timeout} s\n{self.story()}") from None

    def story(self) -> str:
        """Return the last requests and pending updates, for the message of a failing test."""
        lines = [
            f"{each.status} {each.method} {str(each.fields)[:120]} {each.description}"
            for each in self.requests[-12:]
        ]
        return "\n".join([*lines, f"{len(self.pending)} updates wait, {len(self.sent)} were sent"])

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    # faults, for the next `times` requests of that method (None: until `heals`)

    def fails(
        self,
        status: int,
        *,
        method: str | None = None,
        times: int | None = 1,
        retry_after: int | None = None,
        when: When = "before",
        description: str = "",
        body: bytes | None = None,
    ) -> None:
        """Answer with an error, or with `body` in place of Telegram's JSON."""
        if status == 429 and retry_after is None:
            retry_after = 1  # Telegram always sends it with a 429
        self._wire.faults.add(
            Fault("fails", method, times, when, status, description, retry_after, body=body)
        )

    def cuts(
        self, *, method: str | None = None, times: int | None = 1, when: When = "before"
    ) -> None:
        """Reset the connection. With `times=None` and no method, the network is down."""
        self._wire.faults.add(Fault("cuts", method, times, when))

    def slow(
        self,
        seconds: float,
        *,
        method: str | None = None,
        times: int | None = 1,
        when: When = "before",
    ) -> None:
        """Delay the answer."""
        self._wire.faults.add(Fault("slow", method, times, when, seconds=seconds))

    def heals(self) -> None:
        """Remove all faults."""
        self._wire.faults.clear()

    def lacks(self, *methods: str) -> None:
        """Act as an older server without these methods; with no names: without rich messages."""
        self._wire.lacking |= set(methods) or RICH

    def repeats(self, times: int = 1) -> None:
        """Deliver the next batches of updates once more, although they were confirmed."""
        self._polls.repeat(times)

    def shuffles(self, times: int = 1) -> None:
        """Deliver the next batches of two or more updates newest first."""
        self._polls.shuffle(times)


def _text_of(message: dict[str, Any]) -> str:
    if "rich_message" in message:
        return "\n\n".join(block["text"] for block in message["rich_message"]["blocks"])
    return str(message.get("text", message.get("caption", "")))

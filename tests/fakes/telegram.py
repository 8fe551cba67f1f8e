"""A strict Telegram on a free port of this machine, with a small language for tests.

It knows nothing of Sam. In a test that is itself asynchronous it lives in the test's loop, and the
words are awaited; `running()` gives it a thread of its own for a test that drives a process:

    async with FakeTelegram() as telegram:            with FakeTelegram.running() as telegram:
        await telegram.receives("hi")                     telegram.receives("hi")
        [answer] = await telegram.wait_sent(1)            [answer] = telegram.wait_sent(1)

A request that the description of the Bot API does not allow is refused, and kept in `mistakes`: a
bot that falls back from one form of a message to the next would hide it otherwise.
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
from tests.fakes.telegram_wire import RICH, Wire

__all__ = ["ANA", "TOKEN", "Draft", "FakeTelegram", "File", "Group", "Person", "Received", "Sent"]

TOKEN = "424242:a-token-of-the-fake-telegram"
ANA = Person(1001, "Ana", username="ana_the_owner")
T = TypeVar("T")


class FakeTelegram(People):
    """The server and its words. `clock` gives every message its date; it moves only when told."""

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
        self._port = port
        self._runner: web.AppRunner | None = None

    @classmethod
    def running(cls, **how: Any) -> AbstractContextManager[Any]:
        """The same in a thread of its own: every word waits for its end and needs no await."""
        return in_thread(lambda: cls(**how))

    async def __aenter__(self) -> Self:
        # handlers of clients that were killed are not waited for
        self._runner = web.AppRunner(self._wire.app(), access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self._port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._polls.close()
        if self._runner is not None:
            await self._runner.cleanup()

    # what a test can look at

    @property
    def clock(self) -> datetime:
        return self.store.now

    @clock.setter
    def clock(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("the clock is aware")
        self.store.now = now.astimezone(UTC)

    def passes(self, **time: float) -> datetime:
        """Moves the clock, as `timedelta` counts: `passes(hours=8)`."""
        self.clock += timedelta(**time)
        return self.clock

    @property
    def env(self) -> dict[str, str]:
        """The settings with which Sam talks to this server, the default user being the owner."""
        return {
            "TELEGRAM_BOT_TOKEN": self.token,
            "TELEGRAM_BASE_URL": self.url,
            "TELEGRAM_ALLOWED_USERS": str(self.user.id),
            "BURST_SECONDS": "0",  # but for a test of bursts, each message is a turn
        }

    @property
    def requests(self) -> list[Request]:
        """Every call that had the right token, in the order of arrival."""
        return self._wire.requests

    @property
    def mistakes(self) -> list[str]:
        """What the bot asked for and Telegram has not, or this fake does not play."""
        return self._wire.mistakes

    def complaints(self) -> list[str]:
        """What `assert_clean` tells: mistakes, and media that Telegram would fetch."""
        fetched = [f"media of a rich message is fetched: {each}" for each in self.store.fetched]
        return [f"Telegram: {each}" for each in (*self.mistakes, *fetched)]

    @property
    def pending(self) -> list[dict[str, Any]]:
        """Updates that no offset has confirmed yet."""
        return list(self._polls.pending)

    @property
    def handed(self) -> dict[int, float]:
        """When each update was first given to the bot (monotonic), by its id."""
        return self._polls.handed

    @property
    def conflicts(self) -> int:
        """How many polls were ended by a younger one."""
        return self._polls.conflicts

    @property
    def dropped(self) -> int:
        """Updates that the bot threw away with `drop_pending_updates`."""
        return self._wire.dropped

    @property
    def answered(self) -> dict[str, dict[str, Any]]:
        """Presses of buttons that the bot answered, by the query's id."""
        return {key: args for key, args in self.store.queries.items() if args is not None}

    def transcript(self, chat: int | None = None) -> list[tuple[str, str]]:
        """(first name, text) of each message that stands in a chat, edits applied."""
        return [
            (message["from"]["first_name"], _text_of(message))
            for (where, _), message in self.store.messages.items()
            if where == (chat or self.user.id)
        ]

    # waiting

    async def asks(self, text: str, *, timeout: float = 60.0, **how: Any) -> Sent:
        """A message as in `receives`, and the bot's next one in the same chat."""
        so_far = len(self.sent)
        asked = await self.receives(text, **how)

        def answer(_: FakeTelegram) -> Sent | None:
            return next((s for s in self.sent[so_far:] if s.chat_id == asked.chat_id), None)

        said = await self.wait_for(answer, timeout)
        assert said is not None
        return said

    async def wait_sent(self, count: int = 1, timeout: float = 60.0) -> list[Sent]:
        """All that was sent, once it is at least `count` messages."""
        await self.wait_for(lambda telegram: len(telegram.sent) >= count, timeout)
        return list(self.sent)

    async def wait_for(self, predicate: Callable[[Any], T], timeout: float = 60.0) -> T:
        """What `predicate(telegram)` says once it says something true; asked after each request.

        Raises AssertionError with the last requests when that takes over `timeout` seconds.
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
        """The last requests and what waits, for the message of a test that fails."""
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

    # what goes wrong, for the next `times` requests of that method (None: until `heals`)

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
        """Answers with an error, `body` in place of Telegram's JSON if given."""
        if status == 429 and retry_after is None:
            retry_after = 1  # Telegram never sends a 429 without it
        self._wire.faults.add(
            Fault("fails", method, times, when, status, description, retry_after, body=body)
        )

    def cuts(
        self, *, method: str | None = None, times: int | None = 1, when: When = "before"
    ) -> None:
        """Resets the connection. With `times=None` and no method: the network is down."""
        self._wire.faults.add(Fault("cuts", method, times, when))

    def slow(
        self,
        seconds: float,
        *,
        method: str | None = None,
        times: int | None = 1,
        when: When = "before",
    ) -> None:
        """Answers late."""
        self._wire.faults.add(Fault("slow", method, times, when, seconds=seconds))

    def heals(self) -> None:
        """Nothing goes wrong any more."""
        self._wire.faults.clear()

    def lacks(self, *methods: str) -> None:
        """An older server, without these methods; without any name: without rich messages."""
        self._wire.lacking |= set(methods) or RICH

    def repeats(self, times: int = 1) -> None:
        """Hands out the next batches of updates once more, although they were confirmed."""
        self._polls.repeat(times)

    def shuffles(self, times: int = 1) -> None:
        """Hands out the next batches of two or more with the newest first."""
        self._polls.shuffle(times)


def _text_of(message: dict[str, Any]) -> str:
    if "rich_message" in message:
        return "\n\n".join(block["text"] for block in message["rich_message"]["blocks"])
    return str(message.get("text", message.get("caption", "")))

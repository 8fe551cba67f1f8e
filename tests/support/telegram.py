"""Run the real bot on Telegram in this process, between the fakes; with fixtures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.inbox import Inbox, served_profiles
from bot.settings import Settings
from bot.telegram import bot as app
from bot.telegram import handlers, missed_messages
from bot.telegram.api import delivery, live_draft
from bot.telegram.bot import Bot
from memory.infra.retry import Backoff
from memory.log import Message
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Person
from tests.fakes.violations import assert_no_violations
from tests.support.engines import with_engine
from tests.support.open_profiles import open_profiles

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)
BOB = Person(1002, "Bob")


@dataclass
class Sam:
    """A running bot, and its stores."""

    telegram: FakeTelegram
    bot: Bot
    profiles: Mapping[str, Assistant]
    inbox: Inbox
    run: asyncio.Task[None]

    async def said(self, profile: str = "owner") -> list[Message]:
        return await self.profiles[profile].memory.log.messages.recent(50)

    async def texts(self, profile: str = "owner") -> list[tuple[str, str]]:
        return [(m.role, m.text) for m in await self.said(profile)]

    async def at_rest(self) -> None:
        """Wait until Sam has every update, all are done, and every reply is settled."""
        async with asyncio.timeout(60):
            while True:
                counts = await self.inbox.counts()
                assert counts.adds_up
                waiting = self.telegram.pending or counts.updates.get("received")
                if not waiting and not counts.unsettled:
                    return
                await asyncio.sleep(0.01)


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    async with FakeTelegram(clock=NOON) as fake:
        yield fake
        assert_no_violations(fake)
        assert fake.dropped == 0


@pytest.fixture
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as fake:
        yield fake
        assert_no_violations(fake)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_draft, "PERIOD", 0.05)
    monkeypatch.setattr(handlers, "BACKOFF", Backoff(0.02, 1.0))
    monkeypatch.setattr(delivery, "BACKOFF", Backoff(0.05, 1.0))
    monkeypatch.setattr(app, "BACKOFF", Backoff(0.05, 1.0))
    monkeypatch.setattr(app, "GRACE", 0.2)
    monkeypatch.setattr(missed_messages, "SECONDS", 0.2)


def settings(telegram: FakeTelegram, claude: FakeClaude, folder: Path, **given: Any) -> Settings:
    values: dict[str, Any] = {
        "telegram_bot_token": telegram.token,
        "telegram_base_url": telegram.url,
        "telegram_allowed_users": f"{ANA.id}",
        "vault_dir": folder / "vault",
        "data_dir": folder / "data",
        "profiles_dir": folder / "profiles",
        "timezone": "UTC",
        "embedding_provider": "none",
        "burst_seconds": 0,
        "recall_seconds": 60,  # on a busy machine it may exceed the default time limit
        "anthropic_api_key": "a-key",
        "anthropic_base_url": claude.url,
        **given,
    }
    return with_engine(Settings(_env_file=None, **values))  # type: ignore[call-arg]


@asynccontextmanager
async def sam(
    telegram: FakeTelegram, claude: FakeClaude, folder: Path, **given: Any
) -> AsyncIterator[Sam]:
    """Run Sam on Telegram, on the fake's clock, until the end of the block."""
    of = settings(telegram, claude, folder, **given)
    clock = lambda: telegram.clock  # noqa: E731
    async with AsyncExitStack() as stack:
        profiles = {
            name: await Assistant.open(of, stack, poke=no_jobs, clock=clock, name=name)
            for name in await served_profiles(of, clock)
        }
        inbox = await Inbox.of(of, clock)
        stack.push_async_callback(inbox.close)
        bot = await stack.enter_async_context(
            Bot(of, await open_profiles(of, profiles, clock), clock)
        )
        stop = asyncio.Event()
        run = asyncio.create_task(bot.run(stop))
        try:
            yield Sam(telegram, bot, profiles, inbox, run)
        finally:
            stop.set()
            await run

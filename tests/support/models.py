"""Connect a real Claude client to the fake server, with short waits and recorded usage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, tzinfo
from typing import Any

from pydantic import SecretStr

from bot.claude.account import LEAST_OUTPUT, Account, Charge, Uncounted
from bot.claude.budget import Budget, Spending
from bot.claude.client import Claude, ModelServer
from bot.claude.request import Block, Request, StreamEvent, message, text_block
from bot.errors import BudgetSpent
from bot.settings import Settings
from memory import OWNER
from memory.infra.clock import Clock
from memory.infra.retry import Backoff
from memory.log import Log, Usage
from tests.fakes.claude import FakeClaude

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
QUICK = Backoff(first=0.01, factor=1.5, tries=3, longest=0.5)


class Connected:
    """A Claude client connected to the fake, and the usage it was charged."""

    def __init__(self, fake: FakeClaude, **given: Any) -> None:
        self.used: list[Usage] = []
        self.expected: list[Usage] = []
        url, key = given.pop("url", fake.url), given.pop("key", "sk-test")
        self._account: Account = given.pop("account", Uncounted())
        options = {"backoff": QUICK, "clock": lambda: NOW, **given}
        read_seconds = options.pop("read_seconds", None)
        self.server = ModelServer(url, SecretStr(key) if key else None, read_seconds=read_seconds)
        self.claude = Claude(self.server, self, **options)

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> Charge:
        self.expected.append(expected)
        return _Kept(await self._account.reserve(expected, least), self.used)


class _Kept:
    """A charge that records its usage."""

    def __init__(self, charge: Charge, used: list[Usage]) -> None:
        self.output, self._charge, self._used = charge.output, charge, used

    async def settle(self, used: Sequence[Usage]) -> None:
        self._used.extend(used)
        await self._charge.settle(used)


class Spent:
    """An account whose budget is spent."""

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> Charge:
        raise BudgetSpent("spent")


def budget_of(
    settings: Settings, log: Log, clock: Clock, zone: tzinfo, profile: str = OWNER
) -> Budget:
    """Return the budget defined by these settings."""
    return Budget(
        log,
        Spending(settings, clock, lambda: zone),
        profile,
        chat_model=settings.chat_model,
        cheap_model=settings.summary_model,
    )


@asynccontextmanager
async def connected(fake: FakeClaude, **given: Any) -> AsyncIterator[Connected]:
    made = Connected(fake, **given)
    try:
        yield made
    finally:
        await made.claude.close()


def ask(text: str = "Hello", *blocks: Block, **given: Any) -> Request:
    values: dict[str, Any] = {
        "model": "claude-sonnet-5-5",
        "system": [text_block("Be kind.")],
        "messages": [message("user", [*blocks, text_block(text)])],
        "max_tokens": 1000,
        **given,
    }
    return Request(**values)


async def heard(claude: Claude, request: Request) -> list[StreamEvent]:
    return [event async for event in claude.stream(request)]

"""The day's budget: the chat's model, then the cheap one, then none; each said once a day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.claude.budget import Budget
from bot.errors import BudgetSpent
from bot.settings import Settings
from memory.log import Log, Usage
from tests.support.memories import Clock
from tests.support.models import budget_of

BERLIN = ZoneInfo("Europe/Berlin")
HAIKU, SONNET = "claude-haiku-5-5", "claude-sonnet-5-5"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def log(tmp_path: Path, clock: Clock) -> AsyncIterator[Log]:
    opened = await Log.open(tmp_path / "log.db", clock)
    yield opened
    await opened.close()


def budget(log: Log, clock: Clock, dollars: float = 1.0, **given: Any) -> Budget:
    settings = Settings(_env_file=None, budget_daily_usd=dollars, **given)  # type: ignore[call-arg]
    return budget_of(settings, log, clock, BERLIN)


async def spend(log: Log, dollars: float) -> None:
    await log.usage.add(Usage("anthropic", SONNET, "turn", 1, usd=dollars))


async def test_it_degrades_in_two_steps_and_says_each_once(log: Log, clock: Clock) -> None:
    day = budget(log, clock)
    assert (await day.choice()).model == SONNET
    await spend(log, 0.79)
    assert (await day.choice()).model == SONNET
    await spend(log, 0.01)
    first, again = await day.choice(), await day.choice()
    assert first.model == again.model == HAIKU
    assert first.notice is not None and "$1.00" in first.notice and HAIKU in first.notice
    assert again.notice is None
    await spend(log, 0.20)
    first, again = await day.choice(), await day.choice()
    assert first.model is again.model is None
    assert first.notice is not None and "spent" in first.notice
    assert again.notice is None


async def test_what_was_said_is_known_after_a_restart(log: Log, clock: Clock) -> None:
    await spend(log, 0.9)
    assert (await budget(log, clock).choice()).notice
    assert not (await budget(log, clock).choice()).notice


async def test_a_new_day_begins_at_local_midnight(log: Log, clock: Clock) -> None:
    day = budget(log, clock)
    await spend(log, 2.0)
    clock.forward(hours=10, minutes=59)  # 22:59 UTC, 23:59 in Berlin
    assert (await day.choice()).model is None
    clock.forward(minutes=1)
    assert (await day.choice()).model == SONNET
    await spend(log, 2.0)
    assert (await day.choice()).notice


async def test_no_call_is_allowed_beyond_it(log: Log, clock: Clock) -> None:
    day = budget(log, clock)
    await spend(log, 0.99)
    await day.check()
    await spend(log, 0.01)
    with pytest.raises(BudgetSpent, match="BUDGET_DAILY_USD"):
        await day.check()


async def test_zero_is_no_limit(log: Log, clock: Clock) -> None:
    day = budget(log, clock, 0)
    await spend(log, 1000)
    assert (await day.choice()).model == SONNET
    await day.check()


async def test_who_chats_with_the_cheap_one_is_not_told_of_a_change(log: Log, clock: Clock) -> None:
    day = budget(log, clock, chat_model=HAIKU)
    await spend(log, 0.9)
    choice = await day.choice()
    assert (choice.model, choice.notice) == (HAIKU, None)

"""The daily budget: first the chat's model, then the cheap one, then none; announced once a day."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.claude import budget as module
from bot.claude.budget import Budget
from bot.claude.pricing import PriceList
from bot.errors import BudgetSpent
from bot.settings import Settings
from memory import OWNER
from memory.log import Log, Usage, spent_in
from tests.support.memories import Clock
from tests.support.models import budget_of

BERLIN = ZoneInfo("Europe/Berlin")
HAIKU, SONNET = "claude-haiku-5-5", "claude-sonnet-5-5"
ANA, GROUP = "ana", "group-100123"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def logs(tmp_path: Path, clock: Clock) -> AsyncIterator[dict[str, Log]]:
    """Provide the log of each profile, where an installation has it."""
    async with AsyncExitStack() as stack:
        opened = {}
        for name in (OWNER, ANA, GROUP):
            home = tmp_path if name == OWNER else tmp_path / "profiles" / name
            opened[name] = await Log.open(home / "data" / "log.db", clock)
            stack.push_async_callback(opened[name].close)
        yield opened


@pytest.fixture
def log(logs: dict[str, Log]) -> Log:
    return logs[OWNER]


def budget(log: Log, clock: Clock, dollars: float = 1.0, who: str = OWNER, **given: Any) -> Budget:
    home = log._db.path.parent.parent
    home = home if who == OWNER else home.parent.parent
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        data_dir=home / "data",
        profiles_dir=home / "profiles",
        budget_daily_usd=dollars,
        **given,
    )
    return budget_of(settings, log, clock, BERLIN, who)


async def spend(log: Log, dollars: float) -> None:
    await log.usage.add(Usage("anthropic", SONNET, "turn", 1, usd=dollars))


def call(output: int = 8_192, prompt: int = 10_000) -> Usage:
    """Return the maximum usage of a Sonnet call; by default 10.7 cents."""
    return Usage("anthropic", SONNET, "turn", 0, output, cache_write=prompt)


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
    assert "$1.00 is spent" in first.why, "the reason, in full once a day"
    assert "spent" in again.why and "$1.00" not in again.why


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
    assert "until midnight" in (await day.choice()).why


async def test_a_call_that_could_exceed_it_answers_shorter_and_is_refused_at_last(
    log: Log, clock: Clock
) -> None:
    day = budget(log, clock)
    await spend(log, 0.80)
    whole = await day.reserve(call())
    assert whole.output == 8_192
    await whole.settle([Usage("anthropic", SONNET, "turn", 0, 100, usd=0.10)])
    shorter = await day.reserve(call())
    assert 1_024 <= shorter.output < 8_192
    assert 0.90 + PriceList().cost(call(shorter.output)) <= 1.0
    with pytest.raises(BudgetSpent, match="BUDGET_DAILY_USD"):
        await day.reserve(call())  # the previous call is still running
    with pytest.raises(BudgetSpent):
        await day.reserve(call(1_000))
    await shorter.settle([Usage("anthropic", SONNET, "turn", 0, usd=0.0)])
    with pytest.raises(BudgetSpent):
        await day.reserve(call(), least=8_192)  # no part of this answer would be useful
    assert (await day.reserve(call())).output == shorter.output


async def test_calls_at_the_same_time_cannot_exceed_it_together(log: Log, clock: Clock) -> None:
    day, other = budget(log, clock), budget(log, clock)
    tries = [(day, other)[n % 2].reserve(call()) for n in range(40)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    allowed = [each for each in done if not isinstance(each, BaseException)]
    assert {type(each) for each in done if isinstance(each, BaseException)} == {BudgetSpent}
    assert 9 <= len(allowed) < 40
    assert sum(PriceList().cost(call(each.output)) for each in allowed) <= 1.0
    assert await day.spent() == pytest.approx(
        sum(PriceList().cost(call(each.output)) for each in allowed), abs=1e-9
    )


async def test_guests_and_groups_share_a_part_and_the_owner_has_the_rest(
    logs: dict[str, Log], clock: Clock
) -> None:
    mine, ana, group = (budget(logs[who], clock, who=who) for who in (OWNER, ANA, GROUP))
    await spend(logs[ANA], 0.39)
    assert (await group.choice()).model == SONNET
    await spend(logs[ANA], 0.01)  # 80 % of their common limit
    saved = await group.choice()
    assert saved.model == HAIKU and "$0.50" in (saved.notice or "")
    await spend(logs[GROUP], 0.10)
    assert (await ana.choice()).model is None and (await group.choice()).model is None
    assert (await ana.choice()).why == "Today's budget is spent."
    for each in (ana, group):
        with pytest.raises(BudgetSpent):
            await each.reserve(call())
    assert (await mine.choice()).model == SONNET
    assert (await mine.reserve(call())).output == 8_192
    await spend(logs[OWNER], 0.45)
    with pytest.raises(BudgetSpent):
        await mine.reserve(call())


async def test_only_the_logs_that_have_changed_are_read(
    logs: dict[str, Log], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(log: Path, *given: Any) -> float:
        read.append(log.parent.parent.name)
        return spent_in(log, *given)

    monkeypatch.setattr(module, "spent_in", counted)
    mine = budget(logs[OWNER], clock)
    for number in range(20):  # at the same moment, from another connection
        await spend(logs[ANA], 0.01)
        assert (await mine.spending.today()).others == pytest.approx(0.01 * (number + 1))
    assert read.count(ANA) == 20 and read.count(GROUP) == 1
    clock.forward(days=1)
    assert (await mine.spending.today()).total == 0


async def test_what_the_owner_spends_is_not_left_for_others(
    logs: dict[str, Log], clock: Clock
) -> None:
    ana = budget(logs[ANA], clock, who=ANA)
    await spend(logs[OWNER], 0.97)
    with pytest.raises(BudgetSpent):
        await ana.reserve(call())
    assert (await ana.choice()).model == HAIKU
    await spend(logs[OWNER], 0.03)
    assert (await ana.choice()).model is None
    assert await ana.share_used() == 1.0


async def test_a_limit_of_none_keeps_a_model_that_costs_nothing_away(
    logs: dict[str, Log], clock: Clock
) -> None:
    await spend(logs[OWNER], 2.0)
    for given in ({"budget_profiles": "ana:0"}, {"budget_others_percent": 0}, {}):
        ana = budget(logs[ANA], clock, who=ANA, chat_model="qwen3", **given)
        assert (await ana.choice()).model == (None if given else "qwen3")


async def test_with_a_share_of_none_no_model_is_called_for_others(
    logs: dict[str, Log], clock: Clock
) -> None:
    ana = budget(logs[ANA], clock, who=ANA, budget_others_percent=0)
    assert (await ana.choice()).model is None and await ana.share_used() == 1.0
    with pytest.raises(BudgetSpent):
        await ana.reserve(call())


@pytest.mark.parametrize("dollars", [0, 1.0])
async def test_a_profile_has_a_limit_of_its_own_below_the_shared_ones(
    logs: dict[str, Log], clock: Clock, dollars: float
) -> None:
    given = {"budget_profiles": {ANA: 0.20}, "budget_others_percent": 90}
    ana = budget(logs[ANA], clock, dollars, ANA, **given)
    group = budget(logs[GROUP], clock, dollars, GROUP, **given)
    await spend(logs[GROUP], 0.30)
    assert (await ana.choice()).model == SONNET and await ana.share_used() == 0.0
    await spend(logs[ANA], 0.17)
    saving = await ana.choice()
    assert saving.model == HAIKU and "$0.20" in (saving.notice or "")
    with pytest.raises(BudgetSpent, match=r"\$0.20 is spent.*BUDGET_PROFILES"):
        await ana.reserve(call())
    await spend(logs[ANA], 0.03)
    assert (await ana.choice()).model is None and await ana.share_used() == 1.0
    day = await ana.spending.today()
    assert day.cost_text(ANA, await ana.spent()) == "$0.20 of $0.20"
    assert (await group.choice()).model == SONNET
    await group.reserve(call())


async def test_the_shared_limits_hold_below_a_larger_one_of_the_profile(
    logs: dict[str, Log], clock: Clock
) -> None:
    ana = budget(logs[ANA], clock, who=ANA, budget_profiles={ANA: 5.0})
    await spend(logs[GROUP], 0.50)
    with pytest.raises(BudgetSpent, match="BUDGET_OTHERS_PERCENT"):
        await ana.reserve(call())


async def test_a_limit_of_zero_for_a_profile_calls_no_model(
    logs: dict[str, Log], clock: Clock
) -> None:
    ana = budget(logs[ANA], clock, 0, ANA, budget_profiles={ANA: 0.0})
    assert (await ana.choice()).model is None and await ana.share_used() == 1.0


async def test_zero_is_no_limit_and_calls_are_recorded_all_the_same(log: Log, clock: Clock) -> None:
    day = budget(log, clock, 0)
    await spend(log, 1000)
    assert (await day.choice()).model == SONNET
    await day.reserve(call())
    assert await day.spent() == pytest.approx(1000 + PriceList().cost(call()))
    assert await day.share_used() == 0.0


async def test_a_model_of_ones_own_is_called_whatever_was_spent(log: Log, clock: Clock) -> None:
    day = budget(log, clock)
    await spend(log, 2.0)
    free = Usage("own", "qwen3", "turn", 0, 8_192, cache_write=10_000)
    assert (await day.reserve(free)).output == 8_192


async def test_who_chats_with_the_cheap_one_is_not_told_of_a_change(log: Log, clock: Clock) -> None:
    day = budget(log, clock, chat_model=HAIKU)
    await spend(log, 0.9)
    choice = await day.choice()
    assert (choice.model, choice.notice) == (HAIKU, None)

"""Reminders of recurring tasks ring at each occurrence, also while an earlier one is still open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.tools import Tasks
from tests.support.reminding import NOON, Reminding, reminding

PILL = "- [ ] take the pill (@2026-02-12 12:30) 🆔 pill01 🔁 every day{} 📅 2026-02-12\n"


async def day_by_day(sam: Reminding, days: int) -> list[int]:
    """Return how many reminders come on each of these days until 13:00."""
    counts = []
    for day in range(days):
        sam.clock.now = NOON + timedelta(days=day)
        said = [len(await sam.after(minutes=10)) for _ in range(6)]
        counts.append(sum(said))
    return counts


async def test_what_nobody_confirms_rings_again_at_the_next_occurrence(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL.format("")) as sam:
        assert await day_by_day(sam, 10) == [1] * 10
        assert sam.notified.texts[-1] == "⏰ take the pill"


async def test_after_downtime_the_last_occurrence_alone_rings(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL.format("")) as sam:
        [said] = await sam.after(days=20, hours=1)
        assert "It was due today 12:30." in said
        assert await sam.after(minutes=10) == []


async def test_a_rule_that_ends_or_waits_for_the_task_rings_no_more(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL.format(" until February 14, 2026")) as sam:
        assert await day_by_day(sam, 5) == [1, 1, 1, 0, 0]
    async with reminding(tmp_path / "other", PILL.format(" when done")) as sam:
        assert await day_by_day(sam, 3) == [1, 0, 0]


async def test_done_goes_on_after_the_occurrence_that_rang_last(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL.format("")) as sam:
        await day_by_day(sam, 3)
        tasks = Tasks(sam.profile.memory, sam.clock)
        await tasks.complete("pill01")
        [following] = await tasks.open()
        assert f"{following.at}" == "2026-02-15 12:30:00" and f"{following.due}" == "2026-02-15"
        assert await sam.after(minutes=10) == []
        sam.clock.now = NOON + timedelta(days=3)
        assert await sam.after(minutes=30) == ["⏰ take the pill"]


async def test_done_before_the_next_occurrence_leaves_that_one(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL.format("")) as sam:
        await day_by_day(sam, 1)
        sam.clock.now = NOON + timedelta(days=2)
        tasks = Tasks(sam.profile.memory, sam.clock)
        await tasks.complete("pill01")
        assert [f"{each.at}" for each in await tasks.open()] == ["2026-02-14 12:30:00"]


async def test_an_hour_that_comes_twice_rings_once(tmp_path: Path) -> None:
    feed = "- [ ] feed the cat (@2026-10-23 02:30) 🆔 feed01 🔁 every day 📅 2026-10-23\n"
    start = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)  # midnight in Berlin
    always = {"active_hours": "00-24", "timezone": "Europe/Berlin"}
    async with reminding(tmp_path, feed, start, **always) as sam:
        await sam.after()
        assert sum([len(await sam.after(minutes=10)) for _ in range(30)]) == 1

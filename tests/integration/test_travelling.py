"""Reminders and daily jobs when the owner's time zone changes: none is sent twice, or lost."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.assistant import Assistant, reminders
from bot.assistant.jobs import JOBS, Job
from bot.assistant.scheduler import Jobs
from bot.chat.introduction.timezone import timezone
from bot.chat.protocol import Call
from memory import system_clock
from tests.support.notifications import must_not_notify_profile
from tests.support.reminding import Reminding, reminding

CALL = "- [ ] Call Ana (@2026-02-12 13:00) 🆔 ana001\n"
PILL = "- [ ] Pill (@2026-02-11 13:00) 🆔 pill01 🔁 every day 📅 2026-02-11\n"
BERLIN = {"timezone": "Europe/Berlin", "active_hours": "00-24"}  # there it is 13:00


async def travel(profile: Assistant, to: str) -> None:
    await timezone(Call(profile, "telegram:7", to, profile.memory.clock()))
    assert str(profile.memory.zone) == to


async def over_a_day(sam: Reminding) -> list[str]:
    """Return what is said within a day, with the time in UTC; also twice under the same key, as a
    terminal does."""
    said = list[str]()

    async def speak(text: str, **_: object) -> None:
        said.append(f"{sam.clock.now:%H:%M} {text}")

    for _ in range(24 * 6):
        sam.clock.forward(minutes=10)
        await sam.tick(speak)
    return said


async def test_what_was_said_is_not_said_again_where_its_time_is_to_come(tmp_path: Path) -> None:
    async with reminding(tmp_path, CALL, **BERLIN) as sam:
        assert await sam.after() == ["⏰ Call Ana"]
        await travel(sam.profile, "America/New_York")
        assert await reminders.next_at(sam.profile) is None
        assert await over_a_day(sam) == []
        last = await reminders.last_sent(sam.profile.memory)
        assert last is not None and last[0].title == "Call Ana", "“done” still means it"


async def test_a_repeated_one_is_said_once_for_each_day(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILL, **BERLIN) as sam:
        assert await sam.after() == ["⏰ Pill"]
        await travel(sam.profile, "America/New_York")
        # 12:00 in UTC is 7:00 in New York; the next one is at 13:00 there on the day after.
        assert await over_a_day(sam) == []
        assert await over_a_day(sam) == ["18:00 ⏰ Pill"]


async def test_what_is_to_come_keeps_its_time_of_day(tmp_path: Path) -> None:
    task = CALL.replace("13:00", "15:00")
    async with reminding(tmp_path, task, **BERLIN) as sam:
        await travel(sam.profile, "America/New_York")
        assert await over_a_day(sam) == ["20:00 ⏰ Call Ana"]


async def test_what_is_past_where_the_owner_arrives_is_said_at_once(tmp_path: Path) -> None:
    task = CALL.replace("13:00", "15:00")
    async with reminding(tmp_path, task, **BERLIN) as sam:
        assert await sam.after() == []
        await travel(sam.profile, "Asia/Tokyo")
        [said] = await sam.after(minutes=1)
        assert said.startswith("⏰ Call Ana") and "It was due today 15:00." in said
        assert await over_a_day(sam) == []


async def test_a_snoozed_one_is_said_after_as_long_as_was_asked(tmp_path: Path) -> None:
    for zone in ("America/New_York", "Asia/Tokyo"):
        async with reminding(tmp_path / zone, CALL, **BERLIN) as sam:
            assert await sam.after() == ["⏰ Call Ana"]
            until = sam.clock.now + timedelta(hours=1)
            await reminders.snooze(sam.profile.memory, "ana001", until)
            assert await sam.after(minutes=1) == []
            await travel(sam.profile, zone)
            assert await reminders.next_at(sam.profile) == until
            assert await sam.after(minutes=58) == []
            assert await sam.after(minutes=1) == ["⏰ Call Ana"], zone
            assert await over_a_day(sam) == []


async def test_a_clock_that_was_wrong_takes_no_reminder_away(tmp_path: Path) -> None:
    async with reminding(tmp_path, CALL, **BERLIN) as sam:
        sam.clock.now += timedelta(days=1)
        assert len(await sam.after()) == 1
        sam.clock.now -= timedelta(days=1, hours=1)
        assert await over_a_day(sam) == ["12:00 ⏰ Call Ana"]


async def test_the_list_of_a_day_is_sent_once_for_it(tmp_path: Path) -> None:
    """It is the 13th in Tokyo when it is still the 12th in New York."""
    start = datetime(2026, 2, 12, 23, 0, tzinfo=UTC)  # 8:00 in Tokyo
    task = "- [ ] Pay rent 📅 2026-02-12\n"
    async with reminding(tmp_path, task, start, timezone="Asia/Tokyo") as sam:
        assert await reminders.morning_is_due(sam.profile)
        await reminders.morning(sam.profile, sam.notified.notify)
        await travel(sam.profile, "America/New_York")
        listed = 0
        for _ in range(48):
            sam.clock.forward(hours=1)
            if await reminders.morning_is_due(sam.profile):
                await reminders.morning(sam.profile, sam.notified.notify)
                listed += 1
                assert sam.clock.now.astimezone(ZoneInfo("America/New_York")).day == 14
        assert listed == 1 and len(sam.notified.texts) == 2


async def test_daily_jobs_follow_the_command_without_a_restart(tmp_path: Path) -> None:
    """The command uses the zone at once; the jobs are planned again all the same."""

    async def run(profile: Assistant, speak: object) -> None:
        raise AssertionError("not in this test")

    followed = asyncio.Event()

    async def follow(profile: Assistant, speak: object) -> None:
        followed.set()

    names = {job.name for job in JOBS if job.follows_zone}
    assert "remind" in names, "it follows the zone each minute"
    daily = Job("list", "lists", "at five past midnight", run, at=time(0, 5))
    often = Job("often", "x", "x", follow, minutes=lambda settings: 60, follows_zone=True)
    async with reminding(tmp_path, "", **BERLIN) as sam:
        jobs = Jobs(
            sam.profile.settings, system_clock, jobs=(daily, often), others_turn=lambda: False
        )
        await jobs.start({"owner": sam.profile}, must_not_notify_profile)
        try:
            for zone in ("Asia/Tokyo", "America/New_York"):
                followed.clear()
                await travel(sam.profile, zone)
                jobs.poke("often")
                await asyncio.wait_for(followed.wait(), 60)
                planned = (await jobs.times(sam.profile))["list"] + timedelta(seconds=1)
                local = planned.astimezone(ZoneInfo(zone))
                assert (local.hour, local.minute) == (0, 5)
        finally:
            await jobs.close()

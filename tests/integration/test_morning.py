"""The list of the day: what is known to fall on today and tomorrow, beside the tasks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.assistant import reminders
from tests.support.homes import Home
from tests.support.reminding import reminding

MORNING = datetime(2026, 2, 12, 8, 0, tzinfo=UTC)
FACTS = (
    "- Ana's birthday is on 12 February ^a1\n- Bo was born on 13 February 1990 ^a2\n"
    "- Moved in on 12 February 2020 ^a3\n- Takes lithium on 12 February #sam/sensitive ^a4\n"
    "- Carl's birthday is on 12 March ^a5\n"
)


async def test_birthdays_and_dates_are_listed_on_the_day_and_the_day_before(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Pay *rent* 📅 2026-02-12\n", MORNING) as sam:
        Home(tmp_path).write("knowledge/people.md", FACTS)
        Home(tmp_path).write("MEMORY.md", "- 2026-01-20: The boiler *service* is on 13 February\n")
        await reminders.morning(sam.profile, sam.notified.notify)
        [said] = sam.notified.texts
        assert said.split("\n") == [
            *("Today:", "", r"- Pay \*rent\*", "- Ana's birthday is on 12 February", ""),
            *("Tomorrow:", "", r"- The boiler \*service\* is on 13 February"),
            "- Bo was born on 13 February 1990",
        ]
        assert sam.labels() == ["Finish or move them"]
        assert not await reminders.morning_is_due(sam.profile)


async def test_without_tasks_there_is_nothing_to_finish(tmp_path: Path) -> None:
    async with reminding(tmp_path, "", MORNING) as sam:
        Home(tmp_path).write("knowledge/people.md", "- Bo was born on 13 February 1990 ^a2\n")
        await reminders.morning(sam.profile, sam.notified.notify)
        assert sam.notified.texts == ["Tomorrow:\n\n- Bo was born on 13 February 1990"]
        assert sam.labels() == []


async def test_what_a_task_says_is_not_listed_twice(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] See the dentist 📅 2026-02-12\n", MORNING) as sam:
        Home(tmp_path).write("knowledge/event.md", "- See the dentist on 12 February at 9 ^a1\n")
        await reminders.morning(sam.profile, sam.notified.notify)
        assert sam.notified.texts == ["Today:\n\n- See the dentist"]

"""A task is moved from the day that is named, all tasks of a day are, or it begins to repeat."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.tools import Tasks
from tests.support.reminding import Reminding, reminding
from tests.support.task_talk import said

DENTIST = "- [ ] see the dentist (@2026-02-13 15:00) 🆔 den013 📅 2026-02-13\n"
DAYS = DENTIST + "- [ ] Late 📅 2026-02-10\n- [ ] Today 📅 2026-02-12\n- [ ] Some day\n"
"""The clock of `reminding` shows Thursday, 12 February, at noon."""


async def days(sam: Reminding) -> dict[str, int | None]:
    """Return the day of the month of each open task."""
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return {task.title: task.day.day if task.day else None for task in every}


@pytest.mark.parametrize(
    "text",
    [
        "move the dentist from Friday to Sunday",
        "déplace dentist de vendredi à dimanche",
        "pasa dentist del viernes al domingo",
    ],
)
async def test_a_task_is_moved_from_its_day_to_the_other_one(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, DENTIST) as sam:
        assert await said(sam, text) == "📅 see the dentist → Sun 15 Feb 15:00"


@pytest.mark.parametrize(
    "text",
    [
        "push everything from today to tomorrow",
        "move all my tasks from today to tomorrow",
        "reporte tout d'aujourd'hui à demain",
        "pasa todo de hoy a mañana",
    ],
)
async def test_everything_of_a_day_is_moved_and_nothing_else(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, DAYS) as sam:
        await said(sam, "remind me on Saturday at 9 to call Ana")
        assert await said(sam, text) == "📅 Late → tomorrow\n📅 Today → tomorrow"
        assert await days(sam) == {
            "see the dentist": 13,
            "Late": 13,
            "Today": 13,
            "call Ana": 14,
            "Some day": None,
        }


async def test_what_is_moved_together_is_undone_together(tmp_path: Path) -> None:
    async with reminding(tmp_path, DAYS) as sam:
        await said(sam, "push everything from today to tomorrow")
        [change] = await sam.profile.memory.history.changes()
        assert len(change.edits) == 2


@pytest.mark.parametrize(
    "text",
    [
        "move everything to the kitchen",
        "move everything to the kitchen tomorrow",
        "push everything from the list to tomorrow",
        "Move everything Ana wants from today to tomorrow.",
        "we move everything from today to tomorrow",
        "everything moves from today to tomorrow",
        "change all from Friday to Sunday on the poster",
        "push all to tomorrow",
        "move all of it out of the flat",
        "alles von heute auf morgen zu ändern ist schwer",
        "tout change d'aujourd'hui à demain",
        "todo pasa de hoy a mañana",
        "weekly meetings are boring",
        "every week is the same",
        "I go there every week",
        "daily life is hard",
        "jede Woche dasselbe",
        "toutes les semaines se ressemblent",
        "it happens every Monday",
        "change is good every now and then",
    ],
)
async def test_ordinary_statements_move_nothing(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, DAYS) as sam:
        await said(sam, "remind me on Saturday at 9 to call Ana")
        before = await days(sam)
        await said(sam, text)
        assert await days(sam) == before
        every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert not any(task.get("recurrence") for task in every)


@pytest.mark.parametrize(
    ("text", "rule", "when"),
    [
        ("make it weekly", "every week", "Sat 14 Feb 09:00 · every week"),
        ("every week", "every week", "Sat 14 Feb 09:00 · every week"),
        ("toutes les semaines", "every week", "Sat 14 Feb 09:00 · every week"),
        ("no, every Monday", "every Monday", "Mon 16 Feb 09:00 · every Monday"),
        ("change Ana to every month", "every month", "Sat 14 Feb 09:00 · every month"),
    ],
)
async def test_a_task_is_made_to_repeat(tmp_path: Path, text: str, rule: str, when: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me on Saturday at 9 to call Ana")
        assert await said(sam, text) == f"📅 call Ana → {when}"
        [task] = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert task.get("recurrence") == rule


@pytest.mark.parametrize(
    "text",
    [
        *("I did it", "I already did that", "I've done it", "ok, I did it", "hab's gemacht"),
        *("je l'ai fait", "je l'ai déjà fait", "ya lo hice", "lo hice"),
    ],
)
async def test_what_has_just_rung_is_done(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, DENTIST.replace("13", "12")) as sam:
        assert await sam.after(hours=3) == ["⏰ see the dentist"]
        assert "✅" in (await said(sam, text) or "")
        assert await days(sam) == {}


@pytest.mark.parametrize("text", ["I did it all for Ana", "Ana did it", "she did it"])
async def test_what_somebody_else_did_leaves_it_open(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, DENTIST.replace("13", "12")) as sam:
        await sam.after(hours=3)
        assert await said(sam, text) is None
        assert await days(sam) == {"see the dentist": 12}

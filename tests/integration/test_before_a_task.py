"""A reminder before an open task: "the dentist an hour before"."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Call, as_shown
from bot.chat.tasks.commands import remind
from tests.support.reminding import reminding

TASKS = """# Tasks

- [ ] Dentist (@2026-02-13 15:00) 🆔 dent01 📅 2026-02-13
- [ ] Call Ana (@2026-02-14 10:00) 🆔 ana001 📅 2026-02-14
- [ ] Call Tom (@2026-02-14 11:00) 🆔 tom001 📅 2026-02-14
- [ ] Tax return 🆔 tax001 📅 2026-02-20
- [ ] Marathon 🆔 mara01 📅 2026-05-20
- [ ] Milk 🆔 milk01
"""
ELSEWHERE = "- [ ] Zahnarzt, tandarts, dentiste, dentista, dentysta, стоматолог, 歯医者, 牙医"
WHEN = "When is that? Write it with its time: `/remind an hour before the dentist at 15:00`"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("an hour before the dentist", "⏰ tomorrow 14:00: Dentist (15:00)"),
        ("the dentist half an hour before", "⏰ tomorrow 14:30: Dentist (15:00)"),
        ("my dentist appointment 2 hours earlier", "⏰ tomorrow 13:00: Dentist (15:00)"),
        ("to take a pill 30 minutes before the dentist", "⏰ tomorrow 14:30: take a pill"),
        ("two days before the tax return", "⏰ Wed 18 Feb 08:00: Tax return (2026-02-20)"),
        ("the evening before the tax return", "⏰ Thu 19 Feb 19:00: Tax return (2026-02-20)"),
        ("a month before the marathon", "⏰ Mon 20 Apr 08:00: Marathon (2026-05-20)"),
        ("an hour before the call", "Which one? Write its whole text:\n\n- Call Ana\n- Call Tom"),
        ("an hour before the tax return", WHEN),
        ("an hour before the milk", WHEN),
        ("an hour before the exam", WHEN),
        ("two days before the dentist", "That is in the past."),
    ],
)
async def test_a_reminder_before_a_task(tmp_path: Path, words: str, shown: str) -> None:
    async with reminding(tmp_path, TASKS) as sam:
        asked = await command_in_words(sam.profile, "terminal", f"remind me {words}", sam.clock.now)
        assert asked and asked[0] == "remind"
        call = Call(sam.profile, "x", words, sam.clock.now)
        said = as_shown(await remind(call)).text
        assert said.partition("\n\nWhen?")[0] == shown


@pytest.mark.parametrize(
    "words",
    [
        *("eine Stunde vor dem Zahnarzt", "Zahnarzt eine Stunde vorher"),
        *("une heure avant le dentiste", "dentiste une heure avant"),
        *("una hora antes del dentista", "dentista un'ora prima", "uma hora antes do dentista"),
        *("een uur voor de tandarts", "tandarts een uur van tevoren", "godzinę przed dentystą"),
        *("за час до стоматолога", "歯医者の1時間前に", "牙医前一小时"),
    ],
)
async def test_a_reminder_before_a_task_in_other_languages(tmp_path: Path, words: str) -> None:
    async with reminding(tmp_path, f"{ELSEWHERE} (@2026-02-14 15:00)\n- [ ] Milk\n") as sam:
        call = Call(sam.profile, "x", words, sam.clock.now)
        assert as_shown(await remind(call)).text.startswith("⏰ Sat 14 Feb 14:00: Zahnarzt")

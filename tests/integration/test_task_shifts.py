"""A task is moved by a length of time, or from a day; what cannot be moved is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.tools import Tasks
from tests.support.reminding import Reminding, reminding
from tests.support.task_talk import said

GYM = "- [ ] gym (@2026-02-14 18:00) 🆔 gym014 📅 2026-02-14\n"
REPORT = "- [ ] Tuesday report 🆔 rep001 📅 2026-02-17\n"
"""The clock of `reminding` shows Thursday, 12 February, at noon."""


async def due(sam: Reminding) -> dict[str, str]:
    """Return when each open task is due."""
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return {task.title: f"{task.day} {task.time:%H:%M}" for task in every if task.time}


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("an hour earlier", "2026-02-13 08:00"),
        ("half an hour later, please", "2026-02-13 09:30"),
        ("make it an hour later", "2026-02-13 10:00"),
        ("no, half an hour earlier", "2026-02-13 08:30"),
        ("postpone by an hour", "2026-02-13 10:00"),
        ("postpone it by two days", "2026-02-15 09:00"),
        ("push it back an hour", "2026-02-13 10:00"),
        ("remind me an hour earlier", "2026-02-13 08:00"),
        ("eine Stunde früher", "2026-02-13 08:00"),
        ("verschieb es um zwei Tage", "2026-02-15 09:00"),
        ("une heure plus tard", "2026-02-13 10:00"),
        ("décale-le d'une heure", "2026-02-13 10:00"),
        ("media hora antes", "2026-02-13 08:30"),
        ("aplázalo dos días", "2026-02-15 09:00"),
        ("un'ora dopo", "2026-02-13 10:00"),
        ("uma hora mais cedo", "2026-02-13 08:00"),
        ("een half uur later", "2026-02-13 09:30"),
        ("godzinę później", "2026-02-13 10:00"),
        ("на час раньше", "2026-02-13 08:00"),
        ("1時間早く", "2026-02-13 08:00"),
        ("推迟一个小时", "2026-02-13 10:00"),
    ],
)
async def test_what_was_just_set_is_moved_by_a_length_of_time(
    tmp_path: Path, text: str, at: str
) -> None:
    async with reminding(tmp_path, GYM) as sam:
        await said(sam, "remind me tomorrow at 9 to call Ana")
        assert (await said(sam, text) or "").startswith("📅 call Ana →")
        assert await due(sam) == {"call Ana": at, "gym": "2026-02-14 18:00"}


async def test_one_that_has_just_rung_rings_later_from_now_on(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me at 13:00 to call Ana")
        await sam.after(minutes=65)
        assert await said(sam, "an hour earlier") is None
        assert await said(sam, "half an hour later") == "📅 call Ana → today 13:35"
        assert await said(sam, "postpone it by two hours") == "📅 call Ana → today 15:35"


@pytest.mark.parametrize("text", ["remind me a bit earlier", "etwas früher", "un peu plus tôt"])
async def test_by_how_much_is_asked(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me tomorrow at 9 to call Ana")
        assert (await said(sam, text) or "").startswith("By how much?")
        assert await said(sam, "an hour earlier") == "📅 call Ana → tomorrow 08:00"
        assert list(await due(sam)) == ["call Ana"]


async def test_a_task_is_not_moved_to_the_past_by_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me tomorrow at 9 to call Ana")
        assert (await said(sam, "two days earlier") or "").startswith("That is in the past.")
        assert await due(sam) == {"call Ana": "2026-02-13 09:00"}


@pytest.mark.parametrize(
    "text",
    [
        "an hour earlier than usual",
        "later",
        "two days",
        "by two days",
        "She came an hour later",
        "early lunch",
        "change it tomorrow",
        "ändere es morgen",
        "cámbialo algún día",
    ],
)
async def test_these_move_nothing(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, GYM) as sam:
        await said(sam, "remind me tomorrow at 9 to call Ana")
        await said(sam, text)
        assert (await due(sam))["call Ana"] == "2026-02-13 09:00"


async def test_after_something_else_no_task_is_moved_by_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, "an hour earlier") is None
        await said(sam, "remind me tomorrow at 9 to call Ana")
        sam.clock.forward(hours=2)
        assert await said(sam, "an hour earlier") is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("postpone the gym by two days", "Mon 16 Feb 18:00"),
        ("move the gym an hour later", "Sat 14 Feb 19:00"),
        ("verschieb gym um eine Stunde", "Sat 14 Feb 19:00"),
        ("décale gym de deux heures", "Sat 14 Feb 20:00"),
        ("sposta gym di due giorni", "Mon 16 Feb 18:00"),
        ("перенеси gym на час позже", "Sat 14 Feb 19:00"),
        ("verschieb alles von Samstag auf Sonntag", "Sun 15 Feb 18:00"),
        ("sposta tutto da sabato a domenica", "Sun 15 Feb 18:00"),
        ("verplaats alles van zaterdag naar zondag", "Sun 15 Feb 18:00"),
        ("przenieś wszystko z soboty na niedzielę", "Sun 15 Feb 18:00"),
        ("перенеси всё с субботы на четверг", "Thu 19 Feb 18:00"),
    ],
)
async def test_a_named_task_and_all_of_a_day_are_moved(tmp_path: Path, text: str, at: str) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, text) == f"📅 gym → {at}"


async def test_nothing_is_moved_from_a_day_that_has_no_such_task(tmp_path: Path) -> None:
    none = "You have no open task about that."
    async with reminding(tmp_path, GYM) as sam:
        for text in (
            "move the gym from Friday to Sunday",
            "push everything from today to tomorrow",
            "sposta tutto da domenica a lunedì",  # not what is due today
        ):
            assert await said(sam, text) == none
        assert await due(sam) == {"gym": "2026-02-14 18:00"}


async def test_a_title_may_name_a_day(tmp_path: Path) -> None:
    async with reminding(tmp_path, REPORT) as sam:
        assert await said(sam, "move Tuesday report to Monday") == "📅 Tuesday report → Mon 16 Feb"
        assert await said(sam, "move the Tuesday report to Friday") == (
            "📅 Tuesday report → tomorrow"
        )


@pytest.mark.parametrize(
    "text",
    [
        "can you cancel the meeting tomorrow?",
        "could you please cancel the meeting with Ben?",
        "please cancel the meeting",
        "can you move the meeting to Friday?",
        "Kannst du bitte den Termin mit Ben absagen?",
        "puedes cancelar la reunión?",
        "peux-tu annuler le rendez-vous ?",
    ],
)
async def test_it_is_said_that_there_is_no_such_task(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, text) == "You have no open task about that."


@pytest.mark.parametrize(
    "text",
    [
        "hey Sam, is the gym done?",
        "should I cancel the gym?",
        "hey Sam, I bought the gym?",
        "can you change my name to Max?",
        "can you help me move to Berlin?",
        "please move on",
        "could you push the button at 5?",
        "would you move to Berlin next year?",
    ],
)
async def test_a_question_about_a_task_changes_none(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, text) is None
        assert await due(sam) == {"gym": "2026-02-14 18:00"}


async def test_a_polite_question_drops_a_task(tmp_path: Path) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, "can you cancel the gym?") == "❌ Dropped. gym"


@pytest.mark.parametrize(
    "text",
    ["gym absagen", "annuler le gym", "cancelar gym", "annullare il gym", "gym afzeggen"],
)
async def test_an_infinitive_may_be_what_the_owner_has_to_do(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, GYM) as sam:
        assert await said(sam, text) is None
        assert await due(sam) == {"gym": "2026-02-14 18:00"}
        assert await said(sam, f"bitte {text}") == "❌ Dropped. gym"


async def test_a_long_text_moves_nothing(tmp_path: Path) -> None:
    """Each word may begin the time, so a long text would take seconds to read."""
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me to call mum tomorrow at 9")
        before = await due(sam)
        assert await said(sam, "move it to Saturday at 9" + "!" * 200) is None
        assert await due(sam) == before


@pytest.mark.parametrize("text", ["pasa una hora", "passa uma hora", "passe une heure"])
async def test_that_time_passes_moves_nothing(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await said(sam, "remind me tomorrow at 9 to call Ana")
        assert await said(sam, text) is None
        assert await due(sam) == {"call Ana": "2026-02-13 09:00"}

"""Which of several tasks a message means: Sam asks, and takes the answer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat.actions import ACTIONS
from bot.chat.protocol import Call, Press, as_shown
from bot.chat.tasks.commands import tasks
from memory.tools import Tasks
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.reminding import Reminding, reminding
from tests.support.task_talk import said
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

DENTIST = "- [ ] call the dentist (@2026-02-{day} {at}) 🆔 den0{day} 📅 2026-02-{day}\n"
TWICE = DENTIST.format(day=13, at="09:00") + DENTIST.format(day=20, at="15:00")
PILLS = "- [ ] take my pills (@2026-02-13 08:00) 🆔 pil001 🔁 every day 📅 2026-02-13\n"
"""The clock of `reminding` shows Thursday, 12 February, at noon."""


async def days_left(sam: Reminding) -> list[int]:
    """Return the days of the open tasks."""
    every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
    return [task.day.day for task in every if task.day]


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("2", [13]),
        ("the second one, please", [13]),
        ("the one on Friday next week", [13]),
        ("the one at 3pm", [13]),
        ("tomorrow's", [20]),
        ("the first", [20]),
        ("call the dentist tomorrow", [20]),
        ("both", []),
        ("1 and 2", []),
        ("die zweite", [13]),
        ("den morgen", [20]),
        ("celui de demain", [20]),
        ("le dernier", [13]),
        ("el segundo", [13]),
        ("quello di domani", [20]),
        ("os dois", []),
        ("die van morgen", [20]),
        ("ten drugi", [13]),
        ("второй", [13]),
        ("2番目", [13]),
        ("第二个", [13]),
    ],
)
async def test_the_answer_to_which_one_is_a_number_a_day_or_a_time(
    tmp_path: Path, answer: str, left: list[int]
) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        assert (await said(sam, "cancel the dentist") or "").startswith("Which one?")
        assert "❌" in (await said(sam, answer) or "")
        assert await days_left(sam) == left
        assert await said(sam, answer) is None  # nothing is asked any more


@pytest.mark.parametrize(
    "answer",
    [
        "I'm off on Friday",
        "3",
        "the dentist has a new number",
        "call the dentist",
        "call the dentist tomorrow?",
        "1/2",
        "all ok",
        "I will call the dentist tomorrow",
        "Ana will call the dentist at 3pm",
        "thanks",
        "no",
    ],
)
async def test_another_message_chooses_nothing_and_ends_the_question(
    tmp_path: Path, answer: str
) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "cancel the dentist")
        assert await said(sam, answer) is None
        assert await said(sam, "2") is None
        assert await days_left(sam) == [13, 20]


async def test_a_command_ends_the_question_and_a_late_answer_is_none(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        for command in ("what are my tasks?", "remind me at 18:00 to run"):
            await said(sam, "cancel the dentist")
            assert await said(sam, command)
            assert await said(sam, "2") is None
        await said(sam, "cancel the dentist")
        sam.clock.forward(minutes=11)
        assert await said(sam, "2") is None
        assert await days_left(sam) == [12, 13, 20]


async def test_a_whole_title_is_only_the_task_that_has_it(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE + "- [ ] dentist 🆔 den001\n") as sam:
        assert await said(sam, "cancel the dentist") == "❌ Dropped. dentist"
        assert await days_left(sam) == [13, 20]


async def test_the_task_to_be_moved_is_chosen_with_its_new_time(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        shown = await said(sam, "move the dentist to 17:00")
        assert shown == (
            "Which one? Write its number or its day:\n\n"
            "1. call the dentist · tomorrow 09:00\n2. call the dentist · Fri 20 Feb 15:00"
        )
        assert await said(sam, "2") == "📅 call the dentist → Fri 20 Feb 17:00"


async def test_a_press_of_a_button_chooses_too(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        call = Call(sam.profile, "telegram:7", "cancel the dentist", sam.clock.now, sentence="…")
        [[_, second]] = as_shown(await tasks(call)).keyboard
        assert second.label == "❌ 2"
        press = Press(sam.profile, "telegram:7", second.argument, sam.clock.now)
        await ACTIONS[second.action].run(press)
        assert await days_left(sam) == [13]


async def test_on_telegram_the_next_message_or_a_reply_chooses(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, anthropic_api_key="", anthropic_base_url="") as it:
        for when in ("tomorrow 9:00", "20 Feb 15:00", "23 Feb 15:00"):
            await telegram.asks(f"/remind {when} call the dentist")
        asked = await telegram.asks("cancel the dentist")
        assert asked.text.startswith("Which one?")
        chosen = await telegram.asks("the one on Friday next week", reply_to=asked)
        assert chosen.text == "❌ Dropped. call the dentist"
        await telegram.asks("move the dentist to 17:00")
        assert "Mon 23 Feb 17:00" in (await telegram.asks("2")).text
        await telegram.asks("cancel the dentist")
        assert "2. call the dentist" in (await telegram.asks("/tasks")).text
        assert "Dropped" not in (await telegram.asks("2")).text
        open_ = await Tasks(it.profiles["owner"].memory, lambda: telegram.clock).open()
        assert [task.day.day for task in open_ if task.day] == [13, 23]
        await it.at_rest()


async def test_of_tasks_of_one_title_the_next_one_is_done(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        assert (await said(sam, "call the dentist is done") or "").startswith("✅ Done.")
        assert await days_left(sam) == [20]


@pytest.mark.parametrize(
    "text",
    [
        "cancel the dentist on Friday next week",
        "cancel the dentist on 20 February",
        "cancel the dentist at 3pm",
        "drop the one on 20 February",
        "don't remind me of the dentist next week",
        "storniere den dentist am 20.2.",
        "annule dentist le 20 février",
    ],
)
async def test_a_task_is_dropped_by_its_name_and_its_day(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        assert await said(sam, text) == "❌ Dropped. call the dentist"
        assert await days_left(sam) == [13]


@pytest.mark.parametrize(
    "text",
    [
        *("cancel the dentist on Monday", "cancel the concert tomorrow", "cancel Friday"),
        *("By tomorrow it is done", "Завтра всё готово", "esto mañana está hecho"),
    ],
)
async def test_a_task_of_another_day_or_name_is_not_dropped(tmp_path: Path, text: str) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        assert await said(sam, text) is None
        assert await days_left(sam) == [13, 20]


async def test_nothing_else_of_that_day_is_dropped_for_a_task_that_is_not_there(
    tmp_path: Path,
) -> None:
    of_today = DENTIST.format(day=12, at="18:00")
    async with reminding(tmp_path, TWICE + of_today) as sam:
        for text in ("don't remind me of the gym tomorrow", "don't remind me every day"):
            assert await said(sam, text) == "You have no open task about that."
        assert await days_left(sam) == [12, 13, 20]


@pytest.mark.parametrize(
    "text",
    [
        "cancel the reminder for tomorrow",
        "cancel my pills tomorrow",
        "cancel all my reminders for tomorrow",
        "lösch die Erinnerung für morgen",
    ],
)
async def test_of_one_that_repeats_only_the_named_day_is_left_out(
    tmp_path: Path, text: str
) -> None:
    async with reminding(tmp_path, PILLS) as sam:
        assert await said(sam, text) == "📅 take my pills → Sat 14 Feb 08:00 · every day"
        assert await days_left(sam) == [14]
        sam.clock.now += timedelta(days=1)
        assert await said(sam, "cancel the pills") == "❌ Dropped. take my pills"


async def test_of_those_at_several_times_a_day_only_the_named_one_is_dropped(
    tmp_path: Path,
) -> None:
    async with reminding(tmp_path, "- [ ] feed the cat\n") as sam:
        await said(sam, "remind me every day at 8 and 20 of the pills")
        assert await said(sam, "cancel the pills at 20:00") == "❌ Dropped. the pills"
        [left] = [
            task
            for task in await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
            if task.time
        ]
        assert left.time and left.time.hour == 8


async def test_a_list_that_is_asked_for_has_other_numbers(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILLS + TWICE) as sam:
        await said(sam, "cancel the dentist")
        await tasks(Call(sam.profile, "terminal", "", sam.clock.now))
        assert await said(sam, "2") is None


async def test_a_later_day_of_one_that_repeats_cannot_be_left_out(tmp_path: Path) -> None:
    async with reminding(tmp_path, PILLS) as sam:
        shown = await said(sam, "cancel the pills on Saturday") or ""
        assert shown.startswith("take my pills is due next: tomorrow 08:00.")
        assert await days_left(sam) == [13]


async def test_the_last_day_of_one_that_ends_is_dropped(tmp_path: Path) -> None:
    rule = "every day until February 13, 2026"
    async with reminding(tmp_path, PILLS.replace("every day", rule)) as sam:
        assert await said(sam, "cancel my pills tomorrow") == "❌ Dropped. take my pills"


async def test_it_is_the_task_that_was_just_set(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "remind me on Monday at 18:00 of the gym")
        assert await said(sam, "move it to Tuesday") == "📅 the gym → Tue 17 Feb 18:00"
        assert await said(sam, "verschieb es auf 19 Uhr") == "📅 the gym → Tue 17 Feb 19:00"
        assert await said(sam, "move it to the garage") is None


@pytest.mark.parametrize(
    "answer",
    [
        "All ok",
        "Thanks all",
        "Всё, спасибо",
        "To wszystko, dzięki",
        "È tutto",
        "É tudo",
        "Alles ok",
        "1.2.",
        "1/2",
        "1 + 1 = 2",
    ],
)
async def test_words_that_end_the_talk_and_dates_choose_nothing(
    tmp_path: Path, answer: str
) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "cancel the dentist")
        assert await said(sam, answer) is None
        assert await days_left(sam) == [13, 20]


@pytest.mark.parametrize(
    "answer",
    ["All, please", "All, thanks", "beide, danke", "Bitte alle", "все", "1, 2", "1. und 2."],
)
async def test_all_may_be_chosen_politely(tmp_path: Path, answer: str) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "cancel the dentist")
        await said(sam, answer)
        assert await days_left(sam) == []


async def test_the_numbers_of_a_list_that_is_shown_later_answer_nothing(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "cancel the dentist")
        await tasks(Call(sam.profile, "terminal", "", sam.clock.now))
        assert await said(sam, "2") is None
        assert await days_left(sam) == [13, 20]


EVENING = PILLS.replace("08:00", "20:00").replace("pil001", "pil002")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cancel the pills at 20:00", [(13, 8)]),
        ("cancel the pills at 8 am", [(13, 20)]),
        ("cancel the pills tomorrow at 20:00", [(13, 8), (14, 20)]),
        ("cancel the pills tomorrow", [(14, 8), (14, 20)]),
        ("cancel the pills", []),
    ],
)
async def test_of_tasks_set_together_the_one_of_the_named_time_is_dropped(
    tmp_path: Path, text: str, left: list[tuple[int, int]]
) -> None:
    async with reminding(tmp_path, PILLS + EVENING) as sam:
        await said(sam, text)
        every = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert [(each.at.day, each.at.hour) for each in every if each.at] == left


async def test_only_what_repeats_is_dropped_with_every_day(tmp_path: Path) -> None:
    today = DENTIST.format(day=12, at="16:00")
    async with reminding(tmp_path, today + PILLS) as sam:
        assert await said(sam, "don't remind me every day") == "❌ Dropped. take my pills"
        assert await days_left(sam) == [12]


@pytest.mark.parametrize(
    "text",
    [
        "By tomorrow it is done",
        "Tomorrow it is done",
        "I did it on Friday",
        "esto mañana está hecho",
        "Завтра всё готово",
        "这个明天完成了",
    ],
)
async def test_it_is_done_on_a_day_is_no_word_about_the_task_of_that_day(
    tmp_path: Path, text: str
) -> None:
    async with reminding(tmp_path, DENTIST.format(day=13, at="09:00")) as sam:
        await said(sam, text)
        assert await days_left(sam) == [13]


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (("cancel call mom", "2"), [13]),
        (("cancel call mom tomorrow",), [20]),
        (("move call mom to 23 February", "1"), [20, 23]),
        (("call mom is done",), [20]),
    ],
)
async def test_tasks_of_one_title_need_no_id(
    tmp_path: Path, texts: tuple[str, ...], left: list[int]
) -> None:
    written = "- [ ] call mom 📅 2026-02-13\n- [ ] call mom 📅 2026-02-20\n"
    async with reminding(tmp_path, written) as sam:
        for text in texts:
            await said(sam, text)
        assert await days_left(sam) == left


@pytest.mark.parametrize("title", ["Tuesday report", "meet at 5 Main Street"])
async def test_it_is_moved_whatever_time_its_title_names(tmp_path: Path, title: str) -> None:
    line = f"- [ ] {title} (@2026-02-12 12:30) 🆔 ttl001 📅 2026-02-12\n"
    async with reminding(tmp_path, line) as sam:
        await sam.after(minutes=31)
        assert await said(sam, "move it to Monday") == f"📅 {title} → Mon 16 Feb 12:30"
        assert await said(sam, "no, at 14:00") == f"📅 {title} → Mon 16 Feb 14:00"


async def test_an_article_in_a_title_makes_no_difference(tmp_path: Path) -> None:
    titles = "- [ ] the dentist 🆔 den001\n- [ ] call the dentist 🆔 den002\n"
    async with reminding(tmp_path, titles) as sam:
        assert await said(sam, "cancel the dentist") == "❌ Dropped. the dentist"


async def test_an_answer_to_which_one_may_be_polite(tmp_path: Path) -> None:
    async with reminding(tmp_path, TWICE) as sam:
        await said(sam, "cancel the dentist")
        assert "❌" in (await said(sam, "the dentist tomorrow, please") or "")
        assert await days_left(sam) == [20]

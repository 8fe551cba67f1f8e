"""Reminders fire once, on time, over clock changes, crashes and downtime; the morning message."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.assistant import reminders
from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Call, Command, Press, as_shown
from bot.chat.tasks import buttons as task_buttons
from bot.chat.tasks.commands import remind, tasks, todo
from memory import EditRefused, Said
from memory.tools import Tasks
from tests.support.reminding import reminding

BERLIN = ZoneInfo("Europe/Berlin")


async def test_a_task_is_said_at_its_minute_and_once(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Call *Ana* (@2026-02-12 12:30) 🆔 ana001\n") as sam:
        assert await sam.after() == []
        assert await sam.after(minutes=29) == []
        assert await sam.after(minutes=1) == [r"⏰ Call \*Ana\*"]
        assert sam.labels() == ["Done", "10 min", "1 hour", "Tomorrow", "Drop"]
        for _ in range(3):
            assert await sam.after(minutes=1) == []


async def test_tasks_without_a_time_and_finished_ones_are_not_said(tmp_path: Path) -> None:
    tasks = (
        "- [ ] Pay 📅 2026-02-12\n- [x] Done (@2026-02-12 12:00)\n- [ ] Day alone (@2026-02-12)\n"
        "- [ ] Last year (@2025-02-12 12:00)\n"
    )
    async with reminding(tmp_path, tasks) as sam:
        assert await sam.after(minutes=1) == []


async def test_after_downtime_it_is_said_when_it_was_due(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Call Ana (@2026-02-12 13:45) 🆔 ana001\n") as sam:
        [said] = await sam.after(hours=4, minutes=45)
        assert said.startswith("⏰ Call Ana") and "It was due today 13:45." in said
        assert sam.labels() == ["Still needed", "Drop", "Done"]


async def test_a_snoozed_task_is_said_again_then_and_not_before(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Call Ana (@2026-02-12 12:00) 🆔 ana001\n") as sam:
        assert await sam.after() == ["⏰ Call Ana"]
        await reminders.snooze(sam.profile.memory, "ana001", sam.clock.now + timedelta(minutes=10))
        assert await sam.after(minutes=9) == []
        assert await sam.after(minutes=1) == ["⏰ Call Ana"]
        assert await sam.after(minutes=1) == []


async def test_a_snoozed_task_that_is_moved_is_said_at_its_own_time(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Call Ana (@2026-02-12 12:00) 🆔 ana001\n") as sam:
        assert await sam.after() == ["⏰ Call Ana"]
        named = {"task": "ana001"}
        now = sam.clock.now
        await task_buttons.snooze(
            Press(sam.profile, "telegram:7", named | {"minutes": 60 * 26}, now)
        )
        await task_buttons.move(Press(sam.profile, "telegram:7", named | {"days": 1}, now))
        assert await sam.after(hours=23) == []
        assert await sam.after(hours=1) == ["⏰ Call Ana"], "as the task says"
        assert await sam.after(hours=2) == [], "the snooze is forgotten"


async def test_of_a_private_note_it_is_said_that_a_task_is_due(tmp_path: Path) -> None:
    tasks = "---\nprivacy: sensitive\n---\n- [ ] Take pills (@2026-02-12 12:10) 🆔 pill01\n"
    async with reminding(tmp_path, tasks) as sam:
        assert await sam.after(minutes=10) == ["⏰ A private task is due: see tasks.md."]
        await reminders.morning(sam.profile, sam.notified.notify)
        assert len(sam.notified.texts) == 1


async def test_a_snoozed_task_that_is_edited_in_the_vault_is_said_at_its_new_time(
    tmp_path: Path,
) -> None:
    task = "- [ ] Call Ana (@2026-02-12 {at}) 🆔 ana001\n"
    async with reminding(tmp_path, task.format(at="12:00")) as sam:
        assert await sam.after() == ["⏰ Call Ana"]
        await reminders.snooze(sam.profile.memory, "ana001", sam.clock.now + timedelta(minutes=10))
        assert await sam.after(minutes=10) == ["⏰ Call Ana"]
        (sam.profile.memory.vault.root / "tasks.md").write_text(task.format(at="15:00"), "utf-8")
        assert await sam.after(hours=2) == []
        assert await sam.after(hours=1) == ["⏰ Call Ana"], "the snooze was of the earlier time"


async def test_a_private_task_is_said_without_its_words(tmp_path: Path) -> None:
    tasks = "- [ ] Buy the pills (@2026-02-12 12:00) #sam/sensitive 🆔 pill01\n"
    async with reminding(tmp_path, tasks) as sam:
        [said] = await sam.after()
        assert "pills" not in said and "private task" in said
        assert sam.labels() == []


@pytest.mark.parametrize(
    "note",
    [
        "# Tasks\n\n```\nan old list\n",
        "# Doctors #sam/sensitive\n\n- [ ] Call Dr. Ng\n\n# Home\n\n- [ ] Milk\n",
        "# Home\n\n- [x] Milk\n\n# Doctors #sam/sensitive\n\n- [ ] Call Dr. Ng\n",
        "# Doctors #sam/sensitive\n\n- [ ] Call Dr. Ng\n",
    ],
)
async def test_a_reminder_is_added_where_it_is_seen(tmp_path: Path, note: str) -> None:
    async with reminding(tmp_path, note) as sam:
        now = sam.clock.now
        told = await remind(
            Call(sam.profile, "telegram:7", "in 20 minutes call Ana", now, None, None)
        )
        assert told.text == "⏰ today 12:20: call Ana"
        listed = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert "call Ana" in [task.title for task in listed]
        assert await sam.after(minutes=21) == ["⏰ call Ana"]


@pytest.mark.parametrize(
    ("command", "words"), [(todo, "milk"), (remind, "tomorrow 9:00 milk"), (todo, "eggs")]
)
async def test_a_command_that_is_carried_out_again_adds_no_second_task(
    tmp_path: Path, command: Command, words: str
) -> None:
    async with reminding(tmp_path, "- [ ] eggs\n- [x] milk\n") as sam:
        call = Call(sam.profile, "telegram:7", words, sam.clock.now)
        first, second = [as_shown(await command(call)) for _ in range(2)]
        listed = await Tasks(sam.profile.memory, sam.profile.memory.clock).open()
        assert [each.title for each in listed].count(words.split()[-1]) == 1
        assert first.text == second.text
        assert not second.keyboard, "an undo would drop the one that was there"


@pytest.mark.parametrize("words", ["12/5", "on 12/5", "what is due on 12/5?"])
@pytest.mark.parametrize(
    ("zone", "title"), [("America/New_York", "In December"), ("Europe/London", "In May")]
)
async def test_tasks_of_a_date_with_a_slash_are_of_the_owners_country(
    tmp_path: Path, words: str, zone: str, title: str
) -> None:
    dated = "- [ ] In December 📅 2026-12-05\n- [ ] In May 📅 2026-05-12\n"
    async with reminding(tmp_path, dated, timezone=zone) as sam:
        shown = await tasks(Call(sam.profile, "telegram:7", words, sam.clock.now, None, None))
        assert [line for line in shown.text.splitlines() if line.startswith("1. ")]
        assert title in shown.text and "2. " not in shown.text


async def test_tasks_of_a_date_without_a_year_are_of_the_next_one(tmp_path: Path) -> None:
    dated = "- [ ] Skiing 📅 2027-01-12\n- [ ] Milk 📅 2026-02-13\n"
    async with reminding(tmp_path, dated) as sam:
        for words in ("12 January", "what is due on 12 January?", "in January"):
            shown = await tasks(Call(sam.profile, "telegram:7", words, sam.clock.now, None, None))
            assert "Skiing" in shown.text and "Milk" not in shown.text


@pytest.mark.parametrize(
    ("wish", "at_night", "silent"), [("ring", 1, False), ("silent", 1, True), ("wait", 0, False)]
)
async def test_quiet_hours_are_as_the_owner_wishes(
    tmp_path: Path, wish: str, at_night: int, silent: bool
) -> None:
    night = datetime(2026, 2, 12, 5, 0, tzinfo=UTC)
    task = "- [ ] Take the train (@2026-02-12 05:30)\n"
    async with reminding(tmp_path, task, night, reminders_in_quiet_hours=wish) as sam:
        assert len(await sam.after(minutes=30)) == at_night
        assert len(await sam.after(hours=2, minutes=30)) == 1 - at_night
        assert sam.notified.arguments[-1]["silent"] is silent


async def test_a_profile_is_opened_for_a_reminder_when_quiet_hours_end(tmp_path: Path) -> None:
    night = datetime(2026, 2, 12, 5, 0, tzinfo=UTC)
    task = "- [ ] Take the train (@2026-02-12 05:30)\n"
    for wish, when in (("ring", time(5, 30)), ("silent", time(5, 30)), ("wait", time(8, 0))):
        folder = tmp_path / wish
        async with reminding(folder, task, night, reminders_in_quiet_hours=wish) as sam:
            if wish == "wait":  # it is due already, and waits
                sam.clock.forward(hours=1)
            assert await reminders.next_at(sam.profile) == datetime.combine(night, when, UTC)


class Killed(BaseException):
    """Simulates a kill of the process."""


@pytest.mark.parametrize(
    "change", [datetime(2026, 3, 29, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)]
)
async def test_hundreds_over_a_clock_change_kills_and_downtime(
    tmp_path: Path, change: datetime
) -> None:
    """None is lost, none is late except after downtime, none comes twice except after a kill."""
    chance = random.Random(change.month)
    start = change - timedelta(hours=2)
    due = {}
    for number in range(125):
        local = start.astimezone(BERLIN).replace(tzinfo=None) + timedelta(
            minutes=chance.randrange(1, 300)
        )
        due[f"Task {number}"] = local
    tasks = "".join(f"- [ ] {name} (@{at:%Y-%m-%d %H:%M})\n" for name, at in due.items())
    came: dict[str, datetime] = {}
    count: Counter[str] = Counter()
    stored: set[str] = set()
    kills, down, starts = 0, range(100, 130), start + timedelta(minutes=130)
    async with reminding(tmp_path, tasks, start, timezone="Europe/Berlin") as sam:

        async def speak(text: str, *, key: str, **_: Any) -> None:
            nonlocal kills
            name = text.split("\n")[0].removeprefix("⏰ ")
            if key not in stored:  # like the outbox, which stores each key once
                stored.add(key)
                came[name] = sam.clock.now
                count[name] += 1
            if chance.random() < 0.1:
                kills += 1
                raise Killed

        for minute in range(370):
            sam.clock.now = start + timedelta(minutes=minute)
            while minute not in down:
                try:
                    await sam.tick(speak)
                    break
                except Killed:
                    continue
    assert kills > 5
    assert came.keys() == due.keys(), "none is lost"
    assert max(count.values()) == 1
    for name, local in due.items():
        at = local.replace(tzinfo=BERLIN).astimezone(UTC)
        missed = start + timedelta(minutes=100) <= at < starts
        late = came[name] - (starts if missed else at)
        assert timedelta(0) <= late <= timedelta(minutes=1), name


async def test_the_morning_lists_what_is_due_once(tmp_path: Path) -> None:
    tasks = (
        "- [ ] Pay the rent 📅 2026-02-10\n- [ ] Call Ana (@2026-02-12 15:00) 📅 2026-02-12\n"
        "- [ ] Far away 📅 2027-01-01\n- [ ] Pills 📅 2026-02-12 #sam/sensitive\n"
    )
    early = datetime(2026, 2, 12, 7, 0, tzinfo=UTC)
    async with reminding(tmp_path, tasks, early) as sam:
        assert not await reminders.morning_is_due(sam.profile), "before ACTIVE_HOURS"
        sam.clock.forward(hours=1)
        assert await reminders.morning_is_due(sam.profile)
        await reminders.morning(sam.profile, sam.notified.notify)
        [said] = sam.notified.texts
        assert said.split("\n")[2:] == [
            "- Pay the rent · overdue since Tue 10 Feb",
            "- Call Ana · 15:00",
        ]
        assert not await reminders.morning_is_due(sam.profile)
        sam.clock.forward(days=1)
        assert await reminders.morning_is_due(sam.profile)


async def test_a_day_without_tasks_begins_in_silence(tmp_path: Path) -> None:
    async with reminding(tmp_path, "", morning_list=True) as sam:
        await reminders.morning(sam.profile, sam.notified.notify)
        assert sam.notified.texts == []
    async with reminding(tmp_path / "off", "", morning_list=False) as sam:
        assert not await reminders.morning_is_due(sam.profile)


@pytest.mark.parametrize("id_", ["", " 🆔 wat001"])
async def test_a_second_press_does_not_close_the_next_occurrence(tmp_path: Path, id_: str) -> None:
    line = f"- [ ] Water plants (@2026-02-12 12:00){id_} 🔁 every week 📅 2026-02-12\n"
    async with reminding(tmp_path, line) as sam:
        await sam.after(minutes=0)
        rows = sam.notified.arguments[-1]["keyboard"]
        buttons = {each.label: each for row in rows for each in row}

        async def press(label: str) -> str:
            given = buttons[label].argument
            act = {
                "Done": task_buttons.done,
                "Drop": task_buttons.drop,
                "Tomorrow": task_buttons.move,
            }[label]
            return (await act(Press(sam.profile, "telegram:7", given, sam.clock.now))).toast

        assert await press("Done") == "Done."
        after = (tmp_path / "Sam/vault/tasks.md").read_text("utf-8")
        assert "2026-02-19" in after
        assert await press("Done") == "It was already done."
        assert await press("Drop") == "It was already closed."
        if not id_:
            assert await press("Tomorrow") == "That task is no longer in your list."
            snoozed = Press(sam.profile, "x", buttons["1 hour"].argument, sam.clock.now)
            assert "no longer" in (await task_buttons.snooze(snoozed)).toast
        assert (tmp_path / "Sam/vault/tasks.md").read_text("utf-8") == after


async def test_what_was_only_said_about_a_day_is_quoted_with_its_tasks(tmp_path: Path) -> None:
    """Monday: "the dentist, Thursday at 3". "What's on Thursday?" must not answer "nothing"."""
    async with reminding(tmp_path, "# Tasks\n", datetime(2026, 2, 9, 12, 0, tzinfo=UTC)) as sam:

        async def say(text: str, author: str = "Ana", origin: Any = "owner") -> None:
            said = Said(text, "telegram:7", text, sam.clock.now, author, origin)
            await sam.profile.turns.begin(said)
            await sam.profile.memory.catch_up()

        async def shown(words: str) -> str:
            call = Call(sam.profile, "telegram:7", words, sam.clock.now, None, None)
            return (await tasks(call)).text

        await say("We meet on Thursday at 5pm.", "Eve", "forwarded")
        await say("The dentist is on Thursday at 3pm.")
        assert await shown("what's on today?") == "Nothing is due today."
        sam.clock.forward(days=1)
        await say("Tom has a match on Saturday.")
        thursday = "You said yesterday: The dentist is on Thursday at 3pm."
        assert await shown("what's on Thursday?") == f"Nothing is due on Thursday.\n\n{thursday}"
        week = await shown("what's on this week?")
        assert thursday in week and "You said today: Tom has a match on Saturday." in week
        assert "dentist" not in await shown("what's on Friday?")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("move call Ana to tomorrow", "📅 call Ana → tomorrow 18:00"),
        ("please move call Ana to Friday 10:30", "📅 call Ana → tomorrow 10:30"),
        ("reschedule Ana to 19:00", "📅 call Ana → today 19:00"),
        ("move call Ana to Sunday at the same time", "📅 call Ana → Sun 15 Feb 18:00"),
        ("verschieb call Ana auf Sonntag", "📅 call Ana → Sun 15 Feb 18:00"),
        (
            "move call to Sunday",
            "Which one? Write its number or its day:\n\n1. call Ana · today 18:00\n2. call Tom",
        ),
        ("change the call Ana reminder to 19:00", "📅 call Ana → today 19:00"),
        ("move the piano to Sunday", None),
        ("move call Ana", None),
    ],
)
async def test_a_task_is_moved_when_asked_in_words(
    tmp_path: Path, words: str, shown: str | None
) -> None:
    due = "- [ ] call Ana (@2026-02-12 18:00) 🆔 ana001 📅 2026-02-12\n- [ ] call Tom\n"
    async with reminding(tmp_path, due) as sam:
        found = await command_in_words(sam.profile, "terminal", words, sam.clock.now)
        moves = found == ("tasks", words)
        assert moves == (shown is not None)
        if shown:
            call = Call(sam.profile, "terminal", words, sam.clock.now, None, None)
            assert (await tasks(call)).text == shown


async def test_what_obsidian_repeats_is_said_at_the_next_occurrence(tmp_path: Path) -> None:
    """Its Tasks plugin moves the dates of a recurring task, and not the time in its text."""
    done = "- [x] Bins (@2026-02-12 12:30) 🔁 every week 📅 2026-02-12 ✅ 2026-02-12\n"
    following = "- [ ] Bins (@2026-02-12 12:30) 🔁 every week 📅 2026-02-19\n"
    async with reminding(tmp_path, following + done) as sam:
        assert await sam.after(minutes=30) == []
        assert await sam.after(days=6, hours=23) == []
        assert await sam.after(hours=1) == ["⏰ Bins"]
        await reminders.morning(sam.profile, sam.notified.notify)
        assert "- Bins · 12:30" in sam.notified.texts[-1]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (
            "every day at 9am and 9pm take pills",
            "⏰ tomorrow 09:00: take pills · every day\n⏰ today 21:00: take pills · every day",
        ),
        ("at 14:00 and 16:30 pills", "⏰ today 14:00: pills\n⏰ today 16:30: pills"),
        ("tomorrow at 8 and at 20:00 pills", "⏰ tomorrow 08:00: pills\n⏰ tomorrow 20:00: pills"),
        (
            "every morning and evening pills",
            "⏰ tomorrow 09:00: pills · every day\n⏰ today 19:00: pills · every day",
        ),
        ("at 17:00 buy 3 and 4 mm screws", "⏰ today 17:00: buy 3 and 4 mm screws"),
    ],
)
async def test_two_times_are_two_reminders(tmp_path: Path, words: str, shown: str) -> None:
    async with reminding(tmp_path, "# Tasks\n") as sam:
        call = Call(sam.profile, "x", words, sam.clock.now)
        said = as_shown(await remind(call))
        assert said.text == shown
        [[undo]] = said.keyboard  # one for all of them
        undone = undo.argument.get("tasks") or [undo.argument["task"]]
        assert len(undone) == len(shown.splitlines())


async def test_a_button_says_that_its_task_was_removed_from_the_note(tmp_path: Path) -> None:
    async with reminding(tmp_path, "- [ ] Call Ana 🆔 ana001\n- [ ] Call Tom 🆔 tom001\n") as sam:
        (sam.profile.memory.vault.root / "tasks.md").write_text("- [ ] Call Tom\n", "utf-8")
        given = {"task": "ana001", "days": 1}
        for act in (task_buttons.done, task_buttons.drop, task_buttons.move):
            with pytest.raises(EditRefused) as refused:
                await act(Press(sam.profile, "telegram:7", given, sam.clock.now))
            assert str(refused.value) == "That task is no longer in your list."

"""Buttons on Telegram: their effects, and that repeated or stale presses do no harm."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import reminders
from bot.chat.protocol import EXPIRED
from bot.chat.tasks.buttons import GONE
from bot.inbox.buttons import KEPT
from bot.telegram import callbacks
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Sent
from tests.support.buttons import buttons, press, press_again
from tests.support.telegram import BOB, Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


def tasks_of(it: Sam) -> str:
    return (it.profiles["owner"].memory.vault.root / "tasks.md").read_text("utf-8")


# ── tasks ────────────────────────────────────────────────────────────────────────────────────


async def test_a_reminder_is_set_said_finished_and_opened_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        set_ = await telegram.asks("/remind tomorrow 9:00 call Ana")
        assert set_.text == "⏰ tomorrow 09:00: call Ana"
        telegram.passes(hours=21)
        owner = it.profiles["owner"]
        assert await reminders.is_due(owner)

        async def speak(text: str, **beside: Any) -> None:
            await it.bot.speak("owner", text, **beside)

        await reminders.remind(owner, speak)
        *_, said = await telegram.wait_sent(2)
        assert (said.text, list(buttons(said))[:2]) == ("⏰ call Ana", ["Done", "10 min"])
        assert await press(telegram, said, "Done") == "Done."
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert (edited.text, list(buttons(edited))) == ("✅ call Ana", ["Undo"])
        assert "- [x] call Ana" in tasks_of(it)
        assert await press(telegram, edited, "Undo") == "It is open again."
        assert "- [ ] call Ana" in tasks_of(it)
    assert claude.requests == [], "no model was asked"


async def test_a_recurring_task_that_is_undone_leaves_no_second_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        said = await telegram.asks("/remind every Friday 18:00 water the plants")
        assert said.text == "⏰ tomorrow 18:00: water the plants · every Friday"
        before = tasks_of(it)
        [listed] = [await telegram.asks("/tasks")]
        await press(telegram, listed, "✓ 1")
        assert tasks_of(it).count("water the plants") == 2
        assert "2026-02-20" in tasks_of(it)
        id_ = before.split("🆔 ")[1][:6]
        done = next(row for row in tasks_of(it).splitlines() if row.startswith("- [x]"))
        assert id_ in done


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/remind jeden Freitag 18:00 Blumen gießen", "tomorrow 18:00: Blumen gießen"),
        ("/remind каждую пятницу в 18:00 полить цветы", "tomorrow 18:00: полить цветы"),
        ("/todo chaque vendredi sortir les poubelles", "Added: sortir les poubelles (tomorrow)"),
    ],
)
async def test_a_task_repeats_in_the_owners_language(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, words: str, answer: str
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        said = await telegram.asks(words)
        assert said.text.removeprefix("⏰ ") == f"{answer} · every week on Friday"
        assert "🔁 every week on Friday" in tasks_of(it)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/remind every year on 14 March 9:00 Ana", "14 Mar 09:00: Ana · every year"),
        ("/remind jeden Monat am 15. um 9 Miete", "15 Feb 09:00: Miete · every month"),
        (
            "/remind every day at 8 until 9 March pills",
            "08:00: pills · every day until March 9, 2026",
        ),
        ("/remind every 2 weeks on Friday 18:00 bins", "18:00: bins · every 2 weeks on Friday"),
        ("/remind the last Friday of every month 0:00 x", "00:00: x · every month on the last Fri"),
    ],
)
async def test_a_repeated_reminder_begins_on_the_day_that_it_names(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, words: str, answer: str
) -> None:
    async with sam(telegram, claude, tmp_path):
        assert answer in (await telegram.asks(words)).text
        assert "00:00" not in answer or "00:00" in (await telegram.asks("/tasks")).text


async def test_the_list_of_tasks_changes_under_its_buttons(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        for words in ("/todo milk", "/todo pay the rent on 1.3."):
            await telegram.asks(words)
        listed = await telegram.asks("/tasks")
        assert "1. pay the rent · Sun 01 Mar" in listed.text and "2. milk" in listed.text
        assert await press(telegram, listed, "2 → tomorrow") == "Moved to Friday, 13 February."
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "1. milk · tomorrow" in edited.text
        assert await press(telegram, edited, "✓ 1") == "Done."
        await telegram.wait_for(lambda fake: len(fake.edited) == 2)
        assert "milk" not in telegram.edited[-1].text
        assert "- [x] milk" in tasks_of(it)


async def test_what_was_added_by_mistake_is_dropped(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        added = await telegram.asks("/todo milk")
        assert await press(telegram, added, "Undo") == "Dropped."
        assert "- [-] milk" in tasks_of(it)


async def test_a_snoozed_reminder_says_when_it_comes_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/remind in 5 minutes tea")
        telegram.passes(minutes=5)

        async def speak(text: str, **beside: Any) -> None:
            await it.bot.speak("owner", text, **beside)

        await reminders.remind(it.profiles["owner"], speak)
        *_, said = await telegram.wait_sent(2)
        assert await press(telegram, said, "10 min") == "Again at 12:15."
        telegram.passes(minutes=10)
        await reminders.remind(it.profiles["owner"], speak)
        *_, again = await telegram.wait_sent(3)
        assert again.text == "⏰ tea"


async def test_what_was_due_during_downtime_is_still_needed_or_dropped(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        for words in ("/remind in 5 minutes tea", "/remind in 6 minutes milk"):
            await telegram.asks(words)
        await it.at_rest()
    telegram.passes(hours=3)
    async with sam(telegram, claude, tmp_path) as it:

        async def speak(text: str, **beside: Any) -> None:
            await it.bot.speak("owner", text, **beside)

        owner = it.profiles["owner"]
        await it.bot.connected.wait()
        await reminders.remind(owner, speak)
        *_, tea, milk = await telegram.wait_sent(4)
        assert "It was due today 12:05" in tea.text
        assert list(buttons(tea)) == ["Still needed", "Drop", "Done"]
        assert await press(telegram, tea, "Still needed") == "It stays in your tasks."
        kept = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert (kept.text, list(buttons(kept))[:2]) == ("⏰ tea", ["Done", "10 min"])
        assert not await reminders.is_due(owner), "it was said already"
        assert await press(telegram, milk, "Drop") == "Dropped."
        assert "- [ ] tea" in tasks_of(it) and "- [-] milk" in tasks_of(it)
        assert await press_again(telegram, tea, "Drop") == "Dropped.", "the old buttons still work"
        assert await press_again(telegram, tea, "Still needed") == GONE
        assert "- [-] tea" in tasks_of(it)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/remind", "When?"),
        ("/remind call Ana", "When?"),
        ("/remind tomorrow 9:00", "What should I remind you of?"),
        ("/remind of this tomorrow 9:00", "What should I remind you of?"),
        ("/remind today call Ana", "At what time?"),
        ("/remind yesterday 9:00 call Ana", "That is in the past."),
        ("/remind 30 February 9:00 call Ana", "There is no such day or time."),
    ],
)
async def test_what_is_missing_is_asked_for(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, words: str, answer: str
) -> None:
    async with sam(telegram, claude, tmp_path):
        assert (await telegram.asks(words)).text.startswith(answer)


@pytest.mark.parametrize(
    "words", ["every day stretch", "stretch every thursday", "daily stretch", "weekly to stretch"]
)
async def test_a_repetition_without_a_time_begins_when_it_can_ring_first(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, words: str
) -> None:
    async with sam(telegram, claude, tmp_path):
        added = await telegram.asks(f"/remind {words}")
    assert re.match("⏰ .+ 0?8:00: stretch · every ", added.text)


async def test_a_formatted_answer_is_what_one_is_reminded_of(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Call **Dr. Lee**", when="dentist")
    async with sam(telegram, claude, tmp_path) as it:
        answer = await telegram.asks("who is my dentist?")
        await it.at_rest()
        added = await telegram.asks("/remind tomorrow 9:00", reply_to=answer)
    assert answer.method == "sendRichMessage", "a reply to it has no text of it"
    assert "tomorrow 09:00: Call" in added.text and "Dr. Lee" in added.text


async def test_a_reply_is_what_one_is_reminded_of(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    async with sam(telegram, claude, tmp_path):
        first = await telegram.receives("The boiler makes noises again")
        await telegram.wait_sent(1)
        for words in ("tomorrow 9:00", "of this tomorrow 9:00", "tomorrow 9:00 about it"):
            said = await telegram.asks(f"/remind {words}", reply_to=first)
            assert said.text == "⏰ tomorrow 09:00: The boiler makes noises again"


# ── results and sources ──────────────────────────────────────────────────────────────────────


async def test_a_task_is_found_without_the_signs_of_its_line(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("/remind on 1 March 9:00 feed the walrus")
        found = await telegram.asks("/search walrus")
        assert "feed the walrus · Sun 01 Mar 09:00" in found.text
        assert "🆔" not in found.text and "[ ]" not in found.text


async def test_a_result_is_opened_and_more_are_shown(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    (tmp_path / "vault").mkdir()
    for number in range(8):
        note = tmp_path / "vault" / f"walrus {number}.md"
        note.write_text(f"# Walrus {number}\n\nA `walrus` lives at pier {number}.\nIt sleeps.\n")
    async with sam(telegram, claude, tmp_path):
        found = await telegram.asks("/search walrus")
        whys, bins = ([f"{label} {n}" for n in range(1, 6)] for label in ("Why", "🗑"))
        assert list(buttons(found)) == [*"12345", *whys, *bins, "More"]
        await press(telegram, found, "1")
        *_, opened = await telegram.wait_sent(2)
        assert "It sleeps." in opened.text and "lives at pier" in opened.text
        copied = buttons(opened)["Copy the Obsidian link"]
        assert copied.startswith("obsidian://open?vault=vault&file=walrus%20")
        await press(telegram, found, "More")
        *_, more = await telegram.wait_sent(3)
        assert "**6**" in more.text or "6 ·" in more.text
        assert {"6", "7", "8"} <= set(buttons(more))


@pytest.mark.parametrize(
    ("folder", "ending"),
    [
        ("Рецепты бабушки из Нижнего Новгорода", "борщ.md"),
        ("walrus " * 34 + "and more", ""),
    ],
)
async def test_the_link_to_a_note_with_a_long_name_is_copied_whole_or_not_at_all(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, folder: str, ending: str
) -> None:
    (tmp_path / "vault" / folder).mkdir(parents=True)
    (tmp_path / "vault" / folder / "борщ.md").write_text("The walrus eats borscht at pier 3.\n")
    async with sam(telegram, claude, tmp_path):
        await press(telegram, await telegram.asks("/search walrus"), "1")
        *_, opened = await telegram.wait_sent(2)
    copied = buttons(opened).get("Copy the Obsidian link", "")
    assert copied.endswith(ending) and bool(copied) == bool(ending)
    assert " " not in copied


async def test_a_result_is_forgotten_once_all_that_is_kept_of_it_was_shown(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Noted.")
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "zoo.md").write_text("# Zoo\n\nThe walrus lives at pier 3.\n")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.receives("Quincy the wallaby bites")
        await telegram.wait_sent(1)
        await telegram.asks("/remember Quincy the wallaby likes figs")
        await it.profiles["owner"].memory.index_deferred()
        found = await telegram.asks("/search wallaby")
        message, line = found.text.split("\n\n")
        assert "bites" in message and "MEMORY.md:3" in line and "figs" in line

        listed = await _next_after_press(telegram, found, "🗑 1")
        assert "bites" in listed.text and "Forget it" in buttons(listed), "it is shown first"
        assert "bites" in (await telegram.asks("/search wallaby")).text
        assert await press(telegram, listed, "Forget it") == "Forgotten."
        again = await telegram.asks("/search wallaby")
        assert "bites" not in again.text and "figs" in again.text

        gone = await press(telegram, found, "🗑 1")
        assert gone == EXPIRED, "no button keeps what was forgotten"

        listed = await _next_after_press(telegram, again, "🗑 1")
        assert "MEMORY.md:3" in listed.text and "figs" in listed.text
        assert await press(telegram, listed, next(iter(buttons(listed)))) == "Forgotten."
        assert "figs" not in (await telegram.asks("/search wallaby")).text

        notes = await telegram.asks("/search walrus")
        own = await _next_after_press(telegram, notes, "🗑 1")
        assert "zoo.md:3" in own.text and buttons(own) == {}, "the owner's notes are the owner's"


async def _next_after_press(telegram: FakeTelegram, message: Sent, label: str) -> Sent:
    """Press a button, and return the message that it brings."""
    before = len(telegram.sent)
    await press(telegram, message, label)
    return (await telegram.wait_sent(before + 1))[-1]


async def test_the_source_of_an_answer_is_opened_as_a_reply_to_the_message(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.cites("It is chicken.", "chicken", when="What is Rex")
    claude.responds_with("Poor Rex.")
    async with sam(telegram, claude, tmp_path) as it:
        told = await telegram.receives("Rex, my dog, is allergic to chicken.")
        await telegram.wait_sent(1)
        await telegram.receives("/new")
        await telegram.wait_sent(2)
        await it.profiles["owner"].memory.index_deferred()
        answer = await telegram.asks("What is Rex allergic to?")
        assert "[1]" in buttons(answer)
        await press(telegram, answer, "[1]")
        *_, opened = await telegram.wait_sent(4)
        assert "allergic to chicken" in opened.text
        assert opened.reply_to == told.message_id


# ── presses that come twice, late, or from others ────────────────────────────────────────────


async def test_pressed_twice_after_a_restart_and_after_a_month_it_does_no_harm(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/todo milk")
        listed = await telegram.asks("/tasks")
        assert await press(telegram, listed, "✓ 1") == "Done."
        once = tasks_of(it)
    async with sam(telegram, claude, tmp_path) as it:
        assert "done" in (await press_again(telegram, listed, "✓ 1")).lower()
        assert tasks_of(it) == once
        id_ = buttons(listed)["✓ 1"]
        telegram.passes(days=KEPT.days + 1)
    async with sam(telegram, claude, tmp_path) as it:
        await it.bot.connected.wait()
        async with asyncio.timeout(60):  # the daily clean-up begins with the start
            while await it.inbox.buttons.press(id_, 0) is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert await press_again(telegram, listed, "✓ 1") == EXPIRED
        assert tasks_of(it) == once


async def test_an_undo_works_once(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        added = await telegram.asks("/todo milk")
        await press(telegram, added, "Undo")
        dropped = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert await press(telegram, dropped, "Undo") == "It is open again."
        assert await press_again(telegram, dropped, "Undo") == callbacks.ONCE


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("/todo milk", "milk"),
        ("/remind tomorrow 9:00 call Ana", "⏰ tomorrow 09:00: call Ana"),
    ],
)
async def test_a_task_that_is_not_due_has_no_buttons_of_a_reminder_when_it_is_open_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, command: str, text: str
) -> None:
    async with sam(telegram, claude, tmp_path):
        await press(telegram, await telegram.asks(command), "Undo")
        dropped = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        await press(telegram, dropped, "Undo")
        again = (await telegram.wait_for(lambda fake: fake.edited[1:]))[-1]
        assert (again.text, list(buttons(again))) == (text, ["Done", "Drop"])


async def test_a_button_of_somebody_else_does_nothing(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    users = f"{ANA.id}, {BOB.id}:bob"
    async with sam(telegram, claude, tmp_path, telegram_allowed_users=users) as it:
        await telegram.asks("/todo milk")
        listed = await telegram.asks("/tasks")
        bobs = await telegram.asks("/todo bread", user=BOB)
        # Bob's client sends the callback data of the buttons below Ana's message.
        data = buttons(listed)["✓ 1"]
        message = telegram.store.messages[BOB.id, bobs.message_id]
        message["reply_markup"]["inline_keyboard"][0][0]["callback_data"] = data
        query = await telegram.presses(bobs, data, user=BOB)
        await telegram.wait_for(lambda fake: query in fake.answered)
        assert telegram.answered[query]["text"] == callbacks.NOT_YOURS
        assert "- [ ] milk" in tasks_of(it)


async def test_a_stranger_gets_no_word(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        listed = await telegram.asks("/todo milk")
        data = buttons(listed)["Undo"]
        telegram.store.messages[BOB.id, listed.message_id] = {
            **telegram.store.messages[ANA.id, listed.message_id],
            "chat": BOB.as_chat(),
        }
        query = await telegram.presses(listed.message_id, data, user=BOB)
        await telegram.asks("hello")  # updates arrive in order: the press came before it
        await it.at_rest()
        assert query not in telegram.answered
        assert "- [ ] milk" in tasks_of(it)


async def test_a_failed_action_may_be_tried_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        added = await telegram.asks("/todo milk")
        await press(telegram, added, "Undo")
        dropped = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        note = it.profiles["owner"].memory.vault.root / "tasks.md"
        kept = note.read_text("utf-8")
        note.write_text("# Tasks\n", "utf-8")
        assert "not in the list" in await press(telegram, dropped, "Undo")
        note.write_text(kept, "utf-8")
        assert await press(telegram, dropped, "Undo") == "It is open again."


async def test_in_an_incognito_chat_no_button_is_kept(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "walrus.md").write_text("# Walrus\n\nIt sleeps.\n")
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("/incognito")
        found = await telegram.asks("/search walrus")
        assert "sleeps" in found.text and buttons(found) == {}
        refused = await telegram.asks("/todo milk")
        assert "incognito" in refused.text and buttons(refused) == {}
        assert not (tmp_path / "vault" / "tasks.md").exists()


async def test_what_is_shown_instead_is_whole_though_it_has_several_parts(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        titles = [f"{number} {'word ' * 180}end{number}" for number in range(6)]
        for title in titles:
            await telegram.asks(f"/todo {title}")
        await telegram.asks("/tasks")
        await telegram.wait_for(lambda fake: "✓ 1" in buttons(fake.sent[-1]))
        listed, so_far = telegram.sent[-1], len(telegram.sent)
        await press(telegram, listed, "✓ 1")
        await telegram.wait_sent(so_far + 1)
        shown = telegram.edited[-1].text + telegram.sent[-1].text
        assert [number for number in range(6) if f"end{number}" in shown] == [1, 2, 3, 4, 5]
        assert "✓ 1" in buttons(telegram.sent[-1]) and buttons(telegram.edited[-1]) == {}


async def test_a_server_without_buttons_gets_the_words(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        telegram.fails(400, method="sendMessage", description="Bad Request: BUTTON_TYPE_INVALID")
        said = await telegram.asks("/todo milk")
        assert said.text == "Added: milk"


async def test_the_buttons_of_a_forgotten_chat_are_gone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        added = await telegram.asks("/todo milk")
        assert await it.inbox.buttons.forget(ANA.id) == 1
        assert await press(telegram, added, "Undo") == EXPIRED


def test_a_button_is_kept_for_a_month() -> None:
    assert timedelta(days=28) <= KEPT <= timedelta(days=31)

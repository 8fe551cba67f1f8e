"""Bursts on Telegram: messages in quick succession form one turn, and none is lost."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bot.telegram import bursts
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Group, Person
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

SECONDS = 0.6
FAMILY = Group(-100777, "Family", "supergroup")


def waiting(
    telegram: FakeTelegram, claude: FakeClaude, folder: Path, **given: object
) -> AbstractAsyncContextManager[Sam]:
    return sam(telegram, claude, folder, **{"burst_seconds": SECONDS, **given})


async def test_messages_that_come_close_together_are_one_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    # So long, because on a busy machine each may come later.
    async with waiting(telegram, claude, tmp_path, burst_seconds=3) as it:
        pieces = ["I have a question", "about the garden", "what did I plant?"]
        for piece in pieces:
            await telegram.receives(piece)
            await asyncio.sleep(0.2)
        await telegram.wait_sent(1)
        await it.at_rest()
        rows = await it.said()
    assert [row.text for row in rows] == [*pieces, "All right."]
    assert len({row.turn_id for row in rows}) == 1
    assert len(telegram.sent) == len(claude.chats) == 1
    assert telegram.actions, "typing was shown meanwhile"


async def test_what_comes_later_is_a_turn_of_its_own(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    """Also by Telegram's dates, when messages that waited for hours arrive at once."""
    async with waiting(telegram, claude, tmp_path) as it:
        await telegram.asks("one")
        await telegram.asks("two")
        await telegram.receives("three")
        telegram.passes(hours=1)
        await telegram.receives("four")
        await telegram.wait_sent(4)
        await it.at_rest()
        turns = [row.turn_id for row in await it.said() if row.role == "user"]
    assert turns == [1, 2, 3, 4]


async def test_a_command_ends_a_burst(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bursts, "LONGEST", 600.0)
    async with sam(telegram, claude, tmp_path, burst_seconds=60) as it:
        await telegram.receives("one")
        await telegram.receives("two")
        await telegram.receives("/privacy")
        answer, privacy = await telegram.wait_sent(2, timeout=40)  # well below a minute
        assert (answer.text, "sent to a model" in privacy.text) == ("All right.", False)
        await it.at_rest()
        rows = await it.said()
    assert [(row.text, row.turn_id) for row in rows[:2]] == [("one", 1), ("two", 1)]


async def test_stop_ends_the_wait_and_the_answer(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, burst_seconds=10) as it:
        await telegram.receives("never mind")
        await telegram.wait_for(lambda fake: fake.actions)
        assert (await telegram.asks("/stop")).text == "Stopped."
        await it.at_rest()
        [turn] = (await it.profiles["owner"].memory.log.ledger()).turns.items()
        assert turn == ("stopped", 1)
        assert [row.text for row in await it.said()] == ["never mind"]
    assert claude.chats == []


async def test_in_a_group_nobody_joins_the_turn_of_another(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with waiting(telegram, claude, tmp_path, telegram_allowed_groups=f"{FAMILY.id}") as it:
        await telegram.receives("@sam_the_bot hello", chat=FAMILY)
        await telegram.receives("nothing for Sam", chat=FAMILY)
        await telegram.receives("@sam_the_bot and me", chat=FAMILY, user=Person(7, "Zoe"))
        await telegram.wait_sent(2)
        await it.at_rest()
        rows = [row for row in await it.said(f"group{FAMILY.id}") if row.role == "user"]
    assert [row.turn_id for row in rows] == [1, 2]


async def test_a_burst_that_a_shutdown_breaks_off_is_one_turn_after_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Both read.", when="second half")
    hold = claude.holds(after_events=2, when="second half")
    async with waiting(telegram, claude, tmp_path):
        await telegram.receives("the first half")
        await telegram.receives("the second half")
        await telegram.wait_for(lambda fake: claude.chats)
    hold.release()
    async with waiting(telegram, claude, tmp_path) as it:
        [answer] = await telegram.wait_sent(1)
        await it.at_rest()
        rows = await it.said()
    assert answer.text == "Both read."
    assert [row.text for row in rows] == ["the first half", "the second half", "Both read."]
    assert {row.turn_id for row in rows} == {1}


async def test_without_the_setting_each_message_is_a_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, burst_seconds=0) as it:
        await telegram.receives("one")
        await telegram.receives("two")
        await telegram.wait_sent(2)
        await it.at_rest()
        assert [row.turn_id for row in await it.said() if row.role == "user"] == [1, 2]


async def test_a_burst_may_reply_to_what_no_model_may_see(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with waiting(telegram, claude, tmp_path) as it:
        found = await telegram.asks("/search dentist")
        await telegram.receives("One more thing.")
        await telegram.receives("What is this?", reply_to=found)
        answer = await telegram.wait_for(lambda fake: fake.sent[1:])
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert answer[0].text == "All right."
    assert texts[-1].endswith("What is this?") and "it is not shown" in texts[-1]


async def test_each_thing_that_the_model_left_undone_is_done(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    asked = [
        "Remember that Ana likes plums",
        "It is raining",
        "Remind me tomorrow at 9 to call Bob",
        "Remember that Bob likes pears",
    ]
    claude.responds_with("I have saved all of it.", when="plums")
    async with waiting(telegram, claude, tmp_path) as it:
        for text in asked:
            await telegram.receives(text)
        await telegram.wait_sent(4)
        await it.at_rest()
    memory = (tmp_path / "vault/MEMORY.md").read_text("utf-8")
    tasks = (tmp_path / "vault/tasks.md").read_text("utf-8")
    assert "Ana likes plums" in memory and "Bob likes pears" in memory and "call Bob" in tasks

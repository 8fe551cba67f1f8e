"""Answers in a group: one message that is edited as it grows, and a reaction meanwhile."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from bot.telegram.api import live_draft
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Group
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

FAMILY = Group(-100777, "Family", "supergroup")
EDIT = "editMessageText"
STORY = f"A {'very ' * 60}long story with an end."
ALLOWED = {"telegram_allowed_groups": f"{FAMILY.id}"}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_draft, "GROUP_AFTER", 0.0)
    monkeypatch.setattr(live_draft, "GROUP_PERIOD", 0.1)


async def test_the_answer_grows_in_one_message_which_it_becomes(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(STORY, when="story")
    hold = claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        asked = await telegram.receives("@sam_the_bot a story", chat=FAMILY)
        [begun] = await telegram.wait_sent(1)
        assert telegram.reactions == {(FAMILY.id, asked.message_id): ["👀"]}
        assert STORY.startswith(begun.text) and begun.text != STORY
        hold.advance(to_event=8)
        [grown] = await telegram.wait_for(lambda fake: fake.edited)
        assert STORY.startswith(grown.text) and len(begun.text) < len(grown.text) < len(STORY)
        hold.release()
        await telegram.wait_for(lambda fake: fake.edited and fake.edited[-1].text.endswith("end."))
        await it.at_rest()
        _, answer = await it.said(f"group{FAMILY.id}")
    assert telegram.reactions == {(FAMILY.id, asked.message_id): []}
    assert len(telegram.sent) == 1
    assert telegram.transcript(FAMILY.id)[-1] == ("Sam", STORY)
    assert (answer.text, answer.telegram_ids) == (STORY, (begun.message_id,))
    assert telegram.drafts == []


async def test_it_is_edited_at_most_once_a_second(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    assert live_draft.GROUP_PERIOD >= 1
    monkeypatch.setattr(live_draft, "GROUP_AFTER", 0.0)
    monkeypatch.setattr(live_draft, "PERIOD", 0.01)
    monkeypatch.setattr(live_draft, "GROUP_PERIOD", 0.2)
    claude.responds_with(STORY, when="story")
    hold = claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        await telegram.receives("@sam_the_bot a story", chat=FAMILY)
        await telegram.wait_sent(1)
        for event in range(5, 12):
            hold.advance(to_event=event)
            await asyncio.sleep(0.05)
        await telegram.wait_for(lambda fake: fake.edited)
        growing = [r.at for r in telegram.requests if r.method in ("sendMessage", EDIT)]
        hold.release()
        await it.at_rest()
    assert len(growing) >= 2
    assert all(later - earlier >= 0.19 for earlier, later in pairwise(growing))


async def test_a_private_chat_without_drafts_has_the_sign_too(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    telegram.lacks("sendMessageDraft", "sendRichMessageDraft")
    claude.responds_with(STORY, when="story")
    hold = claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("a story")
        await telegram.wait_for(lambda fake: fake.reactions)
        assert telegram.reactions == {(ANA.id, asked.message_id): ["👀"]}
        hold.release()
        await telegram.wait_sent(1)
        await it.at_rest()
    assert telegram.reactions == {(ANA.id, asked.message_id): []}


async def test_after_a_shutdown_the_same_message_becomes_the_answer(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(STORY, when="story")
    hold = claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path, **ALLOWED):
        await telegram.receives("@sam_the_bot a story", chat=FAMILY)
        await telegram.wait_sent(1)
    hold.release()
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        await telegram.wait_for(lambda fake: fake.edited and fake.edited[-1].text.endswith("end."))
        await it.at_rest()
    assert len(telegram.sent) == 1
    assert telegram.transcript(FAMILY.id)[-1] == ("Sam", STORY)


async def test_a_message_that_was_deleted_meanwhile_is_sent_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(STORY, when="story")
    hold = claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        await telegram.receives("@sam_the_bot a story", chat=FAMILY)
        [begun] = await telegram.wait_sent(1)
        del telegram.store.messages[FAMILY.id, begun.message_id]
        hold.release()
        _, answer = await telegram.wait_sent(2)
        await it.at_rest()
        assert answer.text == STORY


async def test_an_answer_that_is_stopped_is_taken_away(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(STORY, when="story")
    claude.holds(after_events=4, when="story")
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        await telegram.receives("@sam_the_bot a story", chat=FAMILY)
        [begun] = await telegram.wait_sent(1)
        await telegram.receives("/stop@sam_the_bot", chat=FAMILY)
        await telegram.wait_sent(2)
        await it.at_rest()
        assert telegram.deleted == [(FAMILY.id, begun.message_id)]


async def test_a_quick_answer_is_sent_whole(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_draft, "GROUP_AFTER", 60.0)
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        answer = await telegram.asks("@sam_the_bot hello", chat=FAMILY)
        await asyncio.sleep(0.2)
        await it.at_rest()
    assert answer.text == "All right." and telegram.edited == []

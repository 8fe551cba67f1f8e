"""Reactions: 👎 marks an answer, ❤ saves it; those of other people are ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Group, Person
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

FAMILY = Group(-100777, "Family", "supergroup")
PETS = "# Pets\n\nThe dog is called Rex.\n"


async def settled(telegram: FakeTelegram, it: Sam) -> None:
    """Wait until every update is handled."""
    await telegram.wait_for(lambda fake: not fake.pending)
    await it.at_rest()


def memory_of(it: Sam) -> str:
    return (it.profiles["owner"].memory.vault.root / "MEMORY.md").read_text("utf-8")


async def test_a_thumb_down_is_kept_with_the_answer_and_its_sources(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.cites("It is Max.", "pets", when="what is")
    async with sam(telegram, claude, tmp_path) as it:
        (tmp_path / "vault" / "pets.md").write_text(PETS, "utf-8")
        asked = await telegram.receives("what is the name of my dog?")
        [answer] = await telegram.wait_sent(1)
        await telegram.reacts(asked, "👎")
        await telegram.reacts(answer, "👎")
        await telegram.reacts(answer, "👎")
        await settled(telegram, it)
        status = await telegram.asks("/status full")
        line = "marked with 👎 in the last 30 days: 1 answer; shown with them: 1 pets.md"
        assert line in status.text
        why = await telegram.asks("/why", reply_to=answer)
        assert "You marked it with 👎 on 2026-02-12." in why.text
        assert "This answer cost" in why.text
        await telegram.reacts(answer, before="👎")
        await settled(telegram, it)
        assert "👎" not in (await telegram.asks("/status full")).text
        assert "👎" not in (await telegram.asks("/why", reply_to=answer)).text


@pytest.mark.parametrize("heart", ["❤", "❤️"])
async def test_a_heart_remembers_a_message_as_the_command_does(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, heart: str
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        asked = await telegram.receives("Ana likes jasmine tea")
        await telegram.wait_sent(1)
        await settled(telegram, it)
        await telegram.reacts(asked, heart)
        *_, notice = await telegram.wait_sent(2)
        assert notice.reply_to == asked.message_id and "MEMORY.md" in notice.text
        assert memory_of(it).count("Ana likes jasmine tea") == 1
        await telegram.reacts(asked, before=heart)
        await settled(telegram, it)
        assert len(telegram.sent) == 2 and "jasmine" in memory_of(it)


async def test_a_heart_on_a_reply_remembers_nothing_of_what_it_replies_to(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        passed_on = await telegram.receives("Rent goes to DE89", forwarded_from="Bob")
        await telegram.wait_sent(1)
        reply = await telegram.receives("I doubt that", reply_to=passed_on)
        await telegram.wait_sent(2)
        await settled(telegram, it)
        await telegram.reacts(reply, "❤")
        await telegram.wait_sent(3)
        assert "I doubt that" in memory_of(it) and "DE89" not in memory_of(it)


async def test_a_heart_on_an_answer_keeps_it_as_sams_word(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("The shop closes at six.", when="shop")
    async with sam(telegram, claude, tmp_path) as it:
        answer = await telegram.asks("the shop?")
        await telegram.reacts(answer, "❤")  # immediately: it may not be logged yet
        *_, notice = await telegram.wait_sent(2)
        assert "Sam" in notice.text
        assert "closes at six" not in memory_of(it), "that holds the owner's word alone"
        day = it.profiles["owner"].memory.vault.root / "memories" / "2026-02-12.md"
        assert "closes at six" in day.read_text("utf-8")


async def test_reactions_of_others_do_nothing(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, telegram_allowed_groups=f"{FAMILY.id}") as it:
        answer = await telegram.asks("@sam_the_bot hello", chat=FAMILY)
        await telegram.reacts(answer, "👎", chat=FAMILY)
        await telegram.reacts(answer, "❤", chat=FAMILY, user=Person(7, "Zoe"))
        await telegram.reacts(answer, "❤", user=Person(8, "Eve"))
        await telegram.reacts(answer, "👍")
        await settled(telegram, it)
        assert len(telegram.sent) == 1
        assert "👎" not in (await telegram.asks("/status full")).text
        assert (await it.inbox.counts()).strangers == 0


async def test_in_an_incognito_chat_a_heart_keeps_nothing(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito")
        answer = await telegram.asks("a secret of mine")
        await telegram.reacts(answer, "❤")
        *_, notice = await telegram.wait_sent(3)
        assert "incognito" in notice.text
        await settled(telegram, it)
        assert "secret" not in memory_of(it)


async def test_the_mark_of_a_forgotten_answer_goes_with_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        answer = await telegram.asks("hello")
        await settled(telegram, it)
        await telegram.reacts(answer, "👎")
        await settled(telegram, it)
        log = it.profiles["owner"].memory.log
        [marked] = await log.feedback.disliked(telegram.clock.replace(year=2000))
        await log.forgetting.forget([marked.message], [])
        assert await log.feedback.of(marked.message) is None

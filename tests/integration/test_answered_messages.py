"""Replies to reminders, and to messages without text: what models and commands see of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, File
from tests.fakes.transcription import FakeTranscription
from tests.support.media import OGG
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

CONTACT = {"phone_number": "+491234", "first_name": "Eva", "last_name": "Maier"}


@pytest.mark.parametrize(
    ("given", "quoted"),
    [
        ({"contact": CONTACT}, "[contact: Eva Maier, +491234]"),
        ({"location": {"latitude": 1.5, "longitude": 2.5}}, "[location: 1.50000, 2.50000]"),
        ({"document": File(b"Total: 5", "bill.txt", "text/plain")}, "[file: bill.txt]"),
    ],
)
async def test_a_reply_to_a_message_without_text_quotes_its_content(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    given: dict[str, object],
    quoted: str,
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        first = await telegram.receives("", **given)  # type: ignore[arg-type]
        await telegram.wait_sent(1)
        asked = await telegram.receives("what about this?", reply_to=first)
        await telegram.wait_sent(2)
        await it.at_rest()
        row = (await it.said())[-2]
        assert row.text == f"> {quoted}\n\nwhat about this?"
        await telegram.edits(asked, "What about this?")
        await telegram.wait_for(lambda fake: fake.reactions)
        await it.at_rest()
        row = (await it.said())[-2]
    assert row.text == f"> {quoted}\n\nWhat about this?"


async def test_a_reply_to_a_voice_message_quotes_its_words(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["call the dentist"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        spoken = await telegram.receives("", voice=OGG)
        await telegram.wait_sent(2)
        await telegram.asks("when was that?", reply_to=spoken)
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert "> call the dentist\n\nwhen was that?" in texts


async def test_a_command_takes_the_words_of_a_voice_message_without_its_label(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["call the dentist"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        spoken = await telegram.receives("", voice=OGG)
        await telegram.wait_sent(2)
        set_ = await telegram.asks("/remind tomorrow 9:00", reply_to=spoken)
        await telegram.asks("/remember", reply_to=spoken)
        await it.at_rest()
    assert set_.text == "⏰ tomorrow 09:00: call the dentist"
    memory = (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")
    assert "call the dentist" in memory and "voice message" not in memory


async def test_done_in_reply_to_a_reminder_finishes_its_task_without_a_model(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(
        telegram, claude, tmp_path, anthropic_api_key=None, anthropic_base_url=None
    ) as it:
        await telegram.asks("/remind at 12:30 call Ana")
        await telegram.asks("/remind at 12:30 water the plants")
        telegram.passes(minutes=30)
        await it.bot.speak("owner", "⏰ call Ana", key="reminder")
        *_, reminder = await telegram.wait_sent(3)
        done = await telegram.asks("Erledigt!", reply_to=reminder)
        again = await telegram.asks("done", reply_to=reminder)
        left = await telegram.asks("/tasks")
        await it.at_rest()
    assert done.text == "✅ Done. call Ana"
    assert again.text == "👍"
    assert "water the plants" in left.text and "call Ana" not in left.text


@pytest.mark.parametrize("forwarded", ["", "Bob"])
async def test_remember_stores_the_contact_or_the_place_that_it_replies_to(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, forwarded: str
) -> None:
    zoo = {"location": {"latitude": 1.5, "longitude": 2.5}, "title": "Zoo", "address": "Elm St. 1"}
    how: dict[str, object] = {"forwarded_from": forwarded} if forwarded else {}
    async with sam(telegram, claude, tmp_path) as it:
        contact = await telegram.receives("", contact=CONTACT, **how)  # type: ignore[arg-type]
        place = await telegram.receives("", venue=zoo, **how)  # type: ignore[arg-type]
        await telegram.wait_sent(2)
        saved = await telegram.asks("/remember", reply_to=contact)
        await it.at_rest()
        await telegram.reacts(place, "❤")
        *_, kept = await telegram.wait_sent(4)
        await it.at_rest()
    assert "Saved in memories/2026-02-12.md" in saved.text
    assert saved.text == kept.text
    day = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
    assert "Eva Maier, +491234" in day and "Zoo, Elm St. 1" in day
    assert not forwarded or "Bob" in day
    assert "Eva" not in (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")


async def test_remember_in_reply_to_a_file_says_how_to_keep_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        bill = await telegram.receives("", document=File(b"Total: 5", "bill.txt", "text/plain"))
        await telegram.wait_sent(1)
        said = await telegram.asks("/remember", reply_to=bill)
        await it.at_rest()
    assert "reply to it with /keep" in said.text

"""Voice messages: transcribed by a server, shown and corrected; help if there is no server."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.turn.privacy_remarks import KEPT_NOTHING, PRIVATE
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, File
from tests.fakes.transcription import FakeTranscription
from tests.support.media import OGG
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]


async def test_a_voice_message_is_heard_shown_and_answered_as_the_owners_word(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with FakeTranscription.running(texts=["I moved to Lisbon"], key="k") as ears:
        given = {"transcribe_base_url": f"{ears.url}/", "transcribe_api_key": "k"}
        async with sam(telegram, claude, tmp_path, transcribe_model="base", **given) as it:
            await telegram.receives("", voice=OGG)
            shown, answer = await telegram.wait_sent(2)
            await it.at_rest()
            [row, _] = await it.said()
            found = await it.profiles["owner"].memory.recall("Lisbon")
            usage = await it.profiles["owner"].memory.log.usage.of_day(
                telegram.clock.date(), it.profiles["owner"].memory.zone
            )
        assert ears.heard == [OGG] and ears.models == ["base"]
    assert "I moved to Lisbon" in shown.text and "Reply to this message" in shown.text
    assert answer.text == "All right."
    assert (row.origin, row.text) == ("owner", "[voice message, 0:01]\nI moved to Lisbon")
    assert found.hits and "Lisbon" in found.hits[0].text
    assert "I moved to Lisbon" in str(claude.chats[-1].body["messages"][-1])
    assert ("transcription", "voice") in [(each.provider, each.purpose) for each in usage]


async def test_a_reply_to_what_was_heard_corrects_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["I moved to Lisp on"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG)
        shown, answer = await telegram.wait_sent(2)
        told = await telegram.asks("I moved to Lisbon", reply_to=shown)
        assert "corrected" in told.text and len(claude.chats) == 1
        await telegram.asks("thanks", reply_to=answer)
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert texts == ["[voice message, 0:01]\nI moved to Lisbon", "> All right.\n\nthanks"]
    assert "Lisp on" not in str(claude.chats[-1].body)


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("Off the record. I kissed xyzzy.", KEPT_NOTHING),
        ("This is private. I kissed xyzzy.", PRIVATE),
    ],
)
async def test_a_voice_message_may_say_that_it_is_private_or_must_not_be_kept(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, heard: str, said: str
) -> None:
    async with (
        FakeTranscription.running(texts=[heard]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG)
        _, answer = await telegram.wait_sent(2)
        await telegram.asks("What did I say?")
        await it.at_rest()
        voice, *_ = await it.said()
    assert said in answer.text
    assert "xyzzy" in str(claude.chats[0].body) and "xyzzy" not in str(claude.chats[1].body)
    if said == PRIVATE:
        assert voice.privacy == "sensitive" and heard in voice.text
    else:
        assert "xyzzy" not in voice.text


async def test_an_edit_of_the_correction_corrects_it_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["I moved to Lisp on"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG)
        shown, _ = await telegram.wait_sent(2)
        correction = await telegram.receives("I moved to Lisbn", reply_to=shown)
        await telegram.wait_sent(3)
        await telegram.edits(correction, "I moved to Lisbon")
        *_, told = await telegram.wait_sent(4)
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert "corrected" in told.text and told.reply_to == correction.message_id
    assert texts == ["[voice message, 0:01]\nI moved to Lisbon"]


async def test_each_voice_message_of_a_burst_is_corrected_for_itself(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["long *story*", "buy boats\n- now"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url, burst_seconds=0.5) as it,
    ):
        await telegram.receives("For the list:")
        await telegram.receives("", voice=OGG)
        await telegram.receives("for *Eva*\nand Max", voice=OGG)
        heard = await telegram.wait_for(
            lambda fake: [s for s in fake.sent if "🎙" in s.text] if len(fake.sent) > 2 else None
        )
        assert len(heard) == 2 and "buy boats" in heard[1].text
        for words in ("by oats", "buy oats"):
            assert "corrected" in (await telegram.asks(words, reply_to=heard[1])).text
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert len(claude.chats) == 1, "the replies begin no turn"
    assert texts == [
        "For the list:",
        "[voice message, 0:01]\nlong *story*",
        "[voice message, 0:01]\nfor *Eva*\nand Max\nbuy oats",
    ]


async def test_without_a_server_it_is_said_how_to_get_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        sent = await telegram.asks("", voice=OGG)
        await it.at_rest()
        texts = [m.text for m in await it.said()]
    assert "cannot listen to voice messages yet" in sent.text
    assert "TRANSCRIBE" in sent.text and "docs/media.md" in sent.text
    assert not claude.chats and texts == ["[voice message, 0:01]"]
    assert not [each for each in telegram.requests if each.method == "getFile"]


async def test_a_server_that_is_busy_is_asked_again_and_one_that_is_down_is_said(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with FakeTranscription.running(texts=["hello there"]) as ears:
        ears.fails = [503]
        async with sam(telegram, claude, tmp_path, transcribe_base_url=ears.url):
            await telegram.receives("", voice=OGG)
            await telegram.wait_sent(2)
            assert "hello there" in telegram.sent[0].text
            ears.fails = [503, 503]
            sent = await telegram.asks("", voice=OGG)
    assert "could not hear the voice message, 0:01" in sent.text and "error 503" in sent.text
    assert "voice message, 0:01, not heard" in str(claude.chats[-1].body["messages"][-1])


async def test_an_answer_without_a_text_is_not_taken_for_what_was_said(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=[None, None, "I like \ud83d tea\0"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        sent = await telegram.asks("", voice=OGG)
        assert "could not hear the voice message" in sent.text
        await telegram.receives("", voice=OGG)
        await telegram.wait_sent(3)
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert texts == ["[voice message, 0:01, not heard]", "[voice message, 0:01]\nI like ? tea"]


async def test_a_forwarded_voice_is_not_the_owners_word(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["Ana owes me 500 euro"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG, forwarded_from="Eve")
        await telegram.wait_sent(2)
        await it.at_rest()
        [row, _] = await it.said()
    assert (row.origin, row.author) == ("forwarded", "Eve")
    assert "500 euro" in row.text


async def test_an_incognito_voice_message_is_not_heard(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["my secret is quince"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.asks("/incognito")
        told = await telegram.asks("", voice=OGG)
        assert "I fetch no files where I keep nothing" in told.text
        assert (ears.heard, claude.requests) == ([], [])
        assert not any(each.method == "getFile" for each in telegram.requests)
        await telegram.asks("/new")
        await telegram.receives("", voice=OGG)
        await telegram.wait_sent(5)
        assert "quince" in str(claude.chats[-1].body["messages"][-1]), "after /new it is heard"
        await it.at_rest()


async def test_a_reply_to_a_selected_part_of_what_was_heard_corrects_that_part(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    heard = "I moved to Lisp on with Anna, and Lisp on is warm"
    async with (
        FakeTranscription.running(texts=[heard]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("for Eva", voice=OGG)
        shown, _ = await telegram.wait_sent(2)

        async def corrected(words: str, selected: str, position: int) -> str:
            quote = {"text": selected, "position": position, "is_manual": True}
            told = await telegram.asks(words, reply_to=shown, quote=quote)
            assert "corrected" in told.text
            return (await it.said())[0].text

        label = "[voice message, 0:01]\nfor Eva\n"
        one = await corrected("Lisbon", "Lisp on", 14)
        assert one == f"{label}I moved to Lisbon with Anna, and Lisp on is warm"
        both = await corrected("Lisbon", "Lisp on", 37)
        assert both == f"{label}I moved to Lisbon with Anna, and Lisbon is warm"
        whole = "I moved to Lisbon with Hanna, and Lisbon is warm"
        assert await corrected(whole, "Anna", 27) == f"{label}{whole}"
        assert await corrected("Something else", "mishear", 60) == f"{label}Something else"


async def test_a_yes_or_no_to_what_was_heard_is_no_correction(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["I moved to Lisp on", "know"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG)
        shown, _ = await telegram.wait_sent(2)
        for answer in ("No.", "Thanks!", "👍"):
            assert "corrected" not in (await telegram.asks(answer, reply_to=shown)).text
        await telegram.receives("", voice=OGG)
        *_, shown, _ = await telegram.wait_sent(7)
        assert "corrected" in (await telegram.asks("No", reply_to=shown)).text
        await it.at_rest()
        first, *_, last = [m.text for m in await it.said() if m.role == "user"]
    assert first == "[voice message, 0:01]\nI moved to Lisp on"
    assert last == "[voice message, 0:01]\nNo"
    assert "> 🎙 I moved to Lisp on" in str(claude.chats[1].body["messages"][-1])


async def test_a_voice_message_shared_from_whatsapp_is_heard(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    shared = File(OGG, "PTT-20260210-WA0003.opus", "audio/ogg")
    async with (
        FakeTranscription.running(texts=["See you at eight"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.asks("", document=shared, forwarded_from="Eva")
        await it.at_rest()
        texts = [m.text for m in await it.said() if m.role == "user"]
    assert texts == ["[audio: PTT-20260210-WA0003.opus]\nSee you at eight"]


async def test_a_heart_or_a_command_on_what_was_heard_is_about_the_voice_message(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["call the *dentist* at nine"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        spoken = await telegram.receives("", voice=OGG)
        shown, _ = await telegram.wait_sent(2)
        await telegram.reacts(shown, "❤")
        *_, kept = await telegram.wait_sent(3)
        again = await telegram.asks("/remember", reply_to=shown)
        await it.at_rest()
        memory = (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")
        set_ = await telegram.asks("/remind tomorrow 9:00", reply_to=shown)
        part = {"text": "dentist", "position": 12, "is_manual": True}
        await telegram.asks("/remember", reply_to=shown, quote=part)
        why = await telegram.asks("/why", reply_to=shown)
        forget = await telegram.asks("/forget", reply_to=shown)
        await it.at_rest()
    assert "Saved in MEMORY.md" in kept.text and kept.reply_to == shown.message_id
    assert again.text == "I already know that: “call the *dentist* at nine” (MEMORY.md)"
    assert memory.count("call the *dentist* at nine") == 1 and "mishear" not in memory
    assert set_.text == "⏰ tomorrow 09:00: call the *dentist* at nine"
    lines = (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")
    assert lines.count("dentist") == 2 and ": dentist ^" in lines
    assert "dentist" in why.text and why.reply_to == spoken.message_id
    assert "dentist" in forget.text and "voice message" in forget.text


async def test_a_heart_on_what_was_heard_of_somebody_else_keeps_it_as_theirs(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeTranscription.running(texts=["the rent is due"]) as ears,
        sam(telegram, claude, tmp_path, transcribe_base_url=ears.url) as it,
    ):
        await telegram.receives("", voice=OGG, forwarded_from="Bob")
        shown, _ = await telegram.wait_sent(2)
        await telegram.reacts(shown, "❤")
        *_, kept = await telegram.wait_sent(3)
        await it.at_rest()
    assert "Bob" in kept.text and "the rent is due" in (
        tmp_path / "vault" / "memories" / "2026-02-12.md"
    ).read_text("utf-8")

"""Answers as voice messages from a speech server: sent once, and only where enabled."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.telegram.formatting import PERHAPS_TWICE
from tests.fakes.claude import FakeClaude
from tests.fakes.speech import FakeSpeech
from tests.fakes.telegram import FakeTelegram, Sent
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

LONG = "One sentence of some length. " * 40


def voices(telegram: FakeTelegram) -> list[Sent]:
    return [each for each in telegram.sent if each.method == "sendVoice"]


async def voice(telegram: FakeTelegram, number: int = 1) -> Sent:
    found = await telegram.wait_for(
        lambda fake: voices(fake) if len(voices(fake)) >= number else None
    )
    return found[number - 1]


async def test_an_answer_comes_as_a_voice_message_too(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("It is **snowing**, see [the page](https://a.example).")
    async with FakeSpeech.running(key="k") as mouth:
        given = {"speech_base_url": f"{mouth.url}/", "speech_api_key": "k", "speech_usd": 15.0}
        async with sam(telegram, claude, tmp_path, speech_voice="onyx", **given) as it:
            await telegram.asks("And now?")
            assert "/voice on" in (await telegram.asks("/voice")).text
            assert "From now on" in (await telegram.asks("/voice on")).text
            assert not voices(telegram), "neither what came before, nor a command, is spoken"
            answer = await telegram.asks("And now?")
            spoken = await voice(telegram)
            await it.at_rest()
            assert spoken.reply_to == answer.message_id
            assert spoken.fields["voice"].data == mouth.sends
            await telegram.asks("/voice off")
            await telegram.asks("And now?")
            await it.at_rest()
            owner = it.profiles["owner"]
            spent = await owner.budget.spent("spoken answers")
            assert [m.text for m in await it.said() if m.role == "assistant"][1:] == [
                "It is **snowing**, see [the page](https://a.example)."
            ] * 2, "the log has an answer once"
        assert [text.split(",")[0] for text in mouth.spoken] == ["It is snowing"]
        assert "http" not in mouth.spoken[0]
        assert mouth.voices == [("tts-1", "onyx")]
        assert spent == pytest.approx(len(mouth.spoken[0]) * 15 / 1_000_000)
    assert len(voices(telegram)) == 1


async def test_without_a_server_it_is_said_how_to_get_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        assert "SPEECH" in (await telegram.asks("/voice on")).text
        await telegram.asks("Hello")
    assert not voices(telegram)


async def test_of_a_long_answer_the_first_sentences_are_spoken(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(LONG)
    async with (
        FakeSpeech.running() as mouth,
        sam(telegram, claude, tmp_path, speech_base_url=mouth.url, speech_max_chars=100),
    ):
        await telegram.asks("/voice on")
        await telegram.asks("Tell me")
        await voice(telegram)
        [said] = mouth.spoken
    assert said == "One sentence of some length. " * 2 + "One sentence of some length."


async def test_nothing_of_an_incognito_chat_is_spoken(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeSpeech.running() as mouth,
        sam(telegram, claude, tmp_path, speech_base_url=mouth.url) as it,
    ):
        await telegram.asks("/voice on")
        await telegram.asks("/incognito")
        await telegram.asks("a secret")
        await it.at_rest()
        assert mouth.spoken == []


async def test_a_restart_neither_loses_nor_doubles_it(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with FakeSpeech.running() as mouth:
        telegram.fails(500, method="sendVoice", times=None)
        async with sam(telegram, claude, tmp_path, speech_base_url=mouth.url):
            await telegram.asks("/voice on")
            await telegram.asks("Hello")
            await telegram.wait_for(
                lambda fake: any(each.method == "sendVoice" for each in fake.requests)
            )
        assert not voices(telegram)
        telegram.heals()
        async with sam(telegram, claude, tmp_path, speech_base_url=mouth.url) as it:
            await voice(telegram)
            await it.at_rest()
        async with sam(telegram, claude, tmp_path, speech_base_url=mouth.url) as it:
            await telegram.asks("/status")
            await it.at_rest()
    assert len(voices(telegram)) == 1
    assert sum(each.text == "All right." for each in telegram.sent) == 1


async def test_one_that_may_have_come_has_the_remark(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with (
        FakeSpeech.running() as mouth,
        sam(telegram, claude, tmp_path, speech_base_url=mouth.url) as it,
    ):
        await telegram.asks("/voice on")
        telegram.cuts(method="sendVoice", when="after")
        await telegram.asks("Hello")
        again = await voice(telegram, 2)
        await it.at_rest()
        assert again.fields["caption"] == PERHAPS_TWICE
        assert len(mouth.spoken) == 1, "what was made is sent again"


@pytest.mark.parametrize("why", ["busy", "wrong", "budget", "refused"])
async def test_what_cannot_be_spoken_is_there_in_writing_and_told_once_a_day(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, why: str
) -> None:
    # Enough budget for the answers, but not for the speech.
    budget, price = (1.0, 1_000_000.0) if why == "budget" else (0.0, 0.0)
    async with (
        FakeSpeech.running() as mouth,
        sam(
            telegram,
            claude,
            tmp_path,
            speech_base_url=mouth.url,
            speech_usd=price,
            budget_daily_usd=budget,
        ) as it,
    ):
        await telegram.asks("/voice on")
        if why == "busy":
            mouth.fails = [503] * 4
        elif why == "wrong":
            mouth.sends = b"RIFF"
        elif why == "refused":
            telegram.fails(400, method="sendVoice", times=None, description="VOICE_FORBIDDEN")
        for words in ("Hello", "And again"):
            await telegram.asks(words)
            await it.at_rest()
        told = [each.text for each in telegram.sent if "could not speak" in each.text]
        assert len(told) == 1 and "/voice off" in told[0]
        assert not voices(telegram)
        assert len([m for m in await it.said() if m.role == "assistant"]) >= 2


async def test_a_reaction_to_a_spoken_answer_is_about_the_written_one(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("The shop closes at six.", when="shop")
    async with (
        FakeSpeech.running() as mouth,
        sam(telegram, claude, tmp_path, speech_base_url=mouth.url) as it,
    ):
        await telegram.asks("/voice on")
        await telegram.asks("the shop?")
        spoken = await voice(telegram)
        await telegram.reacts(spoken, "❤")
        *_, kept = await telegram.wait_for(lambda fake: fake.sent if len(fake.sent) > 3 else None)
        again = await telegram.asks("/remember", reply_to=spoken)
        await it.at_rest()
        await telegram.reacts(spoken, "👎")
        await it.at_rest()
        status = await telegram.asks("/status full")
    assert "Sam" in kept.text
    assert "I already know that: “The shop closes at six.”" in again.text
    assert "marked with 👎 in the last 30 days: 1 answer" in status.text

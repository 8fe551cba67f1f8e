"""The four questions to a new owner: asked once, answered by button or text, and added to the
owner's notes by a proposal that the owner accepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Person, Sent
from tests.support.buttons import buttons, press, press_again
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

MARIA = Person(ANA.id, "María José", language_code="it-CH")


async def paired(it: Sam, telegram: FakeTelegram) -> Sent:
    """Pair, and return the first question."""
    return await started(telegram, f"/start {await it.bot.code()}")


async def started(telegram: FakeTelegram, words: str = "/start", user: Person = MARIA) -> Sent:
    """Return the question that follows the greeting."""
    before = len(telegram.sent)
    await telegram.receives(words, user=user)
    *_, asked = await telegram.wait_sent(before + 2)
    return asked


async def edited(telegram: FakeTelegram, words: str) -> Sent:
    """Wait until a message is edited to contain these words."""
    found = await telegram.wait_for(lambda fake: [e for e in fake.edited if words in e.text])
    return found[-1]


def note(folder: Path, name: str) -> str:
    return (folder / "vault" / name).read_text("utf-8")


async def test_the_answers_are_one_change_that_the_owner_accepts(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(
        telegram, claude, tmp_path, telegram_allowed_users="", anthropic_api_key=""
    ) as it:
        before = note(tmp_path, "user.md"), note(tmp_path, "identity.md")
        asked = await paired(it, telegram)
        assert "What should I call you?" in asked.text
        assert list(buttons(asked)) == ["María José", "Skip", "Skip all"]
        await press(telegram, asked, "María José")
        zone = await edited(telegram, "Where are you")
        assert "✓ Name: María José" in zone.text
        assert "Berlin 13:00" in buttons(zone)
        assert next(iter(buttons(zone))) == "UTC 12:00", "the machine's comes first"
        await press(telegram, zone, "Berlin 13:00")
        language = await edited(telegram, "Which language")
        assert next(iter(buttons(language))) == "Italiano", "the account's comes first"
        await press(telegram, language, "Italiano")
        tone = await edited(telegram, "how should I sound")
        await press(telegram, tone, "Short and plain")
        diff = await edited(telegram, "once you accept it")
        assert "+ timezone: Europe/Berlin" in diff.text and "+ - Name: María José" in diff.text
        assert "+ - Language: Italian" in diff.text and "+ - **Voice**: short and" in diff.text
        assert (note(tmp_path, "user.md"), note(tmp_path, "identity.md")) == before
        assert list(buttons(diff)) == ["Accept", "Reject"]
        await press(telegram, diff, "Accept")
        await edited(telegram, "user.md is changed")
        user = note(tmp_path, "user.md")
        assert user.startswith("---\ntimezone: Europe/Berlin\n---\n")
        assert "- Name: María José\n- Language: Italian\n\n## Preferences" in user
        assert "- **Voice**: short and plain" in note(tmp_path, "identity.md")
        assert "next start" not in diff.text, "the time zone counts within a minute"
        await telegram.asks("/start")
        await it.at_rest()
        assert sum("What should I call you" in each.text for each in telegram.sent) == 1
    assert claude.requests == [], "no model was asked"


async def test_the_answers_may_be_typed_and_other_messages_are_none(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("It is sunny.")
    async with sam(telegram, claude, tmp_path) as it:
        await started(telegram)
        for words in ("What is the weather?", "buy milk", "Hello"):
            assert "sunny" in (await telegram.asks(words)).text
        zone = await telegram.asks("Mia")
        assert "✓ Name: Mia" in zone.text and "Where are you" in zone.text
        assert "below" in (await edited(telegram, "Thank you")).text, "its buttons are gone"
        again = await telegram.asks("Atlantis", reply_to=zone)
        assert "no time zone of that name" in again.text
        language = await telegram.asks("new york")
        assert "✓ Time zone: America/New" in language.text
        tone = await telegram.asks("Klingon", reply_to=language)
        diff = await telegram.asks("Like an old *sailor* with a #tag", reply_to=tone)
        assert "+ - Language: Klingon" in diff.text
        await press(telegram, diff, "Accept")
        await edited(telegram, "user.md is changed")
        assert "timezone: America/New_York" in note(tmp_path, "user.md")
        assert "**Voice**: Like an old" in note(tmp_path, "identity.md")
        assert " #tag" not in note(tmp_path, "identity.md"), "words, and no markup"
        assert "sunny" in (await telegram.asks("Mia")).text, "nothing is asked any more"
        texts = [text for role, text in await it.texts() if role == "user"]
    assert texts == ["What is the weather?", "buy milk", "Hello", "Mia"]


async def test_an_answer_that_says_more_is_an_ordinary_message_as_well(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("A good place to teach.")
    async with sam(telegram, claude, tmp_path) as it:
        zone = await telegram.asks("Mia", reply_to=await started(telegram))
        count, said = len(telegram.sent), "Linz, I teach there"
        await telegram.receives(said, reply_to=zone)
        language, answer = (await telegram.wait_sent(count + 2))[count:]
        assert "✓ Time zone: Europe/Vienna" in language.text and buttons(language)
        assert answer.text == "A good place to teach."
        await it.at_rest()
        [text] = [text for role, text in await it.texts() if role == "user"]
        assert text.endswith(said)


async def test_what_is_skipped_changes_nothing(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, telegram_allowed_users="") as it:
        before = note(tmp_path, "user.md")
        asked = await paired(it, telegram)
        await press(telegram, asked, "Skip")
        zone = await edited(telegram, "Where are you")
        assert await press_again(telegram, asked, "Skip") == "That is already done."
        await press_again(telegram, zone, "Skip all")
        assert not buttons(await edited(telegram, "All right"))
        assert note(tmp_path, "user.md") == before
        assert await it.profiles["owner"].memory.log.proposals.open() == []


async def test_the_label_of_a_button_may_be_typed(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        zone = await telegram.asks("Skip", reply_to=await started(telegram))
        assert "Where are you" in zone.text and "✓" not in zone.text
        language = await telegram.asks("skip.")
        tone = await telegram.asks("Español", reply_to=language)
        diff = await telegram.asks("Warm", reply_to=tone)
        assert "+ - **Voice**: warm and friendly" in diff.text
        assert "+ - Language: Spanish" in diff.text and "Skip" not in diff.text


async def test_a_restart_between_two_questions_loses_no_answer(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, telegram_allowed_users="") as it:
        asked = await paired(it, telegram)
        await press(telegram, asked, "María José")
        await edited(telegram, "Where are you")
    async with sam(telegram, claude, tmp_path, telegram_allowed_users="") as it:
        language = await telegram.asks("Madrid")
        assert "✓ Name: María José\n✓ Time zone: Europe/Madrid" in language.text
        await telegram.asks("/start")
        await it.at_rest()
        assert sum("What should I call you" in each.text for each in telegram.sent) == 1


async def test_what_was_answered_is_proposed_a_day_after_a_question_that_was_left_open(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("It is sunny.")
    async with sam(telegram, claude, tmp_path):
        await press(telegram, await started(telegram), "María José")
        zone = await edited(telegram, "Where are you")
        assert "sunny" in (await telegram.asks("What is the weather?")).text
        telegram.passes(days=2)
        diff = await telegram.asks("And today?")
        assert "once you accept it" in diff.text and "+ - Name: María José" in diff.text
        await telegram.wait_for(lambda fake: "sunny" in fake.sent[-1].text)
        await press(telegram, diff, "Accept")
        await edited(telegram, "user.md is changed")
        assert "- Name: María José" in note(tmp_path, "user.md")
        assert "sunny" in (await telegram.asks("And tomorrow?")).text, "it is proposed once"
        await press(telegram, zone, "Berlin 13:00")
        assert "✓ Time zone: Europe/Berlin" in (await edited(telegram, "Which language")).text


@pytest.mark.parametrize("why", ["filled", "incognito"])
async def test_nothing_is_asked_where_it_is_known_or_not_wanted(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, why: str
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        if why == "filled":
            file = tmp_path / "vault" / "user.md"
            file.write_text(file.read_text("utf-8") + "\nI am Ana.\n", "utf-8")
        else:
            await telegram.asks("/incognito")
        await telegram.asks("/start")
        await it.at_rest()
        assert not any("What should I call you" in each.text for each in telegram.sent)
        if why == "incognito":  # the question is asked later, and there is no answer
            await telegram.asks("/new")
            asked = await started(telegram, user=ANA)
            assert "What should I call you" in asked.text
            await telegram.asks("/incognito")
            assert "incognito" in await press(telegram, asked, "Ana")
            claude.responds_with("Hi.")
            assert "Hi." in (await telegram.asks("Mia")).text


async def test_what_the_files_say_already_is_not_asked(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        for name, old, new in (
            ("user.md", "timezone:\n", "timezone: Europe/Rome\n"),
            ("identity.md", "calm, exact", "loud, exact"),
        ):
            file = tmp_path / "vault" / name
            file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
        await press(telegram, await started(telegram, user=ANA), "Ana")
        language = await edited(telegram, "Which language")
        await press(telegram, language, "English")
        diff = await edited(telegram, "once you accept")
        assert "identity.md" not in diff.text and "timezone: Europe/Rome" not in diff.text


async def test_a_city_may_be_typed_in_any_language_and_is_asked_about_otherwise(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, anthropic_api_key="") as it:
        await press(telegram, await started(telegram), "María José")
        await edited(telegram, "Where are you")
        for words in ("GMT+2", "CET"):
            assert "when your clocks change" in (await telegram.asks(words)).text
        again = await telegram.asks("Kleinkleckersdorf")
        assert "no time zone of that name" in again.text
        which = await telegram.asks("Valencia", reply_to=again)
        assert "Several places have that name" in which.text
        assert list(buttons(which)) == ["Caracas 08:00", "Madrid 13:00", "Skip", "Skip all"]
        language = await telegram.asks("Ich wohne in Köln.")
        assert "✓ Time zone: Europe/Berlin" in language.text and "Which language" in language.text
        assert [text for role, text in await it.texts() if role == "user"] == []

"""What is said in a group: without the bot's name, by whom, and what Sam does not do there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.commands import COMMANDS, IN_GROUPS
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Group
from tests.support.telegram import BOB, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

FAMILY = Group(-100777, "Family", "supergroup")
ME = "@sam_the_bot"
ALLOWED = {"telegram_allowed_groups": f"{FAMILY.id}"}
NO_MODEL = {**ALLOWED, "anthropic_api_key": "", "anthropic_base_url": ""}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"{ME} shall we go?", "shall we go?"),
        (f"{ME.upper()}: shall we go?", "shall we go?"),
        (f"{ME}, shall we go?", "shall we go?"),
        (f"shall we go, {ME}?", "shall we go?"),
        (f"does {ME} know?", f"does {ME} know?"),
        (ME, ME),
    ],
)
async def test_a_message_to_sam_is_kept_without_the_name_of_the_bot(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, said: str, kept: str
) -> None:
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        await telegram.asks(said, chat=FAMILY)
        await it.at_rest()
        assert (await it.texts(f"group{FAMILY.id}"))[0] == ("user", kept)


async def test_an_answer_in_a_group_quotes_only_what_is_about_the_question(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        hello = await telegram.asks(f"{ME} hello", chat=FAMILY)
        assert "Hello!" in hello.text
        await telegram.asks(f"{ME} my birthday is on 3 May", chat=FAMILY)
        await telegram.asks(f"{ME} I am allergic to peanuts", user=BOB, chat=FAMILY)
        asked = await telegram.asks(f"{ME} what is Bob allergic to?", chat=FAMILY)
        assert "Bob wrote" in asked.text and "peanuts" in asked.text
        assert "birthday" not in asked.text and "hello" not in asked.text
        asked = await telegram.asks(f"{ME} when is Ana's birthday?", user=BOB, chat=FAMILY)
        assert "Ana said" in asked.text and "3 May" in asked.text
        await it.at_rest()


async def test_what_sam_does_not_do_in_a_group_is_refused_without_a_model_too(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        reminders = [f"remind {who} tomorrow at 9 to buy milk" for who in ("me", "us")]
        for text in (*reminders, "forget the wifi password"):
            assert "private chat" in (await telegram.asks(f"{ME} {text}", chat=FAMILY)).text
        text = "remember that the wifi password is on the fridge"
        assert "Noted" in (await telegram.asks(f"{ME} {text}", user=BOB, chat=FAMILY)).text
        found = await telegram.asks(f"{ME} where is the wifi password?", chat=FAMILY)
        assert "on the fridge" in found.text
        await it.at_rest()


async def test_help_in_a_group_lists_the_commands_that_work_there(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **ALLOWED) as it:
        helped = (await telegram.asks(f"/help{ME}", user=BOB, chat=FAMILY)).text
        listed = {name for name in COMMANDS if f"/{name} – " in helped}
        assert listed == IN_GROUPS
        alone = (await telegram.asks("/help")).text
        assert {name for name in COMMANDS if f"/{name} – " in alone} == set(COMMANDS)
        await it.at_rest()


async def test_a_search_in_a_group_names_who_wrote_each_message(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        await telegram.asks(f"{ME} the plumber comes on Friday", chat=FAMILY)
        await telegram.asks(f"{ME} the boiler costs 900 euros", user=BOB, chat=FAMILY)
        await telegram.asks(f"{ME} the gas meter is in the cellar", chat=FAMILY)
        found = (await telegram.asks(f"/search{ME} boiler", user=BOB, chat=FAMILY)).text
        assert "· Bob ·" in found.split("\n")[0] and "boiler costs" in found
        assert "before: Ana: the plumber comes on Friday" in found
        assert "after: Ana: the gas meter is in the cellar" in found
        asked = (await telegram.asks(f"{ME} how much is the boiler?", chat=FAMILY)).text
        assert "Bob wrote" in asked and "Conversation of 2026-02-12: Bob (" in asked
        await it.at_rest()

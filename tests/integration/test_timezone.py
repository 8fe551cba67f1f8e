"""/timezone on Telegram, and in the terminal's real process: shown, changed, chosen and undone."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Group
from tests.support.buttons import buttons, press
from tests.support.homes import Home
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

FAMILY = Group(-100777, "Family", "supergroup")
NO_MODEL = {"anthropic_api_key": "", "anthropic_base_url": ""}
BERLIN = "---\nname: x\ntimezone: Europe/Berlin\n---\n\n# You\n\n- Name: Ana\n"


async def test_the_zone_is_shown_changed_at_once_and_undone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    user = tmp_path / "vault" / "user.md"
    user.parent.mkdir()
    user.write_text(BERLIN, "utf-8")
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        shown = await telegram.asks("/timezone")
        assert "Your time zone is Europe/Berlin, where it is Thu 12 Feb 13:00." in shown.text
        assert "/timezone Madrid" in shown.text
        done = await telegram.asks("/timezone Tokyo")
        assert "Your time zone is Asia/Tokyo now, where it is Thu 12 Feb 21:00." in done.text
        assert user.read_text("utf-8") == BERLIN.replace("Europe/Berlin", "Asia/Tokyo")
        await telegram.asks("remind me at 22:30 to call Ana")
        assert "(@2026-02-12 22:30)" in (tmp_path / "vault" / "tasks.md").read_text("utf-8")
        preview = await telegram.asks("/undo 2")
        assert "I changed your time zone" in preview.text
        assert "Asia/Tokyo" in preview.text and "Europe/Berlin" in preview.text
        assert await press(telegram, preview, "Undo it") == "Undone."
        assert user.read_text("utf-8") == BERLIN
        shown = await telegram.asks("/timezone Europe/Lisbon")
        assert "Europe/Lisbon now, where it is Thu 12 Feb 12:00." in shown.text
        versions = await it.profiles["owner"].memory.guidance.versions("user.md")
        assert versions[0].cause == "timezone"


async def test_one_of_several_places_is_chosen_with_a_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        asked = await telegram.asks("/timezone San Pedro")
        assert list(buttons(asked)) == ["Abidjan 12:00", "Manila 20:00"]
        assert str(it.profiles["owner"].memory.zone) == "UTC", "nothing is changed yet"
        await press(telegram, asked, "Manila 20:00")
        done = await telegram.wait_for(lambda fake: fake.edited)
        assert "Asia/Manila now, where it is Thu 12 Feb 20:00." in done[-1].text
        assert str(it.profiles["owner"].memory.zone) == "Asia/Manila"


async def test_what_names_no_zone_changes_nothing_and_says_what_to_write(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    allowed = {"telegram_allowed_groups": f"{FAMILY.id}"}
    async with sam(telegram, claude, tmp_path, **NO_MODEL, **allowed) as it:
        before = (tmp_path / "vault" / "user.md").read_text("utf-8")
        unknown = await telegram.asks("set my time zone to Atlantis")
        assert "no time zone of that name" in unknown.text
        assert "/timezone Madrid" in unknown.text
        offset = await telegram.asks("/timezone UTC+2")
        assert "when your clocks change" in offset.text and "/timezone Madrid" in offset.text
        await telegram.asks("I'm in Tokyo this week")
        refused = await telegram.asks("/timezone@sam_the_bot Tokyo", chat=FAMILY)
        assert "private chat" in refused.text
        asked = await telegram.asks("/timezone San Pedro")
        await telegram.asks("/incognito")
        assert "incognito" in (await telegram.asks("/timezone Tokyo")).text
        assert "incognito" in await press(telegram, asked, "Manila 20:00")
        assert (tmp_path / "vault" / "user.md").read_text("utf-8") == before
        assert str(it.profiles["owner"].memory.zone) == "UTC"


def test_in_the_terminal_it_is_asked_for_in_words_and_chosen_by_number(tmp_path: Path) -> None:
    home = Home(tmp_path, TIMEZONE="Europe/Berlin")
    said = (
        "/timezone\nStell meine Zeitzone auf Tokio\n/undo\nyes\n/timezone San Pedro\n2\n/timezone\n"
    )
    shown = home.sam("chat", stdin=said, timeout=120)
    assert shown.returncode == 0, shown.stderr
    for words in (
        "Your time zone is Europe/Berlin, where it is",
        "Your time zone is Asia/Tokyo now, where it is",
        "I changed your time zone",
        "Undone",
        "To choose, write: Abidjan",
        "Your time zone is Asia/Manila now",
        "Your time zone is Asia/Manila, where it is",
    ):
        assert words in shown.stdout
    assert "timezone: Asia/Manila\n" in (home.vault / "user.md").read_text("utf-8")

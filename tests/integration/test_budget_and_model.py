"""/budget and /model on Telegram: spending, the month's forecast, and choosing the model."""

from __future__ import annotations

from pathlib import Path

from memory.log import Usage
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram
from tests.support.buttons import buttons, press
from tests.support.telegram import BOB, NOON, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

OPUS, SONNET, HAIKU = "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"


async def test_the_budget_shows_day_month_forecast_models_and_purposes(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    telegram.clock = NOON.replace(month=1, day=31)
    async with sam(telegram, claude, tmp_path) as it:
        empty = await telegram.asks("/budget")
        assert empty.text == "Nothing was spent this month. The limit is $1.00 a day."
        usage = it.profiles["owner"].memory.log.usage
        await usage.add(Usage("anthropic", OPUS, "turn", 5, usd=99.0))  # of January
        telegram.clock = NOON.replace(day=3)
        await usage.add(Usage("anthropic", SONNET, "turn", 1_000, 200, usd=1.90))
        telegram.clock = NOON.replace(day=12)
        await usage.add(Usage("anthropic", SONNET, "turn", 1_000, 100, usd=0.30))
        await usage.add(Usage("anthropic", HAIKU, "summary", 5_000, 300, usd=0.20))
        shown = (await telegram.asks("/budget")).text.replace("\\", "")
    assert "Today: $0.50 of $1.00" in shown
    assert "This month: $2.40" in shown
    # 9.5 days since the third, 16.5 until the end of February
    assert f"the month will cost ${2.40 + 2.40 / 9.5 * 16.5:.2f}" in shown
    assert f"{SONNET}: $2.20, 2,300 tokens" in shown and f"{HAIKU}: $0.20, 5,300 tokens" in shown
    assert "answers: $2.20" in shown and "summaries: $0.20" in shown
    assert "99" not in shown


async def test_the_budget_and_the_status_say_how_it_is_divided(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    allowed = {"telegram_allowed_users": f"{ANA.id},{BOB.id}:bob", "budget_others_percent": 40}
    async with sam(telegram, claude, tmp_path, **allowed) as it:
        for name, usd in (("owner", 0.70), ("bob", 0.21)):
            log = it.profiles[name].memory.log
            await log.usage.add(Usage("anthropic", SONNET, "turn", 1_000, 200, usd=usd))
        mine = (await telegram.asks("/budget")).text.replace("\\", "")
        bobs = (await telegram.asks("/budget", user=BOB)).text.replace("\\", "")
        states = [(await telegram.asks("/status", user=who)).text for who in (ANA, BOB)]
        await log.usage.add(Usage("anthropic", SONNET, "turn", 1_000, 200, usd=0.09))
        spent = (await telegram.asks("/status")).text.replace("\\", "")
    assert "I am well." in states[0] and "I am well." not in spent
    assert "⚠️ Today's budget of $1.00 is spent" in spent
    assert "Today: $0.91 of $1.00" in mine
    assert "You: $0.70; guests and groups together $0.21 of at most $0.40" in mine
    assert "This month, only you: $0.70" in mine
    assert "Today: $0.21 " in bobs and "of $1.00" not in bobs and "$0.70" not in bobs
    assert "Guests and groups together $0.21 of at most $0.40" in bobs
    assert "Left for everybody: $0.09" in bobs
    own, other = (text.replace("\\", "") for text in states)
    assert "Today cost $0.91 of $1.00." in own and "of at most $0.40." in own
    assert "Today cost $0.21." in other and "Left for everybody: $0.09." in other


async def test_only_the_owner_reads_which_setting_is_wrong(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.keys = {"another"}
    allowed = {"telegram_allowed_users": f"{ANA.id},{BOB.id}:bob"}
    async with sam(telegram, claude, tmp_path, **allowed) as it:
        own = (await telegram.asks("Where is my bike?")).text
        theirs = (await telegram.asks("Where is my bike?", user=BOB)).text
        states = [(await telegram.asks("/status", user=who)).text for who in (ANA, BOB)]
        claude.keys = None
        claude.forgives(401, since=0)
        await telegram.asks("Where is my bike now?")
        well = (await telegram.asks("/status")).text
        log = it.profiles["owner"].memory.log
        await log.usage.add(Usage("anthropic", SONNET, "turn", 1_000, 200, usd=2.0))
        spent = [(await telegram.asks("And my car?", user=who)).text for who in (ANA, BOB)]
        voices = [(await telegram.asks("/voice", user=who)).text for who in (ANA, BOB)]
        models = [(await telegram.asks("/model", user=who)).text for who in (ANA, BOB)]
    assert "MODELS" in models[0] and SONNET in models[1] and ".env" not in models[1]
    assert "ANTHROPIC_API_KEY" in own.replace("\\", "")
    assert theirs.startswith("I cannot answer in my own words right now. Try again later.")
    assert "Claude" not in theirs and "invalid" not in theirs
    assert "⚠️ Claude does not accept the key" in states[0].replace("\\", "")
    assert "⚠️ I cannot answer in my own words right now" in states[1]
    assert "I am well." not in "".join(states) and "I am well." in well
    assert "BUDGET_DAILY_USD" in spent[0].replace("\\", "")
    assert "budget of $1.00 is spent: until midnight" in spent[1].replace("\\", "")
    assert "BUDGET" not in spent[1] and "quotes from my memory." in spent[1].replace("\\", "")
    assert "SPEECH" in voices[0] and voices[1] == "I have no voice yet."


async def test_a_guest_without_a_model_is_not_asked_to_set_one_up(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    given = {"telegram_allowed_users": f"{ANA.id},{BOB.id}:bob", "anthropic_api_key": None}
    async with sam(telegram, claude, tmp_path, **given, anthropic_base_url=None):
        for command in ("/start", "/model", "/context"):
            own = (await telegram.asks(command)).text
            theirs = (await telegram.asks(command, user=BOB)).text
            assert "sam setup" in own and "sam setup" not in theirs and len(theirs) > 40


async def test_the_model_is_changed_by_a_button_and_stays_over_a_restart(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    models = {"models": f"{OPUS}, {HAIKU}"}
    async with sam(telegram, claude, tmp_path, **models) as it:
        await telegram.asks("hello")
        shown = await telegram.asks("/model")
        assert SONNET in shown.text.splitlines()[0] and list(buttons(shown)) == [OPUS, HAIKU]
        assert await press(telegram, shown, OPUS) == f"From now on {OPUS} answers."
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert list(buttons(edited)) == [SONNET, HAIKU]
        await telegram.asks("hello again")
        await it.at_rest()
    async with sam(telegram, claude, tmp_path, **models):
        await telegram.asks("and once more")
        assert "not set up" in (await telegram.asks("/model gpt-9")).text
        assert HAIKU in (await telegram.asks(f"/model {HAIKU}")).text.splitlines()[0]
        await telegram.asks("and now?")
    asked = [each.model for each in claude.chats]
    assert asked == [SONNET, OPUS, OPUS, HAIKU]


async def test_a_model_that_is_no_longer_offered_is_not_asked(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, models=OPUS) as it:
        await telegram.asks(f"/model {OPUS}")
        await it.at_rest()
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("hello")
        alone = await telegram.asks("/model")
    assert claude.chats[-1].model == SONNET
    assert "MODELS" in alone.text and buttons(alone) == {}

"""Several commands in plain words in one message, and commands behind a statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.text import commands_in
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.homes import Home
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

NO_MODEL = {"anthropic_api_key": None, "anthropic_base_url": None}
BOTH = "Remember that my locker is 4411. It is blue. Also remember that Tom hates nuts."
MIXED = "Remember that the meter is below. Remind me tomorrow at 9 to read it. Add milk to my list."


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            BOTH,
            ["Remember that my locker is 4411. It is blue.", "Also remember that Tom hates nuts."],
        ),
        ("I moved. Remember that I live in Porto.", ["Remember that I live in Porto."]),
        ("remember that she said: don't remember.", ["remember that she said: don't remember."]),
        ("Is it late? I never remember names.", []),
        ("We talked. Remember that.", []),
    ],
)
def test_each_part_begins_with_a_command(text: str, parts: list[str]) -> None:
    assert commands_in(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Merk dir, dass Tom Nüsse hasst. Merk dir auch, dass Bob Fisch mag.",
        "Merk dir, dass Tom Nüsse hasst. Außerdem merk dir, dass Bob Fisch mag.",
        "Retiens que Tom aime le thé. Retiens aussi que Bob aime le café.",
        "Recuerda que Tom odia el té. Recuerda también que Bob odia el café.",
        "Ricorda che Tom odia il tè. Ricorda anche che Bob odia il caffè.",
        "Onthoud dat Tom thee haat. Onthoud ook dat Bob koffie haat.",
        "Запомни, что Том любит чай. Также запомни, что Боб любит кофе.",
        "Retiens que Tom aime le thé. Note aussi que Bob aime le café.",
        "记住汤姆喜欢茶。另外，记住鲍勃喜欢咖啡。",
    ],
)
def test_also_may_be_before_or_behind_the_command(text: str) -> None:
    assert len(commands_in(text)) == 2


async def test_each_is_carried_out_in_the_terminal(tmp_path: Path) -> None:
    home = Home(tmp_path)
    said = (BOTH, MIXED, "I moved to Porto. Remind me tomorrow at 10 to call Bob.", "/tasks")
    private = "This is private: remember that I owe Tom 5. Remember that I owe Bob 6."
    it = "Merk dir, dass der Bus um die Ecke steht. Erinnere mich morgen um 17 Uhr daran."
    joined = "Add eggs to my shopping list and remind me tomorrow at 18:00 to cook"
    done = home.sam("chat", stdin="\n".join((*said, joined, it, private)) + "\n", timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    saved = "Saved in MEMORY.md and memories/"
    assert done.stdout.partition(MIXED)[0].count(saved) == 2
    assert "⏰ tomorrow 09:00: read it\nAdded: milk\n" in done.stdout
    assert (
        f"{said[2]}\nNoted. Ask me about it whenever you like.\n\n⏰ tomorrow 10:00: call Bob\n"
        in done.stdout
    )
    assert "1. read it · tomorrow 09:00\n2. call Bob · tomorrow 10:00\n3. milk\n" in done.stdout
    assert f"{joined}\nAdded: eggs\n⏰ tomorrow 18:00: cook\n" in done.stdout
    assert "⏰ tomorrow 17:00: der Bus um die Ecke steht\n" in done.stdout
    lines = (home.vault / "MEMORY.md").read_text("utf-8").splitlines()
    kept = [line.partition(": ")[2].partition(" ^")[0] for line in lines if line.startswith("- ")]
    assert kept[:2] == ["my locker is 4411. It is blue.", "Tom hates nuts."]
    assert len(kept) == 5, "what is private stays in one line"


async def test_each_is_carried_out_on_telegram_with_one_undo(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        shown = await telegram.asks(MIXED)
        assert shown.text.endswith("⏰ tomorrow 09:00: read it\nAdded: milk")
        rows = shown.fields["reply_markup"]["inline_keyboard"]
        assert [button["text"] for row in rows for button in row] == ["Undo"]
        rows = [m for m in await it.said() if m.role == "user"]
        assert [row.text for row in rows] == [MIXED], "it is logged once, as it was sent"
        await telegram.receives("I moved to Porto. Remind me tomorrow at 10 to call Bob.")
        await telegram.wait_for(lambda fake: [m for m in fake.sent if "call Bob" in m.text])
        await it.at_rest()
        assert [m.text for m in await it.said() if m.role == "user"][1].startswith("I moved")
    tasks = (tmp_path / "vault/tasks.md").read_text("utf-8")
    assert "read it" in tasks and "milk" in tasks and "call Bob" in tasks

"""A reply to what only the owner may see does not bring it to a model, nor into the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.buttons import press
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

NOTE = "---\nprivacy: sensitive\n---\n\nThe walrus is ill with xylitis.\n"
FACT = "# Health\n\n- Has a walrus with xylitis [category:: preference] [privacy:: sensitive]\n"


def write(folder: Path) -> None:
    (folder / "vault" / "knowledge").mkdir(parents=True)
    (folder / "vault" / "zoo.md").write_text(NOTE, "utf-8")
    (folder / "vault" / "knowledge" / "health.md").write_text(FACT, "utf-8")


@pytest.mark.parametrize("command", ["/search walrus", "/facts", "/why walrus", "/forget walrus"])
async def test_a_reply_to_a_command_does_not_quote_its_answer(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, command: str
) -> None:
    write(tmp_path)
    async with sam(telegram, claude, tmp_path) as it:
        shown = await telegram.asks(command)
        assert "xylitis" in shown.text
        reply = await telegram.receives("Is that so?", reply_to=shown)
        await telegram.wait_sent(2)
        await telegram.edits(reply, "Is that so, and since when?")
        await telegram.wait_sent(3)
        await it.at_rest()
        [(_, asked), _] = await it.texts()
    assert len(claude.chats) == 1 and "xylitis" not in str(claude.chats[-1].body)
    assert "xylitis" not in asked and asked.endswith("Is that so, and since when?")
    assert asked.startswith("> (An answer to a command"), "the model knows that it is a reply"


async def test_a_reply_to_an_opened_source_does_not_quote_it_either(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    write(tmp_path)
    async with sam(telegram, claude, tmp_path):
        found = await telegram.asks("/search walrus")
        await press(telegram, found, "1")
        *_, opened = await telegram.wait_sent(2)
        assert "xylitis" in opened.text
        await telegram.asks("Is that so?", reply_to=opened)
        assert "xylitis" not in str(claude.chats[-1].body)
        why = await telegram.asks("/why", reply_to=found)
        assert "xylitis" in why.text, "a command still sees what it answers"


async def test_a_reply_to_other_answers_quotes_them(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    write(tmp_path)
    file = tmp_path / "vault" / "knowledge" / "health.md"
    file.write_text(FACT.replace(" [privacy:: sensitive]", ""), "utf-8")
    async with sam(telegram, claude, tmp_path):
        listed = await telegram.asks("/facts")
        await telegram.asks("the first is wrong", reply_to=listed)
        assert "Has a walrus with xylitis" in str(claude.chats[-1].body)
        added = await telegram.asks("/todo feed the walrus")
        await telegram.asks("make it two", reply_to=added)
    assert "Added: feed the walrus" in str(claude.chats[-1].body)

"""Reminders asked for in plain words, when no model is set up."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from bot.assistant import Assistant
from bot.chat.plain_commands import command_in_words

NOW = datetime(2026, 11, 4, 14, 30, tzinfo=UTC)
OWNER = SimpleNamespace(claude=None, name="owner", memory=SimpleNamespace(zone=UTC))


async def command(text: str) -> tuple[str, str] | None:
    return await command_in_words(cast(Assistant, OWNER), text, NOW)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tomorrow at 9 remind me to call Ana", "tomorrow at 9 to call Ana"),
        ("In 20 minutes, please remind me about the tea", "In 20 minutes about the tea"),
        ("every Monday at 9 remind me to run", "every Monday at 9 to run"),
        ("morgen um 9 erinnere mich an Ana", "morgen um 9 an Ana"),
        ("mañana a las 9 recuérdame llamar a Ana", "mañana a las 9 llamar a Ana"),
        ("завтра в 9 напомни мне позвонить Ане", "завтра в 9 позвонить Ане"),
        ("明天9点提醒我给安娜打电话", "明天9点 给安娜打电话"),
    ],
)
async def test_the_time_of_a_reminder_may_stand_first(text: str, words: str) -> None:
    assert await command(text) == ("remind", words)


@pytest.mark.parametrize(
    "text",
    [
        *("Mum will remind me to call Ana tomorrow", "These roses remind me of Oma"),
        *("On Friday Ana asked to remind me of it", "明天妈妈提醒我吃药"),
    ],
)
async def test_a_statement_about_reminding_is_no_command(text: str) -> None:
    assert await command(text) is None

"""The answers by rules, without a model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.turn.rule_answers import NOTED, OBJECTION, SECRET, TONES, RuleAnswer, rule_answer
from tests.fakes.log_rows import row

NOW = datetime(2026, 2, 14, 9, 5, tzinfo=UTC)


def answered(text: str) -> RuleAnswer:
    return rule_answer([row(2, text)], [row(1, "I have a cat.")], NOW)


@pytest.mark.parametrize(
    "text",
    [
        "My wifi password is hunter2swordfish",
        "Mein WLAN-Passwort ist Xk9-Blaubeere77",
        "my card is 4111 1111 1111 1111",
    ],
)
def test_a_secret_that_is_masked_is_not_said_to_be_noted(text: str) -> None:
    assert answered(text) == RuleAnswer("", SECRET)
    assert answered(text).says_kept


@pytest.mark.parametrize("text", ["show me my notes", "Zeig mir alle meine Notizen", "我的笔记"])
def test_what_asks_for_the_notes_is_searched_for(text: str) -> None:
    assert answered(text).question == text


@pytest.mark.parametrize("text", ["yes", "Ja!", "oui", "no", "Nein.", "non"])
def test_a_yes_or_a_no_to_no_question_is_neither_noted_nor_searched_for(text: str) -> None:
    is_yes = text in ("yes", "Ja!", "oui")
    assert answered(text) == RuleAnswer("", TONES["other"] if is_yes else OBJECTION)
    assert answered(f"{text.strip('.!')}, the red one").nothing == NOTED


def test_a_code_that_is_not_masked_is_noted() -> None:
    assert answered("The code of the garden gate is 4711").nothing == NOTED

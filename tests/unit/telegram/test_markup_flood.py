"""An answer full of markup is formatted in linear time, and not on the event loop."""

from __future__ import annotations

import time

import pytest

from bot.telegram import formatting


def spent(unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    began = time.thread_time()
    found = formatting.parts(text)
    assert found
    return time.thread_time() - began


@pytest.mark.parametrize("unit", ["$", "$a", "|", "[", "[a](", "**a", "||", "> ", "<", "`a`<"])
def test_markup_is_formatted_in_linear_time(unit: str) -> None:
    """Four times the text, at most ten times the time; quadratic would be sixteen.

    Both are several messages long: a text that fits into one is not looked at for a place to cut.
    """
    formatting.parts("warm **up**")
    assert spent(unit, 32_000) < 10 * spent(unit, 8_000) + 0.3


def test_dollars_stay_as_they_are() -> None:
    for text in ("it costs $$$ or $$$$", "`$$$` and $$$", "$a$ and $5"):
        shown = "".join(part.text for part in formatting.parts(text))
        assert shown.count("$") == text.replace("`", "").count("$") or "$a$" in text
    assert len(formatting.parts("$" * 8_000)) <= 3

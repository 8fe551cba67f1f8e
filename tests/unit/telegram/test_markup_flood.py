"""An answer full of markup is formatted in linear time, off the event loop."""

from __future__ import annotations

import time

import pytest

from bot.telegram import formatting

TIMES = 3  # other load only adds time, so the minimum is the best estimate


def spent(unit: str, length: int) -> float:
    """Return the minimum CPU time of formatting, in seconds."""
    times = []
    for number in range(TIMES):
        # A new text each time, because formatted blocks are cached.
        text = (f"{number}{length} " + unit * (length // len(unit) + 1))[:length]
        began = time.thread_time()
        assert formatting.parts(text)
        times.append(time.thread_time() - began)
    return min(times)


@pytest.mark.parametrize("unit", ["$", "$a", "|", "[", "[a](", "**a", "||", "> ", "<", "`a`<"])
def test_markup_is_formatted_in_linear_time(unit: str) -> None:
    """Four times the text takes at most ten times as long; quadratic would be sixteen.

    Both need several messages: a text that fits into one is not searched for a place to split.
    """
    formatting.parts("warm **up**")
    assert spent(unit, 32_000) < 10 * spent(unit, 8_000) + 0.3


def test_dollars_stay_as_they_are() -> None:
    for text in ("it costs $$$ or $$$$", "`$$$` and $$$", "$a$ and $5"):
        shown = "".join(part.text for part in formatting.parts(text))
        assert shown.count("$") == text.replace("`", "").count("$") or "$a$" in text
    assert len(formatting.parts("$" * 8_000)) <= 3

"""The text of received messages."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Message

from bot.telegram.formatting.received import shown_text

BOLD = ["see ", {"type": "bold", "text": ["the ", {"type": "url", "text": "plan", "url": "x"}]}]


def paragraph(text: object) -> dict[str, object]:
    return {"type": "paragraph", "text": text}


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        ([paragraph("a"), {"type": "divider"}, paragraph(BOLD)], "a\nsee the plan"),
        ([{"type": "list", "items": [{"label": "1.", "blocks": [paragraph("b")]}]}], "b"),
        ([{"type": "details", "summary": "more", "blocks": [paragraph("c")]}], "more\nc"),
        ([{"type": "table", "cells": [[{"text": "d"}, {"text": "e"}], [{}]]}], "d | e\n"),
        ([], ""),
    ],
)
def test_a_rich_message_is_read_as_text(blocks: list[Any], text: str) -> None:
    rich = {"rich_message": {"blocks": blocks}}
    given = {"message_id": 1, "date": 0, "chat": {"id": 1, "type": "private"}, **rich}
    message = Message.de_json(given, None)
    assert message is not None and shown_text(message) == text

"""Rows of the log made by hand, for what is a pure function of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from memory.log import Message

START = datetime(2026, 2, 12, 13, 0, tzinfo=UTC)


def row(id: int, text: str, **given: Any) -> Message:
    """A message of the owner's in the terminal, `id` minutes after START; a turn of its own."""
    values: dict[str, Any] = {
        "id": id,
        "turn_id": id,
        "session_id": 1,
        "role": "user",
        "origin": "owner",
        "author": "",
        "privacy": "normal",
        "lang": None,
        "sent_at": START + timedelta(minutes=id),
        "edited_at": None,
        "chat": "terminal",
        "telegram_ids": (),
        "text": text,
        "state": "pending",
        "batch": None,
    }
    return Message(**{**values, **given})


def answered(id: int, turn: int, text: str, **given: Any) -> Message:
    """Sam's answer in that turn."""
    return row(id, text, **{"turn_id": turn, "role": "assistant", "origin": "sam", **given})


def conversation(*lines: str) -> list[Message]:
    """Question, answer, question, answer … as the log has them."""
    rows, ids = [], count(1)
    for place, text in enumerate(lines):
        id = next(ids)
        rows.append(row(id, text) if place % 2 == 0 else answered(id, id - 1, text))
    return rows

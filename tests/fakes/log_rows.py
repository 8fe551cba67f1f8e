"""Build rows of the log by hand, for tests of pure functions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from memory.log import Message

START = datetime(2026, 2, 12, 13, 0, tzinfo=UTC)


def row(id: int, text: str, **given: Any) -> Message:
    """Return a message of the owner in the terminal, `id` minutes after START, in its own turn."""
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
    """Return Sam's answer in that turn."""
    return row(id, text, **{"turn_id": turn, "role": "assistant", "origin": "sam", **given})


def conversation(*lines: str) -> list[Message]:
    """Return question, answer, question, answer … as rows of the log."""
    rows, ids = [], count(1)
    for place, text in enumerate(lines):
        id = next(ids)
        rows.append(row(id, text) if place % 2 == 0 else answered(id, id - 1, text))
    return rows

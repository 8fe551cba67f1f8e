"""Build `Said` values and deterministic block ids for tests of the log."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime

from memory.log import Said

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


def said(text: str, number: int = 1, at: datetime = NOON, chat: str = "telegram:7") -> Said:
    return Said(f"{chat}:{number}", chat, text, at, telegram_ids=(number,))


def ids() -> Callable[[Callable[[str], bool]], str]:
    counter = itertools.count(1)
    return lambda taken: next(f"b{n}" for n in counter if not taken(f"b{n}"))

"""How many messages of one person get an answer: RATE_LIMIT a minute. Knows no permission.

By the messages' own dates: what has waited while Sam was down is not taken for a flood.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=1)


class RateLimit:
    """One window for each person; it is forgotten when Sam ends."""

    def __init__(self, messages: int) -> None:
        self._messages = messages
        self._answered: dict[int, deque[tuple[datetime, int]]] = {}

    def is_over(self, user: int, update: int, at: datetime) -> bool:
        """Whether this one is too many; else it counts. The same update counts once."""
        window = self._answered.setdefault(user, deque())
        while window and window[0][0] <= at - WINDOW:
            window.popleft()
        if any(known == update for _, known in window):
            return False
        if len(window) >= self._messages:
            return True
        window.append((at, update))
        return False

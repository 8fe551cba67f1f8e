"""Fakes for notifying the owner, for jobs that run without Telegram and without a terminal."""

from __future__ import annotations

from typing import Any


class Ear:
    """Record notifications: `said`, oldest first, each key once; `beside`: the other arguments."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.beside: list[dict[str, Any]] = []
        self._keys: set[str] = set()

    async def hear(self, text: str, *, key: str = "", **beside: Any) -> None:
        """Take a notification from a profile's jobs."""
        if not key or key not in self._keys:
            self._keys.add(key)
            self.said.append(text)
            self.beside.append(beside)


async def never(text: str, **beside: Any) -> None:
    """Fail: for jobs that must not notify."""
    raise AssertionError(f"it was said unasked: {text}")


async def never_to(profile: str, text: str, **beside: Any) -> None:
    """Fail, with the signature for the jobs of all profiles."""
    await never(text)

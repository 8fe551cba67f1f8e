"""Ways to speak, for jobs that run without Telegram and without a terminal."""

from __future__ import annotations

from typing import Any


class Ear:
    """Hears what is said unasked: `said`, oldest first, each key once; `beside`: with what."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.beside: list[dict[str, Any]] = []
        self._keys: set[str] = set()

    async def hear(self, text: str, *, key: str = "", **beside: Any) -> None:
        """What one profile's jobs say."""
        if not key or key not in self._keys:
            self._keys.add(key)
            self.said.append(text)
            self.beside.append(beside)


async def never(text: str, **beside: Any) -> None:
    """For a job that has nothing to say."""
    raise AssertionError(f"it was said unasked: {text}")


async def never_to(profile: str, text: str, **beside: Any) -> None:
    """The same, for the jobs of all profiles."""
    await never(text)

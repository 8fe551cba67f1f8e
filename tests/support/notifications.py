"""Fakes for notifying the owner, for jobs that run without Telegram and without a terminal."""

from __future__ import annotations

from typing import Any


class NotificationRecorder:
    """Record notifications: `texts`, oldest first, each key once; `arguments`: what came along."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.arguments: list[dict[str, Any]] = []
        self._keys: set[str] = set()

    async def notify(self, text: str, *, key: str = "", **arguments: Any) -> None:
        """Take a notification from a profile's jobs."""
        if not key or key not in self._keys:
            self._keys.add(key)
            self.texts.append(text)
            self.arguments.append(arguments)


async def must_not_notify(text: str, **arguments: Any) -> None:
    """Fail: for jobs that must not notify."""
    raise AssertionError(f"it was said unasked: {text}")


async def must_not_notify_profile(profile: str, text: str, **arguments: Any) -> None:
    """Fail, with the signature for the jobs of all profiles."""
    await must_not_notify(text)

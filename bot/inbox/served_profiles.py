"""Which profiles `sam run` serves: the owner's, those of Telegram's users, and groups."""

from __future__ import annotations

from memory import Clock

from ..settings import Settings
from .inbox import Inbox


async def telegram_users(settings: Settings, clock: Clock) -> dict[int, str]:
    """Return the Telegram users, each with the name of a profile: those of the settings, and those
    paired with a code. Raises StoreError."""
    paired: dict[int, str] = {}
    if Inbox.exists(settings):
        inbox = await Inbox.of(settings, clock)
        try:
            paired = await inbox.people.paired()
        finally:
            await inbox.close()
    return {**paired, **settings.telegram_allowed_users}


async def served_profiles(settings: Settings, clock: Clock) -> tuple[str, ...]:
    """Return the names of the profiles, the owner's first. Raises StoreError."""
    users = await telegram_users(settings, clock)
    return tuple(dict.fromkeys([*settings.profile_names, *users.values()]))

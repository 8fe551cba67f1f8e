"""Which profiles `sam run` serves: the owner's, those of Telegram's users, and groups."""

from __future__ import annotations

from memory import Clock, group_profile

from ..settings import Settings
from .inbox import Inbox


async def telegram_users(settings: Settings, clock: Clock) -> dict[int, str]:
    """Return the Telegram users, each with the name of a profile: those of the settings, and those
    paired with a code. Raises StoreError."""
    paired, _ = await _known(settings, clock)
    return {**paired, **settings.telegram_allowed_users}


async def served_profiles(settings: Settings, clock: Clock) -> tuple[str, ...]:
    """Return the names of the profiles, the owner's first. Raises StoreError."""
    paired, moved = await _known(settings, clock)
    groups = {group_profile(new): group_profile(old) for new, old in moved.items()}
    names = [groups.get(name, name) for name in settings.profile_names]
    users = {**paired, **settings.telegram_allowed_users}
    return tuple(dict.fromkeys([*names, *users.values()]))


async def _known(settings: Settings, clock: Clock) -> tuple[dict[int, str], dict[int, int]]:
    """Return what the inbox knows of users and groups, see `People.known`."""
    async with Inbox.if_exists(settings, clock) as inbox:
        return (await inbox.people.known())[:2] if inbox is not None else ({}, {})

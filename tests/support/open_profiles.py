"""Wrap profiles that a test opens and closes itself in the `Profiles` that the bot takes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from bot.assistant import Assistant
from bot.assistant.profiles import Profiles
from bot.assistant.scheduler import Jobs
from bot.settings import Settings
from memory import Clock
from memory.vault import FileEvents


async def open_profiles(
    settings: Settings, profiles: Mapping[str, Assistant], clock: Clock
) -> Profiles:
    """Return these profiles, never closed when idle and without scheduled jobs."""

    async def make(name: str, stack: AsyncExitStack) -> tuple[Assistant, asyncio.Event]:
        return profiles[name], asyncio.Event()

    vaults: dict[str, Path] = {name: each.memory.vault.root for name, each in profiles.items()}
    jobs = Jobs(settings, clock, others_turn=lambda: False)
    made = Profiles(
        vaults, vaults.__getitem__, make, jobs, clock, idle=float("inf"), files=FileEvents()
    )
    await made.open_main()
    return made

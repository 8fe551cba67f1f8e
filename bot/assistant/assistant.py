"""One profile's Sam: memory, model, turns and sync, built once from the settings.

Telegram and the terminal are given a profile to talk to, and give it a way to speak.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memory import OWNER, Clock, Memory, Written

from ..claude.budget import Budget
from ..claude.client import Claude
from ..errors import SyncStopped
from ..settings import Settings
from ..turn import Turns
from ..turn.audience import company
from .summary import Summary

if TYPE_CHECKING:
    from ..sync import Sync

log = logging.getLogger(__name__)

SETTLE = 1.0  # seconds from a write to its sync


async def _silent(text: str) -> None:
    """Nobody listens here."""


def _no_jobs(job: str) -> None:
    """No scheduler runs in this process."""


@dataclass(slots=True)
class Profile:
    """Open it with `Profile.open`; the stack that it is given closes it."""

    name: str
    settings: Settings
    memory: Memory
    budget: Budget
    claude: Claude | None
    turns: Turns
    summary: Summary
    sync: Sync | None
    speak: Callable[[str], Awaitable[None]] = _silent
    """Says something unasked."""
    poke: Callable[[str], None] = _no_jobs
    """Lets a job run now, by its name."""
    wanted: str = ""
    """Why a summary is wanted although few messages are pending; empty when it is not."""
    _unsent: set[str] = field(default_factory=set)
    _exchanged: datetime | None = None

    @classmethod
    async def open(
        cls,
        settings: Settings,
        stack: AsyncExitStack,
        *,
        clock: Clock,
        name: str = OWNER,
        sole: bool = False,
    ) -> Profile:
        """Open that profile's stores. Raises VaultGone, StoreError, LockHeld."""
        memory = await Memory.open(settings, clock=clock, profile=name, sole=sole)
        stack.push_async_callback(memory.close)
        budget = Budget(settings, memory.log, clock, lambda: memory.zone)
        claude = None
        if settings.has_model:
            claude = Claude(settings, memory.log.usage.add, allowed=budget.check, clock=clock)
            stack.push_async_callback(claude.close)
        sync = None
        if settings.rclone_remote and name == OWNER:  # it is not for other people's vaults
            from ..sync import Sync, no_progress

            sync = Sync(
                settings.rclone_remote,
                memory.vault,
                clock=clock,
                zone=memory.zone,
                entombed=memory.log.forgetting.entombed,
                progress=no_progress,
            )
        profile = cls(
            name=name,
            settings=settings,
            memory=memory,
            budget=budget,
            claude=claude,
            turns=Turns(memory, settings, claude, budget=budget, company=company(name)),
            summary=Summary(claude, settings, clock),
            sync=sync,
        )
        memory.on_write = profile._wrote
        profile.turns.after_turn = profile._turn_ended
        profile.turns.on_overflow = profile._overflowed
        return profile

    async def summarise(self, reason: str) -> list[Written]:
        """Write what is pending into the days' files (`day`: of past days only).

        Raises SummaryError; LockHeld while another process is at it.
        """
        before = self.memory.today() if reason == "day" else None
        done = await self.memory.summarise(self.summary, reason=reason, before=before)
        for written in done:
            log.info(
                "summarised profile=%s reason=%s batch=%s path=%s bullets=%d",
                self.name,
                reason,
                written.batch,
                written.path,
                len(written.bullets),
            )
        return [written for written in done if written.path is not None]

    async def end_session(self, chat: str, at: datetime) -> str | None:
        """/new: end the chat's session, write its transcript, have the rest summarised soon.

        The transcript's path; None if nothing was said in it.
        """
        path = await self.memory.end_session(chat, at)
        if path is not None:
            self.want_summary("new")
        return path

    async def _turn_ended(self) -> None:
        self.poke("summarise")

    async def _overflowed(self) -> None:
        self.want_summary("overflow")

    def take_wanted(self) -> str:
        """Return why a summary is wanted, empty where it is not, and want none any more."""
        reason, self.wanted = self.wanted, ""
        return reason

    def still_want(self, reason: str) -> None:
        """Want the summary that failed again, unless another one is wanted by now."""
        self.wanted = self.wanted or reason

    def want_summary(self, reason: str) -> None:
        """Have what is pending summarised in the background, however little it is."""
        self.wanted = reason
        self.poke("summarise")

    def _wrote(self, path: str) -> None:
        self._unsent.add(path)
        self.poke("sync")

    async def exchange(self) -> None:
        """Sync: both ways when it is time, else only what was written. Raises SyncError."""
        if self.sync is None:
            return
        from . import sync_alerts

        await asyncio.sleep(SETTLE if self._unsent else 0)  # one edit seldom comes alone
        now, paths = self.memory.clock(), frozenset(self._unsent)
        self._unsent.clear()
        interval = timedelta(minutes=self.settings.sync_interval_minutes, seconds=-5)
        last = self._exchanged
        try:
            if not paths or last is None or now - last >= interval:
                done = await self.sync.run()
                self._exchanged = now
            else:
                done = await self.sync.push(paths)
        except BaseException as wrong:
            self._unsent |= paths
            if isinstance(wrong, SyncStopped):
                await sync_alerts.stopped(self.memory, self.speak, wrong)
            raise
        if done.conflicts:
            await self.speak(sync_alerts.conflicts(done.conflicts))

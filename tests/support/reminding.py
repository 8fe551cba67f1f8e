"""A profile with its reminders, and a clock that the test advances."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.assistant import Assistant, reminders
from bot.assistant.job_requests import no_jobs
from bot.turn import Done
from memory import Said
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.notifications import NotificationRecorder

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


class Reminding:
    """A profile with its job; `minutes` runs it every minute, as the scheduler does."""

    def __init__(self, profile: Assistant, clock: Clock) -> None:
        self.profile, self.clock, self.notified = profile, clock, NotificationRecorder()

    async def tick(self, speak: Any = None) -> None:
        if await reminders.is_due(self.profile):
            await reminders.remind(self.profile, speak or self.notified.notify)

    async def answer(self, text: str, *, minutes: int = 1) -> str:
        """Return Sam's answer to a message in the terminal, without the line of sources; both are
        logged, as in `sam chat`."""
        self.clock.forward(minutes=minutes)
        said = Said(f"{self.clock.now}", "terminal", text, self.clock.now)
        turn = await self.profile.turns.begin(said)
        async with aclosing(self.profile.turns.answer(turn)) as events:
            done = [event async for event in events][-1]
        assert isinstance(done, Done)
        await self.profile.turns.finish(turn, done, self.clock.now)
        return done.shown.partition("\n\n>")[0]

    async def after(self, **delta: float) -> list[str]:
        """Advance the clock and return what the job says."""
        self.clock.forward(**delta)
        before = len(self.notified.texts)
        await self.tick()
        return self.notified.texts[before:]

    def labels(self) -> list[str]:
        """Return the buttons below the last message."""
        return [button.label for row in self.notified.arguments[-1]["keyboard"] for button in row]


@asynccontextmanager
async def reminding(
    folder: Path, tasks: str, start: datetime = NOON, **given: Any
) -> AsyncIterator[Reminding]:
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    home.write("tasks.md", tasks)
    clock = Clock(start)
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(**given), stack, poke=no_jobs, clock=clock)
        yield Reminding(profile, clock)

"""The composition root: build everything that runs in one process, and close it in reverse order.

It has no logic of its own, and is the only place that reads the system clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import resource
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from memory import OWNER, Clock, DataDir, EmbedError, LockHeld, StoreError, VaultGone, system_clock
from memory.infra import (
    Backoff,
    RunLock,
    failpoints,
    is_locked,
    keep_returning_memory,
    share_arenas,
)
from memory.vault import FileEvents

from .. import logs
from ..assistant import Assistant
from ..assistant.scheduler import Jobs
from ..assistant.syncing import SyncGate
from ..settings import Settings, supervisor
from .systemd import Pulse, supervised

log = logging.getLogger(__name__)

LOOK_SECONDS = 3.0  # seconds to wait for the first scan before handling messages
AGAIN_SECONDS = 60.0  # seconds before work that failed unexpectedly is restarted
LOCK_SECONDS = 2.0  # a terminal chat takes run.lock briefly once a minute
AT_ONCE_LOCAL, AT_ONCE_REMOTE = 32, 64  # chunks: a few seconds of CPU time; one request
QUEUE_PAUSE = 2.0  # seconds to wait after a change, to handle several together
LOOK_AGAIN = 30.0  # seconds between checks for changes by other processes
QUEUE_DOWN = Backoff(first=5.0, factor=3.0, longest=300.0)


@dataclass(slots=True)
class Sam:
    """Everything that runs in a process: the assistants by profile name, and the jobs."""

    settings: Settings
    clock: Clock
    profiles: dict[str, Assistant]
    jobs: Jobs

    @property
    def owner(self) -> Assistant:
        """Return the owner's assistant, which the terminal talks to."""
        return self.profiles[OWNER]


def is_running(settings: Settings) -> bool:
    """Return whether another process runs `sam run`."""
    return is_locked(DataDir(settings.data_dir).run_lock)


@asynccontextmanager
async def running(
    settings: Settings, *, sole: bool, clock: Clock = system_clock
) -> AsyncIterator[Sam]:
    """Open everything except a chat. `sole`: this is `sam run`; raises LockHeld if one is running.

    The caller, which opens the chat, then starts the jobs with a way to send messages. Raises
    VaultGone, StoreError.
    """
    failpoints.arm(settings.sam_failpoint)
    async with AsyncExitStack() as stack:
        beside = not sole and is_running(settings)
        if sole:
            stack.callback((await _alone(settings)).release)
        jobs = Jobs(settings, clock, others_turn=lambda: not sole and is_running(settings))
        profiles: dict[str, Assistant] = {}
        gate = SyncGate()
        # Other profiles are served on Telegram only.
        for name in settings.profile_names if sole else (OWNER,):
            owner = profiles.get(OWNER)
            profiles[name] = await Assistant.open(
                settings,
                stack,
                clock=clock,
                poke=partial(jobs.poke, profile=name),
                name=name,
                sole=not beside,
                spending=owner.budget.spending if owner else None,
                gate=gate,
            )
        looked, files = asyncio.Event(), FileEvents()
        for profile in profiles.values():
            seen = looked if profile.name == OWNER else asyncio.Event()
            _in_background(
                stack, partial(_watch, profile, files, beside, seen), f"watch {profile.name}"
            )
            _in_background(stack, partial(_take_in, profile), f"take in {profile.name}")
            _in_background(stack, partial(_embed, profile), f"embed {profile.name}")
            _in_background(stack, profile.memory.keep_tidy, f"tidy {profile.name}")
        _in_background(stack, partial(_warm, profiles), "warm")
        _in_background(stack, keep_returning_memory, "memory")
        stack.push_async_callback(jobs.close)
        with contextlib.suppress(TimeoutError):
            # The first question should find the vault's notes, but do not wait for a huge vault.
            await asyncio.wait_for(looked.wait(), LOOK_SECONDS)
        yield Sam(settings, clock, profiles, jobs)
        log.info("closing")


async def _alone(settings: Settings) -> RunLock:
    lock = RunLock(DataDir(settings.data_dir).run_lock)
    deadline = asyncio.get_running_loop().time() + LOCK_SECONDS
    while True:
        try:
            lock.acquire()
            return lock
        except LockHeld:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.1)


def _in_background(
    stack: AsyncExitStack, work: Callable[[], Coroutine[Any, Any, None]], name: str
) -> None:
    """Run `work` in the background until the stack is closed; restart it after unexpected
    errors."""

    async def kept() -> None:
        while True:
            try:
                return await work()
            except Exception:
                log.exception("background=%s failed, and begins again", name)
                await asyncio.sleep(AGAIN_SECONDS)

    task = asyncio.create_task(kept(), name=name)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _watch(
    profile: Assistant, files: FileEvents, beside: bool, looked: asyncio.Event
) -> None:
    """Keep the index up to date; `looked` is set after the first full scan of the vault."""

    def caught_up() -> None:
        profile.wanted.more_pending()  # messages of released batches are pending again
        looked.set()

    # Only a process that runs alone repairs what a crash left.
    await profile.memory.watch(files, caught_up, alone=not beside)


async def _warm(profiles: Mapping[str, Assistant]) -> None:
    """Import in advance what the first turn needs.

    Then freeze all objects: otherwise garbage collection would scan them again and again, 0.1
    seconds each time, in the middle of a turn.
    """
    for profile in profiles.values():
        if profile.claude is not None:
            await profile.claude.warm()
    gc.collect()
    gc.freeze()


async def _take_in(profile: Assistant) -> None:
    """Index new messages while no turn runs, until cancelled."""
    memory = profile.memory
    waits, changed = QUEUE_DOWN.waits(), asyncio.Event()
    memory.listen(changed)
    while True:
        await memory.embeddings.idle()
        changed.clear()
        try:
            await memory.take_in()
            waits, pause = QUEUE_DOWN.waits(), QUEUE_PAUSE
            await _set(changed)
        except VaultGone:
            pause = QUEUE_PAUSE  # turns and the watcher already report it
        except (StoreError, LockHeld) as why:
            pause = next(waits)
            log.warning("messages wait to be indexed, pause seconds=%d: %s", pause, why)
        await asyncio.sleep(pause)


async def _embed(profile: Assistant) -> None:
    """Embed the queued passages, until cancelled."""
    memory = profile.memory
    if memory.embedder is None:
        return
    count = AT_ONCE_REMOTE if memory.embedder.remote else AT_ONCE_LOCAL
    waits, changed = QUEUE_DOWN.waits(), asyncio.Event()
    memory.listen(changed)
    while True:
        changed.clear()
        try:
            left = await memory.embeddings.some(count)
            waits = QUEUE_DOWN.waits()
            if not left:
                await _set(changed)
                await asyncio.sleep(QUEUE_PAUSE)
        except (EmbedError, StoreError, LockHeld) as why:
            # /status shows `embeddings.trouble` as long as it lasts.
            pause = next(waits)
            log.warning("embedding pauses seconds=%d: %s", pause, why)
            await asyncio.sleep(pause)


async def _set(changed: asyncio.Event) -> None:
    """Wait for a change by this process, or until it is time to check for changes by others."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(changed.wait(), LOOK_AGAIN)


def _allow_open_files() -> None:
    """Raise the soft limit of open files to the hard one: each profile has about seventeen open,
    and the usual limit of 1,024 exists for programs that use `select`."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS rejects its own "unlimited"
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def serve(settings: Settings) -> int:
    """`sam run`: run the Telegram bot until SIGTERM or Ctrl-C. Returns the exit code."""
    from ..telegram.bot import Bot
    from .banner import banner

    share_arenas()
    logs.start(settings)
    _allow_open_files()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with running(settings, sole=True) as sam:
        print("\n".join(await banner(sam.owner)))
        async with Bot(settings, sam.profiles, sam.clock) as bot:
            await sam.jobs.start(sam.profiles, bot.speak)
            code = await bot.code()
            if code is not None:
                print(f"  Nobody is paired yet. Send the bot /pair {code} within ten minutes.")
            sys.stdout.flush()
            pulse = Pulse(
                {"the connection to Telegram": bot.lived_at},
                {"inbox.db": bot.inbox.answers}
                | {f"log.db of {n}": p.memory.log.answers for n, p in sam.profiles.items()},
            )
            async with supervised(supervisor(), pulse, bot.condition, stop):
                await bot.run(stop)
    return 0

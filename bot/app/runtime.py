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
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from memory import OWNER, Clock, DataDir, profile_of, system_clock
from memory.errors import StoreDown
from memory.infra import failpoints, is_locked, keep_returning_memory, share_arenas
from memory.vault import FileEvents

from .. import logs
from ..assistant import Assistant
from ..assistant.profiles import Leased, Profiles, begin, holding, in_background
from ..assistant.scheduler import Jobs
from ..assistant.syncing import SyncGate
from ..claude.budget import Spending
from ..claude.client import Claude
from ..inbox import Inbox, note_outage, served_profiles
from ..metrics import Measures
from ..settings import Settings, supervisor
from .systemd import Pulse, supervise
from .worker import ending, owners_zone, registered

if TYPE_CHECKING:
    from memory import Leases

    from ..telegram.bot import Bot

log = logging.getLogger(__name__)

LOOK_SECONDS = 3.0  # seconds to wait for the first scan before handling messages


@dataclass(slots=True)
class Sam:
    """Everything that runs in a process: the profiles, and the jobs."""

    settings: Settings
    clock: Clock
    profiles: Profiles
    jobs: Jobs
    measures: Measures
    leases: Leases | None
    """Those of one of several workers."""

    @property
    def main(self) -> Assistant:
        """Return the assistant that the chat or the console is for; the owner's in `sam run`."""
        return self.profiles.main


def is_running(settings: Settings) -> bool:
    """Return whether another process runs `sam run`."""
    return is_locked(DataDir(settings.data_dir).run_lock)


async def is_served(settings: Settings, profile: str) -> bool:
    """Return whether another process runs `sam run`, and serves that profile. Raises StoreError."""
    if not is_running(settings):
        return False
    return profile == OWNER or profile in await served_profiles(settings, system_clock)


@asynccontextmanager
async def running(
    settings: Settings, *, sole: bool, profile: str = OWNER, clock: Clock = system_clock
) -> AsyncIterator[Sam]:
    """Open a profile. `sole`: this is `sam run`, for the owner's and all others that are served on
    Telegram; raises LockHeld if one is running.

    The caller, which opens the chat, then starts the profiles with a way to send messages. Raises
    VaultGone, StoreError.
    """
    failpoints.arm(settings.sam_failpoint)
    async with AsyncExitStack() as stack:
        leases: Leases | None = None
        beside = not sole and await is_served(settings, profile)
        if sole:
            assert profile == OWNER, "`sam run` serves all profiles"
            leases = await stack.enter_async_context(registered(settings))
        names = await served_profiles(settings, clock) if sole else (profile,)

        def others_turn() -> bool:
            # Of a profile that is not the owner's, what another process serves is known since now.
            return not sole and (beside or profile == OWNER) and is_running(settings)

        measures = Measures()
        jobs = Jobs(settings, clock, others_turn=others_turn, measures=measures)
        gate, files = SyncGate(), FileEvents()
        spending = Spending(settings, clock, partial(owners_zone, settings)) if leases else None

        async def make(name: str, stack: AsyncExitStack) -> tuple[Assistant, asyncio.Event]:
            opened = await Assistant.open(
                settings,
                stack,
                clock=clock,
                poke=partial(jobs.poke, profile=name),
                name=name,
                sole=not beside,
                spending=spending or (None if name == profile else profiles.main.budget.spending),
                gate=gate,
                hold=partial(holding, leases, profiles) if leases else contextlib.nullcontext,
                measures=measures,
            )
            return opened, begin(stack, opened, files, alone=not beside)

        profiles = Profiles(
            names,
            lambda name: profile_of(settings, name).vault,
            make,
            jobs,
            clock,
            idle=settings.profile_idle_minutes * 60,
            files=files,
            closed=Leased(leases, lambda: profiles.names) if leases is not None else None,
        )
        stack.push_async_callback(profiles.close)
        if leases is None:
            await _open_main(stack, profiles)
        else:
            await leases.plan(names)
        in_background(stack, partial(_warm, settings), "warm")
        in_background(stack, keep_returning_memory, "memory")
        stack.push_async_callback(jobs.close)
        yield Sam(settings, clock, profiles, jobs, measures, leases)
        log.info("closing")


async def _open_main(stack: AsyncExitStack, profiles: Profiles) -> None:
    scanned = await profiles.open_main()
    with contextlib.suppress(TimeoutError):
        # The first question should find the vault's notes, but do not wait for a huge vault.
        async with asyncio.timeout(LOOK_SECONDS):
            await scanned.wait()


async def _warm(settings: Settings) -> None:
    """Import in advance what the first turn needs.

    Then freeze all objects: otherwise garbage collection would scan them again and again, 0.1
    seconds each time, in the middle of a turn.
    """
    if settings.has_model:
        await Claude.warm()
    gc.collect()
    gc.freeze()


def _allow_open_files() -> None:
    """Raise the soft limit of open files to the hard one: an open profile has about ten, and the
    usual limit of 1,024 is meant for programs that use `select`."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS rejects its own "unlimited"
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@asynccontextmanager
async def _noting_outages(settings: Settings) -> AsyncIterator[None]:
    """Keep when the database stopped answering, if it ends the process: the next one reports it."""
    try:
        yield
    except StoreDown:
        if Inbox.exists(settings):
            note_outage(DataDir(settings.data_dir).outage, system_clock())
        raise


@asynccontextmanager
async def _monitored(sam: Sam, bot: Bot, pulse: Pulse) -> AsyncIterator[None]:
    """Serve /metrics, /healthz and /readyz within this context, if METRICS_ADDRESS is set."""
    if not sam.settings.metrics_address:
        yield
        return
    from .. import listener
    from ..metrics.endpoints import endpoints

    where = listener.listen(*listener.address(sam.settings.metrics_address), "set METRICS_ADDRESS")
    app = endpoints(
        bot.inbox,
        sam.measures,
        sam.clock,
        open_profiles=lambda: len(sam.profiles.open),
        stalled=pulse.stalled,
        connected=bot.connected.is_set,
    )
    async with listener.serving(app, where):
        yield


async def serve(settings: Settings) -> int:
    """`sam run`: run the Telegram bot until SIGTERM or Ctrl-C. Returns the exit code."""
    from ..telegram.bot import Bot
    from .banner import banner, worker_banner

    share_arenas()
    logs.start(settings)
    _allow_open_files()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    while not stop.is_set():  # a worker that lost its leases starts over
        async with (
            _noting_outages(settings),
            running(settings, sole=True) as sam,
            ending(stop, sam.leases) as ends,
            Bot(settings, sam.profiles, sam.clock, sam.leases) as bot,
        ):
            lines = await banner(sam.main) if sam.leases is None else worker_banner(settings)
            print("\n".join(lines))
            await sam.profiles.start(bot.speak)
            code = await bot.code()
            if code is not None:
                print(f"  Nobody is paired yet. Send the bot /pair {code} within ten minutes.")
            sys.stdout.flush()
            pulse = _pulse(sam, bot)
            async with (
                _monitored(sam, bot, pulse),
                supervise(supervisor(), pulse, bot.condition, ends),
            ):
                await bot.run(ends)
    return 0


def _pulse(sam: Sam, bot: Bot) -> Pulse:
    return Pulse(
        {"the connection to Telegram": bot.lived_at},
        lambda: (
            {"inbox.db": bot.inbox.wait_for_writes}
            | {f"log.db of {n}": p.memory.log.wait_for_writes for n, p in sam.profiles.open.items()}
        ),
    )

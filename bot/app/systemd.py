"""What Sam tells systemd: that it is ready, that it lives, and what troubles it.

It speaks the protocol of sd_notify(3), a datagram of lines. What is to show life is handed to it.
Without systemd nothing is told, and nothing is different.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from ..settings import Supervisor

log = logging.getLogger(__name__)

STALE = 180.0  # seconds without life, after which a restart is the only help
SHARE = 3  # systemd's patience is divided by it: a message that is late costs nothing

Life = Callable[[], float]
"""Loop time at which something was seen to live."""
Probe = Callable[[], Awaitable[None]]
"""Returns when a thread has answered; StoreError when it was closed."""


def tell(supervisor: Supervisor, *lines: str) -> None:
    """Send it; whether anybody listens makes no difference to Sam."""
    if not supervisor.notify_socket:
        return
    address = supervisor.notify_socket
    if address.startswith("@"):  # an abstract one
        address = "\0" + address[1:]
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out,
    ):
        out.setblocking(False)  # a manager that does not read must not stop the loop
        out.sendto("\n".join(lines).encode("utf-8"), address)


class Pulse:
    """Whether all that has to live does: the loop that polls, and the threads that write.

    `lives` says when something was last seen alive, a probe asks it. Nothing here waits: a probe
    that is not answered is looked at again the next time.
    """

    def __init__(self, lives: Mapping[str, Life], probes: Mapping[str, Probe]) -> None:
        self._lives, self._probes = lives, probes
        now = asyncio.get_running_loop().time()
        self._answered = dict.fromkeys(probes, now)
        self._asked: dict[str, asyncio.Future[None]] = {}

    def hangs(self, stale: float = STALE) -> list[str]:
        """The names of what has shown no life for `stale` seconds."""
        now = asyncio.get_running_loop().time()
        for name, probe in self._probes.items():
            asked = self._asked.get(name)
            if asked is None or asked.done():
                if asked is not None:
                    # A store that cannot be written answers with an error: its thread lives.
                    asked.exception()
                    self._answered[name] = now
                self._asked[name] = asyncio.ensure_future(probe())
        seen = {name: life() for name, life in self._lives.items()} | self._answered
        return [name for name, at in seen.items() if now - at > stale]

    def close(self) -> None:
        """Ask nothing more."""
        for asked in self._asked.values():
            asked.cancel()


@asynccontextmanager
async def supervised(
    supervisor: Supervisor,
    pulse: Pulse,
    status: Callable[[], str],
    stop: asyncio.Event,
    *,
    stale: float = STALE,
) -> AsyncIterator[None]:
    """Say that Sam is ready; feed the watchdog as long as all lives; say when Sam is stopping.

    What is being drained after `stop` has systemd's stop timeout, and is fed without a look.
    """
    told: list[str] = []

    async def feed() -> None:
        while True:
            hanging = [] if stop.is_set() else pulse.hangs(stale)
            if hanging != told:
                told[:] = hanging
                if hanging:
                    log.error("no life for %.0f seconds: %s", stale, ", ".join(hanging))
            state = "STOPPING=1" if stop.is_set() else f"STATUS={status()}"
            tell(supervisor, state, *(() if hanging else ("WATCHDOG=1",)))
            pause = (supervisor.watchdog_seconds or SHARE * 10.0) / SHARE
            with contextlib.suppress(TimeoutError):
                if stop.is_set():
                    await asyncio.sleep(pause)
                else:
                    await asyncio.wait_for(stop.wait(), pause)

    tell(supervisor, "READY=1")
    feeding = asyncio.create_task(feed(), name="watchdog") if supervisor.notify_socket else None
    try:
        yield
    finally:
        tell(supervisor, "STOPPING=1")
        if feeding is not None:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
        pulse.close()

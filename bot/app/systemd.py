"""Notify systemd of readiness, liveness and status.

It uses the protocol of sd_notify(3), a datagram of lines. The caller passes the liveness checks.
Without systemd everything is a no-op.
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

STALE = 180.0  # seconds without activity after which only a restart helps
SHARE = 3  # messages per timeout of systemd's watchdog, so that a late one does no harm

Life = Callable[[], float]
"""Returns the loop time of the last activity."""
Probe = Callable[[], Awaitable[None]]
"""Returns once a thread has responded. Raises StoreError if it was closed."""


def notify(supervisor: Supervisor, *lines: str) -> None:
    """Send the lines; errors are ignored."""
    if not supervisor.notify_socket:
        return
    address = supervisor.notify_socket
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out,
    ):
        out.setblocking(False)  # a manager that does not read must not block the event loop
        out.sendto("\n".join(lines).encode("utf-8"), address)


class Pulse:
    """Liveness of the polling loop and of the databases' writes.

    `lives` returns the time of the last activity; a probe requests a response. It never blocks: an
    unanswered probe is checked again the next time.
    """

    def __init__(
        self, lives: Mapping[str, Life], probes: Callable[[], Mapping[str, Probe]]
    ) -> None:
        """`probes` returns those of the databases that are open now."""
        self._lives, self._probes = lives, probes
        self._answered: dict[str, float] = {}
        self._asked: dict[str, asyncio.Future[None]] = {}

    def stalled(self, stale: float = STALE) -> list[str]:
        """Return the names of everything without activity for `stale` seconds."""
        now, probes = asyncio.get_running_loop().time(), self._probes()
        for name in self._asked.keys() - probes.keys():  # it was closed meanwhile
            self._asked.pop(name).cancel()
        self._answered = {name: self._answered.get(name, now) for name in probes}
        for name, probe in probes.items():
            asked = self._asked.get(name)
            if asked is None or asked.done():
                if asked is not None:
                    # A store that cannot be written responds with an error: its thread is alive.
                    asked.exception()
                    self._answered[name] = now
                self._asked[name] = asked = asyncio.ensure_future(probe())
                asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        seen = {name: life() for name, life in self._lives.items()} | self._answered
        return [name for name, at in seen.items() if now - at > stale]

    def close(self) -> None:
        """Cancel the probes."""
        for asked in self._asked.values():
            asked.cancel()


@asynccontextmanager
async def supervise(
    supervisor: Supervisor,
    pulse: Pulse,
    status: Callable[[], str],
    stop: asyncio.Event,
    *,
    stale: float = STALE,
) -> AsyncIterator[None]:
    """Report readiness, feed the watchdog while everything is alive, and report stopping.

    After `stop` the watchdog is fed without checks: systemd's stop timeout limits the shutdown.
    """
    reported: list[str] = []

    async def feed() -> None:
        while True:
            hanging = [] if stop.is_set() else pulse.stalled(stale)
            if hanging != reported:
                reported[:] = hanging
                if hanging:
                    log.error("no life for %.0f seconds: %s", stale, ", ".join(hanging))
            state = "STOPPING=1" if stop.is_set() else f"STATUS={status()}"
            notify(supervisor, state, *(() if hanging else ("WATCHDOG=1",)))
            pause = (supervisor.watchdog_seconds or SHARE * 10.0) / SHARE
            if stop.is_set():
                await asyncio.sleep(pause)
            else:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await stop.wait()

    notify(supervisor, "READY=1")
    feeding = asyncio.create_task(feed(), name="watchdog") if supervisor.notify_socket else None
    try:
        yield
    finally:
        notify(supervisor, "STOPPING=1")
        if feeding is not None:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
        pulse.close()

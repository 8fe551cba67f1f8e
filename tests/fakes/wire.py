"""Run one fake's HTTP server on a free loopback port.

with Running(fake) as fake: ...          # in its own thread, for another process or sync code
async with Running(fake) as fake: ...    # in the running loop
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from aiohttp import web


class Fake(Protocol):
    port: int

    def app(self) -> web.Application: ...

    def check(self) -> None: ...


F = TypeVar("F", bound=Fake)


class Running(Generic[F]):
    """Serve `fake.app()` for the block; sets `fake.port` (0: any free port).

    A block that ends without an exception calls `fake.check()`, which raises script errors.
    """

    def __init__(self, fake: F) -> None:
        self._fake = fake
        self._ready = threading.Event()
        self._failure: BaseException | None = None

    async def _start(self) -> None:
        self._runner = web.AppRunner(
            self._fake.app(), access_log=None, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        # our own listening socket, so that the port is known and can be reused at once
        listener = socket.create_server(("127.0.0.1", self._fake.port), backlog=1024)
        self._fake.port = listener.getsockname()[1]
        await web.SockSite(self._runner, listener).start()

    async def __aenter__(self) -> F:
        await self._start()
        return self._fake

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()
        if error is None:
            self._fake.check()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._leave = asyncio.Event()
        try:
            await self._start()
        except BaseException as error:
            self._failure = error
            return
        finally:
            self._ready.set()
        await self._leave.wait()
        await self._runner.cleanup()

    def __enter__(self) -> F:
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve()), name=type(self._fake).__name__, daemon=True
        )
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self._fake

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join(10)
        if error is None:
            self._fake.check()


def hang_up(request: web.Request, *, reset: bool = False) -> web.Response:
    """Drop the connection after writing what is buffered: a plain close, or a reset."""
    transport = request.transport
    if transport is not None and reset:
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    elif transport is not None:
        transport.close()
    return web.Response()


class Counted:
    """A fault that applies to `times` requests, or to all (None)."""

    def __init__(self, times: int | None) -> None:
        self.left = times

    @property
    def over(self) -> bool:
        return self.left == 0

    def take(self) -> Self:
        if self.left is not None:
            self.left -= 1
        return self

    def give_back(self) -> None:
        if self.left is not None:
            self.left += 1

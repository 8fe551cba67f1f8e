"""Listen on an address, and serve an application there until SIGTERM or Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from memory import ConfigError

THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
CLOSING = 5  # seconds for requests at the end


class _Server(uvicorn.Server):
    """uvicorn raises the signal that ended it once more, before our stores are closed: this one
    leaves signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    app: ASGIApp, listening: socket.socket, says: str, *, lifespan: Literal["on", "off"] = "off"
) -> None:
    """Print `says`, and serve until SIGTERM or Ctrl-C. `lifespan`: whether the application has
    tasks to start and stop."""
    server = _server(app, lifespan)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, setattr, server, "should_exit", True)
    print(says, flush=True)  # not before: a signal that comes now ends it in order
    await server.serve([listening])


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """Serve within this context, beside what else the process does."""
    server = _server(app, "off")
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await task


def _server(app: ASGIApp, lifespan: Literal["on", "off"]) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan=lifespan,
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=CLOSING,
        )
    )


def address(text: str) -> tuple[str, int]:
    """Parse `HOST:PORT`; for `:PORT` or `PORT` the host is 127.0.0.1. Raises ConfigError."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise ConfigError([f"{text!r} is not a HOST:PORT like 127.0.0.1:8766"])
    return host.strip("[]") or "127.0.0.1", int(port)


def listen(host: str, port: int, fix: str) -> socket.socket:
    """Return a socket that listens there. Raises ConfigError, with `fix` as its advice."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as why:
        reason = str(why.strerror).partition(" (while")[0]  # `create_server` adds the address
        raise ConfigError(
            [f"{_netloc(host, port)} cannot be used to listen ({reason}): {fix}"]
        ) from why


def home_url(host: str, port: int, url: str) -> str:
    """Return the URL to open; `url`: the proxy's, or ""."""
    return url or f"http://{_netloc('127.0.0.1' if is_any(host) else host, port)}"


def origins(host: str, port: int, url: str) -> frozenset[str]:
    """Return every origin (scheme, host and port) by which a browser may reach it."""
    hosts = {*THIS_MACHINE, *([] if is_any(host) else [host])}
    found = {f"http://{_netloc(each, port)}" for each in hosts}
    if port == 80:
        found |= {each.removesuffix(":80") for each in found}
    return frozenset({*found, *filter(None, [url])})


def is_any(host: str) -> bool:
    """Return whether that address stands for all of this machine's: 0.0.0.0 or ::."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _netloc(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}".lower()

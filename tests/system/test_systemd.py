"""What a real `sam run` reports to systemd, and when it stops feeding the watchdog."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.systemd import Pulse, supervise
from bot.settings import Supervisor
from memory.infra.clock import system_clock
from memory.log import Log
from tests.fakes.telegram import FakeTelegram
from tests.support.process import Sam, wait_until


class Manager:
    """The receiving end of NOTIFY_SOCKET: records the messages in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)
        self._told: list[str] = []

    def told(self) -> list[str]:
        """Return all lines so far."""
        while True:
            try:
                self._told += self._socket.recv(4096).decode().split("\n")
            except BlockingIOError:
                return self._told

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path / "notify")
    yield made
    made.close()


def test_sam_says_that_it_is_ready_lives_and_stops(tmp_path: Path, manager: Manager) -> None:
    with FakeTelegram.running() as telegram:
        sam = Sam(tmp_path, **telegram.env, EMBEDDING_PROVIDER="none")
        sam.start(NOTIFY_SOCKET=str(manager.path), WATCHDOG_USEC="1500000")
        try:
            wait_until(lambda: manager.told().count("WATCHDOG=1") > 3, "a sign of life")
            told = manager.told()
            assert told[0] == "READY=1"
            wait_until(lambda: "STATUS=talking as @sam_the_bot" in manager.told(), "its status")
            assert "STOPPING=1" not in told
        finally:
            assert sam.stop() == 0, sam.story()
        assert manager.told()[-1] == "STOPPING=1"


def test_a_network_that_is_down_is_told_and_is_no_reason_for_a_restart(
    tmp_path: Path, manager: Manager
) -> None:
    with FakeTelegram.running() as telegram:
        given = dict(telegram.env)
    sam = Sam(tmp_path, **given, EMBEDDING_PROVIDER="none")  # nothing listens there any more
    sam.start(NOTIFY_SOCKET=str(manager.path), WATCHDOG_USEC="1500000")
    try:
        wait_until(
            lambda: any("does not answer" in row for row in manager.told()), "that it is down"
        )
        seen = manager.told().count("WATCHDOG=1")
        wait_until(lambda: manager.told().count("WATCHDOG=1") > seen + 2, "a sign of life")
    finally:
        assert sam.stop() == 0, sam.story()


async def test_a_thread_that_hangs_is_noticed_and_a_store_that_fails_is_not_a_hang(
    tmp_path: Path,
) -> None:
    log = await Log.open(tmp_path / "log.db", system_clock)
    loop = asyncio.get_running_loop()
    pulse = Pulse({}, lambda: {"log.db": log.wait_for_writes})
    assert pulse.stalled(0.5) == []
    hang = threading.Event()
    writing = asyncio.create_task(log._db.maintain(lambda _: hang.wait(60)))
    await asyncio.sleep(0)
    began = loop.time()
    while not pulse.stalled(0.5):
        await asyncio.sleep(0.05)
        assert loop.time() - began < 30
    hang.set()
    await writing
    while pulse.stalled(0.5):
        await asyncio.sleep(0.05)
        assert loop.time() - began < 30
    await log.close()
    await asyncio.sleep(0.7)
    pulse.stalled(0.5)
    await asyncio.sleep(0.1)
    assert pulse.stalled(0.5) == []  # it reports that it is closed, which counts as an answer
    pulse.close()


async def test_a_loop_that_does_not_turn_is_fed_no_longer(tmp_path: Path, manager: Manager) -> None:
    loop = asyncio.get_running_loop()
    lived = [loop.time()]
    pulse, stop = Pulse({"polling": lambda: lived[0]}, dict), asyncio.Event()
    given = Supervisor(str(manager.path), 0.3)

    async def until(true: object) -> None:
        async with asyncio.timeout(60):
            while not true():  # type: ignore[operator]
                lived[0] = loop.time() if turning else lived[0]
                await asyncio.sleep(0.02)

    turning = True
    async with supervise(given, pulse, lambda: "well", stop, stale=1.0):
        await until(lambda: manager.told().count("WATCHDOG=1") > 12)  # longer than `stale`
        turning = False
        await until(lambda: loop.time() - lived[0] > 1.5)
        fed = manager.told().count("WATCHDOG=1")
        told = len(manager.told())
        await until(lambda: len(manager.told()) > told + 4)
        assert manager.told().count("WATCHDOG=1") == fed
        stop.set()  # draining is limited by the stop timeout
        await until(lambda: manager.told().count("WATCHDOG=1") > fed)
    assert manager.told()[-1] == "STOPPING=1"

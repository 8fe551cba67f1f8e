"""`free_port` draws ports that no other test draws, and no connection takes."""

from __future__ import annotations

import itertools
import socket
from pathlib import Path

import pytest

from tests.support import process
from tests.support.process import PORT_PARTS, PORTS, free_port

FOR_CONNECTIONS = Path("/proc/sys/net/ipv4/ip_local_port_range")


def drawn(monkeypatch: pytest.MonkeyPatch, worker: str, count: int = 100) -> set[int]:
    """Return the first ports that a worker draws, begun as in any other one."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
    monkeypatch.setattr(process, "_drawn", itertools.count())
    ports = [free_port() for _ in range(count)]
    assert len(set(ports)) == count and set(ports) <= set(PORTS)
    return set(ports)


def test_no_two_workers_draw_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not drawn(monkeypatch, "gw0") & drawn(monkeypatch, "gw1")


def test_a_port_in_use_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw2")
    every = set(PORTS[2::PORT_PARTS])
    free = min(every)
    with pytest.MonkeyPatch.context() as patch:
        real = socket.create_server

        def taken(address: tuple[str, int]) -> socket.socket:
            if address[1] != free:
                raise OSError(98, "in use")
            return real(address)

        patch.setattr(socket, "create_server", taken)
        assert free_port() == free


@pytest.mark.skipif(not FOR_CONNECTIONS.exists(), reason="the range is read as on Linux")
def test_the_system_gives_them_to_no_connection() -> None:
    first = int(FOR_CONNECTIONS.read_text().split()[0])
    if first < PORTS.stop:
        pytest.skip(f"this system takes ports from {first} for connections")
    with socket.create_server(("127.0.0.1", 0)) as given:
        assert given.getsockname()[1] not in PORTS

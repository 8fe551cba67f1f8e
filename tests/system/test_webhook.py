"""Telegram delivers updates to real `sam run` processes: alone, and as several workers."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.support.postgres import Cluster
from tests.support.process import free_port, wait_until
from tests.support.workers import Workers
from tests.support.world import World

# More than a worker takes in one look: the first may look before the second has registered.
MANY = {1001: "owner", **{3000 + number: f"guest{number}" for number in range(1, 25)}}


def webhook(port: int) -> dict[str, str]:
    """Return the settings of a webhook, and of an address for it without a proxy."""
    return {"WEBHOOK_URL": f"http://127.0.0.1:{port}", "WEBHOOK_PORT": str(port)}


def test_updates_come_by_a_webhook(tmp_path: Path) -> None:
    port = free_port()
    with World.running(tmp_path, **webhook(port)) as world:
        world.sam.start()
        world.asks("hello", "and again")
        assert not any(each.method == "getUpdates" for each in world.telegram.requests)
        for secret in ("", "wrong", "é"):
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/telegram",
                data=b"{}",
                headers={"X-Telegram-Bot-Api-Secret-Token": secret},
            )
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request)
            assert refused.value.code == 403
        world.sam.kill()
        world.sends("while it is down")
        world.sam.start()
        world.see_answered("while it is down")
        world.check()


def test_two_workers_behind_one_address_lose_nothing(tmp_path: Path, postgres: Cluster) -> None:
    ports = [free_port(), free_port()]
    with Workers.running(tmp_path, postgres, started=False, people=MANY) as workers:
        for worker, port in zip(workers.all, ports, strict=True):
            worker.env |= webhook(ports[0]) | {"WEBHOOK_PORT": str(port)}
            worker.start()
        workers.see_ready()
        for user in MANY:
            workers.sends(user, f"hello from {user}")
        workers.see_answered()
        assert {workers.holder(name) for name in MANY.values()} == set(workers.all), (
            "the first one receives everything, and each handles some"
        )
        before = len(workers.telegram.deliveries)
        postgres.stop()
        workers.sends(3001, "the database is away")
        wait_until(
            lambda: 503 in workers.telegram.deliveries[before:], "the webhook refuses it", nap=0.1
        )
        assert workers.telegram.pending
        postgres.start()
        workers.see_answered(timeout=120)
        workers.check()

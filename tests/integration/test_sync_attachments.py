"""Sync of files that are too large to be fetched again for a comparison."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.sync import push
from tests.support.synced import World

LARGE = b"%PDF" + bytes(push._LARGE)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    config = tmp_path / "rclone.conf"
    config.touch()
    monkeypatch.setenv("RCLONE_CONFIG", str(config))
    return World(tmp_path)


def settle() -> None:
    """Wait until the vault's files are no longer of the present tick of the clock: only then their
    sizes are known without reading them."""
    time.sleep(0.15)


async def test_a_large_new_file_is_sent(world: World) -> None:
    await world.begun()
    world.here("report.pdf", LARGE)
    settle()
    done = await world.sync.run()
    assert (done.pushed, done.left) == (["report.pdf"], [])
    world.same()


async def test_a_large_file_of_the_first_sync_is_sent(world: World) -> None:
    world.here("report.pdf", LARGE)
    settle()
    done = await world.sync.run()
    assert (done.pushed, done.left) == (["report.pdf"], [])
    world.same()


async def test_a_large_file_that_another_device_adds_meanwhile_is_not_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun()
    world.here("report.pdf", LARGE)
    settle()
    copy = push._copy

    def late(*given: object) -> bool:
        world.there("report.pdf", LARGE[::-1])
        return copy(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(push, "_copy", late)
    done = await world.sync.run()
    assert (world.far / "report.pdf").read_bytes() == LARGE[::-1]
    assert not done.pushed

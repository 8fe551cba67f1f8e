"""Sync with a remote that refuses single files: here rclone's encryption, whose names are longer
than the file system allows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.errors import RemoteFailed
from bot.sync import push, rclone
from bot.sync.remote import Remote
from tests.support.synced import World

TOO_LONG = f"{'x' * 200}.md"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    config = tmp_path / "rclone.conf"
    done = subprocess.run([rclone.find(), "obscure", "secret"], capture_output=True, text=True)
    config.write_text(
        f"[encrypted]\ntype = crypt\nremote = {tmp_path / 'far'}\npassword = {done.stdout}"
    )
    monkeypatch.setenv("RCLONE_CONFIG", str(config))
    return World(tmp_path, "encrypted:")


async def names_there(world: World, tmp_path: Path) -> set[str]:
    remote = Remote(world.remote, rclone.Rclone(tmp_path / "lock"), tmp_path / "staging")
    return {file.path for file in await remote.list()}


async def test_a_file_that_the_remote_refuses_holds_nothing_up(
    world: World, tmp_path: Path
) -> None:
    """Neither at the first sync, when it is one of many, nor when the others change later."""
    world.here(TOO_LONG, "long\n")
    others = {f"{number}.md" for number in range(5)}
    for name in others:
        world.here(name, f"{name}\n")
    done = await world.sync.run()
    assert (set(done.pushed), done.unsynced, done.left) == (others, [TOO_LONG], [])
    assert await names_there(world, tmp_path) == others
    status = world.sync.status()
    assert (status.unsynced, status.last_error, status.lag) == ((TOO_LONG,), "", 1)
    world.here("0.md", "changed\n")
    world.here("later.md", "later\n")
    done = await world.sync.run()
    assert (sorted(done.pushed), done.unsynced) == (["0.md", "later.md"], [TOO_LONG])
    (world.vault.root / TOO_LONG).rename(world.vault.root / "short.md")
    assert (await world.sync.run()).pushed == ["short.md"]
    assert not world.sync.status().unsynced


async def test_a_remote_that_refuses_everything_is_an_error(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "MOST_REFUSED", 2)
    for number in range(5):
        world.here(f"{number}{TOO_LONG}", "long\n")
    with pytest.raises(RemoteFailed, match="file name too long"):
        await world.sync.run()
    assert "file name too long" in world.sync.status().last_error


def spoil(far: Path) -> None:
    """Damage each file of the encrypted remote: it is listed, and cannot be read."""
    for file in filter(Path.is_file, far.rglob("*")):
        file.write_text("damaged")


async def test_a_file_that_the_remote_does_not_give_holds_nothing_up(
    world: World, tmp_path: Path
) -> None:
    world.here("a.md", "a\n")
    await world.sync.run()
    spoil(world.far)
    world.here("b.md", "b\n")
    done = await world.sync.run()
    assert (done.pushed, done.unsynced, done.archived) == (["b.md"], ["a.md"], [])
    assert (world.vault.root / "a.md").read_text() == "a\n"
    assert world.sync.status().unsynced == ("a.md",)
    (world.vault.root / "a.md").rename(world.vault.root / "c.md")
    assert (await world.sync.run()).pushed == ["c.md"]
    assert {"b.md", "c.md"} <= await names_there(world, tmp_path)


async def test_a_remote_that_gives_nothing_is_an_error(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sync.remote.MOST_REFUSED", 2)
    for number in range(4):
        world.here(f"{number}.md", "text\n")
    await world.sync.run()
    spoil(world.far)
    with pytest.raises(RemoteFailed, match="too short to be encrypted"):
        await world.sync.run()
    assert len(list(world.vault.root.iterdir())) == 4

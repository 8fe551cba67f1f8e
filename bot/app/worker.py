"""This process as one of several workers: its locks, its name, and its registration."""

from __future__ import annotations

import asyncio
import fcntl
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from memory import ConfigError, DataDir, LockHeld, Vault, VaultError, profile_of, zone_of
from memory.infra import RunLock, atomic_files

from ..settings import Settings

if TYPE_CHECKING:
    from memory import Leases

LOCK_SECONDS = 2.0  # a terminal chat takes run.lock briefly once a minute


async def acquire(lock: RunLock) -> RunLock:
    """Take the lock. Raises LockHeld after LOCK_SECONDS."""
    deadline = asyncio.get_running_loop().time() + LOCK_SECONDS
    while True:
        try:
            lock.acquire()
            return lock
        except LockHeld:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.1)


@asynccontextmanager
async def registered(settings: Settings) -> AsyncIterator[Leases | None]:
    """Hold `run.lock`; as one of several workers (CACHE_DIR) hold it together with the others, and
    provide this one's leases. Raises LockHeld, StoreError."""
    shared, own, url = settings.data_dir, settings.cache_dir, settings.database_url
    async with AsyncExitStack() as stack:
        if own is None or url is None:
            stack.callback((await acquire(RunLock(DataDir(shared).run_lock))).release)
            yield None
            return
        from memory import Leases  # this imports psycopg

        stack.callback((await acquire(RunLock(DataDir(own).run_lock))).release)
        lock = RunLock(DataDir(shared).run_lock, fcntl.LOCK_SH)
        stack.callback((await acquire(lock)).release)
        leases = await Leases.open(url.get_secret_value(), name=_name(own / "worker"))
        stack.push_async_callback(leases.close)
        yield leases


def _name(file: Path) -> str:
    """Return the name of this worker, the same at each start with this folder."""
    try:
        if not file.exists():
            atomic_files.write(file, f"{secrets.token_hex(8)}\n".encode())
        return file.read_text("ascii").strip()
    except OSError as wrong:
        raise ConfigError([f"CACHE_DIR: {file} cannot be written ({wrong.strerror})"]) from wrong


def owners_zone(settings: Settings) -> tzinfo:
    """Return the owner's time zone, whichever worker serves them."""
    owner = profile_of(settings)
    vault = Vault(owner.vault, sam_dir=settings.sam_dir, data_dir=owner.data)
    try:
        return zone_of(settings, vault.load_optional(vault.own("user.md")))
    except VaultError:
        return zone_of(settings, None)


@asynccontextmanager
async def ending(stop: asyncio.Event, leases: Leases | None) -> AsyncIterator[asyncio.Event]:
    """Provide the event that ends this run of the bot: `stop`, or the loss of the registration."""
    if leases is None:
        yield stop
        return
    ends = asyncio.Event()

    async def after(event: asyncio.Event) -> None:
        await event.wait()
        ends.set()

    tasks = [asyncio.create_task(after(event)) for event in (stop, leases.lost)]
    try:
        yield ends
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

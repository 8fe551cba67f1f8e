"""Locks between processes: flocks on files of the data folder.

Several locks are taken in this order: run.lock, batch.lock, vault.lock, index.lock,
spending.lock. A lock is
never inherited by a program that is started (close-on-exec), and never outlives its process.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import threading
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..errors import LockHeld, StoreError, StoreFull

T = TypeVar("T")

_LONGEST_NAP = 0.02  # seconds between two attempts at a lock that another process owns

_NAPS = 5  # that RunLock waits: `is_locked` may hold the lock for a moment

_inside: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = WeakKeyDictionary()


@asynccontextmanager
async def locked(path: Path, *, timeout: float = 10.0) -> AsyncIterator[None]:
    """Own that lock within this context. Raises LockHeld after `timeout` seconds. Not re-entrant.

    Within one process the waiters queue in order, so that a single thread polls for each lock.
    """
    queue = _inside.setdefault(asyncio.get_running_loop(), {}).setdefault(
        str(path.absolute()), asyncio.Lock()
    )
    deadline = time.monotonic() + timeout
    try:
        async with asyncio.timeout(timeout):
            await queue.acquire()
    except TimeoutError:
        raise _refusal(path) from None
    try:
        descriptor = await _take(path, deadline)
        try:
            yield
        finally:
            os.close(descriptor)
    finally:
        queue.release()


async def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Await `work` to its end even if cancelled in the meantime; then raise the cancellation.

    For work in a thread under a lock, which must not be released while the thread still writes.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as interruption:
            cancelled = interruption
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # retrieved, or asyncio warns that it never was
        raise cancelled
    return task.result()


class RunLock:
    """The lock of `sam run`, for the life of the process. The file contains the owner's process
    id. `kind`: fcntl.LOCK_SH for one of several workers, which hold it together."""

    def __init__(self, path: Path, kind: int = fcntl.LOCK_EX) -> None:
        self.path, self._kind = path, kind
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock, or raise LockHeld after a tenth of a second."""
        if self._descriptor is not None:
            return
        descriptor = _open(self.path)
        if not self._try_patiently(descriptor):
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            process = f" (process {holder})" if holder else ""
            raise LockHeld(f"Sam is running already{process}: stop that one first.")
        try:
            os.ftruncate(descriptor, 0)
            if self._kind == fcntl.LOCK_EX:
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        except OSError as error:
            os.close(descriptor)
            raise _unwritable(self.path, error) from error
        self._descriptor = descriptor

    def _try_patiently(self, descriptor: int) -> bool:
        for _ in range(_NAPS):
            if _try(descriptor, self.path, self._kind):
                return True
            time.sleep(_LONGEST_NAP)
        return _try(descriptor, self.path, self._kind)

    def release(self) -> None:
        """Release the lock, if this object owns it."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> RunLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def is_locked(path: Path) -> bool:
    """Return whether a process owns that RunLock."""
    try:
        with RunLock(path):
            return False
    except LockHeld:
        return True


async def _take(path: Path, deadline: float) -> int:
    """Return the open, locked descriptor. A cancelled wait leaves neither thread nor lock
    behind."""
    descriptor = _open(path)
    try:
        if _try(descriptor, path):  # nearly always free: no thread is needed
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    stop = threading.Event()
    future = asyncio.get_running_loop().run_in_executor(
        None, _poll, descriptor, path, deadline, stop
    )
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        stop.set()
        future.add_done_callback(_drop)
        raise


def _drop(future: asyncio.Future[int]) -> None:
    if not future.cancelled() and future.exception() is None:
        os.close(future.result())


def _poll(descriptor: int, path: Path, deadline: float, stop: threading.Event) -> int:
    nap = 0.001
    try:
        # a blocking flock cannot be given a timeout, nor be cancelled in a thread
        while time.monotonic() < deadline and not stop.wait(nap):
            if _try(descriptor, path):
                return descriptor
            nap = min(nap * 2, _LONGEST_NAP)
        raise _refusal(path)
    except BaseException:
        os.close(descriptor)
        raise


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"{path} cannot be written, the disk is full: free up space.")
    return StoreError(f"{path} cannot be opened ({error.strerror}): make the data folder writable.")


def _try(descriptor: int, path: Path, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):
            raise StoreError(
                f"{path} cannot be locked ({error.strerror}): put DATA_DIR on a local disk."
            ) from error
        raise
    return True


def _refusal(path: Path) -> LockHeld:
    return LockHeld(f"Another Sam holds {path.name}: try again in a moment.")

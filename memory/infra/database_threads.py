"""Run the work of each database in order, in threads that all databases share."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_THREADS = 8  # of all databases: they wait for disks and locks more than they compute


@functools.cache
def database_threads() -> ThreadPoolExecutor:
    """Return the threads of this process that all databases share."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="database")


# The threads of a process are not in its fork: there they are started again.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=database_threads.cache_clear)


class Lane:
    """Work that runs one after another, first come first served, in any of the shared threads."""

    def __init__(self, threads: Callable[[], ThreadPoolExecutor] = database_threads) -> None:
        self._threads = threads
        self._waiting: deque[Callable[[], None]] = deque()
        self._lock, self._busy = threading.Lock(), False

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` after everything submitted before; return its result."""
        # Shielded: a cancelled turn must not leave a transaction's outcome unknown to its thread.
        done = asyncio.wrap_future(self._submit(work))
        # Retrieve the error: asyncio prints it if the caller was cancelled before.
        done.add_done_callback(lambda each: each.cancelled() or each.exception())
        return await asyncio.shield(done)

    async def ended(self) -> None:
        """Return once everything submitted before has ended."""
        await self.run(lambda: None)

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    result = work()
                except BaseException as wrong:
                    future.set_exception(wrong)
                else:
                    future.set_result(result)

        with self._lock:
            self._waiting.append(run)
            begins, self._busy = not self._busy, True
        if begins:
            self._threads().submit(self._one)
        return future

    def _one(self) -> None:
        """Run the next piece of work; what follows it queues behind the other lanes'."""
        self._waiting.popleft()()
        with self._lock:
            more = self._busy = bool(self._waiting)
        if more:
            try:
                self._threads().submit(self._one)
            except RuntimeError:  # the interpreter is exiting and only waits for this thread
                self._one()

"""Wait for work until a deadline, also where a thread in it hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def within(seconds: float | None, work: Coroutine[Any, Any, T]) -> T:
    """Return what the work returns, or raise TimeoutError after so many seconds; None: no limit.

    A thread that hangs in it cannot be cancelled, and is not waited for.
    """
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done:
        return task.result()
    task.cancel()
    task.add_done_callback(lambda late: late.cancelled() or late.exception())
    raise TimeoutError

"""Return freed heap to the operating system (glibc's malloc_trim); a no-op on other systems.

By default each thread may have its own arena, which keeps the memory that the thread frees. And
once a large block was freed, glibc also takes slightly smaller blocks from an arena, which
fragments it. After a day half of the process' memory is unused.
"""

from __future__ import annotations

import asyncio
from typing import Any

_ARENAS = 2  # for all threads, which mostly wait for the interpreter's lock anyway
_LARGE = (
    1 << 20
)  # bytes; larger blocks are mapped separately and returned as soon as they are freed
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # malloc.h
EVERY = 60.0  # seconds


def share_arenas() -> None:
    """Let all later threads share a few arenas, and map large blocks separately. Call it first."""
    if glibc := _glibc():
        glibc.mallopt(_M_ARENA_MAX, _ARENAS)
        glibc.mallopt(_M_MMAP_THRESHOLD, _LARGE)


async def keep_returning_memory() -> None:
    """Return free memory now and then, until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(return_free_memory)


def return_free_memory() -> None:
    """Return free memory now, after much was read and dropped. Runs in a thread."""
    if glibc := _glibc():
        glibc.malloc_trim(0)


def _glibc() -> Any:
    """Return glibc, or None on another C library."""
    import ctypes  # imported here: short commands do not need it

    try:
        loaded = ctypes.CDLL(None)
    except (OSError, TypeError):  # a static interpreter; Windows
        return None
    return loaded if hasattr(loaded, "malloc_trim") else None

"""Memory that was freed goes back to the system. Of glibc alone; elsewhere nothing happens.

By default each thread may have an arena of its own, and what a thread has freed stays in its arena.
And once something large was freed, what is a little less large comes from an arena too, and leaves
holes there. After a day, half of a process' memory is empty.
"""

from __future__ import annotations

import asyncio
from typing import Any

_ARENAS = 2  # of all threads; they hold the interpreter's lock most of the time anyway
_LARGE = 1 << 20  # bytes that are the system's own, and go back to it as soon as they are freed
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # malloc.h
EVERY = 60.0  # seconds


def share_arenas() -> None:
    """All threads that begin from now on share the few, and what is large lies outside of them.

    Call it first.
    """
    if glibc := _glibc():
        glibc.mallopt(_M_ARENA_MAX, _ARENAS)
        glibc.mallopt(_M_MMAP_THRESHOLD, _LARGE)


async def keep_giving_back() -> None:
    """For as long as a process runs that is asked now and then."""
    while True:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(give_back)


def give_back() -> None:
    """Give back what is free now: after much was read and dropped. For a thread."""
    if glibc := _glibc():
        glibc.malloc_trim(0)


def _glibc() -> Any:
    """None on another C library."""
    import ctypes  # here: a command that is done at once goes without

    try:
        loaded = ctypes.CDLL(None)
    except (OSError, TypeError):  # a static interpreter; Windows
        return None
    return loaded if hasattr(loaded, "malloc_trim") else None

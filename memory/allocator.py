"""Memory that was freed goes back to the system. Of glibc alone; elsewhere nothing happens.

By default each thread may have an arena of its own, and what a thread has freed stays in its arena:
after a day, half of a process' memory is empty.
"""

from __future__ import annotations

from typing import Any

_ARENAS = 2  # of all threads; they hold the interpreter's lock most of the time anyway
_M_ARENA_MAX = -8  # malloc.h


def share_arenas() -> None:
    """All threads that begin from now on share the few; call it first."""
    if glibc := _glibc():
        glibc.mallopt(_M_ARENA_MAX, _ARENAS)


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

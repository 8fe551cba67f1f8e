"""Group the edits that belong together: those of one batch, one turn or one command.

A group is known to everything that runs inside it, tasks and threads too; the outermost counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_group: ContextVar[str] = ContextVar("group", default="")


@contextmanager
def together(name: str = "") -> Iterator[None]:
    """Make the edits inside a group; an outer one stays. Without a name it gets a new one."""
    outer = _group.get()
    if outer:
        yield
        return
    _group.set(name or _new_group())
    try:
        yield
    finally:
        _group.set(outer)


def as_one_change(work: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Make all edits of one call of `work` a group of their own."""

    @wraps(work)
    async def grouped(*args: P.args, **kwargs: P.kwargs) -> R:
        with together():
            return await work(*args, **kwargs)

    return grouped


def group() -> str:
    """Return the name of the present group; a new one if there is none."""
    return _group.get() or _new_group()


def _new_group() -> str:
    """Return a name that no group has."""
    return f"edit {secrets.token_hex(5)}"

"""Group the edits that belong together: those of one batch, one turn or one command.

A group applies to everything that runs inside it, including tasks and threads; the outermost wins.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_group: ContextVar[str] = ContextVar("group", default="")


@contextmanager
def edit_group(name: str = "") -> Iterator[None]:
    """Put the edits inside this context into one group; an outer group takes precedence.

    Without a name the group gets a new one."""
    outer = _group.get()
    if outer:
        yield
        return
    _group.set(name or _new_group())
    try:
        yield
    finally:
        _group.set(outer)


def turn_group(turn_id: int) -> AbstractContextManager[None]:
    """Put the edits inside this context into the group of that turn."""
    return edit_group(f"turn {turn_id}")


def as_one_change(work: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Wrap `work` so that all edits of one call form one group."""

    @wraps(work)
    async def grouped(*args: P.args, **kwargs: P.kwargs) -> R:
        with edit_group():
            return await work(*args, **kwargs)

    return grouped


def current_group() -> str:
    """Return the name of the present group; a new one if there is none."""
    return _group.get() or _new_group()


def _new_group() -> str:
    """Return a name that no group has."""
    return f"edit {secrets.token_hex(5)}"

"""The tools besides memory: one file and one line in TOOLS for each.

A tool is an async function that returns text. The model sees its name, its docstring and the hints
of its arguments.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from .days import days_between

TOOLS: tuple[Callable[..., Awaitable[str]], ...] = (days_between,)

"""What the model may call besides memory: one file a tool, one line in TOOLS.

A tool is an async function that returns text. Its name, its docstring and the hints of its
arguments are all that the model is told about it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from .days import days_between

TOOLS: tuple[Callable[..., Awaitable[str]], ...] = (days_between,)

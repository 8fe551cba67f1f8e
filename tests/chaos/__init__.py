"""Chaos: long runs of random faults against the real process, by seed; see `__main__.py`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Figures = dict[str, int | float | str]

Part = Callable[[int, float, Path], Figures]
"""seed, size (1.0: the whole; CI draws a small share), an empty folder → what is printed.

The same seed and size draw the same. Raises AssertionError, with what is needed to see why.
"""

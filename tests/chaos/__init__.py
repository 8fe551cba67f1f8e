"""Long runs of random faults against the real process, reproducible by seed; see `__main__.py`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Figures = dict[str, int | float | str]

Part = Callable[[int, float, Path], Figures]
"""A part of the run: (seed, size, empty folder) → figures to print.

Size 1.0 is the full run; CI uses a small fraction. The same seed and size draw the same faults.
Raises AssertionError with what is needed to diagnose it.
"""

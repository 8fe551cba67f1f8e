"""Measure in a temporary folder, and print the figures."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path


def show(measure: Callable[[Path], Mapping[str, float]], *, decimals: int, as_json: bool) -> None:
    """Print the figures that `measure` returns for a new folder, one per line or as JSON."""
    with tempfile.TemporaryDirectory(prefix="sam-bench-", ignore_cleanup_errors=True) as folder:
        figures = measure(Path(folder))
    if as_json:
        print(json.dumps(figures))
        return
    for what, figure in figures.items():
        print(
            f"{what}: {figure:.{decimals}f}" if isinstance(figure, float) else f"{what}: {figure}"
        )

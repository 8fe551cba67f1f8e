"""Each regular expression of bot and memory takes about linear time on hostile texts."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from tests.support.expressions import (
    hostile,
    literals,
    methods,
    module_of,
    patterns,
    runner,
)
from tests.support.source import modules, room

SHORT, LONG = 600, 2_400
GROWTH = 9  # growth for a text four times as long: linear is 4, quadratic 16
NOISE = 0.004  # seconds of CPU time that count as noise
BOUNDED = {
    "bot.sync.other_tools": "names of files: 255 bytes at most",
}
"""Modules whose expressions match short texts only, and why these are short."""


def spent(run: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    run(text)
    return time.thread_time() - began


def slow(pattern: re.Pattern[str], used: set[str], of: int = SHORT, to: int = LONG) -> str:
    """Return the hostile text on which the expression takes more than linear time; "" if none."""
    run = runner(pattern, used)
    pairs = zip(hostile(pattern, of), hostile(pattern, to), strict=True)
    for (name, short), (_, long) in pairs:
        if (took := spent(run, long)) > NOISE:
            # If the first run looks bad, take the best of three.
            ratio = min(spent(run, long) for _ in range(3)) / max(
                min(spent(run, short) for _ in range(3)), NOISE / 100
            )
            if ratio > GROWTH:
                return f"{name}: {took:.3f} s, {ratio:.0f} times as long"
    return ""


@pytest.mark.parametrize("package", sorted({room(module) for module in modules()}))
def test_an_expression_takes_linear_time(package: str) -> None:
    found = {
        where: why
        for where, pattern in patterns().items()
        if room(module_of(where)) == package and module_of(where) not in BOUNDED
        if (why := slow(pattern, methods(where)))
    }
    assert not found


def test_a_quadratic_expression_is_seen() -> None:
    assert slow(re.compile(r"\s*#"), {"sub"})
    # A cubic one: a quarter of the length reveals it in a 64th of the time.
    cubic = re.compile(r"```\s*(.*?)\s*```", re.S)
    assert slow(cubic, {"fullmatch"}, of=SHORT // 4, to=LONG // 4)
    assert not slow(re.compile(r"\s*#"), {"match"})


def test_all_expressions_are_found() -> None:
    found = patterns()
    assert len(found) > 200
    assert any(where.startswith("memory.text.secrets.passwords._introduction") for where in found)
    assert BOUNDED.keys() <= {module_of(where) for where in found} <= modules().keys()
    stated = sum(1 for path in modules().values() for _ in literals(path))
    assert stated > 120

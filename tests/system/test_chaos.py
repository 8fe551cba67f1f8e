"""A small sample of each part of `make chaos`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from bot.cli import main
from tests.chaos import ctrl_c
from tests.chaos.__main__ import PARTS

SEED, SIZE = 7, 0.01
SMALLER = {"sync": 0.004, "soak": 0.004}
"""Parts that take long even at SIZE, and contain the same at this size."""
DRAWN = {
    "sync": {"files vandalised", "copies found"},
    "summaries": {"planted texts", "poisoned summaries", "troubles"},
}
"""What even a small sample must contain."""


@pytest.mark.parametrize("part", PARTS)
def test_a_short_draw(part: str, tmp_path: Path) -> None:
    figures = import_module(f"tests.chaos.{part}").run(SEED, SMALLER.get(part, SIZE), tmp_path)
    assert figures and all(figures.get(name) for name in DRAWN.get(part, ()))


def test_every_command_is_interrupted_by_ctrl_c_or_says_why_not() -> None:
    of_profile = {"profile" if name.startswith("profile ") else name for name in ctrl_c.CASES}
    assert sorted([*of_profile, *ctrl_c.LONG, *ctrl_c.UNHARMED]) == sorted(main.COMMANDS)

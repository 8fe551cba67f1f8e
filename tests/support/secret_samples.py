"""Samples for masking: messages that contain a secret, and ordinary lines that do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

DATA = Path(__file__).parents[1] / "data"
_MARKED = re.compile("⟦(.*?)⟧", re.S)
RUN = 4  # a secret counts as shown if this many of its characters in a row are visible


class Sample(NamedTuple):
    """A message, and the secrets it contains."""

    text: str
    secrets: tuple[str, ...]

    def shown_in(self, masked: str) -> bool:
        """Return whether a masked text shows a part of a secret that occurs nowhere else in it."""
        rest = self.text
        for secret in self.secrets:
            rest = rest.replace(secret, "\0")
        runs = (
            part[at : at + RUN]
            for secret in self.secrets
            for part in secret.split("\n")
            for at in range(max(len(part) - RUN, 0) + 1)
        )
        return any(run in masked and run not in rest for run in runs)


def samples() -> list[Sample]:
    """Return all messages of tests/data/secrets.yaml."""
    rows = yaml.safe_load((DATA / "secrets.yaml").read_text("utf-8"))
    whole = (row.replace("¦", "") for row in rows)
    return [Sample(re.sub("[⟦⟧]", "", row), tuple(_MARKED.findall(row))) for row in whole]


def developed_on(every: Sequence[Sample]) -> list[Sample]:
    """Return the two thirds that the rules were developed on."""
    return [each for number, each in enumerate(every) if number % 3 != 2]


def held_out(every: Sequence[Sample]) -> list[Sample]:
    """Return the third that no rule was developed on."""
    return list(every[2::3])


def ordinary() -> list[str]:
    """Return lines that look a little like a secret, but contain none."""
    return (DATA / "ordinary.txt").read_text("utf-8").splitlines()

"""Messages that state a secret, and ordinary lines that do not: how many are masked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

DATA = Path(__file__).parents[1] / "data"
_MARKED = re.compile("⟦(.*?)⟧", re.S)
RUN = 4  # characters of a secret in a row, by which it counts as shown


class Sample(NamedTuple):
    """A message, and the secrets in it."""

    text: str
    secrets: tuple[str, ...]

    def shown_in(self, masked: str) -> bool:
        """Whether a masked text still shows a part of a secret that the rest does not have."""
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
    """All messages of tests/data/secrets.yaml."""
    rows = yaml.safe_load((DATA / "secrets.yaml").read_text("utf-8"))
    whole = (row.replace("¦", "") for row in rows)
    return [Sample(re.sub("[⟦⟧]", "", row), tuple(_MARKED.findall(row))) for row in whole]


def developed_on(every: Sequence[Sample]) -> list[Sample]:
    """The two thirds that the rules were made with."""
    return [each for number, each in enumerate(every) if number % 3 != 2]


def held_out(every: Sequence[Sample]) -> list[Sample]:
    """The third that no rule was made with."""
    return list(every[2::3])


def ordinary() -> list[str]:
    """Lines without any secret, which look a little like one."""
    return (DATA / "ordinary.txt").read_text("utf-8").splitlines()

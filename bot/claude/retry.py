"""How long to wait before something is asked again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a request is made at most, and the waits between. Seconds."""

    first: float = 1.0
    factor: float = 3.0
    tries: int = 4
    longest: float = 30.0

    def waits(self) -> Iterator[float]:
        """The wait before each further try, with jitter so that many do not come back at once."""
        for number in range(self.tries - 1):
            wait = min(self.longest, self.first * self.factor**number)
            yield wait * random.uniform(0.75, 1.25)  # nosec B311: spreads retries, hides nothing

"""How long to wait before something that failed is tried again."""

from __future__ import annotations

import email.utils
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential back-off with jitter. In seconds; `tries` includes the first one, None means no
    limit."""

    first: float = 1.0
    factor: float = 2.0
    longest: float = 30.0
    tries: int | None = None

    def waits(self) -> Iterator[float]:
        """Return the wait before each further try, with jitter so that many do not come back at
        once."""
        wait = self.first
        for _ in itertools.count() if self.tries is None else range(self.tries - 1):
            wait = min(self.longest, wait)
            yield wait * random.uniform(0.75, 1.25)  # nosec B311: spreads retries, hides nothing
            wait *= self.factor


def retry_after(header: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or a date; None if it has
    none.

    RFC 9110, section 10.2.3.
    """
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        until = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (until.astimezone(UTC) - now).total_seconds())

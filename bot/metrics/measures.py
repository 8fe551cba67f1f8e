"""Counts and times of this process since it started. None of them names a person."""

from __future__ import annotations

import bisect
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

RECALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of recall times; longer ones are in one more class."""


@dataclass(slots=True)
class Measures:
    """Shared by all profiles of the process; used from its event loop only."""

    model_calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(model, purpose) → calls that have ended."""
    model_usd: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(model, purpose) → US dollars."""
    job_runs: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """(job, whether it failed) → runs that have ended."""
    recalls: list[int] = field(default_factory=lambda: [0] * (len(RECALL_SECONDS) + 1))
    """Recalls for an answer, by class of their time."""
    recall_seconds: float = 0.0
    """The sum of their times."""

    def model_called(self, model: str, purpose: str, usd: float) -> None:
        """Count a call of a model that has ended."""
        self.model_calls[model, purpose] += 1
        self.model_usd[model, purpose] += usd  # type: ignore[assignment]  # typeshed: int only

    def job_ended(self, job: str, *, failed: bool) -> None:
        """Count a run of a job."""
        self.job_runs[job, failed] += 1

    @contextmanager
    def recalling(self) -> Iterator[None]:
        """Measure a recall that succeeds within this context."""
        began = time.monotonic()
        yield
        took = time.monotonic() - began
        self.recalls[bisect.bisect_left(RECALL_SECONDS, took)] += 1
        self.recall_seconds += took

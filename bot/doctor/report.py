"""One thing that is wrong, as a check gives it and `sam doctor` shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["fatal", "degraded", "note"]
Fix = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `fatal`: Sam cannot start, or would lose data."""

    id: str
    severity: Severity
    what: str
    advice: str
    fix: Fix | None = None

"""A problem that a check reports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["fatal", "degraded", "note"]
Fix = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `fatal`: Sam cannot start, or would lose data."""

    id: str
    what: str
    advice: str
    severity: Severity = "degraded"
    fix: Fix | None = None

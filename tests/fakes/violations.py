"""Fail a test with all protocol violations that the fakes found."""

from __future__ import annotations

from typing import Protocol


class ReportsViolations(Protocol):
    """A fake that records violations, also when it runs in its own thread."""

    def violations(self) -> list[str]: ...


def assert_no_violations(*fakes: ReportsViolations) -> None:
    """Raise AssertionError with every violation that these fakes found, one per line."""
    found = [each for fake in fakes for each in fake.violations()]
    if found:
        raise AssertionError("\n  ".join([f"the fakes found {len(found)} violations:", *found]))

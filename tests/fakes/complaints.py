"""Fail a test with all complaints that the fakes have about their clients."""

from __future__ import annotations

from typing import Protocol


class Complains(Protocol):
    """A fake with complaints, also when it runs in its own thread."""

    def complaints(self) -> list[str]: ...


def assert_clean(*fakes: Complains) -> None:
    """Raise AssertionError with every complaint of these fakes, one per line."""
    told = [complaint for fake in fakes for complaint in fake.complaints()]
    if told:
        raise AssertionError("\n  ".join([f"the fakes complain {len(told)} times:", *told]))

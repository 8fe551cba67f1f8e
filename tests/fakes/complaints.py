"""What the fakes hold against those who asked them, as the message of a test that fails."""

from __future__ import annotations

from typing import Protocol


class Complains(Protocol):
    """A fake; one that lives in a thread of its own as well."""

    def complaints(self) -> list[str]: ...


def assert_clean(*fakes: Complains) -> None:
    """Raise AssertionError with every complaint of these fakes, one a line."""
    told = [complaint for fake in fakes for complaint in fake.complaints()]
    if told:
        raise AssertionError("\n  ".join([f"the fakes complain {len(told)} times:", *told]))

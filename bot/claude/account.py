"""Accounts that are asked before each call of a model, and pay for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memory import Usage

LEAST_OUTPUT = 1024  # tokens: with less room no answer is worth its prompt


class Charge(Protocol):
    """One call that may be made. `output`: tokens that it may answer with."""

    @property
    def output(self) -> int: ...

    async def settle(self, used: Sequence[Usage]) -> None:
        """Record what the call has used: itself, and then what is billed apart, such as searches;
        called once, also for a failed call."""


class Account(Protocol):
    """Pays for calls."""

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> Charge:
        """Allow a call that uses `expected` at most, with `least` tokens of answer at least.

        `expected.usd` is what it may cost beside its tokens. Raises BudgetSpent.
        """


@dataclass(frozen=True, slots=True)
class _Free:
    output: int

    async def settle(self, used: Sequence[Usage]) -> None:
        """Record nothing."""


class Uncounted:
    """An account that records nothing: for the tests of a key, of 16 tokens."""

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> Charge:
        """Allow every call."""
        return _Free(expected.output)

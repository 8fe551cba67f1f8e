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
        """Record the usage of the call, and separately billed items such as searches; called once,
        even for a failed call."""


class Account(Protocol):
    """Pays for calls."""

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> Charge:
        """Allow a call that uses at most `expected`, with an answer of at least `least` tokens.

        `expected.usd` is its maximum cost besides tokens. Raises BudgetSpent.
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

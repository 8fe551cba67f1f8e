"""Usage that the fake charges for: every answer it began, even if the client did not receive it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.fakes.claude_request import Usage

# US dollars per million tokens of input and output, for prompts up to 100,000 tokens.
PRICES = {"haiku": (0.10, 0.50), "sonnet": (2.00, 10.00), "opus": (4.00, 20.00)}


@dataclass(frozen=True, slots=True)
class BilledAnswer:
    """One answer: its model, prompt tokens by cache usage, and output tokens."""

    model: str
    prompt: Usage
    output: int
    share: float = 1.0  # of the price: 0.5 in the Batches API

    @property
    def usd(self) -> float:
        read, written = next(price for name, price in PRICES.items() if name in self.model)
        prompt = self.prompt.fresh + 0.1 * self.prompt.read + 1.25 * self.prompt.created
        return self.share * (prompt * read + self.output * written) / 1e6


def total(bills: Iterable[BilledAnswer]) -> float:
    """Return the sum in US dollars."""
    return sum(bill.usd for bill in bills)

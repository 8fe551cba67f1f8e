"""What Claude costs: prices with their date, and the price of a call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from math import floor

from memory import Usage

PRICED_ON = date(2026, 11, 21)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens; `long_*` apply to prompts of more than `long_from` tokens."""

    input: float
    output: float
    long_from: int | None = None
    long_input: float = 0.0
    long_output: float = 0.0


PRICES = {
    "claude-haiku-5-5": Price(0.10, 0.50, 100_000, 0.50, 2.50),
    "claude-sonnet-5-5": Price(2.00, 10.00),
    "claude-opus-5-5": Price(4.00, 20.00),
}
CACHE_READ = 0.1  # of the price of input
BULK = 0.5  # of every price, for what is answered within a day
CACHE_WRITE = 1.25  # of the price of input, for the five minutes' cache
DEAREST = max(PRICES.values(), key=lambda price: price.output)


def price_of(model: str) -> Price | None:
    """The price of a model; None for one that is not Anthropic's, which costs nothing to call.

    A Claude that is not in the table counts as the dearest: a budget errs on the safe side.
    """
    for name, price in PRICES.items():
        if model.startswith(name):
            return price
    return DEAREST if model.startswith("claude") else None


def cost(usage: Usage) -> float:
    """US dollars for one call."""
    price = price_of(usage.model)
    if price is None:
        return 0.0
    prompt = usage.input + usage.cache_read + usage.cache_write
    is_long = price.long_from is not None and prompt > price.long_from
    read = price.long_input if is_long else price.input
    written = price.long_output if is_long else price.output
    weighed = usage.input + CACHE_READ * usage.cache_read + CACHE_WRITE * usage.cache_write
    return (weighed * read + usage.output * written) / 1_000_000


def affordable_output(expected: Usage, dollars: float) -> int:
    """Return how many of the expected output tokens `dollars` can buy besides the prompt; negative
    if it does not cover the prompt."""
    prompt = cost(replace(expected, output=0))
    if (whole := cost(expected)) <= dollars or whole == prompt:
        return expected.output
    return floor((dollars - prompt) / (whole - prompt) * expected.output)

"""What Claude costs: prices with their date, and the price of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from math import floor

from memory import Usage

from ..settings import ModelEntry

PRICED_ON = date(2026, 11, 21)
CACHE_READ = 0.1
CACHE_WRITE = 1.25  # for the five minutes' cache


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens; `long_*` apply to prompts of more than `long_from` tokens.

    `cache_read`, `cache_write`: shares of the price of input.
    """

    input: float
    output: float
    long_from: int | None = None
    long_input: float = 0.0
    long_output: float = 0.0
    cache_read: float = CACHE_READ
    cache_write: float = CACHE_WRITE


PRICES = {
    "claude-haiku-5-5": Price(0.10, 0.50, 100_000, 0.50, 2.50),
    "claude-sonnet-5-5": Price(2.00, 10.00),
    "claude-opus-5-5": Price(4.00, 20.00),
}
BULK = 0.5  # of every price, for what is answered within a day
DEAREST = max(PRICES.values(), key=lambda price: price.output)


def price_of(model: str) -> Price | None:
    """Return the price of a model; None for one that is not Anthropic's, which costs nothing to
    call.

    A Claude that is not in the table counts as the dearest: a budget errs on the safe side.
    """
    for name, price in PRICES.items():
        if model.startswith(name):
            return price
    return DEAREST if model.startswith("claude") else None


def own_price(entry: ModelEntry) -> Price | None:
    """Return the price of an entry of MODELS; None for one without, or without cost.

    Tokens of a cache count as all others: what a provider charges for them is not known here, and
    a budget errs on the safe side.
    """
    if entry.price is None or not any(entry.price):
        return None
    return Price(*entry.price, cache_read=1.0, cache_write=1.0)


@dataclass(frozen=True, slots=True)
class PriceList:
    """The prices of an installation: of its entries of MODELS, and of all other models."""

    entries: Mapping[str, ModelEntry] = field(default_factory=dict)

    @classmethod
    def of(cls, models: Iterable[ModelEntry]) -> PriceList:
        """Return the list with these entries. Only those with a price or a server differ."""
        return cls({entry.name: entry for entry in models if entry.price or entry.url})

    def price(self, model: str) -> Price | None:
        """Return the price of a model; None for one that costs nothing."""
        entry = self.entries.get(model)
        return own_price(entry) if entry else price_of(model)

    def cost(self, usage: Usage) -> float:
        """Return the US dollars of one call."""
        return cost(usage, self.price(usage.model))

    def affordable_output(self, expected: Usage, dollars: float) -> int:
        """Return how many of the expected output tokens `dollars` can buy besides the prompt;
        negative if it does not cover the prompt."""
        prompt = self.cost(replace(expected, output=0))
        if (whole := self.cost(expected)) <= dollars or whole == prompt:
            return expected.output
        return floor((dollars - prompt) / (whole - prompt) * expected.output)


def cost(usage: Usage, price: Price | None) -> float:
    """Return the US dollars of one call at that price; 0.0 without one."""
    if price is None:
        return 0.0
    prompt = usage.input + usage.cache_read + usage.cache_write
    is_long = price.long_from is not None and prompt > price.long_from
    read = price.long_input if is_long else price.input
    written = price.long_output if is_long else price.output
    cached = price.cache_read * usage.cache_read + price.cache_write * usage.cache_write
    weighed = usage.input + cached
    return (weighed * read + usage.output * written) / 1_000_000

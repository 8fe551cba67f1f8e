"""How one profile's memory stands, as a value. Knows nothing but counts and sentences."""

from __future__ import annotations

from dataclasses import dataclass

from .embedding.consent import Leaving
from .log import Ledger


@dataclass(frozen=True, slots=True)
class Status:
    """How memory stands. Lags are counts of what is not done yet: 0 at rest."""

    ledger: Ledger
    notes: int
    messages: int
    chunks: int
    not_indexed: int
    not_embedded: int
    embeddings: str
    engine: dict[str, str | None]
    new_notes: tuple[str, ...]
    leaving: Leaving | None

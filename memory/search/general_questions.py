"""Recognise questions of general knowledge, which nobody's memory answers: "How tall is the Eiffel
Tower?" reads unlike a question about somebody's own life, in every language of the embedder.
"""

from __future__ import annotations

import functools
import operator
import struct
from pathlib import Path

from ..infra.sqlite import Connection
from .candidates.sql import embedder_of

WEIGHTS = Path(__file__).with_name("general_questions.f32")
"""The weights of a logistic regression on the vectors of questions, and its constant: float32, of
the local model `MODEL`. `python -m tests.benchmarks.recall --fit-general` writes them."""
MODEL = "local/e5-small-neutral+use-v3"


def generality(db: Connection, vector: bytes) -> float:
    """Return the log-odds that a question is one of general knowledge; 0.0 if it rather is not, or
    if its vector is of another model than `MODEL`."""
    if embedder_of(db) != MODEL:
        return 0.0
    *weights, constant = _weights()
    log_odds = constant + sum(map(operator.mul, weights, _floats(vector)))
    return max(0.0, float(log_odds))


@functools.cache
def _weights() -> tuple[float, ...]:
    return _floats(WEIGHTS.read_bytes())


def _floats(packed: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(packed) // 4}f", packed)

"""Recognise questions, three kinds of them, and answers that tell nothing, by their vectors, in
every language of the local model.

A question needs no mark or interrogative: "my locker code again". Questions of general knowledge,
which nobody's memory answers, read unlike those about somebody's own life: "How tall is the Eiffel
Tower?" The answer to "Which train do I take?" may change, that to "Who missed the train?" does not.
Some questions ask for Sam's own words: "What did you recommend?"
"""

from __future__ import annotations

import functools
import operator
import struct
from pathlib import Path

from ..infra.sqlite import Connection
from .candidates.sql import embedder_of
from .question_words import asks_what_sam_said

ASKING = Path(__file__).with_name("questions.f32")
CHANGING = Path(__file__).with_name("changing_questions.f32")
EMPTY = Path(__file__).with_name("empty_answers.f32")
GENERAL = Path(__file__).with_name("general_questions.f32")
SAMS_WORDS = Path(__file__).with_name("sams_words_questions.f32")
"""The weights of a logistic regression on the vectors of questions (of EMPTY: of Sam's messages),
and its constant: float32, of the local model `MODEL`. `python -m tests.benchmarks.recall
--fit-kinds` writes them, except CHANGING: that is a part of the regression in newest/model.py, and
`--fit-newest` writes it."""
_CLEARLY = 0.5  # log-odds
MODEL = "local/e5-small-adapted+use-v3"


def asks(db: Connection, vector: bytes) -> bool:
    """Return whether a text is a question, and no statement, by its vector as a question; False if
    that is of another model than `MODEL`."""
    return (_log_odds(db, vector, ASKING) or 0.0) > 0.0


def tells_nothing(db: Connection, vector: bytes) -> bool:
    """Return whether a message of Sam's only says that it does not know, by its vector: "I'm not
    finding his name, sorry." False if the vector is of another model than `MODEL`.

    In languages that were left out of the fit, 90 % of such messages are recognised (78 % after a
    question, with which they are embedded), and 5 % (7 %) of those that read like them.
    """
    return (_log_odds(db, vector, EMPTY) or 0.0) > _CLEARLY


def generality(db: Connection, vector: bytes) -> float:
    """Return the log-odds that a question is about general knowledge, at least 0.0; 0.0 if the
    index's vectors are not `MODEL`'s."""
    return max(0.0, _log_odds(db, vector, GENERAL) or 0.0)


def changeability(db: Connection, vector: bytes) -> float | None:
    """Return what a question adds to the log-odds that a newer statement replaces its answer: more
    for "Which room is it in?" than for "Why was it moved?". None unless the index's vectors are of
    `MODEL`. `--fit-newest` writes its weights, together with those of newest/model.py."""
    return _log_odds(db, vector, CHANGING)


def for_sams_words(db: Connection, question: str, vector: bytes | None) -> float:
    """Return how clearly a question asks what Sam said: 1.0 if its words say so, otherwise 0.0 to
    0.5 by its vector; 0.0 if the index's vectors are not `MODEL`'s. Vectors hardly distinguish
    "What did I recommend?" from "What did you recommend?", so they never count fully.

    In languages that were left out of the fit, vectors recognise 80 % of such questions (87 %
    together with the words), and 3 % of similar questions are mistaken for one.
    """
    if asks_what_sam_said(question):
        return 1.0
    odds = _log_odds(db, vector, SAMS_WORDS) if vector is not None else None
    return max(0.0, min(0.5, (odds or 0.0) - 0.5))


def _log_odds(db: Connection, vector: bytes, file: Path) -> float | None:
    if embedder_of(db) != MODEL:
        return None
    *weights, constant = _weights(file)
    return float(constant + sum(map(operator.mul, weights, _floats(vector))))


@functools.cache
def _weights(file: Path) -> tuple[float, ...]:
    return _floats(file.read_bytes())


def _floats(packed: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(packed) // 4}f", packed)

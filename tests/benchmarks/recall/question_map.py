"""Fit what depends on the vectors of questions: the question map (memory/embedding/question_map.py)
on questions and the passages that answer them, and the weights that recognise kinds of questions
(memory/search/question_kinds.py).

The probability that a passage answers a question is a softmax of their inner product over all
passages of the store (InfoNCE, van den Oord et al. 2018, with all negatives). The map is fitted by
Adam from zero, with an L2 penalty, and truncated to its largest singular values. Every kind of
store has the same weight.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from memory.dates.period import time_range
from memory.embedding import question_map
from memory.index.passages import in_context, sentences_of

from .sets import OWN, Set
from .stores import Mapped, filled, plain_embedder

PAIRS = OWN / "question_pairs.yaml"
"""Statements with two questions each that are in no set of the benchmark: only for fitting."""
RANK = 32  # of the map: twice the rank does not change the figures of any set
PENALTY = 0.2
TEMPERATURE = 0.04
STEPS = 40
RATE = 0.002
FOLDS = 4  # a store is measured with a map fitted on the stores of the other folds


@dataclass(frozen=True, slots=True)
class Store:
    """The data of one store: the unmapped vectors of its questions (n, dimension) and of its
    passages and their sentences (m, dimension), and for each question the rows of the passages that
    answer it."""

    kind: str
    name: str
    questions: Any
    passages: Any
    gold: Sequence[Any]


async def store(each: Set, folder: Path, kept: Path | None) -> Store:
    """Return the questions of a set that vectors can answer, all passages, and their sentences."""
    async with filled(each, folder, embedder="none") as (memory, ids):
        db = await memory.index.db()
        rows = await db.read(
            lambda db: db.execute(
                "SELECT * FROM chunk WHERE manual = 0 AND asking < 1 AND small_talk = 0"
            ).fetchall()
        )
        names = [
            ids[row["message_id"]] if row["message_id"] else f"note:{row['path']}" for row in rows
        ]
        texts = [in_context(row["lead"], row["role"], row["author"], row["text"]) for row in rows]
        for row, name in [*zip(rows, names, strict=True)]:
            said = sentences_of(row["author"], row["text"]) if row["unsplit"] else []
            texts += said
            names += [name] * len(said)
    asked, gold = [], []
    for probe in each.probes:
        wanted = frozenset().union(*probe.gold)
        answers = [at for at, name in enumerate(names) if name in wanted]
        period = time_range(probe.question, probe.at) if probe.at else None
        if answers and not (period and period.bare):  # a mere period has no meaning to embed
            asked.append(probe.question)
            gold.append(np.array(answers))
    return await _store(each.kind, each.name, asked, texts, gold, kept)


async def pairs(kept: Path | None) -> Store:
    """Return the statements and questions of PAIRS as one store."""
    entries = yaml.safe_load(PAIRS.read_text("utf-8")) if PAIRS.exists() else []
    asked = [text for text, _ in _asked()]
    gold = [np.array([at]) for _, at in _asked()]
    return await _store("pairs", "pairs", asked, [entry["said"] for entry in entries], gold, kept)


GENERAL = OWN / "general_questions.yaml"
"""Questions of general knowledge that are in no set of the benchmark: only for fitting."""
GENERAL_PENALTY = 3.0
LASTING = OWN / "lasting_questions.yaml"
"""Pairs of questions: about what is so at present, and about what happened. Likewise."""
LASTING_PENALTY = 0.3
SAMS_WORDS = OWN / "sams_words_questions.yaml"
"""Pairs of questions: for what Sam said, and for what the owner or others said, and single ones of
the second kind. Likewise."""
SAMS_WORDS_PENALTY = 0.1


async def general(kept: Path | None) -> Any:
    """Return the weights of a logistic regression that separates GENERAL from the questions of
    PAIRS by their mapped vectors, and its constant: float32, (dimension + 1)."""
    found = [text for each in yaml.safe_load(GENERAL.read_text("utf-8")).values() for text in each]
    return await _separating(found, [text for text, _ in _asked()], GENERAL_PENALTY, kept)


async def lasting(kept: Path | None) -> Any:
    """Return the weights that separate the second questions of LASTING from the first, likewise."""
    found = [pair for each in yaml.safe_load(LASTING.read_text("utf-8")).values() for pair in each]
    current, past = zip(*found, strict=True)
    return await _separating(past, current, LASTING_PENALTY, kept)


async def sams_words(kept: Path | None) -> Any:
    """Return the weights that separate the first questions of SAMS_WORDS's pairs from all others,
    likewise."""
    found = [
        entry for each in yaml.safe_load(SAMS_WORDS.read_text("utf-8")).values() for entry in each
    ]
    by_sam = [entry[0] for entry in found if len(entry) == 2]
    return await _separating(by_sam, [entry[-1] for entry in found], SAMS_WORDS_PENALTY, kept)


async def _separating(
    wanted: Sequence[str], others: Sequence[str], penalty: float, kept: Path | None
) -> Any:
    """Fit by Newton's method, with an L2 penalty; both kinds have the same total weight."""
    embedder = Mapped(plain_embedder(kept), question_map.load())
    try:
        found = await embedder.embed(wanted, "query")
        own = await embedder.embed(others, "query")
    finally:
        await embedder.close()
    x = np.vstack((found, own)).astype(np.float64)
    x = np.hstack((x, np.ones((len(x), 1))))
    y = np.repeat((1.0, 0.0), (len(found), len(own)))
    shares = np.repeat((len(own) / len(found), 1.0), (len(found), len(own)))
    penalties = np.append(np.full(x.shape[1] - 1, penalty), 1e-9)
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (shares * (y - p)) - penalties * weights
        step = np.linalg.solve((x.T * (shares * p * (1 - p))) @ x + np.diag(penalties), slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights.astype("<f4")


def _asked() -> list[tuple[str, int]]:
    """Return the questions of PAIRS, each with the number of its statement."""
    entries = yaml.safe_load(PAIRS.read_text("utf-8")) if PAIRS.exists() else []
    return [(question, at) for at, entry in enumerate(entries) for question in entry["asked"]]


async def _store(
    kind: str, name: str, asked: list[str], texts: list[str], gold: list[Any], kept: Path | None
) -> Store:
    embedder = plain_embedder(kept)
    try:
        questions = await embedder.embed(asked, "query")
        passages = await embedder.embed(texts, "document")
    finally:
        await embedder.close()
    return Store(kind, name, questions, passages, gold)


def fitted(stores: Sequence[Store], steps: int = STEPS) -> Any:
    """Return the question map that fits these stores: float16, (2, RANK or less, dimension)."""
    sizes = Counter(each.kind for each in stores for _ in each.gold)
    size = max(each.passages.shape[1] for each in stores)
    change = np.zeros((size, size), np.float32)
    mean, square = np.zeros_like(change), np.zeros_like(change)
    for step in range(1, steps + 1):
        slope = PENALTY * change
        for each in stores:
            if len(each.gold):
                slope = slope + _slope(each, change) / (sizes[each.kind] * len(sizes))
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        towards = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
        change -= RATE * towards
    left, values, right = np.linalg.svd(change)
    down = left[:, :RANK].T * np.sqrt(values[:RANK])[:, None]
    up = right[:RANK] * np.sqrt(values[:RANK])[:, None]
    return np.stack((down, up)).astype(np.float16)


def _slope(each: Store, change: Any) -> Any:
    """Return the gradient of the summed negative log-likelihood of the questions' answers."""
    value = (each.questions + each.questions @ change) @ each.passages.T / TEMPERATURE
    value -= value.max(axis=1, keepdims=True)
    chance = np.exp(value)
    chance /= chance.sum(axis=1, keepdims=True)
    wanted = np.zeros_like(chance)
    for row, gold in enumerate(each.gold):
        share = chance[row, gold]
        wanted[row, gold] = share / max(share.sum(), 1e-30)
    return each.questions.T @ ((chance - wanted) @ each.passages) / TEMPERATURE


def by_fold(stores: Sequence[Store], always: Sequence[Store] = ()) -> dict[str, Any]:
    """Map each store's name to a question map that was fitted without its fold. `always`: stores
    that every map is fitted on."""
    order = sorted(stores, key=lambda each: each.name)
    random.Random(1).shuffle(order)
    result = {}
    for fold in range(FOLDS):
        out = {each.name for each in order[fold::FOLDS]}
        made = fitted([each for each in (*stores, *always) if each.name not in out])
        result |= dict.fromkeys(out, made)
    return result

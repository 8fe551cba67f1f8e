"""Fit the weights that decide which newer statement replaces an older one, for
memory/search/newest/.

The examples are pairs of the best hits of people's questions. A pair is positive if the newer one
is the answer, and the older one is what it replaced. To move something else before the answer
counts fully against it, before what is out of date half, and among other hits little.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memory.core import Memory
from memory.search import Hit, Question
from memory.search.newest.likeness import Likeness, likeness_of
from memory.search.newest.model import Features
from memory.search.newest.order import DEPTH
from memory.search.newest.replacement import ReplacementOdds
from memory.search.ranking import USUAL_WEIGHT, RankingOptions, examine, likely_hits, linear_scores

from .asking import name, print_progress
from .logistic import newton
from .sets import Probe, Set
from .stores import filled

CORRECTION = "correction"
BEFORE_ANSWER, BEFORE_OLD, AMONG_OTHERS = 1.0, 0.5, 0.15
_EVERY = 4  # of the pairs among others, one of so many is an example
_LED = 3  # best hits that may be the older statement of an example
_COMPONENTS = 96  # principal components of the vectors
_SCALE = 10.0  # of components, whose deviations are far below those of the features
_PENALTY, _VECTORS_PENALTY = 1.0, 10.0


@dataclass(frozen=True, slots=True)
class Compared:
    """The best hits of a question, the place of each in the set, and the scores of passages by the
    linear model. `asked`: the question's vector; empty without."""

    probe: Probe
    hits: Sequence[Hit]
    places: Sequence[str]
    likeness: Likeness
    scores: Mapping[int, float]
    asked: bytes


async def compared(
    memory: Memory, probe: Probe, ids: Mapping[int, str], *, with_vectors: bool
) -> Compared:
    """Return what is compared for a probe. `ids`: see `filled`."""
    vector = await memory.embeddings.query(probe.question) if with_vectors else None
    db, candidates = await memory.searcher.search_functions()
    options = RankingOptions(True, USUAL_WEIGHT, 3, candidates)
    asked = Question(probe.question, probe.at or memory.today())

    def look(db: Any) -> tuple[list[Hit], Likeness, Mapping[int, float]]:
        found = examine(db, asked, vector, options)
        hits = likely_hits(db, asked, found)[:DEPTH]
        scores = linear_scores(found, hits)
        return hits, likeness_of(db, hits, found.asked.background), scores

    hits, likeness, scores = await db.read(look)
    places = [name(hit.message_ids, hit.path, ids) for hit in hits]
    return Compared(probe, hits, places, likeness, scores, vector or b"")


async def compared_in(
    sets: Sequence[Set], *, with_vectors: bool, kept: Path | None
) -> list[Compared]:
    """Return what is compared for all questions about corrections, and half of the others."""
    found = []
    for each in sets:
        with tempfile.TemporaryDirectory() as folder:
            embedder = "local" if with_vectors else "none"
            async with filled(each, Path(folder), embedder=embedder, kept=kept) as (memory, ids):
                for number, probe in enumerate(each.probes):
                    if probe.gold and (probe.type == CORRECTION or number % 2):
                        made = await compared(memory, probe, ids, with_vectors=with_vectors)
                        found.append(made)
        print_progress(f"compared the hits of {each.name}")
    return found


@dataclass(frozen=True, slots=True)
class Examples:
    """Pairs of statements. `x`: features, (n, 18); `asked`: vectors of the questions, (n,
    dimension), or (n, 0); `y`: 1 where the newer one replaces the older one; `share`: how much each
    counts."""

    x: Any
    asked: Any
    y: Any
    share: Any


def examples(given: Sequence[Compared]) -> Examples:
    """Return the examples in what was compared. Pairs that a rule decides are none."""
    rows = [row for each in given for row in _pairs(each)]
    return Examples(*(np.array(column) for column in zip(*rows, strict=True)))


def _pairs(each: Compared) -> Iterator[tuple[Features, Any, float, float]]:
    replacements = ReplacementOdds(
        each.hits, each.likeness, each.probe.question, scores=each.scores
    )
    places = {hit.chunk_id: place for hit, place in zip(each.hits, each.places, strict=True)}
    asked = np.frombuffer(each.asked, np.float32)
    for old in each.hits[:_LED]:
        for new in each.hits:
            if not replacements.is_open(new, old):
                continue
            found = (places[new.chunk_id], places[old.chunk_id])
            y, share = label(each.probe, *found)
            if share == AMONG_OTHERS:
                share *= _EVERY * ((new.chunk_id + old.chunk_id) % _EVERY == 0)
            if share:
                yield replacements.features(new, old), asked, y, share


def label(probe: Probe, new: str, old: str) -> tuple[float, float]:
    """Return whether one replaces the other, and how much that counts: nothing where the answer
    would only be moved before something else."""
    gold = frozenset().union(*probe.gold)
    if probe.type == CORRECTION and new in gold and old in probe.old:
        return 1.0, 1.0
    if new in gold:
        return 0.0, 0.0 if old not in gold else AMONG_OTHERS
    if old in gold:
        return 0.0, BEFORE_ANSWER
    return 0.0, BEFORE_OLD if old in probe.old else AMONG_OTHERS


def fitted(given: Examples, *, with_questions: bool) -> tuple[Features, Any]:
    """Return the weights of the features, and those of the questions' vectors with the constant,
    float32, or none. The features are scaled to a deviation of 1 for the penalty."""
    deviations = given.x.std(axis=0)
    used = np.flatnonzero(deviations > 1e-9)  # all but `one`, and without vectors the similarities
    basis = _components(given.asked) if with_questions else np.zeros((given.asked.shape[1], 0))
    columns = [given.x[:, used] / deviations[used], (given.asked @ basis) * _SCALE]
    x = np.hstack([*columns, np.ones((len(given.x), 1))])
    penalties = np.full(x.shape[1], _VECTORS_PENALTY)
    penalties[: len(used)] = _PENALTY
    penalties[-1] = 1e-9
    found = newton(x, given.y, given.share, penalties)
    weights = np.zeros(given.x.shape[1])
    weights[used] = found[: len(used)] / deviations[used]
    if not with_questions:
        weights[-1] = found[-1]
    of_questions = np.append(basis @ found[len(used) : -1] * _SCALE, found[-1])
    return Features(*weights.tolist()), of_questions.astype("<f4")


def _components(vectors: Any) -> Any:
    """Return the first principal components of some vectors, (dimension, count)."""
    centred = vectors - vectors.mean(axis=0)
    _, components = np.linalg.eigh(centred.T @ centred)
    return components[:, ::-1][:, :_COMPONENTS]


def printed(title: str, weights: Features) -> str:
    """Return the weights as source code for memory/search/newest/model.py."""
    rows = "".join(f"    {name}={value:.2f},\n" for name, value in weights._asdict().items())
    return f"{title} = Features(\n{rows})"

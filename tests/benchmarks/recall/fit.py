"""Fit the weights of memory/search/score_model.py on the benchmark's sets, and print them.

`own` and `around`: a conditional logit (McFadden 1974) of the probability that the best unit of a
question is a gold one, with an EM step for groups of alternatives. `chance`: a logistic regression
on the thirty best units of each question. `related`: another one, on the questions whose answer is
among the three best, and as many questions from other sets, which have no answer here. Every kind
of set has the same weight, regardless of its size.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memory.core import Memory
from memory.search import Question, score_model
from memory.search.evidence import FEATURES, Evidence, QuestionFeatures
from memory.search.ranking import USUAL_WEIGHT, RankingOptions, examine

from .logistic import newton
from .sets import OTHER, Probe, Set, questions_of_others
from .stores import filled

_TOP = 30  # units per question for fitting the probability
_KEEP = 1.0  # L2 penalty, against overfitting


@dataclass(frozen=True, slots=True)
class Case:
    """A probe with the evidence for its units, and the units in each gold group."""

    kind: str
    name: str
    probe: Probe
    asked: QuestionFeatures
    found: Sequence[Evidence]
    groups: Sequence[Sequence[int]]
    x: Any

    @property
    def gold(self) -> Any:
        y = np.zeros(len(self.found))
        y[[at for group in self.groups for at in group]] = 1.0
        return y


async def cases(
    each: Set,
    others: Sequence[Set],
    folder: Path,
    *,
    vectors: Sequence[bool],
    kept: Path | None,
) -> dict[bool, list[Case]]:
    """Return the evidence that recall finds for the probes of a set, and for some probes of others,
    with and without vectors."""
    result: dict[bool, list[Case]] = {with_: [] for with_ in vectors}
    embedder = "local" if any(vectors) else "none"
    async with filled(each, folder, embedder=embedder, kept=kept) as (memory, ids):
        for probe in (*each.probes, *questions_of_others(each, others)):
            for with_ in vectors:
                asked, found, rows = await examined(memory, probe, with_)
                units = [
                    ids.get(row["message_id"], "") if row["message_id"] else f"note:{row['path']}"
                    for row in (rows[one.id] for one in found)
                ]
                groups = [[n for n, id_ in enumerate(units) if id_ in gold] for gold in probe.gold]
                x = np.array([one.features for one in found]).reshape(len(found), len(FEATURES))
                some = [group for group in groups if group]
                result[with_].append(Case(each.kind, each.name, probe, asked, found, some, x))
    return result


async def examined(memory: Memory, probe: Probe, with_vectors: bool) -> Any:
    today = probe.at or memory.today()
    vector = await memory.embeddings.query(probe.question) if with_vectors else None
    db, candidates = await memory.searcher.search_functions()
    options = RankingOptions(True, USUAL_WEIGHT, 3, candidates)
    asked = Question(probe.question, today)
    found = await db.read(lambda db: examine(db, asked, vector, options))
    return found.asked, found.evidence, found.rows


WEIGHTS = {"everyday": 2.0, "LoCoMo": 2.0}
"""Weights of kinds of sets, 1 by default: everyday use is Sam's purpose, and LoCoMo has half of all
questions."""
ANSWERED = {"everyday": 3.0, "languages": 3.0}
"""The same, for fitting whether there is an answer at all."""


def fitted(given: Sequence[Case], weights: dict[str, float] = WEIGHTS) -> score_model.ScoreModel:
    """Return the model that fits these cases best."""
    own = [case for case in given if case.probe.type != OTHER]
    made = _scoring(own, weights)
    return made._replace(related=_related(given, made))


def _scoring(given: Sequence[Case], weights: dict[str, float]) -> score_model.ScoreModel:
    answered = [case for case in given if case.groups]
    share = _shares(answered, weights)
    own = _logit([case.x for case in answered], [case.groups for case in answered], share)
    made = score_model.HYBRID._replace(own=tuple(own))
    near = [_near(case, made) for case in answered]
    around = _logit(near, [case.groups for case in answered], share)
    made = made._replace(around=tuple(around))
    rows, gold, counts = [], [], []
    for case, part in zip(given, _shares(given, weights), strict=True):
        if not case.found:
            continue
        worth = score_model.worths(case.found, made)
        order = sorted(range(len(case.found)), key=lambda n: -worth[case.found[n].id])[:_TOP]
        best = worth[case.found[order[0]].id]
        for n in order:
            one = case.found[n]
            rows.append((worth[one.id], worth[one.id] - best, one.features[0], one.likeness, 1.0))
            gold.append(case.gold[n])
            counts.append(part)
    chance = _logistic(rows, gold, counts)
    return made._replace(chance=tuple(chance))


def _related(given: Sequence[Case], made: score_model.ScoreModel) -> score_model.RelatedFeatures:
    """Return the weights that tell the questions of a set from those of others."""
    rows, answers, counts = _examples(given, made, (_is_found, _is_of_others))
    return score_model.RelatedFeatures(*_logistic(rows, answers, counts).tolist())


def _examples(
    given: Sequence[Case], made: score_model.ScoreModel, kinds: Sequence[Any]
) -> tuple[Any, list[float], list[float]]:
    """Return the features of the cases of some kinds, whether each has an answer, and how much it
    counts. `kinds`: the functions that recognise them."""
    rows, answers, counts = [], [], []
    for kind in kinds:
        chosen = [case for case in given if case.found and kind(case, made)]
        counts += _shares(chosen, ANSWERED)
        answers += [float(kind is _is_found)] * len(chosen)
        rows += [_features(case, made) for case in chosen]
    return np.array(rows), answers, counts


def _features(case: Case, made: score_model.ScoreModel) -> score_model.RelatedFeatures:
    chances = score_model.chances(case.found, made)
    return score_model.related_features(case.found, chances, case.asked)


def _is_found(case: Case, made: score_model.ScoreModel) -> bool:
    """Return whether the answer is among the three best: saying that there is none does no harm if
    it was not found anyway."""
    chances = score_model.chances(case.found, made)
    return any(case.gold[n] for n in _three_best(case, chances))


def _is_of_others(case: Case, _: score_model.ScoreModel) -> bool:
    return case.probe.type == OTHER


def _three_best(case: Case, chances: Mapping[int, float]) -> list[int]:
    return sorted(range(len(case.found)), key=lambda n: -chances[case.found[n].id])[:3]


def _shares(given: Sequence[Case], weights: dict[str, float]) -> list[float]:
    sizes = Counter(case.kind for case in given)
    return [100.0 * weights.get(case.kind, 1.0) / sizes[case.kind] for case in given]


def _near(case: Case, made: score_model.ScoreModel) -> Any:
    own = {one.id: float(x @ made.own) for one, x in zip(case.found, case.x, strict=True)}
    near = score_model.around(case.found, own)
    return np.array([(own[one.id], *each) for one, each in zip(case.found, near, strict=True)])


def _logit(matrices: Sequence[Any], groups: Sequence[Any], shares: Sequence[float]) -> Any:
    """Return the weights that maximize the probability of the gold groups (EM, damped Newton)."""
    given = list(zip(matrices, groups, shares, strict=True))

    def gain(weights: Any) -> float:
        total = -_KEEP / 2 * float(weights @ weights)
        for x, found, share in given:
            value = x @ weights
            value -= value.max()
            odds = np.exp(value)
            rest = np.log(odds.sum())
            each = [np.log(max(odds[group].sum(), 1e-300)) - rest for group in found]
            total += share * float(np.mean(each))
        return total

    size = matrices[0].shape[1]
    weights, now = np.zeros(size), gain(np.zeros(size))
    for _ in range(60):
        slope, curve = -_KEEP * weights, np.eye(size) * _KEEP
        for x, found, share in given:
            value = x @ weights
            p = np.exp(value - value.max())
            p /= p.sum()
            target = np.zeros(len(p))
            for group in found:
                target[group] += p[group] / max(p[group].sum(), 1e-300)
            target /= len(found)
            mean = p @ x
            slope += share * (x.T @ target - mean)
            curve += share * ((x.T * p) @ x - np.outer(mean, mean))
        step, part = np.linalg.solve(curve, slope), 1.0
        while (better := gain(weights + part * step)) < now and part > 1e-6:
            part /= 2
        weights, gained, now = weights + part * step, better - now, better
        if gained < 1e-4:
            break
    return weights


def _logistic(rows: Sequence[Any], wanted: Sequence[float], counts: Sequence[float]) -> Any:
    x = np.array(rows)
    return newton(x, np.array(wanted), np.array(counts), np.full(x.shape[1], 1e-3))


def printed(name: str, made: score_model.ScoreModel) -> str:
    """Return the model as source code for memory/search/score_model.py."""

    def row(values: Sequence[float]) -> str:
        return "(" + ", ".join(f"{value:.2f}" for value in values) + ")"

    own = "\n".join(
        f"        {value:.2f},  # {feature}"
        for feature, value in zip(FEATURES, made.own, strict=True)
    )
    related = f"RelatedFeatures{row(made.related)}"
    rows = ",\n    ".join((row(made.around), row(made.chance), related))
    return f"{name} = ScoreModel(\n    (\n{own}\n    ),\n    {rows},\n)"


def calibration(
    given: Sequence[Case],
    made: score_model.ScoreModel,
    bins: Sequence[float] = (0, 0.05, 0.1, 0.2, 0.4, 0.6, 1.01),
) -> float:
    """Return the expected calibration error of the ten best units: the mean gap between probability
    and share of gold units, over bins of probability."""
    own = [case for case in given if case.probe.type != OTHER]
    pairs = [(chance, gold) for case in own for chance, gold in _best(case, made, 10)]
    total = 0.0
    for low, high in itertools.pairwise(bins):
        inside = [pair for pair in pairs if low <= pair[0] < high]
        if inside:
            mean = np.mean(inside, axis=0)
            total += len(inside) / len(pairs) * abs(mean[0] - mean[1])
    return float(total)


def _best(case: Case, made: score_model.ScoreModel, count: int) -> list[tuple[float, float]]:
    chances = score_model.chances(case.found, made)
    pairs = [(chances[one.id], gold) for one, gold in zip(case.found, case.gold, strict=True)]
    return sorted(pairs, reverse=True)[:count]

"""Fit the networks of memory/search/refinement.py, with PyTorch.

The examples are questions with an answer, and the evidence for their units, as for the score model
(fit.py): all of the people whom the embedder was not trained on, and as many of each other kind as
two of them have; each also with few units, as of a new owner. The first network learns to put a
unit that answers first (a listwise softmax, after Cao et al. 2007); the weights of the probability
are a logistic regression on the best units of full stores. The second one learns whether one of the
three best units answers. Its examples without an answer are questions that people ask in vain,
those of others, and those with an answer whose units are left out; and it also sees the lives of
several people in one store, where the best units look good, whether or not they answer.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memory.search.refinement import (
    ANSWER_LAYERS,
    LAYERS,
    TELLING,
    Inputs,
    Network,
    answer_inputs,
    chance_features,
    inputs,
    log_odds,
    output,
    unpacked,
)

from .fit import Case
from .logistic import newton
from .sets import OTHER, UNSEEN

_MOST = 350  # questions of each other kind
_MOST_UNSEEN = 3_400
"""Questions of unseen people for the first network: with all of the 35, conversations of two people
and with an assistant lose."""
_EPOCHS, _BATCH, _RATE, _DECAY = 20, 32, 3e-3, 0.05
_SCALE = 1.702  # of a sigmoid that is nearly that of a normal distribution, for GELU
_FEW = 25  # other units of a small store
_TOP = 30  # units of a question for fitting the probability
_ANSWERED_EPOCHS, _ANSWERED_BATCH, _ANSWERED_DECAY, _DROPPED = 30, 64, 0.01, 0.2
_SHARES = {
    "found": 0.8,
    "few, found": 0.2,
    "asked in vain": 0.3,
    "of others": 0.25,
    "left out": 0.35,
    "few, left out": 0.1,
}
"""How much the kinds of the second network's examples count together. "few": in a small store, as
that of a new owner, where an answer is less often missed than in a full one."""


def fitted(given: Sequence[Case]) -> Any:
    """Return the weights, float32, as in memory/search/refinement.f32."""
    cases, draw = list(chosen(given, _MOST_UNSEEN)), random.Random(0)
    small = [smaller(case, draw) for case in cases]
    seen = [inputs(case.found) for case in cases]
    weights = _trained([*cases, *small], [*seen, *(inputs(case.found) for case in small)])
    network = unpacked(np.append(weights, np.zeros(5)))
    rows, gold = [], []
    for case, one in zip(cases, seen, strict=True):
        gained = output(network.layers, one.rows)
        odds = chance_features(case.found, one, gained, network.share)
        best = np.argsort(-odds[:, 0])[:_TOP]
        rows.append(odds[best])
        gold.append(case.gold[best])
    x = np.concatenate(rows)
    chance = newton(x, np.concatenate(gold), np.ones(len(x)), np.full(x.shape[1], 1e-3))
    return np.append(weights, chance).astype("<f4")


def chosen(given: Sequence[Case], most_unseen: float = math.inf) -> Iterator[Case]:
    """Yield the cases to learn from, some of each kind."""
    found = [case for case in given if case.groups and len(case.found) > 1]
    return _some_of_each(found, most_unseen)


def _some_of_each(given: Sequence[Case], most_unseen: float = math.inf) -> Iterator[Case]:
    """Yield up to `most_unseen` cases of unseen people, and up to `_MOST` of each other kind."""
    taken: Counter[str] = Counter()
    for case in random.Random(0).sample(given, len(given)):
        taken[case.kind] += 1
        if taken[case.kind] <= (most_unseen if case.kind == UNSEEN else _MOST):
            yield case


def smaller(case: Case, draw: random.Random) -> Case:
    """Return the case as in a store with little else: a new owner's has few messages."""
    count = draw.randint(1, _FEW)
    others = [n for n in range(len(case.found)) if not case.gold[n]]
    kept = sorted(np.flatnonzero(case.gold).tolist() + draw.sample(others, min(count, len(others))))
    at = {place: n for n, place in enumerate(kept)}
    groups = [[at[n] for n in group] for group in case.groups]
    return replace(case, found=[case.found[n] for n in kept], groups=groups, x=case.x[kept])


def fitted_answered(given: Sequence[Case], first: Network) -> Any:
    """Return the weights of the second network, float32, as in memory/search/answered.f32.

    `first`: the first network, which ranks. Questions whose answer is found, but not among the
    best, are left out: it does no harm to call their hits weak, nor not to.
    """
    draw = random.Random(0)
    rows: dict[str, list[Any]] = {kind: [] for kind in _SHARES}
    for case in chosen(given):
        for prefix, each in (("", case), ("few, ", smaller(case, draw))):
            row, is_answered = _answer_row(each, first)
            if is_answered:
                rows[f"{prefix}found"].append(row)
            if (rest := _without_answer(each)).found:
                rows[f"{prefix}left out"].append(_answer_row(rest, first)[0])
    empty = [case for case in given if case.found and not case.probe.gold]
    of_others = [case for case in empty if case.probe.type == OTHER]
    in_vain = [case for case in empty if case.probe.type != OTHER]
    for kind, some in (("of others", of_others), ("asked in vain", in_vain)):
        rows[kind] = [_answer_row(case, first)[0] for case in _some_of_each(some)]
    x = np.array([row for kind in _SHARES for row in rows[kind]])
    wanted = np.array([float("found" in kind) for kind in _SHARES for _ in rows[kind]])
    counts = np.array([_SHARES[kind] / len(rows[kind]) for kind in _SHARES for _ in rows[kind]])
    return _trained_answered(x, wanted, counts / counts.mean())


def _answer_row(case: Case, first: Network) -> tuple[Any, bool]:
    """Return what the second network sees of a case with units, and whether one of the best three
    answers."""
    seen = inputs(case.found)
    odds = log_odds(case.found, seen, first)
    best = seen.order[np.argsort(-odds[seen.order], kind="stable")[:TELLING]]
    return answer_inputs(case.asked, seen, odds), bool(case.gold[best].any())


def _without_answer(case: Case) -> Case:
    """Return the case without the units that answer it. The features of the others stay as they
    are, those that depend on what was left out, too."""
    kept = np.flatnonzero(case.gold == 0)
    return replace(case, found=[case.found[n] for n in kept], groups=[], x=case.x[kept])


def _trained_answered(x: Any, wanted: Any, counts: Any) -> Any:
    """Return the weights of the second network. `x`: what it sees, (n, inputs); `wanted`: 1 with an
    answer, else 0; `counts`: how much each row counts."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    layers = [nn.Linear(*size) for size in itertools.pairwise(ANSWER_LAYERS)]
    rows, wanted, counts = (torch.tensor(each, dtype=torch.float32) for each in (x, wanted, counts))
    parameters = [each for layer in layers for each in layer.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=_RATE, weight_decay=_ANSWERED_DECAY)
    steps = _ANSWERED_EPOCHS * (len(rows) // _ANSWERED_BATCH + 1)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.01, 1 - step / steps))
    for _ in range(_ANSWERED_EPOCHS):
        for batch in torch.randperm(len(rows)).split(_ANSWERED_BATCH):
            value = layers[0](rows[batch])
            value = nn.functional.dropout(value * torch.sigmoid(_SCALE * value), _DROPPED)
            loss = nn.functional.binary_cross_entropy_with_logits(
                layers[1](value)[:, 0], wanted[batch], weight=counts[batch]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
    parts = [part for layer in layers for part in (layer.weight.T, layer.bias)]
    return np.concatenate([part.detach().numpy().ravel() for part in parts]).astype("<f4")


def _trained(cases: Sequence[Case], seen: Sequence[Inputs]) -> Any:
    """Return the weights of the layers, and the share of the linear model's worth."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    layers = nn.ModuleList([nn.Linear(*size) for size in itertools.pairwise(LAYERS)])
    nn.init.zeros_(layers[-1].weight)
    share = nn.Parameter(torch.tensor(1.0))
    examples = []
    for case, one in zip(cases, seen, strict=True):
        gold = np.flatnonzero(case.gold[one.order])
        if len(gold):
            worth = torch.tensor(one.worth[one.order], dtype=torch.float32)
            examples.append((torch.tensor(one.rows, dtype=torch.float32), worth, gold))
    steps = _EPOCHS * (len(examples) // _BATCH + 1)
    optimizer = torch.optim.AdamW([*layers.parameters(), share], lr=_RATE, weight_decay=_DECAY)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.01, 1 - step / steps))
    for epoch in range(_EPOCHS):
        random.Random(epoch).shuffle(examples)
        for at in range(0, len(examples), _BATCH):
            batch = examples[at : at + _BATCH]
            value = torch.cat([rows for rows, _, _ in batch])
            for layer in layers[:-1]:
                value = layer(value)
                value = value * torch.sigmoid(_SCALE * value)
            gained = layers[-1](value)[:, 0].split([len(rows) for rows, _, _ in batch])
            losses = [
                -torch.logsumexp(torch.log_softmax(share * worth + one, 0)[gold], 0)
                for one, (_, worth, gold) in zip(gained, batch, strict=True)
            ]
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()
            rate.step()
    parts = [part for layer in layers for part in (layer.weight.T, layer.bias)]
    return np.concatenate([p.detach().numpy().ravel() for p in (*parts, share)])

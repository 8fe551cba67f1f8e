"""Fit the network of memory/search/refinement.py, with PyTorch.

The examples are questions with an answer, and the evidence for their units, as for the score model
(fit.py): all of the people whom the embedder was not trained on, and as many of each other kind as
two of them have; each also with few units, as of a new owner. The network learns to put a unit that
answers first (a listwise softmax, after Cao et al. 2007); the weights of the probability are a
logistic regression on the best units of full stores.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memory.search.refinement import LAYERS, Inputs, chance_features, inputs, output, unpacked

from .fit import Case
from .logistic import newton
from .sets import UNSEEN

_MOST = 350  # questions of each other kind
_EPOCHS, _BATCH, _RATE, _DECAY = 20, 32, 3e-3, 0.05
_SCALE = 1.702  # of a sigmoid that is nearly that of a normal distribution, for GELU
_FEW = 25  # other units of a small store
_TOP = 30  # units of a question for fitting the probability


def fitted(given: Sequence[Case]) -> Any:
    """Return the weights, float32, as in memory/search/refinement.f32."""
    cases, draw = list(chosen(given)), random.Random(0)
    small = [smaller(case, draw) for case in cases]
    seen = [inputs(case.found) for case in cases]
    weights = _trained([*cases, *small], [*seen, *(inputs(case.found) for case in small)])
    network = unpacked(np.append(weights, np.zeros(5)))
    rows, gold = [], []
    for case, one in zip(cases, seen, strict=True):
        gained = output(network, one.rows)
        odds = chance_features(case.found, one, gained, network.share)
        best = np.argsort(-odds[:, 0])[:_TOP]
        rows.append(odds[best])
        gold.append(case.gold[best])
    x = np.concatenate(rows)
    chance = newton(x, np.concatenate(gold), np.ones(len(x)), np.full(x.shape[1], 1e-3))
    return np.append(weights, chance).astype("<f4")


def chosen(given: Sequence[Case]) -> Iterator[Case]:
    """Yield the cases to learn from, some of each kind."""
    taken: Counter[str] = Counter()
    for case in random.Random(0).sample(given, len(given)):
        if case.groups and len(case.found) > 1:
            taken[case.kind] += 1
            if case.kind == UNSEEN or taken[case.kind] <= _MOST:
                yield case


def smaller(case: Case, draw: random.Random) -> Case:
    """Return the case as in a store with little else: a new owner's has few messages."""
    count = draw.randint(1, _FEW)
    others = [n for n in range(len(case.found)) if not case.gold[n]]
    kept = sorted(np.flatnonzero(case.gold).tolist() + draw.sample(others, min(count, len(others))))
    at = {place: n for n, place in enumerate(kept)}
    groups = [[at[n] for n in group] for group in case.groups]
    return replace(case, found=[case.found[n] for n in kept], groups=groups, x=case.x[kept])


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

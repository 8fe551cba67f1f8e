"""Train the towers by contrasting the passages that answer a question with others."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from .towers import Example, Passages, Towers

RATE = 4e-4
MAP_RATE = 1.6e-3
TEMPERATURE = 0.05
BATCH = 48  # questions
HARD = 2  # passages for each, beside those that answer it
WARM_UP = 40  # steps
AVERAGED = 0.99  # share of a weight's moving average that stays with each step
SEED = 1
CLUSTERED = 4_000  # questions: of such a store, only neighbours are about related things
NEIGHBOURS = 16  # of those


def train(
    towers: Towers, found: Sequence[Example], stores: Sequence[Passages], epochs: int
) -> None:
    """Train with Adam. The rates rise in WARM_UP steps and then fall to zero. The result is a
    moving average of the weights over the steps (Polyak and Juditsky 1992)."""
    adapters = [*towers.questions.parameters(), *towers.passages.parameters()]
    optimizer = torch.optim.Adam(
        [{"params": adapters, "lr": RATE}, {"params": [towers.down, towers.up], "lr": MAP_RATE}]
    )
    chance = random.Random(SEED)
    steps = epochs * len(in_batches(found, chance))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)
    )
    trained = [*towers.parameters()]
    averages = [each.detach().clone() for each in trained]
    for epoch in range(1, epochs + 1):
        total, batches = 0.0, in_batches(found, chance)
        for batch in batches:
            loss = surprisal(towers, batch, stores[batch[0].store])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(adapters, 1.0)
            optimizer.step()
            schedule.step()
            for average, each in zip(averages, trained, strict=True):
                average.lerp_(each.detach(), 1 - AVERAGED)
            total += float(loss.detach())
        print(f"epoch {epoch}: loss {total / len(batches):.3f}", file=sys.stderr, flush=True)
    with torch.no_grad():
        for average, each in zip(averages, trained, strict=True):
            each.copy_(average)


def surprisal(towers: Towers, batch: Sequence[Example], those: Passages) -> Any:
    """Return the mean negative log-likelihood that the nearest passage is one that answers."""
    vectors = towers.asked(batch)
    wanted = set[int]()
    for each, vector in zip(batch, vectors.detach(), strict=True):
        near = those.last @ vector
        wanted.add(max(each.gold, key=near.__getitem__))
        near[each.gold] = -1.0
        wanted |= set(near.topk(min(HARD, len(near))).indices.tolist())
    rows = sorted(wanted)
    passages = towers.said(those, rows)
    those.last[rows] = passages.detach()
    at = {row: number for number, row in enumerate(rows)}
    losses = []
    for each, vector in zip(batch, vectors, strict=True):
        chances = torch.log_softmax(passages @ vector / TEMPERATURE, 0)
        losses.append(-torch.logsumexp(chances[[at[row] for row in each.gold if row in at]], 0))
    return torch.stack(losses).mean()


def in_batches(found: Sequence[Example], chance: random.Random) -> list[list[Example]]:
    """Return the examples in random batches of questions of one store."""
    batches = []
    for _, one in itertools.groupby(found, lambda each: each.store):
        some = [*one]
        size = NEIGHBOURS if len(some) >= CLUSTERED else 1
        groups = [some[at : at + size] for at in range(0, len(some), size)]
        some = [*itertools.chain.from_iterable(chance.sample(groups, len(groups)))]
        batches += [some[at : at + BATCH] for at in range(0, len(some), BATCH)]
    chance.shuffle(batches)
    return batches

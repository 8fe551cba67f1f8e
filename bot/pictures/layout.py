"""Place the nodes of a graph, those that belong together near each other."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from .names import Pair

ROUNDS = 150
WIDTH, HEIGHT, EDGE = 720, 560, 46


def layout(keys: Collection[str], edges: Mapping[Pair, int]) -> dict[str, tuple[float, float]]:
    """Place the nodes by their forces: all repel each other, edges draw together (Fruchterman and
    Reingold 1991). The same graph gives the same picture."""
    import numpy as np

    order = sorted(keys)
    count = len(order)
    if count < 2:
        return {key: (WIDTH / 2, HEIGHT / 2) for key in order}
    at = {key: number for number, key in enumerate(order)}
    turn = 2.399963 * np.arange(count)  # the golden angle: an even start
    place = np.sqrt(np.arange(1, count + 1) / count)[:, None] * np.stack(
        [np.cos(turn), np.sin(turn)], axis=1
    )
    pull = np.zeros((count, count))
    for (a, b), weight in edges.items():
        if a in at and b in at:
            pull[at[a], at[b]] = pull[at[b], at[a]] = 1 + math.log(weight)
    ideal = 1.4 / math.sqrt(count)
    for number in range(ROUNDS):
        apart = place[:, None, :] - place[None, :, :]
        far = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-3)
        force = ideal**2 / far - pull * far**2 / ideal
        np.fill_diagonal(force, 0)
        move = (apart / far[:, :, None] * force[:, :, None]).sum(axis=1) - place * ideal
        size = np.maximum(np.sqrt((move**2).sum(axis=1)), 1e-9)
        heat = 0.12 * (1 - number / ROUNDS)
        place = place + move / size[:, None] * np.minimum(size, heat)[:, None]
    low, high = place.min(axis=0), place.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    scaled = (place - low) / span * [WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE] + EDGE
    return {
        key: (round(float(x), 1), round(float(y), 1))
        for key, (x, y) in zip(order, scaled, strict=True)
    }

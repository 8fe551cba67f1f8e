"""Lay out a graph: connected nodes are near each other, and labels do not overlap."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from .names import Pair

ROUNDS = 150
MOVES = 500  # maximum moves of overlapping labels
WIDTH, HEIGHT, EDGE = 720, 560, 46


def layout(keys: Collection[str], edges: Mapping[Pair, int]) -> dict[str, tuple[float, float]]:
    """Compute a force-directed layout: nodes repel each other, edges attract (Fruchterman and
    Reingold 1991). It is deterministic. Return the coordinates by node."""
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


def apart(
    places: Mapping[str, tuple[float, float]],
    rooms: Mapping[str, tuple[float, float, float]],
    frame: tuple[float, float],
) -> dict[str, tuple[float, float]]:
    """Move nodes until their boxes do not overlap, as far as the frame allows.

    `rooms`: the box of each node: half of its width, its extent upwards, its extent downwards.
    """
    found = {key: list(place) for key, place in places.items()}
    keys = sorted(found)
    for count in range(MOVES):
        is_clear = True
        for number, a in enumerate(keys):
            for b in keys[number + 1 :]:
                (ax, ay), (bx, by) = found[a], found[b]
                wide = rooms[a][0] + rooms[b][0] - abs(ax - bx)
                high = (rooms[a][2] + rooms[b][1] if ay <= by else rooms[b][2] + rooms[a][1]) - abs(
                    ay - by
                )
                if wide <= 0 or high <= 0:
                    continue
                is_clear = False
                # Move along the axis with less overlap, but every fourth time along the other one,
                # because the frame may block the first.
                sideways = (wide < high) != (count % 4 == 3)
                axis, step = (0, wide) if sideways else (1, high)
                sign = 1 if found[a][axis] <= found[b][axis] else -1
                found[a][axis] -= sign * step / 2
                found[b][axis] += sign * step / 2
        for key, place in found.items():
            half, up, down = rooms[key]
            place[0] = min(max(place[0], half), frame[0] - half)
            place[1] = min(max(place[1], up), frame[1] - down)
        if is_clear:
            break
    return {key: (round(x, 1), round(y, 1)) for key, (x, y) in found.items()}

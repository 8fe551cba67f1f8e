"""The metrics: from a probe's gold answers and its hits to numbers. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .sets import Probe

BINS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 1.01)
"""Bins of probabilities for the calibration error, as in fit.calibration."""
FIRST = 3  # best hits, among which a correction must be


@dataclass(frozen=True, slots=True)
class Found:
    """A hit: its id in the set (`note:PATH`, or a message's id), and what recall says about it.

    `noise`: `manual`, `question` or `small talk` if it is one of these; else empty.
    """

    id: str
    score: float = 0.0
    weak: bool = False
    noise: str = ""


def hit_at(probe: Probe, ids: Sequence[str], k: int) -> float:
    """Return the share of the probe's gold groups that have a member among the first `k`.

    Raises ValueError if there is no gold group, because recall is undefined then.
    """
    if not probe.gold:
        raise ValueError(f"nothing answers {probe.question!r}")
    first = set(ids[:k])
    return sum(not first.isdisjoint(group) for group in probe.gold) / len(probe.gold)


def session_at(probe: Probe, ids: Sequence[str], session: Mapping[str, int], k: int) -> float:
    """Return the share of gold groups with a member in the session of one of the first `k`."""
    found = {session[id_] for id_ in ids[:k] if id_ in session}
    there = [{session[id_] for id_ in group if id_ in session} for group in probe.gold]
    return sum(not found.isdisjoint(each) for each in there) / len(there)


def is_newest_first(probe: Probe, ids: Sequence[str]) -> bool:
    """Return whether a gold message is among the first three, and before all superseded ones."""
    gold = frozenset().union(*probe.gold)
    place = next((at for at, id_ in enumerate(ids) if id_ in gold), len(ids))
    older = next((at for at, id_ in enumerate(ids) if id_ in probe.old), len(ids))
    return place < min(FIRST, len(ids)) and place < older


def is_empty_or_weak(found: Sequence[Found]) -> bool:
    """Return whether nothing is offered as an answer: no hits, or only weak ones."""
    return all(each.weak for each in found)


def is_gold(probe: Probe, id_: str) -> bool:
    """Return whether it is a member of any gold group."""
    return any(id_ in group for group in probe.gold)


def calibration_error(pairs: Iterable[tuple[float, bool]]) -> float:
    """Return the expected calibration error of (probability, is gold) pairs: the mean gap between
    the mean probability and the share of gold, over bins of probability; 0 without pairs."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in BINS[1:]]
    for chance, gold in pairs:
        bins[sum(chance >= low for low in BINS[1:-1])].append((chance, gold))
    total = sum(map(len, bins))
    return sum(
        abs(sum(chance for chance, _ in each) - sum(gold for _, gold in each)) / total
        for each in bins
        if each
    )


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, rounded to four places; None if there are no values."""
    found = list(values)
    return round(statistics.fmean(found), 4) if found else None


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0

"""Aggregate the answers into one document: the values of each block of the table. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .asking import CONVERSATIONS, FIRST_WEEK, OWNER, Answer
from .measure import (
    calibration_error,
    hit_at,
    is_empty_or_weak,
    is_gold,
    is_newest_first,
    mean,
    percentile,
    session_at,
)
from .sets import MISSPELT, OF_ITS_OWN, SAMS_WORDS, UNANSWERED, Probe

CORRECTION = "correction"
NOTHING = "nothing"
Rows = dict[str, dict[str, Any]]
"""Label (`kind`, or `kind / part`) → column → value; None if it is undefined."""
_NOISES = ("manual", "question", "small talk")

_Ways = dict[str, Callable[[Answer], Sequence[str]]]
_WAYS: _Ways = {
    "sam": lambda one: [hit.id for hit in one.hits],
    "left": lambda one: [hit.id for hit in one.left_out or ()],
    "every": lambda one: [hit.id for hit in one.every],
    "fts5": lambda one: one.words,
    "vectors": lambda one: one.vectors,
}


def report(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return all figures; `conversations` and `everyday` by kind, type of probe, and set."""
    talk = [one for one in answers if one.kind in CONVERSATIONS]
    own = [one for one in answers if one.kind not in CONVERSATIONS]
    return {
        "conversations": {
            label: _of_ten(each)
            for label, each in _parts(talk).items()
            if not label.startswith("assistant / ") or " / assistant-" in label
        },
        "everyday": {label: _of_three(each) for label, each in _parts(own).items()},
        "nothing": {
            label: _of_none(each)
            for label, each in _grouped(answers, _label_of_type).items()
            if each[0].probe.type.startswith(NOTHING)
        },
        "noise": _noise([one for one in own if one.kind == OWNER]),
        "kinds": {kind: _kind(each) for kind, each in _grouped(answers, lambda a: a.kind).items()},
    }


def counts(probe: Probe) -> bool:
    """Return whether the probe counts in the figure of its kind: it has an answer, and is neither a
    correction (corrections are measured by their order) nor a misspelt copy, nor does it ask what
    Sam said (added later: the figures of a kind stay comparable)."""
    return bool(probe.gold) and probe.type not in (CORRECTION, MISSPELT, SAMS_WORDS)


def _parts(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """Group by kind, within it by type, including corrections, and by set if there are several."""
    result: dict[str, list[Answer]] = {}
    for kind, each in _grouped(answers, lambda one: one.kind).items():
        result[kind] = [one for one in each if counts(one.probe)]
        answered = [one for one in each if one.probe.gold]
        result |= _grouped(answered, _label_of_type)
        sets = _grouped(result[kind], lambda one: f"{one.kind} / {one.name}")
        if len(sets) > 1 and kind != FIRST_WEEK:
            result |= sets
    return result


def _label_of_type(one: Answer) -> str:
    return f"{one.kind} / {one.probe.type}"


def _grouped(answers: Iterable[Answer], key: Callable[[Answer], str]) -> dict[str, list[Answer]]:
    result: dict[str, list[Answer]] = {}
    for one in answers:
        result.setdefault(key(one), []).append(one)
    return result


def _ways(answers: Sequence[Answer]) -> _Ways:
    """Return the available ways to search: without an embedder, none with vectors."""
    optional = ("vectors", "left")
    return {
        name: way
        for name, way in _WAYS.items()
        if name not in optional or any(way(one) for one in answers)
    }


def _of_ten(answers: Sequence[Answer]) -> dict[str, Any]:
    ways = _ways(answers)
    return {
        "probes": len(answers),
        **{
            f"{name}@10": mean(hit_at(one.probe, way(one), 10) for one in answers)
            for name, way in ways.items()
        },
        **{
            f"{name}@5": mean(hit_at(one.probe, way(one), 5) for one in answers)
            for name, way in ways.items()
            if name != "every"
        },
        "session": mean(
            session_at(one.probe, _WAYS["sam"](one), one.sessions, 10) for one in answers
        ),
    }


def _of_three(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return hit@3 and hit@1; for corrections, the first is the share in the right order."""
    ways = _ways(answers)
    result: dict[str, Any] = {"probes": len(answers)}
    ordered = bool(answers) and answers[0].probe.type == CORRECTION
    for name, way in ways.items():
        result[f"{name}@3"] = mean(
            is_newest_first(one.probe, way(one)) if ordered else hit_at(one.probe, way(one), 3)
            for one in answers
        )
    for name, way in ways.items():
        if not ordered:
            result[f"{name}@1"] = mean(hit_at(one.probe, way(one), 1) for one in answers)
    return result


def _of_none(answers: Sequence[Answer]) -> dict[str, Any]:
    left_out = [one for one in answers if one.left_out is not None]
    return {
        "probes": len(answers),
        "empty": mean(not one.hits for one in answers),
        "left empty": mean(not one.left_out for one in left_out),
        "empty or weak": mean(is_empty_or_weak(one.hits) for one in answers),
    }


def _noise(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the shares of useless hits, without questions about Sam and for its words."""
    left_out = (*OF_ITS_OWN, MISSPELT, *UNANSWERED)
    asked = [one for one in answers if one.probe.type not in left_out]
    hits = [hit for one in asked for hit in one.hits]
    found = Counter(hit.noise for hit in hits)
    shares = {noise: round(found[noise] / max(len(hits), 1), 4) for noise in _NOISES}
    return {"hits": len(hits), **shares}


def _kind(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the figure of a kind, the calibration error of its scores, and the duration."""
    answers = [one for one in answers if one.probe.type not in (MISSPELT, *UNANSWERED)]
    counted = [one for one in answers if counts(one.probe)]
    k = 10 if answers[0].kind in CONVERSATIONS else 3
    times = [one.ms for one in answers]
    result: dict[str, Any] = {
        "probes": len(answers),
        "every": mean(hit_at(one.probe, _WAYS["every"](one), k) for one in counted),
        "calibration": _calibration(answers, lambda one: one.every),
        "ms p50": round(percentile(times, 0.5), 1),
        "ms p95": round(percentile(times, 0.95), 1),
    }
    if any(one.left_out for one in answers):
        result["left out calibration"] = _calibration(answers, lambda one: one.left_out or ())
    return result


def _calibration(answers: Sequence[Answer], hits: Callable[[Answer], Sequence[Any]]) -> float:
    pairs = (
        (hit.score, is_gold(one.probe, hit.id))
        for one in answers
        if one.probe.type != "about_sam"  # these are decided by a separate rule
        for hit in hits(one)[:10]
    )
    return round(calibration_error(pairs), 4)

"""Explain one question of a set: the features and the scores of its best hits."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from memory.search import score_model
from memory.search.evidence import FEATURES
from memory.search.refinement import refined

from .fit import examined
from .sets import Set
from .stores import filled

_SHOWN = ("cover", "keywords", "vector", "length")
_BEST = 5


async def explained(each: Set, question: str, kept: Path | None) -> str:
    """Return a table of the best messages and notes for a question after the last message."""
    probe = replace(each.probes[-1], question=question)
    with tempfile.TemporaryDirectory() as folder:
        async with filled(each, Path(folder), embedder="local", kept=kept) as (memory, _):
            asked, found, rows = await examined(memory, probe, True)
    worth = score_model.worths(found, score_model.HYBRID)
    chances = score_model.chances(found, score_model.HYBRID)
    features = score_model.related_features(found, chances, asked)
    related = score_model.related(features, asked, score_model.HYBRID)
    chances, sure = refined(found, asked)
    lines = []
    if ground := asked.background:
        lines.append(f"its cosines with a sample: {ground.mean:.3f} ± {ground.deviation:.3f}")
    lines += [
        f"something is related: {related:.3f}, there is an answer: {sure:.3f}",
        " ".join(f"{n:>8}" for n in (*_SHOWN, "worth", "score")),
    ]
    for one in sorted(found, key=lambda one: -chances[one.id])[:_BEST]:
        shown = [one.features[FEATURES.index(name)] for name in _SHOWN]
        values = (*shown, worth[one.id], chances[one.id])
        row = rows[one.id]
        lines.append(
            " ".join(f"{value:8.2f}" for value in values)
            + f"  {row['date']} {' '.join(row['text'].split())[:70]}"
        )
    return "\n".join(lines)

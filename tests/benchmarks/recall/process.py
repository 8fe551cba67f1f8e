"""Run our own sets through the real `sam search`: its hits must be those of Memory.recall.

The date cannot be set there, so probes about time are left out. The questions are put on the actual
date, by the owner, who also sees sensitive passages.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.cli.commands.search import as_json
from memory.core import Memory
from tests.support.process import Sam

from .asking import name, print_progress
from .measure import hit_at, mean, percentile
from .report import CORRECTION
from .sets import Probe, Set
from .stores import filled

_EVERY = 25  # probes between two progress messages


async def process(each: Set, *, embedder: str, kept: Path | None = None) -> dict[str, Any]:
    """Return the number of probes, of equal results, the questions that differ, hit@3, and ms."""
    probes = [probe for probe in each.probes if probe.type != "time"]
    with tempfile.TemporaryDirectory() as folder:
        async with filled(each, Path(folder), embedder=embedder, kept=kept) as (memory, ids):
            expected = [await _recalled(memory, probe) for probe in probes]
        sam = Sam(Path(folder), TIMEZONE=each.zone, EMBEDDING_PROVIDER=embedder)
        others, shares, times = [], [], []
        for number, (probe, hits) in enumerate(zip(probes, expected, strict=True), 1):
            began = time.perf_counter()
            printed = sam.run("search", "--json", "--limit", "8", "--", probe.question)
            times.append((time.perf_counter() - began) * 1000)
            found = json.loads(printed)["hits"]
            if found != hits:
                others.append(probe.question)
            if probe.gold and probe.type != CORRECTION:
                shares.append(hit_at(probe, _names(found, ids), 3))
            if not number % _EVERY:
                print_progress(f"sam search, {each.name}: {number} of {len(probes)}")
    return {
        "probes": len(probes),
        "same": len(probes) - len(others),
        "other": others,
        "hit@3": mean(shares),
        "ms p50": round(percentile(times, 0.5), 1),
        "ms p95": round(percentile(times, 0.95), 1),
    }


async def _recalled(memory: Memory, probe: Probe) -> list[dict[str, Any]]:
    """Return what recall finds on the actual date, in the form of `sam search --json`."""
    now = datetime.now(UTC)
    found = await memory.recall(probe.question, limit=8, private=True, now=now)
    hits: list[dict[str, Any]] = json.loads(json.dumps(as_json(found), default=str))["hits"]
    return hits


def _names(hits: list[dict[str, Any]], ids: Mapping[int, str]) -> list[str]:
    return [name(hit["message_ids"], hit["path"], ids) for hit in hits]

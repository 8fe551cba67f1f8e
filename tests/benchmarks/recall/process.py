"""The owner's own sets through the real `sam search`: its hits have to be those of Memory.recall.

Dates cannot be set there, so the probes about time are left out; it is asked on the real day, by
the owner, who sees sensitive passages as well.
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

from .asking import name, says
from .measure import hit_at, mean, percentile
from .report import CORRECTION
from .sets import Probe, Set
from .stores import filled

_EVERY = 25  # probes between two words of progress


async def process(each: Set, *, embedder: str, kept: Path | None = None) -> dict[str, Any]:
    """How many probes were asked, how many gave the same, the questions that did not, hit@3, ms."""
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
                says(f"sam search, {each.name}: {number} of {len(probes)}")
    return {
        "probes": len(probes),
        "same": len(probes) - len(others),
        "other": others,
        "hit@3": mean(shares),
        "ms p50": round(percentile(times, 0.5), 1),
        "ms p95": round(percentile(times, 0.95), 1),
    }


async def _recalled(memory: Memory, probe: Probe) -> list[dict[str, Any]]:
    """What recall finds on the real day, as `sam search --json` prints it."""
    now = datetime.now(UTC)
    found = await memory.recall(probe.question, limit=8, private=True, now=now)
    hits: list[dict[str, Any]] = json.loads(json.dumps(as_json(found)))["hits"]
    return hits


def _names(hits: list[dict[str, Any]], ids: Mapping[int, str]) -> list[str]:
    return [name(hit["message_ids"], hit["path"], ids) for hit in hits]

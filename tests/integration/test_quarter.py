"""Half a month of the simulated quarter: the memory after chats with an unreliable model."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.quarter.__main__ import simulated

DAYS = 15


async def test_after_half_a_month_with_a_bad_model_memory_is_right(tmp_path: Path) -> None:
    found = await simulated(tmp_path, days=DAYS)
    assert found.faults == []
    assert found.wrong_proposals > 10 and found.facts > 10 and found.bullets > 30
    assert found.corrections == 8 and found.deleted >= 5 and len(found.not_done) <= 2

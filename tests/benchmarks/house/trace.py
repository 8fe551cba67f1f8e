"""Trace the files visited by one message and by one batch, in the real process."""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.process import wait_until
from tests.support.world import World

_WARM = 3  # messages before the measured one, which warm everything up
_QUIET = 1.5  # seconds after an answer in which calls still count as its follow-up work


@dataclass(frozen=True, slots=True)
class TraceCounts:
    """What one event runs through. `moves`: consecutive calls in a thread that change the file."""

    files: int
    functions: int
    moves: int


def trace_message_and_batch() -> tuple[TraceCounts, TraceCounts]:
    """Trace a Telegram message that is answered, and a batch that is summarised."""
    with tempfile.TemporaryDirectory() as folder, World.running(Path(folder)) as world:
        record = Path(folder) / "calls.json"
        traced = "tests.benchmarks.house.traced"
        world.sam.command = [sys.executable, "-m", traced, str(record)]
        world.sam.start(SUMMARY_THRESHOLD="1000")  # a batch is summarised only on request
        for number in range(_WARM):
            world.asks(f"warming up, number {number}")
        time.sleep(_QUIET)
        message = _during(lambda: world.asks("The quince stands by the wall."))
        world.sends(*(f"message {number} of the batch" for number in range(16)))
        world.see_answered("message 15 of the batch")
        time.sleep(_QUIET)
        before = sum(world.bullets().values())
        batch = _during(lambda: _summarised(world, before))
        assert world.sam.stop() == 0
        calls = json.loads(record.read_text("utf-8"))
    return _counts(calls, *message), _counts(calls, *batch)


def _summarised(world: World, before: int) -> None:
    world.sends("/summarize")
    wait_until(lambda: sum(world.bullets().values()) > before, "a summary", nap=0.1)


def _during(happens: Callable[[], None]) -> tuple[float, float]:
    began = time.time()
    happens()
    time.sleep(_QUIET)
    return began, time.time()


def _counts(
    calls: Sequence[tuple[float, int, str, str]], began: float, ended: float
) -> TraceCounts:
    during = [call for call in calls if began <= call[0] <= ended]
    threads = {thread for _, thread, _, _ in during}
    moves = 0
    for one in threads:
        files = [path for _, thread, path, _ in during if thread == one]
        moves += sum(here != there for here, there in itertools.pairwise(files))
    return TraceCounts(
        len({path for _, _, path, _ in during}),
        len({(path, name) for _, _, path, name in during}),
        moves,
    )

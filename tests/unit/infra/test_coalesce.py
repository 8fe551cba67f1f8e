"""Concurrent requests for the same work run it once, and never get a result that is too old."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from memory.index.pending_paths import SingleFlight


class Work:
    """Record what each run was for; each blocks until it is released."""

    def __init__(self) -> None:
        self.runs: list[list[str]] = []
        self.at_it = asyncio.Event()
        self.go_on = asyncio.Event()
        self.fails = 0

    async def __call__(self, wanted: Sequence[str]) -> None:
        self.runs.append(sorted(wanted))
        self.at_it.set()
        if self.fails:
            self.fails -= 1
            raise OSError("no disk")
        await self.go_on.wait()


async def test_who_asks_in_the_same_moment_shares_a_run() -> None:
    work = Work()
    work.go_on.set()
    together = SingleFlight(work)
    await asyncio.gather(*(together(each) for each in "abcd"))
    assert work.runs == [["a", "b", "c", "d"]]
    await together("e")
    assert work.runs[1:] == [["e"]]


async def test_who_asks_while_it_runs_waits_for_the_next_run() -> None:
    work = Work()
    together = SingleFlight(work)
    first = asyncio.create_task(together("a"))
    await work.at_it.wait()
    later = [asyncio.create_task(together(each)) for each in "bcd"]
    await asyncio.sleep(0.01)
    assert work.runs == [["a"]]
    work.go_on.set()
    await asyncio.gather(first, *later)
    assert work.runs[1:] == [["b", "c", "d"]], "the one at work may have looked before they asked"


async def test_where_it_fails_the_others_try_for_themselves() -> None:
    work = Work()
    work.go_on.set()
    work.fails = 1
    together = SingleFlight(work)
    done = await asyncio.gather(*(together(each) for each in "abc"), return_exceptions=True)
    assert [type(each) for each in done] == [OSError, type(None), type(None)]
    assert [set("bc") <= set(run) for run in work.runs] == [True, True]
    await together("d")
    assert work.runs[2:] == [["d"]], "what was done is not done again"


async def test_who_gives_up_takes_nobody_along() -> None:
    work = Work()
    together = SingleFlight(work)
    first, other = asyncio.create_task(together("a")), asyncio.create_task(together("b"))
    await work.at_it.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    work.go_on.set()
    await other
    assert [set("b") <= set(run) for run in work.runs] == [True, True]

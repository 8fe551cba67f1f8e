"""Work that several ask for at once is done once, and for nobody too early."""

from __future__ import annotations

import asyncio

import pytest

from memory.together import Together


class Work:
    """Counts its runs; each waits until it is let go."""

    def __init__(self) -> None:
        self.runs = 0
        self.at_it = asyncio.Event()
        self.go_on = asyncio.Event()
        self.fails = 0

    async def __call__(self) -> None:
        self.runs += 1
        self.at_it.set()
        if self.fails:
            self.fails -= 1
            raise OSError("no disk")
        await self.go_on.wait()


async def test_who_asks_in_the_same_moment_shares_a_run() -> None:
    work = Work()
    work.go_on.set()
    together = Together(work)
    await asyncio.gather(*(together() for _ in range(5)))
    assert work.runs == 1
    await together()
    assert work.runs == 2


async def test_who_asks_while_it_runs_waits_for_the_next_run() -> None:
    work = Work()
    together = Together(work)
    first = asyncio.create_task(together())
    await work.at_it.wait()
    later = [asyncio.create_task(together()) for _ in range(3)]
    await asyncio.sleep(0.01)
    assert work.runs == 1
    work.go_on.set()
    await asyncio.gather(first, *later)
    assert work.runs == 2, "the one at work may have looked before they asked"


async def test_where_it_fails_the_others_try_for_themselves() -> None:
    work = Work()
    work.go_on.set()
    work.fails = 1
    together = Together(work)
    done = await asyncio.gather(*(together() for _ in range(3)), return_exceptions=True)
    assert [type(each) for each in done] == [OSError, type(None), type(None)]
    assert work.runs == 2


async def test_who_gives_up_takes_nobody_along() -> None:
    work = Work()
    together = Together(work)
    first, other = asyncio.create_task(together()), asyncio.create_task(together())
    await work.at_it.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    work.go_on.set()
    await other
    assert work.runs == 2

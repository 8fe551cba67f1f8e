"""Background work of an open profile: update its index from log and vault, and embed passages.

It ends when the profile is closed, and may be interrupted at any point: the next time the profile
is open, it continues.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from memory import EmbedError, LockHeld, StoreError, VaultGone
from memory.infra import Backoff
from memory.vault import FileEvents

from ..assistant import Assistant

log = logging.getLogger(__name__)

AGAIN_SECONDS = 60.0  # seconds before work that failed unexpectedly is restarted
AT_ONCE_LOCAL, AT_ONCE_REMOTE = 32, 64  # chunks: a few seconds of CPU time; one request
QUEUE_PAUSE = 2.0  # seconds to wait after a change, to handle several together
LOOK_AGAIN = 30.0  # seconds between checks for changes by other processes
QUEUE_DOWN = Backoff(first=5.0, factor=3.0, longest=300.0)


def begin(
    stack: AsyncExitStack, profile: Assistant, files: FileEvents, *, alone: bool
) -> asyncio.Event:
    """Start the work; it ends when the stack is closed. Return an event that is set after the first
    full scan of the vault. `alone`: no other process uses this profile."""
    scanned, name = asyncio.Event(), profile.name
    in_background(stack, partial(_watch, profile, files, alone, scanned), f"watch {name}")
    in_background(stack, partial(_take_in, profile), f"take in {name}")
    in_background(stack, partial(_embed, profile), f"embed {name}")
    in_background(stack, profile.memory.keep_tidy, f"tidy {name}")
    return scanned


def in_background(
    stack: AsyncExitStack, work: Callable[[], Coroutine[Any, Any, None]], name: str
) -> None:
    """Run `work` in the background until the stack is closed; restart it after a failure."""

    async def kept() -> None:
        while True:
            try:
                return await work()
            except Exception:
                log.exception("background=%s failed, and begins again", name)
                await asyncio.sleep(AGAIN_SECONDS)

    task = asyncio.create_task(kept(), name=name)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _watch(
    profile: Assistant, files: FileEvents, alone: bool, scanned: asyncio.Event
) -> None:
    """Keep the index up to date; `scanned` is set after the first full scan of the vault."""

    def caught_up() -> None:
        profile.job_requests.more_pending()  # messages of released batches are pending again
        scanned.set()

    # Only a process that runs alone repairs what a crash left.
    await profile.memory.watch(files, caught_up, alone=alone)


async def _take_in(profile: Assistant) -> None:
    """Index new messages while no turn runs, until cancelled."""
    memory = profile.memory
    waits, logged, indexed = QUEUE_DOWN.waits(), asyncio.Event(), asyncio.Event()
    memory.log.listen(logged)
    memory.index.listen(indexed)
    while True:
        await memory.embeddings.idle()
        only_index = indexed.is_set() and not logged.is_set()  # as by vectors, or a note
        logged.clear()
        try:
            if not only_index:
                await memory.index_deferred()
            indexed.clear()  # what this has changed, the search cache takes in now
            await memory.searcher.refresh_cache()
            waits, pause = QUEUE_DOWN.waits(), QUEUE_PAUSE
            await _set(logged, indexed)
        except VaultGone:
            logged.set()
            pause = QUEUE_PAUSE  # turns and the watcher already report it
        except (StoreError, LockHeld) as why:
            logged.set()
            pause = next(waits)
            log.warning("messages wait to be indexed, pause seconds=%d: %s", pause, why)
        await asyncio.sleep(pause)


async def _embed(profile: Assistant) -> None:
    """Embed the queued passages, until cancelled."""
    memory = profile.memory
    if memory.embedder is None:
        return
    count = AT_ONCE_REMOTE if memory.embedder.remote else AT_ONCE_LOCAL
    waits, changed = QUEUE_DOWN.waits(), asyncio.Event()
    memory.listen(changed)
    while True:
        changed.clear()
        try:
            left = await memory.embeddings.embed(count)
            waits = QUEUE_DOWN.waits()
            if not left:
                await _set(changed)
                await asyncio.sleep(QUEUE_PAUSE)
        except (EmbedError, StoreError, LockHeld) as why:
            # /status shows `embeddings.trouble` as long as it lasts.
            pause = next(waits)
            log.warning("embedding pauses seconds=%d: %s", pause, why)
            await asyncio.sleep(pause)


async def _set(*changed: asyncio.Event) -> None:
    """Wait for a change by this process, or until it is time to check for changes by others."""
    waits = [asyncio.ensure_future(each.wait()) for each in changed]
    try:
        await asyncio.wait(waits, timeout=LOOK_AGAIN, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()

"""Run an async object in a thread with its own event loop."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any


class InThread:
    """Synchronous proxy: each call runs in the object's loop and blocks until its result.

    Attributes are read and set in that loop, and lists are copied, so a test in another thread
    never sees a partial change.
    """

    def __init__(self, inside: object, loop: asyncio.AbstractEventLoop) -> None:
        object.__setattr__(self, "_inside", inside)
        object.__setattr__(self, "_loop", loop)

    def __getattr__(self, name: str) -> Any:
        value = self._run(lambda: getattr(self._inside, name))
        if inspect.ismethod(value):
            return lambda *args, **kwargs: self._run(lambda: value(*args, **kwargs))
        return value

    def __setattr__(self, name: str, value: object) -> None:
        self._run(lambda: setattr(self._inside, name, value))

    def _run(self, deed: Callable[[], Any]) -> Any:
        async def do() -> Any:
            result = deed()
            if inspect.isawaitable(result):
                result = await result
            return result.copy() if isinstance(result, list | dict | set) else result

        return asyncio.run_coroutine_threadsafe(do(), self._loop).result()


@contextmanager
def in_thread(make: Callable[[], AbstractAsyncContextManager[Any]]) -> Iterator[Any]:
    """Open the object in a new thread, yield its `InThread` proxy, and close it at the end."""
    opened = threading.Event()
    outcome: dict[str, Any] = {}

    async def live() -> None:
        try:
            async with make() as inside:
                outcome["inside"] = inside
                outcome["loop"] = asyncio.get_running_loop()
                outcome["end"] = asyncio.Event()
                opened.set()
                await outcome["end"].wait()
        finally:
            opened.set()

    def run() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:  # re-raised in the waiting thread
            outcome["error"] = error

    thread = threading.Thread(target=run, name="fake", daemon=True)
    thread.start()
    opened.wait()
    try:
        if "inside" in outcome:
            yield InThread(outcome["inside"], outcome["loop"])
    finally:
        if "loop" in outcome:
            outcome["loop"].call_soon_threadsafe(outcome["end"].set)
        thread.join()
    if "error" in outcome:
        raise outcome["error"]

"""What waits for the index: paths to reindex, and callers that share one run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar


class PendingPaths:
    """Paths whose notes may have changed; adding a path again makes it the newest."""

    def __init__(self) -> None:
        self._paths: dict[str, int] = {}
        self._named = 0

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, paths: Iterable[str]) -> None:
        """Add the paths of notes that may have changed."""
        for path in paths:
            self._named += 1
            self._paths.pop(path, None)
            self._paths[path] = self._named

    @contextmanager
    def take(self, most: int) -> Iterator[list[str]]:
        """Take up to `most` of the newest paths; put them back if the caller's block raises."""
        paths = [self._paths.popitem()[0] for _ in range(min(most, len(self._paths)))]
        try:
            yield paths
        except BaseException:
            self.add(reversed(paths))
            raise

    def seen(self) -> Mapping[str, int]:
        """Return a snapshot for `settle`."""
        return dict(self._paths)

    def settle(self, seen: Mapping[str, int], only: frozenset[str] | None = None) -> None:
        """Remove the paths of a snapshot (or only those in `only`) unless they were added again
        since."""
        self._paths = {
            path: at
            for path, at in self._paths.items()
            if seen.get(path) != at or (only is not None and path not in only)
        }

    def drop_older(self, paths: frozenset[str] | None, *, but: int) -> None:
        """Drop these (None: all) but the `but` newest pending paths; a background scan covers
        them."""
        older = list(self._paths)[: max(0, len(self._paths) - but)]
        for path in older:
            if paths is None or path in paths:
                del self._paths[path]


T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Run `work` once for all concurrent callers.

    Each caller waits for a run that began after its call. `work` gets the arguments of all callers
    that no run has served yet.
    """

    def __init__(self, work: Callable[[Sequence[T]], Awaitable[object]]) -> None:
        self._work, self._running = work, asyncio.Lock()
        self._wanted: list[T] = []
        self._asked = self._served = 0

    async def __call__(self, *wanted: T) -> None:
        """Run the work, or wait for the run in progress. An error of `work` is raised to the caller
        that ran it; the others then run it themselves."""
        self._asked += 1
        mine = self._asked
        self._wanted += wanted
        await asyncio.sleep(0)  # concurrent calls join the same run
        async with self._running:
            if self._served >= mine:
                return
            served, known = self._asked, tuple(self._wanted)
            await self._work(known)
            del self._wanted[: len(known)]
            self._served = served

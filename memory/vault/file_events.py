"""The file events of many folders from one native watcher, of which a system allows only some.

A native watcher's folders are fixed when it begins. When another folder is wanted, the next one
begins before the last one ends, so that no event is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

QUIET_MS = 200
"""Editors and sync programs write in steps: events are collected until it is quiet this long …"""
LONGEST_MS = 1_500
"""… or this long, when it never gets quiet."""
LOOK_MS = 1_000
"""Milliseconds between two checks that the folders are still the watched ones."""
POLL_MS = 2_000
"""Milliseconds between two polls of a network mount, which has no events for other machines'
writes."""

Event = tuple[bool, str]
"""Whether it has come or gone, and its absolute path."""


class Folder:
    """A folder that is watched: `news` waits for its events."""

    def __init__(self, root: Path) -> None:
        self.root, self._inode = root, _inode(root)
        self._events: set[Event] = set()
        self._heard = asyncio.Event()
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._failed: Exception | None = None
        self.is_gone = False
        """Whether the folder was deleted, moved or replaced."""

    async def news(self, seconds: float | None = None) -> set[Event]:
        """Return the events since the last call, once there are any; after so many `seconds`, or
        when the folder is gone, also none. Raises OSError, RuntimeError: it is watched no more."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), seconds)
        self._heard.clear()
        if self._failed is not None:
            raise self._failed
        events, self._events = self._events, set()
        return events

    def hear(self, event: Event) -> None:
        """Take an event of this folder."""
        self._events.add(event)
        self._heard.set()

    def look(self) -> None:
        """Check that it is still the same folder."""
        if not self.is_gone and _inode(self.root) != self._inode:
            self.is_gone = True
            self._heard.set()

    def begin(self) -> None:
        """From here on, no event is missed."""
        if not self.begun.done():
            self.begun.set_result(None)

    def fail(self, why: Exception) -> None:
        """It is not watched, or no more."""
        if not self.begun.done():
            self.begun.set_exception(why)
        self._failed = why
        self._heard.set()


class FileEvents:
    """The watched folders of one process."""

    def __init__(self) -> None:
        self._native, self._polled = _Watcher(polling=False), _Watcher(polling=True)

    @asynccontextmanager
    async def of(self, root: Path, *, polling: bool) -> AsyncIterator[Folder]:
        """Watch a folder, which has no links in its path, and all below it within this context.

        Raises OSError, RuntimeError when that is impossible.
        """
        watcher, folder = self._polled if polling else self._native, Folder(root)
        watcher.add(folder)
        try:
            await folder.begun
            yield folder
        finally:
            watcher.remove(folder)


class _Watcher:
    """One native watcher after another, for all folders that are wanted at a time."""

    def __init__(self, *, polling: bool) -> None:
        self._polling = polling
        self._folders: dict[Folder, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked = self._begun = 0  # native watchers, counted

    def add(self, folder: Folder) -> None:
        self._folders[folder] = None
        self._renew()

    def remove(self, folder: Folder) -> None:
        del self._folders[folder]
        folder.begun.cancel()
        if self._folders:
            self._renew()
        else:
            for task in self._tasks:
                task.cancel()

    def _renew(self) -> None:
        self._asked += 1
        task = asyncio.create_task(self._watch(self._asked), name="file events")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, number: int) -> None:
        """Watch what is wanted now, until a later native watcher has begun."""
        await asyncio.sleep(0)  # several that are wanted at once need one native watcher
        if number != self._asked:
            return
        folders = list(self._folders)
        try:
            await self._follow(number, folders)
        except (OSError, RuntimeError) as why:
            # The last native watcher stays in place of one that could not begin.
            for folder in folders:
                if number == self._begun or not folder.begun.done():
                    folder.fail(why)

    async def _follow(self, number: int, folders: list[Folder]) -> None:
        from watchfiles import Change, awatch

        by_root: dict[str, list[Folder]] = {}
        for folder in folders:
            folder.look()
            if not folder.is_gone:
                by_root.setdefault(str(folder.root), []).append(folder)
        if not by_root:
            return _begin(folders)
        async for events in awatch(
            *by_root,
            watch_filter=None,
            debounce=LONGEST_MS,
            step=QUIET_MS,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            force_polling=self._polling,
            poll_delay_ms=POLL_MS,
            ignore_permission_denied=True,
        ):
            if self._begun < number:
                self._begun = number
                _begin(folders)
            for kind, path in events:
                for folder in _folders_of(path, by_root):
                    folder.hear((kind is not Change.modified, path))
            for folder in folders:
                folder.look()
            if self._begun > number:
                return


def _begin(folders: Iterable[Folder]) -> None:
    for folder in folders:
        folder.begin()


def _folders_of(path: str, by_root: dict[str, list[Folder]]) -> Iterable[Folder]:
    """Return the folders that contain that path, or are it."""
    while True:
        yield from by_root.get(path, ())
        above, separator, _ = path.rpartition("/")
        if not separator:
            return
        path = above


def _inode(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

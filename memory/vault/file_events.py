"""File events of many folders from one native watcher, because the OS limits their number.

A native watcher cannot add folders after its start. To add one, a new watcher starts before the old
one stops, so that no event is lost.
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
"""Whether the file exists now (added or changed, not deleted), and its absolute path."""


class Folder:
    """A watched folder: `news` waits for its events."""

    def __init__(self, root: Path) -> None:
        self.root, self._inode = root, _inode(root)
        self._events: set[Event] = set()
        self._heard = asyncio.Event()
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._failed: Exception | None = None
        self.is_gone = False
        """Whether the folder was deleted, moved or replaced."""

    async def news(self, seconds: float | None = None) -> set[Event]:
        """Wait for events and return those since the last call; an empty set after `seconds`, or
        when the folder is gone. Raises OSError, RuntimeError if it is no longer watched."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), seconds)
        self._heard.clear()
        if self._failed is not None:
            raise self._failed
        events, self._events = self._events, set()
        return events

    def hear(self, event: Event) -> None:
        """Add an event of this folder."""
        self._events.add(event)
        self._heard.set()

    def look(self) -> None:
        """Update `is_gone`: whether the path is still the same folder."""
        if not self.is_gone and _inode(self.root) != self._inode:
            self.is_gone = True
            self._heard.set()

    def begin(self) -> None:
        """Mark the folder as watched: no later event is missed."""
        if not self.begun.done():
            self.begun.set_result(None)

    def fail(self, why: Exception) -> None:
        """Record why the folder is not, or no longer, watched."""
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
        """Watch a folder, whose path has no links, recursively within this context.

        Raises OSError, RuntimeError if that is impossible.
        """
        watcher, folder = self._polled if polling else self._native, Folder(root)
        watcher.add(folder)
        try:
            await folder.begun
            yield folder
        finally:
            watcher.remove(folder)


class _Watcher:
    """Replaces the native watcher whenever the set of watched folders changes."""

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
        """Watch the current folders until a later native watcher has started."""
        await asyncio.sleep(0)  # folders added at the same time share one native watcher
        if number != self._asked:
            return
        folders = list(self._folders)
        try:
            await self._follow(number, folders)
        except (OSError, RuntimeError) as why:
            # If the new native watcher cannot start, the previous one stays.
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
    """Return the folders that contain the path or are equal to it."""
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

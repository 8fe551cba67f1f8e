"""File events of many folders from one native watcher, because the OS limits their number.

A native watcher cannot add folders after its start. To add one, a new watcher starts before the old
one stops, so that no event is lost. A folder that is already watched needs no new watcher.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

QUIET_MS = 200
"""Milliseconds without events after which the collected events are reported: editors and sync
programs write in several steps."""
LONGEST_MS = 1_500
"""The maximum time to collect events, in milliseconds."""
CHECK_MS = 1_000
"""Milliseconds between two checks that paths still lead to the watched folders."""
FOLDERS_PER_CHECK = 100
"""Folders per check, in turn: with a thousand folders, each is checked every ten seconds."""
POLL_MS = 2_000
"""Milliseconds between two polls of a network mount, which has no events for other machines'
writes."""

Event = tuple[bool, str]
"""Whether the file was added or deleted (instead of modified), and its absolute path."""
Inode = tuple[int, int]
"""Device and inode, since a path may lead to another folder after a move."""


class Folder:
    """A watched folder. `wait_for_events` waits for its events."""

    def __init__(self, root: Path) -> None:
        self.root, self.inode = root, _inode(root)
        self._events: set[Event] = set()
        self._heard = asyncio.Event()
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._failed: Exception | None = None
        self.is_gone = False
        """Whether the folder was deleted, moved or replaced."""

    async def wait_for_events(self, seconds: float | None = None) -> set[Event]:
        """Wait for events and return those since the last call; an empty set after `seconds`, or
        when the folder is gone. Raises OSError, RuntimeError if it is no longer watched."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._heard.wait()
        self._heard.clear()
        if self._failed is not None:
            raise self._failed
        events, self._events = self._events, set()
        return events

    def add_event(self, event: Event) -> None:
        """Add an event of this folder."""
        self._events.add(event)
        self._heard.set()

    def check(self) -> None:
        """Set `is_gone`, and end `wait_for_events`, if the path no longer leads to this folder."""
        if not self.is_gone and _inode(self.root) != self.inode:
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
    """Run one native watcher at a time, for all folders to be watched."""

    def __init__(self, *, polling: bool) -> None:
        self._polling = polling
        self._wanted: dict[str, list[Folder]] = {}
        """By root: several may want to hear of the same folder."""
        self._watched: dict[str, Inode | None] = {}
        """The roots of the native watcher that has begun last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked = self._begun = 0  # numbers of native watchers
        self._is_beginning = False
        self._checked = 0  # number of folders checked so far

    def add(self, folder: Folder) -> None:
        root = str(folder.root)
        self._wanted.setdefault(root, []).append(folder)
        is_watched = folder.inode is not None and self._watched.get(root) == folder.inode
        if is_watched and self._begun == self._asked:
            folder.begin()
        else:
            self._renew()

    def remove(self, folder: Folder) -> None:
        root = str(folder.root)
        self._wanted[root].remove(folder)
        folder.begun.cancel()
        if self._wanted[root]:
            return
        del self._wanted[root]
        if self._wanted:
            self._renew()
        else:
            self._watched, self._is_beginning = {}, False
            for task in self._tasks:
                task.cancel()

    def _renew(self) -> None:
        self._asked += 1
        if not self._is_beginning:  # one at a time: folders added meanwhile share the next one
            self._is_beginning = True
            task = asyncio.create_task(self._watch(), name="file events")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _settled(self, number: int) -> None:
        """Record that this native watcher has started, or cannot start."""
        self._is_beginning = False
        if self._wanted and self._asked > number:
            self._asked -= 1
            self._renew()

    async def _watch(self) -> None:
        """Watch the current folders until a later native watcher has started."""
        await asyncio.sleep(0)  # folders added at the same time share one native watcher
        number = self._asked
        folders = [folder for wanted in self._wanted.values() for folder in wanted]
        try:
            await self._follow(number, folders)
        except (OSError, RuntimeError, ExceptionGroup) as why:
            # A group: watchfiles cannot decode a file's name, and has ended. The next one begins.
            error = OSError(str(why)) if isinstance(why, ExceptionGroup) else why
            # If a native watcher cannot start, the previous one stays.
            is_last = number == self._begun
            if is_last:
                self._watched = {}
                folders = [folder for wanted in self._wanted.values() for folder in wanted]
            for folder in folders:
                if is_last or not folder.begun.done():
                    folder.fail(error)
            if not is_last:
                self._settled(number)

    async def _follow(self, number: int, folders: list[Folder]) -> None:
        from watchfiles import Change, awatch

        watched: dict[str, Inode | None] = {}
        for folder in folders:
            folder.check()
            if not folder.is_gone:
                watched[str(folder.root)] = folder.inode
        if not watched:
            _begin(folders)
            return self._settled(number)
        async for events in awatch(
            *watched,
            watch_filter=None,
            debounce=LONGEST_MS,
            step=QUIET_MS,
            rust_timeout=CHECK_MS,
            yield_on_timeout=True,
            force_polling=self._polling,
            poll_delay_ms=POLL_MS,
            ignore_permission_denied=True,
        ):
            if self._begun < number:
                self._begun, self._watched = number, watched
                _begin(folders)
                self._settled(number)
            for kind, path in events:
                for folder in _folders_of(path, self._wanted):
                    folder.add_event((kind is not Change.modified, path))
            self._check_folders()
            if self._begun > number:
                return

    def _check_folders(self) -> None:
        """Check the next FOLDERS_PER_CHECK folders."""
        folders = [folder for wanted in self._wanted.values() for folder in wanted]
        first = self._checked % max(1, len(folders))
        for folder in (folders[first:] + folders[:first])[:FOLDERS_PER_CHECK]:
            folder.check()
        self._checked = first + FOLDERS_PER_CHECK


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


def _inode(folder: Path) -> Inode | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

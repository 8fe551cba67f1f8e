"""Watch the vault for file events, and report the changed paths."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from ..errors import SamError
from . import file_events
from .file_events import FileEvents
from .scanner import RULE_FILES

log = logging.getLogger(__name__)

Changed = Callable[[frozenset[str] | None], Awaitable[None]]
"""Called with paths of notes relative to the vault, with `/`; None: anything may have changed."""

NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "davfs", "fuse.", "fuseblk.")
"""Prefixes of the names of network file systems."""
PASSING = (".partial", ".tmp", ".part", "~")
"""Suffixes of temporary files."""


async def watch(
    root: Path, changed: Changed, files: FileEvents, *, polling: bool | None = None
) -> None:
    """Call `changed` for what changes below `root`, until cancelled.

    At each start of watching, `changed(None)` is called first, because earlier changes were not
    seen. If the folder vanishes, wait until it is back. If `changed` raises a SamError, its paths
    are passed again. `polling` None: decide by the kind of mount.
    """
    while True:
        if root.is_dir():
            poll = on_network(root) if polling is None else polling
            try:
                await _while_there(root.resolve(), changed, files, poll)
            except OSError as wrong:
                log.warning("watch=failed error=%s", type(wrong).__name__)
            except RuntimeError as wrong:
                # From watchfiles: usually the system's limit of watches, which polling does not
                # need.
                log.warning("watch=failed error=%s next=polling", type(wrong).__name__)
                polling = True
        await asyncio.sleep(file_events.CHECK_MS / 1000)


async def _while_there(root: Path, changed: Changed, files: FileEvents, poll: bool) -> None:
    """Watch until the folder is gone or replaced."""
    waiting: frozenset[str] | None = None
    deferred = False
    async with files.of(root, polling=poll) as folder:
        while not folder.is_gone:
            if waiting is None or waiting:
                try:
                    await changed(waiting)
                except SamError as wrong:
                    if not deferred:  # retried every second: log it only once
                        log.warning("watch=deferred error=%s", type(wrong).__name__)
                    deferred = True
                else:
                    waiting, deferred = frozenset(), False
            events = await folder.wait_for_events(file_events.CHECK_MS / 1000 if deferred else None)
            found = notes(root, events)
            waiting = None if found is None or waiting is None else waiting | found
    log.warning("watch=lost reason=folder_gone")


def notes(root: Path, events: Iterable[tuple[bool, str]]) -> frozenset[str] | None:
    """Return the paths, relative to `root`, of the notes that these events affect.

    None if they cannot be listed: a moved or deleted folder has no events for its notes, and a
    deleted path may have been a folder.
    """
    found = set()
    for came_or_went, name in events:
        try:
            path = Path(name).relative_to(root)
        except ValueError:
            continue
        relative = path.as_posix()
        if relative in RULE_FILES:
            return None
        if any(part.startswith(".") for part in path.parts) or name.endswith(PASSING):
            continue
        if path.suffix.lower() == ".md":
            found.add(relative)
        elif came_or_went and not (root / path).is_file():
            return None
    return frozenset(found)


def on_network(root: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Return whether the folder is on a mount whose files change without events on this machine."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False  # not Linux: the system's own events are used
    best, network = -1, False
    folder = root.resolve()
    for line in lines:
        _, where, kind, *_ = line.split(" ")
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), where))
        if (point == folder or point in folder.parents) and len(point.parts) >= best:
            best, network = len(point.parts), kind.startswith(NETWORK)
    return network

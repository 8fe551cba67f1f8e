"""From the vault to the remote: sends files, and moves away what is gone. Changes no note.

No remote can replace a file on a condition. So files that are there are sent one by one, the
small ones first, each after a last look at it: what is not as it was found stays, and is left for
the next sync. From that look to the end of the file's own upload lies the one moment in which
another's write to this very file could be lost.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memory import files, paths
from memory.locks import unbroken

from .round import Round

_BATCH_FILES, _BATCH_BYTES = 200, 8_000_000  # of new files, sent after one look at the remote


async def send(turn: Round, wanted: Mapping[str, str]) -> None:
    """Send these files of the vault, each only while its hash is the one given. SyncError."""
    for batch in _batches(turn, wanted):
        folder = turn.remote.outgoing()
        ready: dict[str, Path] = {}
        for name in batch:
            target = folder / turn.away.side.names.get(name, turn.live.names[name])
            if await unbroken(asyncio.to_thread(_copy, turn, name, target, batch[name])):
                ready[name] = target
        steady = await _steady(turn, ready)
        for name in ready.keys() - steady:
            ready.pop(name).unlink()
        if ready:
            await turn.remote.send(folder)
        for name, target in ready.items():
            await turn.remember_sent(name, batch[name], target)
            turn.done.pushed.append(turn.live.names[name])
        turn.done.left += [turn.live.names[name] for name in batch if name not in ready]


async def remove(turn: Round, names: Iterable[str]) -> None:
    """Move files that are gone in the vault into the remote's archive. SyncError.

    What the vault still has elsewhere (it was renamed), and what lay in the archive, is kept on
    this machine instead. What the owner has forgotten is deleted.
    """
    elsewhere = set(turn.live.hashes.values())
    forgotten = turn.vault.forgotten()
    gone: list[str] = []
    home: list[str] = []
    retired: list[str] = []
    for name in sorted(await _steady(turn, names)):
        path = turn.away.side.names[name]
        again = turn.away.side.hashes[name] in elsewhere
        if turn.away.side.hashes[name] in forgotten:
            gone.append(path)
        else:
            (home if again or paths.within(path, turn.archive) else retired).append(path)
        turn.done.removed.append(path)
    await turn.remote.delete(gone)
    await turn.remote.bring_home(home, turn.kept_here)
    await turn.remote.retire(retired, f"{turn.archive}/deleted {turn.now:%Y-%m-%d %H%M%S}")
    for name in names:
        if turn.away.side.names[name] in (*gone, *home, *retired):
            turn.state.files.pop(name, None)


def _batches(turn: Round, wanted: Mapping[str, str]) -> Iterator[dict[str, str]]:
    stamps = turn.state.stamps
    sizes = {
        name: stamps[path].size if (path := turn.live.names[name]) in stamps else 0
        for name in wanted
    }
    for name in sorted(wanted.keys() & turn.away.listed.keys(), key=lambda n: (sizes[n], n)):
        yield {name: wanted[name]}
    batch: dict[str, str] = {}
    for name in sorted(wanted.keys() - turn.away.listed.keys()):
        size = sum(sizes[one] for one in batch)
        if batch and (len(batch) >= _BATCH_FILES or size + sizes[name] > _BATCH_BYTES):
            yield batch
            batch = {}
        batch[name] = wanted[name]
    if batch:
        yield batch


async def _steady(turn: Round, names: Iterable[str]) -> set[str]:
    """Those that the remote still shows as it did when this round began."""
    wanted = {name: turn.away.side.names.get(name) or turn.live.names[name] for name in names}
    now = {file.path: file.shown for file in await turn.remote.list(wanted.values())}
    then = {name: file.shown for name, file in turn.away.listed.items()}
    return {name for name, path in wanted.items() if now.get(path) == then.get(name)}


def _copy(turn: Round, name: str, target: Path, expected: str) -> bool:
    """A copy to be sent, with its time, if the file still is what was decided on."""
    path = turn.live.names[name]
    with files.ours(path, "read"):
        source = turn.vault.resolve(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, target)
            found = source.stat()
        except FileNotFoundError:
            return False
        os.utime(target, ns=(found.st_mtime_ns, found.st_mtime_ns))
        if files.file_hash(target) == expected:
            return True
        target.unlink()
        return False

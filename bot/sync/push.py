"""Apply vault changes to the remote: send files, and move deleted ones away.

Changes no notes; only files overwritten by an upload are archived. No remote supports a conditional
replace. So existing files are sent one by one, small ones first, each after a last check of its
content: a file that has changed is left for the next sync. Where the remote keeps no versions,
rclone moves what it replaces aside, and what is not the text that was checked is kept. Only between
that move and the end of the upload another's write to the same file could be lost.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memory.infra import atomic_files, run_to_end
from memory.vault import paths

from ..errors import RemoteFailed
from .pull import archive_text
from .session import Round
from .snapshot import key

log = logging.getLogger(__name__)

_LARGE = 2_000_000  # bytes; larger files are not fetched again just for the comparison
_BATCH_FILES, _BATCH_BYTES = 200, 8_000_000  # of new files, sent after one list of the remote


async def send(turn: Round, wanted: Mapping[str, str]) -> None:
    """Send these files of the vault, each only while it has the given hash. Raises SyncError.

    A folder without files, which no list shows, makes rclone fail on a file of its name: it is
    deleted then, or, with hidden files in it, the file is left out.
    """
    try:
        return await _send(turn, wanted)
    except RemoteFailed:
        folders = {key(path) for path in await turn.remote.folders()}
        if not wanted.keys() & folders:
            raise
    sent = {key(path) for path in turn.done.pushed}
    for name in wanted.keys() & folders:
        if not await turn.remote.empty_folder(turn.live.names[name]):
            turn.done.unsynced.append(turn.live.names[name])
            sent.add(name)
    await _send(turn, {name: hash for name, hash in wanted.items() if name not in sent})


async def _send(turn: Round, wanted: Mapping[str, str]) -> None:
    """Send the files. Raises SyncError.

    Afterwards the remote is checked again: a different text was written concurrently, and is merged
    in the next round.
    """
    aside = bool(wanted or turn.store.interrupted()) and await turn.remote.is_plain()
    if aside and turn.store.interrupted():
        await _rescue(turn)
    sent: set[str] = set()
    seen = 0
    for batch in _batches(turn, await _with_room(turn, wanted)):
        folder = turn.remote.outgoing()
        ready: dict[str, Path] = {}
        for name in batch:
            target = folder / turn.away.side.names.get(name, turn.live.names[name])
            if await run_to_end(asyncio.to_thread(_copy, turn, name, target, batch[name])):
                await turn.keep(name, batch[name], target)
                ready[name] = target
        steady = await _steady(turn, ready)
        for name in ready.keys() - steady:
            ready.pop(name).unlink()
        if ready:
            turn.store.sends({name: batch[name] for name in ready})
            fresh = not ready.keys() & turn.away.listed.keys()
            await turn.remote.send(folder, fresh=fresh, aside=aside and not fresh)
        for name in ready:
            turn.remember_sent(name, batch[name])
            turn.done.pushed.append(turn.live.names[name])
        sent |= ready.keys()
        seen += len(batch)
        turn.progress("sent", seen, len(wanted))
        turn.done.left.extend(turn.live.names[name] for name in batch if name not in ready)
    if aside and sent & turn.away.listed.keys():
        await _rescue(turn)
    arrived = await _has(turn, {name: turn.state.files[name].hash for name in sent})
    turn.state.arrived(arrived)
    turn.done.left.extend(turn.live.names[name] for name in sent - arrived)


async def _with_room(turn: Round, wanted: Mapping[str, str]) -> dict[str, str]:
    """Delete the folders that these files take the place of, now that they are empty; return the
    files without those that have no place."""
    folders = {str(folder) for name in turn.away.listed for folder in PurePosixPath(name).parents}
    taken = {
        name
        for name in wanted.keys() & folders
        if not await turn.remote.empty_folder(turn.live.names[name])
    }
    turn.done.left.extend(turn.live.names[name] for name in taken)
    return {name: hash for name, hash in wanted.items() if name not in taken}


async def _rescue(turn: Round) -> None:
    """Archive what another device wrote between our last check of a file and its upload.

    Raises SyncError, VaultError.
    """
    folder = turn.store.folder / "overwritten"
    for fetched in (False, True):  # first the leftovers of an interrupted sync
        if fetched:
            await turn.remote.fetch_aside(folder)
        for file in sorted(folder.rglob("*")):
            if not file.is_file():
                continue
            path = file.relative_to(folder).as_posix()
            known = turn.state.files.get(key(path))
            if known is None or atomic_files.file_hash(file) not in (known.hash, known.before):
                aside = await archive_text(turn, path, file.read_bytes(), "overwritten")
                log.warning("sync overwrote path=%s kept=%s", ascii(path), ascii(aside))
                turn.done.conflicts.append(path)
            file.unlink()
    shutil.rmtree(folder, ignore_errors=True)


async def remove(turn: Round, names: Iterable[str]) -> None:
    """Move files that were deleted from the vault into the remote's archive. Raises SyncError.

    Renamed and archived files are kept on this machine instead. Forgotten files are deleted.
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
    await turn.remote.move_here(home, turn.kept_here)
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
    """Return the files that are unchanged on the remote since this round began."""
    return await _has(turn, {name: turn.away.side.hashes.get(name) for name in names})


async def _has(turn: Round, hashes: Mapping[str, str | None]) -> set[str]:
    """Return the files that the remote has with that hash, or, for None, does not have.

    By content, since lists may be stale. Large files are not fetched; they are compared by the list
    of this round, or by the size that was sent.
    """
    wanted = {name: turn.away.side.names.get(name) or turn.live.names[name] for name in hashes}
    large = {name for name in wanted if _size(turn, name) > _LARGE}
    fetched = await turn.remote.fetch((wanted[n] for n in wanted.keys() - large), again=True)
    found = {
        n for n in wanted.keys() - large if atomic_files.file_hash(fetched / wanted[n]) == hashes[n]
    }
    for file in await turn.remote.list([wanted[name] for name in large]):
        name = key(file.path)
        then = turn.away.listed.get(name)
        new = turn.away.side.hashes.get(name) != hashes[name]
        if file.size == _size(turn, name) if new else then and file.shown == then.shown:
            found.add(name)
    return found


def _size(turn: Round, name: str) -> int:
    stamp = turn.state.stamps.get(turn.live.names.get(name, ""))
    listed = turn.away.listed.get(name)
    return max(stamp.size if stamp else 0, listed.size if listed else 0)


def _copy(turn: Round, name: str, target: Path, expected: str) -> bool:
    """Copy a file for sending, with its time, if it is unchanged since the plan."""
    path = turn.live.names[name]
    with atomic_files.translate_errors(path, "read"):
        source = turn.vault.resolve(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, target)
            found = source.stat()
        except FileNotFoundError:
            return False
        os.utime(target, ns=(found.st_mtime_ns, found.st_mtime_ns))
        if atomic_files.file_hash(target) == expected:
            return True
        target.unlink()
        return False

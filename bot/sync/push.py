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
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memory.infra import atomic_files, run_to_end
from memory.vault import paths

from ..errors import RemoteFailed
from .pull import archive_text
from .remote import MOST_REFUSED
from .session import Round

log = logging.getLogger(__name__)

_LARGE = 2_000_000  # bytes; larger files are not fetched again just for the comparison
_BATCH_FILES, _BATCH_BYTES = 200, 8_000_000  # of new files, sent after one list of the remote


async def send(round_: Round, wanted: Mapping[str, str]) -> None:
    """Send these files of the vault, each only while it has the given hash. Raises SyncError.

    A file that the remote refuses is left out, so that it does not hold up the others. Afterwards
    the remote is checked again: a different text was written concurrently, and is merged in the
    next round.
    """
    aside = bool(wanted or round_.store.interrupted()) and await round_.remote.is_plain()
    if aside and round_.store.interrupted():
        await _rescue(round_)
    sent: set[str] = set()
    refused: list[str] = []
    emptied: set[str] = set()
    waiting = [*_batches(round_, await _with_room(round_, wanted))][::-1]
    while waiting:
        batch = waiting.pop()
        try:
            sent |= await _send_batch(round_, batch, aside=aside)
        except RemoteFailed as failed:
            waiting += await _instead(round_, batch, emptied, refused, failed)
            continue
        round_.progress("sent", len(wanted) - sum(map(len, waiting)), len(wanted))
    if aside and sent & round_.away.listed.keys():
        await _rescue(round_)
    arrived = await _has(round_, {name: round_.state.files[name].hash for name in sent})
    round_.arrived(arrived)
    round_.done.left.extend(round_.live.names[name] for name in sent - arrived)


async def _send_batch(round_: Round, batch: Mapping[str, str], *, aside: bool) -> set[str]:
    """Send a batch's files unchanged on both sides; return their names. Raises SyncError."""
    folder = round_.remote.outgoing()
    ready: dict[str, Path] = {}
    for name in batch:
        target = folder / round_.away.side.names.get(name, round_.live.names[name])
        if await run_to_end(asyncio.to_thread(_copy, round_, name, target, batch[name])):
            await round_.keep(name, batch[name], target)
            ready[name] = target
    steady = await _steady(round_, ready)
    changed = ready.keys() - steady
    for name in changed:
        ready.pop(name).unlink()
    if ready:
        round_.store.sends({name: batch[name] for name in ready})
        fresh = not ready.keys() & round_.away.listed.keys()
        await round_.remote.send(folder, fresh=fresh, aside=aside and not fresh)
    # rclone goes on after an error: of a batch that failed, the rest has arrived.
    small = {name: batch[name] for name in changed if _size(round_, name) <= _LARGE}
    sent = set(ready) | await _has(round_, small)
    for name in filter(sent.__contains__, batch):
        round_.remember_sent(name, batch[name])
        round_.done.pushed.append(round_.live.names[name])
    round_.done.left.extend(round_.live.names[name] for name in batch if name not in sent)
    return sent


async def _instead(
    round_: Round,
    batch: Mapping[str, str],
    emptied: set[str],
    refused: list[str],
    failed: RemoteFailed,
) -> list[dict[str, str]]:
    """Return what to send instead of a batch that failed: its halves, the first one last.

    A single file that fails is left out, and added to `refused`. A folder without files, which no
    list shows, makes rclone fail on a file of its name: it is deleted, and added to `emptied`, or,
    with hidden files in it, the file is left out. Raises `failed` if the remote refuses many files,
    and RemoteFailed if it does not answer.
    """
    folders = {round_.live.key(path) for path in await round_.remote.folders()} - emptied
    rest = dict(batch)
    for name in batch.keys() & folders:
        emptied.add(name)
        if not await round_.remote.empty_folder(round_.live.names[name]):
            round_.done.unsynced.append(round_.live.names[name])
            del rest[name]
    if batch.keys() & folders:
        return [rest] if rest else []
    if len(batch) == 1:
        path = round_.live.names[next(iter(batch))]
        log.warning("the remote refused path=%s error=%s", ascii(path), failed)
        refused.append(path)
        round_.done.unsynced.append(path)
        if len(refused) > MOST_REFUSED:
            raise failed
        return []
    names = list(batch)
    halves = names[len(names) // 2 :], names[: len(names) // 2]
    return [{name: batch[name] for name in half} for half in halves]


async def _with_room(round_: Round, wanted: Mapping[str, str]) -> dict[str, str]:
    """Delete the folders that these files take the place of, now that they are empty; return the
    files without those that have no place."""
    folders = {str(folder) for name in round_.away.listed for folder in PurePosixPath(name).parents}
    taken = {
        name
        for name in wanted.keys() & folders
        if not await round_.remote.empty_folder(round_.live.names[name])
    }
    round_.done.left.extend(round_.live.names[name] for name in taken)
    return {name: hash for name, hash in wanted.items() if name not in taken}


async def _rescue(round_: Round) -> None:
    """Archive what another device wrote between our last check of a file and its upload.

    Raises SyncError, VaultError.
    """
    folder = round_.store.folder / "overwritten"
    for fetched in (False, True):  # first the leftovers of an interrupted sync
        if fetched:
            await round_.remote.fetch_aside(folder)
        for file in sorted(folder.rglob("*")):
            if not file.is_file():
                continue
            path = file.relative_to(folder).as_posix()
            known = round_.state.files.get(round_.live.key(path))
            hash = atomic_files.file_hash(file) or ""
            is_checked = known is not None and hash in (known.hash, known.before)
            # A synced text: after a kill the state may no longer have it as the file's.
            if not is_checked and round_.store.text(hash) is None:
                aside = await archive_text(round_, path, file.read_bytes(), "overwritten")
                log.warning("sync overwrote path=%s kept=%s", ascii(path), ascii(aside))
                round_.done.conflicts.append(path)
            file.unlink()
    shutil.rmtree(folder, ignore_errors=True)


async def remove(round_: Round, names: Collection[str]) -> set[str]:
    """Move files that were deleted from the vault into the remote's archive; return the names of
    those that were edited there in the meantime, and stay. Raises SyncError.

    Renamed, archived and sealed files are kept on this machine instead. Forgotten files are
    deleted.
    """
    sizes = {round_.away.listed[name].size for name in names}
    sealed = await run_to_end(asyncio.to_thread(round_.vault.sealed_hashes, sizes))
    elsewhere = sealed.union(round_.live.hashes.values())
    forgotten = round_.vault.forgotten()
    gone: list[str] = []
    home: list[str] = []
    retired: list[str] = []
    steady = await _steady(round_, names)
    for name in sorted(steady):
        path = round_.away.side.names[name]
        again = round_.away.side.hashes[name] in elsewhere
        if round_.away.side.hashes[name] in forgotten:
            gone.append(path)
        else:
            (home if again or paths.within(path, round_.archive) else retired).append(path)
        round_.done.removed.append(path)
    await round_.remote.delete(gone)
    await round_.remote.move_here(home, round_.kept_here)
    await round_.remote.retire(retired, f"{round_.archive}/deleted {round_.now:%Y-%m-%d %H%M%S}")
    for name in names:
        if round_.away.side.names[name] in (*gone, *home, *retired):
            round_.state.files.pop(name, None)
    return set(names) - steady


def _batches(round_: Round, wanted: Mapping[str, str]) -> Iterator[dict[str, str]]:
    stamps = round_.state.stamps
    sizes = {
        name: stamps[path].size if (path := round_.live.names[name]) in stamps else 0
        for name in wanted
    }
    for name in sorted(wanted.keys() & round_.away.listed.keys(), key=lambda n: (sizes[n], n)):
        yield {name: wanted[name]}
    batch: dict[str, str] = {}
    for name in sorted(wanted.keys() - round_.away.listed.keys()):
        size = sum(sizes[one] for one in batch)
        if batch and (len(batch) >= _BATCH_FILES or size + sizes[name] > _BATCH_BYTES):
            yield batch
            batch = {}
        batch[name] = wanted[name]
    if batch:
        yield batch


async def _steady(round_: Round, names: Iterable[str]) -> set[str]:
    """Return the files that are unchanged on the remote since this round began."""
    return await _has(round_, {name: round_.away.side.hashes.get(name) for name in names})


async def _has(round_: Round, hashes: Mapping[str, str | None]) -> set[str]:
    """Return the files that the remote has with that hash, or, for None, does not have.

    By content, since lists may be stale. Large files are not fetched; they are compared by the list
    of this round, or by the size that was sent.
    """
    wanted = {name: round_.away.side.names.get(name) or round_.live.names[name] for name in hashes}
    large = {name for name in wanted if _size(round_, name) > _LARGE}
    fetched = await round_.remote.fetch((wanted[n] for n in wanted.keys() - large), again=True)
    found = {
        n for n in wanted.keys() - large if atomic_files.file_hash(fetched / wanted[n]) == hashes[n]
    }
    there = await round_.remote.list([wanted[name] for name in large])
    shown = {round_.live.key(file.path): file for file in there}
    for name in large:
        file, then, hash = shown.get(name), round_.away.listed.get(name), hashes[name]
        if file is None or hash is None:
            is_so = file is None and hash is None
        elif round_.away.side.hashes.get(name) == hash:
            is_so = then is not None and file.shown == then.shown
        else:
            is_so = file.size == _size(round_, name)
        if is_so:
            found.add(name)
    return found


def _size(round_: Round, name: str) -> int:
    stamp = round_.state.stamps.get(round_.live.names.get(name, ""))
    listed = round_.away.listed.get(name)
    return max(stamp.size if stamp else 0, listed.size if listed else 0)


def _copy(round_: Round, name: str, target: Path, expected: str) -> bool:
    """Copy a file for sending, with its time, if it is unchanged since the plan."""
    path = round_.live.names[name]
    with atomic_files.translate_errors(path, "read"):
        source = round_.vault.resolve(path)
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

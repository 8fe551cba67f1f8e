"""Purge a forgotten session from the sync's files in the data folder.

These are texts of the last synced state, files in transfer, and copies of what syncs replaced or
deleted here: those of the transcript as a whole, whatever version they are.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from memory import DataDir, NoteMissing, Vault
from memory.infra import atomic_files, locked, run_to_end
from memory.maintenance import Forgettable, archive_copies

Clear = Callable[[Forgettable], Awaitable[None]]

_PATIENCE = 60.0  # seconds to wait for a sync


@asynccontextmanager
async def unsynced(vault: Vault) -> AsyncIterator[Clear]:
    """Block syncs within this context; yield a function that purges. Raises LockHeld."""
    files = DataDir(vault.data_dir)
    folder = files.sync
    if not folder.is_dir():
        yield _nothing
        return
    async with locked(files.sync_lock, timeout=_PATIENCE):
        yield partial(_clear, vault, folder)


async def _nothing(going: Forgettable) -> None:
    """No-op: there was never a sync."""


async def _clear(vault: Vault, folder: Path, going: Forgettable) -> None:
    lines = {*going.tombs, *(archive_copies.bullet(each.summary) for each in going.sections)} - {""}
    hashes = set()
    if going.transcript is not None and not going.own:
        with suppress(NoteMissing):
            hashes.add(vault.load(going.transcript).hash)
    with atomic_files.translate_errors(str(folder), "written"):
        await run_to_end(asyncio.to_thread(_clear_files, folder, lines, hashes, going.transcript))


def _clear_files(folder: Path, lines: set[str], hashes: set[str], transcript: str | None) -> None:
    shutil.rmtree(folder / "staging", ignore_errors=True)
    for place in (folder / "base").glob("*/*"):
        # Named by its hash, it can only be deleted whole; a merge without it keeps both sides.
        if place.name in hashes or _without(place, lines) is not None:
            place.unlink()
    for file in (*(folder / "removed").rglob("*"), *(folder / "overwritten").rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        path = "/".join(file.relative_to(folder).parts[2:])
        if path == transcript or atomic_files.file_hash(file) in hashes:
            file.unlink()
        elif (left := _without(file, lines)) is not None:
            atomic_files.write(file, left)


def _without(file: Path, lines: set[str]) -> bytes | None:
    """Return the text without these lines; None where it has none of them, or is no text."""
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    left = archive_copies.without_lines(text, lines)
    return left.encode() if left != text else None

"""Export everything to a folder: the vault, messages and facts as JSONL, me.md, a page, hashes.

The folder has a temporary name until it is complete. The vault is copied in full, as in a backup;
the other files contain no sealed, forgotten or incognito content.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import SamError, TransferRefused
from ...infra.clock import utc_text
from ...infra.file_locks import locked, run_to_end
from ...log.imports.dump import Rows
from ...notes import fact as facts
from ...notes import plain, privacy
from .about_me import about_me
from .manifest import ExportManifest, hashed, write_manifest
from .page import page

if TYPE_CHECKING:
    from ...core import Memory

SKIPPED = (".trash", ".cache", ".DS_Store", "Thumbs.db")
AT_TOP = ("messages",)
"""The lists for people and other programs. The rest is in `log/`, for `sam import`."""
OF_LINE = ("privacy", "kind")
"""Fields of a fact that are exported as what they amount to, its note considered."""
_MOST_PAGE_MESSAGES = 20_000  # about 20 MB of HTML: more makes a browser slow
_PATIENCE = 600.0  # seconds for a summary to end


async def write_export(
    memory: Memory, folder: Path, *, tell: Callable[[str], None] = lambda text: None
) -> ExportManifest:
    """Export to a folder that is missing or empty. Raises TransferRefused, LockHeld."""
    _check(memory, folder)
    beside = folder.with_name(f".{folder.name}-in-the-making")
    with written(folder):
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(mode=0o700, parents=True)
        try:
            manifest = await fill(memory, beside, tell)
            if folder.is_dir():
                folder.rmdir()
            beside.rename(folder)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    return manifest


async def fill(memory: Memory, folder: Path, tell: Callable[[str], None]) -> ExportManifest:
    """Export to a new folder. On failure, the caller deletes the incomplete folder: no thread
    writes to it any more then."""
    counts: dict[str, int] = {}
    latest: list[Rows] = []
    (folder / "log").mkdir()

    def take(name: str, rows: Iterator[Rows]) -> None:
        tell(name.replace("_", " "))
        place = folder if name in AT_TOP else folder / "log"
        with (place / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for row in rows:
                _line(stream, row)
                counts[name] = counts.get(name, 0) + 1
                if name == "messages" and row["privacy"] == "normal":
                    latest.append(row)
                    del latest[: -2 * _MOST_PAGE_MESSAGES]

    # The log first, as in a backup, and no batch may begin between log and vault.
    async with locked(memory.profile.files.batch_lock, timeout=_PATIENCE):
        await run_to_end(memory.log.dump(take))
        tell("vault")
        left_out = await run_to_end(
            asyncio.to_thread(_copy_vault, memory.vault.root, folder / "vault")
        )
        known = await _facts(memory)
    with (folder / "facts.jsonl").open("w", encoding="utf-8") as stream:
        for row in known:
            _line(stream, row)
    (folder / "me.md").write_text(await about_me(memory), "utf-8")
    tell("page")
    shown = [row for row in known if row["valid"] and not row["sensitive"]]
    newest = latest[-_MOST_PAGE_MESSAGES:]
    await run_to_end(asyncio.to_thread(page, memory, folder / "index.html", newest, shown))
    tell("hashes")
    files = await asyncio.to_thread(hashed, folder)
    notes = sum(file.path.startswith("vault/") for file in files)
    manifest = ExportManifest(
        made_at=utc_text(memory.clock()),
        sam=version("sam-memory"),
        counts={"notes": notes, "messages": counts.get("messages", 0), "facts": len(known)},
        left_out=left_out,
        files=files,
    )
    write_manifest(folder, manifest)
    return manifest


async def _facts(memory: Memory) -> list[dict[str, Any]]:
    """Return all facts in knowledge/, valid or not, with their sources."""
    rows, found = await memory.log.facts.all(), []
    every = await memory.knowledge.every()
    paths = {known.path for known in every}
    sealed = {path for path in paths if privacy(await memory.vault.read(path)) == "sealed"}
    for known in every:
        if known.path in sealed:
            continue
        fact = known.fact
        row = rows.get(fact.id or "")
        found.append(
            {
                "id": fact.id,
                "category": known.category,
                "kind": known.kind,
                "text": plain(fact.text),
                "valid": known.is_valid(memory.today()),
                "sensitive": known.private,
                "pinned": fact.pinned,
                "tags": sorted(known.tags),
                **{name: fact.get(name) or None for name in facts.FIELDS if name not in OF_LINE},
                "path": known.path,
                "line": known.number,
                "messages": list(row.sources) if row else [],
            }
        )
    return found


def _copy_vault(root: Path, target: Path) -> list[str]:
    """Copy the vault's regular files, without links; return what could not be read."""
    left_out: list[str] = []

    def skipped(error: OSError) -> None:
        folder = Path(error.filename).relative_to(root)
        left_out.append(f"{folder.as_posix()}: {error.strerror}")

    target.mkdir()
    for place, folders, names in os.walk(root, onerror=skipped):
        odd = [name for name in (*folders, *names) if not _is_utf8(name)]  # no JSON can name them
        left_out += [
            f"{(Path(place, name).relative_to(root).as_posix())!r}: its name is not UTF-8"
            for name in odd
        ]
        folders[:] = [name for name in folders if name not in SKIPPED and name not in odd]
        there = target / Path(place).relative_to(root)
        there.mkdir(exist_ok=True)
        for name in names:
            file = Path(place, name)
            if name in (*SKIPPED, *odd) or name.startswith(".sam-") or file.is_symlink():
                continue
            try:
                if file.is_file():
                    shutil.copy2(file, there / name, follow_symlinks=False)
            except OSError as error:
                left_out.append(f"{file.relative_to(root).as_posix()}: {error.strerror}")
    return left_out


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _line(stream: Any, row: dict[str, Any]) -> None:
    stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _check(memory: Memory, folder: Path) -> None:
    resolved = folder.absolute().resolve()
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise TransferRefused(f"{folder} is a file or a link: give a new folder.")
    if folder.is_dir() and any(folder.iterdir()):
        raise TransferRefused(f"{folder} is not empty: give a new folder.")
    for own in (memory.vault.root, memory.profile.data):
        inside = own.resolve()
        if resolved.is_relative_to(inside) or inside.is_relative_to(resolved):
            raise TransferRefused(f"{folder} is in Sam's own folders: give one elsewhere.")


@contextmanager
def written(folder: Path) -> Iterator[None]:
    """Translate the errors of writing an export there into TransferRefused with a clear message."""
    try:
        yield
    except SamError:
        raise
    except OSError as error:
        raise TransferRefused(
            f"Nothing was exported to {folder} ({error.strerror or error}): make room, or give"
            " another folder."
        ) from error

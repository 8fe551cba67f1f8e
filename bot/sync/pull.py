"""Apply remote changes to the vault: take, rename, archive and merge files. Sends nothing.

Each change states which content it expects in the vault. Files that changed in the meantime are
left for the next sync.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from memory import EditRefused, NoteMissing, NoteUnreadable, errors
from memory.infra import atomic_files, run_to_end, text_encoding
from memory.maintenance import archive_copies
from memory.vault import paths

from .merge import MergedNote, append_callout, is_replaced, merge_note
from .plan import SyncAction, renamed
from .session import TEXT, Round

log = logging.getLogger(__name__)

CAUSE = "sync"
_MARKS = re.compile(
    r"(?: \((?:sync conflict|replaced|overwritten) \d{4}-\d\d-\d\d \d{6}(?: \d+)?\))+$"
)
_NOT_NOW = (EditRefused, NoteMissing, NoteUnreadable, errors.PathRefused)


async def apply_remote(turn: Round, todo: Mapping[str, SyncAction]) -> dict[str, str]:
    """Change the vault; return hashes of merged texts that the remote lacks, by name.

    VaultError when the vault cannot be written at all, LockHeld.
    """
    base = {name: known.hash for name, known in turn.state.files.items()}
    moved: set[str] = set()
    for old, new in renamed(todo, base, turn.away.side.hashes).items():
        if await _rename(turn, old, new):
            moved |= {old, new}
    await _keep_replaced(turn, todo)
    joined = {}
    inward = [
        n for n, do in todo.items() if do in (SyncAction.TAKE, SyncAction.ARCHIVE, SyncAction.MERGE)
    ]
    for number, name in enumerate(inward, 1):
        turn.progress("taken", number, len(inward))
        action = todo[name]
        if name in moved:
            continue
        if action is SyncAction.TAKE:
            await _take(turn, name)
        elif action is SyncAction.ARCHIVE:
            await _archive(turn, name)
        elif action is SyncAction.MERGE and (hash := await _join(turn, name)):
            joined[name] = hash
    return joined


async def _take(turn: Round, name: str) -> None:
    path = turn.path(name)
    known = name in turn.live.hashes
    if await _put(turn, path, turn.fetched(name), turn.live.hashes.get(name)):
        turn.note(name, "changed" if known else "new")
        await turn.remember(name)
        turn.done.taken.append(path)


async def _put(turn: Round, path: str, source: Path, expected: str | None) -> bool:
    """Replace a file of the vault, keeping a copy of the old one; return False if it changed."""
    try:
        kept = None if expected is None else await _keep(turn, path, expected)
        if expected is None:  # a folder may have become a file, and its notes are archived
            with suppress(OSError):
                turn.vault.resolve(path).rmdir()
        if expected is None or kept is not None:
            if await turn.vault.put(path, source, expected=expected, cause=CAUSE):
                turn.done.kept.extend([path] if kept is not None else [])
                return True
            if kept is not None:
                kept.unlink()
    except errors.PathRefused as error:
        log.warning("sync refused path=%s error=%s", ascii(path), error)
    turn.done.left.append(path)
    return False


async def _keep(turn: Round, path: str, expected: str) -> Path | None:
    source = turn.vault.resolve(path)
    return await run_to_end(asyncio.to_thread(turn.copies.keep, source, path, expected, turn.now))


async def _rename(turn: Round, old: str, new: str) -> bool:
    path, to = turn.live.names[old], turn.away.side.names[new]
    try:
        await turn.vault.move(path, to, cause=CAUSE, expected=turn.live.hashes[old])
    except _NOT_NOW:
        return False  # then the old file is archived and the new one taken
    turn.state.files.pop(old, None)
    await turn.remember(new)
    turn.done.taken.append(to)
    turn.done.archived.append(path)
    return True


async def _archive(turn: Round, name: str) -> None:
    path, expected = turn.live.names[name], turn.live.hashes[name]
    try:
        if paths.within(path, turn.archive):
            # the owner deleted it from the archive: it must not come back
            await turn.vault.release(path, turn.kept_here / path, cause=CAUSE, expected=expected)
        else:
            # also a copy: the remote can change what is in the archive
            kept = await _keep(turn, path, expected)
            try:
                await turn.vault.archive(path, cause=CAUSE, expected=expected)
            except _NOT_NOW:
                if kept is not None:
                    kept.unlink()
                raise
    except _NOT_NOW:
        turn.done.left.append(path)
        return
    turn.note(name, "deleted")
    turn.done.kept.append(path)
    turn.state.files.pop(name, None)
    turn.done.archived.append(path)


async def _keep_replaced(turn: Round, todo: Mapping[str, SyncAction]) -> None:
    """Archive notes that a side has replaced completely.

    It may have deleted the note and created another of that name, which looks like an edit.
    """
    there = Counter(turn.live.hashes.values())
    for name, action in todo.items():
        was = turn.base.get(name, "")
        elsewhere = there[was] > (turn.live.hashes.get(name) == was)
        old = turn.store.text(was) if was and not elsewhere else None
        if old is None or action not in (SyncAction.TAKE, SyncAction.PUSH, SyncAction.MERGE):
            continue
        text, form = text_encoding.decode(old)
        sides = []
        with suppress(*_NOT_NOW):
            if turn.live.hashes.get(name) not in (was, None):
                sides.append(turn.vault.load(turn.live.names[name]).text)
            if turn.away.side.hashes.get(name) not in (was, None):
                sides.append(text_encoding.decode(turn.fetched(name).read_bytes())[0])
        if any(is_replaced(text, side) for side in sides):
            gone = await turn.entombed({archive_copies.bullet(line) for line in text.split("\n")})
            kept = text_encoding.encode(archive_copies.without_lines(text, gone), form, name)
            turn.done.archived.append(await archive_text(turn, turn.path(name), kept, "replaced"))


async def _join(turn: Round, name: str) -> str | None:
    """Merge the two texts in the vault; return the hash of what must be sent, if anything."""
    path, expected = turn.live.names[name], turn.live.hashes[name]
    with atomic_files.translate_errors(path, "read"):
        mine = turn.vault.resolve(path).read_bytes()
        theirs = turn.fetched(name).read_bytes()
    if atomic_files.digest(mine) != expected:
        turn.done.left.append(path)
        return None
    joined, form = await run_to_end(asyncio.to_thread(_joined, turn, name, mine, theirs))
    text = await _without_forgotten(turn, joined.text, mine)
    if joined.gone:
        aside = await archive_text(turn, path, mine)
        log.warning("sync conflict path=%s kept=%s", ascii(path), ascii(aside))
        if joined.apart and path.lower().endswith(".md") and form.utf8:
            where = f"The complete other text is in [[{aside.removesuffix('.md')}]]."
            text = append_callout(text, turn.title("from this machine"), where)
    data = text_encoding.encode(text, form, name) if form.utf8 and text != joined.theirs else theirs
    source = turn.remote.scratch() / "joined"
    source.write_bytes(data)
    if not await _put(turn, path, source, expected):
        return None
    turn.note(name, "changed")
    await turn.remember(name)
    (turn.done.conflicts if joined.conflicts else turn.done.merged).append(path)
    return atomic_files.digest(data) if data != theirs else None


async def _without_forgotten(turn: Round, text: str, mine: bytes) -> str:
    """Remove forgotten lines, which the other side still had, from the merged text."""
    here = {archive_copies.bullet(line) for line in text_encoding.decode(mine)[0].split("\n")}
    new = {archive_copies.bullet(line) for line in text.split("\n") if line.strip()}
    return archive_copies.without_lines(text, await turn.entombed(new - here))


def _joined(
    turn: Round, name: str, mine: bytes, theirs: bytes
) -> tuple[MergedNote, text_encoding.Form]:
    """Merge the two texts; return also the encoding to write: the owner's."""
    (one, form), (other, their_form) = text_encoding.decode(mine), text_encoding.decode(theirs)
    apart = MergedNote(other, other, 1, gone=True, apart=True)
    text = name.lower().endswith(TEXT) and form.utf8 and their_form.utf8
    if not text or max(len(mine), len(theirs)) > atomic_files.NOTE_BYTES:
        return apart, their_form
    past = turn.starters.get(name)
    if past is None and turn.base.get(name):
        past = turn.store.text(turn.base[name])
    days = paths.join(turn.vault.sam_dir, "memories")
    if past is None and not paths.within(name, days):
        return apart, their_form  # two texts without a base: their lines are not mixed
    return (
        merge_note(
            None if past is None else text_encoding.decode(past)[0],
            one,
            other,
            title=turn.title("from the remote"),
            human=turn.is_humans(name),
            knowledge=paths.within(name, paths.join(turn.vault.sam_dir, "knowledge")),
        ),
        their_form,
    )


async def archive_text(turn: Round, path: str, mine: bytes, why: str = "sync conflict") -> str:
    """Store a text in Sam's archive; return its path."""
    source = turn.remote.scratch() / "mine"
    source.write_bytes(mine)
    for number in range(1, 1000):
        mark = f" ({why} {turn.now:%Y-%m-%d %H%M%S}" + (f" {number})" if number > 1 else ")")
        aside = _archived_as(turn.archive, path, mark)
        if await turn.vault.put(aside, source, expected=None, cause=CAUSE):
            return aside
    raise EditRefused(f"{path} has a thousand conflicts within one second: check the archive.")


def _archived_as(archive: str, path: str, mark: str) -> str:
    """Return a file's path in the archive, with that mark at the end of its name.

    A file of the archive stays in its folder there, with the new mark in place of its old ones, so
    that no path grows with each change. What is too long is shortened.
    """
    whole = PurePosixPath(path)
    stem, folder = whole.stem, PurePosixPath(archive) / whole.parent
    if paths.within(path, archive):
        stem, folder = _MARKS.sub("", stem) or stem, whole.parent
    rest = f"{mark}{whole.suffix}".encode()
    stem = stem.encode()[: paths.NAME_BYTES - len(rest)].decode("utf-8", "ignore").rstrip()
    aside = str(folder / f"{stem}{mark}{whole.suffix}")
    return aside if paths.valid(aside) else f"{archive}/{stem}{mark}{whole.suffix}"

"""Apply remote changes to the vault: take, rename, archive and merge files. Sends nothing.

Each change states which content it expects in the vault. Files that changed in the meantime are
left for the next sync.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from memory import EditRefused, NoteMissing, NoteUnreadable, errors
from memory.infra import atomic_files, run_to_end, text_encoding
from memory.maintenance import archive_copies
from memory.vault import paths

from .incoming import instructs
from .merge import MergedNote, append_callout, is_replaced, merge_note
from .plan import SyncAction, renamed, renamed_and_edited
from .session import TEXT, Round

log = logging.getLogger(__name__)

CAUSE = "sync"
_MARKS = re.compile(
    r"(?: \((?:sync conflict|replaced|overwritten) \d{4}-\d\d-\d\d \d{6}(?: \d+)?\))+$"
)
_NOT_NOW = (EditRefused, NoteMissing, NoteUnreadable, errors.PathRefused)


async def follow_renames(
    round_: Round, actions: Mapping[str, SyncAction], allowed: Collection[SyncAction]
) -> dict[str, SyncAction]:
    """Let the edits of files follow their renames on the other side; return what is left to do, of
    what is allowed. Without leave to change the vault, these files are left for the next sync."""
    todo = {name: do for name, do in actions.items() if do in allowed}
    live, away = round_.live, round_.away.side
    following = {name: known.follows for name, known in round_.state.files.items()}
    sides = live.hashes, away.hashes
    for old, new in renamed_and_edited(actions, round_.base, *sides, following).items():
        if not await asyncio.to_thread(_follows, round_, old, new):
            continue
        if SyncAction.TAKE not in allowed:
            round_.done.left.extend(
                round_.path(name) for name in (old, new) if todo.pop(name, None)
            )
            continue
        if old in live.hashes:  # renamed there, and edited here
            if not await _rename(round_, old, new):
                continue
            live.hashes[new], live.names[new] = live.hashes.pop(old), away.names[new]
            del live.names[old]
            after = {new: SyncAction.PUSH} if live.hashes[new] != away.hashes[new] else {}
        else:  # renamed here, and edited there
            if live.hashes[new] != away.hashes[old]:
                path = live.names[new]
                round_.follows(old, away.hashes[old])
                if not await _put(round_, path, round_.fetched(old), live.hashes[new]):
                    continue
                round_.note(new, "changed")
                live.hashes[new] = away.hashes[old]
                round_.done.merged.append(path)
            await round_.remember(old)
            after = {new: SyncAction.PUSH, old: SyncAction.REMOVE}
        todo.pop(old, None), todo.pop(new, None)
        todo |= {name: do for name, do in after.items() if do in allowed}
    return todo


def _follows(round_: Round, old: str, new: str) -> bool:
    """Return whether an edit of `old` follows its rename to `new`: it is one of a text, and has not
    replaced it as a whole. Into the archive none follows, and the remote's instructions may wait
    for the owner."""
    for path in map(round_.path, (old, new)):
        if paths.within(path, round_.archive) or instructs(path, round_.vault.sam_dir):
            return False
    was, live = round_.store.text(round_.base[old]), round_.live.names.get(old)
    edited = round_.vault.resolve(live) if live else round_.fetched(old)
    try:
        texts = [text_encoding.decode(data)[0] for data in (was or b"", edited.read_bytes())]
    except FileNotFoundError:
        return False
    return was is not None and not is_replaced(*texts)


async def apply_remote(round_: Round, todo: Mapping[str, SyncAction]) -> dict[str, str]:
    """Change the vault; return hashes of merged texts that the remote lacks, by name.

    VaultError when the vault cannot be written at all, LockHeld.
    """
    base = {name: known.hash for name, known in round_.state.files.items()}
    moved: set[str] = set()
    for old, new in renamed(todo, base, round_.away.side.hashes).items():
        moved |= {old, new}
        if not await _rename(round_, old, new):  # it was edited in the meantime
            round_.done.left.append(round_.path(old))
    await _keep_replaced(round_, todo)
    joined = {}
    inward = [
        n for n, do in todo.items() if do in (SyncAction.TAKE, SyncAction.ARCHIVE, SyncAction.MERGE)
    ]
    for number, name in enumerate(inward, 1):
        round_.progress("taken", number, len(inward))
        action = todo[name]
        if name in moved:
            continue
        if action is SyncAction.TAKE:
            await _take(round_, name)
        elif action is SyncAction.ARCHIVE:
            await _archive(round_, name)
        elif action is SyncAction.MERGE and (hash := await _join(round_, name)):
            joined[name] = hash
    return joined


async def apply_spelling(round_: Round, allowed: Collection[SyncAction]) -> None:
    """Rename the files whose names the remote has changed in case only, where case is ignored."""
    if SyncAction.TAKE not in allowed:
        return
    for name, known in list(round_.state.files.items()):
        path, to = round_.live.names.get(name), round_.away.side.names.get(name)
        if not (known.path and path and to) or to in (known.path, path):
            continue
        if name in round_.live.unclear | round_.away.side.unclear:
            continue
        with suppress(*_NOT_NOW):
            await round_.vault.move(path, to, cause=CAUSE, expected=round_.live.hashes[name])
            round_.live.names[name] = to
            round_.state.files[name] = known.model_copy(update={"path": to})
            round_.done.taken.append(to)
            round_.done.archived.append(path)


async def _take(round_: Round, name: str) -> None:
    path = round_.path(name)
    known = name in round_.live.hashes
    if await _put(round_, path, round_.fetched(name), round_.live.hashes.get(name)):
        round_.note(name, "changed" if known else "new")
        await round_.remember(name)
        round_.done.taken.append(path)


async def _put(round_: Round, path: str, source: Path, expected: str | None) -> bool:
    """Replace a file of the vault, keeping a copy of the old one; return False if it changed."""
    try:
        kept = None if expected is None else await _keep(round_, path, expected)
        if expected is None:  # a folder may have become a file, and its notes are archived
            with suppress(OSError):
                round_.vault.resolve(path).rmdir()
        if expected is None or kept is not None:
            if await round_.vault.put(path, source, expected=expected, cause=CAUSE):
                round_.done.kept.extend([path] if kept is not None else [])
                return True
            if kept is not None:
                kept.unlink()
    except errors.PathRefused as error:
        log.warning("sync refused path=%s error=%s", ascii(path), error)
    round_.done.left.append(path)
    return False


async def _keep(round_: Round, path: str, expected: str) -> Path | None:
    source = round_.vault.resolve(path)
    return await run_to_end(
        asyncio.to_thread(round_.copies.keep, source, path, expected, round_.now)
    )


async def _rename(round_: Round, old: str, new: str) -> bool:
    path, to = round_.live.names[old], round_.away.side.names[new]
    try:
        await round_.vault.move(path, to, cause=CAUSE, expected=round_.live.hashes[old])
    except _NOT_NOW:
        return False
    await round_.remember(new)
    round_.state.files.pop(old, None)
    round_.done.taken.append(to)
    round_.done.archived.append(path)
    return True


async def _archive(round_: Round, name: str) -> None:
    path, expected = round_.live.names[name], round_.live.hashes[name]
    try:
        if paths.within(path, round_.archive):
            # the owner deleted it from the archive: it must not come back
            await round_.vault.release(
                path, round_.kept_here / path, cause=CAUSE, expected=expected
            )
        else:
            # also a copy: the remote can change what is in the archive
            kept = await _keep(round_, path, expected)
            try:
                await round_.vault.archive(path, cause=CAUSE, expected=expected)
            except _NOT_NOW:
                if kept is not None:
                    kept.unlink()
                raise
    except _NOT_NOW:
        round_.done.left.append(path)
        return
    round_.note(name, "deleted")
    round_.done.kept.append(path)
    round_.state.files.pop(name, None)
    round_.done.archived.append(path)


async def _keep_replaced(round_: Round, todo: Mapping[str, SyncAction]) -> None:
    """Archive notes that a side has replaced completely.

    It may have deleted the note and created another of that name, which looks like an edit. A text
    that a side has under another name too is not archived: another machine may have done so.
    """
    sides = (round_.live.hashes, round_.away.side.hashes)
    counted = [(side, Counter(side.values())) for side in sides]
    for name, action in todo.items():
        was = round_.base.get(name, "")
        elsewhere = any(count[was] > (side.get(name) == was) for side, count in counted)
        old = round_.store.text(was) if was and not elsewhere else None
        if old is None or action not in (SyncAction.TAKE, SyncAction.PUSH, SyncAction.MERGE):
            continue
        text, form = text_encoding.decode(old)
        texts = []
        with suppress(*_NOT_NOW):
            if round_.live.hashes.get(name) not in (was, None):
                texts.append(round_.vault.load(round_.live.names[name]).text)
            if round_.away.side.hashes.get(name) not in (was, None):
                texts.append(text_encoding.decode(round_.fetched(name).read_bytes())[0])
        if any(is_replaced(text, each) for each in texts):
            gone = await round_.entombed({archive_copies.bullet(line) for line in text.split("\n")})
            kept = text_encoding.encode(archive_copies.without_lines(text, gone), form, name)
            round_.done.archived.append(
                await archive_text(round_, round_.path(name), kept, "replaced")
            )


async def _join(round_: Round, name: str) -> str | None:
    """Merge the two texts in the vault; return the hash of what must be sent, if anything."""
    path, expected = round_.live.names[name], round_.live.hashes[name]
    with atomic_files.translate_errors(path, "read"):
        mine = round_.vault.resolve(path).read_bytes()
        theirs = round_.fetched(name).read_bytes()
    if atomic_files.digest(mine) != expected:
        round_.done.left.append(path)
        return None
    joined, form = await run_to_end(asyncio.to_thread(_joined, round_, name, mine, theirs))
    text = await _without_forgotten(round_, joined.text, mine)
    if joined.gone:
        aside = await archive_text(round_, path, mine)
        log.warning("sync conflict path=%s kept=%s", ascii(path), ascii(aside))
        if joined.apart and path.lower().endswith(".md") and form.utf8:
            where = f"The complete other text is in [[{aside.removesuffix('.md')}]]."
            text = append_callout(text, round_.title("from this machine"), where)
    data = text_encoding.encode(text, form, name) if form.utf8 and text != joined.theirs else theirs
    source = round_.remote.scratch() / "joined"
    source.write_bytes(data)
    if not await _put(round_, path, source, expected):
        return None
    round_.note(name, "changed")
    await round_.remember(name)
    (round_.done.conflicts if joined.conflicts else round_.done.merged).append(path)
    return atomic_files.digest(data) if data != theirs else None


async def _without_forgotten(round_: Round, text: str, mine: bytes) -> str:
    """Remove forgotten lines, which the other side still had, from the merged text."""
    here = {archive_copies.bullet(line) for line in text_encoding.decode(mine)[0].split("\n")}
    new = {archive_copies.bullet(line) for line in text.split("\n") if line.strip()}
    return archive_copies.without_lines(text, await round_.entombed(new - here))


def _joined(
    round_: Round, name: str, mine: bytes, theirs: bytes
) -> tuple[MergedNote, text_encoding.Form]:
    """Merge the two texts; return also the encoding to write: the owner's."""
    (one, form), (other, their_form) = text_encoding.decode(mine), text_encoding.decode(theirs)
    apart = MergedNote(other, other, 1, gone=True, apart=True)
    text = name.lower().endswith(TEXT) and form.utf8 and their_form.utf8
    if not text or max(len(mine), len(theirs)) > atomic_files.NOTE_BYTES:
        return apart, their_form
    past = round_.starters.get(name)
    if past is None and round_.base.get(name):
        past = round_.store.text(round_.base[name])
    path, days = round_.path(name), paths.join(round_.vault.sam_dir, "memories")
    if past is None and not paths.within(path, days):
        return apart, their_form  # two texts without a base: their lines are not mixed
    joined = merge_note(
        None if past is None else text_encoding.decode(past)[0],
        *(one, other),
        title=round_.title("from the remote"),
        human=round_.is_humans(name),
        knowledge=paths.within(path, paths.join(round_.vault.sam_dir, "knowledge")),
    )
    return joined, their_form


async def archive_text(round_: Round, path: str, mine: bytes, why: str = "sync conflict") -> str:
    """Store a text in Sam's archive; return its path."""
    source = round_.remote.scratch() / "mine"
    source.write_bytes(mine)
    for number in range(1, 1000):
        mark = f" ({why} {round_.now:%Y-%m-%d %H%M%S}" + (f" {number})" if number > 1 else ")")
        aside = _archived_as(round_.archive, path, mark)
        if await round_.vault.put(aside, source, expected=None, cause=CAUSE):
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

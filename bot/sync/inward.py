"""From the remote into the vault: takes, renames, archives and joins files. Sends nothing.

Each change says which content it expects in the vault. What is another by now stays as it is, and
is left for the next sync.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from memory import encoding, files, paths
from memory.errors import EditRefused, NoteMissing, PathRefused
from memory.locks import unbroken

from .decide import Action, renamed
from .merge import merge
from .round import TEXT, Round

log = logging.getLogger(__name__)

CAUSE = "sync"
_NOT_NOW = (EditRefused, NoteMissing, PathRefused)


async def carry_in(turn: Round, todo: Mapping[str, Action]) -> dict[str, str]:
    """Do what changes the vault; hashes of the joined texts that the remote lacks, by name.

    VaultError when the vault cannot be written at all, LockHeld.
    """
    base = {name: known.hash for name, known in turn.state.files.items()}
    moved: set[str] = set()
    for old, new in renamed(todo, base, turn.away.side.hashes).items():
        if await _rename(turn, old, new):
            moved |= {old, new}
    joined = {}
    for name, action in todo.items():
        if name in moved:
            continue
        if action is Action.TAKE:
            await _take(turn, name)
        elif action is Action.ARCHIVE:
            await _archive(turn, name)
        elif action is Action.MERGE and (hash := await _join(turn, name)):
            joined[name] = hash
    return joined


async def _take(turn: Round, name: str) -> None:
    path = turn.path(name)
    if await _put(turn, path, turn.fetched(name), turn.live.hashes.get(name)):
        await turn.remember(name)
        turn.done.taken.append(path)


async def _put(turn: Round, path: str, source: Path, expected: str | None) -> bool:
    try:
        if await turn.vault.put(path, source, expected=expected, cause=CAUSE):
            return True
    except PathRefused as error:
        log.warning("sync refused path=%s error=%s", ascii(path), error)
    turn.done.left.append(path)
    return False


async def _rename(turn: Round, old: str, new: str) -> bool:
    path, to = turn.live.names[old], turn.away.side.names[new]
    try:
        await turn.vault.move(path, to, cause=CAUSE, expected=turn.live.hashes[old])
    except _NOT_NOW:
        return False  # then the one is archived and the other taken
    turn.state.files.pop(old, None)
    await turn.remember(new)
    turn.done.taken.append(to)
    turn.done.archived.append(path)
    return True


async def _archive(turn: Round, name: str) -> None:
    path, expected = turn.live.names[name], turn.live.hashes[name]
    try:
        if paths.within(path, turn.archive):
            # the owner tidied the archive up: it is not to come back
            kept = turn.kept_here / path
            await turn.vault.release(path, kept, cause=CAUSE, expected=expected)
        else:
            await turn.vault.archive(path, cause=CAUSE, expected=expected)
    except _NOT_NOW:
        turn.done.left.append(path)
        return
    turn.state.files.pop(name, None)
    turn.done.archived.append(path)


async def _join(turn: Round, name: str) -> str | None:
    """Join the two texts in the vault; the hash of what is to be sent, if anything."""
    path, expected = turn.live.names[name], turn.live.hashes[name]
    with files.ours(path, "read"):
        mine = turn.vault.resolve(path).read_bytes()
        theirs = turn.fetched(name).read_bytes()
    if files.digest(mine) != expected:
        turn.done.left.append(path)
        return None
    data, clash = await unbroken(asyncio.to_thread(_joined, turn, name, mine, theirs))
    if clash:
        aside = await _put_aside(turn, path, mine)
        data = say(data, path, aside, turn.now)
        log.warning("sync conflict path=%s kept=%s", ascii(path), ascii(aside))
    source = turn.remote.scratch() / "joined"
    source.write_bytes(data)
    if not await _put(turn, path, source, expected):
        return None
    await turn.remember(name)
    (turn.done.conflicts if clash else turn.done.merged).append(path)
    return files.digest(data) if data != theirs else None


def _joined(turn: Round, name: str, mine: bytes, theirs: bytes) -> tuple[bytes, bool]:
    """The joined text, and whether some of mine is not in it."""
    (one, form), (other, their_form) = encoding.decode(mine), encoding.decode(theirs)
    text = name.lower().endswith(TEXT) and form.utf8 and their_form.utf8
    if not text or max(len(mine), len(theirs)) > files.NOTE_BYTES:
        return theirs, True
    past = turn.starters.get(name)
    if past is None and turn.base.get(name):
        past = turn.store.text(turn.base[name])
    days = paths.join(turn.vault.sam_dir, "memories")
    if past is None and not paths.within(name, days):
        return theirs, True  # two texts without a past: their lines do not mix
    base = None if past is None else encoding.decode(past)[0]
    joined = merge(base, one, other)
    return encoding.encode(joined.text, their_form, name), joined.conflicts > 0


async def _put_aside(turn: Round, path: str, mine: bytes) -> str:
    """Keep the vault's own text in Sam's archive; its path there."""
    whole = PurePosixPath(path)
    source = turn.remote.scratch() / "mine"
    source.write_bytes(mine)
    for number in range(1, 1000):
        mark = f"(sync conflict {turn.now:%Y-%m-%d %H%M%S}" + (f" {number}" if number > 1 else "")
        aside = f"{turn.archive}/{whole.with_name(f'{whole.stem} {mark}){whole.suffix}')}"
        if await turn.vault.put(aside, source, expected=None, cause=CAUSE):
            return aside
    raise EditRefused(f"{path} has a thousand conflicts of one second: look into the archive.")


def say(data: bytes, path: str, aside: str, now: datetime) -> bytes:
    """The note with a callout at its end that says where the other text is."""
    text, form = encoding.decode(data)
    if not path.lower().endswith(".md") or not form.utf8:
        return data
    ending = "" if not text or text.endswith("\n") else "\n"
    callout = (
        f"\n> [!warning]- Sync conflict, {now:%Y-%m-%d %H:%M} UTC\n"
        "> Both sides had changed the same lines. The remote's stand here; the whole of the other"
        f" text is kept in [[{aside.removesuffix('.md')}]].\n"
    )
    return encoding.encode(text + ending + callout, form, path)

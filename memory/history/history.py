"""Undo and redo Sam's changes, one change at a time.

    look whether it can be done → store that it is under way → notes → facts and tombstones → done

After a crash, the next start or the next undo finishes it: each step is idempotent. Later changes
by others are kept; if they changed the same lines, nothing is changed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from ..errors import EditRefused, NoteMissing, NoteUnreadable, PathRefused
from ..infra import atomic_files
from ..infra.failpoints import failpoint
from ..infra.file_locks import locked
from ..log import Log
from ..log.operations.edits import KeptEdit
from ..notes.markdown import privacy
from ..vault import Vault, edit_group
from ..vault import current_group as group_name
from .as_of import PastFact, as_of
from .changes import ChangeSet, group
from .learned import Learned, learned
from .patch import Patch, compare, revert
from .state import update_log

log = logging.getLogger(__name__)

_UNDER_WAY = "undo under way"


class History:
    """The changes of one profile. `lock`: `batch.lock`, because facts are written under it."""

    def __init__(self, vault: Vault, source: Log, lock: Path) -> None:
        self._vault, self._log, self._lock = vault, source, lock

    async def changes(self, count: int = 10) -> list[ChangeSet]:
        """Return the last changes, including undone ones, newest first."""
        return (await self._every())[:count]

    async def last(self) -> ChangeSet | None:
        """Return the last change that is not undone and can be undone; None if there is none."""
        for each in await self._every():
            if not each.undone and not await self._is_gone(each.edits):
                return each
        return None

    async def find(self, key: str) -> ChangeSet | None:
        """Return the change with that key; None if it is no longer kept."""
        found = group(await self._public(await self._log.edits.of_change(key)))
        return found[0] if found else None

    async def of_turn(self, turn_id: int) -> ChangeSet | None:
        """Return what Sam changed while it answered in that turn; None if it changed nothing."""
        return await self.find(f"turn {turn_id}")

    async def undo(self, key: str, cause: str = "") -> ChangeSet:
        """Revert a change, or only its edits with that cause; return it, with what was `left`.
        Undoing it again changes nothing.

        Raises NoteMissing if it is no longer kept; EditRefused if its lines were changed since, or
        it only made notes that are not there any more: then nothing is changed; LockHeld while a
        batch is written.
        """
        return await self._undo_or_redo(key, cause, back=True)

    async def redo(self, key: str) -> ChangeSet:
        """Redo an undone change. Raises the same errors as `undo`."""
        return await self._undo_or_redo(key, "", back=False)

    async def learned(self, since: datetime, until: datetime) -> list[Learned]:
        """Return the lines that memory learned between `since` and `until`, in their current
        form."""
        edits = [edit for edit in await self._log.edits.all(since=since) if edit.at <= until]
        edits = [edit for edit in await self._public(edits) if edit.at > since]
        return await asyncio.to_thread(learned, self._vault, edits)

    async def as_of(
        self, day: date, words: str = "", *, day_of: Callable[[datetime], date]
    ) -> list[PastFact]:
        """Return the facts that match the words and were true on that day, best first.

        `day_of`: the local day of a moment.
        """
        rows = await self._log.facts.all()
        every = {id_ for row in rows.values() for id_ in row.sources}
        messages = await self._log.messages.by_ids(every)
        days = {message.id: day_of(message.sent_at) for message in messages}
        said_on = {
            name: min(known)
            for name, row in rows.items()
            if (known := [days[id_] for id_ in row.sources if id_ in days])
        }
        return await as_of(self._vault, day, words, said_on)

    async def revert_line(self, line: Learned) -> str:
        """Revert one line; return the key of the change. Raises the same errors as `undo`."""
        edit = line.edit
        if line.part is None:
            await self.undo(edit.change, edit.cause)
            return edit.change
        patch = Patch(edit.marks, (line.part,))
        async with locked(self._lock):
            with edit_group():
                key = group_name()
                try:
                    await self._vault.edit(
                        edit.path, lambda text: revert(patch, text), cause="take back", create=False
                    )
                except EditRefused as refused:
                    raise _refusal(edit.path, refused) from None
                await update_log(
                    self._vault, self._log, [replace(edit, hunks=patch.hunks)], back=True
                )
        return key

    async def finish(self) -> None:
        """Finish an undo or redo that a crash interrupted. Raises LockHeld."""
        if await self._log.settings.get(_UNDER_WAY):
            async with locked(self._lock):
                await self._finish()

    async def prune(self) -> None:
        """Delete the edits that are too old or too many, and those of notes that are sealed now."""
        await self._log.edits.prune()
        await self._every()

    async def _is_gone(self, edits: Sequence[KeptEdit]) -> bool:
        """Return whether these edits created all the notes that they touch, and none of these
        exists any more: the owner has renamed, moved or deleted them."""
        return len(await self._missing(edits)) == len({edit.path for edit in edits})

    async def _missing(self, edits: Sequence[KeptEdit]) -> list[str]:
        """Return the notes that these edits created and that no longer exist."""
        made = dict.fromkeys(edit.path for edit in edits if edit.is_new)
        return [path for path in made if await asyncio.to_thread(self._is_missing, path)]

    async def _every(self) -> list[ChangeSet]:
        return group(await self._public(await self._log.edits.all()))

    async def _public(self, edits: Sequence[KeptEdit]) -> list[KeptEdit]:
        """Return the edits of notes that are not sealed now; the others are deleted."""
        paths = {edit.path for edit in edits}
        hidden = {path for path in paths if await asyncio.to_thread(self._is_sealed, path)}
        if hidden:
            await self._log.edits.forget(lambda edit: edit.path in hidden)
        return [edit for edit in edits if edit.path not in hidden]

    def _is_missing(self, path: str) -> bool:
        try:
            self._vault.load(path)
        except (NoteMissing, PathRefused, NoteUnreadable) as wrong:
            return isinstance(wrong, NoteMissing)
        return False

    def _is_sealed(self, path: str) -> bool:
        try:
            return privacy(self._vault.load(path).text) == "sealed"
        except PathRefused:
            return True
        except (NoteMissing, NoteUnreadable):
            return False

    async def _undo_or_redo(self, key: str, cause: str, *, back: bool) -> ChangeSet:
        async with locked(self._lock):
            await self._finish()
            found = await self.find(key)
            if found is None:
                raise NoteMissing("That change is not kept any more: it is over a month old.")
            edits = [
                edit
                for edit in found.edits
                if edit.undone is not back and cause in ("", edit.cause)
            ]
            left = tuple(await self._missing(edits)) if back else ()
            if left and len(left) == len({edit.path for edit in edits}):
                paths = " and ".join(left)
                raise EditRefused(
                    f"I left everything as it is: what it made ({paths}) was renamed, moved or"
                    " deleted since."
                )
            if edits:
                await self._plan(key, edits, left, back=back)
                await self._finish()
            return replace(await self.find(key) or found, left=left)

    async def _plan(
        self, key: str, edits: Sequence[KeptEdit], left: Sequence[str], *, back: bool
    ) -> None:
        """Store that these edits are undone or redone, but for those of the notes in `left`. Raises
        EditRefused."""
        after = await self._after(edits, back=back)
        if left:  # else a redo would create them again beside the renamed or moved notes
            edits = [edit for edit in edits if edit.path not in left]
            await self._log.edits.forget(lambda edit: edit.change == key and edit.path in left)
        plan = {"edits": [edit.id for edit in edits], "back": back, "after": after}
        await self._log.settings.set(_UNDER_WAY, json.dumps([key, plan]))
        failpoint("undo_planned")

    async def _after(self, edits: Sequence[KeptEdit], *, back: bool) -> dict[str, str]:
        """Return the hash of each note's changed text. Raises EditRefused."""
        hashes = {}
        for path, those in _by_path(edits, back=back).items():
            text = await self._vault.read_optional(path)
            try:
                hashes[path] = _hash(_apply(those, text, back=back)[0])
            except EditRefused as refused:
                raise _refusal(path, refused) from None
        return hashes

    async def _finish(self) -> None:
        stored = await self._log.settings.get(_UNDER_WAY)
        if not stored:
            return
        key, plan = json.loads(stored)
        every = await self._log.edits.of_change(key)
        edits = [edit for edit in every if edit.id in plan["edits"]]
        back = bool(plan["back"])
        made = {edit.id: edit for edit in edits}
        for path, those in _by_path(edits, back=back).items():
            done = await self._write(key, path, those, plan["after"].get(path, ""), back=back)
            made |= {edit.id: edit for edit in done}
            failpoint("undo_note")
        await update_log(self._vault, self._log, edits, back=back)
        failpoint("undo_settled")
        await self._log.edits.mark_undone(made.values(), undone=back)
        await self._log.settings.set(_UNDER_WAY, "")
        log.info("%s change=%s edits=%d", "undid" if back else "redid", key, len(edits))

    async def _write(
        self, key: str, path: str, edits: Sequence[KeptEdit], done: str, *, back: bool
    ) -> Sequence[KeptEdit]:
        """Change one note, unless it was changed before a crash; return the edits, with the lines
        that were changed now: a line that the owner deleted before an undo does not come back by a
        redo. `done`: the hash of its changed text."""
        cause = f"undo {key}"
        makes, made = any(edit.is_new for edit in edits), edits

        def change(text: str) -> str:
            nonlocal made
            if _hash(text) == done:
                return text
            after, made = _apply(edits, text, back=back)
            return after

        try:
            note = await asyncio.to_thread(self._vault.load, path)
        except NoteMissing:
            if not back and makes:
                await self._vault.edit(path, change, cause=cause)
            return made
        try:
            if back and makes and not change(note.text):
                await self._vault.take_back(path, expected=note.hash, cause=cause)
            else:
                await self._vault.edit(path, change, cause=cause, create=False)
        except EditRefused as refused:  # it has changed since it was read
            log.warning("undo change=%s leaves %s: %s", key, path, refused)
        return made


def _by_path(edits: Sequence[KeptEdit], *, back: bool) -> dict[str, list[KeptEdit]]:
    """Return path → the note's edits, in the order of undo (`back`) or redo.

    Paths are in the order of their first edit, so that a line is added to one note before it is
    removed from another.
    """
    found: dict[str, list[KeptEdit]] = {}
    for edit in reversed(edits) if back else edits:
        found.setdefault(edit.path, []).append(edit)
    return found


def _apply(
    edits: Sequence[KeptEdit], text: str | None, *, back: bool
) -> tuple[str, Sequence[KeptEdit]]:
    """Return the text of a note (None: there is none) after undoing these edits (`back`) or redoing
    them, and the edits with the lines that this changes. Raises EditRefused."""
    if text is None:
        makes = any(edit.is_new for edit in edits)
        if not makes:
            raise EditRefused("there is no such note any more")
        if back:  # the edits made the note, which is gone already
            return "", edits
        text = ""
    made = []
    for edit in edits:
        patch = Patch(edit.marks, edit.hunks)
        after = revert(patch if back else patch.reversed(), text)
        now = compare(after, text) if back else compare(text, after)
        made.append(edit if now is None else replace(edit, marks=now.marks, hunks=now.hunks))
        text = after
    return text, made


def _refusal(path: str, why: EditRefused) -> EditRefused:
    return EditRefused(f"I left everything as it is: in {path}, {why}.")


def _hash(text: str) -> str:
    return atomic_files.digest(text.encode("utf-8", "surrogatepass"))

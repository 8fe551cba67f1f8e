"""Purge forgotten content from archived copies.

The archive may have copies of a day's file: the other version of a conflict, another program's
conflict copy, an older file. Forgotten lines are removed from them as from the file itself.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterator
from functools import partial

from ..errors import NoteMissing, NoteUnreadable
from ..log.transcript import Entry, entries, mark_in
from ..notes.markdown import lines
from ..vault import Vault, paths

Entombed = Callable[[Collection[str]], Awaitable[set[str]]]
"""Returns which of these lines must not be written again (`Forgetting.with_tombstone`)."""

_UNREAD = (NoteMissing, NoteUnreadable)
"""Why a note is left out: it was deleted in the meantime, or is larger than any that Sam writes."""
_ITEM = re.compile(r"(?:\s*>)*\s*(?:[-*+]\s+)?(.*?)\s*")


def bullet(line: str) -> str:
    """Return the text of a list item, quoted or not, by which the log identifies a bullet."""
    match = _ITEM.fullmatch(line)
    return match[1] if match else line


def without_lines(text: str, gone: Collection[str]) -> str:
    """Return the text without the lines in `gone`; if such a line begins a message's block, without
    the whole block. No other line of a block is removed."""
    marks = {mark for line in gone if (mark := mark_in(line))}

    def goes(entry: Entry) -> bool:
        if entry.mark:
            return entry.mark in marks
        line = lines(entry.rows[0])[0]
        return bool(line.strip()) and bullet(line) in gone

    return "\n".join(row for entry in entries(text) if not goes(entry) for row in entry.rows)


async def purge(vault: Vault, entombed: Entombed, *, cause: str) -> None:
    """Remove every forgotten line from the archived notes."""
    for path in await asyncio.to_thread(lambda: list(_archived(vault))):
        try:
            note = await asyncio.to_thread(vault.load, path)
        except _UNREAD:
            continue
        if not note.utf8:
            continue
        said = {bullet(line) for line in lines(note.text) if line.strip()}
        if gone := await entombed(said):
            await vault.edit(path, partial(without_lines, gone=gone), cause=cause)


def copies(vault: Vault, block: str) -> list[str]:
    """Return the archived notes with this block id; runs in a thread."""
    mark = re.compile(rf"\^{re.escape(block)}(?![A-Za-z0-9-])")
    found = []
    for path in _archived(vault):
        try:
            if mark.search(vault.load(path).text):
                found.append(path)
        except _UNREAD:
            continue
    return found


def _archived(vault: Vault) -> Iterator[str]:
    folder = paths.join(vault.sam_dir, "archive")
    for file in vault.files():
        if paths.within(file.path, folder) and file.path.lower().endswith(".md"):
            yield file.path

"""The folder knowledge/ of a vault: read its facts, and change single lines.

A line is written to archive/ before it is removed, so that a crash in between loses nothing; all
changes are idempotent.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import date
from functools import partial

from ..log.batches import line_hash
from ..log.knowledge.facts import FactRow
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.kinds import relative
from ..notes.markdown import block_id, lines, privacy
from ..vault import Vault
from . import notes
from .notes import ARCHIVE, FOLDER, KnownFact

_LINK = re.compile(r"\[\[[^\[\]#|\n]*(#\^[A-Za-z0-9-]+)\]\]")


def fingerprint(fact: Fact) -> str:
    """Return the hash that identifies an unchanged line, regardless of its `updated` field, and of
    the paths in its links: Obsidian changes them when the owner renames or moves a note."""
    return line_hash(_LINK.sub(r"[[\1]]", _line(fact)))


def is_unchanged(fact: Fact, row: FactRow) -> bool:
    """Return whether a line is still as the log has it. Earlier versions stored the hash of the
    line with the paths in its links."""
    return row.line_hash in (fingerprint(fact), line_hash(_line(fact)))


def row_of(path: str, line: str, sources: tuple[int, ...]) -> FactRow:
    """Return the log's row for a line that Sam writes to the note at `path`. The line must be a
    fact with an id. `sources`: the ids of the messages behind it."""
    fact = facts.parse(line)
    assert fact is not None and fact.id is not None
    return FactRow(fact.id, path, fingerprint(fact), fact.text, sources)


def _line(fact: Fact) -> str:
    return facts.render(fact.with_field("updated", None)).strip()


class KnowledgeFolder:
    """The notes of knowledge/ in one vault, and their namesakes in archive/."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def path_of(self, name: str) -> str:
        """Return the path, in the vault, of the note with that file name (`task.md`) in
        knowledge/."""
        return self._vault.own(f"{FOLDER}/{name}")

    def archive_of(self, path: str) -> str:
        """Return the path of the note in archive/ that has the retired lines of the note at
        `path`."""
        return self._vault.own(f"archive/{relative(path, self._vault.sam_dir)}")

    async def facts(self) -> list[KnownFact]:
        """Return every fact in the folder, including invalid ones."""
        texts = await asyncio.to_thread(self._texts, FOLDER)
        return [each for path, text in texts.items() for each in notes.known_facts(path, text)]

    async def find(self, name: str) -> KnownFact | None:
        """Return the fact with that block id; None if the folder has none."""
        return next((each for each in await self.facts() if each.fact.id == name), None)

    async def archived(self) -> dict[str, tuple[str, str]]:
        """Return the archived lines: block id → path and line."""
        texts = await asyncio.to_thread(self._texts, ARCHIVE)
        return {
            name: (path, row)
            for path, text in texts.items()
            for row in lines(text)
            if (name := block_id(row))
        }

    async def past(self) -> list[KnownFact]:
        """Return every archived line that is a fact, except those of sealed notes."""
        texts = await asyncio.to_thread(self._texts, ARCHIVE)
        return [
            each
            for path, text in texts.items()
            if privacy(text) != "sealed"
            for each in notes.known_facts(path, text)
        ]

    async def ids(self) -> set[str]:
        """Return the block ids in the folder and in its archive."""
        found = set(await self.archived())
        for text in (await asyncio.to_thread(self._texts, FOLDER)).values():
            found.update(name for row in lines(text) if (name := block_id(row)))
        return found

    async def paths(self) -> set[str]:
        """Return the paths of the notes in the folder."""
        return set(await asyncio.to_thread(self._texts, FOLDER))

    async def add(
        self, path: str, line: str, *, cause: str, unless: Callable[[KnownFact], bool] | None = None
    ) -> KnownFact | None:
        """Append the line to the note, unless a line has its id already, or `unless` is true of a
        fact in the folder. Return that fact; None if there is none.

        Raises what `Vault.edit` raises, like the methods below.
        """
        title, found = notes.title_of(path), None

        def change(text: str) -> str:
            nonlocal found
            if unless is not None:  # read here, because another call may write the same fact now
                texts = self._texts(FOLDER) | {path: text}
                every = (e for place, said in texts.items() for e in notes.known_facts(place, said))
                found = next(filter(unless, every), None)
            return text if found is not None else notes.with_line(text, line, title=title)

        await self._vault.edit(path, change, cause=cause)
        return found

    async def retire(
        self,
        known: KnownFact,
        *,
        reason: str,
        day: date,
        cause: str,
        by: str = "",
        instead: str = "",
    ) -> bool:
        """Move a line to archive/; return whether it was still in its note, unchanged.

        `reason`, `day` and `by` are written with it: see `archived_line`. `instead`: the line that
        takes its place in the note; "" for none.
        """
        await self._archive(known, notes.archived_line(known, reason=reason, day=day, by=by), cause)
        change = partial(notes.with_replaced_line, old=known.fact.line, new=instead)
        edited = await self._vault.edit_existing(known.path, change, cause=cause)
        return edited is not None and edited.changed

    async def rewrite(self, known: KnownFact, fact: Fact, *, cause: str) -> None:
        """Replace the line of the known fact by `fact`; do nothing if that line has changed."""
        change = partial(notes.with_replaced_line, old=known.fact.line, new=facts.render(fact))
        await self._vault.edit(known.path, change, cause=cause, create=False)

    async def _archive(self, known: KnownFact, line: str, cause: str) -> None:
        path = self.archive_of(known.path)

        def change(text: str) -> str:
            if known.fact.id is None and line in lines(text):
                return text
            return notes.with_line(text, line, title=notes.title_of(path))

        await self._vault.edit(path, change, cause=cause)

    def _texts(self, folder: str) -> dict[str, str]:
        """Return path → text of the notes in that folder of Sam's; for a thread."""
        self._vault.check_present()
        found = self._vault.load_each(self._vault.in_folder(folder))
        return {
            path: note.text
            for path, note in found
            # A note in another encoding than UTF-8 cannot be edited.
            if folder != FOLDER or (note.utf8 and self._vault.is_indexed(path))
        }

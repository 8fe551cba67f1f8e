"""What of MEMORY.md no longer fits into a prompt, and its move to a note, at the owner's word.

MEMORY.md takes every entry. Above `longest` characters a model sees only its beginning and its end:
the entries between them are those that move. They keep their ids, so links to them are followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from ..infra.file_locks import locked
from ..knowledge.owner_edits import update_memory_links
from ..notes.kinds import AUTHOR, WRITTEN
from ..notes.markdown import fenced, lines, newline, split_front_matter
from ..notes.redaction import visible_lines, withheld
from ..vault import as_one_change

if TYPE_CHECKING:
    from ..core import Memory

NOTE = f"{WRITTEN}/From MEMORY.md"
HEAD, TAIL, LEFT = 0.7, 0.2, 0.95  # of `longest`: beginning and end, which stay; what may be left
CAUSE = "move from MEMORY.md"


async def surplus(memory: Memory, longest: int) -> list[str]:
    """Return the entries to move out of MEMORY.md so that the rest fits into `longest` characters,
    as written; [] if all of it does."""
    vault = memory.vault
    path = vault.own("MEMORY.md")
    text = await vault.read_optional(path) or ""
    return entries_over(text, path, vault.sam_dir, memory.today(), longest)


@as_one_change
async def move(memory: Memory, longest: int) -> tuple[str, int]:
    """Move the entries of `surplus` to another note; return its path and their number. Idempotent,
    also after a crash. Raises LockHeld while a batch is written."""
    vault = memory.vault
    path, note = vault.own("MEMORY.md"), vault.own(NOTE)
    async with locked(memory.profile.files.batch_lock, timeout=1.0):
        going = await surplus(memory, longest)
        if going:
            await vault.edit(note, lambda text: _with(text, going), cause=CAUSE)
            await vault.edit(path, lambda text: _without(text, going), cause=CAUSE)
            await update_memory_links(vault)
    return note, len(going)


@dataclass(slots=True)
class _Entry:
    """A list item with the lines that belong to it. `start` and `length`: in characters of what a
    model is shown of the note."""

    start: int
    rows: list[str]
    length: int

    def add(self, row: str, length: int) -> None:
        self.rows.append(row)
        self.length += length


def entries_over(text: str, path: str, sam_dir: str, today: date, longest: int) -> list[str]:
    """Return the list entries to move out of a note so that the rest fits into `longest`
    characters, each with the lines that belong to it: those in the middle first, then the oldest.
    Pure.

    Private and expired lines, which no model sees, do not count.
    """
    hidden = withheld(text, path, sam_dir, today=today)
    skipped = split_front_matter(text)[2]
    shown = {
        number: row
        for number, row in enumerate(visible_lines(text), 1)
        if number > skipped and number not in hidden
    }
    size = sum(len(row.rstrip()) + 1 for row in shown.values())
    if size <= longest:
        return []
    rows, at, entries = lines(text), 0, list[_Entry]()
    code = fenced(rows)
    for number, row in shown.items():
        raw, length = rows[number - 1], len(row.rstrip()) + 1
        if raw.startswith(("- ", "* ", "+ ")) and not code[number - 1]:
            entries.append(_Entry(at, [raw], length))
        elif raw.startswith((" ", "\t")) and raw.strip() and entries:
            entries[-1].add(raw, length)
        at += length
    end = size - TAIL * longest
    first = [each for each in entries if each.start < HEAD * longest]
    middle = [each for each in entries if HEAD * longest <= each.start < end]
    going = list[_Entry]()
    for each in [*middle, *first]:  # the oldest only where much else stands between
        if size <= LEFT * longest:
            break
        going.append(each)
        size -= each.length
    return ["\n".join(each.rows) for each in sorted(going, key=lambda each: each.start)]


def _with(text: str, entries: Sequence[str]) -> str:
    end = newline(text)
    head = f"---{end}author: {AUTHOR}{end}---{end * 2}# From MEMORY.md{end * 2}"
    before = text if text.strip() else head
    before = before if before.endswith("\n") else before + end
    there = f"{end}{before}"
    new = [each.replace("\n", end) for each in entries]
    return before + "".join(f"{each}{end}" for each in new if f"{end}{each}{end}" not in there)


def _without(text: str, entries: Sequence[str]) -> str:
    end = newline(text)
    for each in entries:
        row = each.replace("\n", end) + end
        at = f"{end}{text}".find(f"{end}{row}")
        if at >= 0:
            text = text[:at] + text[at + len(row) :]
    return text

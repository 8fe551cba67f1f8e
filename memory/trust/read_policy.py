"""What a model may read and change in a vault.

A model may read indexed notes that are not private. It may change Sam's own notes, and the owner's
only in a vault without a folder for Sam. Text that it removes from a note goes to `archive/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..errors import NoteMissing, PathRefused
from ..notes.kinds import relative
from ..notes.markdown import lines, privacy
from ..notes.redaction import withheld
from ..vault import Vault


async def read(vault: Vault, path: str) -> tuple[str, str]:
    """Return the name and the full text, including private lines, of a note that a model may read.

    `.md` may be left out of the path, and so may Sam's folder. Raises NoteMissing, NoteUnreadable,
    PathRefused.
    """
    for name in dict.fromkeys((path, f"{path}.md", vault.own(path), vault.own(f"{path}.md"))):
        try:
            note = await asyncio.to_thread(vault.load, name)
        except NoteMissing:
            continue
        if not (vault.is_indexed(note.path) and vault.is_indexed(name)):
            raise PathRefused(f"{path} is left out of memory: its owner reads it in an editor.")
        refuse_private(note.path, note.text)
        return note.path, note.text
    raise NoteMissing(f"There is no note {path}: search_memory shows the paths.")


def refuse_private(path: str, text: str) -> None:
    """Raise PathRefused for a sensitive or sealed note."""
    if privacy(text) != "normal":
        raise PathRefused(f"{path} is private: its owner reads and edits it in an editor.")


def refuse_owners(vault: Vault, path: str) -> None:
    """Raise PathRefused for a note outside Sam's folder, which only the owner may change."""
    if vault.sam_dir and relative(path, vault.sam_dir) == path:
        raise PathRefused(f"{path} is the owner's own note: propose the change in words.")


async def archive_lines(vault: Vault, path: str, rows: Sequence[str], *, cause: str) -> None:
    """Append lines that were removed from a note to the note of the same name in archive/.
    Idempotent. Raises what `Vault.edit` raises."""
    kept = "".join(f"{row}\n" for row in rows)
    await vault.edit(
        vault.own(f"archive/{relative(path, vault.sam_dir)}"),
        lambda text: text if text.endswith(kept) else text + kept,
        cause=cause,
    )


def without_private(vault: Vault, path: str, text: str) -> str:
    """Return the text with its private lines blanked, so that line numbers stay the same."""
    hidden = withheld(text, path, vault.sam_dir)
    return "\n".join("" if n in hidden else row for n, row in enumerate(lines(text), 1))

"""The notes that a model may read, listed and as it may see them."""

from __future__ import annotations

import asyncio

from ..errors import VaultError
from ..notes.markdown import privacy
from ..notes.redaction import shown
from ..trust import read_policy
from ..vault import NoteFile, Vault


async def read_shown(vault: Vault, path: str) -> tuple[str, str]:
    """Return the name and the text of a note as a model may see it, without private lines. Raises
    what `read_policy.read` does."""
    name, text = await read_policy.read(vault, path)
    return name, "\n".join(shown(text, name, vault.sam_dir))


async def readable(vault: Vault, most: int) -> list[NoteFile]:
    """Return at most `most` notes that a model may read, most recently changed first."""
    return await asyncio.to_thread(_readable, vault, most)


def _readable(vault: Vault, most: int) -> list[NoteFile]:
    found: list[NoteFile] = []
    for note in sorted(vault.notes(), key=lambda note: note.mtime_ns, reverse=True):
        if len(found) == most:
            break
        try:
            text = vault.load(note.path).text
        except VaultError:
            continue  # deleted in the meantime, or unreadable, which `sam doctor` reports
        if privacy(text) == "normal":
            found.append(note)
    return found

"""What a model may read and change in a vault.

A model reads what is in the index and is not private; it changes Sam's own notes, and those of the
owner only in a vault that is all Sam's. What it takes out of a note goes to `archive/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..errors import NoteMissing, PathRefused
from ..notes.kinds import kind_of
from ..notes.markdown import lines, privacy
from ..notes.redaction import withheld
from ..vault import Vault

_OWNERS = frozenset({"soul", "agent", "user", "skill"})


async def read(vault: Vault, path: str) -> tuple[str, str]:
    """The true name and the whole text of a note that a model may read, private lines included.

    `.md` may be missing, and so may Sam's folder. NoteMissing NoteUnreadable PathRefused.
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
    """PathRefused for a note that is sensitive or sealed as a whole."""
    if privacy(text) != "normal":
        raise PathRefused(f"{path} is private: its owner reads and edits it in an editor.")


def refuse_owners(vault: Vault, path: str) -> None:
    """PathRefused for a note that its owner alone writes."""
    inside = within_sams(vault, path)
    if vault.sam_dir and inside == path:
        raise PathRefused(f"{path} is the owner's own note: propose the change in words.")
    if kind_of(inside) in _OWNERS or inside.casefold() == "heartbeat.md":
        raise PathRefused(f"{path} is written by its owner alone: propose the change in words.")


async def keep(vault: Vault, path: str, rows: Sequence[str], *, cause: str) -> None:
    """Append lines that leave a note to its namesake in the archive; once, if called twice."""
    kept = "".join(f"{row}\n" for row in rows)
    await vault.edit(
        vault.own(f"archive/{within_sams(vault, path)}"),
        lambda text: text if text.endswith(kept) else text + kept,
        cause=cause,
    )


def public(vault: Vault, path: str, text: str) -> str:
    """The text with its private lines blank, and all lines in their places."""
    hidden = withheld(text, path, vault.sam_dir)
    return "\n".join("" if n in hidden else row for n, row in enumerate(lines(text), 1))


def within_sams(vault: Vault, path: str) -> str:
    """The path inside of Sam's folder; unchanged for one outside of it."""
    return path.removeprefix(f"{vault.sam_dir}/") if vault.sam_dir else path

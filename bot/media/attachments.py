"""Keep the files of messages in the vault: as attachments, with a line in the day's note."""

from __future__ import annotations

import asyncio
import mimetypes
import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import Field

from memory import EditRefused, Foreign, Memory, Message, Provenance, errors
from memory.infra import atomic_files
from memory.notes import daily_note, inert
from memory.text import clipped, one_line
from memory.vault import obsidian

from .files import MediaFiles

ATTACHMENTS = "attachments"  # in Sam's folder, where Obsidian's settings name none
LONGEST_CAPTION = 1_000
LONGEST_WORDS = 600  # characters of a file's own words beside it: recall finds it by them
LONGEST_NAME = 40
NAMES = {"image": "photo", "audio": "recording", "video": "video"}
COPIES = 100  # files of one name on one day, at most
NOTHING = (
    "There is no recent picture or file in this conversation. Reply with /keep to its message."
)
_SAFE = "_ .,()'+-"  # besides letters and digits; others may mean something in a link or a path


class Keeper:
    """Keeps files for one turn. `rows`: the conversation, the newest message last; `seen`: whose
    words the model has seen."""

    def __init__(
        self,
        memory: Memory,
        rows: Sequence[Message],
        now: Callable[[], datetime],
        seen: Provenance | None,
    ) -> None:
        self._memory, self._rows, self._now, self._seen = memory, rows, now, seen

    async def keep_media(
        self, caption: Annotated[str, Field(description="A line on what it is, to find it by")] = ""
    ) -> str:
        """Keep the user's newest pictures or files in their vault, where they stay.

        Use it when the user asks to keep or save a photo, voice message or document. Otherwise
        files are deleted after some days.
        """
        caption = caption.strip()
        if len(caption) > LONGEST_CAPTION:
            raise EditRefused(f"caption is too long: {LONGEST_CAPTION} characters at most.")
        theirs = self._seen.source(caption) if self._seen and caption else None
        own = "" if theirs else caption
        others = (Foreign(caption, theirs.origin, theirs.author),) if theirs else ()
        for turn in dict.fromkeys(row.turn_id for row in reversed(self._rows)):
            rows = [row for row in self._rows if row.turn_id == turn and row.role == "user"]
            found = await asyncio.to_thread(self._files, rows)
            if found:
                kept = [
                    await keep_file(self._memory, path, name, (*words, *others), own, self._now())
                    for path, name, words in found
                ]
                return f"Kept in the vault: {', '.join(dict.fromkeys(kept))}."
        raise EditRefused(NOTHING)

    def _files(self, rows: Sequence[Message]) -> list[tuple[Path, str, tuple[Foreign, ...]]]:
        """Return the files of a turn that are on the disk, with names and words.

        The names are ours, such as `photo.jpg`: a file's own name is somebody else's words, which
        may mislead a model.
        """
        files, found = MediaFiles(self._memory.profile.files.media), {}
        for row in rows:
            carrier, chat, *_ = (*row.chat.split(":"), "")
            for number in row.telegram_ids if carrier == "telegram" else ():
                if path := files.of(int(chat), number):
                    kind = mimetypes.guess_type(path.name)[0] or ""
                    name = NAMES.get(kind.partition("/")[0], "file") + path.suffix
                    found[path] = (path, name, file_words(row) if row.origin == "file" else ())
        return list(found.values())


def file_words(row: Message) -> tuple[Foreign, ...]:
    """Return the logged text of a file; nothing if it has none."""
    words = row.text.partition("\n")[2].strip()
    return (Foreign(words, row.origin, row.author),) if words else ()


async def keep_file(
    memory: Memory, path: Path, name: str, others: Sequence[Foreign], caption: str, at: datetime
) -> str:
    """Copy a file into the vault, and name it in the day's note; return its path in the vault.

    The same file is kept once, however often it is asked for. `others`: what stands in it, and what
    others say of it; `caption` is the owner's. Raises PathRefused, EditRefused, VaultError,
    LockHeld.
    """
    local = at.astimezone(memory.zone)
    note = memory.day_path(local.date())
    target = await _copied(memory, path, _folder(memory, note), f"{local:%Y-%m-%d} {_plain(name)}")
    lines = [f"Kept: ![[{target}]] {inert(caption)}".rstrip()]
    for each in others:
        said = clipped(one_line(each.text), LONGEST_WORDS)
        lines.append(f"Note: {inert(each.says(said))}")

    def change(text: str) -> str:
        for line in lines:
            if f"- {one_line(line)}" not in text:
                text = daily_note.append_note(text, local.date(), local.time(), line)
        return text

    await memory.vault.edit(note, change, cause="keep_media")
    return target


def _folder(memory: Memory, note: str) -> str:
    """Return the folder for attachments: Obsidian's, else Sam's own."""
    vault = memory.vault
    configured = obsidian.attachments(vault.root, str(PurePosixPath(note).parent))
    return vault.own(ATTACHMENTS) if configured is None else configured


async def _copied(memory: Memory, source: Path, folder: str, name: str) -> str:
    """Copy the file to a free name, or find it there already; return the path in the vault."""
    stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
    digest = await asyncio.to_thread(atomic_files.file_hash, source)
    for number in range(1, COPIES + 1):
        numbered = f"{stem} {number}{suffix}" if number > 1 else name
        path = f"{folder}/{numbered}" if folder else numbered
        there = await asyncio.to_thread(atomic_files.file_hash, memory.vault.resolve(path))
        if there == digest:
            return path
        if there is None and await memory.vault.put(
            path, source, expected=None, cause="keep_media"
        ):
            return path
    raise errors.PathRefused(f"{folder} has too many files called {name}.")


def _plain(name: str) -> str:
    """Return a file's name with nothing in it that means something in a link or a path."""
    name = unicodedata.normalize("NFC", name)
    plain = one_line("".join(char if _is_safe(char) else " " for char in name)).lstrip(". ")
    suffix = PurePosixPath(plain).suffix[:10]
    stem = PurePosixPath(plain).stem[:LONGEST_NAME].strip() or "file"
    return f"{stem}{suffix}"


def _is_safe(char: str) -> bool:
    """Return whether it is a letter, a digit, in _SAFE, or a mark, as the vowels of many scripts
    are; but no emoji's variation selector."""
    is_mark = unicodedata.category(char) in ("Mn", "Mc") and not "\ufe00" <= char <= "\ufe0f"
    return char.isalnum() or char in _SAFE or is_mark

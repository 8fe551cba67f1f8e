"""Erase a choice, or a session: in the memory, and everywhere else that has copies of it.

Elsewhere: the inbox, the files of messages, the input history of the terminal, reminders that were
put off, and the copies of the sync.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory import Memory, Message
from memory.infra import atomic_files
from memory.maintenance import (
    ContentWords,
    Erased,
    ForgettableSession,
    forget_session,
    forget_words,
    notes_of_sams,
    traces,
)
from memory.notes import task as task_line
from memory.text import tr

from ...assistant import reminders
from ...media import MediaFiles
from ...settings import Settings
from ...sync.purge import unsynced
from . import inbox
from .choice import Chosen


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was forgotten, and what is left. `updates`: cleared updates that were set aside. `left`:
    the owner's notes in which a byte search still finds the words; `others`: Sam's files in which
    other, kept content, or the file's name, has them."""

    erased: Erased
    updates: int
    left: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Return whether there was nothing left to forget."""
        return not (self.erased.messages or self.erased.lines or self.updates)


async def erase_choice(settings: Settings, memory: Memory, chosen: Chosen) -> Receipt:
    """Forget the chosen items. Idempotent, also after a crash. Raises SamError."""
    going = await forget_words.preview(memory, chosen.choice)
    messages = await memory.log.messages.by_ids(chosen.choice.messages)
    texts = [*going.texts, *(each.text for each in going.lines)]
    texts += [line for each in going.sections for line in each.bullets]
    texts += [*(each.line for each in going.facts), *going.copies]
    # First: after a crash the chosen items can be forgotten again.
    cleared = await inbox.clear(settings, chosen.updates, messages, memory.profile.name, texts)
    await asyncio.to_thread(_clear_files, memory, messages)
    await asyncio.to_thread(_clear_history, memory.profile.files.chat_history, texts)
    for line in going.lines:
        if task := task_line.parse(f"- {line.text}"):
            await reminders.forget_snooze(memory, reminders.button_name(task))
    async with unsynced(memory.vault) as clear:
        await clear(going)
        erased = await forget_words.forget(memory, chosen.choice)
        await clear(erased.going)
    # An answer without a model quotes other things too, which are kept.
    lists = {each.text for each in messages if (each.role, each.origin) == ("assistant", "recall")}
    wanted = [text for text in texts if text not in lists] or texts
    left = await traces([memory.profile.data, memory.vault.root], wanted, [settings.backups])
    yours, others = _named(memory, left)
    return Receipt(erased, cleared, yours, tuple(dict.fromkeys((*erased.named, *others))))


async def erase_session(settings: Settings, memory: Memory, going: ForgettableSession) -> None:
    """Forget a session with everything that came from it alone."""
    session = going.overview.session.id
    # First: after a crash the session can be forgotten again.
    messages = await memory.log.messages.of_session(session)
    await inbox.clear_chats(settings, messages)
    await asyncio.to_thread(_clear_files, memory, messages)
    typed = [each.text for each in messages if each.role == "user"]
    await asyncio.to_thread(_clear_history, memory.profile.files.chat_history, typed)
    async with unsynced(memory.vault) as clear:
        await clear(going)
        # It may have grown meanwhile.
        await clear(await forget_session.forget(memory, session))


def _clear_files(memory: Memory, messages: Sequence[Message]) -> None:
    """Delete the pictures and files of these messages, except those kept in the vault."""
    for chat, ids in inbox.by_chat(messages).items():
        MediaFiles(memory.profile.files.media).forget(chat, ids)


def _clear_history(history: Path, texts: Sequence[str]) -> None:
    """Remove the lines about the texts from the input history of `sam chat`."""
    try:
        kept = history.read_text("utf-8", "replace").splitlines(keepends=True)
    except FileNotFoundError:
        return
    every = [ContentWords(text) for text in texts]
    left = [row for row in kept if not inbox.quotes(re.sub(r"^/\w+", "", row), every)]
    if len(left) < len(kept):
        atomic_files.write(history, "".join(left).encode())


def _named(memory: Memory, files: Collection[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split the files into the owner's notes and others. The index only repeats the others."""
    root, sams, data = memory.vault.root, set(notes_of_sams(memory.vault)), memory.profile.files
    notes = [file.relative_to(root).as_posix() for file in files if file.is_relative_to(root)]
    rest = [f for f in files if not f.is_relative_to(root) and not f.is_relative_to(data.index)]
    named = [tr("messages") if f.name.startswith(data.log.name) else f.name for f in rest]
    if files and not notes and not rest:
        named = [tr("the search index")]
    yours = tuple(path for path in notes if path not in sams)
    return yours, tuple(dict.fromkeys((*(path for path in notes if path in sams), *named)))

"""Erase beyond the memory: inbox, sync, the history of the terminal, media; and the receipt.

Shared by the command line and the buttons.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from memory import Memory, Message, system_clock
from memory.backup import backups, expiry
from memory.infra import atomic_files
from memory.maintenance import (
    ContentWords,
    Erased,
    ForgetChoice,
    Item,
    KeptItems,
    forget_words,
    notes_of_sams,
    traces,
)
from memory.notes import task as task_line
from memory.notes import unlinked, unmarked
from memory.text import clipped, mark, one_line, tn, tr
from memory.tools import quoted

from ...assistant import reminders
from ...inbox import Inbox, SetAside
from ...media import MediaFiles
from ...settings import Settings, engine_keeps, remote_of
from ...sync.purge import unsynced
from ...turn.rule_answers import fixed_answers

SHOWN = 300  # characters of a line
COPIES = mark(
    "An export that you made keeps it, and so does a backup of one profile alone: I do not know "
    "where you put them."
)
EXPIRES = mark("Earlier backups contain it until {last:%Y-%m-%d}, when the last of them expires.")


@dataclass(frozen=True, slots=True)
class Listed:
    """Everything that is kept about some words: items of the memory, then updates set aside."""

    kept: KeptItems
    updates: tuple[SetAside, ...] = ()

    @property
    def count(self) -> int:
        """Return the number of items to choose from."""
        return len(self.kept.items) + len(self.updates)

    def choice(self, numbers: Collection[int] | None = None) -> Chosen:
        """Return the choice of these numbers, from 1; None: everything."""
        items = self.kept.items
        every = range(1, self.count + 1) if numbers is None else numbers
        return Chosen(
            ForgetChoice.of(items[n - 1] for n in every if n <= len(items)),
            tuple(self.updates[n - 1 - len(items)].update_id for n in every if n > len(items)),
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """The owner's choice: items of the memory, and updates by id."""

    choice: ForgetChoice
    updates: tuple[int, ...] = ()

    def argument(self) -> dict[str, Any]:
        """Return it as a button's argument: ids and hashes, no text."""
        messages = {str(id_): hash_ for id_, hash_ in self.choice.messages.items()}
        return {
            "messages": messages,
            "lines": sorted(self.choice.lines),
            "updates": list(self.updates),
        }

    @classmethod
    def of(cls, argument: Any) -> Chosen:
        """Parse a button's argument."""
        messages = {int(id_): str(hash_) for id_, hash_ in argument["messages"].items()}
        lines = frozenset(map(str, argument["lines"]))
        return cls(ForgetChoice(messages, lines), tuple(map(int, argument["updates"])))


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


async def find_kept(settings: Settings, memory: Memory, words: str, chat: str = "") -> Listed:
    """Return everything that is kept about the words.

    Updates set aside are limited to that chat; without one, to the chats in the profile's log."""
    await forget_words.finish(memory)
    kept = await forget_words.find_kept(memory, words, fixed_answers())
    said = [each.message for each in kept.items if each.message is not None]
    asked = ContentWords(words, asked=True)
    known = {(m.chat, id_) for m in said for id_ in m.telegram_ids}
    sessions = await memory.log.forgetting.sessions()
    chats = {_place(chat)} if chat else {_place(each.session.chat) for each in sessions}
    aside: list[SetAside] = []
    async with Inbox.if_exists(settings, system_clock) as inbox:
        for update in await inbox.updates.aside() if inbox else ():
            loaded = _loaded(update.payload)
            if update.chat is None or _place(update.chat) not in chats:
                continue  # another profile's
            if asked.are_in(" ".join(_strings(loaded))) and not _places(loaded) & known:
                aside.append(update)
    return Listed(kept, tuple(aside))


async def forget(settings: Settings, memory: Memory, chosen: Chosen) -> Receipt:
    """Forget the chosen items. Idempotent, also after a crash. Raises SamError."""
    going = await forget_words.preview(memory, chosen.choice)
    messages = await memory.log.messages.by_ids(chosen.choice.messages)
    texts = [*going.texts, *(each.text for each in going.lines)]
    texts += [line for each in going.sections for line in each.bullets]
    texts += [*(each.line for each in going.facts), *going.copies]
    # First: after a crash the chosen items can be forgotten again.
    cleared = await _clear_updates(settings, chosen.updates)
    await clear_inbox(settings, messages, (memory.profile.name, texts))
    await asyncio.to_thread(clear_files, memory, messages)
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


def clear_files(memory: Memory, messages: Sequence[Message]) -> None:
    """Delete the pictures and files of these messages, except those kept in the vault."""
    for chat, ids in _by_chat(messages).items():
        MediaFiles(memory.profile.files.media).forget(chat, ids)


async def clear_inbox(
    settings: Settings,
    messages: Sequence[Message],
    about: tuple[str, Sequence[str]] | None = None,
) -> None:
    """Clear these messages in updates that are set aside, and the buttons about them.

    `about`: a profile, and texts that its buttons may contain; None: delete all buttons of the
    messages' chats.
    """
    said = _by_chat(messages)
    if not said and about is None:
        return
    async with Inbox.if_exists(settings, system_clock) as inbox:
        if inbox is None:
            return
        for chat, ids in said.items():
            await inbox.updates.forget(chat, ids)
            if about is None:
                await inbox.buttons.forget(chat)
        if about is not None:
            every = [ContentWords(text) for text in about[1]]
            await inbox.buttons.forget_about(about[0], lambda argument: _quotes(argument, every))
        await inbox.scrub()  # cleared texts may still be in the write-ahead log


def _by_chat(messages: Sequence[Message]) -> dict[int, list[int]]:
    """Return Telegram's ids of the messages, by chat."""
    said: dict[int, list[int]] = {}
    for message in messages:
        if message.chat.startswith("telegram:"):
            chat = int(message.chat.split(":")[1])
            said.setdefault(chat, []).extend(message.telegram_ids)
    return said


async def _clear_updates(settings: Settings, updates: Sequence[int]) -> int:
    if not updates:
        return 0
    async with Inbox.if_exists(settings, system_clock) as inbox:
        if inbox is None:
            return 0
        there = {each.update_id for each in await inbox.updates.aside() if each.payload is not None}
        for update_id in (gone := there & set(updates)):
            await inbox.updates.clear(update_id)
        return len(gone)


def _quotes(argument: str, texts: Sequence[ContentWords]) -> bool:
    """Return whether a button's argument, JSON or text, has words specific to one of the texts."""
    values = [ContentWords(value) for value in _strings(_loaded(argument))]
    return any(value.concerns(text) for value in values for text in texts)


def _loaded(payload: str | None) -> object:
    try:
        return json.loads(payload or "null")
    except ValueError:
        return payload


def _place(chat: str) -> str:
    """Return the chat of a topic: `telegram:7:12` → `telegram:7`."""
    return ":".join(chat.split(":")[:2])


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)


def _places(value: object) -> set[tuple[str, int]]:
    """Return chat and message id of every message in an update."""
    match value:
        case {"message_id": int(id_), "chat": {"id": int(chat)}}:
            return {(f"telegram:{chat}", id_)}
        case dict():
            return {place for each in value.values() for place in _places(each)}
    return set()


def _clear_history(history: Path, texts: Sequence[str]) -> None:
    """Remove the lines about the texts from the input history of `sam chat`."""
    try:
        kept = history.read_text("utf-8", "replace").splitlines(keepends=True)
    except FileNotFoundError:
        return
    every = [ContentWords(text) for text in texts]
    left = [row for row in kept if not _quotes(re.sub(r"^/\w+", "", row), every)]
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


def listing(listed: Listed, zone: tzinfo) -> list[str]:
    """Return the kept items as numbered lines; text derived from a message is indented."""
    rows: list[str] = []
    for number, item in enumerate(listed.kept.items, 1):
        rows.append(f"{number}. {_titled(item, zone)}")
        rows += [tr("    with it: {made}", made=clipped(_shown(made), SHOWN)) for made in item.made]
    for number, update in enumerate(listed.updates, 1 + len(listed.kept.items)):
        day = update.received_at.astimezone(zone)
        rows.append(
            tr(
                "{number}. a message of {day:%Y-%m-%d %H:%M} that I could not handle",
                number=number,
                day=day,
            )
        )
    if yours := ", ".join(listed.kept.yours):
        rows.append(tr("These are your own notes, which I never change: {join}", join=yours))
    return rows


def _titled(item: Item, zone: tzinfo) -> str:
    if item.message is not None:
        return quoted(item.message, zone, tr("You"))
    if task := task_line.parse(f"- {item.text}"):
        return f"{', '.join(item.where)}: “{clipped(task.title, SHOWN)}”"
    return f"{', '.join(item.where)}: “{clipped(one_line(_shown(item.text)), SHOWN)}”"


def _shown(text: str) -> str:
    """Return a line without links to where it came from, and the fields of a fact."""
    return unmarked(unlinked(text)).strip()


def out_of_reach(settings: Settings, profile: str, now: datetime) -> list[str]:
    """Return what forgetting cannot reach, one sentence each."""
    index = tr("Search will no longer find it, and buttons that refer to it will stop working.")
    rows = [index]
    if settings.telegram_bot_token is not None:
        rows += [tr("Telegram keeps the messages until you delete them in the chat.")]
    if remote_of(settings, profile).remote:
        rows.append(
            tr(
                "The remote follows with the next sync. Its own trash and version history you "
                "have to delete yourself."
            )
        )
    rows += [tr(COPIES), *engine_keeps(settings, now)]
    if last := expiry(list(backups(settings.backups)), now):
        rows.append(tr(EXPIRES, last=last))
    return rows


def receipt(done: Receipt, settings: Settings, profile: str, now: datetime) -> list[str]:
    """Return lines about what was deleted, what is kept and why, and what is out of reach."""
    if done.nothing:
        rows = [
            tr("It is already forgotten, or has changed since: there was nothing left to forget.")
        ]
    else:
        parts = [
            tn("{count} message", "{count} messages", done.erased.messages),
            tn("{count} line", "{count} lines", done.erased.lines),
        ]
        if done.updates:
            parts.append(
                tn("{count} message", "{count} messages", done.updates)
                + tr(" that I could not handle")
            )
        rows = [tr("Forgotten: {join}. Search no longer finds them.", join=", ".join(parts))]
    if done.erased.changed:
        rows.append(
            tr(
                "Changed since you saw it, and kept: {messages}.",
                messages=tn("{count} message", "{count} messages", done.erased.changed),
            )
        )
    if done.left:
        rows.append(tr("The words are still in your own notes: {join}.", join=", ".join(done.left)))
    if done.others:
        rows.append(
            tr(
                "Other things that you kept contain the same words: {join}.",
                join=", ".join(done.others),
            )
        )
    if not (done.left or done.others or done.nothing):
        rows.append(tr("I have searched all my files for the forgotten text: none of it is left."))
    return [*rows, *out_of_reach(settings, profile, now)[1:]]


def as_json(listed: Listed) -> dict[str, Any]:
    """Return the kept items as a JSON document."""
    return {
        "items": [
            {
                "number": number,
                "text": item.text,
                "where": list(item.where),
                "messages": sorted(item.messages),
                "with_it": list(item.made),
            }
            for number, item in enumerate(listed.kept.items, 1)
        ],
        "updates": [update.update_id for update in listed.updates],
        "yours": list(listed.kept.yours),
    }

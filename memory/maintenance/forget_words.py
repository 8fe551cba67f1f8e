"""Find everything that is kept about some words or one message, and forget what the owner chooses.

This covers messages that recall finds for the words or that contain all of them, with their answers
and everything derived from them, and lines of Sam's own notes. The owner's notes are only listed.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import SamError
from ..knowledge.owner_edits import follow_memory
from ..log import Message
from ..log.batches import line_hash
from ..log.transcript import entries, line_of, mark_in, mark_of
from ..notes.markdown import block_id, lines, plain, strip_block_id
from ..notes.redaction import withheld
from ..text import tn, tr
from ..tools import visible
from . import archive_copies as tombs
from . import edit_history
from .content_words import ContentWords
from .erase import (
    Forgettable,
    Selection,
    copies_of,
    erase,
    exclusive_access,
    named_after,
    notes_of_sams,
    plan,
    sweep,
)
from .sams_texts import is_of_starter, quotes, repeats

if TYPE_CHECKING:
    from ..core import Memory
    from ..search import Hit
    from ..vault import Vault

log = logging.getLogger(__name__)

_RECALLED = 50  # maximum number of hits to check
_SHORT = 12  # characters: shorter texts may occur anywhere
_LINK = re.compile(r"#\^([A-Za-z0-9-]{1,40})")
_CAUSE = "forget words"
_SWEEP = "forgotten content may be left in the bytes of index and log"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be forgotten, with everything that was made of it.

    `messages`: id → hash of its text as it is now. `lines`: by `line_hash`. `text`: what it says;
    `where`: of a line all its places. `made`: what was made of the messages, as short sentences.
    """

    text: str
    where: tuple[str, ...]
    messages: Mapping[int, str]
    lines: frozenset[str]
    made: tuple[str, ...] = ()
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class KeptItems:
    """What is kept about the words. `yours`: places in the owner's notes, `house.md:3`."""

    items: tuple[Item, ...]
    yours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForgetChoice:
    """What the owner wants to be forgotten, as it was when he saw it: see `Item`."""

    messages: Mapping[int, str]
    lines: frozenset[str]

    @classmethod
    def of(cls, items: Iterable[Item]) -> ForgetChoice:
        """Return the choice of all these items."""
        chosen = list(items)
        messages = {id_: hash_ for each in chosen for id_, hash_ in each.messages.items()}
        return cls(messages, frozenset(line for each in chosen for line in each.lines))


@dataclass(frozen=True, slots=True)
class Erased:
    """What was forgotten. `changed`: messages that were edited since they were chosen, and stay.
    `named`: notes that stay, for other lines, under a name that has the words."""

    messages: int
    going: Forgettable
    changed: int
    named: tuple[str, ...]

    @property
    def lines(self) -> int:
        """The number of lines that were removed from notes."""
        named = {(each.path, each.text) for each in self.going.lines} | set(self._bullets())
        named |= {("", tombs.bullet(row)) for row in self.going.copies}
        return len(named | {(each.path, tombs.bullet(each.line)) for each in self.going.facts})

    def _bullets(self) -> Iterator[tuple[str, str]]:
        for one in self.going.sections:
            for text in (*one.bullets, *([tombs.bullet(one.summary)] if one.summary else [])):
                yield one.path, text


Goes = Callable[[str, int, str], bool]
"""Whether a line goes, by its path, its number and its text."""


async def find_kept(memory: Memory, words: str, fixed: Collection[str] = frozenset()) -> KeptItems:
    """Return what is kept about the words. Nothing is changed.

    What comes from Sam alone is left out: unchanged lines of the starter vault, and answers without
    a model that are one of the `fixed` texts, or have the words only in a quote of such a line.
    """
    asked = ContentWords(words, asked=True)
    if not asked.all:
        return KeptItems((), ())
    found = await memory.recall(words, limit=_RECALLED, private=True)
    sure = [hit for hit in found.hits if not hit.weak and asked.are_mostly_in(hit.text)]
    recalled = {hit.message_ids[0] for hit in sure if hit.is_message}
    every = await memory.log.messages.recent(2**31)
    said = [each for each in every if each.id in recalled or asked.are_in(each.text)]
    said = [each for each in said if each.origin != "recall" or quotes(each, asked, fixed)]
    return await _kept(memory, every, said, asked, [hit for hit in sure if not hit.is_message])


async def public(memory: Memory, kept: KeptItems) -> KeptItems:
    """Return those of the things, and of the places in the owner's notes, that a model may see.
    Each thing has its public places alone, and not what was made of it: that may be private."""
    items = []
    for item in kept.items:
        if item.message is not None:
            if visible(item.message):
                items.append(replace(item, made=()))
        elif where := await asyncio.to_thread(_public, memory.vault, item.where):
            items.append(replace(item, where=where))
    yours = await asyncio.to_thread(_public, memory.vault, kept.yours)
    return KeptItems(tuple(items), yours)


def _public(vault: Vault, places: Iterable[str]) -> tuple[str, ...]:
    """Return those of the places, `house.md:3`, whose line a model may see."""
    found = []
    for place in places:
        path, _, number = place.rpartition(":")
        with suppress(SamError):  # not a line of a note, or of one that a model may not read
            if not (number.isdecimal() and vault.is_indexed(path)):
                continue
            text = vault.load(path).text
            if int(number) not in withheld(text, path, vault.sam_dir):
                found.append(place)
    return tuple(found)


async def of_message(memory: Memory, message: Message | None) -> KeptItems:
    """Return one message, or the files of one without text, and what was made of it."""
    if message is None:
        return KeptItems((), ())
    every = await memory.log.messages.recent(2**31)  # a later answer may quote it
    files = [row for row in every if row.role == "user" and _goes_with(message, row)]
    return await _kept(memory, every, [message] if message.text else files, ContentWords(""), [])


async def forget(memory: Memory, choice: ForgetChoice) -> Erased:
    """Forget what was chosen, and nothing else. May be repeated, also after a crash.

    Raises what `erase.erase` does, and LockHeld.
    """
    async with exclusive_access(memory):
        selected, changed = await _unchanged(memory, choice)
        await memory.log.settings.set(_SWEEP, "needed")
        going = await plan(memory, selected)
        count = await erase(memory, selected, going, _CAUSE)
        await follow_memory(memory.vault)  # the days' links to lines that are gone
        await sweep(memory, going)
        await memory.log.settings.set(_SWEEP, "")
    log.info("forgot messages=%d lines=%d", count, len(going.lines))
    named = named_after(memory.vault, going)
    left = [path for path in named if await memory.vault.read_optional(path) is not None]
    return Erased(count, going, changed, tuple(left))


async def preview(memory: Memory, choice: ForgetChoice) -> Forgettable:
    """Return what would be forgotten with the choice."""
    return await plan(memory, (await _unchanged(memory, choice))[0])


async def _unchanged(memory: Memory, choice: ForgetChoice) -> tuple[Selection, int]:
    """Return what of the choice is as the owner saw it, and the number of the other messages."""
    messages = await memory.log.messages.by_ids(choice.messages)
    changed = {m.id for m in messages if m.text and _hash(m) != choice.messages[m.id]}
    return Selection(frozenset(choice.messages) - changed, choice.lines), len(changed)


async def finish(memory: Memory) -> None:
    """Remove the bytes that are left where a crash ended `forget` after the texts were gone."""
    if not await memory.log.settings.get(_SWEEP):
        return
    async with exclusive_access(memory):
        await memory.reconcile()
        await sweep(memory, Forgettable())
        await memory.log.settings.set(_SWEEP, "")


async def _kept(
    memory: Memory,
    every: Sequence[Message],
    said: Sequence[Message],
    asked: ContentWords,
    passages: Sequence[Hit],
) -> KeptItems:
    """Group the messages with their answers, and add the lines that no message explains."""
    chosen = {each.id for each in said}
    items, covered, taken = list[Item](), set[str](), set[int]()
    for message in said:
        if message.id in taken:
            continue
        group = [message]
        if message.role == "user":
            group += [each for each in every if _goes_with(message, each)]
            group += [each for each in every if repeats(message, each) and each not in group]
        taken |= {each.id for each in group}
        items.append(await _of_messages(memory, message, group, covered))
    derived = await memory.log.forgetting.derived(chosen | taken)
    from_them = await memory.log.facts.alone_from(chosen | taken)
    gone = {line_hash(line) for one in derived for line in one.deleted_bullets}
    batches = {one.batch: [text for text, _ in one.lines] for one in derived}
    # What Sam also answered to something else is no copy of this answer.
    usual = {_plain(m.text) for m in every if m.role == "assistant" and m.id not in taken}
    own = [(each.role, _plain(each.text)) for each in every if each.id in taken]
    texts = {t for role, t in own if len(t) > _SHORT and (role != "assistant" or t not in usual)}
    turns = {each.turn_id for each in every if each.id in taken and each.turn_id}
    in_turns = await edit_history.written_in(memory.log, turns)

    def goes(path: str, number: int, row: str) -> bool:
        said_there = _plain(row)
        if asked.are_in(row) or any(text in said_there for text in texts):
            return True
        if (path, line_hash(_first(_bare(row)))) in in_turns:
            return True
        near = (h for h in passages if h.path == path and h.start_line <= number <= h.end_line)
        return asked.are_mostly_in(row) if any(near) else _comes_from(row, batches, gone)

    places, yours = await asyncio.to_thread(_look, memory.vault, goes, asked)
    written = await memory.log.forgetting.written()
    facts = await memory.log.facts.all()
    for path, text in written:  # also bullets that no note has any more
        if goes(path, 0, text):
            places.setdefault(text, [path or "a fact that waits to be written"])
    for line, where in (await copies_of(memory)).items():
        if goes("", 0, line) and not is_of_starter(tombs.bullet(line)):
            places.setdefault(tombs.bullet(line), []).extend(dict.fromkeys(where))
    shown = {_shown(text) for text in places}
    for path, text in await edit_history.every_line(memory.log):
        if goes(path, 0, text) and _shown(text) not in shown and not is_of_starter(text):
            places.setdefault(text, [f"{path} (of before, for /undo)"])
    lined = {block_id(_first(text)) for text in places} | {each.id for each in from_them}
    for row in facts.values():
        if row.id not in lined and goes(row.path, 0, row.text):
            places.setdefault(row.text, [row.path])
    for text, where in places.items():
        first = _first(text)
        hashes = {line_hash(first), line_hash(strip_block_id(first))}  # a linked bullet has an id
        if not {*hashes, mark_in(first)} & (covered | gone):
            if fact := facts.get(block_id(first) or ""):
                hashes.add(line_hash(fact.text))
            items.append(Item(_shown(text), tuple(where), {}, frozenset(hashes)))
    return KeptItems(tuple(items), tuple(yours))


async def _of_messages(
    memory: Memory, message: Message, group: Sequence[Message], covered: set[str]
) -> Item:
    """Return the item of a message and its answer; add the lines that go with it to `covered`."""
    going = await plan(memory, Selection(frozenset(each.id for each in group)))
    covered |= {line_hash(line_of(each, memory.zone)) for each in group}
    covered |= {mark_of(each) for each in group}
    covered |= {line_hash(text) for one in going.sections for text in one.bullets}
    made = [tr("my answer to it")] if any(_goes_with(message, each) for each in group) else []
    quoting = sum(repeats(message, each) for each in group if not _goes_with(message, each))
    if quoting:
        made.append(
            tn(
                "{count} answer of mine that quotes it",
                "{count} answers of mine that quote it",
                quoting,
            )
        )
    for one in going.sections:
        made += [f"{one.path}: {_shown(text)}" for text in one.bullets]
        if one.summary and one.instead:
            whole = tr(
                "the summary it is a part of, which will read {instead}", instead=one.instead
            )
            made.append(f"{one.path}: {whole}")
        elif one.summary:
            made.append(f"{one.path}: {_shown(tombs.bullet(one.summary))}")
        covered |= {line_hash(tombs.bullet(one.summary))} if one.summary else set()
    made += [f"{each.path}: {_shown(each.line)}" for each in going.facts]
    covered |= {line_hash(tombs.bullet(each.line)) for each in going.facts}
    waiting = await memory.log.facts.waiting_from(each.id for each in group)
    made += [tr("a fact that waits to be written: {text}", text=_shown(text)) for text in waiting]
    covered |= {line_hash(text) for text in waiting}
    made += [f"{each.path}:{each.line}" for each in going.lines]
    return Item(
        message.text,
        (),
        {each.id: _hash(each) for each in group},
        frozenset(),
        tuple(made),
        message,
    )


def _look(vault: Vault, goes: Goes, asked: ContentWords) -> tuple[dict[str, list[str]], list[str]]:
    """Return the lines that go, with their places, and the places in the owner's notes."""
    places: dict[str, list[str]] = {}
    yours: list[str] = []
    sams = set(notes_of_sams(vault))
    for file in vault.files():
        if not file.path.lower().endswith(".md"):
            continue
        for number, row in _rows(vault, file.path):
            if is_of_starter(row):
                continue
            if file.path not in sams:
                if asked.are_in(row):
                    yours.append(f"{file.path}:{number}")
            elif goes(file.path, number, row):
                places.setdefault(_bare(row), []).append(f"{file.path}:{number}")
    return places, yours


def _rows(vault: Vault, path: str) -> Iterator[tuple[int, str]]:
    """Yield a note's lines with their numbers; a message's block as one, with its line breaks."""
    try:
        text = vault.load(path).text
    except SamError:
        return  # gone meanwhile, or unreadable, which `sam doctor` reports
    for each in entries(text):
        if row := "\n".join(lines("\n".join(each.rows))).rstrip():
            yield each.line, row


def _comes_from(row: str, batches: Mapping[str, Sequence[str]], gone: Collection[str]) -> bool:
    """Return whether a line with a link to a batch says most of a bullet that goes."""
    for batch in _LINK.findall(row):
        words = ContentWords(_shown(row))
        best = max(batches.get(batch, ()), key=words.shared, default="")
        if best and line_hash(best) in gone and words.shared(best):
            return True
    return False


def _goes_with(said: Message, other: Message) -> bool:
    """Return whether the other message is the answer to it, or what stood in the file that came
    with it."""
    if other.turn_id != said.turn_id or other.id == said.id:
        return False
    of_file = other.origin == "file" and bool({*said.telegram_ids} & {*other.telegram_ids})
    return other.role == "assistant" or of_file


def _bare(row: str) -> str:
    first, between, rest = row.partition("\n")
    return f"{tombs.bullet(first)}{between}{rest}"


def _first(row: str) -> str:
    return row.partition("\n")[0]


def _shown(row: str) -> str:
    first, *rest = row.split("\n")
    shown = [
        plain(strip_block_id(tombs.bullet(first))),
        *(plain(tombs.bullet(each)) for each in rest),
    ]
    return " ".join(shown)


def _plain(text: str) -> str:
    return " ".join(_shown(text).split()).casefold()


def _hash(message: Message) -> str:
    return line_hash(message.text)

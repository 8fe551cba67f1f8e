"""Find everything that is kept about some words or one message, and forget what the owner chooses.

This covers messages that recall finds for the words or that contain all of them, and those that
correct them ("no, 8821"), with their answers and everything derived from them, and lines of Sam's
own notes. The owner's notes are only listed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import SamError
from ..history import corrections_of
from ..knowledge.owner_edits import update_memory_links
from ..log import Message
from ..log.batches import line_hash
from ..log.transcript import line_of, mark_in, mark_of
from ..notes.markdown import block_id, strip_block_id
from ..notes.redaction import withheld
from ..text import tn, tr
from ..tools import visible
from ..vault import starter
from .archive_copies import bullet
from .content_words import ContentWords
from .erase import (
    Forgettable,
    Selection,
    erase,
    exclusive_access,
    forgettable,
    forgettable_each,
    notes_with_removed_title,
    sweep,
)
from .kept_lines import SHORT, LinesToForget, first_row, plain_text, shown_text

if TYPE_CHECKING:
    from ..core import Memory
    from ..search import Hit
    from ..vault import Vault

log = logging.getLogger(__name__)

_RECALLED = 50  # maximum number of hits to check
_RECALL = ("assistant", "recall")  # role and origin of an answer without a model
_CHATS = 3  # that are named
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
        named |= {("", bullet(row)) for row in self.going.copies}
        return len(named | {(each.path, bullet(each.line)) for each in self.going.facts})

    def _bullets(self) -> Iterator[tuple[str, str]]:
        for one in self.going.sections:
            for text in (*one.bullets, *([bullet(one.summary)] if one.summary else [])):
                yield one.path, text


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
    said = [each for each in said if each.origin != "recall" or _quotes(each, asked, fixed)]
    ids = {each.id for each in said} | await corrections_of(said, memory.log)
    said = [each for each in every if each.id in ids]
    return await _kept(memory, every, said, asked, [hit for hit in sure if not hit.is_message])


async def public_items(memory: Memory, kept: KeptItems) -> KeptItems:
    """Return the items, and the places in the owner's notes, that a model may see. An item has only
    its public places, and nothing of what was made of it, since that may be private."""
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
        going = await forgettable(memory, selected)
        await memory.log.forgetting.note_time()
        count = await erase(memory, selected, going, _CAUSE)
        await update_memory_links(memory.vault)  # the days' links to lines that are gone
        await sweep(memory, going)
        await memory.log.settings.set(_SWEEP, "")
    log.info("forgot messages=%d lines=%d", count, len(going.lines))
    named = notes_with_removed_title(memory.vault, going)
    left = [path for path in named if await memory.vault.read_optional(path) is not None]
    return Erased(count, going, changed, tuple(left))


async def preview(memory: Memory, choice: ForgetChoice) -> Forgettable:
    """Return what would be forgotten with the choice."""
    return await forgettable(memory, (await _unchanged(memory, choice))[0])


async def _unchanged(memory: Memory, choice: ForgetChoice) -> tuple[Selection, int]:
    """Return what of the choice is as the owner saw it, and the number of the other messages."""
    messages = await memory.log.messages.by_ids(choice.messages)
    changed = {m.id for m in messages if m.text and _hash(m) != choice.messages[m.id]}
    return Selection(frozenset(choice.messages) - changed, choice.lines), len(changed)


async def finish(memory: Memory) -> None:
    """Remove the bytes that remain if a crash ended `forget` after it had deleted the texts."""
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
    covered, taken = set[str](), set[int]()
    groups, authors = list[list[Message]](), dict[str, list[Message]]()
    answers, of_turn = _answers(every), dict[int, list[Message]]()
    for each in every:
        of_turn.setdefault(each.turn_id, []).append(each)
    for message in said:
        if message.id in taken:
            continue
        group = [message]
        if message.role == "user":
            group += [each for each in of_turn[message.turn_id] if _goes_with(message, each)]
            group += [each for each in _quoting([message], answers) if each not in group]
        taken |= {each.id for each in group}
        groups.append(group)
    for author, theirs in _by_author(every, asked).items():
        if group := [each for each in theirs if each.id not in taken]:
            taken |= {each.id for each in group}
            authors[author] = group
    groups += [[*theirs, *_quoting(theirs, answers)] for theirs in authors.values()]
    selections = [Selection(frozenset(each.id for each in group)) for group in groups]
    items = [
        _of_messages(memory, group, going, covered)
        for group, going in zip(groups, await forgettable_each(memory, selections), strict=True)
    ]
    titles = await memory.log.imports.titles() if authors else {}
    for n, (author, theirs) in enumerate(authors.items(), len(items) - len(authors)):
        items[n] = _of_author(items[n], author, theirs, titles)
    going = await LinesToForget.of(memory, every, taken, asked, passages)
    places, yours = await asyncio.to_thread(going.in_notes, memory.vault)
    facts = await memory.log.facts.all()
    await going.add_elsewhere(memory, places, facts.values())
    for text, where in places.items():
        first = first_row(text)
        hashes = {line_hash(first), line_hash(strip_block_id(first))}  # a linked bullet has an id
        if not {*hashes, mark_in(first)} & (covered | going.bullets):
            if fact := facts.get(block_id(first) or ""):
                hashes.add(line_hash(fact.text))
            items.append(Item(shown_text(text), tuple(where), {}, frozenset(hashes)))
    return KeptItems(tuple(items), tuple(yours))


def _of_messages(
    memory: Memory, group: Sequence[Message], going: Forgettable, covered: set[str]
) -> Item:
    """Return the item of a message and those that go with it, the message first; add the lines that
    go too to `covered`."""
    message = group[0]
    covered |= {line_hash(line_of(each, memory.zone)) for each in group}
    covered |= {mark_of(each) for each in group}
    covered |= {line_hash(text) for one in going.sections for text in one.bullets}
    made = [tr("my answer to it")] if any(_goes_with(message, each) for each in group) else []
    if count := sum(not _goes_with(message, each) for each in _quoting([message], _answers(group))):
        made.append(
            tn(
                "{count} answer of mine that quotes it",
                "{count} answers of mine that quote it",
                count,
            )
        )
    for one in going.sections:
        made += [f"{one.path}: {shown_text(text)}" for text in one.bullets]
        if one.summary and one.instead:
            whole = tr(
                "the summary it is a part of, which will read {instead}", instead=one.instead
            )
            made.append(f"{one.path}: {whole}")
        elif one.summary:
            made.append(f"{one.path}: {shown_text(bullet(one.summary))}")
        covered |= {line_hash(bullet(one.summary))} if one.summary else set()
    made += [f"{each.path}: {shown_text(each.line)}" for each in going.facts]
    covered |= {line_hash(bullet(each.line)) for each in going.facts}
    made += [
        tr("a fact that waits to be written: {text}", text=shown_text(text))
        for text in going.waiting
    ]
    covered |= {line_hash(text) for text in going.waiting}
    made += [f"{each.path}:{each.line}" for each in going.lines]
    return Item(
        message.text,
        (),
        {each.id: _hash(each) for each in group},
        frozenset(),
        tuple(made),
        message,
    )


def _of_author(
    item: Item, author: str, group: Sequence[Message], titles: Mapping[str, str]
) -> Item:
    """Return one item of all messages of somebody else: thousands may be imported."""
    chats = dict.fromkeys(titles.get(each.chat) or each.chat for each in group)
    count = len(group)
    text = tn("{count} message by {author}", "{count} messages by {author}", count, author=author)
    return replace(item, text=text, where=tuple(chats)[:_CHATS], message=None)


def _by_author(every: Sequence[Message], asked: ContentWords) -> dict[str, list[Message]]:
    """Map the authors other than the owner whose names have the words to their messages."""
    authors = {each.author for each in every if each.author and each.origin != "owner"}
    named = {author: list[Message]() for author in sorted(authors) if asked.are_in(author)}
    for each in every:
        if each.author in named and each.origin != "owner":
            named[each.author].append(each)
    return named


def _goes_with(said: Message, other: Message) -> bool:
    """Return whether the other message is the answer to it, or what stood in the file that came
    with it."""
    if other.turn_id != said.turn_id or other.id == said.id:
        return False
    of_file = other.origin == "file" and bool({*said.telegram_ids} & {*other.telegram_ids})
    return other.role == "assistant" or of_file


def _hash(message: Message) -> str:
    return line_hash(message.text)


def _quotes(answer: Message, asked: ContentWords, fixed: Collection[str]) -> bool:
    """Return whether an answer without a model quotes one of the words from a text of the owner's.

    `fixed`: Sam's own sentences, and what may precede the colon before a quote.
    """
    if answer.text in fixed:
        return False
    rows = []
    for row in answer.text.splitlines():
        before, colon, said = row.partition(":")
        quote = said if colon and before in fixed else row.rpartition("”:")[2]
        if row not in fixed and not _is_part_of_starter(quote):
            rows.append(quote)
    return asked.shared("\n".join(rows)) > 0


def _answers(every: Iterable[Message]) -> list[tuple[Message, str]]:
    """Return the answers without a model, with their text for comparison."""
    return [(each, plain_text(each.text)) for each in every if (each.role, each.origin) == _RECALL]


def _quoting(said: Iterable[Message], answers: Iterable[tuple[Message, str]]) -> list[Message]:
    """Return those of the answers that quote one of these messages whole."""
    texts = {
        plain_text(each.text) for each in said if each.role == "user" and len(each.text) > SHORT
    }
    return [each for each, answer in answers if any(text in answer for text in texts)]


def _is_part_of_starter(quote: str) -> bool:
    """Return whether a quote is a line of the starter vault, or a long part of one."""
    wanted = starter.comparable(quote.strip(" …"))
    known = starter.starter_lines()
    return wanted in known or (len(wanted) > SHORT and any(wanted in row for row in known))

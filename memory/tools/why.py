"""Find the origin of a line: its note, its batch, and its source messages.

The log has the messages of each bullet that Sam wrote, and a line with a link to a batch came from
that batch. For any other line no message is known; messages with the same content are shown
instead.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from ..errors import NoteMissing, PathRefused
from ..infra.clock import local_day
from ..log import Message
from ..log.batches import line_hash
from ..notes import fact, task, unmarked
from ..notes.daily_note import is_summary
from ..notes.markdown import block_id, lines, plain, privacy, strip_block_id
from ..notes.redaction import withheld
from ..search import Hit
from ..text.catalogue import tr
from ..text.humanize import clipped, one_line
from ..text.tokenize import telling_terms
from ..text.word_forms import is_inflected
from . import output, results
from .context import speaker

if TYPE_CHECKING:
    from ..core import Memory

MOST = 3
"""Maximum number of lines explained at once."""
QUOTED = 400  # characters of a message
_LINK = re.compile(r"\[\[([^\[\]|#]{1,300})#\^([A-Za-z0-9-]{1,40})")
_ITEM = re.compile(r"\s*(?:[-*+]\s+)?(.*?)\s*")


@dataclass(frozen=True, slots=True)
class Why:
    """One line and its origin. `path` and `line`, from 1: its location; for a message its day in
    the log, and 0. `batch`: the summary that wrote it; "" if none did. `alike`: the line's messages
    are unknown, and these state the same. `pinned`: the owner edited or pinned a fact, which may
    differ from what its messages state. `weak`: it is only the nearest to the words asked about.
    """

    path: str
    line: int
    text: str
    batch: str
    messages: tuple[Message, ...]
    alike: bool = False
    pinned: bool = False
    weak: bool = False

    @property
    def words(self) -> str:
        """Return the line as a person reads it: without list marker, fields and block id."""
        if found := task.parse(self.text):
            return found.title
        return plain(unmarked(strip_block_id(_bare(self.text)))).strip()


class Origins:
    """Explains lines of one profile's memory. `private` admits sensitive lines: for the owner's own
    eyes, never for a model."""

    def __init__(self, memory: Memory, *, private: bool, now: datetime | None = None) -> None:
        self._memory, self._private, self._now = memory, private, now

    async def of_words(self, words: str, without: Collection[int] = ()) -> list[Why]:
        """Explain what recall finds for the words: what has most of them first, of that lines of
        notes first; the nearest if it finds nothing reliable.

        `without`: messages to exclude."""
        found = await self._recall(words, without)
        weak = all(hit.weak for hit in found)
        sure = found[:1] if weak else [hit for hit in found if not hit.weak]
        asked = _telling(words)
        sure = [hit for hit in sure if asked & _telling(hit.text)] or sure  # not only the meaning
        made: list[Why] = []
        for hit in sorted(sure, key=lambda hit: (-_shared(words, hit.text), hit.is_message)):
            known = {message.id for each in made for message in each.messages}
            if hit.is_message and hit.message_ids[0] in known:
                continue
            places = {(each.path, each.line, each.text) for each in made}
            more = await self.of_hit(hit, words)
            made += [each for each in more if (each.path, each.line, each.text) not in places]
        return [replace(each, weak=weak) for each in made[:MOST]]

    async def of_hit(self, hit: Hit, words: str = "") -> list[Why]:
        """Explain the lines of a hit that the words are about."""
        if hit.is_message:
            return await self.of_message(hit.message_ids[0])
        return await self.of_passage(hit.path, hit.start_line, hit.end_line, words)

    async def of_message(self, id: int) -> list[Why]:
        """Explain the line derived from a message that covers most of it; without one, return the
        message as its own origin. [] if it is gone or private."""
        found = self._shown(await self._memory.log.messages.by_ids([id]))
        if not found:
            return []
        [message] = found
        day = self._memory.today(message.sent_at)
        path = self._memory.day_path(day)
        made = {
            " ".join(line.split())
            for line, ids in (await self._memory.log.batches.sources_of(path)).items()
            if id in ids
        }
        words = _telling(message.text)
        rows = await self._rows(path, 1, sys.maxsize) if made else {}
        there = [(n, row) for n, row in rows.items() if " ".join(_bare(row).split()) in made]
        if there:
            number, row = max(there, key=lambda each: len(words & _telling(each[1])))
            return [await self._of_line(path, number, row)]
        return [Why(f"log/{day}", 0, message.text, message.batch or "", (message,))]

    async def of_passage(self, path: str, first: int, last: int, words: str = "") -> list[Why]:
        """Explain the lines `first` to `last` of a note, from 1: those with the most of the words,
        or without words those that have messages. [] when they are gone or private."""
        rows = await self._rows(path, first, last)
        if asked := _telling(words):
            shared = {number: len(asked & _telling(row)) for number, row in rows.items()}
            most = max(shared.values(), default=0)
            rows = {number: row for number, row in rows.items() if shared[number] == most}
        made = [await self._of_line(path, number, row) for number, row in rows.items()]
        known = [each for each in made if each.messages]
        if known or not made:
            return known[:MOST]
        first_one = made[0]
        alike = await self._alike(first_one.words)
        return [Why(path, first_one.line, first_one.text, "", tuple(alike), alike=True)]

    async def _rows(self, path: str, first: int, last: int) -> dict[int, str]:
        """Return the lines with words by line number, without those that must not be shown."""
        vault = self._memory.vault
        try:
            text = (await asyncio.to_thread(vault.load, path)).text
        except (NoteMissing, PathRefused):
            return {}
        if not vault.is_indexed(path) or privacy(text) == "sealed":
            return {}
        hidden = frozenset() if self._private else withheld(text, path, vault.sam_dir)
        return {
            number: row
            for number, row in enumerate(lines(text)[first - 1 : last], first)
            if number not in hidden and _telling(row)
        }

    async def _of_line(self, path: str, number: int, row: str) -> Why:
        ids = await self._sources(path, row)
        messages = self._shown(await self._memory.log.messages.by_ids(ids))
        batch = next((message.batch for message in messages if message.batch), "")
        found = fact.parse(row)
        return Why(
            path,
            number,
            plain(strip_block_id(row)).strip(),
            batch,
            tuple(messages),
            pinned=found is not None and found.pinned,
        )

    async def _sources(self, path: str, row: str) -> Iterable[int]:
        """Return the ids of a line's source messages; none if the log has none."""
        batches = self._memory.log.batches
        said = " ".join(_bare(row).split())
        by_line = await batches.sources_of(path)
        for line, ids in by_line.items():
            if " ".join(line.split()) == said:
                return ids
        block = block_id(row)
        if block and is_summary(row):
            return [message.id for message in await batches.messages(block)]
        if block and (known := await self._memory.log.facts.by_id(block)) is not None:
            return known.sources
        saved = self._memory.log.saved
        for name in (line_hash(said), *([f"^{block}"] if block else [])):
            if ids := await saved.sources(name):
                return ids
        for link, linked in _LINK.findall(row):
            if behind := await self._linked(f"{link.removesuffix('.md')}.md", linked, said):
                return behind
        return ()

    async def _linked(self, path: str, batch: str, said: str) -> Sequence[int]:
        """Return the messages of the batch's bullets that say most of a line; else of all of
        it."""
        every = [message.id for message in await self._memory.log.batches.messages(batch)]
        words, best, found = _telling(said), 0, list[int]()
        for line, ids in (await self._memory.log.batches.sources_of(path)).items():
            shared = len(words & _telling(line))
            if shared > best and set(ids) & set(every):
                best, found = shared, list(ids)
        return found or every

    async def _alike(self, text: str) -> list[Message]:
        """Return messages that reliably state the same: they have most of the words."""
        found = await self._recall(text, (), conversations=True)
        least = len(_telling(text)) / 2
        sure = [hit for hit in found if not hit.weak and _shared(text, hit.text) > least]
        ids = [hit.message_ids[0] for hit in sure][:MOST]
        return self._shown(await self._memory.log.messages.by_ids(ids))

    async def _recall(
        self, words: str, without: Collection[int], *, conversations: bool = False
    ) -> list[Hit]:
        """Return the hits. Without vectors, only those that have a word of the text: a passage is
        found by words of its neighbours too."""
        recalled = await self._memory.recall(
            words,
            limit=MOST + 2,
            filter="conversations" if conversations else "all",
            private=self._private,
            without_messages=without,
            now=self._now,
        )
        if recalled.mode != "keywords":
            return recalled.hits
        return [hit for hit in recalled.hits if _shared(words, hit.text)]

    def _shown(self, messages: Iterable[Message]) -> list[Message]:
        return [
            each
            for each in messages
            if (self._private and each.text and each.privacy != "sealed") or output.visible(each)
        ]


def report(found: Sequence[Why], zone: tzinfo, owner: str = "User") -> str:
    """Return the lines and their messages as text, for a terminal or a model."""
    rows: list[str] = []
    for each in found:
        batch = f", summary {each.batch}" if each.batch else ""
        if each.line:
            said = clipped(one_line(each.words), output.PASSAGE)
            rows.append(f"- {said} — {each.path}:{each.line}{batch}")
            rows += [f"  {origin_sentence(each)}"]
        rows += [
            f"  {quoted(message, zone, owner)} — log/{local_day(message.sent_at, zone)}"
            for message in each.messages
        ]
    head = [output.WEAK] if any(each.weak for each in found) else []
    return "\n".join([*head, *rows]) or output.NOTHING


def explained(found: Sequence[Why], zone: tzinfo) -> results.ToolResult[results.OriginList]:
    """Return the report with its structured data."""
    rows = [
        results.Origin(
            each.path,
            each.line,
            clipped(one_line(each.text), output.PASSAGE),
            each.alike,
            results.spoken(each.messages, zone, QUOTED),
        )
        for each in found
    ]
    return results.ToolResult(report(found, zone), results.OriginList(rows))


def origin_sentence(why: Why) -> str:
    """Return a sentence on how the messages relate to the line."""
    if not why.messages:
        return tr("It is only in this note: no source message is known.")
    if why.alike:
        return tr("It is from this note; these messages state the same:")
    if why.pinned:
        return tr("You edited or pinned this line. These messages are about it:")
    return tr("It comes from:")


def quoted(message: Message, zone: tzinfo, owner: str = "User") -> str:
    """Return a message on one line: time, speaker, and text."""
    words = clipped(one_line(message.text), QUOTED)
    at = message.sent_at.astimezone(zone)
    place = f"{at:%Y-%m-%d %H:%M} · {speaker(message, owner)}"
    return tr("{place}: “{text}”", place=place, text=words)


def _bare(row: str) -> str:
    """Return a line without its list marker."""
    match = _ITEM.fullmatch(row)
    return match[1] if match else row


def _telling(text: str) -> set[str]:
    return telling_terms(plain(text))


def _shared(words: str, text: str) -> int:
    """Count the telling words that the text has in any form."""
    there = _telling(text)
    return sum(
        word in there or any(is_inflected(word, each) for each in there) for word in _telling(words)
    )
